"""BayesSeg (Eisenstein & Barzilay 2008, "Bayesian unsupervised topic segmentation"), and the model
that GreedyBayes and HierBayes share with it: the likelihood of segments by their words and by their
lengths, and how prior and dispersion are learned.

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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from segscore._kernels import dirichlet as kernel
from segscore.basics.arguments import Floats
from segscore.coding.segmentation import Segmentation
from segscore.errors import SegmentationError
from segscore.segmenters.contract import (
    MOST,
    Positive,
    Segmenter,
    cheapest,
    checked_segments,
    checked_units,
)
from segscore.segmenters.preprocessing import CLASSIC, Preprocessing, count_words

# ---- words ----

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
        from scipy.special import gammaln

        before = np.concatenate(([0.0], np.cumsum(self.tokens())))
        gained, steps = np.zeros(self.n_units), np.zeros(self.n_units)
        mass = self.n_words * prior
        entries = self._offsets, self._by_unit, self.units, self.counts, self._firsts
        for end in range(1, self.n_units + 1):
            if len(self.counts):
                kernel.add_unit(end - 1, prior, *entries, steps, gained)
            yield gammaln(mass) - gammaln(before[end] - before[:end] + mass) + gained[:end]

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
        return Bags(counts, times.astype(np.float64), sizes, lexicon)


class Bags(NamedTuple):
    """The numbers behind the likelihood of segments: how often each count of a word occurs in a
    segment, their tokens, and the size of the lexicon for each."""

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
        """The derivative of the log-likelihood by the prior; words that do not occur cancel out."""
        from scipy.special import psi

        mass = self.lexicon * prior
        words = np.dot(self.times, psi(self.counts + prior) - psi(prior))
        return float(np.dot(self.lexicon, psi(mass) - psi(self.sizes + mass)) + words)


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
        return cheapest(self._costs(prior), self.counts.n_units, self.n_segments)

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
            if text.duration is not None and text.duration.dispersion is None
        )

    def start(self, prior: float) -> Floats:
        """The current parameters, as logarithms."""
        return np.log([prior, *{k for text in self._texts if (k := text.dispersion) is not None}])

    def texts_with(self, at: Floats) -> list[Text]:
        """The texts with another dispersion, if they have one."""
        return [
            text
            if text.duration is None or text.duration.dispersion is None
            else replace(text, duration=replace(text.duration, dispersion=float(np.exp(at[1]))))
            for text in self._texts
        ]

    def __call__(self, at: Floats) -> tuple[float, Floats]:
        """The value, and its derivatives by these logarithms."""
        parameters = np.exp(at)
        value = self._fixed + self._bags.log_likelihood(parameters[0])
        slopes = np.zeros(len(at))
        slopes[0] = self._bags.slope(parameters[0])
        for text, lengths in zip(self.texts_with(at), self._lengths, strict=True):
            if text.duration is not None and text.duration.dispersion is not None:
                value += float(text.duration.log_probabilities(lengths).sum())
                slopes[1] += float(text.duration.slopes(lengths, text.duration.dispersion).sum())
        return value, slopes * parameters


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
            boundaries = learn([text], self.prior).boundaries[0]
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
        if isinstance(documents, Mapping):  # its keys would be names
            raise SegmentationError(
                f"documents is a {type(documents).__name__}: expected the units of each document; "
                "for a corpus, [document.units for document in corpus.values()]"
            )
        units = [checked_units(document) for document in documents]
        if not units:
            raise SegmentationError("documents is empty: expected at least one")
        wanted = _numbers(n_segments, units)
        start = self
        if n_segments is None and self.expected_length is None:
            lengths = np.array([len(unit) for unit in units])
            start = replace(self, expected_length=float(lengths.sum() / np.sqrt(lengths).sum()))
        texts = [
            Text(
                WordCounts.of(unit, self.preprocessing), number, start._duration(len(unit), number)
            )
            for unit, number in zip(units, wanted, strict=True)
        ]
        found = learn(texts, self.prior)
        learned = (text.dispersion for text in found.texts)
        dispersion = next((k for k in learned if k is not None), self.dispersion)
        return replace(start, prior=found.prior, dispersion=dispersion)


def _numbers(n_segments: Any, documents: list[list[str]]) -> list[int | None]:
    """The number of segments of each document, if there is one for each."""
    listed = list(n_segments) if isinstance(n_segments, Iterable) else [n_segments] * len(documents)
    if len(listed) != len(documents):
        raise SegmentationError(
            f"n_segments has {len(listed)} numbers: expected {len(documents)}, one per document"
        )
    checked: list[int | None] = []
    for index, (number, units) in enumerate(zip(listed, documents, strict=True)):
        try:
            checked.append(checked_segments(number, len(units)))
        except SegmentationError as error:
            raise SegmentationError(f"documents[{index}]: {error}") from None
    return checked
