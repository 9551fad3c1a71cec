"""The levels of ranked segmentations, as columns beside `Pairs`.

Level i of a segmentation holds its boundaries of rank ≤ i, ranks counted densely (1, 2, 3 … without
gaps). A segmentation without ranks has one level. Nothing here loops over documents.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from segscore._kernels import hierarchy
from segscore.basics.arguments import Int64Array
from segscore.corpus.lists import Lists
from segscore.errors import SegmentationError
from segscore.pairing.pairs import Pairs


class Ranked(NamedTuple):
    """A side of a batch: the dense rank of each boundary, and its levels, row after row."""

    ranks: NDArray[np.int32]  # one per boundary
    offsets: Int64Array  # levels of row i: offsets[i] … offsets[i+1]
    sizes: Int64Array  # boundaries of each level, those of the levels above included
    rows: Int64Array  # the row that each level belongs to


def ranked(offsets: Int64Array, ranks: Int64Array | None) -> Ranked:
    """Make the ranks of each row dense and count its levels; None means rank 1 for all."""
    n_rows, n_boundaries = len(offsets) - 1, int(offsets[-1])
    row = np.repeat(np.arange(n_rows), np.diff(offsets))
    given = np.ones(n_boundaries, np.int64) if ranks is None else ranks
    order = np.lexsort((given, row))
    row, given = row[order], given[order]
    opens = np.ones(n_boundaries, np.bool_)
    opens[1:] = (row[1:] != row[:-1]) | (given[1:] != given[:-1])
    starts = np.concatenate(([0], np.cumsum(np.bincount(row[opens], minlength=n_rows))))
    dense = np.empty(n_boundaries, np.int32)
    dense[order] = np.cumsum(opens) - starts[row]
    last = np.flatnonzero(np.append(opens[1:], [True] * bool(n_boundaries)))
    return Ranked(dense, starts, last + 1 - offsets[row[last]], row[last])


def without_rows(levels: Ranked, left_out: NDArray[np.bool_]) -> Ranked:
    """The levels without those of the rows that are left out."""
    kept = ~left_out[levels.rows]
    counts = np.bincount(levels.rows[kept], minlength=len(levels.offsets) - 1)
    offsets = np.concatenate(([0], np.cumsum(counts)))
    return Ranked(levels.ranks, offsets, levels.sizes[kept], levels.rows[kept])


def candidates(pairs: Pairs) -> tuple[Lists, Lists]:
    """The candidates of ref and hyp; raise if a boundary is not at a candidate.

    If both sides of a document list candidates, the lists must be equal. If one list is empty, the
    other is valid for both; if both are empty, every position is a candidate.
    """
    none = Lists(np.zeros(len(pairs) + 1, np.int64), np.empty(0, np.int64))
    ref, hyp = pairs.ref_candidates or none, pairs.hyp_candidates or none
    row, ref_position, hyp_position = hierarchy.first_misfit(
        pairs.ref_offsets, pairs.ref_positions, pairs.hyp_offsets, pairs.hyp_positions, *ref, *hyp
    )
    if row >= 0:
        if not ref_position and not hyp_position:
            raise SegmentationError(
                f"{pairs.name(row)}: reference and hypothesis list different candidates: expected "
                "the same candidates, or candidates on one side only"
            )
        side = "reference" if ref_position else "hypothesis"
        raise SegmentationError(
            f"{pairs.name(row)}: boundary {ref_position or hyp_position} of the {side} is not "
            "one of the candidates: expected each boundary to be a candidate"
        )
    return ref, hyp
