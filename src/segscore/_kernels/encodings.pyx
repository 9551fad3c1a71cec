# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Columns of lists (masses, labels, gaps, positions) into boundaries, and which rows are bad.

A row that cannot be used gets a code (`CODES` in segscore.pairing.list_columns words them) and no
boundaries; the others are not affected.
"""

from cpython.bytes cimport PyBytes_AsString, PyBytes_FromStringAndSize
from libc.stdint cimport int64_t, uint8_t

from segscore._kernels.batch cimport check_length, check_offsets
from segscore._kernels.common cimport position_t

cdef enum:
    UNITS = 3
    OUTSIDE = 4
    ORDER = 5
    MASS = 6
    EMPTY = 7
    SYMBOL = 8

cdef int64_t LARGEST = <int64_t> 1 << 53


def check_positions(
    const int64_t[::1] n_units, const int64_t[::1] offsets, const position_t[::1] positions,
    uint8_t side, uint8_t[::1] codes
):
    """Give a code to each row, not yet bad, with a position outside 1 … N-1 or out of order."""
    cdef Py_ssize_t row, i
    cdef int64_t previous
    check_length(n_units.shape[0], codes.shape[0], "n_units")
    check_offsets(offsets, 0, codes.shape[0], positions.shape[0], "offsets")
    with nogil:
        for row in range(codes.shape[0]):
            if codes[row]:
                continue
            previous = 0
            for i in range(offsets[row], offsets[row + 1]):
                if positions[i] < 1 or positions[i] >= n_units[row]:
                    codes[row] = OUTSIDE | side
                    break
                if positions[i] <= previous:
                    codes[row] = ORDER | side
                    break
                previous = positions[i]


def from_masses(
    const int64_t[::1] offsets, const position_t[::1] masses, uint8_t side, uint8_t[::1] codes
):
    """(N of each row, offsets, boundaries), each as bytes of int64."""
    cdef Py_ssize_t n = codes.shape[0], row, i, at = 0
    cdef bytes units = PyBytes_FromStringAndSize(NULL, n * sizeof(int64_t))
    cdef bytes ends = PyBytes_FromStringAndSize(NULL, (n + 1) * sizeof(int64_t))
    cdef bytes places = PyBytes_FromStringAndSize(NULL, masses.shape[0] * sizeof(int64_t))
    cdef int64_t* n_units = <int64_t*> PyBytes_AsString(units)
    cdef int64_t* out_offsets = <int64_t*> PyBytes_AsString(ends)
    cdef int64_t* out = <int64_t*> PyBytes_AsString(places)
    cdef int64_t total
    check_offsets(offsets, 0, n, masses.shape[0], "offsets")
    with nogil:
        out_offsets[0] = 0
        for row in range(n):
            total = 0
            if not codes[row] and offsets[row] == offsets[row + 1]:
                codes[row] = EMPTY | side
            if not codes[row]:
                for i in range(offsets[row], offsets[row + 1]):
                    if masses[i] < 1:
                        codes[row] = MASS | side
                    elif masses[i] > LARGEST - total:
                        codes[row] = UNITS | side
                    if codes[row]:
                        at = out_offsets[row]
                        break
                    if i > offsets[row]:
                        out[at] = total
                        at += 1
                    total += masses[i]
            n_units[row] = total
            out_offsets[row + 1] = at
    return units, ends, places[:at * sizeof(int64_t)]


def from_symbols(
    const int64_t[::1] offsets, const position_t[::1] symbols, int ahead, int more,
    uint8_t side, uint8_t[::1] codes
):
    """The same of 0/1 symbols.

    The symbol at index i marks position i + ahead; a row of n symbols has n + more units. Ends of
    segments: ahead 1, more 0; starts: ahead 0, more 0; gaps: ahead 1, more 1.
    """
    cdef Py_ssize_t n = codes.shape[0], row, i, at = 0
    cdef bytes units = PyBytes_FromStringAndSize(NULL, n * sizeof(int64_t))
    cdef bytes ends = PyBytes_FromStringAndSize(NULL, (n + 1) * sizeof(int64_t))
    cdef bytes places = PyBytes_FromStringAndSize(NULL, symbols.shape[0] * sizeof(int64_t))
    cdef int64_t* n_units = <int64_t*> PyBytes_AsString(units)
    cdef int64_t* out_offsets = <int64_t*> PyBytes_AsString(ends)
    cdef int64_t* out = <int64_t*> PyBytes_AsString(places)
    cdef int64_t place
    check_offsets(offsets, 0, n, symbols.shape[0], "offsets")
    with nogil:
        out_offsets[0] = 0
        for row in range(n):
            n_units[row] = offsets[row + 1] - offsets[row] + more
            if not codes[row] and n_units[row] == 0:
                codes[row] = EMPTY | side
            if not codes[row]:
                for i in range(offsets[row], offsets[row + 1]):
                    if symbols[i] != 0 and symbols[i] != 1:
                        codes[row] = SYMBOL | side
                        at = out_offsets[row]
                        break
                    place = i - offsets[row] + ahead
                    if symbols[i] == 1 and 0 < place < n_units[row]:
                        out[at] = place
                        at += 1
            out_offsets[row + 1] = at
    return units, ends, places[:at * sizeof(int64_t)]
