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


def _check(right: bool, name: str, value: Any, expected: str) -> None:
    if not right:
        raise SegmentationError(f"{name} is {shown(value)}: expected {expected}")


def _list(value: Any, name: str) -> list[Any] | tuple[Any, ...]:
    _check(isinstance(value, list | tuple), name, value, "a list")
    return value  # type: ignore[no-any-return]


def _object(value: Any, name: str, keys: tuple[str, ...], more: tuple[str, ...] = ()) -> Any:
    """An object with these keys, and perhaps more."""
    right = isinstance(value, Mapping) and value.keys() - {*more} == {*keys}
    _check(right, name, value, f"an object with {', '.join(keys)}")
    return value


def _positions(value: Any, name: str, n_units: int) -> tuple[int, ...]:
    """Ascending positions."""
    found = _list(value, name)
    right = all(0 < whole_number(position, name, 1) < n_units for position in found)
    _check(right, name, value, f"positions 1 … {n_units - 1}")
    _check(sorted(set(found)) == [*found], name, value, "ascending positions")
    return tuple(found)


def _gold_decisions(value: Any, name: str, n_units: int) -> GoldDecisions:
    with about(name):
        _object(value, "adjudication", _KEYS, ("counts", "levels"))
        levels = [
            LevelDecision(**_object(level, f"levels[{i}]", LevelDecision._fields))
            for i, level in enumerate(_list(value.get("levels") or (), "levels"))
        ]
        for level in levels:
            whole_number(level.level, "levels: level", 1)
        _positions([level.after for level in levels], "levels: after", n_units)
        found = GoldDecisions(
            whole_number(value["within"], "within", 0),
            probability(value["accept"], "accept"),
            probability(value["reject"], "reject"),
            tuple(
                _decision(decision, f"decisions[{i}]", n_units)
                for i, decision in enumerate(_list(value["decisions"], "decisions"))
            ),
            _positions(value["added"], "added", n_units),
            tuple(levels),
        )
        counts = value.get("counts")
        _check(counts in (None, found.counts), "counts", counts, f"{found.counts}, as they follow")
        return found


def _decision(value: Any, name: str, n_units: int) -> PlaceDecision:
    _object(value, name, PlaceDecision._fields)
    place = _positions(value["place"], f"{name}.place", n_units)
    decision, by = value["decision"], value["by"]
    right = decision in (None, "drop", *place) and not isinstance(decision, bool)
    expected = f"{', '.join(map(str, place))}, 'drop' or null"
    _check(right, f"{name}.decision", decision, expected)
    right = by in (None, "rule", "adjudicator") and (by is None) == (decision is None)
    expected = "'rule' or 'adjudicator', and null where there is no decision"
    _check(right, f"{name}.by", by, expected)
    return PlaceDecision(place, decision, by)


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


def annotation_from_plain(given: Any, n_units: int) -> Annotation:
    """The annotation that the object of a line describes, for a document of `n_units` units.

    >>> annotation_from_plain({"finished": False, "unsure": [3, 2]}, 5).unsure
    (2, 3)
    """
    with about("annotation"):
        if not isinstance(given, Mapping):
            raise SegmentationError(f"{shown(given)}: expected an object {{…}}")
        for name in given:
            if name not in _READ:
                raise SegmentationError(
                    f"no field is called {shown(name)}: expected some of {', '.join(_READ)}"
                )
        values = {name: value for name, value in given.items() if value is not None}
        return Annotation(
            **{name: _READ[name](value, name, n_units) for name, value in values.items()}
        )


def _name(value: Any, name: str, _: int) -> str:
    right = isinstance(value, str) and 0 < len(value) <= _LONGEST_NAME
    _check(right, name, value, f"a text of 1 … {_LONGEST_NAME:,} characters")
    check_unicode(value, name)
    return str(value)


def _position(value: Any, name: str, n_units: int) -> int:
    if n_units == 1:
        raise SegmentationError(f"{name} is {shown(value)}: a document of 1 unit has no position")
    return whole_number(value, name, 1, n_units - 1)


def _unsure(value: Any, name: str, n_units: int) -> tuple[int, ...]:
    listed = _list(value, name)
    places = {_position(place, f"{name}[{i}]", n_units) for i, place in enumerate(listed)}
    if len(places) < len(listed):
        raise SegmentationError(f"{name} names a position twice: expected each once")
    return tuple(sorted(places))


def _comments(value: Any, name: str, n_units: int) -> tuple[Comment, ...]:
    found = []
    for i, comment in enumerate(_list(value, name)):
        what = f"{name}[{i}]"
        text = _object(comment, what, ("after", "text"))["text"]
        right = isinstance(text, str) and len(text) <= LONGEST_COMMENT
        _check(right, f"{what}.text", text, f"a text of at most {LONGEST_COMMENT:,} characters")
        check_unicode(text, f"{what}.text")
        found.append(Comment(_position(comment["after"], f"{what}.after", n_units), text))
    return tuple(found)


def _time(value: Any, name: str, _: int) -> str:
    try:
        datetime.fromisoformat(value)
    except (TypeError, ValueError):
        _check(False, name, value, "a time such as '2026-05-04T12:03:00Z'")
    return str(value)


def _hash(value: Any, name: str, _: int) -> str:
    right = isinstance(value, str) and _HASH.fullmatch(value) is not None
    _check(right, name, value, "'sha256:' and 64 digits from 0 to f")
    return str(value)


_READ: dict[str, Callable[[Any, str, int], Any]] = {  # the fields of an Annotation
    "finished": lambda value, name, _: truth(value, name),
    "seconds": lambda value, name, _: whole_number(value, name, 0),
    "unsure": _unsure,
    "comments": _comments,
    "prefilled": _name,
    "practice": lambda value, name, _: truth(value, name),
    "page": _name,
    "exported": _time,
    "units": _hash,
    "adjudication": _gold_decisions,
}
