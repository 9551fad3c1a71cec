"""Offsets of tools in JavaScript and Java, which count UTF-16 code units.

A character beyond U+FFFF, such as an emoji, is two of them; Python counts one.
"""

from bisect import bisect_left

from segscore.errors import SegmentationError


class CodePoints:
    """Turns UTF-16 offsets in a text into code points.

    >>> CodePoints("a😀b")(3)
    2
    """

    def __init__(self, text: str) -> None:
        wide = [] if text.isascii() else [i for i, one in enumerate(text) if ord(one) > 0xFFFF]
        # where, in UTF-16, the second half of each wide character stands
        self._halves = [index + before + 1 for before, index in enumerate(wide)]
        self.length = len(text) + len(wide)

    def __call__(self, offset: int) -> int:
        """The offset in code points."""
        if not 0 <= offset <= self.length:
            raise SegmentationError(
                f"offset {offset} is outside the text: expected 0 … {self.length} (UTF-16)"
            )
        before = bisect_left(self._halves, offset)
        if before < len(self._halves) and self._halves[before] == offset:
            raise SegmentationError(
                f"offset {offset} stands inside a character: expected one between characters, "
                "counted in UTF-16"
            )
        return offset - before
