"""What documents can show: the difference that these can detect, and the number that a difference
needs.

A difference is `detectable` if the test in use finds it with 80 % power, at the level of the first
step of its correction (Holm: α over the number of pairs). The contribution of each document to a
difference is its jackknife pseudo-value; the spread of these is scaled to that of the bootstrap,
which includes the spread between runs, and corrected for the number of documents (n-1).

- From 20 documents on: (z(1-α/2) + z(0.8)) standard errors.
- With fewer, where no normal law holds, samples are drawn from the pseudo-values around 0, and each
  gives the least shift at which its test is significant, without a search: a sign flip s of a
  sample e counts as far up to the shift max((s·e - Σe) / (n - Σs), (-s·e - Σe) / (n + Σs)).
  For 80 % of the samples the printed shift is enough.
- NaN where the test cannot reach the level at all, and for rank tests with fewer than 20 documents.

A plan estimates the spread from the documents of a pilot, which give it only roughly. So it has two
numbers: one for the spread as estimated, which is too small about as often as too large, and one
for the upper limit of the spread at 80 % confidence, s² · ν / χ²(0.2, ν). The degrees of
freedom ν are n-1 for normal parts, and (n-1) / (1 + κ(n-1)/2n) for parts with an excess kurtosis κ
(Shoemaker 2003, "Fixing the F test for equal variances"). A few documents do not show the tails of
their distribution, so κ is estimated and never taken below 3. In simulated systems it was 1 to 4.5,
and the second number was large enough in 78 to 93 % of pilots of 5 to 100 documents.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from segscore.basics.arguments import Floats, number
from segscore.comparison.advice import Test, smallest_p
from segscore.comparison.estimates import Standings
from segscore.errors import SegmentationError
from segscore.significance import resampling as sig
from segscore.significance.resampling import FEW_DOCUMENTS
from segscore.tables import Column, Table, Tabular

if TYPE_CHECKING:
    from segscore.comparison.comparison_entries import ComparisonSettings, PairTest

POWER = 0.8
CONFIDENCE = 0.8  # in the upper limit of a spread
_LEAST_KURTOSIS = 3.0  # in excess of the normal distribution's
_SAMPLES = 400
_FLIPS = 4096  # sign flips, or resamples, of each sample


@dataclass(frozen=True)
class Evidence:
    """What the documents say about the difference between two systems.

    pseudo: the contribution of each document, centred;
    spread: the standard deviation of these contributions, estimated for all documents of the kind;
    test, alpha, n_resamples, seed: how a difference is tested.
    """

    pseudo: Floats
    spread: float
    test: Test
    alpha: float
    n_resamples: int
    seed: int

    @property
    def n_documents(self) -> int:
        """The number of documents that contribute to the difference."""
        return len(self.pseudo)

    def detectable(self, n_documents: int | None = None) -> float:
        """The difference that `n_documents` (default: these) detect with 80 % power."""
        n = self.n_documents if n_documents is None else n_documents
        least = smallest_p(self.test, n, self.n_resamples)
        if n < 2 or self.n_documents < 2 or np.isnan(self.spread) or least > self.alpha:
            return float("nan")
        if n >= FEW_DOCUMENTS:
            return self._factor * self.spread / float(np.sqrt(n))
        return self._simulated(n)

    def documents_for(self, difference: float) -> int | None:
        """The number of documents that detect a difference with 80 % power; None if none does."""
        if self.n_documents < 2 or np.isnan(self.spread):
            return None
        n = ceil((self._factor * self.spread / difference) ** 2)
        for few in range(max(2, n // 2), FEW_DOCUMENTS if n < FEW_DOCUMENTS else 0):
            if self.detectable(few) <= difference:  # the normal law is only a guide here
                return few
        n = max(FEW_DOCUMENTS, n)
        return None if smallest_p(self.test, n, self.n_resamples) > self.alpha else n

    def at_upper_spread(self) -> "Evidence":
        """A copy whose spread is its upper limit at 80 % confidence."""
        from scipy.special import gammaincinv  # half a quantile of χ²

        n = self.n_documents
        if n < 2:
            return self
        freedom = (n - 1) / (1 + self._kurtosis * (n - 1) / (2 * n))
        widened = freedom / (2 * gammaincinv(freedom / 2, 1 - CONFIDENCE))
        return replace(self, spread=self.spread * float(np.sqrt(widened)))

    @property
    def _kurtosis(self) -> float:
        """The excess kurtosis of the documents' contributions (Fisher's G₂), at least 3."""
        n, squares = self.n_documents, float((self.pseudo**2).sum())
        if n < 4 or squares == 0:
            return _LEAST_KURTOSIS
        fourth = float((self.pseudo**4).sum()) * n * (n + 1) * (n - 1) / squares**2
        return max(_LEAST_KURTOSIS, (fourth - 3 * (n - 1) ** 2) / ((n - 2) * (n - 3)))

    @property
    def _factor(self) -> float:
        from scipy.special import ndtri  # the quantile of the normal distribution

        return float(ndtri(1 - self.alpha / 2) + ndtri(POWER))

    def _simulated(self, n: int) -> float:
        """The shift at which 80 % of samples of n documents are significant."""
        rng = np.random.default_rng([self.seed, n])
        sample = rng.choice(self._around_zero(), (_SAMPLES, n))
        if self.test == "randomisation":
            needed = _by_flips(sample, self.alpha, rng)
        elif self.test == "bootstrap":
            needed = _by_bootstrap(sample, self.alpha, rng)
        elif self.test == "t":
            needed = _by_t(sample, self.alpha)
        else:
            return float("nan")  # ranks of all systems: no statement about a difference of two
        found = np.quantile(needed, POWER, method="higher")
        return float(max(found, 0.0)) if np.isfinite(found) else float("nan")

    def _around_zero(self) -> Floats:
        """The documents' contributions, scaled to the spread estimated for all documents."""
        sd = float(self.pseudo.std())
        return self.pseudo if sd == 0 else np.asarray(self.pseudo * (self.spread / sd))


def evidence(
    standing: Standings,
    pairs: Sequence[tuple[int, int]],
    settings: "ComparisonSettings",
) -> list[Evidence]:
    """What the documents say about each pair of systems, at the corrected level."""
    test = settings.test
    alpha = settings.alpha / (len(pairs) if settings.corrects and pairs else 1)
    tested = test, alpha, settings.n_resamples, settings.seed
    n = standing.n_drawn
    if n < 2:
        return [Evidence(np.empty(0), float("nan"), *tested) for _ in pairs]
    gaps = standing.differences(pairs)
    errors = np.where(np.isnan(gaps.resampled), gaps.estimate, gaps.resampled).std(axis=0)
    total, left_out = sig.jackknife(standing.rows, standing.value)
    pseudo = n * total - (n - 1) * left_out  # (documents, contestants)
    by_documents = test == "t" and len(standing.values) == n
    found = []
    for (i, j), error in zip(pairs, errors, strict=True):
        parts = pseudo[:, i] - pseudo[:, j]
        if by_documents:
            values = standing.values if standing.order is None else standing.values[standing.order]
            better = standing.estimates[i] >= standing.estimates[j]  # whichever comes first
            parts = (values[:, i] - values[:, j]) * (1 if better else -1)
        parts = parts[~np.isnan(parts)]
        spread = float(error) * n / float(np.sqrt(n - 1))
        if by_documents and len(parts) > 1:
            spread = float(parts.std(ddof=1))
        centred = parts - parts.mean() if len(parts) else parts
        found.append(Evidence(centred, spread, *tested))
    return found


# ---- the least shift at which each sample is significant ----


def _by_flips(sample: Floats, alpha: float, rng: np.random.Generator) -> Floats:
    """Approximate randomisation: signs are flipped; all of them where that is no more work."""
    n = sample.shape[1]
    if 2 ** (n - 1) <= _FLIPS:  # flips of all signs count twice: the first stays as it is
        signs = 1.0 - 2 * (np.arange(2 ** (n - 1))[:, np.newaxis] >> np.arange(n) & 1)
    else:
        signs = 1.0 - 2 * rng.integers(0, 2, (_FLIPS, n))
        signs[0] = 1  # the sample itself is one of them
    flipped, sums, total = sample @ signs.T, signs.sum(axis=1), sample.sum(axis=1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        far = np.maximum((flipped - total) / (n - sums), (-flipped - total) / (n + sums))
    far = np.where(np.abs(sums) == n, np.inf, far)  # as far as the sample, whatever the shift
    return _largest(far, alpha)


def _by_bootstrap(sample: Floats, alpha: float, rng: np.random.Generator) -> Floats:
    """The centred bootstrap: how far the mean varies if documents are drawn again; its p is
    expanded."""
    n = sample.shape[1]
    alpha = 2 * sig.expanded_tail(1 - alpha, n)
    counts = rng.multinomial(n, np.full(n, 1 / n), size=_FLIPS)
    means = sample.mean(axis=1)
    strayed = np.abs(sample @ counts.T / n - means[:, np.newaxis])
    return np.asarray(_largest(strayed, alpha) - means)


def _by_t(sample: Floats, alpha: float) -> Floats:
    """The paired t-test."""
    from scipy.special import stdtrit  # the quantile of Student's t

    n = sample.shape[1]
    error = sample.std(axis=1, ddof=1) / np.sqrt(n)
    return np.asarray(stdtrit(n - 1, 1 - alpha / 2) * error - sample.mean(axis=1))


def _largest(values: Floats, alpha: float) -> Floats:
    """The value of each row that no more than a share α of the row exceeds."""
    n = values.shape[1]
    exceeding = int(np.floor(alpha * n + 1e-9))
    return np.asarray(np.partition(values, n - 1 - exceeding, axis=1)[:, n - 1 - exceeding])


# ---- how many documents it takes to show a difference ----


@dataclass(frozen=True)
class PlannedPair:
    """Two systems under one metric: how many documents there are, and how many are needed.

    `n_needed` assumes the spread of these documents; `n_safe` is enough with 80 % confidence,
    because a sample gives the spread only roughly. Both are None where no number of documents
    is enough, because the test has too few resamples.
    """

    metric: str
    a: str
    b: str
    n_documents: int
    n_needed: int | None
    n_safe: int | None


@dataclass(frozen=True, repr=False)
class Plan(Tabular):
    """How many documents are needed to detect a difference of this size, for each pair of
    systems."""

    difference: float
    pairs: tuple[PlannedPair, ...]

    def __iter__(self) -> Iterator[PlannedPair]:
        return iter(self.pairs)

    def to_table(self) -> Table:
        """A row per pair of systems and metric."""
        columns = [
            Column("metric"),
            Column("a"),
            Column("b"),
            Column("difference", audience="machines"),
            Column("documents", key="n_documents"),
            Column("needed", key="n_needed"),
            Column("to be safe", key="n_safe"),
        ]
        rows = [
            [
                pair.metric,
                pair.a,
                pair.b,
                self.difference,
                pair.n_documents,
                pair.n_needed,
                pair.n_safe,
            ]
            for pair in self.pairs
        ]
        words = (
            f"The number of documents of this kind that could detect a difference of "
            f"{self.difference:g} with 80 % power, by the same test and correction. needed: if "
            "documents differ as much as these do, which is an estimate: about half of the time "
            "it takes more. to be safe: enough with 80 % confidence, given how many documents the "
            "estimate comes from."
        )
        return Table(columns, rows, [words])


def planned(
    difference: float,
    tests: "Sequence[PairTest]",
    evident: Mapping[str, Sequence[Evidence]],
    n_documents: int,
) -> Plan:
    """The plan for every pair of systems; `evident` holds the evidence of each metric's pairs."""
    size = number(difference, "difference", "a number above 0")
    if size <= 0:
        raise SegmentationError(f"difference is {difference}: expected a number above 0")
    if not tests:
        raise SegmentationError("there is one system: a plan needs at least 2 to compare")
    if n_documents < 2:
        raise SegmentationError("there is one document: a plan needs at least 2 to know a spread")
    known = [evidence for pairs in evident.values() for evidence in pairs]
    return Plan(
        size,
        tuple(
            PlannedPair(
                pair.metric,
                pair.a,
                pair.b,
                n_documents,
                evidence.documents_for(size),
                evidence.at_upper_spread().documents_for(size),
            )
            for pair, evidence in zip(tests, known, strict=True)
        ),
    )
