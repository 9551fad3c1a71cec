# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The largest one-to-one matching of boundaries at most `tolerance` positions apart."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.stdint cimport int64_t

from segscore._kernels.common cimport position_t


cdef inline Py_ssize_t matched(
    const position_t* ref, Py_ssize_t n_ref, const position_t* hyp, Py_ssize_t n_hyp,
    int64_t tolerance
) noexcept nogil:
    """Pair the leftmost two that are near enough, else give up the one that lies further left: it
    is too far from all that follow. By exchange this loses no pair, for the tolerance is the same
    everywhere."""
    cdef Py_ssize_t i = 0, j = 0, pairs = 0
    cdef int64_t distance
    while i < n_ref and j < n_hyp:
        distance = <int64_t> ref[i] - hyp[j]
        if -tolerance <= distance <= tolerance:
            pairs += 1
            i += 1
            j += 1
        elif distance < 0:
            i += 1
        else:
            j += 1
    return pairs


def boundary_match(
    Py_ssize_t start, Py_ssize_t stop, const int64_t[::1] n_units,
    const int64_t[::1] ref_offsets, const position_t[::1] ref_positions,
    const int64_t[::1] hyp_offsets, const position_t[::1] hyp_positions,
    int64_t tolerance, double[:, ::1] out
):
    """Rows: matched boundaries, hyp boundaries left over, ref boundaries left over."""
    cdef Py_ssize_t row, n_ref, n_hyp, pairs
    cdef const position_t* ref = &ref_positions[0]
    cdef const position_t* hyp = &hyp_positions[0]
    with nogil:
        for row in range(start, stop):
            n_ref = ref_offsets[row + 1] - ref_offsets[row]
            n_hyp = hyp_offsets[row + 1] - hyp_offsets[row]
            pairs = matched(ref + ref_offsets[row], n_ref, hyp + hyp_offsets[row], n_hyp, tolerance)
            out[row, 0] = pairs
            out[row, 1] = n_hyp - pairs
            out[row, 2] = n_ref - pairs


def boundary_match_of_pair(bytes ref, bytes hyp, int64_t tolerance):
    """(matched, hyp left over, ref left over) of packed positions."""
    cdef Py_ssize_t n_ref = PyBytes_GET_SIZE(ref) // sizeof(int64_t)
    cdef Py_ssize_t n_hyp = PyBytes_GET_SIZE(hyp) // sizeof(int64_t)
    cdef Py_ssize_t pairs = matched(
        <const int64_t*> PyBytes_AS_STRING(ref), n_ref,
        <const int64_t*> PyBytes_AS_STRING(hyp), n_hyp, tolerance
    )
    return <double> pairs, <double> (n_hyp - pairs), <double> (n_ref - pairs)
