# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Boundaries paired as segeval 2.0.11 pairs them: the shortest span first, then left to right.

A transposition is not used if both its positions could still hold a substitution. When no more
is possible, what is left at a position is substituted with the least total distance of types; of
several such choices segeval takes the first in the order of permutations of the sorted types,
which is the one that keeps the order of types and uses the least types of the longer side.

Each point offers itself to the next unpaired point of its type on the other side; the offers wait
in a heap. So the time depends on the points and the offers refused, not on n_t.
"""

from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from segscore._kernels.batch cimport step
from segscore._kernels.edit_memory cimport arena_release, arena_reserve, arena_take
from segscore._kernels.edit_points cimport Entry, Points, Scale, heap_pop, heap_push


cdef int greedy_reserve(Greedy *work, int64_t n_points) noexcept nogil:
    """Make room for a number of points; 0, or -1 without memory."""
    cdef:
        int fresh = arena_reserve(&work.arena, n_points, 5 * sizeof(int32_t))
        int64_t n = work.arena.capacity
    if fresh <= 0:
        return fresh
    work.first = <int32_t *>arena_take(&work.arena, n, sizeof(int32_t))
    work.same_side = <int32_t *>arena_take(&work.arena, n, sizeof(int32_t))
    work.other_side = <int32_t *>arena_take(&work.arena, n, sizeof(int32_t))
    work.alone = <int32_t *>arena_take(&work.arena, 2 * n, sizeof(int32_t))
    return 0


cdef void greedy_release(Greedy *work) noexcept nogil:
    arena_release(&work.arena)
    free(work.table)
    free(work.heap.entries)
    memset(work, 0, sizeof(Greedy))


cdef int greedy_pairs(
    Greedy *work, Points *points, const Scale *scale, Watch *watch
) noexcept nogil:
    """Pair points, none of which has a mate yet; 0, or -1 without memory. If it must stop, the
    result is incomplete."""
    cdef:
        int32_t point, end, n = <int32_t>points.count
    prepare(work, points)
    if transpose(work, points, scale, watch) < 0:
        return -1
    point = 0
    while point < n:
        end = point + 1
        while end < n and work.first[end] == point:
            end += 1
        if work.alone[2 * point] and work.alone[2 * point + 1]:
            if substitute(work, points, scale, point, end) < 0:
                return -1
            if step(watch, <int64_t>work.alone[2 * point] * work.alone[2 * point + 1]):
                return 0
        point = end
    return 0


cdef void prepare(Greedy *work, Points *points) noexcept nogil:
    """Find the points that share a position, and each point's successors of its type."""
    cdef int32_t point, later, n = <int32_t>points.count
    work.heap.count = 0
    for point in range(n):
        work.first[point] = point
        if point > 0 and points.position[point] == points.position[point - 1]:
            work.first[point] = work.first[point - 1]
        work.alone[2 * point] = work.alone[2 * point + 1] = 0
        work.alone[2 * work.first[point] + points.is_ref[point]] += 1
    for point in range(n - 1, -1, -1):
        later = points.after[point]
        if later < 0:
            work.same_side[point] = work.other_side[point] = -1
        elif points.is_ref[later] == points.is_ref[point]:
            work.same_side[point] = later
            work.other_side[point] = work.other_side[later]
        else:
            work.same_side[point] = work.other_side[later]
            work.other_side[point] = later


cdef int transpose(
    Greedy *work, Points *points, const Scale *scale, Watch *watch
) noexcept nogil:
    """Take offers by distance, then from left to right."""
    cdef:
        int32_t point, other, n = <int32_t>points.count
        int32_t *here
        int32_t *there
        Entry offer
    for point in range(n):
        if make_offer(work, points, scale, point, work.other_side[point]) < 0:
            return -1
    while work.heap.count > 0:
        if step(watch, 10):
            return 0
        offer = heap_pop(&work.heap)
        point = offer.first
        other = offer.second
        if points.mate[point] >= 0:
            continue
        here = &work.alone[2 * work.first[point]]
        there = &work.alone[2 * work.first[other]]
        if points.mate[other] < 0 and not (here[0] and here[1] and there[0] and there[1]):
            points.mate[point] = other
            points.mate[other] = point
            here[points.is_ref[point]] -= 1
            there[points.is_ref[other]] -= 1
        elif make_offer(work, points, scale, point, work.same_side[other]) < 0:
            return -1
    return 0


cdef int make_offer(
    Greedy *work, Points *points, const Scale *scale, int32_t point, int32_t other
) noexcept nogil:
    """Offer a point to the first unpaired one from `other` on, if that is within reach."""
    cdef:
        Entry offer
        int32_t beyond
    while other >= 0 and points.mate[other] >= 0:
        beyond = work.same_side[other]
        if beyond >= 0 and points.mate[beyond] >= 0:
            work.same_side[other] = work.same_side[beyond]  # the next search skips what is paired
        other = beyond
    if other < 0 or points.position[other] - points.position[point] > scale.reach:
        return 0
    offer.major = points.position[other] - points.position[point]
    offer.minor = point
    offer.mark = 0
    offer.first = point
    offer.second = other
    return heap_push(&work.heap, offer)


cdef int substitute(
    Greedy *work, Points *points, const Scale *scale, int32_t start, int32_t end
) noexcept nogil:
    """Pair the unpaired points at one position, all of the smaller side, at the least distance.

    table[i][j]: least distance that the i-th and later points of the smaller side come to with
    the j-th and later of the larger one.
    """
    cdef:
        bint short_side = work.alone[2 * start + 1] <= work.alone[2 * start]
        int64_t n_short = work.alone[2 * start + short_side]
        int64_t n_long = work.alone[2 * start + (not short_side)], width = n_long + 1
        int64_t i, j, needed = (n_short + 1) * width + n_short + n_long
        int64_t *table
        int64_t *shorter
        int64_t *longer
        int32_t point
    if needed > work.table_capacity:
        free(work.table)
        work.table_capacity = 0
        work.table = <int64_t *>malloc(needed * sizeof(int64_t))
        if work.table == NULL:
            return -1
        work.table_capacity = needed
    table = work.table
    shorter = table + (n_short + 1) * width
    longer = shorter + n_short
    i = j = 0
    for point in range(start, end):
        if points.mate[point] < 0:
            if points.is_ref[point] == short_side:
                shorter[i] = point
                i += 1
            else:
                longer[j] = point
                j += 1
    for j in range(width):
        table[n_short * width + j] = 0
    for i in range(n_short - 1, -1, -1):
        j = n_long - n_short + i
        table[i * width + j] = (
            apart(points, scale, shorter[i], longer[j]) + table[(i + 1) * width + j + 1])
        for j in range(n_long - n_short + i - 1, -1, -1):
            table[i * width + j] = min(
                table[i * width + j + 1],
                apart(points, scale, shorter[i], longer[j]) + table[(i + 1) * width + j + 1])
    i = 0
    for j in range(n_long):
        if i < n_short and table[i * width + j] == (
                apart(points, scale, shorter[i], longer[j]) + table[(i + 1) * width + j + 1]):
            points.mate[shorter[i]] = <int32_t>longer[j]
            points.mate[longer[j]] = <int32_t>shorter[i]
            i += 1
    return 0


cdef inline int64_t apart(
    Points *points, const Scale *scale, int64_t a, int64_t b
) noexcept nogil:
    cdef int64_t d = scale.value[points.type[a]] - scale.value[points.type[b]]
    return d if d > 0 else -d
