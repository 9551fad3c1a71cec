/* Four documents of up to 64 units at once, one machine word each: every step of a pass that several
metrics share (one_pass.pyx), from boundaries to rows.

Bit p of a word is a boundary at position p; bit x of a result is window x, which holds the positions
x+1 ... x+k. D(x) = #ref <= x minus #hyp <= x is kept in binary (two's complement), a word per digit.
In a window of k positions D changes by k at most, so that its lowest digits, as many as k has, say
whether it changed, and one more says in which direction. More digits than that do no harm: nearly
all documents need few, and so many are always found.

Numbers of the four documents stand side by side until rows are written, and nothing branches on
them. Rows are computed by the same operations in the same order as in window_counts.pxd and
edit_counts.pxd, so that they are equal bit for bit.

Nothing is read or written outside of the given arrays, whatever positions they hold. */

#ifndef SEGSCORE_BIT_SHORTS_H
#define SEGSCORE_BIT_SHORTS_H

#include "bit_words.h"

enum { SHORT_UNITS = 64, SHORT_LANES = 4 };

enum StepKind {
    STEP_PK, STEP_WINDOW_DIFF, STEP_WINPR, STEP_MATCH, STEP_SIMILARITY, STEP_BOUNDARY
};

typedef struct {
    int kind;
    int padded, seam;               /* of the window rule; seam: a boundary of both sides */
    int64_t k, min_k, k_offset;     /* k = 0: from the reference */
    double bias;                    /* what is added before rounding, see short_bias */
    int near;                       /* neighbours are paired, at a price */
    double price, credit;           /* credit: what such a pair is still worth */
    double w_ad, rest;              /* price of a full miss, and its worth */
    double *out;
    int64_t width;
    int weighted;                   /* WindowDiff: by how much numbers differ, not whether they do */
    int elsewhere;                  /* always by other code: windows that wrap */
    int left;                       /* set here: not done for these documents, windows are too large */
} ShortStep;

/* Documents by their numbers; those that are missing have 1 unit and no boundaries. */
typedef struct {
    int64_t count;
    int64_t index[SHORT_LANES], units[SHORT_LANES];
    int64_t ref[SHORT_LANES], n_ref[SHORT_LANES], hyp[SHORT_LANES], n_hyp[SHORT_LANES];
} Shorts;

/* N / (2 segments) is rounded to the nearest integer, half to even. So are the other ways to round,
   with something added: no quotient is nearer than 1/256 to where they change without being there. */
enum { SHORT_HALF_EVEN, SHORT_HALF_UP, SHORT_FLOOR, SHORT_CEIL };
static double short_bias(int rounding) {
    const double little = 1.0 / 1024;
    switch (rounding) {
        case SHORT_HALF_UP: return little;
        case SHORT_FLOOR: return little - 0.5;
        case SHORT_CEIL: return 0.5 - little;
        default: return 0;
    }
}

#ifndef SEGSCORE_BIT_ROWS

static int shorts_from(Shorts *docs, int64_t first, const int64_t *units, const int64_t *ref_offsets,
                       int64_t n_refs, const int64_t *hyp_offsets, int64_t n_hyps) {
    (void)docs; (void)first; (void)units; (void)ref_offsets; (void)n_refs; (void)hyp_offsets;
    (void)n_hyps;
    return 0;
}
static int shorts_rows_32(ShortStep *steps, int n_steps, const Shorts *docs, const int32_t *refs,
                          const int32_t *hyps) {
    (void)steps; (void)n_steps; (void)docs; (void)refs; (void)hyps;
    return 1;
}
static int shorts_rows_64(ShortStep *steps, int n_steps, const Shorts *docs, const int64_t *refs,
                          const int64_t *hyps) {
    (void)steps; (void)n_steps; (void)docs; (void)refs; (void)hyps;
    return 1;
}

#else /* ---- the machine has vectors ---- */

enum { SHORT_DIGITS = 7, SHORT_MOST_K = 63, FEW_DIGITS = 4 };

typedef struct {
    wide units, n_ref, n_hyp;
    wide_double quotient;       /* units by twice the segments of the reference */
    wide ref, hyp;              /* the documents */
    wide digit[SHORT_DIGITS];   /* of D */
    int digits;                 /* so many are found */
} Words;

typedef struct { wide k, n, windows, exist, head; } ShortWindows;

SMALL wide wide_from_counts(const int64_t *at) { return wide_from((const uint64_t *)at); }
SMALL wide above(wide a, wide b) { return (wide)((signed_wide)a > (signed_wide)b); }
SMALL wide larger(wide a, wide b) { return pick(above(a, b), a, b); }
SMALL wide smaller(wide a, wide b) { return pick(above(a, b), b, a); }

/* The next four documents, if all are short and their offsets lie inside of the columns; else 0. */
WIDE int shorts_from(Shorts *docs, int64_t first, const int64_t *units, const int64_t *ref_offsets,
                     int64_t n_refs, const int64_t *hyp_offsets, int64_t n_hyps) {
    wide size = wide_from_counts(units + first);
    wide ref = wide_from_counts(ref_offsets + first), ref_end = wide_from_counts(ref_offsets + first + 1);
    wide hyp = wide_from_counts(hyp_offsets + first), hyp_end = wide_from_counts(hyp_offsets + first + 1);
    wide n_ref = ref_end - ref, n_hyp = hyp_end - hyp;
    wide signs = ref | ref_end | n_ref | (wide_of((uint64_t)n_refs) - ref_end);
    signs |= hyp | hyp_end | n_hyp | (wide_of((uint64_t)n_hyps) - hyp_end);
    signs |= (size - wide_of(1)) | (wide_of(SHORT_UNITS) - size);
    if (wide_or(signs) >> 63) return 0;
    docs->count = SHORT_LANES;
    wide_to((uint64_t *)docs->index, wide_of((uint64_t)first) + (wide){0, 1, 2, 3});
    wide_to((uint64_t *)docs->units, size);
    wide_to((uint64_t *)docs->ref, ref);
    wide_to((uint64_t *)docs->n_ref, n_ref);
    wide_to((uint64_t *)docs->hyp, hyp);
    wide_to((uint64_t *)docs->n_hyp, n_hyp);
    return 1;
}

/* ---- boundaries into words ---- */

/* The bits of positions, spread over four words that are to be joined. Masked loads touch no memory
   outside; what they leave out is 0, where no boundary stands. */
#ifdef SEGSCORE_AVX2
SMALL wide eight_positions(const int32_t *at, int64_t n) {
    static const int32_t first_lanes[16] = {-1, -1, -1, -1, -1, -1, -1, -1};
    int64_t some = n < 0 ? 0 : n < 8 ? n : 8;
    __m256i mask = _mm256_loadu_si256((const __m256i *)(first_lanes + 8 - some));
    __m256i eight = _mm256_maskload_epi32((const int *)at, mask);
    __m256i low = _mm256_cvtepi32_epi64(_mm256_castsi256_si128(eight));
    __m256i high = _mm256_cvtepi32_epi64(_mm256_extracti128_si256(eight, 1));
    return (wide)_mm256_or_si256(_mm256_sllv_epi64((__m256i)wide_of(1), low),
                                 _mm256_sllv_epi64((__m256i)wide_of(1), high));
}
SMALL wide spread_of_32(const int32_t *at, int64_t n) {
    wide found = eight_positions(at, n) | eight_positions(at + 8, n - 8);
    for (n -= 16, at += 16; n > 0; n -= 8, at += 8) found |= eight_positions(at, n);
    return found;
}
SMALL wide spread_of_64(const int64_t *at, int64_t n) {
    static const int64_t first_lanes[8] = {-1, -1, -1, -1};
    wide found = wide_of(0);
    for (; n > 0; n -= 4, at += 4) {
        __m256i mask = _mm256_loadu_si256((const __m256i *)(first_lanes + 4 - (n < 4 ? n : 4)));
        __m256i four = _mm256_maskload_epi64((const long long *)at, mask);
        found |= (wide)_mm256_sllv_epi64((__m256i)wide_of(1), four);
    }
    return found;
}
#else
SMALL wide spread_of_32(const int32_t *at, int64_t n) {
    wide found = wide_of(0);
    for (; n > 0; n--, at++) found[0] |= (uint64_t)1 << (*at & 63);
    return found;
}
SMALL wide spread_of_64(const int64_t *at, int64_t n) {
    wide found = wide_of(0);
    for (; n > 0; n--, at++) found[0] |= (uint64_t)1 << (*at & 63);
    return found;
}
#endif

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

/* ---- windows ---- */

SMALL wide window_sizes(const Words *words, const ShortStep *step) {
    wide k;
    if (step->k) return wide_of((uint64_t)step->k);
    k = nearest(words->quotient + doubles_of(step->bias)) + wide_of((uint64_t)step->k_offset);
    return larger(k, wide_of((uint64_t)step->min_k));
}

/* The windows of a step; 0 if some are too large. A document without windows has n = 0. */
SMALL int find_windows(const Words *words, const ShortStep *step, ShortWindows *windows) {
    wide k = window_sizes(words, step), units = words->units, one = wide_of(1);
    if (step->padded) {
        windows->exist = above(units, one);
        if (wide_or(above(k, wide_of(SHORT_MOST_K)) & windows->exist)) return 0;
        windows->n = units - one;
        windows->windows = units + k - wide_of(2);
    } else {
        windows->exist = above(units, one) & above(units, k);
        windows->n = windows->windows = (units - k) & windows->exist;
    }
    windows->k = pick(windows->exist, k, one);
    windows->n &= windows->exist;
    windows->head = step->padded ? lowest(windows->k) & windows->exist : wide_of(0);
    return 1;
}

/* Bit x: some boundary among x+1 ... x+k. Two reaches of a power of 2, which may overlap. */
SMALL void hits(const Words *words, wide k, int powers, wide *ref, wide *hyp) {
    wide ref_reach = words->ref >> 1, hyp_reach = words->hyp >> 1, reach = wide_of(1);
    int i;
    *ref = ref_reach;
    *hyp = hyp_reach;
    for (i = 1; i < powers; i++) {
        wide further = above(k, wide_of(((uint64_t)1 << i) - 1));
        ref_reach |= ref_reach >> (1 << (i - 1));
        hyp_reach |= hyp_reach >> (1 << (i - 1));
        *ref = pick(further, ref_reach, *ref);
        *hyp = pick(further, hyp_reach, *hyp);
        reach = pick(further, wide_of((uint64_t)1 << i), reach);
    }
    *ref |= *ref >> (k - reach);
    *hyp |= *hyp >> (k - reach);
}

/* The first boundary, or k if that is less: windows 1 ... y hold one from there on. */
SMALL wide first_of(wide word, wide k) { return smaller(ones((word & -word) - wide_of(1)), k); }

SMALL void find_digits(Words *words, int digits) {
    wide up = words->ref & ~words->hyp, down = words->hyp & ~words->ref;
    int j;
    for (j = 0; j < digits; j++) {
        wide digit = parity(up | down);
        words->digit[j] = digit;
        up &= ~digit;
        down &= digit;
    }
    words->digits = digits;
}

/* What follows the end of a document: D stays as it is. */
SMALL wide sign_of(wide v) { return wide_of(0) - (v >> 63); }

/* Windows whose numbers differ; `missed`: those of them in which ref has more. */
SMALL wide differing(const Words *words, const ShortWindows *windows, int digits, wide *missed) {
    wide found = wide_of(0), nonzero = wide_of(0), borrow = wide_of(0), change = wide_of(0);
    int j;
    for (j = 0; j < digits; j++) {
        wide digit = words->digit[j], later = ahead(digit, sign_of(digit), windows->k);
        change = difference(later, digit, &borrow);   /* in the end the sign */
        found |= later ^ digit;
        nonzero |= digit;
    }
    found &= lowest(windows->n);
    nonzero &= windows->head;
    *missed = sum_of_bytes(ones_of_bytes(found & ~change)
                           + ones_of_bytes(nonzero & ~words->digit[digits - 1]));
    return sum_of_bytes(ones_of_bytes(found) + ones_of_bytes(nonzero));
}

/* Bits that count 1, 2, 4 ... of |number in binary|: -v is ~v + 1. */
SMALL wide sizes_of_bytes(const wide *digit, int digits, wide mask) {
    wide sign = digit[digits - 1], sum = wide_of(0);
    int j;
    for (j = digits - 2; j >= 0; j--) sum += sum + ones_of_bytes((digit[j] ^ sign) & mask);
    return sum + ones_of_bytes(sign & mask);
}

/* |number in binary|, added up over the windows of two masks: D's change inside, D itself in the head. */
SMALL wide sizes_in(const wide *change, wide inside, const wide *digit, wide head, int digits,
                    int padded) {
    if (digits <= FEW_DIGITS + 1) { /* 15 at most, 16 times: that fits a byte */
        wide sizes = sizes_of_bytes(change, digits, inside);
        if (padded) sizes += sizes_of_bytes(digit, digits, head);
        return sum_of_bytes(sizes);
    }
    return absolute(change, digits, inside) + (padded ? absolute(digit, digits, head) : wide_of(0));
}

/* By how much numbers differ, added up; `missed`, unless it is NULL: where ref has more. */
SMALL wide differences(const Words *words, const ShortWindows *windows, int digits, int padded,
                       wide *missed) {
    wide change[SHORT_DIGITS], borrow = wide_of(0), inside = lowest(windows->n);
    int j;
    for (j = 0; j < digits; j++) {
        wide earlier = words->digit[j], later = ahead(earlier, sign_of(earlier), windows->k);
        change[j] = difference(later, earlier, &borrow);
    }
    if (missed)
        *missed = sizes_in(change, inside & ~change[digits - 1], words->digit,
                           windows->head & ~words->digit[digits - 1], digits, padded);
    return sizes_in(change, inside, words->digit, windows->head, digits, padded);
}

/* ---- boundaries ---- */

/* Pairs of neighbouring positions that one side each has alone, the first possible ones from left to
   right. */
SMALL wide neighbours(const Words *words) {
    wide up = words->ref & ~words->hyp, down = words->hyp & ~words->ref;
    wide links = (up & down >> 1) | (down & up >> 1), picks;
    SEGSCORE_EVERY_OTHER(wide, wide_of(SEGSCORE_EVEN), links, wide_of(0), picks)
    return ones(picks);
}

/* ---- rows ---- */

/* Columns of four documents into their rows. */
SMALL void put_2(double *const *row, wide_double a, wide_double b) {
#ifdef SEGSCORE_AVX2
    __m256d even = _mm256_unpacklo_pd((__m256d)a, (__m256d)b);
    __m256d odd = _mm256_unpackhi_pd((__m256d)a, (__m256d)b);
    _mm_storeu_pd(row[0], _mm256_castpd256_pd128(even));
    _mm_storeu_pd(row[1], _mm256_castpd256_pd128(odd));
    _mm_storeu_pd(row[2], _mm256_extractf128_pd(even, 1));
    _mm_storeu_pd(row[3], _mm256_extractf128_pd(odd, 1));
#else
    int i;
    for (i = 0; i < SHORT_LANES; i++) {
        row[i][0] = a[i];
        row[i][1] = b[i];
    }
#endif
}

SMALL void put_3(double *const *row, int at, wide_double a, wide_double b, wide_double c) {
    double *const from[4] = {row[0] + at, row[1] + at, row[2] + at, row[3] + at};
    int i;
    put_2(from, a, b);
    for (i = 0; i < SHORT_LANES; i++) from[i][2] = c[i];
}

SMALL void put_4(double *const *row, int at, wide_double a, wide_double b, wide_double c, wide_double d) {
#ifdef SEGSCORE_AVX2
    __m256d ab_even = _mm256_unpacklo_pd((__m256d)a, (__m256d)b);
    __m256d ab_odd = _mm256_unpackhi_pd((__m256d)a, (__m256d)b);
    __m256d cd_even = _mm256_unpacklo_pd((__m256d)c, (__m256d)d);
    __m256d cd_odd = _mm256_unpackhi_pd((__m256d)c, (__m256d)d);
    _mm256_storeu_pd(row[0] + at, _mm256_permute2f128_pd(ab_even, cd_even, 0x20));
    _mm256_storeu_pd(row[1] + at, _mm256_permute2f128_pd(ab_odd, cd_odd, 0x20));
    _mm256_storeu_pd(row[2] + at, _mm256_permute2f128_pd(ab_even, cd_even, 0x31));
    _mm256_storeu_pd(row[3] + at, _mm256_permute2f128_pd(ab_odd, cd_odd, 0x31));
#else
    int i;
    for (i = 0; i < SHORT_LANES; i++) {
        row[i][at] = a[i];
        row[i][at + 1] = b[i];
        row[i][at + 2] = c[i];
        row[i][at + 3] = d[i];
    }
#endif
}

SMALL wide_double where(wide mask, wide_double v) { return (wide_double)((wide)v & mask); }

SMALL void pk_rows(const Words *words, const ShortStep *step, const ShortWindows *windows,
                   double *const *row) {
    wide ref, hyp, exist = lowest(windows->n), k = windows->k, all = windows->windows, missed, extra;
    if (wide_or(k) > 15) hits(words, k, 6, &ref, &hyp);
    else hits(words, k, 4, &ref, &hyp);
    missed = ones(ref & ~hyp & exist);
    extra = ones(hyp & ~ref & exist);
    if (step->padded) {
        wide ref_from = first_of(words->ref, k), hyp_from = first_of(words->hyp, k);
        missed += larger(hyp_from - ref_from, wide_of(0)) & windows->exist;
        extra += larger(ref_from - hyp_from, wide_of(0)) & windows->exist;
    }
    if (step->seam) all += k;
    put_3(row, 0, as_doubles(missed), as_doubles(extra), as_doubles(all & windows->exist));
}

SMALL void winpr_rows(const Words *words, const ShortWindows *windows, wide sums, double *const *row) {
    wide matches = ones(words->ref & words->hyp), exist = windows->exist;
    wide_double by_k = as_doubles(sums) / as_doubles(windows->k), n_ref = as_doubles(words->n_ref);
    wide_double surplus = as_doubles(words->n_ref - words->n_hyp), half = doubles_of(0.5);
    wide_double fn = (by_k + surplus) * half, fp = (by_k - surplus) * half, tp = n_ref - fn;
    wide_double tn = as_doubles(words->units - wide_of(1)) - tp - fp - fn;
    put_4(row, 0, where(exist, tp), where(exist, fp), where(exist, fn), where(exist, tn));
    put_4(row, 4, as_doubles(matches & exist), as_doubles((words->n_hyp - matches) & exist),
          as_doubles((words->n_ref - matches) & exist),
          as_doubles((words->units - wide_of(1) - words->n_ref - words->n_hyp + matches) & exist));
}

/* Steps that compare numbers in windows. */
SMALL void count_rows(Words *words, const ShortStep *step, const ShortWindows *windows,
                      double *const *row) {
    int few = digits_of(wide_or(windows->k)) <= FEW_DIGITS;
    wide found, missed;
    if (!few && words->digits < SHORT_DIGITS) find_digits(words, SHORT_DIGITS);
    else if (!words->digits) find_digits(words, FEW_DIGITS + 1);
    if (step->kind == STEP_WINPR) {
        found = few ? differences(words, windows, FEW_DIGITS + 1, step->padded, NULL)
                    : differences(words, windows, SHORT_DIGITS, step->padded, NULL);
        winpr_rows(words, windows, found, row);
        return;
    }
    if (step->weighted)
        found = few ? differences(words, windows, FEW_DIGITS + 1, step->padded, &missed)
                    : differences(words, windows, SHORT_DIGITS, step->padded, &missed);
    else
        found = few ? differing(words, windows, FEW_DIGITS + 1, &missed)
                    : differing(words, windows, SHORT_DIGITS, &missed);
    put_3(row, 0, as_doubles(found & windows->exist),
          as_doubles(windows->windows & windows->exist), as_doubles(missed & windows->exist));
}

SMALL void boundary_rows(const Words *words, const ShortStep *step, double *const *row) {
    wide both = ones(words->ref & words->hyp);
    wide_double matches = as_doubles(both), pairs, ref_alone, hyp_alone, alone, places;
    if (step->kind == STEP_MATCH) {
        put_3(row, 0, matches, as_doubles(words->n_hyp - both), as_doubles(words->n_ref - both));
        return;
    }
    pairs = step->near ? as_doubles(neighbours(words)) : doubles_of(0);
    ref_alone = as_doubles(words->n_ref) - matches - pairs;
    hyp_alone = as_doubles(words->n_hyp) - matches - pairs;
    alone = ref_alone + hyp_alone;
    places = as_doubles(words->units - wide_of(1));
    if (step->kind == STEP_SIMILARITY) {
        put_2(row, doubles_of(step->w_ad) * alone + pairs * doubles_of(step->price), places);
    } else {
        wide_double credit = doubles_of(step->credit), rest = doubles_of(step->rest);
        wide_double tp = matches + pairs * credit;
        wide_double squares = matches + pairs * credit * credit + alone * rest * rest;
        put_4(row, 0, tp + alone * rest, squares, matches + pairs + alone, tp);
        put_3(row, 4, hyp_alone, ref_alone, places);
    }
}

/* ---- every step ---- */

SMALL int all_steps(ShortStep *steps, int n_steps, const Shorts *docs, Words *words) {
    double spare[8], *row[SHORT_LANES];
    int i, lane, left = 0;
    ShortWindows windows;
    words->quotient = as_doubles(words->units) / as_doubles((words->n_ref + wide_of(1)) << 1);
    words->digits = 0;
    for (i = 0; i < SHORT_DIGITS; i++) words->digit[i] = wide_of(0);
    for (i = 0; i < n_steps; i++) {
        ShortStep *step = &steps[i];
        for (lane = 0; lane < SHORT_LANES; lane++)
            row[lane] = lane < docs->count ? step->out + docs->index[lane] * step->width : spare;
        step->left = step->elsewhere;
        if (step->kind > STEP_WINPR) {
            boundary_rows(words, step, row);
        } else if (!step->left) {
            step->left = !find_windows(words, step, &windows);
            if (!step->left && step->kind == STEP_PK) pk_rows(words, step, &windows, row);
            else if (!step->left) count_rows(words, step, &windows, row);
        }
        left |= step->left;
    }
    return left;
}

/* The rows of four documents (or fewer, at the end); whether some step is left to other code. */
#define SEGSCORE_SHORTS(SIZE)                                                                      \
    SMALL wide side_of_##SIZE(const int##SIZE##_t *at, const int64_t *from, const int64_t *n) {    \
        return joined(spread_of_##SIZE(at + from[0], n[0]), spread_of_##SIZE(at + from[1], n[1]),  \
                      spread_of_##SIZE(at + from[2], n[2]), spread_of_##SIZE(at + from[3], n[3])); \
    }                                                                                              \
    WIDE int shorts_rows_##SIZE(ShortStep *steps, int n_steps, const Shorts *docs,                 \
                                const int##SIZE##_t *refs, const int##SIZE##_t *hyps) {            \
        Words words;                                                                               \
        words.units = wide_from_counts(docs->units);                                               \
        words.n_ref = wide_from_counts(docs->n_ref);                                               \
        words.n_hyp = wide_from_counts(docs->n_hyp);                                               \
        words.ref = side_of_##SIZE(refs, docs->ref, docs->n_ref);                                  \
        words.hyp = side_of_##SIZE(hyps, docs->hyp, docs->n_hyp);                                  \
        return all_steps(steps, n_steps, docs, &words);                                            \
    }

SEGSCORE_SHORTS(32)
SEGSCORE_SHORTS(64)

#undef SEGSCORE_SHORTS

#endif /* SEGSCORE_BIT_ROWS */
#endif
