"""Checks of names and texts that come from files."""

from typing import Any

from segscore.basics.arguments import shown
from segscore.errors import SegmentationError


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
