"""The walk over the pieces into which the boundaries of both sides together cut a document.

Each piece lies in one reference segment and in one hypothesis segment; a step per boundary.
"""

from libc.stdint cimport int64_t

from segscore._kernels.common cimport position_t

# Where the walk stands: the piece `start` … `end` inside its two segments, the reference segment
# number `next_ref - 1` and the hypothesis segment number `next_hyp - 1`, counted from 0.
cdef struct Place:
    int64_t start
    int64_t end
    int64_t ref_start
    int64_t ref_end
    int64_t hyp_start
    int64_t hyp_end
    Py_ssize_t next_ref
    Py_ssize_t next_hyp


cdef inline int64_t position(
    const position_t* positions, Py_ssize_t n, Py_ssize_t i, int64_t units
) noexcept nogil:
    return positions[i] if i < n else units


cdef inline Place first_place(
    const position_t* ref, Py_ssize_t n_ref, const position_t* hyp, Py_ssize_t n_hyp,
    int64_t units
) noexcept nogil:
    cdef Place place
    place.start = place.ref_start = place.hyp_start = 0
    place.next_ref = place.next_hyp = 1
    place.ref_end = position(ref, n_ref, 0, units)
    place.hyp_end = position(hyp, n_hyp, 0, units)
    place.end = min(place.ref_end, place.hyp_end)
    return place


cdef inline void advance(
    Place* place, const position_t* ref, Py_ssize_t n_ref, const position_t* hyp,
    Py_ssize_t n_hyp, int64_t units
) noexcept nogil:
    """On to the next piece; past the last one `start` is the number of units."""
    place.start = place.end
    if place.ref_end == place.end:
        place.ref_start = place.end
        place.ref_end = position(ref, n_ref, place.next_ref, units)
        place.next_ref += 1
    if place.hyp_end == place.end:
        place.hyp_start = place.end
        place.hyp_end = position(hyp, n_hyp, place.next_hyp, units)
        place.next_hyp += 1
    place.end = min(place.ref_end, place.hyp_end)
