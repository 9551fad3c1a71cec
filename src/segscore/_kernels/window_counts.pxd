# cython: cdivision=True
"""Counting windows without visiting them: the errors of Pk, WindowDiff and WinPR in one document.

A window x (0 <= x < W) holds the k positions x+1 … x+k. Each edge rule is brought to that one form
by moving the boundaries (window_frame.pxd): `pad` shifts them by k-1, `wrap` repeats the start of the
document after its end. `wrap-seam` needs no form of its own: the k windows that hold the seam have
a boundary on both sides, so that Pk finds no error there and has those of `drop` in N windows; and
counts that are one higher on both sides differ where those of `wrap` do. All loops then run over
boundaries, never over units.

There are two ideas:
- coverage: a boundary at c lies in the windows c-k … c-1; a sorted set covers the union of these
  stretches, and Pk's errors follow from the coverage of ref, of hyp and of both together;
- balance: with D(x) = #ref <= x minus #hyp <= x, window x counts unequal numbers iff
  D(x+k) != D(x). Merge both sides into events; the windows that hold exactly the q events
  i … i+q-1 form one stretch, whose length has a closed form and whose D changes by a known amount.
A document of up to 64 units fits a machine word per side, and both counts become bit arithmetic
(window_words.pxd). This is the portable code; bit_rows.h does the same on machines with vectors.
"""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport free, malloc

from segscore._kernels.common cimport position_t
from segscore._kernels.window_frame cimport (
    DROP, WRAP, WRAP_SEAM, Frame, Rule, wide_max, wide_min
)
from segscore._kernels.window_words cimport (
    WORD, first_bits, popcount, windows_differing, windows_hit, word_of
)

# Calculations use 32-bit lanes if every number fits: one instruction takes more of them.
ctypedef fused lane_t:
    int32_t
    int64_t

cdef enum:
    FEW = 5                # events that most windows hold at most

# Windows in which the numbers differ, and those of them in which the hypothesis has fewer; weighted:
# by how much in all. Floats: weights may pass 64 bits.
cdef struct Differing:
    double errors
    double missed

# ---- larger documents: copy, merge, count ----

cdef inline Py_ssize_t load(
    const position_t* positions, Py_ssize_t n, Frame frame, lane_t* out
) noexcept nogil:
    """Copy boundaries into the frame, between a sentinel below and one above all windows."""
    cdef Py_ssize_t i, repeated = 0
    cdef lane_t shift = <lane_t> frame.shift
    (out - 1)[0] = 0
    for i in range(n):
        out[i] = <lane_t> positions[i] + shift
    if frame.period:
        while repeated < n and positions[repeated] < frame.k:
            out[n + repeated] = <lane_t> (positions[repeated] + frame.period)
            repeated += 1
    out[n + repeated] = <lane_t> (frame.windows + frame.k)
    return n + repeated


cdef inline void merge(
    const lane_t* ref, Py_ssize_t n_ref, const lane_t* hyp, Py_ssize_t n_hyp,
    lane_t* events, lane_t* balance
) noexcept nogil:
    """All boundaries in order, and after each the number of ref minus hyp boundaries so far.
    Without branches, and from both ends at once: two chains that do not wait for each other.
    The sentinels end each side; among equals ref comes first."""
    cdef Py_ssize_t n = n_ref + n_hyp, e
    cdef Py_ssize_t i = 0, last_ref = n_ref - 1, last_hyp = n_hyp - 1
    cdef lane_t a, b, y, z
    cdef bint from_ref, from_hyp
    (events - 1)[0] = 0
    (balance - 1)[0] = 0
    for e in range((n + 1) // 2):  # where n is odd, both chains write the same middle
        y = ref[last_ref]
        z = hyp[last_hyp]
        from_hyp = z >= y
        events[n - 1 - e] = z if from_hyp else y
        balance[n - 1 - e] = <lane_t> (last_ref - last_hyp)
        last_hyp -= from_hyp
        last_ref -= not from_hyp
        a = ref[i]
        b = hyp[e - i]
        from_ref = a <= b
        events[e] = a if from_ref else b
        i += from_ref
        balance[e] = <lane_t> (2 * i - e - 1)
    events[n] = ref[n_ref]


cdef inline int64_t coverage(
    const lane_t* sorted_positions, Py_ssize_t n, Frame frame
) noexcept nogil:
    """Windows that hold at least one of the positions: each adds the windows c-k … c-1 that its
    predecessor left, cut to those that exist."""
    cdef lane_t k = <lane_t> frame.k, windows = <lane_t> frame.windows, total = 0
    cdef lane_t here, before, first, end
    cdef Py_ssize_t i
    for i in range(n):
        here = sorted_positions[i]
        before = sorted_positions[i - 1]
        first = here - k if here - k > before else before
        end = here if here < windows else windows
        total += end - first if end > first else 0
    return total


cdef inline int64_t windows_with(
    Py_ssize_t q, const lane_t* events, const lane_t* balance, Py_ssize_t n, lane_t k,
    int64_t* errors, int64_t* missed
) noexcept nogil:
    """Windows that hold exactly q events; those that differ are added to the errors, and to the
    missed ones if the reference has more.

    Window x holds the events i … i+q-1 iff before <= x < here and last <= x+k < next: one stretch
    per i, all of them at once in vector registers. An odd number of events cannot be balanced."""
    cdef lane_t seen = 0, differing = 0, lacking = 0
    cdef lane_t before, here, last, next_, start, end, length, change
    cdef Py_ssize_t i
    for i in range(n - q + 1):
        before = (events + i - 1)[0]
        here = events[i]
        last = (events + i + q - 1)[0] - k
        next_ = events[i + q] - k
        start = before if before > last else last
        end = here if here < next_ else next_
        length = end - start
        length = length if length > 0 else 0
        seen += length
        if q:
            change = (balance + i + q - 1)[0] - (balance + i - 1)[0]
            lacking += length if change > 0 else 0
            if not q & 1:
                differing += length if change != 0 else 0
    errors[0] += seen if q & 1 else differing
    missed[0] += lacking
    return seen


cdef inline bint add_crowded(
    const lane_t* events, const lane_t* balance, Py_ssize_t n, lane_t k, int64_t* errors,
    int64_t* missed
) noexcept nogil:
    """Windows with more than FEW events, stretch by stretch; False if there are so many that a
    sweep is quicker."""
    cdef Py_ssize_t i, q, budget = 4 * n
    cdef int64_t length
    for i in range(n - FEW):
        q = FEW + 1
        while i + q <= n and events[i + q - 1] - events[i] < k:
            length = wide_min(events[i], events[i + q] - k) - wide_max(
                (events + i - 1)[0], events[i + q - 1] - k
            )
            if length > 0 and balance[i + q - 1] != (balance + i - 1)[0]:
                errors[0] += length
                missed[0] += length if balance[i + q - 1] > (balance + i - 1)[0] else 0
            q += 1
            budget -= 1
        if budget < 0:
            return False
    return True


cdef inline Differing sweep(
    bint weighted, const lane_t* events, const lane_t* balance, Py_ssize_t n, Frame frame
) noexcept nogil:
    """Windows whose two counts differ (weighted: Σ |difference|), by moving the window from one
    change of its contents to the next."""
    cdef int64_t x = 0, next_, change
    cdef Py_ssize_t gone = 0, come = 0
    cdef double size
    cdef Differing found = Differing(0, 0)
    while x < frame.windows:
        while come < n and events[come] <= x + frame.k:
            come += 1
        while gone < n and events[gone] <= x:
            gone += 1
        next_ = frame.windows  # the sentinel behind the last event stands there, or beyond
        next_ = wide_min(next_, wide_min(events[gone], <int64_t> events[come] - frame.k))
        change = <int64_t> (balance + come - 1)[0] - (balance + gone - 1)[0]
        size = <double> wide_max(change, -change)
        size = <double> (next_ - x) * (size if weighted or not change else 1)
        found.errors += size
        found.missed += size if change > 0 else 0
        x = next_
    return found


cdef inline Differing windows_that_differ(
    const lane_t* events, const lane_t* balance, Py_ssize_t n, Frame frame
) noexcept nogil:
    """Windows by how many events they hold, until all are accounted for: most hold few."""
    cdef lane_t k = <lane_t> frame.k
    cdef int64_t errors = 0, missed = 0, left = frame.windows
    cdef Py_ssize_t q
    for q in range(FEW + 1):
        if left and q <= n:
            left -= windows_with(q, events, balance, n, k, &errors, &missed)
    if left and not add_crowded(events, balance, n, k, &errors, &missed):
        return sweep(False, events, balance, n, frame)
    return Differing(<double> errors, <double> missed)


# ---- scratch memory ----

# Four columns of lanes: ref, hyp, merged events, balance; each with a sentinel at both ends.
# Which document is merged there, and for which windows: the next metric may need the same.
cdef struct Scratch:
    char* memory
    Py_ssize_t capacity    # boundaries that fit, both sides and repeats together
    const void* ref        # the document's boundaries, as given; NULL: none is merged
    const void* hyp
    Py_ssize_t given_ref
    Py_ssize_t given_hyp
    Frame frame
    Py_ssize_t n_ref       # with repeats
    Py_ssize_t n_hyp


cdef inline int reserve(Scratch* scratch, Py_ssize_t boundaries) except -1 nogil:
    cdef Py_ssize_t column
    if scratch.memory != NULL and boundaries <= scratch.capacity:
        return 0
    free(scratch.memory)
    scratch.ref = NULL
    column = 2 * boundaries + 16
    scratch.memory = <char*> malloc(4 * (column + 2) * sizeof(int64_t))
    if scratch.memory == NULL:
        scratch.capacity = 0
        with gil:
            raise MemoryError(f"no memory for a document with {boundaries} boundaries")
    scratch.capacity = column
    return 0


cdef inline Py_ssize_t room(Rule rule, Py_ssize_t boundaries) noexcept nogil:
    return 2 * boundaries if rule.edges == WRAP else boundaries


cdef inline bint fits_word(Rule rule, int64_t units) noexcept nogil:
    return units <= WORD and rule.edges == DROP


cdef inline bint fits_narrow_lanes(Frame frame) noexcept nogil:
    return frame.windows + frame.k < <int64_t> 1 << 31


# ---- one document ----

cdef inline bint is_merged(
    const Scratch* scratch, const void* ref, Py_ssize_t n_ref, const void* hyp, Py_ssize_t n_hyp,
    Frame frame
) noexcept nogil:
    return (scratch.ref != NULL and scratch.ref == ref and scratch.hyp == hyp
            and scratch.given_ref == n_ref and scratch.given_hyp == n_hyp
            and scratch.frame.k == frame.k and scratch.frame.windows == frame.windows
            and scratch.frame.shift == frame.shift and scratch.frame.period == frame.period)


cdef inline lane_t* merged(
    const position_t* ref, Py_ssize_t n_ref, const position_t* hyp, Py_ssize_t n_hyp,
    Frame frame, Scratch* scratch, lane_t* memory
) noexcept nogil:
    """The columns of a document in the frame: ref, hyp, events and balance, each `capacity + 2`
    from the one before; those of the metric before, if they are the same."""
    cdef lane_t* a = memory + 1
    cdef Py_ssize_t step = scratch.capacity + 2
    if not is_merged(scratch, ref, n_ref, hyp, n_hyp, frame):
        scratch.ref, scratch.hyp = ref, hyp
        scratch.given_ref, scratch.given_hyp = n_ref, n_hyp
        scratch.frame = frame
        scratch.n_ref = load(ref, n_ref, frame, a)
        scratch.n_hyp = load(hyp, n_hyp, frame, a + step)
        merge(a, scratch.n_ref, a + step, scratch.n_hyp, a + 2 * step, a + 3 * step)
    return a


cdef inline void cover_in_lanes(
    const position_t* ref, Py_ssize_t n_ref, const position_t* hyp, Py_ssize_t n_hyp,
    Frame frame, Scratch* scratch, lane_t* memory, int64_t* covered
) noexcept nogil:
    """covered = windows hit by ref, by hyp, by either."""
    cdef lane_t* a = merged(ref, n_ref, hyp, n_hyp, frame, scratch, memory)
    cdef Py_ssize_t step = scratch.capacity + 2
    covered[0] = coverage(a, scratch.n_ref, frame)
    covered[1] = coverage(a + step, scratch.n_hyp, frame)
    covered[2] = coverage(a + 2 * step, scratch.n_ref + scratch.n_hyp, frame)


cdef inline void cover(
    Rule rule, int64_t units, const position_t* ref, Py_ssize_t n_ref,
    const position_t* hyp, Py_ssize_t n_hyp, Scratch* scratch, Frame frame, int64_t* covered
) noexcept nogil:
    cdef uint64_t hit_ref, hit_hyp, mask
    if fits_word(rule, units):
        mask = first_bits(frame.windows)
        hit_ref = windows_hit(word_of(ref, n_ref), frame.k) & mask
        hit_hyp = windows_hit(word_of(hyp, n_hyp), frame.k) & mask
        covered[0] = popcount(hit_ref)
        covered[1] = popcount(hit_hyp)
        covered[2] = popcount(hit_ref | hit_hyp)
    elif fits_narrow_lanes(frame):
        cover_in_lanes(ref, n_ref, hyp, n_hyp, frame, scratch,
                       <int32_t*> scratch.memory, covered)
    else:
        cover_in_lanes(ref, n_ref, hyp, n_hyp, frame, scratch,
                       <int64_t*> scratch.memory, covered)


cdef inline Differing differ_in_lanes(
    bint weighted, const position_t* ref, Py_ssize_t n_ref, const position_t* hyp,
    Py_ssize_t n_hyp, Frame frame, Scratch* scratch, lane_t* memory
) noexcept nogil:
    cdef lane_t* a = merged(ref, n_ref, hyp, n_hyp, frame, scratch, memory)
    cdef Py_ssize_t step = scratch.capacity + 2, n = scratch.n_ref + scratch.n_hyp
    if weighted:
        return sweep(True, a + 2 * step, a + 3 * step, n, frame)
    return windows_that_differ(a + 2 * step, a + 3 * step, n, frame)


cdef inline Differing differ(
    Rule rule, bint weighted, int64_t units, const position_t* ref, Py_ssize_t n_ref,
    const position_t* hyp, Py_ssize_t n_hyp, Scratch* scratch, Frame frame
) noexcept nogil:
    """Windows whose counts differ; weighted: Σ |difference|."""
    cdef uint64_t differing, fewer
    if not weighted and fits_word(rule, units):
        differing = windows_differing(word_of(ref, n_ref), word_of(hyp, n_hyp), frame.k, &fewer)
        differing &= first_bits(frame.windows)
        return Differing(popcount(differing), popcount(differing & ~fewer))
    if fits_narrow_lanes(frame):
        return differ_in_lanes(weighted, ref, n_ref, hyp, n_hyp, frame, scratch,
                               <int32_t*> scratch.memory)
    return differ_in_lanes(weighted, ref, n_ref, hyp, n_hyp, frame, scratch,
                           <int64_t*> scratch.memory)


cdef inline Py_ssize_t common(
    const position_t* ref, Py_ssize_t n_ref, const position_t* hyp, Py_ssize_t n_hyp
) noexcept nogil:
    """How many positions both sides hold."""
    cdef Py_ssize_t i = 0, j = 0, found = 0
    cdef position_t a, b
    while i < n_ref and j < n_hyp:
        a = ref[i]
        b = hyp[j]
        found += a == b
        i += a <= b
        j += b <= a
    return found


cdef inline void winpr_row(
    int64_t units, Py_ssize_t n_ref, Py_ssize_t n_hyp, Py_ssize_t shared, double absolute,
    double k, double* row
) noexcept nogil:
    """SI12's matrix divided by k, and at k = 1. Every position is seen k times, so the surplus of
    either side is k·(n_ref − n_hyp), and Σ |difference| settles the rest."""
    row[2] = (absolute / k + (n_ref - n_hyp)) / 2   # FN
    row[1] = (absolute / k - (n_ref - n_hyp)) / 2   # FP
    row[0] = n_ref - row[2]                         # TP
    row[3] = (units - 1) - row[0] - row[1] - row[2]  # TN
    row[4] = shared
    row[5] = n_hyp - shared
    row[6] = n_ref - shared
    row[7] = (units - 1) - n_ref - n_hyp + shared


# ---- rules ----

cdef inline Rule with_edges(Rule rule, int seam) noexcept nogil:
    """The rule, `wrap-seam` replaced by the rule that finds the same errors."""
    if rule.edges == WRAP_SEAM:
        rule.edges = seam
    return rule


cdef inline int64_t seam_windows(Rule given, Frame frame) noexcept nogil:
    """Windows that hold the seam as a boundary of both sides."""
    return frame.k if given.edges == WRAP_SEAM else 0
