# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Sums that do not depend on their order, sums by bucket, and the hash that picks the bucket.

A sum is kept as two doubles, `high` and `low`, whose exact total it is up to rounding of `low`
(Knuth's two-sum: what each addition rounds away is collected). Sums of integers are exact; all
others are within one unit in the last place of the true sum, whatever the order and the batches.
"""

from cpython.bytes cimport PyBytes_AsString
from libc.math cimport fabs
from libc.stdint cimport int64_t, uint8_t, uint64_t

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


cdef inline void add(double* high, double* low, double x) noexcept nogil:
    """Knuth's two-sum; what is not finite stays out of `low`, which it would turn into NaN."""
    cdef double total = high[0] + x
    cdef double part = total - high[0]
    cdef double error = (high[0] - (total - part)) + (x - part)
    high[0] = total
    if error == error:
        low[0] += error


cdef inline double two_sum(double a, double b, double* error) noexcept nogil:
    """a + b; and what was rounded away."""
    cdef double total = a + b, part = total - a
    error[0] += (a - (total - part)) + (b - part)
    return total


cdef inline void add_four(
    double* high, double* low, const double* x, Py_ssize_t stride
) noexcept nogil:
    """Add four numbers: first to each other, so that few additions wait for the one before."""
    cdef double error = 0
    cdef double four = two_sum(two_sum(x[0], x[stride], &error),
                               two_sum(x[2 * stride], x[3 * stride], &error), &error)
    cdef double total = two_sum(high[0], four, &error)
    cdef Py_ssize_t i
    if error == error:
        high[0] = total
        low[0] += error
    else:  # some number is not finite
        for i in range(4):
            add(high, low, x[i * stride])


cdef enum:
    AT_ONCE = 4            # rows that are added side by side
    WIDEST = 32            # columns, of tables that are
    CHUNK = 4096           # rows


cdef bint add_integers(
    const double* rows, Py_ssize_t n_rows, Py_ssize_t width, double* high, double* low
) noexcept nogil:
    """Add a number of rows that AT_ONCE divides, if all are whole numbers whose sums are exact in
    any order, which takes a third of the time; False: nothing was added. No branch depends on
    numbers, so that compilers use vectors."""
    cdef double sums[AT_ONCE * WIDEST]
    cdef double largest[AT_ONCE * WIDEST]
    cdef double broken[AT_ONCE * WIDEST]
    cdef double x, size, rounder = 6755399441055744.0  # 1.5 * 2^52: adding it rounds to integers
    cdef double limit = 2251799813685248.0 / CHUNK  # 2^51
    cdef Py_ssize_t i, row, n = AT_ONCE * width
    for i in range(n):
        sums[i] = largest[i] = broken[i] = 0
    for row in range(n_rows // AT_ONCE):
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
        add(&high[i % width], &low[i % width], sums[i])
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
                add(&high[bucket, column], &low[bucket, column], rows[row, column])


def column_sums(const double[:, ::1] rows, double[::1] high, double[::1] low):
    """Add all rows to one sum."""
    cdef Py_ssize_t row, column, width = rows.shape[1], first = 0, last = rows.shape[0], here
    cdef bint integers = 0 < width <= WIDEST
    if not width == high.shape[0] == low.shape[0]:
        raise IndexError("rows and sums have different sizes")
    with nogil:
        while integers and last - first >= AT_ONCE:
            here = min(last - first, <Py_ssize_t> CHUNK)
            here -= here % AT_ONCE
            integers = add_integers(&rows[first, 0], here, width, &high[0], &low[0])
            first += here if integers else 0
        while last - first >= AT_ONCE:
            for column in range(width):
                add_four(&high[column], &low[column], &rows[first, column], width)
            first += AT_ONCE
        for row in range(first, last):
            for column in range(width):
                add(&high[column], &low[column], rows[row, column])
