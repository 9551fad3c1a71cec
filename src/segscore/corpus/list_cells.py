"""Lists in a cell: in JSON, as people type them into a form, or as frames hold them.

`[5, 8]`, `5, 8`, `5; 8`, `5 8` and the text `0100` are lists. `starts` are the units, from 1, at
which segments start; the first may be listed or not.
"""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from segscore.basics.arguments import shown
from segscore.basics.series import first_twice
from segscore.corpus.marked_lists import NONE_WORDS, word_of
from segscore.corpus.table_columns import plain
from segscore.errors import SegmentationError

_SYMBOLS = re.compile("[01]+")
_NUMBERS = re.compile(r"[0-9]{1,16}(?:(?:\s*[,;]\s*|\s+)[0-9]{1,16})*\s*[,;]?")
_BETWEEN = re.compile(r"[\s,;]+")
_TAKEN_FOR = "a spreadsheet took the list for {}: expected it as a text, as in '5; 8'"


def listed(value: Any, what: str, symbols: bool) -> list[Any]:
    """The list in a cell: a list, an array, JSON, or numbers separated by commas, semicolons or
    spaces; for `symbols` also a text such as 0100."""
    value = _without_guess(value, what)
    if isinstance(value, int) and not isinstance(value, bool):  # a spreadsheet's only number
        value = str(value)
    if isinstance(value, str):
        value = _list_in_text(value.strip(), what, symbols)
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, Mapping) or not isinstance(value, Iterable):
        raise SegmentationError(f"{what} is {shown(value)}: expected a list")
    return [plain(entry) if not isinstance(entry, str | list | tuple) else entry for entry in value]


def _without_guess(value: Any, what: str) -> Any:
    """Raise for what spreadsheets make of 5,8 and 5.8: a decimal number or a date."""
    if isinstance(value, float):
        value = plain(value)
        if isinstance(value, float):
            message = _TAKEN_FOR.format("a decimal number")
            raise SegmentationError(f"{what} is {value!r}: {message}")
    if hasattr(value, "isoformat"):
        raise SegmentationError(f"{what} is {value.isoformat()}: {_TAKEN_FOR.format('a date')}")
    return value


def _list_in_text(text: str, what: str, symbols: bool) -> list[Any]:
    """The list in a text: symbols, JSON, or numbers separated by commas, semicolons or spaces."""
    if symbols and _SYMBOLS.fullmatch(text):
        return [int(symbol) for symbol in text]
    if _NUMBERS.fullmatch(text):
        return [int(part) for part in _BETWEEN.split(text) if part]
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, list):
        raise SegmentationError(
            f"{what} is {shown(text)}: expected a list, as in [2, 3, 6] or 2, 3"
        )
    return found


def is_no_answer(value: Any) -> bool:
    """Whether a cell means that there is no boundary: blank, a dash, or no; 0 is a number."""
    if hasattr(value, "tolist") or isinstance(value, list | tuple | Mapping):
        return False
    word = word_of(value)
    return word in NONE_WORDS and word != "0"


def boundaries_of_starts(starts: list[Any], n_units: Any, what: str) -> list[int]:
    """The positions of the boundaries before the units that start segments.

    >>> boundaries_of_starts([4, 7], 10, "starts"), boundaries_of_starts([1, 4], 10, "starts")
    ([3, 6], [3])
    """
    most = n_units if isinstance(n_units, int) else None
    for start in starts:
        if (
            isinstance(start, bool)
            or not isinstance(start, int)
            or start < 1
            or start > (most or start)
        ):
            upto = "on" if most is None else f"to {most}"
            raise SegmentationError(
                f"{what} has {shown(start)}: expected numbers of units, from 1 {upto}"
            )
    if len(set(starts)) != len(starts):
        raise SegmentationError(
            f"{what} lists {first_twice(starts)} twice: expected each unit once"
        )
    return sorted(start - 1 for start in starts if start > 1)
