"""The F1 rows of an audit: each convention's number for a document, or its averages."""

import math
from collections.abc import Iterator, Sequence

import numpy as np

from segscore.basics.arguments import Floats
from segscore.conventions.audit_table import AuditRow, trouble_note
from segscore.conventions.f_catalogue import F_CONVENTIONS, FAverage, FConvention
from segscore.conventions.f_counting import Counts, Reach, f_of, has_labels, segment_codes
from segscore.pairing.pairs import Pairs

_AVERAGES: tuple[FAverage, ...] = ("mean", "pooled", "mean-rates")
_SIDES = ("ref", "hyp")
_NO_PLACE = "undefined: one unit has no place for a boundary"

Rates = tuple[float, float]  # precision, recall
NO_RATES = math.nan, math.nan

Thresholds = Sequence[Counts]  # what was counted at each threshold


def f_rows(pairs: Pairs, reach: Reach, measures: Sequence[str]) -> Iterator[AuditRow]:
    """The numbers of all conventions of these measures that the documents allow."""
    labelled = has_labels(pairs)
    used = set()
    if labelled:
        codes = np.unique(np.concatenate([segment_codes(pairs, side) for side in _SIDES]))
        used = {pairs.label_names[code] for code in codes.tolist() if code >= 0}
    for convention in F_CONVENTIONS:
        if convention.measure not in measures or (convention.labels and not labelled):
            continue
        if convention.only_with is None or convention.only_with in used:
            yield from _audited(convention, pairs, reach)


def _audited(convention: FConvention, pairs: Pairs, reach: Reach) -> Iterator[AuditRow]:
    """A number for a document, three numbers for a corpus."""
    at = convention.at or (reach.text if convention.measure == "f1" else None)
    seen = convention.count(pairs, reach)
    no_place = pairs.n_units == 1
    counts = [count.without(no_place) for count in seen] if convention.measure == "f1" else seen
    each = [count.f for count in counts]
    undefined = int(np.isnan(each[0]).sum())

    def row(
        average: str, value: float, prints: float, note: str | None, rates: Rates = NO_RATES
    ) -> AuditRow:
        return AuditRow(
            convention.name, convention.measure, average, None, None, value, prints, len(pairs),
            undefined, note, at, precision=rates[0], recall=rates[1],
        )  # fmt: skip

    if convention.positive and reach.within == 0:
        average = "document" if len(pairs) == 1 else convention.average
        yield row(average, math.nan, math.nan, "needs a tolerance above 0 (tolerance=)")
        return
    prints, note = _printed(convention, seen, pairs)
    if len(pairs) == 1:
        rates = _rates(counts, "mean", None)
        yield row("document", float(_over_thresholds(each)[0]), prints, note, rates)
        return
    for average in _AVERAGES:
        value = _mean_of(each) if average == "mean" else _together(counts, average, None)
        trouble = note if average == "mean" else None
        own = "how it averages documents itself" if average == convention.average else None
        remark = "; ".join(filter(None, (own, trouble))) or None
        printed = prints if average == "mean" else value
        if convention.nothing is not None and average == "mean-rates":
            printed = _together(counts, average, convention.nothing)
        yield row(average, value, printed, remark, _rates(counts, average, convention.nothing))


def _printed(convention: FConvention, seen: Thresholds, pairs: Pairs) -> tuple[float, str | None]:
    """The mean of what the implementation prints, and notes about it."""
    printed = [convention.prints(count) for count in seen]
    notes = dict(printed[0].notes)
    if convention.measure == "f1":
        for row in np.flatnonzero(pairs.n_units == 1).tolist():
            notes.setdefault(row, _NO_PLACE)
    values = _over_thresholds([prints.values for prints in printed])
    return float(values.sum()) / len(values), trouble_note([notes[row] for row in sorted(notes)])


def _mean_of(thresholds: Sequence[Floats]) -> float:
    """The mean of documents' F, without undefined values."""
    values = _over_thresholds(thresholds)
    defined = values[~np.isnan(values)]
    return float(defined.sum()) / len(defined) if len(defined) else math.nan


def _together(counts: Thresholds, average: FAverage, nothing: float | None) -> float:
    """F of all documents together, as the mean over thresholds."""
    together = (_rates([count], average, nothing) for count in counts)
    return _mean([float(f_of(*(np.array([rate]) for rate in both))[0]) for both in together])


def _rates(counts: Thresholds, average: FAverage, nothing: float | None) -> Rates:
    """Precision and recall of all documents together, as means over thresholds."""
    found = [count.added_up() if average == "pooled" else count for count in counts]
    precision, recall = zip(*(count.rates for count in found), strict=True)
    return _rate(precision, nothing), _rate(recall, nothing)


def _rate(thresholds: Sequence[Floats], nothing: float | None) -> float:
    """The mean over thresholds of means over documents."""
    means = []
    for threshold in thresholds:
        none = np.isnan(threshold)
        kept = threshold[~none] if nothing is None else np.where(none, nothing, threshold)
        means.append(float(kept.sum()) / len(kept) if len(kept) else math.nan)
    return _mean(means)


def _over_thresholds(columns: Sequence[Floats]) -> Floats:
    """The mean of each row."""
    return columns[0] if len(columns) == 1 else np.stack(columns).sum(axis=0) / len(columns)


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)
