"""Points of several types paired: what edit_pairing.pyx shares."""

from libc.stdint cimport int32_t, int64_t

from segscore._kernels.batch cimport Watch
from segscore._kernels.edit_chain cimport Chain
from segscore._kernels.edit_greedy cimport Greedy
from segscore._kernels.edit_matching cimport Matching
from segscore._kernels.edit_memory cimport Arena
from segscore._kernels.edit_points cimport Points, Scale

cdef struct Room:
    Arena arena  # holds the arrays of points and the five below
    Points points
    int32_t *root  # of a point's component
    int32_t *coupled  # by root: whether a substitution is possible in the component
    int32_t *ref_point  # scratch: the points behind the chain's two lists; lists of members
    int32_t *hyp_point
    int32_t *members
    int32_t *latest  # by type: the latest point of it, while linking
    int64_t *seen_in  # by type: the latest document (counted from 1) in which it occurred
    int64_t document
    Watch *watch
    Chain chain
    Matching matching
    Greedy greedy

cdef int room_open(Room *room, int64_t n_types, Watch *watch) noexcept nogil
cdef void room_close(Room *room) noexcept nogil
cdef int room_reserve(Room *room, int64_t n_points, bint greedy) noexcept nogil
cdef int pair_points(Room *room, const Scale *scale, bint greedy) noexcept nogil
