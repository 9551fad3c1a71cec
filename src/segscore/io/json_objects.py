"""The objects of a JSON file with their places: one per line, in a list, or a single one."""

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any

from segscore.basics.arguments import shown
from segscore.errors import SegmentationError, about
from segscore.io.files import Source
from segscore.io.safe_parsing import json_lines, json_value

LINES = (".jsonl", ".ndjson")

Place = tuple[int | None, str]  # a line, or what stands where in a list


def json_objects(source: Source, expected: str) -> Iterator[tuple[Place, Any]]:
    """Each value of the file with its place."""
    if source.suffix in LINES:
        yield from (((number, ""), value) for number, value in json_lines(source, expected))
        return
    text = source.read_text()
    if is_lines(text):
        for number, line in enumerate(re.split("\r\n|\r|\n", text), start=1):
            if line.strip():
                yield (number, ""), json_value(source, line, expected, number)
        return
    data = json_value(source, text, expected)
    if isinstance(data, list):
        yield from (((None, f"[{index}]"), value) for index, value in enumerate(data))
    else:
        yield (None, ""), data


def is_lines(text: str) -> bool:
    """Whether each line is a JSON object of its own, whatever the name of the file."""
    filled = [line for line in text.split("\n", maxsplit=50)[:50] if line.strip()]
    if len(filled) < 2 or not all(line.lstrip().startswith("{") for line in filled[:2]):
        return False
    try:
        return isinstance(json.loads(filled[0]), dict)
    except (ValueError, RecursionError):
        return False


def objects_only(source: Source, expected: str) -> Iterator[tuple[Place, dict[str, Any]]]:
    """Each object of the file with its place; raise if there is none, or something else."""
    empty = True
    for place, value in json_objects(source, expected):
        empty = False
        if not isinstance(value, dict):
            with placed(source, *place):
                raise SegmentationError(f"{shown(value)}: expected {expected}")
        yield place, value
    if empty:
        raise source.fail(f"the file is empty: expected {expected}")


def objects_by_name(source: Source, expected: str) -> Iterator[tuple[str, Any]]:
    """The values of the single object of the file, by their names."""
    data = json_value(source, source.read_text(), expected)
    if not isinstance(data, dict) or not data:
        raise source.fail(f"{shown(data)}: expected {expected}")
    yield from data.items()


@contextmanager
def placed(source: Source, line: int | None, where: str) -> Iterator[None]:
    """Add the place to an error."""
    with source.locating(line), about(where) if where else nullcontext():
        yield


def text_list(value: Any, what: str) -> tuple[str, ...]:
    """A non-empty list of texts, one per unit."""
    if not isinstance(value, list) or not value:
        raise SegmentationError(f"{what} is {shown(value)}: expected a list of texts, one per unit")
    wrong = next((i for i, text in enumerate(value) if not isinstance(text, str)), None)
    if wrong is not None:
        raise SegmentationError(f"{what}[{wrong}] is {shown(value[wrong])}: expected a text")
    return tuple(value)


def name_in(owner: dict[str, Any], keys: Sequence[str], default: str) -> str:
    """The name by the first of the given keys; a number is a name, too."""
    key = next((key for key in keys if owner.get(key) is not None), None)
    if key is None:
        return default
    value = owner[key]
    if isinstance(value, bool) or not isinstance(value, str | int) or value == "":
        raise SegmentationError(f"{key} is {shown(value)}: expected a name")
    return str(value)
