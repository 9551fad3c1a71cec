"""The errors of a simulated hypothesis: which boundaries it misses, moves and adds.

All kinds of error are relative to the reference, so that they can be combined:

- **misses**: each boundary of the reference is left out with this probability (FN).
- **near misses**: each boundary that is not left out is moved with this probability, by an offset.
  It stays nearer to its own place than to any other boundary of the reference, so that no two
  boundaries become one; if there is no room for that, it is not moved.
- **false positives**: boundaries that are added at the places that `placement` chooses:

| placement | how often | one more boundary |
|---|---|---|
| `segment` (FP1) | for each segment | at a place inside it, each equally likely |
| `boundary` (FP2) | for each boundary | around it, at a normal distance (NormalOffsets) |
| `ends` (FP2) | for each segment | inside it, at a normal distance from its start or its end |
| `document` (FP3) | as many as for each segment | at any place of the document, independently |

The standard deviation of `boundary` is a quarter of the reference's mean segment, that of `ends` a
quarter of the segment itself, in whole numbers (1 at least); the distance of `ends` is the whole
part of the normal number, and 0 is drawn again. A segment of one unit has no place inside, and gets
no boundary. A boundary at a place that has one already (for `boundary` and `document` it may be one
of the reference) adds nothing.

Source: Pevzner & Hearst (2002) §4. `ends` and `boundary` are two interpretations of its FP2; `ends`
fits the table better (`segscore.papers.pevzner2002` shows this).
"""

from dataclasses import dataclass, field
from typing import Literal, get_args

from segscore.basics.arguments import probability, shown
from segscore.errors import SegmentationError
from segscore.simulate.near_offsets import Offsets, UniformOffsets

Placement = Literal["segment", "boundary", "ends", "document"]
PLACEMENTS: tuple[str, ...] = get_args(Placement)


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
            probability(getattr(self, name), name)
        if self.placement not in PLACEMENTS:
            raise SegmentationError(
                f"placement is {shown(self.placement)}: expected one of {', '.join(PLACEMENTS)}"
            )
        if not isinstance(self.offsets, Offsets):
            raise SegmentationError(
                f"offsets is {shown(self.offsets)}: expected UniformOffsets, NormalOffsets or "
                "WeightedOffsets"
            )
