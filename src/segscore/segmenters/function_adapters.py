"""Turn functions of other programs into segmenters, by what they return.

Each adapter turns a function into a segmenter. If the function has a parameter `n_segments`, or
takes any parameter (`**options`), it receives the number of segments. If not, it is called with the
units alone, and a number of segments is an error (`benchmark` then gives none).

- `FromMasses`: segment lengths in units;
- `FromBoundaries`: the positions of the boundaries, without 0 and N;
- `FromStarts`: the index of each segment's first unit, 0 at the start;
- `FromEnds`: the index after each segment's last unit, N at the end (ruptures);
- `FromFlags`: a 0 or 1 per unit, 1 at the start or at the end of a segment;
- `FromIds`: a topic, or any other name of a segment, per unit;
- `FromGroups`: lists of units, one list per segment;
- `FromChunks`: a text splitter, which cuts the whole text into pieces; these are found in the text
  and placed on its units.
"""

import inspect
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from segscore.basics.arguments import check_choice, packed, shown, truth, unpacked, whole_number
from segscore.coding.chunks_on_units import place_chunks
from segscore.coding.segmentation import Segmentation
from segscore.corpus.provenance import Provenance
from segscore.errors import SegmentationError
from segscore.segmenters.segmenter import Segmenter
from segscore.text.chunk_placing import (
    GAPS,
    OVERLAPS,
    Gaps,
    Overlap,
    PlacementWarning,
    placing_told,
)
from segscore.text.folding import is_blank
from segscore.text.located_units import LocatedUnits, SourceText, source_text
from segscore.text.unit_splitting import SNAP

Function = Callable[..., Any]


def takes_number(function: Function) -> bool:
    """Whether a user's function has a parameter `n_segments`, or takes any (`**options`)."""
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):  # some built-in functions have no signature
        return False
    return "n_segments" in parameters or any(
        parameter.kind is inspect.Parameter.VAR_KEYWORD for parameter in parameters.values()
    )


def call(function: Function, argument: Any, n_segments: int | None) -> Any:
    """Call a user's function, with a number of segments if it takes one.

    A function that takes any parameter receives the number only if there is one.
    """
    if takes_number(function):
        named = "n_segments" in inspect.signature(function).parameters
        options = {"n_segments": n_segments} if named or n_segments is not None else {}
        return function(argument, **options)
    if n_segments is None:
        return function(argument)
    raise SegmentationError(
        f"n_segments is {n_segments}, but {shown(function)} has no parameter n_segments: give "
        "n_segments=None, or a function with that parameter"
    )


def as_segmenter(segmenter: Function) -> Segmenter:
    """Turn any callable into a segmenter that checks that the result is a Segmentation of these
    units.

    segmenter: called with units, and with the number of segments if it takes one.

    >>> as_segmenter(lambda units: Segmentation.from_masses([1, 2]))(["a", "b", "c"])
    Segmentation(masses=[1, 2])
    """
    return segmenter if isinstance(segmenter, Segmenter) else FromSegmentation(segmenter)


@dataclass(frozen=True)
class FromSegmentation(Segmenter):
    """A plain function that returns a `Segmentation`, whose result is checked to fit the units.

    The other adapters say how to read what their functions return.
    """

    name: ClassVar[str] = "function"

    function: Function

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise SegmentationError(f"function is {shown(self.function)}: expected a function")

    def takes_number(self) -> bool:
        """Whether it accepts the number of segments."""
        return takes_number(self.function)

    def _segment(self, units: list[str], n_segments: int | None) -> Segmentation:
        found = self._read(call(self.function, units, n_segments), units)
        return self._checked(found, len(units), n_segments)

    def _checked(self, found: Segmentation, n_units: int, n_segments: int | None) -> Segmentation:
        """The result, checked: it must have these units, and `n_segments` segments if that is
        given."""
        if found.n_units != n_units:
            raise SegmentationError(
                f"{self.name}: the result covers {found.n_units} units: expected {n_units}"
            )
        if n_segments is not None and found.n_segments != n_segments:
            raise SegmentationError(
                f"{self.name}: the result has {found.n_segments} segments: expected {n_segments}"
            )
        return found

    def _read(self, result: Any, _units: list[str]) -> Segmentation:
        """The function's result, as a segmentation."""
        if not isinstance(result, Segmentation):
            raise SegmentationError(
                f"the segmenter returned {shown(result)}: expected a Segmentation; for masses, "
                "boundaries, starts, ends, flags, ids, groups or chunks use FromMasses, "
                "FromBoundaries, FromStarts, FromEnds, FromFlags, FromIds, FromGroups, FromChunks"
            )
        return result


@dataclass(frozen=True)
class FromMasses(FromSegmentation):
    """A function that returns segment lengths.

    Parameters
    ----------
    function: called with a list of units, and with `n_segments` if it has such a parameter;
        returns the number of units in each segment.

    >>> FromMasses(lambda units: [2, len(units) - 2])(["a", "b", "c", "d", "e"])
    Segmentation(masses=[2, 3])
    """

    name: ClassVar[str] = "masses"

    def _read(self, result: Any, _units: list[str]) -> Segmentation:
        return Segmentation.from_masses(result)


@dataclass(frozen=True)
class FromEnds(FromSegmentation):
    """A function that returns where segments end, N included, as ruptures does.

    Parameters
    ----------
    function: called with a list of units, and with `n_segments` if it has such a parameter;
        returns the index after the last unit of each segment, N at the end.

    >>> FromEnds(lambda units: [2, 5])(["a", "b", "c", "d", "e"])
    Segmentation(masses=[2, 3])
    """

    name: ClassVar[str] = "ends"

    def _read(self, result: Any, units: list[str]) -> Segmentation:
        n = len(units)
        ends = unpacked(packed(result, "ends", f"ascending positions, the last of them {n}"))
        if not ends.size or ends[-1] != n:
            last = ends[-1] if ends.size else "missing"
            raise SegmentationError(
                f"ends: the last end is {last}: expected {n}, the number of units"
            )
        return Segmentation.from_boundaries(ends[:-1], n)


@dataclass(frozen=True)
class FromBoundaries(FromSegmentation):
    """A function that returns the positions of boundaries.

    Parameters
    ----------
    function: called with a list of units, and with `n_segments` if it has such a parameter; returns
        the number of units before each boundary: 1 … N-1.

    >>> FromBoundaries(lambda units: [2])(["a", "b", "c", "d", "e"])
    Segmentation(masses=[2, 3])
    """

    name: ClassVar[str] = "boundaries"

    def _read(self, result: Any, units: list[str]) -> Segmentation:
        return Segmentation.from_boundaries(result, len(units))


@dataclass(frozen=True)
class FromStarts(FromSegmentation):
    """A function that returns where segments start.

    Parameters
    ----------
    function: called with a list of units, and with `n_segments` if it has such a parameter;
        returns the index of the first unit of each segment, counted from 0, which comes first.

    >>> FromStarts(lambda units: [0, 2])(["a", "b", "c", "d", "e"])
    Segmentation(masses=[2, 3])
    """

    name: ClassVar[str] = "starts"

    def _read(self, result: Any, units: list[str]) -> Segmentation:
        n = len(units)
        starts = unpacked(packed(result, "starts", f"ascending indices 0 … {n - 1}, 0 first"))
        if not starts.size or starts[0] != 0:
            first = starts[0] if starts.size else "missing"
            raise SegmentationError(
                f"starts: the first start is {first}: expected 0, the first unit; for boundaries "
                "alone use FromBoundaries"
            )
        return Segmentation.from_boundaries(starts[1:], n)


@dataclass(frozen=True)
class FromIds(FromSegmentation):
    """A function that returns a topic, or any other name of a segment, per unit.

    Parameters
    ----------
    function: called with a list of units, and with `n_segments` if it has such a parameter;
        returns a number or text per unit. There is a boundary wherever it changes.

    >>> FromIds(lambda units: ["cats", "cats", "stars", "stars", "cats"])(["a", "b", "c", "d", "e"])
    Segmentation(masses=[2, 2, 1])
    """

    name: ClassVar[str] = "ids"

    def _read(self, result: Any, _units: list[str]) -> Segmentation:
        return Segmentation.from_segment_ids(result)


@dataclass(frozen=True)
class FromGroups(FromSegmentation):
    """A function that returns the units in groups, one list per segment.

    Parameters
    ----------
    function: called with a list of units, and with `n_segments` if it has such a parameter;
        returns lists of the units as they were given, in order. An empty list is left out.

    >>> FromGroups(lambda units: [units[:2], units[2:]])(["a", "b", "c", "d", "e"])
    Segmentation(masses=[2, 3])
    """

    name: ClassVar[str] = "groups"

    def _read(self, result: Any, units: list[str]) -> Segmentation:
        if isinstance(result, str) or not isinstance(result, Iterable):
            raise SegmentationError(f"groups is {shown(result)}: expected a list of lists of units")
        groups = list(result)
        for index, group in enumerate(groups):
            if isinstance(group, str) or not isinstance(group, Iterable):
                raise SegmentationError(
                    f"groups[{index}] is {shown(group)}: expected a list of units"
                )
        lists = [list(group) for group in groups]
        flat = [unit for group in lists for unit in group]
        for index, (given, unit) in enumerate(zip(flat, units, strict=False)):
            if given != unit:
                raise SegmentationError(
                    f"groups: unit {index} is {shown(given)}: expected {shown(unit)}"
                )
        return Segmentation.from_masses([len(group) for group in lists if group])


@dataclass(frozen=True)
class FromFlags(FromSegmentation):
    """A function that returns a 0 or 1 per unit.

    Parameters
    ----------
    function: called with a list of units, and with `n_segments` if it has such a parameter;
        returns a 0 or 1 per unit.
    marks: what a 1 means: the "start" of a segment, or its "end".

    >>> FromFlags(lambda units: [1, 0, 1, 0, 0], marks="start")(["a", "b", "c", "d", "e"])
    Segmentation(masses=[2, 3])
    """

    name: ClassVar[str] = "flags"

    marks: Literal["end", "start"]

    def _read(self, result: Any, _units: list[str]) -> Segmentation:
        return Segmentation.from_labels(result, self.marks)


# ---- text splitters ----


@dataclass(frozen=True)
class FromChunks(FromSegmentation):
    """A text splitter (of the LangChain, LlamaIndex or Chonkie kind), placed on units.

    The splitter is called with the text of the document. If its units were read from a file of text
    (`segscore.read("guide.md")["guide"].units`, and `benchmark` of such a corpus), that is the
    complete text of the file, with headings, code and blank lines; if not, the units put together.

    Chunks are found in the text as by `segscore.chunks.place`: they may overlap, and white space,
    quote marks and dashes in them may differ, which a `PlacementWarning` counts. Text of units that
    is lost is an error, so that a failed call never counts as a segmentation.

    Parameters
    ----------
    function: called with the text; returns chunks of it in order: texts, offsets, or objects with a
        `text` or `page_content`.
    separator: the text between units that were not read from a text file. A splitter may drop it.
    inside: what to do if a chunk starts inside a unit: "nearest" moves the boundary to the nearer
        end of that unit, by at most `snap` characters; "error" raises an error.
    overlap: where the boundary is if two chunks overlap: at the "start" of the later chunk, in the
        "middle" of the shared text, or at the "end" of the earlier chunk.
    allow_gaps: accept text that is in no chunk.
    gaps: to which chunk it belongs: the chunk "before" it or "after" it, or as the "text" decides
        (see `segscore.chunks.place`).
    snap: how many characters a cut may move; `segscore.chunks.place` says what happens to others.

    >>> halves = FromChunks(lambda text: [text[:7], text[7:]])
    >>> halves(["One two.", "Three.", "Four."])
    Segmentation(masses=[1, 2])
    """

    name: ClassVar[str] = "chunks"

    separator: str = "\n"
    inside: Literal["nearest", "error"] = "nearest"
    overlap: Overlap = "start"
    allow_gaps: bool = False
    gaps: Gaps = "text"
    snap: int = SNAP

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice(self.inside, "inside", ("nearest", "error"))
        check_choice(self.overlap, "overlap", OVERLAPS)
        check_choice(self.gaps, "gaps", GAPS)
        truth(self.allow_gaps, "allow_gaps")
        whole_number(self.snap, "snap", 0)
        if not isinstance(self.separator, str) or not self.separator:
            raise SegmentationError(f"separator is {shown(self.separator)}: expected a text")

    @property
    def provenance(self) -> Provenance:
        """How chunks are placed, for signatures, as for chunks in files.

        >>> FromChunks(str.split, overlap="middle").provenance.fields
        {'overlap': 'middle', 'snap': '100'}
        """
        return Provenance.of(
            None, "error", **placing_told(self.overlap, self.allow_gaps, self.gaps, self.snap)
        )

    def __call__(self, units: Sequence[str], n_segments: int | None = None) -> Segmentation:
        """The chunks of a text on its units; `n_segments` for a splitter that takes it."""
        if not isinstance(units, LocatedUnits) or 1 in (len(units), n_segments):
            return super().__call__(units, n_segments)
        return self._split(source_text(units), self._wanted(n_segments, len(units)))

    def _segment(self, units: list[str], n_segments: int | None) -> Segmentation:
        return self._split(source_text(units, self.separator), n_segments)

    def _split(self, source: SourceText, n_segments: int | None) -> Segmentation:
        """Call the splitter with a text, and place its chunks."""
        result = call(self.function, source.text, n_segments)
        if result is None or is_blank("".join(source.units.texts or ())):
            raise SegmentationError(f"chunks is {shown(result)}: expected a list of texts")
        try:
            placed = place_chunks(
                source.text,
                result,
                source.units,
                overlap=self.overlap,
                allow_gaps=self.allow_gaps,
                gaps=self.gaps,
                snap=self.snap,
            )
        except SegmentationError as error:
            raise SegmentationError(f"chunks: {error}") from None
        cuts = [move.offset for move in placed.moved] + [*placed.inside]
        if cuts and self.inside == "error":
            raise SegmentationError(
                f"chunks: a chunk starts at {min(cuts)}, inside a unit: expected chunks of whole "
                "units; inside='nearest' moves boundaries to the nearer end"
            )
        told = placed.report(("inside", "changed", "uncovered"))
        if told:
            warnings.warn(f"chunks: {told}", PlacementWarning, stacklevel=2)
        return self._checked(placed.segmentation, source.units.n, n_segments)
