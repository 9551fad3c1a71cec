"""GreedyBayes and HierBayes (Eisenstein 2009, "Hierarchical text segmentation from multi-scale
lexical cohesion"; GBEM and HBT in Carroll 2010): segments within segments.

Levels are counted from the finest (0) to the coarsest, as lengths are given. In a result the rank
of a boundary is the level that it comes from, 1 for the coarsest.

GreedyBayes is BayesSeg from the top down: the text is cut into long segments, each of these into
shorter ones, and so on; lengths are geometric with a mean for each level. The prior is learned at
each level from all segments of that level together, because a single short segment would say too
little about it. A geometric distribution hardly restricts lengths: a boundary costs about ln(mean),
so that clear boundaries are all found at the first level. Give a number of segments to distribute
them.

HierBayes finds all levels at once. Some words belong to a chapter, others to a paragraph of it:
each token belongs to one level, and at each level a segment is likely if it repeats the words of
that level. The levels of tokens and the segmentation at all levels are computed in turn, until a
segmentation occurs for the second time.

It starts from GreedyBayes with as many segments at each level as the expected lengths give. Without
these numbers GreedyBayes puts every clear boundary at the coarsest level; two levels with the same
segments are then the same for every token, and no round can separate them.

The levels of tokens, by collapsed variational Bayes: the words of a level in one of its segments
are a draw from a Dirichlet-compound-multinomial with that level's prior a_l. A token's share of
level l is, in proportion,

    (n_l + β) · (n_{l,segment,word} + a_l) / (n_{l,segment} + W·a_l)

with the expected counts of all other tokens. Tokens are visited in turn until the bound stops
rising.

The best segments within segments, by dynamic programming: B_l(u, v) is what the segment u … v gains
at level l (0 = finest). The most that u … v can gain at level l and all levels below is

    A_l(u, v) = max over u ≤ t < v of A_l(u, t) + B_l(t, v) + A_{l−1}(t, v),   A_l(u, u) = 0

where the last term is absent at level 0. Of the coarsest level only A(0, v) is needed. Time grows
with the cube of the number of units, memory with its square.
"""

import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Annotated, Any, ClassVar

import numpy as np

from segscore._kernels import levels as kernel
from segscore.basics.arguments import Floats, shown, whole_number
from segscore.basics.specs import parameter_value
from segscore.coding.segmentation import Segmentation
from segscore.errors import SegmentationError
from segscore.segmenters import bayesseg, contract
from segscore.segmenters.bayesseg import Bags, Duration, Integers, Text, WordCounts
from segscore.segmenters.preprocessing import CLASSIC, Preprocessing

# ---- levels ----

Lengths = Sequence[float] | str
MOST_LEVELS = 10  # if each segment has two parts, ten levels give 1024 segments


def checked_lengths(lengths: Any, levels: int) -> tuple[float, ...] | None:
    """The expected lengths of segments, finest level first; raise if there is not one for each
    level.

    >>> checked_lengths("5/20", 2)
    (5.0, 20.0)
    """
    whole_number(levels, "levels", 1, MOST_LEVELS)
    if lengths is None:
        return None
    listed = lengths if isinstance(lengths, Iterable) else [lengths]
    if isinstance(lengths, str):
        listed = map(parameter_value, lengths.split("/"))
    numbers = tuple(
        contract.finite_number(length, "expected_lengths", 1, contract.MOST) for length in listed
    )
    if len(numbers) != levels or any(coarse < fine for fine, coarse in pairwise(numbers)):
        raise SegmentationError(
            f"expected_lengths is {shown(lengths)}: expected {levels} rising numbers, one per "
            "level from the finest to the coarsest; in a text, with / between, as in 5/20/80"
        )
    return numbers


def lengths_for(n_units: int, levels: int) -> tuple[float, ...]:
    """The lengths by a rule of thumb: each segment is cut into as many parts as the whole text.

    >>> lengths_for(81, 3)
    (3.0, 9.0, 27.0)
    """
    ratio = n_units ** (1 / (levels + 1))
    return tuple(round(ratio ** (level + 1), 9) for level in range(levels))


def numbers_for(n_segments: int, lengths: Sequence[float] | None, levels: int) -> tuple[int, ...]:
    """The number of segments of each level, finest first.

    The levels above the finest have fewer: by the expected lengths, or in a constant ratio if these
    are not given.

    >>> numbers_for(27, None, 3), numbers_for(27, (5, 15, 30), 3)
    ((27, 9, 3), (27, 9, 4))
    """
    if lengths is None:
        return tuple(round(n_segments ** (1 - level / levels)) for level in range(levels))
    return tuple(max(round(n_segments * lengths[0] / length), 1) for length in lengths)


def with_level_ranks(levels: Sequence[Sequence[int]], n_units: int) -> Segmentation:
    """The boundaries of all levels, finest first; each has the rank of its coarsest level.

    >>> with_level_ranks([[2, 5, 8], [5]], 9)
    Segmentation(masses=[2, 3, 3, 1], ranks=[2, 1, 2])
    """
    rank = {place: len(levels) - level for level, cut in enumerate(levels) for place in cut}
    return Segmentation.from_boundaries(list(rank), n_units, ranks=rank.values() if rank else None)


@dataclass(frozen=True)
class GreedyBayes(contract.Segmenter):
    """BayesSeg within the segments of BayesSeg; the rank of a boundary is its level.

    If a number of segments is given, the finest level has that many, the levels above it have
    fewer: by the expected lengths, or else in a constant ratio (27 segments: 3, 9, 27).

    Parameters
    ----------
    preprocessing: how texts become words: tokens, stop words and stems; see `Preprocessing`.
    levels: number of levels of segments.
    expected_lengths: mean number of units in a segment, one number per level, finest first, or a
        text: "5/20/80". None: each segment has as many parts as the text has segments at the
        coarsest level.
    prior: the prior of each word in each segment (see BayesSeg).
    learn: True learns the prior from each document, starting from `prior`; False keeps it.

    >>> cats, dogs, stars, moons = "cat pet", "dog pet", "star sky", "moon sky"
    >>> units = [cats] * 4 + [dogs] * 4 + [stars] * 4 + [moons] * 4
    >>> GreedyBayes(levels=2)(units, n_segments=4)
    Segmentation(masses=[4, 4, 4, 4], ranks=[2, 1, 2])
    """

    name: ClassVar[str] = "greedy-bayes"
    grid: ClassVar[Mapping[str, Sequence[Any]]] = {
        "levels": (2, 3, 4),
        "prior": (0.05, 0.2, 0.5),
        "learn": (True, False),
    }

    preprocessing: Preprocessing = CLASSIC
    levels: int = 3
    expected_lengths: Lengths | None = None
    prior: contract.Positive = 0.2
    learn: bool = True

    def __post_init__(self) -> None:
        lengths = checked_lengths(self.expected_lengths, self.levels)
        object.__setattr__(self, "expected_lengths", lengths)
        super().__post_init__()

    def lengths(self, n_units: int) -> tuple[float, ...]:
        """The expected lengths in a document of `n_units` units, finest level first."""
        if self.expected_lengths is not None:
            return self.expected_lengths  # type: ignore[return-value]  # checked, a tuple
        return lengths_for(n_units, self.levels)

    def numbers(self, n_segments: int) -> tuple[int, ...]:
        """The number of segments of each level, finest first, if the finest has this number."""
        lengths: Any = self.expected_lengths
        return numbers_for(n_segments, lengths, self.levels)

    def _segment(self, units: list[str], n_segments: int | None) -> Segmentation:
        counts = WordCounts.of(units, self.preprocessing)
        return with_level_ranks(self.boundaries(counts, n_segments), len(units))

    def boundaries(self, counts: WordCounts, n_segments: int | None) -> list[list[int]]:
        """The boundaries of each level, finest first; each level includes those of the level above
        it."""
        numbers: Sequence[int | None] = [None] * self.levels
        if n_segments is not None:
            numbers = self.numbers(n_segments)
        elif not len(counts.counts):  # no word to go by
            return [[] for _ in range(self.levels)]
        found: list[list[int]] = [[]]
        for mean, number in zip(self.lengths(counts.n_units)[::-1], numbers[::-1], strict=True):
            text = Text(counts, number, Duration(mean), tuple(found[-1]))
            if self.learn:
                found.append(bayesseg.learn([text], self.prior)[2][0])
            else:
                found.append(text.boundaries(self.prior))
        return found[:0:-1]


# ---- the best segments within segments ----

BYTES_PER_PAIR_AND_LEVEL = 16  # what one segment gains, and the most in segments


def best_nested(levels: Sequence[Iterable[Floats]], n_units: int) -> list[list[int]]:
    """The boundaries of each level, finest first; each level includes those of the level above it.

    levels: for each, finest first, what the segments start … end gain, for each end 1 … N in turn.
    """
    tables: list[tuple[Floats, Floats]] = []
    for number, rows in enumerate(levels, 1):
        gains = np.zeros((n_units + 1, n_units + 1))  # of segments, by end, then by start
        for end, row in enumerate(rows, 1):
            gains[end, :end] = row
            if tables:
                gains[end, :end] += tables[-1][1][:end, end]
        n_starts = 1 if number == len(levels) else n_units + 1
        best = np.zeros((n_starts, n_units + 1))  # of stretches, by start, then by end
        kernel.best_totals(gains, n_starts, best)
        tables.append((gains, best))
    found: list[list[int]] = [[]]
    for gains, best in reversed(tables):
        above = found[-1]
        inside = [_best_inside(gains, best, a, b) for a, b in pairwise((0, *above, n_units))]
        found.append(sorted(above + [place for places in inside for place in places]))
    return found[:0:-1]


def _best_inside(gains: Floats, best: Floats, start: int, end: int) -> list[int]:
    """The best boundaries inside start … end; if equal, the segment that starts first."""
    found: list[int] = []
    while True:
        totals = best[start, start:end] + gains[end, start:end]
        end = start + int(np.argmax(totals))
        if end == start:
            return found[::-1]
        found.append(end)


# ---- the levels of tokens ----

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
        """The expected count of each word of each unit at a level."""
        counts = bayesseg.sums(self._entries, self.shares[:, level], len(self._counts.counts))
        return self._counts.expected(counts)

    def settle(self, segments: Sequence[Integers], priors: Floats) -> float:
        """Update the shares of all tokens until they change little; return the bound.

        segments: of each level the number of the segment that a unit is in.
        """
        if not len(self._entries):
            return 0.0
        pairs, level_of_pair = pair_numbers(self._counts, segments)
        places, level_of_segment = segments_of(self._counts, segments)
        of_pair, of_segment = priors[level_of_pair], priors[level_of_segment]
        totals = (
            expected_totals(pairs, len(of_pair), self._entries, self.shares),
            expected_totals(places, len(of_segment), self._entries, self.shares),
            self.shares.sum(axis=0),
        )
        tokens = self._entries, pairs, places
        bound = -np.inf
        for _ in range(SWEEPS):
            kernel.sweep(*tokens, priors, self._counts.n_words, self._beta, self.shares, *totals)
            before, bound = bound, self._bound(of_pair, of_segment, *totals)
            if abs(bound - before) < SETTLED:
                break
        return bound

    def _bound(
        self, of_pair: Floats, of_segment: Floats, pairs: Floats, segments: Floats, levels: Floats
    ) -> float:
        """Log-likelihood of the expected counts, with that of the levels, and the entropy.

        of_pair, of_segment: the prior of each pair and segment, by its level.
        """
        from scipy.special import xlogy

        rise, beta = bayesseg.rise, self._beta
        words = np.sum(rise(pairs, of_pair))
        lengths = -np.sum(rise(segments, self._counts.n_words * of_segment))
        choice = np.sum(rise(levels, beta)) - rise(levels.sum(), len(levels) * beta)
        entropy = -np.sum(xlogy(self.shares, self.shares))
        return float(words + lengths + choice + entropy)


def pair_numbers(counts: WordCounts, segments: Sequence[Integers]) -> tuple[Integers, Integers]:
    """A number for each pair of a word and a segment: of each entry, at each level; and the level
    of each number."""
    n_words = int(counts.words.max(initial=0)) + 1
    bags = [segment[counts.units] * n_words + counts.words for segment in segments]
    numbers = [np.unique(bag, return_inverse=True)[1] for bag in bags]
    return _going_on(numbers, [int(number.max(initial=-1)) + 1 for number in numbers])


def segments_of(counts: WordCounts, segments: Sequence[Integers]) -> tuple[Integers, Integers]:
    """A number for each segment: of each entry, at each level; and the level of each number."""
    numbers = [segment[counts.units] for segment in segments]
    return _going_on(numbers, [int(segment.max()) + 1 for segment in segments])


def _going_on(numbers: Sequence[Integers], sizes: Sequence[int]) -> tuple[Integers, Integers]:
    """Numbers that go on from level to level, where each level has `sizes` of its own."""
    starts = np.cumsum([0, *sizes[:-1]])
    joined = np.array(numbers, np.int64) + starts[:, None]
    return joined, np.repeat(np.arange(len(sizes)), sizes)


def expected_totals(numbers: Integers, n_numbers: int, entries: Integers, shares: Floats) -> Floats:
    """The expected counts of pairs, or of segments, from the shares of tokens."""
    totals = np.zeros(n_numbers)
    for number, share in zip(numbers, shares.T, strict=True):
        np.add.at(totals, number[entries], share)
    return totals


# ---- both in turn ----

LONG = 60.0  # seconds; warn before work that takes longer


@dataclass(frozen=True)
class HierBayes(GreedyBayes):
    """Segments within segments, all levels at once; the rank of a boundary is its level.

    If a number of segments is given, the finest level has that many and the levels above it have
    fewer, as in GreedyBayes; the levels are then cut from the top down, which is not always the
    best over all levels together. Time grows with the cube of the number of units
    (`expected_seconds` estimates it).

    Parameters
    ----------
    preprocessing: how texts become words: tokens, stop words and stems; see `Preprocessing`.
    levels: number of levels of segments.
    expected_lengths: mean number of units in a segment, one number per level, finest first, or a
        text: "5/20/80". None: each segment has as many parts as the text has segments at the
        coarsest level.
    prior: the prior of each word in each segment (see BayesSeg).
    learn: True learns the prior after each round, under a Gamma(1, 1) distribution.
    shared_prior: True learns one prior for all levels, False one for each.
    beta: Dirichlet prior of the levels of tokens.
    document_level: True adds a level for words of the whole text, which has no boundaries.
    rounds: the most rounds; it stops earlier if a segmentation occurs for the second time.
    seed: random seed of the first shares of levels.
    max_units: documents with more units are an error, because memory grows with their square.
    progress: called before the start (round 0) and after each round with a tuple: the round, the
        most rounds, the seconds left if all are needed (estimated), and the bound on the
        log-likelihood by the levels of tokens. None: a warning if it may take more than a minute.

    >>> cats, dogs, stars, moons = "cat pet", "dog pet", "star sky", "moon sky"
    >>> units = [cats] * 4 + [dogs] * 4 + [stars] * 4 + [moons] * 4
    >>> HierBayes(levels=2)(units, n_segments=4)
    Segmentation(masses=[4, 4, 4, 4], ranks=[2, 1, 2])
    """

    name: ClassVar[str] = "hier-bayes"

    learn: bool = False
    shared_prior: bool = True
    beta: contract.Positive = 1.0
    document_level: bool = False
    rounds: contract.Natural = 10
    seed: Annotated[int, 0] = 0
    max_units: contract.Natural = 3000
    progress: Callable[[tuple[int, int, float, float]], None] | None = field(
        default=None, compare=False, repr=False
    )

    def expected_seconds(self, units: Sequence[str]) -> float:
        """The estimated time for a document on one core, if all rounds are needed."""
        texts = contract.checked_units(units)
        if len(texts) == 1:
            return 0.0
        return self._seconds(WordCounts.of(texts, self.preprocessing))

    def _seconds(self, counts: WordCounts) -> float:
        tokens = counts.counts.sum() * (self.levels + self.document_level)
        cells = counts.n_units**3 / 6 * (self.levels - 1)
        return float(self.rounds * (tokens * 1.5e-5 + cells * 2e-9))

    # ---- the rounds ----

    def _segment(self, units: list[str], n_segments: int | None) -> Segmentation:
        bytes_per_pair = BYTES_PER_PAIR_AND_LEVEL * self.levels
        contract.check_pairs(len(units), bytes_per_pair, self.max_units, self.name)
        counts = WordCounts.of(units, self.preprocessing)
        if n_segments is None and not len(counts.counts):  # no word that counts
            return Segmentation.from_boundaries([], len(units))
        self._announce(counts)
        expected = max(round(len(units) / self.lengths(len(units))[0]), 1)
        greedy = GreedyBayes(self.preprocessing, self.levels, self.expected_lengths, self.prior)
        start = greedy.boundaries(counts, n_segments or expected)
        return with_level_ranks(self._alternate(counts, start, n_segments), len(units))

    def _announce(self, counts: WordCounts) -> None:
        seconds = self._seconds(counts)
        if self.progress is not None:
            self.progress((0, self.rounds, seconds, -np.inf))
        elif seconds > LONG:
            warnings.warn(
                f"hier-bayes on {counts.n_units} units and {self.levels} levels may take "
                f"{seconds:.0f} seconds; give progress= a function to follow it",
                stacklevel=4,
            )

    def _alternate(
        self, counts: WordCounts, found: list[list[int]], n_segments: int | None
    ) -> list[list[int]]:
        """Levels of tokens and segmentation in turn."""
        tokens = TokenLevels(counts, self.levels + self.document_level, self.beta, self.seed)
        priors = np.full(self.levels + self.document_level, float(self.prior))
        seen: list[list[list[int]]] = []
        start = time.perf_counter()
        for number in range(1, self.rounds + 1):
            bound = tokens.settle(self._segments(found, counts.n_units), priors)
            found = self._boundaries(tokens, priors, n_segments)
            if self.progress is not None:
                each = (time.perf_counter() - start) / number
                left = each * (self.rounds - number)
                self.progress((number, self.rounds, left, bound))
            if found in seen:
                break
            seen.append(found)
            if self.learn:
                priors = self._learned(tokens, found, priors)
        return found

    def _segments(self, found: list[list[int]], n_units: int) -> list[Integers]:
        """The segment that each unit is in, at each level."""
        cuts = [*found, []] if self.document_level else found
        return [np.searchsorted(cut, np.arange(n_units), "right").astype(np.int64) for cut in cuts]

    def _boundaries(
        self, tokens: TokenLevels, priors: Floats, n_segments: int | None
    ) -> list[list[int]]:
        """The segmentation at each level, finest first."""
        expected = [tokens.expected(level) for level in range(self.levels)]
        n_units = expected[0].n_units
        if n_segments is None:
            durations = map(Duration, self.lengths(n_units))
            return best_nested([*map(_rows, expected, priors, durations)], n_units)
        found: list[list[int]] = [[]]
        numbers = self.numbers(n_segments)
        for level in reversed(range(self.levels)):
            text = Text(expected[level], numbers[level], None, tuple(found[-1]))
            found.append(text.boundaries(priors[level]))
        return found[:0:-1]

    def _learned(self, tokens: TokenLevels, found: list[list[int]], priors: Floats) -> Floats:
        """The priors under which the expected counts are likeliest, with a Gamma(1, 1) on each."""
        cuts = [*found, []] if self.document_level else found
        bags = [tokens.expected(level).bags(cut) for level, cut in enumerate(cuts)]
        if self.shared_prior:
            learned = [_likeliest(bayesseg.joined_bags(bags), priors[0])] * len(bags)
        else:
            learned = [_likeliest(bag, prior) for bag, prior in zip(bags, priors, strict=True)]
        return np.array(learned)


def _likeliest(bags: Bags, prior: float) -> float:
    """The prior a that maximises log-likelihood - a: Gamma(1, 1) without its constant."""

    def penalised(at: Floats) -> tuple[float, Floats]:
        a = float(np.exp(at[0]))
        slope = bayesseg.log_likelihood(bags, a, of_slope=True)
        return bayesseg.log_likelihood(bags, a) - a, np.array([(slope - 1) * a])

    return float(np.exp(bayesseg.climb(penalised, np.log([prior]))[0][0]))


def _rows(counts: WordCounts, prior: float, duration: Duration) -> Iterator[Floats]:
    """For each end, the gain of the segments start … end at a level."""
    extra = duration.log_probabilities(np.arange(counts.n_units, 0, -1))
    for end, row in enumerate(counts.log_likelihoods(prior), 1):
        yield row + extra[counts.n_units - end :]
