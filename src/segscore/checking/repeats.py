"""Repetitions: a side that equals the other, an output for several documents, documents in another
order."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from segscore.basics.arguments import Int64Array
from segscore.checking.findings import Finding
from segscore.checking.sides import BothSides, CheckedSide, Mask, f_of, surprise
from segscore.corpus.lists import spread_rows

_BOUNDARIES = 10  # in documents that differ: so many are not all right by luck
_SEVERAL = 3  # documents
_SHARE = 0.05  # of documents
_SURE = 6  # -log10 of the chance that a finding is honest
_MARGIN = 10.0  # how much more often rows are the same than independent segments let expect
_HONEST_FIT = 3.0  # standard deviations above chance: it is the same text again
_POOR = 0.3  # F of a poor system, which would still be seen
_TRIED = 40  # hypotheses that are held against other documents
_WORK = 2_000_000  # boundaries that are looked at for it
_LOOKED_AT = 500  # documents that may be rotated
_OFFSETS = (1, -1, 2, -2)  # documents by which hypotheses may be rotated
_GAIN = 0.1  # in F, from rotating them back
_FITS = 0.2  # chance that one of all references has so many matches: then a hypothesis fits it
_FITS_OWN = 0.05  # the same, of its own reference
_OWN = 0.25  # of as many, at most, fit their own
_UNLIKELY = 5  # -log10 of the chance that so many fit another document
_MIXERS = np.array([0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9], np.uint64)  # odd: they lose nothing
_OTHERS = 0.5  # of hypotheses fit another document


# ---- the same on both sides ----


def equal_sides(sides: BothSides) -> Iterator[Finding]:
    """The hypothesis equals the reference in every document."""
    same = (
        len(sides) > 0
        and sides.same_details
        and np.array_equal(sides.ref.n_units, sides.hyp.n_units)
        and np.array_equal(sides.ref.offsets, sides.hyp.offsets)
        and np.array_equal(sides.ref.positions, sides.hyp.positions)
    )
    rows = sides.ref.distinct
    boundaries = int(sides.ref.counts[rows].sum())
    without = int((sides.ref.n_units[rows] - 1).sum()) - boundaries  # places that none marked
    if same and min(boundaries, without) >= _BOUNDARIES:
        single = len(sides) == 1  # which a good system may well solve
        where = "the only document" if single else f"all {len(sides)} documents"
        yield Finding(
            "equal-sides",
            "note" if single else "warning",
            f"The hypothesis is the same as the reference in {where} "
            f"({len(sides.ref.positions)} boundaries).",
            {"documents": len(sides), "boundaries": len(sides.ref.positions)},
            tuple(sides.documents),
            f"The reference was {'perhaps' if single else 'probably'} given twice: give the output "
            "of the system as the hypothesis.",
        )


# ---- one coding for several documents ----


def repeated(sides: BothSides) -> Iterator[Finding]:
    """A side that repeats the boundaries of a document in others, where they do not fit."""
    both = {name: _again(side) for name, side in sides.named_sides}
    if None not in both.values():
        return  # several codings of one text, each against each
    for name, side in sides.named_sides:
        again = both[name]
        if again is None or (name == "hypothesis" and _is_one(side)):
            continue  # `always_the_same` tells of one hypothesis for all
        first, later = again
        if not (_does_not_fit(sides, later) or _does_not_fit(sides, first)):
            continue  # several codings of one text
        count, groups = int(later.sum()), int(first.sum())
        what = "references" if name == "reference" else "hypotheses"
        yield Finding(
            f"repeated-{what}",
            "warning",
            f"{count + groups} of {len(sides)} documents share {groups} "
            f"{name if groups == 1 else what}, which do not fit all of them.",
            {"documents": count + groups, "distinct": groups, "share": count / len(sides)},
            sides.names(first | later),
            f"One {name} was probably written for several documents: check the loop that wrote "
            "them, and the names of its documents.",
        )


def repeated_codings(two: BothSides) -> Iterator[Finding]:
    """Documents of a single side that have the boundaries of others, more often than regular
    segments explain; whether they fit there, only another side could tell."""
    again = _again(two.ref)
    if again is None:
        return
    first, later = again
    count, groups = int(later.sum()), int(first.sum())
    yield Finding(
        "repeated-codings",
        "note",
        f"{count + groups} of {len(two)} documents share {groups} "
        f"{'coding' if groups == 1 else 'codings'}.",
        {"documents": count + groups, "distinct": groups, "share": count / len(two)},
        two.names(first | later),
        "Unless these documents have the same text, one coding was written for several: check the "
        "loop that wrote them, and the names of its documents.",
    )


def _is_one(side: CheckedSide) -> bool:
    return bool((side.counts == side.counts[0]).all()) and len(_looks(side)[1]) == 1


def _looks(side: CheckedSide) -> tuple[Int64Array, Int64Array]:
    """A number for each row, equal where rows have the same boundaries; and how often each
    occurs."""
    mixed = side.positions.astype(np.uint64) * _MIXERS[0]
    mixed ^= mixed >> np.uint64(29)
    mixed *= _MIXERS[1]
    totals = np.concatenate((np.zeros(1, np.uint64), np.cumsum(mixed)))
    keys = totals[side.offsets[1:]] - totals[side.offsets[:-1]]
    _, index, counts = np.unique(keys, return_inverse=True, return_counts=True)
    return index.reshape(-1), counts


def _again(side: CheckedSide) -> tuple[Mask, Mask] | None:
    """The rows that occur again: the first of each kind, and the later ones; None if they are no
    more than chance and regular segments explain."""
    index, counts = _looks(side)
    _, first_rows = np.unique(index, return_index=True)
    is_first = np.zeros(len(side), np.bool_)
    is_first[first_rows] = True
    several = side.counts >= 2
    later = ~is_first & several
    first = is_first & several & (counts[index] > 1)
    observed = int(later.sum())
    if observed < max(_SEVERAL, _SHARE * len(side)):
        return None
    expected = _MARGIN * _expected_pairs(side, is_first)
    if observed <= expected:
        return None
    certainty = observed * np.log10(observed / expected) - (observed - expected) / np.log(10)
    return (first, later) if certainty >= _SURE else None


def _expected_pairs(side: CheckedSide, distinct: Mask) -> float:
    """The number of pairs of rows that would be equal if segments were drawn one by one."""
    masses = side.masses[distinct[side.row_of]]
    frequencies = np.unique(masses, return_counts=True)[1] / max(1, len(masses))
    same = float((frequencies**2).sum())
    numbers, rows = np.unique(side.counts[side.counts >= 2], return_counts=True)
    return float((rows * (rows - 1) / 2 * same**numbers).sum()) + 1e-9


def _does_not_fit(sides: BothSides, rows: Mask) -> bool:
    """Whether these documents match no more often than by chance, where a match would show."""
    two = sides.take(np.flatnonzero(rows & (sides.ref.n_units == sides.hyp.n_units)))
    chance = float((two.ref.counts * two.hyp.density).sum())
    most = chance + _HONEST_FIT * np.sqrt(chance + 1)
    return bool(two.matches() <= most <= _POOR * two.total / 2)


# ---- documents in another order ----


def other_order(sides: BothSides) -> Iterator[Finding]:
    """Hypotheses that fit the references of other documents, and not their own."""
    two = sides.comparable
    if len(two) < _SEVERAL or all(_again(side) for _, side in two.named_sides):
        return  # too few, or several codings of one text, each against each
    sample = two.take(spread_rows(len(two), _LOOKED_AT)) if len(two) > _LOOKED_AT else two
    yield from list(_rotated(sample)) or _shuffled(two)


def _rotated(two: BothSides) -> Iterator[Finding]:
    """Whether each hypothesis belongs to the document a fixed number of places further."""
    own = two.row_matches()
    for offset in _OFFSETS:
        partners = np.roll(np.arange(len(two)), -offset)
        alike = two.ref.n_units[partners] == two.hyp.n_units
        there = BothSides(two.documents, two.ref.take(partners), two.hyp)
        matched = np.where(alike, there.row_matches(), 0)  # others may run into the next document
        better, worse = alike & (matched > own), alike & (matched < own)
        count = int(better.sum() + worse.sum())
        gained = f_of(float(matched[alike].sum() - own[alike].sum()), two.total)
        if (
            gained >= _GAIN
            and surprise(int(better.sum()) / max(1, count), 0.5, count) >= _UNLIKELY
            and own[alike].sum() <= matched[alike].sum() / 2
        ):
            rows = np.flatnonzero(better)
            yield _ordered_otherwise(two, rows, partners[rows], len(two))
            return


def _shuffled(two: BothSides) -> Iterator[Finding]:
    """Whether each hypothesis belongs to some other document, found by a search."""
    tried = _tried(two)
    if len(tried) < _SEVERAL:
        return
    own, best, partner = np.empty(len(tried)), np.empty(len(tried)), np.empty(len(tried), np.int64)
    for place, row in enumerate(tried.tolist()):
        chances = _chances(two, row)
        own[place] = chances[row]
        chances[row] = 1.0
        partner[place] = int(chances.argmin())
        best[place] = chances[partner[place]] * int((two.ref.n_units == two.ref.n_units[row]).sum())
    fits = (best <= _FITS) & (best < own)
    share = float(fits.mean())
    if (
        share >= _OTHERS
        and surprise(share, _FITS, len(tried)) >= _UNLIKELY
        and (own <= _FITS_OWN).mean() <= _OWN * share
        and len(np.unique(partner[fits])) > fits.sum() / 2  # else it is a habit of the hypotheses
    ):
        yield _ordered_otherwise(two, tried[fits], partner[fits], len(tried))


def _tried(two: BothSides) -> Int64Array:
    """A sample of documents that have as many units as others, and enough boundaries to compare."""
    _, index, counts = np.unique(two.ref.n_units, return_inverse=True, return_counts=True)
    able = np.flatnonzero((counts[index.reshape(-1)] > 1) & (two.hyp.counts >= 2))
    most = min(_TRIED, _WORK // max(1, len(two.ref.positions)))
    return able[:: max(1, -(-len(able) // max(1, most)))] if most >= _SEVERAL else able[:0]


def _chances(two: BothSides, row: int) -> NDArray[np.float64]:
    """For each reference, the approximate chance that it shares as many boundaries with a
    hypothesis (binomial, by Chernoff and Bahadur-Rao); 1 if the documents differ in length."""
    hyp = two.hyp.positions[two.hyp.offsets[row] : two.hyp.offsets[row + 1]]
    at = np.minimum(np.searchsorted(hyp, two.ref.positions), len(hyp) - 1)
    found = two.ref.row_of[hyp[at] == two.ref.positions]
    matched = np.bincount(found, minlength=len(two)).astype(np.float64)
    draws = np.minimum(two.ref.counts, len(hyp)).astype(np.float64)
    rate = np.maximum(two.ref.counts, len(hyp)) / (two.ref.n_units - 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = matched / draws
        parts = share * np.log(share / rate)
        rest = np.where(share < 1, (1 - share) * np.log((1 - share) / (1 - rate)), 0.0)
        width = np.sqrt(2 * np.pi * draws * share * (1 - share))
        chance = np.exp(-draws * (parts + rest)) / np.maximum(1, width)
    unlike = (two.ref.n_units != two.ref.n_units[row]) | ~(share > rate)
    return np.where(unlike, 1.0, chance)


def _ordered_otherwise(
    two: BothSides, rows: Int64Array, partners: Int64Array, tried: int
) -> Finding:
    away, often = np.unique(partners - rows, return_counts=True)
    offset = int(away[often.argmax()])
    way = "further on" if offset > 0 else "before"
    constant = often.max() > len(rows) / 2
    example = f"{two.documents[rows[0]]!r} fits the reference of {two.documents[partners[0]]!r}"
    return Finding(
        "other-order",
        "warning",
        f"{len(rows)} of {tried} hypotheses fit the reference of another document and not their "
        f"own: {example}" + (f"; most fit the document {abs(offset)} {way}." if constant else "."),
        {"documents": len(rows), "tried": tried, "offset": offset if constant else 0},
        tuple(two.documents[row] for row in rows.tolist()),
        "The documents of the two sides are probably in a different order, or the hypotheses have "
        "the names of other documents: pair them by name, and check how they were named.",
    )
