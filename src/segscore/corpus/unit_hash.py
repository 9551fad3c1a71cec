"""A short name for the exact text of a document: the hash of its units, by which a changed text is noticed."""

import hashlib
import json
from collections.abc import Sequence

from segscore.errors import SegmentationError


def unit_hash(units: Sequence[str]) -> str:
    """`sha256:` and the SHA-256 of the units, written as a JSON array without spaces in UTF-8.

    JavaScript's `JSON.stringify` writes the same characters, so a page can compute it, too.

    >>> unit_hash(["One.", "Two."])[:19]
    'sha256:ba06bdad94b3'
    """
    try:
        written = json.dumps(list(units), ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError as error:
        number = next(number for number, unit in enumerate(units, 1) if _has_half_a_character(unit))
        raise SegmentationError(
            f"unit {number} contains half of a character (a lone surrogate, \\u{ord(error.object[error.start]):x}),"
            " which no file can hold; repair the text"
        ) from None
    return "sha256:" + hashlib.sha256(written).hexdigest()


def _has_half_a_character(text: str) -> bool:
    return any("\ud800" <= character <= "\udfff" for character in text)
