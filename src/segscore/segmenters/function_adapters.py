"""Functions of other programs as segmenters: `segmenter(function, returns="masses")`.

`returns` says what the function returns:

- `segmentation`: a `Segmentation`;
- `masses`: segment lengths in units;
- `boundaries`: the positions of the boundaries, without 0 and N;
- `starts`: the index of each segment's first unit, 0 at the start;
- `ends`: the index after each segment's last unit, N at the end (ruptures);
- `flags`: a 0 or 1 per unit, 1 at the start or at the end of a segment (`marks`);
- `ids`: a topic, or any other name of a segment, per unit;
- `groups`: lists of units, one list per segment;
- `chunks`: pieces of the whole text, as a text splitter returns them; these are found in the text
  and placed on its units.

If the function has a parameter `n_segments`, or takes any parameter (`**options`), it receives the
number of segments. If not, it is called with the units alone, and a number of segments is an error
(`benchmark` then gives none).
"""

import inspect
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Annotated, Any, Literal, get_args

from segscore.basics.arguments import check_choice, packed, shown, unpacked
from segscore.coding.segmentation import Segmentation
from segscore.coding.word_alignment import place_chunks
from segscore.corpus.provenance import Provenance
from segscore.errors import SegmentationError
from segscore.segmenters.by_name import segmenter_named
from segscore.segmenters.contract import Segmenter
from segscore.text.chunk_placing import PlacementWarning, placing_told
from segscore.text.folding import is_blank
from segscore.text.located_units import LocatedUnits, SourceText, source_text
from segscore.text.unit_splitting import SNAP, Gaps, Overlap

Function = Callable[..., Any]
Returns = Literal[
    "segmentation", "masses", "boundaries", "starts", "ends", "flags", "ids", "groups", "chunks"
]
Marks = Literal["end", "start"]


def segmenter(
    function: Function | str,
    returns: Returns = "segmentation",
    *,
    marks: Marks | None = None,
    separator: str = "\n",
    inside: Literal["nearest", "error"] = "nearest",
    overlap: Overlap = "start",
    allow_gaps: bool = False,
    gaps: Gaps = "text",
    snap: int = SNAP,
) -> Segmenter:
    r"""A function as a segmenter that checks each result against the units.

    Chunks are found in the text as by `segscore.chunks.place`: they may overlap, and white space,
    quote marks and dashes in them may differ, which a `PlacementWarning` counts. Text of units that
    is lost is an error, so that a failed call never counts as a segmentation.

    function: called with a list of units, and with `n_segments` if it has such a parameter. One
        that returns chunks is called with the text of the document: if its units were read from a
        file of text (`segscore.read("guide.md")["guide"].units`, and `benchmark` of such a corpus),
        that is the complete text of the file, with headings, code and blank lines; if not, the
        units put together. Also the name of one of our segmenters, `c99` or `texttiling(k=4)`, or
        a segmenter, which stays as it is.
    returns: what it returns:
        - "segmentation": a `Segmentation`;
        - "masses": the number of units in each segment;
        - "boundaries": the number of units before each boundary, 1 … N-1;
        - "starts": the index of the first unit of each segment, counted from 0, which comes first;
        - "ends": the index after the last unit of each segment, N at the end, as ruptures does;
        - "flags": a 0 or 1 per unit; `marks` says what a 1 is;
        - "ids": a number or text per unit, with a boundary wherever it changes;
        - "groups": lists of the units as they were given, in order; an empty list is left out;
        - "chunks": pieces of the text in order, as splitters of the LangChain, LlamaIndex or
          Chonkie kind return them: texts, offsets, or objects with a `text` or `page_content`.
    marks: what a 1 means in flags: the "start" of a segment, or its "end".
    separator: for chunks, the text between units that were not read from a text file. A splitter
        may drop it.
    inside: what to do if a chunk starts inside a unit: "nearest" moves the boundary to the nearer
        end of that unit, by at most `snap` characters; "error" raises an error.
    overlap: where the boundary is if two chunks overlap: at the "start" of the later chunk, in the
        "middle" of the shared text, or at the "end" of the earlier chunk.
    allow_gaps: accept text that is in no chunk.
    gaps: to which chunk it belongs: the chunk "before" it or "after" it, or as the "text" decides
        (see `segscore.chunks.place`).
    snap: how many characters a cut may move; `segscore.chunks.place` says what happens to others.

    >>> segmenter(lambda units: [2, len(units) - 2], "masses")(["a", "b", "c", "d", "e"])
    Segmentation(masses=[2, 3])
    >>> segmenter(lambda units: [1, 0, 1, 0, 0], "flags", marks="start")(["a", "b", "c", "d", "e"])
    Segmentation(masses=[2, 3])
    >>> halves = segmenter(lambda text: [text[:7], text[7:]], "chunks")
    >>> halves(["One two.", "Three.", "Four."])
    Segmentation(masses=[1, 2])
    """
    if isinstance(function, str):
        return segmenter_named(function)
    if isinstance(function, Segmenter):
        return function
    if returns != "chunks":
        return FunctionSegmenter(function, returns, marks)
    return SplitterSegmenter(
        function, returns, marks, separator, inside, overlap, allow_gaps, gaps, snap
    )


@dataclass(frozen=True)
class FunctionSegmenter(Segmenter):
    """A function of units; `segmenter` says what it may return."""

    function: Function
    returns: Returns = "segmentation"
    marks: Marks | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if not callable(self.function):
            raise SegmentationError(f"function is {shown(self.function)}: expected a function")
        if self.returns == "flags":
            check_choice(self.marks, "marks", get_args(Marks))

    @property
    def name(self) -> str:  # type: ignore[override]
        """What it is called in tables and messages."""
        return "function" if self.returns == "segmentation" else self.returns

    def takes_number(self) -> bool:
        """Whether it accepts the number of segments."""
        return self._number(None) is not None

    def _number(self, n_segments: int | None) -> dict[str, int | None] | None:
        """How the function is told the number of segments; None if it takes none.

        A function that takes any parameter receives the number only if there is one.
        """
        try:
            parameters = inspect.signature(self.function).parameters
        except (TypeError, ValueError):  # some built-in functions have no signature
            return None
        if "n_segments" in parameters:
            return {"n_segments": n_segments}
        if not any(each.kind is inspect.Parameter.VAR_KEYWORD for each in parameters.values()):
            return None
        return {} if n_segments is None else {"n_segments": n_segments}

    def _call(self, argument: Any, n_segments: int | None) -> Any:
        """What the function returns, with a number of segments if it takes one."""
        number = self._number(n_segments)
        if number is None and n_segments is not None:
            raise SegmentationError(
                f"n_segments is {n_segments}, but {shown(self.function)} has no parameter "
                "n_segments: give n_segments=None, or a function with that parameter"
            )
        return self.function(argument, **(number or {}))

    def _segment(self, units: list[str], n_segments: int | None) -> Segmentation:
        found = _read(self._call(units, n_segments), units, self.returns, self.marks)
        return self._checked(found, len(units), n_segments)

    def _checked(self, found: Segmentation, n_units: int, n_segments: int | None) -> Segmentation:
        """The result, if it has these units, and `n_segments` segments if that is given."""
        if found.n_units != n_units:
            raise SegmentationError(
                f"{self.name}: the result covers {found.n_units} units: expected {n_units}"
            )
        if n_segments is not None and found.n_segments != n_segments:
            raise SegmentationError(
                f"{self.name}: the result has {found.n_segments} segments: expected {n_segments}"
            )
        return found


def _read(result: Any, units: list[str], returns: Returns, marks: Marks | None) -> Segmentation:
    """What a function returned, as a segmentation of its units."""
    n = len(units)
    if returns == "masses":
        return Segmentation.from_masses(result)
    if returns == "boundaries":
        return Segmentation.from_boundaries(result, n)
    if returns == "flags":
        return Segmentation.from_labels(result, marks)
    if returns == "ids":
        return Segmentation.from_segment_ids(result)
    if returns in ("starts", "ends"):
        at, edge = (0, 0) if returns == "starts" else (-1, n)
        places = unpacked(packed(result, returns, f"ascending numbers 0 … {n}, {edge} among them"))
        found = places[at] if places.size else "missing"
        if found != edge:
            raise SegmentationError(
                f"{returns}: the {'first start' if edge == 0 else 'last end'} is {found}: expected "
                f"{edge}; for boundaries alone use returns='boundaries'"
            )
        return Segmentation.from_boundaries(places[1:] if returns == "starts" else places[:-1], n)
    if returns == "groups":
        groups = [
            _items(group, f"groups[{index}]", "units")
            for index, group in enumerate(_items(result, "groups", "lists of units"))
        ]
        for index, (given, unit) in enumerate(zip(chain(*groups), units, strict=False)):
            if given != unit:
                raise SegmentationError(
                    f"groups: unit {index} is {shown(given)}: expected {shown(unit)}"
                )
        return Segmentation.from_masses([len(group) for group in groups if group])
    if not isinstance(result, Segmentation):
        raise SegmentationError(
            f"the segmenter returned {shown(result)}: expected a Segmentation; for another form "
            f"use segmenter(function, returns=…): {', '.join(get_args(Returns)[1:])}"
        )
    return result


def _items(value: Any, what: str, expected: str) -> list[Any]:
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise SegmentationError(f"{what} is {shown(value)}: expected a list of {expected}")
    return list(value)


# ---- text splitters ----


@dataclass(frozen=True)
class SplitterSegmenter(FunctionSegmenter):
    """A function of the text that returns chunks, which are placed on units as `segmenter` says."""

    separator: str = "\n"
    inside: Literal["nearest", "error"] = "nearest"
    overlap: Overlap = "start"
    allow_gaps: bool = False
    gaps: Gaps = "text"
    snap: Annotated[int, 0] = SNAP

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.separator, str) or not self.separator:
            raise SegmentationError(f"separator is {shown(self.separator)}: expected a text")

    @property
    def provenance(self) -> Provenance:
        """How chunks are placed, for signatures, as for chunks in files.

        >>> segmenter(str.split, "chunks", overlap="middle").provenance.fields
        {'overlap': 'middle', 'snap': '100'}
        """
        return Provenance.of(None, "error", **placing_told(**self._placing))

    @property
    def _placing(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("overlap", "allow_gaps", "gaps", "snap")}

    def __call__(self, units: Sequence[str], n_segments: int | None = None) -> Segmentation:
        """The chunks of a text on its units; `n_segments` for a splitter that takes it."""
        if not isinstance(units, LocatedUnits) or 1 in (len(units), n_segments):
            return super().__call__(units, n_segments)
        return self._split(source_text(units), self._wanted(n_segments, len(units)))

    def _segment(self, units: list[str], n_segments: int | None) -> Segmentation:
        return self._split(source_text(units, self.separator), n_segments)

    def _split(self, source: SourceText, n_segments: int | None) -> Segmentation:
        """Call the splitter with a text, and place its chunks."""
        result = self._call(source.text, n_segments)
        if result is None or is_blank("".join(source.units.texts or ())):
            raise SegmentationError(f"chunks is {shown(result)}: expected a list of texts")
        try:
            placed = place_chunks(source.text, result, source.units, **self._placing)
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
