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
from typing import Any

from segscore.basics.arguments import check_unicode, probability, shown, truth, whole_number
from segscore.errors import SegmentationError, about

_LONGEST_COMMENT, _LONGEST_NAME = 100_000, 1_000  # characters
_HASH = re.compile("sha256:[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Annotation:
    """How a coding was made.

    finished: whether the coder marked the document as done.
    seconds: the working time without pauses; None if it is unknown.
    unsure: the positions, after unit p, about which the coder was unsure.
    comments: the coder's comments, each with the position after which it belongs.
    prefilled: the system whose boundaries the coder corrected; None if there were none.
    practice: whether it was a practice document, with feedback.
    page: the page that it was made with; exported: when it left the page, as an ISO time.
    units: the hash of the units that the coder saw (`segscore.corpus.record`).
    adjudication: for gold, the object of the line: the rule and the decision on each place.
    """

    finished: bool = True
    seconds: int | None = None
    unsure: tuple[int, ...] = ()
    comments: tuple[tuple[int, str], ...] = ()
    prefilled: str | None = None
    practice: bool = False
    page: str | None = None
    exported: str | None = None
    units: str | None = None
    adjudication: dict[str, Any] | None = None

    @property
    def counts(self) -> bool:
        """Whether the coding counts: it is finished, and not practice."""
        return self.finished and not self.practice

    def plain(self) -> dict[str, Any]:
        """The object of a line: `finished`, and what else is known.

        >>> Annotation(seconds=80, comments=((2, "or before?"),)).plain()
        {'finished': True, 'seconds': 80, 'comments': [{'after': 2, 'text': 'or before?'}]}
        """
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        known = {
            field.name: values[field.name]
            for field in fields(self)
            if field.name == "finished" or values[field.name] != field.default
        }
        if self.unsure:
            known["unsure"] = list(self.unsure)
        if self.comments:
            known["comments"] = [{"after": after, "text": text} for after, text in self.comments]
        return known


def annotation_from_plain(given: Any, n_units: int) -> Annotation:
    """The annotation that the object of a line describes, for a document of `n_units` units.

    >>> annotation_from_plain({"finished": False, "unsure": [3, 2]}, 5).unsure
    (2, 3)
    """
    with about("annotation"):
        if not isinstance(given, Mapping):
            raise SegmentationError(f"{shown(given)}: expected an object {{…}}")
        unknown = next((name for name in given if name not in _READ), None)
        if unknown is not None:
            raise SegmentationError(
                f"no field is called {shown(unknown)}: expected some of {', '.join(_READ)}"
            )
        values = {name: value for name, value in given.items() if value is not None}
        return Annotation(
            **{name: _READ[name](value, name, n_units) for name, value in values.items()}
        )


def _check(right: bool, name: str, value: Any, expected: str) -> None:
    if not right:
        raise SegmentationError(f"{name} is {shown(value)}: expected {expected}")


def _list(value: Any, name: str) -> Any:
    _check(isinstance(value, list | tuple), name, value, "a list")
    return value


def _object(value: Any, name: str, keys: tuple[str, ...], more: tuple[str, ...] = ()) -> Any:
    """An object with these keys, and perhaps more."""
    right = isinstance(value, Mapping) and value.keys() - {*more} == {*keys}
    _check(right, name, value, f"an object with {', '.join(keys)}")
    return value


def _text(value: Any, name: str, least: int, most: int) -> str:
    right = isinstance(value, str) and least <= len(value) <= most
    _check(right, name, value, f"a text of {least} … {most:,} characters")
    check_unicode(value, name)
    return str(value)


def _name(value: Any, name: str, _: int) -> str:
    return _text(value, name, 1, _LONGEST_NAME)


def _position(value: Any, name: str, n_units: int) -> int:
    _check(n_units > 1, name, value, "none, as a document of 1 unit has no position")
    return whole_number(value, name, 1, n_units - 1)


def _positions(value: Any, name: str, n_units: int) -> tuple[int, ...]:
    """Positions, each once."""
    listed = _list(value, name)
    places = tuple(_position(at, f"{name}[{i}]", n_units) for i, at in enumerate(listed))
    _check(len({*places}) == len(places), name, value, "each position once")
    return places


def _unsure(value: Any, name: str, n_units: int) -> tuple[int, ...]:
    return tuple(sorted(_positions(value, name, n_units)))


def _comments(value: Any, name: str, n_units: int) -> tuple[tuple[int, str], ...]:
    comments = []
    for i, given in enumerate(_list(value, name)):
        what = f"{name}[{i}]"
        comment = _object(given, what, ("after", "text"))
        text = _text(comment["text"], f"{what}.text", 0, _LONGEST_COMMENT)
        comments.append((_position(comment["after"], f"{what}.after", n_units), text))
    return tuple(comments)


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


# ---- how gold was made ----


def _adjudication(value: Any, name: str, n_units: int) -> dict[str, Any]:
    """The object, with its counts, which follow from the rest."""
    with about(name):
        keys = ("within", "accept", "reject", "decisions", "added")
        _object(value, name, keys, ("counts", "levels"))
        decisions = [
            _decision(each, f"decisions[{i}]", n_units)
            for i, each in enumerate(_list(value["decisions"], "decisions"))
        ]
        by = [each["by"] for each in decisions]
        adjudication: dict[str, Any] = {
            "within": whole_number(value["within"], "within", 0),
            "accept": probability(value["accept"], "accept"),
            "reject": probability(value["reject"], "reject"),
            "decisions": decisions,
            "added": _ascending(value["added"], "added", n_units),
        }
        levels = _list(value.get("levels") or (), "levels")
        for i, each in enumerate(levels):
            whole_number(_object(each, f"levels[{i}]", ("after", "level"))["level"], "level", 1)
        if levels:
            _ascending([each["after"] for each in levels], "levels: after", n_units)
            adjudication["levels"] = [dict(each) for each in levels]
        counts = {
            "places": len(by),
            "rule": by.count("rule"),
            "adjudicator": by.count("adjudicator"),
            "open": by.count(None),
            "dropped": sum(each["decision"] == "drop" for each in decisions),
            "added": len(adjudication["added"]),
        }
        stated = value.get("counts")
        _check(stated in (None, counts), "counts", stated, f"{counts}, as they follow")
        return adjudication | {"counts": counts}


def _ascending(value: Any, name: str, n_units: int) -> list[int]:
    positions = [*_positions(value, name, n_units)]
    _check(sorted(positions) == positions, name, value, "ascending positions")
    return positions


def _decision(value: Any, name: str, n_units: int) -> dict[str, Any]:
    """The positions of a place, the decision (one of them, `drop`, or None), and who decided."""
    _object(value, name, ("place", "decision", "by"))
    place = _ascending(value["place"], f"{name}.place", n_units)
    decision, by = value["decision"], value["by"]
    right = decision in (None, "drop", *place) and not isinstance(decision, bool)
    expected = f"{', '.join(map(str, place))}, 'drop' or null"
    _check(right, f"{name}.decision", decision, expected)
    right = by in (None, "rule", "adjudicator") and (by is None) == (decision is None)
    expected = "'rule' or 'adjudicator', and null where there is no decision"
    _check(right, f"{name}.by", by, expected)
    return {"place": place, "decision": decision, "by": by}


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
    "adjudication": _adjudication,
}
