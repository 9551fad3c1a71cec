"""Documents as Arrow columns of every kind that people have, for the tests of engines."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

import segscore as ss
from needs import needs

pytestmark = needs("arrow")

WIDTHS = [
    pa.int8(), pa.uint8(), pa.int16(), pa.uint16(), pa.int32(), pa.uint32(), pa.int64(),
    pa.uint64(),
]  # fmt: skip
LIST_KINDS = ("list", "large_list", "list_view", "large_list_view")
ENCODINGS = ("boundaries", "masses", "labels-end", "labels-start", "gaps")


class Foreign:
    """A table of which nothing is known but its stream, as if another library had made it."""

    def __init__(self, frame: Any) -> None:
        self._frame = frame

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The stream of the table."""
        return self._frame.__arrow_c_stream__(requested_schema)


def encoded(segmentation: ss.Segmentation, encoding: str) -> list[int]:
    """A segmentation as a list."""
    boundaries, n = segmentation.boundaries.tolist(), segmentation.n_units
    if encoding == "boundaries":
        return boundaries
    if encoding == "masses":
        return segmentation.masses.tolist()
    if encoding == "gaps":
        return [int(position in boundaries) for position in range(1, n)]
    if encoding == "labels-end":
        return [int(unit + 1 in boundaries) for unit in range(n)]
    return [int(unit in boundaries) for unit in range(n)]


def list_column(rows: Sequence[list[int] | None], width: Any, kind: str) -> Any:
    """A column of lists of some kind."""
    if kind in ("list", "large_list"):
        return pa.array(rows, pa.list_(width) if kind == "list" else pa.large_list(width))
    plain = pa.array(rows, pa.list_(width))
    offsets = np.asarray(plain.offsets)
    large = kind == "large_list_view"
    integer = pa.int64() if large else pa.int32()
    make = pa.LargeListViewArray if large else pa.ListViewArray
    order = np.arange(len(rows))[::-1]  # views may lie in any order
    values = [rows[i] or [] for i in order]
    sizes = np.diff(offsets)
    starts = np.zeros(len(rows), np.int64)
    starts[order] = np.concatenate(([0], np.cumsum(sizes[order])))[:-1]
    return make.from_arrays(
        pa.array(starts, integer),
        pa.array(sizes, integer),
        pa.array([item for row in values for item in row], width),
        mask=pa.array([row is None for row in rows]),
    )


def table(
    refs: Sequence[ss.Segmentation],
    hyps: Sequence[ss.Segmentation],
    encoding: str = "boundaries",
    width: Any = None,
    kind: str = "list",
) -> Any:
    """A table of documents called d0, d1, …"""
    width = pa.int32() if width is None else width
    return pa.table(
        {
            "ref": list_column([encoded(ref, encoding) for ref in refs], width, kind),
            "hyp": list_column([encoded(hyp, encoding) for hyp in hyps], width, kind),
            "n": pa.array([ref.n_units for ref in refs], pa.int32()),
            "doc": [f"d{i}" for i in range(len(refs))],
        }
    )
