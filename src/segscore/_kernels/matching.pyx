# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Boundaries at most so many positions apart, in each document its own: the largest one-to-one matching, or how many of
each side have any of the other that near."""

from cpython.bytes cimport PyBytes_AsString, PyBytes_Size
from libc.stdint cimport int64_t

from segscore._kernels.batch cimport (
    Batch, Row, Stop, check_length, check_offsets, close_batch, next_row, open_batch
)
from segscore._kernels.common cimport position_t


cdef inline Py_ssize_t matched(
    const position_t* ref, Py_ssize_t n_ref, const position_t* hyp, Py_ssize_t n_hyp,
    int64_t tolerance
) noexcept nogil:
    """Pair the leftmost two if they are near enough, else skip the one that is further left: it is
    too far from all that follow. By exchange this loses no pair, because the tolerance is the same
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
    const int64_t[::1] tolerances, double[:, ::1] out, Stop halt=None
):
    """Rows: matched boundaries, hyp boundaries left over, ref boundaries left over."""
    cdef Batch batch
    cdef Row row
    cdef Py_ssize_t pairs
    cdef const position_t* ref = &ref_positions[0]
    cdef const position_t* hyp = &hyp_positions[0]
    open_batch(&batch, start, stop, n_units, ref_offsets, ref_positions.shape[0],
               hyp_offsets, hyp_positions.shape[0], out, 3, halt)
    check_length(tolerances.shape[0], stop, "tolerances")
    with nogil:
        while next_row(&batch, &row):
            pairs = matched(ref + row.ref, row.n_ref, hyp + row.hyp, row.n_hyp,
                            tolerances[row.index])
            row.out[0] = pairs
            row.out[1] = row.n_hyp - pairs
            row.out[2] = row.n_ref - pairs
    close_batch(&batch)


def boundary_match_of_pair(bytes ref, bytes hyp, int64_t tolerance):
    """(matched, hyp left over, ref left over) of packed positions."""
    cdef Py_ssize_t n_ref = PyBytes_Size(ref) // sizeof(int64_t)
    cdef Py_ssize_t n_hyp = PyBytes_Size(hyp) // sizeof(int64_t)
    cdef Py_ssize_t pairs = matched(
        <const int64_t*> PyBytes_AsString(ref), n_ref,
        <const int64_t*> PyBytes_AsString(hyp), n_hyp, tolerance
    )
    return <double> pairs, <double> (n_hyp - pairs), <double> (n_ref - pairs)


cdef inline Py_ssize_t near(
    const position_t* ours, Py_ssize_t n_ours, const position_t* theirs, Py_ssize_t n_theirs,
    int64_t units, int64_t tolerance, bint start, bint end
) noexcept nogil:
    """How many of ours have one of theirs within the tolerance. With `start` and `end` position 0
    and position N are boundaries of both sides, and found."""
    cdef Py_ssize_t i, j = 0, found = <Py_ssize_t> start + <Py_ssize_t> end
    cdef int64_t place
    for i in range(n_ours):
        place = ours[i]
        while j < n_theirs and theirs[j] < place - tolerance:
            j += 1
        if (
            (j < n_theirs and theirs[j] <= place + tolerance)
            or (start and place <= tolerance)
            or (end and units - place <= tolerance)
        ):
            found += 1
    return found


def boundaries_near(
    Py_ssize_t start, Py_ssize_t stop, const int64_t[::1] n_units,
    const int64_t[::1] ref_offsets, const position_t[::1] ref_positions,
    const int64_t[::1] hyp_offsets, const position_t[::1] hyp_positions,
    const int64_t[::1] tolerances, bint at_start, bint at_end, double[:, ::1] out, Stop halt=None
):
    """Rows: hyp boundaries that are near a ref boundary, the other hyp boundaries, ref boundaries
    that are near a hyp boundary, the other ref boundaries."""
    cdef Batch batch
    cdef Row row
    cdef Py_ssize_t found, ends = <Py_ssize_t> at_start + <Py_ssize_t> at_end
    cdef const position_t* ref = &ref_positions[0]
    cdef const position_t* hyp = &hyp_positions[0]
    open_batch(&batch, start, stop, n_units, ref_offsets, ref_positions.shape[0],
               hyp_offsets, hyp_positions.shape[0], out, 4, halt)
    check_length(tolerances.shape[0], stop, "tolerances")
    with nogil:
        while next_row(&batch, &row):
            if row.units < 2:
                continue  # the row stays 0: it cannot be scored
            found = near(hyp + row.hyp, row.n_hyp, ref + row.ref, row.n_ref, row.units,
                         tolerances[row.index], at_start, at_end)
            row.out[0] = found
            row.out[1] = row.n_hyp + ends - found
            found = near(ref + row.ref, row.n_ref, hyp + row.hyp, row.n_hyp, row.units,
                         tolerances[row.index], at_start, at_end)
            row.out[2] = found
            row.out[3] = row.n_ref + ends - found
    close_batch(&batch)


def near_ranges(
    const int64_t[::1] offsets, const int64_t[::1] ours, const int64_t[::1] other_offsets,
    const int64_t[::1] theirs, int64_t reach, int64_t[::1] first, int64_t[::1] last
):
    """For each of ours the places first … last - 1 of those of theirs in the same row that are at
    most `reach` away; there is none where last is not above first."""
    cdef Py_ssize_t row, i, low, high, end, n_rows = offsets.shape[0] - 1
    check_offsets(offsets, 0, n_rows, ours.shape[0], "offsets")
    check_offsets(other_offsets, 0, n_rows, theirs.shape[0], "other_offsets")
    check_length(first.shape[0], ours.shape[0], "first")
    check_length(last.shape[0], ours.shape[0], "last")
    with nogil:
        for row in range(n_rows):
            low = high = other_offsets[row]
            end = other_offsets[row + 1]
            for i in range(offsets[row], offsets[row + 1]):
                while low < end and theirs[low] < ours[i] - reach:
                    low += 1
                while high < end and theirs[high] <= ours[i] + reach:
                    high += 1
                first[i] = low
                last[i] = high
