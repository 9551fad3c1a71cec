# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Distances between two sets of boundaries: each to its nearest, and the cheapest way from one set
to the other.
"""

from libc.stdint cimport int64_t
from libc.stdlib cimport free, malloc, qsort

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


def nearest_boundaries(
    Py_ssize_t start, Py_ssize_t stop, const int64_t[::1] n_units,
    const int64_t[::1] ref_offsets, const position_t[::1] ref_positions,
    const int64_t[::1] hyp_offsets, const position_t[::1] hyp_positions, double[:, ::1] out
):
    """Rows: median distance from a ref boundary to the nearest of hyp, from a hyp boundary to the
    nearest of ref, the largest of all these distances, 1; zeros where a side has no boundary."""
    cdef Py_ssize_t row, n_ref, n_hyp, most = 1
    cdef int64_t* found = NULL
    cdef const position_t* ref = &ref_positions[0]
    cdef const position_t* hyp = &hyp_positions[0]
    for row in range(start, stop):
        most = max(most, ref_offsets[row + 1] - ref_offsets[row])
        most = max(most, hyp_offsets[row + 1] - hyp_offsets[row])
    found = <int64_t*> malloc(most * sizeof(int64_t))
    if found == NULL:
        raise MemoryError(f"no memory for a document with {most} boundaries")
    with nogil:
        for row in range(start, stop):
            n_ref = ref_offsets[row + 1] - ref_offsets[row]
            n_hyp = hyp_offsets[row + 1] - hyp_offsets[row]
            if n_ref == 0 or n_hyp == 0:
                continue
            nearest(ref + ref_offsets[row], n_ref, hyp + hyp_offsets[row], n_hyp, found)
            out[row, 0] = median(found, n_ref)
            out[row, 2] = found[n_ref - 1]
            nearest(hyp + hyp_offsets[row], n_hyp, ref + ref_offsets[row], n_ref, found)
            out[row, 1] = median(found, n_hyp)
            out[row, 2] = max(out[row, 2], found[n_hyp - 1])
            out[row, 3] = 1
    free(found)


# ---- generalised Hamming distance ----

# A slope of the cost function, as it was at some position.
cdef struct Slope:
    double value
    int64_t position


cdef double transport(
    const position_t* ref, Py_ssize_t n_ref, const position_t* hyp, Py_ssize_t n_hyp,
    double insertion, double deletion, double shift, Slope* above, Slope* below
) noexcept nogil:
    """The least cost of turning hyp into ref.

    Walk from left to right and let f(b) be the least cost so far if b ref boundaries (b < 0: hyp
    boundaries) wait for a partner further right. A ref boundary makes f(b) into min(f(b-1), f(b) +
    insertion), a hyp boundary into min(f(b+1), f(b) + deletion), a step of one unit adds shift·|b|.
    All three keep f convex, so f is f(0) and its sorted slopes: `below` left of 0, `above` right of
    it, the ones next to 0 on top. A ref boundary puts -insertion among the slopes, a hyp boundary
    deletion, and the one that thereby comes to lie next to 0 on the other side changes f(0). As no
    slope above is ever less than -insertion and none below more than deletion, both lists are
    stacks, and the whole takes a step per boundary."""
    cdef Py_ssize_t i = 0, j = 0, n_above = 0, n_below = 0
    cdef int64_t here
    cdef double cost = 0, slope, other
    while i < n_ref or j < n_hyp:
        if j == n_hyp or (i < n_ref and ref[i] <= hyp[j]):
            here = ref[i]
            i += 1
            slope = -insertion
            if n_below:
                other = below[n_below - 1].value - shift * (here - below[n_below - 1].position)
                if other > slope:
                    slope = other
                    n_below -= 1
            cost -= slope
            above[n_above] = Slope(slope, here)
            n_above += 1
        else:
            here = hyp[j]
            j += 1
            slope = deletion
            if n_above:
                other = above[n_above - 1].value + shift * (here - above[n_above - 1].position)
                if other < slope:
                    slope = other
                    n_above -= 1
            cost += slope
            below[n_below] = Slope(slope, here)
            n_below += 1
    return cost


def ghd(
    Py_ssize_t start, Py_ssize_t stop, const int64_t[::1] n_units,
    const int64_t[::1] ref_offsets, const position_t[::1] ref_positions,
    const int64_t[::1] hyp_offsets, const position_t[::1] hyp_positions,
    double insertion, double deletion, double shift, double[:, ::1] out
):
    """Rows: the cost of turning hyp into ref, 1."""
    cdef Py_ssize_t row, n_ref, n_hyp, most = 1
    cdef Slope* slopes = NULL
    cdef const position_t* ref = &ref_positions[0]
    cdef const position_t* hyp = &hyp_positions[0]
    for row in range(start, stop):
        most = max(most, ref_offsets[row + 1] - ref_offsets[row]
                   + hyp_offsets[row + 1] - hyp_offsets[row])
    slopes = <Slope*> malloc(2 * most * sizeof(Slope))
    if slopes == NULL:
        raise MemoryError(f"no memory for a document with {most} boundaries")
    with nogil:
        for row in range(start, stop):
            if n_units[row] < 2:
                continue
            n_ref = ref_offsets[row + 1] - ref_offsets[row]
            n_hyp = hyp_offsets[row + 1] - hyp_offsets[row]
            out[row, 0] = transport(ref + ref_offsets[row], n_ref, hyp + hyp_offsets[row], n_hyp,
                                    insertion, deletion, shift, slopes, slopes + most)
            out[row, 1] = 1
    free(slopes)
