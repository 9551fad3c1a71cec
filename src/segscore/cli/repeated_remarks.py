"""Remarks of readers, which repeat for each file or coding, summed up in one line each.

Remarks of one kind differ only in names and numbers: the file in front, the words in quotation
marks, and counts. Counts such as "3 × a span cut" are added up.
"""

import re
from collections import Counter

from segscore.cli.output import remark

_NAMES_AND_NUMBERS = re.compile(r"'[^']*'|\"[^\"]*\"|\d[\d.,:]*")
_COUNT = re.compile(r"(\d+) × ([^,;]+)")


class RepeatedRemarks:
    """Collects remarks; `tell` prints a line for each kind, and forgets them."""

    def __init__(self) -> None:
        self._first: dict[str, str] = {}
        self._number: Counter[str] = Counter()
        self._counts: dict[str, Counter[str]] = {}

    def __call__(self, message: str) -> None:
        """Keep a remark until `tell` is called."""
        kind = _kind(message)
        self._first.setdefault(kind, message)
        self._number[kind] += 1
        counts = self._counts.setdefault(kind, Counter())
        for number, what in _COUNT.findall(message):
            counts[what.strip()] += int(number)

    def tell(self) -> None:
        """Print the first of each kind, how many are like it, and what they add up to."""
        for kind, message in self._first.items():
            remark(message + self._summed(kind))
        self._first, self._number, self._counts = {}, Counter(), {}

    def _summed(self, kind: str) -> str:
        number = self._number[kind]
        if number == 1:
            return ""
        totals = ", ".join(f"{count} × {what}" for what, count in self._counts[kind].items())
        return f" (the first of {number} such remarks{f'; in all {totals}' if totals else ''})"


def _kind(message: str) -> str:
    """The kind of a remark: what remains without names and numbers.

    >>> _kind("a.xml: document 'd': snap: 3 × a hole filled, 1 × a span cut")
    'document #: snap: # ×'
    >>> _kind("b.xml: document 'e': snap: 7 × a span cut")
    'document #: snap: # ×'
    """
    _, colon, rest = message.partition(": ")
    plain = _NAMES_AND_NUMBERS.sub("#", rest if colon else message)
    return plain.partition(" × ")[0] + " ×" if " × " in plain else plain
