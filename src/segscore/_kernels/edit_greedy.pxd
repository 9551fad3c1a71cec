"""Boundaries paired greedily: what edit_greedy.pyx shares."""

from libc.stdint cimport int32_t, int64_t

from segscore._kernels.batch cimport Watch
from segscore._kernels.edit_memory cimport Arena
from segscore._kernels.edit_points cimport Heap, Points, Scale

cdef struct Greedy:
    Arena arena  # holds the four arrays below
    int32_t *first  # first point at the same position
    int32_t *alone  # by first point: unpaired points there, of hyp and of ref
    int32_t *same_side  # next point of the same type and side, or -1
    int32_t *other_side  # next point of the same type on the other side, or -1
    int64_t table_capacity
    int64_t *table
    Heap heap

cdef int greedy_reserve(Greedy *work, int64_t n_points) noexcept nogil
cdef void greedy_release(Greedy *work) noexcept nogil
cdef int greedy_pairs(
    Greedy *work, Points *points, const Scale *scale, Watch *watch
) noexcept nogil
