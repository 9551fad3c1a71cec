"""Windows of a document that fits a machine word (edges dropped, up to 64 units): bit arithmetic.

Bit p of a word is a boundary at position p; bit x of a result is window x, which holds the
positions x+1 … x+k.
"""

from libc.stdint cimport int64_t, uint64_t

from segscore._kernels.common cimport position_t

cdef enum:
    WORD = 64              # units that fit one machine word

cdef extern from *:
    """
    #include <stdint.h>
    /* Portable population count: pairs, nibbles, bytes, then one multiplication adds the bytes. */
    static inline int64_t segscore_popcount(uint64_t w) {
        w -= (w >> 1) & 0x5555555555555555ULL;
        w = (w & 0x3333333333333333ULL) + ((w >> 2) & 0x3333333333333333ULL);
        w = (w + (w >> 4)) & 0x0F0F0F0F0F0F0F0FULL;
        return (int64_t) ((w * 0x0101010101010101ULL) >> 56);
    }
    """
    int64_t popcount "segscore_popcount"(uint64_t) noexcept nogil


cdef inline uint64_t word_of(const position_t* positions, Py_ssize_t n) noexcept nogil:
    cdef uint64_t word = 0
    cdef Py_ssize_t i
    for i in range(n):
        word |= <uint64_t> 1 << positions[i]
    return word


cdef inline uint64_t windows_hit(uint64_t word, int64_t k) noexcept nogil:
    """Bit x: some boundary among x+1 … x+k. Reach doubles with each step."""
    cdef int64_t reach = 1
    word >>= 1
    while 2 * reach <= k:
        word |= word >> reach
        reach *= 2
    return word | word >> (k - reach)


cdef inline uint64_t parity(uint64_t word) noexcept nogil:
    """Bit x: whether the bits 0 … x hold an odd number of ones."""
    word ^= word << 1
    word ^= word << 2
    word ^= word << 4
    word ^= word << 8
    word ^= word << 16
    return word ^ word << 32


cdef inline uint64_t windows_differing(
    uint64_t ref, uint64_t hyp, int64_t k, uint64_t* fewer
) noexcept nogil:
    """Bit x: D(x+k) != D(x), with D kept in binary (two's complement), one word per digit. What
    changes the next digit are steps up that leave this digit 0 (a carry) and steps down that
    leave it 1 (a borrow); when those are the same steps again, only the sign repeats. `fewer`:
    D(x+k) < D(x), by the sign of the difference, which the borrow of its digits leaves."""
    cdef uint64_t up = ref & ~hyp, down = hyp & ~ref, steps = up | down, before = 0
    cdef uint64_t digit = 0, unequal = 0, borrow = 0, differing = 0
    while steps != before:
        digit = parity(steps)
        unequal = digit ^ digit >> k
        borrow = (unequal & digit) | (~unequal & borrow)
        differing |= unequal
        up &= ~digit
        down &= digit
        before = steps
        steps = up | down
    fewer[0] = unequal ^ borrow
    return differing


cdef inline uint64_t first_bits(int64_t n) noexcept nogil:
    """The n lowest bits, 1 <= n <= 63."""
    return (<uint64_t> 1 << n) - 1
