"""Letters for a table: systems that share one do not differ significantly.

The insert-and-absorb method: start with one group of all; where two members of a group differ,
split it into the group without the one and the group without the other; drop groups inside others
(Piepho 2004, "An algorithm for a letter-based representation of all-pairwise comparisons").
"""

from collections.abc import Iterable, Sequence
from itertools import product

_ALPHABET = "abcdefghijklmnoprstuvwxyz"  # no q: Unicode has no superscript of it


def letters(best_first: Sequence[int], different: Iterable[tuple[int, int]]) -> dict[int, str]:
    """The letters of each system; `a` is in the group of the best.

    >>> letters([2, 0, 1], [(2, 1)])  # 2 and 1 differ, 0 differs from neither
    {2: 'a', 0: 'ab', 1: 'b'}
    """
    groups = [frozenset(best_first)]
    for one, other in different:
        split = [
            part
            for group in groups
            for part in ([group - {one}, group - {other}] if {one, other} <= group else [group])
        ]
        groups = [group for group in dict.fromkeys(split) if not any(group < o for o in split)]
    place = {system: rank for rank, system in enumerate(best_first)}
    groups.sort(key=lambda group: sorted(place[system] for system in group))
    return {
        system: "".join(
            name for name, group in zip(_names(len(groups)), groups, strict=True) if system in group
        )
        for system in best_first
    }


def _names(n: int) -> list[str]:
    """Single letters, then pairs: a, b … z, aa, ab …"""
    names = list(_ALPHABET)
    while len(names) < n:
        names += ["".join(pair) for pair in product(names, _ALPHABET)]
    return names[:n]
