"""TextTiling (Hearst 1994; Hearst 1997, "TextTiling: segmenting text into multi-paragraph
subtopic passages"), with sentences (or any units) in place of paragraphs.

1. The tokens, stop words among them, are cut into pseudo-sentences of w tokens; stop words are not
   counted as words. No stemming.
2. The score of the gap between two pseudo-sentences is the cosine of the word counts of the k on
   its left and the k on its right (fewer at the ends of the text).
3. Scores are smoothed by a mean over three gaps.
4. The depth of a gap: how far the scores climb to its left and to its right; 0 unless both do.
5. From the deepest on, each gap moves to the nearest end of a unit (the later of two), at most five
   pseudo-sentences away, and takes it if no deeper gap has.
6. Boundaries are those of depth above mean − sd/2 (`HC`) or mean − sd (`LC`); or the K−1 deepest.

With `w=None` the units take the place of pseudo-sentences: each gap is a unit's end already.
Boundaries are ranked by depth.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from segscore._integers import shown, whole_number
from segscore.errors import SegmentationError
from segscore.segmentation import Segmentation
from segscore.segmenters.base import Floats, Segmenter, in_order
from segscore.segmenters.preprocessing import Preprocessing, count_words

CutOff = Literal["HC", "LC"]
CUT_OFFS = {"HC": 0.5, "LC": 1.0}  # standard deviations below the mean

UNSTEMMED = Preprocessing(stemmer=None)

_REACH = 5  # pseudo-sentences that a gap may move


def block_cosines(vectors: Any, k: int) -> Floats:
    """Cosine of the sums of the k rows before and the k rows after each gap; sparse or dense."""
    from scipy.sparse import dia_array

    n = vectors.shape[0]
    # before[g, r] = 1 for the rows g-k+1 … g of the gap after row g; after[g, r] for g+1 … g+k.
    before = dia_array((np.ones((k, n)), np.arange(0, -k, -1)), shape=(n - 1, n)).tocsr()
    after = dia_array((np.ones((k, n)), np.arange(1, k + 1)), shape=(n - 1, n)).tocsr()
    left, right = before @ vectors, after @ vectors
    dot, left_norm, right_norm = (
        _row_sums(a, b) for a, b in ((left, right), (left, left), (right, right))
    )
    norms = np.sqrt(left_norm * right_norm)
    return np.divide(dot, norms, out=np.zeros(n - 1), where=norms > 0)


def _row_sums(a: Any, b: Any) -> Floats:
    product = a.multiply(b) if hasattr(a, "multiply") else a * b
    return np.asarray(product.sum(axis=1), np.float64).ravel()


def smoothed(scores: Floats) -> Floats:
    """Mean over three neighbours; the first and the last score stay.

    >>> smoothed(np.array([0.0, 3.0, 3.0, 9.0]))
    array([0., 2., 5., 9.])
    """
    made = scores.copy()
    if len(scores) > 2:
        made[1:-1] = (scores[:-2] + scores[1:-1] + scores[2:]) / 3
    return made


def depths(scores: Floats) -> Floats:
    """How deep each score lies below the peaks left and right of it; 0 unless below both.

    >>> depths(np.array([5.0, 1.0, 2.0, 2.0, 0.0, 3.0]))
    array([0., 5., 0., 0., 5., 0.])
    """

    def climbed(values: list[float]) -> Floats:
        peaks = values[:1]
        for before, here in pairwise(values):
            peaks.append(peaks[-1] if before >= here else here)
        return np.array(peaks)

    left = climbed(scores.tolist()) - scores
    right = climbed(scores[::-1].tolist())[::-1] - scores
    return np.where((left > 0) & (right > 0), left + right, 0.0)


def deepest(
    depth: Floats, n_units: int, places: Sequence[int], n_segments: int | None, cutoff: CutOff
) -> Segmentation:
    """Boundaries from the depth at each of these places (each place once, deepest first)."""
    found = depth[depth > 0]
    if n_segments is not None:
        chosen = list(places[: n_segments - 1])
        return in_order(_filled(chosen, n_units, n_segments), n_units)
    if not found.size:
        return Segmentation.from_boundaries([], n_units)
    spread = float(found.std(ddof=1)) if found.size > 1 else 0.0
    limit = float(found.mean()) - CUT_OFFS[cutoff] * spread
    if spread == 0:  # one gap, or all as deep: none is less than the others
        limit = 0.0
    return in_order([p for p, d in zip(places, depth, strict=True) if d > max(limit, 0)], n_units)


def _filled(boundaries: list[int], n_units: int, n_segments: int) -> list[int]:
    """Where there are too few gaps for so many segments: halve the longest, again and again."""
    while len(boundaries) < n_segments - 1:
        ends = np.array([0, *sorted(boundaries), n_units])
        longest = int(np.argmax(np.diff(ends)))
        boundaries.append(int(ends[longest] + ends[longest + 1]) // 2)
    return boundaries


@dataclass(frozen=True)
class TextTiling(Segmenter):
    """Hearst's TextTiling on units; the fields are its letters.

    >>> cats, stars = "cats chase mice and cats purr", "stars shine and planets circle stars"
    >>> TextTiling(w=6, k=2)([cats] * 6 + [stars] * 6)
    Segmentation(masses=[6, 6], ranks=[1])
    """

    name: ClassVar[str] = "texttiling"
    grid: ClassVar[Mapping[str, Sequence[Any]]] = {
        "w": (10, 20, 30),
        "k": (3, 6, 10),
        "cutoff": ("HC", "LC"),
    }

    w: int | None = 20
    k: int = 6
    cutoff: CutOff = "HC"
    preprocessing: Preprocessing = UNSTEMMED

    def __post_init__(self) -> None:
        if self.w is not None:
            whole_number(self.w, "w", 1)
        whole_number(self.k, "k", 1)
        check_cutoff(self.cutoff)

    def _segment(self, units: list[str], n_segments: int | None) -> Segmentation:
        if self.w is None:
            vectors = self.preprocessing.counts(units)
            return tiles(vectors, self.k, n_segments, self.cutoff)
        tokens = [self.preprocessing.tokenise(unit) for unit in units]
        ends = np.cumsum([len(unit) for unit in tokens])
        blocks = self._pseudo_sentences([token for unit in tokens for token in unit])
        depth = depths(smoothed(block_cosines(count_words(blocks)[0], self.k)))
        order = np.argsort(-depth, kind="stable")
        owners: dict[int, float] = {}
        for gap in order:
            place = nearest_end((int(gap) + 1) * self.w, ends, _REACH * self.w)
            if place is not None:
                owners.setdefault(place, float(depth[gap]))
        return deepest(
            np.array(list(owners.values())), len(units), list(owners), n_segments, self.cutoff
        )

    def _pseudo_sentences(self, tokens: list[str]) -> list[list[str]]:
        words = self.preprocessing.keep(tokens)
        width = self.w or 1
        starts = range(0, max(len(tokens), 1), width)
        return [[word for word in words[at : at + width] if word] for at in starts]


def tiles(vectors: Any, k: int, n_segments: int | None, cutoff: CutOff) -> Segmentation:
    """TextTiling where each row is a unit: every gap is a place for a boundary."""
    depth = depths(smoothed(block_cosines(vectors, k)))
    order = np.argsort(-depth, kind="stable")
    return deepest(depth[order], vectors.shape[0], (order + 1).tolist(), n_segments, cutoff)


def nearest_end(position: int, ends: NDArray[np.int64], reach: int) -> int | None:
    """The inner unit end nearest to a token position (the later of two), or None beyond reach."""
    if len(ends) < 2:
        return None
    after = int(np.searchsorted(ends[:-1], position))
    around = [index for index in (after, after - 1) if 0 <= index < len(ends) - 1]
    index = min(around, key=lambda index: abs(int(ends[index]) - position))
    return index + 1 if abs(int(ends[index]) - position) <= reach else None


def check_cutoff(cutoff: Any) -> None:
    """Refuse what is no cut-off."""
    if cutoff not in CUT_OFFS:
        raise SegmentationError(f"cutoff is {shown(cutoff)}: expected 'HC' or 'LC'")
