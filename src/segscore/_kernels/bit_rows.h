/* A document of more than 64 units as rows of bits, four neighbouring machine words at a time (AVX2
on x86-64, NEON on AArch64). Shorter ones: bit_shorts.h.

Bit p of a row is a boundary at position p; bit x of a result is window x, which holds the positions
x+1 ... x+k. D(x) = #ref <= x minus #hyp <= x is kept in binary (two's complement), a row of bits per digit. In a
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
static int bits_reserve(Bits *bits, int64_t units) { (void)bits; (void)units; return -1; }
static void bits_release(Bits *bits) { (void)bits; }
static void bits_load_32(Bits *bits, const int32_t *ref, int64_t n_ref, const int32_t *hyp,
                         int64_t n_hyp) {
    (void)bits; (void)ref; (void)n_ref; (void)hyp; (void)n_hyp;
}
static void bits_load_64(Bits *bits, const int64_t *ref, int64_t n_ref, const int64_t *hyp,
                         int64_t n_hyp) {
    (void)bits; (void)ref; (void)n_ref; (void)hyp; (void)n_hyp;
}
static void bits_balance(Bits *bits, int digits) { (void)bits; (void)digits; }
static void bits_windows_hit(const Bits *bits, int64_t k, int64_t n, int64_t *ref_only,
                             int64_t *hyp_only) {
    (void)bits; (void)k; (void)n; (void)ref_only; (void)hyp_only;
}
static int64_t bits_windows_differing(const Bits *bits, int64_t k, int64_t n, int64_t before,
                                      int64_t *missed) {
    (void)bits; (void)k; (void)n; (void)before; (void)missed;
    return 0;
}
static int64_t bits_differences(const Bits *bits, int64_t k, int64_t n, int64_t before,
                                int64_t *missed) {
    (void)bits; (void)k; (void)n; (void)before; (void)missed;
    return 0;
}
static int64_t bits_matches(const Bits *bits) { (void)bits; return 0; }
static int64_t bits_neighbours(const Bits *bits) { (void)bits; return 0; }

#else /* ---- the machine has vectors ---- */

typedef struct {
    int64_t words;
    int64_t room;       /* words for which there is memory */
    uint64_t *ref, *hyp, *up, *down, *digit[BITS_DIGITS];   /* each followed by PAST more words */
} Bits;

enum { PAST = 4 };      /* rows are read in fours, and one word ahead */
enum { FEW_WORDS = 8 };   /* up to so many, all digits of four words are found at once */

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

#define SEGSCORE_LOAD(SIZE)                                                                        \
    SMALL void put_##SIZE(uint64_t *row, int64_t words, int##SIZE##_t at) {                        \
        uint64_t word = (uint64_t)at >> 6;                                                         \
        word = word < (uint64_t)words ? word : (uint64_t)words - 1;                                \
        row[word] |= (uint64_t)1 << (at & 63);                                                     \
    }                                                                                              \
    /* From four places in turn: a bit need not wait for the one before it. */                     \
    WIDE void bits_load_##SIZE(Bits *bits, const int##SIZE##_t *ref, int64_t n_ref,                \
                               const int##SIZE##_t *hyp, int64_t n_hyp) {                          \
        int64_t i, half = (n_ref < n_hyp ? n_ref : n_hyp) / 2, words = bits->words;                \
        uint64_t *ref_row = bits->ref, *hyp_row = bits->hyp;                                       \
        for (i = 0; i < words + PAST; i += 4) {                                                    \
            wide_to(ref_row + i, wide_of(0));                                                      \
            wide_to(hyp_row + i, wide_of(0));                                                      \
        }                                                                                          \
        for (i = 0; i < half; i++) {                                                               \
            put_##SIZE(ref_row, words, ref[i]);                                                    \
            put_##SIZE(hyp_row, words, hyp[i]);                                                    \
            put_##SIZE(ref_row, words, ref[half + i]);                                             \
            put_##SIZE(hyp_row, words, hyp[half + i]);                                             \
        }                                                                                          \
        for (i = 2 * half; i < n_ref; i++) put_##SIZE(ref_row, words, ref[i]);                     \
        for (i = 2 * half; i < n_hyp; i++) put_##SIZE(hyp_row, words, hyp[i]);                     \
    }

SEGSCORE_LOAD(32)
SEGSCORE_LOAD(64)

/* ---- the digits of D ---- */

/* What changes the next digit are steps up that leave this digit 0 (a carry) and steps down that
   leave it 1 (a borrow). */
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

/* Find the lowest digits of D; windows of k positions need digits_of(k) + 1, with the sign. */
WIDE void bits_balance(Bits *bits, int digits) {
    if (bits->words <= FEW_WORDS) {
#define CALL(DIGITS) balance_of_few(bits, DIGITS)
        SEGSCORE_DIGITS(CALL)
#undef CALL
    } else {
        balance_of_many(bits, digits);
    }
}

/* ---- windows ----

The windows x = 0 ... n-1 of k positions, 1 <= k <= BITS_MOST_K; where `before` is 1, also the windows
that start before the document, which hold 1 ... y for y = 1 ... k-1. */

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
SMALL wide hits_along(wide word, wide next, const wide *by, int steps) {
    int i;
    word = word >> 1 | next << 63;
    next >>= 1;
    for (i = 0; i < steps; i++) {
        word |= ahead(word, next, by[i]);
        next |= next >> by[i];
    }
    return word;
}

/* Windows that hold boundaries of one side only. */
WIDE void bits_windows_hit(const Bits *bits, int64_t k, int64_t n, int64_t *ref_only,
                           int64_t *hyp_only) {
    wide by[BITS_DIGITS], missed = wide_of(0), extra = wide_of(0);
    int steps = smear_steps(wide_of((uint64_t)k), digits_of((uint64_t)k - 1), by);
    int64_t w;
    for (w = 0; 64 * w < n; w += BITS_LANES) {
        wide ref = hits_along(wide_from(bits->ref + w), wide_from(bits->ref + w + 1), by, steps);
        wide hyp = hits_along(wide_from(bits->hyp + w), wide_from(bits->hyp + w + 1), by, steps);
        wide unequal = ref ^ hyp;
        if (64 * (w + BITS_LANES) > n) unequal &= mask_along(w, n);
        missed += ones(unequal & ref);
        extra += ones(unequal & hyp);
    }
    *ref_only = wide_sum(missed);
    *hyp_only = wide_sum(extra);
}

SMALL int64_t differing_along(const Bits *bits, int64_t k, int64_t n, int64_t before, int64_t *missed,
                              int digits) {
    wide total = wide_of(0), lacking = wide_of(0), size = wide_of((uint64_t)k);
    uint64_t nonzero = 0;
    int64_t w, j;
    for (w = 0; 64 * w < n; w += BITS_LANES) {
        wide found = wide_of(0), borrow = wide_of(0), change = wide_of(0);
        for (j = 0; j < digits; j++) {
            wide digit = wide_from(bits->digit[j] + w);
            wide later = ahead(digit, wide_from(bits->digit[j] + w + 1), size);
            change = difference(later, digit, &borrow);   /* in the end the sign */
            found |= later ^ digit;
        }
        if (64 * (w + BITS_LANES) > n) found &= mask_along(w, n);
        total += ones(found);
        lacking += ones(found & ~change);
    }
    for (j = 0; j < digits; j++) nonzero |= bits->digit[j][0];
    nonzero &= ((uint64_t)before << k) - (uint64_t)before;
    *missed = wide_sum(lacking) + __builtin_popcountll(nonzero & ~bits->digit[digits - 1][0]);
    return wide_sum(total) + __builtin_popcountll(nonzero);
}

/* Windows in which the two sides have different numbers of boundaries; `missed`: those of them in
   which ref has more. */
WIDE int64_t bits_windows_differing(const Bits *bits, int64_t k, int64_t n, int64_t before,
                                    int64_t *missed) {
    int digits = digits_of((uint64_t)k) + 1;
    int64_t found;
#define CALL(DIGITS) found = differing_along(bits, k, n, before, missed, DIGITS)
    SEGSCORE_DIGITS(CALL)
#undef CALL
    return found;
}

SMALL int64_t differences_along(const Bits *bits, int64_t k, int64_t n, int64_t before, int64_t *missed,
                                int digits) {
    wide total = wide_of(0), lacking = wide_of(0), size = wide_of((uint64_t)k), change[BITS_DIGITS];
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
        if (missed) lacking += absolute(change, digits, exist & ~change[digits - 1]);
    }
    if (before) {
        wide head = {((uint64_t)1 << k) - 1, 0, 0, 0};
        for (j = 0; j < digits; j++) change[j] = wide_from(bits->digit[j]);
        total += absolute(change, digits, head);
        if (missed) lacking += absolute(change, digits, head & ~change[digits - 1]);
    }
    if (missed) *missed = wide_sum(lacking);
    return wide_sum(total);
}

/* The sum over windows of |ref boundaries - hyp boundaries|; `missed`, unless it is NULL: that over
   windows in which ref has more. */
WIDE int64_t bits_differences(const Bits *bits, int64_t k, int64_t n, int64_t before, int64_t *missed) {
    int digits = digits_of((uint64_t)k) + 1;
    int64_t found;
#define CALL(DIGITS) found = differences_along(bits, k, n, before, missed, DIGITS)
    SEGSCORE_DIGITS(CALL)
#undef CALL
    return found;
}

/* ---- boundaries ---- */

/* Positions that both sides have. */
WIDE int64_t bits_matches(const Bits *bits) {
    wide total = wide_of(0);
    int64_t w;
    for (w = 0; w < bits->words; w += BITS_LANES)
        total += ones(wide_from(bits->ref + w) & wide_from(bits->hyp + w));
    return wide_sum(total);
}

/* Pairs of neighbouring positions that one side each has alone, the first possible ones from left
   to right. */
WIDE int64_t bits_neighbours(const Bits *bits) {
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
    return total;
}

#undef SEGSCORE_LOAD
#undef SEGSCORE_DIGITS

#endif /* SEGSCORE_BIT_ROWS */
#endif
