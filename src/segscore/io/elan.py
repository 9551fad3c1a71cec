"""ELAN's .eaf: tiers of annotations between time slots, in milliseconds.

Each tier with annotations is a coding, and its name the coder; `layer` chooses one. A time slot
without a value lies between its neighbours, as ELAN shows it: slots in a row without a value are
spread evenly. An annotation that refers to another (REF_ANNOTATION) has the time of that one;
several that refer to the same share its time evenly, in the order of the file. The whole lasts
until the last time slot.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from segscore._integers import shown
from segscore.errors import SegmentationError
from segscore.io.base import Format
from segscore.io.cells import whole
from segscore.io.files import Source
from segscore.io.placing import Span
from segscore.io.tiers import tier_records
from segscore.io.trees import xml_root
from segscore.records import Record

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_EXPECTED = "ELAN's ANNOTATION_DOCUMENT"
_MILLI = 1000  # microseconds


def matches(lines: list[str]) -> bool:
    """The root element is ELAN's."""
    return "<ANNOTATION_DOCUMENT" in "\n".join(lines)


def read(source: Source) -> Iterator[Record]:
    """A record per tier."""
    root = xml_root(source, _EXPECTED)
    if root.tag != "ANNOTATION_DOCUMENT":
        raise source.fail(f"the root is <{root.tag}>: expected {_EXPECTED}")
    with source.locating():
        slots = _slots(root)
        times = _Times(slots, root)
        tiers: dict[str, list[Span]] = {}
        for tier in root.iter("TIER"):
            name = tier.get("TIER_ID") or ""
            if not name or name in tiers:
                raise SegmentationError(f"a tier is called {name!r}: expected names, each once")
            spans = [_span(one, times) for one in tier.iterfind("ANNOTATION/*")]
            if spans:
                tiers[name] = spans
    yield from tier_records(source, tiers, max(slots.values(), default=0))


def _slots(root: "Element") -> dict[str, int]:
    """The time of each slot, in microseconds."""
    found: dict[str, int | None] = {}
    for slot in root.iterfind("TIME_ORDER/TIME_SLOT"):
        name, value = slot.get("TIME_SLOT_ID") or "", slot.get("TIME_VALUE")
        what = f"TIME_VALUE of {name!r}"
        found[name] = None if value is None else _MILLI * whole(value, what, "milliseconds")
    names = list(found)
    known = [index for index, name in enumerate(names) if found[name] is not None]
    if not known:
        raise SegmentationError("no time slot has a value: expected TIME_VALUE in some")
    times = {names[index]: found[names[index]] or 0 for index in known}
    for index, name in enumerate(names):
        if name not in times:
            times[name] = _between(index, known, [found[names[one]] or 0 for one in known])
    return times


def _between(index: int, known: list[int], values: list[int]) -> int:
    """The time of a slot without a value, from its neighbours."""
    import numpy as np

    return round(float(np.interp(index, known, values)))


class _Times:
    """Start and end of each annotation, by its id."""

    def __init__(self, slots: dict[str, int], root: "Element") -> None:
        self._slots = slots
        self._aligned: dict[str, tuple[str, str]] = {}
        self._parent: dict[str, str] = {}
        self._children: dict[tuple[str, str], list[str]] = {}
        self._tier: dict[str, str] = {}
        for tier in root.iter("TIER"):
            for one in tier.iterfind("ANNOTATION/*"):
                self._add(one, tier.get("TIER_ID") or "")

    def _add(self, one: "Element", tier: str) -> None:
        name = one.get("ANNOTATION_ID") or ""
        parent = one.get("ANNOTATION_REF")
        self._tier[name] = tier
        if parent is None:
            first, last = one.get("TIME_SLOT_REF1") or "", one.get("TIME_SLOT_REF2") or ""
            for slot in (first, last):
                if slot not in self._slots:
                    raise SegmentationError(
                        f"annotation {name!r}: no time slot is called {slot!r}: expected one of "
                        "TIME_ORDER"
                    )
            self._aligned[name] = first, last
        else:
            self._parent[name] = parent
            self._children.setdefault((tier, parent), []).append(name)

    def __call__(self, name: str) -> tuple[int, int]:
        """Start and end, in microseconds."""
        chain = [name]
        while chain[-1] not in self._aligned:
            parent = self._parent.get(chain[-1])
            if parent is None or parent in chain:
                raise SegmentationError(
                    f"annotation {name!r} refers to {shown(parent or chain[-1])}: expected one "
                    "that has a time"
                )
            chain.append(parent)
        first, last = self._aligned[chain[-1]]
        start, end = self._slots[first], self._slots[last]
        for parent, child in zip(chain[:0:-1], chain[-2::-1], strict=True):
            siblings = self._children[self._tier[child], parent]
            index, length = siblings.index(child), end - start
            start, end = (start + length * index // len(siblings),
                          start + length * (index + 1) // len(siblings))  # fmt: skip
        return start, end


def _span(one: "Element", times: _Times) -> Span:
    name = one.get("ANNOTATION_ID") or ""
    start, end = times(name)
    if end <= start:
        raise SegmentationError(f"annotation {name!r} ends before it starts")
    value = (one.findtext("ANNOTATION_VALUE") or "").strip()
    return Span(start, end, frozenset({value} - {""}), timed=True)


FORMAT = Format(
    name="elan",
    title="ELAN",
    suffixes=(".eaf",),
    holds=frozenset({"units", "labels"}),
    matches=matches,
    read=read,
    chooses=True,
)
