"""Labels of units, as sequence-tagging models return them, in batches: 0 or 1 for each unit.

A batch is a 2-dimensional array (document × length, with padding), or a list of sequences of any
length; NumPy arrays, lists and tensors alike. Whatever the reference labels with `ignore_index`
(padding, special tokens, all but one of the pieces of a word) is not a unit, on either side.
"""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from segscore.basics.arguments import Int64Array, array_inside, check_choice, shown, whole_number
from segscore.coding.constructor_checks import checked_marks
from segscore.errors import SegmentationError
from segscore.metrics import Average, Metric, Score
from segscore.metrics import metric as as_metric
from segscore.pairing.pairs import Pairs
from segscore.scoring.scoring import score

Marks = Literal["end", "start"]

_EXPECTED = "a list of labels 0 and 1"
IGNORED = -100  # what PyTorch's losses and Hugging Face's collators use


def pairs_from_labels(
    refs: Any,
    hyps: Any,
    *,
    marks: Marks,
    ignore_index: int | None = IGNORED,
    lengths: Any = None,
    documents: Sequence[str] | None = None,
) -> Pairs:
    """Both sides of a batch, ready to be scored.

    Parameters
    ----------
    refs, hyps
        The labels of each document, of the same shape on both sides; a single sequence is one
        document.
    marks
        Which unit a 1 marks: the last of a segment (`end`) or the first (`start`); this must be
        given. The label of a document's last unit (or first) means nothing, and may be 0 or 1.
    ignore_index
        The label of what is not a unit; only the reference's counts. None: every label is a unit.
    lengths
        The number of labels of each document that count, if padding has no label of its own.
    documents
        Names of the documents.

    >>> pairs = pairs_from_labels([[0, 1, 0, 0, -100]], [[0, 0, 1, 0, 1]], marks="end")
    >>> pairs.reference(0), pairs.hypothesis(0)
    (Segmentation(masses=[2, 2]), Segmentation(masses=[3, 1]))
    """
    checked_marks(marks)
    sides = {"refs": _sequences(refs, "refs"), "hyps": _sequences(hyps, "hyps")}
    sizes, others = (np.array([*map(len, rows)], np.int64) for rows in sides.values())
    if len(sizes) != len(others):
        raise SegmentationError(
            f"refs has {len(sizes)} documents, hyps {len(others)}: expected the same number"
        )
    for row in np.flatnonzero(sizes != others)[:1]:
        raise SegmentationError(
            f"document {row} of the batch has {sizes[row]} labels in refs and {others[row]} in "
            "hyps: expected the same number"
        )
    labels = {side: np.concatenate(rows).astype(np.int64) for side, rows in sides.items()}
    rows = np.repeat(np.arange(len(sizes)), sizes)
    used = np.ones(len(rows), np.bool_)
    if ignore_index is not None:
        used = labels["refs"] != whole_number(ignore_index, "ignore_index", -(2**53))
    if lengths is not None:
        used &= _places(sizes) < _lengths(lengths, sizes)[rows]
    rows = rows[used]
    n_units = np.bincount(rows, minlength=len(sizes))
    for row in np.flatnonzero(n_units == 0)[:1]:
        raise SegmentationError(
            f"document {row} of the batch has no unit: expected at least one label that is not "
            "ignored"
        )
    units = _places(n_units)
    positions = units + 1 if marks == "end" else units
    inside = (positions > 0) & (positions < n_units[rows])
    columns: list[Int64Array] = []
    for side, found in labels.items():
        marked = found[used]
        for at in np.flatnonzero((marked != 0) & (marked != 1))[:1]:
            raise SegmentationError(
                f"document {rows[at]} of the batch, unit {units[at] + 1}: the label in {side} is "
                f"{marked[at]}: expected 0 or 1, or ignore_index where refs has no unit"
            )
        inner = inside & (marked == 1)
        counts = np.bincount(rows[inner], minlength=len(sizes))
        columns += [np.append(0, np.cumsum(counts)), positions[inner]]
    ref_offsets, ref_positions, hyp_offsets, hyp_positions = columns
    return Pairs(
        n_units, ref_offsets, ref_positions, hyp_offsets, hyp_positions, documents=documents
    )


def label_score(
    y_true: Any,
    y_pred: Any,
    *,
    metric: str | Metric = "windowdiff",
    marks: Marks | None = None,
    ignore_index: int | None = IGNORED,
    lengths: Any = None,
    average: Average = "micro",
) -> Score:
    """The score of a batch of labels, in the order of arguments that scikit-learn uses.

    y_true, y_pred: labels of the references and of the hypotheses, a row per document.
    marks, ignore_index, lengths: as `pairs_from_labels` takes them.
    average: over documents, micro or macro.

    >>> y_true, y_pred = [0, 1, 0, 0, 0, 1], [0, 0, 1, 0, 0, 1]
    >>> round(label_score(y_true, y_pred, metric="b", marks="end"), 4)
    0.5
    """
    check_choice(average, "average", ("micro", "macro"))
    chosen_metric = as_metric(metric)
    pairs = pairs_from_labels(
        y_true, y_pred, marks=checked_marks(marks), ignore_index=ignore_index, lengths=lengths
    )
    found = score(pairs, metrics=[chosen_metric])[chosen_metric]
    return found.micro if average == "micro" else found.macro


def _sequences(given: Any, side: str) -> list[NDArray[Any]]:
    """The labels of each document; a single sequence is one document."""
    given = array_inside(given, side, _EXPECTED)
    if isinstance(given, list | tuple):
        rows = [
            np.asarray(array_inside(row, f"{side}[{i}]", _EXPECTED)) for i, row in enumerate(given)
        ]
        if rows and all(row.ndim == 0 for row in rows):
            rows = [np.asarray(given)]
    else:
        whole = np.asarray(given)
        rows = [*whole] if whole.ndim > 1 else [whole]
    if not rows:
        raise SegmentationError(f"{side} has no document: expected at least one")
    for i, row in enumerate(rows):
        if row.ndim != 1 or (row.size and row.dtype.kind not in "iub"):
            raise SegmentationError(
                f"{side}[{i}] is {shown(row.tolist())}: expected {_EXPECTED}; take the argmax of "
                "scores over classes, or compare probabilities with a threshold, first"
            )
    return rows


def _places(sizes: Int64Array) -> Int64Array:
    """The place of each label in its document."""
    return np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)


def _lengths(given: Any, sizes: Int64Array) -> Int64Array:
    array = np.asarray(array_inside(given, "lengths", "a number per document"))
    if array.dtype.kind not in "iu" or array.shape != sizes.shape:
        raise SegmentationError(
            f"lengths is {shown(given)}: expected {len(sizes)} numbers, one per document"
        )
    for row in np.flatnonzero((array < 1) | (array > sizes))[:1]:
        raise SegmentationError(f"lengths[{row}] is {array[row]}: expected 1 … {sizes[row]}")
    return array.astype(np.int64)
