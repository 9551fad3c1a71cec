/* Tables times small weights: for some resamples, the sum over documents of weight times row.

Columns stand in panels of PANEL, document after document, so that a panel is read straight ahead;
weights of TILE resamples stand side by side. The sums of some resamples and a panel stay in
registers while they run through some documents: six resamples with AVX2 and fused multiply-add, on
an x86-64 that has them (asked at run time), two with the vectors that every machine has. Other
compilers than GCC and Clang get plain loops.
Sums of whole numbers are exact (below 2**53); others depend on the machine in their last digits. */

#ifndef SEGSCORE_WEIGHTED_SUMS_H
#define SEGSCORE_WEIGHTED_SUMS_H

#include <stdint.h>
#include <string.h>

enum { PANEL = 8, TILE = 6 };

#if defined(__GNUC__) && !defined(_MSC_VER) && !defined(SEGSCORE_NO_VECTORS)
#define SEGSCORE_VECTORS 1
#endif

#ifdef SEGSCORE_VECTORS

typedef double two __attribute__((vector_size(16)));

/* Two resamples: n documents, their weights (two of TILE) and rows. */
static inline void pair_sums(
    int64_t n, const double *w, const double *rows, double *out, int64_t stride) {
    two a0 = {0, 0}, a1 = a0, a2 = a0, a3 = a0, b0 = a0, b1 = a0, b2 = a0, b3 = a0;
    int64_t i;
    for (i = 0; i < n; i++, w += TILE, rows += PANEL) {
        two a = {w[0], w[0]}, b = {w[1], w[1]}, row[4];
        memcpy(row, rows, sizeof row);
        a0 += a * row[0]; a1 += a * row[1]; a2 += a * row[2]; a3 += a * row[3];
        b0 += b * row[0]; b1 += b * row[1]; b2 += b * row[2]; b3 += b * row[3];
    }
    {
        two sums[2][4] = {{a0, a1, a2, a3}, {b0, b1, b2, b3}};
        for (i = 0; i < PANEL; i++) {
            out[i] += sums[0][i / 2][i % 2];
            out[stride + i] += sums[1][i / 2][i % 2];
        }
    }
}

#endif

/* Adds to TILE rows of out: n documents, their weights w (n x TILE) and rows (n x PANEL). */
static void tile_sums_portable(
    int64_t n, const double *w, const double *rows, double *out, int64_t stride) {
    int r;
#ifdef SEGSCORE_VECTORS
    for (r = 0; r < TILE; r += 2) pair_sums(n, w + r, rows, out + r * stride, stride);
#else
    for (r = 0; r < TILE; r++) {
        double sums[PANEL] = {0};
        int64_t i;
        int c;
        for (i = 0; i < n; i++)
            for (c = 0; c < PANEL; c++) sums[c] += w[i * TILE + r] * rows[i * PANEL + c];
        for (c = 0; c < PANEL; c++) out[r * stride + c] += sums[c];
    }
#endif
}

#if defined(SEGSCORE_VECTORS) && defined(__x86_64__)

#define FMA_TARGET __attribute__((target("avx2,fma"))) static

typedef double four __attribute__((vector_size(32)));

/* The same with 12 vectors of sums. */
FMA_TARGET void tile_sums_wide(
    int64_t n, const double *w, const double *rows, double *out, int64_t stride) {
#define START(r) four left##r = {0, 0, 0, 0}, right##r = {0, 0, 0, 0};
#define ADD(r) { \
    four weight = {w[r], w[r], w[r], w[r]}; \
    left##r += weight * left; \
    right##r += weight * right; \
}
#define FINISH(r) for (i = 0; i < 4; i++) { \
    out[r * stride + i] += left##r[i]; \
    out[r * stride + i + 4] += right##r[i]; \
}
    START(0) START(1) START(2) START(3) START(4) START(5)
    int64_t i;
    for (i = 0; i < n; i++, w += TILE, rows += PANEL) {
        four left, right;
        memcpy(&left, rows, sizeof left);
        memcpy(&right, rows + 4, sizeof right);
        ADD(0) ADD(1) ADD(2) ADD(3) ADD(4) ADD(5)
    }
    FINISH(0) FINISH(1) FINISH(2) FINISH(3) FINISH(4) FINISH(5)
#undef START
#undef ADD
#undef FINISH
}

static int wide_sums_available(void) {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

#else

static int wide_sums_available(void) { return 0; }
#define tile_sums_wide tile_sums_portable

#endif

#endif
