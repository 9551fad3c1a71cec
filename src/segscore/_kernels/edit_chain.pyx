# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Boundaries of one type, paired exactly in linear time, for any reach of a transposition.

Given are the *events* of a document: the boundaries that only one side has, in order. We look for
the set of pairs (one of ref, one of hyp, at most `reach` apart) with, in this order, the most
pairs, the least sum of distances, the least sum of squared distances, the least sum of marks
(edit_points.pxd: they settle the set of distances), and the leftmost list.

Three facts make it linear.

1. Squared distances are strictly convex: in an optimum the pairs of either direction keep their
   order, so at any place the boundaries that wait for a partner are all of one side and are
   served first come, first served.
2. A boundary without partner never lies inside a pair: it would make that pair shorter. So an
   optimum is a chain of *blocks*, in which everything is paired, and of single boundaries
   between them. With S the running sum of +1 (ref) and -1 (hyp), a block runs from a place to the
   next place with the same S, and at that value of S the k-th ref in it meets the k-th hyp.
3. A block, where feasible, never yields fewer pairs than leaving its first boundary alone: at its
   end either its openers or its closers wait, never both, so with the rest they make at most as
   many pairs as it has, and there is one opener less. It yields at most one more. So the parity
   of the number of pairs is all that must be kept to compare them.

The chain is planned from right to left and read from left to right: on a full tie the block wins,
and the list becomes the leftmost one. The length of a block is |difference of signed sums of
positions|. It is feasible while its value of S lies between two bounds, which move inwards when
an event finds its partner at that value out of reach, and outwards when S goes beyond them.
"""

from libc.stdint cimport INT64_MAX, int32_t, int64_t, uint64_t
from libc.stdlib cimport abs
from libc.string cimport memset

from segscore._kernels.edit_memory cimport arena_release, arena_reserve, arena_take
from segscore._kernels.edit_points cimport mark_of

cdef enum:
    HALF = 27  # bits; a distance is below 2^53, so its two halves multiply within 64 bits


cdef int chain_reserve(Chain *chain, int64_t n_events) noexcept nogil:
    """Make room for a number of events; 0, or -1 without memory."""
    cdef:
        Arena *arena = &chain.arena
        int64_t n
        int fresh = arena_reserve(
            arena, n_events,
            3 * sizeof(int64_t) + 2 * sizeof(Level) + sizeof(Square) + 4 * sizeof(int32_t))
    if fresh <= 0:
        return fresh
    n = arena.capacity
    chain.at = <int64_t *>arena_take(arena, n + 1, sizeof(int64_t))
    chain.ref = <int64_t *>arena_take(arena, n + 2, sizeof(int64_t)) + 1
    chain.hyp = <int64_t *>arena_take(arena, n + 2, sizeof(int64_t)) + 1
    (chain.ref - 1)[0] = (chain.hyp - 1)[0] = -1
    chain.levels = <Level *>arena_take(arena, 2 * n + 1, sizeof(Level))
    chain.squares = <Square *>arena_take(arena, n + 1, sizeof(Square))
    chain.ref_before = <int32_t *>arena_take(arena, n + 1, sizeof(int32_t))
    chain.block_end = <int32_t *>arena_take(arena, n + 1, sizeof(int32_t))
    chain.next_block = <int32_t *>arena_take(arena, n + 1, sizeof(int32_t))
    chain.reached = <int32_t *>arena_take(arena, n + 1, sizeof(int32_t))
    return 0


cdef void chain_release(Chain *chain) noexcept nogil:
    arena_release(&chain.arena)
    memset(chain, 0, sizeof(Chain))


cdef bint chain_fits(const Chain *chain, int32_t n, int64_t reach) noexcept nogil:
    """Whether the distances of any pairing of n events, one at least, add up within 61 bits."""
    cdef int64_t length = chain.at[n - 1] - chain.at[0]
    return 0.5 * n * <double>min(reach, length) < <double>(<int64_t>1 << 61)


cdef void chain_plan(Chain *chain, int32_t n, int64_t reach) noexcept nogil:
    """Find, from right to left, the best pairing from every place on (see above).

    Reads `at`, `ref`, `hyp` and `ref_before` of n events; fills `block_end` and `next_block`.
    Sums are modulo 2^64: those of blocks out of reach may exceed it, but they are not used.
    """
    cdef:
        const int64_t *ref = chain.ref
        const int64_t *hyp = chain.hyp
        Level *level
        int32_t r = chain.ref_before[n], h, i, s, end, low, high, block = n
        int64_t limit
        uint64_t key = 0, total = 0, span, block_key
        bint feasible, take

    # S is counted from n so that it can serve as an index; h = i - r, S = n + r - h
    low = high = 2 * r
    level = &chain.levels[low]
    level.key = level.sum = 0
    level.place = n
    chain.ref[r] = chain.hyp[n - r] = INT64_MAX
    chain.next_block[n] = n
    chain.block_end[n] = 0
    for i in range(n - 1, -1, -1):
        limit = chain.at[i] + reach
        if r != chain.ref_before[i]:  # an event of ref
            r -= 1
            total += <uint64_t>chain.at[i]
            while hyp[r + n - low] > limit:
                low += 1
        else:
            total -= <uint64_t>chain.at[i]
            while ref[i - r - n + high] > limit:
                high -= 1
        s = n + 2 * r - i
        level = &chain.levels[s]
        end = <int32_t>level.place
        span = total - level.sum
        span = span if <int64_t>span > 0 else 0 - span
        block_key = (level.key + 2 * span) ^ <uint64_t>(((end - i) >> 1) & 1)
        feasible = (low <= s) & (s <= high)
        take = feasible & (((block_key ^ key) & 1) | (block_key <= key))
        low = min(low, s)
        high = max(high, s)
        chain.block_end[i] = -end if block_key == key else end
        key = block_key if take else key
        block = i if take else block
        chain.next_block[i] = block
        level.key = key
        level.sum = total
        level.place = i


cdef void chain_settle(Chain *chain, int32_t start) noexcept nogil:
    """Decide a tie, and all that follow, by squared distances, up to where all ways meet again."""
    cdef:
        int32_t *block_end = chain.block_end
        int32_t *next_block = chain.next_block
        Square *squares = chain.squares
        Square block
        int32_t meeting = mark_ways(chain, start), place, end
    squares[meeting].high = squares[meeting].low = squares[meeting].mark = 0
    for place in range(meeting - 1, start - 1, -1):
        if not chain.reached[place]:
            continue
        if next_block[place] == place:
            end = abs(block_end[place])
            block = add_block(squares[end], chain, place, end)
            if block_end[place] > 0 or at_most(block, squares[place + 1]):
                block_end[place] = end
                squares[place] = block
                continue
        next_block[place] = next_block[place + 1]
        squares[place] = squares[place + 1]


cdef int32_t mark_ways(Chain *chain, int32_t start) noexcept nogil:
    """Mark the places on any of the tied ways from `start`; the place where they meet again."""
    cdef:
        int32_t *reached = chain.reached
        int32_t place = start, farthest = start, end
        bint is_block
    reached[start] = True
    while place < farthest or place == start:
        if reached[place]:
            is_block = chain.next_block[place] == place
            end = abs(chain.block_end[place]) if is_block else place + 1
            while farthest < end:
                farthest += 1
                reached[farthest] = False
            reached[end] = True
            if is_block and chain.block_end[place] < 0:
                reached[place + 1] = True
        place += 1
    return place


cdef Square add_block(Square total, Chain *chain, int32_t start, int32_t end) noexcept nogil:
    """Add the squared distances and the marks of a block's pairs."""
    cdef:
        const int64_t *ref = chain.ref + chain.ref_before[start]
        const int64_t *hyp = chain.hyp + (start - chain.ref_before[start])
        int64_t low_bits = (<int64_t>1 << HALF) - 1, upper, lower, middle
        int32_t k
    for k in range((end - start) >> 1):
        lower = ref[k] - hyp[k] if ref[k] > hyp[k] else hyp[k] - ref[k]
        total.mark += mark_of(lower, False)
        upper = lower >> HALF
        lower &= low_bits
        middle = 2 * upper * lower
        total.low += lower * lower + ((middle & low_bits) << HALF)
        total.high += upper * upper + (middle >> HALF) + (total.low >> 2 * HALF)
        total.low &= (<int64_t>1 << 2 * HALF) - 1
    return total


cdef bint at_most(Square a, Square b) noexcept nogil:
    if a.high != b.high or a.low != b.low:
        return a.high < b.high or (a.high == b.high and a.low < b.low)
    return a.mark <= b.mark
