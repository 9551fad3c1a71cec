"""Documents as the page holds them: plain values that become JSON.

A document has its codings as masses, the near misses between rows (as `boundary_edits` finds them;
matches, missed and extra boundaries follow from the positions), its values, and why a window metric
is what it is (k, the windows, and how many are penalised). Names and texts are as they are in the
data: the script shows them as text.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from segscore.coding.segment_labels import label_sets
from segscore.coding.segmentation import Segmentation
from segscore.comparison import Comparison
from segscore.corpus.record import in_order
from segscore.metrics.edit_distance import boundary_edits
from segscore.metrics.window import Pk, WindowDiff
from segscore.metrics.window_runs import windows
from segscore.pages.html_markup import plain
from segscore.pages.subject import OF_CONSENSUS, ShownCoding, ShownDocument, Subject

NEAR = 2  # a near miss is at most one unit off, unless a metric says more


def documents_data(subject: Subject) -> list[dict[str, Any]]:
    """All documents, in order."""
    n_t = nearness(subject)
    values = _values(subject)
    return [
        _document(document, n_t) | {key: column[document.name] for key, column in values.items()}
        for document in subject.documents
    ]


def nearness(subject: Subject) -> int:
    """What counts as near, by the first metric that has a rule for it."""
    if subject.feedback is not None:
        return subject.feedback.n_t
    comparison, agreement = subject.comparison, subject.agreement
    metrics = [comparison.metric(metric) for metric in comparison.metrics] if comparison else []
    metrics += [agreement.metric] if agreement else []
    found = (getattr(metric, "n_t", None) for metric in metrics)
    return next((int(n_t) for n_t in found if n_t is not None), NEAR)


def _document(document: ShownDocument, n_t: int) -> dict[str, Any]:
    data: dict[str, Any] = {
        "name": document.name,
        "units": document.n_units,
        "codings": [_coding(coding) for coding in document.codings],
    }
    if document.units is not None:
        data["text"] = list(document.units)
    if document.group is not None:
        data["group"] = document.group
    if document.reference is not None:
        data["reference"] = document.reference
    near = _all_edits(document.codings, n_t)
    return data | ({"edits": near} if near else {})


def _coding(given: ShownCoding) -> dict[str, Any]:
    coding = given.segmentation
    data: dict[str, Any] = {
        "coder": given.coder,
        "kind": given.kind,
        "masses": coding.masses.tolist(),
    }
    if coding.types is not None:
        data["types"] = [in_order(kinds) for kinds in coding.types]
    if coding.ranks is not None:
        data["ranks"] = coding.ranks.tolist()
    if coding.segment_labels is not None:
        data["labels"] = [in_order(labels) for labels in label_sets(coding.segment_labels)]
    return data


def _all_edits(codings: Sequence[ShownCoding], n_t: int) -> list[list[Any]]:
    """The near misses, and boundaries of other types, between each reference and the others.

    [i, j, [[p, q, type] …], [[p, type of i, type of j] …]]: rows i < j, p in i, q in j.
    """
    found = []
    for i, coding in enumerate(codings):
        for j in range(i + 1, len(codings)):
            if coding.kind == "system" and codings[j].kind == "system":
                continue
            if {coding.kind, codings[j].kind} == {OF_CONSENSUS}:
                continue
            near, swapped = _edits(coding.segmentation, codings[j].segmentation, n_t)
            if near or swapped:
                found.append([i, j, near, swapped])
    return found


def _edits(a: Segmentation, b: Segmentation, n_t: int) -> tuple[list[Any], list[Any]]:
    if a.types is None or b.types is None:  # a consensus has no types: only positions count then
        if not _may_be_near(a, b, n_t):
            return [], []
        a, b = (Segmentation.from_boundaries(side.boundaries, side.n_units) for side in (a, b))
    edits = boundary_edits(a, b, n_t, substitution="unit")
    near = [
        [
            transposition.a,
            transposition.b,
            *([] if transposition.type is None else [transposition.type]),
        ]
        for transposition in edits.transpositions
    ]
    return near, [list(substitution) for substitution in edits.substitutions]


def _may_be_near(a: Segmentation, b: Segmentation, n_t: int) -> bool:
    """Whether a boundary that only one side has is near a boundary that only the other has. That is
    rare, and this check is cheaper than finding the edits."""
    left, right = set(a.boundaries.tolist()), set(b.boundaries.tolist())
    alone, others = left - right, right - left
    if not alone or not others:
        return False
    if n_t > len(others):
        return any(abs(p - q) < n_t for p in alone for q in others)
    return any(p + d in others or p - d in others for p in alone for d in range(1, n_t))


def _values(subject: Subject) -> Mapping[str, Mapping[str, Any]]:
    """The values of each system under each metric, or the agreement, by document."""
    found: dict[str, dict[str, Any]] = {}
    comparison, agreement = subject.comparison, subject.agreement
    if comparison is not None:
        tables = [comparison.values(metric) for metric in comparison.metrics]
        found["values"] = {
            name: [[plain(table[system][i]) for system in comparison.systems] for table in tables]
            for i, name in enumerate(comparison.documents)
        }
        explained = penalised_windows(subject)
        if explained:
            found["windows"] = explained
    if agreement is not None:
        known = agreement.documents
        found["agreement"] = {
            document.name: plain(known[document.name].observed) if document.name in known else None
            for document in subject.documents
        }
    return found


# ---- windows that explain a value ----

MOST_PAIRS = 20_000  # about a second; more would be felt


def penalised_windows(subject: Subject) -> dict[str, list[Any]]:
    """[k, windows, penalised windows of each system], or None, by document and metric.

    None means that a value is not the share of windows of one pair: other metrics, several
    references, several runs. The result is empty if there are too many pairs.
    """
    comparison = subject.comparison
    if comparison is None:
        return {}
    window = [
        isinstance(comparison.metric(metric), Pk | WindowDiff) for metric in comparison.metrics
    ]
    pairs = sum(window) * len(comparison.systems) * len(subject.documents)
    if not 0 < pairs <= MOST_PAIRS:
        return {}
    places = {name: i for i, name in enumerate(comparison.documents)}
    tables = [comparison.values(metric) for metric in comparison.metrics]
    return {
        document.name: [
            _of_metric(comparison, metric, document, [table[s][place] for s in comparison.systems])
            if window[m]
            else None
            for m, (metric, table) in enumerate(zip(comparison.metrics, tables, strict=True))
        ]
        for document in subject.documents
        if (place := places.get(document.name)) is not None
    }


def _of_metric(
    comparison: Comparison, metric: str, document: ShownDocument, values: list[float]
) -> list[Any] | None:
    rows = {coding.coder: coding.segmentation for coding in document.codings}
    ref = rows.get(document.reference or "")
    if ref is None or len(comparison.background[document.name].coders) != 1:
        return None  # a mean over references
    found: list[int | None] = []
    size = None
    for system, value in zip(comparison.systems, values, strict=True):
        several = comparison.n_runs(system) > 1
        if several or system not in rows or math.isnan(value):
            found.append(None)
            continue
        seen = windows(ref, rows[system], comparison.metric(metric))
        if not math.isclose(seen.penalty / seen.n_windows, value, rel_tol=1e-9, abs_tol=1e-12):
            found.append(None)  # a value that is no share of windows
            continue
        size = [seen.k, seen.n_windows]
        found.append(sum(run.n_windows for run in seen.penalised))
    return None if size is None else [*size, found]
