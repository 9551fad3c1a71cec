"""MinCutSeg (Malioutov & Barzilay 2006, "Minimum cut model for spoken lecture segmentation").

Units are the nodes of a graph, their similarities its edges; in a good segment units are more
similar to each other than to the rest of the text.

1. Words are weighted by chunks of the text, x_t(w) = c_t(w) · tf(w, chunk of t) · ln(S / df(w)), S
   chunks. A text is cut into chunks of equal size; tf is how often a word occurs in a chunk, df in
   how many chunks: a word that is everywhere says nothing about where a topic ends. A text with
   fewer units than chunks has one chunk per unit, and counts as that many chunks.
2. Units are smoothed by those that follow: y_t = Σ_{d < horizon} e^(−α·d) · x_{t+d}.
3. w(i, j) = exp(cosine of y_i and y_j) if they share anything (y_i · y_j > 10⁻⁶) and are at most
   `cutoff` apart, else 0; w(i, i) = e.
4. The normalised cut of a segment is (vol − assoc) / vol: vol is the weight of all edges of its
   units, assoc of those that stay inside, both directions and the diagonal counted. K segments with
   the least sum are found by dynamic programming.

In the authors' program the edge between neighbours never counts as inside, though it counts in
vol. The paper probably does not mean that, but its results come from this program and they are
better: on clinical texts WindowDiff is .382 with it and .408 without. So it is our default, too;
`skip_adjacent=False` gives the cut as the paper defines it.

For any text the cut is lower with fewer segments: it cannot find the number of segments, so K must
be given. Single units at the ends of a text are cheap to cut off, so segments of one unit are
common there.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from segscore.basics.arguments import Floats
from segscore.coding.segmentation import Segmentation
from segscore.errors import SegmentationError
from segscore.segmenters.contract import Natural, NotNegative, Segmenter, cheapest, needed_segments
from segscore.segmenters.preprocessing import CLASSIC, Preprocessing

if TYPE_CHECKING:
    from scipy.sparse import csr_array
from typing import TYPE_CHECKING

from numpy.typing import NDArray

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_LEAST_PRODUCT = 1e-6
_BLOCK = 256  # units whose similarities are computed at once


# ---- words by chunks of the text ----


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


def weighted(counts: "csr_array", n_chunks: int) -> "csr_array":
    """WordCounts times tf · ln(S / df) of the unit's chunk."""
    chunks = chunk_of_units(counts.shape[0], n_chunks)
    tf, df = chunk_frequencies(counts, chunks)
    rarity = np.log((int(chunks[-1]) + 1) / df)
    weights: csr_array = counts.multiply(tf.multiply(rarity[None, :]).tocsr()[chunks]).tocsr()
    return weights


def edges(vectors: "csr_array", cutoff: int) -> Floats:
    """w(i, i−d) in row i and column d, d = 0 … cutoff; 0 where there is no such unit."""
    n_units = vectors.shape[0]
    distances = np.arange(min(cutoff, n_units - 1) + 1)
    lengths = np.sqrt(np.asarray(vectors.multiply(vectors).sum(axis=1), np.float64).ravel())
    graph = np.zeros((n_units, len(distances)))
    for start in range(0, n_units, _BLOCK):
        units = np.arange(start, min(start + _BLOCK, n_units))
        low = max(0, start - len(distances) + 1)
        products = (vectors[start : units[-1] + 1] @ vectors[low : units[-1] + 1].T).toarray()
        others = units[:, None] - distances
        dots = products[units[:, None] - start, np.maximum(others - low, 0)]
        tied = (others >= 0) & (dots > _LEAST_PRODUCT)
        norms = lengths[units][:, None] * lengths[np.maximum(others, 0)]
        graph[units] = np.exp(np.divide(dots, norms, out=dots, where=tied), where=tied, out=dots)
        graph[units] *= tied
    graph[:, 0] = np.e
    return graph


def cut_costs(graph: Floats, skip_adjacent: bool) -> Iterator[Floats]:
    """For each end 1 … N the normalised cuts of the segments start … end, start = 0 … end-1.

    graph: the result of `edges`.
    """
    n_units, width = graph.shape
    volume = graph.sum(axis=1)
    for distance in range(1, width):
        volume[:-distance] += graph[distance:, distance]
    volume_before = np.concatenate(([0.0], np.cumsum(volume)))
    ties = 2 * graph  # both directions
    ties[:, 0] = graph[:, 0]
    if skip_adjacent:
        ties[:, 1:2] = 0
    # What a unit adds to a segment that starts d units before it: its ties to these units.
    brought = np.cumsum(ties, axis=1)
    inside = np.zeros(n_units)
    for end in range(1, n_units + 1):
        near = min(width, end)
        inside[end - near : end] += brought[end - 1, near - 1 :: -1]
        inside[: end - near] += brought[end - 1, -1]
        volumes = volume_before[end] - volume_before[:end]
        yield (volumes - inside[:end]) / volumes


@dataclass(frozen=True)
class MinCutSeg(Segmenter):
    """Normalised minimum cuts of the graph of units; the number of segments must be given.

    Parameters
    ----------
    cutoff: units that are further apart than this are not compared.
    alpha: how fast the weight of following units falls with their distance d: e^(−alpha · d).
    horizon: a unit is smoothed by the units before this distance; 1: no smoothing.
    chunks: number of parts of the text that count as documents for tf-idf; a text with fewer units
        has one chunk per unit.
    skip_adjacent: True counts the edge between neighbours as in the authors' program, False as the
        paper defines it.
    max_gigabytes: a text and a number of segments that need more memory are an error.
    preprocessing: how texts become words: tokens, stop words and stems; see `Preprocessing`.

    >>> cats, stars = "the cat chased another cat", "a star shines on other stars"
    >>> MinCutSeg()([cats] * 4 + [stars] * 5, n_segments=2)
    Segmentation(masses=[4, 5])
    """

    name: ClassVar[str] = "mincutseg"
    needs_n_segments: ClassVar[bool] = True
    grid: ClassVar[Mapping[str, Sequence[Any]]] = {
        "cutoff": (70, 95, 150, 200, 300),
        "alpha": (0.0, 0.5, 1.1, 1.5, 2.0),
        "horizon": (1, 2, 3, 5),
        "chunks": (10, 15, 20, 30),
    }

    cutoff: Natural = 95
    alpha: NotNegative = 1.1
    horizon: Natural = 5
    chunks: Natural = 15
    skip_adjacent: bool = True
    max_gigabytes: NotNegative = 2.0
    preprocessing: Preprocessing = CLASSIC

    def _segment(self, units: list[str], n_segments: int | None) -> Segmentation:
        wanted = needed_segments(n_segments, self.name)
        self._check_memory(len(units), wanted)
        vectors = weighted(self.preprocessing.counts(units), self.chunks)
        graph = edges(forward_smoothed(vectors, self.horizon - 1, self.alpha), self.cutoff)
        boundaries = cheapest(cut_costs(graph, self.skip_adjacent), len(units), wanted)
        return Segmentation.from_boundaries(boundaries, len(units))

    def _check_memory(self, n_units: int, n_segments: int) -> None:
        """Raise if the edges within the cutoff, their sums, and the best plans need too much
        memory."""
        per_unit = 24 * (min(self.cutoff, n_units) + 1) + 20 * n_segments  # bytes
        need = n_units * per_unit / 1e9
        if need > self.max_gigabytes:
            raise SegmentationError(
                f"{self.name} on {n_units} units and {n_segments} segments needs about {need:.1f} "
                f"GB: expected at most max_gigabytes={self.max_gigabytes:g}; raise it if you have "
                "the memory, or use fewer segments, a smaller cutoff or larger units"
            )
