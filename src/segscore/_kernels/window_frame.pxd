# cython: cdivision=True
"""Which windows a document has: the rule for k, and the edges, brought to one form
(docs/definitions.md §3.1, §3.2)."""

from libc.stdint cimport int32_t, int64_t

cdef extern from *:
    """
    #define SEGSCORE_MIN(a, b) ((a) < (b) ? (a) : (b))
    #define SEGSCORE_MAX(a, b) ((a) > (b) ? (a) : (b))
    """
    int64_t wide_min "SEGSCORE_MIN"(int64_t, int64_t) noexcept nogil
    int64_t wide_max "SEGSCORE_MAX"(int64_t, int64_t) noexcept nogil

cdef enum:
    HALF_EVEN = 0
    HALF_UP = 1
    FLOOR = 2
    CEIL = 3

cdef enum:
    DROP = 0
    PAD = 1
    WRAP = 2
    WRAP_SEAM = 3

# How k is found, and what happens at the edges (docs/definitions.md §3.1, §3.2).
cdef struct Rule:
    int64_t k              # fixed, or 0: from the reference
    int rounding
    int64_t min_k
    int64_t k_offset
    int edges

# One document brought to the common form; windows = 0 where it cannot be scored.
cdef struct Frame:
    int64_t k
    int64_t windows
    int64_t shift          # added to each boundary
    int64_t period         # wrap: boundaries below k return at this distance


cdef inline int64_t window_size(Rule rule, int64_t units, int64_t segments) noexcept nogil:
    """Half the mean segment, rounded in exact integer arithmetic."""
    cdef int64_t whole, rest
    if rule.k:
        return rule.k
    if units < <int64_t> 1 << 30:  # a 32-bit division is several times quicker
        whole = <int32_t> units // <int32_t> (2 * segments)
    else:
        whole = units // (2 * segments)
    rest = units - whole * 2 * segments
    if rule.rounding == HALF_EVEN:
        whole += <int64_t> (rest > segments) | (<int64_t> (rest == segments) & whole)
    elif rule.rounding == HALF_UP:
        whole += <int64_t> (rest >= segments)
    elif rule.rounding == CEIL:
        whole += <int64_t> (rest > 0)
    return wide_max(rule.min_k, whole + rule.k_offset)


cdef inline Frame frame_of(Rule rule, int64_t units, int64_t segments) noexcept nogil:
    cdef Frame frame
    frame.k = window_size(rule, units, segments)
    frame.shift = frame.period = frame.windows = 0
    if units < 2 or (rule.edges != PAD and frame.k >= units):
        return frame
    if rule.edges == PAD:
        frame.shift = frame.k - 1
        frame.windows = units + frame.k - 2
    elif rule.edges == WRAP:
        frame.period = units
        frame.windows = units
    else:
        frame.windows = units - frame.k
    return frame


cdef inline Rule rule_of(tuple rule):
    """The rule as metrics give it."""
    cdef Rule parsed
    parsed.k, parsed.rounding, parsed.min_k, parsed.k_offset, parsed.edges = rule
    return parsed
