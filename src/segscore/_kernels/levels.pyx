# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Segments within segments: the levels that tokens belong to, and the best nested segmentation."""

from libc.math cimport INFINITY
from libc.stdint cimport int64_t

from segscore._kernels.batch cimport Watch, raise_if_stopped, step, watch_of


def sweep(
    const int64_t[::1] entries, const int64_t[:, ::1] pairs, const int64_t[:, ::1] segments,
    const double[::1] priors, double n_words, double beta, double[:, ::1] shares,
    double[::1] pair_counts, double[::1] segment_counts, double[::1] level_counts
):
    """Once over all tokens: remove each from the expected counts, compute its shares of the levels
    from the rest, and add it again.

    entries: of each token the entry (unit, word) that it belongs to. pairs, segments: of each level
    and entry the place in pair_counts (its word in its segment) and segment_counts. shares: of each
    token and level, rows that sum to 1. Places and entries are not checked (`_Places` creates
    them); that the arrays fit together is.
    """
    cdef Py_ssize_t token, level, pair, segment, n_levels = shares.shape[1]
    cdef int64_t entry
    cdef double share, total
    if not n_levels == pairs.shape[0] == segments.shape[0] == priors.shape[0] == level_counts.shape[0]:
        raise IndexError(f"arrays are not of {n_levels} levels each")
    if shares.shape[0] != entries.shape[0] or pairs.shape[1] != segments.shape[1]:
        raise IndexError("arrays of tokens or of entries are not of one length")
    with nogil:
        for token in range(entries.shape[0]):
            entry = entries[token]
            total = 0
            for level in range(n_levels):
                share, pair, segment = shares[token, level], pairs[level, entry], segments[level, entry]
                # max: rounding may make the rest of a count slightly negative
                pair_counts[pair] = max(pair_counts[pair] - share, 0.0)
                segment_counts[segment] = max(segment_counts[segment] - share, 0.0)
                level_counts[level] = max(level_counts[level] - share, 0.0)
                share = (level_counts[level] + beta) * (pair_counts[pair] + priors[level])
                share /= segment_counts[segment] + n_words * priors[level]
                shares[token, level] = share
                total += share
            for level in range(n_levels):
                share = shares[token, level] / total
                shares[token, level] = share
                pair_counts[pairs[level, entry]] += share
                segment_counts[segments[level, entry]] += share
                level_counts[level] += share


def best_totals(const double[:, ::1] gains, Py_ssize_t n_starts, double[:, ::1] best):
    """best[start, end]: the most that start ... end can gain in segments, for starts below
    n_starts; gains[end, start] is what one segment gains. Cubic, for each start by each end."""
    cdef Py_ssize_t start, end, cut, n_units = gains.shape[0] - 1
    cdef double most, total
    cdef Watch watch = watch_of(None)
    if gains.shape[1] <= n_units or best.shape[1] <= n_units:
        raise IndexError(f"rows are shorter than {n_units + 1}")
    if not 0 <= n_starts <= min(n_units + 1, best.shape[0]):
        raise IndexError(f"{n_starts} starts are more than there are")
    with nogil:
        for start in range(n_starts):
            best[start, start] = 0
            for end in range(start + 1, n_units + 1):
                most = -INFINITY
                for cut in range(start, end):
                    total = best[start, cut] + gains[end, cut]
                    if total > most:
                        most = total
                best[start, end] = most
                if step(&watch, end - start):
                    break
            if watch.stopped:
                break
    raise_if_stopped(&watch)
