"""The columns of people's own tables: their well-known names, and what a caller says about them.

What a column holds is known by its name, or the caller says it (`columns={"document": "doc_id"}`).
Columns that belong to no coder (comments, times) are named by the caller, too. `TableNotes`
collects how a reader understood the columns, so that it is reported once for all files that are
read together.
"""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from segscore.basics.arguments import LARGEST, check_choice, shown
from segscore.corpus.record import whereabouts
from segscore.errors import SegmentationError, documents_by_coder, first_of, named, number_of

Marks = Literal["end", "start", "gaps", "ids", "masses"]
MARKS: tuple[str, ...] = get_args(Marks)
Empty = Literal["not-coded", "none"]
EMPTY: tuple[str, ...] = get_args(Empty)
Receipt = Literal["never", "sheets", "always"]

# What a column holds, and the names by which it is known; others need columns=.
NAMES: dict[str, tuple[str, ...]] = {
    "document": ("document", "doc", "doc_id", "document_id", "docid", "doc_name", "document_name"),
    "coder": ("coder", "annotator", "annotator_id", "coder_id", "rater", "annotator_name"),
    "unit": ("unit", "unit_id", "sentence_id", "sent_id", "sentence_no", "paragraph_id",
             "utterance_id", "turn_id", "line_id"),
    "boundary": ("boundary", "is_boundary", "boundary_label"),
    "segment": ("segment", "segment_id", "section_id", "topic_id"),
    "text": ("text", "sentence", "utterance", "sentences", "utterances", "units"),
    "start": ("start", "start_time", "begin", "onset"),
    "end": ("end", "end_time", "stop", "offset"),
    "label": ("label", "title", "topic"),
    "group": ("group",),
    "kind": ("kind",),
    "n_units": ("n_units",),
    "segment_labels": ("segment_labels",),
}  # fmt: skip
# names of the document where rows are stretches of time, which belong to nothing but a recording
RECORDINGS = ("video", "video_id", "recording", "recording_id", "episode", "episode_id")
# a coding in one cell
LISTS = ("masses", "boundaries", "starts", "gaps", "segment_ids", "spans", "labels")
CODED = ("boundary", "segment", *LISTS)  # the parts that hold codings
PARTS = (*NAMES, *LISTS)

_NUMBER = re.compile(r"([0-9]{1,16})(?:[.,]0*)?")  # 1.0 and 1,0 are how spreadsheets write 1
_TRUE = {"true": 1, "false": 0}
_MOST_LISTED = 8  # names in one remark

Row = tuple[str, Sequence[Any]]  # where it stands, cells


@dataclass
class TableNotes:
    """How readers understood the columns; `told` returns the remarks and forgets them.

    met: the names that the caller chose or renamed, and that some file had. known: the names of all
    coders. coders: the coders read since the last report. receipt: when to report how much was
    read. sheets: whether a sheet with a column per coder was read. lengths: the units of each
    document whose codings were read. people: the coders of each document. read_before: the units of
    documents in files that were read before, for those that do not give it. unfinished: the numbers
    of codings of annotation pages that were left out, by coder and reason. unfinished_texts: the
    units of their documents. placed: how the cuts of chunks were placed (`provenance.PLACED`).
    keys: the formats that were read, each with its first file and the keywords that are about it.
    """

    taken: Counter[tuple[str, str]] = field(default_factory=Counter)  # ("mark" or "none", word)
    at_ends: Counter[str] = field(default_factory=Counter)  # marks that are no boundaries
    not_coded: list[tuple[str, str]] = field(default_factory=list)
    emptied: list[tuple[str, str]] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    said: dict[str, None] = field(default_factory=dict)
    met: set[tuple[str, str]] = field(default_factory=set)
    known: dict[str, None] = field(default_factory=dict)
    coders: dict[str, None] = field(default_factory=dict)
    read_before: dict[str, int] = field(default_factory=dict)
    receipt: Receipt = "never"
    sheets: bool = False
    lengths: dict[str, int] = field(default_factory=dict)
    people: dict[str, None] = field(default_factory=dict)
    unfinished: Counter[tuple[str, str]] = field(default_factory=Counter)
    unfinished_texts: dict[str, tuple[str, ...]] = field(default_factory=dict)
    placed: Counter[str] = field(default_factory=Counter)
    keys: dict[str, tuple[str, frozenset[str]]] = field(default_factory=dict)

    def told(self) -> Iterator[str]:
        """The remarks on how tables were read; they are forgotten afterwards."""
        if any(word not in ("0", "1") for _, word in self.taken):
            none = self._words("none") or "nothing"
            marks = self._words("mark") or "nothing"
            yield f"read {marks} as marks, {none} as no mark{''.join(self._no_boundaries())}"
        if self.not_coded:
            yield (
                f"{number_of(len(self.not_coded), 'column')} empty for a whole document, taken as "
                f"not coded (empty='none': no boundary): " + documents_by_coder(self.not_coded)
            )
        if self.emptied:
            yield (
                f"{number_of(len(self.emptied), 'empty answer')} taken as a coding without a "
                f"boundary: {documents_by_coder(self.emptied)}"
            )
        if self.left_out:
            yield f"{number_of(len(self.left_out), 'coding')} left out: {first_of(self.left_out)}"
        yield from self.said
        self.taken.clear()
        self.at_ends.clear()
        self.said.clear()
        self.coders.clear()
        self.forget_counts()
        for places in (self.not_coded, self.emptied, self.left_out):
            places.clear()

    def forget_counts(self) -> None:
        """Start all counts again."""
        self.sheets = False
        self.read_before.clear()
        self.lengths.clear()
        self.people.clear()

    def _no_boundaries(self) -> Iterator[str]:
        """How many marks stand where a document begins or ends anyway."""
        for end, does in (("first", "starts"), ("last", "ends")):
            number = self.at_ends[end]
            if number:
                are = "is no boundary" if number == 1 else "are no boundaries"
                where = f"the {end} unit of a document, where a segment {does} anyway"
                yield f"; {number_of(number, 'mark')} at {where}, {are}"

    def _words(self, kind: str) -> str:
        """The words that were read as a mark, or as no mark, the most frequent first."""
        found = Counter({word: n for (what, word), n in self.taken.items() if what == kind})
        words = [
            f"{repr(word) if word else 'blank'} ({n:,})"
            for word, n in found.most_common(_MOST_LISTED)
        ]
        more = [f"{len(found) - _MOST_LISTED} more"] if len(found) > _MOST_LISTED else []
        return ", ".join([*words, *more])


@dataclass(frozen=True)
class TableChoices:
    """What a caller says about a table.

    document, coder: names for tables that have none (None: such a table is refused). ignored:
    columns that belong to no coder. only, without: the coders whose columns are read, or not.
    empty: the meaning of a column that is empty for a whole document. own: whether it is one of our
    own sheets, in which a unit may have an empty text, and whose words are not reported. lengths:
    the number of units of documents, where the table does not give it. sheet: the name of a sheet,
    if several sheets are documents; such a sheet may also hold something else.
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    marks: Marks | None = None
    document: str | None = None
    coder: str | None = None
    ignored: Collection[str] = ()
    only: Collection[str] | None = None
    without: Collection[str] = ()
    empty: Empty = "not-coded"
    notes: TableNotes = field(default_factory=TableNotes, compare=False)
    own: bool = False
    lengths: Mapping[str, int] = field(default_factory=dict)
    sheet: str | None = None

    @property
    def or_no_document(self) -> str:
        """What messages add if a sheet does not look like a document."""
        if self.sheet is None:
            return ""
        return f"; if this sheet is not a document, ignore_sheets={self.sheet!r} leaves it out"

    def find(self, header: Sequence[str]) -> dict[str, int]:
        """The column of each part, without columns that are ignored or named as coders."""
        unfound = {*self.ignored, *(self.only or ())} - set(self.columns.values())
        self.notes.met |= {("column", name) for name in header if name.strip() in self.ignored}
        try:
            return find_columns(header, self.columns, unfound)
        except SegmentationError as error:
            raise SegmentationError(f"{error}{self.or_no_document}") from None

    def is_read(self, name: str) -> bool:
        """Whether a column without another meaning belongs to a coder to read."""
        if self.only is not None and name not in self.only:
            return False
        return name not in self.ignored and name not in self.without


def check_marks(marks: Any) -> None:
    """Raise for an unknown way of marking."""
    if marks is not None:
        check_choice(marks, "marks", MARKS)


def check_columns(columns: Any) -> None:
    """Raise if a mapping of names names anything but our columns."""
    if not isinstance(columns, Mapping):
        raise SegmentationError(
            f"columns is {shown(columns)}: expected {{'document': 'doc_id', …}}"
        )
    for part, name in columns.items():
        if part not in PARTS:
            raise SegmentationError(
                f"columns: there is no {shown(part)}: expected some of {', '.join(PARTS)}"
            )
        if not isinstance(name, str) or not name:
            raise SegmentationError(f"columns: {part} is {shown(name)}: expected a column's name")


def find_columns(
    header: Sequence[str], columns: Mapping[str, str], unfound: Collection[str] = ()
) -> dict[str, int]:
    """The column of each part, by the caller's names or else by well-known names; parts in
    `unfound` are left out."""
    places: dict[str, int] = {}
    for index, column in enumerate(header):
        if column and places.setdefault(column, index) != index:
            raise SegmentationError(f"two columns are called {column!r}: expected each name once")
    found: dict[str, int] = {}
    taken = {index for index, column in enumerate(header) if column.strip() in unfound}
    for part, name in columns.items():
        if name not in places:
            raise SegmentationError(
                f"no column is called {name!r} ({part}): there is {named(header)}"
            )
        found[part] = places[name]
        taken.add(found[part])
    coded = any(part in found for part in CODED)
    folded = [column.strip().lower() for column in header]
    for part in PARTS:
        if part in found or (coded and part in CODED):
            continue
        for name in NAMES.get(part, (part,)):
            if name in folded and folded.index(name) not in taken:
                found[part] = folded.index(name)
                taken.add(found[part])
                break
    return found


# ---- cells ----


def is_blank(value: Any) -> bool:
    """Whether a cell is empty."""
    if isinstance(value, str):
        return not value.strip()
    return value is None or (isinstance(value, float) and math.isnan(value))


def plain(value: Any) -> Any:
    """A cell as a plain value: whole floats, truth values and NumPy's numbers are integers."""
    if hasattr(value, "item") and not isinstance(value, str):
        value = value.item()
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, float):
        if math.isnan(value):
            return None
        return int(value) if value.is_integer() and abs(value) < LARGEST else value
    if isinstance(value, str):
        text = value.strip()
        found = _NUMBER.fullmatch(text)
        return int(found[1]) if found else _TRUE.get(text.lower(), text)
    return value


@dataclass(frozen=True)
class TableCells:
    """The cells of a row, by part."""

    found: Mapping[str, int]
    document: str | None
    coder: str | None

    def get(self, row: Sequence[Any], part: str) -> Any:
        """The cell of a row in the column of a part; None if it is empty."""
        value = row[self.found[part]] if part in self.found else None
        missing = value is None or value == "" or (isinstance(value, float) and math.isnan(value))
        return None if missing else value

    def names(self, row: Sequence[Any], before: str | None = None) -> tuple[str, str | None]:
        """The document and the coder of a row; numbers are names, too. Where only the first row of
        a document names it, `before` is the name in the row before."""
        return (
            self._name(row, "document", self.document, before) or "",
            self._name(row, "coder", self.coder),
        )

    def _name(
        self, row: Sequence[Any], part: str, default: str | None, before: str | None = None
    ) -> str | None:
        if part not in self.found:
            return default
        value = self.get(row, part)
        if is_blank(value):
            if before is not None:
                return before
            raise SegmentationError(f"{part} is empty: expected a name in each row")
        return str(value if isinstance(value, str) else plain(value)).strip()


def same_throughout(
    cells: TableCells, row: Sequence[Any], more: dict[str, Any], names: tuple[str, str | None]
) -> None:
    """Raise if the group or the kind differs between the rows of a coding."""
    for name in ("group", "kind"):
        if name in cells.found:
            value = cells.get(row, name)
            value = None if value is None else str(value)
            if more.setdefault(name, value) != value:
                raise SegmentationError(
                    f"{whereabouts(*names)}: {name} is {shown(value)}: expected "
                    f"{shown(more[name])}, as in the rows before"
                )


def units_in_order(units: Sequence[Any]) -> list[int]:
    """The rows in the order of their units, which count from 0 or 1 without a gap; units with names
    keep the order of the table."""
    if any(unit is None for unit in units):
        raise SegmentationError("a unit has no number: expected one in each row")
    seen: set[Any] = set()
    for unit in units:
        if unit in seen:
            raise SegmentationError(f"unit {shown(unit)} is listed twice: expected each unit once")
        seen.add(unit)
    if not all(isinstance(unit, int) for unit in units):
        return list(range(len(units)))
    order = sorted(range(len(units)), key=units.__getitem__)
    first = units[order[0]]
    if first not in (0, 1):
        raise SegmentationError(f"the first unit is {first}: expected units that count from 0 or 1")
    for expected, index in enumerate(order, start=first):
        if units[index] != expected:
            raise SegmentationError(
                f"unit {expected} is missing: the next is {units[index]}: expected a row for each"
            )
    return order


class AtPlace:
    """Adds the place to errors that do not name it."""

    def __init__(self, place: str) -> None:
        self.place = place

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: BaseException | None, _: Any) -> None:
        if isinstance(error, SegmentationError) and self.place:
            raise SegmentationError(f"{self.place}: {error}") from None


def texts_of(texts: Iterable[Any]) -> tuple[str, ...] | None:
    """The text of each unit, if every unit has one."""
    listed = tuple(texts)
    return listed if listed and all(isinstance(text, str) for text in listed) else None
