"""The Pk and WindowDiff rows of an audit: each convention's number for a document, or its
averages."""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from segscore.basics.arguments import Int64Array
from segscore.conventions.audit_table import AuditRow, trouble_note
from segscore.conventions.symbols import Symbols, sides
from segscore.conventions.troubles import Measure
from segscore.conventions.window_convention import (
    NO_SIZE,
    Convention,
    ConventionScores,
)
from segscore.metrics.ratios import ratio
from segscore.pairing.pairs import Pairs

WINDOW_AVERAGES = ("mean", "windows", "global-k", "concatenated")
PLAIN_AVERAGES = ("mean", "windows")


class SeenDocuments:
    """The documents, and all of them joined into one, in each encoding; each is made once."""

    def __init__(self, pairs: Pairs) -> None:
        self.pairs = pairs
        self._joined: Pairs | None = None
        self._seen: dict[tuple[Any, bool], Symbols] = {}

    def symbols(self, encoding: Callable[[Pairs], Symbols], joined: bool = False) -> Symbols:
        """The documents in an encoding."""
        key = encoding, joined
        if key not in self._seen:
            self._seen[key] = encoding(self.joined if joined else self.pairs)
        return self._seen[key]

    @property
    def joined(self) -> Pairs:
        """All documents joined into one."""
        if self._joined is None:
            self._joined = _concatenated(self.pairs)
        return self._joined


def window_rows(
    documents: SeenDocuments,
    measures: Sequence[str],
    conventions: Sequence[Convention],
    averages: Sequence[str] = WINDOW_AVERAGES,
) -> Iterator[AuditRow]:
    """A number for a document; for a corpus a number for each average."""
    for convention in conventions:
        for measure in convention.measures:
            if measure in measures:
                yield from _audited(convention, measure, documents, averages)


def _audited(
    convention: Convention, measure: Measure, documents: SeenDocuments, averages: Sequence[str]
) -> Iterator[AuditRow]:
    seen = documents.symbols(convention.symbols)
    own = convention.score(measure, seen, convention.sizes(seen))
    if len(documents.pairs) == 1:
        yield _averaged(convention, measure, "document", own)
        return
    for average in averages:
        found = own
        if average == "global-k":
            found = convention.score(measure, seen, convention.size_of_all(seen))
        elif average == "concatenated":
            joined = documents.symbols(convention.symbols, joined=True)
            found = convention.score(measure, joined, convention.sizes(joined))
        yield _averaged(convention, measure, average, found)


def _averaged(
    convention: Convention, measure: Measure, average: str, found: ConventionScores
) -> AuditRow:
    divisor = int(found.divisors.sum())
    defined = found.divisors > 0
    n, n_defined = len(found.sizes), int(np.count_nonzero(defined))
    if average == "windows":
        value = _quotient(float(found.errors.sum()), divisor)
        above = float((found.prints * found.printed_divisors).sum())
        prints = _quotient(above, int(found.printed_divisors.sum()))
    else:
        values = ratio(found.errors, found.divisors)[defined]
        value = _quotient(float(values.sum()), n_defined)
        prints = _quotient(float(found.prints.sum()), n)
    return AuditRow(
        convention.name, measure, average, _one_size(found.sizes),
        divisor - convention.surplus * n_defined, value, prints, n, n - n_defined,
        trouble_note(found.troubles),
    )  # fmt: skip


def _one_size(sizes: Int64Array) -> int | None:
    """The k of all documents, if it is the same for all."""
    k = int(sizes[0])
    return k if k != NO_SIZE and bool((sizes == k).all()) else None


def _quotient(above: float, below: int) -> float:
    return above / below if below else math.nan


def _concatenated(pairs: Pairs) -> Pairs:
    """All documents joined into one, with a boundary at each end of a document."""
    ends = np.cumsum(pairs.n_units)
    joined: list[Any] = []
    for offsets, positions in sides(pairs):
        moved = positions + np.repeat(ends - pairs.n_units, np.diff(offsets))
        every = np.insert(moved, offsets[1:-1], ends[:-1])
        joined += [np.array([0, len(every)]), every]
    return Pairs(ends[-1:], *joined, provenance=pairs.provenance)
