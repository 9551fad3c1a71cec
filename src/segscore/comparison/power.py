"""What documents can show: the difference that these can detect.

A difference is `detectable` if the test in use finds it with 80 % power, at the level of the first
step of its correction (Holm: α over the number of pairs). The contribution of each document to a
difference is its jackknife pseudo-value; the spread of these is scaled to that of the bootstrap,
which includes the spread between runs, and corrected for the number of documents (n-1).

- From 20 documents on: (z(1-α/2) + z(0.8)) standard errors; with fewer, the same by Student's t
  with n-1 degrees of freedom, which the t-test and the bootstrap follow closely.
- Approximate randomisation of fewer than 20 documents has few levels and less power. Samples are
  drawn from the documents' contributions around 0, and each gives the least shift at which it is
  significant: a sign flip s of a sample e counts as far up to the shift max((s·e - Σe) / (n - Σs),
  (-s·e - Σe) / (n + Σs)). For 80 % of the samples the printed shift is enough.
- NaN where the test cannot reach the level at all, and for rank tests with fewer than 20 documents.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from segscore.basics.arguments import Floats
from segscore.comparison.estimates import Standings
from segscore.significance import resampling as sig
from segscore.significance.resampling import FEW_DOCUMENTS

if TYPE_CHECKING:
    from segscore.comparison.leaderboard import ComparisonSettings

Test = Literal["randomisation", "bootstrap", "t", "friedman", "kruskal"]
POWER = 0.8
_SAMPLES = 400
_FLIPS = 4096  # sign flips of each sample


def smallest_p(test: Test, n_documents: int, n_resamples: int) -> float:
    """The smallest p that a test can give, whatever the difference.

    >>> smallest_p("randomisation", 5, 10_000)
    0.0625
    """
    if test == "randomisation":
        return max(2.0 ** (1 - n_documents), 1 / (n_resamples + 1))
    if test == "bootstrap":
        return float(sig.expanded_p(np.array(1 / (n_resamples + 1)), n_documents))
    return 0.0


@dataclass(frozen=True)
class Evidence:
    """What the documents say about the difference between two systems.

    parts: the contribution of each document;
    spread: the standard deviation of these contributions, estimated for all documents of the kind;
    test, alpha, n_resamples, seed: how a difference is tested.
    """

    parts: Floats
    spread: float
    test: Test
    alpha: float
    n_resamples: int
    seed: int

    def detectable(self, n: int | None = None, times: float = 1.0) -> float:
        """The difference that `n` documents (default: these) detect with 80 % power, if they are
        `times` as widely spread."""
        n = len(self.parts) if n is None else n
        reach = smallest_p(self.test, n, self.n_resamples)
        if min(n, len(self.parts)) < 2 or reach > self.alpha:
            return float("nan")
        if n < FEW_DOCUMENTS and self.test in ("friedman", "kruskal"):
            return float("nan")  # ranks of all systems: no statement about a difference of two
        if n < FEW_DOCUMENTS and self.test == "randomisation":
            return self._by_flips(n, times * self.spread)
        return self.factor(n) * times * self.spread / float(np.sqrt(n))

    def factor(self, n: int) -> float:
        """How many standard errors a difference must be."""
        from scipy.special import ndtri, stdtrit  # quantiles of the normal law and Student's t

        chances = np.array([1 - self.alpha / 2, POWER])
        return float((ndtri(chances) if n >= FEW_DOCUMENTS else stdtrit(n - 1, chances)).sum())

    def _by_flips(self, n: int, spread: float) -> float:
        """The shift at which 80 % of samples are significant by approximate randomisation."""
        rng = np.random.default_rng([self.seed, n])
        centred = self.parts - self.parts.mean()
        sd = float(centred.std())
        sample = rng.choice(centred * (spread / sd) if sd else centred, (_SAMPLES, n))
        if 2 ** (n - 1) <= _FLIPS:  # flips of all signs count twice: the first stays as it is
            signs = 1.0 - 2 * (np.arange(2 ** (n - 1))[:, np.newaxis] >> np.arange(n) & 1)
        else:
            signs = 1.0 - 2 * rng.integers(0, 2, (_FLIPS, n))
            signs[0] = 1  # the sample itself is one of them
        flipped, sums, total = sample @ signs.T, signs.sum(axis=1), sample.sum(axis=1)[:, None]
        with np.errstate(divide="ignore", invalid="ignore"):
            far = np.maximum((flipped - total) / (n - sums), (-flipped - total) / (n + sums))
        far = np.where(np.abs(sums) == n, np.inf, far)  # as far as the sample, whatever the shift
        needed = np.sort(far, axis=1)[:, -1 - int(self.alpha * len(signs) + 1e-9)]
        return max(float(np.quantile(needed, POWER, method="higher")), 0.0)


def evidence(
    standing: Standings,
    pairs: Sequence[tuple[int, int]],
    settings: "ComparisonSettings",
    gaps: sig.Bootstrap,
) -> list[Evidence]:
    """What the documents say about each pair of systems, at the corrected level; `gaps` are their
    differences."""
    test, n = settings.test, len(standing.rows)
    alpha = settings.alpha / max(settings.family(len(pairs)), 1)
    nothing = Evidence(np.empty(0), np.nan, test, alpha, settings.n_resamples, settings.seed)
    if n < 2:
        return [nothing for _ in pairs]
    errors = np.where(np.isnan(gaps.resampled), gaps.estimate, gaps.resampled).std(axis=0)
    total, left_out = sig.jackknife(standing.rows, standing.value)
    pseudo = n * total - (n - 1) * left_out  # (documents, contestants)
    by_documents = test == "t" and len(standing.values) == n
    if by_documents:
        pseudo = standing.values if standing.order is None else standing.values[standing.order]
    found = []
    for (i, j), error in zip(pairs, errors, strict=True):
        parts = pseudo[:, i] - pseudo[:, j]
        parts = parts[~np.isnan(parts)]
        spread = float(error) * n / float(np.sqrt(n - 1))
        if by_documents and len(parts) > 1:
            spread = float(parts.std(ddof=1))
        found.append(replace(nothing, parts=parts, spread=spread))
    return found
