# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""L- and T-measure: do two hierarchies rank the pairs of units alike?

The document is cut into regions by the boundaries of both sides; all units of a region are alike.
Each side has a code per region and level (a label, or a segment): two units meet at the deepest
level at which their codes are equal and not negative, or at 0. For a query unit q, H[a, b] counts
the other units that meet it at level a in ref and b in hyp; pairs (i, j) and inversions follow from
H alone. Without a window H is the same for all units of a region. With one, H changes by two units
from a query to the next.
"""

from libc.stdint cimport int64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from segscore._kernels.batch cimport (
    Batch, Row, Stop, Watch, check_offsets, close_batch, next_row, open_batch, step
)
from segscore._kernels.common cimport position_t


cdef struct Side:
    Py_ssize_t regions
    Py_ssize_t depth
    const int64_t* codes   # region after region, `depth` codes each
    int64_t* meets         # per region: where it meets the query


cdef struct Document:
    Side ref
    Side hyp
    Py_ssize_t regions     # of both sides together
    int64_t* starts        # of each region, and N
    int64_t* in_ref        # the region of ref that holds it
    int64_t* in_hyp
    double* met            # H
    double* below          # counts of lower levels
    Py_ssize_t room


cdef inline void meet(Side* side, Py_ssize_t query) noexcept nogil:
    """The deepest level at which each region shares its code with the query's."""
    cdef Py_ssize_t region, level
    cdef const int64_t* own = side.codes + query * side.depth
    cdef const int64_t* other = side.codes
    for region in range(side.regions):
        level = side.depth
        while level > 0 and (own[level - 1] < 0 or own[level - 1] != other[level - 1]):
            level -= 1
        side.meets[region] = level
        other += side.depth


cdef inline double well_ordered(
    const double* met, Py_ssize_t levels, Py_ssize_t step_level, Py_ssize_t others,
    Py_ssize_t step_other, bint reduced, double* below
) noexcept nogil:
    """1 − inversions / pairs over levels of one side, as the other orders them; −1 without pairs."""
    cdef Py_ssize_t a, b
    cdef double pairs = 0, inversions = 0, size, lower, at_least, count
    for b in range(others):
        below[b] = 0
    lower = 0
    for a in range(levels):
        size = at_least = 0
        for b in range(others - 1, -1, -1):
            at_least += below[b]
            count = met[a * step_level + b * step_other]
            size += count
            inversions += count * at_least
        pairs += size * lower
        lower = size if reduced else lower + size
        for b in range(others):
            count = met[a * step_level + b * step_other]
            below[b] = count if reduced else below[b] + count
    return 1 - inversions / pairs if pairs > 0 else -1


cdef inline void judge(const Document* doc, double weight, bint reduced, double* out) noexcept nogil:
    """Add what so many queries with this H give to recall and precision."""
    cdef Py_ssize_t rows = doc.ref.depth + 1, columns = doc.hyp.depth + 1
    cdef double share = well_ordered(doc.met, rows, columns, columns, 1, reduced, doc.below)
    if share >= 0:
        out[0] += weight * share
        out[1] += weight
    share = well_ordered(doc.met, columns, 1, rows, columns, reduced, doc.below)
    if share >= 0:
        out[2] += weight * share
        out[3] += weight


cdef inline double* cell(const Document* doc, Py_ssize_t region) noexcept nogil:
    """The cell of H that counts the units of a region."""
    return doc.met + (
        doc.ref.meets[doc.in_ref[region]] * (doc.hyp.depth + 1)
        + doc.hyp.meets[doc.in_hyp[region]]
    )


cdef void without_window(Document* doc, bint reduced, double* out, Watch* watch) noexcept nogil:
    cdef Py_ssize_t query, region
    cdef Py_ssize_t cells = (doc.ref.depth + 1) * (doc.hyp.depth + 1)
    for query in range(doc.regions):
        meet(&doc.ref, doc.in_ref[query])
        meet(&doc.hyp, doc.in_hyp[query])
        memset(doc.met, 0, cells * sizeof(double))
        for region in range(doc.regions):
            cell(doc, region)[0] += doc.starts[region + 1] - doc.starts[region]
        cell(doc, query)[0] -= 1  # the query itself
        judge(doc, doc.starts[query + 1] - doc.starts[query], reduced, out)
        if step(watch, doc.regions + cells):
            return


cdef void with_window(
    Document* doc, int64_t window, bint reduced, double* out, Watch* watch
) noexcept nogil:
    """The window of q holds the units q − window … q + window − 1."""
    cdef Py_ssize_t query, region, left, right
    cdef Py_ssize_t cells = (doc.ref.depth + 1) * (doc.hyp.depth + 1)
    cdef int64_t unit, first, last, units = doc.starts[doc.regions]
    for query in range(doc.regions):
        meet(&doc.ref, doc.in_ref[query])
        meet(&doc.hyp, doc.in_hyp[query])
        memset(doc.met, 0, cells * sizeof(double))
        unit = doc.starts[query]
        first = max(0, unit - window)
        last = min(units, unit + window)
        left = right = 0
        for region in range(doc.regions):
            if doc.starts[region] <= first:
                left = region  # holds the first unit of the window
            if doc.starts[region] <= last:
                right = region  # holds the unit after its last one
            if doc.starts[region] < last and doc.starts[region + 1] > first:
                cell(doc, region)[0] += (
                    min(last, doc.starts[region + 1]) - max(first, doc.starts[region])
                )
        cell(doc, query)[0] -= 1
        while True:
            judge(doc, 1, reduced, out)
            if step(watch, cells + 1):
                return
            unit += 1
            if unit == doc.starts[query + 1]:
                break
            if unit - window > 0:  # the unit before the window leaves it
                while doc.starts[left + 1] <= unit - window - 1:
                    left += 1
                cell(doc, left)[0] -= 1
            if unit + window <= units:
                while doc.starts[right + 1] <= unit + window - 1:
                    right += 1
                cell(doc, right)[0] += 1
        if step(watch, doc.regions):
            return


cdef int reserve(Document* doc) except -1 nogil:
    """Memory for a document: places, levels at which regions meet, counts."""
    cdef Py_ssize_t most = doc.ref.regions + doc.hyp.regions
    cdef Py_ssize_t cells = (doc.ref.depth + 1) * (doc.hyp.depth + 1) + doc.ref.depth + doc.hyp.depth
    cdef Py_ssize_t numbers = 4 * most + 4 + cells + 4
    if numbers > doc.room:
        free(doc.starts)
        doc.starts = <int64_t*> malloc(2 * numbers * sizeof(int64_t))
        doc.room = 2 * numbers if doc.starts else 0
        if doc.starts == NULL:
            with gil:
                raise MemoryError(f"no memory for a document of {most} segments")
    doc.in_ref = doc.starts + most + 1
    doc.in_hyp = doc.in_ref + most + 1
    doc.ref.meets = doc.in_hyp + most + 1
    doc.hyp.meets = doc.ref.meets + doc.ref.regions
    doc.met = <double*> (doc.hyp.meets + doc.hyp.regions)
    doc.below = doc.met + (doc.ref.depth + 1) * (doc.hyp.depth + 1)
    return 0


cdef inline void merge(
    Document* doc, const position_t* ref, const position_t* hyp, int64_t units
) noexcept nogil:
    """Regions between the boundaries of both sides."""
    cdef Py_ssize_t i = 0, j = 0, n = 0
    cdef int64_t next_ref, next_hyp
    doc.starts[0] = 0
    while True:
        doc.in_ref[n] = i
        doc.in_hyp[n] = j
        n += 1
        next_ref = ref[i] if i < doc.ref.regions - 1 else units
        next_hyp = hyp[j] if j < doc.hyp.regions - 1 else units
        doc.starts[n] = min(next_ref, next_hyp)
        if doc.starts[n] == units:
            break
        i += next_ref == doc.starts[n]
        j += next_hyp == doc.starts[n]
    doc.regions = n


cdef int check_codes(
    const int64_t[::1] offsets, Py_ssize_t start, Py_ssize_t stop, Py_ssize_t n_codes,
    const int64_t[::1] places, str what
) except -1:
    """Each row has codes, as many for each of its regions."""
    cdef Py_ssize_t row
    check_offsets(offsets, start, stop, n_codes, what)
    for row in range(start, stop):
        if (
            offsets[row + 1] == offsets[row]
            or (offsets[row + 1] - offsets[row]) % (places[row + 1] - places[row] + 1)
        ):
            raise IndexError(f"{what}: row {row} has not as many codes for each of its regions")
    return 0


def ordered_pairs(
    Py_ssize_t start, Py_ssize_t stop, const int64_t[::1] n_units,
    const int64_t[::1] ref_offsets, const position_t[::1] ref_positions,
    const int64_t[::1] hyp_offsets, const position_t[::1] hyp_positions,
    const int64_t[::1] ref_code_offsets, const int64_t[::1] ref_codes,
    const int64_t[::1] hyp_code_offsets, const int64_t[::1] hyp_codes,
    int64_t window, bint reduced, double[:, ::1] out, Stop halt=None
):
    """Rows: Σ over queries of the share of well-ordered pairs of ref, queries that have pairs; the
    same for the pairs of hyp. `window` below 0: none; `reduced`: adjacent levels only."""
    cdef Batch batch
    cdef Row row
    cdef Document doc
    cdef const position_t* ref = &ref_positions[0]
    cdef const position_t* hyp = &hyp_positions[0]
    open_batch(&batch, start, stop, n_units, ref_offsets, ref_positions.shape[0],
               hyp_offsets, hyp_positions.shape[0], out, 4, halt)
    check_codes(ref_code_offsets, start, stop, ref_codes.shape[0], ref_offsets, "ref_codes")
    check_codes(hyp_code_offsets, start, stop, hyp_codes.shape[0], hyp_offsets, "hyp_codes")
    doc.starts = NULL
    doc.room = 0
    try:
        with nogil:
            while next_row(&batch, &row):
                doc.ref.regions, doc.hyp.regions = row.n_ref + 1, row.n_hyp + 1
                doc.ref.codes = &ref_codes[0] + ref_code_offsets[row.index]
                doc.hyp.codes = &hyp_codes[0] + hyp_code_offsets[row.index]
                doc.ref.depth = (
                    ref_code_offsets[row.index + 1] - ref_code_offsets[row.index]
                ) // doc.ref.regions
                doc.hyp.depth = (
                    hyp_code_offsets[row.index + 1] - hyp_code_offsets[row.index]
                ) // doc.hyp.regions
                reserve(&doc)
                merge(&doc, ref + row.ref, hyp + row.hyp, row.units)
                memset(row.out, 0, 4 * sizeof(double))
                if window < 0 or window >= row.units:
                    without_window(&doc, reduced, row.out, &batch.watch)
                else:
                    with_window(&doc, window, reduced, row.out, &batch.watch)
    finally:
        free(doc.starts)
    close_batch(&batch)
