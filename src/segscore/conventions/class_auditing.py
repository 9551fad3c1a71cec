"""Macro F1 over the two classes of places, as classifiers are scored: ½ (F1 of boundaries + F1 of
places without one), in each document or of the counts of all.

Scripts differ in what a place is: one of the N-1 gaps, or one of N units, the last of which is
labelled 0 or 1; and in what a class counts that occurs on neither side: 0, or not at all.

Rows of an audit that come from counts or from other rows: the error of the number of boundaries,
and total scores ½ F1 + ¼ (1 - Pk) + ¼ (1 - WindowDiff) from averages.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import numpy as np

from segscore._kernels import matching
from segscore.basics.arguments import Floats
from segscore.conventions.audit_table import AuditRow, trouble_note
from segscore.conventions.symbols import sides
from segscore.metrics.ratios import ratio
from segscore.pairing.pairs import Pairs

MACRO_F1 = "macro-f1"


class ClassConvention(NamedTuple):
    """What the places are, and what an absent class counts (None: it is left out).

    last: the label of the last unit; None if places are gaps.
    """

    name: str
    sentence: str
    source: str
    last: int | None
    absent: float | None
    cost: float = 1.0


_SKLEARN = "sklearn's f1_score(average='macro')"
_BOTH = "sklearn's f1_score(labels=[0, 1], average='macro')"

CLASS_CONVENTIONS: tuple[ClassConvention, ...] = (
    ClassConvention(
        "superdialseg",
        "Macro F1 over both classes of N labels, the last being 0.",
        "SuperDialseg metrics/segmentation.py",
        0, 0.0, 0.0,
    ),
    ClassConvention(
        "neural-texttiling",
        "Macro F1 over both classes of N labels, the last being 1 on both sides, and found.",
        "Dialogue-Topic-Segmenter neural_texttiling.py",
        1, 0.0, 0.5,
    ),
    ClassConvention("gaps", "Macro F1 over the classes of N-1 gaps.", _SKLEARN, None, None, 0.5),
    ClassConvention(
        "gaps-both-classes",
        "Macro F1 over both classes of N-1 gaps; a class that does not occur counts 0.",
        _BOTH, None, 0.0,
    ),
    ClassConvention(
        "labels-last-0",
        "Macro F1 over the classes that occur among N labels, the last being 0.",
        _SKLEARN, 0, None,
    ),
    ClassConvention(
        "labels-last-1",
        "Macro F1 over the classes that occur among N labels, the last being 1 on both sides.",
        _SKLEARN, 1, None,
    ),
)  # fmt: skip


class PlaceCounts(NamedTuple):
    """The numbers of places with a boundary on both sides, on one side, and on neither."""

    both: Floats
    one: Floats
    none: Floats

    def added_up(self) -> "PlaceCounts":
        """The counts of all documents added up."""
        return PlaceCounts(*(np.array([column.sum()]) for column in self))


def class_rows(pairs: Pairs) -> Iterator[AuditRow]:
    """A number for a document, two numbers for a corpus."""
    gaps = _gaps(pairs)
    for convention in CLASS_CONVENTIONS:
        counts = _with_last(gaps, convention.last)
        values = {"document" if len(pairs) == 1 else "mean": counts}
        if len(pairs) > 1:
            values["pooled"] = counts.added_up()
        for average, place_counts in values.items():
            yield _row(convention, average, place_counts, len(pairs))


def _gaps(pairs: Pairs) -> PlaceCounts:
    ref, hyp = sides(pairs)
    rows = np.zeros((len(pairs), 3))
    matching.boundary_match(0, len(pairs), pairs.n_units, *ref, *hyp, 0, rows)
    both = rows[:, 0]
    one_side = ref.counts + hyp.counts - 2 * both
    return PlaceCounts(both, one_side, pairs.n_units - 1 - both - one_side)


def _with_last(gaps: PlaceCounts, last: int | None) -> PlaceCounts:
    if last is None:
        return gaps
    return gaps._replace(both=gaps.both + last, none=gaps.none + 1 - last)


def _row(convention: ClassConvention, average: str, counts: PlaceCounts, n: int) -> AuditRow:
    """A row of the audit; an absent class leaves the value undefined."""
    classes = np.stack([_f(counts.both, counts.one), _f(counts.none, counts.one)])
    absent = np.isnan(classes)
    undefined = np.logical_or(*absent)
    if convention.absent is not None:
        printed = np.where(absent, convention.absent, classes).mean(axis=0)
    else:
        n_present = np.maximum((~absent).sum(axis=0), 1)
        printed = np.where(absent.all(axis=0), math.nan, np.nansum(classes, axis=0) / n_present)
    values = classes.mean(axis=0)[~undefined]
    trouble = "a class that occurs on neither side counts 0"
    if convention.absent is None:
        trouble = "a class that occurs on neither side is left out"
    return AuditRow(
        convention.name, MACRO_F1, average, None, None,
        float(values.mean()) if len(values) else math.nan, float(printed.mean()), n,
        int(undefined.sum()) if average != "pooled" else n * bool(undefined[0]),
        trouble_note([trouble] * int(undefined.sum())),
    )  # fmt: skip


def _f(found: Floats, wrong: Floats) -> Floats:
    return ratio(2 * found, 2 * found + wrong)


COUNT_MAE = "count-mae"
TOTAL = "total"
COUNT_SENTENCE = "Mean of |boundaries of the reference - boundaries of the hypothesis|."
COUNT_SOURCE = "SuperDialseg metrics/segmentation.py, class MAE"


class TotalConvention(NamedTuple):
    """The rows behind a total score: (convention, measure, average) of F1, and the convention of Pk
    and WindowDiff, whose mean over documents is used."""

    name: str
    sentence: str
    source: str
    f1: tuple[str, str, str]
    windows: str
    cost: float = 1.0


_F1 = {
    "": ("superdialseg", "f1", "mean"),
    "pooled-f1": ("superdialseg", "f1", "pooled"),
    "macro-f1": ("superdialseg", MACRO_F1, "mean"),
}
_SCRIPTS = {
    ("superdialseg", ""): ("SuperDialseg metrics/segmentation.py, compute_total_score", 0.0),
    ("mug", "pooled-f1"): ("SpokenNLP alimeeting4mug challenge_evaluate.py", 0.5),
}
_WINDOWS = ("superdialseg", "mug", "paper", "segeval", "nltk", "nltk-labels")


def _total(windows: str, kind: str) -> TotalConvention:
    source, cost = _SCRIPTS.get((windows, kind), ("as SuperDialseg's and MUG's", 1.0))
    words = {
        "": "the mean F1 of boundaries",
        "pooled-f1": "F1 of the boundaries of all documents",
        "macro-f1": "the mean macro F1 over classes (N labels, the last being 0)",
    }
    name = windows if (windows, kind) in _SCRIPTS or not kind else f"{windows}+{kind}"
    sentence = f"½ F1 + ¼ (1 - Pk) + ¼ (1 - WindowDiff): {words[kind]}, Pk and WindowDiff as "
    return TotalConvention(name, f"{sentence}{windows}, means.", source, _F1[kind], windows, cost)


TOTALS: tuple[TotalConvention, ...] = tuple(
    _total(windows, kind) for windows in _WINDOWS for kind in _F1 if (windows, kind) != ("mug", "")
)


def total_rows(rows: Iterable[AuditRow]) -> Iterator[AuditRow]:
    """The total scores, from the rows behind them."""
    known: Mapping[tuple[str, ...], AuditRow] = {row[:3]: row for row in rows}
    alone = any(row.average == "document" for row in known.values())
    for total in TOTALS:
        average = "document" if alone else "mean"
        parts = [
            known[(*total.f1[:2], "document" if alone else total.f1[2])],
            *(known[total.windows, measure, average] for measure in ("pk", "windowdiff")),
        ]
        f1, pk, wd = ((row.value, row.prints) for row in parts)
        value, prints = (
            f / 2 + (1 - p) / 4 + (1 - w) / 4 for f, p, w in zip(f1, pk, wd, strict=True)
        )
        undefined = max(row.undefined for row in parts)
        note = "some documents have no F1, Pk or WindowDiff" if undefined else None
        yield AuditRow(
            total.name, TOTAL, "document" if alone else total.f1[2], None, None, value, prints,
            parts[1].documents, undefined, note,
        )  # fmt: skip


def count_rows(pairs: Pairs) -> Iterator[AuditRow]:
    """The mean error of the number of boundaries, which equals that of segments."""
    apart = np.abs(np.diff(pairs.ref_offsets) - np.diff(pairs.hyp_offsets))
    average = "document" if len(pairs) == 1 else "mean"
    value = float(apart.mean())
    yield AuditRow(COUNT_MAE, COUNT_MAE, average, None, None, value, value, len(pairs), 0, None)
