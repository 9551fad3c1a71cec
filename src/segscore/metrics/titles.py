"""Titles of segments: chapters that overlap enough should have similar titles.

Segments are matched by IoU, one to one and as many as possible (below, the matching of
`SegmentMatch`; of equals, the matching with the largest IoU, then with the most similar titles).
The similarity of their titles then replaces the match. Segments without a partner or a title count
0. Titles are similar by the words that they share; or by ROUGE-L, which the package rouge-score
computes with its stemmer, as in programs for video chapters; or by any function of two titles.

The matching of segments of two segmentations of a document, by their overlap.

Pairs of segments that overlap have an order: the next pair has the next segment of one side, or of
both. A matching never crosses, and two pairs that exclude each other are neighbours in that order.
So a single pass finds the best matching: as many pairs as possible, then the largest sum of IoU,
then the pairs that are worth the most.
"""

import re
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from segscore.basics.arguments import Floats, check_choice, is_whole, shown
from segscore.errors import MetricWarning, SegmentationError, needing
from segscore.metrics.base import PrecisionRecallMetric
from segscore.metrics.label_codes import label_codes, labelled_segments, segment_starts
from segscore.metrics.ratios import plain_numbers, ratio
from segscore.pairing.pairs import Pairs

OverlappingPair = tuple[int, int, float]  # segments of reference and hypothesis, and their IoU


def matched_segments(
    ref_edges: Sequence[int],
    hyp_edges: Sequence[int],
    iou: Fraction,
    worth: Callable[[int, int], float] = lambda *_: 0.0,
) -> list[OverlappingPair]:
    """Match segments whose IoU reaches the threshold; edges include 0 and N.

    worth: the worth of a pair of segments, given by their numbers.

    >>> matched_segments([0, 10, 14], [0, 3, 14], Fraction(1, 4))
    [(0, 0, 0.3), (1, 1, 0.36363636363636365)]
    """
    pairs = _reaching(ref_edges, hyp_edges, iou)
    # best[i]: number, sum of IoU and worth of the best matching among the first i pairs
    best: list[tuple[int, float, float]] = [(0, 0.0, 0.0)]
    taken: list[bool] = []
    # for each pair, the number of pairs before the first that shares a segment with it
    first_of_ref: dict[int, int] = {}
    first_of_hyp: dict[int, int] = {}
    before = [
        min(first_of_ref.setdefault(ref, place), first_of_hyp.setdefault(hyp, place))
        for place, (ref, hyp, _) in enumerate(pairs)
    ]
    for place, (ref, hyp, shared) in enumerate(pairs):
        count, total, value = best[before[place]]
        # rounded, so that sums in another order are the same
        with_it = count + 1, round(total + shared, 9), value + worth(ref, hyp)
        taken.append(with_it > best[place])
        best.append(max(with_it, best[place]))
    chosen: list[OverlappingPair] = []
    place = len(pairs)
    while place:
        if taken[place - 1]:
            chosen.append(pairs[place - 1])
            place = before[place - 1]
        else:
            place -= 1
    return chosen[::-1]


def _reaching(
    ref_edges: Sequence[int], hyp_edges: Sequence[int], iou: Fraction
) -> list[OverlappingPair]:
    """The pairs that overlap enough, in order; compared in whole numbers."""
    found: list[OverlappingPair] = []
    ref = hyp = 0
    while ref < len(ref_edges) - 1 and hyp < len(hyp_edges) - 1:
        start, end = ref_edges[ref], ref_edges[ref + 1]
        first, last = hyp_edges[hyp], hyp_edges[hyp + 1]
        shared, both = min(end, last) - max(start, first), max(end, last) - min(start, first)
        if shared * iou.denominator >= both * iou.numerator:
            found.append((ref, hyp, shared / both))
        ref, hyp = ref + (end <= last), hyp + (last <= end)
    return found


Similarity = Callable[[str, str], float]  # of the reference's title and the hypothesis's, 0 … 1
Compared = Literal["matched", "joined"]

_COMPARED = ("matched", "joined")


@dataclass(frozen=True)
class TitleMatch(PrecisionRecallMetric):
    """The similarity of titles of segments that overlap enough; segments without a partner count 0.

    Labels are the titles. With Σ s, the sum of similarities over matched pairs, precision is Σ s
    over the segments of the hypothesis, recall over those of the reference, and the value is F = 2
    Σ s / (both). Parts: `precision`, `recall`, `f`; `matched_similarity`, the mean over matched
    pairs alone; `matched`, their number. A segment without a title has similarity 0 to all others.
    A document whose reference has no title has no value. Higher is better.

    Parameters
    ----------
    iou: the least share of the units they cover together that two segments must have in common,
        above 0 and at most 1.
    similarity: "words": F of the words that two titles share, 2 × shared / (words of both), after
        folding case; each word counts as often as it occurs in both, and a title without letters
        or digits shares nothing. "rouge-l": F of ROUGE-L with stems, by rouge-score: `pip install
        'segscore[titles]'`. In Python, any callable of two titles, that of the reference first,
        that gives a number 0 … 1.
    compare: "matched": titles of segments that are matched. "joined": all titles of a document as a
        single text, one per line; their positions do not count. The value is then the mean over
        documents, and there is no precision or recall.

    >>> from segscore import Segmentation
    >>> ref = Segmentation.from_masses([4, 6], segment_labels=["Heavy rain", "The bus"])
    >>> hyp = Segmentation.from_masses([5, 5], segment_labels=["Rain in town", "A late bus"])
    >>> round(TitleMatch()(ref, hyp), 4)
    0.4
    >>> same = lambda title, other: float(title.split()[-1] == other.split()[-1])
    >>> score = TitleMatch(similarity=same)(ref, hyp)
    >>> score, score.matched
    (0.5, 2.0)
    """

    name = "titles"
    uses_labels = True
    nothing_counts = "the reference has no title"

    iou: float = 0.5
    similarity: str | Similarity = "words"
    compare: Compared = "matched"

    def __post_init__(self) -> None:
        check_choice(self.compare, "compare", _COMPARED)
        if not callable(self.similarity):
            check_choice(self.similarity, "similarity", tuple(_SIMILARITIES))
        plain_numbers(self)
        number = isinstance(self.iou, int | float) and not isinstance(self.iou, bool)
        if not number or not 0 < self.iou <= 1:
            raise SegmentationError(
                f"iou is {shown(self.iou)}: expected a number above 0, 1 at most"
            )
        object.__setattr__(self, "symmetric", not callable(self.similarity))

    @property
    def statistic_names(self) -> tuple[str, ...]:
        """The sum of similarities, the matched pairs, and the segments; for joined titles,
        documents."""
        if self.compare == "joined":
            return "similarity", "documents"
        return "similarity", "matched", "ref_segments", "hyp_segments"

    def rows(self, pairs: Pairs, threads: int | None = 1) -> Floats:
        """Statistics of each pair."""
        del threads
        titles = {side: self._titles(pairs, side) for side in ("ref", "hyp")}
        alike = _checked(_SIMILARITIES.get(self.similarity, self.similarity))
        starts = {side: segment_starts(pairs, side).tolist() for side in ("ref", "hyp")}
        known = self._titled(pairs)
        rows = np.zeros((len(pairs), len(self.statistic_names)))
        for row in np.flatnonzero(known).tolist():
            both = [
                titles[side][starts[side][row] : starts[side][row + 1]] for side in ("ref", "hyp")
            ]
            rows[row] = (
                (_joined(both, alike), 1)
                if self.compare == "joined"
                else self._matched(pairs, row, both, alike)
            )
        return rows

    def _matched(
        self, pairs: Pairs, row: int, titles: list[list[str | None]], alike: Similarity
    ) -> tuple[float, int, int, int]:
        edges = []
        for offsets, positions in (
            (pairs.ref_offsets, pairs.ref_positions),
            (pairs.hyp_offsets, pairs.hyp_positions),
        ):
            inside = positions[int(offsets[row]) : int(offsets[row + 1])].tolist()
            edges.append([0, *inside, int(pairs.n_units[row])])

        def worth(ref: int, hyp: int) -> float:
            title, other = titles[0][ref], titles[1][hyp]
            return 0.0 if title is None or other is None else alike(title, other)

        found = matched_segments(edges[0], edges[1], Fraction(repr(float(self.iou))), worth)
        total = sum(worth(ref, hyp) for ref, hyp, _ in found)
        return total, len(found), len(titles[0]), len(titles[1])

    def _titles(self, pairs: Pairs, side: str) -> list[str | None]:
        """The title of each segment, row after row."""
        codes = label_codes(pairs, side, self.name)
        if not codes.size:
            return [None] * int(segment_starts(pairs, side)[-1])
        names = [*pairs.label_names, None]  # the last one is that of code -1
        return [names[code] for code in codes.tolist()]

    def _titled(self, pairs: Pairs) -> NDArray[np.bool_]:
        """Whether the reference of each document has a title."""
        return labelled_segments(pairs, "ref", label_codes(pairs, "ref", self.name)) > 0

    def rates(self, rows: Floats) -> tuple[Floats, Floats, Floats]:
        """Precision, recall and F; for joined titles, their mean similarity three times."""
        total = rows[:, 0]
        if self.compare == "joined":
            return (ratio(total, rows[:, 1]),) * 3
        n_ref, n_hyp = rows[:, 2], rows[:, 3]
        return ratio(total, n_hyp), ratio(total, n_ref), ratio(2 * total, n_ref + n_hyp)

    def part_values(self, rows: Floats) -> dict[str, Floats]:
        """Precision, recall, F, the mean over matched pairs, and the statistics."""
        if self.compare == "joined":
            return dict(zip(self.statistic_names, rows.T, strict=True))
        mean = {"matched_similarity": ratio(rows[:, 0], rows[:, 1])}
        return {**super().part_values(rows), **mean}

    def undefined(self, pairs: Pairs, values: Floats) -> NDArray[np.bool_]:
        """Whether the reference of each document has no title."""
        del values
        return ~self._titled(pairs)

    def why_undefined(self, pairs: Pairs, row: int) -> str:
        """The reason: the reference has no titles."""
        del pairs, row
        return f"{self.nothing_counts} (segment_labels=[…])"

    def signature_fields(self) -> dict[str, Any]:
        """All fields, without the threshold if segments are not matched."""
        given = super().signature_fields()
        return {k: v for k, v in given.items() if k != "iou" or self.compare == "matched"}


def _joined(titles: list[list[str | None]], alike: Similarity) -> float:
    ref, hyp = ("\n".join(filter(None, side)) for side in titles)
    return alike(ref, hyp) if hyp else 0.0


def _checked(similarity: Any) -> Similarity:
    """The similarity function, called once for each pair of titles; raise if its result is not a
    similarity."""

    @lru_cache(maxsize=65536)
    def alike(ref: str, hyp: str) -> float:
        value = similarity(ref, hyp)
        known = isinstance(value, int | float | np.floating) or is_whole(value)
        if not known or not 0 <= float(value) <= 1:
            raise SegmentationError(
                f"similarity of {ref!r} and {hyp!r} is {shown(value)}: expected a number 0 … 1"
            )
        return float(value)

    return alike


def shared_words(ref: str, hyp: str) -> float:
    """The F of the words that two titles share, after folding case.

    >>> shared_words("The late bus", "A bus, and the tram")
    0.5
    """
    words = [Counter(_WORD.findall(title.casefold())) for title in (ref, hyp)]
    n_words = sum(count.total() for count in words)
    return 2 * (words[0] & words[1]).total() / n_words if n_words else 0.0


def rouge_l(ref: str, hyp: str) -> float:
    """The F of ROUGE-L with stems, by rouge-score."""
    if any(character.isalnum() and not character.isascii() for character in ref + hyp):
        warnings.warn(_FOREIGN, MetricWarning, stacklevel=2)
    return float(_rouge_scorer().score(ref, hyp)["rougeL"].fmeasure)


@lru_cache(maxsize=1)
def _rouge_scorer() -> Any:
    with needing("titles", "ROUGE-L"):
        from rouge_score.rouge_scorer import RougeScorer
    return RougeScorer(["rougeL"], use_stemmer=True)


_SIMILARITIES: dict[Any, Similarity] = {"words": shared_words, "rouge-l": rouge_l}
_WORD = re.compile(r"\w+")
_FOREIGN = (
    "rouge-score takes letters other than a … z for spaces, and titles have some: similarities are "
    "too low; similarity= takes a function that knows this language"
)
