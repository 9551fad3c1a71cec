"""Lists by document that are not codings: scores of boundaries, and durations of recordings.

Scores are JSON Lines or a table:

    {"document": "talk1", "scores": [0.02, 0.91, 0.3]}        one per position, in order
    {"document": "talk2", "scores": [0.9, 0.4], "positions": [12, 40]}   all others: never

A table (CSV, or what `io.table_files` reads) has columns `document` and `score`, a row per position
in order, or `position` besides them. With `marks` there is a score per unit instead. null, or an
empty cell, means that no boundary is possible there.

Lists of durations are those of `io.formats.chapters`.
"""

from collections.abc import Mapping
from typing import Any, Literal

from segscore.basics.arguments import shown
from segscore.coding.scored import ScoredBoundaries
from segscore.errors import SegmentationError
from segscore.io.files import Source
from segscore.io.formats.chapters import durations_in
from segscore.io.safe_parsing import json_lines
from segscore.io.table_files import check_names, check_width, column_of, rows, whole
from segscore.io.zips import unpacked

_KEYS = ("document", "scores", "positions", "n_units")
_EXPECTED = 'one object per line: {"document": "…", "scores": […]}'
_DOCUMENT = ("document", "doc", "doc_id", "document_id", "name")
_SCORE = ("score", "scores", "probability", "prob")
_POSITION = ("position", "boundary", "gap")


def read_scores(
    path: object,
    lengths: Mapping[str, int] | None = None,
    *,
    marks: Literal["end", "start"] | None = None,
    text_encoding: str | None = None,
) -> dict[str, ScoredBoundaries]:
    """Read the scores in a file, by document.

    lengths: the number of units of each document, for files with positions that do not give it.
    marks: for a score per unit: whether a high score means that the unit is the `end` of a segment
        or the `start` of one.
    text_encoding: the encoding of tables; UTF-8 if None.
    """
    with unpacked(path) as kept:
        source = Source(kept, kept.stem, "", text_encoding)
        lines = source.suffix in (".jsonl", ".ndjson", ".json")
        found = _from_lines(source) if lines else _from_table(source)
        if not found:
            raise source.fail("the file has no document: expected scores")
        return {
            name: _scored(source, name, fields, (lengths or {}).get(name), marks)
            for name, fields in found.items()
        }


def _scored(
    source: Source, name: str, fields: dict[str, Any], known: int | None, marks: Any
) -> ScoredBoundaries:
    """The scores of a document."""
    n_units = fields.get("n_units")
    n_units = known if n_units is None else n_units
    positions = fields.get("positions")
    try:
        if marks is None:
            return ScoredBoundaries(fields["scores"], positions=positions, n_units=n_units)
        if positions is not None:
            raise SegmentationError("positions are given: expected no marks with them")
        return ScoredBoundaries.from_units(fields["scores"], marks)
    except SegmentationError as error:
        raise source.fail(f"document {name!r}: {error}") from None


def _from_lines(source: Source) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for number, fields in json_lines(source, _EXPECTED):
        with source.locating(number):
            name = _checked(fields)
            if name in found:
                raise SegmentationError(f"document {name!r} is listed twice: expected each once")
        found[name] = fields
    return found


def _checked(fields: Any) -> str:
    """The document name in an object with scores."""
    if not isinstance(fields, dict) or not isinstance(fields.get("scores"), list):
        raise SegmentationError(f"{shown(fields)}: expected {_EXPECTED}")
    unknown = next((key for key in fields if key not in _KEYS), None)
    if unknown is not None:
        raise SegmentationError(f"there is no field {shown(unknown)}: expected {', '.join(_KEYS)}")
    name = fields.get("document")
    if not isinstance(name, str) or not name:
        raise SegmentationError(f"document is {shown(name)}: expected a name")
    if fields.get("positions") is not None and not isinstance(fields["positions"], list):
        raise SegmentationError(f"positions is {shown(fields['positions'])}: expected a list")
    return name


def _from_table(source: Source) -> dict[str, dict[str, Any]]:
    table = rows(source)
    line, header = next(table)
    with source.locating(line):
        check_names(header)
        document, score, position = (
            column_of(header, known) for known in (_DOCUMENT, _SCORE, _POSITION)
        )
        if document is None or score is None:
            raise SegmentationError(
                f"the header is {','.join(header)!r}: expected document,score or "
                "document,position,score"
            )
    found: dict[str, dict[str, Any]] = {}
    for line, cells in table:
        with source.locating(line):
            check_width(cells, header)
            fields = found.setdefault(cells[document].strip(), {"scores": []})
            fields["scores"].append(_number(cells[score]))
            if position is not None:
                place = whole(cells[position], "position", "a whole number of at least 1")
                fields.setdefault("positions", []).append(place)
    return found


def _number(text: str) -> float | None:
    """A score in a cell, with a decimal point or a decimal comma; an empty cell has no score."""
    if not text.strip():
        return None
    try:
        return float(text.replace(",", ".") if text.count(",") == 1 else text)
    except ValueError:
        raise SegmentationError(f"score is {shown(text)}: expected a number") from None


# ---- durations ----


def read_durations(path: object) -> dict[str, float]:
    """The duration of each document in seconds."""
    with unpacked(path) as kept:
        return durations_in(Source(kept, kept.stem, ""))


def read_renames(path: object, encoding: str | None = None) -> dict[str, str]:
    """The pairs of old and new names in a table of two columns, with or without a header."""
    with unpacked(path) as kept:
        source = Source(kept, kept.stem, "", encoding)
        found: dict[str, str] = {}
        for line, cells in rows(source):
            pair = tuple(cell.strip() for cell in cells)
            if len(pair) != 2 or not all(pair):
                raise source.fail(f"{','.join(pair)!r}: expected two names, old and new", line)
            if not found and tuple(map(str.lower, pair)) in (("old", "new"), ("from", "to")):
                continue
            if found.setdefault(pair[0], pair[1]) != pair[1]:
                raise source.fail(f"{pair[0]!r} is listed twice: expected one new name", line)
        return found
