"""The answer of `segscore agree` in a short table: a verdict, the totals, and where to look; and
how many documents it would take to know more.

Coefficients, who deviates, who stands out and contested places come from the functions that have
them, their intervals from one bootstrap. The command line, tables and pages use the same sentences.
Names and notes are bounded, so that the answer fits a screen however many people and documents
there are.

A plan: the half-width of an interval over m documents is t(m - 1) · s / √m, with the s that gives
the interval over the documents there are. How far s may be from what it is in other samples follows
from their number and the tails of their jackknife values (`significance.spread_limit`),
so the number of documents comes with a range. Beyond the number of documents given, the formula is
extrapolated, and the result says so.
"""

import math
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from segscore.basics.arguments import Floats, number
from segscore.coders import differences, estimators, habits, nominal, pairwise_values, places
from segscore.coders.estimators import FEWEST_DOCUMENTS, Estimator, Sampling, Unfinished
from segscore.errors import SegmentationError, number_of
from segscore.significance.resampling import Interval, Value, jackknife, spread_limit, t_quantile
from segscore.tables import Cell, Column, Table, Tabular, columns
from segscore.tables.wording import join_names, join_words, number_words, short_name

if TYPE_CHECKING:
    from segscore.coders.coefficients import Agreement

MOST_CODERS = 40  # each of whom is left out in turn
_MOST_GROUPS, _MOST_DOCUMENTS, _MOST_OUTLIERS = 3, 3, 2
_LONGEST_NOTE = 150  # characters


@dataclass(frozen=True, repr=False)
class AgreementSummary(Tabular):
    """How well people agree, in a few lines; prints as a table with a verdict above it.

    agreement: the coefficients. alpha: Krippendorff's α of decisions. deviating: each coder among
    the others, the coder who lowers agreement most first; None if that is impossible, or if there
    are more than 40 coders. outliers: coders who mark far more or far fewer boundaries than the
    others.
    contested: the places on which people differ. labels: agreement on labels of segments, if there
    are any. lowest: the documents with the lowest agreement, the lowest first; none of a single
    document.
    """

    agreement: "Agreement"
    alpha: nominal.DecisionAgreement
    deviating: tuple[differences.Competitor, ...] | None
    outliers: tuple[habits.Habits, ...]
    contested: places.ContestedPlaces
    labels: nominal.LabelReliability | None = None
    lowest: "tuple[Agreement, ...]" = ()

    @property
    def verdict(self) -> list[str]:
        """What the numbers show, a sentence each."""
        sentences, n_coders = [how_well(self.agreement)], self.agreement.basis.n_coders
        if self.deviating is not None:
            outliers = who_stands_out(self.outliers[:_MOST_OUTLIERS])
            sentences.append("; ".join(filter(None, [who_lowers(self.deviating), outliers])) + ".")
        elif n_coders == 2:
            sentences.append("With two coders, neither can be said to deviate.")
        elif n_coders > MOST_CODERS:
            sentences.append(
                f"Who deviates is not looked for among more than {MOST_CODERS} coders."
            )
        sentences.append(f"Contested: {how_many_contested(self.contested)}.")
        if self.lowest:
            values = (
                (one.name, one.corrected if one.draws else one.observed) for one in self.lowest
            )
            listed = [f"{short_name(name)} ({number_words(value)})" for name, value in values]
            sentences.append(f"Lowest agreement: {join_words(listed)}.")
        return sentences

    def to_table(self) -> Table:
        """A row for each total, with the verdict above the table."""
        agreed, groups = self.agreement, list(self.agreement.groups.values())
        none = Interval(math.nan, math.nan, agreed.ci.level, "no interval")
        observed = f"observed agreement, by {agreed.metric.name}", agreed.observed, none
        totals = [observed]
        if agreed.draws:
            totals = [
                ("corrected agreement", agreed.corrected, agreed.corrected_ci),
                *(
                    (f"… in group {short_name(one.name)}", one.corrected, one.corrected_ci)
                    for one in groups[:_MOST_GROUPS]
                ),
                observed,
                ("observed agreement of random coders", agreed.chance, none),
            ]
        totals.append(("π*, as papers report it", agreed.pi, agreed.ci))
        alpha = "Krippendorff's α, boundary or not at each position"
        totals.append((alpha, self.alpha.value, self.alpha.ci))
        if self.labels is not None:
            totals.append(("Krippendorff's α of labels", self.labels.alpha, self.labels.ci))
        short = {alpha: r"Krippendorff's $\alpha$ of decisions"}  # fits one column of two
        rows = [
            [
                Cell(name, latex=short.get(name)),
                estimators.with_interval(value, interval),
                interval.method,
                agreed.signature,
            ]
            for name, value, interval in totals
        ]
        places = ("", self.contested.n_all), (" that one coder marks alone", self.contested.n_alone)
        counts = [[f"contested places{which}", number, None, None] for which, number in places]
        shown = columns("measure value:3 interval! signature!")
        notes = [f"by {agreed.observed_signature}"]
        if agreed.draws:
            chance = f"random coders have {estimators.KEPT[agreed.null]}; {agreed.draws} draws"
            notes.insert(0, f"{chance}, seed {agreed.seed}")
        interval = agreed.corrected_ci if agreed.draws else agreed.ci
        if not math.isnan(interval.low):
            notes.append(f"intervals: {interval.method}")
        if len(groups) > _MOST_GROUPS:
            notes.append(f"{len(groups) - _MOST_GROUPS} more groups are not shown")
        if agreed.notes:  # the first, in at most two lines
            first, *left = agreed.notes
            if len(first) > _LONGEST_NOTE:
                first = f"{first[: _LONGEST_NOTE - 1]}…"
            notes.append(first + (f" ({number_of(len(left), 'more note')})" if left else ""))
        machines = Table(shown, [*rows, *counts])
        return Table(shown, rows, notes, _title(agreed), lead=self.verdict, for_machines=machines)


def _title(found: "Agreement") -> str:
    basis = found.basis
    local = found.corpus is not None and found.corpus.coder_scope == "local"
    people = f"{basis.n_codings} codings" if local else f"{basis.n_coders} coders"
    documents = "1 document" if basis.n_documents == 1 else f"{basis.n_documents} documents"
    marks = "1 boundary" if basis.n_boundaries == 1 else f"{basis.n_boundaries:,} boundaries"
    return f"Agreement: {people}, {documents}, {number_of(basis.n_pairs, 'pair')}, {marks}"


def summed_up(
    agreed: "Unfinished[Agreement]",
    main: Estimator,
    how: Sampling,
    count_end: bool = False,
    within: int = 1,
) -> AgreementSummary:
    """The short answer about agreement, of which `main` has the sums; `Agreement.summary` explains
    the other parameters."""
    pairs, people = main.pairs, main.pairs.corpus
    apart = pairs.local and len(people) > 1  # names that mean nobody in other documents
    several = 2 < len(people.coders) <= MOST_CODERS and not apart
    everyone = np.ones(len(pairs.coder), np.bool_)
    parts: list[Unfinished[Any]] = [agreed, nominal.alpha_of(pairs, how, count_end)]
    parts.append(differences.each_left_out(main, everyone, how) if several else ([], lambda: None))
    found, alpha, deviations = estimators.finished(pairs, how, *parts)
    lowest = []
    if len(found.documents) > 1:
        observed = np.array(
            [] if found.draws else [one.observed for one in found.documents.values()]
        )
        values = main.value(main.rows) if found.draws else observed
        order = np.argsort(values, kind="stable")[:_MOST_DOCUMENTS].tolist()  # NaN is last
        lowest = [pairs.documents[row] for row in order if not np.isnan(values[row])]
    return AgreementSummary(
        found,
        alpha,
        deviations,
        () if apart else habits.boundaries_per_coder(pairs).outliers,
        places.contested(people, places.USUAL_NUMBER, within),
        nominal.label_reliability(people, rng=how.seed) if pairs.labelled else None,
        tuple(found.documents[name] for name in lowest),
    )


def pairs_answer(found: pairwise_values.PairwiseMean) -> Table:
    """The short answer for a metric without a coefficient of agreement: all pairs of coders
    together, and groups of documents."""
    few = {name: found.groups[name] for name in list(found.groups)[:_MOST_GROUPS]}
    better = "higher" if found.metric.higher_is_better else "lower"
    verdict = (
        f"Pairs of coders reach {number_words(found.mean)} ± {number_words(found.sd)} by "
        f"{found.metric} ({better} is better). Agreement corrected for chance needs a similarity, "
        "such as b."
    )
    return replace(replace(found, documents={}, groups=few).to_table(), lead=[verdict])


# ---- sentences ----

MOST_NAMED = 4  # coders that a sentence names


def how_well(found: "Agreement") -> str:
    """The sentence on corrected agreement, and whether it may be chance alone; on observed
    agreement, if there is no corrected value."""
    if not math.isnan(found.corrected):
        value = number_words(found.corrected, *found.corrected_ci[:2])
        return f"Corrected agreement is {value} (0 = chance, 1 = complete).{maybe_chance(found)}"
    why = "agreement by chance was not computed"
    if found.draws:
        why = "there is no value corrected for chance"
    return f"Observed agreement is {number_words(found.observed)}; {why}."


def maybe_chance(found: "Agreement") -> str:
    """A sentence, if corrected agreement may be chance alone; otherwise ""."""
    if found.corrected <= 0:
        return " That is no more than chance."
    if found.corrected_ci.low <= 0:
        return " The interval includes 0: this may be no more than chance."
    return ""


def who_lowers(coders: Sequence[differences.Competitor]) -> str:
    """The coders who lower agreement (their interval is above 0), the strongest first; the start of
    a sentence. Of one coder it has the interval, and what agreement is without them."""

    def without(coder: differences.Competitor) -> str:
        return f"without {short_name(coder.name)} it is {number_words(coder.without)}"

    lower = [coder for coder in coders if coder.ci.low > 0]
    if not lower and coders and all(math.isnan(coder.ci.low) for coder in coders):
        most = max(coders, key=lambda coder: (not math.isnan(coder.drop), coder.drop))
        return f"Too little data to tell who lowers agreement ({without(most)})"
    if not lower:
        return "Nobody clearly lowers agreement"
    if len(lower) == 1:
        (one,) = lower
        by = f"by {number_words(one.drop, *one.ci[:2])}; {without(one)}"
    else:
        by = f"by {', '.join(number_words(coder.drop) for coder in lower[:MOST_NAMED])}"
    names = join_names((coder.name for coder in lower), MOST_NAMED)
    return f"{names} lower{'s' * (len(lower) == 1)} agreement ({by})"


def who_stands_out(outliers: Sequence[habits.Habits]) -> str:
    """The coders who mark far more or far fewer boundaries than the others; "" if there are
    none."""
    clauses = [
        f"{short_name(outlier.coder)} marks {outlier.ratio:.1f} times as many boundaries"
        for outlier in outliers[:MOST_NAMED]
    ]
    return ", ".join(clauses) + " as the others" if clauses else ""


def how_many_contested(places: places.ContestedPlaces) -> str:
    """The number of contested places, and of those that only one coder marks."""
    if not places.n_all:
        return "nothing"
    alone = f", {places.n_alone:,} of them marked by one coder alone" if places.n_alone else ""
    return number_of(places.n_all, "place") + alone


# ---- how many documents ----

_CONFIDENCE = 0.8  # that n_safe documents are enough
_FAR = 4  # times the documents there are: what lies beyond is hardly known
_MOST = 10_000_000  # documents


@dataclass(frozen=True, repr=False)
class WidthPlan(Tabular):
    """How many documents give an interval of value ± `half_width`.

    `n_needed` assumes documents that differ as much as these `n_documents` do; with 80 % confidence
    it takes at most `n_safe`, and likewise at least `n_least`. `half_width_now` is the half-width
    of these documents, `widths` has those of other numbers of them; beyond `n_documents` they are
    extrapolated.
    """

    half_width: float
    n_documents: int
    half_width_now: float
    n_least: int
    n_needed: int
    n_safe: int
    widths: Mapping[int, float]
    level: float
    signature: str

    @property
    def reading(self) -> str:
        """What the plan says, in plain words."""
        takes = (
            f"about {self.n_needed:,} documents of this kind ({self.n_least:,} to "
            f"{self.n_safe:,}: at least and at most, each with {100 * _CONFIDENCE:g} % confidence)"
        )
        if self.half_width_now <= self.half_width:
            return (
                f"These {self.n_documents:,} documents are already enough for an interval of "
                f"± {self.half_width:g}: theirs is ± {self.half_width_now:.4f}. With other "
                f"documents, it needs {takes}."
            )
        return (
            f"An interval of ± {self.half_width:g} needs {takes}; there are "
            f"{self.n_documents:,}, and their interval is ± {self.half_width_now:.4f}."
        )

    @property
    def warnings(self) -> list[str]:
        """What makes the plan doubtful."""
        if self.n_needed <= self.n_documents:
            return []
        doubt = (
            f"more than the {self.n_documents} existing documents, so it is extrapolated: it "
            "holds if other documents are like these, and are coded by the same people"
        )
        if self.n_needed <= _FAR * self.n_documents:
            return [doubt]
        guess = f"for more than {_FAR} times the existing documents it is a guess"
        return [f"{doubt}; {guess}: annotate some and plan again"]

    def to_table(self) -> Table:
        """A row for each number of documents."""
        half = Column(f"{100 * self.level:.4g} % interval: ±", key="half_width", digits=4)
        rows = [
            [m, half, "seen" if m <= self.n_documents else "extrapolated", self.signature]
            for m, half in self.widths.items()
        ]
        words = [
            self.reading,
            "±: for documents that differ as much as these do; it falls with the square root of "
            "their number",
            "more documents say nothing about other coders",
        ]
        shown: list[str | Column] = ["documents=n_documents", half, "how signature!"]
        return Table.of(rows, shown, words, "How many documents", self.warnings)


def plan_width(
    rows: Floats, value: Value, half_width: float, ci: Interval, about: str
) -> WidthPlan:
    """The plan for a value of these rows, one per document, with the interval `ci`."""
    wanted, n = number(half_width, "half_width", "a number above 0"), len(rows)
    if not 0 < wanted < 1:
        raise SegmentationError(f"half_width is {half_width}: expected a number above 0, below 1")
    if n < FEWEST_DOCUMENTS or np.isnan(ci.low):
        raise SegmentationError(
            f"{n} documents have two coders or more, and no interval over documents: a plan needs "
            f"{FEWEST_DOCUMENTS} at least, to know how much documents differ"
        )
    left_out = jackknife(rows, value)[1]
    if not np.ptp(left_out) > 0:
        raise SegmentationError(
            f"agreement is the same in all {n} documents, or has no value without one of them: "
            "expected documents that differ, which a plan is made from"
        )
    now, share = (ci.high - ci.low) / 2, (1 + ci.level) / 2

    def width(m: int) -> float:
        return t_quantile(m - 1, share) / t_quantile(n - 1, share) * float(np.sqrt(n / m)) * now

    def documents_for(spread: float) -> int:
        counts = range(FEWEST_DOCUMENTS, _MOST + 1)
        found = bisect_left(counts, True, key=lambda m: spread * width(m) <= wanted)
        if found == len(counts):
            raise SegmentationError(
                f"half_width is {wanted:g}, which takes more than {_MOST:,} documents: expected a "
                "larger one"
            )
        return counts[found]

    needed = documents_for(1.0)
    least = documents_for(spread_limit(left_out, 1 - _CONFIDENCE))
    safe = documents_for(spread_limit(left_out, _CONFIDENCE))
    listed = sorted({n // 4, n // 2, n, needed, safe} - set(range(FEWEST_DOCUMENTS)))
    widths = {m: width(m) for m in listed}
    return WidthPlan(wanted, n, now, least, needed, safe, widths, ci.level, about)
