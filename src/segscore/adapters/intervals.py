"""Segments as intervals of time, as mir_eval and pyannote have them, and back.

mir_eval takes an array of intervals in seconds (segment × start, end) and a list of labels; no
package is needed to make those. A unit of the segmentation is `resolution` seconds; times are
rounded to it. Intervals follow each other without gaps: where one ends, the next one starts.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from segscore.basics.arguments import LARGEST, Floats, number, shown
from segscore.coding.segmentation import Segmentation
from segscore.errors import SegmentationError, named


class Intervals(NamedTuple):
    """mir_eval's two arguments for a side: intervals in seconds, and their labels (or None).

    A segment without a label among others that have one is labelled ""."""

    intervals: Floats
    labels: list[str] | None


def from_intervals(
    intervals: Any, labels: Sequence[Any] | None = None, *, resolution: float = 0.001
) -> Segmentation:
    """The segmentation that an array of intervals describes; the first start is its beginning.

    intervals: start and end of each segment, in seconds, without gaps.
    labels: a label per segment.
    resolution: the length of a unit, in seconds.

    >>> from_intervals([[0, 1.5], [1.5, 4]], resolution=0.5)
    Segmentation(masses=[3, 5])
    """
    try:
        spans = np.array(intervals, np.float64)
    except (TypeError, ValueError):
        raise SegmentationError(
            f"intervals is {shown(intervals)}: expected an array of starts and ends, in seconds"
        ) from None
    if spans.ndim != 2 or spans.shape[1] != 2 or not len(spans):
        raise SegmentationError(
            f"intervals has the shape {spans.shape}: expected a row per segment, start and end"
        )
    step = _resolution(resolution)
    before = None
    masses = []
    for index, (start, end) in enumerate(spans.tolist()):
        if not np.isfinite([start, end]).all() or abs(end / step) > LARGEST:
            raise SegmentationError(f"intervals[{index}] is {start}, {end}: expected times")
        first, last = round(start / step), round(end / step)
        if last <= first:
            raise SegmentationError(
                f"intervals[{index}] from {start:g} s to {end:g} s has no unit of {step:g} s: "
                "expected an end after the start, or a finer resolution"
            )
        if before is not None and first != before:
            kind = "a gap" if first > before else "an overlap"
            raise SegmentationError(
                f"intervals[{index}] starts at {start:g} s, the one before it ends at "
                f"{spans[index - 1, 1]:g} s: there is {kind}: expected one after the other"
            )
        masses.append(last - first)
        before = last
    texts = None
    if labels is not None:
        texts = [None if label is None else str(label) or None for label in labels]
    return Segmentation.from_masses(masses, segment_labels=texts)


def to_intervals(
    segmentation: Segmentation, *, resolution: float = 0.001, start: float = 0.0
) -> Intervals:
    """The intervals of a segmentation, in seconds from `start`, with the labels of its segments.

    resolution: the length of a unit, in seconds.

    >>> to_intervals(Segmentation.from_masses([3, 5]), resolution=0.5).intervals.tolist()
    [[0.0, 1.5], [1.5, 4.0]]
    """
    if not isinstance(segmentation, Segmentation):
        raise SegmentationError(f"segmentation is {shown(segmentation)}: expected a Segmentation")
    ends = np.array([0, *segmentation.boundaries.tolist(), segmentation.n_units])
    times = number(start, "start", "a time in seconds") + ends * _resolution(resolution)
    labels: list[str] | None = None
    if segmentation.segment_labels is not None:
        labels = []
        for index, label in enumerate(segmentation.segment_labels):
            if isinstance(label, frozenset):
                raise SegmentationError(
                    f"segment {index} has the labels {named(sorted(label))}: expected one at "
                    "most, because an interval has one"
                )
            labels.append(label if isinstance(label, str) else "")
    return Intervals(np.column_stack([times[:-1], times[1:]]), labels)


def _resolution(given: Any) -> float:
    step = number(given, "resolution", "a number of seconds above 0")
    if step <= 0:
        raise SegmentationError(f"resolution is {given}: expected a number of seconds above 0")
    return step
