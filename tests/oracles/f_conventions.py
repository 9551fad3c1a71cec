"""Boundaries that programs count as found, one document at a time, as each program's loop does it.

Each function gives (hypothesis boundaries found, all of them, reference boundaries found, all).
"""

Found = tuple[int, int, int, int]


def optimal(ref: list[int], hyp: list[int], reach: int) -> Found:
    """As many pairs as possible."""
    i = j = pairs = 0
    while i < len(ref) and j < len(hyp):
        near = abs(ref[i] - hyp[j]) <= reach
        left = ref[i] < hyp[j]
        pairs += near
        i += near or left
        j += near or not left
    return pairs, len(hyp), pairs, len(ref)


def any_near(ref: list[int], hyp: list[int], reach: int) -> Found:
    """Found is what has any of the other side near."""
    of_hyp = sum(any(abs(one - other) <= reach for other in ref) for one in hyp)
    of_ref = sum(any(abs(one - other) <= reach for other in hyp) for one in ref)
    return of_hyp, len(hyp), of_ref, len(ref)


def takes_all(ref: list[int], hyp: list[int], reach: int) -> Found:
    """Each reference boundary in turn takes every free one that is near."""
    free, found = list(hyp), 0
    for place in ref:
        near = [one for one in free if abs(one - place) <= reach]
        found += bool(near)
        free = [one for one in free if one not in near]
    return found, len(hyp), found, len(ref)


def nearest_first(ref: list[int], hyp: list[int], reach: int) -> Found:
    """The nearest two of all, then the nearest of the others."""
    free = {*ref}, {*hyp}
    found = 0
    for apart, one, other in sorted((abs(a - b), a, b) for a in ref for b in hyp):
        if apart <= reach and one in free[0] and other in free[1]:
            free[0].remove(one)
            free[1].remove(other)
            found += 1
    return found, len(hyp), found, len(ref)


def nearest_in_turn(ref: list[int], hyp: list[int], reach: int) -> Found:
    """Each reference boundary in turn takes the nearest free one."""
    free, found = list(hyp), 0
    for place in ref:
        near = [(abs(one - place), one) for one in free if abs(one - place) <= reach]
        if near:
            free.remove(min(near)[1])
            found += 1
    return found, len(hyp), found, len(ref)
