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
