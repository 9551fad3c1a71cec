"""Random references, hypotheses and coders.

All randomness comes from `seed`, a whole number or a NumPy `Generator`: the same seed gives the
same result (with the same version of NumPy). Hypotheses are generated in blocks, as flat arrays,
without a loop over them.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from segscore.basics.arguments import LARGEST, Seed, generator, shown, whole_number
from segscore.coding.segmentation import Segmentation
from segscore.corpus.corpus import Corpus
from segscore.errors import SegmentationError
from segscore.pairing.pairs import Pairs
from segscore.simulate.coder_errors import Errors, Marking
from segscore.simulate.distributions import SegmentSizes

_BLOCK = 2**18  # boundaries of the reference per block: 30 MB at most
_MOST = 10**8  # boundaries of references in one batch: 0.8 GB, and about as much for hypotheses


def references(
    sizes: SegmentSizes, n_segments: int, n: int = 1, *, seed: Seed
) -> list[Segmentation]:
    """`n` references of `n_segments` segments each, their sizes drawn independently.

    >>> from segscore.simulate import UniformSizes
    >>> references(UniformSizes(2, 4), 5, n=2, seed=1)
    [Segmentation(masses=[2, 3, 3, 3, 2]), Segmentation(masses=[2, 3, 3, 2, 2])]
    """
    if not isinstance(sizes, SegmentSizes):
        raise SegmentationError(
            f"sizes is {shown(sizes)}: expected UniformSizes, GeometricSizes, EmpiricalSizes or "
            "FixedSizes"
        )
    segments, count = whole_number(n_segments, "n_segments", 1), whole_number(n, "n", 1)
    _check_room(count, segments)
    drawn = sizes.draw(segments * count, generator(seed)).reshape(count, segments)
    return [Segmentation.from_masses(one) for one in drawn]


def hypotheses(
    refs: Segmentation | Sequence[Segmentation], errors: Errors, n: int = 1, *, seed: Seed
) -> Pairs:
    """`n` hypotheses of each reference, with errors of these kinds; ready to be scored.

    Row i of the pairs is hypothesis i % n of reference i // n. Only positions are used: types,
    ranks and candidates of a reference are dropped. Memory: 8 bytes for each boundary of either
    side (twice that while they are joined), and 30 MB.

    >>> from segscore.simulate import FixedSizes
    >>> refs = references(FixedSizes(10), 1000, seed=1)
    >>> pairs = hypotheses(refs, Errors(misses=0.5), n=100, seed=1)
    >>> from segscore import score
    >>> round(score(pairs, metrics="pk")["pk"].macro, 2)
    0.25
    """
    chance = generator(seed)
    given = _references(refs)
    if not isinstance(errors, Errors):
        raise SegmentationError(f"errors is {shown(errors)}: expected Errors(misses=…, …)")
    count = whole_number(n, "n", 1)
    _check_room(count, sum(ref.n_segments for ref in given))
    counts, places = [np.zeros(1, np.int64)], []
    for ref in given:
        for size in _blocks(ref, count):
            block_counts, block_places = Marking(ref, size, errors, chance).boundaries()
            counts.append(block_counts)
            places.append(block_places)
    ref_counts = np.repeat([ref.n_segments - 1 for ref in given], count)
    return Pairs(
        np.repeat([ref.n_units for ref in given], count),
        np.concatenate([[0], ref_counts.cumsum()]),
        np.concatenate([np.tile(ref.boundaries, count) for ref in given]),
        np.concatenate(counts).cumsum(),
        np.concatenate(places),
    )


def coders(
    refs: Segmentation | Sequence[Segmentation], errors: Errors, n: int, *, seed: Seed
) -> Corpus:
    """A corpus of `n` simulated coders for each reference; their codings have these errors.

    Documents and coders are named "1", "2" and so on; the reference is not one of the codings.

    >>> from segscore.simulate import UniformSizes
    >>> ref = references(UniformSizes(2, 9), 20, seed=1)
    >>> coders(ref, Errors(misses=0.2, near_misses=0.1), 3, seed=1)
    Corpus(1 document, 3 codings, coders: '1', '2', '3')
    """
    pairs = hypotheses(refs, errors, n, seed=seed)
    starts = pairwise(range(0, len(pairs) + 1, n))
    codings = {
        str(number): {str(row - first + 1): pairs.hypothesis(row) for row in range(first, end)}
        for number, (first, end) in enumerate(starts, 1)
    }
    return Corpus.from_dict(codings)


def _references(given: Any) -> list[Segmentation]:
    listed = [given] if isinstance(given, Segmentation) else given
    if not isinstance(listed, list | tuple) or not listed:
        raise SegmentationError(
            f"refs is {shown(given)}: expected a Segmentation, or a list of at least one"
        )
    for index, one in enumerate(listed):
        if not isinstance(one, Segmentation):
            raise SegmentationError(f"refs[{index}] is {shown(one)}: expected a Segmentation")
    return list(listed)


def _check_room(count: int, segments: int) -> None:
    if count * segments > _MOST:
        raise SegmentationError(
            f"{count} times {segments} segments would take {count * segments * 16 / 1e9:.0f} GB: "
            f"expected at most {_MOST} segments in total; use several batches, with one NumPy "
            "generator as the seed"
        )


def _blocks(ref: Segmentation, count: int) -> list[int]:
    """The number of hypotheses in each block."""
    size = max(1, min(_BLOCK // ref.n_segments, LARGEST // ref.n_units))
    whole, rest = divmod(count, size)
    return [size] * whole + [rest] * bool(rest)
