# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Boundaries of several types, paired exactly: a minimum-cost matching of nearby points.

A point of ref and one of hyp may be paired by a transposition (same type, within reach) or a
substitution (same position). We look for, in this order: the most pairs; the least scaled cost,
d / n_t + |a - b| / width, here in whole numbers of 1 / (n_t * width); the least sum of squared
distances; the least sum of marks, which settles the set of distances (edit_points.pxd); and the
leftmost sorted list of pairs, a pair being its lesser and its greater point.

All but the last are one cost, compared part by part, and found by inserting the points of ref one
by one with a shortest augmenting path (Dijkstra on reduced costs; Kuhn 1955, Jonker & Volgenant
1987). Both sides may stay unpaired for nothing, so every potential is at most 0, which bounds how
far a search must look: it stays near its start, and no table of all pairs is needed.

The potentials then tell all optima: they use only *tight* pairs (reduced cost 0) and leave
unpaired only points of potential 0. Going through the points from the left, each is given the
least partner with which an optimum still exists, by shifting pairs along tight edges.
"""

from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free
from libc.string cimport memset

from segscore._kernels.batch cimport Watch, step
from segscore._kernels.edit_memory cimport Arena, arena_release, arena_reserve, arena_take
from segscore._kernels.edit_points cimport (
    Entry, Points, Scale, heap_pop, heap_push, mark_of, type_distance)

cdef enum:
    LARGEST_MARK = 4294967296


cdef int matching_reserve(Matching *work, int64_t n_points) noexcept nogil:
    """Make room for a number of points; 0, or -1 without memory."""
    cdef:
        Arena *arena = &work.arena
        int64_t n
        int fresh = arena_reserve(
            arena, n_points,
            2 * sizeof(Cost) + 2 * sizeof(int64_t) + 2 * sizeof(Change) + 5 * sizeof(int32_t))
    if fresh <= 0:
        return fresh
    n = arena.capacity
    work.search = 0  # the marks of searches are all zeros again
    work.potential = <Cost *>arena_take(arena, n, sizeof(Cost))
    work.distance = <Cost *>arena_take(arena, n, sizeof(Cost))
    work.found = <int64_t *>arena_take(arena, n, sizeof(int64_t))
    work.scanned = <int64_t *>arena_take(arena, n, sizeof(int64_t))
    # two searches, each touching a point once at most
    work.changes = <Change *>arena_take(arena, 2 * n + 4, sizeof(Change))
    work.parent = <int32_t *>arena_take(arena, n, sizeof(int32_t))
    work.fixed = <int32_t *>arena_take(arena, n, sizeof(int32_t))
    work.queue = <int32_t *>arena_take(arena, n, sizeof(int32_t))
    work.neighbours = <int32_t *>arena_take(arena, n, sizeof(int32_t))
    work.candidates = <int32_t *>arena_take(arena, n, sizeof(int32_t))
    return 0


cdef void matching_release(Matching *work) noexcept nogil:
    arena_release(&work.arena)
    free(work.heap.entries)
    memset(work, 0, sizeof(Matching))


cdef int match_points(
    Matching *work, Points *points, const Scale *scale, const int32_t *members, int64_t count
) noexcept nogil:
    """Pair the points listed in `members` (ascending, none with a mate yet) among themselves; 0, or
    what went wrong."""
    cdef:
        int64_t i, smaller = 0
        int64_t length = points.position[members[count - 1]] - points.position[members[0]]
        int64_t reach = min(scale.reach, length)
        double exact = 1.0e17
    for i in range(count):
        work.fixed[members[i]] = False
        work.potential[members[i]] = Cost(0, 0, 0)
        smaller += points.is_ref[members[i]]
    smaller = min(smaller, count - smaller)
    if (<double>smaller * scale.n_t * scale.width > exact
            or <double>count * reach * reach > exact
            or <double>count * LARGEST_MARK > exact):
        return TOO_LARGE
    work.big = smaller * scale.n_t * scale.width + 1
    for i in range(count):
        if points.is_ref[members[i]] and insert(work, points, scale, members[i]) < 0:
            return NO_MEMORY
        if work.watch.stopped:
            return STOPPED
    for i in range(count):
        if not work.fixed[members[i]]:
            fix_leftmost(work, points, scale, members[i])
        if work.watch.stopped:
            return STOPPED
    return 0


# --- costs

cdef inline bint is_less(Cost a, Cost b) noexcept nogil:
    if a.major != b.major:
        return a.major < b.major
    return a.minor < b.minor or (a.minor == b.minor and a.mark < b.mark)


cdef inline bint is_zero(Cost a) noexcept nogil:
    return a.major == 0 and a.minor == 0 and a.mark == 0


cdef inline Cost sum_of(Cost a, Cost b) noexcept nogil:
    a.major += b.major
    a.minor += b.minor
    a.mark += b.mark
    return a


cdef inline Cost difference(Cost a, Cost b) noexcept nogil:
    a.major -= b.major
    a.minor -= b.minor
    a.mark -= b.mark
    return a


cdef inline Cost reduced_cost(
    Matching *work, Points *points, const Scale *scale, int32_t a, int32_t b
) noexcept nogil:
    """Cost of pairing two points less both potentials; never negative between settled points."""
    cdef:
        Cost cost
        int64_t d = points.position[a] - points.position[b]
        int64_t types_apart
    if d == 0:
        types_apart = type_distance(scale, points.type[a], points.type[b])
        cost.major = types_apart * scale.n_t
        cost.mark = mark_of(types_apart, True)
    else:
        d = d if d > 0 else -d
        cost.major = d * scale.width
        cost.mark = mark_of(d, False)
    cost.major -= work.big
    cost.minor = d * d
    return difference(difference(cost, work.potential[a]), work.potential[b])


cdef inline bint is_tight(
    Matching *work, Points *points, const Scale *scale, int32_t a, int32_t b
) noexcept nogil:
    return is_zero(reduced_cost(work, points, scale, a, b))


# --- neighbours

cdef int64_t later_neighbours(
    Points *points, int32_t point, int64_t reach, int32_t *found
) noexcept nogil:
    """Points after this one that it may be paired with, ascending."""
    cdef:
        int64_t count = 0, at = points.position[point]
        int32_t other = point + 1
    while other < points.count and points.position[other] == at:
        found[count] = other
        count += points.is_ref[other] != points.is_ref[point]
        other += 1
    other = points.after[point]
    while other >= 0 and points.position[other] - at <= reach:
        found[count] = other
        count += points.is_ref[other] != points.is_ref[point]
        other = points.after[other]
    return count


cdef int64_t all_neighbours(
    Points *points, int32_t point, int64_t reach, int32_t *found
) noexcept nogil:
    """Points before or after this one that it may be paired with."""
    cdef:
        int64_t count = later_neighbours(points, point, reach, found)
        int64_t at = points.position[point]
        int32_t other = point - 1
    while other >= 0 and points.position[other] == at:
        found[count] = other
        count += points.is_ref[other] != points.is_ref[point]
        other -= 1
    other = points.before[point]
    while other >= 0 and at - points.position[other] <= reach:
        found[count] = other
        count += points.is_ref[other] != points.is_ref[point]
        other = points.before[other]
    return count


cdef inline int64_t useful_reach(const Scale *scale, int64_t slack) noexcept nogil:
    """How far a transposition may go whose scaled cost must not pass `slack`."""
    return min(scale.reach, slack // scale.width) if slack >= 0 else 0


# --- the optimum

cdef int insert(Matching *work, Points *points, const Scale *scale, int32_t start) noexcept nogil:
    """Add one more point of ref: the cheapest way to pair it, or to leave one unpaired."""
    cdef:
        int32_t row = start, end_row = start, end_column = -1
        int64_t n_scanned = 0, k
        Cost at = Cost(0, 0, 0), best = Cost(0, 0, 0), way
    work.search += 1
    work.heap.count = 0
    while row >= 0 and not work.watch.stopped:
        way = difference(at, work.potential[row])  # stop here: leave this row unpaired
        if is_less(way, best):
            best = way
            end_row = row
            end_column = -1
        if relax(work, points, scale, row, at, &best, &end_column) < 0:
            return NO_MEMORY
        row = -1
        while row < 0 and work.heap.count > 0:
            k = heap_pop(&work.heap).first
            if work.scanned[k] == work.search:
                continue
            at = work.distance[k]
            if not is_less(at, best):
                break
            work.scanned[k] = work.search
            work.queue[n_scanned] = <int32_t>k
            n_scanned += 1
            row = points.mate[k]
    if work.watch.stopped:
        return 0
    for k in range(n_scanned):
        raise_potentials(work, points, work.queue[k], best)
    work.potential[start] = best
    augment(work, points, start, end_row, end_column)
    return 0


cdef int relax(
    Matching *work, Points *points, const Scale *scale, int32_t row, Cost at,
    Cost *best, int32_t *end_column,
) noexcept nogil:
    """Look from a row, reached at cost `at`, at every column it may be paired with."""
    cdef:
        int64_t slack = work.big + best.major - at.major + work.potential[row].major, count, k
        int32_t column
        Cost way
        Entry entry
    count = all_neighbours(points, row, useful_reach(scale, slack), work.neighbours)
    step(work.watch, 4 * count + 1)
    for k in range(count):
        column = work.neighbours[k]
        if work.scanned[column] == work.search:
            continue
        way = sum_of(reduced_cost(work, points, scale, row, column), at)
        if not is_less(way, best[0]) or (
                work.found[column] == work.search and not is_less(way, work.distance[column])):
            continue
        work.found[column] = work.search
        work.distance[column] = way
        work.parent[column] = row
        if points.mate[column] < 0:
            best[0] = way
            end_column[0] = column
            continue
        entry.major = way.major
        entry.minor = way.minor
        entry.mark = way.mark
        entry.first = column
        entry.second = row
        if heap_push(&work.heap, entry) < 0:
            return NO_MEMORY
    return 0


cdef inline void raise_potentials(
    Matching *work, Points *points, int32_t column, Cost best
) noexcept nogil:
    """Keep the reduced costs around a scanned column and its row non-negative."""
    cdef:
        Cost rise = difference(best, work.distance[column])
        int32_t row = points.mate[column]
    work.potential[column] = difference(work.potential[column], rise)
    work.potential[row] = sum_of(work.potential[row], rise)


cdef void augment(
    Matching *work, Points *points, int32_t start, int32_t end_row, int32_t end_column
) noexcept nogil:
    """Shift the pairs along the way found, which ends at a free column or a row now unpaired."""
    cdef int32_t row, next_column, column = end_column
    if column < 0:
        if end_row == start:
            return
        column = points.mate[end_row]
        points.mate[end_row] = -1
    row = -1
    while row != start:
        row = work.parent[column]
        next_column = points.mate[row]
        points.mate[row] = column
        points.mate[column] = row
        column = next_column


# --- the leftmost optimum

cdef void fix_leftmost(
    Matching *work, Points *points, const Scale *scale, int32_t point
) noexcept nogil:
    """Give a point the least partner after it with which an optimum exists, or none."""
    cdef:
        int64_t reach = useful_reach(scale, work.big + work.potential[point].major), count, k
        int32_t other
    count = later_neighbours(points, point, reach, work.candidates)
    for k in range(count):
        other = work.candidates[k]
        if work.fixed[other]:
            continue
        if other == points.mate[point]:
            work.fixed[other] = True
            break
        if (is_tight(work, points, scale, point, other)
                and force(work, points, scale, point, other)):
            break
    work.fixed[point] = True


cdef bint force(
    Matching *work, Points *points, const Scale *scale, int32_t a, int32_t b
) noexcept nogil:
    """Pair two points and find their partners a new place, or leave everything as it was."""
    cdef int32_t mate_a = points.mate[a], mate_b = points.mate[b]
    work.n_changes = 0
    work.fixed[a] = work.fixed[b] = True
    set_mate(work, points, a, b)
    set_mate(work, points, b, a)
    if mate_a >= 0:
        set_mate(work, points, mate_a, -1)
    if mate_b >= 0:
        set_mate(work, points, mate_b, -1)
    if mate_a < 0 or rehouse(work, points, scale, mate_a):
        if mate_b < 0 or points.mate[mate_b] >= 0 or rehouse(work, points, scale, mate_b):
            return True
    while work.n_changes > 0:
        work.n_changes -= 1
        points.mate[work.changes[work.n_changes].point] = work.changes[work.n_changes].mate
    work.fixed[a] = work.fixed[b] = False
    return False


cdef inline void set_mate(
    Matching *work, Points *points, int32_t point, int32_t mate
) noexcept nogil:
    work.changes[work.n_changes].point = point
    work.changes[work.n_changes].mate = points.mate[point]
    work.n_changes += 1
    points.mate[point] = mate


cdef bint rehouse(
    Matching *work, Points *points, const Scale *scale, int32_t start
) noexcept nogil:
    """Pair a point again by shifting tight pairs, or shift on to one that may stay unpaired."""
    cdef:
        int64_t head = 0, tail = 1, count, k
        int32_t point, other = -1
    work.search += 1
    work.queue[0] = start
    work.found[start] = work.search
    while head < tail and other < 0 and not work.watch.stopped:
        point = work.queue[head]
        head += 1
        if is_zero(work.potential[point]):
            if point == start:
                return True
            other = points.mate[point]
            set_mate(work, points, point, -1)
            break
        count = all_neighbours(
            points, point, useful_reach(scale, work.big + work.potential[point].major),
            work.neighbours)
        step(work.watch, 4 * count + 1)
        for k in range(count):
            other = visit(work, points, scale, point, work.neighbours[k], &tail)
            if other >= 0:
                break
    if other < 0:
        return False
    point = -1
    while point != start:
        point = work.parent[other]
        k = points.mate[point]
        set_mate(work, points, point, other)
        set_mate(work, points, other, point)
        other = <int32_t>k
    return True


cdef inline int32_t visit(
    Matching *work, Points *points, const Scale *scale, int32_t point, int32_t other, int64_t *tail
) noexcept nogil:
    """One step of the search: `other` if it is free to be taken; else queue its partner, -1."""
    cdef int32_t mate = points.mate[other]
    if (work.fixed[other] or work.scanned[other] == work.search
            or not is_tight(work, points, scale, point, other)):
        return -1
    work.scanned[other] = work.search
    work.parent[other] = point
    if mate < 0:
        return other
    if work.found[mate] != work.search:
        work.found[mate] = work.search
        work.queue[tail[0]] = mate
        tail[0] += 1
    return -1
