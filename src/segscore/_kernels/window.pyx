# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Pk and WindowDiff of one pair, and of documents that each have a k of their own; the k of
documents. Other batches are counted by one_pass.pyx."""

from cpython.bytes cimport PyBytes_AsString, PyBytes_Size
from libc.stdint cimport int64_t
from libc.stdlib cimport free
from libc.string cimport memset

from segscore._kernels.batch cimport (
    Batch, Row, Stop, check_length, close_batch, next_row, open_batch
)
from segscore._kernels.common cimport position_t
from segscore._kernels.window_counts cimport (
    Differing, Scratch, cover, differ, fits_word, reserve, room, seam_windows, with_edges
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
    """(windows whose counts differ, or by how much; all windows; those in which hyp has fewer) of
    packed positions."""
    cdef Rule how = with_edges(rule_of(rule), WRAP)
    cdef Scratch scratch
    cdef Differing found
    cdef Py_ssize_t n_ref = PyBytes_Size(ref) // sizeof(int64_t)
    cdef Py_ssize_t n_hyp = PyBytes_Size(hyp) // sizeof(int64_t)
    cdef Frame frame = frame_of(how, units, n_ref + 1)
    if frame.windows == 0:
        return 0.0, 0.0, 0.0
    memset(&scratch, 0, sizeof(Scratch))
    try:
        if weighted or not fits_word(how, units):
            reserve(&scratch, room(how, n_ref + n_hyp))
        found = differ(how, weighted, units,
                       <const int64_t*> PyBytes_AsString(ref), n_ref,
                       <const int64_t*> PyBytes_AsString(hyp), n_hyp, &scratch, frame)
    finally:
        free(scratch.memory)
    return found.errors, <double> frame.windows, found.missed


def rows_of_sizes(
    Py_ssize_t start, Py_ssize_t stop, const int64_t[::1] n_units,
    const int64_t[::1] ref_offsets, const position_t[::1] ref_positions,
    const int64_t[::1] hyp_offsets, const position_t[::1] hyp_positions,
    const int64_t[::1] sizes, bint counted, bint padded, double[:, ::1] out, Stop halt=None
):
    """Rows: windows with an error, all windows; 0 where a size is below 1. `sizes` is the k of each
    document; `counted`: by WindowDiff, otherwise by Pk; `padded`: windows reach beyond the text."""
    cdef Rule how = with_edges(rule_of((1, 0, 1, 0, 1 if padded else 0)), WRAP if counted else DROP)
    cdef Batch batch
    cdef Row row
    cdef Frame frame
    cdef Scratch scratch
    cdef int64_t covered[3]
    cdef const position_t* ref = &ref_positions[0]
    cdef const position_t* hyp = &hyp_positions[0]
    open_batch(&batch, start, stop, n_units, ref_offsets, ref_positions.shape[0],
               hyp_offsets, hyp_positions.shape[0], out, 2, halt)
    check_length(sizes.shape[0], stop, "sizes")
    memset(&scratch, 0, sizeof(Scratch))
    try:
        with nogil:
            while next_row(&batch, &row):
                row.out[0] = row.out[1] = 0
                how.k = sizes[row.index]
                if how.k < 1:
                    continue
                frame = frame_of(how, row.units, row.n_ref + 1)
                if frame.windows == 0:
                    continue
                if not fits_word(how, row.units):
                    reserve(&scratch, room(how, row.n_ref + row.n_hyp))
                row.out[1] = frame.windows
                if counted:
                    row.out[0] = differ(how, False, row.units, ref + row.ref, row.n_ref,
                                        hyp + row.hyp, row.n_hyp, &scratch, frame).errors
                else:
                    cover(how, row.units, ref + row.ref, row.n_ref, hyp + row.hyp, row.n_hyp,
                          &scratch, frame, covered)
                    row.out[0] = 2 * covered[2] - covered[1] - covered[0]
    finally:
        free(scratch.memory)
    close_batch(&batch)


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
