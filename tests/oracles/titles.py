"""Titles of matched segments, by trying every matching."""

from collections.abc import Callable, Sequence
from fractions import Fraction

Segment = tuple[int, int, str | None]  # start, end, title
Worth = Callable[[str | None, str | None], float]


def overlap(ref: Segment, hyp: Segment) -> Fraction:
    shared = max(0, min(ref[1], hyp[1]) - max(ref[0], hyp[0]))
    return Fraction(shared, ref[1] - ref[0] + hyp[1] - hyp[0] - shared)


def best_matching(
    refs: Sequence[Segment], hyps: Sequence[Segment], iou: Fraction, worth: Worth
) -> list[tuple[int, int]]:
    """As many pairs as possible, then the largest sum of IoU, then the most similar titles."""

    def extended(
        number: int, used: frozenset[int]
    ) -> tuple[int, Fraction, float, list[tuple[int, int]]]:
        if number == len(refs):
            return 0, Fraction(0), 0.0, []
        best = extended(number + 1, used)
        for other, hyp in enumerate(hyps):
            share = overlap(refs[number], hyp)
            if other not in used and share >= iou:
                count, total, value, pairs = extended(number + 1, used | {other})
                value += worth(refs[number][2], hyp[2])
                made = count + 1, total + share, value, [(number, other), *pairs]
                best = max(best, made, key=lambda matching: matching[:3])
        return best

    return extended(0, frozenset())[3]


def title_f(
    refs: Sequence[Segment],
    hyps: Sequence[Segment],
    iou: Fraction,
    similarity: Callable[[str, str], float],
) -> float:
    """2 Σ s / (segments of both): what has no partner, or no title, counts 0."""

    def worth(title: str | None, other: str | None) -> float:
        return 0.0 if title is None or other is None else similarity(title, other)

    pairs = best_matching(refs, hyps, iou, worth)
    return 2 * sum(worth(refs[r][2], hyps[h][2]) for r, h in pairs) / (len(refs) + len(hyps))
