# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Messages of affinity propagation among units in a row whose clusters are contiguous.

Row i of a table is a unit, column j a candidate for its exemplar. Cells further than `reach` from
the diagonal do not exist: they are neither read nor written.
"""

from libc.math cimport INFINITY
from libc.stdlib cimport free, malloc

from segscore._kernels.batch cimport Watch, raise_if_stopped, step, watch_of


cdef void answer(
    Py_ssize_t unit, Py_ssize_t low, Py_ssize_t high, const double[:, ::1] similarities,
    const double[:, ::1] availabilities, double damping, double[:, ::1] responsibilities
) noexcept nogil:
    """Responsibilities of the candidates low … high for a unit: each against the best other."""
    cdef Py_ssize_t j, best_at = low
    cdef double value, best = -INFINITY, second = -INFINITY
    for j in range(low, high + 1):
        value = similarities[unit, j] + availabilities[unit, j]
        if value > best:
            second = best
            best = value
            best_at = j
        elif value > second:
            second = value
    for j in range(low, high + 1):
        value = similarities[unit, j] - (second if j == best_at else best)
        responsibilities[unit, j] = damping * responsibilities[unit, j] + (1 - damping) * value


cdef inline void blend(double* cell, double value, double damping) noexcept nogil:
    cell[0] = damping * cell[0] + (1 - damping) * value


cdef void offer(
    Py_ssize_t here, Py_ssize_t low, Py_ssize_t high, const double[:, ::1] responsibilities,
    double damping, double[:, ::1] availabilities, double* support, double* gain
) noexcept nogil:
    """Availabilities of one candidate for the units low … high.

    `support` is what each unit holds of the candidate; `gain` the most that a run of units just
    before it (left of the candidate) or just after it (right) can add, or 0 for no run.
    """
    cdef Py_ssize_t i
    cdef double total, least, before = 0, after = 0
    for i in range(low, high + 1):
        support[i] = responsibilities[i, here]
    for i in range(low, here):
        gain[i] = before
        before = max(0.0, before + support[i])
    for i in range(high, here, -1):
        gain[i] = after
        after = max(0.0, after + support[i])
    blend(&availabilities[here, here], before + after, damping)
    total = 0
    least = 0
    for i in range(here - 1, low - 1, -1):  # total of i+1 … here, least over runs from i+1 on
        total += support[i + 1]
        if i < here - 1:
            least = min(0.0, support[i + 1] + least)
        blend(&availabilities[i, here], gain[i] + min(total + after, least), damping)
    total = 0
    least = 0
    for i in range(here + 1, high + 1):
        total += support[i - 1]
        if i > here + 1:
            least = min(0.0, support[i - 1] + least)
        blend(&availabilities[i, here], gain[i] + min(total + before, least), damping)


def exchange(
    const double[:, ::1] similarities, Py_ssize_t reach, double damping,
    double[:, ::1] responsibilities, double[:, ::1] availabilities
):
    """One round of messages, in place: responsibilities first, availabilities from them."""
    cdef Py_ssize_t n = similarities.shape[0], i
    if n < 2 or reach < 1:
        raise ValueError("expected two units at least, and a reach of one at least")
    if (
        similarities.shape[1] != n
        or responsibilities.shape[0] != n or responsibilities.shape[1] != n
        or availabilities.shape[0] != n or availabilities.shape[1] != n
    ):
        raise ValueError("expected three square tables of one size")
    reach = min(reach, n - 1)
    cdef Watch watch = watch_of(None)
    cdef double* room = <double*> malloc(2 * n * sizeof(double))
    if room == NULL:
        raise MemoryError(f"no memory for the messages of {n} units")
    with nogil:
        for i in range(n):
            answer(
                i, max(0, i - reach), min(n - 1, i + reach), similarities, availabilities,
                damping, responsibilities
            )
            if step(&watch, 4 * reach):
                break
        for i in range(n):
            if watch.stopped or step(&watch, 4 * reach):
                break
            offer(
                i, max(0, i - reach), min(n - 1, i + reach), responsibilities, damping,
                availabilities, room, room + n
            )
    free(room)
    raise_if_stopped(&watch)
