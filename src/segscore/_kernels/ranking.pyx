# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Average precision of documents that are drawn with weights, in one pass over ranked items each."""

from libc.stdint cimport int64_t, uint8_t

from segscore._kernels.batch cimport Stop, Watch, check_length, raise_if_stopped, step, watch_of


def average_precisions(
    const int64_t[::1] document, const double[::1] found, const double[::1] added,
    const uint8_t[::1] last, const double[::1] positives, const double[:, ::1] weights,
    double[::1] out, Stop halt=None
):
    """For each row of weights (one per document), Σ (R_n − R_{n−1})·P_n over thresholds n.

    Items stand in the order of their scores, from high to low; each belongs to a document, adds so
    many boundaries to the hypothesis and finds so many of the reference; `last` marks the last item
    of those that share a score. `positives` counts the reference's boundaries of each document.
    NaN where there are none."""
    cdef Py_ssize_t draw, i, n = document.shape[0], documents = positives.shape[0]
    cdef double weight, tp, before, total, area, all_positives
    cdef Watch watch = watch_of(halt)
    check_length(found.shape[0], n, "found")
    check_length(added.shape[0], n, "added")
    check_length(last.shape[0], n, "last")
    check_length(weights.shape[1], documents, "a row of weights")
    check_length(out.shape[0], weights.shape[0], "out")
    for i in range(n):
        if not 0 <= document[i] < documents:
            raise IndexError(f"document {document[i]} is none of {documents}")
    with nogil:
        for draw in range(weights.shape[0]):
            all_positives = 0
            for i in range(documents):
                all_positives += weights[draw, i] * positives[i]
            tp = before = total = area = 0
            for i in range(n):
                weight = weights[draw, document[i]]
                tp += weight * found[i]
                total += weight * added[i]
                if last[i] and total > 0:
                    area += (tp - before) * tp / total
                    before = tp
            out[draw] = area / all_positives  # 0/0 is NaN
            if step(&watch, n + documents):
                break
    raise_if_stopped(&watch)
