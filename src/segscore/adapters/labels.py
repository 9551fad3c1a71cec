"""Labels of units, as sequence-tagging models return them, in batches: 0 or 1 for each unit.

A batch is a 2-dimensional array (document × length, with padding), or a list of sequences of any
length; NumPy arrays, lists and tensors alike. Whatever the reference labels with `ignore_index`
(padding, special tokens, all but one of the pieces of a word) is not a unit, on either side.
"""

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from segscore.basics.arguments import Int64Array, array_inside, check_choice, shown, whole_number
from segscore.coding.constructor_checks import checked_marks
from segscore.errors import SegmentationError
from segscore.metrics import Metric
from segscore.metrics import metric as as_metric
from segscore.metrics.statistics import Average, Score
from segscore.pairing.pairs import Pairs
from segscore.scoring.scoring import score

Marks = Literal["end", "start"]

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
    ref, hyp = _batch(refs, "refs"), _batch(hyps, "hyps")
    _check_shapes(ref, hyp)
    used = np.ones(len(ref.labels), np.bool_)
    if ignore_index is not None:
        used = ref.labels != whole_number(ignore_index, "ignore_index", -(2**53))
    if lengths is not None:
        used &= ref.places < _lengths(lengths, ref)[ref.rows]
    n_units = np.bincount(ref.rows[used], minlength=ref.n_documents)
    empty = np.flatnonzero(n_units == 0)
    if empty.size:
        raise SegmentationError(
            f"document {empty[0]} of the batch has no unit: expected one label at least that is "
            "not ignored"
        )
    rows = ref.rows[used]
    units = np.arange(len(rows)) - np.repeat(np.cumsum(n_units) - n_units, n_units)
    columns: list[Int64Array] = []
    for side, labels in (("refs", ref.labels[used]), ("hyps", hyp.labels[used])):
        _check_labels(labels, rows, units, side)
        columns += _boundaries(labels, rows, units, n_units, marks)
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
        y_true,
        y_pred,
        marks=checked_marks(marks),
        ignore_index=ignore_index,
        lengths=lengths,
    )
    found = score(pairs, metrics=[chosen_metric])[chosen_metric]
    return found.micro if average == "micro" else found.macro


class _Batch(NamedTuple):
    """All labels one after the other, with the document and the place of each."""

    labels: Int64Array
    rows: Int64Array
    places: Int64Array
    n_documents: int


def _batch(given: Any, side: str) -> _Batch:
    array = _array(given, side)
    if array is not None and array.ndim == 2:
        parts: Any = array
        sizes = np.full(len(array), array.shape[1], np.int64)
    else:
        parts = [array] if array is not None and array.ndim == 1 else _sequences(given, side)
        sizes = np.array([len(part) for part in parts], np.int64)
    if not len(sizes):
        raise SegmentationError(f"{side} has no document: expected one at least")
    labels = np.concatenate([*parts]) if len(parts) else np.zeros(0, np.int64)
    rows = np.repeat(np.arange(len(sizes)), sizes)
    places = np.arange(len(labels)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return _Batch(labels.astype(np.int64), rows, places, len(sizes))


def _array(given: Any, side: str) -> NDArray[Any] | None:
    """An array of labels; None for sequences of different lengths."""
    given = _read(given, side)
    if isinstance(given, list | tuple):
        given = [_read(labels, f"{side}[{number}]") for number, labels in enumerate(given)]
    if isinstance(given, str | bytes | dict) or not hasattr(given, "__len__"):
        raise _wrong(given, side)
    try:
        array = np.asarray(given)
    except ValueError:  # of different lengths
        return None
    if array.dtype == object or (array.ndim == 1 and not array.size):
        return None
    if array.ndim not in (1, 2):
        raise SegmentationError(
            f"{side} has {array.ndim} dimensions: expected 2, document × unit; take the argmax of "
            "scores over classes first"
        )
    if array.dtype.kind not in "iub":
        raise SegmentationError(
            f"{side} has numbers of type {array.dtype}: expected labels, whole numbers 0 and 1; "
            "compare probabilities with a threshold first"
        )
    return array


def _read(given: Any, side: str) -> Any:
    """The array in a tensor or a column, or the value itself."""
    return array_inside(given, side, "a list of labels 0 and 1")


def _sequences(given: Any, side: str) -> list[NDArray[Any]]:
    """A sequence of labels for each document."""
    found = []
    for number, row in enumerate(given):
        labels = _read(row, f"{side}[{number}]")
        array = _array(labels, f"{side}[{number}]") if hasattr(labels, "__len__") else None
        if array is None and hasattr(labels, "__len__") and not len(labels):
            array = np.zeros(0, np.int64)
        if array is None or array.ndim != 1:
            raise _wrong(labels, f"{side}[{number}]")
        found.append(array)
    return found


def _wrong(given: Any, what: str) -> SegmentationError:
    return SegmentationError(f"{what} is {shown(given)}: expected a list of labels 0 and 1")


def _check_shapes(ref: _Batch, hyp: _Batch) -> None:
    if ref.n_documents != hyp.n_documents:
        raise SegmentationError(
            f"refs has {ref.n_documents} documents, hyps {hyp.n_documents}: expected as many"
        )
    sizes = [np.bincount(batch.rows, minlength=batch.n_documents) for batch in (ref, hyp)]
    other = np.flatnonzero(sizes[0] != sizes[1])
    if other.size:
        row = other[0]
        raise SegmentationError(
            f"document {row} of the batch has {sizes[0][row]} labels in refs and {sizes[1][row]} "
            "in hyps: expected as many"
        )


def _lengths(given: Any, batch: _Batch) -> Int64Array:
    array = _array(given, "lengths")
    if array is None or array.ndim != 1 or len(array) != batch.n_documents:
        raise SegmentationError(
            f"lengths is {shown(given)}: expected {batch.n_documents} numbers, one per document"
        )
    sizes = np.bincount(batch.rows, minlength=batch.n_documents)
    wrong = np.flatnonzero((array < 1) | (array > sizes))
    if wrong.size:
        row = wrong[0]
        raise SegmentationError(f"lengths[{row}] is {array[row]}: expected 1 … {sizes[row]}")
    return array.astype(np.int64)


def _check_labels(labels: Int64Array, rows: Int64Array, units: Int64Array, side: str) -> None:
    wrong = np.flatnonzero((labels != 0) & (labels != 1))
    if wrong.size:
        at = wrong[0]
        raise SegmentationError(
            f"document {rows[at]} of the batch, unit {units[at] + 1}: the label in {side} is "
            f"{labels[at]}: expected 0 or 1, or ignore_index where refs has no unit"
        )


def _boundaries(
    labels: Int64Array,
    rows: Int64Array,
    units: Int64Array,
    n_units: Int64Array,
    marks: Marks | None,
) -> tuple[Int64Array, Int64Array]:
    """Offsets and positions of the boundaries."""
    positions = units + 1 if marks == "end" else units
    inner = (labels == 1) & (positions > 0) & (positions < n_units[rows])
    counts = np.bincount(rows[inner], minlength=len(n_units))
    return np.concatenate([[0], np.cumsum(counts)]), positions[inner]
