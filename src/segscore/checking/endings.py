"""Documents that continue long after their last boundary: padding, a wrong duration, output that
stops.

If boundaries fell by chance, the m boundaries of a document would all be in its first half with a
chance of 1 / 2**m. The rules ask for what nearly every document shows, and chance does not explain.
"""

from collections.abc import Iterator

import numpy as np

from segscore.checking.findings import Finding
from segscore.checking.sides import BothSides, CheckedSide, Mask, f_of, surprise

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
