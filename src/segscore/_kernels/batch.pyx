# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The checks at the entry of every batch kernel, and the ways to stop one (see batch.pxd)."""

from cpython.exc cimport PyErr_Occurred
from libc.stdint cimport int64_t, uint64_t

cdef extern from "Python.h":
    int check_signals "PyErr_CheckSignals"() noexcept  # the exception stays set

cdef enum:
    STEPS = 4000000  # a few hundredths of a second


cdef class Stop:
    """A flag for kernels in other threads: `set` makes them stop with KeyboardInterrupt."""

    def __cinit__(self):
        self.raised = 0

    def set(self):
        """Stop every kernel that was given this flag."""
        self.raised = 1


cdef Watch watch_of(Stop halt) noexcept:
    """Without a flag: check for signals. The caller keeps the flag alive."""
    cdef Watch watch
    watch.left = STEPS
    watch.flag = NULL if halt is None else &halt.raised
    watch.stopped = False
    return watch


cdef bint look(Watch* watch) noexcept nogil:
    """Whether to stop. A signal's exception stays set until `raise_if_stopped`."""
    watch.left = STEPS
    if watch.stopped:
        return True
    if watch.flag != NULL:
        watch.stopped = watch.flag[0] != 0
    else:
        with gil:
            watch.stopped = check_signals() != 0
    return watch.stopped


cdef int raise_if_stopped(const Watch* watch) except -1:
    if not watch.stopped:
        return 0
    if PyErr_Occurred() == NULL:
        raise KeyboardInterrupt
    return -1


cdef int check_offsets(
    const int64_t[::1] offsets, Py_ssize_t first, Py_ssize_t last, Py_ssize_t n_values, str what
) except -1:
    """An error if offsets of the rows first … last are too few, fall, or point outside."""
    cdef Py_ssize_t i
    cdef const int64_t* at = &offsets[0]
    cdef int64_t signs = 0  # negative once an offset is, or falls; without branches, for speed
    if not 0 <= first <= last < offsets.shape[0]:
        raise IndexError(f"{what} has {offsets.shape[0]} entries, too few for row {last}")
    signs = at[first]
    for i in range(first, last):
        signs |= at[i + 1] | <int64_t> (<uint64_t> at[i + 1] - <uint64_t> at[i])
    if signs < 0 or at[last] > n_values:
        raise IndexError(f"{what} fall, or lead outside of their {n_values} values")
    return 0


cdef int check_length(Py_ssize_t length, Py_ssize_t least, str what) except -1:
    if length < least:
        raise IndexError(f"{what} has {length} entries: expected {least} at least")
    return 0


cdef int open_rows(
    Batch* batch, Py_ssize_t start, Py_ssize_t stop, const int64_t[::1] n_units,
    const int64_t[::1] hyp_offsets, double[:, ::1] out, Py_ssize_t width, Stop halt
) except -1:
    """Open a batch, without its references; its caller checks all offsets."""
    if not 0 <= start <= stop:
        raise IndexError(f"rows {start} … {stop} are none")
    check_length(n_units.shape[0], stop, "n_units")
    check_length(out.shape[0], stop, "out")
    check_length(out.shape[1], width, "a row of out")
    check_length(hyp_offsets.shape[0], stop + 1, "hyp_offsets")
    batch.next = start
    batch.end = stop
    batch.units = &n_units[0]
    batch.ref_offsets = NULL
    batch.hyp_offsets = &hyp_offsets[0]
    batch.n_refs = batch.n_hyps = 0
    batch.out = &out[0, 0]
    batch.width = out.shape[1]
    batch.watch = watch_of(halt)
    batch.misled = False
    return 0


cdef int open_batch(
    Batch* batch, Py_ssize_t start, Py_ssize_t stop, const int64_t[::1] n_units,
    const int64_t[::1] ref_offsets, Py_ssize_t n_refs,
    const int64_t[::1] hyp_offsets, Py_ssize_t n_hyps, double[:, ::1] out, Py_ssize_t width,
    Stop halt
) except -1:
    """Open a batch in which each document has one reference; `next_row` checks the offsets."""
    open_rows(batch, start, stop, n_units, hyp_offsets, out, width, halt)
    check_length(ref_offsets.shape[0], stop + 1, "ref_offsets")
    batch.ref_offsets = &ref_offsets[0]
    batch.n_refs = n_refs
    batch.n_hyps = n_hyps
    return 0
