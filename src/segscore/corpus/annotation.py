"""What an annotation page records about a coding besides its boundaries.

On a line of our JSON Lines it is the object `annotation` (docs/formats.md): whether the coder was
done, how long it took, where the coder was unsure, the coder's comments, and the text shown.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, NamedTuple

from segscore.basics.arguments import shown, truth, whole_number
from segscore.corpus.gold_decisions import GoldDecisions, check_list, gold_decisions
from segscore.corpus.text_checks import check_unicode
from segscore.errors import SegmentationError, about

LONGEST_COMMENT = 100_000  # characters
_LONGEST_NAME = 1_000
_HASH = re.compile("sha256:[0-9a-f]{64}")


class Comment(NamedTuple):
    """A coder's comment on the position after a unit."""

    after: int
    text: str


@dataclass(frozen=True, slots=True)
class Annotation:
    """How a coding was made.

    finished: whether the coder marked the document as done.
    seconds: the working time without pauses; None if it is unknown.
    unsure: the positions, after unit p, about which the coder was unsure.
    comments: the coder's comments, and where they belong.
    prefilled: the system whose boundaries the coder corrected; None if there were none.
    practice: whether it was a practice document, with feedback.
    page: the page that it was made with; exported: when it left the page, as an ISO time.
    units: the hash of the units that the coder saw (`segscore.corpus.unit_hash`).
    adjudication: for gold, the rule and the decision on each place.
    """

    finished: bool = True
    seconds: int | None = None
    unsure: tuple[int, ...] = ()
    comments: tuple[Comment, ...] = ()
    prefilled: str | None = None
    practice: bool = False
    page: str | None = None
    exported: str | None = None
    units: str | None = None
    adjudication: GoldDecisions | None = None

    @property
    def counts(self) -> bool:
        """Whether the coding counts: it is finished, and not practice."""
        return self.finished and not self.practice

    def plain(self) -> dict[str, Any]:
        """The object of a line: `finished`, and what else is known.

        >>> Annotation(seconds=80, comments=(Comment(2, "or before?"),)).plain()
        {'finished': True, 'seconds': 80, 'comments': [{'after': 2, 'text': 'or before?'}]}
        """
        found: dict[str, Any] = {"finished": self.finished}
        for field in fields(self):
            value = getattr(self, field.name)
            if value != field.default:
                found[field.name] = value
        if self.unsure:
            found["unsure"] = list(self.unsure)
        if self.comments:
            found["comments"] = [comment._asdict() for comment in self.comments]
        if self.adjudication is not None:
            found["adjudication"] = self.adjudication.plain()
        return found


_NAMES = tuple(field.name for field in fields(Annotation))


def annotation_from_plain(given: Any, n_units: int) -> Annotation:
    """The annotation that the object of a line describes, for a document of `n_units` units.

    >>> annotation_from_plain({"finished": False, "unsure": [3, 2]}, 5).unsure
    (2, 3)
    """
    with about("annotation"):
        if not isinstance(given, Mapping):
            raise SegmentationError(f"{shown(given)}: expected an object {{…}}")
        for name in given:
            if name not in _NAMES:
                raise SegmentationError(
                    f"no field is called {shown(name)}: expected some of {', '.join(_NAMES)}"
                )
        values = {name: value for name, value in given.items() if value is not None}
        return Annotation(
            **{name: _READ[name](value, name, n_units) for name, value in values.items()}
        )


def _seconds(value: Any, name: str, _: int) -> int:
    return whole_number(value, name, 0)


def _name(value: Any, name: str, _: int) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= _LONGEST_NAME:
        raise SegmentationError(
            f"{name} is {shown(value)}: expected a text of 1 … {_LONGEST_NAME:,} characters"
        )
    check_unicode(value, name)
    return value


def _positions(value: Any, name: str, n_units: int) -> tuple[int, ...]:
    places = [
        _position(position, f"{name}[{i}]", n_units)
        for i, position in enumerate(check_list(value, name))
    ]
    if len(set(places)) < len(places):
        raise SegmentationError(f"{name} names a position twice: expected each once")
    return tuple(sorted(places))


def _position(value: Any, name: str, n_units: int) -> int:
    if n_units == 1:
        raise SegmentationError(f"{name} is {shown(value)}: a document of 1 unit has no position")
    return whole_number(value, name, 1, n_units - 1)


def _comments(value: Any, name: str, n_units: int) -> tuple[Comment, ...]:
    return tuple(
        _comment(comment, f"{name}[{i}]", n_units)
        for i, comment in enumerate(check_list(value, name))
    )


def _comment(value: Any, name: str, n_units: int) -> Comment:
    if not isinstance(value, Mapping) or value.keys() != {"after", "text"}:
        raise SegmentationError(f'{name} is {shown(value)}: expected {{"after": 3, "text": "…"}}')
    text = value["text"]
    if not isinstance(text, str) or len(text) > LONGEST_COMMENT:
        raise SegmentationError(
            f"{name}.text is {shown(text)}: expected a text of at most {LONGEST_COMMENT:,} "
            "characters"
        )
    check_unicode(text, f"{name}.text")
    return Comment(_position(value["after"], f"{name}.after", n_units), text)


def _time(value: Any, name: str, _: int) -> str:
    try:
        datetime.fromisoformat(value)
    except (TypeError, ValueError):
        raise SegmentationError(
            f"{name} is {shown(value)}: expected a time such as '2026-05-04T12:03:00Z'"
        ) from None
    return str(value)


def _hash(value: Any, name: str, _: int) -> str:
    if not isinstance(value, str) or not _HASH.fullmatch(value):
        raise SegmentationError(
            f"{name} is {shown(value)}: expected 'sha256:' and 64 digits from 0 to f"
        )
    return value


_READ: dict[str, Callable[[Any, str, int], Any]] = {
    "finished": lambda value, name, _: truth(value, name),
    "seconds": _seconds,
    "unsure": _positions,
    "comments": _comments,
    "prefilled": _name,
    "practice": lambda value, name, _: truth(value, name),
    "page": _name,
    "exported": _time,
    "units": _hash,
    "adjudication": gold_decisions,
}
