/* Four machine words at a time: AVX2 on x86-64, NEON on AArch64, by the vectors of GCC and Clang
(every operator works on four words). SEGSCORE_BIT_ROWS is defined if machine and compiler have them.

WIDE marks functions that may only be called if bits_available(); SMALL those that become part of
them. */

#ifndef SEGSCORE_BIT_WORDS_H
#define SEGSCORE_BIT_WORDS_H

#include <stdint.h>
#include <string.h>

enum { BITS_LANES = 4 };

#if defined(__GNUC__) && (defined(__x86_64__) || defined(__aarch64__)) && !defined(_MSC_VER)
#define SEGSCORE_BIT_ROWS 1
#endif

#ifdef SEGSCORE_BIT_ROWS

/* SEGSCORE_NO_AVX2 compiles what AArch64 runs, for tests on x86-64. */
#if defined(__x86_64__) && !defined(SEGSCORE_NO_AVX2)
#include <immintrin.h>
#define SEGSCORE_AVX2 1
#define WIDE __attribute__((target("avx2,bmi,bmi2,popcnt"))) static
#else
#define WIDE static
#endif
#define SMALL WIDE inline __attribute__((always_inline))

typedef uint64_t wide __attribute__((vector_size(32)));
typedef int64_t signed_wide __attribute__((vector_size(32)));

SMALL wide wide_of(uint64_t word) { return (wide){word, word, word, word}; }
SMALL wide wide_from(const uint64_t *at) { wide v; memcpy(&v, at, sizeof v); return v; }
SMALL void wide_to(uint64_t *at, wide v) { memcpy(at, &v, sizeof v); }
SMALL int64_t wide_sum(wide v) { return (int64_t)(v[0] + v[1] + v[2] + v[3]); }

/* How many bits each word has. */
SMALL wide ones(wide v) {
#ifdef SEGSCORE_AVX2
    const __m256i of_nibble = _mm256_setr_epi8(
        0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
        0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const __m256i nibble = _mm256_set1_epi8(15);
    __m256i low = _mm256_and_si256((__m256i)v, nibble);
    __m256i high = _mm256_and_si256(_mm256_srli_epi16((__m256i)v, 4), nibble);
    return (wide)_mm256_sad_epu8(
        _mm256_add_epi8(_mm256_shuffle_epi8(of_nibble, low), _mm256_shuffle_epi8(of_nibble, high)),
        _mm256_setzero_si256());
#else
    v -= (v >> 1) & wide_of(0x5555555555555555u);
    v = (v & wide_of(0x3333333333333333u)) + ((v >> 2) & wide_of(0x3333333333333333u));
    v = (v + (v >> 4)) & wide_of(0x0F0F0F0F0F0F0F0Fu);
    v += v >> 8;
    v += v >> 16;
    v += v >> 32;
    return v & wide_of(127);
#endif
}

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

SMALL int digits_of(uint64_t k) { return 64 - __builtin_clzll(k | 1); }

#endif /* SEGSCORE_BIT_ROWS */
#endif
