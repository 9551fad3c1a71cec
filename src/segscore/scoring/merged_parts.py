"""Sums that are merged twice count twice, and nothing in the averages shows it.

So an accumulator knows the parts that it was merged from: of each group and system the number of
documents, the sum of their names' hashes and of all statistics, in one word. The same word in two
parts that are merged means the same sums. Other statistics of the same documents, as those of
another run, are another part.
"""

import hashlib
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING

from segscore.scoring.accumulator_sums import BucketSums

if TYPE_CHECKING:  # it imports this module
    from segscore.scoring.accumulator import Accumulator
    from segscore.scoring.results import Group

_NAMELESS = 50  # documents: fewer without names may have the same sums by chance
_MOST = 10_000  # parts that are known; more are forgotten


class MergeWarning(UserWarning):
    """What is merged is probably not meant to be."""


def parts_of(sums: "Accumulator") -> frozenset[str]:
    """The parts that an accumulator was merged from; what was never merged is one itself."""
    return sums.parts or frozenset(_words(sums))


def merged_parts(mine: "Accumulator", other: "Accumulator") -> frozenset[str]:
    """The parts of both; a warning if they share some."""
    one, two = parts_of(mine), parts_of(other)
    twice = one & two
    if twice:
        warnings.warn(
            f"the same sums are merged twice ({len(twice)} of {len(two)} parts: the same documents "
            "with the same statistics); they now count twice in every average: merge each part "
            "once",
            MergeWarning,
            stacklevel=3,
        )
    both = one | two
    return both if len(both) <= _MOST else one


def _words(sums: "Accumulator") -> Iterator[str]:
    for group in sums.groups:
        for system in sums.systems:
            if sums.has(group, system):
                cell = sums.cell(group, system)
                if cell.checksum or cell.n_documents >= _NAMELESS:
                    yield _word(group, system, cell)


def _word(group: "Group", system: str, cell: BucketSums) -> str:
    """One group and system in a word."""
    total = cell.total().high + 0.0  # −0 and 0 are one sum
    told = repr((group, system, cell.n_documents, cell.checksum)).encode()
    return hashlib.blake2b(told + total.tobytes(), digest_size=12).hexdigest()
