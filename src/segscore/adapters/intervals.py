"""Segments as intervals of time, as mir_eval and pyannote have them, and back.

mir_eval takes an array of intervals in seconds (segment × start, end) and a list of labels; no
package is needed to make those. A unit of the segmentation is `resolution` seconds; times are
rounded to it. Intervals follow each other without gaps: where one ends, the next one starts.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from segscore.basics.arguments import LARGEST, Floats, Int64Array, number, shown
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
    spans = _spans(intervals)
    times = _units(spans, _resolution(resolution))
    for index in range(1, len(times)):
        if times[index, 0] != times[index - 1, 1]:
            kind = "a gap" if times[index, 0] > times[index - 1, 1] else "an overlap"
            raise SegmentationError(
                f"intervals[{index}] starts at {spans[index, 0]:g} s, the one before it ends "
                f"at {spans[index - 1, 1]:g} s: there is {kind}: expected one after the other"
            )
    return _labelled(times[:, 1] - times[:, 0], labels)


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
    step = _resolution(resolution)
    ends = [0, *segmentation.boundaries.tolist(), segmentation.n_units]
    times = number(start, "start", "a time in seconds") + np.array(ends) * step
    return Intervals(np.column_stack([times[:-1], times[1:]]), _labels_of(segmentation))


def _labels_of(segmentation: Segmentation) -> list[str] | None:
    """A text per segment, "" if it has no label; None if none has."""
    labels = segmentation.segment_labels
    if labels is None:
        return None
    for index, label in enumerate(labels):
        if isinstance(label, frozenset):
            raise SegmentationError(
                f"segment {index} has the labels {named(sorted(label))}: expected one at most, "
                "because an interval has one"
            )
    return [label if isinstance(label, str) else "" for label in labels]


def _labelled(masses: Int64Array, labels: Sequence[Any] | None) -> Segmentation:
    """The labels as texts; empty labels become None."""
    if labels is None:
        return Segmentation.from_masses(masses.tolist())
    texts = [None if label is None or str(label) == "" else str(label) for label in labels]
    return Segmentation.from_masses(masses.tolist(), segment_labels=texts)


def _resolution(given: Any) -> float:
    step = number(given, "resolution", "a number of seconds above 0")
    if step <= 0:
        raise SegmentationError(f"resolution is {given}: expected a number of seconds above 0")
    return step


def _spans(given: Any) -> Floats:
    try:
        spans = np.array(given, np.float64)
    except (TypeError, ValueError):
        raise SegmentationError(
            f"intervals is {shown(given)}: expected an array of starts and ends, in seconds"
        ) from None
    if spans.ndim != 2 or spans.shape[1] != 2 or not len(spans):
        raise SegmentationError(
            f"intervals has the shape {spans.shape}: expected a row per segment, start and end"
        )
    return spans


def _units(spans: Floats, step: float) -> Int64Array:
    """Starts and ends in units."""
    for index, (start, end) in enumerate(spans.tolist()):
        if not np.isfinite([start, end]).all() or abs(end / step) > LARGEST:
            raise SegmentationError(f"intervals[{index}] is {start}, {end}: expected times")
        if round(end / step) <= round(start / step):
            raise SegmentationError(
                f"intervals[{index}] from {start:g} s to {end:g} s has no unit of {step:g} s: "
                "expected an end after the start, or a finer resolution"
            )
    found: Int64Array = np.rint(spans / step).astype(np.int64)
    return found
