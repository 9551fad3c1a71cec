"""The answer of `segscore agree` in a short table: a verdict, the totals, and where to look.

Coefficients, who deviates, who stands out and contested places come from the functions that have
them, their intervals from one bootstrap, and the sentences from `agreement_verdict`. Names and
notes are bounded, so that the answer fits a screen however many people and documents there are.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from segscore.coders.agreement_choices import kept_by_chance
from segscore.coders.agreement_sums import AgreementRows, ChanceRows
from segscore.coders.agreement_verdict import (
    how_many_contested,
    how_well,
    who_lowers,
    who_stands_out,
)
from segscore.coders.coder_labels import LabelReliability, label_reliability
from segscore.coders.coder_pairs import CoderPairs
from segscore.coders.decisions import DecisionAgreement, alpha_estimator, alpha_of
from segscore.coders.habits import Habits, boundaries_per_coder
from segscore.coders.leaving_out import Competitor, LeavingOut
from segscore.coders.pairwise_values import PairwiseMean
from segscore.coders.places import ContestedPlaces, contested
from segscore.coders.sums import FEWEST_DOCUMENTS, Estimator, Sampling, with_interval
from segscore.significance.resampling import Interval
from segscore.tables import Column, Table, Tabular
from segscore.tables.wording import PLAIN, joined

if TYPE_CHECKING:
    from segscore.coders.coefficients import Agreement

MoreEstimators = Callable[[AgreementRows, ChanceRows | None], Sequence[Estimator]]
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
    are any.
    """

    agreement: "Agreement"
    alpha: DecisionAgreement
    deviating: tuple[Competitor, ...] | None
    outliers: tuple[Habits, ...]
    contested: ContestedPlaces
    labels: LabelReliability | None = None

    @property
    def lowest(self) -> "list[Agreement]":
        """The documents with the lowest agreement, the lowest first; none if there is only one
        document."""
        listed = list(self.agreement.documents.values())
        known = [agreed for agreed in listed if not math.isnan(_value(agreed))]
        return sorted(known, key=_value)[:_MOST_DOCUMENTS] if len(listed) > 1 else []

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
        agreed = self.agreement
        rows = [
            {
                "measure": name,
                "value": with_interval(value, interval),
                "interval": interval.method,
                "signature": agreed.signature,
            }
            for name, value, interval in self._totals()
        ]
        columns = [
            Column("measure"),
            Column("value", digits=3),
            Column("interval", audience="machines"),
            Column("signature", audience="machines"),
        ]
        counts = [
            {"measure": "contested places", "value": self.contested.n_all},
            {"measure": "contested places that one coder marks alone",
             "value": self.contested.n_alone},
        ]  # fmt: skip
        return Table(
            columns, rows, self._notes(), _title(agreed), lead=self.verdict,
            for_machines=Table(columns, [*rows, *counts]),
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
        chance = f"random coders have {kept_by_chance(agreed.null)}; {agreed.draws} draws"
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
    pairs = "1 pair" if basis.n_pairs == 1 else f"{basis.n_pairs:,} pairs"
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

    measure: measures agreement and the intervals of more estimators, which are made of its sums:
    documents are drawn once for all numbers.
    """
    people = pairs.corpus
    apart = pairs.local and len(people) > 1  # names that mean nobody in other documents
    several = 2 < len(people.coders) <= MOST_CODERS and not apart
    everyone = np.ones(len(pairs.coder), np.bool_)
    alpha = alpha_estimator(pairs, count_end)
    leaving: list[LeavingOut] = []

    def more(sums: AgreementRows, chance: ChanceRows | None) -> list[Estimator]:
        if chance is not None:
            leaving.append(LeavingOut(sums.metric, chance, chance.corrected, how))
        else:
            leaving.append(LeavingOut(sums.metric, sums.apart, sums.apart.pi, how))
        if not several or len(pairs.documents) < FEWEST_DOCUMENTS:
            return [alpha]
        return [alpha, *leaving[0].drops(leaving[0].people(everyone), everyone)]

    found, (alpha_ci, *drops) = measure(more)
    deviating = None
    if several:
        each = leaving[0].joining(leaving[0].people(everyone), everyone, drops)
        deviating = tuple(sorted(each, key=lambda person: -person.drop))
    labelled = any(len(document.labels) > 1 for document in people.values())
    return AgreementSummary(
        found,
        alpha_of(pairs, alpha, how, count_end, alpha_ci),
        deviating,
        () if apart else boundaries_per_coder(pairs).outliers,
        contested(people, None, within),
        label_reliability(people, rng=how.seed) if labelled else None,
    )


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
