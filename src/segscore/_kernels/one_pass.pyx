# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Several metrics in one pass: each document is loaded once, and every step reads it.

A step is what one metric needs of a document: a kind and its parameters. Steps do not know of each
other; what they share is prepared once per document. Documents of up to 64 units are taken four at a
time (bit_shorts.h). A longer one becomes a row of bits with the digits of its balance (bit_rows.h),
and steps with equal rules share its windows. A document with few boundaries for its length is no row
of bits (cost follows boundaries), nor is any on a machine without vectors: then each step counts by
the portable code (window_counts.pxd).

    kind                      parameters            row
    pk                        rule                  windows with a boundary in ref only, in hyp
                                                    only, all windows
    window_diff               rule, weighted        windows whose counts differ (weighted: by how
                                                    much in all), all windows, those of the
                                                    differing ones in which hyp has fewer
    winpr                     rule                  TP, FP, FN, TN divided by k; then at k = 1
    match                                           matched, hyp left over, ref left over
    segmentation_similarity   near, price, w_ad     cost of the edits, potential boundaries
    boundary_similarity       near, price, w_ad     correctness, its squares, pairs; tp, fp, fn;
                                                    potential boundaries
`near`: whether neighbours are paired (n_t = 2), at that price. A row without windows is all zeros.
"""

import os

from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from segscore._kernels.batch cimport Batch, Row, Stop, close_batch, next_row, open_batch
from segscore._kernels.batch cimport step as count_steps
from segscore._kernels.bit_rows cimport (
    BITS_MOST_K, SHORT_LANES, SHORT_UNITS, STEP_BOUNDARY, STEP_MATCH, STEP_PK, STEP_SIMILARITY,
    STEP_WINDOW_DIFF, STEP_WINPR, Bits, Shorts, ShortStep, bits_available, bits_balance,
    bits_differences, bits_load_32, bits_load_64, bits_matches, bits_neighbours, bits_release,
    bits_reserve, bits_windows_differing, bits_windows_hit, short_bias, shorts_from,
    shorts_rows_32, shorts_rows_64
)
from segscore._kernels.common cimport position_t
from segscore._kernels.edit_counts cimport (
    Edits, boundary_row, count_neighbours, count_rest, similarity_row
)
from segscore._kernels.edit_prices cimport worth
from segscore._kernels.window_counts cimport (
    Differing, Scratch, common, cover, differ, fits_word, reserve, room, seam_windows, winpr_row, with_edges
)
from segscore._kernels.window_frame cimport (
    DROP, PAD, WRAP, WRAP_SEAM, Frame, Rule, frame_of, rule_of, wide_max, wide_min
)

cdef enum:
    NO_RULE = -1

cdef dict KINDS = {
    "pk": (STEP_PK, 3), "window_diff": (STEP_WINDOW_DIFF, 3), "winpr": (STEP_WINPR, 8),
    "match": (STEP_MATCH, 3), "segmentation_similarity": (STEP_SIMILARITY, 2),
    "boundary_similarity": (STEP_BOUNDARY, 7),
}

cdef struct Step:
    int kind
    int rule               # which window rule, or NO_RULE
    Rule given             # its rule as given
    bint weighted
    bint near
    double price
    double w_ad
    double* out
    Py_ssize_t width

# A window rule that one or several steps have, and what it means for the document at hand.
cdef struct Windows:
    Rule rule
    bint counted           # by WindowDiff or WinPR: needs the digits of D
    Frame frame
    bint in_bits           # whether bit_rows.h can count them; then:
    int64_t n              # windows that start inside
    bint before            # whether others start before the document

cdef struct Plan:
    bint matched           # some step counts boundaries
    bint near              # and pairs of neighbours
    int n_steps
    Step* steps
    ShortStep* short_steps  # the same for bit_shorts.h
    int n_windows
    Windows* windows

cdef bint use_bits = False


def bits_in_use(on=None):
    """Whether documents become rows of bits; True or False decides that from now on, for tests. It
    needs a machine with vectors, and that SEGSCORE_PORTABLE is not set."""
    global use_bits
    if on is not None:
        use_bits = bool(on) and bits_available()
    return use_bits


bits_in_use(not os.environ.get("SEGSCORE_PORTABLE"))

# ---- the plan ----

cdef int window_rule(Plan* plan, Rule rule) except -1:
    """The place of a rule among those of the plan."""
    cdef int i
    cdef Rule* known
    for i in range(plan.n_windows):
        known = &plan.windows[i].rule
        if (known.k == rule.k and known.rounding == rule.rounding and known.min_k == rule.min_k
                and known.k_offset == rule.k_offset and known.edges == rule.edges):
            return i
    plan.windows[plan.n_windows].rule = rule
    plan.n_windows += 1
    return plan.n_windows - 1


cdef int add_step(Plan* plan, tuple given, double[:, ::1] out, Py_ssize_t rows) except -1:
    cdef Step* step = &plan.steps[plan.n_steps]
    cdef Windows* windows
    step.kind, width = KINDS[given[0]]
    if out.shape[0] < rows or out.shape[1] != width:
        raise IndexError(f"out of {given[0]} is {out.shape[0]} × {out.shape[1]}: expected "
                         f"{rows} × {width}")
    step.out = &out[0, 0]
    step.width = width
    step.rule = NO_RULE
    if step.kind in (STEP_PK, STEP_WINDOW_DIFF, STEP_WINPR):
        step.given = rule_of(given[1])
        step.rule = window_rule(plan, with_edges(step.given, DROP if step.kind == STEP_PK else WRAP))
        windows = &plan.windows[step.rule]
        if step.kind == STEP_WINDOW_DIFF:
            step.weighted = given[2]
        windows.counted |= step.kind != STEP_PK
    elif step.kind != STEP_MATCH:
        step.near, step.price, step.w_ad = given[1:]
    plan.matched |= step.kind not in (STEP_PK, STEP_WINDOW_DIFF)
    plan.near |= step.near
    plan.short_steps[plan.n_steps] = short_step(step, &plan.windows[max(step.rule, 0)].rule)
    plan.n_steps += 1
    return 0


cdef ShortStep short_step(const Step* step, const Rule* rule) noexcept:
    """The step as bit_shorts.h takes it; `rule` counts only for steps that have one."""
    cdef ShortStep short
    memset(&short, 0, sizeof(ShortStep))
    short.kind = step.kind
    short.near = step.near
    short.price = step.price
    short.credit = worth(step.price)
    short.w_ad = step.w_ad
    short.rest = worth(step.w_ad)
    short.out = step.out
    short.width = step.width
    if step.rule != NO_RULE:
        short.bias = short_bias(rule.rounding)
        short.padded = rule.edges == PAD
        short.seam = step.given.edges == WRAP_SEAM
        short.k = rule.k
        short.min_k = rule.min_k
        short.k_offset = rule.k_offset
        short.weighted = step.weighted
        short.elsewhere = rule.edges == WRAP
    return short


# ---- one document, portable ----

cdef inline int64_t neighbouring_pairs(
    const position_t* ref, int64_t n_ref, const position_t* hyp, int64_t n_hyp, int64_t* matches
) noexcept nogil:
    """Pairs at distance 1 of boundaries that one side has alone, the first possible ones from left
    to right; and the positions that both sides have. No branch depends on positions."""
    cdef int64_t i = 0, j = 0, p, q, at, waiting = -1, pairs = 0
    cdef bint linked, of_ref, waiting_of_ref = False
    matches[0] = 0
    while i < n_ref and j < n_hyp:
        p = ref[i]
        q = hyp[j]
        of_ref = p < q
        at = p if of_ref else q
        linked = (at == waiting + 1) & (of_ref != waiting_of_ref) & (p != q)
        pairs += linked
        matches[0] += p == q
        waiting = -1 if linked | (p == q) else at
        waiting_of_ref = of_ref
        i += p <= q
        j += q <= p
    if i < n_ref:
        pairs += ref[i] == waiting + 1 and not waiting_of_ref
    elif j < n_hyp:
        pairs += hyp[j] == waiting + 1 and waiting_of_ref
    return pairs


cdef inline int window_row(
    const Step* step, Rule rule, Frame frame, const Row* row, const position_t* ref,
    const position_t* hyp, Scratch* scratch, double* out
) except -1 nogil:
    """The row of a window step by the portable code."""
    cdef int64_t covered[3]
    cdef bint weighted = step.weighted or step.kind == STEP_WINPR
    cdef Differing found
    if not frame.windows:
        memset(out, 0, step.width * sizeof(double))
        return 0
    if weighted or not fits_word(rule, row.units):
        reserve(scratch, room(rule, row.n_ref + row.n_hyp))
    if step.kind == STEP_PK:
        cover(rule, row.units, ref, row.n_ref, hyp, row.n_hyp, scratch, frame, covered)
        pk_row(step, &frame, covered[2] - covered[1], covered[2] - covered[0], out)
        return 0
    found = differ(rule, weighted, row.units, ref, row.n_ref, hyp, row.n_hyp, scratch, frame)
    if step.kind == STEP_WINPR:
        winpr_row(row.units, row.n_ref, row.n_hyp, common(ref, row.n_ref, hyp, row.n_hyp),
                  found.errors, <double> frame.k, out)
    else:
        out[0] = found.errors
        out[1] = frame.windows
        out[2] = found.missed
    return 0


cdef inline void pk_row(
    const Step* step, const Frame* frame, int64_t missed, int64_t extra, double* out
) noexcept nogil:
    out[0] = missed
    out[1] = extra
    out[2] = frame.windows + seam_windows(step.given, frame[0])


cdef inline void boundaries_row(
    const Step* step, const Row* row, int64_t matches, int64_t pairs, double* out
) noexcept nogil:
    """The row of a step that counts boundaries."""
    cdef Edits edits
    if step.kind == STEP_MATCH:
        out[0] = matches
        out[1] = row.n_hyp - matches
        out[2] = row.n_ref - matches
        return
    count_neighbours(&edits.tally, pairs if step.near else 0, step.price)
    count_rest(&edits, row.n_ref, row.n_hyp, matches)
    if step.kind == STEP_BOUNDARY:
        boundary_row(&edits, row.units, step.w_ad, out)
    else:
        similarity_row(&edits, row.units, step.w_ad, out)


# ---- one document ----

cdef inline bint is_dense(const Row* row) noexcept nogil:
    """Whether a row of bits is shorter than the list of boundaries: by as much as it was faster."""
    cdef int64_t words = (row.units + 63) >> 6
    return row.units > SHORT_UNITS and 2 * words + 2 <= row.n_ref + row.n_hyp


cdef inline int open_windows(Windows* windows, const Row* row, bint in_bits) noexcept nogil:
    """What the rule means for a document; how many digits of D its windows need."""
    windows.frame = frame_of(windows.rule, row.units, row.n_ref + 1)
    windows.in_bits = in_bits and windows.rule.edges != WRAP and windows.frame.k <= BITS_MOST_K
    windows.before = windows.rule.edges == PAD
    windows.n = row.units - 1 if windows.before else windows.frame.windows
    if not (windows.counted and windows.in_bits and windows.frame.windows):
        return 0
    return digits_of(windows.frame.k) + 1


cdef inline int digits_of(int64_t k) noexcept nogil:
    cdef int digits = 0
    while k:
        digits += 1
        k >>= 1
    return digits


cdef inline int load_bits(
    Bits* bits, const Row* row, const position_t* ref, const position_t* hyp
) except -1 nogil:
    if bits_reserve(bits, row.units) < 0:
        with gil:
            raise MemoryError(f"no memory for a document of {row.units} units")
    if position_t is int32_t:
        bits_load_32(bits, ref, row.n_ref, hyp, row.n_hyp)
    else:
        bits_load_64(bits, ref, row.n_ref, hyp, row.n_hyp)
    return 0


cdef inline int64_t first_of(const position_t* positions, int64_t n, int64_t most) noexcept nogil:
    """The first position, at most so many."""
    return wide_min(positions[0], most) if n else most


cdef inline void window_row_in_bits(
    const Step* step, const Windows* windows, const Row* row, const position_t* ref,
    const position_t* hyp, const Bits* bits, int64_t matches, double* out
) noexcept nogil:
    """The row of a window step for a row of bits."""
    cdef int64_t missed, extra, first_ref, first_hyp, k = windows.frame.k, n = windows.n
    if step.kind == STEP_PK:
        bits_windows_hit(bits, k, n, &missed, &extra)
        if windows.before:  # 1 … y: all from the first boundary on
            first_ref = first_of(ref, row.n_ref, k)
            first_hyp = first_of(hyp, row.n_hyp, k)
            missed += wide_max(first_hyp - first_ref, 0)
            extra += wide_max(first_ref - first_hyp, 0)
        pk_row(step, &windows.frame, missed, extra, out)
    elif step.kind == STEP_WINPR:
        winpr_row(row.units, row.n_ref, row.n_hyp, matches,
                  <double> bits_differences(bits, k, n, windows.before, NULL), <double> k, out)
    else:
        if step.weighted:
            out[0] = bits_differences(bits, k, n, windows.before, &missed)
        else:
            out[0] = bits_windows_differing(bits, k, n, windows.before, &missed)
        out[1] = windows.frame.windows
        out[2] = missed


cdef inline int run_document(
    Plan* plan, const Row* row, bint in_bits, Bits* bits, const position_t* ref,
    const position_t* hyp, Scratch* scratch
) except -1 nogil:
    """Every step for one document."""
    cdef int i, digits = 0
    cdef int64_t matches = 0, pairs = 0
    cdef const Step* step
    cdef const Windows* windows
    cdef double* out
    for i in range(plan.n_windows):
        digits = max(digits, open_windows(&plan.windows[i], row, in_bits))
    if in_bits:
        load_bits(bits, row, ref, hyp)
        if digits:
            bits_balance(bits, digits)
        if plan.matched:
            matches = bits_matches(bits)
        if plan.near:
            pairs = bits_neighbours(bits)
    elif plan.matched:
        pairs = neighbouring_pairs(ref, row.n_ref, hyp, row.n_hyp, &matches)
    for i in range(plan.n_steps):
        step = &plan.steps[i]
        out = step.out + row.index * step.width
        if step.rule == NO_RULE:
            boundaries_row(step, row, matches, pairs, out)
            continue
        windows = &plan.windows[step.rule]
        if windows.in_bits and windows.frame.windows:
            window_row_in_bits(step, windows, row, ref, hyp, bits, matches, out)
        else:
            window_row(step, windows.rule, windows.frame, row, ref, hyp, scratch, out)
    return 0


# ---- four short documents ----

cdef inline void add_short(Shorts* docs, const Row* row) noexcept nogil:
    docs.index[docs.count] = row.index
    docs.units[docs.count] = row.units
    docs.ref[docs.count] = row.ref
    docs.n_ref[docs.count] = row.n_ref
    docs.hyp[docs.count] = row.hyp
    docs.n_hyp[docs.count] = row.n_hyp
    docs.count += 1


cdef inline int run_shorts(
    Plan* plan, Shorts* docs, const position_t* refs, const position_t* hyps, Scratch* scratch
) except -1 nogil:
    """Every step for up to four documents; those that bit_shorts.h leaves by the portable code."""
    cdef int i, lane
    cdef bint left
    cdef Row row
    cdef Rule rule
    cdef const Step* step
    for lane in range(docs.count, SHORT_LANES):
        docs.units[lane] = 1
        docs.ref[lane] = docs.n_ref[lane] = docs.hyp[lane] = docs.n_hyp[lane] = 0
    if position_t is int32_t:
        left = shorts_rows_32(plan.short_steps, plan.n_steps, docs, refs, hyps)
    else:
        left = shorts_rows_64(plan.short_steps, plan.n_steps, docs, refs, hyps)
    if not left:
        return 0
    for i in range(plan.n_steps):
        if not plan.short_steps[i].left:
            continue
        step = &plan.steps[i]
        rule = plan.windows[step.rule].rule
        for lane in range(docs.count):
            row.index = docs.index[lane]
            row.units = docs.units[lane]
            row.n_ref = docs.n_ref[lane]
            row.n_hyp = docs.n_hyp[lane]
            window_row(step, rule, frame_of(rule, row.units, row.n_ref + 1), &row,
                       refs + docs.ref[lane], hyps + docs.hyp[lane], scratch,
                       step.out + row.index * step.width)
    return 0


cdef inline bint next_shorts(Batch* batch, Shorts* docs) noexcept nogil:
    """The next four documents, if all are short."""
    cdef Py_ssize_t i = batch.next
    if i + SHORT_LANES > batch.end or not shorts_from(
            docs, i, batch.units, batch.ref_offsets, batch.n_refs, batch.hyp_offsets, batch.n_hyps):
        return False
    batch.next = i + SHORT_LANES
    return True


cdef int run_batch(
    Plan* plan, Batch* batch, Bits* bits, bint in_bits, const position_t* refs,
    const position_t* hyps, Scratch* scratch
) except -1 nogil:
    """Every step for every document."""
    cdef Shorts docs, waiting  # short ones that stand between long ones wait for each other
    cdef Row row
    waiting.count = 0
    while True:
        if in_bits and next_shorts(batch, &docs):
            run_shorts(plan, &docs, refs, hyps, scratch)
            if count_steps(&batch.watch, steps_of(&docs)):
                return 0
        elif not next_row(batch, &row):
            break
        elif in_bits and 1 <= row.units <= SHORT_UNITS:
            add_short(&waiting, &row)
            if waiting.count == SHORT_LANES:
                run_shorts(plan, &waiting, refs, hyps, scratch)
                waiting.count = 0
        else:
            run_document(plan, &row, in_bits and is_dense(&row), bits, refs + row.ref,
                         hyps + row.hyp, scratch)
    if waiting.count:
        run_shorts(plan, &waiting, refs, hyps, scratch)
    return 0


cdef inline int64_t steps_of(const Shorts* docs) noexcept nogil:
    """As many as next_row counts for these documents."""
    cdef int lane
    cdef int64_t steps = SHORT_LANES
    for lane in range(SHORT_LANES):
        steps += docs.n_ref[lane] + docs.n_hyp[lane]
    return steps


def rows(
    Py_ssize_t start, Py_ssize_t stop, const int64_t[::1] n_units,
    const int64_t[::1] ref_offsets, const position_t[::1] ref_positions,
    const int64_t[::1] hyp_offsets, const position_t[::1] hyp_positions,
    tuple steps, tuple outs, Stop halt=None
):
    """Fill the rows of each step (kind, *parameters) in its `out`."""
    cdef Plan plan
    cdef Scratch scratch
    cdef Batch batch
    cdef Bits bits
    cdef bint in_bits = use_bits
    cdef double[:, ::1] out
    cdef const position_t* refs = &ref_positions[0]
    cdef const position_t* hyps = &hyp_positions[0]
    if not steps or len(steps) != len(outs):
        raise IndexError(f"{len(steps)} steps and {len(outs)} tables: expected as many, one at least")
    out = outs[0]
    open_batch(&batch, start, stop, n_units, ref_offsets, ref_positions.shape[0],
               hyp_offsets, hyp_positions.shape[0], out, 1, halt)
    memset(&scratch, 0, sizeof(Scratch))
    memset(&bits, 0, sizeof(Bits))
    memset(&plan, 0, sizeof(Plan))
    plan.steps = <Step*> calloc(len(steps), sizeof(Step))
    plan.short_steps = <ShortStep*> calloc(len(steps), sizeof(ShortStep))
    plan.windows = <Windows*> calloc(len(steps), sizeof(Windows))
    try:
        if plan.steps == NULL or plan.short_steps == NULL or plan.windows == NULL:
            raise MemoryError
        for given, out in zip(steps, outs):
            add_step(&plan, given, out, stop)
        with nogil:
            run_batch(&plan, &batch, &bits, in_bits, refs, hyps, &scratch)
    finally:
        free(scratch.memory)
        free(plan.steps)
        free(plan.short_steps)
        free(plan.windows)
        bits_release(&bits)
    close_batch(&batch)
