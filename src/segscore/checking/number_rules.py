"""What the numbers of segmentations show: nothing, numbers of another kind, other units, padding.

Most rules take both sides. Those that need one alone are applied to it as both sides.

If boundaries fell by chance, the m boundaries of a document would all be in its first half with a
chance of 1 / 2**m, and add up to less than its number of units with a chance of 1 / m!. The rules
ask for what nearly every document shows, and chance does not explain.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from segscore.checking.findings import BothSides, CheckedSide, Finding, Mask, f_of, surprise
from segscore.metrics import Metric, ScorePart
from segscore.metrics.edits import EditMetric
from segscore.metrics.matching import BoundaryTolerance
from segscore.metrics.window import WindowSize

_NEARLY_ALL = 0.95  # of documents
_SEVERAL = 3  # documents, or numbers in one
_SURE = 6  # -log10 of the chance that a finding is honest


# ---- times, tolerances and windows ----

_LONG = 48  # hours: what lasts longer at the median is no talk, meeting or film
_MICRO = 10**6  # microseconds in a second
_HALF = 0.5  # of a mean segment: then tolerances of neighbours meet
_TINY = 1000  # such distances fit into a mean segment: nobody marks a boundary so exactly


def _median(values: NDArray[Any]) -> float:
    """The median; NumPy's own imports numpy.ma, which takes longer than all of a small check."""
    ordered, half = np.sort(values), len(values) // 2
    return float(ordered[half] + ordered[len(ordered) - half - 1]) / 2


def days_long(sides: BothSides) -> Iterator[Finding]:
    """Documents of known duration that are too long for recordings.

    Both sides must be that long, and have boundaries in their second half: if only one side is, it
    has other units, and a long ending has another cause.
    """
    used = [
        np.where(side.counts > 0, np.minimum(2 * side.last, side.n_units), side.n_units)
        for side in (sides.ref, sides.hyp)
    ]
    seconds = np.minimum(*used) * ((sides.provenance.unit_length or 0) / _MICRO)
    hours = _median(seconds) / 3600
    if hours >= _LONG:
        yield Finding(
            "milliseconds",
            "warning",
            f"Half of the {len(sides)} recordings last {hours:.0f} hours or longer.",
            {"median_hours": hours, "documents": len(sides)},
            sides.names(seconds >= _LONG * 3600),
            "Times in milliseconds were probably read as seconds: divide them by 1000.",
        )


def unfit_metrics(sides: BothSides, metrics: Iterable[Metric]) -> Iterator[Finding]:
    """Metrics whose tolerance is at least half a mean segment of the references; and those whose
    tolerance, window or near misses are counted in units of time that are tiny beside it."""
    if not sides.ref.positions.size:
        return
    mean = float(sides.ref.n_units.sum()) / (len(sides.ref.positions) + len(sides))
    wholes = (metric.metric if isinstance(metric, ScorePart) else metric for metric in metrics)
    for metric in dict.fromkeys(wholes):
        tolerance = 0
        if isinstance(metric, BoundaryTolerance):
            tolerance = int(metric.reaches(sides.ref.n_units, sides.provenance).max(initial=0))
        if tolerance >= max(1.0, _HALF * mean):
            yield Finding(
                "wide-tolerance",
                "note",
                f"The tolerance of {metric} is {tolerance} units, and a segment of the references "
                f"has {mean:.1f} units on average.",
                {"tolerance": tolerance, "mean_segment": mean},
                (),
                "From half a segment on, any position is near some boundary, so that chance "
                f"scores high: take a tolerance below {_HALF * mean:.1f} units, and compare with "
                "the random baseline.",
            )
        unit = sides.provenance.unit_length
        counted = None if unit is None else _counted(metric)
        if counted is not None and unit is not None and mean >= _TINY * counted[1]:
            what, reach, remedy = counted
            seconds = unit / _MICRO
            yield Finding(
                "fine-units",
                "warning",
                f"{metric} {what}, {reach * seconds:g} s here, and a segment of the references has "
                f"{mean * seconds:.4g} s on average.",
                {"reach_seconds": reach * seconds, "mean_segment_seconds": mean * seconds},
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


# ---- numbers of another kind ----

_GOOD_PART = 0.5  # of the units, that masses without the last one add up to
_LARGEST = 100  # numbers in a row; more tell no more
_LOG_FACTORIALS = np.concatenate(([0.0], np.cumsum(np.log10(np.arange(1, _LARGEST + 1)))))


def positions_as_masses(sides: BothSides, name: str, side: CheckedSide) -> Iterator[Finding]:
    """Positions read as masses, on the side that `name` names: each segment is longer than the one
    before it."""
    rows, masses = side.row_of, side.masses
    falls = (masses <= np.append(0, masses[:-1])) & (rows == np.append(-1, rows[:-1]))
    before_last = np.append(masses, 0)[side.offsets[1:] - 1]
    rising = (side.counts >= 2) & (side.from_end > before_last)
    rising &= np.bincount(rows[falls], minlength=len(sides)) == 0
    certainty = _certainty(rising, side, 1) if rising.any() else 0.0
    if certainty >= _SURE:
        yield Finding(
            "positions-as-masses",
            "warning",
            f"In the {name} the segments of nearly every document grow from first to last.",
            {"documents": int(rising.sum()), "certainty": certainty},
            sides.names(rising),
            "Positions were probably read as masses (segment lengths): use from_boundaries, not "
            "from_masses.",
        )


def masses_as_positions(
    sides: BothSides, name: str, side: CheckedSide, other: CheckedSide
) -> Iterator[Finding]:
    """Masses read as positions, on the side that `name` names: they add up to N, and without the
    last one to a good part of it."""
    sums, other_sums = (  # of the positions of each row, in units of its length
        np.bincount(each.row_of, each.positions, minlength=len(sides)) / each.n_units
        for each in (side, other)
    )
    certainty = _certainty(sums <= 1, side) if (sums <= 1).any() else 0.0
    if certainty < _SURE:
        return
    several = side.counts >= _SEVERAL
    exact = float((sums[several] == 1).mean()) >= _NEARLY_ALL
    middle = _median(sums[several])
    left = side.n_units * (1 - sums)  # the last mass, which is left out where there are no ends
    leaves_a_mass = (left >= side.first / 2) & (left <= 2 * side.last)
    alone = _certainty(other_sums <= 1, other) < _SURE
    fits = alone or float(leaves_a_mass[several].mean()) >= _NEARLY_ALL
    if exact or (middle >= _GOOD_PART and fits):
        numbers = int(several.sum()), middle, certainty
        names = "documents", "median_sum_per_unit", "certainty"
        yield Finding(
            "masses-as-positions",
            "warning",
            f"In the {name} the positions of the boundaries of nearly every document add up to "
            f"{'' if exact else 'less than '}its number of units.",
            dict(zip(names, numbers, strict=True)),
            sides.names(several & (sums <= 1)),
            "Masses (segment lengths) were probably read as positions: use from_masses, not "
            "from_boundaries.",
        )


def _certainty(holds: Mask, side: CheckedSide, more: int = 0) -> float:
    """-log10 of the chance that nearly all rows show this: 1 / m! each for m numbers, where m is
    `more` than the boundaries. Rows with fewer than three numbers prove little: two boundaries that
    cut a document in thirds add up to its length."""
    judged, counts = holds[side.distinct], side.counts[side.distinct] + more
    enough = counts >= _SEVERAL
    if not enough.any() or judged[enough].mean() < _NEARLY_ALL:
        return 0.0
    return float(_LOG_FACTORIALS[np.minimum(counts[enough & judged], _LARGEST)].sum())


# ---- no boundaries ----

_MANY = 30  # boundaries to judge by
_EMPTY_SHARE = 0.2  # of documents
_LUCK = 4  # standard deviations


def without_boundaries(sides: BothSides) -> Iterator[Finding]:
    """Documents without boundaries: many more than the other documents suggest, or all."""
    ref, hyp = sides.ref, sides.hyp
    if ref.counts.all() and hyp.counts.all():
        return
    odd = {
        name: side
        for (name, side), other in zip(sides.named_sides, (hyp, ref), strict=True)
        if _too_many_empty(side, len(other.positions))
    }
    same = np.array_equal(ref.counts == 0, hyp.counts == 0)
    if same and (len(odd) == 2 or not ref.positions.size):
        yield _empty("Neither side has a boundary in", sides, ref, is_note=True)
        return
    for name, side in odd.items():
        yield _empty(f"The {name} has no boundary in", sides, side)


def side_without_boundaries(two: BothSides) -> Iterator[Finding]:
    """Documents without boundaries where there is only one side: all, or many more than the other
    documents suggest."""
    if not two.ref.positions.size:
        yield _empty("No coding has a boundary in", two, two.ref, is_note=True)
    elif _too_many_empty(two.ref, 0):
        yield _empty("No boundary is in", two, two.ref)


def _empty(start: str, sides: BothSides, side: CheckedSide, is_note: bool = False) -> Finding:
    there = side.counts == 0
    count = int(there.sum())
    return Finding(
        "no-boundary",
        "note" if is_note else "warning",
        f"{start} {count} of {len(sides)} documents.",
        {"documents": count, "share": count / len(sides)},
        sides.names(there),
        "Boundaries were probably lost on the way (an empty column, another layer), or these "
        "documents were not done. Where both sides have none, B, S, Pk and WindowDiff are perfect "
        "and F1 does not exist.",
    )


def _too_many_empty(side: CheckedSide, others: int) -> bool:
    """Whether a side has no boundary in more documents than chance explains; `others` are the
    boundaries of the other side."""
    possible = side.n_units >= 2
    empty = (side.counts == 0) & possible
    count = int(possible.sum())
    if empty.sum() == count:
        return others >= _MANY
    if empty.sum() < _SEVERAL or empty.sum() < _EMPTY_SHARE * count:
        return False
    chance = np.exp(-_rate(side) * (side.n_units[possible] - 1))
    return surprise(float(empty.sum()) / count, float(chance.mean()), count) >= _SURE


def _rate(side: CheckedSide) -> float:
    """Boundaries per position, from the rows that have some, as if they fell by chance (Poisson,
    truncated at zero), so that empty rows do not count against themselves."""
    some = side.counts > 0
    places = (side.n_units[some] - 1).astype(np.float64)
    beyond_first = float(side.counts.sum() - some.sum())
    # the least that chance leaves of it: few rows may have many boundaries by luck
    total = float(some.sum()) + beyond_first - _LUCK * np.sqrt(beyond_first + 1)
    if total <= some.sum():
        return 0.0
    low, high = 0.0, total / float(places.sum())
    for _ in range(50):
        middle = (low + high) / 2
        means = places * middle
        expected = float((means / -np.expm1(-means)).sum())
        low, high = (middle, high) if expected < total else (low, middle)
    return low


# ---- other numbers of units ----

_FEW_RATIOS = 3  # documents that show a common ratio of units
_SAME_RATIO = 0.25  # standard deviation of the logarithm
_CLEAR_RATIO = 1.5
_NEAR = 0.05  # in logarithms


def unlike_lengths(sides: BothSides) -> Iterator[Finding]:
    """Different numbers of units: those of other documents, one more in every document, a multiple,
    or none of these."""
    ref, hyp = sides.ref.n_units, sides.hyp.n_units
    documents = sides.names(ref != hyp)
    more, ratios = hyp - ref, np.log(hyp / ref)
    ratio = float(np.exp(ratios.mean()))
    evidence: dict[str, float] = {"documents": len(documents)}
    differ = f"{len(documents)} of {len(sides)} documents have another number of units in the"
    alike = ratios.std() <= _SAME_RATIO and abs(ratios.mean()) >= np.log(_CLEAR_RATIO)
    if len(np.unique(ref)) >= _SEVERAL and np.array_equal(np.sort(ref), np.sort(hyp)):
        kind = "other-order"
        sentence = (
            f"{differ} hypothesis, but both sides have the same numbers of units in another order."
        )
        remedy = (
            "The documents of the two sides are probably in a different order, or have the names "
            "of others: pair them by name, and check how they were named."
        )
    elif (more == more[0]).all() and abs(more[0]) == 1:
        kind, evidence = "one-unit-more", {"difference": int(more[0]), "documents": len(sides)}
        longer, shorter = ("hypothesis", "reference")[:: int(more[0])]
        sentence = (
            f"The {longer} has one unit more than the {shorter} in every document ({len(sides)} of "
            f"{len(sides)})."
        )
        remedy = (
            f"Labels, one per unit, were probably read as gaps on the side of the {longer}: use "
            "from_labels, not from_gaps."
        )
    elif len(sides) >= _FEW_RATIOS and alike:
        kind, evidence = "unit-size", {"ratio": ratio, "spread": float(ratios.std())}
        sentence = (
            f"The hypothesis has {ratio:.2f} times the units of the reference, about the same in "
            "every document."
        )
        remedy = (
            "The sides are probably counted in different units (sentences, words, characters): "
            "give both in the same, for instance by Segmentation.expand."
        )
        if abs(abs(np.log(ratio)) - np.log(1000)) < _NEAR:
            remedy = "One side is probably in milliseconds and the other in seconds: give both in "
            remedy += "the same."
    else:
        kind = "different-length"
        evidence["largest_difference"] = int(np.abs(more).max())
        sentence = f"{differ} hypothesis than in the reference."
        remedy = (
            "Both sides must cut the same units: use the same splitting into sentences or words."
        )
    yield Finding(kind, "error", sentence, evidence, documents, remedy)


# ---- documents that continue long after their last boundary ----

_MOST = 0.75  # of the documents
_FAR_LONGER = 3.0  # times the mean of the other segments, where documents have the same length
_LONGER_STILL = 6.0  # the same, where each has a length of its own
_HONEST = 0.15  # of documents may have such a last segment
_SAME_LENGTH = 0.8  # of documents have the length of another one
_SURE_OF_ENDS = 5  # -log10 of the chance that a finding is honest
_SHORT_PART = 0.2  # of a document, that holds all boundaries of both sides
_EARLY = 0.6  # of a document, behind which the hypothesis has no boundary
_EXPECTED = 15  # boundaries to be expected where there are none
_SHARE = 0.1  # of the reference boundaries, which stand where the hypothesis has none
_FITS = 0.25  # F of what there is: below it, it may as well be in other units


def padded(two: BothSides, whose: str = " of both sides") -> Iterator[Finding]:
    """The last segments of both sides are far longer than the others; `whose` names the
    sides in the sentence."""
    both = (two.ref.counts > 0) & (two.hyp.counts > 0)
    if not both.any():
        return
    own = [side.from_end * side.counts / np.maximum(1, side.last) for side in (two.ref, two.hyp)]
    factors = np.minimum(*own)
    _, index, counts = np.unique(two.ref.n_units, return_inverse=True, return_counts=True)
    same_length = float((counts[index.reshape(-1)] > 1).mean()) >= _SAME_LENGTH
    far = both & (factors >= (_FAR_LONGER if same_length else _LONGER_STILL))
    share = float(far[both].mean())
    if share < _MOST:
        return
    certainty = surprise(share, _HONEST, min(int(both.sum()), two.n_independent))
    if certainty < _SURE_OF_ENDS and not _is_beyond_chance(two, far):
        return
    factor = _median(factors[far])
    yield Finding(
        "long-ending",
        "warning",
        f"In {int(far.sum())} of {len(two)} documents the last segment{whose} is far longer than "
        f"the others ({factor:.0f} times, at the median).",
        {"documents": int(far.sum()), "share": float(far.mean()), "factor": factor},
        two.names(far),
        "Documents were probably padded, or their number of units (their duration) is too large or "
        "in another unit than the times. Windows in the padding are all correct: cut it off "
        "(ignore_index=), or give the true number of units.",
    )


def _is_beyond_chance(two: BothSides, far: Mask) -> bool:
    """Whether all boundaries of both sides are in a small part of the documents, however few."""
    used = np.maximum(two.ref.last, two.hyp.last) / two.ref.n_units
    there = far & (used <= _SHORT_PART)
    if not there.any() or there.sum() < _MOST * far.sum():
        return False
    fewer = np.minimum(two.ref.counts, two.hyp.counts)
    certainty = -(fewer * np.log10(np.maximum(used, 1e-12)))[there].mean()
    return bool(certainty * min(int(there.sum()), two.n_independent) >= _SURE_OF_ENDS)


def stops_early(two: BothSides) -> Iterator[Finding]:
    """Hypotheses without a boundary in the later part of documents, or beyond a certain position,
    as if texts were cut there, where references have some. They must fit until then: others may be
    in other units."""
    ref, hyp = two.ref, two.hyp
    judged = (ref.last > _EARLY * ref.n_units) & (hyp.counts > 0)
    if judged.sum() < _SEVERAL:
        return
    early = judged & (hyp.last <= _EARLY * hyp.n_units)
    share = float(early[judged].mean())
    chance = float((_EARLY ** hyp.counts[judged]).mean())
    if share >= _MOST and surprise(share, chance, int(judged.sum())) >= _SURE_OF_ENDS:
        place = _median(hyp.last[early] / hyp.n_units[early])
        where = f"{place:.0%} of the document"
    else:
        place = int(hyp.last.max())
        where = f"place {place}"
        early = (ref.last > place) & (hyp.counts > 0)
        expected = float((hyp.counts / place * (hyp.n_units - place))[early].sum())
        lost = int((ref.positions > place).sum())
        enough = max(_EXPECTED, _SHARE * len(ref.positions))
        if early.sum() < _SEVERAL or expected < _EXPECTED or lost < enough:
            return
    stopped = two.take(np.flatnonzero(early))
    before = int((stopped.ref.positions <= stopped.hyp.last[stopped.ref.row_of]).sum())
    fit = f_of(stopped.matches(), before + len(stopped.hyp.positions))
    if fit >= _FITS:
        yield Finding(
            "stops-early",
            "warning",
            f"In {len(stopped)} of {len(two)} documents the hypothesis has no boundary after "
            f"{where}, but the reference has; until then its F1 is {fit:.3f}.",
            {"documents": len(stopped), "place": place, "f1_until_then": fit},
            two.names(early),
            "Its output was probably cut off (a limit of tokens, an interrupted run): make it for "
            "whole documents.",
        )
