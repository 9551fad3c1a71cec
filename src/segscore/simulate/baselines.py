"""Baselines that need no text: what any real segmenter should beat.

A document consists of n pieces: its units or, if `candidates` are given, the parts between them
(with words as units and line ends as candidates, the lines). Each baseline places its boundaries
between pieces, and numbers of segments and sizes count pieces. Candidates stay with the result, for
hierarchical metrics. All randomness comes from `rng`, a whole number or a NumPy `Generator`: the
same seed gives the same segmentation.

Sources: Hearst (1997), random boundaries with the frequency of people's; Choi (2000), all, none,
equal and random; Carroll (2010), recursive bisection (BIN), ranked; Fournier (2013), segment sizes
as people made them.
"""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from segscore._kernels import random_places
from segscore.basics.arguments import Int64Array, Seed, as_integers, generator, packed, whole_number
from segscore.basics.arguments import probability as checked_probability
from segscore.coding.constructor_checks import refuse_first
from segscore.coding.segmentation import Segmentation
from segscore.errors import SegmentationError

__all__ = ["all", "bisect", "none", "random", "uniform"]

Positions = Iterable[int] | None
_MOST_PLACES = 10_000  # beyond it NumPy may choose places in another way
_AT_ONCE = 50_000  # documents


Pieces = tuple[int, Int64Array | None, int]  # units, candidates, and the number of pieces


def _pieces(n_units: int, candidates: Positions) -> Pieces:
    """The pieces of a document."""
    if candidates is None:
        n = whole_number(n_units, "n_units", 1)
        return n, None, n
    checked = Segmentation.from_boundaries([], n_units, candidates=candidates)
    positions = checked.candidates
    assert positions is not None  # noqa: S101  # they were given
    return checked.n_units, positions, positions.size + 1


def _cut(pieces: Pieces, after: Any, ranks: Any = None) -> Segmentation:
    """The segmentation with a boundary after each of these numbers of pieces."""
    n_units, candidates, _ = pieces
    places = np.asarray(after, np.int64)
    if candidates is None and ranks is None:  # drawn by the million, right by construction
        return Segmentation._make(n_units, np.sort(places).tobytes())
    if candidates is not None:
        places = candidates[places - 1]
    return Segmentation.from_boundaries(places, n_units, ranks=ranks, candidates=candidates)


def none(n_units: int, *, candidates: Positions = None) -> Segmentation:
    """A segmentation without a boundary: a single segment.

    >>> none(5)
    Segmentation(masses=[5])
    """
    return _cut(_pieces(n_units, candidates), [])


def all(n_units: int, *, candidates: Positions = None) -> Segmentation:  # noqa: A001
    """A segmentation with a boundary at every candidate position.

    >>> all(5)
    Segmentation(masses=[1, 1, 1, 1, 1])
    """
    pieces = _pieces(n_units, candidates)
    return _cut(pieces, np.arange(1, pieces[-1]))


def uniform(n_units: int, n_segments: int, *, candidates: Positions = None) -> Segmentation:
    """A segmentation into equal segments: boundary i after round(i · n / K) pieces, halves to even.

    >>> uniform(10, 4)
    Segmentation(masses=[2, 3, 3, 2])
    """
    pieces = _pieces(n_units, candidates)
    wanted = whole_number(n_segments, "n_segments", 1, pieces[-1])
    return _cut(pieces, [round(Fraction(i * pieces[-1], wanted)) for i in range(1, wanted)])


def uniform_columns(
    n_units: ArrayLike, n_segments: ArrayLike
) -> tuple[Int64Array, Int64Array] | None:
    """`uniform(n, k)` for many documents: the boundaries as offsets and positions; None if numbers
    are too large, or if an argument is invalid.

    >>> uniform_columns([10, 5, 7], [4, 1, 2])
    (array([0, 3, 3, 4]), array([2, 5, 8, 4]))
    """
    units, segments = np.array(n_units, np.int64), np.array(n_segments, np.int64)
    if (segments < 1).any() or (segments > units).any() or (units > 2**31).any():
        return None
    offsets = np.concatenate([[0], (segments - 1).cumsum()]).astype(np.int64)
    positions = np.empty(offsets[-1], np.int64)
    for first in range(0, len(units), _AT_ONCE):
        some = slice(first, first + _AT_ONCE)
        starts, counts = offsets[:-1][some], segments[some] - 1
        which = np.arange(1, counts.sum() + 1) - np.repeat(starts - starts[0], counts)
        of = np.repeat(segments[some], counts)
        whole, rest = np.divmod(which * np.repeat(units[some], counts), of)
        up = (2 * rest > of) | ((2 * rest == of) & (whole % 2 == 1))
        positions[starts[0] : starts[0] + len(which)] = whole + up
    return offsets, positions


def bisect(n_units: int, depth: int | None = None, *, candidates: Positions = None) -> Segmentation:
    """A segmentation by recursive bisection (BIN of Carroll 2010), ranked by depth: 1 is the first
    cut.

    Pieces a … b are cut after ceil((a+b)/2), and both halves again, `depth` times or until every
    piece is a segment.

    >>> halves = bisect(8, depth=2)
    >>> halves.boundaries, halves.ranks
    (array([2, 4, 6]), array([2, 1, 2]))
    """
    pieces = _pieces(n_units, candidates)
    most = None if depth is None else whole_number(depth, "depth", 0)
    ends = np.array([0, pieces[-1]], np.int64)
    cuts: list[Int64Array] = []
    while most is None or len(cuts) < most:
        starts, stops = ends[:-1], ends[1:]
        middles = (starts + stops + 1) // 2
        middles = middles[middles < stops]
        if not middles.size:
            break
        cuts.append(middles)
        ends = np.sort(np.concatenate([ends, middles]))
    ranks = np.repeat(np.arange(1, len(cuts) + 1), [level.size for level in cuts])
    return _cut(pieces, np.concatenate(cuts) if cuts else [], ranks)


def random(
    n_units: int,
    *,
    n_segments: int | None = None,
    n_boundaries: int | None = None,
    probability: float | None = None,
    sizes: Iterable[int] | None = None,
    rng: Seed,
    candidates: Positions = None,
) -> Segmentation:
    """A segmentation with random boundaries, drawn in one of these ways.

    - `n_segments`: the number of segments; each choice of boundaries is equally likely.
      `n_boundaries` gives the number of boundaries instead, one fewer; Kazantseva & Szpakowicz
      (2012) place as many boundaries as people have segments on average.
    - `probability`: the probability of a boundary between any two pieces, independently of others.
    - `sizes`: segment sizes to draw from, with replacement, such as all sizes of people's segments,
      until the document is full; the last segment is cut short.

    >>> random(20, n_segments=4, rng=1).n_segments
    4
    >>> random(20, sizes=[5, 5], rng=1)
    Segmentation(masses=[5, 5, 5, 5])
    """
    pieces = _pieces(n_units, candidates)
    n_pieces, chance = pieces[-1], generator(rng)
    given = sum(option is not None for option in (n_segments, n_boundaries, probability, sizes))
    if given != 1:
        raise SegmentationError(
            f"random got {given} of n_segments, n_boundaries, probability and sizes: expected "
            "exactly one"
        )
    if sizes is not None:
        return _cut(pieces, _ends(n_pieces, sizes, chance))
    if probability is not None:
        # A binomial number of places, all choices equally likely, is the same as a coin per place.
        share = checked_probability(probability, "probability")
        count = int(chance.binomial(n_pieces - 1, share))
    elif n_boundaries is not None:
        count = whole_number(n_boundaries, "n_boundaries", 0, n_pieces - 1)
    else:
        count = whole_number(n_segments, "n_segments", 1, n_pieces) - 1
    return _cut(pieces, chance.choice(n_pieces - 1, count, replace=False, shuffle=False) + 1)


def random_columns(
    n_units: ArrayLike, n_segments: ArrayLike, seed: int
) -> tuple[Int64Array, Int64Array] | None:
    """`random(n, n_segments=k, rng=generator)` for many documents, with the same generator for
    all.

    It returns the boundaries as offsets and positions; None if a document is too long, or if an
    argument is invalid.

    >>> chance = np.random.default_rng(3)
    >>> [random(n, n_segments=k, rng=chance) for n, k in [(9, 3), (5, 1), (20, 3)]]
    [Segmentation(masses=[1, 5, 3]), Segmentation(masses=[5]), Segmentation(masses=[4, 1, 15])]
    >>> random_columns([9, 5, 20], [3, 1, 3], seed=3)
    (array([0, 2, 2, 4]), array([1, 6, 4, 5]))
    """
    places, counts = np.array(n_units, np.int64) - 1, np.array(n_segments, np.int64) - 1
    if (places > _MOST_PLACES).any() or (counts > places).any() or (counts < 0).any():
        return None  # NumPy draws in another way
    offsets = np.concatenate([[0], counts.cumsum()]).astype(np.int64)
    positions = np.empty(offsets[-1], np.int64)
    n_words = len(positions) + 64  # a few more: some are left out, fewer than 1 in 400,000
    done = -1
    while done < len(places):
        words: NDArray[np.uint32] = np.random.default_rng(seed).integers(
            0, 2**32, n_words, np.uint32
        )
        done = random_places.choices(places, offsets, words, positions)
        n_words *= 2
    return offsets, positions


def checked_sizes(sizes: Any, expected: str, longest: int = 2**63 - 1) -> Int64Array:
    """Segment sizes; raise unless there is one, and each is 1 … `longest`."""
    pool = as_integers(packed(sizes, "sizes", expected))
    if not pool.size:
        raise SegmentationError(f"sizes is empty: expected {expected}")
    refuse_first((pool < 1) | (pool > longest), pool, "sizes", expected)
    return pool


def _ends(pieces: int, sizes: Iterable[int], chance: np.random.Generator) -> Int64Array:
    """Where segments of drawn sizes end, up to the end of the document."""
    pool = checked_sizes(sizes, "segment sizes, whole numbers of at least 1")
    pool = np.minimum(pool, pieces)  # longer than the document is as good as just as long
    ends = np.zeros(1, np.int64)
    while ends[-1] < pieces:
        draws = int((pieces - ends[-1]) / pool.mean()) + 16
        drawn = np.minimum(chance.choice(pool, draws).cumsum() + ends[-1], pieces)
        ends = np.concatenate([ends, drawn])
    return ends[(ends > 0) & (ends < pieces)]
