# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Sums that do not depend on their order, sums by bucket, and the hash that picks the bucket.

A sum is kept as two doubles, `high` and `low`, whose exact total it is up to rounding of `low`
(Knuth's two-sum: what each addition rounds away is collected). Sums of integers are exact; all
others are within one unit in the last place of the true sum, whatever the order and the batches.
"""

import os

from cpython.bytes cimport PyBytes_AsString
from libc.math cimport fabs
from libc.stdint cimport int64_t, uint8_t, uint64_t

from segscore._kernels.batch cimport check_offsets

cdef extern from "exact_sums.h" nogil:
    enum:
        SUMS_AT_ONCE
        SUMS_MOST_GROUPS
        SUMS_WIDEST
    int bits_available()
    void sums_add(double* high, double* low, double x)
    void sums_by_four(
        const double* rows, int64_t groups, int64_t width, double* high, double* low)
    bint sums_in_fixed_point(
        const double* rows, int64_t groups, int64_t width, double* high, double* low)
    void sums_side_by_side(
        const double* rows, int64_t groups, int64_t width, double* high, double* low)

cdef bint use_vectors = False


def vectors_in_use(on=None):
    """Whether sums use the machine's vectors; True or False decides that from now on, for tests. It
    needs a machine with vectors, and that SEGSCORE_PORTABLE is not set."""
    global use_vectors
    if on is not None:
        use_vectors = bool(on) and bits_available()
    return use_vectors


vectors_in_use(not os.environ.get("SEGSCORE_PORTABLE"))

cdef inline uint64_t mix(uint64_t z) noexcept nogil:
    """SplitMix64's finaliser: every bit of the outcome depends on every bit of z."""
    z = (z ^ (z >> 30)) * <uint64_t> 0xbf58476d1ce4e5b9
    z = (z ^ (z >> 27)) * <uint64_t> 0x94d049bb133111eb
    return z ^ (z >> 31)


cdef inline uint64_t hash_of(const uint8_t* at, int64_t n, uint64_t seed) noexcept nogil:
    """A hash of n bytes that is the same on every machine."""
    cdef uint64_t step = <uint64_t> 0x9E3779B97F4A7C15
    cdef uint64_t state = mix(seed + step) ^ (<uint64_t> n * step)
    cdef uint64_t word
    cdef int64_t i = 0, j
    while i < n:
        word = 0
        for j in range(min(<int64_t> 8, n - i)):
            word |= (<uint64_t> at[i + j]) << (8 * j)
        state = mix(state ^ word) + step
        i += 8
    return mix(state)


def hash_texts(const int64_t[::1] offsets, bytes data, uint64_t seed, uint64_t[::1] out):
    """The hash of each text; `offsets` cut `data`."""
    cdef Py_ssize_t row, n = out.shape[0]
    cdef const uint8_t* at = <const uint8_t*> PyBytes_AsString(data)
    if offsets.shape[0] != n + 1 or (n and (offsets[0] < 0 or offsets[n] > len(data))):
        raise IndexError("offsets do not fit the texts")
    for row in range(n):
        if offsets[row + 1] < offsets[row]:
            raise IndexError("offsets fall")
    with nogil:
        for row in range(n):
            out[row] = hash_of(at + offsets[row], offsets[row + 1] - offsets[row], seed)


cdef enum:
    WIDEST = 32            # columns of tables whose integers are added side by side
    CHUNK = 4096           # rows that are


cdef bint add_integers(
    const double* rows, Py_ssize_t n_rows, Py_ssize_t width, double* high, double* low
) noexcept nogil:
    """Add a number of rows that SUMS_AT_ONCE divides, if all are whole numbers whose sums are exact in
    any order, which takes a third of the time; False: nothing was added. No branch depends on
    numbers, so that compilers use vectors."""
    cdef double sums[SUMS_AT_ONCE * WIDEST]
    cdef double largest[SUMS_AT_ONCE * WIDEST]
    cdef double broken[SUMS_AT_ONCE * WIDEST]
    cdef double x, size, rounder = 6755399441055744.0  # 1.5 * 2^52: adding it rounds to integers
    cdef double limit = 2251799813685248.0 / CHUNK  # 2^51
    cdef Py_ssize_t i, row, n = SUMS_AT_ONCE * width
    for i in range(n):
        sums[i] = largest[i] = broken[i] = 0
    for row in range(n_rows // SUMS_AT_ONCE):
        for i in range(n):
            x = rows[i]
            size = fabs(x)
            sums[i] += x
            largest[i] = size if size > largest[i] else largest[i]
            broken[i] += fabs(((x + rounder) - rounder) - x)
        rows += n
    for i in range(n):
        if not (broken[i] == 0 and largest[i] <= limit):  # also where they are NaN
            return False
    for i in range(n):
        sums_add(&high[i % width], &low[i % width], sums[i])
    return True


def add_rows(
    const double[:, ::1] rows, const int64_t[::1] buckets, double[:, ::1] high, double[:, ::1] low
):
    """Add each row to the sum of its bucket."""
    cdef Py_ssize_t row, column, width = rows.shape[1]
    cdef int64_t bucket
    if not (
        buckets.shape[0] == rows.shape[0]
        and width == high.shape[1] == low.shape[1] and high.shape[0] == low.shape[0]
    ):
        raise IndexError("rows, buckets and sums have different sizes")
    for row in range(buckets.shape[0]):
        if not 0 <= buckets[row] < high.shape[0]:
            raise IndexError("a bucket is out of range")
    with nogil:
        for row in range(rows.shape[0]):
            bucket = buckets[row]
            for column in range(width):
                sums_add(&high[bucket, column], &low[bucket, column], rows[row, column])


cdef Py_ssize_t add_exact(
    const double* rows, Py_ssize_t n_rows, Py_ssize_t width, double* high, double* low
) noexcept nogil:
    """Add rows block by block, as long as their sums are exact in any order; how many were."""
    cdef bint vectors = use_vectors and width <= SUMS_WIDEST
    cdef Py_ssize_t done = 0, here, most = SUMS_AT_ONCE * SUMS_MOST_GROUPS if vectors else CHUNK
    if not 0 < width <= WIDEST:
        return 0
    while n_rows - done >= SUMS_AT_ONCE:
        here = min(n_rows - done, most)
        here -= here % SUMS_AT_ONCE
        if vectors:
            if not sums_in_fixed_point(rows, here // SUMS_AT_ONCE, width, high, low):
                break
        elif not add_integers(rows, here, width, high, low):
            break
        rows += here * width
        done += here
    return done


def column_sums(const double[:, ::1] rows, double[::1] high, double[::1] low):
    """Add all rows to one sum."""
    cdef Py_ssize_t row, column, width = rows.shape[1], first, groups
    if not width == high.shape[0] == low.shape[0]:
        raise IndexError("rows and sums have different sizes")
    if not width or not rows.shape[0]:
        return
    with nogil:
        first = add_exact(&rows[0, 0], rows.shape[0], width, &high[0], &low[0])
        groups = (rows.shape[0] - first) // SUMS_AT_ONCE
        if groups:
            (sums_side_by_side if use_vectors else sums_by_four)(
                &rows[first, 0], groups, width, &high[0], &low[0])
        for row in range(first + SUMS_AT_ONCE * groups, rows.shape[0]):
            for column in range(width):
                sums_add(&high[column], &low[column], rows[row, column])


def slice_sums(const int64_t[::1] offsets, const double[::1] values, double[::1] out):
    """Plain sums, from left to right: out[i] of the values offsets[i] … offsets[i+1]."""
    cdef Py_ssize_t row, i, n = out.shape[0]
    cdef double total
    check_offsets(offsets, 0, n, values.shape[0], "offsets")
    with nogil:
        for row in range(n):
            total = 0
            for i in range(offsets[row], offsets[row + 1]):
                total += values[i]
            out[row] = total
