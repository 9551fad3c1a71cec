# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Labels of segments: how long each pair of labels stands at the same place, and the edit distance
between the sequences of labels.

Labels are codes, one per segment, row after row; negative codes are no labels.
"""

from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free, malloc

from segscore._kernels.batch cimport Batch, Row, Stop, check_length, close_batch, next_row, open_batch, step
from segscore._kernels.common cimport position_t
from segscore._kernels.overlap_walk cimport Place, advance, first_place

cdef enum:
    IGNORED = -2


def label_pieces(
    Py_ssize_t start, Py_ssize_t stop, const int64_t[::1] n_units,
    const int64_t[::1] ref_offsets, const position_t[::1] ref_positions,
    const int64_t[::1] hyp_offsets, const position_t[::1] hyp_positions,
    const int32_t[::1] ref_labels, const int32_t[::1] hyp_labels, int64_t[:, ::1] pieces,
    double[:, ::1] out, Stop halt=None
):
    """The pieces into which both sides' boundaries cut each document: (length, ref label, hyp
    label) from `pieces[ref_offsets[i] + hyp_offsets[i] + i]` on for document i, the rest of its
    share having length 0. Rows of `out`: the number of pieces."""
    cdef Batch batch
    cdef Row row
    cdef Place place
    cdef int64_t* piece
    cdef int64_t* all_pieces = &pieces[0, 0]
    cdef const int32_t* ref_codes = &ref_labels[0]
    cdef const int32_t* hyp_codes = &hyp_labels[0]
    cdef const position_t* ref = &ref_positions[0]
    cdef const position_t* hyp = &hyp_positions[0]
    open_batch(&batch, start, stop, n_units, ref_offsets, ref_positions.shape[0],
               hyp_offsets, hyp_positions.shape[0], out, 1, halt)
    check_length(ref_labels.shape[0], ref_offsets[stop] + stop, "ref_labels")
    check_length(hyp_labels.shape[0], hyp_offsets[stop] + stop, "hyp_labels")
    check_length(pieces.shape[0], ref_offsets[stop] + hyp_offsets[stop] + stop, "pieces")
    check_length(pieces.shape[1], 3, "a row of pieces")
    if pieces.shape[1] != 3:
        raise IndexError("a row of pieces has more than 3 entries")
    with nogil:
        while next_row(&batch, &row):
            place = first_place(ref + row.ref, row.n_ref, hyp + row.hyp, row.n_hyp, row.units)
            piece = all_pieces + 3 * (row.ref + row.hyp + row.index)
            while place.start < row.units:
                piece[0] = place.end - place.start
                piece[1] = ref_codes[row.ref + row.index + place.next_ref - 1]
                piece[2] = hyp_codes[row.hyp + row.index + place.next_hyp - 1]
                piece += 3
                row.out[0] += 1
                advance(&place, ref + row.ref, row.n_ref, hyp + row.hyp, row.n_hyp, row.units)
    close_batch(&batch)


cdef inline Py_ssize_t kept(
    const int32_t* labels, Py_ssize_t n, int32_t* out
) noexcept nogil:
    """The labels of the segments that count, and their number."""
    cdef Py_ssize_t i, count = 0
    for i in range(n):
        if labels[i] != IGNORED:
            out[count] = labels[i]
            count += 1
    return count


cdef inline bint same(int32_t one, int32_t other) noexcept nogil:
    return one == other and one >= 0


cdef inline int64_t distance(
    const int32_t* one, Py_ssize_t n, const int32_t* other, Py_ssize_t m, int64_t* costs
) noexcept nogil:
    """Levenshtein distance, in one line of costs; what both have in common at their ends costs
    nothing and is left out."""
    cdef Py_ssize_t i, j
    cdef int64_t diagonal, above
    while n and m and same(one[n - 1], other[m - 1]):
        n -= 1
        m -= 1
    while n and m and same(one[0], other[0]):
        one += 1
        other += 1
        n -= 1
        m -= 1
    for j in range(m + 1):
        costs[j] = j
    for i in range(n):
        diagonal = costs[0]
        costs[0] = i + 1
        for j in range(m):
            above = costs[j + 1]
            if not same(one[i], other[j]):
                diagonal = min(diagonal, min(above, costs[j])) + 1
            costs[j + 1] = diagonal
            diagonal = above
    return costs[m]


def label_edit(
    Py_ssize_t start, Py_ssize_t stop, const int64_t[::1] n_units,
    const int64_t[::1] ref_offsets, const position_t[::1] ref_positions,
    const int64_t[::1] hyp_offsets, const position_t[::1] hyp_positions,
    const int32_t[::1] ref_labels, const int32_t[::1] hyp_labels, double[:, ::1] out,
    Stop halt=None
):
    """Rows: the Levenshtein distance of the labels of segments that count (code -2: does not), ref
    segments that count, hyp segments that count."""
    cdef Batch batch
    cdef Row row
    cdef Py_ssize_t i, n, m, most_ref = 0, most_hyp = 0
    cdef int32_t* one
    cdef int32_t* other
    cdef int64_t* costs
    cdef const int32_t* ref_codes = &ref_labels[0]
    cdef const int32_t* hyp_codes = &hyp_labels[0]
    open_batch(&batch, start, stop, n_units, ref_offsets, ref_positions.shape[0],
               hyp_offsets, hyp_positions.shape[0], out, 3, halt)
    check_length(ref_labels.shape[0], ref_offsets[stop] + stop, "ref_labels")
    check_length(hyp_labels.shape[0], hyp_offsets[stop] + stop, "hyp_labels")
    for i in range(start, stop):
        most_ref = max(most_ref, ref_offsets[i + 1] - ref_offsets[i] + 1)
        most_hyp = max(most_hyp, hyp_offsets[i + 1] - hyp_offsets[i] + 1)
    one = <int32_t*> malloc((most_ref + 1) * sizeof(int32_t))
    other = <int32_t*> malloc((most_hyp + 1) * sizeof(int32_t))
    costs = <int64_t*> malloc((most_hyp + 2) * sizeof(int64_t))
    try:
        if not (one and other and costs):
            raise MemoryError()
        with nogil:
            while next_row(&batch, &row):
                n = kept(ref_codes + row.ref + row.index, row.n_ref + 1, one)
                m = kept(hyp_codes + row.hyp + row.index, row.n_hyp + 1, other)
                row.out[0] = distance(one, n, other, m, costs)
                row.out[1] = n
                row.out[2] = m
                if step(&batch.watch, <int64_t> n * m):
                    break
    finally:
        free(one)
        free(other)
        free(costs)
    close_batch(&batch)
