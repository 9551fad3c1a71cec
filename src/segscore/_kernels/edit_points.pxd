"""What the edit kernels share: points, their scale, the mark of a pair, and a heap."""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport realloc

cdef struct Points:  # (position, type) that only one side has, sorted; one entry each
    int64_t count
    int64_t *position
    int32_t *type
    int32_t *is_ref
    int32_t *mate  # index of the point it is paired with, or -1
    int32_t *before  # previous point of the same type, or -1
    int32_t *after  # next point of the same type, or -1

cdef struct Scale:
    int64_t n_t
    int64_t reach  # the farthest a transposition may go: n_t - 1, or less in a short document
    bint nominal  # all types are equally far apart
    int64_t width  # greatest less least value; 1 on a nominal scale
    const int64_t *value  # of each type, ascending

cdef struct Entry:
    int64_t major
    int64_t minor
    int64_t mark
    int32_t first
    int32_t second

cdef struct Heap:
    int64_t capacity
    int64_t count
    Entry *entries


cdef inline int64_t type_distance(const Scale *scale, int32_t a, int32_t b) noexcept nogil:
    if scale.nominal:
        return 1
    return scale.value[a] - scale.value[b] if a > b else scale.value[b] - scale.value[a]


cdef inline int64_t mark_of(int64_t distance, bint substitution) noexcept nogil:
    """32 pseudo-random bits of a distance (splitmix64 of Steele et al. 2014). Two sets of
    pairs with the same sum of marks have the same distances, and so the same price under any cost
    model; which of them is taken then makes no difference to a value."""
    cdef uint64_t z = (<uint64_t>distance * 2 + substitution) * <uint64_t>0x9E3779B97F4A7C15
    z = (z ^ (z >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <uint64_t>0x94D049BB133111EB
    return <int64_t>((z ^ (z >> 31)) >> 32)


cdef inline bint comes_before(const Entry *a, const Entry *b) noexcept nogil:
    if a.major != b.major:
        return a.major < b.major
    return a.minor < b.minor or (a.minor == b.minor and a.mark < b.mark)


cdef inline int heap_push(Heap *heap, Entry entry) noexcept nogil:
    """Add an entry; 0, or -1 without memory."""
    cdef:
        int64_t at = heap.count, parent
        Entry *grown
    if at == heap.capacity:
        grown = <Entry *>realloc(heap.entries, (2 * at + 16) * sizeof(Entry))
        if grown == NULL:
            return -1
        heap.entries = grown
        heap.capacity = 2 * at + 16
    heap.count += 1
    while at > 0:
        parent = (at - 1) >> 1
        if not comes_before(&entry, &heap.entries[parent]):
            break
        heap.entries[at] = heap.entries[parent]
        at = parent
    heap.entries[at] = entry
    return 0


cdef inline Entry heap_pop(Heap *heap) noexcept nogil:
    """Remove and return the least entry of a heap that has one."""
    cdef:
        Entry least = heap.entries[0], last
        int64_t at = 0, child
    heap.count -= 1
    last = heap.entries[heap.count]
    while True:
        child = 2 * at + 1
        if child >= heap.count:
            break
        if child + 1 < heap.count and comes_before(&heap.entries[child + 1], &heap.entries[child]):
            child += 1
        if not comes_before(&heap.entries[child], &last):
            break
        heap.entries[at] = heap.entries[child]
        at = child
    heap.entries[at] = last
    return least
