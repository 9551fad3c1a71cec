"""The memory that parsing a file may take: the same budget for all formats.

A byte of a file can become up to 200 bytes of Python objects, because a character may be a unit.
The size of the file does not show that, so the memory is estimated before the file is parsed, from
the characters that begin or end something: each has a price, measured as the most that Python takes
for it. Users who trust a file lift the budget (`large=True`).
"""

import sys
from collections.abc import Mapping

import numpy as np

MOST_PARSED = 2**31  # bytes
SMALL = 2**23  # bytes of a file that cannot take more than that, whatever it holds
_STEP = 2**20

_TEXT = 80  # a short text, in a list
_UNIT = 200  # a unit of a text: where it begins and ends, its text, its place in lists
EACH = _UNIT  # character, where characters are the units
PRICES = {
    "\n": _UNIT, "\r": _UNIT, ".": _UNIT, "!": _UNIT, "?": _UNIT, ",": _TEXT, ";": _TEXT,
    "\t": _TEXT, '"': 90, "[": 70, "{": 100, ":": 48,
}  # fmt: skip
WORD_PRICES = {**PRICES, " ": _UNIT}
XML_PRICES = {"<": 120, "=": 120, "\n": _UNIT}


def parsed_size(data: bytes, prices: Mapping[str, int] = PRICES, *, each: int = 0) -> int:
    """An upper estimate of the bytes that parsing takes; `each` is the price of any character.

    >>> parsed_size(b'[[1], [2]]'), parsed_size(b"")
    (310, 0)
    """
    counts = np.zeros(256, np.int64)
    for start in range(0, len(data), _STEP):
        counts += np.bincount(np.frombuffer(data[start : start + _STEP], np.uint8), minlength=256)
    items = sum(int(counts[ord(character)]) * price for character, price in prices.items())
    return items + _text_size(counts) * 2 + each * len(data)


def _text_size(counts: "np.ndarray[tuple[int], np.dtype[np.int64]]") -> int:
    """Bytes of a text in UTF-8 as Python keeps it: as wide as its widest character."""
    characters = int(counts.sum() - counts[0x80:0xC0].sum())
    width = 4 if counts[0xF0:].any() else 2 if counts[0xC4:].any() else 1
    return characters * width


def rows_size(cells: int, letters: int) -> int:
    """An upper estimate of the bytes that cells of a table take, as texts and in lists."""
    return 2 * (_TEXT * cells + letters * (4 if sys.maxunicode > 0xFFFF else 2))
