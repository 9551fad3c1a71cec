"""Numbers as recent scripts print them, written out by the letter: slow, on lists of boundaries.

A document is (reference, hypothesis, N): two ascending lists of positions 1 … N-1, and the number
of units. Sources stand with the conventions of the same name in `segscore.conventions`.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from statistics import fmean

Document = tuple[list[int], list[int], int]
Score = Callable[[list[int], list[int], int], float]


# ---- windows ----


def windows(ref: list[int], hyp: list[int], n: int, k: int, counted: bool) -> float:
    """The share of the N-k windows from unit i to unit i+k that have an error."""
    wrong = 0
    for i in range(1, n - k + 1):
        r, h = (sum(i <= p < i + k for p in positions) for positions in (ref, hyp))
        wrong += r != h if counted else (r > 0) != (h > 0)
    return wrong / (n - k)


def half_even(n: int, parts: int, least: int) -> int:
    return max(least, round(Fraction(n, 2 * parts)))


def paper(ref: list[int], hyp: list[int], n: int, counted: bool = False) -> float:
    return windows(ref, hyp, n, half_even(n, len(ref) + 1, 1), counted)


def by_segeval_rule(ref: list[int], hyp: list[int], n: int, counted: bool = False) -> float:
    return windows(ref, hyp, n, half_even(n, len(ref) + 1, 2), counted)


def labels(boundaries: list[int], n: int, last: int, first: int | None = None) -> str:
    """A label per unit: 1 = end, the last as given; or 1 = start, the first as given."""
    if first is not None:
        return str(first) + "".join("01"[i in boundaries] for i in range(1, n))
    return "".join("01"[i in boundaries] for i in range(1, n)) + str(last)


def in_string(ref: str, hyp: str, k: int, counted: bool) -> float:
    """The share of the stretches of k symbols that differ."""
    wrong = 0
    for i in range(len(ref) - k + 1):
        r, h = ref[i : i + k].count("1"), hyp[i : i + k].count("1")
        wrong += r != h if counted else (r > 0) != (h > 0)
    return wrong / (len(ref) - k + 1)


def superdialseg(ref: list[int], hyp: list[int], n: int, counted: bool = False) -> float:
    k = max(2, round(Fraction(n, 2 * (len(ref) + 1))))
    return in_string(labels(ref, n, 0), labels(hyp, n, 0), k, counted)


def as_gaps(ref: str, hyp: str, counted: bool) -> float:
    """Segeval on labels that it takes for the gaps of one unit more."""
    both = ([i + 1 for i, label in enumerate(side) if label == "1"] for side in (ref, hyp))
    return by_segeval_rule(*both, len(ref) + 1, counted)


def without_last_unit(ref: list[int], hyp: list[int], n: int, counted: bool = False) -> float:
    """MUG: N-1 units."""
    both = ([p for p in side if p < n - 1] for side in (ref, hyp))
    return by_segeval_rule(*both, n - 1, counted)


def runs(marks: str) -> list[int]:
    """Where a run of equal labels ends."""
    return [i for i in range(1, len(marks)) if marks[i] != marks[i - 1]]


def until_last_boundary(ref: list[int], hyp: list[int], counted: bool = False) -> float:
    return by_segeval_rule(ref, hyp, max(ref + hyp) + 1, counted)


def in_words(boundaries: list[int], lengths: Sequence[int]) -> list[int]:
    return [sum(lengths[:p]) for p in boundaries]


# ---- F1 ----


def f1(ref: Sequence[object], hyp: Sequence[object], label: object) -> float:
    """F1 of one label; 0 where it does not occur."""
    both = list(zip(ref, hyp, strict=True))
    tp = sum(r == h == label for r, h in both)
    total = sum((r == label) + (h == label) for r, h in both)
    return 2 * tp / total if total else 0.0


def macro_f1(ref: str, hyp: str) -> float:
    return (f1(ref, hyp, "0") + f1(ref, hyp, "1")) / 2


# ---- averages ----


def mean(documents: Sequence[Document], score: Score) -> float:
    return fmean(score(*document) for document in documents)


def swapped(documents: Sequence[Document]) -> list[Document]:
    return [(hyp, ref, n) for ref, hyp, n in documents]
