"""What an answer claims about segments, before it is compared with the document."""

from collections.abc import Sequence
from dataclasses import dataclass

from segscore.errors import shortened, visible


class AnswerError(Exception):
    """An answer without a segmentation; the message is the reason, for users."""

    def __init__(self, reason: str) -> None:
        super().__init__(shortened(visible(reason)))


class BaseError(Exception):
    """Numbers that mean different units depending on whether the first unit is 0 or 1."""


@dataclass(frozen=True)
class Claim:
    """The segments of an answer, an entry per segment: the numbers of the units at which they
    start, perhaps with those at which they end (`starts`, `ends`; or `ends` alone), the numbers of
    all their units (`groups`), or their first words or all their text (`quotes`; `copied` if it
    must be all; `bare` if they are lines that nothing marks as a list). Or the boundaries between
    them: the numbers of the units before them (`after`), or positions, where 2 is after the second
    unit (`positions`). Or a label of each unit (`labels`). titles: the titles of segments. form:
    the form found, in words."""

    form: str
    starts: Sequence[int] | None = None
    ends: Sequence[int] | None = None
    groups: Sequence[Sequence[int]] | None = None
    positions: Sequence[int] | None = None
    after: Sequence[int] | None = None
    labels: Sequence[str] | None = None
    quotes: Sequence[str] | None = None
    titles: Sequence[str | None] | None = None
    copied: bool = False
    bare: bool = False
