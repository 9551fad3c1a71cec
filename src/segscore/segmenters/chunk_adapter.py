"""Text splitters as segmenters: their chunks are found in the text and placed on its units."""

import warnings
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from segscore.basics.arguments import check_choice, shown
from segscore.coding.chunks_on_units import Placement, place_chunks
from segscore.coding.segmentation import Segmentation
from segscore.errors import SegmentationError
from segscore.segmenters.adapters import Adapter
from segscore.segmenters.segmenter import truth
from segscore.text.chunk_placing import OVERLAPS, Overlap, PlacementWarning

_TOLD = {  # what is more than a matter of where the splitter cuts: one of it, several
    "changed": ("change of white space or marks", "changes of white space or marks"),
    "uncovered": ("character in no chunk", "characters in no chunk"),
}


@dataclass(frozen=True)
class FromChunks(Adapter):
    """A text splitter (of the LangChain, LlamaIndex or Chonkie kind), placed on units.

    Chunks are found in the text as `segscore.place_chunks` finds them: they may overlap, and white
    space, quote marks and dashes in them may differ, which a `PlacementWarning` counts. Text that
    is lost is an error, so that a failed call never counts as a segmentation.

    Parameters
    ----------
    function: called with all units as one text; returns chunks of it in order: texts, offsets, or
        objects with a `text` or `page_content`.
    separator: what is put between the units to make that text. A splitter may drop it.
    inside: what to do if a chunk starts inside a unit: "nearest" moves the boundary to the nearer
        end of that unit; "error" raises an error.
    overlap: where the boundary is if two chunks overlap: at the "start" of the later one, in the
        "middle" of what they share, or at the "end" of the earlier one.
    allow_gaps: accept text that is in no chunk; it then belongs to the chunk before it.

    >>> halves = FromChunks(lambda text: [text[:7], text[7:]])
    >>> halves(["One two.", "Three.", "Four."])
    Segmentation(masses=[1, 2])
    """

    name: ClassVar[str] = "chunks"

    separator: str = "\n"
    inside: Literal["nearest", "error"] = "nearest"
    overlap: Overlap = "start"
    allow_gaps: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice(self.inside, "inside", ("nearest", "error"))
        check_choice(self.overlap, "overlap", OVERLAPS)
        truth(self.allow_gaps, "allow_gaps")
        if not isinstance(self.separator, str) or not self.separator:
            raise SegmentationError(f"separator is {shown(self.separator)}: expected a text")

    def _argument(self, units: list[str]) -> Any:
        return self.separator.join(units)

    def _read(self, result: Any, units: list[str]) -> Segmentation:
        edges = self._edges(units)
        if result is None or not edges:
            raise SegmentationError(f"chunks is {shown(result)}: expected a list of texts")
        try:
            placed = place_chunks(
                self.separator.join(units),
                result,
                [(start, end) for _, start, end in edges],
                overlap=self.overlap,
                allow_gaps=True,  # checked below: separators may be lost
            )
        except SegmentationError as error:
            raise SegmentationError(f"chunks: {error}") from None
        self._check(placed, edges)
        # units without text are no units for the placement
        boundaries = [edges[one][0] for one in placed.segmentation.boundaries.tolist()]
        return Segmentation.from_boundaries(boundaries, len(units))

    def _edges(self, units: list[str]) -> list[tuple[int, int, int]]:
        """Index, start and end of each unit that has text, in the joined text."""
        edges = []
        at = 0
        for index, unit in enumerate(units):
            text = unit.strip()
            if text:
                start = at + unit.index(text)
                edges.append((index, start, start + len(text)))
            at += len(unit) + len(self.separator)
        return edges

    def _check(self, placed: Placement, edges: list[tuple[int, int, int]]) -> None:
        """Refuse lost text and what the parameters rule out; say what was changed."""
        if placed.moved and self.inside == "error":
            raise SegmentationError(
                f"chunks: chunk {placed.moved[0].chunk} starts inside a unit: expected chunks of "
                "whole units; inside='nearest' moves boundaries to the nearer end"
            )
        lost = any(
            start < gap_end and gap_start < end
            for gap_start, gap_end in placed.uncovered
            for _, start, end in edges
        )
        if lost:
            placed.check_coverage(self.allow_gaps)
        counts = placed.counts()
        told = [
            f"{counts[name]} {several if counts[name] > 1 else one}"
            for name, (one, several) in _TOLD.items()
            if counts[name]
        ]
        if placed.changed or lost:
            warnings.warn(f"chunks: {', '.join(told)}", PlacementWarning, stacklevel=2)
