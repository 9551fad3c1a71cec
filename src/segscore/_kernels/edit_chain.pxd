"""Boundaries of one type, paired exactly in linear time: what edit_chain.pyx shares."""

from libc.stdint cimport int32_t, int64_t, uint64_t

from segscore._kernels.edit_memory cimport Arena

cdef struct Level:  # the latest place (seen from the right) where the running sum had this value
    uint64_t key  # twice the span of the best pairing from there on, plus the parity of its pairs
    uint64_t sum  # signed sum of the positions from there on, modulo 2^64
    int64_t place

cdef struct Square:  # a sum of squares that may pass 64 bits: high * 2^54 + low; and of marks
    int64_t high
    int64_t low
    int64_t mark

cdef struct Chain:
    Arena arena  # holds all arrays below
    int64_t *at  # position of each event: a boundary that only one side has
    int64_t *ref  # the events of ref alone, with sentinels before and after
    int64_t *hyp  # the same for hyp
    int32_t *ref_before  # events of ref before each place; place i lies before event i
    int32_t *block_end  # where the block that starts at a place ends; negative: tied with none
    int32_t *next_block  # the first place from here on where a block of the best pairing starts
    int32_t *reached
    Level *levels
    Square *squares

cdef bint chain_fits(const Chain *chain, int32_t n, int64_t reach) noexcept nogil
cdef int chain_reserve(Chain *chain, int64_t n_events) noexcept nogil
cdef void chain_release(Chain *chain) noexcept nogil
cdef void chain_plan(Chain *chain, int32_t n, int64_t reach) noexcept nogil
cdef void chain_settle(Chain *chain, int32_t start) noexcept nogil


cdef inline int32_t chain_block(Chain *chain, int32_t place, int64_t reach) noexcept nogil:
    """The first place from here on where a block of the optimum starts; n if there is none.

    Its `block_end` is then settled. Up to distance 2, pairs and span leave no choice of distances.
    """
    cdef int32_t block = chain.next_block[place]
    while chain.block_end[block] < 0:
        if reach > 2:
            chain_settle(chain, block)
            block = chain.next_block[block]
        else:
            chain.block_end[block] = -chain.block_end[block]
    return block
