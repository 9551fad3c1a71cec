"""Cells of a document's table of labels: keys with units, sorted, those of one key added up."""

from libc.stdint cimport int64_t, uint64_t

cdef enum:
    SHORT_RUN = 16         # cells that are sorted by insertion

cdef struct Cell:
    uint64_t key
    int64_t units


cdef inline void insert_run(Cell* cells, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i, j
    cdef Cell moved
    for i in range(1, n):
        moved = cells[i]
        j = i
        while j > 0 and cells[j - 1].key > moved.key:
            cells[j] = cells[j - 1]
            j -= 1
        cells[j] = moved


cdef inline void merge_runs(
    const Cell* cells, Py_ssize_t middle, Py_ssize_t end, Cell* out
) noexcept nogil:
    """Two sorted runs, 0 … middle and middle … end, into one."""
    cdef Py_ssize_t i = 0, j = middle, k
    for k in range(end):
        if j >= end or (i < middle and cells[i].key <= cells[j].key):
            out[k] = cells[i]
            i += 1
        else:
            out[k] = cells[j]
            j += 1


cdef inline void sort_cells(Cell* cells, Py_ssize_t n, Cell* spare) noexcept nogil:
    """By key; `spare` has room for as many. n log n."""
    cdef Py_ssize_t start = 0, run = SHORT_RUN, i
    while start < n:
        insert_run(cells + start, min(run, n - start))
        start += run
    while run < n:
        start = 0
        while start < n:
            merge_runs(cells + start, min(run, n - start), min(2 * run, n - start), spare + start)
            start += 2 * run
        for i in range(n):
            cells[i] = spare[i]
        run *= 2


cdef inline Py_ssize_t grouped(Cell* cells, Py_ssize_t n, Cell* spare) noexcept nogil:
    """Sort, and add up cells of one key; how many keys there are."""
    cdef Py_ssize_t i, count = 0
    sort_cells(cells, n, spare)
    for i in range(n):
        if count and cells[count - 1].key == cells[i].key:
            cells[count - 1].units += cells[i].units
        else:
            cells[count] = cells[i]
            count += 1
    return count
