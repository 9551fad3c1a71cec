"""Random references, hypotheses and coders: which boundaries a hypothesis misses, moves and adds.

All randomness comes from `rng`, a whole number or a NumPy `Generator`: the same seed gives the
same result (with the same version of NumPy). Hypotheses are generated in blocks, as flat arrays,
without a loop over them.

All kinds of error are relative to the reference, so that they can be combined:

- **misses**: each boundary of the reference is left out with this probability (FN).
- **near misses**: each boundary that is not left out is moved with this probability, by an offset.
  It stays nearer to its original position than to any other boundary of the reference, so that no
  two boundaries merge; if there is no room for that, it is not moved.
- **false positives**: boundaries are added at positions that `placement` chooses:

| placement | how often | one more boundary |
|---|---|---|
| `segment` (FP1) | for each segment | at a place inside it, each equally likely |
| `boundary` (FP2) | for each boundary | around it, at a normal distance (NormalOffsets) |
| `ends` (FP2) | for each segment | inside it, at a normal distance from its start or its end |
| `document` (FP3) | as many as for each segment | at any place of the document, independently |

The standard deviation of `boundary` is a quarter of the reference's mean segment, that of `ends` a
quarter of the segment itself, in whole numbers (1 at least); the distance of `ends` is the whole
part of the normal number, and 0 is drawn again. A segment of one unit has no position inside, and
gets no boundary. A boundary at a position that already has one (for `boundary` and `document`
possibly one of the reference) adds nothing.

Source: Pevzner & Hearst (2002) §4. `ends` and `boundary` are two interpretations of its FP2; `ends`
fits the table better (docs/reproduction.md shows this).

**Sizes** of segments are drawn independently of each other: whole numbers of units, at least 1.
An offset says how far, and to which side, a near miss is from its boundary: a whole number other
than 0, negative to the left. Each boundary has its own range `low` … `high` of allowed offsets; the
draw is exact for that range (the conditional distribution), not repeated until it fits. If no
offset is in the range, the boundary is not moved: offset 0.

Sources: Pevzner & Hearst (2002) §4 draw sizes uniformly; their tables are reproduced only if the
upper end of the range is not included (half-open), table 1 of Fournier & Inkpen (2012) only if it
is (closed). Sizes are geometric if there is a boundary at each position with the same probability
(Hearst 1997); empirical sizes are those of real codings (Fournier 2013).

The boundaries of many hypotheses of one reference are made at once (`Marking`): a boundary at
position p of hypothesis i is the number i·N + p, so that all boundaries of all hypotheses are one
flat
array: joined by concatenation, put in order by one sort.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from segscore.basics import arguments
from segscore.basics.arguments import LARGEST, Int64Array, Seed, check_choice, shown, whole_number
from segscore.coding.segmentation import Segmentation
from segscore.corpus.corpus import Corpus
from segscore.errors import SegmentationError
from segscore.pairing.pairs import Pairs
from segscore.simulate.baselines import checked_sizes


def check_kind(value: Any, what: str, kind: Any, expected: str) -> None:
    """Raise for a value of another kind."""
    if not isinstance(value, kind):
        raise SegmentationError(f"{what} is {shown(value)}: expected {expected}")


# ---- sizes of segments ----

LONGEST = 2**40  # units of a segment: a thousand of them still count exactly


class SegmentSizes(ABC):
    """A distribution of segment sizes."""

    @abstractmethod
    def draw(self, count: int, chance: np.random.Generator) -> Int64Array:
        """Draw `count` sizes."""


@dataclass(frozen=True)
class UniformSizes(SegmentSizes):
    """Sizes in a range, all equally likely.

    Parameters
    ----------
    low: the smallest size.
    high: the end of the range, which is not included unless `closed`.
    closed: True includes `high`.

    >>> chance = np.random.default_rng(0)
    >>> sorted(set(UniformSizes(2, 5).draw(99, chance).tolist()))
    [2, 3, 4]
    >>> sorted(set(UniformSizes(2, 5, closed=True).draw(99, chance).tolist()))
    [2, 3, 4, 5]
    """

    low: int
    high: int
    closed: bool = False

    def __post_init__(self) -> None:
        low = whole_number(self.low, "low", 1, LONGEST)
        whole_number(self.high, "high", low + (not self.closed), LONGEST)

    def draw(self, count: int, chance: np.random.Generator) -> Int64Array:
        """Draw `count` sizes."""
        return chance.integers(self.low, self.high, count, np.int64, endpoint=self.closed)


@dataclass(frozen=True)
class GeometricSizes(SegmentSizes):
    """P(size) = q·(1-q)^(size-1) with q = 1/mean: a boundary at each position with probability q.

    Parameters
    ----------
    mean: the mean size, at least 1.

    >>> int(GeometricSizes(1).draw(5, np.random.default_rng(0)).sum())
    5
    """

    mean: float

    def __post_init__(self) -> None:
        arguments.number(self.mean, "mean", f"a number 1 … {LONGEST}", 1, LONGEST)

    def draw(self, count: int, chance: np.random.Generator) -> Int64Array:
        """Draw `count` sizes, at most `LONGEST` each."""
        return np.minimum(chance.geometric(1 / self.mean, count), LONGEST).astype(np.int64)


@dataclass(frozen=True)
class EmpiricalSizes(SegmentSizes):
    """The sizes in a list, each entry equally likely.

    Parameters
    ----------
    sizes: the list; a size that is listed twice is twice as likely.

    >>> sorted(set(EmpiricalSizes([2, 2, 5]).draw(99, np.random.default_rng(0)).tolist()))
    [2, 5]
    """

    sizes: Sequence[int]

    def __post_init__(self) -> None:
        expected = f"segment sizes, whole numbers 1 … {LONGEST}"
        pool = checked_sizes(self.sizes, expected, LONGEST)
        object.__setattr__(self, "sizes", tuple(pool.tolist()))

    @classmethod
    def of(cls, corpus: Corpus) -> "EmpiricalSizes":
        """The sizes of all segments of all coders of a corpus."""
        check_kind(corpus, "corpus", Corpus, "a Corpus, as segscore.read gives it")
        codings = (coding for document in corpus.values() for coding in document.values())
        return cls(np.concatenate([np.empty(0, np.int64), *(each.masses for each in codings)]))  # type: ignore[arg-type]

    def draw(self, count: int, chance: np.random.Generator) -> Int64Array:
        """Draw `count` sizes, with replacement."""
        return chance.choice(np.array(self.sizes, np.int64), count)


@dataclass(frozen=True)
class FixedSizes(SegmentSizes):
    """All segments have the same size.

    Parameters
    ----------
    size: number of units.

    >>> FixedSizes(4).draw(3, np.random.default_rng(0))
    array([4, 4, 4])
    """

    size: int

    def __post_init__(self) -> None:
        whole_number(self.size, "size", 1, LONGEST)

    def draw(self, count: int, chance: np.random.Generator) -> Int64Array:  # noqa: ARG002
        """Return the size `count` times."""
        return np.full(count, self.size, np.int64)


# ---- offsets of near misses ----

SMALLEST_SD = 0.1  # with a smaller one, an offset of 1 is more than five standard deviations away


class Offsets(ABC):
    """A distribution of offsets."""

    @abstractmethod
    def draw(self, low: Int64Array, high: Int64Array, chance: np.random.Generator) -> Int64Array:
        """Draw an offset for each range, `low` ≤ 0 ≤ `high`; 0 if the range allows none."""


@dataclass(frozen=True)
class UniformOffsets(Offsets):
    """Offsets of 1 … `most` units to the left or to the right, all equally likely.

    Parameters
    ----------
    most: the largest distance, in units.

    >>> UniformOffsets(1).draw(np.array([0, -9]), np.array([9, 0]), np.random.default_rng(0))
    array([ 1, -1])
    """

    most: int = 1

    def __post_init__(self) -> None:
        whole_number(self.most, "most", 1)

    def draw(self, low: Int64Array, high: Int64Array, chance: np.random.Generator) -> Int64Array:
        """Draw an offset for each range."""
        left, right = np.minimum(-low, self.most), np.minimum(high, self.most)
        there = left + right > 0
        drawn = chance.integers(0, np.where(there, left + right, 1)) - left
        return np.where(there, drawn + (drawn >= 0), 0)  # 0 is left out


@dataclass(frozen=True)
class NormalOffsets(Offsets):
    """Offsets from a normal distribution with mean 0, rounded; 0 is drawn again.

    Parameters
    ----------
    sd: standard deviation, in units.

    >>> NormalOffsets(2.0).draw(np.array([0, -1]), np.array([1, 0]), np.random.default_rng(0))
    array([ 1, -1])
    """

    sd: float

    def __post_init__(self) -> None:
        arguments.number(self.sd, "sd", f"a number {SMALLEST_SD} … {LARGEST}", SMALLEST_SD, LARGEST)

    def draw(self, low: Int64Array, high: Int64Array, chance: np.random.Generator) -> Int64Array:
        """Draw an offset for each range: first its side, then its distance."""
        # Both sides by the left tail, because small probabilities keep their digits there.
        start = ndtr(-0.5 / self.sd)
        left, right = (start - ndtr((-room - 0.5) / self.sd) for room in (-low, high))
        there = left + right > 0
        to_left = chance.random(len(low)) * (left + right) < left
        room = np.where(to_left, -low, high)
        tail = start - chance.random(len(low)) * np.where(to_left, left, right)
        distance = np.clip(np.rint(-self.sd * ndtri(tail)), 1, np.maximum(room, 1))
        return np.where(there, np.where(to_left, -distance, distance), 0).astype(np.int64)


@dataclass(frozen=True)
class WeightedOffsets(Offsets):
    """Given offsets, with probabilities in proportion to their weights.

    Parameters
    ----------
    weights: the weight of each offset: {-1: 3, 1: 3, 2: 1}.

    >>> WeightedOffsets({2: 1.0}).draw(np.array([-5, -5]), np.array([5, 1]), np.random.default_rng(0))
    array([2, 0])
    """  # noqa: E501

    weights: Mapping[int, float]

    def __post_init__(self) -> None:
        expected = "{offset: weight}, offsets other than 0 and weights above 0"
        weights = self.weights if isinstance(self.weights, Mapping) else {}
        is_whole = arguments.is_whole
        right = (is_whole(offset) and 0 < abs(int(offset)) <= LARGEST for offset in weights)
        if not weights or not all(right):
            raise SegmentationError(f"weights is {shown(self.weights)}: expected {expected}")
        for offset, weight in weights.items():
            arguments.number(weight, f"weights[{offset}]", expected, least=5e-324)
        object.__setattr__(self, "weights", dict(sorted(self.weights.items())))

    def __hash__(self) -> int:
        return hash(tuple(self.weights.items()))

    def draw(self, low: Int64Array, high: Int64Array, chance: np.random.Generator) -> Int64Array:
        """Draw an offset for each range."""
        offsets = np.array([*self.weights, 0], np.int64)
        sums = np.concatenate([[0], np.cumsum(list(self.weights.values()))])
        first = np.searchsorted(offsets[:-1], low, side="left")
        end = np.searchsorted(offsets[:-1], high, side="right")
        there = end > first
        at = sums[first] + chance.random(len(low)) * (sums[end] - sums[first])
        index = np.clip(np.searchsorted(sums, at, side="right") - 1, first, end - 1)
        return offsets[np.where(there, index, -1)]


# ---- errors of hypotheses ----

Placement = Literal["segment", "boundary", "ends", "document"]
PLACEMENTS: tuple[str, ...] = get_args(Placement)

_BLOCK = 2**18  # boundaries of the reference per block: 30 MB at most
_MOST = 10**8  # boundaries of references in one batch: 0.8 GB, and about as much for hypotheses


@dataclass(frozen=True)
class Errors:
    """How often a hypothesis has errors of each kind.

    Parameters
    ----------
    misses: probability that a boundary of the reference is left out.
    near_misses: probability that a boundary that is not left out is moved.
    false_positives: probability of an additional boundary, for each segment (with
        placement="boundary", for each boundary).
    placement: where additional boundaries are: "segment" anywhere inside a segment, "boundary" near
        a boundary, "ends" near the start or end of a segment, "document" anywhere.
    offsets: how far boundaries are moved: UniformOffsets, NormalOffsets or WeightedOffsets.

    >>> Errors(misses=0.5, false_positives=0.5).placement
    'segment'
    """

    misses: float = 0.0
    near_misses: float = 0.0
    false_positives: float = 0.0
    placement: Placement = "segment"
    offsets: Offsets = field(default_factory=UniformOffsets)

    def __post_init__(self) -> None:
        for name in ("misses", "near_misses", "false_positives"):
            arguments.probability(getattr(self, name), name)
        check_choice(self.placement, "placement", PLACEMENTS)
        kinds = "UniformOffsets, NormalOffsets or WeightedOffsets"
        check_kind(self.offsets, "offsets", Offsets, kinds)


def references(
    sizes: SegmentSizes, n_segments: int, n: int = 1, *, rng: Seed
) -> list[Segmentation]:
    """Draw `n` references of `n_segments` segments each, with independent sizes.

    >>> from segscore.simulate import UniformSizes
    >>> references(UniformSizes(2, 4), 5, n=2, rng=1)
    [Segmentation(masses=[2, 3, 3, 3, 2]), Segmentation(masses=[2, 3, 3, 2, 2])]
    """
    kinds = "UniformSizes, GeometricSizes, EmpiricalSizes or FixedSizes"
    check_kind(sizes, "sizes", SegmentSizes, kinds)
    segments, count = whole_number(n_segments, "n_segments", 1), whole_number(n, "n", 1)
    _check_room(count, segments)
    drawn = sizes.draw(segments * count, arguments.generator(rng)).reshape(count, segments)
    return [Segmentation.from_masses(masses) for masses in drawn]


def hypotheses(
    refs: Segmentation | Sequence[Segmentation], errors: Errors, n: int = 1, *, rng: Seed
) -> Pairs:
    """Draw `n` hypotheses of each reference, with errors of these kinds, as pairs to score.

    Row i of the pairs is hypothesis i % n of reference i // n. Only positions are used: types,
    ranks and candidates of a reference are dropped. Memory: 8 bytes for each boundary of either
    side (twice that while they are joined), and 30 MB.

    >>> from segscore.simulate import FixedSizes
    >>> refs = references(FixedSizes(10), 1000, rng=1)
    >>> pairs = hypotheses(refs, Errors(misses=0.5), n=100, rng=1)
    >>> from segscore import score
    >>> round(score(pairs, metrics="pk")["pk"].macro, 2)
    0.25
    """
    chance = arguments.generator(rng)
    originals = _references(refs)
    check_kind(errors, "errors", Errors, "Errors(misses=…, …)")
    count = whole_number(n, "n", 1)
    _check_room(count, sum(ref.n_segments for ref in originals))
    counts, places = [np.zeros(1, np.int64)], []
    for ref in originals:
        for size in _blocks(ref, count):
            block_counts, block_places = Marking(ref, size, errors, chance).boundaries()
            counts.append(block_counts)
            places.append(block_places)
    ref_counts = np.repeat([ref.n_segments - 1 for ref in originals], count)
    return Pairs(
        np.repeat([ref.n_units for ref in originals], count),
        np.concatenate([[0], ref_counts.cumsum()]),
        np.concatenate([np.tile(ref.boundaries, count) for ref in originals]),
        np.concatenate(counts).cumsum(),
        np.concatenate(places),
    )


def coders(
    refs: Segmentation | Sequence[Segmentation], errors: Errors, n: int, *, rng: Seed
) -> Corpus:
    """Draw a corpus of `n` simulated coders for each reference; their codings have these errors.

    Documents and coders are named "1", "2" and so on; the reference is not one of the codings.

    >>> from segscore.simulate import UniformSizes
    >>> ref = references(UniformSizes(2, 9), 20, rng=1)
    >>> coders(ref, Errors(misses=0.2, near_misses=0.1), 3, rng=1)
    Corpus(1 document, 3 codings, coders: '1', '2', '3')
    """
    pairs = hypotheses(refs, errors, n, rng=rng)
    starts = pairwise(range(0, len(pairs) + 1, n))
    codings = {
        str(number): {str(row - first + 1): pairs.hypothesis(row) for row in range(first, end)}
        for number, (first, end) in enumerate(starts, 1)
    }
    return Corpus.from_dict(codings)


def _references(given: Any) -> list[Segmentation]:
    listed: Any = [given] if isinstance(given, Segmentation) else given or None
    check_kind(listed, "refs", (list, tuple), "a Segmentation, or a list of at least one")
    for index, coding in enumerate(listed):
        check_kind(coding, f"refs[{index}]", Segmentation, "a Segmentation")
    return list(listed)


def _check_room(count: int, segments: int) -> None:
    if count * segments > _MOST:
        raise SegmentationError(
            f"{count} times {segments} segments would take {count * segments * 16 / 1e9:.0f} GB: "
            f"expected at most {_MOST} segments in total; use several batches, with one NumPy "
            "generator as rng"
        )


def _blocks(ref: Segmentation, count: int) -> list[int]:
    """The number of hypotheses in each block."""
    size = max(1, min(_BLOCK // ref.n_segments, LARGEST // ref.n_units))
    return [min(size, count - first) for first in range(0, count, size)]


# ---- the boundaries of hypotheses ----


@dataclass(frozen=True)
class Marking:
    """The marks of `count` hypotheses, flat; `count` × N must stay below 2**53."""

    reference: Segmentation
    count: int
    errors: Errors
    chance: np.random.Generator

    def boundaries(self) -> tuple[Int64Array, Int64Array]:
        """The number of boundaries in each hypothesis, and their positions, one hypothesis after
        the other."""
        marks = np.concatenate([self.hits(), self.false_positives()])
        marks.sort(kind="stable")  # both parts are nearly in order
        marks = marks[np.diff(marks, prepend=-1) > 0]
        counts = self.counts(marks, self.n_units)
        return counts, marks - np.repeat(np.arange(self.count) * self.n_units, counts)

    def counts(self, flat: Int64Array, size: int) -> Int64Array:
        """How many of the flat numbers, in order, each hypothesis has, if it has `size` numbers.

        Without a division of each number, which takes longer than all else here.
        """
        return np.diff(np.searchsorted(flat, np.arange(self.count + 1) * size))

    @property
    def n_units(self) -> int:
        """The number of units N."""
        return self.reference.n_units

    @arguments.cached_property
    def edges(self) -> Int64Array:
        """The start of the document, the boundaries of the reference, and the end of the
        document."""
        return np.concatenate([[0], self.reference.boundaries, [self.n_units]])

    @arguments.cached_property
    def sizes(self) -> Int64Array:
        """The sizes of the reference's segments."""
        return np.diff(self.edges)

    def chosen(self, among: int, probability: float) -> tuple[Int64Array, Int64Array]:
        """Which of `among` items are chosen in each hypothesis: hypothesis and item."""
        if probability == 1:  # all are chosen
            rows, which = (np.arange(n, dtype=np.int64) for n in (self.count, among))
            return np.repeat(rows, among), np.tile(which, self.count)
        marks: NDArray[np.bool_] = self.chance.random((self.count, among)) < probability
        flat = np.flatnonzero(marks).astype(np.int64, copy=False)
        rows = np.repeat(np.arange(self.count), self.counts(flat, among))
        return rows, flat - rows * among

    # ---- boundaries of the reference that the hypothesis has ----

    def hits(self) -> Int64Array:
        """The boundaries that are not missed, at their positions or near them."""
        rows, which = self.chosen(self.sizes.size - 1, 1 - self.errors.misses)
        places = self.reference.boundaries[which]
        if self.errors.near_misses:
            moved = np.flatnonzero(self.chance.random(len(which)) < self.errors.near_misses)
            left, right = self.rooms()
            at = which[moved]
            places[moved] += self.errors.offsets.draw(-left[at], right[at], self.chance)
        return rows * self.n_units + places

    def rooms(self) -> tuple[Int64Array, Int64Array]:
        """How far each boundary may move: less than half way to the next boundary, or up to the
        first or last position of the document."""
        halves = (self.sizes - 1) // 2
        left, right = halves[:-1].copy(), halves[1:].copy()
        left[:1], right[-1:] = self.sizes[0] - 1, self.sizes[-1] - 1
        return left, right

    # ---- additional boundaries ----

    def false_positives(self) -> Int64Array:
        """The false positives, by the placement."""
        if not self.errors.false_positives:
            return np.empty(0, np.int64)
        ways = (self.inside_segments, self.around_boundaries, self.near_ends, self.anywhere)
        return dict(zip(PLACEMENTS, ways, strict=True))[self.errors.placement]()

    def inside_segments(self) -> Int64Array:
        """A boundary at any position inside each chosen segment."""
        rows, which = self.chosen_with_inside()
        inside = self.chance.integers(1, self.sizes[which])
        return rows * self.n_units + self.edges[which] + inside

    def around_boundaries(self) -> Int64Array:
        """A boundary at a normal distance from each chosen boundary."""
        rows, which = self.chosen(self.sizes.size - 1, self.errors.false_positives)
        places = self.reference.boundaries[which]
        quarter = self.n_units / self.sizes.size / 4
        offsets = NormalOffsets(quarter).draw(1 - places, self.n_units - 1 - places, self.chance)
        return rows * self.n_units + places + offsets

    def near_ends(self) -> Int64Array:
        """A boundary inside each chosen segment, at a normal distance from its start or its end."""
        rows, which = self.chosen_with_inside()
        sizes = self.sizes[which]
        sd = np.maximum(sizes // 4, 1)
        # Drawn from the upper tail for precision; the whole part is the distance.
        nearest, farthest = ndtr(-1 / sd), ndtr(-sizes / sd)
        tail = nearest - self.chance.random(len(which)) * (nearest - farthest)
        distance = np.clip(np.floor(-sd * ndtri(tail)), 1, sizes - 1).astype(np.int64)
        from_start = self.chance.random(len(which)) < 0.5
        starts, stops = self.edges[which], self.edges[which + 1]
        places: Int64Array = np.where(from_start, starts + distance, stops - distance)
        return rows * self.n_units + places

    def anywhere(self) -> Int64Array:
        """Boundaries at each position independently, with the probability that gives the expected
        number.

        The distance from one such position to the next is geometric, so that the work depends on
        the number of boundaries and not on N.
        """
        places = self.n_units - 1
        if not places:
            return np.empty(0, np.int64)
        share = min(1.0, self.errors.false_positives * self.sizes.size / places)
        everywhere = self.count * places
        expected = everywhere * share
        found = np.zeros(1, np.int64)  # counted from 1, hypothesis after hypothesis
        while found[-1] <= everywhere:
            gaps = self.chance.geometric(share, int(expected + 6 * expected**0.5) + 16)
            steps = np.minimum(gaps, everywhere + 1).cumsum() + found[-1]
            found = np.concatenate([found, steps])
        rows, place = np.divmod(found[(found > 0) & (found <= everywhere)] - 1, places)
        return rows * self.n_units + place + 1

    def chosen_with_inside(self) -> tuple[Int64Array, Int64Array]:
        """The chosen segments that have a position inside."""
        rows, which = self.chosen(self.sizes.size, self.errors.false_positives)
        inside = self.sizes[which] > 1
        return rows[inside], which[inside]
