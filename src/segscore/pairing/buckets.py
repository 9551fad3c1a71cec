"""The bucket of a case: intervals and tests over very many cases draw buckets of them instead.

The hash of its name chooses the bucket, so a document has the same bucket for every system, in any
order, in every process and engine. Sums of many random documents vary as single documents do, at a
cost that does not grow.
"""

from collections.abc import Sequence

import numpy as np

from segscore.basics.arguments import Int64Array
from segscore.pairing.list_columns import Texts, hashes_of

MANY = 20_000  # cases: above it, buckets are drawn
BUCKETS = 10_000


def are_many(n_cases: int) -> bool:
    """Whether buckets of the cases are drawn."""
    return n_cases > MANY


def buckets_of(names: Texts | Sequence[str], n_buckets: int = BUCKETS) -> Int64Array:
    """The bucket of each name, from 0: its 64-bit hash modulo the number of buckets.

    >>> buckets_of(["d1", "d2"]).tolist() == buckets_of(["d2", "d1"])[::-1].tolist()
    True
    """
    return (hashes_of(names) % np.uint64(n_buckets)).astype(np.int64)
