"""Most likely segmentations, their distributions of lengths, and learning of prior and dispersion.

BayesSeg, GreedyBayes and HierBayes share this. Learning alternates (hard EM): segment all documents
with the current prior a and dispersion k, then change (ln a, ln k) so that the likelihood of these
segments is highest, until nothing improves.

How long segments are, as distributions of their number of units:

`Geometric` (Eisenstein 2009): ln p(z) = (z−1)·ln(1−r) + ln r, with r = 1 / mean.
`NegativeBinomial` (Eisenstein & Barzilay 2008), mean m and dispersion k, variance m·(1 + 1/k):

    ln p(z) = lnΓ(mk + z) − ln z! − lnΓ(mk) + mk·ln(k/(k+1)) − z·ln(k+1)
"""

import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from segscore.basics.arguments import Floats
from segscore.segmenters.cheapest_cuts import Plans, cheapest
from segscore.segmenters.dirichlet import Bags, WordCounts


@dataclass(frozen=True)
class Geometric:
    """Each unit ends the segment with the same probability."""

    mean: float

    def log_probabilities(self, lengths: Any) -> Floats:
        """The logarithm of p for each length."""
        from scipy.special import xlog1py

        ends: Floats = xlog1py(np.asarray(lengths) - 1.0, -1 / self.mean) - np.log(self.mean)
        return ends


@dataclass(frozen=True)
class NegativeBinomial:
    """Lengths around the mean: the greater the dispersion k, the closer to it."""

    mean: float
    dispersion: float

    def log_probabilities(self, lengths: Any) -> Floats:
        """The logarithm of p for each length."""
        from scipy.special import gammaln

        z, k = np.asarray(lengths, np.float64), self.dispersion
        size = self.mean * k
        ways = gammaln(size + z) - gammaln(z + 1) - gammaln(size)
        logarithms: Floats = ways - size * np.log1p(1 / k) - z * np.log1p(k)
        return logarithms

    def slopes(self, lengths: Any) -> Floats:
        """The derivatives of that by the dispersion."""
        from scipy.special import psi

        z, k, m = np.asarray(lengths, np.float64), self.dispersion, self.mean
        rise = psi(m * k + z) - psi(m * k) - np.log1p(1 / k) + 1 / (k + 1)
        slopes: Floats = m * rise - z / (k + 1)
        return slopes


Duration = Geometric | NegativeBinomial


ROUNDS = 20  # of segmenting and learning, at most
WORTH_IT = 1e-6  # go on while the log-likelihood rises by at least this share of itself
TOP = 1e-9  # a smaller rise of the log-likelihood counts as none
LIMIT = 10.0  # of |ln a| and |ln k|: beyond it the likelihood is flat


@dataclass(frozen=True)
class Text:
    """A document to be segmented.

    `n_segments` None: the durations decide. `inside`: boundaries that exist already; only the
    segments between them are cut.
    """

    counts: WordCounts
    n_segments: int | None
    duration: Duration | None
    inside: tuple[int, ...] = ()

    def boundaries(self, prior: float) -> list[int]:
        """The most likely ones, with those of `inside`; if equal, the segment that starts first."""
        costs, n_units = self._costs(prior), self.counts.n_units
        if self.n_segments is None:
            return cheapest(costs, n_units)
        return Plans(costs, n_units, self.n_segments).boundaries(self.n_segments)

    def _costs(self, prior: float) -> Iterator[Floats]:
        n_units = self.counts.n_units
        lengths = np.arange(n_units, 0, -1)  # of segments with one end, by their start
        extra = np.zeros(n_units)
        # With a given number of segments, all geometric lengths are equally likely.
        constant = self.n_segments is not None and isinstance(self.duration, Geometric)
        if self.duration is not None and not constant:
            extra = self.duration.log_probabilities(lengths)
        starts = np.zeros(n_units + 1, np.int64)
        starts[list(self.inside)] = self.inside
        first = np.maximum.accumulate(starts)  # of the part that a unit is in
        for end, row in enumerate(self.counts.log_likelihoods(prior), 1):
            costs = -(row + extra[n_units - end :])
            costs[: first[end - 1]] = np.inf
            yield costs

    def lengths(self, boundaries: Sequence[int]) -> list[int]:
        """The lengths of the segments between these boundaries."""
        return [b - a for a, b in pairwise((0, *boundaries, self.counts.n_units))]


@dataclass(frozen=True)
class Learned:
    """The result of learning: the parameters, the texts with them, and their segmentations."""

    prior: float
    texts: Sequence[Text]
    boundaries: Sequence[list[int]]
    log_likelihood: float


def learn(texts: Sequence[Text], prior: float) -> Learned:
    """Segment and learn in turn. Texts share the prior, and the dispersion if they have one."""
    found = Learned(prior, texts, [], -np.inf)
    for _ in range(ROUNDS):
        boundaries = [text.boundaries(found.prior) for text in found.texts]
        if boundaries == found.boundaries:  # the parameters are the best for these already
            return found
        now = _uphill(found.texts, boundaries, found.prior)
        rise = now.log_likelihood - found.log_likelihood
        if rise <= WORTH_IT * abs(now.log_likelihood):
            return now if rise >= 0 else found
        found = now
    return found


def _uphill(texts: Sequence[Text], boundaries: Sequence[list[int]], prior: float) -> Learned:
    """The parameters under which these segments are the likeliest."""
    likelihood = Likelihood(texts, boundaries)
    best, value = climb(likelihood, likelihood.start(prior))
    prior = float(np.exp(best[0]))
    return Learned(prior, likelihood.texts_with(best), boundaries, value)


def climb(
    likelihood: Callable[[Floats], tuple[float, Floats]], start: Floats
) -> tuple[Floats, float]:
    """The maximum near `start`, within the limit.

    By SLSQP, which finds the same maxima as L-BFGS; SciPy's L-BFGS uses linear algebra on all cores
    for tables of a few numbers, and waits for the other cores most of the time.
    """
    from scipy.optimize import minimize

    def downhill(at: Floats) -> tuple[float, Floats]:
        value, slopes = likelihood(at)
        return -value, -slopes

    with warnings.catch_warnings():
        # Older versions of SciPy warn if rounding takes a step past the limit, and then go back.
        warnings.filterwarnings("ignore", "Values in x were outside bounds", RuntimeWarning)
        found = minimize(
            downhill,
            np.clip(start, -LIMIT, LIMIT),
            jac=True,
            bounds=[(-LIMIT, LIMIT)] * len(start),
            method="SLSQP",
            options={"ftol": TOP},
        )
    return found.x, -float(found.fun)


class Likelihood:
    """The log-likelihood of given segments as a function of ln a, or of ln a and ln k."""

    def __init__(self, texts: Sequence[Text], boundaries: Sequence[list[int]]) -> None:
        self._texts = texts
        self._lengths = [text.lengths(cut) for text, cut in zip(texts, boundaries, strict=True)]
        self._bags = Bags.together(
            text.counts.bags(cut) for text, cut in zip(texts, boundaries, strict=True)
        )
        self._fixed = sum(
            float(text.duration.log_probabilities(lengths).sum())
            for text, lengths in zip(texts, self._lengths, strict=True)
            if text.duration is not None and not isinstance(text.duration, NegativeBinomial)
        )

    def start(self, prior: float) -> Floats:
        """Where the parameters are now, as logarithms."""
        dispersions = {
            text.duration.dispersion
            for text in self._texts
            if isinstance(text.duration, NegativeBinomial)
        }
        return np.log([prior, *dispersions])

    def texts_with(self, at: Floats) -> list[Text]:
        """The texts with another dispersion, if they have one."""
        return [
            replace(text, duration=replace(text.duration, dispersion=float(np.exp(at[1]))))
            if isinstance(text.duration, NegativeBinomial)
            else text
            for text in self._texts
        ]

    def __call__(self, at: Floats) -> tuple[float, Floats]:
        """The value, and its derivatives by these logarithms."""
        parameters = np.exp(at)
        value = self._fixed + self._bags.log_likelihood(parameters[0])
        slopes = np.zeros(len(at))
        slopes[0] = self._bags.slope(parameters[0])
        for text, lengths in zip(self.texts_with(at), self._lengths, strict=True):
            if isinstance(text.duration, NegativeBinomial):
                value += float(text.duration.log_probabilities(lengths).sum())
                slopes[1] += float(text.duration.slopes(lengths).sum())
        return value, slopes * parameters
