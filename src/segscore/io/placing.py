"""Map spans of text or time onto units: which unit starts a segment, and how misfits are treated.

A span that starts at the start of a unit (or in the space before it) starts a segment there. A
policy decides what happens to misfits, and the caller gets a report:

- `error`: nothing is changed; a unit in no span (a gap), two spans over one unit (an overlap) and
  an edge inside a unit (a cut) are errors.
- `snap`: an edge inside a unit goes to the nearer edge of the unit, to its start if both are
  equally near; a span without a unit is dropped; gaps become segments of their own, without a
  label; if two spans overlap, the first ends where the second starts.
- `keep-start`: only starts count. The unit in which a span starts begins a segment, which continues
  to the next; what comes before the first start belongs to the first segment.

Spans with the same start are one segment with the labels of all; if they also have the same end,
that is not an overlap.

Offsets in a text are code points; those of tools in JavaScript and Java, which count UTF-16 code
units, go through `CodePoints`.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from segscore.basics.arguments import shown
from segscore.coding.segmentation import Segmentation
from segscore.corpus.record import Record
from segscore.errors import SegmentationError, about, named
from segscore.io.files import Source, expect
from segscore.io.read_options import MICRO, Policy, microseconds
from segscore.text.unit_splitting import TEXT_RULES, Stretches, Ticks, Units, stretches, text_units

_DONE = {
    "cut": "edge inside a unit moved to its nearer edge",
    "cut start": "start inside a unit moved to the start of the unit",
    "dropped": "span without a unit dropped",
    "hole": "gap turned into a segment of its own",
    "overlap": "overlap cut where the later span starts",
}


@dataclass(frozen=True, order=True)
class Span:
    """A stretch that a coder marked, half-open, in code points or microseconds."""

    start: int
    end: int
    labels: frozenset[str] = frozenset()
    timed: bool = field(default=False, compare=False)

    def __str__(self) -> str:
        edges = (self.start, self.end)
        texts = [f"{edge / MICRO:.12g} s" if self.timed else str(edge) for edge in edges]
        called = "/".join(sorted(self.labels))
        return f"the span {' … '.join(texts)}" + (f" ({called!r})" if called else "")


@dataclass
class Placed:
    """The segments found: where each starts, its labels, and what was changed."""

    policy: Policy
    labels: dict[int, set[str]] = field(default_factory=dict)
    done: Counter[str] = field(default_factory=Counter)

    def start(self, unit: int, labels: frozenset[str] = frozenset()) -> None:
        """Start a segment at this unit."""
        self.labels.setdefault(unit, set()).update(labels)

    def misfit(self, kind: str, what: str) -> None:
        """Note what did not fit, or raise."""
        fault = f"{what}: expected spans that fit the units, or policy='snap' or 'keep-start'"
        expect(self.policy != "error", fault)
        self.done[kind] += 1

    def hole(self, first: int, last: int) -> None:
        """Make a segment of units in no span."""
        which = f"unit {first + 1} is" if last == first + 1 else f"units {first + 1} … {last} are"
        self.misfit("hole", f"{which} in no span")
        self.start(first)

    def report(self) -> str:
        """What was changed, in words."""
        return ", ".join(f"{count} × {_DONE[kind]}" for kind, count in self.done.items())


def place(spans: Iterable[Span], units: Units, policy: Policy) -> Placed:
    """The units, from 0, at which segments start."""
    ordered = sorted(spans, key=lambda span: (span.start, -span.end))
    for span in ordered:
        expect(span.start <= span.end, f"{span}: expected an end after the start")
    placed = Placed(policy)
    if policy != "keep-start":
        _place_edges(ordered, units, placed)
        return placed
    first: int | None = None  # what comes before the first start belongs to its segment
    for span in ordered:
        unit = units.ended_by(span.start)
        if unit >= units.n or span.start == span.end:
            placed.done["dropped"] += 1
            continue
        placed.done["cut start"] += span.start > units.edges(unit)[0]
        first = unit if first is None else first
        placed.start(0 if unit == first else unit, span.labels)
    placed.done = +placed.done  # without what never happened
    placed.labels.setdefault(0, set())
    return placed


def _place_edges(spans: list[Span], units: Units, placed: Placed) -> None:
    def nearer(span: Span, point: int, unit: int) -> int:
        """The nearer edge of a unit to a point inside it, as the number of units before it."""
        start, end = units.edges(unit)
        placed.misfit("cut", f"{span} cuts unit {unit + 1}")
        return unit if point - start <= end - point else unit + 1

    covered = []
    for span in spans:
        first, last = units.ended_by(span.start), units.started_before(span.end)
        if first < units.n and span.start > units.edges(first)[0]:
            first = nearer(span, span.start, first)
        if last > 0 and span.end < units.edges(last - 1)[1]:
            last = nearer(span, span.end, last - 1)
        if first < last:
            covered.append((first, last, span))
        else:
            placed.misfit("dropped", f"{span} covers no unit")
    covered.sort(key=lambda stretch: (stretch[0], -stretch[1]))
    reached, before = 0, (-1, -1)
    for first, last, span in covered:
        if first > reached:
            placed.hole(reached, first)
        elif first < reached and (first, last) != before:
            placed.misfit("overlap", f"{span} overlaps the one before")
        placed.start(first, span.labels)
        # of spans with one start the longest comes first, and what it covers is covered
        reached = max(reached, last) if first == before[0] else last
        before = (first, last)
    if reached < units.n:
        placed.hole(reached, units.n)


# ---- offsets in UTF-16 ----


class CodePoints:
    """Turns UTF-16 offsets in a text into code points.

    A character beyond U+FFFF, such as an emoji, is two code units of UTF-16; Python counts one.

    >>> CodePoints("a😀b")(3)
    2
    """

    def __init__(self, text: str) -> None:
        several = () if text.isascii() else enumerate(text)
        wide = [i for i, character in several if ord(character) > 0xFFFF]
        # where, in UTF-16, the second half of each wide character stands
        self._halves = [index + before + 1 for before, index in enumerate(wide)]
        self.length: int = len(text) + len(wide)

    def __call__(self, offset: int) -> int:
        """The offset in code points."""
        before = bisect_left(self._halves, offset)
        fits = 0 <= offset <= self.length and self._halves[before : before + 1] != [offset]
        what = f"offset {offset} is outside the text, or inside a character"
        expect(fits, f"{what}: expected 0 … {self.length}, counted in UTF-16")
        return offset - before


# ---- times ----

_CLOCK = re.compile(r"(?:([0-9]{1,6}):)?([0-9]{1,2}):([0-5]?[0-9](?:[.,][0-9]{1,6})?)")


def time_of(value: Any, what: str | None = None) -> int:
    """A time in whole microseconds: seconds, as a number or a text, or hours, minutes and seconds.

    what: what an error calls it.

    >>> time_of("1:02:45"), time_of("12,5"), time_of(0.25)
    (3765000000, 12500000, 250000)
    """
    clock = _CLOCK.fullmatch(value.strip()) if isinstance(value, str) else None
    try:
        if clock is None:
            text = value.strip().replace(",", ".", 1) if isinstance(value, str) else value
            return microseconds(text)
        hours, minutes, seconds = (digits or "0" for digits in clock.groups())
        whole = microseconds(seconds.replace(",", "."))
        return (int(hours) * 60 + int(minutes)) * 60 * MICRO + whole
    except SegmentationError:
        if what is None:
            raise
        raise SegmentationError(
            f"{what} is {shown(value)}: expected seconds from 0, or a text such as '1:02:45'"
        ) from None


# ---- records ----


def text_record(
    source: Source, text: str, spans: Sequence[Span], line: int | None = None
) -> Record:
    """A coding of a text whose units come from the caller's rule."""
    where = source.where
    late = next((span for span in spans if span.start < 0 or span.end > len(text)), None)
    source.expect(late is None, f"{where}: {late} is outside: expected 0 … {len(text)}", line=line)
    units = text_units(text, text_rule_of(source))
    source.expect(units.n, f"{where}: no text: expected at least one unit", line=line)
    return placed_record(source, spans, units, line)


def text_rule_of(source: Source) -> str:
    """The caller's rule for units of text, which the file does not give."""
    rule = source.choices.units
    what = f"{source.where}: units is {rule!r}, and the file does not say what a unit of text is"
    source.expect(rule in TEXT_RULES, f"{what}: expected units=, one of {', '.join(TEXT_RULES)}")
    return rule or ""


Stretch = tuple[int, int | None, str]  # start, end if it is given, label; in microseconds


def timed_record(
    source: Source,
    stretches: Iterable[Stretch],
    length: int | None = None,
    given: Stretches | None = None,
) -> Record:
    """A coding of stretches of time, in any order; one without an end lasts until the next start,
    the last until the end of the recording.

    length: the duration of the recording according to the file.
    given: the units of the file; by default words with times, or seconds by the caller's rule.
    """
    document, choices = source.document, source.choices
    with source.locating():
        units: Units | None = given or choices.words_of(document)
    with source.locating(), about(source.where):
        what = f"units is {choices.units!r}, and the file does not say what a unit of time is"
        timed = units is not None or choices.seconds is not None
        expect(timed, f"{what}: expected units= in seconds, as in 'seconds:6'")
        step, total = choices.seconds or (0, None)
        total = total or choices.duration(document)
        spans = _up_to_next(source, stretches, length or total)
        if units is None:
            total = total or max([length or 0, *(span.end for span in spans)])
            if not total:
                raise _no_end(source)
            late = next((span for span in spans if span.end > total), None)
            what = f"{late} ends after the end of the recording, {total / 1e6:.12g} s"
            expect(late is None, what)
            units = Ticks(step, total)
            last = max((span.end for span in spans), default=total)
            if last != total and 2 * (total - last) < step:  # a rounding error, and no segment
                spans = [replace(span, end=total) if span.end == last else span for span in spans]
    return placed_record(source, spans, units)


def _up_to_next(source: Source, stretches: Iterable[Stretch], end: int | None) -> list[Span]:
    """Spans of time, in order, each up to its own end, or else to the next start."""
    ordered = sorted(stretches, key=lambda stretch: stretch[0])
    spans = []
    following = [*(start for start, _, _ in ordered[1:]), end]
    for (start, own, label), after in zip(ordered, following, strict=False):
        until = after if own is None else own
        if until is None:
            raise _no_end(source)
        spans.append(Span(start, max(until, start), frozenset({label} - {""}), timed=True))
    return spans


def _no_end(source: Source) -> SegmentationError:
    """An error about a duration that is missing in the file, and in the caller's durations."""
    listed, what = source.choices.durations, "the file does not say how long the recording is"
    if listed:
        known = named(listed, most=3)
        what += f", and durations has none for {source.document!r}, only for {known}"
    remedy = "expected it in the units, as in 'seconds:6:3600', or in a list (durations=)"
    return SegmentationError(f"{what}: {remedy}")


@dataclass(frozen=True)
class TimedRow:
    """A stretch of time in a file: its line, its edges in microseconds, its label, and the texts
    that are not read, by the name of their column or key."""

    line: int | None
    start: int
    end: int | None
    label: str
    unread: Mapping[str, str]


def timed_records(
    source: Source,
    found: Mapping[tuple[str, str], Sequence[TimedRow]],
    lengths: Callable[[str], int | None],
    named_by: tuple[str, str] | None,
) -> Iterator[Record]:
    """A record for the rows of each document and coder.

    named_by: what holds a value, `column` or `key`, and how the caller says it is the document,
    with {name} for its name; None if the file names the documents.
    """
    for (document, coder), rows in found.items():
        if named_by is not None and document == source.document:
            _refuse_merged(source, rows, *named_by)
        stretches: list[Stretch] = [(row.start, row.end, row.label) for row in rows]
        yield timed_record(source.of(document, coder), stretches, lengths(document))


def _refuse_merged(source: Source, rows: Sequence[TimedRow], what: str, remedy: str) -> None:
    """Raise if the rows of one document look like those of several: starts go back, and some column
    has several values, the starts of each of which go forward."""
    back = next((late for early, late in pairwise(rows) if late.start <= early.start), None)
    edges = sorted((row.start, row.end) for row in rows if row.end is not None)
    parts = len(edges) == len(rows) and all(a[1] <= b[0] for a, b in pairwise(edges))
    if back is None or parts:  # of one recording: each has an end, and none overlaps another
        return

    def could_be_document(name: str) -> bool:
        starts: dict[str, list[int]] = {}
        for row in rows:
            starts.setdefault(row.unread.get(name, ""), []).append(row.start)
        forward = all(a < b for each in starts.values() for a, b in pairwise(each))
        return forward and "" not in starts and 1 < len(starts) < len(rows)

    name = next(filter(could_be_document, rows[0].unread), None)
    again = any(a.start == b.start for a, b in pairwise(rows) if b is back)
    to = f"{'is again' if again else 'goes back to'} {back.start / MICRO:.12g}"
    where = "" if back.line is None else f" on line {back.line}"
    source.expect(
        name is None,
        f"{what} {name!r} is not read, and start {to}{where}: is {name!r} the document? expected "
        f"{remedy.format(name=name)}, or ignore_columns={name}",
    )


def placed_record(
    source: Source, spans: Iterable[Span], units: Units, line: int | None = None
) -> Record:
    """The record of spans on units; what was changed is reported."""
    policy = source.choices.policy
    with source.locating(line):
        with about(source.where):
            placed = place(spans, units, policy)
        if placed.done:
            source.remark(f"{source.where}: {policy}: {placed.report()}")
        starts = sorted(placed.labels)
        labels = [placed.labels[start] for start in starts] if any(placed.labels.values()) else None
        coding = Segmentation.from_boundaries(starts[1:], units.n)
        texts = units.texts if isinstance(units, Stretches) else None
        known: Any = labels
        return Record(source.document, source.coder, coding, texts, known, place=source.at())


# ---- tiers of timed annotation (ELAN, Praat): a tier is a coder's coding ----


def tier_records(
    source: Source, tiers: Mapping[str, list[Stretch]], total: int
) -> Iterator[Record]:
    """A record per tier, whose name is the coder's; `layer` chooses a tier, and with `tier:NAME`
    the intervals of that tier are the units."""
    layer, tier = source.choices.layer, source.choices.tier
    for wanted in (layer, tier):
        fits = wanted is None or wanted in tiers
        source.expect(fits, f"no tier is called {wanted!r}: there is {named(tiers)}")
    units = None
    if tier is not None:
        ordered = sorted((start, end or start, label) for start, end, label in tiers[tier])
        with source.locating(), about(f"tier {tier!r}"):
            units = stretches([(start, end) for start, end, _ in ordered])
        units = replace(units, texts=tuple(label for _, _, label in ordered))
    chosen = [layer] if layer is not None else [name for name in tiers if name != tier]
    source.expect(chosen, "no tier to read: expected one with segments")
    for name in chosen:
        coder = source.coder if source.told and len(chosen) == 1 else name
        yield timed_record(source.of(coder=coder), tiers[name], total, units)
