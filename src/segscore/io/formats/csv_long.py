"""CSV in long form, with a header. A row per segment:

    document,coder,mass,labels,types,rank
    ch1,ann,2,"[""intro""]","[""minor""]",2
    ch1,ann,3,[],"[""major""]",1
    ch1,ann,6,[],[],0

`types` (a JSON list) and `rank` are those of the boundary that ends the segment; the last segment
ends with the document, and has `[]` and `0`. `labels` is a JSON list; a column `label` holds one
label as it is. `group` and `kind` may follow; empty cells are not known.

A row per unit is read, too: `document,coder,unit,segment`, where units and segments count from 1,
with the text in a column `text` if it is known. Annotation pages write it with `level`, `label`,
`unsure` and `comment` of the place before each unit; their tables hold only finished codings. The
rows of a coding are adjacent and in order.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import Any, TextIO, TypeVar

from segscore.basics.spreadsheet_cells import text_of_cell
from segscore.corpus.corpus import Corpus
from segscore.corpus.record import Record, fields_from_record, record_from_fields, whereabouts
from segscore.errors import SegmentationError
from segscore.io.files import Source
from segscore.io.format import Format
from segscore.io.table_files import (
    check_numbered,
    check_width,
    header_of,
    json_list,
    next_segment,
    row_text,
    rows,
    whole,
)

BY_SEGMENT = ("document", "coder", "mass", "labels", "label", "types", "rank", "group", "kind")
BY_UNIT = ("document", "coder", "unit", "segment", "text", "group", "kind")
PLACES = ("level", "label", "unsure", "comment")  # what annotation pages say of each, all of them

_NAMES = ("document", "coder", "group", "kind")

Row = tuple[int, dict[str, str]]  # line number, cells by column
Value = TypeVar("Value")


def matches(lines: list[str]) -> bool:
    """Whether the header has `document` and `coder`, and no codings of another form."""
    names = set(header_of(lines))
    return {"document", "coder"} <= names and ("mass" in names or is_by_unit(names))


def is_by_unit(names: set[str]) -> bool:
    """Whether columns are those of our form with a row per unit, as it is or as pages write it."""
    without = names - set(PLACES)
    return {"document", "coder", "unit", "segment"} <= without <= set(BY_UNIT) and (
        names == without or set(PLACES) <= names
    )


def read(source: Source) -> Iterator[Record]:
    """The records of a file."""
    table = rows(source)
    line, header = next(table)
    names = [name.strip().lower() for name in header]
    with source.locating(line):
        by_unit = _check_header(names)
    for (document, coder), group in groupby(_cells(source, table, names), _document_and_coder):
        coding = list(group)
        where = whereabouts(document, coder)
        fields: dict[str, Any] = {"document": document, "coder": coder}
        fields |= (_units if by_unit else _segments)(source, where, coding)
        fields |= {name: _same(source, where, coding, name) for name in ("group", "kind")}
        line = coding[0][0]
        with source.locating(line):
            record = record_from_fields(fields, source.at(line))
        yield record


def _check_header(names: list[str]) -> bool:
    """Whether there is a row per unit; otherwise there is a row per segment."""
    by_unit = "segment" in names
    known = (*BY_UNIT, *PLACES) if by_unit else BY_SEGMENT
    needed = known[:4] if by_unit else known[:3]
    wrong = [name for name in names if name not in known]
    missing = [name for name in needed if name not in names]
    if wrong or missing or len(set(names)) != len(names) or {"label", "labels"} <= set(names):
        raise SegmentationError(
            f"the header is {','.join(names)!r}: expected document,coder,mass and some of labels "
            "(or label),types,rank,group,kind; or document,coder,unit,segment and some of "
            "text,group,kind; each once"
        )
    return by_unit


def _cells(
    source: Source, table: Iterable[tuple[int, list[str]]], names: list[str]
) -> Iterator[Row]:
    for line, cells in table:
        with source.locating(line):
            check_width(cells, names)
        found = dict(zip(names, cells, strict=True))
        yield line, found | {name: text_of_cell(found[name]) for name in _NAMES if name in found}


def _document_and_coder(row: Row) -> tuple[str, str]:
    return row[1]["document"], row[1]["coder"]


def _column(
    source: Source, coding: list[Row], name: str, convert: Callable[[str], Value]
) -> list[Value]:
    """A column of a coding."""
    values: list[Value] = []
    for line, cells in coding:
        with source.locating(line):
            values.append(convert(cells[name]))
    return values


def _segments(source: Source, where: str, coding: list[Row]) -> dict[str, Any]:
    """The fields of a coding that has a row per segment."""
    whole_mass = "a whole number from 1 on"
    fields: dict[str, Any] = {
        "masses": _column(
            source, coding, "mass", lambda text: whole(text, f"{where}: mass", whole_mass)
        )
    }
    if _given(coding, "labels"):
        fields["labels"] = _column(
            source, coding, "labels", lambda text: json_list(text or "[]", f"{where}: labels")
        )
    if _given(coding, "label"):
        fields["labels"] = [cells["label"] or None for _, cells in coding]
    if _given(coding, "types"):
        fields["types"] = _column(
            source, coding, "types", lambda text: json_list(text, f"{where}: types")
        )
    if _given(coding, "rank"):
        fields["ranks"] = _column(
            source, coding, "rank", lambda text: whole(text, f"{where}: rank", "a whole number")
        )
    for name, end in (("types", []), ("ranks", 0)):  # at the end of the document is no boundary
        if name in fields and fields[name].pop() != end:
            what = f"{where}: {name} at the end of the document: expected {end}"
            raise source.fail(what, coding[-1][0])
    return fields


def _units(source: Source, where: str, coding: list[Row]) -> dict[str, Any]:
    """The fields of a coding that has a row per unit."""
    segments: list[int] = []
    for index, (line, cells) in enumerate(coding, start=1):
        with source.locating(line):
            check_numbered(cells["unit"], index, f"{where}: unit")
            before = segments[-1] if segments else 0
            segments.append(next_segment(cells["segment"], before, where))
    fields: dict[str, Any] = {"segment_ids": segments}
    if _given(coding, "text"):
        fields["units"] = [cells["text"] for _, cells in coding]
    if "unsure" in coding[0][1]:
        fields |= _of_page(source, where, coding, segments)
    return fields


def _of_page(source: Source, where: str, coding: list[Row], segments: list[int]) -> dict[str, Any]:
    """The further columns of the table of an annotation page, about the place before each unit."""
    fields: dict[str, Any] = {}
    if _given(coding, "text"):
        fields["units"] = [text_of_cell(cells["text"]) for _, cells in coding]
    starts = [i for i, segment in enumerate(segments) if i == 0 or segment != segments[i - 1]]
    if _given(coding, "label"):
        fields["labels"] = [text_of_cell(coding[i][1]["label"]) or None for i in starts]
    if _given(coding, "level"):
        placed = [coding[i] for i in starts[1:]]
        fields["ranks"] = _column(
            source, placed, "level", lambda text: whole(text, f"{where}: level", "1 to 6")
        )
    fields["annotation"] = {
        "finished": True,
        "unsure": [i for i, (_, cells) in enumerate(coding) if i and cells["unsure"]],
        "comments": [
            {"after": i, "text": text_of_cell(cells["comment"])}
            for i, (_, cells) in enumerate(coding)
            if i and cells["comment"]
        ],
    }
    return fields


def _given(coding: list[Row], name: str) -> bool:
    """Whether a column exists and a coding has something in it."""
    return any(cells.get(name) for _, cells in coding)


def _same(source: Source, where: str, coding: list[Row], name: str) -> str | None:
    """The value that all rows of a coding share."""
    value = coding[0][1].get(name)
    for line, cells in coding:
        if cells.get(name) != value:
            what = f"{where}: {name} is {cells[name]!r}: expected {value!r}, as in the row before"
            raise source.fail(what, line)
    return value or None


def write(records: Iterable[Record], stream: TextIO) -> None:
    """Write a row per segment; columns without any value are left out."""
    everything = [fields_from_record(record) for record in Corpus.from_rows(records).records()]
    optional = {"labels": "segment_labels", "types": "types", "rank": "ranks", "group": "group",
                "kind": "kind"}  # fmt: skip
    used = [name for name, of in optional.items() if any(of in fields for fields in everything)]
    stream.write(row_text(("document", "coder", "mass", *used)))
    for fields in everything:
        for row in _rows(fields):
            stream.write(row_text((*row[:3], *(row[3][name] for name in used))))


def _listed_labels(labels: list[Any] | None) -> list[list[str]] | None:
    """The labels of each segment as a list."""
    if labels is None:
        return None
    return [
        label if isinstance(label, list) else [] if label is None else [label] for label in labels
    ]


def _rows(fields: dict[str, Any]) -> Iterator[tuple[str, str, int, dict[str, object]]]:
    count = len(fields["masses"])
    unknown = [""] * count
    types, labels = (
        [json.dumps(names, ensure_ascii=False) for names in column]
        if column is not None
        else unknown
        for column in (
            [*fields["types"], []] if "types" in fields else None,
            _listed_labels(fields.get("segment_labels")),
        )
    )
    ranks = [*fields["ranks"], 0] if "ranks" in fields else unknown
    for index, mass in enumerate(fields["masses"]):
        cells = {
            "labels": labels[index], "types": types[index], "rank": ranks[index],
            "group": fields.get("group", ""), "kind": fields.get("kind", ""),
        }  # fmt: skip
        yield fields["document"], fields["coder"], mass, cells


FORMAT = Format(
    "csv", "long CSV", (".csv",), frozenset({"labels", "types", "ranks", "group", "kind"}),
    matches, read, write=write, tabular=True, signs=("coder",), keys="layer",
)  # fmt: skip
