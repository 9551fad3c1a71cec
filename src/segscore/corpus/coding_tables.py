"""People's own tables as codings: a row per unit, a row per coding, or a column per coder.

A table is a header and rows; files (CSV, Excel, Parquet) and frames (pandas, Polars, Arrow, DuckDB)
come here in the same way. What a column holds is known by its name, or the caller says it
(`columns={"document": "doc_id"}`). What a 0 or 1 means is never guessed: `marks` must say it.

| marks | the list, or the column, holds |
|---|---|
| end | 0 or 1 per unit; 1 marks the last unit of a segment |
| start | 0 or 1 per unit; 1 marks the first unit of a segment |
| gaps | 0 or 1 per gap between two units: one less than units |
| ids | the segment of each unit; a boundary stands wherever it changes |
| masses | the lengths of the segments |
"""

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from segscore.basics.arguments import LARGEST, shown
from segscore.coding.segmentation import Segmentation
from segscore.corpus.record import Record, record_from_fields, whereabouts
from segscore.errors import SegmentationError, about, named

Marks = Literal["end", "start", "gaps", "ids", "masses"]
MARKS: tuple[str, ...] = get_args(Marks)
ASK_FOR_MARKS = (
    "expected marks= (--marks): end (1 is the last unit of a segment), start (1 is the first unit) "
    "or gaps (one symbol less than units)"
)
ASK_FOR_NUMBERS = "expected marks= (--marks): ids (the segment of each unit) or masses (lengths)"

# What a column holds, and the names by which it is known; others need columns= (--map).
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
LISTS = ("masses", "boundaries", "gaps", "segment_ids", "spans", "labels")  # a coding in one cell
CODED = ("boundary", "segment", *LISTS)  # the parts that hold codings
PARTS = (*NAMES, *LISTS)

_NUMBER = re.compile(r"([0-9]{1,16})(?:[.,]0*)?")  # 1.0 and 1,0 are how spreadsheets write 1
_TRUE = {"true": 1, "false": 0}

Row = tuple[str, Sequence[Any]]  # where it stands, cells


def check_marks(marks: Any) -> None:
    """Refuse what is no way of marking."""
    if marks is not None and marks not in MARKS:
        raise SegmentationError(f"marks is {shown(marks)}: expected one of {', '.join(MARKS)}")


def check_columns(columns: Any) -> None:
    """Refuse a mapping of names that names something else than our columns."""
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


def coding_of(values: Any, marks: Marks | None) -> Segmentation:
    """The segmentation in a list of marks, ids or masses; what it holds must be said, unless the
    values are names of segments.

    >>> coding_of([0, 1, 0, 0, 1], "end")
    Segmentation(masses=[2, 3])
    """
    if isinstance(values, str):
        values = list(values)
    if isinstance(values, Mapping) or not isinstance(values, Iterable):
        raise SegmentationError(f"{shown(values)}: expected a list, an entry per unit")
    listed = [_plain(one) for one in values]
    if marks is None:
        _ask(listed)
    if marks is None or marks == "ids":
        for index, one in enumerate(listed):
            if one is None or one == "":
                raise SegmentationError(f"[{index}] is empty: expected the segment of each unit")
        return Segmentation.from_segment_ids(listed)
    numbers = [_whole(one, index) for index, one in enumerate(listed)]
    if marks == "gaps":
        return Segmentation.from_gaps(numbers)
    if marks == "masses":
        return Segmentation.from_masses(numbers)
    return Segmentation.from_labels(numbers, marks)


def _ask(values: list[Any]) -> None:
    """Names of segments speak for themselves; numbers do not."""
    numbers = [one for one in values if not isinstance(one, str) or _NUMBER.fullmatch(one.strip())]
    if not numbers and values:
        return
    if all(one in (0, 1, "0", "1") for one in values):
        raise SegmentationError(f"each value is 0 or 1: {ASK_FOR_MARKS}")
    raise SegmentationError(
        f"the values are numbers such as {shown(numbers[0])}: {ASK_FOR_NUMBERS}"
    )


def _plain(value: Any) -> Any:
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


def _whole(value: Any, index: int) -> int:
    if not isinstance(value, int):
        raise SegmentationError(f"[{index}] is {shown(value)}: expected a whole number")
    return value


# ---- tables ----


@dataclass
class _Coding:
    """The rows of one coding, as they are collected."""

    place: str
    units: list[Any] = field(default_factory=list)
    values: list[Any] = field(default_factory=list)
    texts: list[Any] = field(default_factory=list)
    more: dict[str, Any] = field(default_factory=dict)


def table_records(
    header: Sequence[str],
    rows: Iterable[Row],
    *,
    columns: Mapping[str, str],
    marks: Marks | None,
    document: str | None,
    coder: str | None,
) -> Iterator[Record]:
    """The records of a table; `document` and `coder` are for tables that name none (None: such a
    table is refused)."""
    found = find_columns(header, columns)
    if "document" not in found and document is None:
        raise SegmentationError(
            f"no column holds the document: there is {named(header)}: expected document=NAME in "
            "columns= (--map)"
        )
    cells = _Cells(found, document, coder)
    lists = [name for name in LISTS if name in found]
    per_unit = [name for name in ("boundary", "segment") if name in found]
    if len(lists) + len(per_unit) > 1:
        raise SegmentationError(
            f"the columns {named(header[found[one]] for one in (*lists, *per_unit))} each hold a "
            "coding: expected one, named in columns= (--map)"
        )
    if lists:
        return _list_records(cells, rows, lists[0], marks)
    if per_unit:
        return _unit_records(cells, rows, per_unit[0], marks)
    return _wide_records(cells, header, rows, marks)


def find_columns(header: Sequence[str], columns: Mapping[str, str]) -> dict[str, int]:
    """Where each part stands: by the caller's names, or else by well-known ones."""
    places: dict[str, int] = {}
    for index, one in enumerate(header):
        if places.setdefault(one, index) != index:
            raise SegmentationError(f"two columns are called {one!r}: expected each name once")
    found: dict[str, int] = {}
    taken = set()
    for part, name in columns.items():
        if name not in places:
            raise SegmentationError(
                f"no column is called {name!r} ({part}): there is {named(header)}"
            )
        found[part] = places[name]
        taken.add(found[part])
    coded = any(part in found for part in CODED)
    folded = [one.strip().lower() for one in header]
    for part in PARTS:
        if part in found or (coded and part in CODED):
            continue
        for name in NAMES.get(part, (part,)):
            if name in folded and folded.index(name) not in taken:
                found[part] = folded.index(name)
                taken.add(found[part])
                break
    return found


@dataclass(frozen=True)
class _Cells:
    """What stands in a row, by part."""

    found: Mapping[str, int]
    document: str | None
    coder: str | None

    def get(self, row: Sequence[Any], part: str) -> Any:
        value = row[self.found[part]] if part in self.found else None
        missing = value is None or value == "" or (isinstance(value, float) and math.isnan(value))
        return None if missing else value

    def names(self, row: Sequence[Any]) -> tuple[str, str | None]:
        """Document and coder; numbers are names, too."""
        return (
            self._name(row, "document", self.document) or "",
            self._name(row, "coder", self.coder),
        )

    def _name(self, row: Sequence[Any], part: str, default: str | None) -> str | None:
        if part not in self.found:
            return default
        value = self.get(row, part)
        if value is None:
            raise SegmentationError(f"{part} is empty: expected a name in each row")
        return str(value if isinstance(value, str) else _plain(value)).strip()


def _list_records(
    cells: _Cells, rows: Iterable[Row], part: str, marks: Marks | None
) -> Iterator[Record]:
    """A row per coding, which stands in one cell."""
    for place, row in rows:
        with _Placed(place):
            document, coder = cells.names(row)
            fields: dict[str, Any] = {"document": document, "coder": coder}
            where = whereabouts(document, coder)
            value = cells.get(row, part)
            if value is None:
                raise SegmentationError(f"{where}: {part} is empty: expected a list")
            values = _listed(value, f"{where}: {part}", part in ("labels", "gaps"))
            n_units = cells.get(row, "n_units")
            if n_units is not None:
                fields["n_units"] = _plain(n_units)
            for name in ("group", "kind"):
                if cells.get(row, name) is not None:
                    fields[name] = str(cells.get(row, name))
            labels = cells.get(row, "segment_labels")
            if labels is not None:
                fields["segment_labels"] = _listed(labels, f"{where}: segment_labels", False)
            if part == "labels" or (part == "segment_ids" and marks is not None):
                record = _marked(fields, values, marks, where, place)
            else:
                fields[part] = values
                record = record_from_fields(fields, place)
        yield record


def _marked(
    fields: dict[str, Any], values: Any, marks: Marks | None, where: str, place: str
) -> Record:
    with about(where):
        coding = coding_of(values, marks)
    if "segment_labels" in fields:
        with about(where):
            coding = coding.with_segment_labels(fields["segment_labels"])
    if fields.get("n_units") not in (None, coding.n_units):
        raise SegmentationError(
            f"{where}: n_units is {fields['n_units']}: expected {coding.n_units}, as the labels say"
        )
    return Record(
        fields["document"], fields["coder"], coding, kind=fields.get("kind"),
        group=fields.get("group"), place=place,
    )  # fmt: skip


def _listed(value: Any, what: str, symbols: bool) -> list[Any]:
    """A list in a cell: a list, an array, JSON, numbers apart by spaces; or, where they are
    `symbols`, a text such as 0100."""
    if isinstance(value, int) and not isinstance(value, bool):  # a spreadsheet's only number
        value = str(value)
    if isinstance(value, str):
        value = _list_in_text(value.strip(), what, symbols)
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, Mapping) or not isinstance(value, Iterable):
        raise SegmentationError(f"{what} is {shown(value)}: expected a list")
    return [_plain(one) if not isinstance(one, str | list | tuple) else one for one in value]


def _list_in_text(text: str, what: str, symbols: bool) -> list[Any]:
    """Symbols, numbers apart by spaces or semicolons, or JSON."""
    if symbols and re.fullmatch("[01]+", text):
        return [int(one) for one in text]
    if re.fullmatch(r"[0-9]{1,16}(?:[ ;]+[0-9]{1,16})*", text):
        return [int(one) for one in re.split("[ ;]+", text)]
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, list):
        raise SegmentationError(f"{what} is {shown(text)}: expected a list, as in [2, 3, 6]")
    return found


def _unit_records(
    cells: _Cells, rows: Iterable[Row], part: str, marks: Marks | None
) -> Iterator[Record]:
    """A row per unit; the rows of a coding may stand anywhere if a column numbers the units."""
    if part == "segment":
        if marks not in (None, "ids"):
            raise SegmentationError(
                f"marks is {marks!r}: expected ids, because a column holds the segment of each unit"
            )
        marks = "ids"
    elif marks == "masses":
        raise SegmentationError("marks is 'masses': expected end, start, gaps or ids in a column")
    codings: dict[tuple[str, str | None], _Coding] = {}
    for place, row in rows:
        with _Placed(place):
            names = cells.names(row)
            coding = codings.setdefault(names, _Coding(place))
            value = cells.get(row, part)
            if value is None:
                raise SegmentationError(f"{whereabouts(*names)}: {part} is empty: expected a value")
            coding.values.append(value)
            if "unit" in cells.found:
                coding.units.append(_plain(cells.get(row, "unit")))
            if "text" in cells.found:
                coding.texts.append(cells.get(row, "text"))
            _keep_same(cells, row, coding, whereabouts(*names))
    yield from _collected(codings, marks)


def _keep_same(cells: _Cells, row: Sequence[Any], coding: _Coding, where: str) -> None:
    """Group and kind are those of the coding: each of its rows must say the same."""
    for name in ("group", "kind"):
        if name in cells.found:
            value = cells.get(row, name)
            value = None if value is None else str(value)
            if coding.more.setdefault(name, value) != value:
                raise SegmentationError(
                    f"{where}: {name} is {shown(value)}: expected "
                    f"{shown(coding.more[name])}, as in the rows before"
                )


def _wide_records(
    cells: _Cells, header: Sequence[str], rows: Iterable[Row], marks: Marks | None
) -> Iterator[Record]:
    """A row per unit and a column per coder: all columns that are nothing else."""
    coders = {i: name for i, name in enumerate(header) if i not in cells.found.values()}
    if not coders or "coder" in cells.found or "unit" not in cells.found:
        raise SegmentationError(
            f"no column holds boundaries: there is {named(header)}: expected columns= (--map) with "
            "boundary=NAME or segment=NAME (a row per unit), masses=NAME or labels=NAME (a row per "
            "coding), or unit=NAME (then each other column is a coder)"
        )
    codings: dict[tuple[str, str | None], _Coding] = {}
    for place, row in rows:
        with _Placed(place):
            document, _ = cells.names(row)
            for index, coder in coders.items():
                value = row[index]
                if value is None or value == "":
                    continue
                coding = codings.setdefault((document, coder), _Coding(place))
                coding.values.append(value)
                coding.units.append(_plain(cells.get(row, "unit")))
                if "text" in cells.found:
                    coding.texts.append(cells.get(row, "text"))
                _keep_same(cells, row, coding, whereabouts(document, coder))
    yield from _collected(codings, marks)


def _collected(
    codings: dict[tuple[str, str | None], _Coding], marks: Marks | None
) -> Iterator[Record]:
    if not codings:
        raise SegmentationError("no rows below the header: expected one per unit")
    for (document, coder), coding in codings.items():
        where = whereabouts(document, coder)
        with _Placed(coding.place):
            with about(where):
                order = _order(coding.units) if coding.units else range(len(coding.values))
                segmentation = coding_of([coding.values[index] for index in order], marks)
            texts = None
            if coding.texts and all(isinstance(one, str) for one in coding.texts):
                texts = tuple(coding.texts[index] for index in order)
                texts = texts if marks != "gaps" else None  # a text per gap is none per unit
            record = Record(document, coder, segmentation, texts, place=coding.place, **coding.more)
        yield record


def _order(units: list[Any]) -> list[int]:
    """The rows in the order of their units, which count from 0 or from 1 without a gap; units
    with names stay in the order of the table."""
    if any(one is None for one in units):
        raise SegmentationError("a unit has no number: expected one in each row")
    seen: set[Any] = set()
    for one in units:
        if one in seen:
            raise SegmentationError(f"unit {shown(one)} is listed twice: expected each unit once")
        seen.add(one)
    if not all(isinstance(one, int) for one in units):
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


class _Placed:
    """Adds the place to an error that does not know it."""

    def __init__(self, place: str) -> None:
        self.place = place

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: BaseException | None, _: Any) -> None:
        if isinstance(error, SegmentationError) and self.place:
            raise SegmentationError(f"{self.place}: {error}") from None
