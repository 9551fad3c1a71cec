# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Pk and WindowDiff of one pair; the k of documents. Batches are counted by one_pass.pyx."""

from cpython.bytes cimport PyBytes_AsString, PyBytes_Size
from libc.stdint cimport int64_t
from libc.stdlib cimport free
from libc.string cimport memset

from segscore._kernels.batch cimport check_length
from segscore._kernels.window_counts cimport (
    Scratch, cover, differ, fits_word, reserve, room, seam_windows, with_edges
)
from segscore._kernels.window_frame cimport DROP, WRAP, Frame, Rule, frame_of, rule_of, window_size

def pk_of_pair(int64_t units, bytes ref, bytes hyp, tuple rule):
    """(windows with a boundary in ref only, in hyp only, all windows) of packed positions."""
    cdef Rule given = rule_of(rule), how = with_edges(given, DROP)
    cdef Scratch scratch
    cdef int64_t covered[3]
    cdef Py_ssize_t n_ref = PyBytes_Size(ref) // sizeof(int64_t)
    cdef Py_ssize_t n_hyp = PyBytes_Size(hyp) // sizeof(int64_t)
    cdef Frame frame = frame_of(how, units, n_ref + 1)
    if frame.windows == 0:
        return 0.0, 0.0, 0.0
    memset(&scratch, 0, sizeof(Scratch))
    try:
        if not fits_word(how, units):
            reserve(&scratch, room(how, n_ref + n_hyp))
        cover(how, units, <const int64_t*> PyBytes_AsString(ref), n_ref,
              <const int64_t*> PyBytes_AsString(hyp), n_hyp, &scratch, frame, covered)
    finally:
        free(scratch.memory)
    return (<double> (covered[2] - covered[1]), <double> (covered[2] - covered[0]),
            <double> (frame.windows + seam_windows(given, frame)))


def window_diff_of_pair(int64_t units, bytes ref, bytes hyp, tuple rule, bint weighted):
    """(windows whose counts differ, or by how much; all windows) of packed positions."""
    cdef Rule how = with_edges(rule_of(rule), WRAP)
    cdef Scratch scratch
    cdef double errors
    cdef Py_ssize_t n_ref = PyBytes_Size(ref) // sizeof(int64_t)
    cdef Py_ssize_t n_hyp = PyBytes_Size(hyp) // sizeof(int64_t)
    cdef Frame frame = frame_of(how, units, n_ref + 1)
    if frame.windows == 0:
        return 0.0, 0.0
    memset(&scratch, 0, sizeof(Scratch))
    try:
        if weighted or not fits_word(how, units):
            reserve(&scratch, room(how, n_ref + n_hyp))
        errors = differ(how, weighted, units,
                        <const int64_t*> PyBytes_AsString(ref), n_ref,
                        <const int64_t*> PyBytes_AsString(hyp), n_hyp, &scratch, frame)
    finally:
        free(scratch.memory)
    return errors, <double> frame.windows


def size(int64_t units, int64_t segments, tuple rule):
    """The k that the rule gives for so many units in so many reference segments."""
    return window_size(rule_of(rule), units, segments)


def sizes(const int64_t[::1] units, const int64_t[::1] segments, tuple rule, int64_t[::1] out):
    """`size` of each row, into `out`."""
    cdef Rule how = rule_of(rule)
    cdef Py_ssize_t row
    check_length(units.shape[0], out.shape[0], "units")
    check_length(segments.shape[0], out.shape[0], "segments")
    for row in range(out.shape[0]):
        out[row] = window_size(how, units[row], segments[row])
