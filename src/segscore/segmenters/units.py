"""A plain text into units: sentences, paragraphs or lines.

Sentences end at . ! ? … and their like in other scripts, with closing quotes and brackets; a full
stop after an initial or a common abbreviation, or before a small letter, ends none. Paragraphs are
apart by blank lines. Units are stripped of white space around them; empty ones do not exist.
"""

import re
from typing import Any, Literal

from segscore._integers import shown
from segscore.errors import SegmentationError

UnitKind = Literal["sentence", "paragraph", "line"]

_CLOSING = "\"'”’»)\\]"
_END = re.compile(rf"(?:[.!?…؟۔।॥።]+[{_CLOSING}]*(?=\s)|[。！？｡]+[」』）]*)")
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
    start = 0
    for end in _END.finditer(text):
        if not _goes_on(text, start, end):
            found.append(text[start : end.end()])
            start = end.end()
    found.append(text[start:])
    return [" ".join(one.split()) for one in found if one.strip()]


def _goes_on(text: str, start: int, end: re.Match[str]) -> bool:
    """Is this full stop part of an abbreviation, an initial, or before a small letter?"""
    following = text[end.end() :].lstrip()[:1]
    if following.islower():
        return True
    if end[0] != ".":
        return False
    before = text[start : end.start()].split()
    last = before[-1].strip(_CLOSING + "(“‘«").lower() if before else ""
    return last in _ABBREVIATIONS or (len(last) == 1 and last.isalpha() and last != "i")


def paragraphs(text: str) -> list[str]:
    r"""Blocks of lines between blank lines.

    >>> paragraphs("One\nand one.\n\n\nTwo.")
    ['One and one.', 'Two.']
    """
    return [" ".join(block.split()) for block in re.split(r"\n[^\S\n]*\n", text) if block.strip()]


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
