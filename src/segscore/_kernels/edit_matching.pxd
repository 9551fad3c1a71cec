"""Boundaries of several types, paired exactly: what edit_matching.pyx shares."""

from libc.stdint cimport int32_t, int64_t

from segscore._kernels.batch cimport Watch
from segscore._kernels.edit_memory cimport Arena
from segscore._kernels.edit_points cimport Heap, Points, Scale

cdef struct Cost:  # compared part by part
    int64_t major  # -big per pair, plus the scaled cost in whole numbers
    int64_t minor  # squared distance
    int64_t mark  # of the distance, see edit_points.pxd

cdef struct Change:
    int32_t point
    int32_t mate

cdef struct Matching:
    Arena arena  # holds all arrays below
    Watch *watch
    int64_t big  # more than the scaled costs of all pairs together
    int64_t search  # number of the current search; marks of earlier ones are void
    Cost *potential
    Cost *distance
    int64_t *found  # search in which a point got its distance, or was queued
    int64_t *scanned  # search in which a point was done with
    int32_t *parent
    int32_t *fixed
    int32_t *queue
    int32_t *neighbours
    int32_t *candidates
    Change *changes
    int64_t n_changes
    Heap heap

cdef enum:
    NO_MEMORY = -1
    TOO_LARGE = -2  # costs that cannot be added exactly in 64 bits
    STOPPED = -3  # see batch.pxd

cdef int matching_reserve(Matching *work, int64_t n_points) noexcept nogil
cdef void matching_release(Matching *work) noexcept nogil
cdef int match_points(
    Matching *work, Points *points, const Scale *scale, const int32_t *members, int64_t count
) noexcept nogil
