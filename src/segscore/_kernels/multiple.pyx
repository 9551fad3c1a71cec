# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""One hypothesis against several references, window by window (multWinDiff).

A window x (0 <= x < W) holds the k positions x+1 … x+k; `pad` shifts all boundaries by k-1, `wrap`
repeats the start of the document after its end. In each window each reference has a count: its
number of boundaries. As x grows a count changes only if a boundary enters (x = p-k) or leaves
(x = p), so the work is one step per boundary, independent of N.
"""

from libc.stdint cimport int64_t
from libc.stdlib cimport free, malloc, qsort
from libc.string cimport memset

from segscore._kernels.batch cimport (
    Batch, Stop, Watch, check_length, check_offsets, close_batch, open_rows, step
)
from segscore._kernels.common cimport position_t

cdef enum:
    DROP = 0
    PAD = 1
    WRAP = 2
    WRAP_SEAM = 3           # counts one higher on all sides differ where those of wrap do


cdef struct Mark:
    # A boundary in the frame of the windows; the hypothesis is the coder after the last reference.
    int64_t position
    int64_t coder


cdef struct Document:
    int64_t units
    int64_t k
    int64_t windows
    int64_t references
    int edges
    Mark* marks            # by position
    Py_ssize_t n_marks
    int64_t* count         # per coder: boundaries in the window
    int64_t* support       # per count: references that hold it
    int64_t* popularity    # per support: counts that have it
    int64_t most           # the largest support
    int64_t distinct       # counts that some reference holds
    int64_t above          # references that count more than the hypothesis
    Py_ssize_t room_for_marks
    Py_ssize_t room_for_numbers


cdef int by_position(const void* a, const void* b) noexcept nogil:
    cdef int64_t left = (<const Mark*> a).position, right = (<const Mark*> b).position
    return (left > right) - (left < right)


cdef inline int64_t smaller(int64_t a, int64_t b) noexcept nogil:
    return a if a < b else b


cdef inline int64_t windows_of(int64_t units, int64_t k, int edges) noexcept nogil:
    """Number of windows; 0 if the document cannot be scored."""
    if units < 2 or (edges != PAD and k >= units):
        return 0
    if edges == PAD:
        return units + k - 2
    return units if edges == WRAP else units - k


cdef void put(
    Document* doc, const position_t* positions, Py_ssize_t n, int64_t coder
) noexcept nogil:
    """Add one coder's boundaries, moved as the edge rule has it."""
    cdef Py_ssize_t i
    cdef int64_t shift = doc.k - 1 if doc.edges == PAD else 0
    for i in range(n):
        doc.marks[doc.n_marks] = Mark(positions[i] + shift, coder)
        doc.n_marks += 1
        if doc.edges == WRAP and positions[i] < doc.k:
            doc.marks[doc.n_marks] = Mark(positions[i] + doc.units, coder)
            doc.n_marks += 1


cdef inline int64_t places(Document* doc, int64_t x) noexcept nogil:
    """Real positions in window x: those outside the text and the seam are none."""
    if doc.edges == PAD:
        return smaller(smaller(x + 1, doc.k), smaller(doc.units - 1, doc.windows - x))
    return doc.k - 1 if doc.edges == WRAP and x >= doc.units - doc.k else doc.k


cdef inline int64_t next_places(Document* doc, int64_t x) noexcept nogil:
    """The next window whose number of real positions differs from that of x, as far as it matters:
    from as many positions as references on, some count always goes unheld."""
    cdef int64_t top
    if doc.edges == PAD:
        top = smaller(smaller(doc.k, doc.units - 1), doc.references)
        if x + 1 >= top and x <= doc.windows - top:
            return doc.windows - top + 1
        return x + 1
    if doc.edges == WRAP and x < doc.units - doc.k:
        return doc.units - doc.k
    return doc.windows


cdef inline void gain(Document* doc, int64_t count) noexcept nogil:
    cdef int64_t held = doc.support[count]
    doc.distinct += held == 0
    doc.popularity[held] -= 1
    doc.popularity[held + 1] += 1
    doc.support[count] = held + 1
    doc.most = held + 1 if held + 1 > doc.most else doc.most


cdef inline void lose(Document* doc, int64_t count) noexcept nogil:
    cdef int64_t held = doc.support[count]
    doc.distinct -= held == 1
    doc.popularity[held] -= 1
    doc.popularity[held - 1] += 1
    doc.support[count] = held - 1
    if held == doc.most and doc.popularity[held] == 0:
        doc.most = held - 1


cdef inline void change(Document* doc, int64_t coder, int64_t by) noexcept nogil:
    """A boundary of the coder enters (1) or leaves (-1) the window."""
    cdef int64_t before = doc.count[coder], own = doc.count[doc.references]
    if coder < doc.references:
        lose(doc, before)
        gain(doc, before + by)
        doc.above += (before + by > own) - (before > own)
    else:  # those that count as many as the larger of both numbers come in, or fall out
        doc.above -= by * doc.support[before if by < 0 else before + 1]
    doc.count[coder] = before + by


cdef inline int64_t least(Document* doc, int64_t x) noexcept nogil:
    """Support of the least supported count from 0 to the number of real positions."""
    cdef int64_t highest = places(doc, x), count, found
    if doc.distinct <= highest:
        return 0
    found = doc.references
    for count in range(highest + 1):
        found = smaller(found, doc.support[count])
    return found


cdef void sweep(Document* doc, double* row, Watch* watch) noexcept nogil:
    """Slide the window from one change to the next."""
    cdef int64_t x = 0, stop, hyp = doc.references, errors
    cdef Py_ssize_t gone = 0, come = 0
    cdef double length
    while x < doc.windows:
        while come < doc.n_marks and doc.marks[come].position <= x + doc.k:
            change(doc, doc.marks[come].coder, 1)
            come += 1
        while gone < come and doc.marks[gone].position <= x:
            change(doc, doc.marks[gone].coder, -1)
            gone += 1
        stop = smaller(doc.windows, next_places(doc, x))
        if gone < doc.n_marks:
            stop = smaller(stop, doc.marks[gone].position)
        if come < doc.n_marks:
            stop = smaller(stop, doc.marks[come].position - doc.k)
        length = <double> (stop - x)
        errors = doc.references - doc.support[doc.count[hyp]]
        row[0] += length * errors
        row[4] += length * doc.above
        row[1] += length * (doc.references - doc.most)
        row[2] += length * (doc.references - least(doc, x))
        x = stop
        if step(watch, doc.references):  # as many opinions may have to be looked at
            return
    row[3] = <double> doc.references * <double> doc.windows


cdef int reserve(Document* doc, Py_ssize_t marks, Py_ssize_t numbers) except -1 nogil:
    """Make room for so many marks and so many counters."""
    if marks > doc.room_for_marks:
        free(doc.marks)
        doc.marks = <Mark*> malloc(2 * marks * sizeof(Mark))
        doc.room_for_marks = 2 * marks if doc.marks else 0
    if numbers > doc.room_for_numbers:
        free(doc.count)
        doc.count = <int64_t*> malloc(2 * numbers * sizeof(int64_t))
        doc.room_for_numbers = 2 * numbers if doc.count else 0
    if doc.marks == NULL or doc.count == NULL:
        with gil:
            raise MemoryError(f"no memory for a document with {marks} boundaries")
    return 0


cdef int prepare(Document* doc, Py_ssize_t boundaries, Py_ssize_t longest) except -1 nogil:
    """Before any boundary came in, all references count 0. There are so many boundaries in all,
    at most `longest` of one coder (one more for a moment, while one enters and one leaves)."""
    cdef Py_ssize_t numbers = 2 * (doc.references + 2) + longest + 2
    reserve(doc, (2 if doc.edges == WRAP else 1) * boundaries + 1, numbers)
    memset(doc.count, 0, numbers * sizeof(int64_t))
    doc.popularity = doc.count + doc.references + 2
    doc.support = doc.popularity + doc.references + 2
    doc.n_marks = 0
    doc.support[0] = doc.most = doc.references
    doc.popularity[doc.references] = 1
    doc.popularity[0] = longest + 1
    doc.distinct = 1
    doc.above = 0
    return 0


def multiple_window_diff(
    Py_ssize_t start, Py_ssize_t stop, const int64_t[::1] n_units,
    const int64_t[::1] ref_offsets, const position_t[::1] ref_positions,
    const int64_t[::1] hyp_offsets, const position_t[::1] hyp_positions,
    const int64_t[::1] groups, const int64_t[::1] sizes, int edges, double[:, ::1] out,
    Stop halt=None
):
    """Rows: errors over windows and references, the fewest and the most that any opinion in each
    window could make, references times windows; and the errors in which a reference has more than the
    hypothesis. `sizes` holds each document's k."""
    cdef Batch batch
    cdef Document doc
    cdef Py_ssize_t row, ref, first, last, longest, n_hyp
    cdef const position_t* refs = &ref_positions[0]
    cdef const position_t* hyps = &hyp_positions[0]
    open_rows(&batch, start, stop, n_units, hyp_offsets, out, 5, halt)
    check_offsets(hyp_offsets, start, stop, hyp_positions.shape[0], "hyp_offsets")
    check_length(sizes.shape[0], stop, "sizes")
    check_offsets(groups, start, stop, ref_offsets.shape[0] - 1, "groups")
    check_offsets(ref_offsets, groups[start], groups[stop], ref_positions.shape[0], "ref_offsets")
    edges = WRAP if edges == WRAP_SEAM else edges
    doc.edges = edges
    doc.marks = NULL
    doc.count = NULL
    doc.room_for_marks = doc.room_for_numbers = 0
    try:
        with nogil:
            for row in range(start, stop):
                doc.units, doc.k = n_units[row], sizes[row]
                doc.windows = windows_of(doc.units, doc.k, edges)
                if doc.windows == 0:
                    continue
                first, last = groups[row], groups[row + 1]
                doc.references = last - first
                longest = n_hyp = hyp_offsets[row + 1] - hyp_offsets[row]
                for ref in range(first, last):
                    longest = max(longest, ref_offsets[ref + 1] - ref_offsets[ref])
                prepare(&doc, ref_offsets[last] - ref_offsets[first] + n_hyp, longest)
                for ref in range(first, last):
                    put(&doc, refs + ref_offsets[ref], ref_offsets[ref + 1] - ref_offsets[ref],
                        ref - first)
                put(&doc, hyps + hyp_offsets[row], n_hyp, doc.references)
                qsort(doc.marks, doc.n_marks, sizeof(Mark), by_position)
                sweep(&doc, batch.out + row * batch.width, &batch.watch)
                if step(&batch.watch, doc.n_marks + 1):
                    break
    finally:
        free(doc.marks)
        free(doc.count)
    close_batch(&batch)
