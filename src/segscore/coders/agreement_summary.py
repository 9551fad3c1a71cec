"""The answer of `segscore agree` in a short table: a verdict, the totals, and where to look.

Coefficients, who deviates, who stands out and contested places come from the functions that have
them, their intervals from one bootstrap. The command line, tables and pages use the same sentences.
Names and notes are bounded, so that the answer fits a screen however many people and documents
there are.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from segscore.coders.coder_labels import LabelReliability, label_reliability
from segscore.coders.coder_pairs import CoderPairs
from segscore.coders.competitiveness import Competitor, codings_of_each, drops, joined_by
from segscore.coders.decisions import DecisionAgreement, alpha_of, alpha_sums
from segscore.coders.habits import Habits, boundaries_per_coder
from segscore.coders.pairwise_values import PairwiseMean
from segscore.coders.places import USUAL_NUMBER, ContestedPlaces, contested
from segscore.coders.sums import FEWEST_DOCUMENTS, KEPT, Estimator, Sampling, with_interval
from segscore.errors import number_of
from segscore.significance.resampling import Interval
from segscore.tables import Table, Tabular, columns
from segscore.tables.wording import PLAIN, Wording, joined

if TYPE_CHECKING:
    from segscore.coders.coefficients import Agreement, MoreEstimators

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
    alpha: DecisionAgreement
    deviating: tuple[Competitor, ...] | None
    outliers: tuple[Habits, ...]
    contested: ContestedPlaces
    labels: LabelReliability | None = None
    lowest: "tuple[Agreement, ...]" = ()

    @property
    def verdict(self) -> list[str]:
        """What the numbers show, a sentence each."""
        return [how_well(self.agreement), *self._about_people(), *self._where()]

    def _about_people(self) -> Iterator[str]:
        basis = self.agreement.basis
        if self.deviating is not None:
            outliers = who_stands_out(self.outliers[:_MOST_OUTLIERS])
            yield "; ".join(filter(None, [who_lowers(self.deviating), outliers])) + "."
        elif basis.n_coders == 2:
            yield "With two coders, neither can be said to deviate."
        elif basis.n_coders > MOST_CODERS:
            yield f"Who deviates is not looked for among more than {MOST_CODERS} coders."

    def _where(self) -> Iterator[str]:
        yield f"Contested: {how_many_contested(self.contested)}."
        if self.lowest:
            listed = [
                f"{PLAIN.name(agreed.name)} ({PLAIN.number(_value(agreed))})"
                for agreed in self.lowest
            ]
            yield f"Lowest agreement: {joined(listed)}."

    def to_table(self) -> Table:
        """A row for each total, with the verdict above the table."""
        agreed, place = self.agreement, "contested places"
        rows: list[list[Any]] = [
            [name, with_interval(value, interval), interval.method, agreed.signature]
            for name, value, interval in self._totals()
        ]
        shown = [
            *columns("measure"),
            *columns("value", digits=3),
            *columns("interval signature", audience="machines"),
        ]
        counts = [
            [place, self.contested.n_all, None, None],
            [f"{place} that one coder marks alone", self.contested.n_alone, None, None],
        ]
        return Table(
            shown, rows, self._notes(), _title(agreed), lead=self.verdict,
            for_machines=Table(shown, rows + counts),
        )  # fmt: skip

    def _totals(self) -> Iterator[tuple[str, float, Interval]]:
        """Each number with its interval."""
        whole = self.agreement
        none = Interval(math.nan, math.nan, whole.ci.level, "no interval")
        if whole.draws:
            yield "corrected agreement", whole.corrected, whole.corrected_ci
            for group in list(whole.groups.values())[:_MOST_GROUPS]:
                yield f"… in group {PLAIN.name(group.name)}", group.corrected, group.corrected_ci
        yield f"observed agreement, by {whole.metric.name}", whole.observed, none
        if whole.draws:
            yield "observed agreement of random coders", whole.chance, none
        yield "π*, as papers report it", whole.pi, whole.ci
        yield "Krippendorff's α, boundary or not at each position", self.alpha.value, self.alpha.ci
        if self.labels is not None:
            yield "Krippendorff's α of labels", self.labels.alpha, self.labels.ci

    def _notes(self) -> list[str]:
        agreed, left = self.agreement, len(self.agreement.groups) - _MOST_GROUPS
        chance = f"random coders have {KEPT[agreed.null]}; {agreed.draws} draws"
        drawn = [f"{chance}, seed {agreed.seed}"] if agreed.draws else []
        groups = [f"{left} more groups are not shown"] if left > 0 else []
        interval = agreed.corrected_ci if agreed.draws else agreed.ci
        made = [] if math.isnan(interval.low) else [f"intervals: {interval.method}"]
        return [
            *drawn, f"by {agreed.observed_signature}", *made, *groups, *_some(agreed.notes)
        ]  # fmt: skip


def _value(agreed: "Agreement") -> float:
    """The value that orders documents: corrected agreement, or observed agreement if there is
    none."""
    return agreed.corrected if agreed.draws else agreed.observed


def _title(found: "Agreement") -> str:
    basis = found.basis
    local = found.corpus is not None and found.corpus.coder_scope == "local"
    people = f"{basis.n_codings} codings" if local else f"{basis.n_coders} coders"
    documents = "1 document" if basis.n_documents == 1 else f"{basis.n_documents} documents"
    marks = "1 boundary" if basis.n_boundaries == 1 else f"{basis.n_boundaries:,} boundaries"
    pairs = number_of(basis.n_pairs, "pair")
    return f"Agreement: {people}, {documents}, {pairs}, {marks}"


def _some(notes: Sequence[str]) -> list[str]:
    """The first note, in at most two lines, and the number of others."""
    if not notes:
        return []
    first, left = notes[0], len(notes) - 1
    if len(first) > _LONGEST_NOTE:
        first = f"{first[: _LONGEST_NOTE - 1]}…"
    more = "1 more note" if left == 1 else f"{left} more notes"
    return [f"{first} ({more})" if left else first]


def summed_up(
    pairs: CoderPairs,
    measure: "Callable[[MoreEstimators], tuple[Agreement, list[Interval]]]",
    how: Sampling,
    count_end: bool = False,
    within: int = 1,
) -> AgreementSummary:
    """The short answer about agreement; `Agreement.summary` explains the parameters.

    measure: measures agreement and the intervals of more estimators, which are made of its own:
    documents are drawn once for all numbers.
    """
    people = pairs.corpus
    apart = pairs.local and len(people) > 1  # names that mean nobody in other documents
    several = 2 < len(people.coders) <= MOST_CODERS and not apart
    everyone = np.ones(len(pairs.coder), np.bool_)
    by_coder = codings_of_each(pairs, everyone)
    alpha = alpha_sums(pairs, count_end)
    main: list[Estimator] = []

    def more(corrected: Estimator) -> list[Estimator]:
        main.append(corrected)
        few = not several or len(pairs.documents) < FEWEST_DOCUMENTS
        return [alpha] if few else [alpha, *drops(corrected, by_coder, everyone)]

    found, (alpha_ci, *dropped) = measure(more)
    deviating = None
    if several:
        each = joined_by(main[0], by_coder, everyone, how, dropped)
        deviating = tuple(sorted(each, key=lambda person: -person.drop))
    return AgreementSummary(
        found,
        alpha_of(alpha, how, count_end, alpha_ci),
        deviating,
        () if apart else boundaries_per_coder(pairs).outliers,
        contested(people, USUAL_NUMBER, within),
        label_reliability(people, rng=how.seed) if pairs.labelled else None,
        tuple(_lowest(found, main[0])),
    )


def _lowest(found: "Agreement", main: Estimator) -> "Iterator[Agreement]":
    if len(found.documents) < 2:
        return
    if found.draws:
        values = main.value(main.rows)
    else:
        values = np.array([each.observed for each in found.documents.values()])
    for number in np.argsort(values, kind="stable")[:_MOST_DOCUMENTS].tolist():
        if not np.isnan(values[number]):  # those are last
            yield found.documents[main.pairs.documents[number]]


def pairs_answer(found: PairwiseMean) -> Table:
    """The short answer for a metric without a coefficient of agreement: all pairs of coders
    together, and groups of documents."""
    few = {name: found.groups[name] for name in list(found.groups)[:_MOST_GROUPS]}
    better = "higher" if found.metric.higher_is_better else "lower"
    verdict = (
        f"Pairs of coders reach {PLAIN.number(found.mean)} ± {PLAIN.number(found.sd)} by "
        f"{found.metric} ({better} is better). Agreement corrected for chance needs a similarity, "
        "such as b."
    )
    return replace(replace(found, documents={}, groups=few).to_table(), lead=[verdict])


# ---- sentences: names and numbers are written as the wording says ----

MOST_NAMED = 4  # coders that a sentence names


def how_well(found: "Agreement", wording: Wording = PLAIN) -> str:
    """The sentence on corrected agreement, and whether it may be chance alone; on observed
    agreement, if there is no corrected value."""
    if math.isnan(found.corrected):
        why = (
            "there is no value corrected for chance"
            if found.draws
            else "agreement by chance was not computed"
        )
        return f"Observed agreement is {wording.number(found.observed)}; {why}."
    low, high = found.corrected_ci[:2]
    value = wording.with_interval(found.corrected, low, high)
    return f"Corrected agreement is {value} (0 = chance, 1 = complete).{maybe_chance(found)}"


def maybe_chance(found: "Agreement") -> str:
    """A sentence, if corrected agreement may be chance alone; otherwise ""."""
    if found.corrected <= 0:
        return " That is no more than chance."
    if found.corrected_ci.low <= 0:
        return " The interval includes 0: this may be no more than chance."
    return ""


def who_lowers(coders: Sequence[Competitor], wording: Wording = PLAIN) -> str:
    """The coders who lower agreement (their interval is above 0), the strongest first; the start of
    a sentence."""
    lower = [coder for coder in coders if coder.ci.low > 0]
    if not lower and coders and all(math.isnan(coder.ci.low) for coder in coders):
        most = max(coders, key=lambda coder: (not math.isnan(coder.drop), coder.drop))
        without = f"without {wording.name(most.name)} it is {wording.number(most.without)}"
        return f"Too little data to tell who lowers agreement ({without})"
    if not lower:
        return "Nobody clearly lowers agreement"
    verb = "lowers" if len(lower) == 1 else "lower"
    names = wording.names((coder.name for coder in lower), MOST_NAMED)
    return f"{names} {verb} agreement ({_by(lower, wording)})"


def _by(lower: Sequence[Competitor], wording: Wording) -> str:
    """How much they lower it: for one coder with the interval, and what agreement is without them;
    for several coders, each."""
    if len(lower) == 1:
        coder = lower[0]
        by = f"by {wording.with_interval(coder.drop, *coder.ci[:2])}"
        return f"{by}; without {wording.name(coder.name)} it is {wording.number(coder.without)}"
    return f"by {', '.join(wording.number(coder.drop) for coder in lower[:MOST_NAMED])}"


def who_stands_out(outliers: Sequence[Habits], wording: Wording = PLAIN) -> str:
    """The coders who mark far more or far fewer boundaries than the others; "" if there are
    none."""
    clauses = [
        f"{wording.name(outlier.coder)} marks {outlier.ratio:.1f} times as many boundaries"
        for outlier in outliers[:MOST_NAMED]
    ]
    return ", ".join(clauses) + " as the others" if clauses else ""


def how_many_contested(places: ContestedPlaces) -> str:
    """The number of contested places, and of those that only one coder marks."""
    if not places.n_all:
        return "nothing"
    words = number_of(places.n_all, "place")
    if not places.n_alone:
        return words
    return f"{words}, {places.n_alone:,} of them marked by one coder alone"
