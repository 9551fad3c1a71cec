# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Input of integers: Python lists into packed columns and segmentations, and checks, so that all
other kernels can rely on their arrays.

Nothing here raises an error for bad values: each function returns the index of the first bad value,
and the caller, which knows names and context, writes the message.
"""

from cpython.bytes cimport PyBytes_AsString, PyBytes_FromStringAndSize
from cpython.list cimport PyList_GetItem, PyList_Size
from cpython.long cimport PyLong_AsLongLongAndOverflow, PyLong_CheckExact
from libc.stdint cimport int64_t

from segscore._kernels.common cimport position_t

cdef extern from "Python.h":
    object PyType_GenericAlloc(type cls, Py_ssize_t n_items)
    int PyObject_GenericSetAttr(object to, object name, object value) except -1


def pack(list values):
    """Pack plain ints into the bytes of an int64 array; or give the index of the first that is
    not an int of 64 bits (a bool or a float is not)."""
    cdef Py_ssize_t n = PyList_Size(values), i
    cdef bytes packed = PyBytes_FromStringAndSize(NULL, n * sizeof(int64_t))
    cdef int64_t* out = <int64_t*> PyBytes_AsString(packed)
    cdef int overflow = 0
    cdef object item
    for i in range(n):
        item = <object> PyList_GetItem(values, i)
        if not PyLong_CheckExact(item):
            return i
        out[i] = PyLong_AsLongLongAndOverflow(item, &overflow)
        if overflow:
            return i
    return packed


def pack_rows(list rows):
    """(offsets, items) of lists of plain ints, both as the bytes of int64 arrays; None if a row is
    no list, or holds anything else, for the caller to look at."""
    cdef Py_ssize_t n = PyList_Size(rows), total = 0, row, i, size
    cdef bytes offsets = PyBytes_FromStringAndSize(NULL, (n + 1) * sizeof(int64_t))
    cdef int64_t* start = <int64_t*> PyBytes_AsString(offsets)
    cdef bytes items
    cdef int64_t* out
    cdef int overflow = 0
    cdef object item, one
    for row in range(n):
        one = <object> PyList_GetItem(rows, row)
        if type(one) is not list:
            return None
        start[row] = total
        total += PyList_Size(one)
    start[n] = total
    items = PyBytes_FromStringAndSize(NULL, total * sizeof(int64_t))
    out = <int64_t*> PyBytes_AsString(items)
    for row in range(n):
        one = <object> PyList_GetItem(rows, row)
        size = PyList_Size(one)
        if size != start[row + 1] - start[row]:  # another thread wrote to it
            return None
        for i in range(size):
            item = <object> PyList_GetItem(one, i)
            if not PyLong_CheckExact(item):
                return None
            out[start[row] + i] = PyLong_AsLongLongAndOverflow(item, &overflow)
            if overflow:
                return None
    return offsets, items


def accumulate(bytes masses):
    """Turn packed masses (one at least) into (packed boundaries, N), or give the index of the
    first mass that is not positive or takes the sum beyond 2**53."""
    cdef Py_ssize_t n = len(masses) // sizeof(int64_t), i
    cdef const int64_t* mass = <const int64_t*> PyBytes_AsString(masses)
    cdef bytes boundaries = PyBytes_FromStringAndSize(NULL, max(n - 1, 0) * sizeof(int64_t))
    cdef int64_t* out = <int64_t*> PyBytes_AsString(boundaries)
    cdef int64_t total = 0, limit = <int64_t> 1 << 53
    for i in range(n):
        if mass[i] <= 0 or mass[i] > limit - total:
            return i
        total += mass[i]
        if i + 1 < n:
            out[i] = total
    return boundaries, total


def new_segmentation(
    type cls, n_units, positions, types=None, ranks=None, candidates=None, labels=None,
    unit_length=None,
):
    """A Segmentation with these fields, which refuses to be written to; nothing is checked."""
    new = PyType_GenericAlloc(cls, 0)
    PyObject_GenericSetAttr(new, "_n_units", n_units)
    PyObject_GenericSetAttr(new, "_packed", positions)
    PyObject_GenericSetAttr(new, "_types", types)
    PyObject_GenericSetAttr(new, "_ranks", ranks)
    PyObject_GenericSetAttr(new, "_candidates", candidates)
    PyObject_GenericSetAttr(new, "_labels", labels)
    PyObject_GenericSetAttr(new, "unit_length", unit_length)
    return new


def segmentation_of_masses(type cls, list masses):
    """`pack`, `accumulate` and `new_segmentation` in one pass over plain ints; None if there is
    anything to refuse or to convert, for the caller to look at."""
    cdef Py_ssize_t n = PyList_Size(masses), i
    cdef bytes boundaries
    cdef int64_t* out
    cdef int64_t mass, total = 0, limit = <int64_t> 1 << 53
    cdef int overflow = 0
    cdef object item
    if n == 0:
        return None
    boundaries = PyBytes_FromStringAndSize(NULL, (n - 1) * sizeof(int64_t))
    out = <int64_t*> PyBytes_AsString(boundaries)
    for i in range(n):
        item = <object> PyList_GetItem(masses, i)
        if not PyLong_CheckExact(item):
            return None
        mass = PyLong_AsLongLongAndOverflow(item, &overflow)
        if overflow or mass <= 0 or mass > limit - total:
            return None
        total += mass
        if i + 1 < n:
            out[i] = total
    return new_segmentation(cls, total, boundaries)


def lengths(bytes boundaries, int64_t n_units):
    """The list of segment lengths between packed boundaries of a document of N units."""
    cdef Py_ssize_t n = len(boundaries) // sizeof(int64_t), i
    cdef const int64_t* place = <const int64_t*> PyBytes_AsString(boundaries)
    cdef int64_t before = 0
    cdef list masses = [None] * (n + 1)
    for i in range(n):
        masses[i] = place[i] - before
        before = place[i]
    masses[n] = n_units - before
    return masses


def first_bad_offset(const int64_t[::1] offsets, int64_t end):
    """Index of the first offset that breaks 0 = o[0] <= o[1] <= … = end; -1 if none does."""
    cdef Py_ssize_t n = offsets.shape[0], i
    if n == 0 or offsets[0] != 0:
        return 0
    for i in range(1, n):
        if offsets[i] < offsets[i - 1] or offsets[i] > end:
            return i
    return -1 if offsets[n - 1] == end else n - 1


def first_bad_position(
    const int64_t[::1] n_units, const int64_t[::1] offsets, const position_t[::1] positions
):
    """(row, index) of the first position outside 1…N-1, or not above the one before it in its
    row; (-1, -1) if there is none. The offsets must have been checked."""
    cdef Py_ssize_t row, i
    cdef int64_t previous
    with nogil:
        for row in range(n_units.shape[0]):
            previous = 0
            for i in range(offsets[row], offsets[row + 1]):
                if positions[i] <= previous or positions[i] >= n_units[row]:
                    with gil:
                        return row, i
                previous = positions[i]
    return -1, -1
