"""Vectors of texts, as encoders return them: NumPy, lists, sparse tables or tensors of torch."""

from typing import Any

import numpy as np

from segscore.basics.arguments import Floats, shown
from segscore.errors import SegmentationError

MOST_CELLS = 10**8  # of a sparse table that is filled in: 0.8 GB


def checked_vectors(vectors: Any, n_units: int) -> Floats:
    """What an encoder returned, if it is a finite vector per unit, in double precision.

    >>> checked_vectors([[1, 0], [0.5, 2]], 2)
    array([[1. , 0. ],
           [0.5, 2. ]])
    """
    plain = _plain(vectors)
    try:
        table = np.asarray(plain)
        if table.dtype.kind not in "biuf":
            raise TypeError
        table = table.astype(np.float64)
    except (TypeError, ValueError):  # rows of different lengths, texts, objects
        raise SegmentationError(
            f"the encoder returned {_described(vectors)}: expected an array of numbers, a vector "
            "per unit, all of one length"
        ) from None
    if table.ndim != 2 or len(table) != n_units:
        raise SegmentationError(
            f"the encoder returned an array of shape {table.shape}: expected ({n_units}, d), a "
            "vector per unit"
        )
    if not np.isfinite(table).all():
        row = int(np.flatnonzero(~np.isfinite(table).all(axis=1))[0])
        raise SegmentationError(
            f"the encoder returned NaN or infinity for units[{row}]: expected finite numbers"
        )
    return table


def _plain(vectors: Any) -> Any:
    """The vectors without what NumPy cannot read: gradients, bfloat16, other devices, sparse
    tables."""
    if hasattr(vectors, "detach"):  # torch
        kept = vectors.detach().cpu()
        return kept.to_dense().float().numpy() if kept.is_floating_point() else kept.numpy()
    if hasattr(vectors, "toarray"):  # SciPy
        rows, columns = vectors.shape
        if rows * columns > MOST_CELLS:
            raise SegmentationError(
                f"the encoder returned a sparse table of {rows} × {columns} numbers: expected at "
                f"most {MOST_CELLS:.0e} in all; reduce the dimensions first (TruncatedSVD)"
            )
        return vectors.toarray()
    if isinstance(vectors, list | tuple) and any(hasattr(vector, "detach") for vector in vectors):
        return [_plain(vector) for vector in vectors]
    return vectors


def _described(vectors: Any) -> str:
    if isinstance(vectors, list | tuple):
        lengths = {len(vector) for vector in vectors if hasattr(vector, "__len__")}
        if len(lengths) > 1:
            return f"vectors of {min(lengths)} to {max(lengths)} numbers"
    return shown(vectors)


def unit_length(vectors: Floats) -> Floats:
    """Each row scaled to length 1; a row of zeros stays unchanged."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    scaled: Floats = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    return scaled
