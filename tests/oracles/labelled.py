"""Measures on labelled segments, unit by unit and by the letter: slow and plain."""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, groupby, pairwise, permutations

Label = str | None


class Part:
    """A segment as the set of its units, with its label."""

    def __init__(self, units: set[int], label: Label) -> None:
        self.units, self.label = units, label


def parts(masses: Sequence[int], labels: Sequence[Label], ignore: Sequence[str] = ()) -> list[Part]:
    """The segments that count."""
    ends = [0]
    for mass in masses:
        ends.append(ends[-1] + mass)
    found = [
        Part(set(range(a, b)), label) for (a, b), label in zip(pairwise(ends), labels, strict=True)
    ]
    return [part for part in found if part.label is None or part.label not in ignore]


def iou(r: Part, h: Part, compared: bool) -> Fraction:
    """Shared over covered units; 0 if labels are compared and differ."""
    if compared and (r.label != h.label or r.label is None):
        return Fraction(0)
    return Fraction(len(r.units & h.units), len(r.units | h.units))


def reaches(value: Fraction, threshold: Fraction, strict: bool) -> bool:
    return value > 0 and (value > threshold if strict else value >= threshold)


def optimal(
    refs: list[Part], hyps: list[Part], compared: bool, threshold: Fraction, strict: bool
) -> int:
    """Kuhn's algorithm: the largest one-to-one matching."""
    edges = [
        [j for j, h in enumerate(hyps) if reaches(iou(r, h, compared), threshold, strict)]
        for r in refs
    ]
    owner: dict[int, int] = {}

    def augment(i: int, seen: set[int]) -> bool:
        for j in edges[i]:
            if j not in seen:
                seen.add(j)
                if j not in owner or augment(owner[j], seen):
                    owner[j] = i
                    return True
        return False

    return sum(augment(i, set()) for i in range(len(refs)))


def argmax(
    refs: list[Part], hyps: list[Part], compared: bool, threshold: Fraction, strict: bool
) -> int:
    """As programs of action segmentation count: the first largest IoU, if it is free."""
    hits = [False] * len(refs)
    for h in hyps:
        values = [iou(r, h, compared) for r in refs]
        if not values:
            continue
        best = values.index(max(values))
        if reaches(values[best], threshold, strict) and not hits[best]:
            hits[best] = True
    return sum(hits)


def found_by_any(
    ours: list[Part], theirs: list[Part], compared: bool, threshold: Fraction, strict: bool
) -> int:
    """How many of ours reach the threshold with any of theirs."""
    return sum(
        any(reaches(iou(part, other, compared), threshold, strict) for other in theirs)
        for part in ours
    )


def soda(refs: list[Part], hyps: list[Part], compared: bool) -> Fraction:
    """The largest sum of IoU over matchings that keep the order."""

    @cache
    def best(i: int, j: int) -> Fraction:
        if i == len(refs) or j == len(hyps):
            return Fraction(0)
        pair = iou(refs[i], hyps[j], compared) + best(i + 1, j + 1)
        return max(best(i + 1, j), best(i, j + 1), pair)

    return best(0, 0)


# ---- labels of units ----


def spelled(masses: Sequence[int], labels: Sequence[Label]) -> list[Label]:
    """The label of each unit."""
    return [label for mass, label in zip(masses, labels, strict=True) for _ in range(mass)]


def same_pairs(*sides: list[Label]) -> int:
    """Pairs of units that have the same label on all of these sides."""
    return sum(
        all(side[i] == side[j] and side[i] is not None for side in sides)
        for i, j in combinations(range(len(sides[0])), 2)
    )


def entropy(counts: Counter[object]) -> float:
    total = sum(counts.values())
    return -sum(n / total * math.log2(n / total) for n in counts.values())


def over_under(ref: list[Label], hyp: list[Label], marginal: bool) -> tuple[float, float]:
    """1 − H(h|r) / norm and 1 − H(r|h) / norm, with the choices for one label."""
    of_ref, of_hyp = Counter[object](ref), Counter[object](hyp)
    joint = entropy(Counter(zip(ref, hyp, strict=True)))

    def part(own: Counter[object], other: Counter[object]) -> float:
        if len(own) == 1:
            return 1.0
        if len(other) == 1:
            return 0.0
        return 1 - (joint - entropy(other)) / (entropy(own) if marginal else math.log2(len(own)))

    return part(of_hyp, of_ref), part(of_ref, of_hyp)


def accuracy(ref: list[Label], hyp: list[Label]) -> int:
    return sum(a == b and a is not None for a, b in zip(ref, hyp, strict=True))


def mapped(ref: list[Label], hyp: list[Label]) -> int:
    """The best of all one-to-one mappings of labels."""
    names = sorted({label for label in (*ref, *hyp) if label is not None})
    return max(
        (
            accuracy(ref, [None if label is None else dict(zip(names, order, strict=True))[label]
                           for label in hyp])
            for order in permutations(names)
        ),
        default=0,
    )  # fmt: skip


def levenshtein(labels: Sequence[Label], other: Sequence[Label]) -> int:
    """Insertions, deletions and substitutions, by its recursion."""

    @cache
    def distance(i: int, j: int) -> int:
        if not i or not j:
            return i + j
        same = labels[i - 1] == other[j - 1] and labels[i - 1] is not None
        return min(
            distance(i - 1, j) + 1, distance(i, j - 1) + 1, distance(i - 1, j - 1) + (not same)
        )

    return distance(len(labels), len(other))


# ---- titles of matched segments, by trying every matching ----


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


def runs(frames: Sequence[str], background: Sequence[str] = ()) -> list[tuple[str, int, int]]:
    """(label, start, end) of each run that is no background."""
    found, start = [], 0
    for label, members in groupby(frames):
        end = start + len(list(members))
        if label not in background:
            found.append((label, start, end))
        start = end
    return found


def f_at(
    truth: Sequence[str], predicted: Sequence[str], overlap: float, background: Sequence[str] = ()
) -> tuple[int, int, int]:
    """(tp, fp, fn) at a threshold, in floating point, as the programs compute it."""
    true, guesses = runs(truth, background), runs(predicted, background)
    hits = [False] * len(true)
    tp = 0
    for label, start, end in guesses:
        values = [
            (min(end, e) - max(start, s)) / (max(end, e) - min(start, s)) * (label == other)
            for other, s, e in true
        ]
        best = max(range(len(values)), key=values.__getitem__, default=None)
        if best is not None and values[best] >= overlap and not hits[best]:
            hits[best] = True
            tp += 1
    return tp, len(guesses) - tp, len(true) - sum(hits)


def entity_f1(truth: Sequence[str], predicted: Sequence[str], outside: str = "O") -> float:
    """F1 of entities that are exactly right."""
    true, guesses = set(runs(truth, [outside])), set(runs(predicted, [outside]))
    right = len(true & guesses)
    return 2 * right / (len(true) + len(guesses))
