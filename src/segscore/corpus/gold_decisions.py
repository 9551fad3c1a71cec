"""How gold was made: the rule of an adjudication, and the decision on each place.

On a line of our JSON Lines it is the object `adjudication` in `annotation`:

    {"within": 1, "accept": 1.0, "reject": 0.0, "added": [12],
     "decisions": [{"place": [4, 5], "decision": 4, "by": "adjudicator"}],
     "counts": {"places": 1, "rule": 0, "adjudicator": 1, "open": 0, "dropped": 0, "added": 1}}

A decision is a position of the place, or `drop`; null means that it is still open. `levels`, which
may be missing, holds the levels that a person chose for boundaries of gold (`[{"after": 4, "level":
2}]`); all others follow from the codings. The counts
follow from the rest, and are for people; if they are given, they must be right.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from segscore.basics.arguments import probability, shown, whole_number
from segscore.errors import SegmentationError, about

Decider = Literal["rule", "adjudicator"]
_NAMES = ("within", "accept", "reject", "decisions", "added")


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
    """The rule (`segscore.coders.adjudication`), the decision on each place, the boundaries that
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
        if not isinstance(value, Mapping) or value.keys() - {"counts", "levels"} != set(_NAMES):
            raise SegmentationError(f"{shown(value)}: expected an object with {', '.join(_NAMES)}")
        found = GoldDecisions(
            whole_number(value["within"], "within", 0),
            probability(value["accept"], "accept"),
            probability(value["reject"], "reject"),
            tuple(
                _decision(decision, f"decisions[{i}]", n_units)
                for i, decision in enumerate(check_list(value["decisions"], "decisions"))
            ),
            _positions(value["added"], "added", n_units),
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
    place = _positions(value["place"], f"{name}.place", n_units)
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
    _positions([decision.after for decision in found], "levels: after", n_units)
    return tuple(found)


def _positions(value: Any, name: str, n_units: int) -> tuple[int, ...]:
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
