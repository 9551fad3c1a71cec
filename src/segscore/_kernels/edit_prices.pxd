"""What a transposition costs, and what a pair of boundaries is then worth."""

from libc.stdint cimport int64_t

cdef struct Prices:
    const double *table  # price of each distance, from 0
    int64_t size
    double base  # beyond the table: base + slope * distance
    double slope
    double w_ad  # price of a full miss

cdef struct Tally:
    int64_t pairs
    double cost  # sum of what the pairs cost
    double credit  # sum of their correctness, max(0, 1 - cost)
    double credit_squared


cdef inline double price_of(const Prices *prices, int64_t distance) noexcept nogil:
    if distance < prices.size:
        return prices.table[distance]
    return prices.base + prices.slope * distance


cdef inline double worth(double price) noexcept nogil:
    """What an edit of this price is still worth: its correctness."""
    return 1 - price if price < 1 else 0


cdef inline double count_pair(Tally *tally, double price) noexcept nogil:
    """Add one pair, and give its correctness."""
    cdef double credit = worth(price)
    tally.pairs += 1
    tally.cost += price
    tally.credit += credit
    tally.credit_squared += credit * credit
    return credit
