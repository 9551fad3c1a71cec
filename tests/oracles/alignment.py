"""Levenshtein's distance between sequences, cell by cell."""

from collections.abc import Sequence


def distance(words: Sequence[str], other: Sequence[str]) -> int:
    """How many words must be replaced, left out or added to make one into the other."""
    table = [[0] * (len(other) + 1) for _ in range(len(words) + 1)]
    for i in range(len(words) + 1):
        for j in range(len(other) + 1):
            if not i or not j:
                table[i][j] = i + j
                continue
            table[i][j] = min(
                table[i - 1][j - 1] + (words[i - 1] != other[j - 1]),
                table[i - 1][j] + 1,
                table[i][j - 1] + 1,
            )
    return table[-1][-1]
