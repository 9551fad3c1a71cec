"""What metrics of labelled segments share: a label code per segment, and the labels to leave out.

Labels of both sides have one vocabulary, `Pairs.label_names`. A segment without a label matches
nothing. These metrics take at most one label per segment; a segment with several labels is an
error.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from segscore.basics.arguments import Int64Array, shown
from segscore.errors import SegmentationError, named
from segscore.pairing.pairs import Pairs

Codes = NDArray[np.int32]

NO_LABEL, IGNORED = -1, -2  # as kernels know them


def checked_ignore(ignore: Any) -> tuple[str, ...]:
    """The labels to leave out, sorted, each once."""
    names = [ignore] if isinstance(ignore, str) else ignore
    if not isinstance(names, list | tuple | set | frozenset) or not all(
        isinstance(name, str) and name for name in names
    ):
        raise SegmentationError(
            f"ignore is {shown(ignore)}: expected labels, for instance ('background',)"
        )
    return tuple(sorted(set(names)))


def label_codes(pairs: Pairs, side: str, metric: str, ignore: tuple[str, ...] = ()) -> Codes:
    """The code of each segment's label, row after row; empty if this side has no labels at all.

    `side` is "ref" or "hyp", `metric` the name of the metric, for messages.
    """
    labels = getattr(pairs, f"{side}_labels")
    if labels is None:
        return np.empty(0, np.int32)
    counts = np.diff(labels.offsets)
    if counts.size and counts.max() > 1:
        _refuse_several(pairs, side, metric, int(np.argmax(counts > 1)))
    codes: Codes = np.full(len(counts), NO_LABEL, np.int32)
    codes[... if len(labels.values) == len(counts) else counts == 1] = labels.values
    left_out = [code for code, name in enumerate(pairs.label_names) if name in ignore]
    if left_out:
        codes[np.isin(codes, left_out)] = IGNORED
    return codes


def _refuse_several(pairs: Pairs, side: str, metric: str, segment: int) -> None:
    labels, starts = getattr(pairs, f"{side}_labels"), segment_starts(pairs, side)
    row = int(np.searchsorted(starts, segment, side="right")) - 1
    codes = labels.values[labels.offsets[segment] : labels.offsets[segment + 1]]
    side_name = "reference" if side == "ref" else "hypothesis"
    raise SegmentationError(
        f"{pairs.name(row)}: segment {segment - starts[row] + 1} of the {side_name} has the labels "
        f"{named(pairs.label_names[code] for code in codes)}: {metric} expected one label per "
        "segment"
    )


def segment_starts(pairs: Pairs, side: str) -> Int64Array:
    """Where the segments of each row start among all segments, and their number at the end."""
    offsets: Int64Array = getattr(pairs, f"{side}_offsets")
    return offsets + np.arange(len(offsets))


def labelled_segments(pairs: Pairs, side: str, codes: Codes) -> Int64Array:
    """The number of segments of each row that have a label, including ignored labels."""
    if not codes.size:
        return np.zeros(len(pairs), np.int64)
    sums = np.concatenate(([0], np.cumsum(codes != NO_LABEL)))
    found: Int64Array = np.diff(sums[segment_starts(pairs, side)])
    return found


def share_hardly_any(pairs: Pairs, ref: Codes, hyp: Codes) -> bool:
    """Whether both sides have several labels and share at most a quarter of those of the side with
    fewer: free titles, not names from a list."""
    known = np.zeros((2, len(pairs.label_names)), np.bool_)
    for side, codes in zip(known, (ref, hyp), strict=True):
        side[codes[codes >= 0]] = True
    fewer = int(known.sum(axis=1).min())
    return fewer >= 2 and 4 * int(known.all(axis=0).sum()) <= fewer


def unlabelled(pairs: Pairs, metric: str) -> NDArray[np.bool_]:
    """Whether each document has a side without any label."""
    ref, hyp = (
        labelled_segments(pairs, side, label_codes(pairs, side, metric)) for side in ("ref", "hyp")
    )
    found: NDArray[np.bool_] = np.minimum(ref, hyp) == 0
    return found


def without_labels(pairs: Pairs, row: int) -> str:
    """The reason why a document has no value if one side has no labels; otherwise nothing."""
    sides = (("reference", pairs.reference(row)), ("hypothesis", pairs.hypothesis(row)))
    for side_name, coding in sides:
        if not any(coding.segment_labels or ()):
            return f"the {side_name} has no segment labels (segment_labels=[…])"
    return ""
