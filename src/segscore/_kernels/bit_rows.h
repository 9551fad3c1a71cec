/* Documents as rows of bits, four machine words at a time (AVX2 on x86-64, NEON on AArch64).

Bit p of a row is a boundary at position p; bit x of a result is window x, which holds the positions
x+1 ... x+k. Two shapes share the arithmetic below:
- short documents, up to 64 units: four documents at once, one word each;
- long ones: one document, four neighbouring words at once.

D(x) = #ref <= x minus #hyp <= x is kept in binary (two's complement), a row of bits per digit. In a
window of k positions D changes by k at most, so that its lowest digits, as many as k has, say whether
it changed, and one more says in which direction.

This needs GCC or Clang (bit_words.h). Elsewhere, and on an x86-64 without AVX2, bits_available() is 0,
nothing else here may be called, and portable kernels do it.
Nothing is read or written outside of the given arrays, whatever positions they hold. */

#ifndef SEGSCORE_BIT_ROWS_H
#define SEGSCORE_BIT_ROWS_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bit_words.h"

enum { BITS_DIGITS = 7, BITS_MOST_K = 63 };

#ifndef SEGSCORE_BIT_ROWS

typedef struct { int64_t words; } Bits;
static int bits_available(void) { return 0; }
static int bits_reserve(Bits *bits, int64_t units) { (void)bits; (void)units; return -1; }
static void bits_release(Bits *bits) { (void)bits; }
static void bits_load_32(Bits *bits, const int32_t *const *ref, const int64_t *n_ref,
                         const int32_t *const *hyp, const int64_t *n_hyp) {
    (void)bits; (void)ref; (void)n_ref; (void)hyp; (void)n_hyp;
}
static void bits_load_64(Bits *bits, const int64_t *const *ref, const int64_t *n_ref,
                         const int64_t *const *hyp, const int64_t *n_hyp) {
    (void)bits; (void)ref; (void)n_ref; (void)hyp; (void)n_hyp;
}
static void bits_balance(Bits *bits, int digits) { (void)bits; (void)digits; }
static void bits_windows_hit(const Bits *bits, const int64_t *k, const int64_t *n,
                             int64_t *ref_only, int64_t *hyp_only) {
    (void)bits; (void)k; (void)n; (void)ref_only; (void)hyp_only;
}
static void bits_windows_differing(const Bits *bits, const int64_t *k, const int64_t *n,
                                   const int64_t *before, int64_t *differing) {
    (void)bits; (void)k; (void)n; (void)before; (void)differing;
}
static void bits_differences(const Bits *bits, const int64_t *k, const int64_t *n,
                             const int64_t *before, int64_t *sums) {
    (void)bits; (void)k; (void)n; (void)before; (void)sums;
}
static void bits_matches(const Bits *bits, int64_t *matches) { (void)bits; (void)matches; }
static void bits_neighbours(const Bits *bits, int64_t *pairs) { (void)bits; (void)pairs; }

#else /* ---- the machine has vectors ---- */

typedef struct {
    int64_t words;      /* of a long document; 1: four short ones */
    wide short_ref, short_hyp, short_digit[BITS_DIGITS];
    int64_t room;       /* words for which there is memory */
    uint64_t *ref, *hyp, *up, *down, *digit[BITS_DIGITS];   /* each followed by PAST more words */
} Bits;

enum { PAST = 4 };      /* rows are read in fours, and one word ahead */
enum { FEW_WORDS = 8 };   /* up to so many, all digits of four words are found at once */

static int bits_available(void) {
#ifdef SEGSCORE_AVX2
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi")
        && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
#else
    return 1;
#endif
}

/* Make room for a document; -1 without memory. */
static int bits_reserve(Bits *bits, int64_t units) {
    int64_t words = (units + 63) / 64, room, i;
    bits->words = words;
    if (words <= bits->room) return 0;
    room = ((words + words / 2 + 3) & ~(int64_t)3) + PAST;
    free(bits->ref);
    bits->room = 0;
    bits->ref = (uint64_t *)malloc((size_t)((4 + BITS_DIGITS) * room) * sizeof(uint64_t));
    if (bits->ref == NULL) return -1;
    bits->hyp = bits->ref + room;
    bits->up = bits->ref + 2 * room;
    bits->down = bits->ref + 3 * room;
    for (i = 0; i < BITS_DIGITS; i++) bits->digit[i] = bits->ref + (4 + i) * room;
    bits->room = room - PAST;
    return 0;
}

static void bits_release(Bits *bits) {
    free(bits->ref);
    bits->ref = NULL;
    bits->room = 0;
}

/* ---- loading ---- */

/* The bits of up to 64 positions, spread over four words that are to be joined. */
SMALL wide spread_of_32(const int32_t *at, int64_t n) {
    wide found = wide_of(0);
    int64_t i = 0;
#ifdef SEGSCORE_AVX2
    static const int32_t first_lanes[16] = {-1, -1, -1, -1, -1, -1, -1, -1};
    for (; i < n; i += 8) {  /* masked loads touch no memory outside; what they leave out is 0 */
        int64_t left = n - i < 8 ? n - i : 8;
        __m256i mask = _mm256_loadu_si256((const __m256i *)(first_lanes + 8 - left));
        __m256i eight = _mm256_maskload_epi32((const int *)(at + i), mask);
        __m256i low = _mm256_cvtepi32_epi64(_mm256_castsi256_si128(eight));
        __m256i high = _mm256_cvtepi32_epi64(_mm256_extracti128_si256(eight, 1));
        found |= (wide)_mm256_sllv_epi64((__m256i)wide_of(1), low);
        found |= (wide)_mm256_sllv_epi64((__m256i)wide_of(1), high);
    }
#else
    for (; i < n; i++) found[0] |= (uint64_t)1 << (at[i] & 63);
#endif
    return found;
}

SMALL wide spread_of_64(const int64_t *at, int64_t n) {
    wide found = wide_of(0);
    int64_t i = 0;
#ifdef SEGSCORE_AVX2
    static const int64_t first_lanes[8] = {-1, -1, -1, -1};
    for (; i < n; i += 4) {
        int64_t left = n - i < 4 ? n - i : 4;
        __m256i mask = _mm256_loadu_si256((const __m256i *)(first_lanes + 4 - left));
        __m256i four = _mm256_maskload_epi64((const long long *)(at + i), mask);
        found |= (wide)_mm256_sllv_epi64((__m256i)wide_of(1), four);
    }
#else
    for (; i < n; i++) found[0] |= (uint64_t)1 << (at[i] & 63);
#endif
    return found;
}

/* Four spread words, each joined into one; no boundary stands at 0. */
SMALL wide joined(wide a, wide b, wide c, wide d) {
#ifdef SEGSCORE_AVX2
    __m256i ab = _mm256_or_si256(_mm256_unpacklo_epi64((__m256i)a, (__m256i)b),
                                 _mm256_unpackhi_epi64((__m256i)a, (__m256i)b));
    __m256i cd = _mm256_or_si256(_mm256_unpacklo_epi64((__m256i)c, (__m256i)d),
                                 _mm256_unpackhi_epi64((__m256i)c, (__m256i)d));
    wide all = (wide)_mm256_or_si256(_mm256_permute2x128_si256(ab, cd, 0x20),
                                     _mm256_permute2x128_si256(ab, cd, 0x31));
#else
    wide all = {a[0], b[0], c[0], d[0]};
#endif
    return all & wide_of(~(uint64_t)1);
}

#define SEGSCORE_LOAD(SIZE)                                                                        \
    SMALL void put_##SIZE(uint64_t *row, int64_t words, int##SIZE##_t at) {                        \
        uint64_t word = (uint64_t)at >> 6;                                                         \
        word = word < (uint64_t)words ? word : (uint64_t)words - 1;                                \
        row[word] |= (uint64_t)1 << (at & 63);                                                     \
    }                                                                                              \
    /* Both sides in turn: a bit need not wait for the one before it. */                           \
    SMALL void put_both_##SIZE(Bits *bits, const int##SIZE##_t *ref, int64_t n_ref,                \
                               const int##SIZE##_t *hyp, int64_t n_hyp) {                          \
        int64_t i, both = n_ref < n_hyp ? n_ref : n_hyp;                                           \
        for (i = 0; i < bits->words + PAST; i += 4) {                                              \
            wide_to(bits->ref + i, wide_of(0));                                                    \
            wide_to(bits->hyp + i, wide_of(0));                                                    \
        }                                                                                          \
        for (i = 0; i < both; i++) {                                                               \
            put_##SIZE(bits->ref, bits->words, ref[i]);                                            \
            put_##SIZE(bits->hyp, bits->words, hyp[i]);                                            \
        }                                                                                          \
        for (i = both; i < n_ref; i++) put_##SIZE(bits->ref, bits->words, ref[i]);                 \
        for (i = both; i < n_hyp; i++) put_##SIZE(bits->hyp, bits->words, hyp[i]);                 \
    }                                                                                              \
    /* The boundaries of four short documents (a missing one has none), or of one long one. */     \
    WIDE void bits_load_##SIZE(Bits *bits, const int##SIZE##_t *const *ref, const int64_t *n_ref,  \
                               const int##SIZE##_t *const *hyp, const int64_t *n_hyp) {            \
        if (bits->words == 1) {                                                                    \
            bits->short_ref = joined(                                                              \
                spread_of_##SIZE(ref[0], n_ref[0]), spread_of_##SIZE(ref[1], n_ref[1]),            \
                spread_of_##SIZE(ref[2], n_ref[2]), spread_of_##SIZE(ref[3], n_ref[3]));           \
            bits->short_hyp = joined(                                                              \
                spread_of_##SIZE(hyp[0], n_hyp[0]), spread_of_##SIZE(hyp[1], n_hyp[1]),            \
                spread_of_##SIZE(hyp[2], n_hyp[2]), spread_of_##SIZE(hyp[3], n_hyp[3]));           \
            return;                                                                                \
        }                                                                                          \
        put_both_##SIZE(bits, ref[0], n_ref[0], hyp[0], n_hyp[0]);                                 \
    }

SEGSCORE_LOAD(32)
SEGSCORE_LOAD(64)

/* ---- the digits of D ---- */

/* What changes the next digit are steps up that leave this digit 0 (a carry) and steps down that
   leave it 1 (a borrow). */
SMALL void balance_of_short(Bits *bits, int digits) {
    wide up = bits->short_ref & ~bits->short_hyp, down = bits->short_hyp & ~bits->short_ref;
    int j;
    for (j = 0; j < digits; j++) {
        wide digit = parity(up | down);
        bits->short_digit[j] = digit;
        up &= ~digit;
        down &= digit;
    }
}

SMALL void balance_of_few(Bits *bits, int digits) {
    uint64_t odd[BITS_DIGITS] = {0};
    int64_t w, j;
    for (w = 0; w < bits->words; w += BITS_LANES) {
        wide ref = wide_from(bits->ref + w), hyp = wide_from(bits->hyp + w);
        wide up = ref & ~hyp, down = hyp & ~ref;
        for (j = 0; j < digits; j++) {
            wide digit = parity_along(up | down, &odd[j]);
            wide_to(bits->digit[j] + w, digit);
            up &= ~digit;
            down &= digit;
        }
    }
    for (j = 0; j < digits; j++) bits->digit[j][w] = odd[j];  /* D stays as it is after the end */
}

/* Many words: digit by digit, so that the words of one do not wait for each other. */
SMALL void balance_of_many(Bits *bits, int digits) {
    int64_t w, j;
    for (w = 0; w < bits->words; w += BITS_LANES) {
        wide ref = wide_from(bits->ref + w), hyp = wide_from(bits->hyp + w);
        wide_to(bits->up + w, ref & ~hyp);
        wide_to(bits->down + w, hyp & ~ref);
    }
    for (j = 0; j < digits; j++) {
        uint64_t odd = 0;
        for (w = 0; w < bits->words; w += BITS_LANES) {
            wide up = wide_from(bits->up + w), down = wide_from(bits->down + w);
            wide digit = parity_along(up | down, &odd);
            wide_to(bits->digit[j] + w, digit);
            wide_to(bits->up + w, up & ~digit);
            wide_to(bits->down + w, down & digit);
        }
        bits->digit[j][w] = odd;
    }
}

#define SEGSCORE_DIGITS(CALL)                                                                      \
    switch (digits) {                                                                              \
        case 1: CALL(1); break;                                                                    \
        case 2: CALL(2); break;                                                                    \
        case 3: CALL(3); break;                                                                    \
        case 4: CALL(4); break;                                                                    \
        case 5: CALL(5); break;                                                                    \
        case 6: CALL(6); break;                                                                    \
        default: CALL(7); break;                                                                   \
    }

/* Find the lowest digits of D; windows of k positions need digits_of(k), sums one more. */
WIDE void bits_balance(Bits *bits, int digits) {
    if (bits->words == 1) {
#define CALL(DIGITS) balance_of_short(bits, DIGITS)
        SEGSCORE_DIGITS(CALL)
#undef CALL
    } else if (bits->words <= FEW_WORDS) {
#define CALL(DIGITS) balance_of_few(bits, DIGITS)
        SEGSCORE_DIGITS(CALL)
#undef CALL
    } else {
        balance_of_many(bits, digits);
    }
}

/* ---- windows ----

For each document: the windows x = 0 ... n-1 of k positions, 1 <= k <= BITS_MOST_K; where `before` is
1, also the windows that start before the document as well, which hold 1 ... y for y = 1 ... k-1. */

/* Windows of four words that exist: those below n. */
SMALL wide mask_along(int64_t word, int64_t n) {
    wide mask;
    int i;
    for (i = 0; i < BITS_LANES; i++) {
        int64_t left = n - 64 * (word + i);
        mask[i] = left >= 64 ? ~(uint64_t)0 : left <= 0 ? 0 : ((uint64_t)1 << left) - 1;
    }
    return mask;
}

SMALL wide wide_from_counts(const int64_t *at) { return wide_from((const uint64_t *)at); }

/* By how much a smear must move at each step to reach k positions; the number of steps. */
SMALL int smear_steps(wide k, int digits, wide *by) {
    wide reach = wide_of(1);
    int steps = 0;
    for (; steps < digits; steps++) {
        wide rest = k - reach, nearer = (wide)((signed_wide)reach < (signed_wide)rest);
        by[steps] = (reach & nearer) | (rest & ~nearer);
        reach += by[steps];
    }
    return steps;
}

/* Bit x: some boundary among x+1 ... x+k. */
SMALL wide hits(wide word, wide next, const wide *by, int steps) {
    int i;
    word = word >> 1 | next << 63;
    next >>= 1;
    for (i = 0; i < steps; i++) {
        word |= ahead(word, next, by[i]);
        next |= next >> by[i];
    }
    return word;
}

SMALL uint64_t largest(const int64_t *k) {
    return (uint64_t)k[0] | (uint64_t)k[1] | (uint64_t)k[2] | (uint64_t)k[3];
}

/* Windows that hold boundaries of one side only. */
WIDE void bits_windows_hit(const Bits *bits, const int64_t *k, const int64_t *n,
                           int64_t *ref_only, int64_t *hyp_only) {
    wide by[BITS_DIGITS], missed = wide_of(0), extra = wide_of(0);
    if (bits->words == 1) {
        wide zero = wide_of(0), exist = lowest(wide_from_counts(n));
        int steps = smear_steps(wide_from_counts(k), digits_of(largest(k)), by);
        wide ref = hits(bits->short_ref, zero, by, steps) & exist;
        wide hyp = hits(bits->short_hyp, zero, by, steps) & exist;
        wide_to((uint64_t *)ref_only, ones(ref & ~hyp));
        wide_to((uint64_t *)hyp_only, ones(hyp & ~ref));
    } else {
        int steps = smear_steps(wide_of((uint64_t)k[0]), digits_of((uint64_t)k[0] - 1), by);
        int64_t w;
        for (w = 0; 64 * w < n[0]; w += BITS_LANES) {
            wide ref = hits(wide_from(bits->ref + w), wide_from(bits->ref + w + 1), by, steps);
            wide hyp = hits(wide_from(bits->hyp + w), wide_from(bits->hyp + w + 1), by, steps);
            wide unequal = ref ^ hyp;
            if (64 * (w + BITS_LANES) > n[0]) unequal &= mask_along(w, n[0]);
            missed += ones(unequal & ref);
            extra += ones(unequal & hyp);
        }
        *ref_only = wide_sum(missed);
        *hyp_only = wide_sum(extra);
    }
}

/* D stays as it is after the last bit: what follows the words of short documents. */
SMALL wide sign_of(wide v) { return wide_of(0) - (v >> 63); }

SMALL void differing_in_short(const Bits *bits, const int64_t *k, const int64_t *n,
                              const int64_t *before, int64_t *differing, int digits) {
    wide size = wide_from_counts(k), head = lowest(size & -wide_from_counts(before));
    wide found = wide_of(0), nonzero = wide_of(0);
    int j;
    for (j = 0; j < digits; j++) {
        wide digit = bits->short_digit[j];
        found |= digit ^ ahead(digit, sign_of(digit), size);
        nonzero |= digit;
    }
    found = ones(found & lowest(wide_from_counts(n)));
    wide_to((uint64_t *)differing, found + ones(nonzero & head));
}

SMALL void differing_in_long(const Bits *bits, int64_t k, int64_t n, int64_t before,
                             int64_t *differing, int digits) {
    wide total = wide_of(0), size = wide_of((uint64_t)k);
    uint64_t nonzero = 0;
    int64_t w, j;
    for (w = 0; 64 * w < n; w += BITS_LANES) {
        wide found = wide_of(0);
        for (j = 0; j < digits; j++) {
            wide digit = wide_from(bits->digit[j] + w);
            found |= digit ^ ahead(digit, wide_from(bits->digit[j] + w + 1), size);
        }
        if (64 * (w + BITS_LANES) > n) found &= mask_along(w, n);
        total += ones(found);
    }
    for (j = 0; j < digits; j++) nonzero |= bits->digit[j][0];
    nonzero &= ((uint64_t)before << k) - (uint64_t)before;
    *differing = wide_sum(total) + __builtin_popcountll(nonzero);
}

/* Windows in which the two sides have different numbers of boundaries. */
WIDE void bits_windows_differing(const Bits *bits, const int64_t *k, const int64_t *n,
                                 const int64_t *before, int64_t *differing) {
    if (bits->words == 1) {
        int digits = digits_of(largest(k));
#define CALL(DIGITS) differing_in_short(bits, k, n, before, differing, DIGITS)
        SEGSCORE_DIGITS(CALL)
#undef CALL
    } else {
        int digits = digits_of((uint64_t)*k);
#define CALL(DIGITS) differing_in_long(bits, *k, *n, *before, differing, DIGITS)
        SEGSCORE_DIGITS(CALL)
#undef CALL
    }
}

/* Sum of |number in binary| over the places of a mask: -v is ~v + 1. */
SMALL wide absolute(const wide *digit, int digits, wide mask) {
    wide sign = digit[digits - 1], sum = ones(sign & mask);
    int j;
    for (j = 0; j < digits - 1; j++) sum += ones((digit[j] ^ sign) & mask) << j;
    return sum;
}

/* later - earlier, digit by digit. */
SMALL wide difference(wide later, wide earlier, wide *borrow) {
    wide unequal = later ^ earlier, digit = unequal ^ *borrow;
    *borrow = (unequal & earlier) | (~unequal & *borrow);
    return digit;
}

SMALL void differences_of_short(const Bits *bits, const int64_t *k, const int64_t *n,
                                const int64_t *before, int64_t *sums, int digits) {
    wide size = wide_from_counts(k), head = lowest(size & -wide_from_counts(before));
    wide change[BITS_DIGITS], borrow = wide_of(0);
    int j;
    for (j = 0; j < digits; j++) {
        wide digit = bits->short_digit[j];
        change[j] = difference(ahead(digit, sign_of(digit), size), digit, &borrow);
    }
    wide_to((uint64_t *)sums, absolute(change, digits, lowest(wide_from_counts(n)))
                                  + absolute(bits->short_digit, digits, head));
}

SMALL void differences_of_long(const Bits *bits, int64_t k, int64_t n, int64_t before,
                               int64_t *sums, int digits) {
    wide total = wide_of(0), size = wide_of((uint64_t)k), change[BITS_DIGITS];
    int64_t w, j;
    for (w = 0; 64 * w < n; w += BITS_LANES) {
        wide borrow = wide_of(0), exist = wide_of(~(uint64_t)0);
        for (j = 0; j < digits; j++) {
            wide digit = wide_from(bits->digit[j] + w);
            wide later = ahead(digit, wide_from(bits->digit[j] + w + 1), size);
            change[j] = difference(later, digit, &borrow);
        }
        if (64 * (w + BITS_LANES) > n) exist = mask_along(w, n);
        total += absolute(change, digits, exist);
    }
    if (before) {
        wide head = {((uint64_t)1 << k) - 1, 0, 0, 0};
        for (j = 0; j < digits; j++) change[j] = wide_from(bits->digit[j]);
        total += absolute(change, digits, head);
    }
    *sums = wide_sum(total);
}

/* The sum over windows of |ref boundaries - hyp boundaries|. */
WIDE void bits_differences(const Bits *bits, const int64_t *k, const int64_t *n,
                           const int64_t *before, int64_t *sums) {
    if (bits->words == 1) {
        int digits = digits_of(largest(k)) + 1;
#define CALL(DIGITS) differences_of_short(bits, k, n, before, sums, DIGITS)
        SEGSCORE_DIGITS(CALL)
#undef CALL
    } else {
        int digits = digits_of((uint64_t)*k) + 1;
#define CALL(DIGITS) differences_of_long(bits, *k, *n, *before, sums, DIGITS)
        SEGSCORE_DIGITS(CALL)
#undef CALL
    }
}

/* ---- boundaries ---- */

/* Positions that both sides have. */
WIDE void bits_matches(const Bits *bits, int64_t *matches) {
    if (bits->words == 1) {
        wide_to((uint64_t *)matches, ones(bits->short_ref & bits->short_hyp));
    } else {
        wide total = wide_of(0);
        int64_t w;
        for (w = 0; w < bits->words; w += BITS_LANES)
            total += ones(wide_from(bits->ref + w) & wide_from(bits->hyp + w));
        *matches = wide_sum(total);
    }
}

#define SEGSCORE_EVEN 0x5555555555555555u

/* Every other bit of each run of ones, from its first: adding a run's first bit clears the run.
   `taken`: the bit before the lowest was taken, and the run goes on from there. */
#define SEGSCORE_EVERY_OTHER(TYPE, EVEN, links, taken, picks)                                      \
    {                                                                                              \
        TYPE from_even = (links) & ~((links) << 1) & (EVEN) & ~(taken);                            \
        TYPE even_runs = (links) & ~((links) + from_even);                                         \
        picks = (even_runs & (EVEN)) | ((links) & ~even_runs & ~(EVEN));                           \
    }

/* Pairs of neighbouring positions that one side each has alone, the first possible ones from left
   to right. */
WIDE void bits_neighbours(const Bits *bits, int64_t *pairs) {
    if (bits->words == 1) {
        wide up = bits->short_ref & ~bits->short_hyp, down = bits->short_hyp & ~bits->short_ref;
        wide links = (up & down >> 1) | (down & up >> 1), picks;
        SEGSCORE_EVERY_OTHER(wide, wide_of(SEGSCORE_EVEN), links, wide_of(0), picks)
        wide_to((uint64_t *)pairs, ones(picks));
    } else {
        int64_t w, total = 0;
        uint64_t up = bits->ref[0] & ~bits->hyp[0], down = bits->hyp[0] & ~bits->ref[0], picks = 0;
        for (w = 0; w < bits->words; w++) {
            uint64_t next_up = bits->ref[w + 1] & ~bits->hyp[w + 1];
            uint64_t next_down = bits->hyp[w + 1] & ~bits->ref[w + 1];
            uint64_t links = (up & (down >> 1 | next_down << 63)) | (down & (up >> 1 | next_up << 63));
            uint64_t taken = picks >> 63;
            SEGSCORE_EVERY_OTHER(uint64_t, SEGSCORE_EVEN, links, taken, picks)
            total += __builtin_popcountll(picks);
            up = next_up;
            down = next_down;
        }
        *pairs = total;
    }
}

#undef SEGSCORE_LOAD
#undef SEGSCORE_DIGITS
#undef SEGSCORE_EVEN
#undef SEGSCORE_EVERY_OTHER
#undef SMALL
#undef WIDE

#endif /* SEGSCORE_BIT_ROWS */
#endif
