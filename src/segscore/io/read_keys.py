r"""What callers write in texts and small files: keys of `read`, scores, durations, new names.

A key of `--read KEY=VALUE` is a keyword of `read`, with dashes or underscores, or a part of a
table, whose value is the name of its column: `document=doc_id` is `columns={"document": "doc_id"}`.
The type of the keyword says how its value is read. Lists of names are split at commas
(`only-coders=a,b`), other values never. `rename` and `rename-labels` are OLD=NEW, or a CSV file of
such pairs, and may be repeated; `durations` is a file; a keyword that is true or false may stand
alone (`lenient`); `\n` in a separator is the end of a line. Keys that clean what people coded
(CLEANING) are for conversions: whatever else reads files reads what a conversion writes. Those of
PEOPLE are no keywords of `read`: conversions choose and rename in what was read.

Scores are JSON Lines or a table:

    {"document": "talk1", "scores": [0.02, 0.91, 0.3]}        one per position, in order
    {"document": "talk2", "scores": [0.9, 0.4], "positions": [12, 40]}   all others: never

A table (CSV, or what `io.table_files` reads) has columns `document` and `score`, a row per position
in order, or `position` besides them. With `marks` there is a score per unit instead. null, or an
empty cell, means that no boundary is possible there.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, get_origin

from segscore.basics.arguments import shown
from segscore.coding.scored import ScoredBoundaries
from segscore.errors import SegmentationError, about, nearest
from segscore.io.files import Source, expect, unpacked
from segscore.io.formats.chapters import durations_in
from segscore.io.read_options import KINDS
from segscore.io.safe_parsing import json_objects, placed
from segscore.io.table_columns import PARTS
from segscore.io.table_files import check_names, check_width, column_of, rows, whole

PEOPLE = ("only_coders", "without_coders", "rename", "rename_labels")
CLEANING = (
    *PEOPLE, "ignore_columns", "empty", "duplicates", "all_sheets", "ignore_sheets", "one_document",
)  # fmt: skip
_NOT_KEYS = ("columns", "coder", "coders", "units", "text", "remark", "skipped", "ignore_text")
_TRUTH = {"yes": True, "true": True, "no": False, "false": False}


# the type of each key: that of the keyword, or the first
_TYPES = {name: kind for name, (kind, *_) in KINDS.items() if name not in _NOT_KEYS}
_TYPES |= dict.fromkeys(PEOPLE, Sequence[str])


def key_names(*, cleaning: bool = False) -> list[str]:
    """The keys as they are written, without those of columns."""
    return [name.replace("_", "-") for name in sorted(_TYPES) if cleaning or name not in CLEANING]


def options_in(
    given: Iterable[str],
    allowed: Collection[str] | None = None,
    *,
    cleaning: bool = False,
    sides: Collection[str] = (),
) -> dict[str, Any]:
    """The keywords of `read` that texts KEY=VALUE give.

    allowed: the keys of a command that takes few. cleaning: whether it takes those of CLEANING.
    sides: keys, whose values are texts, for files that hold both sides in columns.
    """
    found: dict[str, Any] = {}
    renamed: dict[str, list[str]] = {}
    columns: dict[str, str] = {}
    for text in given:
        key, mark, value = (part.strip(" ") for part in text.partition("="))
        key = key.strip()
        name = key.replace("-", "_")
        kind = str if name in sides else _TYPES.get(name)
        if (kind is None and name not in PARTS) or (allowed is not None and name not in allowed):
            keys = [*key_names(cleaning=cleaning), *sides, *PARTS] if allowed is None else allowed
            spelt = dict.fromkeys(each.replace("_", "-") for each in keys)
            raise SegmentationError(f"read: there is no {key!r}{nearest(key, spelt)}")
        if name in CLEANING and name not in sides and not cleaning:
            raise SegmentationError(
                f"read: {key} is for segscore convert (-o FILE --read {text}): expected its file"
            )
        if kind is bool and not mark:
            value = "yes"
        elif not value:
            raise SegmentationError(f"read is {text!r}: expected {key}=VALUE")
        if name in ("rename", "rename_labels"):
            renamed.setdefault(name, []).append(value)
        elif name in found or name in columns:
            raise SegmentationError(f"read: {key} is given twice: expected it once")
        elif kind is None:
            columns[name] = value
        else:
            found[name] = _value(key, kind, value)
    for name, values in renamed.items():
        found[name] = _pairs_in(values, name, found.get("text_encoding"))
    return {**found, "columns": columns} if columns else found


def _value(key: str, kind: Any, text: str) -> Any:
    """The value of a keyword, by its type."""
    if get_origin(kind) is Mapping:
        return read_durations(Path(text))
    if get_origin(kind) is Sequence:
        return tuple(part.strip() for part in text.split(",") if part.strip())
    if kind is bool:
        expect(text.lower() in _TRUTH, f"read: {key} is {text!r}: expected yes or no")
        return _TRUTH[text.lower()]
    if kind in (int, float):
        with suppress(ValueError):
            return kind(text)
        what = "a whole number" if kind is int else "a number"
        raise SegmentationError(f"read: {key} is {text!r}: expected {what}")
    return text.replace("\\n", "\n") if key == "separator" else text


def _pairs_in(given: Iterable[str], key: str, encoding: str | None) -> dict[str, str]:
    """{old: new} from OLD=NEW, and from CSV files with two columns."""
    found: dict[str, str] = {}
    for text in given:
        old, mark, new = (part.strip() for part in text.partition("="))
        fits = (old and new) if mark else Path(text).is_file()
        fault = f"{text!r}" if mark else f"{text!r}, and there is no such file"
        expect(fits, f"read: {key} is {fault}: expected OLD=NEW, or a CSV file")
        for name, other in ({old: new} if mark else read_renames(text, encoding)).items():
            if found.setdefault(name, other) != other:
                raise SegmentationError(f"read: {key} has {name!r} twice: expected it once")
    return found


# ---- lists by document ----

_KEYS = ("document", "scores", "positions", "n_units")
_EXPECTED = 'one object per line: {"document": "…", "scores": […]}'
_COLUMNS = (
    ("document", "doc", "doc_id", "document_id", "name"),
    ("score", "scores", "probability", "prob"),
    ("position", "boundary", "gap"),
)


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
        scored: dict[str, ScoredBoundaries] = {}
        for name, fields in found.items():
            with source.locating(), about(f"document {name!r}"):
                scores, positions = fields["scores"], fields.get("positions")
                if marks is not None and positions is not None:
                    raise SegmentationError("positions are given: expected no marks with them")
                if marks is not None:
                    scored[name] = ScoredBoundaries.from_units(scores, marks)
                    continue
                n_units = fields.get("n_units")
                n_units = (lengths or {}).get(name) if n_units is None else n_units
                scored[name] = ScoredBoundaries(scores, positions=positions, n_units=n_units)
        return scored


def _from_lines(source: Source) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for place, fields in json_objects(source, _EXPECTED):
        with placed(source, *place):
            if not isinstance(fields, dict) or fields.keys() - _KEYS:
                raise SegmentationError(f"{shown(fields)}: expected {_EXPECTED}")
            name = fields.get("document")
            if not isinstance(name, str) or not name or name in found:
                raise SegmentationError(f"document is {shown(name)}: expected a name, each once")
            for key, kind in (("scores", list), ("positions", list | None)):
                given = fields.get(key)
                expect(isinstance(given, kind), f"{key} is %s: expected a list", given)
        found[name] = fields
    return found


def _from_table(source: Source) -> dict[str, dict[str, Any]]:
    table = rows(source)
    line, header = next(table)
    with source.locating(line):
        check_names(header)
        document, score, position = (column_of(header, known) for known in _COLUMNS)
        if document is None or score is None:
            what = f"the header is {','.join(header)!r}"
            raise SegmentationError(f"{what}: expected document,score or document,position,score")
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
