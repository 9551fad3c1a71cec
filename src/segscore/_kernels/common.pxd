"""Types that every kernel shares."""

from libc.stdint cimport int32_t, int64_t

# Boundary positions of a batch: 32 bits if the caller has them, 64 if documents are huge.
ctypedef fused position_t:
    int32_t
    int64_t
