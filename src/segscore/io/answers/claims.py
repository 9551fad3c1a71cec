"""What an answer claims about segments, before it is compared with the document."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from segscore.errors import shortened, visible

Kind = Literal[
    "starts", "numbers", "positions", "after", "ends", "spans", "groups", "labels", "quotes",
    "texts", "lines", "copy",
]  # fmt: skip
NAMES: dict[str, Kind] = {  # what a list is called, and what it therefore claims
    **dict.fromkeys(
        ("starts", "start", "segment_starts", "topic_starts", "chapter_starts", "start_indices",
         "start_ids", "start_sentences", "start_units", "start_lines", "start_utterances",
         "starting_sentences", "starting_units", "first_sentences"), "starts"),
    **dict.fromkeys(("boundaries", "segment_boundaries", "topic_boundaries"), "positions"),
    **dict.fromkeys(("boundary_after", "boundaries_after"), "after"),
    **dict.fromkeys(("ends", "segment_ends", "topic_ends", "end_indices"), "ends"),
    **dict.fromkeys(("labels", "tags", "unit_labels", "topic_ids", "segment_ids"), "labels"),
}  # fmt: skip


class AnswerError(Exception):
    """An answer without a segmentation; the message is the reason, for users."""

    def __init__(self, reason: str) -> None:
        super().__init__(shortened(visible(reason)))


class BaseError(Exception):
    """Numbers that mean different units depending on whether the first unit is 0 or 1."""


@dataclass(frozen=True)
class Claim:
    """The segments of an answer. form: the form found, in words. titles: the titles of segments.
    beside: texts of the units at which numbers say that segments start. What values are, by kind:

    - starts: numbers of units that start a segment; numbers: the same, only that nothing says so.
    - positions: of boundaries (2 is after the second unit); after: numbers of units before them.
    - ends: numbers of units that end segments; spans: pairs of start and end; groups: the numbers
      of all units of each segment; labels: a label of each unit.
    - quotes: the first words of segments; texts: their first words or all their text; lines: the
      same, a line each; copy: all their text.
    """

    form: str
    kind: Kind
    values: Sequence[Any]
    titles: Sequence[str | None] | None = None
    beside: Sequence[str] | None = None


def name_of(key: object) -> str:
    """The name of a list or field, as it is compared: `Start indices` is `start_indices`."""
    return str(key).strip().casefold().replace(" ", "_").replace("-", "_")


def title_of(text: str | None) -> str | None:
    """A title without the marks around it; None if nothing is left."""
    return (text or "").strip(" \t:.|–—-\"'*()[]") or None
