"""Macro F1 over the two classes of places, as classifiers are scored: ½ (F1 of boundaries + F1 of
places without one), in each document or of the counts of all.

Scripts differ in what a place is: one of the N-1 gaps, or one of N units, the last of which is
labelled 0 or 1; and in what a class counts that occurs on neither side: 0, or not at all.
"""

import math
from collections.abc import Iterator
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
