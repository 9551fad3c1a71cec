"""How every kernel that runs over a batch starts, and how it can be stopped.

    open_batch(&batch, …)              arrays are long enough for their offsets, or IndexError
    with nogil:
        while next_row(&batch, &row):  document after document, until the end or until stopped
            …
    close_batch(&batch)                raises what stopped it

Between documents, and inside long ones (`step`), a kernel checks every few million steps whether it
must stop: a signal such as Ctrl-C if it runs in its caller's thread, a flag (`Stop`) if it runs in
a thread of a pool, which gets no signals.
"""

from libc.stdint cimport int64_t

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
    double* out
    Py_ssize_t width
    Watch watch

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
    const int64_t[::1] hyp_offsets, Py_ssize_t n_hyps, double[:, ::1] out, Py_ssize_t width,
    Stop halt
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


cdef inline bint next_row(Batch* batch, Row* row) noexcept nogil:
    """The next document; False after the last one, or if the kernel must stop."""
    cdef Py_ssize_t i = batch.next
    if i >= batch.end:
        return False
    row.index = i
    row.units = batch.units[i]
    row.ref = batch.ref_offsets[i]
    row.n_ref = batch.ref_offsets[i + 1] - row.ref
    row.hyp = batch.hyp_offsets[i]
    row.n_hyp = batch.hyp_offsets[i + 1] - row.hyp
    row.out = batch.out + i * batch.width
    batch.next = i + 1
    return not step(&batch.watch, row.n_ref + row.n_hyp + 1)


cdef inline int close_batch(const Batch* batch) except -1:
    return raise_if_stopped(&batch.watch) if batch.watch.stopped else 0
