"""The most probable segments, by their words: Utiyama & Isahara, BayesSeg; and the model that
GreedyBayes and HierBayes share with BayesSeg: the likelihood of segments by their words and by
their lengths, and how prior and dispersion are learned.

Utiyama & Isahara (2001), "A statistical model for domain-independent text segmentation".

Each segment has its own word distribution, smoothed by adding one to the count of each type of the
text, and each segment costs ln T: the most probable segmentation is the cheapest path

    cost(segment) = ln T + Σ_w f_w · ln((t + V) / (f_w + 1))

T tokens and V types in the whole text, f_w occurrences of w and t tokens in the segment. The number
of segments is found, or given.

The sum is t·ln(t+V) − Σ_w g(f_w) with g(f) = f·ln(f+1). When a segment grows by a unit, only words
of that unit change, and how much they do depends on the start of the segment by steps at the
earlier units that have the word: so the costs of all segments with one end follow from those with
the end before it in time that does not depend on the size of the vocabulary. How often a word
occurs inside a unit does not matter.

BayesSeg (Eisenstein & Barzilay 2008, "Bayesian unsupervised topic segmentation").

A segment is likely if it repeats its words: each segment is a draw from its own word distribution.
The most likely segmentation is found exactly, by dynamic programming. Without an assumption about
lengths, more segments are always more likely; so if their number is not given, their lengths follow
a negative binomial or geometric distribution.

Segments are draws from a Dirichlet-compound-multinomial: the word distribution of each is
integrated out under a symmetric Dirichlet prior a:

    LL(segment) = lnΓ(Wa) − lnΓ(n + Wa) + Σ_w [lnΓ(c_w + a) − lnΓ(a)]

c_w occurrences of w and n = Σ c_w tokens in the segment, W stems in the lexicon of the document,
those of stop words too, as in the authors' program. Counts may be expected counts, which are no
whole numbers.

How long segments are, as distributions of their number of units (`Duration`):

geometric (Eisenstein 2009): ln p(z) = (z−1)·ln(1−r) + ln r, with r = 1 / mean;
negative binomial (Eisenstein & Barzilay 2008), mean m and dispersion k, variance m·(1 + 1/k):

    ln p(z) = lnΓ(mk + z) − ln z! − lnΓ(mk) + mk·ln(k/(k+1)) − z·ln(k+1)

Learning alternates (hard EM): segment all documents with the current prior a and dispersion k, then
change (ln a, ln k) so that the likelihood of these segments is highest, until nothing improves.
"""

import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Annotated, Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

from segscore._kernels import dirichlet as kernel
from segscore.basics.arguments import Floats, shown
from segscore.coding.segmentation import Segmentation
from segscore.errors import SegmentationError, about
from segscore.segmenters import contract
from segscore.segmenters.contract import MOST, Positive, Segmenter
from segscore.segmenters.preprocessing import CLASSIC, Preprocessing, count_words

Integers = NDArray[np.int64]


# ---- Utiyama & Isahara ----


def segment_costs(units: Sequence[Sequence[str]]) -> Iterator[Floats]:
    """For each end 1 … N the costs of the segments start … end, start = 0 … end-1."""
    counts = [Counter(unit) for unit in units]
    tokens_before = np.concatenate(([0], np.cumsum([len(unit) for unit in units])))
    tokens = np.arange(int(tokens_before[-1]) + 1)
    gain = np.asarray(tokens * np.log(tokens + 1), np.float64)  # g(f)
    words = _occurrences(counts)
    length_cost = tokens * np.log(np.maximum(tokens + len(words), 1))
    base = np.log(max(tokens[-1], 1))
    seen: Counter[str] = Counter()  # units before this one that have a word
    gained = np.zeros(len(units))  # Σ g(f_w) of the segment from each start to here
    for end, count in enumerate(counts, 1):
        steps = np.zeros(end)
        # m new occurrences are worth g(f + m) - g(f) where f others are in the segment: seen from
        # the last possible start backwards, this changes where an earlier unit with the word
        # comes in.
        steps[-1] = gain[list(count.values())].sum()
        before = [(*words[word], seen[word], m) for word, m in count.items() if seen[word]]
        if before:
            steps += _changes(before, gain, end)
        gained[:end] += np.cumsum(steps[::-1])[::-1]
        seen.update(count.keys())
        yield base + length_cost[tokens_before[end] - tokens_before[:end]] - gained[:end]


def _occurrences(counts: Sequence[Counter[str]]) -> dict[str, tuple[Integers, Integers]]:
    """The units that have each word, and its occurrences up to each of them, 0 first."""
    found: dict[str, tuple[list[int], list[int]]] = {}
    for unit, count in enumerate(counts):
        for word, m in count.items():
            units, sums = found.setdefault(word, ([], [0]))
            units.append(unit)
            sums.append(sums[-1] + m)
    return {word: (np.array(units), np.array(sums)) for word, (units, sums) in found.items()}


def _changes(
    before: Sequence[tuple[Integers, Integers, int, int]], gain: Floats, end: int
) -> Floats:
    """How much more new occurrences are worth where a segment reaches back to each earlier unit.

    before: for each word its units, the sums of its occurrences, the number of units so far, and m.
    """
    places = np.concatenate([units[:n] for units, _, n, _ in before])
    with_it = np.concatenate([sums[n] - sums[:n] for _, sums, n, _ in before])
    without = np.concatenate([sums[n] - sums[1 : n + 1] for _, sums, n, _ in before])
    new = np.repeat([m for *_, m in before], [n for _, _, n, _ in before])
    worth = gain[with_it + new] - gain[with_it] - gain[without + new] + gain[without]
    return np.bincount(places, worth, end).astype(np.float64, copy=False)


@dataclass(frozen=True)
class UtiyamaIsahara(Segmenter):
    """The most probable segmentation under a unigram model per segment.

    Parameters
    ----------
    preprocessing: how texts become words: tokens, stop words and stems; see `Preprocessing`.

    >>> cats, stars = "the cat chased another cat", "a star shines on other stars"
    >>> UtiyamaIsahara()([cats] * 9 + [stars] * 9)
    Segmentation(masses=[9, 9])
    """

    name: ClassVar[str] = "utiyama-isahara"

    preprocessing: Preprocessing = CLASSIC

    def _segment(self, units: list[str], n_segments: int | None) -> Segmentation:
        costs = segment_costs(self.preprocessing.all_words(units))
        return Segmentation.from_boundaries(
            contract.cheapest(costs, len(units), n_segments), len(units)
        )


# ---- words ----


def rise(counts: Any, prior: Any, of_slope: bool = False) -> Any:
    """lnΓ(c + a) − lnΓ(a), or its derivative by a."""
    from scipy.special import gammaln, psi

    function = psi if of_slope else gammaln
    return function(counts + prior) - function(prior)


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
        self.n_units: int = n_units
        self.n_words: int = n_words
        order = np.lexsort((units, words))
        self.units: Integers = np.ascontiguousarray(units[order], np.int64)
        self.words: Integers = np.ascontiguousarray(words[order], np.int64)
        self.counts: Floats = np.ascontiguousarray(counts[order], np.float64)
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
        """A copy of these entries with other counts."""
        return type(self)(self.n_units, self.n_words, self.units, self.words, counts)

    def tokens(self) -> Floats:
        """The number of tokens of each unit."""
        return sums(self.units, self.counts, self.n_units)

    def log_likelihoods(self, prior: float) -> Iterator[Floats]:
        """For each end 1 … N the LL of the segments start … end, start = 0 … end-1."""
        before = np.concatenate(([0.0], np.cumsum(self.tokens())))
        gained, steps = np.zeros(self.n_units), np.zeros(self.n_units)
        mass = self.n_words * prior
        entries = self._offsets, self._by_unit, self.units, self.counts, self._firsts
        for end in range(1, self.n_units + 1):
            if len(self.counts):
                kernel.add_unit(end - 1, prior, *entries, steps, gained)
            yield gained[:end] - rise(before[end] - before[:end], mass)

    def bags(self, boundaries: Iterable[int]) -> "Bags":
        """The numbers behind the likelihood of these segments."""
        starts = np.zeros(self.n_units, np.int64)
        starts[np.fromiter(boundaries, np.int64)] = 1
        segment = np.cumsum(starts)
        bag = segment[self.units] * (self.words.max(initial=0) + 1) + self.words
        _, inverse = np.unique(bag, return_inverse=True)
        counts, times = np.unique(sums(inverse, self.counts), return_counts=True)
        sizes = sums(segment, self.tokens())
        lexicon = np.full(len(sizes), float(self.n_words))
        return counts, times.astype(np.float64), sizes, lexicon


# The numbers behind the likelihood of segments: the counts of words in a segment and how often each
# count occurs, the tokens of each segment, and the size of its lexicon.
Bags = tuple[Floats, Floats, Floats, Floats]


def joined_bags(bags: Iterable[Bags]) -> Bags:
    """The segments of several documents."""
    counts, times, sizes, lexicon = map(np.concatenate, zip(*bags, strict=True))
    return counts, times, sizes, lexicon


def log_likelihood(bags: Bags, prior: float, of_slope: bool = False) -> float:
    """The sum of LL over the segments, or its derivative by the prior; words that do not occur
    cancel out."""
    counts, times, sizes, lexicon = bags
    words = np.dot(times, rise(counts, prior, of_slope))
    lengths = rise(sizes, lexicon * prior, of_slope)
    return float(words - (np.dot(lexicon, lengths) if of_slope else np.sum(lengths)))


# ---- lengths ----


@dataclass(frozen=True)
class Duration:
    """The distribution of segment lengths in units: geometric (each unit ends the segment with the
    same probability) or, with a dispersion k, negative binomial: the greater k, the closer to the
    mean."""

    mean: float
    dispersion: float | None = None

    def log_probabilities(self, lengths: Any) -> Floats:
        """The logarithm of p for each length."""
        from scipy.special import gammaln, xlog1py

        z, k = np.asarray(lengths, np.float64), self.dispersion
        if k is None:
            ends: Floats = xlog1py(z - 1.0, -1 / self.mean) - np.log(self.mean)
            return ends
        size = self.mean * k
        ways = gammaln(size + z) - gammaln(z + 1) - gammaln(size)
        logarithms: Floats = ways - size * np.log1p(1 / k) - z * np.log1p(k)
        return logarithms

    def slopes(self, lengths: Any, k: float) -> Floats:
        """The derivatives of the log-probabilities by the dispersion k."""
        from scipy.special import psi

        z, m = np.asarray(lengths, np.float64), self.mean
        rise = psi(m * k + z) - psi(m * k) - np.log1p(1 / k) + 1 / (k + 1)
        slopes: Floats = m * rise - z / (k + 1)
        return slopes


# ---- segmenting and learning ----

ROUNDS = 20  # of segmenting and learning, at most
WORTH_IT = 1e-6  # go on while the log-likelihood rises by at least this share of itself
TOP = 1e-9  # a smaller rise of the log-likelihood counts as none
LIMIT = 10.0  # of |ln a| and |ln k|: beyond it the likelihood is flat


@dataclass(frozen=True)
class Text:
    """A document to segment.

    `n_segments` None: the durations decide. `inside`: boundaries that exist already; only the
    segments between them are cut.
    """

    counts: WordCounts
    n_segments: int | None
    duration: Duration | None
    inside: tuple[int, ...] = ()

    @property
    def dispersion(self) -> float | None:
        """The dispersion of its duration, if there is one."""
        return None if self.duration is None else self.duration.dispersion

    def boundaries(self, prior: float) -> list[int]:
        """The most likely boundaries, with those of `inside`; among equals, the segment that starts
        first."""
        return contract.cheapest(self._costs(prior), self.counts.n_units, self.n_segments)

    def _costs(self, prior: float) -> Iterator[Floats]:
        n_units = self.counts.n_units
        lengths = np.arange(n_units, 0, -1)  # of segments with one end, by their start
        extra = np.zeros(n_units)
        # With a given number of segments, all geometric lengths are equally likely.
        if self.duration is not None and (
            self.n_segments is None or self.duration.dispersion is not None
        ):
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


Learned = tuple[float, Sequence[Text], Sequence[list[int]]]


def learn(texts: Sequence[Text], prior: float) -> Learned:
    """Segment and learn in turn: the prior, the texts with their dispersions, their boundaries.

    Texts share the prior, and the dispersion if they have one.
    """
    found: Learned = (prior, texts, [])
    value = -np.inf
    for _ in range(ROUNDS):
        prior, texts, before = found
        boundaries = [text.boundaries(prior) for text in texts]
        if boundaries == before:  # the parameters are the best for these already
            return found
        dispersions = {k for text in texts if (k := text.dispersion) is not None}
        best, higher = climb(likelihood(texts, boundaries), np.log([prior, *dispersions]))
        if higher < value:
            return found
        settled = higher - value <= WORTH_IT * abs(higher)
        found, value = (float(np.exp(best[0])), with_dispersion(texts, best), boundaries), higher
        if settled:
            return found
    return found


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


def with_dispersion(texts: Sequence[Text], at: Floats) -> list[Text]:
    """The texts with the dispersion at these parameters, if they have one."""
    return [
        text
        if text.duration is None or text.dispersion is None
        else replace(text, duration=replace(text.duration, dispersion=float(np.exp(at[1]))))
        for text in texts
    ]


def likelihood(
    texts: Sequence[Text], boundaries: Sequence[list[int]]
) -> Callable[[Floats], tuple[float, Floats]]:
    """The log-likelihood of these segments as a function of ln a, or of ln a and ln k, with its
    derivatives."""
    lengths = [text.lengths(cut) for text, cut in zip(texts, boundaries, strict=True)]
    bags = joined_bags(text.counts.bags(cut) for text, cut in zip(texts, boundaries, strict=True))
    fixed = sum(
        float(text.duration.log_probabilities(each).sum())
        for text, each in zip(texts, lengths, strict=True)
        if text.duration is not None and text.dispersion is None
    )

    def at(logarithms: Floats) -> tuple[float, Floats]:
        parameters = np.exp(logarithms)
        value = fixed + log_likelihood(bags, parameters[0])
        slopes = np.zeros(len(logarithms))
        slopes[0] = log_likelihood(bags, parameters[0], of_slope=True)
        for text, each in zip(with_dispersion(texts, logarithms), lengths, strict=True):
            if text.duration is not None and text.dispersion is not None:
                value += float(text.duration.log_probabilities(each).sum())
                slopes[1] += float(text.duration.slopes(each, text.dispersion).sum())
        return value, slopes * parameters

    return at


# ---- BayesSeg ----

DurationName = Literal["negative-binomial", "geometric"]


@dataclass(frozen=True)
class BayesSeg(Segmenter):
    """Segments that repeat their words.

    If no unit has a word that counts and the number of segments is not given, there is no boundary.
    Time grows with the square of the number of units, memory with units × segments (20 bytes each,
    2 GB at most).

    Parameters
    ----------
    preprocessing: how texts become words: tokens, stop words and stems; see `Preprocessing`.
    prior: the prior of each word in each segment; small values expect few different words in a
        segment.
    duration: distribution of segment lengths, "negative-binomial" or "geometric". None: lengths do
        not count if the number of segments is given; else negative binomial.
    expected_length: mean number of units in a segment, m. None: N / n_segments, or √N if the number
        is not given (a rule of thumb: as many units in a segment as there are segments).
    dispersion: the dispersion of the negative binomial; lengths have the variance
        m · (1 + 1/dispersion).
    learn: True fits prior and dispersion to each document before it is segmented; `fit` does so for
        many documents together.

    >>> cats, stars = "the cat chased another cat", "a star shines on other stars"
    >>> BayesSeg()([cats] * 4 + [stars] * 5, n_segments=2)
    Segmentation(masses=[4, 5])
    >>> BayesSeg(expected_length=4)([cats] * 4 + [stars] * 5)
    Segmentation(masses=[4, 5])
    """

    name: ClassVar[str] = "bayesseg"
    grid: ClassVar[Mapping[str, Sequence[Any]]] = {
        "prior": (0.01, 0.05, 0.1, 0.2, 0.5, 1.0),
        "expected_length": (None, 3.0, 5.0, 10.0, 20.0, 40.0),
        "dispersion": (0.1, 1.0, 10.0),
    }

    preprocessing: Preprocessing = CLASSIC
    prior: Positive = 0.2
    duration: DurationName | None = None
    expected_length: Annotated[float, 1, MOST] | None = None
    dispersion: Positive = 1.0
    learn: bool = False

    def _segment(self, units: list[str], n_segments: int | None) -> Segmentation:
        counts = WordCounts.of(units, self.preprocessing)
        text = Text(counts, n_segments, self._duration(len(units), n_segments))
        if n_segments is None and not len(counts.counts):
            boundaries: list[int] = []
        elif self.learn:
            boundaries = learn([text], self.prior)[2][0]
        else:
            boundaries = text.boundaries(self.prior)
        return Segmentation.from_boundaries(boundaries, len(units))

    def _duration(self, n_units: float, n_segments: float | None) -> Duration | None:
        if n_segments is not None and self.duration is None:
            return None
        mean = self.expected_length or n_units / (n_segments or np.sqrt(n_units))
        return Duration(mean, None if self.duration == "geometric" else self.dispersion)

    def fit(
        self,
        documents: Iterable[Sequence[str]],
        n_segments: Iterable[int] | int | None = None,
    ) -> "BayesSeg":
        """A segmenter like this one, with the prior and dispersion that fit these documents best.

        documents: the units of each document; no reference is needed.
        n_segments: the number of segments of each document, a number for all, or None. If None,
            documents share an expected length: units over expected segments, both of all documents
            together.

        >>> cats, stars = "the cat chased another cat", "a star shines on other stars"
        >>> learned = BayesSeg().fit([[cats] * 4 + [stars] * 5, [stars] * 3 + [cats] * 3], 2)
        >>> learned.prior < 0.2
        True
        """
        units: list[list[str]] = []
        if not isinstance(documents, Mapping):  # its keys would be names
            units = [contract.checked_units(document) for document in documents]
        if not units:
            raise SegmentationError(
                f"documents is {shown(documents)}: expected the units of each document; for a "
                "corpus, [document.units for document in corpus.values()]"
            )
        wanted = _numbers(n_segments, units)
        start = self
        if n_segments is None and self.expected_length is None:
            lengths = np.array([len(unit) for unit in units])
            start = replace(self, expected_length=float(lengths.sum() / np.sqrt(lengths).sum()))
        counts = [WordCounts.of(unit, self.preprocessing) for unit in units]
        durations = [start._duration(len(unit), n) for unit, n in zip(units, wanted, strict=True)]
        prior, texts, _ = learn([*map(Text, counts, wanted, durations)], self.prior)
        learned = (text.dispersion for text in texts if text.dispersion is not None)
        return replace(start, prior=prior, dispersion=next(learned, self.dispersion))


def _numbers(n_segments: Any, documents: list[list[str]]) -> list[int | None]:
    """The number of segments of each document, if there is one for each."""
    listed = list(n_segments) if isinstance(n_segments, Iterable) else [n_segments] * len(documents)
    if len(listed) != len(documents):
        raise SegmentationError(
            f"n_segments has {len(listed)} numbers: expected {len(documents)}, one per document"
        )
    checked: list[int | None] = []
    for index, (number, units) in enumerate(zip(listed, documents, strict=True)):
        with about(f"documents[{index}]"):
            checked.append(contract.checked_segments(number, len(units)))
    return checked
