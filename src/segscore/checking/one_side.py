"""Checks of a single side: the codings of a file that is not compared with another.

Most rules ask how two sides differ. Those here need one side alone: numbers of another kind,
boundaries that were lost, padding, one coding for several documents, and a boundary at the same end
of nearly every document, as labels in the wrong frame have it.

Recordings that last for days: times in milliseconds that were read as seconds.
"""

from collections.abc import Iterable, Iterator
from itertools import groupby

import numpy as np

from segscore.basics.arguments import Int64Array
from segscore.checking.contents import few_positions, misread_side, side_without_boundaries
from segscore.checking.endings import fine_units, padded, wide_tolerance
from segscore.checking.findings import Finding
from segscore.checking.label_frames import constant_places
from segscore.checking.repeats import repeated_codings
from segscore.checking.sides import BothSides, CheckedSide
from segscore.corpus.codings import Codings
from segscore.errors import named
from segscore.metrics import Metric

_LONG = 48  # hours: what lasts longer at the median is no talk, meeting or film
_MICROSECONDS = 10**6  # in a second


def days_long(sides: BothSides) -> Iterator[Finding]:
    """Documents with units of known duration that are too long for recordings.

    Both sides must be that long, and have boundaries in their second half: if only one side is, it
    has other units, and a long ending has another cause.
    """
    unit = sides.provenance.unit_length
    if unit is None or not len(sides):
        return
    units = np.minimum(_used(sides.ref), _used(sides.hyp))
    seconds = units * (unit / _MICROSECONDS)
    hours = float(np.median(seconds)) / 3600
    if hours >= _LONG:
        yield Finding(
            "milliseconds",
            "warning",
            f"Half of the {len(sides)} recordings last {hours:.0f} hours or longer.",
            {"median_hours": hours, "documents": len(sides)},
            sides.names(seconds >= _LONG * 3600),
            "Times in milliseconds were probably read as seconds: divide them by 1000.",
        )


def _used(side: CheckedSide) -> Int64Array:
    """Twice the units up to the last boundary of each row, and at most all of them."""
    return np.where(side.counts > 0, np.minimum(2 * side.last, side.n_units), side.n_units)


_MOST_CODERS = 30  # that are looked at


def check_each_side(codings: Codings, metrics: Iterable[Metric] = ()) -> Iterator[Finding]:
    """The findings about each coder alone; a single coding per document is one side, whoever made
    it."""
    wanted = list(metrics)
    sides = _sides(codings)
    for coder, side in sides.items():
        yield from (
            finding.of(coder if len(sides) > 1 else "") for finding in _check_side(side, wanted)
        )


def same_places(codings: Codings) -> Iterator[Finding]:
    """Coders who have a boundary at the first place of nearly all documents, or at a place near the
    end, which people hardly mark so often: a note per place."""
    found = sorted(
        (where, remedy, coder, two.names(there), len(two))
        for coder, side in _sides(codings).items()
        for two in (side.comparable,)
        for there, where, remedy in constant_places(two)
    )
    for (where, remedy), group in groupby(found, key=lambda row: row[:2]):
        coders, documents, coded = zip(*(row[2:] for row in group), strict=True)
        names = tuple(dict.fromkeys(name for listed in documents for name in listed))
        subject = "The coding" if coders == ("",) else named(coders)
        has = "has" if len(coders) == 1 else "have"
        yield Finding(
            "same-place",
            "note",
            f"{subject} {has} a boundary at {where} in {len(names)} of {max(coded)} documents.",
            {"documents": len(names), "coders": len(coders)},
            names,
            remedy,
        )


def _sides(codings: Codings) -> dict[str, BothSides]:
    """Each coder as both sides of a check; the name is empty if all documents have one coding."""
    if (np.diff(codings.starts) <= 1).all():
        return {"": _side(codings, np.arange(len(codings)))}
    if codings.scope != "global":
        return {}
    return {
        coder: _side(codings, codings.rows_of(coder)) for coder in codings.coders[:_MOST_CODERS]
    }


def _side(codings: Codings, rows: Int64Array) -> BothSides:
    names = [codings.documents[number] for number in codings.document_of_rows[rows].tolist()]
    side = CheckedSide.taken(codings.n_units[rows], codings.offsets, codings.positions, rows)
    return BothSides(names, side, side, codings.provenance)


def _check_side(sides: BothSides, metrics: list[Metric]) -> Iterator[Finding]:
    """The rules of a single side; those that explain others come first and end the check."""
    if not len(sides):
        return
    yield from days_long(sides)
    yield from wide_tolerance(sides, metrics)
    yield from fine_units(sides, metrics)
    yield from side_without_boundaries(sides)
    wrong_numbers = list(misread_side(sides, "codings", sides.ref, sides.ref))
    yield from wrong_numbers
    if wrong_numbers:
        return
    yield from padded(sides, "")
    yield from few_positions(sides.comparable, "codings", sides.comparable.ref)
    yield from repeated_codings(sides)
