"""Which level each token belongs to: collapsed variational Bayes (Eisenstein 2009).

Every token belongs to one of the levels; the words of a level in one of its segments are a draw
from a Dirichlet-compound-multinomial with that level's prior a_l. A token's share of level l is, in
proportion,

    (n_l + β) · (n_{l,segment,word} + a_l) / (n_{l,segment} + W·a_l)

with the expected counts of all other tokens. Tokens are visited in turn until the bound stops
rising.
"""

from collections.abc import Sequence

import numpy as np

from segscore._kernels import levels as kernel
from segscore.basics.arguments import Floats
from segscore.segmenters.dirichlet import Integers, WordCounts, sums

SETTLED = 1e-3  # a smaller change of the bound counts as none
SWEEPS = 10_000  # over all tokens, at most


class TokenLevels:
    """The shares of levels in each token of a document, drawn at random to begin with."""

    def __init__(self, counts: WordCounts, n_levels: int, beta: float, seed: int) -> None:
        self._counts, self._beta = counts, beta
        times = counts.counts.astype(np.int64)
        self._entries = np.repeat(np.arange(len(times), dtype=np.int64), times)
        shares = beta + np.random.default_rng(seed).random((len(self._entries), n_levels))
        self.shares: Floats = shares / shares.sum(axis=1, keepdims=True)

    def expected(self, level: int) -> WordCounts:
        """How often each word of each unit is expected at a level."""
        counts = sums(self._entries, self.shares[:, level], len(self._counts.counts))
        return self._counts.expected(counts)

    def settle(self, segments: Sequence[Integers], priors: Floats) -> float:
        """Update the shares of all tokens until they change little; return the bound.

        segments: of each level the number of the segment that a unit is in.
        """
        if not len(self._entries):
            return 0.0
        places = _Places(self._counts, segments)
        totals = places.totals(self._entries, self.shares)
        bound = -np.inf
        for _ in range(SWEEPS):
            kernel.sweep(
                self._entries, places.pairs, places.segments, priors, self._counts.n_words,
                self._beta, self.shares, *totals,
            )  # fmt: skip
            before, bound = bound, self._bound(places, priors, *totals)
            if abs(bound - before) < SETTLED:
                break
        return bound

    def _bound(
        self, places: "_Places", priors: Floats, pairs: Floats, segments: Floats, levels: Floats
    ) -> float:
        """Log-likelihood of the expected counts, with that of the levels, and the entropy."""
        from scipy.special import gammaln, xlogy

        of_pair, of_segment = priors[places.level_of_pair], priors[places.level_of_segment]
        mass = self._counts.n_words * of_segment
        words = np.sum(gammaln(pairs + of_pair) - gammaln(of_pair))
        lengths = np.sum(gammaln(mass) - gammaln(segments + mass))
        beta, n_levels = self._beta, len(levels)
        choice = np.sum(gammaln(levels + beta) - gammaln(beta))
        choice += gammaln(n_levels * beta) - gammaln(levels.sum() + n_levels * beta)
        entropy = -np.sum(xlogy(self.shares, self.shares))
        return float(words + lengths + choice + entropy)


class _Places:
    """Indices of the expected counts of each entry: for its word in its segment at each level, and
    for its segment.
    """

    def __init__(self, counts: WordCounts, segments: Sequence[Integers]) -> None:
        pairs, segment_ids, self._n_pairs, self._n_segments = [], [], [0], [0]
        n_words = int(counts.words.max(initial=0)) + 1
        for segment_of_unit in segments:
            segment = segment_of_unit[counts.units]
            bags, pair = np.unique(segment * n_words + counts.words, return_inverse=True)
            pairs.append(pair + self._n_pairs[-1])
            segment_ids.append(segment + self._n_segments[-1])
            self._n_pairs.append(self._n_pairs[-1] + len(bags))
            self._n_segments.append(self._n_segments[-1] + int(segment_of_unit.max()) + 1)
        self.pairs: Integers = np.array(pairs, np.int64)
        self.segments: Integers = np.array(segment_ids, np.int64)
        levels = np.arange(len(segments))
        self.level_of_pair: Integers = np.repeat(levels, np.diff(self._n_pairs))
        self.level_of_segment: Integers = np.repeat(levels, np.diff(self._n_segments))

    def totals(self, entries: Integers, shares: Floats) -> tuple[Floats, Floats, Floats]:
        """The expected counts by pair, by segment and by level."""
        pairs, segments = np.zeros(self._n_pairs[-1]), np.zeros(self._n_segments[-1])
        for level, share in enumerate(shares.T):
            np.add.at(pairs, self.pairs[level][entries], share)
            np.add.at(segments, self.segments[level][entries], share)
        return pairs, segments, shares.sum(axis=0)
