"""The rows of an audit that are F1: each convention's number of a document, or its averages."""

import math
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from segscore.basics.arguments import Floats
from segscore.conventions.audit_table import AuditRow, first_of
from segscore.conventions.f_catalogue import (
    F_CONVENTIONS,
    Counts,
    FAverage,
    FConvention,
    Reach,
    f_of,
    segment_codes,
)
from segscore.pairing.pairs import Pairs

_AVERAGES: tuple[FAverage, ...] = ("mean", "pooled", "mean-rates")
_SIDES = ("ref", "hyp")
_NO_PLACE = "undefined: one unit has no place for a boundary"

Thresholds = Sequence[Counts]  # what was counted at each threshold


def f_rows(pairs: Pairs, reach: Reach, measures: Sequence[str]) -> Iterator[AuditRow]:
    """All numbers of all conventions of these measures that the documents allow."""
    labelled = all(_has_labels(pairs, side) for side in _SIDES)
    used = set()
    if labelled:
        codes = np.unique(np.concatenate([segment_codes(pairs, side) for side in _SIDES]))
        used = {pairs.label_names[code] for code in codes.tolist() if code >= 0}
    for convention in F_CONVENTIONS:
        if convention.measure not in measures or (convention.labels and not labelled):
            continue
        if convention.only_with is None or convention.only_with in used:
            yield from _audited(convention, pairs, reach)


def _has_labels(pairs: Pairs, side: str) -> bool:
    """Whether some segments of each document have labels, and one each at most."""
    labels = getattr(pairs, f"{side}_labels")
    if labels is None or (np.diff(labels.offsets) > 1).any():
        return False
    first = getattr(pairs, f"{side}_offsets") + np.arange(len(pairs) + 1)
    return bool((np.diff(labels.offsets[first]) > 0).all())


def _audited(convention: FConvention, pairs: Pairs, reach: Reach) -> Iterator[AuditRow]:
    """One number for a document, three for a corpus."""
    at = reach.text if convention.measure == "f1" else convention.at
    seen = convention.count(pairs, reach)
    no_place = pairs.n_units == 1
    counts = [one.without(no_place) for one in seen] if convention.measure == "f1" else seen
    undefined = int(np.isnan(counts[0].f).sum())

    def row(average: str, value: float, prints: float, note: str | None) -> AuditRow:
        return AuditRow(
            convention.name, convention.measure, average, None, None, value, prints, len(pairs),
            undefined, note, at,
        )  # fmt: skip

    if convention.positive and reach.within == 0:
        average = "document" if len(pairs) == 1 else convention.average
        yield row(average, math.nan, math.nan, "needs a tolerance above 0 (tolerance=)")
        return
    prints, note = _printed(convention, seen, pairs)
    if len(pairs) == 1:
        yield row("document", _means([one.f for one in counts])[0], prints, note)
        return
    for average in _AVERAGES:
        value = _averaged(counts, average)
        trouble = note if average == "mean" else None
        own = "how it averages documents itself" if average == convention.average else None
        said = "; ".join(filter(None, (own, trouble))) or None
        yield row(average, value, prints if average == "mean" else value, said)


def _printed(convention: FConvention, seen: Thresholds, pairs: Pairs) -> tuple[float, str | None]:
    """The mean of what the implementation prints, and what there is to say about it."""
    printed = [convention.prints(one) for one in seen]
    notes = dict(printed[0].notes)
    if convention.measure == "f1":
        for row in np.flatnonzero(pairs.n_units == 1).tolist():
            notes.setdefault(row, _NO_PLACE)
    prints = _mean(_means([one.values for one in printed]))
    return prints, first_of([notes[row] for row in sorted(notes)])


def _averaged(counts: Thresholds, average: FAverage) -> float:
    """F of all documents, the mean over thresholds."""
    if average != "mean":
        return _mean(_together(one, average) for one in counts)
    values = _means([one.f for one in counts])
    return _mean(one for one in values if not math.isnan(one))


def _together(documents: Counts, average: FAverage) -> float:
    """F of all documents at one threshold: of summed counts, or of mean precision and recall."""
    if average == "pooled":
        return float(documents.added_up().f[0])
    sides = (_mean(side[~np.isnan(side)].tolist()) for side in documents.rates)
    return float(f_of(*(np.array([one]) for one in sides))[0])


def _means(columns: Sequence[Floats]) -> list[float]:
    """The mean of each row."""
    rows: list[list[float]] = np.stack(columns, axis=1).tolist()
    return [row[0] for row in rows] if len(columns) == 1 else [_mean(row) for row in rows]


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return math.fsum(listed) / len(listed) if listed else math.nan
