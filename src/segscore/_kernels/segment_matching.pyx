# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Reference and hypothesis segments matched by their overlap, and by their labels if these count.

IoU of two segments is the length of what they share over the length of what they cover together.
Only segments that overlap can match, and pairs of overlapping segments never cross: as the walk
goes on neither index falls. So every matching is found on the way, in one pass and no memory.

Whether a pair reaches the threshold p/q is decided in whole numbers, shared·q against p·covered.
"""

from libc.stdint cimport int32_t, int64_t, uint64_t

from segscore._kernels.batch cimport Batch, Row, Stop, check_length, close_batch, next_row, open_batch
from segscore._kernels.common cimport position_t
from segscore._kernels.overlap_walk cimport Place, advance, first_place

cdef enum:
    IGNORED = -2  # the code of a segment that does not count; -1: without a label

# `labels_compared` of the entry
cdef enum:
    NEVER = 0
    ALWAYS = 1
    IF_BOTH_HAVE_ANY = 2

# `matching` of the entry
cdef enum:
    OPTIMAL = 0
    ARGMAX = 1
    ANY = 2
    SODA = 3

cdef struct Threshold:
    int64_t p
    int64_t q
    bint strict

# The segments of one side: their label codes (NULL: none) and how many count.
cdef struct Side:
    const int32_t* labels
    Py_ssize_t counted
    bint labelled


cdef inline int order_of_products(uint64_t a, uint64_t b, uint64_t c, uint64_t d) noexcept nogil:
    """The sign of a·b − c·d, exact for all numbers below 2**63."""
    cdef uint64_t half = 0xFFFFFFFF
    cdef uint64_t low, cross, high_1, high_2, low_1, low_2
    if (a | b | c | d) < (<uint64_t> 1 << 31):
        return (a * b > c * d) - (a * b < c * d)
    low = (a & half) * (b & half)
    cross = (a >> 32) * (b & half) + (low >> 32)
    high_1 = (a >> 32) * (b >> 32) + (cross >> 32)
    cross = (a & half) * (b >> 32) + (cross & half)
    high_1 += cross >> 32
    low_1 = (cross << 32) | (low & half)
    low = (c & half) * (d & half)
    cross = (c >> 32) * (d & half) + (low >> 32)
    high_2 = (c >> 32) * (d >> 32) + (cross >> 32)
    cross = (c & half) * (d >> 32) + (cross & half)
    high_2 += cross >> 32
    low_2 = (cross << 32) | (low & half)
    if high_1 != high_2:
        return 1 if high_1 > high_2 else -1
    return (low_1 > low_2) - (low_1 < low_2)


cdef inline int64_t shared(const Place* place) noexcept nogil:
    return place.end - place.start


cdef inline int64_t covered(const Place* place) noexcept nogil:
    return max(place.ref_end, place.hyp_end) - min(place.ref_start, place.hyp_start)


cdef inline bint reaches(int64_t both, int64_t span, const Threshold* threshold) noexcept nogil:
    cdef int order = order_of_products(both, threshold.q, threshold.p, span)
    return order > 0 or (order == 0 and not threshold.strict)


cdef inline Side side_of(const int32_t* codes, Py_ssize_t first, Py_ssize_t n) noexcept nogil:
    """The n segments from `first` on: how many count, and whether any has a label."""
    cdef Side side
    cdef Py_ssize_t i
    side.labels = NULL
    side.counted = n
    side.labelled = False
    if codes != NULL:
        side.labels = codes + first
        for i in range(n):
            side.counted -= side.labels[i] == IGNORED
            side.labelled |= side.labels[i] != -1
    return side


cdef inline bint may_match(
    const Side* ref, const Side* hyp, const Place* place, bint compared
) noexcept nogil:
    """Whether both segments count and, where labels are compared, have the same one."""
    cdef int32_t one = -1 if ref.labels == NULL else ref.labels[place.next_ref - 1]
    cdef int32_t other = -1 if hyp.labels == NULL else hyp.labels[place.next_hyp - 1]
    if compared:
        return one == other and one >= 0
    return one != IGNORED and other != IGNORED


cdef inline Py_ssize_t most_pairs(
    const position_t* ref, Py_ssize_t n_ref, const position_t* hyp, Py_ssize_t n_hyp,
    int64_t units, const Side* ref_side, const Side* hyp_side, bint compared,
    const Threshold* threshold
) noexcept nogil:
    """The largest one-to-one matching: take each pair as it comes if both are free. By exchange
    this loses none: of the later pairs that it excludes, two that do not share a segment would
    cross."""
    cdef Place place = first_place(ref, n_ref, hyp, n_hyp, units)
    cdef Py_ssize_t pairs = 0, last_ref = 0, last_hyp = 0  # numbers from 1
    while place.start < units:
        if (
            place.next_ref != last_ref and place.next_hyp != last_hyp
            and reaches(shared(&place), covered(&place), threshold)
            and may_match(ref_side, hyp_side, &place, compared)
        ):
            pairs += 1
            last_ref = place.next_ref
            last_hyp = place.next_hyp
        advance(&place, ref, n_ref, hyp, n_hyp, units)
    return pairs


cdef inline Py_ssize_t likest_pairs(
    const position_t* ref, Py_ssize_t n_ref, const position_t* hyp, Py_ssize_t n_hyp,
    int64_t units, const Side* ref_side, const Side* hyp_side, bint compared,
    const Threshold* threshold
) noexcept nogil:
    """Each hypothesis segment wants the reference segment with the largest IoU, the first of equal
    ones, and gets it if it is free. A reference segment that was taken before and overlaps this
    one is the one that was taken last."""
    cdef Place place = first_place(ref, n_ref, hyp, n_hyp, units)
    cdef Py_ssize_t pairs = 0, best = 0, taken = 0  # numbers from 1
    cdef int64_t both = 0, span = 1
    while place.start < units:
        if may_match(ref_side, hyp_side, &place, compared) and order_of_products(
            shared(&place), span, both, covered(&place)
        ) > 0:
            best = place.next_ref
            both = shared(&place)
            span = covered(&place)
        if place.hyp_end == place.end:
            if best and best != taken and reaches(both, span, threshold):
                pairs += 1
                taken = best
            best = 0
            both = 0
            span = 1
        advance(&place, ref, n_ref, hyp, n_hyp, units)
    return pairs


cdef inline void any_pairs(
    const position_t* ref, Py_ssize_t n_ref, const position_t* hyp, Py_ssize_t n_hyp,
    int64_t units, const Side* ref_side, const Side* hyp_side, bint compared,
    const Threshold* threshold, double* out
) noexcept nogil:
    """Segments of each side that reach the threshold with any of the other."""
    cdef Place place = first_place(ref, n_ref, hyp, n_hyp, units)
    cdef Py_ssize_t last_ref = 0, last_hyp = 0
    while place.start < units:
        if (
            reaches(shared(&place), covered(&place), threshold)
            and may_match(ref_side, hyp_side, &place, compared)
        ):
            out[0] += place.next_ref != last_ref
            out[1] += place.next_hyp != last_hyp
            last_ref = place.next_ref
            last_hyp = place.next_hyp
        advance(&place, ref, n_ref, hyp, n_hyp, units)


cdef inline double most_overlap(
    const position_t* ref, Py_ssize_t n_ref, const position_t* hyp, Py_ssize_t n_hyp,
    int64_t units, const Side* ref_side, const Side* hyp_side, bint compared
) noexcept nogil:
    """The largest Σ IoU of a one-to-one matching. A pair can be added to the best matching of the
    pairs before its reference segment and before its hypothesis segment began, whichever began
    first."""
    cdef Place place = first_place(ref, n_ref, hyp, n_hyp, units)
    cdef double best = 0, before_ref = 0, before_hyp = 0
    while place.start < units:
        if place.ref_start == place.start:
            before_ref = best
        if place.hyp_start == place.start:
            before_hyp = best
        if may_match(ref_side, hyp_side, &place, compared):
            best = max(
                best, min(before_ref, before_hyp) + <double> shared(&place) / covered(&place)
            )
        advance(&place, ref, n_ref, hyp, n_hyp, units)
    return best


def segment_match(
    Py_ssize_t start, Py_ssize_t stop, const int64_t[::1] n_units,
    const int64_t[::1] ref_offsets, const position_t[::1] ref_positions,
    const int64_t[::1] hyp_offsets, const position_t[::1] hyp_positions,
    const int32_t[::1] ref_labels, const int32_t[::1] hyp_labels, int labels_compared,
    int64_t p, int64_t q, bint strict, int matching, double[:, ::1] out, Stop halt=None
):
    """Rows: matched pairs (or, for SODA, Σ IoU), ref segments, hyp segments that count. For ANY:
    ref segments matched, hyp segments matched, ref segments, hyp segments. A row stays 0 if labels
    must be compared and one side has none.

    Labels are codes, one per segment, row after row; -1: no label, -2: the segment does not count.
    An empty array: no segment of that side has a label."""
    cdef Batch batch
    cdef Row row
    cdef Side ref_side, hyp_side
    cdef Threshold threshold
    cdef bint compared
    cdef Py_ssize_t at = 2 if matching == ANY else 1
    cdef const position_t* ref = &ref_positions[0]
    cdef const position_t* hyp = &hyp_positions[0]
    cdef const int32_t* ref_codes = NULL
    cdef const int32_t* hyp_codes = NULL
    open_batch(&batch, start, stop, n_units, ref_offsets, ref_positions.shape[0],
               hyp_offsets, hyp_positions.shape[0], out, at + 2, halt)
    if ref_labels.shape[0]:
        check_length(ref_labels.shape[0], ref_offsets[stop] + stop, "ref_labels")
        ref_codes = &ref_labels[0]
    if hyp_labels.shape[0]:
        check_length(hyp_labels.shape[0], hyp_offsets[stop] + stop, "hyp_labels")
        hyp_codes = &hyp_labels[0]
    threshold.p = p
    threshold.q = q
    threshold.strict = strict
    with nogil:
        while next_row(&batch, &row):
            ref_side = side_of(ref_codes, row.ref + row.index, row.n_ref + 1)
            hyp_side = side_of(hyp_codes, row.hyp + row.index, row.n_hyp + 1)
            compared = ref_side.labelled and hyp_side.labelled
            if labels_compared == ALWAYS and not compared:
                continue
            compared = compared and labels_compared != NEVER
            row.out[at] = ref_side.counted
            row.out[at + 1] = hyp_side.counted
            if matching == OPTIMAL:
                row.out[0] = most_pairs(
                    ref + row.ref, row.n_ref, hyp + row.hyp, row.n_hyp, row.units, &ref_side,
                    &hyp_side, compared, &threshold
                )
            elif matching == ARGMAX:
                row.out[0] = likest_pairs(
                    ref + row.ref, row.n_ref, hyp + row.hyp, row.n_hyp, row.units, &ref_side,
                    &hyp_side, compared, &threshold
                )
            elif matching == ANY:
                any_pairs(
                    ref + row.ref, row.n_ref, hyp + row.hyp, row.n_hyp, row.units, &ref_side,
                    &hyp_side, compared, &threshold, row.out
                )
            else:
                row.out[0] = most_overlap(
                    ref + row.ref, row.n_ref, hyp + row.hyp, row.n_hyp, row.units, &ref_side,
                    &hyp_side, compared
                )
    close_batch(&batch)
