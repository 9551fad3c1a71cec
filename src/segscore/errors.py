"""The one error that wrong input raises, and how messages list names."""

from collections.abc import Iterable

_SHOWN_NAMES = 8


class SegmentationError(ValueError):
    """Input that cannot be read as a segmentation, or cannot be scored.

    The message names the document, the coder, the value and what would be right.
    """


def named(names: Iterable[str]) -> str:
    """The first few names, and how many more there are.

    >>> named(["a", "b"])
    "'a', 'b'"
    """
    listed = list(names)
    text = ", ".join(map(repr, listed[:_SHOWN_NAMES])) or "none"
    return text + (f" and {len(listed) - _SHOWN_NAMES} more" if len(listed) > _SHOWN_NAMES else "")


def nearest(name: str, known: Iterable[str]) -> str:
    """The end of a message about an unknown name: the one that may have been meant, and all.

    >>> nearest("windowdif", ["pk", "windowdiff"])
    " (did you mean 'windowdiff'?): expected one of 'pk', 'windowdiff'"
    >>> nearest("B", ["b"])
    " (did you mean 'b'?): expected 'b'"
    """
    from difflib import get_close_matches  # only errors need it

    listed = list(known)
    folded = {one.casefold(): one for one in reversed(listed)}
    close = get_close_matches(name.casefold(), folded, n=1)
    meant = f" (did you mean {folded[close[0]]!r}?)" if close else ""
    one_of = "one of " if len(listed) > 1 else ""
    return f"{meant}: expected {one_of}{', '.join(map(repr, listed))}"
