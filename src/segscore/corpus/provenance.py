"""How the units of a corpus were formed; every number computed from them carries this along.

A recording gives different numbers in units of 1 s and of 6 s, and with a length of 1200 s and of
3600 s. So the options of a reader (units, policy, layer) go from `Corpus` to `Pairs` to the
signature of each score: `units:seconds:1:1200|policy:snap`. A plain file, whose units are its own,
adds nothing.

A parameter in time, such as a tolerance of `30s`, becomes a number of units here.
"""

import re
from collections.abc import Mapping, Set
from dataclasses import astuple, dataclass, replace
from typing import Any

from segscore.basics.arguments import shown
from segscore.errors import SegmentationError

# What else is told, where it was chosen.
PLACED = ("moved", "farthest", "inside")  # cuts of chunks: counts, as `place_chunks` has them
CHOICES = ("overlap", "gaps", "headings", "snap", *PLACED, "align", "mask", "missing")
FIELDS = ("units", "policy", "layer", *CHOICES)  # as signatures call them

_MICRO = 10**6  # times are whole microseconds, so that quotients of decimals are exact
_NUMBER = r"([0-9]{1,9})(?:\.([0-9]{1,6}))?"
_SECONDS = re.compile(rf"seconds:{_NUMBER}(?::{_NUMBER})?")
_DURATION = re.compile(rf"{_NUMBER} ?(ms|s|min|h)")
_FACTORS = {"ms": 10**-3, "s": 1, "min": 60, "h": 3600}


@dataclass(frozen=True, slots=True)
class Provenance:
    """The options by which readers formed units; each field has an entry per distinct value.

    units: rules such as `seconds:1:1200` (1 s each, 1200 s in all) or `sentences`. policies: how
    spans that do not fit the units were treated, except the default, `error`. layers: which tiers
    or labels hold the segments. choices: (name, text) of other choices, such as how two sides were
    aligned (`align`) or which parts were cut out (`mask`). If all are empty, the units are those of
    the files.

    >>> Provenance.of("seconds:1.0:1200", policy="snap").fields
    {'units': 'seconds:1:1200', 'policy': 'snap'}
    """

    units: tuple[str, ...] = ()
    policies: tuple[str, ...] = ()
    layers: tuple[str, ...] = ()
    choices: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(
        cls,
        units: str | None = None,
        policy: str = "error",
        layer: str | None = None,
        **choices: str | None,
    ) -> "Provenance":
        """Build a provenance from the options of a reader; `choices` by name, None for choices that
        were not made."""
        return cls(
            () if units is None else (_plain_rule(units),),
            () if policy == "error" else (policy,),
            () if layer is None else (layer,),
            tuple((name, text) for name, text in choices.items() if text is not None),
        )

    @property
    def fields(self) -> dict[str, str]:
        """The fields of a signature; options at their defaults are left out."""
        if not self:
            return {}
        from urllib.parse import quote

        found: dict[str, list[str]] = {name: [] for name in FIELDS}
        for name, text in (
            *(("units", rule) for rule in self.units),
            *(("policy", policy) for policy in self.policies),
            *(("layer", layer) for layer in self.layers),
            *self.choices,
        ):
            found[name].append(quote(text, safe=" :.-"))
        return {name: "+".join(texts) for name, texts in found.items() if texts}

    @property
    def placed(self) -> dict[str, int]:
        """The number of cuts of chunks that were moved, the largest move in characters, and the
        number of cuts further inside units; empty where there are none."""
        counts = {name: int(text) for name, text in self.choices if name in PLACED}
        return dict.fromkeys(PLACED, 0) | counts if any(counts.values()) else {}

    def __bool__(self) -> bool:
        """Whether any option differs from its default."""
        return bool(self.units or self.policies or self.layers or self.choices)

    def __str__(self) -> str:
        return ", ".join(f"{name} {text}" for name, text in self.fields.items())

    @property
    def unit_length(self) -> int | None:
        """The length of a unit in microseconds; None if it is unknown, or not always the same."""
        lengths = {*map(_length, self.units)}
        return lengths.pop() if len(lengths) == 1 else None

    def joined(self, other: "Provenance", what: str) -> "Provenance":
        """The provenance of numbers that use both corpora; raise if their units have different
        sizes.

        Unknown units fit any other. `what` says in the message what cannot be done.
        """
        if not other or self == other:
            return self
        # the total length does not distinguish units
        own, others = ({_length(rule) or rule for rule in each.units} for each in (self, other))
        if own and others and own != others:
            raise SegmentationError(
                f"{what}: units are {' and '.join(self.units)} on one side, "
                f"{' and '.join(other.units)} on the other: expected units of the same size"
            )
        both = zip(astuple(self), astuple(other), strict=True)
        return Provenance(*(tuple(dict.fromkeys((*a, *b))) for a, b in both))

    def with_unit_lengths(self, lengths: Set[int | None], what: str) -> "Provenance":
        """A copy with the length of a unit in microseconds, which segmentations made from times
        know.

        >>> PLAIN.with_unit_lengths({None, 100_000}, "cannot").fields
        {'units': 'seconds:0.1'}
        """
        found = self
        for length in lengths:
            if length is not None and length != found.unit_length:
                found = found.joined(Provenance((f"seconds:{_decimal(length)}",)), what)
        return found

    def chosen(self, name: str, text: str) -> "Provenance":
        """A copy with one more choice.

        >>> PLAIN.chosen("align", "words").fields
        {'align': 'words'}
        """
        return replace(self, choices=tuple(dict.fromkeys((*self.choices, (name, text)))))

    def without(self, choices: Set[tuple[str, str]]) -> "Provenance":
        """A copy without these choices.

        >>> PLAIN.chosen("overlap", "middle").without({("overlap", "middle")}) == PLAIN
        True
        """
        return replace(
            self, choices=tuple(choice for choice in self.choices if choice not in choices)
        )

    def positions(self, duration: str, what: str) -> tuple[int, int, int]:
        """A duration in units: the whole number, the remainder, and the length of a unit in
        microseconds.

        >>> Provenance.of("seconds:7").positions("30s", "tolerance")
        (4, 2000000, 7000000)
        """
        length = self.unit_length
        if length is None:
            rules = " and ".join(self.units)
            known = f"units are {rules}" if rules else "the input does not say"
            raise SegmentationError(
                f"{what} is {duration!r}, and units have no known duration ({known}): expected a "
                "number of units, or input that was read with units='seconds:6', or by "
                "Segmentation.from_times"
            )
        return *divmod(microseconds_of(duration, what), length), length


PLAIN = Provenance()


def provenance_in(given: Mapping[Any, Any], what: str) -> Provenance:
    """The provenance of a corpus, or of a mapping whose values are documents of a corpus."""
    found: Provenance = getattr(given, "provenance", PLAIN)
    for document in given.values():
        known = getattr(document, "provenance", PLAIN)
        if known is not found:
            found = found.joined(known, what)
    return found


def placed_notes(known: Mapping[str, Provenance]) -> list[str]:
    """A note on each system whose cuts of chunks were moved, or are inside units."""
    return [
        f"{name}{': ' if name else ''}cuts of chunks inside units: {placed['moved']} moved, by up "
        f"to {placed['farthest']} characters; {placed['inside']} further inside, extra boundaries"
        for name, each in known.items()
        if (placed := each.placed)
    ]


def as_duration(text: Any, what: str) -> str:
    """The canonical form of a duration, in seconds.

    >>> as_duration("1.5min", "k"), as_duration("250 ms", "k")
    ('90s', '0.25s')
    """
    return f"{_decimal(microseconds_of(text, what))}s"


def microseconds_of(text: Any, what: str) -> int:
    """The microseconds of a duration such as `30s`, `250ms`, `2min` or `1h`."""
    found = _DURATION.fullmatch(text.strip()) if isinstance(text, str) else None
    if found is None:
        raise SegmentationError(
            f"{what} is {shown(text)}: expected a number of units, or a time such as '30s'"
        )
    return round(_micro(found[1], found[2]) * _FACTORS[found[3]])


def _plain_rule(rule: str) -> str:
    """The canonical form of a rule: seconds without trailing zeros."""
    found = _SECONDS.fullmatch(rule)
    if found is None:
        return rule
    step, total = _micro(found[1], found[2]), _micro(found[3], found[4])
    return f"seconds:{_decimal(step)}" + (f":{_decimal(total)}" if total else "")


def _length(rule: str) -> int | None:
    """The length of a unit in microseconds, if the rule gives it."""
    found = _SECONDS.fullmatch(rule)
    return _micro(found[1], found[2]) if found else None


def _micro(whole: str | None, fraction: str | None) -> int:
    return int(whole or 0) * _MICRO + int((fraction or "").ljust(6, "0"))


def _decimal(micro: int) -> str:
    whole, rest = divmod(micro, _MICRO)
    return f"{whole}.{rest:06d}".rstrip("0").rstrip(".")
