# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Labels of segments: how long each pair of labels stands at the same place, what tables of labels
come to, and the edit distance between the sequences of labels.

Labels are codes, one per segment, row after row; negative codes are no labels.
"""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport calloc, free, malloc

from segscore._kernels.batch cimport (
    Batch, Row, Stop, Watch, check_length, check_offsets, close_batch, next_row, open_batch, step
)
from segscore._kernels.common cimport position_t
from segscore._kernels.label_cells cimport Cell, grouped
from segscore._kernels.overlap_walk cimport Place, advance, first_place

cdef enum:
    IGNORED = -2


cdef int open_labels(
    Batch* batch, Py_ssize_t start, Py_ssize_t stop, const int64_t[::1] n_units,
    const int64_t[::1] ref_offsets, Py_ssize_t n_refs, const int64_t[::1] hyp_offsets,
    Py_ssize_t n_hyps, Py_ssize_t n_ref_labels, Py_ssize_t n_hyp_labels, double[:, ::1] out,
    Py_ssize_t width, Stop halt
) except -1:
    """Open a batch with a label per segment."""
    open_batch(batch, start, stop, n_units, ref_offsets, n_refs, hyp_offsets, n_hyps, out, width,
               halt)
    check_offsets(ref_offsets, start, stop, n_refs, "ref_offsets")
    check_offsets(hyp_offsets, start, stop, n_hyps, "hyp_offsets")
    check_length(n_ref_labels, ref_offsets[stop] + stop, "ref_labels")
    check_length(n_hyp_labels, hyp_offsets[stop] + stop, "hyp_labels")
    return 0


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
    open_labels(&batch, start, stop, n_units, ref_offsets, ref_positions.shape[0], hyp_offsets,
                hyp_positions.shape[0], ref_labels.shape[0], hyp_labels.shape[0], out, 1, halt)
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
    const int32_t* one, Py_ssize_t n, const int32_t* other, Py_ssize_t m, int64_t* costs,
    Watch* watch
) noexcept nogil:
    """Levenshtein distance, in one line of costs; what both have in common at their ends costs
    nothing and is left out. Without meaning if it was stopped."""
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
        if step(watch, m + 1):
            break
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
    open_labels(&batch, start, stop, n_units, ref_offsets, ref_positions.shape[0], hyp_offsets,
                hyp_positions.shape[0], ref_labels.shape[0], hyp_labels.shape[0], out, 3, halt)
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
                row.out[0] = distance(one, n, other, m, costs, &batch.watch)
                row.out[1] = n
                row.out[2] = m
                if batch.watch.stopped:
                    break
    finally:
        free(one)
        free(other)
        free(costs)
    close_batch(&batch)


# ---- tables of labels ----

cdef enum:
    DENSE = 16             # places of a whole table per cell that may be used, at most


cdef struct Tables:
    Cell* cells            # room for the longest document, and as much to sort it
    Cell* spare
    int64_t* whole         # and for a whole table, one place more for units that are left out
    int64_t n_labels


cdef int reserve_tables(
    Tables* tables, Py_ssize_t start, Py_ssize_t stop, const int64_t[::1] ref_offsets,
    const int64_t[::1] hyp_offsets, const int32_t[::1] ref_labels, const int32_t[::1] hyp_labels
) except -1:
    """Memory for the tables of any of these documents."""
    cdef Py_ssize_t i, most = 0
    cdef int32_t largest = -1
    for i in range(start, stop):
        most = max(most, ref_offsets[i + 1] - ref_offsets[i] + hyp_offsets[i + 1] - hyp_offsets[i])
    for i in range(ref_offsets[start] + start, ref_offsets[stop] + stop):
        largest = max(largest, ref_labels[i])
    for i in range(hyp_offsets[start] + start, hyp_offsets[stop] + stop):
        largest = max(largest, hyp_labels[i])
    tables.n_labels = <int64_t> largest + 1
    tables.cells = <Cell*> malloc(2 * (most + 2) * sizeof(Cell))
    tables.whole = <int64_t*> calloc(DENSE * (most + 2) + 1, sizeof(int64_t))
    if tables.cells == NULL or tables.whole == NULL:
        release_tables(tables)
        raise MemoryError
    tables.spare = tables.cells + most + 2
    return 0


cdef void release_tables(Tables* tables) noexcept nogil:
    free(tables.cells)
    free(tables.whole)


cdef inline Py_ssize_t gathered(Tables* tables, int64_t size) noexcept nogil:
    """Cells of a whole table in their order, those of 0 units left out; the table is cleared."""
    cdef int64_t i
    cdef Py_ssize_t count = 0
    for i in range(size):
        tables.cells[count].key = i
        tables.cells[count].units = tables.whole[i]
        count += tables.whole[i] != 0
        tables.whole[i] = 0
    tables.whole[size] = 0
    return count


cdef inline Py_ssize_t side_cells(
    const position_t* positions, int64_t n, int64_t units, const int32_t* labels, Tables* tables
) noexcept nogil:
    """Units of each label of one side, by label; segments without one are left out."""
    cdef int64_t i, end, start = 0, size = tables.n_labels
    cdef Py_ssize_t count = 0
    cdef bint dense = size <= DENSE * (n + 1)
    for i in range(n + 1):
        end = positions[i] if i < n else units
        if dense:
            tables.whole[labels[i] if labels[i] >= 0 else size] += end - start
        else:
            tables.cells[count].key = <uint64_t> <int64_t> labels[i]
            tables.cells[count].units = end - start
            count += labels[i] >= 0
        start = end
    return gathered(tables, size) if dense else grouped(tables.cells, count, tables.spare)


cdef inline Py_ssize_t joint_cells(
    const Row* row, const position_t* ref, const position_t* hyp, const int32_t* ref_labels,
    const int32_t* hyp_labels, Tables* tables
) noexcept nogil:
    """Units of each pair of labels, by label; pieces without one of them are left out."""
    cdef Py_ssize_t count = 0
    cdef int64_t one, other, size = tables.n_labels, most = DENSE * (row.n_ref + row.n_hyp + 1)
    cdef bint dense = size <= most and size * size <= most, labelled
    cdef Place place = first_place(ref, row.n_ref, hyp, row.n_hyp, row.units)
    while place.start < row.units:
        one = ref_labels[place.next_ref - 1]
        other = hyp_labels[place.next_hyp - 1]
        labelled = one >= 0 and other >= 0
        if dense:
            tables.whole[one * size + other if labelled else size * size] += place.end - place.start
        else:
            tables.cells[count].key = <uint64_t> one << 32 | <uint64_t> other
            tables.cells[count].units = place.end - place.start
            count += labelled
        advance(&place, ref, row.n_ref, hyp, row.n_hyp, row.units)
    return gathered(tables, size * size) if dense else grouped(tables.cells, count, tables.spare)


cdef inline int64_t n_labelled(const int32_t* labels, int64_t n) noexcept nogil:
    """How many segments have a label; n boundaries are n + 1 segments."""
    cdef int64_t i, found = 0
    for i in range(n + 1):
        found += labels[i] >= 0
    return found


cdef inline double pairs_among(const Cell* cells, Py_ssize_t n) noexcept nogil:
    """Pairs of units in the same cell; in doubles, because squares leave 64 bits."""
    cdef double pairs = 0, units
    cdef Py_ssize_t i
    for i in range(n):
        units = cells[i].units
        pairs += units * (units - 1) / 2
    return pairs


def label_pairs(
    Py_ssize_t start, Py_ssize_t stop, const int64_t[::1] n_units,
    const int64_t[::1] ref_offsets, const position_t[::1] ref_positions,
    const int64_t[::1] hyp_offsets, const position_t[::1] hyp_positions,
    const int32_t[::1] ref_labels, const int32_t[::1] hyp_labels, double[:, ::1] out,
    Stop halt=None
):
    """Rows: pairs of units with the same label on both sides, in ref, in hyp; zeros if a side has no
    label."""
    cdef Batch batch
    cdef Row row
    cdef Tables tables
    cdef const position_t* ref
    cdef const position_t* hyp
    cdef const int32_t* ref_codes
    cdef const int32_t* hyp_codes
    open_labels(&batch, start, stop, n_units, ref_offsets, ref_positions.shape[0], hyp_offsets,
                hyp_positions.shape[0], ref_labels.shape[0], hyp_labels.shape[0], out, 3, halt)
    reserve_tables(&tables, start, stop, ref_offsets, hyp_offsets, ref_labels, hyp_labels)
    with nogil:
        while next_row(&batch, &row):
            ref = &ref_positions[0] + row.ref
            hyp = &hyp_positions[0] + row.hyp
            ref_codes = &ref_labels[0] + row.ref + row.index
            hyp_codes = &hyp_labels[0] + row.hyp + row.index
            row.out[0] = row.out[1] = row.out[2] = 0
            if not n_labelled(ref_codes, row.n_ref) or not n_labelled(hyp_codes, row.n_hyp):
                continue
            row.out[0] = pairs_among(
                tables.cells, joint_cells(&row, ref, hyp, ref_codes, hyp_codes, &tables))
            row.out[1] = pairs_among(
                tables.cells, side_cells(ref, row.n_ref, row.units, ref_codes, &tables))
            row.out[2] = pairs_among(
                tables.cells, side_cells(hyp, row.n_hyp, row.units, hyp_codes, &tables))
    release_tables(&tables)
    close_batch(&batch)


def label_units(
    Py_ssize_t start, Py_ssize_t stop, const int64_t[::1] n_units,
    const int64_t[::1] ref_offsets, const position_t[::1] ref_positions,
    const int64_t[::1] hyp_offsets, const position_t[::1] hyp_positions,
    const int32_t[::1] ref_labels, const int32_t[::1] hyp_labels, double[:, ::1] out,
    Stop halt=None
):
    """Rows: units with the same label on both sides, all units; zeros if a side has no label."""
    cdef Batch batch
    cdef Row row
    cdef Place place
    cdef int64_t same_units
    cdef const position_t* ref
    cdef const position_t* hyp
    cdef const int32_t* ref_codes
    cdef const int32_t* hyp_codes
    open_labels(&batch, start, stop, n_units, ref_offsets, ref_positions.shape[0], hyp_offsets,
                hyp_positions.shape[0], ref_labels.shape[0], hyp_labels.shape[0], out, 2, halt)
    with nogil:
        while next_row(&batch, &row):
            ref = &ref_positions[0] + row.ref
            hyp = &hyp_positions[0] + row.hyp
            ref_codes = &ref_labels[0] + row.ref + row.index
            hyp_codes = &hyp_labels[0] + row.hyp + row.index
            row.out[0] = row.out[1] = 0
            if not n_labelled(ref_codes, row.n_ref) or not n_labelled(hyp_codes, row.n_hyp):
                continue
            same_units = 0
            place = first_place(ref, row.n_ref, hyp, row.n_hyp, row.units)
            while place.start < row.units:
                if same(ref_codes[place.next_ref - 1], hyp_codes[place.next_hyp - 1]):
                    same_units += place.end - place.start
                advance(&place, ref, row.n_ref, hyp, row.n_hyp, row.units)
            row.out[0] = same_units
            row.out[1] = row.units
    close_batch(&batch)


cdef inline void put_shares(
    const Cell* cells, Py_ssize_t n, int64_t units, double* shares
) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        shares[i] = <double> cells[i].units / <double> units


def label_shares(
    Py_ssize_t start, Py_ssize_t stop, const int64_t[::1] n_units,
    const int64_t[::1] ref_offsets, const position_t[::1] ref_positions,
    const int64_t[::1] hyp_offsets, const position_t[::1] hyp_positions,
    const int32_t[::1] ref_labels, const int32_t[::1] hyp_labels, double[::1] joint,
    double[::1] of_ref, double[::1] of_hyp, double[:, ::1] out, Stop halt=None
):
    """The shares of units that have each pair of labels, each label of ref, and each of hyp, sorted
    by label: for document i from `joint[ref_offsets[i] + hyp_offsets[i] + i]`, `of_ref[ref_offsets[i]
    + i]` and `of_hyp[hyp_offsets[i] + i]` on; the rest is left as it is. Rows: how many labels ref
    has, and hyp; zeros, and no shares, if some segment has no label."""
    cdef Batch batch
    cdef Row row
    cdef Tables tables
    cdef Py_ssize_t n
    cdef const position_t* ref
    cdef const position_t* hyp
    cdef const int32_t* ref_codes
    cdef const int32_t* hyp_codes
    open_labels(&batch, start, stop, n_units, ref_offsets, ref_positions.shape[0], hyp_offsets,
                hyp_positions.shape[0], ref_labels.shape[0], hyp_labels.shape[0], out, 2, halt)
    check_length(joint.shape[0], ref_offsets[stop] + hyp_offsets[stop] + stop, "joint")
    check_length(of_ref.shape[0], ref_offsets[stop] + stop, "of_ref")
    check_length(of_hyp.shape[0], hyp_offsets[stop] + stop, "of_hyp")
    reserve_tables(&tables, start, stop, ref_offsets, hyp_offsets, ref_labels, hyp_labels)
    with nogil:
        while next_row(&batch, &row):
            ref = &ref_positions[0] + row.ref
            hyp = &hyp_positions[0] + row.hyp
            ref_codes = &ref_labels[0] + row.ref + row.index
            hyp_codes = &hyp_labels[0] + row.hyp + row.index
            row.out[0] = row.out[1] = 0
            if (n_labelled(ref_codes, row.n_ref) <= row.n_ref
                    or n_labelled(hyp_codes, row.n_hyp) <= row.n_hyp):
                continue
            n = joint_cells(&row, ref, hyp, ref_codes, hyp_codes, &tables)
            put_shares(tables.cells, n, row.units, &joint[0] + row.ref + row.hyp + row.index)
            n = side_cells(ref, row.n_ref, row.units, ref_codes, &tables)
            put_shares(tables.cells, n, row.units, &of_ref[0] + row.ref + row.index)
            row.out[0] = n
            n = side_cells(hyp, row.n_hyp, row.units, hyp_codes, &tables)
            put_shares(tables.cells, n, row.units, &of_hyp[0] + row.hyp + row.index)
            row.out[1] = n
    release_tables(&tables)
    close_batch(&batch)
