"""Types that every kernel shares."""

from libc.stdint cimport int32_t, int64_t

# Boundary positions of a batch: 32 bits where the caller has them, 64 where documents are vast.
ctypedef fused position_t:
    int32_t
    int64_t
