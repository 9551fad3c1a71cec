"""ELAN's .eaf: tiers of annotations between time slots, in milliseconds.

Each tier with annotations is a coding, and its name the coder; `layer` chooses one. A time slot
without a value lies between its neighbours, as ELAN shows it: slots in a row without a value are
spread evenly. An annotation that refers to another (REF_ANNOTATION) has the time of the other;
several that refer to the same share its time evenly, in the order of the file. The whole lasts
until the last time slot.
"""

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from segscore.basics.arguments import shown
from segscore.corpus.record import Record
from segscore.errors import SegmentationError
from segscore.io.files import Source
from segscore.io.format import TIERS, tool_format
from segscore.io.placing import Stretch, tier_records
from segscore.io.safe_parsing import xml_root
from segscore.io.table_files import whole

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_EXPECTED = "ELAN's ANNOTATION_DOCUMENT"
_MILLI = 1000  # microseconds


def matches(lines: list[str]) -> bool:
    """Whether the root element is ELAN's."""
    return "<ANNOTATION_DOCUMENT" in "\n".join(lines)


def read(source: Source) -> Iterator[Record]:
    """A record per tier."""
    root = xml_root(source, _EXPECTED)
    if root.tag != "ANNOTATION_DOCUMENT":
        raise source.fail(f"the root is <{root.tag}>: expected {_EXPECTED}")
    with source.locating():
        slots = _slots(root)
        times = _Times(slots, root)
        tiers: dict[str, list[Stretch]] = {}
        for tier in root.iter("TIER"):
            name = tier.get("TIER_ID") or ""
            if not name or name in tiers:
                raise SegmentationError(f"a tier is called {name!r}: expected names, each once")
            found = [_stretch(each, times) for each in tier.iterfind("ANNOTATION/*")]
            if found:
                tiers[name] = found
    yield from tier_records(source, tiers, max(slots.values(), default=0))


def _slots(root: "Element") -> dict[str, int]:
    """The time of each slot, in microseconds."""
    found: dict[str, int | None] = {}
    for slot in root.iterfind("TIME_ORDER/TIME_SLOT"):
        name, value = slot.get("TIME_SLOT_ID") or "", slot.get("TIME_VALUE")
        what = f"TIME_VALUE of {name!r}"
        found[name] = None if value is None else _MILLI * whole(value, what, "milliseconds")
    known = [(at, time) for at, time in enumerate(found.values()) if time is not None]
    if not known:
        raise SegmentationError("no time slot has a value: expected TIME_VALUE in some")
    places, values = zip(*known, strict=True)
    times = np.interp(np.arange(len(found)), places, values)
    return {name: round(time) for name, time in zip(found, times.tolist(), strict=True)}


class _Times:
    """The start and end of each annotation, by its id, in microseconds."""

    def __init__(self, slots: dict[str, int], root: "Element") -> None:
        self._slots = slots
        self._known: dict[str, tuple[int, int]] = {}
        self._parent: dict[str, str] = {}
        self._place: dict[str, tuple[str, int]] = {}  # tier, and which child of its parent there
        self._children: Counter[tuple[str, str]] = Counter()  # by tier and parent
        for tier in root.iter("TIER"):
            for annotation in tier.iterfind("ANNOTATION/*"):
                self._add(annotation, tier.get("TIER_ID") or "")

    def _add(self, annotation: "Element", tier: str) -> None:
        name = annotation.get("ANNOTATION_ID") or ""
        parent = annotation.get("ANNOTATION_REF")
        if name in self._known or name in self._parent:
            raise SegmentationError(f"annotation {name!r} is listed twice: expected it once")
        if parent is None:
            first, last = (
                annotation.get("TIME_SLOT_REF1") or "",
                annotation.get("TIME_SLOT_REF2") or "",
            )
            for slot in (first, last):
                if slot not in self._slots:
                    raise SegmentationError(
                        f"annotation {name!r}: no time slot is called {slot!r}: expected one of "
                        "TIME_ORDER"
                    )
            self._known[name] = self._slots[first], self._slots[last]
        else:
            self._parent[name] = parent
            self._place[name] = tier, self._children[tier, parent]
            self._children[tier, parent] += 1

    def __call__(self, name: str) -> tuple[int, int]:
        """The start and end; what they depend on is computed first, and once."""
        chain: dict[str, None] = {}  # from the annotation up to one that has a time
        at: str | None = name
        while at not in self._known:
            above = self._parent.get(at) if at is not None else None
            if at is None or above is None or above in chain:
                raise SegmentationError(
                    f"annotation {name!r} refers to {shown(at if above is None else above)}: "
                    "expected one that has a time"
                )
            chain[at] = None
            at = above
        for child in reversed(chain):
            parent = self._parent[child]
            (tier, index), (start, end) = self._place[child], self._known[parent]
            parts = self._children[tier, parent]
            self._known[child] = (
                start + (end - start) * index // parts,
                start + (end - start) * (index + 1) // parts,
            )
        return self._known[name]


def _stretch(annotation: "Element", times: _Times) -> Stretch:
    name = annotation.get("ANNOTATION_ID") or ""
    start, end = times(name)
    if end <= start:
        raise SegmentationError(f"annotation {name!r} ends before it starts")
    return start, end, (annotation.findtext("ANNOTATION_VALUE") or "").strip()


FORMAT = tool_format(
    "elan", "ELAN", ".eaf", "units labels", matches, read, "<ANNOTATION_DOCUMENT", keys=TIERS
)
