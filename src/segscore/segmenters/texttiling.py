"""TextTiling (Hearst 1994; Hearst 1997, "TextTiling: segmenting text into multi-paragraph
subtopic passages"), with sentences (or any units) in place of paragraphs.

1. The tokens, with stop words, are cut into pseudo-sentences of w tokens; the rest at the end is
   ignored. Stop words are not counted as words.
2. The score of the gap between two pseudo-sentences is the cosine of the word counts of the k on
   its left and the k on its right; if one side has fewer than k, of three.
3. Scores are smoothed by a mean over three gaps.
4. The depth of a gap: how far the scores climb to its left, and to its right.
5. From the deepest gap to the least deep one, each gap that is at least `apart` pseudo-sentences
   from the gaps used before moves to the nearest end of a unit (the later of two), at most five
   pseudo-sentences away, if no deeper gap is there already.
6. Boundaries are those of depth above mean − sd/2 (`HC`) or mean − sd (`LC`); or the K−1 deepest.

Hearst's program uses a gap only if scores climb on both sides: `valleys=True`. There are then fewer
boundaries: on Choi's texts with 9-11 sentences per segment the error falls from 36 % to 18 %, with
3-5 it rises from 33 % to 36 %. The default is the variant for which errors of 33/33/29/37 % are
published (3-11, 3-5, 6-8 and 9-11 sentences); with runs of letters as tokens, Choi's stop list and
Porter's stems it agrees with them within one per cent.

With `w=None` units are used instead of pseudo-sentences: each gap is the end of a unit already, and
only valleys are boundaries, because slopes would give boundaries at neighbouring gaps. Boundaries
are ranked by depth.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from segscore.basics.arguments import Floats
from segscore.coding.segmentation import Segmentation
from segscore.segmenters.contract import Natural, Segmenter, ranked_by_order
from segscore.segmenters.preprocessing import CLASSIC, Preprocessing, count_words

CutOff = Literal["HC", "LC"]
CUT_OFFS = {"HC": 0.5, "LC": 1.0}  # standard deviations below the mean

_REACH = 5  # pseudo-sentences that a gap may move
_NEAR_ENDS = 3  # pseudo-sentences compared where one side of a gap has fewer than k


def gap_scores(vectors: Any, k: int) -> Floats:
    """Step 2: blocks of k, but of three near the ends of the text."""
    inside, near_ends = block_cosines(vectors, k), block_cosines(vectors, min(k, _NEAR_ENDS))
    before = np.arange(1, vectors.shape[0])
    enough = np.minimum(before, before[::-1]) >= k
    return np.where(enough, inside, near_ends)


def block_cosines(vectors: Any, k: int) -> Floats:
    """Cosine of the sums of the k rows before and the k rows after each gap; sparse or dense.

    Near the ends of the text there are fewer than k rows.
    """
    from scipy.sparse import dia_array

    n = vectors.shape[0]
    k = min(k, n)  # the tables below have k diagonals
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
    """Mean over three neighbours; of two for the first and the last.

    >>> smoothed(np.array([0.0, 3.0, 3.0, 9.0]))
    array([1.5, 2. , 5. , 6. ])
    """
    if not scores.size:  # a text of one pseudo-sentence
        return scores
    present = np.convolve(np.ones(len(scores)), np.ones(3))[1:-1]
    return np.convolve(scores, np.ones(3))[1:-1] / present


def depths(scores: Floats, valleys: bool = True) -> Floats:
    """How deep each score lies below the peaks left and right of it; in `valleys` only, or not.

    >>> depths(np.array([5.0, 3.0, 1.0, 4.0]))
    array([0., 0., 7., 0.])
    >>> depths(np.array([5.0, 3.0, 1.0, 4.0]), valleys=False)
    array([0., 2., 7., 0.])
    """

    def climbed(values: list[float]) -> Floats:
        peaks = values[:1]
        for before, after in pairwise(values):
            peaks.append(peaks[-1] if before >= after else after)
        return np.array(peaks)

    left = climbed(scores.tolist()) - scores
    right = climbed(scores[::-1].tolist())[::-1] - scores
    return np.where((left > 0) & (right > 0) | (not valleys), left + right, 0.0)


def deepest(
    depth: Floats, n_units: int, places: Sequence[int], n_segments: int | None, cutoff: CutOff
) -> Segmentation:
    """The boundaries from the depth at each of these places (each place once, deepest first)."""
    if n_segments is not None:
        chosen = list(places[: n_segments - 1])
        return ranked_by_order(_filled(chosen, n_units, n_segments), n_units)
    spread = float(depth.std(ddof=1)) if depth.size > 1 else 0.0
    limit = float(depth.mean()) - CUT_OFFS[cutoff] * spread if depth.size else 0.0
    if spread == 0:  # one gap, or all equally deep: use all
        limit = 0.0
    return ranked_by_order(
        [p for p, d in zip(places, depth, strict=True) if d > max(limit, 0)], n_units
    )


def _filled(boundaries: list[int], n_units: int, n_segments: int) -> list[int]:
    """If there are too few gaps for `n_segments`, cut the longest segment in half, repeatedly."""
    while len(boundaries) < n_segments - 1:
        ends = np.array([0, *sorted(boundaries), n_units])
        longest = int(np.argmax(np.diff(ends)))
        boundaries.append(int(ends[longest] + ends[longest + 1]) // 2)
    return boundaries


@dataclass(frozen=True)
class TextTiling(Segmenter):
    """Hearst's TextTiling on units.

    Parameters
    ----------
    w: tokens per pseudo-sentence. None: units are used instead of pseudo-sentences.
    k: pseudo-sentences per block that is compared.
    cutoff: how deep a gap must be if no number of segments is given: "HC" deeper than
        mean − sd/2, "LC" deeper than mean − sd (more boundaries).
    valleys: True uses only gaps with higher scores on both sides.
    apart: the least distance between two gaps, in pseudo-sentences.
    preprocessing: how texts become words: tokens, stop words and stems; see `Preprocessing`.

    >>> cats, stars = "cats chase mice and cats purr", "stars shine and planets circle stars"
    >>> TextTiling(w=6, k=2)([cats] * 6 + [stars] * 6)
    Segmentation(masses=[6, 6], ranks=[1])
    """

    name: ClassVar[str] = "texttiling"
    grid: ClassVar[Mapping[str, Sequence[Any]]] = {
        "w": (10, 20, 30),
        "k": (3, 6, 10),
        "cutoff": ("HC", "LC"),
        "valleys": (False, True),
    }

    w: Natural | None = 20
    k: Natural = 6
    cutoff: CutOff = "HC"
    valleys: bool = False
    apart: Natural = 3
    preprocessing: Preprocessing = CLASSIC

    def _segment(self, units: list[str], n_segments: int | None) -> Segmentation:
        if self.w is None:
            vectors = self.preprocessing.counts(units)
            return tiles(vectors, self.k, n_segments, self.cutoff)
        tokens = [self.preprocessing.tokenise(unit) for unit in units]
        ends = np.cumsum([len(unit) for unit in tokens])
        blocks = self._pseudo_sentences([token for unit in tokens for token in unit], self.w)
        scores = gap_scores(count_words(blocks)[0], self.k)
        owners = self._owners(depths(smoothed(scores), self.valleys), ends, self.w)
        return deepest(
            np.array(list(owners.values())), len(units), list(owners), n_segments, self.cutoff
        )

    def _pseudo_sentences(self, tokens: list[str], w: int) -> list[list[str]]:
        """The complete pseudo-sentences; a text that is too short is a single one."""
        words = self.preprocessing.keep(tokens)
        starts = range(0, max(len(words) - w, 0) + 1, w)
        return [[word for word in words[at : at + w] if word] for at in starts]

    def _owners(self, depth: Floats, ends: NDArray[np.int64], w: int) -> dict[int, float]:
        """Step 5: the unit end that each gap takes, deepest first, and its depth."""
        owners: dict[int, float] = {}
        too_near = np.zeros(len(depth), np.bool_)  # to a gap that has taken an end
        for gap in np.argsort(-depth, kind="stable").tolist():
            if self.valleys and depth[gap] == 0:
                break
            if too_near[gap]:
                continue
            place = nearest_end((gap + 1) * w, ends, _REACH * w)
            if place is not None and place not in owners:
                owners[place] = float(depth[gap])
                too_near[max(gap - self.apart + 1, 0) : gap + self.apart] = True
        return owners


def tiles(
    vectors: Any, k: int, n_segments: int | None, cutoff: CutOff, smoothing: bool = True
) -> Segmentation:
    """TextTiling with a row per unit: every valley is a possible boundary."""
    scores = block_cosines(vectors, k)
    depth = depths(smoothed(scores) if smoothing else scores)
    order = np.argsort(-depth, kind="stable")
    if n_segments is None:
        order = order[depth[order] > 0]
    return deepest(depth[order], vectors.shape[0], (order + 1).tolist(), n_segments, cutoff)


def nearest_end(position: int, ends: NDArray[np.int64], reach: int) -> int | None:
    """The inner unit end nearest to a token position (the later of two), or None beyond reach."""
    if len(ends) < 2:
        return None
    after = int(np.searchsorted(ends[:-1], position))
    around = [index for index in (after, after - 1) if 0 <= index < len(ends) - 1]
    index = min(around, key=lambda index: abs(int(ends[index]) - position))
    return index + 1 if abs(int(ends[index]) - position) <= reach else None
