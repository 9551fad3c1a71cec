"""Documents that continue long after their last boundary: padding, a wrong duration, output that
stops.

If boundaries fell by chance, the m boundaries of a document would all be in its first half with a
chance of 1 / 2**m. The rules ask for what nearly every document shows, and chance does not explain.

Find a side that equals the other moved by one position: counting from 0 or 1, inclusive ends.

The quality of the moved side does not matter, only how much better it is than unmoved, and than
moved the other way, and in how many documents (a sign test): a poor system that is shifted is
found, too. Near misses to both sides cancel each other out. If there are few documents, boundaries
are counted.

Tolerances that do not fit the segments: so wide that nearly every boundary matches, or, in fine
units of time, so narrow that hardly any does.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from segscore.basics.arguments import Int64Array
from segscore.checking.findings import Finding, Severity
from segscore.checking.sides import BothSides, CheckedSide, Mask, f_of, surprise
from segscore.metrics import Metric, ScorePart
from segscore.metrics.edits import EditMetric
from segscore.metrics.matching import BoundaryTolerance
from segscore.metrics.window import WindowSize

_HALF = 0.5  # of a mean segment: then tolerances of neighbours meet
_TINY = 1000  # such distances fit into a mean segment: nobody marks a boundary so exactly
_MICRO = 10**6  # microseconds in a second


def wide_tolerance(sides: BothSides, metrics: Iterable[Metric]) -> Iterator[Finding]:
    """A metric whose tolerance is at least half a mean segment of the references."""
    mean = _mean_segment(sides)
    for metric in _whole(metrics):
        if not isinstance(metric, BoundaryTolerance) or not sides.ref.positions.size:
            continue
        tolerance = metric.reach(sides.provenance)
        if tolerance < max(1.0, _HALF * mean):
            continue
        yield Finding(
            "wide-tolerance",
            "note",
            f"The tolerance of {metric} is {tolerance} units, and a segment of the references has "
            f"{mean:.1f} units on average.",
            {"tolerance": tolerance, "mean_segment": mean},
            (),
            "From half a segment on, any position is near some boundary, so that chance "
            f"scores high: take a tolerance below {_HALF * mean:.1f} units, and compare with the "
            "random baseline.",
        )


def fine_units(sides: BothSides, metrics: Iterable[Metric]) -> Iterator[Finding]:
    """A metric whose tolerance, window or near misses are counted in units of time that are tiny
    beside the segments of the references, so that it sees hardly any match."""
    unit = sides.provenance.unit_length
    if unit is None or not sides.ref.positions.size:
        return
    mean = _mean_segment(sides)
    for metric in _whole(metrics):
        counted = _counted(metric)
        if counted is None or mean < _TINY * counted[1]:
            continue
        what, reach, remedy = counted
        length = reach * unit / _MICRO
        yield Finding(
            "fine-units",
            "warning",
            f"{metric} {what}, {length:g} s here, and a segment of the references has "
            f"{mean * unit / _MICRO:.4g} s on average.",
            {"reach_seconds": length, "mean_segment_seconds": mean * unit / _MICRO},
            (),
            f"Boundaries are hardly ever so near to each other. {remedy}.",
        )


def _counted(metric: Metric) -> tuple[str, int, str] | None:
    """What a metric counts in units, how many units that is (1 where the same unit is asked for),
    and what to do if they are too fine; None if it counts nothing, or in time."""
    if isinstance(metric, BoundaryTolerance) and isinstance(metric.tolerance, int):
        reach = metric.tolerance - metric.strict
        what = f"matches boundaries within {reach} units" if reach else "matches equal units"
        return what, max(1, reach), "Give the tolerance as a time, as in tolerance=5s"
    if isinstance(metric, WindowSize) and isinstance(metric.k, int):
        return f"has a window of {metric.k} units", metric.k, "Give k as a time, as in k=60s"
    if isinstance(metric, EditMetric) and metric.n_t > 1:
        reach = metric.n_t - 1
        remedy = "n_t is a number of units and cannot be a time: use coarser units, or a larger n_t"
        return f"counts near misses within {reach} unit{'s'[: reach > 1]}", reach, remedy
    return None


def _mean_segment(sides: BothSides) -> float:
    """The mean length of a segment of the references, in units."""
    segments = len(sides.ref.positions) + len(sides)
    return float(sides.ref.n_units.sum()) / max(1, segments)


def _whole(metrics: Iterable[Metric]) -> list[Metric]:
    """The metrics, each once; instead of a part of a score, the metric that it is a part of."""
    return list(
        dict.fromkeys(
            metric.metric if isinstance(metric, ScorePart) else metric for metric in metrics
        )
    )


_GAIN = 0.1  # in F, from moving one side
_SURE_OF_SHIFTS = 5  # -log10 of the chance that so many documents fit better if they are moved
_LIKELY = 2.5  # the same, for a note
_DEVIATIONS = 5  # standard deviations between the matches of two shifts
_FEW_DEVIATIONS, _LARGE_GAIN = 3, 0.25  # the same, for a note, and what it must bring
_ALL_MOVED = 5  # boundaries: if they match when moved, and hardly one as it is, it is a note
_MOST, _HARDLY = 0.8, 0.2  # F
_NEARLY_ALL, _SELDOM = 0.95, 0.5  # documents with a boundary at an end, on one side and the other
_UNLIKELY = 5  # -log10 of the chance that they have it


@dataclass(frozen=True)
class _Move:
    """The gain from moving the hypothesis by `shift` positions; None if there is none worth
    reporting."""

    shift: int
    now: float
    then: float
    severity: Severity | None


def shifted(sides: BothSides) -> Iterator[Finding]:
    """A side that equals the other, moved by one position. It is a note if there are too few
    documents to rule out that the hypothesis errs this way."""
    two = sides.comparable
    if not len(two):
        return
    matched = {shift: two.row_matches(shift) for shift in (-1, 0, 1)}
    for shift in (-1, 1):
        move = _move(two, matched, shift)
        if move.severity is None:
            continue
        share = _share_of_ends(two, shift)
        yield _moved(two, move) if share is None else _inclusive(two, move, share)


def _move(two: BothSides, matched: dict[int, Int64Array], shift: int) -> _Move:
    """How much better the documents fit if the hypothesis is moved, and how certain that is."""
    moved, still, back = matched[shift], matched[0], matched[-shift]
    now, then = (f_of(float(matches.sum()), two.total) for matches in (still, moved))
    others = max(int(still.sum()), int(back.sum()))
    more = int(moved.sum()) - others
    gain = f_of(more, two.total)
    apart = len(two) / max(1, two.n_independent)  # what is there again is no further evidence
    deviations = more / np.sqrt(max(1, int(moved.sum()) + others) * apart)
    certainty = _sign_test(moved, np.maximum(still, back)) / apart
    severity: Severity | None = None
    if gain >= _GAIN and (certainty >= _SURE_OF_SHIFTS or deviations >= _DEVIATIONS):
        severity = "warning"
    elif (
        (gain >= _GAIN and certainty >= _LIKELY)
        or (gain >= _LARGE_GAIN and deviations >= _FEW_DEVIATIONS)
        or (moved.sum() >= _ALL_MOVED and then >= _MOST and now <= _HARDLY)
    ):
        severity = "note"
    return _Move(shift, now, then, severity)


def _sign_test(moved: Int64Array, others: Int64Array) -> float:
    """-log10 of a bound on the chance that this many documents fit better."""
    better, worse = int((moved > others).sum()), int((moved < others).sum())
    count = better + worse
    return surprise(better / count, 0.5, count) if count else 0.0


def _moved(two: BothSides, move: _Move) -> Finding:
    sure = move.severity == "warning"
    return Finding(
        "shifted",
        "warning" if sure else "note",
        f"{_sentence(move)}.",
        {"shift": move.shift, "f1": move.now, "f1_shifted": move.then},
        two.names(_both_marked(two)),
        "One side probably counts from 0 and the other from 1, or labels mark starts on one side "
        "and ends on the other: read both in the same way."
        if sure
        else "If one side counts from 0 and the other from 1, or labels mark starts on one side "
        "and ends on the other, read both in the same way. So few boundaries cannot decide it.",
    )


def _inclusive(two: BothSides, move: _Move, share: float) -> Finding:
    assert move.severity is not None  # noqa: S101  # the caller has looked
    side = _earlier(move.shift)
    return Finding(
        "inclusive-ends",
        move.severity,
        f"{_sentence(move)}, and the {side} has a boundary at the last place of {share:.0%} of the "
        "documents.",
        {"shift": move.shift, "f1": move.now, "f1_shifted": move.then, "share": share},
        two.names(_both_marked(two)),
        f"The ends of segments in the {side} are probably inclusive (the last unit of a segment, "
        "counted from 0): add 1 to each end, and leave out the end that then equals the number of "
        "units.",
    )


def _sentence(move: _Move) -> str:
    way = "back" if move.shift < 0 else "on"
    moved = f"Moved one position {way}, the hypothesis has F1 {move.then:.3f}"
    return f"{moved}; as it is, {move.now:.3f}"


def _both_marked(two: BothSides) -> Mask:
    return (two.ref.counts > 0) & (two.hyp.counts > 0)


def _earlier(shift: int) -> str:
    """The side whose boundaries are too early."""
    return "hypothesis" if shift > 0 else "reference"


def _share_of_ends(two: BothSides, shift: int) -> float | None:
    """The share of documents in which the side that is too early has a boundary at the last
    position, where it marks the end of the document; None if this is just a habit of both sides."""
    at_end = {name: side.last == side.n_units - 1 for name, side in two.named_sides}
    sides = dict(two.named_sides)
    early = _earlier(shift)
    (late,) = sides.keys() - {early}
    share = float(at_end[early].mean())
    chance = float(sides[early].density.mean())
    is_odd = share >= _NEARLY_ALL and at_end[late].mean() <= _SELDOM
    return share if is_odd and surprise(share, chance, two.n_independent) >= _UNLIKELY else None


_MOST = 0.75  # of the documents
_FAR_LONGER = 3.0  # times the mean of the other segments, where documents have the same length
_LONGER_STILL = 6.0  # the same, where each has a length of its own
_HONEST = 0.15  # of documents may have such a last segment
_SAME_LENGTH = 0.8  # of documents have the length of another one
_SURE = 5  # -log10 of the chance that a finding is honest
_SHORT_PART = 0.2  # of a document, that holds all boundaries of both sides
_EARLY = 0.6  # of a document, behind which the hypothesis has no boundary
_MANY = 15  # boundaries to be expected where there are none
_SEVERAL = 3  # documents
_SHARE = 0.1  # of the reference boundaries, which stand where the hypothesis has none
_FITS = 0.25  # F of what there is: below it, it may as well be in other units


def padded(sides: BothSides, whose: str = " of both sides") -> Iterator[Finding]:
    """The last segments of both sides are far longer than the others; `whose` names the
    sides in the sentence."""
    two = sides.comparable
    held = (two.ref.counts > 0) & (two.hyp.counts > 0)
    if not held.any():
        return
    factors = np.minimum(_last_factors(two.ref), _last_factors(two.hyp))
    needed = _FAR_LONGER if _share_of_lengths(two) >= _SAME_LENGTH else _LONGER_STILL
    far = held & (factors >= needed)
    share = float(far[held].mean())
    count = min(int(held.sum()), two.n_independent)
    if share >= _MOST and (surprise(share, _HONEST, count) >= _SURE or _is_beyond_chance(two, far)):
        yield _padding(two, far, float(np.median(factors[far])), whose)


def _last_factors(side: CheckedSide) -> np.ndarray:
    """The last segment of each row divided by the mean of the others."""
    return (side.n_units - side.last) * side.counts / np.maximum(1, side.last)


def _share_of_lengths(two: BothSides) -> float:
    """The share of documents that have as many units as another document."""
    _, index, counts = np.unique(two.ref.n_units, return_inverse=True, return_counts=True)
    return float((counts[index.reshape(-1)] > 1).mean())


def _is_beyond_chance(two: BothSides, far: Mask) -> bool:
    """Whether all boundaries of both sides are in a small part of the documents, however few."""
    used = np.maximum(two.ref.last, two.hyp.last) / two.ref.n_units
    there = far & (used <= _SHORT_PART)
    if not there.any() or there.sum() < _MOST * far.sum():
        return False
    fewer = np.minimum(two.ref.counts, two.hyp.counts)
    certainty = -(fewer * np.log10(np.maximum(used, 1e-12)))[there].mean() * min(
        int(there.sum()), two.n_independent
    )
    return bool(certainty >= _SURE)


def _padding(two: BothSides, far: Mask, factor: float, whose: str) -> Finding:
    in_time = two.provenance.unit_length is not None
    return Finding(
        "long-ending",
        "warning",
        f"In {int(far.sum())} of {len(two)} documents the last segment{whose} is far longer "
        f"than the others ({factor:.0f} times, at the median).",
        {"documents": int(far.sum()), "share": float(far.mean()), "factor": factor},
        two.names(far),
        "The duration is probably too long, or in another unit than the times: give that of the "
        "recording."
        if in_time
        else "Documents were probably padded, or their number of units (their duration) is too "
        "large. Windows in the padding are all correct: cut it off (ignore_index=), or give the "
        "true number of units.",
    )


def stops_early(sides: BothSides) -> Iterator[Finding]:
    """Hypotheses without a boundary in the later part of documents, where references have some."""
    two = sides.comparable
    long = two.ref.last > _EARLY * two.ref.n_units
    judged = long & (two.hyp.counts > 0)
    if judged.sum() < _SEVERAL:
        return
    early = judged & (two.hyp.last <= _EARLY * two.hyp.n_units)
    share = float(early[judged].mean())
    chance = float((_EARLY ** two.hyp.counts[judged]).mean())
    if share >= _MOST and surprise(share, chance, int(judged.sum())) >= _SURE:
        part = float(np.median(two.hyp.last[early] / two.hyp.n_units[early]))
        yield from _stopped(two, early, f"{part:.0%} of the document", part)
        return
    yield from _cut_at_a_place(two)


def _cut_at_a_place(two: BothSides) -> Iterator[Finding]:
    """Whether no hypothesis has a boundary beyond a certain position, as if texts were cut
    there."""
    if not two.hyp.positions.size:
        return
    place = int(two.hyp.last.max())
    beyond = (two.ref.last > place) & (two.hyp.counts > 0)
    expected = float((two.hyp.counts / place * (two.hyp.n_units - place))[beyond].sum())
    lost = int((two.ref.positions > place).sum())
    if (
        beyond.sum() >= _SEVERAL
        and expected >= _MANY
        and lost >= max(_MANY, _SHARE * len(two.ref.positions))
    ):
        yield from _stopped(two, beyond, f"place {place}", place)


def _stopped(two: BothSides, early: Mask, where: str, place: float) -> Iterator[Finding]:
    """The documents that stop early and fit until then; others may be in other units."""
    stopped = two.take(np.flatnonzero(early))
    before = int((stopped.ref.positions <= stopped.hyp.last[stopped.ref.row_of]).sum())
    fit = f_of(stopped.matches(), before + len(stopped.hyp.positions))
    if fit >= _FITS:
        count = len(stopped)
        yield Finding(
            "stops-early",
            "warning",
            f"In {count} of {len(two)} documents the hypothesis has no boundary after {where}, "
            f"but the reference has; until then its F1 is {fit:.3f}.",
            {"documents": count, "place": place, "f1_until_then": fit},
            two.names(early),
            "Its output was probably cut off (a limit of tokens, an interrupted run): make it for "
            "whole documents.",
        )
