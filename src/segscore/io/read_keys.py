r"""The keywords of `read` as texts, KEY=VALUE: how a command line says how files are read.

A key is a keyword of `read`, with dashes or underscores, or a part of a table, whose value is the
name of its column: `document=doc_id` is `columns={"document": "doc_id"}`. The type of the keyword
says how its value is read. Lists of names are split at commas (`only-coders=a,b`), other values
never. `rename` and `rename-labels` are OLD=NEW, or a CSV file of such pairs, and may be repeated;
`durations` is a file; a keyword that is true or false may stand alone (`lenient`); `\n` in a
separator is the end of a line.

Keys that clean what people coded (CLEANING) are for conversions: whatever else reads files reads
what a conversion writes.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from segscore.errors import SegmentationError, nearest
from segscore.io.document_lists import read_durations, read_renames
from segscore.io.read_options import ReadKeywords
from segscore.io.table_columns import PARTS

CLEANING = (
    "only_coders", "without_coders", "rename", "rename_labels", "ignore_columns", "empty",
    "duplicates", "all_sheets", "ignore_sheets", "one_document",
)  # fmt: skip
_NOT_KEYS = ("coder", "coders", "units", "text", "remark", "skipped", "notes", "ignore_text")
_TRUTH = {"yes": True, "true": True, "no": False, "false": False}
_BETWEEN_PARTS = re.compile(r",(?=\s*\w+\s*=|\s*$)")  # the name of a column may have commas, too


@cache
def _types() -> dict[str, Any]:
    """The type of each key."""
    types = get_type_hints(ReadKeywords)
    return {name: kind for name, kind in types.items() if name not in _NOT_KEYS}


def key_names(*, cleaning: bool = False) -> list[str]:
    """The keys as they are written, without those of columns."""
    return [name.replace("_", "-") for name in sorted(_types()) if cleaning or name not in CLEANING]


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
    listed: dict[str, list[str]] = {"columns": [], "rename": [], "rename_labels": []}
    for text in given:
        key, mark, value = text.partition("=")
        name = key.strip().replace("-", "_")
        if name not in sides:
            _check_key(key.strip(), name, allowed, cleaning, sides)
        value = value.strip(" ")
        kind = str if name in sides else _types().get(name)
        if kind is bool and not mark:
            value = "yes"
        elif not value:
            raise SegmentationError(f"read is {text!r}: expected {key.strip()}=VALUE")
        if kind is None:
            listed["columns"].append(f"{name}={value}")
        elif name in listed:
            listed[name].append(value)
        elif name in found:
            raise SegmentationError(f"read: {key.strip()} is given twice: expected it once")
        else:
            found[name] = _value(key.strip(), kind, value)
    if listed["columns"]:
        found["columns"] = _columns_in(listed["columns"])
    for name in ("rename", "rename_labels"):
        if listed[name]:
            found[name] = _pairs_in(listed[name], name, found.get("text_encoding"))
    return found


def _check_key(
    key: str, name: str, allowed: Collection[str] | None, cleaning: bool, sides: Collection[str]
) -> None:
    known = name in _types() or name in PARTS
    if known and name in CLEANING and not cleaning:
        raise SegmentationError(
            f"read: {key} is for segscore convert: expected the file that it writes"
        )
    if not known or (allowed is not None and name not in allowed):
        keys = [*key_names(cleaning=cleaning), *sides, *PARTS] if allowed is None else allowed
        spelt = dict.fromkeys(each.replace("_", "-") for each in keys)
        meant = nearest(name.replace("_", "-"), spelt)
        raise SegmentationError(f"read: there is no {key!r}{meant}")


def _value(key: str, kind: Any, text: str) -> Any:
    """The value of a keyword, by its type, or by the first that is not None."""
    if get_origin(kind) in (Union, UnionType):
        kind = next(each for each in get_args(kind) if each is not type(None))
    if get_origin(kind) is Mapping:
        return read_durations(Path(text))
    if get_origin(kind) is Sequence:
        return tuple(part.strip() for part in text.split(",") if part.strip())
    if kind is bool:
        if text.lower() not in _TRUTH:
            raise SegmentationError(f"read: {key} is {text!r}: expected yes or no")
        return _TRUTH[text.lower()]
    if kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            what = "a whole number" if kind is int else "a number"
            raise SegmentationError(f"read: {key} is {text!r}: expected {what}") from None
    return text.replace("\\n", "\n") if key == "separator" else text


def _pairs_in(given: Iterable[str], key: str, encoding: str | None) -> dict[str, str]:
    """{old: new} from OLD=NEW, and from CSV files with two columns."""
    found: dict[str, str] = {}
    for text in given:
        old, mark, new = (part.strip() for part in text.partition("="))
        if mark and (not old or not new):
            raise SegmentationError(f"read: {key} is {text!r}: expected OLD=NEW, or a CSV file")
        if not mark and not Path(text).is_file():
            raise SegmentationError(
                f"read: {key} is {text!r}, and there is no such file: expected OLD=NEW, or a file"
            )
        for name, other in ({old: new} if mark else read_renames(text, encoding)).items():
            if found.setdefault(name, other) != other:
                raise SegmentationError(f"read: {key} has {name!r} twice: expected it once")
    return found


def _columns_in(given: Iterable[str]) -> dict[str, str]:
    """{part: column} from `part=column,part=column`."""
    found: dict[str, str] = {}
    for pair in (part for text in given for part in _BETWEEN_PARTS.split(text)):
        part, mark, name = (each.strip() for each in pair.partition("="))
        if not mark or not name:
            raise SegmentationError(f"read: columns has {pair!r}: expected PART=COLUMN")
        if part not in PARTS:
            raise SegmentationError(f"read: columns has no {part!r}{nearest(part, PARTS)}")
        if part in found:
            raise SegmentationError(f"read: the column of {part} is given twice: expected it once")
        found[part] = name
    return found
