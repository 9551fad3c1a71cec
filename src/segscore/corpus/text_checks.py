"""Checks of names and texts that come from files.

Names that differ only in spelling: Ben and ben, S2 and s2, a space at the end.

The hash of a document's units, which shows whether codings belong to a changed text.
"""

import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any

from segscore.basics.arguments import shown
from segscore.errors import SegmentationError

OTHER_TEXT = (  # how a coding of another text is refused
    "the coder marked another text than {} (annotation.units differs): expected codings of the "
    "same units: mark the text of today in a page made from it, or give the text that was marked; "
    "ignore_text=True takes the boundaries anyway"
)


def unit_hash(units: Sequence[str]) -> str:
    """`sha256:` and the SHA-256 of the units, written as a JSON array without spaces in UTF-8.

    JavaScript's `JSON.stringify` writes the same characters, so a page could compute it, too. Half
    a surrogate pair, which no file can hold, is refused.

    >>> unit_hash(["One.", "Two."])[:19]
    'sha256:ba06bdad94b3'
    """
    import hashlib  # of files without annotations nobody asks for it
    import json

    for number, unit in enumerate(units, start=1):
        check_unicode(unit, f"unit {number}")
    written = json.dumps(list(units), ensure_ascii=False, separators=(",", ":"))
    return "sha256:" + hashlib.sha256(written.encode()).hexdigest()


def spelt_alike(names: Iterable[str]) -> list[list[str]]:
    """Groups of names that differ only in case, spaces or the form of accents.

    >>> spelt_alike(["Ben", "Anna", "ben", "Ben "])
    [['Ben', 'ben', 'Ben ']]
    """
    found: dict[str, list[str]] = {}
    for name in dict.fromkeys(names):
        folded = unicodedata.normalize("NFKC", name).casefold()
        found.setdefault(" ".join(folded.split()), []).append(name)
    return [alike for alike in found.values() if len(alike) > 1]


def check_name(name: Any, what: str) -> None:
    """Raise if a name is not a non-empty text."""
    if not isinstance(name, str) or not name:
        raise SegmentationError(f"{what} is {shown(name)}: expected a name, a text")
    check_unicode(name, what)


def check_unicode(text: str, what: str) -> None:
    """Raise for halves of surrogate pairs, which JSON can spell but no file can hold."""
    if text.isascii():
        return
    try:
        text.encode()
    except UnicodeEncodeError as error:
        half = text[error.start]
        raise SegmentationError(
            f"{what} holds {half!r}, half a surrogate pair: expected Unicode text"
        ) from None
