# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Codings placed at random: the null models behind agreement by chance.

A coding is a document of n pieces (units, or what lies between candidates) with b boundaries
after some of them. Each draw keeps b and moves the boundaries:

- `positions`: b of the n - 1 places, every choice equally likely;
- `lengths`: the coding's own segments, in every order equally likely.

Where boundaries have types, a second shuffle says whose types stand at which place.

Random numbers come from our own generator, xoshiro256** (Blackman & Vigna 2021), which is seeded for
each coding and draw from (key, coding, draw) by splitmix64. So a draw does not depend on threads or
on other draws. Bounded integers are unbiased (Lemire 2019).
"""

from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc, qsort
from libc.string cimport memset

cdef struct Generator:
    uint64_t[4] s


cdef inline uint64_t mixed(uint64_t z) noexcept nogil:
    """The output function of splitmix64: every bit of z changes half of the bits."""
    z = (z ^ (z >> 30)) * <uint64_t> 0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <uint64_t> 0x94D049BB133111EB
    return z ^ (z >> 31)


cdef inline void seeded(Generator* g, uint64_t key, uint64_t coding, uint64_t draw) noexcept nogil:
    cdef uint64_t step = <uint64_t> 0x9E3779B97F4A7C15
    cdef uint64_t x = mixed(key + step * (mixed(coding + step) ^ mixed(draw * 2 + 1)))
    cdef int i
    for i in range(4):
        x += step
        g.s[i] = mixed(x)


cdef inline uint64_t rotated(uint64_t x, int k) noexcept nogil:
    return (x << k) | (x >> (64 - k))


cdef inline uint64_t next_word(Generator* g) noexcept nogil:
    cdef uint64_t result = rotated(g.s[1] * 5, 7) * 9
    cdef uint64_t t = g.s[1] << 17
    g.s[2] ^= g.s[0]
    g.s[3] ^= g.s[1]
    g.s[1] ^= g.s[2]
    g.s[0] ^= g.s[3]
    g.s[2] ^= t
    g.s[3] = rotated(g.s[3], 45)
    return result


cdef inline int64_t below(Generator* g, int64_t n) noexcept nogil:
    """A whole number 0 … n - 1, each equally likely."""
    cdef uint64_t product, mask, x
    cdef uint32_t low, least
    if n < (<int64_t> 1 << 32):
        product = (next_word(g) >> 32) * <uint64_t> n
        low = <uint32_t> product
        if low < <uint64_t> n:
            least = (<uint32_t> 0 - <uint32_t> n) % <uint32_t> n
            while low < least:
                product = (next_word(g) >> 32) * <uint64_t> n
                low = <uint32_t> product
        return <int64_t> (product >> 32)
    mask = <uint64_t> n - 1
    mask |= mask >> 1
    mask |= mask >> 2
    mask |= mask >> 4
    mask |= mask >> 8
    mask |= mask >> 16
    mask |= mask >> 32
    x = next_word(g) & mask
    while x >= <uint64_t> n:
        x = next_word(g) & mask
    return <int64_t> x


cdef inline void shuffle(Generator* g, int64_t* values, Py_ssize_t n) noexcept nogil:
    """Every order equally likely (Fisher & Yates)."""
    cdef Py_ssize_t i, j
    cdef int64_t kept
    for i in range(n - 1, 0, -1):
        j = <Py_ssize_t> below(g, i + 1)
        kept = values[i]
        values[i] = values[j]
        values[j] = kept


cdef int ascending(const void* a, const void* b) noexcept nogil:
    cdef int64_t left = (<const int64_t*> a)[0], right = (<const int64_t*> b)[0]
    return (left > right) - (left < right)


cdef void sort(int64_t* values, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i, j
    cdef int64_t kept
    if n > 32:
        qsort(values, n, sizeof(int64_t), ascending)
        return
    for i in range(1, n):
        kept = values[i]
        j = i
        while j > 0 and values[j - 1] > kept:
            values[j] = values[j - 1]
            j -= 1
        values[j] = kept


cdef inline bint added(int64_t* table, uint64_t mask, int64_t value) noexcept nogil:
    """Put a value ≥ 1 into a table of hashes, 0 being empty; False if it is there already."""
    cdef uint64_t at = mixed(<uint64_t> value) & mask
    while table[at] != 0:
        if table[at] == value:
            return False
        at = (at + 1) & mask
    table[at] = value
    return True


cdef void choose(
    Generator* g, int64_t n, Py_ssize_t count, int64_t* table, uint64_t size, int64_t* out
) noexcept nogil:
    """`count` of the places 1 … n, ascending, every choice equally likely (Floyd's algorithm).

    size: of the table, a power of 2 that is at least twice the count."""
    cdef Py_ssize_t i
    cdef int64_t top, value
    memset(table, 0, size * sizeof(int64_t))
    for i in range(count):
        top = n - count + 1 + i
        value = 1 + below(g, top)
        if not added(table, size - 1, value):
            value = top
            added(table, size - 1, value)
        out[i] = value
    sort(out, count)


cdef void place(
    Generator* g, int64_t n_places, Py_ssize_t count, int64_t* table, int64_t* spare, int64_t* out
) noexcept nogil:
    """Boundaries at random places; if most places have one, the empty places are chosen."""
    cdef Py_ssize_t chosen = count, i, j = 0
    cdef int64_t at
    cdef uint64_t size = 4
    cdef bint most = 2 * count > n_places
    if most:
        chosen = <Py_ssize_t> (n_places - count)
    while size < 2 * <uint64_t> chosen:
        size *= 2
    if not most:
        choose(g, n_places, chosen, table, size, out)
        return
    choose(g, n_places, chosen, table, size, spare)
    i = 0
    for at in range(1, n_places + 1):
        if j < chosen and spare[j] == at:
            j += 1
        else:
            out[i] = at
            i += 1


cdef void reorder(
    Generator* g, int64_t n_places, const int64_t* source, Py_ssize_t count, int64_t* spare,
    int64_t* out
) noexcept nogil:
    """The same segments in a random order; the last segment ends with the document."""
    cdef Py_ssize_t i
    cdef int64_t before = 0
    for i in range(count):
        spare[i] = source[i] - before
        before = source[i]
    spare[count] = n_places + 1 - before
    shuffle(g, spare, count + 1)
    before = 0
    for i in range(count):
        before += spare[i]
        out[i] = before


cdef check(
    Py_ssize_t start, Py_ssize_t stop, const int64_t[::1] n_places, const int64_t[::1] offsets,
    const int64_t[::1] places, const int64_t[::1] candidate_offsets, const int64_t[::1] candidates
):
    """An error if columns do not fit together: the loops have no checks of their own."""
    cdef Py_ssize_t i, n = n_places.shape[0]
    cdef int64_t count, listed
    if not 0 <= start <= stop <= n:
        raise ValueError(f"codings {start} … {stop} are not among 0 … {n}")
    if offsets.shape[0] != n + 1 or candidate_offsets.shape[0] != n + 1:
        raise ValueError(f"offsets do not have {n + 1} entries, one more than codings")
    if offsets[0] != 0 or offsets[n] != places.shape[0]:
        raise ValueError("offsets do not span the places")
    if candidate_offsets[0] != 0 or candidate_offsets[n] != candidates.shape[0]:
        raise ValueError("candidate_offsets do not span the candidates")
    for i in range(n):
        count = offsets[i + 1] - offsets[i]
        listed = candidate_offsets[i + 1] - candidate_offsets[i]
        if count < 0 or listed < 0 or count > n_places[i] or 0 < listed < n_places[i]:
            raise ValueError(f"coding {i} marks {count} of {n_places[i]} places, {listed} listed")


def draw(
    Py_ssize_t start, Py_ssize_t stop, const int64_t[::1] n_places, const int64_t[::1] offsets,
    const int64_t[::1] places, const int64_t[::1] candidate_offsets,
    const int64_t[::1] candidates, bint lengths, uint64_t key, int64_t first_draw, bint ordered,
    int64_t[:, ::1] positions, int64_t[:, ::1] order
):
    """Draw the codings start … stop, once for each row of `positions`.

    n_places: places of each coding; places[offsets[i]:offsets[i+1]]: those that it marked, counted
    among its candidates if it has any (else they are positions). Row d, columns offsets[i] to
    offsets[i+1] of `positions` get the positions of draw first_draw + d; with `ordered`, the same
    cells of `order` get the index into `places` of the boundary whose types stand there."""
    cdef Py_ssize_t coding, d, i, count, most = 1, first
    cdef int64_t n_candidates
    cdef uint64_t size = 4
    cdef Generator g
    cdef int64_t* room
    cdef int64_t* spare
    cdef int64_t* out
    check(start, stop, n_places, offsets, places, candidate_offsets, candidates)
    if positions.shape[1] != places.shape[0]:
        raise ValueError("positions has another number of columns than there are places")
    if ordered and (order.shape[0] != positions.shape[0] or order.shape[1] != positions.shape[1]):
        raise ValueError("order has another shape than positions")
    for coding in range(start, stop):
        most = max(most, offsets[coding + 1] - offsets[coding] + 1)
    while size < 2 * <uint64_t> most:
        size *= 2
    room = <int64_t*> malloc((size + most) * sizeof(int64_t))
    if room == NULL:
        raise MemoryError(f"no memory for a document with {most} segments")
    spare = room + size
    with nogil:
        for coding in range(start, stop):
            first = offsets[coding]
            count = offsets[coding + 1] - first
            n_candidates = candidate_offsets[coding + 1] - candidate_offsets[coding]
            if count == 0:
                continue
            for d in range(positions.shape[0]):
                seeded(&g, key, <uint64_t> coding, <uint64_t> (first_draw + d))
                out = &positions[d, first]
                if lengths:
                    reorder(&g, n_places[coding], &places[first], count, spare, out)
                else:
                    place(&g, n_places[coding], count, room, spare, out)
                if n_candidates > 0:
                    for i in range(count):
                        out[i] = candidates[candidate_offsets[coding] + out[i] - 1]
                if ordered:
                    for i in range(count):
                        order[d, first + i] = first + i
                    shuffle(&g, &order[d, first], count)
    free(room)


def choices(
    const int64_t[::1] n_places, const int64_t[::1] offsets, const uint32_t[::1] words,
    int64_t[::1] positions,
):
    """For each document `offsets[i+1] - offsets[i]` of the places 1 … n_places[i], ascending.

    They are those that NumPy's `Generator.choice(n, b, replace=False, shuffle=False) + 1` draws one
    after the other from the same stream of 32-bit `words` (Floyd's algorithm, at most 10,000
    places). Returns how many documents are done: fewer if the words did not last.
    """
    cdef Py_ssize_t row, n_rows = n_places.shape[0], at = 0, n_words = words.shape[0]
    cdef int64_t n, b, j, place, out
    cdef uint64_t product, bound
    cdef unsigned char[10000] taken
    if offsets.shape[0] != n_rows + 1 or (n_rows and offsets[n_rows] > positions.shape[0]):
        raise IndexError("offsets do not fit the documents")
    for row in range(n_rows):
        if not (0 <= offsets[row] and 0 <= offsets[row + 1] - offsets[row] <= n_places[row] <= 10000):
            raise IndexError("a document has too many places, or more boundaries than places")
    for row in range(n_rows):
        n, b, out = n_places[row], offsets[row + 1] - offsets[row], offsets[row]
        memset(taken, 0, n)
        for j in range(n - b, n):
            bound, product = j + 1, 0
            if j > 0:  # Lemire's bounded integer: words that would favour some places are left out
                while True:
                    if at == n_words:
                        return row
                    product = words[at] * bound
                    at += 1
                    if (product & 0xFFFFFFFF) >= (<uint64_t> 0x100000000 - bound) % bound:
                        break
            place = <int64_t> (product >> 32)
            taken[j if taken[place] else place] = 1
        for j in range(n):
            if taken[j]:
                positions[out] = j + 1
                out += 1
    return n_rows
