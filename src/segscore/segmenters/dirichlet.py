"""Segments as draws from a Dirichlet-compound-multinomial (Eisenstein & Barzilay 2008).

Each segment has a word distribution of its own, integrated out under a symmetric Dirichlet prior a:

    LL(segment) = lnΓ(Wa) − lnΓ(n + Wa) + Σ_w [lnΓ(c_w + a) − lnΓ(a)]

c_w occurrences of w and n = Σ c_w tokens in the segment, W stems in the lexicon of the document,
those of stop words too, as in the authors' program. Counts may be expected counts, which are no
whole numbers.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from segscore._kernels import dirichlet as kernel
from segscore.basics.arguments import Floats
from segscore.segmenters.preprocessing import Preprocessing, count_words

Integers = NDArray[np.int64]


def sums(places: Integers, amounts: Floats, n_places: int = 0) -> Floats:
    """The sum of the amounts at each place."""
    return np.bincount(places, amounts, n_places).astype(np.float64, copy=False)


class WordCounts:
    """How often each word occurs in each unit of a document: entries (unit, word, count).

    Entries are ordered by word, then by unit. `n_words` is W.
    """

    def __init__(
        self, n_units: int, n_words: int, units: Integers, words: Integers, counts: Floats
    ) -> None:
        self.n_units, self.n_words = n_units, n_words
        order = np.lexsort((units, words))
        self.units = np.ascontiguousarray(units[order], np.int64)
        self.words = np.ascontiguousarray(words[order], np.int64)
        self.counts = np.ascontiguousarray(counts[order], np.float64)
        self._firsts = np.searchsorted(self.words, self.words).astype(np.int64)
        self._by_unit = np.argsort(self.units, kind="stable").astype(np.int64)
        per_unit = np.bincount(self.units, minlength=n_units)
        self._offsets = np.concatenate(([0], np.cumsum(per_unit))).astype(np.int64)

    @classmethod
    def of(cls, texts: Sequence[str], preprocessing: Preprocessing) -> Self:
        """The words of a document's units."""
        table = count_words(preprocessing.all_words(texts))[0].tocoo()
        units, words = (np.asarray(place, np.int64) for place in (table.row, table.col))
        n_words = max(len(preprocessing.lexicon(texts)), 1)
        return cls(len(texts), n_words, units, words, np.asarray(table.data, np.float64))

    def expected(self, counts: Floats) -> Self:
        """These entries with other counts."""
        return type(self)(self.n_units, self.n_words, self.units, self.words, counts)

    def tokens(self) -> Floats:
        """How many tokens each unit has."""
        return sums(self.units, self.counts, self.n_units)

    def log_likelihoods(self, prior: float) -> Iterator[Floats]:
        """For each end 1 … N the LL of the segments start … end, start = 0 … end-1."""
        from scipy.special import gammaln

        before = np.concatenate(([0.0], np.cumsum(self.tokens())))
        gained, steps = np.zeros(self.n_units), np.zeros(self.n_units)
        mass = self.n_words * prior
        for end in range(1, self.n_units + 1):
            if len(self.counts):
                kernel.add_unit(
                    end - 1, prior, self._offsets, self._by_unit, self.units, self.counts,
                    self._firsts, steps, gained,
                )  # fmt: skip
            yield gammaln(mass) - gammaln(before[end] - before[:end] + mass) + gained[:end]

    def bags(self, boundaries: Iterable[int]) -> "Bags":
        """What the likelihood of these segments depends on."""
        starts = np.zeros(self.n_units, np.int64)
        starts[np.fromiter(boundaries, np.int64)] = 1
        segment = np.cumsum(starts)
        bag = segment[self.units] * (self.words.max(initial=0) + 1) + self.words
        _, inverse = np.unique(bag, return_inverse=True)
        counts, times = np.unique(sums(inverse, self.counts), return_counts=True)
        sizes = sums(segment, self.tokens())
        lexicon = np.full(len(sizes), float(self.n_words))
        return Bags(counts, times.astype(np.float64), sizes, lexicon)


class Bags(NamedTuple):
    """What the likelihood of segments depends on: how often each count of a word occurs in a
    segment, their tokens, and the size of the lexicon for each.
    """

    counts: Floats
    times: Floats
    sizes: Floats
    lexicon: Floats

    @classmethod
    def together(cls, bags: Iterable["Bags"]) -> "Bags":
        """The segments of several documents."""
        return cls(*(np.concatenate(column) for column in zip(*bags, strict=True)))

    def log_likelihood(self, prior: float) -> float:
        """The sum of LL over the segments."""
        from scipy.special import gammaln

        mass = self.lexicon * prior
        words = np.dot(self.times, gammaln(self.counts + prior) - gammaln(prior))
        return float(np.sum(gammaln(mass) - gammaln(self.sizes + mass)) + words)

    def slope(self, prior: float) -> float:
        """The derivative of that by the prior; words that do not occur cancel out of it."""
        from scipy.special import psi

        mass = self.lexicon * prior
        words = np.dot(self.times, psi(self.counts + prior) - psi(prior))
        return float(np.dot(self.lexicon, psi(mass) - psi(self.sizes + mass)) + words)
