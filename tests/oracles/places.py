"""Places, word by word: a run of marked positions at most `within` apart, cut at its widest gap
(ties: leftmost) until no coder has two marks in one."""

from itertools import pairwise

Marks = dict[str, set[int]]


def runs(marks: Marks, within: int) -> list[list[int]]:
    """Marked positions in runs."""
    found: list[list[int]] = []
    for position in sorted(set().union(*marks.values())):
        if found and position - found[-1][-1] <= within:
            found[-1].append(position)
        else:
            found.append([position])
    return found


def cut(run: list[int], marks: Marks) -> list[list[int]]:
    """A run, or its parts."""
    if all(len(theirs & set(run)) < 2 for theirs in marks.values()):
        return [run]
    gaps = [after - before for before, after in pairwise(run)]
    widest = gaps.index(max(gaps)) + 1
    return cut(run[:widest], marks) + cut(run[widest:], marks)


def places(marks: Marks, within: int) -> list[dict[int, list[str]]]:
    """Each place: its positions, and who marks them."""
    return [
        {
            position: [coder for coder, theirs in marks.items() if position in theirs]
            for position in part
        }
        for run in runs(marks, within)
        for part in cut(run, marks)
    ]
