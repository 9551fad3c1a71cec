"""The rows of an audit that are F1: each convention's number of a document, or its averages."""

import math
from collections.abc import Iterable, Iterator, Sequence

from segscore.coding.segmentation import Segmentation
from segscore.conventions.audit_table import AuditRow, first_of
from segscore.conventions.f_catalogue import (
    F_CONVENTIONS,
    Counts,
    FAverage,
    FConvention,
    Reach,
    f_of,
)

_AVERAGES: tuple[FAverage, ...] = ("mean", "pooled", "mean-rates")

_NOTHING = Counts(0, 0, 0, 0)  # of a document that has no place for a boundary

Documents = Sequence[tuple[Segmentation, Segmentation]]
Thresholds = Sequence[Counts]  # what was counted in one document, at each threshold


def f_rows(documents: Documents, reach: Reach) -> Iterator[AuditRow]:
    """All numbers of all conventions that the documents allow."""
    labelled = all(_has_labels(one) for pair in documents for one in pair)
    names = {
        label
        for pair in documents
        for one in pair
        for label in one.segment_labels or ()
        if isinstance(label, str)
    }
    for convention in F_CONVENTIONS:
        if convention.labels and not labelled:
            continue
        if convention.only_with is None or convention.only_with in names:
            yield from _audited(convention, documents, reach)


def _has_labels(one: Segmentation) -> bool:
    """Whether segments have labels, one each at most."""
    labels = one.segment_labels or ()
    return any(labels) and not any(isinstance(label, frozenset) for label in labels)


def _audited(convention: FConvention, documents: Documents, reach: Reach) -> Iterator[AuditRow]:
    """One number for a document, three for a corpus."""
    seen = [convention.count(ref, hyp, reach) for ref, hyp in documents]
    counts = _defined(convention, seen, documents)
    undefined = sum(math.isnan(one[0].f) for one in counts)
    at = reach.text if convention.measure == "f1" else convention.at

    def row(average: str, value: float, prints: float, note: str | None) -> AuditRow:
        return AuditRow(
            convention.name, convention.measure, average, None, None, value, prints, len(counts),
            undefined, note, at,
        )  # fmt: skip

    if convention.positive and reach.within == 0:
        average = "document" if len(documents) == 1 else convention.average
        yield row(average, math.nan, math.nan, "needs a tolerance above 0 (tolerance=)")
        return
    prints, note = _printed(convention, seen, counts)
    if len(documents) == 1:
        yield row("document", _mean(one.f for one in counts[0]), prints, note)
        return
    for average in _AVERAGES:
        value = _averaged(counts, average)
        trouble = note if average == "mean" else None
        own = "how it averages documents itself" if average == convention.average else None
        said = "; ".join(filter(None, (own, trouble))) or None
        yield row(average, value, prints if average == "mean" else value, said)


def _defined(
    convention: FConvention, seen: Sequence[Thresholds], documents: Documents
) -> list[Thresholds]:
    """What was counted; nothing in a document that has no place for a boundary."""
    if convention.measure != "f1":
        return list(seen)
    return [
        (_NOTHING,) if ref.n_units == 1 else found
        for found, (ref, _) in zip(seen, documents, strict=True)
    ]


def _printed(
    convention: FConvention, seen: Sequence[Thresholds], counts: Sequence[Thresholds]
) -> tuple[float, str | None]:
    """The mean of what the implementation prints, and what there is to say about it."""
    printed = [[convention.prints(one) for one in thresholds] for thresholds in seen]
    troubles = [
        printing[0][1] or "undefined: one unit has no place for a boundary"
        for printing, one in zip(printed, counts, strict=True)
        if printing[0][1] or one[0] is _NOTHING
    ]
    prints = _mean(_mean(value for value, _ in thresholds) for thresholds in printed)
    return prints, first_of(troubles)


def _averaged(counts: Sequence[Thresholds], average: FAverage) -> float:
    """F of all documents, the mean over thresholds."""
    if average != "mean":
        return _mean(_together(one, average) for one in zip(*counts, strict=True))
    values = [_mean(one.f for one in thresholds) for thresholds in counts]
    return _mean(one for one in values if not math.isnan(one))


def _together(documents: Sequence[Counts], average: FAverage) -> float:
    """F of all documents at one threshold: of summed counts, or of mean precision and recall."""
    if average == "pooled":
        return Counts(*(sum(column) for column in zip(*documents, strict=True))).f
    rates = zip(*(one.rates for one in documents), strict=True)
    return f_of(*(_mean(rate for rate in side if not math.isnan(rate)) for side in rates))


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return math.fsum(listed) / len(listed) if listed else math.nan
