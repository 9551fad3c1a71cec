"""Annotations and timelines of pyannote as segmentations, and back (needs pyannote.core).

A unit of the segmentation is `resolution` seconds; times are rounded to it. pyannote's segments may
overlap and leave gaps; a segmentation has neither. Overlaps are refused; a gap is, too, or becomes
a segment of its own.
"""

from typing import Any, Literal

from pyannote.core import Annotation, Segment, Timeline

from segscore.adapters.intervals import from_intervals, to_intervals
from segscore.basics.arguments import check_choice, shown
from segscore.coding.segmentation import Segmentation
from segscore.errors import SegmentationError

Gaps = Literal["error", "segment"]


def from_annotation(
    annotation: Any, *, resolution: float = 0.001, gaps: Gaps = "error"
) -> Segmentation:
    """The segmentation that an Annotation (with its labels) or a Timeline describes.

    Parameters
    ----------
    annotation
        One track per segment; a Timeline has no labels.
    resolution
        How long a unit is, in seconds.
    gaps
        What to do about time between segments: `error`, or a `segment` of its own, which has no
        label.

    >>> timeline = Timeline([Segment(0, 1.5), Segment(1.5, 4)])
    >>> from_annotation(timeline, resolution=0.5)
    Segmentation(masses=[3, 5])
    """
    check_choice(gaps, "gaps", ("error", "segment"))
    labelled = isinstance(annotation, Annotation)
    if labelled:
        tracks = [(segment, label) for segment, _, label in annotation.itertracks(yield_label=True)]
    elif isinstance(annotation, Timeline):
        tracks = [(segment, None) for segment in annotation]
    else:
        raise SegmentationError(
            f"annotation is {shown(annotation)}: expected an Annotation or a Timeline"
        )
    if gaps == "segment":
        tracks = _filled(tracks, resolution)
    spans = [(segment.start, segment.end) for segment, _ in tracks]
    labels = [label for _, label in tracks] if labelled else None
    return from_intervals(spans, labels, resolution=resolution)


def to_annotation(
    segmentation: Segmentation,
    *,
    resolution: float = 0.001,
    start: float = 0.0,
    uri: str | None = None,
) -> Any:
    """An Annotation with a track per segment; segments without labels are numbered from 0.

    >>> print(to_annotation(Segmentation.from_masses([3, 5]), resolution=0.5))
    [ 00:00:00.000 -->  00:00:01.500] _ 0
    [ 00:00:01.500 -->  00:00:04.000] _ 1
    """
    spans, labels = to_intervals(segmentation, resolution=resolution, start=start)
    made = Annotation(uri=uri)
    for index, (begin, end) in enumerate(spans.tolist()):
        made[Segment(begin, end)] = str(index) if labels is None else labels[index]
    return made


def _filled(tracks: list[tuple[Any, Any]], resolution: float) -> list[tuple[Any, Any]]:
    """Add a track in each gap that is a unit long or longer."""
    found: list[tuple[Any, Any]] = []
    for segment, label in tracks:
        if found:
            before = found[-1][0].end
            if round(segment.start / resolution) > round(before / resolution):
                found.append((Segment(before, segment.start), None))
        found.append((segment, label))
    return found
