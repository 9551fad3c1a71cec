"""Segment precision, recall and F: segments matched by their overlap, and by their labels.

IoU of two segments r and h is |r ∩ h| / |r ∪ h|, lengths in units. A pair matches if its IoU
reaches a threshold. Programs differ in which pairs count:

- `optimal`: one to one, as many as possible.
- `argmax`: hypothesis segments in order take the reference segment with the largest IoU, if it is
  still free, as in the programs of temporal action segmentation (Lea et al. 2017: F1@10, F1@25,
  F1@50). From a threshold of .5 on, this equals `optimal`.
- `any`: many to many. Precision is the share of hypothesis segments that reach the threshold with
  any reference segment, recall the reverse, as in programs for video chapters.
- `soda`: no threshold. Σ IoU of the best one-to-one matching that keeps the order, after Fujita et
  al. (2020), takes the place of the number of matches.

With threshold 1 this is word F1 (word segmentation), with labels strict entity F1.

Titles of segments: chapters that overlap enough should have similar titles.

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

import math
import re
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from segscore._kernels import segment_matching
from segscore.basics.arguments import Floats, check_choice, is_whole, number, shown, truth
from segscore.errors import MetricWarning, SegmentationError, needing
from segscore.metrics import label_agreement as labelled
from segscore.metrics.base import PrecisionRecallMetric, f_of_rates, plain_numbers, ratio
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
        number(self.iou, "iou", "a number above 0 and at most 1", math.ulp(0), 1)
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
        starts = {side: labelled.segment_starts(pairs, side).tolist() for side in ("ref", "hyp")}
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
        for side in ("ref", "hyp"):
            first, last = getattr(pairs, f"{side}_offsets")[row : row + 2].tolist()
            inside = getattr(pairs, f"{side}_positions")[first:last].tolist()
            edges.append([0, *inside, int(pairs.n_units[row])])

        def worth(ref: int, hyp: int) -> float:
            title, other = titles[0][ref], titles[1][hyp]
            return 0.0 if title is None or other is None else alike(title, other)

        found = matched_segments(edges[0], edges[1], Fraction(repr(float(self.iou))), worth)
        total = sum(worth(ref, hyp) for ref, hyp, _ in found)
        return total, len(found), len(titles[0]), len(titles[1])

    def _titles(self, pairs: Pairs, side: str) -> list[str | None]:
        """The title of each segment, row after row."""
        codes = labelled.label_codes(pairs, side, self.name)
        if not codes.size:
            return [None] * int(labelled.segment_starts(pairs, side)[-1])
        names = [*pairs.label_names, None]  # the last one is that of code -1
        return [names[code] for code in codes.tolist()]

    def _titled(self, pairs: Pairs) -> NDArray[np.bool_]:
        """Whether the reference of each document has a title."""
        return (
            labelled.labelled_segments(pairs, "ref", labelled.label_codes(pairs, "ref", self.name))
            > 0
        )

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
        unused = ("iou",) if self.compare == "joined" else ()
        return {k: v for k, v in super().signature_fields().items() if k not in unused}


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


SegmentMatching = Literal["optimal", "argmax", "any", "soda"]

_MATCHINGS = ("optimal", "argmax", "any", "soda")  # in the order of the kernel's numbers
_COMPARED_LABELS = {False: 0, True: 1, None: 2}
_LARGEST = 2**62
_FREE_LABELS = (
    "segment-f1 compares labels, because both sides have some, and they share none or hardly any: "
    "segments with other labels never match. If labels are titles in free words, use labels=no, as "
    "in segment-f1(labels=no); labels=yes compares them without this warning"
)


@dataclass(frozen=True)
class SegmentMatch(PrecisionRecallMetric):
    """F of segments that overlap enough, F1 = 2·tp / (segments of ref + segments of hyp).

    Two segments match if their IoU, the units they share over the units they cover together,
    reaches `iou`, and if they have the same label where labels are compared. `matching` says which
    pairs count (see the module's docstring). Parts: `precision`, `recall`, `f`, `tp`, `fp`, `fn`;
    with `soda` Σ IoU is `overlap` and there are no counts. The micro-average adds counts over
    documents (F1@k of action segmentation). A document without a segment on either side (after
    `ignore`) has no value; among other documents that is not an error. Higher is better.

    Parameters
    ----------
    iou: the threshold, above 0 and at most 1. It is taken as the decimal number written, and
        compared in whole numbers, so that .3 means three tenths. `soda` does not use it.
    strict: True: IoU must be larger than the threshold.
    labels: whether segments must have the same label: True, False, or None: in documents where both
        sides have any. A segment without a label then matches nothing. There is a warning if both
        sides have labels but hardly any in common, as with titles of chapters: use False then.
    ignore: labels such as "background" whose segments are not counted, on either side; as text,
        "background/pause/".
    matching: "optimal", "argmax", "any" or "soda".

    >>> from segscore import Segmentation
    >>> ref, hyp = Segmentation.from_masses([10, 4]), Segmentation.from_masses([3, 11])
    >>> SegmentMatch(iou=0.25)(ref, hyp), SegmentMatch(iou=0.25, matching="argmax")(ref, hyp)
    (1.0, 0.5)
    >>> ref = Segmentation.from_masses([4, 6], segment_labels=["pour", "stir"])
    >>> hyp = Segmentation.from_masses([5, 5], segment_labels=["pour", "drink"])
    >>> score = SegmentMatch()(ref, hyp)
    >>> score, score.tp, SegmentMatch(labels=False)(ref, hyp)
    (0.5, 1.0, 1.0)
    """

    name = "segment-f1"
    reading = "segments that overlap enough count as found"
    symmetric = False  # of an object: argmax only looks from the hypothesis
    uses_labels = True  # of an object: unless labels=False

    iou: float = 0.5
    strict: bool = False
    labels: bool | None = None
    ignore: tuple[str, ...] = ()
    matching: SegmentMatching = "optimal"

    def __post_init__(self) -> None:
        check_choice(self.matching, "matching", _MATCHINGS)
        truth(self.strict, "strict")
        if self.labels is not None and not isinstance(self.labels, bool):
            raise SegmentationError(f"labels is {shown(self.labels)}: expected True, False or None")
        plain_numbers(self)
        iou = self.iou
        is_number = isinstance(iou, int | float) and not isinstance(iou, bool)
        if not is_number or not 0 <= iou <= 1 or iou == (1 if self.strict else 0):
            raise SegmentationError(
                f"iou is {shown(iou)}: expected a number above 0 and at most 1 (with strict: "
                "at least 0 and below 1)"
            )
        if self._fraction().denominator > _LARGEST:
            raise SegmentationError(f"iou is {iou}: expected at most 18 decimals")
        object.__setattr__(self, "ignore", labelled.checked_ignore(self.ignore))
        object.__setattr__(self, "symmetric", self.matching != "argmax")
        object.__setattr__(self, "uses_labels", self.labels is not False or bool(self.ignore))

    def _fraction(self) -> Fraction:
        """The threshold as written."""
        return Fraction(repr(float(self.iou)))

    @property
    def statistic_names(self) -> tuple[str, ...]:
        """The matches (of both sides if many may match), and the segments that count."""
        if self.matching == "any":
            return "ref_matched", "hyp_matched", "ref_segments", "hyp_segments"
        return "overlap" if self.matching == "soda" else "tp", "ref_segments", "hyp_segments"

    def rows(self, pairs: Pairs, threads: int | None = 1) -> Floats:
        """Statistics of each pair."""
        iou = self._fraction()
        ref, hyp = self._codes(pairs, "ref"), self._codes(pairs, "hyp")
        if self.labels is None and labelled.share_hardly_any(pairs, ref, hyp):
            warnings.warn(_FREE_LABELS, MetricWarning, stacklevel=2)
        return pairs.rows(
            segment_matching.segment_match,
            len(self.statistic_names),
            ref,
            hyp,
            _COMPARED_LABELS[self.labels],
            iou.numerator,
            iou.denominator,
            self.strict,
            _MATCHINGS.index(self.matching),
            threads=threads,
        )

    def _codes(self, pairs: Pairs, side: str) -> labelled.Codes:
        """The labels of a side; none if labels do not matter, so that several labels are not an
        error."""
        if self.labels is False and not self.ignore:
            return np.empty(0, np.int32)
        return labelled.label_codes(pairs, side, self.name, self.ignore)

    def worst_rows(self, pairs: Pairs, rows: Floats) -> Floats:
        """The rows in which nothing is found: the hypothesis has no segments, the reference all of
        its own."""
        if self.labels:  # documents of which one side has no label have rows of zeros
            rows = replace(self, labels=False).rows(pairs)
        found = np.zeros_like(rows)
        found[:, -2] = rows[:, -2]
        return found

    def rates(self, rows: Floats) -> tuple[Floats, Floats, Floats]:
        """Precision, recall and F."""
        n_ref, n_hyp = rows[:, -2], rows[:, -1]
        if self.matching == "any":
            precision, recall = ratio(rows[:, 1], n_hyp), ratio(rows[:, 0], n_ref)
            return precision, recall, f_of_rates(precision, recall)
        found = rows[:, 0]
        return ratio(found, n_hyp), ratio(found, n_ref), ratio(2 * found, n_ref + n_hyp)

    def part_values(self, rows: Floats) -> dict[str, Floats]:
        """Precision, recall, F and the counts."""
        parts = super().part_values(rows)
        if self.matching not in ("optimal", "argmax"):
            return parts
        tp, n_ref, n_hyp = rows.T
        rates = {name: parts[name] for name in ("precision", "recall", "f")}
        return {**rates, "tp": tp, "fp": n_hyp - tp, "fn": n_ref - tp, **parts}

    def undefined(self, pairs: Pairs, values: Floats) -> NDArray[np.bool_]:
        """Whether one side of each document lacks the labels to compare."""
        if not self.labels:
            return np.zeros(len(values), np.bool_)
        return labelled.unlabelled(pairs, self.name)

    def why_undefined(self, pairs: Pairs, row: int) -> str:
        """The reason: no labels, or no segment that counts."""
        reason = labelled.without_labels(pairs, row) if self.labels else ""
        return reason or "neither side has a segment that counts"

    def signature_fields(self) -> dict[str, Any]:
        """All fields, without those that `soda` does not use."""
        unused = ("iou", "strict") if self.matching == "soda" else ()
        return {k: v for k, v in super().signature_fields().items() if k not in unused}
