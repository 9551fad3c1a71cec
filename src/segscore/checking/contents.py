"""Checks of what segmentations hold: nothing, always the same, other kinds of numbers, or other
units."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from segscore.basics.arguments import Int64Array
from segscore.checking.findings import Finding, Severity
from segscore.checking.sides import BothSides, CheckedSide, Mask, surprise

_NEARLY_ALL = 0.95
_SURE = 6  # -log10 of the chance that a finding is honest
_LIKELY = 3  # the same, for a note
_FEW_POSITIONS = 0.05  # of those that chance would use
_MANY = 30  # boundaries to judge by
_EMPTY_SHARE = 0.2  # of documents
_LUCK = 4  # standard deviations
_SOME_LUCK = 2  # the same, where each document may have more or fewer boundaries than others
_SEVERAL = 3
_OTHER_SCALE = 0.5
_GOOD_PART = 0.5  # of the units, that masses without the last one add up to
_FEW_RATIOS = 3  # documents that show a common ratio of units
_SAME_RATIO = 0.25  # standard deviation of the logarithm
_CLEAR_RATIO = 1.5
_NEAR = 0.05  # in logarithms
_LARGEST = 100  # numbers in a row; more tell no more
_LOG_FACTORIALS = np.concatenate(([0.0], np.cumsum(np.log10(np.arange(1, _LARGEST + 1)))))


def misread(sides: BothSides) -> Iterator[Finding]:
    """Positions read as masses, and masses read as positions."""
    for name, side, other in (
        ("reference", sides.ref, sides.hyp),
        ("hypothesis", sides.hyp, sides.ref),
    ):
        yield from misread_side(sides, name, side, other)


def misread_side(
    sides: BothSides, name: str, side: CheckedSide, other: CheckedSide
) -> Iterator[Finding]:
    """Positions read as masses, and masses read as positions, on the side that `name` names."""
    rising = _rising(side)
    certainty = _certainty(rising, side, 1)
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
    yield from _masses_as_positions(sides, name, side, other)


def _masses_as_positions(
    sides: BothSides, name: str, side: CheckedSide, other: CheckedSide
) -> Iterator[Finding]:
    """Whether masses were read as positions. Masses add up to N, and without the last one to a good
    part of it; m positions add up to less than N only with a chance of 1 / m!."""
    several = side.counts >= _SEVERAL
    sums = _shares(side)
    certainty = _certainty(sums <= 1, side)
    if certainty < _SURE:
        return
    exact = float((sums[several] == 1).mean()) >= _NEARLY_ALL
    other_too = _certainty(_shares(other) <= 1, other) >= _SURE
    good_part = float(np.median(sums[several])) >= _GOOD_PART
    if exact or (good_part and (not other_too or _leave_a_mass(side))):
        yield Finding(
            "masses-as-positions",
            "warning",
            f"In the {name} the positions of the boundaries of nearly every document add up to "
            + ("its number of units." if exact else "less than its number of units."),
            {
                "documents": int(several.sum()),
                "median_sum_per_unit": float(np.median(sums[several])),
                "certainty": certainty,
            },
            sides.names(several & (sums <= 1)),
            "Masses (segment lengths) were probably read as positions: use from_masses, not "
            "from_boundaries.",
        )


def _leave_a_mass(side: CheckedSide) -> bool:
    """Whether the positions of nearly every row leave as many units as a segment might have: the
    last mass, which is left out where there are no ends."""
    several = side.counts >= _SEVERAL
    left = side.n_units * (1 - _shares(side))
    fits = (left >= side.first / 2) & (left <= 2 * side.last)
    return float(fits[several].mean()) >= _NEARLY_ALL


def _certainty(holds: Mask, side: CheckedSide, more: int = 0) -> float:
    """-log10 of the chance that nearly all rows show this: 1 / m! each for m numbers, where m is
    `more` than the boundaries. Rows with fewer than three numbers prove little: two boundaries that
    cut a document in thirds add up to its length."""
    judged, counts = holds[side.distinct], side.counts[side.distinct] + more
    enough = counts >= _SEVERAL
    if not enough.any() or judged[enough].mean() < _NEARLY_ALL:
        return 0.0
    return float(_LOG_FACTORIALS[np.minimum(counts[enough & judged], _LARGEST)].sum())


def _rising(side: CheckedSide) -> Mask:
    """Rows of three segments or more, each longer than the one before it."""
    if not len(side):
        return np.zeros(0, np.bool_)
    ends = np.insert(side.positions, side.offsets[1:], side.n_units)
    rows = np.repeat(np.arange(len(side)), side.counts + 1)
    first = np.concatenate(([True], rows[1:] != rows[:-1]))
    masses = ends - np.where(first, 0, np.concatenate(([0], ends[:-1])))
    falls = ~first & (masses <= np.concatenate(([0], masses[:-1])))
    return np.asarray((np.bincount(rows[falls], minlength=len(side)) == 0) & (side.counts >= 2))


def _shares(side: CheckedSide) -> NDArray[np.float64]:
    """The sum of the positions of each row, divided by its units."""
    return np.bincount(side.row_of, side.positions, minlength=len(side)) / side.n_units


def without_boundaries(sides: BothSides) -> Iterator[Finding]:
    """Documents without boundaries: many more than the other documents suggest, or all."""
    empty = {"reference": sides.ref.counts == 0, "hypothesis": sides.hyp.counts == 0}
    if empty["reference"].all() and empty["hypothesis"].all():
        yield _empty("Neither side has a boundary in", sides, empty["reference"], "note")
        return
    odd = [
        name
        for name, side, other in (
            ("reference", sides.ref, sides.hyp),
            ("hypothesis", sides.hyp, sides.ref),
        )
        if _too_many_empty(side, len(other.positions))
    ]
    if len(odd) == 2 and np.array_equal(empty["reference"], empty["hypothesis"]):
        yield _empty("Neither side has a boundary in", sides, empty["reference"], "note")
        return
    if not odd and _fewer_than_the_reference(sides):
        yield _empty("The hypothesis has no boundary in", sides, empty["hypothesis"], "note")
    for name in odd:
        yield _empty(f"The {name} has no boundary in", sides, empty[name], "warning")


def side_without_boundaries(two: BothSides) -> Iterator[Finding]:
    """Documents without boundaries where there is only one side: all, or many more than the other
    documents suggest."""
    empty = two.ref.counts == 0
    if empty.all():
        yield _empty("No coding has a boundary in", two, empty, "note")
    elif _too_many_empty(two.ref, 0):
        yield _empty("No boundary is in", two, empty, "warning")


def _empty(start: str, sides: BothSides, there: Mask, severity: Severity) -> Finding:
    count = int(there.sum())
    return Finding(
        "no-boundary",
        severity,
        f"{start} {count} of {len(sides)} documents.",
        {"documents": count, "share": count / len(sides)},
        sides.names(there),
        "Boundaries were probably lost on the way (an empty column, another layer). Where both "
        "sides have none, B, S, Pk and WindowDiff are perfect and F1 does not exist."
        if start.startswith("Neither")
        else "Its boundaries were probably lost on the way (an empty column, another layer), or "
        "these documents were not done.",
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


def _fewer_than_the_reference(sides: BothSides) -> bool:
    """Whether the hypothesis is empty where the reference is not, in more documents than expected
    from its density elsewhere, per unit and per reference boundary."""
    ref, hyp = sides.ref, sides.hyp
    judged = ref.counts > 0
    held, empty = judged & (hyp.counts > 0), judged & (hyp.counts == 0)
    if held.sum() < _SEVERAL or empty.sum() < max(_SEVERAL, _EMPTY_SHARE * judged.sum()):
        return False
    counts = hyp.counts[held]
    spread = np.sqrt(len(counts) * counts.var() + counts.sum())
    least = float(counts.sum() - len(counts) - _SOME_LUCK * spread)  # the first one made it `held`
    if least <= 0:
        return False
    by_unit = least / float(hyp.n_units[held].sum()) * hyp.n_units
    by_boundary = least / float(ref.counts[held].sum()) * ref.counts
    chance = float(np.exp(-np.minimum(by_unit, by_boundary))[judged].mean())
    count = int(judged.sum())
    return surprise(float(empty.sum()) / count, chance, count) >= _LIKELY


def _rate(side: CheckedSide) -> float:
    """Boundaries per position, from the rows that have some, as if they fell by chance (Poisson,
    truncated at zero), so that empty rows do not count against themselves."""
    held = side.counts > 0
    places = (side.n_units[held] - 1).astype(np.float64)
    beyond_first = float(side.counts.sum() - held.sum())
    # the least that chance leaves of it: few rows may have many boundaries by luck
    total = float(held.sum()) + beyond_first - _LUCK * np.sqrt(beyond_first + 1)
    if total <= held.sum():
        return 0.0
    low, high = 0.0, total / float(places.sum())
    for _ in range(50):
        middle = (low + high) / 2
        means = places * middle
        expected = float((means / -np.expm1(-means)).sum())
        low, high = (middle, high) if expected < total else (low, middle)
    return low


def always_the_same(sides: BothSides) -> Iterator[Finding]:
    """Identical hypotheses for all documents; all boundaries of a side on few positions."""
    two = sides.comparable
    identical = _identical(two.hyp)
    if identical and not _identical(two.ref):
        places = int(two.hyp.counts[0])
        yield Finding(
            "identical-hypotheses",
            "warning",
            f"The hypothesis has the same {places} boundaries in all {len(two)} documents.",
            {"documents": len(two), "boundaries": places},
            tuple(two.documents),
            "One output was probably written for all documents: check the loop that wrote them.",
        )
    for name, side in (("reference", two.ref), ("hypothesis", two.hyp)):
        if not (identical and name == "hypothesis"):
            yield from few_positions(two, name, side)


def few_positions(two: BothSides, name: str, side: CheckedSide) -> Iterator[Finding]:
    """All boundaries of a side, which `name` names, on few positions."""
    if len(side.positions) < _MANY or np.ptp(side.masses) <= 1:  # pieces of one size
        return
    used = 1 + int(np.count_nonzero(np.diff(np.sort(side.positions))))  # np.unique: numpy.ma
    expected = _expected_positions(side)
    if used <= _FEW_POSITIONS * expected and len(side.positions) >= _SEVERAL * used:
        yield Finding(
            "few-positions",
            "warning",
            f"All {len(side.positions)} boundaries of the {name} are at {used} positions; by "
            f"chance there would be about {expected:.0f}.",
            {"positions": used, "expected": expected, "boundaries": len(side.positions)},
            two.names(side.counts > 0),
            "Something other than boundaries was probably read (a constant column, one "
            "document's numbers for all).",
        )


def _identical(side: CheckedSide) -> bool:
    """Whether all rows, three or more, have the same two boundaries or more, and these are not just
    the ends of pieces of equal size, which any coder might mark."""
    count = int(side.counts[0]) if len(side) >= _SEVERAL else 0
    if count < 2 or (side.counts != count).any() or np.ptp(side.masses[:count]) <= 1:
        return False
    rows = side.positions.reshape(-1, count)
    return bool((rows == rows[0]).all())


def _expected_positions(side: CheckedSide) -> float:
    """The number of different positions if each row placed its boundaries by chance."""
    order = np.argsort(-side.n_units, kind="stable")
    units = side.n_units[order] - 1
    with np.errstate(divide="ignore"):
        unused = np.exp(np.cumsum(np.log1p(-np.minimum(1.0, side.density[order]))))
    widths = units - np.append(units[1:], 0)  # positions that the rows up to here have, and no more
    return float((widths * (1 - unused)).sum())


def other_scale(sides: BothSides) -> Iterator[Finding]:
    """Boundaries of one side that are all in the first part of the documents: counted in larger
    units."""
    two = sides.comparable
    judged = (two.ref.counts >= _SEVERAL) & (two.hyp.counts >= _SEVERAL)
    if judged.sum() < 2 * _SEVERAL:
        return
    for name, side, other in (
        ("reference", two.ref, two.hyp),
        ("hypothesis", two.hyp, two.ref),
    ):
        ratio = side.last[judged] / other.last[judged]
        if (ratio <= _OTHER_SCALE).mean() >= _NEARLY_ALL:
            yield Finding(
                "unit-size",
                "warning",
                f"The boundaries of the {name} end where those of the other side are at "
                f"{1 / np.median(ratio):.1f} times the position, in nearly every document.",
                {"ratio": float(np.median(ratio)), "documents": int(judged.sum())},
                two.names(judged),
                f"The {name} is probably counted in larger units (sentences for words), with the "
                "number of units of the other: give both in the same units.",
            )


def lengths(sides: BothSides) -> Iterator[Finding]:
    """A unit more in every document, units of another size, or simply different numbers of
    units."""
    ref, hyp = sides.ref.n_units, sides.hyp.n_units
    differs = ref != hyp
    if not differs.any():
        return
    documents = sides.names(differs)
    if _same_lengths_in_another_order(ref, hyp):
        yield _in_another_order(sides, documents)
        return
    more = hyp - ref
    ratios = np.log(hyp / ref)
    if (more == more[0]).all() and abs(more[0]) == 1:
        longer, shorter = (
            ("hypothesis", "reference") if more[0] > 0 else ("reference", "hypothesis")
        )
        yield Finding(
            "one-unit-more",
            "error",
            f"The {longer} has one unit more than the {shorter} in every document "
            f"({len(sides)} of {len(sides)}).",
            {"difference": int(more[0]), "documents": len(sides)},
            documents,
            f"Labels, one per unit, were probably read as gaps on the side of the {longer}: use "
            "from_labels, not from_gaps.",
        )
    elif (
        len(sides) >= _FEW_RATIOS
        and ratios.std() <= _SAME_RATIO
        and abs(ratios.mean()) >= np.log(_CLEAR_RATIO)
    ):
        ratio = float(np.exp(ratios.mean()))
        yield Finding(
            "unit-size",
            "error",
            f"The hypothesis has {ratio:.2f} times the units of the reference, about the same in "
            "every document.",
            {"ratio": ratio, "spread": float(ratios.std())},
            documents,
            "One side is probably in milliseconds and the other in seconds: give both in the same."
            if abs(abs(np.log(ratio)) - np.log(1000)) < _NEAR
            else "The sides are probably counted in different units (sentences, words, "
            "characters): give both in the same, for instance by Segmentation.expand.",
        )
    else:
        yield Finding(
            "different-length",
            "error",
            f"{len(documents)} of {len(sides)} documents have another number of units in the "
            "hypothesis than in the reference.",
            {"documents": len(documents), "largest_difference": int(np.abs(more).max())},
            documents,
            "Both sides must cut the same units: use the same splitting into sentences or words.",
        )


def _same_lengths_in_another_order(ref: Int64Array, hyp: Int64Array) -> bool:
    """Whether both sides have the same lengths, many of them, in another order."""
    return len(np.unique(ref)) >= _SEVERAL and np.array_equal(np.sort(ref), np.sort(hyp))


def _in_another_order(sides: BothSides, documents: tuple[str, ...]) -> Finding:
    return Finding(
        "other-order",
        "error",
        f"{len(documents)} of {len(sides)} documents have another number of units in the "
        "hypothesis, but both sides have the same numbers of units in another order.",
        {"documents": len(documents)},
        documents,
        "The documents of the two sides are probably in a different order, or have the names of "
        "others: pair them by name, and check how they were named.",
    )
