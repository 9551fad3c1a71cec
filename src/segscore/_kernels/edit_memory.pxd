"""Memory of the edit kernels: one allocation that grows, and arrays laid out in it."""

from libc.stdint cimport int64_t
from libc.stdlib cimport calloc, free

cdef enum:
    SLACK = 1024  # bytes: the few entries that arrays have beyond one per point, and alignment

cdef struct Arena:
    int64_t capacity  # points (or events) that its arrays hold
    char *memory
    char *unused


cdef inline int arena_reserve(Arena *arena, int64_t needed, int64_t bytes_each) noexcept nogil:
    """Make room for so many points: 0 if there is room, 1 if memory is new (all zeros) and its arrays
    must be placed in it, -1 without memory."""
    if needed < arena.capacity:
        return 0
    free(arena.memory)
    arena.capacity = needed + needed // 2 + 16
    arena.memory = arena.unused = <char *>calloc(1, arena.capacity * bytes_each + SLACK)
    if arena.memory == NULL:
        arena.capacity = 0
        return -1
    return 1


cdef inline void *arena_take(Arena *arena, int64_t count, int64_t size) noexcept nogil:
    """The next array of new memory."""
    cdef void *array = arena.unused
    arena.unused += (count * size + 7) & ~<int64_t>7
    return array


cdef inline void arena_release(Arena *arena) noexcept nogil:
    free(arena.memory)
    arena.memory = arena.unused = NULL
    arena.capacity = 0
