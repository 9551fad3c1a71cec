"""Documents as rows of bits, on machines with vectors: what bit_rows.h offers.

`k`, `n`, `before` and results have an entry per document: four for short ones (up to 64 units;
those that are missing have no boundaries, k = 1 and n = 0), one for a long one.
"""

from libc.stdint cimport int32_t, int64_t

cdef extern from "bit_rows.h" nogil:
    ctypedef struct Bits:
        pass
    enum:
        BITS_LANES
        BITS_MOST_K

    int bits_available()
    int bits_reserve(Bits* bits, int64_t units)
    void bits_release(Bits* bits)
    void bits_load_32(
        Bits* bits, const int32_t** ref, const int64_t* n_ref,
        const int32_t** hyp, const int64_t* n_hyp)
    void bits_load_64(
        Bits* bits, const int64_t** ref, const int64_t* n_ref,
        const int64_t** hyp, const int64_t* n_hyp)
    void bits_balance(Bits* bits, int digits)
    void bits_windows_hit(
        const Bits* bits, const int64_t* k, const int64_t* n, int64_t* ref_only, int64_t* hyp_only)
    void bits_windows_differing(
        const Bits* bits, const int64_t* k, const int64_t* n, const int64_t* before,
        int64_t* differing)
    void bits_differences(
        const Bits* bits, const int64_t* k, const int64_t* n, const int64_t* before,
        int64_t* sums)
    void bits_matches(const Bits* bits, int64_t* matches)
    void bits_neighbours(const Bits* bits, int64_t* pairs)
