# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Several metrics in one pass: each document is loaded once, and every step reads it.

A step is what one metric needs of a document: a kind and its parameters. Steps do not know of each
other; what they share is prepared once per document: window sizes of equal rules, the rows of bits
and the digits of the balance (bit_rows.h). Documents of up to 64 units are taken four at a time. A
document with few boundaries for its length is no row of bits (cost follows boundaries), nor is any
on a machine without vectors: then each step counts by the portable code (window_counts.pxd).

    kind                      parameters            row
    pk                        rule                  windows with a boundary in ref only, in hyp
                                                    only, all windows
    window_diff               rule, weighted        windows whose counts differ (weighted: by how
                                                    much in all), all windows
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
from segscore._kernels.bit_rows cimport (
    BITS_LANES, BITS_MOST_K, Bits, bits_available, bits_balance, bits_differences, bits_load_32,
    bits_load_64, bits_matches, bits_neighbours, bits_release, bits_reserve,
    bits_windows_differing, bits_windows_hit
)
from segscore._kernels.common cimport position_t
from segscore._kernels.edit_counts cimport (
    Edits, boundary_row, count_neighbours, count_rest, similarity_row
)
from segscore._kernels.window_counts cimport (
    Scratch, common, cover, differ, fits_word, reserve, room, seam_windows, winpr_row, with_edges
)
from segscore._kernels.window_frame cimport (
    DROP, PAD, WRAP, Frame, Rule, frame_of, rule_of, wide_max, wide_min
)

cdef enum:
    LANES = 4
    SHORT = 64             # units of a document that is one word
    NO_RULE = -1

cdef enum Kind:
    PK
    WINDOW_DIFF
    WINPR
    MATCH
    SIMILARITY
    BOUNDARY

cdef dict KINDS = {
    "pk": (PK, 3), "window_diff": (WINDOW_DIFF, 2), "winpr": (WINPR, 8), "match": (MATCH, 3),
    "segmentation_similarity": (SIMILARITY, 2), "boundary_similarity": (BOUNDARY, 7),
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

# A window rule that one or several steps have, and what it means for the documents at hand.
cdef struct Windows:
    Rule rule
    bint counted           # by WindowDiff or WinPR: needs the digits of D
    bint summed            # and one more of them
    bint plain             # all are counted as rows of bits, and nothing lies before them
    Frame frames[LANES]
    bint in_bits[LANES]    # whether bit_rows.h can count them
    int64_t k[LANES]       # the same for bit_rows.h
    int64_t n[LANES]
    int64_t before[LANES]

cdef struct Plan:
    bint matched           # some step counts boundaries
    int n_steps
    Step* steps
    int n_windows
    Windows* windows

cdef struct Block:         # up to four short documents, or one
    int count
    bint in_bits
    Row rows[LANES]

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
    if step.kind in (PK, WINDOW_DIFF, WINPR):
        step.given = rule_of(given[1])
        step.rule = window_rule(plan, with_edges(step.given, DROP if step.kind == PK else WRAP))
        windows = &plan.windows[step.rule]
        if step.kind == WINDOW_DIFF:
            step.weighted = given[2]
        windows.counted |= step.kind != PK
        windows.summed |= step.kind == WINPR or step.weighted
    elif step.kind != MATCH:
        step.near, step.price, step.w_ad = given[1:]
    plan.matched |= step.kind not in (PK, WINDOW_DIFF)
    plan.n_steps += 1
    return 0


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
    const Step* step, const Windows* windows, int lane, const Row* row, const position_t* ref,
    const position_t* hyp, Scratch* scratch, double* out
) except -1 nogil:
    """The row of a window step by the portable code."""
    cdef Rule rule = windows.rule
    cdef Frame frame = windows.frames[lane]
    cdef int64_t covered[3]
    cdef bint weighted = step.weighted or step.kind == WINPR
    cdef double errors
    if weighted or not fits_word(rule, row.units):
        reserve(scratch, room(rule, row.n_ref + row.n_hyp))
    if step.kind == PK:
        cover(rule, row.units, ref, row.n_ref, hyp, row.n_hyp, scratch, frame, covered)
        pk_row(step, &frame, covered[2] - covered[1], covered[2] - covered[0], out)
        return 0
    errors = differ(rule, weighted, row.units, ref, row.n_ref, hyp, row.n_hyp, scratch, frame)
    if step.kind == WINPR:
        winpr_row(row.units, row.n_ref, row.n_hyp, common(ref, row.n_ref, hyp, row.n_hyp),
                  errors, <double> frame.k, out)
    else:
        out[0] = errors
        out[1] = frame.windows
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
    if step.kind == MATCH:
        out[0] = matches
        out[1] = row.n_hyp - matches
        out[2] = row.n_ref - matches
        return
    count_neighbours(&edits.tally, pairs if step.near else 0, step.price)
    count_rest(&edits, row.n_ref, row.n_hyp, matches)
    if step.kind == BOUNDARY:
        boundary_row(&edits, row.units, step.w_ad, out)
    else:
        similarity_row(&edits, row.units, step.w_ad, out)


# ---- a block of documents ----

cdef inline bint is_dense(const Row* row) noexcept nogil:
    """Whether a row of bits is shorter than the list of boundaries: by as much as it was faster."""
    cdef int64_t words = (row.units + 63) >> 6
    return 2 * words + 2 <= row.n_ref + row.n_hyp


cdef inline int open_windows(Windows* windows, const Block* block) noexcept nogil:
    """What the rule means for each document; how many digits of D its windows need."""
    cdef Rule rule = windows.rule
    cdef Frame frame
    cdef int lane
    cdef bint padded = rule.edges == PAD, in_bits = block.in_bits and rule.edges != WRAP
    cdef int64_t largest = 0
    windows.plain = in_bits and not padded
    for lane in range(LANES):
        windows.k[lane] = 1
        windows.n[lane] = windows.before[lane] = 0
    for lane in range(block.count):
        frame = frame_of(rule, block.rows[lane].units, block.rows[lane].n_ref + 1)
        windows.frames[lane] = frame
        windows.in_bits[lane] = in_bits and frame.k <= BITS_MOST_K
        if frame.windows == 0 or not windows.in_bits[lane]:
            windows.plain = False
            continue
        windows.k[lane] = frame.k
        windows.before[lane] = padded
        windows.n[lane] = block.rows[lane].units - 1 if padded else frame.windows
        largest |= frame.k
    return digits_of(largest) + windows.summed if windows.counted and largest else 0


cdef inline int digits_of(int64_t k) noexcept nogil:
    cdef int digits = 0
    while k:
        digits += 1
        k >>= 1
    return digits


cdef inline int64_t first_of(const position_t* positions, int64_t n, int64_t most) noexcept nogil:
    """The first position, at most so many."""
    return wide_min(positions[0], most) if n else most


cdef inline void load_bits(
    Bits* bits, const Block* block, const position_t* refs, const position_t* hyps
) noexcept nogil:
    cdef const position_t* ref[LANES]
    cdef const position_t* hyp[LANES]
    cdef int64_t n_ref[LANES]
    cdef int64_t n_hyp[LANES]
    cdef int lane
    for lane in range(block.count):
        n_ref[lane] = block.rows[lane].n_ref
        n_hyp[lane] = block.rows[lane].n_hyp
        ref[lane] = refs + block.rows[lane].ref
        hyp[lane] = hyps + block.rows[lane].hyp
    for lane in range(block.count, LANES):
        n_ref[lane] = n_hyp[lane] = 0
        ref[lane] = refs
        hyp[lane] = hyps
    if position_t is int32_t:
        bits_load_32(bits, ref, n_ref, hyp, n_hyp)
    else:
        bits_load_64(bits, ref, n_ref, hyp, n_hyp)


cdef inline int run_windows(
    const Step* step, const Windows* windows, const Block* block, const Bits* bits,
    const int64_t* matches, const position_t* refs, const position_t* hyps, Scratch* scratch
) except -1 nogil:
    """A window step for each document of a block."""
    cdef int lane
    cdef int64_t found[LANES]
    cdef int64_t also[LANES]
    cdef int64_t first_ref, first_hyp
    cdef const Row* row
    cdef const Frame* frame
    cdef double* out
    if block.in_bits:
        if step.kind == PK:
            bits_windows_hit(bits, windows.k, windows.n, found, also)
        elif step.kind == WINPR or step.weighted:
            bits_differences(bits, windows.k, windows.n, windows.before, found)
        else:
            bits_windows_differing(bits, windows.k, windows.n, windows.before, found)
    if windows.plain and step.kind == PK:
        for lane in range(block.count):
            pk_row(step, &windows.frames[lane], found[lane], also[lane],
                   step.out + 3 * block.rows[lane].index)
        return 0
    if windows.plain and step.kind == WINDOW_DIFF:
        for lane in range(block.count):
            out = step.out + 2 * block.rows[lane].index
            out[0] = found[lane]
            out[1] = windows.frames[lane].windows
        return 0
    for lane in range(block.count):
        row = &block.rows[lane]
        frame = &windows.frames[lane]
        out = step.out + row.index * step.width
        if not frame.windows:
            memset(out, 0, step.width * sizeof(double))
        elif not windows.in_bits[lane]:
            window_row(step, windows, lane, row, refs + row.ref, hyps + row.hyp, scratch, out)
        elif step.kind == PK:
            if windows.before[lane]:  # 1 … y: all from the first boundary on
                first_ref = first_of(refs + row.ref, row.n_ref, frame.k)
                first_hyp = first_of(hyps + row.hyp, row.n_hyp, frame.k)
                found[lane] += wide_max(first_hyp - first_ref, 0)
                also[lane] += wide_max(first_ref - first_hyp, 0)
            pk_row(step, frame, found[lane], also[lane], out)
        elif step.kind == WINPR:
            winpr_row(row.units, row.n_ref, row.n_hyp, matches[lane], <double> found[lane],
                      <double> frame.k, out)
        else:
            out[0] = found[lane]
            out[1] = frame.windows
    return 0


cdef inline int run_block(
    Plan* plan, const Block* block, Bits* bits, const position_t* refs, const position_t* hyps,
    Scratch* scratch
) except -1 nogil:
    """Every step for every document of a block."""
    cdef int i, lane, digits = 0
    cdef int64_t matches[LANES]
    cdef int64_t pairs[LANES]
    cdef Step* step
    cdef const Row* row
    for i in range(plan.n_windows):
        digits = max(digits, open_windows(&plan.windows[i], block))
    if block.in_bits:
        if bits_reserve(bits, block.rows[0].units) < 0:
            with gil:
                raise MemoryError(f"no memory for a document of {block.rows[0].units} units")
        load_bits(bits, block, refs, hyps)
        if digits:
            bits_balance(bits, digits)
        if plan.matched:
            bits_matches(bits, matches)
    for i in range(plan.n_steps):
        step = &plan.steps[i]
        if step.rule != NO_RULE:
            run_windows(step, &plan.windows[step.rule], block, bits, matches, refs, hyps, scratch)
            continue
        if block.in_bits and step.near:
            bits_neighbours(bits, pairs)
        for lane in range(block.count):
            row = &block.rows[lane]
            if not block.in_bits:
                pairs[lane] = neighbouring_pairs(
                    refs + row.ref, row.n_ref, hyps + row.hyp, row.n_hyp, &matches[lane])
            boundaries_row(step, row, matches[lane], pairs[lane], step.out + row.index * step.width)
    return 0


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
    cdef Block shorts, block
    cdef Row* row
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
    plan.windows = <Windows*> calloc(len(steps), sizeof(Windows))
    try:
        if plan.steps == NULL or plan.windows == NULL:
            raise MemoryError
        for given, out in zip(steps, outs):
            add_step(&plan, given, out, stop)
        shorts.count = 0
        shorts.in_bits = True
        block.count = 1
        with nogil:
            row = shorts.rows
            while next_row(&batch, row):
                if in_bits and row.units <= SHORT:
                    shorts.count += 1
                    if shorts.count == LANES:
                        run_block(&plan, &shorts, &bits, refs, hyps, &scratch)
                        shorts.count = 0
                    row = &shorts.rows[shorts.count]
                else:
                    block.rows[0] = row[0]
                    block.in_bits = in_bits and is_dense(row)
                    run_block(&plan, &block, &bits, refs, hyps, &scratch)
            if shorts.count:
                run_block(&plan, &shorts, &bits, refs, hyps, &scratch)
    finally:
        free(scratch.memory)
        free(plan.steps)
        free(plan.windows)
        bits_release(&bits)
    close_batch(&batch)
