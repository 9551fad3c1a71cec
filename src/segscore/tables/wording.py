"""How sentences about results write names, numbers and intervals, as plain text.

Tables, the command line and pages show the same sentences: whoever wants them without intervals, in
percent or as HTML writes them anew from the text.
"""

import math
import re
from collections.abc import Iterable

MOST_NAMED = 6
_LONGEST_NAME = 24


def short_name(name: str, most: int = _LONGEST_NAME) -> str:
    """A name on a line; a long name loses its middle."""
    return name if len(name) <= most else f"{name[: most - 8]}…{name[-7:]}"


def join_words(parts: list[str]) -> str:
    """The parts of a sentence joined: a, b and c."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def join_names(names: Iterable[str], most: int = MOST_NAMED) -> str:
    """Names in a sentence; names beyond the first few are only counted.

    >>> join_names("abc"), join_names("abcde", most=2)
    ('a, b and c', 'a, b and 3 more')
    """
    listed = list(map(short_name, names))
    left = len(listed) - most
    return join_words([*listed[:most], f"{left} more"] if left > 0 else listed)


def number_words(value: float, low: float = math.nan, high: float = math.nan) -> str:
    """A number with three decimals, and its interval if there is one; a dash if there is none.

    >>> number_words(0.25, -0.1, 0.6), number_words(0.25)
    ('0.250 [-0.100, 0.600]', '0.250')
    """
    value, low, high = (round(each, 3) + 0.0 for each in (value, low, high))
    ends = "" if math.isnan(low + high) else f" [{low:.3f}, {high:.3f}]"
    return f"{'–' if math.isnan(value) else f'{value:.3f}'}{ends}"


_SHARE = re.compile(
    r"(by (?:at least )?|reaches |value, |, |and |\[)(-?\d+\.\d{3})(?= \[| in |\)|, |\])"
)  # no number in the name of a system


def in_percent(sentence: str) -> str:
    """A sentence about shares in percent; the difference of two is in points.

    >>> in_percent("a 0.125 is better than b in pk (by 0.108 [0.055, 0.166]).")
    'a 0.125 is better than b in pk (by 10.8 points [5.5, 16.6]).'
    """

    def share(found: re.Match[str]) -> str:
        inside = found[1] == "[" or sentence[found.end()] == "]"
        unit = "" if inside else " points" if found[1].startswith("by") else " %"
        return f"{found[1]}{100 * float(found[2]):.1f}{unit}"

    return _SHARE.sub(share, sentence)


_INTERVAL = re.compile(r" \[[−-]?\d[\d.]*, [−-]?\d[\d.]*\]")


def without_intervals(sentence: str) -> str:
    """A sentence without its intervals.

    >>> without_intervals("a is better in pk (by 0.108 [0.055, 0.166]).")
    'a is better in pk (by 0.108).'
    """
    return _INTERVAL.sub("", sentence)


_ABOUT_INTERVALS = re.compile(r"intervals: |With [^;]*, 95 % intervals are ")
_METHOD = re.compile(r"; \d[\d.]* % intervals: [^;]*|; intervals: .*")


def notes_without_intervals(notes: Iterable[str]) -> list[str]:
    """The notes of a table that shows no intervals: their intervals are left out, and so are notes
    on intervals and nothing else.

    >>> notes_without_intervals(["9 documents; 95 % intervals: bootstrap; seed 0.", "intervals: b"])
    ['9 documents; seed 0.']
    """
    return [
        without_intervals(_METHOD.sub("", note))
        for note in notes
        if not _ABOUT_INTERVALS.match(note)
    ]
