"""What a simulated hypothesis does wrong: which boundaries it misses, moves and adds.

Everything is relative to the reference, so that the kinds of error can be combined at will:

- **misses**: each boundary of the reference is left out with this probability (FN).
- **near misses**: each boundary that is not left out is moved with this probability, by an offset.
  It stays nearer to its own place than to any other boundary of the reference, so that no two
  become one; where there is no room for that, it stays in its place.
- **false positives**: boundaries that are added, where `placement` says:

| placement | with the probability | one boundary more |
|---|---|---|
| `segment` (FP1) | for each segment | at a place inside it, each equally likely |
| `boundary` (FP2) | for each boundary | around it, at a normal distance (NormalOffsets) |
| `ends` (FP2) | for each segment | inside it, at a normal distance from its start or its end |
| `document` (FP3) | as many as for each segment | at any place of the document, independently |

The standard deviation of `boundary` is a quarter of the reference's mean segment, that of `ends` a
quarter of the segment itself, in whole numbers (1 at least); the distance of `ends` is the whole
part of the normal number, and 0 is drawn again. A segment of one unit has no inside, and gets no
boundary. One that falls where a boundary stands already (for `boundary` and `document` that may be
one of the reference) adds nothing.

Source: Pevzner & Hearst (2002) §4. `ends` and `boundary` are two readings of its FP2, of which
`ends` fits the table better (`segscore.papers.pevzner2002` has the evidence).
"""

from dataclasses import dataclass, field
from typing import Literal, get_args

from segscore.arguments import probability, shown
from segscore.errors import SegmentationError
from segscore.simulate.near_offsets import Offsets, UniformOffsets

Placement = Literal["segment", "boundary", "ends", "document"]
PLACEMENTS: tuple[str, ...] = get_args(Placement)


@dataclass(frozen=True)
class Errors:
    """How often a hypothesis errs, and how.

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
