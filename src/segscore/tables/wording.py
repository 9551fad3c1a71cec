"""How sentences about results write names, numbers and intervals.

Tables, the command line and pages show the same sentences. They differ in how a name is written (a
page escapes it) and in the minus sign, so functions that make a sentence take a `Wording`.
"""

import math
import re
from collections.abc import Callable, Iterable
from functools import partial
from typing import NamedTuple

MOST_NAMED = 6
_LONGEST_NAME = 24


class Wording(NamedTuple):
    """How to write text, a name, an important name, a number, and the ends of an interval ("" if
    there is none)."""

    text: Callable[[str], str]
    name: Callable[[str], str]
    strong: Callable[[str], str]
    number: Callable[[float], str]
    interval: Callable[[float, float], str]

    def names(self, given: Iterable[str], most: int = MOST_NAMED) -> str:
        """Names in a sentence; names beyond the first few are only counted.

        >>> PLAIN.names("abc"), PLAIN.names("abcde", most=2)
        ('a, b and c', 'a, b and 3 more')
        """
        known = list(given)
        left = len(known) - most
        listed = [self.name(name) for name in (known if left <= 0 else known[:most])]
        return join_words([*listed, f"{left} more"] if left > 0 else listed)

    def with_interval(self, value: float, low: float, high: float) -> str:
        """A number, and its interval if there is one.

        >>> PLAIN.with_interval(0.25, -0.1, 0.6), PLAIN.with_interval(0.25, math.nan, math.nan)
        ('0.250 [-0.100, 0.600]', '0.250')
        """
        return f"{self.number(value)} {self.interval(low, high)}".rstrip()


def join_words(parts: list[str]) -> str:
    """The parts of a sentence joined: a, b and c."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _short_name(name: str) -> str:
    """A name on a line; a long name loses its middle."""
    most = _LONGEST_NAME
    return name if len(name) <= most else f"{name[: most - 8]}…{name[-7:]}"


def _number(value: float) -> str:
    """A number with three decimals; a dash if there is none."""
    return "–" if math.isnan(value) else f"{round(value, 3) + 0.0:.3f}"


def _percent(value: float) -> str:
    """A share in percent, with one decimal."""
    return "–" if math.isnan(value) else f"{round(100 * value, 1) + 0.0:.1f} %"


def _interval(number: Callable[[float], str], low: float, high: float) -> str:
    ends = f"{number(low)}, {number(high)}".replace(" %", "")
    return "" if math.isnan(low + high) else f"[{ends}]"


_INTERVAL = re.compile(r" \[[−-]?\d[\d.]*, [−-]?\d[\d.]*\]")


def without_intervals(sentence: str) -> str:
    """A sentence without its intervals.

    >>> without_intervals("a is better in pk (by 0.108 [0.055, 0.166]).")
    'a is better in pk (by 0.108).'
    """
    return _INTERVAL.sub("", sentence)


class IntervalNote(str):
    """A sentence about intervals and nothing else: tables without intervals leave it out."""

    __slots__ = ()


_ABOUT_INTERVALS = "intervals: "  # how notes begin that say how intervals were made
_METHOD = re.compile(r"; \d[\d.]* % intervals: [^;]*|; intervals: .*")


def notes_without_intervals(notes: Iterable[str]) -> list[str]:
    """The notes of a table that shows no intervals: their intervals are left out, and so are notes
    on how intervals were made.

    >>> notes_without_intervals(["9 documents; 95 % intervals: bootstrap; seed 0.", "intervals: b"])
    ['9 documents; seed 0.']
    """
    return [
        without_intervals(_METHOD.sub("", note))
        for note in notes
        if not isinstance(note, IntervalNote) and not note.startswith(_ABOUT_INTERVALS)
    ]


PLAIN = Wording(str, _short_name, _short_name, _number, partial(_interval, _number))
IN_PERCENT = Wording(str, _short_name, _short_name, _percent, partial(_interval, _percent))
