"""Words weighted by the part of the text they are in, and units smoothed by those that follow.

A text is cut into chunks of equal size. tf(w, chunk) is how often a word occurs in a chunk, df(w)
in how many chunks it occurs: a word that is everywhere says nothing about where a topic ends. A
text with fewer units than chunks has one chunk per unit, and counts as that many chunks.

Malioutov & Barzilay (2006), Kazantseva & Szpakowicz (2011); they weight tf and df differently.
"""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from segscore.basics.arguments import Floats

if TYPE_CHECKING:
    from scipy.sparse import csr_array


def chunk_of_units(n_units: int, n_chunks: int) -> NDArray[np.int64]:
    """The chunk of each unit: N // chunks units each, and the last takes the rest.

    >>> chunk_of_units(7, 3), chunk_of_units(2, 3)
    (array([0, 0, 1, 1, 2, 2, 2]), array([0, 1]))
    """
    n_chunks = min(n_chunks, n_units)
    return np.minimum(np.arange(n_units) // (n_units // n_chunks), n_chunks - 1)


def chunk_frequencies(
    counts: "csr_array", chunks: NDArray[np.int64]
) -> tuple["csr_array", NDArray[np.int64]]:
    """tf, a row per chunk and a column per word; and df of each word (1 at least)."""
    from scipy.sparse import csr_array

    n_units = len(chunks)
    n_chunks = int(chunks[-1]) + 1
    members = csr_array((np.ones(n_units), (chunks, np.arange(n_units))), shape=(n_chunks, n_units))
    tf = members @ counts
    df = np.bincount(tf.indices, minlength=tf.shape[1])
    return tf, np.maximum(df, 1)


def forward_smoothed(vectors: "csr_array", reach: int, alpha: float) -> "csr_array":
    """Each row plus the next `reach` rows, where the row d further on has the weight e^(−α·d).

    >>> from scipy.sparse import csr_array
    >>> forward_smoothed(csr_array(np.array([[1.0], [0.0], [4.0]])), 1, np.log(2)).toarray()
    array([[1.],
           [2.],
           [4.]])
    """
    from scipy.sparse import dia_array

    n_units = vectors.shape[0]
    shifts = np.arange(min(reach, n_units - 1) + 1)
    weights: Floats = np.repeat(np.exp(-alpha * shifts)[:, None], n_units, axis=1)
    smoothing = dia_array((weights, shifts), shape=(n_units, n_units)).tocsr()
    smoothed: csr_array = smoothing @ vectors
    return smoothed
