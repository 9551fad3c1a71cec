"""APS: affinity propagation for segmentation (Kazantseva & Szpakowicz 2011, "Linear text
segmentation using affinity propagation").

1. Word counts of units, smoothed by those that follow: Σ_{d ≤ smoothing} e^(−α·d) · c_{t+d}.
2. Weighted by chunks of the text (`chunk_weights`): (1 + log2(tf + 1)) · log2(S / df).
3. Cosines s_ij of units at most `window` · N apart; others cannot share a segment's exemplar.
4. Messages until the units agree on exemplars: see `affinity`.

The preference p is the cost of an exemplar, so it decides how many segments there are. The right
value depends on the similarities: the authors report −14 … −4 for sentences of long texts and
−2 … 0.5 for paragraphs. Our default is −N/3 times the mean similarity within the window: a third of
what a unit has in common with all others. On such texts it is between the values of the authors,
and the result does not change if all similarities are scaled. `segscore tune DATA --method aps`
finds a better value.

If the number of segments is given, the sum of preferences is the same for all segmentations. Then
the segments with the largest net similarity are found exactly, without messages.
"""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from segscore.basics.arguments import Floats, whole_number
from segscore.coding.segmentation import Segmentation
from segscore.segmenters.affinity import (
    BYTES_PER_PAIR,
    Clusters,
    best_exemplars,
    confined,
    propagate,
)
from segscore.segmenters.chunk_weights import chunk_frequencies, chunk_of_units, forward_smoothed
from segscore.segmenters.preprocessing import CLASSIC, Preprocessing
from segscore.segmenters.segmenter import (
    Segmenter,
    check_memory,
    checked_segments,
    checked_units,
    finite_number,
)

if TYPE_CHECKING:
    from scipy.sparse import csr_array


class ConvergenceWarning(UserWarning):
    """Messages were still changing after `max_iterations` rounds."""


class Exemplars(NamedTuple):
    """What APS found: segments, their exemplars as indices of units, and how messages ended."""

    segmentation: Segmentation
    exemplars: list[int]
    converged: bool
    iterations: int
    preference: float | None


def weighted(counts: "csr_array", smoothing: int, alpha: float, n_chunks: int) -> "csr_array":
    """Smoothed counts times (1 + log2(tf + 1)) · log2(S / df) of the unit's chunk."""
    chunks = chunk_of_units(counts.shape[0], n_chunks)
    tf, df = chunk_frequencies(counts, chunks)
    tf.data = np.log2(tf.data + 1)
    smoothed = forward_smoothed(counts, smoothing, alpha)
    rarity = np.log2((int(chunks[-1]) + 1) / df)
    raised = smoothed + smoothed.multiply(tf[chunks])
    weights: csr_array = raised.multiply(rarity[None, :]).tocsr()
    return weights


def cosine_table(vectors: "csr_array") -> Floats:
    """Cosine of every pair of rows; 0 where a row is empty."""
    lengths = np.sqrt(np.asarray(vectors.multiply(vectors).sum(axis=1), np.float64).ravel())
    scale = np.divide(1, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    scaled = vectors.multiply(scale[:, None]).tocsr()
    table: Floats = (scaled @ scaled.T).toarray()
    return table


def natural_preference(similarities: Floats, reach: int) -> float:
    """−N/3 times the mean similarity of two units within reach.

    >>> round(natural_preference(np.full((6, 6), 0.5), 3), 6)
    -1.0
    """
    pairs = [np.diagonal(similarities, distance) for distance in range(1, reach + 1)]
    return -len(similarities) / 3 * float(np.concatenate(pairs).mean())


@dataclass(frozen=True)
class APS(Segmenter):
    """Segments around exemplars, by messages among units.

    If the number of segments is given, no messages are needed; time then grows with the cube of the
    number of units.

    Parameters
    ----------
    preference: of a unit to be an exemplar: the lower, the fewer segments. None: −N/3 times the
        mean similarity within the window.
    window: a unit and its exemplar are at most this share of the text apart, 0 … 1.
    damping: how slowly messages change, 0 … 0.999; higher values converge more safely.
    patience: stop when the exemplars have not changed for so many rounds.
    max_iterations: stop after so many rounds, with a `ConvergenceWarning`.
    smoothing: number of following units that are added to each unit.
    alpha: how fast the weight of these units falls with their distance d: e^(−alpha · d).
    chunks: number of parts of the text that count as documents for tf-idf; a text with fewer units
        has one chunk per unit.
    max_units: documents with more units are an error, because memory grows with their square.
    preprocessing: how texts become words: tokens, stop words and stems; see `Preprocessing`.

    >>> cats, stars = "the cat chased another cat", "a star shines on other stars"
    >>> APS()([cats] * 6 + [stars] * 7)
    Segmentation(masses=[6, 7])
    """

    name: ClassVar[str] = "aps"
    grid: ClassVar[Mapping[str, Sequence[Any]]] = {
        "preference": (0.0, -0.25, -0.5, -1.0, -2.0, -4.0, -6.0, -8.0, -10.0, -12.0, -14.0),
        "window": (0.3, 0.5, 0.9),
    }

    preference: float | None = None
    window: float = 0.3
    damping: float = 0.9
    patience: int = 100
    max_iterations: int = 1000
    smoothing: int = 2
    alpha: float = 1.45
    chunks: int = 30
    max_units: int = 8000
    preprocessing: Preprocessing = CLASSIC

    def __post_init__(self) -> None:
        if self.preference is not None:
            finite_number(self.preference, "preference")
        finite_number(self.window, "window", 0, 1)
        finite_number(self.damping, "damping", 0, 0.999)
        finite_number(self.alpha, "alpha", 0)
        whole_number(self.smoothing, "smoothing", 0)
        for name in ("patience", "max_iterations", "chunks", "max_units"):
            whole_number(getattr(self, name), name, 1)

    def _segment(self, units: list[str], n_segments: int | None) -> Segmentation:
        return self._exemplars(units, n_segments).segmentation

    def exemplars(self, units: Sequence[str], n_segments: int | None = None) -> Exemplars:
        """The segmentation with the exemplar of each segment, and whether messages converged.

        >>> cats, stars = "the cat chased another cat", "a star shines on other stars"
        >>> found = APS().exemplars([cats] * 6 + [stars] * 7)
        >>> len(found.exemplars), found.converged
        (2, True)
        """
        texts = checked_units(units)
        return self._exemplars(texts, checked_segments(n_segments, len(texts)))

    def _exemplars(self, units: list[str], n_segments: int | None) -> Exemplars:
        n_units = len(units)
        if n_units == 1:
            return Exemplars(Segmentation.from_boundaries([], 1), [0], True, 0, self.preference)
        check_memory(n_units, BYTES_PER_PAIR, self.max_units, self.name)
        counts = self.preprocessing.counts(units)
        vectors = weighted(counts, self.smoothing, self.alpha, self.chunks)
        reach = max(1, int(self.window * n_units))
        similarities = confined(cosine_table(vectors), reach, 0.0)
        preference = self.preference
        if n_segments is not None:
            found = best_exemplars(similarities, reach, n_segments)
        else:
            if preference is None:
                preference = natural_preference(similarities, reach)
            found = self._messages(similarities, preference, reach)
        segmentation = Segmentation.from_boundaries(found.boundaries, n_units)
        return Exemplars(
            segmentation, found.exemplars, found.converged, found.iterations, preference
        )

    def _messages(self, similarities: Floats, preference: float, reach: int) -> Clusters:
        n_units = len(similarities)
        if np.count_nonzero(similarities) == np.count_nonzero(similarities.diagonal()):
            # no two units within reach have a word in common
            if preference > 0:
                return Clusters(list(range(1, n_units)), list(range(n_units)), True, 0)
            return Clusters([], [0], True, 0)
        found = propagate(
            similarities, preference, reach, self.damping, self.patience, self.max_iterations
        )
        if not found.converged:
            warnings.warn(
                f"aps: {n_units} units did not agree on exemplars in {found.iterations} rounds, so "
                "the segmentation may be poor: try a higher damping or max_iterations, or another "
                "preference",
                ConvergenceWarning,
                stacklevel=4,
            )
        return found
