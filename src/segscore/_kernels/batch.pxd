"""How every kernel that runs over a batch starts, and how it can be stopped.

    open_batch(&batch, …)              arrays are long enough for the rows, or IndexError
    with nogil:
        while next_row(&batch, &row):  document after document, until the end or until stopped;
            …                          its offsets lie inside of the columns
    close_batch(&batch)                raises what stopped it: a signal, or IndexError for offsets

Between documents, and inside long ones (`step`), a kernel checks every few million steps whether it
must stop: a signal such as Ctrl-C if it runs in its caller's thread, a flag (`Stop`) if it runs in
a thread of a pool, which gets no signals.
"""

from libc.stdint cimport int64_t, uint64_t

cdef class Stop:
    cdef int raised

cdef struct Watch:
    int64_t left  # steps until it looks again
    const int* flag  # NULL: look for signals
    bint stopped

cdef struct Batch:
    Py_ssize_t next
    Py_ssize_t end
    const int64_t* units
    const int64_t* ref_offsets
    const int64_t* hyp_offsets
    int64_t n_refs  # values in the columns that the offsets cut
    int64_t n_hyps
    double* out
    Py_ssize_t width
    Watch watch
    bint misled  # an offset falls, or leads outside

# One document: where its boundaries start in each column, and how many there are.
cdef struct Row:
    Py_ssize_t index
    int64_t units
    int64_t ref
    int64_t n_ref
    int64_t hyp
    int64_t n_hyp
    double* out

cdef Watch watch_of(Stop halt) noexcept
cdef bint look(Watch* watch) noexcept nogil
cdef int raise_if_stopped(const Watch* watch) except -1
cdef int check_offsets(
    const int64_t[::1] offsets, Py_ssize_t first, Py_ssize_t last, Py_ssize_t n_values, str what
) except -1
cdef int check_length(Py_ssize_t length, Py_ssize_t least, str what) except -1
cdef int open_rows(
    Batch* batch, Py_ssize_t start, Py_ssize_t stop, const int64_t[::1] n_units,
    const int64_t[::1] hyp_offsets, double[:, ::1] out, Py_ssize_t width, Stop halt
) except -1
cdef int open_batch(
    Batch* batch, Py_ssize_t start, Py_ssize_t stop, const int64_t[::1] n_units,
    const int64_t[::1] ref_offsets, Py_ssize_t n_refs,
    const int64_t[::1] hyp_offsets, Py_ssize_t n_hyps, double[:, ::1] out, Py_ssize_t width,
    Stop halt
) except -1


cdef inline bint step(Watch* watch, int64_t steps) noexcept nogil:
    """Count steps; True if the kernel must stop."""
    watch.left -= steps
    return watch.left < 0 and look(watch)


cdef inline int64_t cut(
    const int64_t* offsets, Py_ssize_t row, int64_t n_values, int64_t* start, int64_t* count
) noexcept nogil:
    """Where a row starts, and how long it is; negative if that is not inside of the values."""
    cdef int64_t end = offsets[row + 1]
    start[0] = offsets[row]
    count[0] = <int64_t> (<uint64_t> end - <uint64_t> start[0])
    return start[0] | end | count[0] | (n_values - end)


cdef inline bint next_row(Batch* batch, Row* row) noexcept nogil:
    """The next document; False after the last one, or if the kernel must stop."""
    cdef Py_ssize_t i = batch.next
    cdef int64_t inside
    if i >= batch.end:
        return False
    row.index = i
    row.units = batch.units[i]
    inside = cut(batch.ref_offsets, i, batch.n_refs, &row.ref, &row.n_ref)
    inside |= cut(batch.hyp_offsets, i, batch.n_hyps, &row.hyp, &row.n_hyp)
    if inside < 0:  # checked where they are read anyway: a pass of its own costs a tenth
        batch.misled = True
        return False
    row.out = batch.out + i * batch.width
    batch.next = i + 1
    return not step(&batch.watch, row.n_ref + row.n_hyp + 1)


cdef inline int close_batch(const Batch* batch) except -1:
    if batch.misled:
        raise IndexError(f"offsets of row {batch.next} fall, or lead outside of their values")
    return raise_if_stopped(&batch.watch) if batch.watch.stopped else 0
