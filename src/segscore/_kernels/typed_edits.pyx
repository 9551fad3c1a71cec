# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Boundary edit distance where boundaries have types, and the edits (docs/definitions.md §4).

Both sides are merged into points (position, type) that only one side has; the rest are matches.
Points are paired by edit_pairing.pyx, then priced and entered into the confusion matrix.

Types come as codes 0 … n_types-1 in the order of their scale: one list per boundary, ascending.
"""

from cpython.bytes cimport PyBytes_AsString, PyBytes_Size
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memset

from segscore._kernels.batch cimport (
    Batch, Row, Stop, Watch, check_length, check_offsets, close_batch, next_row, open_batch,
    raise_if_stopped, watch_of)
from segscore._kernels.common cimport position_t
from segscore._kernels.edit_matching cimport STOPPED, TOO_LARGE
from segscore._kernels.edit_pairing cimport (
    Room, pair_points, room_close, room_open, room_reserve)
from segscore._kernels.edit_points cimport Points, Scale, type_distance
from segscore._kernels.edit_prices cimport Prices, Tally, count_pair, price_of, worth

cdef enum:
    POOLED = 7  # statistics of boundary similarity before the confusion matrix

# How documents are compared; the same for all of them.
cdef struct Terms:
    int64_t n_t
    bint greedy
    bint nominal
    int64_t n_types
    int64_t n_declared  # 0: the types of a document are those that occur in it
    const int64_t *values  # of the types, ascending
    double w_sub
    double w_s
    bint whole_substitutions  # in the confusion matrix: 1 each, else by weight
    Prices prices

# What one document came to.
cdef struct Outcome:
    int64_t n_types
    double matches
    double ref_alone
    double hyp_alone
    double substitution_weight  # as they enter the confusion matrix
    double substitution_credit
    Tally tally


# ---- from boundaries to points ----

cdef void merge(
    Room *room, Outcome *outcome, double *cells, int64_t width,
    const position_t *ref, const int64_t *ref_lists, const int64_t *ref_codes, int64_t n_ref,
    const position_t *hyp, const int64_t *hyp_lists, const int64_t *hyp_codes, int64_t n_hyp
) noexcept nogil:
    """Collect the points that only one side has, and count the matches (in the matrix, too)."""
    cdef:
        Points *points = &room.points
        int64_t i = 0, j = 0, a = ref_lists[0], b = hyp_lists[0], n = 0, p, q, c, d
        int64_t ref_end = ref_lists[n_ref], hyp_end = hyp_lists[n_hyp]
        bint take_ref, take_hyp
    while a < ref_end and b < hyp_end:
        p = ref[i]
        q = hyp[j]
        c = ref_codes[a]
        d = hyp_codes[b]
        take_ref = (p < q) | ((p == q) & (c <= d))
        take_hyp = (q < p) | ((p == q) & (d <= c))
        points.position[n] = p if take_ref else q
        points.type[n] = <int32_t>(c if take_ref else d)
        points.is_ref[n] = take_ref
        n += take_ref != take_hyp
        if cells != NULL:
            cells[c * width + c] += take_ref & take_hyp
        a += take_ref
        b += take_hyp
        i += take_ref & (a == ref_lists[i + 1])
        j += take_hyp & (b == hyp_lists[j + 1])
    outcome.matches = ((a - ref_lists[0]) + (b - hyp_lists[0]) - n) // 2
    while a < ref_end:
        points.position[n] = ref[i]
        points.type[n] = <int32_t>ref_codes[a]
        points.is_ref[n] = True
        n += 1
        a += 1
        i += a == ref_lists[i + 1]
    while b < hyp_end:
        points.position[n] = hyp[j]
        points.type[n] = <int32_t>hyp_codes[b]
        points.is_ref[n] = False
        n += 1
        b += 1
        j += b == hyp_lists[j + 1]
    points.count = n


cdef Scale scale_of(
    Room *room, const Terms *terms, Outcome *outcome,
    const int64_t *ref_codes, int64_t n_ref, const int64_t *hyp_codes, int64_t n_hyp
) noexcept nogil:
    """The scale of one document, and its number of types."""
    cdef:
        Scale scale
        int64_t least = terms.n_types, greatest = -1, k, code
    scale.n_t = terms.n_t
    scale.reach = terms.n_t - 1
    scale.nominal = terms.nominal
    scale.value = terms.values
    if terms.n_declared:
        outcome.n_types = terms.n_declared
        least = 0
        greatest = terms.n_declared - 1
    else:
        room.document += 1
        for k in range(n_ref + n_hyp):
            code = ref_codes[k] if k < n_ref else hyp_codes[k - n_ref]
            outcome.n_types += room.seen_in[code] != room.document
            room.seen_in[code] = room.document
            least = min(least, code)
            greatest = max(greatest, code)
        outcome.n_types = max(outcome.n_types, 1)
    scale.width = 1
    if not terms.nominal and greatest > least:
        scale.width = terms.values[greatest] - terms.values[least]
    return scale


# ---- one document ----

cdef void count_points(
    Room *room, const Terms *terms, const Scale *scale, Outcome *outcome, double *cells,
    int64_t width
) noexcept nogil:
    """Price the pairs, and enter pairs and single points into the matrix, whose last class is
    "none"."""
    cdef:
        Points *points = &room.points
        int32_t k, mate, ref, hyp
        double entry, correctness
    for k in range(<int32_t>points.count):
        mate = points.mate[k]
        if 0 <= mate < k:
            continue
        ref = k if points.is_ref[k] else mate
        hyp = mate if points.is_ref[k] else k
        entry = 1
        if mate < 0:
            outcome.ref_alone += points.is_ref[k]
            outcome.hyp_alone += not points.is_ref[k]
        elif points.type[k] == points.type[mate]:
            entry = count_pair(
                &outcome.tally,
                price_of(&terms.prices, points.position[mate] - points.position[k]))
        else:
            correctness = count_pair(
                &outcome.tally,
                terms.w_s + terms.w_sub
                * (<double>type_distance(scale, points.type[k], points.type[mate]) / scale.width))
            entry = 1 if terms.whole_substitutions else 1 - correctness
            outcome.substitution_credit += correctness
            outcome.substitution_weight += entry
        if cells != NULL:
            cells[(points.type[ref] if ref >= 0 else width - 1) * width
                  + (points.type[hyp] if hyp >= 0 else width - 1)] += entry


# One side of the document at hand: boundaries, the offsets of their lists of types, the codes.
cdef struct Side:
    int64_t n
    const int64_t *lists
    const int64_t *codes


cdef int edit(
    Room *room, const Terms *terms, Outcome *outcome, double *cells,
    const position_t *ref, Side ref_types, const position_t *hyp, Side hyp_types
) noexcept nogil:
    """The edits of one document, counted and priced; 0, or what went wrong."""
    cdef:
        int64_t r = ref_types.lists[0], h = hyp_types.lists[0]
        int64_t ref_points = ref_types.lists[ref_types.n] - r
        int64_t hyp_points = hyp_types.lists[hyp_types.n] - h
        Scale scale
        int failed
    memset(outcome, 0, sizeof(Outcome))
    failed = room_reserve(room, ref_points + hyp_points, terms.greedy)
    if failed:
        return failed
    scale = scale_of(room, terms, outcome, ref_types.codes + r, ref_points,
                     hyp_types.codes + h, hyp_points)
    merge(room, outcome, cells, terms.n_types + 1,
          ref, ref_types.lists, ref_types.codes, ref_types.n,
          hyp, hyp_types.lists, hyp_types.codes, hyp_types.n)
    failed = pair_points(room, &scale, terms.greedy)
    if not failed:
        count_points(room, terms, &scale, outcome, cells, terms.n_types + 1)
    return failed


cdef int raise_failure(int failed, Py_ssize_t document, const Watch *watch) except -1:
    if failed == STOPPED:
        return raise_if_stopped(watch)
    if failed == TOO_LARGE:
        raise OverflowError(document)
    raise MemoryError()


cdef int check_types(
    const int64_t[::1] lists, const int64_t[::1] codes, Py_ssize_t first, Py_ssize_t last,
    int64_t n_types, str what
) except -1:
    """An error if lists of types of the boundaries first … last point outside codes or types."""
    cdef Py_ssize_t i
    cdef bint outside = False
    check_offsets(lists, first, last, codes.shape[0], what)
    for i in range(lists[first], lists[last]):
        outside |= <uint64_t>codes[i] >= <uint64_t>n_types
    if outside:
        raise IndexError(f"{what} hold codes that are none of the {n_types} types")
    return 0


# ---- batches ----

cdef Terms terms_of(tuple options, const int64_t[::1] values, const double[::1] table):
    """(n_t, greedy, nominal, declared, w_sub, w_s, whole substitutions, base, slope, w_ad) as a
    struct."""
    cdef Terms terms
    (terms.n_t, terms.greedy, terms.nominal, declared, terms.w_sub, terms.w_s,
     terms.whole_substitutions, terms.prices.base, terms.prices.slope,
     terms.prices.w_ad) = options
    check_length(values.shape[0], 1, "values")
    check_length(table.shape[0], 2, "table of prices")
    terms.values = &values[0]
    terms.n_types = values.shape[0]
    terms.n_declared = terms.n_types if declared else 0
    terms.prices.table = &table[0]
    terms.prices.size = table.shape[0]
    return terms


cdef inline void similarity_row(
    const Outcome *outcome, int64_t n_units, double w_ad, double *row
) noexcept nogil:
    row[0] = w_ad * (outcome.ref_alone + outcome.hyp_alone) + outcome.tally.cost
    row[1] = outcome.n_types * (n_units - 1)


cdef inline void boundary_row(
    const Outcome *outcome, int64_t n_units, double w_ad, double *row
) noexcept nogil:
    cdef double alone = outcome.ref_alone + outcome.hyp_alone
    row[0] = outcome.matches + outcome.tally.credit + alone * worth(w_ad)
    row[1] = outcome.matches + outcome.tally.credit_squared + alone * worth(w_ad) * worth(w_ad)
    row[2] = outcome.matches + outcome.tally.pairs + alone
    row[3] = outcome.matches + outcome.tally.credit - outcome.substitution_credit
    row[4] = outcome.hyp_alone + outcome.substitution_weight
    row[5] = outcome.ref_alone + outcome.substitution_weight
    row[6] = outcome.n_types * (n_units - 1)


def segmentation_similarity(
    Py_ssize_t start, Py_ssize_t stop, const int64_t[::1] n_units,
    const int64_t[::1] ref_offsets, const position_t[::1] ref_positions,
    const int64_t[::1] hyp_offsets, const position_t[::1] hyp_positions,
    const int64_t[::1] ref_lists, const int64_t[::1] ref_codes,
    const int64_t[::1] hyp_lists, const int64_t[::1] hyp_codes,
    tuple options, const int64_t[::1] values, const double[::1] table, double[:, ::1] out,
    Stop halt=None
):
    """Rows: cost of the edits, potential boundaries times types."""
    fill(start, stop, n_units, ref_offsets, ref_positions, hyp_offsets, hyp_positions,
         ref_lists, ref_codes, hyp_lists, hyp_codes, options, values, table, False, out, halt)


def boundary_similarity(
    Py_ssize_t start, Py_ssize_t stop, const int64_t[::1] n_units,
    const int64_t[::1] ref_offsets, const position_t[::1] ref_positions,
    const int64_t[::1] hyp_offsets, const position_t[::1] hyp_positions,
    const int64_t[::1] ref_lists, const int64_t[::1] ref_codes,
    const int64_t[::1] hyp_lists, const int64_t[::1] hyp_codes,
    tuple options, const int64_t[::1] values, const double[::1] table, double[:, ::1] out,
    Stop halt=None
):
    """Rows: correctness, its squares, pairs; tp, fp, fn; potential boundaries times types; and
    with declared types the confusion matrix, row after row, whose last class is "none"."""
    fill(start, stop, n_units, ref_offsets, ref_positions, hyp_offsets, hyp_positions,
         ref_lists, ref_codes, hyp_lists, hyp_codes, options, values, table, True, out, halt)


cdef fill(
    Py_ssize_t start, Py_ssize_t stop, const int64_t[::1] n_units,
    const int64_t[::1] ref_offsets, const position_t[::1] ref_positions,
    const int64_t[::1] hyp_offsets, const position_t[::1] hyp_positions,
    const int64_t[::1] ref_lists, const int64_t[::1] ref_codes,
    const int64_t[::1] hyp_lists, const int64_t[::1] hyp_codes,
    tuple options, const int64_t[::1] values, const double[::1] table, bint boundary,
    double[:, ::1] out, Stop halt
):
    cdef:
        Batch batch
        Row row
        Room room
        Outcome outcome
        Terms terms = terms_of(options, values, table)
        bint with_matrix = boundary and terms.n_declared > 0
        Py_ssize_t width = 2
        int failed
    if boundary:  # the matrix without its last cell, which is always 0
        width = POOLED + ((terms.n_types + 1) * (terms.n_types + 1) - 1 if with_matrix else 0)
    open_batch(&batch, start, stop, n_units, ref_offsets, ref_positions.shape[0],
               hyp_offsets, hyp_positions.shape[0], out, width, halt)
    check_types(ref_lists, ref_codes, ref_offsets[start], ref_offsets[stop], terms.n_types,
                "ref_lists")
    check_types(hyp_lists, hyp_codes, hyp_offsets[start], hyp_offsets[stop], terms.n_types,
                "hyp_lists")
    with nogil:
        failed = room_open(&room, terms.n_types, &batch.watch)
        while not failed and next_row(&batch, &row):
            failed = edit(
                &room, &terms, &outcome, row.out + POOLED if with_matrix else NULL,
                &ref_positions[0] + row.ref, Side(row.n_ref, &ref_lists[row.ref], &ref_codes[0]),
                &hyp_positions[0] + row.hyp, Side(row.n_hyp, &hyp_lists[row.hyp], &hyp_codes[0]))
            if failed:
                break
            if boundary:
                boundary_row(&outcome, row.units, terms.prices.w_ad, row.out)
            else:
                similarity_row(&outcome, row.units, terms.prices.w_ad, row.out)
        room_close(&room)
    if failed:
        raise_failure(failed, batch.next - 1, &batch.watch)
    close_batch(&batch)


# ---- the edits themselves ----

def listing(
    bytes ref, const int64_t[::1] ref_lists, const int64_t[::1] ref_codes,
    bytes hyp, const int64_t[::1] hyp_lists, const int64_t[::1] hyp_codes,
    tuple options, const int64_t[::1] values, const double[::1] table
):
    """The edit of each point that only one side has, in order: (position in ref, code in
    ref, position in hyp, code in hyp), with -1 on the side that has no partner."""
    cdef:
        Room room
        Outcome outcome
        Terms terms = terms_of(options, values, table)
        Points *points = &room.points
        int64_t n_ref = PyBytes_Size(ref) // sizeof(int64_t)
        int64_t n_hyp = PyBytes_Size(hyp) // sizeof(int64_t)
        const int64_t *ref_places = <const int64_t *>PyBytes_AsString(ref)
        const int64_t *hyp_places = <const int64_t *>PyBytes_AsString(hyp)
        Watch watch = watch_of(None)
        int32_t k, mate
        int failed
        list result = []
        tuple one, other
    check_types(ref_lists, ref_codes, 0, n_ref, terms.n_types, "ref_lists")
    check_types(hyp_lists, hyp_codes, 0, n_hyp, terms.n_types, "hyp_lists")
    with nogil:
        failed = room_open(&room, terms.n_types, &watch)
        if not failed:
            failed = edit(
                &room, &terms, &outcome, NULL,
                ref_places, Side(n_ref, &ref_lists[0], &ref_codes[0]),
                hyp_places, Side(n_hyp, &hyp_lists[0], &hyp_codes[0]))
    if failed:
        room_close(&room)
        raise_failure(failed, 0, &watch)
    try:
        for k in range(<int32_t>points.count):
            mate = points.mate[k]
            if 0 <= mate < k:
                continue
            one = (points.position[k], points.type[k])
            other = (-1, -1)
            if mate >= 0:
                other = (points.position[mate], points.type[mate])
            result.append(one + other if points.is_ref[k] else other + one)
    finally:
        room_close(&room)
    return result
