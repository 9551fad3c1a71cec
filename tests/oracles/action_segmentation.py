"""The scores of temporal action segmentation and of entity recognition, on lists of labels.

Written from their published descriptions: frames are grouped into runs of one label, background is
left out, and each predicted run takes the true run of its label with the largest IoU (Lea et al.
2017); an entity counts if its type and both its ends are right (CoNLL 2000, as seqeval counts).
"""

from collections.abc import Sequence
from itertools import groupby


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
