# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""How the segments of reference and hypothesis overlap, and what follows from it.

The boundaries of both sides together cut a document into pieces; each piece lies in one reference
segment and one hypothesis segment. One walk over the pieces, a step per boundary, serves every
measure that compares segments as sets of units. No term of a sum is negative, so that nothing
cancels for any N.
"""

from libc.math cimport expm1, log1p
from libc.stdint cimport int64_t

from segscore._kernels.batch cimport Batch, Row, Stop, close_batch, next_row, open_batch
from segscore._kernels.common cimport position_t
from segscore._kernels.overlap_walk cimport Place, advance, first_place, position

cdef inline void overlap_row(
    const position_t* ref, Py_ssize_t n_ref, const position_t* hyp, Py_ssize_t n_hyp,
    int64_t units, double* row
) noexcept nogil:
    cdef Place place = first_place(ref, n_ref, hyp, n_hyp, units)
    cdef double both, in_ref, in_hyp, most_of_ref = 0, most_of_hyp = 0, likest = 0
    while place.start < units:
        both = place.end - place.start
        in_ref = place.ref_end - place.ref_start
        in_hyp = place.hyp_end - place.hyp_start
        most_of_ref = max(most_of_ref, both)
        most_of_hyp = max(most_of_hyp, both)
        likest = max(likest, both / (in_ref + in_hyp - both))
        row[3] += both * (both - 1)
        row[4] += both * (in_ref - both)
        row[5] += both * (in_hyp - both)
        row[6] += both * ((in_ref - both) / in_ref)
        row[7] += both * ((in_hyp - both) / in_hyp)
        row[9] += both * (units - in_ref - in_hyp + both)
        if place.ref_end == place.end:
            row[1] += most_of_ref
            row[2] += in_ref * likest
            most_of_ref = likest = 0
        if place.hyp_end == place.end:
            row[0] += most_of_hyp
            most_of_hyp = 0
        advance(&place, ref, n_ref, hyp, n_hyp, units)
    row[8] = units


def overlap(
    Py_ssize_t start, Py_ssize_t stop, const int64_t[::1] n_units,
    const int64_t[::1] ref_offsets, const position_t[::1] ref_positions,
    const int64_t[::1] hyp_offsets, const position_t[::1] hyp_positions, double[:, ::1] out,
    Stop halt=None
):
    """Rows, with r, h and o the sizes of a piece's reference segment, its hypothesis segment and
    the piece itself: 0 Σ over hyp segments of the largest o; 1 the same over ref segments; 2 Σ over
    ref segments of r times the largest Jaccard similarity; over pieces 3 Σ o(o−1), 4 Σ o(r−o),
    5 Σ o(h−o), 6 Σ o(r−o)/r, 7 Σ o(h−o)/h; 8 units N; over pieces 9 Σ o(N−r−h+o)."""
    cdef Batch batch
    cdef Row row
    cdef const position_t* ref = &ref_positions[0]
    cdef const position_t* hyp = &hyp_positions[0]
    open_batch(&batch, start, stop, n_units, ref_offsets, ref_positions.shape[0],
               hyp_offsets, hyp_positions.shape[0], out, 10, halt)
    with nogil:
        while next_row(&batch, &row):
            if row.units > 1:
                overlap_row(ref + row.ref, row.n_ref, hyp + row.hyp, row.n_hyp, row.units, row.out)
    close_batch(&batch)


# ---- A: each segment points to the segment of the other side that holds most of it ----

cdef struct Best:  # what a segment points to: the most of it in one segment, and the size of that
    int64_t both
    int64_t size


cdef inline Best best_of(
    int64_t start, int64_t end, const position_t* other, Py_ssize_t n_other, Py_ssize_t i,
    int64_t first, int64_t units
) noexcept nogil:
    """What the segment start … end points to; the other side's segment number i, from `first` on,
    holds its first unit. Of segments that hold equally much the smallest is the most similar."""
    cdef Best best
    cdef int64_t low = first, high, both
    best.both = best.size = 0
    while low < end:
        high = position(other, n_other, i, units)
        both = min(high, end) - max(low, start)
        if both > best.both or (both == best.both and high - low < best.size):
            best.both = both
            best.size = high - low
        low = high
        i += 1
    return best


cdef inline void alignment_row(
    const position_t* ref, Py_ssize_t n_ref, const position_t* hyp, Py_ssize_t n_hyp,
    int64_t units, double* row
) noexcept nogil:
    cdef Place place = first_place(ref, n_ref, hyp, n_hyp, units)
    cdef Best of_ref, of_hyp
    cdef int64_t both, in_ref, in_hyp
    while place.start < units:
        if place.start == place.ref_start:
            of_ref = best_of(place.ref_start, place.ref_end, hyp, n_hyp, place.next_hyp - 1,
                             place.hyp_start, units)
        if place.start == place.hyp_start:
            of_hyp = best_of(place.hyp_start, place.hyp_end, ref, n_ref, place.next_ref - 1,
                             place.ref_start, units)
        both = place.end - place.start
        in_ref = place.ref_end - place.ref_start
        in_hyp = place.hyp_end - place.hyp_start
        if (
            (both == of_ref.both and in_hyp == of_ref.size)
            or (both == of_hyp.both and in_ref == of_hyp.size)
        ):
            row[0] += <double> both / (in_ref + in_hyp - both)
            row[1] += 1
        advance(&place, ref, n_ref, hyp, n_hyp, units)


def alignment(
    Py_ssize_t start, Py_ssize_t stop, const int64_t[::1] n_units,
    const int64_t[::1] ref_offsets, const position_t[::1] ref_positions,
    const int64_t[::1] hyp_offsets, const position_t[::1] hyp_positions, double[:, ::1] out,
    Stop halt=None
):
    """Rows: the Jaccard similarities of pairs of segments of which one points to the other, added
    up, and the number of these pairs. A segment of one side is looked at once for each segment that
    it shares units with, so that the cost grows with boundaries."""
    cdef Batch batch
    cdef Row row
    cdef const position_t* ref = &ref_positions[0]
    cdef const position_t* hyp = &hyp_positions[0]
    open_batch(&batch, start, stop, n_units, ref_offsets, ref_positions.shape[0],
               hyp_offsets, hyp_positions.shape[0], out, 2, halt)
    with nogil:
        while next_row(&batch, &row):
            if row.units > 1:
                alignment_row(
                    ref + row.ref, row.n_ref, hyp + row.hyp, row.n_hyp, row.units, row.out)
    close_batch(&batch)


# ---- P_D: pairs of units, weighted by their distance d with q^(d-1), q = 1 - 1/mu ----

cdef inline double reach(int64_t n, double mu) noexcept nogil:
    """1 + q + … + q^(n-1)."""
    return -mu * expm1(n * log1p(-1 / mu))


cdef inline double all_pairs(int64_t n, double mu) noexcept nogil:
    """Σ over pairs among n units, Σ_d (n-d)·q^(d-1): in closed form, or, if that would cancel,
    as the alternating series C(n,2) - C(n,3)/mu + C(n,4)/mu² - …, which then falls quickly."""
    cdef double term, total
    cdef int64_t i = 2
    if n >= mu:
        return mu * (n - reach(n, mu))
    term = total = 0.5 * n * (n - 1)
    while term > 1e-18 * total or term < -1e-18 * total:
        term *= -(n - i) / ((i + 1) * mu)
        total += term
        i += 1
    return total


cdef inline double pairs_apart(
    const position_t* ref, Py_ssize_t n_ref, const position_t* hyp, Py_ssize_t n_hyp,
    int64_t units, double mu
) noexcept nogil:
    """Pairs that are in one segment on one side and not on the other. A piece and what precedes it
    in the same segment of one side are apart on the other: the pairs between two neighbouring
    stretches of a and b units weigh reach(a)·reach(b)."""
    cdef Place place = first_place(ref, n_ref, hyp, n_hyp, units)
    cdef double total = 0, here
    while place.start < units:
        if place.ref_start < place.start or place.hyp_start < place.start:
            here = reach(place.end - place.start, mu)
            if place.ref_start < place.start:
                total += here * reach(place.start - place.ref_start, mu)
            if place.hyp_start < place.start:
                total += here * reach(place.start - place.hyp_start, mu)
        advance(&place, ref, n_ref, hyp, n_hyp, units)
    return total


def pd(
    Py_ssize_t start, Py_ssize_t stop, const int64_t[::1] n_units,
    const int64_t[::1] ref_offsets, const position_t[::1] ref_positions,
    const int64_t[::1] hyp_offsets, const position_t[::1] hyp_positions,
    double mu, double[:, ::1] out, Stop halt=None
):
    """Rows: weight of the pairs of units on which both sides disagree, weight of all pairs. mu = 0
    stands for the mean reference segment."""
    cdef Batch batch
    cdef Row row
    cdef double mean
    cdef const position_t* ref = &ref_positions[0]
    cdef const position_t* hyp = &hyp_positions[0]
    open_batch(&batch, start, stop, n_units, ref_offsets, ref_positions.shape[0],
               hyp_offsets, hyp_positions.shape[0], out, 2, halt)
    with nogil:
        while next_row(&batch, &row):
            if row.units < 2:
                continue
            mean = mu if mu > 0 else <double> row.units / (row.n_ref + 1)
            row.out[1] = all_pairs(row.units, mean)
            # min: a sum of many roundings may pass the whole, of which it is a part
            row.out[0] = min(row.out[1], pairs_apart(
                ref + row.ref, row.n_ref, hyp + row.hyp, row.n_hyp, row.units, mean))
    close_batch(&batch)
