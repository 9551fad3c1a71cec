"""A plain text into units: sentences, paragraphs or lines.

Sentences end at . ! ? … and their like in other scripts, with closing quotes and brackets, and at
a blank line (a heading has no full stop); a full stop after an initial or a common abbreviation, or
before a small letter, ends none. Paragraphs are apart by blank lines. Units are stripped of white
space around them; empty ones do not exist.
"""

import re
from typing import Any, Literal

from segscore.arguments import shown
from segscore.errors import SegmentationError

UnitKind = Literal["sentence", "paragraph", "line"]

_CLOSING = "\"'”’»)\\]"
_STOPS = ".!?…؟۔।॥።"
# A run of stops is looked at once, from its start: time must not grow with the square of a text.
_END = re.compile(rf"(?:(?<![{_STOPS}])[{_STOPS}]++[{_CLOSING}]*+(?=\s)|[。！？｡]+[」』）]*)")
_NEXT = re.compile(r"\s*(\S?)")
_LONGEST_ABBREVIATION = 20  # characters before a full stop that may tell
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
_ABBREVIATIONS = frozenset(
    {
        "mr", "mrs", "ms", "dr", "prof", "st", "mt", "vs", "etc", "fig", "figs", "no", "vol", "pp",
        "ed", "eds", "al", "gen", "col", "sen", "rep", "gov", "capt", "lt", "sgt", "jr", "sr",
        "inc", "ltd", "co", "corp", "dept", "approx", "e.g", "i.e", "cf", "a.m", "p.m", "u.s",
        "u.k",
    }
)  # fmt: skip


def sentences(text: str) -> list[str]:
    """The sentences of a text.

    >>> sentences('Dr. Smith came. "Where from?" No. 5, he said! Really')
    ['Dr. Smith came.', '"Where from?"', 'No. 5, he said!', 'Really']
    """
    found: list[str] = []
    for block in _BLANK_LINE.split(text):
        start = 0
        for end in _END.finditer(block):
            if not _goes_on(block, start, end):
                found.append(block[start : end.end()])
                start = end.end()
        found.append(block[start:])
    return [" ".join(one.split()) for one in found if one.strip()]


def _goes_on(text: str, start: int, end: re.Match[str]) -> bool:
    """Is this full stop part of an abbreviation, an initial, or before a small letter?"""
    following = _NEXT.match(text, end.end())
    if following is not None and following[1].islower():
        return True
    if end[0] != ".":
        return False
    before = text[max(start, end.start() - _LONGEST_ABBREVIATION) : end.start()].split()
    last = before[-1].strip(_CLOSING + "(“‘«").lower() if before else ""
    return last in _ABBREVIATIONS or (len(last) == 1 and last.isalpha() and last != "i")


def paragraphs(text: str) -> list[str]:
    r"""Blocks of lines between blank lines.

    >>> paragraphs("One\nand one.\n\n\nTwo.")
    ['One and one.', 'Two.']
    """
    return [" ".join(block.split()) for block in _BLANK_LINE.split(text) if block.strip()]


def lines(text: str) -> list[str]:
    r"""Lines that are not blank.

    >>> lines("One\n\n two ")
    ['One', 'two']
    """
    return [line.strip() for line in text.splitlines() if line.strip()]


_WAYS = {"sentence": sentences, "paragraph": paragraphs, "line": lines}


def units_of(text: str, kind: Any = "sentence") -> list[str]:
    """The units of a text, sentence by sentence or otherwise."""
    if kind not in _WAYS:
        raise SegmentationError(f"units is {shown(kind)}: expected one of {', '.join(_WAYS)}")
    normal = text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")
    return _WAYS[kind](normal)
