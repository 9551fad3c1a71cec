"""The caller's choices for reading files, such as files of spans or times instead of units.

`units` is a rule that cuts the text, or the time, into units, if the file has no units of its own:
`lines`, `paragraphs`, `sentences`, `words` or `characters` for text; `seconds:6` for time, or
`seconds:6:3600` where the recording lasts 3600 s; `tier:NAME` for a tier of the file whose
intervals are the units. `policy` says what to do where spans and units do not fit
(`segscore.io.placing`). `layer` names the tier, layer or label that holds the segments, where a
file has several.

For people's own tables and lists: `marks` says what 0 and 1 mean (`corpus.coding_tables`), and
`columns` which column holds what. `document_name` is the path of the document's name in the JSON of
a tool (`data.doc_id`), `durations` the duration of each recording, in seconds. `on_error` says
whether a file that cannot be read stops the reading or is skipped; what was skipped is in
`skipped`.

For chunks: `text` is the file or folder that they were cut from, or the texts themselves;
`overlap`, `allow_gaps`, `gaps` and `snap` are those of `segscore.chunks.place`. `keep_headings`
says that the headings of Markdown are text, as in its chunks, and that units are those on which
chunks are placed; `each_heading` that each heading starts a segment, even if another heading
follows it directly.

For recordings: `word_times` is a file of words with times (CTM, or a transcript in JSON), or the
words themselves: they are then the units of every file of times.

For answers of a language model (`llm`): `base` is the number of the first unit, `similarity` how
similar changed text must be to the document's words, `separator` what separates copied segments.

For people's codings: `only_coders`, `without_coders`, `rename` and `rename_labels` say which coders
are read, and how they and their labels are renamed; names are those in the files. `ignore_columns`
are columns of sheets that belong to no coder, `empty` says what a column means that is empty for a
whole document, `duplicates` which of two codings of a document by the same coder counts. With
`all_sheets` each sheet of a workbook is a document, those of `ignore_sheets` aside; with
`one_document` all files are codings of the same document, each by the person after whom the file is
named. `encoding` is the encoding of text files; JSON Lines have their own. `unfinished` also reads
unfinished codings of annotation pages, and those of practice documents. `notes` collects how
readers understood columns, until it is reported.

`lenient` leaves out blank lines and empty segments of Choi's format, and says how many. `large`
lifts the limits on memory and growth (`parsed_size`, `compressed`), for trusted files.
"""

import os
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal, InvalidOperation
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, get_args

from segscore.basics.arguments import check_choice, shown, whole_number
from segscore.corpus.table_columns import (
    EMPTY,
    Empty,
    Marks,
    TableChoices,
    TableNotes,
    check_columns,
    check_marks,
)
from segscore.errors import SegmentationError, named
from segscore.text.chunk_placing import GAPS, OVERLAPS, Gaps, Overlap
from segscore.text.located_units import SourceText
from segscore.text.unit_splitting import SNAP, TEXT_RULES, Stretches, text_rule

Policy = Literal["error", "snap", "keep-start"]
POLICIES: tuple[str, ...] = get_args(Policy)
OnError = Literal["raise", "skip"]
ON_ERROR: tuple[str, ...] = get_args(OnError)
SIMILARITY = 0.7  # 1 - the word error rate up to which words are aligned
Duplicates = Literal["error", "first", "last"]
DUPLICATES: tuple[str, ...] = get_args(Duplicates)
DEFAULT_RULE = "sentences"  # what texts are cut into where nobody says it
MICRO = 10**6  # times are whole microseconds, so that sums of decimals are exact

_SECONDS = re.compile(r"seconds:([0-9]{1,9}(?:\.[0-9]{1,6})?)(?::([0-9]{1,9}(?:\.[0-9]{1,6})?))?")
_EXPECTED = f"{', '.join(TEXT_RULES)}, seconds:6, seconds:6:3600 or tier:NAME"


class ReadingWarning(UserWarning):
    """A warning about spans that do not fit the units, and how a reader treated them."""


def warn(message: str) -> None:
    """Report what was changed, by default as a warning."""
    warnings.warn(message, ReadingWarning, stacklevel=2)


class Skipped(NamedTuple):
    """A file that was not read, and why."""

    file: str
    reason: str


@dataclass(frozen=True)
class ReadOptions:
    """The caller's choices; `remark` is called with each change a policy made."""

    units: str | None = None
    policy: Policy = "error"
    layer: str | None = None
    remark: Callable[[str], None] = warn
    marks: Marks | None = None
    columns: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    document_name: str | None = None
    durations: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    on_error: OnError = "raise"
    skipped: list[Skipped] = field(default_factory=list, compare=False)
    text: "str | os.PathLike[str] | Mapping[str, SourceText] | None" = None
    overlap: Overlap = "start"
    allow_gaps: bool = False
    keep_headings: bool = False
    word_times: "str | os.PathLike[str] | Mapping[str, Stretches] | None" = None
    lenient: bool = False
    gaps: Gaps = "text"
    snap: int = SNAP
    each_heading: bool = False
    large: bool = False
    base: int | None = None
    similarity: float = SIMILARITY
    separator: str | None = None
    encoding: str | None = None
    only_coders: Sequence[str] | None = None
    without_coders: Sequence[str] = ()
    rename: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    rename_labels: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    ignore_columns: Sequence[str] = ()
    empty: Empty = "not-coded"
    duplicates: Duplicates = "error"
    all_sheets: bool = False
    one_document: str | None = None
    notes: TableNotes = field(default_factory=TableNotes, compare=False)
    ignore_sheets: Sequence[str] = ()
    ignore_text: bool = False
    unfinished: bool = False

    def __post_init__(self) -> None:
        if self.marks is not None:
            check_marks(self.marks)
        check_columns(self.columns)
        if self.on_error not in ON_ERROR:
            raise SegmentationError(
                f"on_error is {shown(self.on_error)}: expected {', '.join(ON_ERROR)}"
            )
        check_choice(self.overlap, "overlap", OVERLAPS)
        check_choice(self.gaps, "gaps", GAPS)
        whole_number(self.snap, "snap", 0)
        self._check_people()
        if self.word_times is not None and self.units not in (None, "word", "words"):
            raise SegmentationError(
                f"units is {self.units!r}, and words with times are given: expected one of them"
            )
        if self.policy not in POLICIES:
            raise SegmentationError(
                f"policy is {shown(self.policy)}: expected {', '.join(POLICIES)}"
            )
        for name, value in (
            ("units", self.units), ("layer", self.layer), ("document_name", self.document_name),
            ("one_document", self.one_document), ("encoding", self.encoding),
        ):  # fmt: skip
            if value is not None and (not isinstance(value, str) or not value):
                raise SegmentationError(f"{name} is {shown(value)}: expected a text")
        rule = self.units
        if rule is None or self.tier is not None or self.seconds is not None:
            return
        try:
            object.__setattr__(self, "units", text_rule(rule))  # "sentence" is "sentences"
        except SegmentationError:
            raise SegmentationError(
                f"units is {rule!r}{_meant(rule)}: expected {_EXPECTED}"
            ) from None

    def _check_people(self) -> None:
        """Raise for empty names, and for unknown choices."""
        check_choice(self.empty, "empty", EMPTY)
        check_choice(self.duplicates, "duplicates", DUPLICATES)
        for what in ("only_coders", "without_coders", "ignore_columns", "ignore_sheets"):
            names = getattr(self, what)
            if isinstance(names, str) or not all(
                isinstance(name, str) and name for name in names or ()
            ):
                raise SegmentationError(f"{what} is {shown(names)}: expected a list of names")
        for what in ("rename", "rename_labels"):
            pairs = getattr(self, what)
            if not isinstance(pairs, Mapping) or not all(
                isinstance(name, str) and name for pair in pairs.items() for name in pair
            ):
                raise SegmentationError(f"{what} is {shown(pairs)}: expected {{'old': 'new', …}}")
        if self.ignore_sheets and not self.all_sheets:
            raise SegmentationError("ignore_sheets is given: expected all_sheets beside it")
        if self.all_sheets and self.layer is not None:
            raise SegmentationError(
                f"all_sheets is given, and layer is {self.layer!r}: expected one of them"
            )

    @property
    def changes_people(self) -> bool:
        """Whether codings are chosen or renamed one by one as they are read."""
        return bool(
            self.only_coders is not None or self.without_coders or self.rename
            or self.rename_labels or self.duplicates != "error" or self.one_document
        )  # fmt: skip

    def for_table(self, document: str | None, coder: str | None, **more: Any) -> TableChoices:
        """The choices for a table; `document` and `coder` are for tables that name none."""
        found = TableChoices(
            self.columns, self.marks, document, coder, frozenset(self.ignore_columns),
            None if self.only_coders is None else frozenset(self.only_coders),
            frozenset(self.without_coders), self.empty, self.notes,
        )  # fmt: skip
        return replace(found, **more)

    @property
    def tier(self) -> str | None:
        """The tier that holds the units."""
        return (self.units or "").removeprefix("tier:") if self._is_tier() else None

    def _is_tier(self) -> bool:
        return self.units is not None and re.match("tier:.", self.units) is not None

    @property
    def seconds(self) -> tuple[int, int | None] | None:
        """The length of a unit and, if given, of the recording, in microseconds."""
        found = _SECONDS.fullmatch(self.units or "")
        if found is None:
            return None
        step, total = (
            None if digits is None else microseconds(digits) for digits in found.groups()
        )
        return (step, total) if step and total != 0 else None

    def duration(self, document: str) -> int | None:
        """The duration of a recording in microseconds, if the caller gave it."""
        for name in (document, document.rpartition("/")[2]):
            if name in self.durations:
                try:
                    return microseconds(self.durations[name])
                except SegmentationError as error:
                    raise SegmentationError(f"durations: {name!r} is {error}") from None
        words = self.words_of(document)
        return None if words is None else words.ends[-1]

    def words_of(self, document: str) -> Stretches | None:
        """The words of a recording with their times, if the caller gave them."""
        if not isinstance(self.word_times, Mapping):
            return None
        for name in (document, document.rpartition("/")[2]):
            if name in self.word_times:
                return self.word_times[name]
        raise SegmentationError(
            f"document {document!r} has no words with times: expected one of "
            f"{named(self.word_times)}"
        )


def _meant(rule: str) -> str:
    """The part of a message about an unknown rule for units: what it lacks, or what it may mean.

    >>> _meant("seconds"), _meant("second:1")
    (", which needs a length: 'seconds:1'", " (did you mean 'seconds:1'?)")
    """
    from difflib import get_close_matches  # only errors need it

    name, _, rest = rule.partition(":")
    if name == "seconds":
        return ", which needs a length: 'seconds:1'" if not rest else ""
    known = {"seconds": "seconds", "secs": "seconds", "tier": "tier"}
    known |= {known_rule: known_rule for known_rule in TEXT_RULES}
    close = get_close_matches(name.casefold(), known, n=1, cutoff=0.75)
    if not close:
        return ""
    meant = known[close[0]]
    length = rest or ("1" if meant == "seconds" else "")
    return f" (did you mean {f'{meant}:{length}' if length else meant!r}?)"


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
