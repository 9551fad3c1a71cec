"""Documents as rows of bits, on machines with vectors: what bit_shorts.h and bit_rows.h offer."""

from libc.stdint cimport int32_t, int64_t

cdef extern from "bit_shorts.h" nogil:
    enum:
        SHORT_UNITS
        SHORT_LANES
    enum StepKind:
        STEP_PK
        STEP_WINDOW_DIFF
        STEP_WINPR
        STEP_MATCH
        STEP_SIMILARITY
        STEP_BOUNDARY
    ctypedef struct ShortStep:
        int kind
        int padded
        int seam
        int64_t k
        int64_t min_k
        int64_t k_offset
        double bias
        int near
        double price
        double credit
        double w_ad
        double rest
        double* out
        int64_t width
        int weighted
        int elsewhere
        int left
    ctypedef struct Shorts:
        int64_t count
        int64_t* index
        int64_t* units
        int64_t* ref
        int64_t* n_ref
        int64_t* hyp
        int64_t* n_hyp

    int bits_available()
    double short_bias(int rounding)
    bint shorts_from(
        Shorts* docs, int64_t first, const int64_t* units, const int64_t* ref_offsets,
        int64_t n_refs, const int64_t* hyp_offsets, int64_t n_hyps)
    bint shorts_rows_32(
        ShortStep* steps, int n_steps, const Shorts* docs, const int32_t* refs, const int32_t* hyps)
    bint shorts_rows_64(
        ShortStep* steps, int n_steps, const Shorts* docs, const int64_t* refs, const int64_t* hyps)

cdef extern from "bit_rows.h" nogil:
    ctypedef struct Bits:
        pass
    enum:
        BITS_MOST_K

    int bits_reserve(Bits* bits, int64_t units)
    void bits_release(Bits* bits)
    void bits_load_32(
        Bits* bits, const int32_t* ref, int64_t n_ref, const int32_t* hyp, int64_t n_hyp)
    void bits_load_64(
        Bits* bits, const int64_t* ref, int64_t n_ref, const int64_t* hyp, int64_t n_hyp)
    void bits_balance(Bits* bits, int digits)
    void bits_windows_hit(
        const Bits* bits, int64_t k, int64_t n, int64_t* ref_only, int64_t* hyp_only)
    int64_t bits_windows_differing(const Bits* bits, int64_t k, int64_t n, int64_t before, int64_t* missed)
    int64_t bits_differences(
        const Bits* bits, int64_t k, int64_t n, int64_t before, int64_t* missed)
    int64_t bits_matches(const Bits* bits)
    int64_t bits_neighbours(const Bits* bits)
