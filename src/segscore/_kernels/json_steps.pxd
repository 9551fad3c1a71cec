# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Steps over values in a line of JSON: each goes from where a value begins to where it ends, or gives
NULL if something else stands there. They are strict: what they pass, the standard parser passes."""

from libc.stdint cimport int64_t
from libc.string cimport memchr, memcmp, strlen

# Sixteen digits pass 2**53, which is as far as we count, and stay well within 64 bits.
cdef enum:
    MOST_DIGITS = 16


cdef inline const char* skip_blanks(const char* p, const char* end) noexcept nogil:
    while p < end and (p[0] == c" " or p[0] == c"\t"):
        p += 1
    return p


cdef inline const char* whole(const char* p, const char* end, int64_t* value) noexcept nogil:
    """Read a whole number without sign or leading zero; NULL if there is none."""
    cdef const char* first = p
    cdef int64_t total = 0
    while p < end and c"0" <= p[0] <= c"9":
        total = total * 10 + (p[0] - c"0")
        p += 1
        if p - first > MOST_DIGITS:
            return NULL
    if p == first or (first[0] == c"0" and p - first > 1):
        return NULL
    value[0] = total
    return p


cdef inline int hex_digits(const char* p) noexcept nogil:
    """The value of four hexadecimal digits; -1 if they are not."""
    cdef int value = 0, i
    for i in range(4):
        if c"0" <= p[i] <= c"9":
            value = value * 16 + (p[i] - c"0")
        elif c"a" <= p[i] <= c"f":
            value = value * 16 + (p[i] - c"a" + 10)
        elif c"A" <= p[i] <= c"F":
            value = value * 16 + (p[i] - c"A" + 10)
        else:
            return -1
    return value


cdef inline const char* escape(const char* p, const char* end) noexcept nogil:
    """Step over a backslash and what it escapes; NULL if it is wrong, or half a surrogate pair."""
    cdef int value
    if end - p < 2:
        return NULL
    if p[1] != c"u":
        return p + 2 if memchr(b'"\\/bfnrt', p[1], 8) != NULL else NULL
    if end - p < 6:
        return NULL
    value = hex_digits(p + 2)
    if value < 0 or 0xDC00 <= value <= 0xDFFF:
        return NULL
    if value < 0xD800 or value > 0xDBFF:
        return p + 6
    if end - p < 12 or p[6] != c"\\" or p[7] != c"u":
        return NULL
    return p + 12 if 0xDC00 <= hex_digits(p + 8) <= 0xDFFF else NULL


cdef inline const char* string(const char* p, const char* end) noexcept nogil:
    """Step over a string and both its quotes; NULL if it is wrong."""
    if p == end or p[0] != c'"':
        return NULL
    p += 1
    while p < end and p[0] != c'"':
        if p[0] == c"\\":
            p = escape(p, end)
            if p == NULL:
                return NULL
        elif <unsigned char> p[0] < 32:
            return NULL
        else:
            p += 1
    if p == end:
        return NULL
    return p + 1


cdef inline Py_ssize_t most_numbers(const char* p, const char* end) noexcept nogil:
    """At most so many numbers are on a line; for a long line, counted more exactly."""
    cdef Py_ssize_t commas = 0
    if end - p < 1 << 16:
        return (end - p) // 2 + 1
    while p < end:
        commas += p[0] == c","
        p += 1
    return commas + 1


cdef inline const char* label(const char* p, const char* end) noexcept nogil:
    """Step over a label, a string that is not empty, or null; NULL if it is something else."""
    if end - p >= 4 and memcmp(p, b"null", 4) == 0:
        return p + 4
    if end - p >= 2 and p[0] == c'"' and p[1] == c'"':
        return NULL
    return string(p, end)


cdef inline const char* next_label(const char* p, const char* end) noexcept nogil:
    """From the end of a label to the next one, or to the bracket that closes the list; NULL if
    neither follows."""
    p = skip_blanks(p, end)
    if p == end:
        return NULL
    if p[0] == c"]":
        return p
    if p[0] != c",":
        return NULL
    p = skip_blanks(p + 1, end)
    if p == end or p[0] == c"]":
        return NULL
    return p


cdef inline const char* choice(
    const char* p, const char* end, const char** words, int n_words, int* which
) noexcept nogil:
    """Step over one of some strings (given with their quotes), and say which it is; NULL if it is
    none of them."""
    cdef Py_ssize_t size
    cdef int i
    for i in range(n_words):
        size = strlen(words[i])
        if end - p >= size and memcmp(p, words[i], size) == 0:
            which[0] = i
            return p + size
    return NULL
