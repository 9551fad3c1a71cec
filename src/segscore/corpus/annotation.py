"""What an annotation page records about a coding besides its boundaries.

On a line of our JSON Lines it is the object `annotation` (docs/formats.md): whether the coder was
done, how long it took, where the coder was unsure, the coder's comments, and the text shown.

How gold was made: the rule of an adjudication, and the decision on each place.

On a line of our JSON Lines it is the object `adjudication` in `annotation`:

    {"within": 1, "accept": 1.0, "reject": 0.0, "added": [12],
     "decisions": [{"place": [4, 5], "decision": 4, "by": "adjudicator"}],
     "counts": {"places": 1, "rule": 0, "adjudicator": 1, "open": 0, "dropped": 0, "added": 1}}

A decision is a position of the place, or `drop`; null means that it is still open. `levels`, which
may be missing, holds the levels that a person chose for boundaries of gold (`[{"after": 4, "level":
2}]`); all others follow from the codings. The counts
follow from the rest, and are for people; if they are given, they must be right.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, Literal, NamedTuple

from segscore.basics.arguments import check_unicode, probability, shown, truth, whole_number
from segscore.errors import SegmentationError, about

Decider = Literal["rule", "adjudicator"]
_KEYS = ("within", "accept", "reject", "decisions", "added")


class PlaceDecision(NamedTuple):
    """The positions of a place, the decision (a position, `drop`, or None), and who decided."""

    place: tuple[int, ...]
    decision: int | Literal["drop"] | None
    by: Decider | None


class LevelDecision(NamedTuple):
    """The level that a person gave to a boundary of gold."""

    after: int
    level: int


@dataclass(frozen=True, slots=True)
class GoldDecisions:
    """The rule (`segscore.coders.gold`), the decision on each place, the boundaries that
    nobody marked, and the levels that a person gave."""

    within: int
    accept: float
    reject: float
    decisions: tuple[PlaceDecision, ...] = ()
    added: tuple[int, ...] = ()
    levels: tuple[LevelDecision, ...] = ()

    @property
    def counts(self) -> dict[str, int]:
        """How many places there are, who decided how many, and what became of them."""
        by = [decision.by for decision in self.decisions]
        return {
            "places": len(by),
            "rule": by.count("rule"),
            "adjudicator": by.count("adjudicator"),
            "open": by.count(None),
            "dropped": sum(decision.decision == "drop" for decision in self.decisions),
            "added": len(self.added),
        }

    def plain(self) -> dict[str, Any]:
        """The object of a line."""
        return {
            "within": self.within,
            "accept": self.accept,
            "reject": self.reject,
            "decisions": [
                decision._asdict() | {"place": list(decision.place)} for decision in self.decisions
            ],
            "added": list(self.added),
            **({"levels": [level._asdict() for level in self.levels]} if self.levels else {}),
            "counts": self.counts,
        }


def gold_decisions(value: Any, name: str, n_units: int) -> GoldDecisions:
    """The decisions in the object of a line, for a document of `n_units` units."""
    with about(name):
        if not isinstance(value, Mapping) or value.keys() - {"counts", "levels"} != set(_KEYS):
            raise SegmentationError(f"{shown(value)}: expected an object with {', '.join(_KEYS)}")
        found = GoldDecisions(
            whole_number(value["within"], "within", 0),
            probability(value["accept"], "accept"),
            probability(value["reject"], "reject"),
            tuple(
                _decision(decision, f"decisions[{i}]", n_units)
                for i, decision in enumerate(check_list(value["decisions"], "decisions"))
            ),
            _places(value["added"], "added", n_units),
            _levels(value.get("levels") or (), n_units),
        )
        counts = value.get("counts")
        if counts is not None and counts != found.counts:
            raise SegmentationError(
                f"counts is {shown(counts)}: expected {found.counts}, as decisions and added say"
            )
        return found


def _decision(value: Any, name: str, n_units: int) -> PlaceDecision:
    if not isinstance(value, Mapping) or value.keys() != set(PlaceDecision._fields):
        raise SegmentationError(
            f"{name} is {shown(value)}: expected an object with place, decision and by"
        )
    place = _places(value["place"], f"{name}.place", n_units)
    decision, by = value["decision"], value["by"]
    chosen = isinstance(decision, int) and not isinstance(decision, bool) and decision in place
    if not (chosen or decision in (None, "drop")):
        raise SegmentationError(
            f"{name}.decision is {shown(decision)}: expected {', '.join(map(str, place))}, 'drop' "
            "or null"
        )
    if by not in (None, "rule", "adjudicator") or (by is None) != (decision is None):
        raise SegmentationError(
            f"{name}.by is {shown(by)}: expected 'rule' or 'adjudicator', and null where there is "
            "no decision"
        )
    return PlaceDecision(place, decision, by)


def _levels(value: Any, n_units: int) -> tuple[LevelDecision, ...]:
    found = []
    for i, entry in enumerate(check_list(value, "levels")):
        if not isinstance(entry, Mapping) or entry.keys() != set(LevelDecision._fields):
            raise SegmentationError(
                f"levels[{i}] is {shown(entry)}: expected an object with after and level"
            )
        level = whole_number(entry["level"], f"levels[{i}].level", 1)
        found.append(LevelDecision(entry["after"], level))
    _places([decision.after for decision in found], "levels: after", n_units)
    return tuple(found)


def _places(value: Any, name: str, n_units: int) -> tuple[int, ...]:
    found = check_list(value, name)
    if any(not 0 < whole_number(position, name, 1) < n_units for position in found):
        raise SegmentationError(f"{name} is {shown(value)}: expected positions 1 … {n_units - 1}")
    if sorted(set(found)) != list(found):
        raise SegmentationError(f"{name} is {shown(value)}: expected ascending positions")
    return tuple(found)


def check_list(value: Any, name: str) -> list[Any] | tuple[Any, ...]:
    """Return a list; raise for any other value."""
    if not isinstance(value, list | tuple):
        raise SegmentationError(f"{name} is {shown(value)}: expected a list")
    return value


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
    units: the hash of the units that the coder saw (`segscore.corpus.record`).
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
