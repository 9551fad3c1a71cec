# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Points of several types paired: each component by a suitable method.

Types meet only where a position could hold a substitution. So points are first joined into
components: those of one type within reach of each other, and those at a position where both
sides have one. A component without such a position has one type and is a chain (edit_chain.pyx);
the others are matched (edit_matching.pyx). `greedy` instead pairs as edit_greedy.pyx says.
"""

from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from segscore._kernels.batch cimport Watch
from segscore._kernels.edit_chain cimport (
    Chain, chain_block, chain_fits, chain_plan, chain_release, chain_reserve)
from segscore._kernels.edit_greedy cimport greedy_pairs, greedy_release, greedy_reserve
from segscore._kernels.edit_matching cimport (
    NO_MEMORY, STOPPED, TOO_LARGE, match_points, matching_release, matching_reserve)
from segscore._kernels.edit_memory cimport Arena, arena_release, arena_reserve, arena_take
from segscore._kernels.edit_points cimport Points, Scale


cdef int room_open(Room *room, int64_t n_types, Watch *watch) noexcept nogil:
    memset(room, 0, sizeof(Room))
    room.watch = room.matching.watch = watch
    room.latest = <int32_t *>calloc(n_types + 1, sizeof(int32_t))
    room.seen_in = <int64_t *>calloc(n_types + 1, sizeof(int64_t))
    return NO_MEMORY if room.latest == NULL or room.seen_in == NULL else 0


cdef void room_close(Room *room) noexcept nogil:
    arena_release(&room.arena)
    free(room.latest)
    free(room.seen_in)
    chain_release(&room.chain)
    matching_release(&room.matching)
    greedy_release(&room.greedy)


cdef int room_reserve(Room *room, int64_t n_points, bint greedy) noexcept nogil:
    """Make room for a number of points; 0, or what went wrong."""
    cdef:
        Arena *arena = &room.arena
        Points *points = &room.points
        int64_t n
        int fresh
    if greedy:
        if greedy_reserve(&room.greedy, n_points) < 0:
            return NO_MEMORY
    elif (chain_reserve(&room.chain, n_points) < 0
            or matching_reserve(&room.matching, n_points) < 0):
        return NO_MEMORY
    fresh = arena_reserve(arena, n_points, sizeof(int64_t) + 10 * sizeof(int32_t))
    if fresh <= 0:
        return fresh
    n = arena.capacity
    points.position = <int64_t *>arena_take(arena, n, sizeof(int64_t))
    points.type = <int32_t *>arena_take(arena, n, sizeof(int32_t))
    points.is_ref = <int32_t *>arena_take(arena, n, sizeof(int32_t))
    points.mate = <int32_t *>arena_take(arena, n, sizeof(int32_t))
    points.before = <int32_t *>arena_take(arena, n, sizeof(int32_t))
    points.after = <int32_t *>arena_take(arena, n, sizeof(int32_t))
    room.root = <int32_t *>arena_take(arena, n, sizeof(int32_t))
    room.coupled = <int32_t *>arena_take(arena, n, sizeof(int32_t))
    room.ref_point = <int32_t *>arena_take(arena, n, sizeof(int32_t))
    room.hyp_point = <int32_t *>arena_take(arena, n, sizeof(int32_t))
    room.members = <int32_t *>arena_take(arena, n, sizeof(int32_t))
    return 0


cdef int pair_points(Room *room, const Scale *scale, bint greedy) noexcept nogil:
    """Fill `mate` of every point; 0, or what went wrong."""
    cdef:
        bint coupled = link_types(room)
        int32_t k
    if greedy:
        if greedy_pairs(&room.greedy, &room.points, scale, room.watch) < 0:
            return NO_MEMORY
        return STOPPED if room.watch.stopped else 0
    if coupled:
        find_components(room, scale.reach)
    if scale.reach == 1:
        pair_neighbours(room, coupled)
    else:
        for k in range(<int32_t>room.points.count):
            if room.points.before[k] < 0 and not pair_chain(room, k, scale.reach, coupled):
                return TOO_LARGE
    return pair_coupled(room, scale) if coupled else 0


cdef bint link_types(Room *room) noexcept nogil:
    """Link the points of each type; True if any position could hold a substitution."""
    cdef:
        Points *points = &room.points
        int32_t k, previous
        bint coupled = False
    for k in range(<int32_t>points.count):
        room.latest[points.type[k]] = -1
    for k in range(<int32_t>points.count):
        previous = room.latest[points.type[k]]
        room.latest[points.type[k]] = k
        points.before[k] = previous
        points.after[k] = points.mate[k] = -1
        if previous >= 0:
            points.after[previous] = k
        coupled |= k > 0 and may_substitute(points, k)
    return coupled


cdef inline bint may_substitute(const Points *points, int32_t k) noexcept nogil:
    """Whether this point and the one before it are at one position, on different sides."""
    return ((points.position[k] == points.position[k - 1])
            & (points.is_ref[k] != points.is_ref[k - 1]))


# ---- components ----

cdef int32_t root_of(int32_t *root, int32_t point) noexcept nogil:
    while root[point] != point:
        root[point] = root[root[point]]
        point = root[point]
    return point


cdef void find_components(Room *room, int64_t reach) noexcept nogil:
    """Join points of one type within reach, and all points where a substitution is possible."""
    cdef:
        Points *points = &room.points
        int32_t k, first = 0, previous, n = <int32_t>points.count
        bint coupled = False
    for k in range(n):
        previous = points.before[k]
        room.coupled[k] = False
        room.root[k] = k
        if previous >= 0 and points.position[k] - points.position[previous] <= reach:
            room.root[k] = root_of(room.root, previous)
    for k in range(1, n + 1):
        if k < n and points.position[k] == points.position[first]:
            coupled |= may_substitute(points, k)
            continue
        if coupled:
            for previous in range(first, k - 1):
                room.root[root_of(room.root, previous)] = root_of(room.root, k - 1)
        first = k
        coupled = False
    for k in range(1, n):
        if may_substitute(points, k):
            room.coupled[root_of(room.root, k)] = True


cdef inline bint is_coupled(Room *room, int32_t point, bint some_coupled) noexcept nogil:
    """Whether a point's component is one in which types meet."""
    return some_coupled and room.coupled[root_of(room.root, point)]


cdef void pair_neighbours(Room *room, bint some_coupled) noexcept nogil:
    """With a reach of 1: pair neighbours of one type, the first possible ones from the left."""
    cdef:
        Points *points = &room.points
        int32_t k, later
    for k in range(<int32_t>points.count):
        later = points.after[k]
        if (points.mate[k] < 0 and later >= 0 and points.position[later] - points.position[k] == 1
                and points.is_ref[later] != points.is_ref[k]
                and not is_coupled(room, k, some_coupled)):
            points.mate[k] = later
            points.mate[later] = k


cdef bint pair_chain(Room *room, int32_t first, int64_t reach, bint some_coupled) noexcept nogil:
    """Pair the points of one type, except those in components with substitutions; False if their
    distances cannot be added exactly."""
    cdef:
        Points *points = &room.points
        Chain *chain = &room.chain
        int32_t point = first, n = 0, r = 0, k, block
    while point >= 0:
        if not is_coupled(room, point, some_coupled):
            chain.at[n] = points.position[point]
            chain.ref_before[n] = r
            if points.is_ref[point]:
                chain.ref[r] = points.position[point]
                room.ref_point[r] = point
                r += 1
            else:
                chain.hyp[n - r] = points.position[point]
                room.hyp_point[n - r] = point
            n += 1
        point = points.after[point]
    chain.ref_before[n] = r
    if r == 0 or r == n:
        return True
    if not chain_fits(chain, n, reach):
        return False
    chain_plan(chain, n, reach)
    block = chain_block(chain, 0, reach)
    while block < n:
        r = chain.ref_before[block]
        for k in range((chain.block_end[block] - block) >> 1):
            points.mate[room.ref_point[r + k]] = room.hyp_point[block - r + k]
            points.mate[room.hyp_point[block - r + k]] = room.ref_point[r + k]
        block = chain_block(chain, chain.block_end[block], reach)
    return True


cdef int pair_coupled(Room *room, const Scale *scale) noexcept nogil:
    """Match each component in which types meet; 0, or what went wrong."""
    cdef:
        int32_t *head = room.ref_point
        int32_t *following = room.hyp_point
        int32_t k, point, root, count, n = <int32_t>room.points.count
        int failed
    for k in range(n):
        head[k] = -1
    for k in range(n - 1, -1, -1):
        root = root_of(room.root, k)
        if room.coupled[root]:
            following[k] = head[root]
            head[root] = k
    for k in range(n):
        point = head[k]
        if point < 0:
            continue
        count = 0
        while point >= 0:
            room.members[count] = point
            count += 1
            point = following[point]
        if count == 2:  # only one substitution
            room.points.mate[room.members[0]] = room.members[1]
            room.points.mate[room.members[1]] = room.members[0]
            continue
        failed = match_points(&room.matching, &room.points, scale, room.members, count)
        if failed:
            return failed
    return 0
