"""A coefficient among people, with and without a coder: how much the coder lowers agreement.

All numbers are values of the same sums (`AgreementRows`; or `ChanceRows`, with the same random
coders for everyone), without the rows of those who are left out.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from segscore.basics.arguments import Floats, check_choice
from segscore.coders.agreement_choices import COEFFICIENTS, Coefficient, draws_for, similarity
from segscore.coders.agreement_sums import AgreementRows, ChanceRows
from segscore.coders.coder_pairs import CoderPairs
from segscore.coders.random_codings import NULLS, Null
from segscore.coders.sums import (
    FEWEST_DOCUMENTS,
    DocumentSums,
    Estimator,
    Sampling,
    SummedRows,
    among,
    intervals,
    with_interval,
)
from segscore.corpus.corpus import Corpus
from segscore.errors import SegmentationError
from segscore.metrics import Metric
from segscore.significance.resampling import (
    Interval,
    Value,
    credible,
    jackknife_interval,
)

SOMEBODY = "a person of each document"
_DRAWS = 1000

Codings = NDArray[np.bool_]  # some codings of a corpus: whether each of them is one


@dataclass(frozen=True)
class Competitor:
    """Agreement among people `without` a coder and with that coder (`joined`).

    `drop` = without - joined: how much the coder lowers agreement. Below 0, the coder raises it.
    """

    name: str
    without: float
    joined: float
    drop: float
    ci: Interval

    def row(self, kind: str = "person") -> dict[str, Any]:
        """The cells of the coder's row in a table."""
        return {
            "coder": self.name,
            "kind": kind,
            "without": self.without,
            "joined": self.joined,
            "drop": with_interval(self.drop, self.ci),
            "interval": self.ci.method,
        }


@dataclass(frozen=True)
class LeavingOut:
    """A coefficient as a value of sums, from which any codings can be left out."""

    metric: Metric
    sums: SummedRows
    value: Value
    how: Sampling

    @classmethod
    def of(
        cls,
        corpus: Corpus,
        metric: str | Metric | None,
        coefficient: Coefficient,
        null: Null,
        draws: int | None,
        sampling: Sampling,
    ) -> "LeavingOut":
        """Score all pairs, and for corrected agreement draw random coders."""
        check_choice(coefficient, "coefficient", COEFFICIENTS)
        check_choice(null, "null", NULLS)
        pairs, observed = CoderPairs(corpus), similarity(metric)
        if coefficient == "corrected":
            n_draws = draws_for(pairs, observed, draws)
            if not n_draws:
                raise SegmentationError(
                    "draws is 0, without which there is no corrected agreement: expected 2 or "
                    "more, or coefficient='pi'"
                )
            chance = ChanceRows.of(pairs, observed, null, n_draws, sampling.seed)
            return cls(observed, chance, chance.corrected, sampling)
        agreed = AgreementRows.of(pairs, observed)
        if coefficient == "pi":
            agreed = agreed.apart
        return cls(observed, agreed, agreed.pi if coefficient == "pi" else agreed.kappa, sampling)

    @property
    def pairs(self) -> CoderPairs:
        """The codings and pairs behind the sums."""
        return self.sums.tally.pairs

    def codings_by(self, names: Iterable[str]) -> Codings:
        """The codings by these coders."""
        wanted = set(names)
        return np.array([name in wanted for name in self.pairs.names], np.bool_)

    def drops(self, joining: Mapping[str, Codings], people: Codings) -> list[Estimator]:
        """How much each coder who is joining, given by their codings, lowers agreement among
        `people`."""
        after = among(self.sums, people).rows
        width = after.shape[1]

        def drop(sums: Floats) -> Floats:
            return np.asarray(self.value(sums[:, :width]) - self.value(sums[:, width:]))

        def none(sums: Floats) -> Floats:
            return np.zeros(len(sums))  # a difference: no A_e

        without = [among(self.sums, people & ~own).rows for own in joining.values()]
        tables = [np.hstack([before, after]) for before in without]
        # who leaves these sums out, too, is another question: `_without_each`
        sums = [DocumentSums(self.pairs, rows, lambda: np.empty(0)) for rows in tables]
        return [Estimator(tally, drop, none) for tally in sums]

    def joining(
        self,
        joining: Mapping[str, Codings],
        people: Codings,
        known: Sequence[Interval] | None = None,
    ) -> tuple[Competitor, ...]:
        """Agreement among `people` without and with each coder who is joining; documents are drawn
        once for all of them, or the intervals of the `drops` are already known."""
        asked = self.drops(joining, people)
        every = np.arange(len(self.pairs.documents))
        drops = [float(each.value(each.tally.total(every))[0]) for each in asked]
        if len(every) < FEWEST_DOCUMENTS:
            rests = [people & ~own for own in joining.values()]
            known = [
                jackknife_interval(
                    estimate, self._without_each(rest) - self._without_each(people, rest),
                    level=self.how.level, unit="people",
                )
                for estimate, rest in zip(drops, rests, strict=True)
            ]  # fmt: skip
        elif known is None:
            known = intervals(asked, every, self.how)
        joined = float(self.value(among(self.sums, people).total(every))[0])
        return tuple(
            Competitor(name, joined + estimate, joined, estimate, credible(ci))
            for name, estimate, ci in zip(joining, drops, known, strict=True)
        )

    def _without_each(self, kept: Codings, of: Codings | None = None) -> Floats:
        """The coefficient without each coder in turn; `kept` are the codings that count."""
        coder = self.pairs.coder
        listed = np.unique(coder[kept if of is None else of])
        totals = [
            among(self.sums, kept & (coder != number)).rows.sum(axis=0, keepdims=True)
            for number in listed
        ]
        return self.value(np.concatenate(totals)) if totals else np.empty(0)

    def each(self, people: Codings) -> tuple[Competitor, ...]:
        """Each person among the others; if names are local, a random person of each document."""
        pairs = self.pairs
        if pairs.local and len(pairs.documents) > 1:
            return (self._somebody(people),)
        return self.joining(self.people(people), people)

    def people(self, people: Codings) -> dict[str, Codings]:
        """The codings of each of these people."""
        coder = self.pairs.coder
        return {self.pairs.coders[n]: coder == n for n in np.unique(coder[people]).tolist()}

    def _somebody(self, people: Codings) -> Competitor:
        """A random person of each document left out, many times: the mean, and the spread."""
        tally: DocumentSums = among(self.sums, people)
        rng = np.random.default_rng(self.how.seed)
        order = self.pairs.coding_order
        listed = order[people[order]]
        owner = self.pairs.document[listed]
        sizes = np.diff(np.flatnonzero(np.diff(owner, prepend=-1, append=-1)))
        drawn = listed[np.cumsum(sizes) - sizes + rng.integers(0, sizes, (_DRAWS, len(sizes)))]
        everyone = tally.rows.sum(axis=0)
        without = self.value(everyone + tally.changes[drawn].sum(axis=1))
        joined = float(self.value(everyone[np.newaxis])[0])
        without = without[~np.isnan(without)]
        if not len(without):
            none = Interval(np.nan, np.nan, self.how.level, "no interval: no two people are left")
            return Competitor(SOMEBODY, np.nan, joined, np.nan, none)
        tail = (1 - self.how.level) / 2
        low, high = np.quantile(without - joined, [tail, 1 - tail]).tolist()
        mean = float(np.mean(without))
        words = f"range of {_DRAWS} draws of a person per document, seed {self.how.seed}"
        found = Interval(low, high, self.how.level, words)
        return Competitor(SOMEBODY, mean, joined, mean - joined, found)
