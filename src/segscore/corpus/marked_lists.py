"""Marks and what they mean: lists of 0 and 1, of words such as x and no, of ids or of lengths.

What a 0 or 1 means is never guessed: `marks` says it.

| marks | the list, or the column, holds |
|---|---|
| end | 0 or 1 per unit; 1 marks the last unit of a segment |
| start | 0 or 1 per unit; 1 marks the first unit of a segment |
| gaps | 0 or 1 per gap between two units: one less than units |
| ids | the segment of each unit; a boundary is wherever it changes |
| masses | the lengths of the segments |

A 1 may also be what people put into a spreadsheet: x, ✓, yes, ja, oui, true …; a 0 may be a blank
cell, no, nein, non, false, n or a dash.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from segscore.basics.arguments import shown
from segscore.coding.segmentation import Segmentation
from segscore.corpus.table_columns import Marks, is_blank, plain
from segscore.errors import SegmentationError

ASK_FOR_MARKS = (
    "expected marks=, one of end (1 is the last unit of a segment), start (1 is the first unit) "
    "or gaps (one symbol less than units)"
)
ASK_FOR_NUMBERS = "expected marks=, one of ids (the segment of each unit) or masses (lengths)"
ASK_FOR_SIDE = (
    "expected marks=, one of start (a mark is in the first unit of a segment) or end (in its last "
    "unit)"
)

MARK_WORDS = frozenset(
    ("1", "x", "×", "✓", "✔", "☑", "☒", "yes", "y", "ja", "j", "oui", "true", "wahr", "vrai")
)
NONE_WORDS = frozenset(
    ("", "0", "no", "n", "nein", "non", "none", "false", "falsch", "faux", "-", "–", "—", "☐")
)
UNANSWERABLE = "(start)"  # what our own sheets have in the first unit of a document
OWN_WORDS = frozenset(("x", "", "0"))  # what else they have
USUAL_WORDS = (
    "a mark (x, ✓, 1, yes, ja, oui, true) nor an empty value (blank, 0, no, nein, non, false, -)"
)


def word_of(value: Any) -> str:
    """A cell as a word in lower case; whole numbers and truth values are 0 and 1."""
    if is_blank(value):
        return ""
    return str(plain(value)).strip().strip("\ufe0f").lower()


def mark_in(value: Any) -> bool | None:
    """Whether a cell marks a boundary; None if it holds something else.

    >>> mark_in("X"), mark_in("ja"), mark_in(""), mark_in("Nein"), mark_in("2")
    (True, True, False, False, None)
    """
    word = word_of(value)
    if word in MARK_WORDS:
        return True
    return False if word in NONE_WORDS else None


def coding_of(values: Any, marks: Marks | None) -> Segmentation:
    """The segmentation in a list of marks, ids or masses; `marks` must say which, unless the values
    are names of segments.

    >>> coding_of([0, 1, 0, 0, 1], "end"), coding_of(["no", "x", "-"], "start")
    (Segmentation(masses=[2, 3]), Segmentation(masses=[1, 2]))
    """
    if isinstance(values, str):
        values = list(values)
    if isinstance(values, Mapping) or not isinstance(values, Iterable):
        raise SegmentationError(f"{shown(values)}: expected a list, an entry per unit")
    listed = [plain(value) for value in values]
    if marks is None:
        _ask(listed)
    if marks is None or marks == "ids":
        for index, value in enumerate(listed):
            if value is None or value == "":
                raise SegmentationError(f"[{index}] is empty: expected the segment of each unit")
        return Segmentation.from_segment_ids(listed)
    if marks == "masses":
        return Segmentation.from_masses(
            [_whole(value, index) for index, value in enumerate(listed)]
        )
    numbers = [_zero_or_one(value, index) for index, value in enumerate(listed)]
    if marks == "gaps":
        return Segmentation.from_gaps(numbers)
    return Segmentation.from_labels(numbers, marks)


def _ask(values: list[Any]) -> None:
    """Raise if `marks` is missing, unless the values are names of segments, which are
    unambiguous."""
    words = {word for word in map(word_of, values) if word not in ("", "0", "1")}
    if words and all(mark_in(value) is not None for value in values):
        raise SegmentationError(
            f"each value is a mark or none, such as {sorted(words)[0]!r}: {ASK_FOR_SIDE}"
        )
    numbers = [value for value in values if not isinstance(value, str)]
    if not numbers and values:
        return
    if all(value in (0, 1) for value in values):
        raise SegmentationError(f"each value is 0 or 1: {ASK_FOR_MARKS}")
    raise SegmentationError(
        f"the values are numbers such as {shown(numbers[0])}: {ASK_FOR_NUMBERS}"
    )


def _zero_or_one(value: Any, index: int) -> int:
    """1 for a mark, 0 for no mark; other numbers are left to the constructor, which reports
    them."""
    if isinstance(value, int):
        return value
    found = None if is_blank(value) else mark_in(value)
    if found is None:
        raise SegmentationError(f"[{index}] is {shown(value)}: expected 0 or 1, x, yes or no")
    return int(found)


def _whole(value: Any, index: int) -> int:
    if not isinstance(value, int):
        raise SegmentationError(f"[{index}] is {shown(value)}: expected a whole number")
    return value
