"""The hypergeometric distribution, to full precision and in constant time per probability.

X = how many of the m chosen out of T equally likely places lie among w given ones. The four
cells of the 2 × 2 table (chosen or not × given or not) are X, m−X, w−X and T−m−w+X, and

    p(x) = m! (T−m)! w! (T−w)! / (T! · product of the four cells' factorials).

Differences of log-gammas lose digits as T grows. Stirling's formula with its error term kept
apart (Loader 2000, for the binomial) does not: the large parts cancel algebraically and leave
the deviance of the table, Σ D(cell, expected cell), a sum of non-negative numbers in which only
the deviation x − m·w/T needs care; it is formed with a fused multiply-add.
Sizes are doubles that hold whole numbers below 2^53.
"""

from libc.math cimport exp, fabs, floor, fma, fmax, fmin, log, sqrt

cdef extern from *:
    """
    /* ln n! − (n ln n − n + ln(2πn)/2) for n = 0 … 15; the entry of 0 is never used. */
    static const double stirling_error_table[16] = {
        0.0, 0.08106146679532726, 0.0413406959554093, 0.02767792568499834,
        0.020790672103765093, 0.016644691189821193, 0.013876128823070748, 0.01189670994589177,
        0.010411265261972096, 0.009255462182712733, 0.00833056343336287, 0.007573675487951841,
        0.00694284010720953, 0.006408994188004207, 0.0059513701127588475, 0.005554733551962801
    };
    static const double two_pi = 6.283185307179586;
    """
    const double[16] stirling_error_table
    const double two_pi


cdef inline double stirling_error(double n) noexcept nogil:
    """ln n! minus Stirling's approximation of it, n ≥ 1."""
    cdef double inverse
    if n < 16:
        return stirling_error_table[<int> n]
    inverse = 1 / (n * n)
    return (1 / 12.0 - (1 / 360.0 - (1 / 1260.0 - (1 / 1680.0 - inverse / 1188)
                                     * inverse) * inverse) * inverse) / n


cdef inline double deviance(double x, double expected, double difference) noexcept nogil:
    """x·ln(x/expected) + expected − x, where difference = x − expected is known better."""
    cdef double v, square, power, total, grown
    cdef int odd = 3
    if x == 0:
        return expected
    if fabs(difference) >= 0.1 * (x + expected):
        return x * log(x / expected) - difference
    # ln(x/expected) = 2·artanh(v): the leading terms cancel, the rest is a quick series.
    v = difference / (x + expected)
    square = v * v
    power = 2 * x * v
    total = difference * v
    while True:
        power *= square
        grown = total + power / odd
        if grown == total:
            return total
        total = grown
        odd += 2


cdef inline double probability(double T, double m, double w, double x) noexcept nogil:
    """P(X = x); 0 outside the support."""
    cdef double b = m - x, c = w - x, d = T - m - w + x
    cdef double left, right, difference, exponent, scale, n
    cdef double[4] cell
    cdef double[4] expected
    cdef int i
    if x < 0 or b < 0 or c < 0 or d < 0:
        return 0
    if m == 0 or m == T or w == 0 or w == T:
        return 1
    left = x * T
    right = m * w
    difference = ((left - right) + (fma(x, T, -left) - fma(m, w, -right))) / T
    cell[0], cell[1], cell[2], cell[3] = x, b, c, d
    expected[0], expected[1] = right / T, m * (T - w) / T
    expected[2], expected[3] = (T - m) * w / T, (T - m) * (T - w) / T
    exponent = (stirling_error(m) + stirling_error(T - m) + stirling_error(w)
                + stirling_error(T - w) - stirling_error(T))
    scale = (two_pi * m) * (two_pi * (T - m)) * (two_pi * w) * (two_pi * (T - w)) / (two_pi * T)
    for i in range(4):
        n = cell[i]
        exponent -= deviance(n, expected[i], difference if i == 0 or i == 3 else -difference)
        if n > 0:
            exponent -= stirling_error(n)
            scale /= two_pi * n
    return sqrt(scale) * exp(exponent)


cdef inline double weight(double distance, int order) noexcept nogil:
    """1, s or s·(s+1) for order 0, 1, 2."""
    if order == 0:
        return 1
    return distance if order == 1 else distance * (distance + 1)


cdef inline double lower_sum(double T, double m, double w, double d, int order) noexcept nogil:
    """Σ over x < d of weight(d − x) · P(X = x).

    Starts at the largest probability below d and walks outwards until what is left cannot
    show in the sum, about as many steps as a few standard deviations.
    """
    cdef double low = fmax(0, w + m - T), top = fmin(d - 1, fmin(m, w))
    cdef double anchor, x, p, total, largest
    if top < low:
        return 0
    anchor = fmin(fmax(floor((m + 1) * (w + 1) / (T + 2)), low), top)
    p = probability(T, m, w, anchor)
    largest = weight(d - low, order)
    total = p * weight(d - anchor, order)
    x = anchor
    while x > low and p * largest > 1e-19 * total:
        p *= x * (T - m - w + x) / ((m - x + 1) * (w - x + 1))
        x -= 1
        total += p * weight(d - x, order)
    p = probability(T, m, w, anchor)
    x = anchor
    while x < top and p * largest > 1e-19 * total:
        p *= (m - x) * (w - x) / ((x + 1) * (T - m - w + x + 1))
        x += 1
        total += p * weight(d - x, order)
    return total


cdef inline double mean_distance(double T, double m, double w, double d) noexcept nogil:
    """E|X − d|: the plain difference of the means plus twice the smaller one-sided part."""
    cdef double mean = m * w / T if T > 0 else 0
    if d <= mean:
        return mean - d + 2 * lower_sum(T, m, w, d, 1)
    # m − X counts the chosen places outside the w given ones.
    return d - mean + 2 * lower_sum(T, m, T - w, m - d, 1)


# Sums over w = first … last (a window that slides over an end of the text), without a loop:
# "exactly x of the first w places are chosen" summed over w ≤ v counts the ways to choose
# m+1 of T+1 places with the (x+1)-th among the first v+1, hence
#     Σ_{w ≤ v} P(X_w = x) = (T+1)/(m+1) · P(Y ≥ x+1),  Y hypergeometric of T+1, m+1, v+1.

cdef inline double probability_over(
    double T, double m, double first, double last, double x
) noexcept nogil:
    """Σ over w = first … last of P(X_w = x)."""
    if x < 0 or x > m or last < first:
        return 0
    return (T + 1) / (m + 1) * (
        lower_sum(T + 1, m + 1, first, x + 1, 0) - lower_sum(T + 1, m + 1, last + 1, x + 1, 0)
    )


cdef inline double mean_distance_over(
    double T, double m, double first, double last, double d
) noexcept nogil:
    """Σ over w = first … last of E|X_w − d|."""
    cdef double count = last - first + 1, total
    total = count * ((m / T * (first + last) / 2 if T > 0 else 0) - d)
    if d <= 0:
        return total
    return total + (T + 1) / (m + 1) * (
        lower_sum(T + 1, m + 1, first, d, 2) - lower_sum(T + 1, m + 1, last + 1, d, 2)
    )
