"""A coefficient among people, with and without a coder: how much the coder lowers agreement.

All numbers are values of the same sums (`AgreementRows`; or `ChanceRows`, with the same random
coders for everyone), without the rows of those who are left out.
"""

from collections.abc import Iterable
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
    Sampling,
    SummedRows,
    among,
    with_interval,
)
from segscore.corpus.corpus import Corpus
from segscore.errors import SegmentationError
from segscore.metrics import Metric
from segscore.significance.resampling import (
    Interval,
    Value,
    bootstrap_interval,
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

    def joining(self, name: str, own: Codings, people: Codings) -> Competitor:
        """Agreement among `people` without and with the coder whose codings are `own`."""
        rest = people & ~own
        before, after = (among(self.sums, kept).rows for kept in (rest, people))
        width = before.shape[1]

        def drop(sums: Floats) -> Floats:
            return np.asarray(self.value(sums[:, :width]) - self.value(sums[:, width:]))

        rows = np.hstack([before, after])
        total = rows.sum(axis=0, keepdims=True)
        estimate = float(drop(total)[0])
        if len(rows) < FEWEST_DOCUMENTS:
            without_one = self._without_each(rest) - self._without_each(people, rest)
            found = jackknife_interval(
                estimate, without_one, level=self.how.level, unit="people"
            )  # fmt: skip
        else:
            found = bootstrap_interval(
                rows, drop, level=self.how.level, n_resamples=self.how.n_resamples,
                seed=self.how.seed,
            )  # fmt: skip
        joined = float(self.value(total[:, width:])[0])
        return Competitor(name, joined + estimate, joined, estimate, credible(found))

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
        return tuple(
            self.joining(pairs.coders[number], pairs.coder == number, people)
            for number in np.unique(pairs.coder[people]).tolist()
        )

    def _somebody(self, people: Codings) -> Competitor:
        """A random person of each document left out, many times: the mean, and the spread."""
        tally: DocumentSums = among(self.sums, people)
        rng = np.random.default_rng(self.how.seed)
        listed = np.flatnonzero(people)
        sizes = np.bincount(self.pairs.document[listed], minlength=len(tally.rows))
        sizes = sizes[sizes > 0]
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
