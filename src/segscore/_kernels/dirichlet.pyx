# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Segments whose words come from a Dirichlet-compound-multinomial: what one more unit adds to the
likelihood of every segment that ends with it.

An entry says how often a word occurs in a unit. Entries are ordered by word, then by unit, so that
the earlier occurrences of a word stand right before each of its entries.
"""

from libc.math cimport lgamma
from libc.stdint cimport int64_t


cdef void add_entry(
    Py_ssize_t entry, double prior, const int64_t* units, const double* counts,
    Py_ssize_t first, double* steps
) noexcept nogil:
    """How much a word adds depends on the start of the segment, by steps at the units where the
    word occurs: seen from the last possible start backwards, each adds more of it."""
    cdef double count = counts[entry], before = prior, rise, now
    cdef Py_ssize_t earlier
    rise = lgamma(before + count) - lgamma(before)
    steps[units[entry]] += rise
    for earlier in range(entry - 1, first - 1, -1):
        before += counts[earlier]
        now = lgamma(before + count) - lgamma(before)
        steps[units[earlier]] += now - rise
        rise = now


def add_unit(
    Py_ssize_t unit, double prior, const int64_t[::1] offsets, const int64_t[::1] entries,
    const int64_t[::1] units, const double[::1] counts, const int64_t[::1] firsts,
    double[::1] steps, double[::1] gained
):
    """Add a unit to all segments that ended before it: gained[start] becomes the sum over words of
    lnG(count + prior) - lnG(prior) in the segment start ... unit.

    offsets, entries: the entries of each unit. units, counts, firsts: of each entry its unit, its
    count, and the first entry of the same word. steps: zeros, and zeros again afterwards.
    The values of these arrays are not checked (`WordCounts` creates them); their lengths are.
    """
    cdef Py_ssize_t at, start, n_entries = counts.shape[0]
    cdef double rise = 0
    if not 0 <= unit < min(offsets.shape[0] - 1, steps.shape[0], gained.shape[0]):
        raise IndexError(f"unit {unit} is outside of the arrays")
    if not 0 < n_entries == units.shape[0] == entries.shape[0] == firsts.shape[0]:
        raise IndexError("arrays of entries are empty, or not of one length")
    with nogil:
        for at in range(offsets[unit], offsets[unit + 1]):
            add_entry(entries[at], prior, &units[0], &counts[0], firsts[entries[at]], &steps[0])
        for start in range(unit, -1, -1):
            rise += steps[start]
            steps[start] = 0
            gained[start] += rise
