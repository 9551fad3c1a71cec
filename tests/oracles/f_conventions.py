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
    """A boundary is found if any boundary of the other side is near."""
    of_hyp = sum(any(abs(boundary - other) <= reach for other in ref) for boundary in hyp)
    of_ref = sum(any(abs(boundary - other) <= reach for other in hyp) for boundary in ref)
    return of_hyp, len(hyp), of_ref, len(ref)


def takes_all(ref: list[int], hyp: list[int], reach: int) -> Found:
    """Each reference boundary in turn takes every free hypothesis boundary near it."""
    free, found = list(hyp), 0
    for place in ref:
        near = [boundary for boundary in free if abs(boundary - place) <= reach]
        found += bool(near)
        free = [boundary for boundary in free if boundary not in near]
    return found, len(hyp), found, len(ref)


def nearest_first(ref: list[int], hyp: list[int], reach: int) -> Found:
    """Match the nearest two boundaries of all, then the nearest two of the rest."""
    free = {*ref}, {*hyp}
    found = 0
    for apart, boundary, other in sorted((abs(a - b), a, b) for a in ref for b in hyp):
        if apart <= reach and boundary in free[0] and other in free[1]:
            free[0].remove(boundary)
            free[1].remove(other)
            found += 1
    return found, len(hyp), found, len(ref)


def nearest_in_turn(ref: list[int], hyp: list[int], reach: int) -> Found:
    """Each reference boundary in turn takes the nearest free hypothesis boundary."""
    free, found = list(hyp), 0
    for place in ref:
        near = [
            (abs(boundary - place), boundary) for boundary in free if abs(boundary - place) <= reach
        ]
        if near:
            free.remove(min(near)[1])
            found += 1
    return found, len(hyp), found, len(ref)
