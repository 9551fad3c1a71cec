"""How files are read: `ReadKeywords` are the keywords of `segscore.read`, which explains them, and
`ReadOptions` their checked values.

`notes` collects how readers understood columns, until it is reported.
"""

import os
import re
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from types import NoneType, UnionType
from typing import Any, Literal, NamedTuple, TypedDict, Union, get_args, get_origin, get_type_hints

from segscore.basics.arguments import check_choice, check_name, shown, whole_number
from segscore.corpus.codings import Scope
from segscore.errors import SegmentationError, about, named, nearest
from segscore.io.table_columns import PARTS, Empty, Marks, TableNotes
from segscore.text import unit_splitting
from segscore.text.located_units import SourceText

Policy = Literal["error", "snap", "keep-start"]
OnError = Literal["raise", "skip"]
Shape = Literal["starts", "segments", "ends", "labels", "quotations", "copy"]
SHAPES: tuple[str, ...] = get_args(Shape)
SIMILARITY = 0.7  # 1 - the word error rate up to which words are aligned
Duplicates = Literal["error", "first", "last"]
DEFAULT_RULE = "sentences"  # what texts are cut into where nobody says it
MICRO = 10**6  # times are whole microseconds, so that sums of decimals are exact

_SECONDS = re.compile(r"seconds:([0-9]{1,9}(?:\.[0-9]{1,6})?)(?::([0-9]{1,9}(?:\.[0-9]{1,6})?))?")


class ReadingWarning(UserWarning):
    """A warning about spans that do not fit the units, and how a reader treated them."""


def warn(message: str) -> None:
    """Report what was changed, by default as a warning."""
    warnings.warn(message, ReadingWarning, stacklevel=2)


class Skipped(NamedTuple):
    """A file that was not read, and why."""

    file: str
    reason: str


class TextKeywords(TypedDict, total=False):
    """The keywords of functions that read texts."""

    text_encoding: str | None
    units: str | None
    remark: Callable[[str], None]
    large: bool


class ReadKeywords(TextKeywords, total=False):
    """The keywords of `segscore.read`."""

    coders: Scope | None
    coder: str | None
    policy: Policy
    layer: str | None
    marks: Marks | None
    columns: Mapping[str, str]
    document_name: str | None
    durations: Mapping[str, float]
    on_error: OnError
    skipped: list[Skipped]
    text: str | os.PathLike[str] | Mapping[str, SourceText] | None
    overlap: unit_splitting.Overlap
    allow_gaps: bool
    keep_headings: bool
    word_times: str | os.PathLike[str] | Mapping[str, unit_splitting.Stretches] | None
    lenient: bool
    gaps: unit_splitting.Gaps
    snap: int
    each_heading: bool
    shape: Shape | None
    base: int | None
    similarity: float
    separator: str | None
    ignore_columns: Sequence[str]
    empty: Empty
    duplicates: Duplicates
    all_sheets: bool
    one_document: str | None
    ignore_sheets: Sequence[str]
    ignore_text: bool
    unfinished: bool


# the types that each keyword may have
KINDS: dict[str, tuple[Any, ...]] = {
    name: get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
    for name, kind in get_type_hints(ReadKeywords).items()
}


@dataclass(frozen=True, kw_only=True)
class ReadOptions:
    """How files are read; `remark` is called with each change a policy made."""

    coders: Scope | None = None
    coder: str | None = None
    text_encoding: str | None = None
    units: str | None = None
    policy: Policy = "error"
    layer: str | None = None
    remark: Callable[[str], None] = warn
    marks: Marks | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    document_name: str | None = None
    durations: Mapping[str, float] = field(default_factory=dict)
    on_error: OnError = "raise"
    skipped: list[Skipped] = field(default_factory=list, compare=False)
    text: str | os.PathLike[str] | Mapping[str, SourceText] | None = None
    overlap: unit_splitting.Overlap = "start"
    allow_gaps: bool = False
    keep_headings: bool = False
    word_times: str | os.PathLike[str] | Mapping[str, unit_splitting.Stretches] | None = None
    lenient: bool = False
    gaps: unit_splitting.Gaps = "text"
    snap: int = unit_splitting.SNAP
    each_heading: bool = False
    large: bool = False
    shape: Shape | None = None
    base: int | None = None
    similarity: float = SIMILARITY
    separator: str | None = None
    ignore_columns: Sequence[str] = ()
    empty: Empty = "not-coded"
    duplicates: Duplicates = "error"
    all_sheets: bool = False
    one_document: str | None = None
    ignore_sheets: Sequence[str] = ()
    ignore_text: bool = False
    unfinished: bool = False
    notes: TableNotes = field(default_factory=TableNotes, compare=False)

    def __post_init__(self) -> None:
        for name, kinds in KINDS.items():
            if getattr(self, name) is not None or NoneType not in kinds:
                _check_kind(getattr(self, name), name, kinds)
        for part, name in self.columns.items():
            check_choice(part, "columns: a part", PARTS)
            check_name(name, f"columns: {part}")
        whole_number(self.snap, "snap", 0)
        if self.ignore_sheets and not self.all_sheets:
            raise SegmentationError("ignore_sheets is given: expected all_sheets beside it")
        if self.all_sheets and self.layer is not None:
            raise SegmentationError(
                f"all_sheets is given, and layer is {self.layer!r}: expected one of them"
            )
        rule = self.units
        if rule is not None and self.word_times is not None and rule not in ("word", "words"):
            raise SegmentationError(
                f"units is {rule!r}, and words with times are given: expected one of them"
            )
        if rule is not None and self.tier is None and self.seconds is None:
            try:
                rule = unit_splitting.text_rule(rule)  # "sentence" is "sentences"
            except SegmentationError:
                rules = [*unit_splitting.TEXT_RULES, "seconds:6", "seconds:6:3600", "tier:NAME"]
                raise SegmentationError(f"units is {rule!r}{nearest(rule, rules)}") from None
            object.__setattr__(self, "units", rule)

    @property
    def tier(self) -> str | None:
        """The tier that holds the units."""
        found = re.fullmatch("tier:(.+)", self.units or "", re.DOTALL)
        return None if found is None else found[1]

    @property
    def seconds(self) -> tuple[int, int | None] | None:
        """The length of a unit and, if given, of the recording, in microseconds."""
        found = _SECONDS.fullmatch(self.units or "")
        if found is None:
            return None
        step, total = (None if each is None else microseconds(each) for each in found.groups())
        return (step, total) if step and total != 0 else None

    def duration(self, document: str) -> int | None:
        """The duration of a recording in microseconds, if the caller gave it."""
        name = _of_document(self.durations, document)
        if name is not None:
            with about(f"durations: {name!r} is"):
                return microseconds(self.durations[name])
        words = self.words_of(document)
        return None if words is None else words.ends[-1]

    def words_of(self, document: str) -> unit_splitting.Stretches | None:
        """The words of a recording with their times, if the caller gave them."""
        if not isinstance(self.word_times, Mapping):
            return None
        name = _of_document(self.word_times, document)
        if name is None:
            listed = named(self.word_times)
            raise SegmentationError(
                f"document {document!r} has no words with times: expected one of {listed}"
            )
        return self.word_times[name]


def _check_kind(value: Any, name: str, kinds: tuple[Any, ...]) -> None:
    """Raise for a value that is none of the choices, no name, or no list of names."""
    if get_origin(kinds[0]) is Literal:
        check_choice(value, name, get_args(kinds[0]))
    elif kinds == (str, NoneType):
        check_name(value, name)
    elif get_origin(kinds[0]) is Mapping and not isinstance(value, Mapping):
        raise SegmentationError(f"{name} is {shown(value)}: expected {{name: value}}")
    elif kinds == (Sequence[str],):
        if isinstance(value, str) or not isinstance(value, Iterable):
            raise SegmentationError(f"{name} is {shown(value)}: expected a list of names")
        for each in value:
            check_name(each, f"{name}: a name")


def _of_document(known: Mapping[str, Any], document: str) -> str | None:
    """The name of a document, perhaps without its folder, among those that the caller gave."""
    return next((name for name in (document, document.rpartition("/")[2]) if name in known), None)


DEFAULT_OPTIONS = ReadOptions()


def microseconds(value: Any) -> int:
    """Seconds, as a text or a number, in whole microseconds.

    >>> microseconds("12.5")
    12500000
    """
    try:
        number = Decimal(repr(value) if isinstance(value, float) else value)
    except (InvalidOperation, TypeError, ValueError):
        number = Decimal("NaN")
    if isinstance(value, bool) or not number.is_finite() or not 0 <= number < 10**9:
        raise SegmentationError(f"{shown(value)}: expected a time in seconds, from 0")
    return round(number * MICRO)
