"""Rows of an audit that come from counts or from other rows: the error of the number of boundaries,
and total scores ½ F1 + ¼ (1 - Pk) + ¼ (1 - WindowDiff) from averages."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import numpy as np

from segscore.conventions.audit_table import AuditRow
from segscore.conventions.class_auditing import MACRO_F1
from segscore.pairing.pairs import Pairs

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
