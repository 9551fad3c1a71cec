"""A warning for sums that are merged twice: they count twice, and the averages do not show it.

So an accumulator knows the parts that it was merged from: for each group and system a word made
from the number of documents, the sum of their names' hashes and the sum of all statistics. Two
parts with the same word have the same sums. Other statistics of the same documents, such as those
of another run, are another part.
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
    """A warning that the same documents are probably merged twice."""


def parts_of(sums: "Accumulator") -> frozenset[str]:
    """The parts that an accumulator was merged from; an accumulator that was never merged is a part
    itself."""
    return sums.parts or frozenset(_words(sums))


def merged_parts(mine: "Accumulator", other: "Accumulator") -> frozenset[str]:
    """The parts of both accumulators; with a warning if they share some."""
    own, others = parts_of(mine), parts_of(other)
    twice = own & others
    if twice:
        warnings.warn(
            f"the same sums are merged twice ({len(twice)} of {len(others)} parts: the same "
            "documents with the same statistics); they now count twice in every average: merge "
            "each part once",
            MergeWarning,
            stacklevel=3,
        )
    both = own | others
    return both if len(both) <= _MOST else own


def _words(sums: "Accumulator") -> Iterator[str]:
    for group in sums.groups:
        for system in sums.systems:
            if sums.has(group, system):
                cell = sums.cell(group, system)
                if cell.checksum or cell.n_documents >= _NAMELESS:
                    yield _word(group, system, cell)


def _word(group: "Group", system: str, cell: BucketSums) -> str:
    """The word of a group and system."""
    total = cell.total().high + 0.0  # −0 and 0 are one sum
    identity = repr((group, system, cell.n_documents, cell.checksum)).encode()
    return hashlib.blake2b(identity + total.tobytes(), digest_size=12).hexdigest()
