# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Distances between two sets of boundaries: each to its nearest, and the cheapest way from one set
to the other.
"""

from libc.stdint cimport int64_t
from libc.stdlib cimport free, malloc, qsort

from segscore._kernels.batch cimport Batch, Row, Stop, close_batch, next_row, open_batch
from segscore._kernels.common cimport position_t


cdef int ascending(const void* a, const void* b) noexcept nogil:
    cdef int64_t left = (<const int64_t*> a)[0], right = (<const int64_t*> b)[0]
    return (left > right) - (left < right)


cdef inline int64_t apart(int64_t a, int64_t b) noexcept nogil:
    return a - b if a > b else b - a


cdef void nearest(
    const position_t* here, Py_ssize_t n_here, const position_t* there, Py_ssize_t n_there,
    int64_t* out
) noexcept nogil:
    """The distance of each to its nearest on the other side, in ascending order."""
    cdef Py_ssize_t i, j = 0
    for i in range(n_here):
        while j + 1 < n_there and apart(there[j + 1], here[i]) <= apart(there[j], here[i]):
            j += 1
        out[i] = apart(there[j], here[i])
    qsort(out, n_here, sizeof(int64_t), ascending)


cdef inline double median(const int64_t* ordered, Py_ssize_t n) noexcept nogil:
    return 0.5 * <double> ordered[(n - 1) // 2] + 0.5 * <double> ordered[n // 2]


cdef Py_ssize_t longest(const Batch* batch) noexcept nogil:
    """The most boundaries that the two sides of a document have together; 1 at least."""
    cdef Py_ssize_t most = 1, i
    for i in range(batch.next, batch.end):
        most = max(most, batch.ref_offsets[i + 1] - batch.ref_offsets[i]
                   + batch.hyp_offsets[i + 1] - batch.hyp_offsets[i])
    return most


def nearest_boundaries(
    Py_ssize_t start, Py_ssize_t stop, const int64_t[::1] n_units,
    const int64_t[::1] ref_offsets, const position_t[::1] ref_positions,
    const int64_t[::1] hyp_offsets, const position_t[::1] hyp_positions, double[:, ::1] out,
    Stop halt=None
):
    """Rows: median distance from a ref boundary to the nearest of hyp, from a hyp boundary to the
    nearest of ref, the largest of all these distances, 1; zeros if a side has no boundary."""
    cdef Batch batch
    cdef Row row
    cdef int64_t* found
    cdef const position_t* ref = &ref_positions[0]
    cdef const position_t* hyp = &hyp_positions[0]
    open_batch(&batch, start, stop, n_units, ref_offsets, ref_positions.shape[0],
               hyp_offsets, hyp_positions.shape[0], out, 4, halt)
    found = <int64_t*> malloc(longest(&batch) * sizeof(int64_t))
    if found == NULL:
        raise MemoryError(f"no memory for a document with {longest(&batch)} boundaries")
    with nogil:
        while next_row(&batch, &row):
            if row.n_ref == 0 or row.n_hyp == 0:
                continue
            nearest(ref + row.ref, row.n_ref, hyp + row.hyp, row.n_hyp, found)
            row.out[0] = median(found, row.n_ref)
            row.out[2] = found[row.n_ref - 1]
            nearest(hyp + row.hyp, row.n_hyp, ref + row.ref, row.n_ref, found)
            row.out[1] = median(found, row.n_hyp)
            row.out[2] = max(row.out[2], found[row.n_hyp - 1])
            row.out[3] = 1
    free(found)
    close_batch(&batch)


# ---- generalised Hamming distance ----

# What a boundary costs: an insertion, a deletion and a step of the way.
cdef struct Costs:
    double insertion
    double deletion
    double shift

# A slope of the cost function, as it was at some position: -insertion or deletion, and so many
# steps. Kept apart, because a sum of large and small costs would lose the small ones.
cdef struct Slope:
    bint of_hyp
    int64_t steps
    int64_t position


cdef inline bint lies_below(const Costs* costs, Slope slope) noexcept nogil:
    """Whether a slope is less than a deletion costs."""
    if slope.of_hyp:
        return slope.steps * costs.shift < 0
    return slope.steps * costs.shift < costs.deletion + costs.insertion


cdef inline bint lies_above(const Costs* costs, Slope slope) noexcept nogil:
    """Whether a slope is more than minus what an insertion costs."""
    if not slope.of_hyp:
        return slope.steps * costs.shift > 0
    return slope.steps * costs.shift > -costs.deletion - costs.insertion


cdef double transport(
    const position_t* ref, Py_ssize_t n_ref, const position_t* hyp, Py_ssize_t n_hyp,
    const Costs* costs, Slope* above, Slope* below
) noexcept nogil:
    """The least cost of turning hyp into ref.

    Walk from left to right and let f(b) be the least cost so far if b ref boundaries (b < 0: hyp
    boundaries) wait for a partner further right. A ref boundary makes f(b) into min(f(b-1), f(b) +
    insertion), a hyp boundary into min(f(b+1), f(b) + deletion), a step of one unit adds shift·|b|.
    All three keep f convex, so f is f(0) and its sorted slopes: `below` left of 0, `above` right of
    it, the ones next to 0 on top. A ref boundary puts -insertion among the slopes, a hyp boundary
    deletion, and the one that thereby comes to lie next to 0 on the other side changes f(0). As no
    slope above is ever less than -insertion and none below more than deletion, both lists are
    stacks, and the whole takes a step per boundary. f(0) is kept as numbers of insertions, of
    deletions and of steps."""
    cdef Py_ssize_t i = 0, j = 0, n_above = 0, n_below = 0
    cdef int64_t here, insertions = 0, deletions = 0
    cdef double steps = 0  # over many boundaries of a huge document they exceed 64 bits
    cdef Slope slope, other
    while i < n_ref or j < n_hyp:
        if j == n_hyp or (i < n_ref and ref[i] <= hyp[j]):
            here = ref[i]
            i += 1
            slope = Slope(False, 0, here)
            if n_below:
                other = below[n_below - 1]
                other.steps -= here - other.position
                other.position = here
                if lies_above(costs, other):
                    slope = other
                    n_below -= 1
            insertions += not slope.of_hyp
            deletions -= slope.of_hyp
            steps -= slope.steps
            above[n_above] = slope
            n_above += 1
        else:
            here = hyp[j]
            j += 1
            slope = Slope(True, 0, here)
            if n_above:
                other = above[n_above - 1]
                other.steps += here - other.position
                other.position = here
                if lies_below(costs, other):
                    slope = other
                    n_above -= 1
            insertions -= not slope.of_hyp
            deletions += slope.of_hyp
            steps += slope.steps
            below[n_below] = slope
            n_below += 1
    return insertions * costs.insertion + deletions * costs.deletion + steps * costs.shift


def ghd(
    Py_ssize_t start, Py_ssize_t stop, const int64_t[::1] n_units,
    const int64_t[::1] ref_offsets, const position_t[::1] ref_positions,
    const int64_t[::1] hyp_offsets, const position_t[::1] hyp_positions,
    double insertion, double deletion, double shift, double[:, ::1] out, Stop halt=None
):
    """Rows: the cost of turning hyp into ref, 1."""
    cdef Batch batch
    cdef Row row
    cdef Py_ssize_t most
    cdef Slope* slopes
    cdef Costs costs = Costs(insertion, deletion, shift)
    cdef const position_t* ref = &ref_positions[0]
    cdef const position_t* hyp = &hyp_positions[0]
    open_batch(&batch, start, stop, n_units, ref_offsets, ref_positions.shape[0],
               hyp_offsets, hyp_positions.shape[0], out, 2, halt)
    most = longest(&batch)
    slopes = <Slope*> malloc(2 * most * sizeof(Slope))
    if slopes == NULL:
        raise MemoryError(f"no memory for a document with {most} boundaries")
    with nogil:
        while next_row(&batch, &row):
            if row.units < 2:
                continue
            row.out[0] = transport(ref + row.ref, row.n_ref, hyp + row.hyp, row.n_hyp, &costs,
                                   slopes, slopes + most)
            row.out[1] = 1
    free(slopes)
    close_batch(&batch)
