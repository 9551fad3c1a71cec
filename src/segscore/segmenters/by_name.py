"""Segmenters by name, as on the command line: `c99`, `texttiling(w=10,k=6)`; and functions of other
programs as segmenters: `segmenter(function, returns="masses")`.

`segscore.basics.specs` says how values are written; parameters left out have their defaults.
`cwm(space=FILE.npz)` reads the space that `LSASpace.save` wrote.

If a function has a parameter `n_segments`, or takes any parameter (`**options`), it receives the
number of segments. If not, it is called with the units alone, and must make that number by itself
(`benchmark` then gives none).
"""

import inspect
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass, replace
from functools import cache, partial
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from segscore.basics import specs
from segscore.basics.arguments import as_integers, check_choice, packed, shown
from segscore.basics.user_functions import load_plugins
from segscore.coding.segmentation import Segmentation
from segscore.corpus.provenance import PLAIN, Provenance
from segscore.errors import SegmentationError, about
from segscore.segmenters import bayesseg, c99, contract, embedding, graphs, hier_bayes, texttiling
from segscore.segmenters.preprocessing import CHOI_2000, MIT
from segscore.text import chunk_placing, folding, located_units, unit_splitting

SEGMENTERS: dict[str, Callable[..., contract.Segmenter]] = {
    "c99": c99.C99,
    "hc99": partial(c99.C99, hierarchical=True),
    "cwm": embedding.CWM,
    "hcwm": partial(embedding.CWM, hierarchical=True),
    "texttiling": texttiling.TextTiling,
    "utiyama-isahara": bayesseg.UtiyamaIsahara,
    "bayesseg": bayesseg.BayesSeg,
    "greedy-bayes": hier_bayes.GreedyBayes,
    "hier-bayes": hier_bayes.HierBayes,
    "mincutseg": graphs.MinCutSeg,
    "aps": graphs.APS,
    "embedding": embedding.EmbeddingSegmenter,
    "none": contract.Nothing,
    "all": contract.Everything,
    "uniform": contract.Uniform,
    "random": contract.Random,
    "bisect": contract.Bisect,
}

_EXAMPLE = "texttiling(w=10,k=6)"
# not possible in a text
_NO_TEXT = ("preprocessing", "progress", "function", "returns", "marks", "encode")
_PLAIN = (str, int, float, tuple, type(None))  # values that a text can give


def segmenter_named(
    spec: str, encode: Callable[[list[str]], Any] | None = None
) -> contract.Segmenter:
    """The segmenter that a text names.

    spec: a name, with parameters in parentheses: `c99`, `texttiling(k=4)`.
    encode: the function from texts to vectors for "embedding", which a text cannot name.

    >>> segmenter_named("texttiling(w=10,cutoff=LC)").w
    10
    """
    name, cells = specs.parse_spec(spec, "segmenter", _EXAMPLE)
    make = SEGMENTERS.get(name) or all_segmenters().get(name)
    if make is None:
        raise specs.unknown_name("segmenter", name, all_segmenters())
    given = {key: specs.parameter_value(text) for key, text in cells.items()}
    known = parameters(_class(make))
    for key in given:
        if key not in known:
            raise specs.unknown_parameter("segmenter", spec, key, known)
    if make is embedding.EmbeddingSegmenter and encode is not None:
        given["encode"] = encode
    for field in fields(_class(make)):
        if field.default is MISSING and field.name not in given:
            how = "encoder=MODULE:FUNCTION" if field.name == "encode" else f"{field.name}=…"
            raise SegmentationError(
                f"segmenter {spec!r} needs {field.name}: expected {how}, or {_class(make).__name__}"
                f"({field.name}=…) in Python"
            )
    return make(**given)


@cache
def all_segmenters() -> dict[str, Callable[..., contract.Segmenter]]:
    """Our segmenters and those of other packages (`segscore.basics.user_functions`), by name."""
    found = load_plugins("segscore.segmenters", SEGMENTERS, _check_plugin)
    return {**SEGMENTERS, **{name: value for name, (_, value) in found.items()}}


def _check_plugin(name: str, make: Any) -> None:
    kind = _class(make)
    ours = isinstance(kind, type) and issubclass(kind, contract.Segmenter) and is_dataclass(kind)
    if not ours or getattr(kind, "name", None) != name:
        raise ValueError(
            f"it is {shown(make)}: expected a dataclass derived from Segmenter, with name {name!r}"
        )


def _class(make: Callable[..., contract.Segmenter]) -> Any:
    """The dataclass behind an entry of the table."""
    return getattr(make, "func", make)


def parameters(segmenter: Any) -> list[str]:
    """The parameters of a segmenter, or of its class, that a text can give."""
    return [field.name for field in fields(segmenter) if field.name not in _NO_TEXT]


# ---- back to text ----


def with_parameters(spec: str, changes: Mapping[str, Any]) -> str:
    """The text of a segmenter with other parameters.

    >>> with_parameters("texttiling(k=3)", {"w": None, "k": 6})
    'texttiling(k=6,w=auto)'
    """
    name, cells = specs.parse_spec(spec, "segmenter", _EXAMPLE)
    cells |= {key: _text_of(value) for key, value in changes.items()}
    listed = ",".join(f"{key}={value}" for key, value in cells.items())
    return f"{name}({listed})" if listed else name


def written(segmenter: Any) -> str:
    """A segmenter as text: its name, and the parameters that are not its defaults.

    >>> written(texttiling.TextTiling(w=None, k=3))
    'texttiling(w=auto,k=3)'
    """
    defaults = {field.name: field.default for field in fields(segmenter)}
    values = {name: getattr(segmenter, name) for name in parameters(segmenter)}
    return with_parameters(
        segmenter.name,
        {k: v for k, v in values.items() if v != defaults[k] and isinstance(v, _PLAIN)},
    )


def _text_of(value: Any) -> str:
    if isinstance(value, tuple):
        return "/".join(map(_text_of, value))
    return next((word for word, meaning in specs.WORDS.items() if value is meaning), str(value))


# ---- words as other programs have them ----

# Tokens, stop words and stems of the original programs: C99; BayesSeg and MinCutSeg.
PRESETS = {"choi2000": CHOI_2000, "mit": MIT}


def with_words(
    segmenter: Callable[..., Any],
    stop_words: Path | None,
    stemmer: str | None,
    preset: str | None = None,
) -> Callable[..., Any]:
    """A segmenter with another stop list or stemmer ("none": no stemming), if given.

    `preset` is one of PRESETS; the stop list of both is Choi's, from a file or SEGSCORE_DATA.
    """
    changes: dict[str, Any] = {}
    if preset is not None:
        check_choice(preset, "preset", tuple(PRESETS))
        changes = {**vars(PRESETS[preset]), "stop_words": "choi"}
    if stop_words is not None:
        changes["stop_words"] = stop_words
    if stemmer is not None:
        changes["stemmer"] = None if stemmer == "none" else stemmer
    if changes and isinstance(segmenter, embedding.CWM):
        raise SegmentationError(
            "cwm uses the stop words and the stemmer that its space was trained with: give neither "
            "stop words nor a stemmer"
        )
    if not changes or not hasattr(segmenter, "preprocessing"):
        return segmenter  # it does not use words
    changed: dict[str, Any] = {"preprocessing": replace(segmenter.preprocessing, **changes)}
    if preset is not None:
        _ = changed["preprocessing"].stop_list  # an error before the run if there is no file
    if preset == "choi2000" and isinstance(segmenter, c99.C99):
        changed["single"] = True
    return replace(segmenter, **changed)  # type: ignore[type-var]


# ---- functions ----

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
    overlap: unit_splitting.Overlap = "start",
    allow_gaps: bool = False,
    gaps: unit_splitting.Gaps = "text",
    snap: int = unit_splitting.SNAP,
) -> contract.Segmenter:
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
    if isinstance(function, contract.Segmenter):
        return function
    return FunctionSegmenter(
        function, returns, marks, separator, inside, overlap, allow_gaps, gaps, snap
    )


@dataclass(frozen=True)
class FunctionSegmenter(contract.Segmenter):
    """A function of units, or of their text; `segmenter` says what it may return."""

    function: Function
    returns: Returns = "segmentation"
    marks: Marks | None = None
    separator: str = "\n"
    inside: Literal["nearest", "error"] = "nearest"
    overlap: unit_splitting.Overlap = "start"
    allow_gaps: bool = False
    gaps: unit_splitting.Gaps = "text"
    snap: Annotated[int, 0] = unit_splitting.SNAP

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.returns == "flags":
            check_choice(self.marks, "marks", get_args(Marks))

    @property
    def name(self) -> str:  # type: ignore[override]
        """What it is called in tables and messages."""
        return "function" if self.returns == "segmentation" else self.returns

    @property
    def provenance(self) -> Provenance:
        """How chunks are placed, for signatures, as for chunks in files.

        >>> segmenter(str.split, "chunks", overlap="middle").provenance.fields
        {'overlap': 'middle', 'snap': '100'}
        """
        if self.returns != "chunks":
            return PLAIN
        return Provenance.of(None, "error", **chunk_placing.placing_fields(**self._placing))

    @property
    def _placing(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("overlap", "allow_gaps", "gaps", "snap")}

    @property
    def takes_n_segments(self) -> bool:  # type: ignore[override]
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
        any_name = any(each.kind is each.VAR_KEYWORD for each in parameters.values())
        number = {} if n_segments is None else dict[str, int | None](n_segments=n_segments)
        return number if any_name else None

    def __call__(self, units: Sequence[str], n_segments: int | None = None) -> Segmentation:
        """Segment a document, into `n_segments` segments if that is given."""
        whole = isinstance(units, located_units.LocatedUnits) and 1 not in (len(units), n_segments)
        if self.returns != "chunks" or not whole:
            return super().__call__(units, n_segments)
        wanted = contract.checked_segments(n_segments, len(units))
        return self._checked(
            self._placed(located_units.source_text(units), wanted), len(units), wanted
        )

    def _segment(self, units: list[str], n_segments: int | None) -> Segmentation:
        if self.returns == "chunks":
            return self._placed(located_units.source_text(units, self.separator), n_segments)
        return _read(self.function(units, **(self._number(n_segments) or {})), units, self)

    def _placed(self, source: located_units.SourceText, n_segments: int | None) -> Segmentation:
        """The chunks of a text on its units."""
        chunks = self.function(source.text, **(self._number(n_segments) or {}))
        if chunks is None or folding.is_white("".join(source.units.texts or ())):
            raise SegmentationError(f"chunks is {shown(chunks)}: expected a list of texts")
        with about("chunks"):
            placed = chunk_placing.place_chunks(source.text, chunks, source.units, **self._placing)
        cuts = [offset for _, offset, _ in placed.moved] + [*placed.inside]
        if cuts and self.inside == "error":
            raise SegmentationError(
                f"chunks: a chunk starts at {min(cuts)}, inside a unit: expected chunks of whole "
                "units; inside='nearest' moves boundaries to the nearer end"
            )
        report = placed.report(("inside", "changed", "uncovered"))
        if report:
            warnings.warn(f"chunks: {report}", chunk_placing.PlacementWarning, stacklevel=2)
        return placed.segmentation


def _read(result: Any, units: list[str], how: FunctionSegmenter) -> Segmentation:
    """What a function returned, as a segmentation of its units."""
    n, returns = len(units), how.returns
    constructors: dict[str, Callable[[Any], Segmentation]] = {
        "masses": Segmentation.from_masses,
        "boundaries": partial(Segmentation.from_boundaries, n_units=n),
        "flags": partial(Segmentation.from_labels, marks=how.marks),
        "ids": Segmentation.from_segment_ids,
    }
    if returns in constructors:
        return constructors[returns](result)
    if returns in ("starts", "ends"):
        at, edge = (0, 0) if returns == "starts" else (-1, n)
        places = as_integers(
            packed(result, returns, f"ascending numbers 0 … {n}, {edge} among them")
        )
        found = places[at] if places.size else "missing"
        if found != edge:
            raise SegmentationError(
                f"{returns}[{at}] is {found}: expected {edge}; for boundaries alone use "
                "returns='boundaries'"
            )
        return Segmentation.from_boundaries(places[1:] if returns == "starts" else places[:-1], n)
    if returns == "groups":
        listed = enumerate(_items(result, "groups", "lists of units"))
        groups = [_items(group, f"groups[{index}]", "units") for index, group in listed]
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
