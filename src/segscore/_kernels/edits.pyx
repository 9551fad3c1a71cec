# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Boundary edit distance where boundaries have no types (docs/definitions.md §4).

Both sides are merged into events, the boundaries that only one side has; the rest are matches.
Events are paired as edit_chain.pyx says; with n_t = 2, where only neighbours can be paired, taking
the first possible pair from left to right is already the optimum.
"""

from cpython.bytes cimport PyBytes_AsString, PyBytes_Size
from libc.stdint cimport int32_t, int64_t
from libc.string cimport memset

from segscore._kernels.batch cimport (
    Batch, Row, Stop, check_length, close_batch, next_row, open_batch)
from segscore._kernels.common cimport position_t
from segscore._kernels.edit_chain cimport (
    Chain, chain_block, chain_fits, chain_plan, chain_release, chain_reserve)
from segscore._kernels.edit_matching cimport NO_MEMORY, TOO_LARGE
from segscore._kernels.edit_counts cimport (
    Edits, boundary_row, count_neighbours, count_rest, similarity_row)
from segscore._kernels.edit_prices cimport Prices, Tally, count_pair, price_of

cdef Prices prices_of(
    const double[::1] table, double base, double slope, double w_ad
) except *:
    cdef Prices prices
    check_length(table.shape[0], 2, "table of prices")
    prices.table = &table[0]
    prices.size = table.shape[0]
    prices.base = base
    prices.slope = slope
    prices.w_ad = w_ad
    return prices


cdef int32_t merge(
    Chain *chain, const position_t *ref, int64_t n_ref, const position_t *hyp, int64_t n_hyp
) noexcept nogil:
    """Write the events into the chain and give their number; no branch depends on positions."""
    cdef:
        int64_t i = 0, j = 0, p, q
        int32_t n = 0, r = 0
    while i < n_ref and j < n_hyp:
        p = ref[i]
        q = hyp[j]
        chain.at[n] = p if p < q else q
        chain.ref_before[n] = r
        chain.ref[r] = p
        chain.hyp[n - r] = q
        n += p != q
        r += p < q
        i += p <= q
        j += q <= p
    while i < n_ref:
        chain.at[n] = chain.ref[r] = ref[i]
        chain.ref_before[n] = r
        n += 1
        r += 1
        i += 1
    while j < n_hyp:
        chain.at[n] = chain.hyp[n - r] = hyp[j]
        chain.ref_before[n] = r
        n += 1
        j += 1
    chain.ref_before[n] = r
    return n


cdef int64_t neighbouring_pairs(const Chain *chain, int32_t n) noexcept nogil:
    """Pairs at distance 1, the first possible ones from left to right."""
    cdef:
        int64_t pairs = 0
        int32_t k
        bint taken = False
    for k in range(1, n):
        taken = ((not taken) & (chain.at[k] - chain.at[k - 1] == 1)
                 & (chain.ref_before[k + 1] - chain.ref_before[k - 1] == 1))
        pairs += taken
    return pairs


cdef void count_blocks(
    Chain *chain, int32_t n, int64_t reach, const Prices *prices, Tally *tally
) noexcept nogil:
    """Price the pairs of every block of the optimum."""
    cdef:
        int32_t block, k
        const int64_t *ref
        const int64_t *hyp
    chain_plan(chain, n, reach)
    block = chain_block(chain, 0, reach)
    while block < n:
        ref = chain.ref + chain.ref_before[block]
        hyp = chain.hyp + (block - chain.ref_before[block])
        for k in range((chain.block_end[block] - block) >> 1):
            count_pair(
                tally, price_of(prices, ref[k] - hyp[k] if ref[k] > hyp[k] else hyp[k] - ref[k]))
        block = chain_block(chain, chain.block_end[block], reach)


cdef int edit(
    Chain *chain, const position_t *ref, int64_t n_ref, const position_t *hyp, int64_t n_hyp,
    int64_t n_t, const Prices *prices, Edits *edits
) noexcept nogil:
    """The edits of one pair of segmentations, counted and priced; 0, or what went wrong."""
    cdef:
        int32_t n
    memset(edits, 0, sizeof(Edits))
    if chain_reserve(chain, n_ref + n_hyp) < 0:
        return NO_MEMORY
    n = merge(chain, ref, n_ref, hyp, n_hyp)
    if n_t == 2:
        count_neighbours(&edits.tally, neighbouring_pairs(chain, n), prices.table[1])
    elif n > 0 and n_t > 2:
        if not chain_fits(chain, n, n_t - 1):
            return TOO_LARGE
        count_blocks(chain, n, n_t - 1, prices, &edits.tally)
    count_rest(edits, n_ref, n_hyp, (n_ref + n_hyp - n) // 2)
    return 0


# ---- batches ----

def segmentation_similarity(
    Py_ssize_t start, Py_ssize_t stop, const int64_t[::1] n_units,
    const int64_t[::1] ref_offsets, const position_t[::1] ref_positions,
    const int64_t[::1] hyp_offsets, const position_t[::1] hyp_positions,
    int64_t n_t, const double[::1] table, double base, double slope, double w_ad,
    double[:, ::1] out, Stop halt=None
):
    """Rows: cost of the edits, potential boundaries."""
    fill(start, stop, n_units, ref_offsets, ref_positions, hyp_offsets, hyp_positions,
         n_t, prices_of(table, base, slope, w_ad), False, out, halt)


def boundary_similarity(
    Py_ssize_t start, Py_ssize_t stop, const int64_t[::1] n_units,
    const int64_t[::1] ref_offsets, const position_t[::1] ref_positions,
    const int64_t[::1] hyp_offsets, const position_t[::1] hyp_positions,
    int64_t n_t, const double[::1] table, double base, double slope, double w_ad,
    double[:, ::1] out, Stop halt=None
):
    """Rows: correctness, its squares, pairs; tp, fp, fn; potential boundaries."""
    fill(start, stop, n_units, ref_offsets, ref_positions, hyp_offsets, hyp_positions,
         n_t, prices_of(table, base, slope, w_ad), True, out, halt)


cdef fill(
    Py_ssize_t start, Py_ssize_t stop, const int64_t[::1] n_units,
    const int64_t[::1] ref_offsets, const position_t[::1] ref_positions,
    const int64_t[::1] hyp_offsets, const position_t[::1] hyp_positions,
    int64_t n_t, Prices prices, bint boundary, double[:, ::1] out, Stop halt
):
    cdef:
        Batch batch
        Row row
        Chain chain
        Edits edits
        int failed = 0
        const position_t *ref = &ref_positions[0]
        const position_t *hyp = &hyp_positions[0]
    open_batch(&batch, start, stop, n_units, ref_offsets, ref_positions.shape[0],
               hyp_offsets, hyp_positions.shape[0], out, 7 if boundary else 2, halt)
    memset(&chain, 0, sizeof(Chain))
    with nogil:
        while not failed and next_row(&batch, &row):
            failed = edit(&chain, ref + row.ref, row.n_ref, hyp + row.hyp, row.n_hyp,
                          n_t, &prices, &edits)
            if failed:
                break
            if boundary:
                boundary_row(&edits, row.units, prices.w_ad, row.out)
            else:
                similarity_row(&edits, row.units, prices.w_ad, row.out)
    chain_release(&chain)
    if failed:
        raise_failure(failed, batch.next - 1)
    close_batch(&batch)


cdef raise_failure(int failed, Py_ssize_t document):
    if failed == TOO_LARGE:
        raise OverflowError(document)
    raise MemoryError()


# ---- one pair ----

cdef int edit_pair(
    bytes ref, bytes hyp, int64_t n_t, const double[::1] table, double base, double slope,
    double w_ad, Edits *edits
) except -1:
    cdef:
        Chain chain
        Prices prices = prices_of(table, base, slope, w_ad)
        int failed
    memset(&chain, 0, sizeof(Chain))
    failed = edit(
        &chain,
        <const int64_t *>PyBytes_AsString(ref), PyBytes_Size(ref) // sizeof(int64_t),
        <const int64_t *>PyBytes_AsString(hyp), PyBytes_Size(hyp) // sizeof(int64_t),
        n_t, &prices, edits)
    chain_release(&chain)
    if failed:
        raise_failure(failed, 0)
    return 0


def segmentation_similarity_of_pair(
    int64_t n_units, bytes ref, bytes hyp, int64_t n_t, const double[::1] table, double base,
    double slope, double w_ad
):
    """The row of two packed segmentations."""
    cdef:
        Edits edits
        double[2] row
    edit_pair(ref, hyp, n_t, table, base, slope, w_ad, &edits)
    similarity_row(&edits, n_units, w_ad, row)
    return row[0], row[1]


def boundary_similarity_of_pair(
    int64_t n_units, bytes ref, bytes hyp, int64_t n_t, const double[::1] table, double base,
    double slope, double w_ad
):
    """The row of two packed segmentations."""
    cdef:
        Edits edits
        double[7] row
    edit_pair(ref, hyp, n_t, table, base, slope, w_ad, &edits)
    boundary_row(&edits, n_units, w_ad, row)
    return row[0], row[1], row[2], row[3], row[4], row[5], row[6]
