# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Resamples: how often each document is drawn, and the sums of the drawn documents' statistics.

`count_draws` turns random words into draws as NumPy's `Generator.integers` does (Lemire 2019, "Fast
random integer generation in an interval", on halves of 64-bit words), so that resamples are those
that NumPy draws from the same seed. `add_weighted` is a product of matrices, weights by statistics
(weighted_sums.h), for weights that are small whole numbers; it uses one thread, its caller's.
"""

import os

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc

from segscore._kernels.batch cimport Stop, Watch, raise_if_stopped, step, watch_of

cdef extern from "weighted_sums.h" nogil:
    enum:
        PANEL
        TILE
    int wide_sums_available()
    void tile_sums_portable(
        int64_t n, const double* w, const double* rows, double* out, int64_t stride)
    void tile_sums_wide(
        int64_t n, const double* w, const double* rows, double* out, int64_t stride)

cdef enum:
    DOCUMENTS = 256  # of a panel at a time: 16 kB, which the processor's first cache holds

PANEL_COLUMNS = PANEL
TILE_RESAMPLES = TILE

cdef bint use_wide = False


def wide_in_use(on=None):
    """Whether sums use AVX2; True or False decides that from now on, for tests. It needs a machine
    that has it, and that SEGSCORE_PORTABLE is not set."""
    global use_wide
    if on is not None:
        use_wide = bool(on) and wide_sums_available()
    return use_wide


wide_in_use(not os.environ.get("SEGSCORE_PORTABLE"))


def count_draws(const uint32_t[::1] halves, int64_t done, uint8_t[:, ::1] counts):
    """Add draws to counts (resamples, documents), from draw number `done` on; (draws done, halves
    used).

    A resample has as many draws as there are documents, one resample after the other. A half of a
    word is a draw, or is rejected so that all documents are as likely.
    """
    cdef int64_t n_rows = counts.shape[1], all_draws = counts.shape[0] * n_rows
    cdef int64_t at = 0, n_halves = halves.shape[0], end
    cdef uint32_t threshold
    cdef uint64_t product
    cdef uint8_t* row
    if not 0 < n_rows < 2**32 or done < 0:
        raise IndexError(f"{n_rows} documents, draw {done}: expected 1 … 2**32 - 1, from 0 on")
    threshold = <uint32_t> (-<uint32_t> n_rows) % <uint32_t> n_rows
    with nogil:
        while done < all_draws and at < n_halves:
            row = &counts[done // n_rows, 0]
            end = (done // n_rows + 1) * n_rows
            while done < end and at < n_halves:
                product = <uint64_t> halves[at] * <uint64_t> n_rows
                at += 1
                if <uint32_t> product >= threshold:
                    row[product >> 32] += 1  # 256 times the same one: less likely than 10**-500
                    done += 1
    return done, at


cdef int check_panels(const double[:, :, ::1] panels, Py_ssize_t n_rows) except -1:
    if panels.shape[1] != n_rows or panels.shape[2] != PANEL:
        raise IndexError(f"panels have another shape than (…, {n_rows}, {PANEL})")
    return 0


def add_weighted(
    const uint8_t[:, ::1] weights,
    const double[:, :, ::1] panels,
    double[:, ::1] out,
    Stop halt=None,
):
    """Add weights (resamples, documents) times panels (panels, documents, PANEL_COLUMNS) to out.

    out has a row per resample, padded to a multiple of TILE_RESAMPLES, and a column for each
    column of each panel.
    """
    cdef Py_ssize_t n_resamples = weights.shape[0], n_rows = weights.shape[1]
    cdef Py_ssize_t tiles = (n_resamples + TILE - 1) // TILE, n_panels = panels.shape[0]
    cdef Py_ssize_t first, many, tile, panel
    cdef Watch watch = watch_of(halt)
    cdef bint wide = use_wide
    cdef double* packed
    check_panels(panels, n_rows)
    if out.shape[0] < tiles * TILE or out.shape[1] != n_panels * PANEL:
        raise IndexError(f"out is too small for {n_resamples} resamples and {n_panels} panels")
    if not n_resamples or not n_rows or not n_panels:
        return
    packed = <double*> malloc(tiles * TILE * DOCUMENTS * sizeof(double))
    if packed == NULL:
        raise MemoryError
    with nogil:
        first = 0
        while first < n_rows:
            many = min(<Py_ssize_t> DOCUMENTS, n_rows - first)
            pack(weights, first, many, packed)
            for panel in range(n_panels):
                for tile in range(tiles):
                    (tile_sums_wide if wide else tile_sums_portable)(
                        many, packed + tile * TILE * DOCUMENTS, &panels[panel, first, 0],
                        &out[tile * TILE, panel * PANEL], out.shape[1])
                if step(&watch, tiles * many):
                    break
            if watch.stopped:
                break
            first += many
    free(packed)
    raise_if_stopped(&watch)


cdef void pack(
    const uint8_t[:, ::1] weights, Py_ssize_t first, Py_ssize_t many, double* packed
) noexcept nogil:
    """The weights of some documents, those of TILE resamples side by side."""
    cdef Py_ssize_t resample, document, n = weights.shape[0]
    cdef const uint8_t* row
    cdef double* to
    for resample in range((n + TILE - 1) // TILE * TILE):
        to = packed + resample // TILE * TILE * DOCUMENTS + resample % TILE
        if resample < n:
            row = &weights[resample, first]
            for document in range(many):
                to[document * TILE] = row[document]
        else:
            for document in range(many):
                to[document * TILE] = 0
