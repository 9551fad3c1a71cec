# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Divisions of columns: the values of many rows of statistics at once. NaN if the divisor is 0."""

import os

from libc.stdint cimport int64_t

from segscore._kernels.batch cimport check_length

cdef extern from "ratios.h" nogil:
    ctypedef struct Numbers:
        const char* at
        int64_t step
    int bits_available()
    void quotients_from(int64_t row, int64_t n, Numbers above, Numbers below, double* out)
    void f_measures_from(
        int64_t row, int64_t n, Numbers tp, Numbers fp, Numbers fn, double weight, double* out)
    int64_t quotients_by_four(int64_t n, Numbers above, Numbers below, double* out)
    int64_t f_measures_by_four(
        int64_t n, Numbers tp, Numbers fp, Numbers fn, double weight, double* out)

cdef bint use_vectors = False


def vectors_in_use(on=None):
    """Whether divisions use the machine's vectors; True or False decides that from now on, for
    tests. It needs a machine with vectors, and that SEGSCORE_PORTABLE is not set."""
    global use_vectors
    if on is not None:
        use_vectors = bool(on) and bits_available()
    return use_vectors


vectors_in_use(not os.environ.get("SEGSCORE_PORTABLE"))


cdef Numbers numbers_of(const double[:] column):
    cdef Numbers numbers
    numbers.at = <const char*> &column[0]
    numbers.step = column.strides[0]
    return numbers


def quotients(const double[:] above, const double[:] below, double[::1] out):
    """above / below."""
    cdef Numbers column, divisors
    cdef int64_t n = out.shape[0], done = 0
    check_length(above.shape[0], n, "above")
    check_length(below.shape[0], n, "below")
    if not n:
        return
    column, divisors = numbers_of(above), numbers_of(below)
    with nogil:
        if use_vectors:
            done = quotients_by_four(n, column, divisors, &out[0])
        quotients_from(done, n, column, divisors, &out[0])


def f_measures(
    const double[:] tp, const double[:] fp, const double[:] fn, double weight, double[::1] out
):
    """(1 + weight) · TP / ((1 + weight) · TP + weight · FN + FP)."""
    cdef Numbers found, extra, missed
    cdef int64_t n = out.shape[0], done = 0
    check_length(tp.shape[0], n, "tp")
    check_length(fp.shape[0], n, "fp")
    check_length(fn.shape[0], n, "fn")
    if not n:
        return
    found, extra, missed = numbers_of(tp), numbers_of(fp), numbers_of(fn)
    with nogil:
        if use_vectors:
            done = f_measures_by_four(n, found, extra, missed, weight, &out[0])
        f_measures_from(done, n, found, extra, missed, weight, &out[0])
