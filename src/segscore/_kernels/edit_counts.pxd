"""What the edits of two segmentations without types come to, and the rows of S and B."""

from libc.stdint cimport int64_t

from segscore._kernels.edit_prices cimport Tally, worth

cdef struct Edits:
    double matches
    double ref_alone
    double hyp_alone
    Tally tally


cdef inline void count_neighbours(Tally *tally, int64_t pairs, double price) noexcept nogil:
    """So many pairs at distance 1."""
    cdef double credit = worth(price)
    tally.pairs = pairs
    tally.cost = pairs * price
    tally.credit = pairs * credit
    tally.credit_squared = pairs * credit * credit


cdef inline void count_rest(
    Edits *edits, int64_t n_ref, int64_t n_hyp, int64_t matches
) noexcept nogil:
    """What is neither matched nor in one of the pairs that were counted."""
    edits.matches = matches
    edits.ref_alone = n_ref - edits.matches - edits.tally.pairs
    edits.hyp_alone = n_hyp - edits.matches - edits.tally.pairs


cdef inline void similarity_row(
    const Edits *edits, int64_t n_units, double w_ad, double *row
) noexcept nogil:
    row[0] = w_ad * (edits.ref_alone + edits.hyp_alone) + edits.tally.cost
    row[1] = n_units - 1


cdef inline void boundary_row(
    const Edits *edits, int64_t n_units, double w_ad, double *row
) noexcept nogil:
    cdef double alone = edits.ref_alone + edits.hyp_alone
    row[3] = edits.matches + edits.tally.credit
    row[0] = row[3] + alone * worth(w_ad)
    row[1] = edits.matches + edits.tally.credit_squared + alone * worth(w_ad) * worth(w_ad)
    row[2] = edits.matches + edits.tally.pairs + alone
    row[4] = edits.hyp_alone
    row[5] = edits.ref_alone
    row[6] = n_units - 1
