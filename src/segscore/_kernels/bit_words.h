/* Four machine words at a time: AVX2 on x86-64, NEON on AArch64, by the vectors of GCC and Clang
(every operator works on four words). SEGSCORE_BIT_ROWS is defined if machine and compiler have them.

WIDE marks functions that may only be called if bits_available(); SMALL those that become part of
them. */

#ifndef SEGSCORE_BIT_WORDS_H
#define SEGSCORE_BIT_WORDS_H

#include <stdint.h>
#include <string.h>

enum { BITS_LANES = 4 };

/* SEGSCORE_NO_VECTORS compiles what other compilers and machines run (`make portable`). */
#if defined(__GNUC__) && (defined(__x86_64__) || defined(__aarch64__)) && !defined(_MSC_VER) \
    && !defined(SEGSCORE_NO_VECTORS)
#define SEGSCORE_BIT_ROWS 1
#endif

#ifndef SEGSCORE_BIT_ROWS

static int bits_available(void) { return 0; }

#else

/* SEGSCORE_NO_AVX2 compiles what AArch64 runs, for tests on x86-64. */
#if defined(__x86_64__) && !defined(SEGSCORE_NO_AVX2)
#include <immintrin.h>
#define SEGSCORE_AVX2 1
#define WIDE __attribute__((target("avx2,bmi,bmi2,popcnt"))) static
#else
#define WIDE static
#endif
#define SMALL WIDE inline __attribute__((always_inline))

/* Whether this machine has what the functions below were compiled for. */
static int bits_available(void) {
#ifdef SEGSCORE_AVX2
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi")
        && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
#else
    return 1;
#endif
}

typedef uint64_t wide __attribute__((vector_size(32)));
typedef int64_t signed_wide __attribute__((vector_size(32)));
typedef double wide_double __attribute__((vector_size(32)));

SMALL wide wide_of(uint64_t word) { return (wide){word, word, word, word}; }
SMALL wide wide_from(const uint64_t *at) { wide v; memcpy(&v, at, sizeof v); return v; }
SMALL void wide_to(uint64_t *at, wide v) { memcpy(at, &v, sizeof v); }
SMALL wide_double doubles_of(double x) { return (wide_double){x, x, x, x}; }
SMALL wide_double doubles_from(const double *at) { wide_double v; memcpy(&v, at, sizeof v); return v; }
SMALL void doubles_to(double *at, wide_double v) { memcpy(at, &v, sizeof v); }
SMALL int64_t wide_sum(wide v) { return (int64_t)(v[0] + v[1] + v[2] + v[3]); }
SMALL uint64_t wide_or(wide v) { return v[0] | v[1] | v[2] | v[3]; }

/* Integers as doubles, -2^51 < v < 2^51. */
SMALL wide_double as_doubles(wide v) {
    const wide_double zero = doubles_of(6755399441055744.0);   /* 1.5 * 2^52 */
    return (wide_double)(v + (wide)zero) - zero;
}

/* The nearest integers, half to even, -2^51 < v < 2^51. */
SMALL wide nearest(wide_double v) {
    const wide_double zero = doubles_of(6755399441055744.0);
    return (wide)(v + zero) - (wide)zero;
}

/* a where the mask is all ones, b where it is 0. */
SMALL wide pick(wide mask, wide a, wide b) {
#ifdef SEGSCORE_AVX2
    return (wide)_mm256_blendv_epi8((__m256i)b, (__m256i)a, (__m256i)mask);
#else
    return (a & mask) | (b & ~mask);
#endif
}

/* How many bits each byte has. */
SMALL wide ones_of_bytes(wide v) {
#ifdef SEGSCORE_AVX2
    const __m256i of_nibble = _mm256_setr_epi8(
        0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
        0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const __m256i nibble = _mm256_set1_epi8(15);
    __m256i low = _mm256_and_si256((__m256i)v, nibble);
    __m256i high = _mm256_and_si256(_mm256_srli_epi16((__m256i)v, 4), nibble);
    return (wide)_mm256_add_epi8(
        _mm256_shuffle_epi8(of_nibble, low), _mm256_shuffle_epi8(of_nibble, high));
#else
    v -= (v >> 1) & wide_of(0x5555555555555555u);
    v = (v & wide_of(0x3333333333333333u)) + ((v >> 2) & wide_of(0x3333333333333333u));
    return (v + (v >> 4)) & wide_of(0x0F0F0F0F0F0F0F0Fu);
#endif
}

/* The bytes of each word, added up. */
SMALL wide sum_of_bytes(wide v) {
#ifdef SEGSCORE_AVX2
    return (wide)_mm256_sad_epu8((__m256i)v, _mm256_setzero_si256());
#else
    const wide even = wide_of(0x00FF00FF00FF00FFu);
    v = (v & even) + ((v >> 8) & even);
    v += v >> 16;
    v += v >> 32;
    return v & wide_of(0xFFFF);
#endif
}

/* How many bits each word has. */
SMALL wide ones(wide v) { return sum_of_bytes(ones_of_bytes(v)); }

/* The n lowest bits of each word, 0 <= n <= 64. */
SMALL wide lowest(wide n) {
#ifdef SEGSCORE_AVX2
    return ~(wide)_mm256_sllv_epi64((__m256i)wide_of(~(uint64_t)0), (__m256i)n);
#else
    return ~((wide_of(~(uint64_t)0) << (n & 63)) & (wide)(n < 64));
#endif
}

/* Bit x: bit x+s of the word and the next one; 0 <= s <= 63. */
SMALL wide ahead(wide word, wide next, wide s) {
#ifdef SEGSCORE_AVX2
    __m256i rest = _mm256_sub_epi64((__m256i)wide_of(64), (__m256i)s);
    return (wide)_mm256_or_si256(_mm256_srlv_epi64((__m256i)word, (__m256i)s),
                                 _mm256_sllv_epi64((__m256i)next, rest));
#else
    return word >> s | (next << 1) << (wide_of(63) - s);
#endif
}

/* Bit x: whether the bits 0 ... x of the word hold an odd number of ones. */
SMALL wide parity(wide v) {
    v ^= v << 1;
    v ^= v << 2;
    v ^= v << 4;
    v ^= v << 8;
    v ^= v << 16;
    return v ^ v << 32;
}

/* The same along four neighbouring words, and on from the words before: *odd is all ones if those
   hold an odd number. */
SMALL wide parity_along(wide v, uint64_t *odd) {
    wide inherited;
    v = parity(v);
#ifdef SEGSCORE_AVX2
    {
        static const uint64_t by_parities[8][4] = {
#define Y (~(uint64_t)0)
            {0, 0, 0, 0}, {0, Y, Y, Y}, {0, 0, Y, Y}, {0, Y, 0, 0},
            {0, 0, 0, Y}, {0, Y, Y, 0}, {0, 0, Y, 0}, {0, Y, 0, Y},
#undef Y
        };
        int parities = _mm256_movemask_pd((__m256d)v);
        inherited = wide_from(by_parities[parities & 7]) ^ wide_of(*odd);
        *odd ^= (uint64_t)0 - (uint64_t)(__builtin_popcount((unsigned)parities) & 1);
    }
#else
    {
        int i;
        for (i = 0; i < BITS_LANES; i++) {
            inherited[i] = *odd;
            *odd ^= (uint64_t)0 - (v[i] >> 63);
        }
    }
#endif
    return v ^ inherited;
}

/* Sum of |number in binary|, a word per digit, over the places of a mask: -v is ~v + 1. */
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

#define SEGSCORE_EVEN 0x5555555555555555u

/* Every other bit of each run of ones, from its first: adding a run's first bit clears the run.
   `taken`: the bit before the lowest was taken, and the run goes on from there. */
#define SEGSCORE_EVERY_OTHER(TYPE, EVEN, links, taken, picks)                                      \
    {                                                                                              \
        TYPE from_even = (links) & ~((links) << 1) & (EVEN) & ~(taken);                            \
        TYPE even_runs = (links) & ~((links) + from_even);                                         \
        picks = (even_runs & (EVEN)) | ((links) & ~even_runs & ~(EVEN));                           \
    }

SMALL int digits_of(uint64_t k) { return 64 - __builtin_clzll(k | 1); }

#endif /* SEGSCORE_BIT_ROWS */
#endif
