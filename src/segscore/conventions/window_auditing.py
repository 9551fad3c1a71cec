"""The Pk and WindowDiff rows of an audit: each convention's number for a document, or its
averages.

`Convention`, an implementation of Pk and WindowDiff: its numbers for all documents at once.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from segscore._kernels import window
from segscore.basics.arguments import Floats, Int64Array
from segscore.conventions.audit_table import AuditRow, trouble_note
from segscore.conventions.symbols import Measure, Symbols, Trouble, Unscored, never, says_so, sides
from segscore.metrics.ratios import ratio
from segscore.pairing.pairs import Pairs

NO_SIZE = -1  # the rule for k divides by 0

Size = Callable[[Int64Array, Int64Array, Int64Array], Int64Array]  # of symbols, ones, segments


class ConventionScores(NamedTuple):
    """The values of documents under a convention.

    divisors: usually the number of windows; 0 where there is no value. prints: NaN where the
    implementation fails. troubles: the problems of documents, in their order.
    """

    sizes: Int64Array
    errors: Int64Array
    divisors: Int64Array
    prints: Floats
    printed_divisors: Int64Array
    troubles: list[str]


@dataclass(frozen=True)
class Convention:
    """An implementation: how it sees documents, its k, and what it does without a value.

    `sentence` says how it differs from the papers, `source` names its file. `padded` also counts
    windows that reach beyond the text. `surplus` is added to the number of windows before it
    divides: errors of N+k windows over N+k+1, for instance. `same_prints` is printed for two equal
    sides where it fails otherwise. `variant_of` names a convention that usually prints the same;
    its rows are left out if they do not differ. `cost`: how far-fetched it is
    (`auditing.py`).
    """

    name: str
    sentence: str
    source: str
    symbols: Callable[[Pairs], Symbols]
    size: Size
    trouble: Callable[[Unscored, Measure], Trouble] = says_so
    fails_from: Callable[[Measure], int] = never
    measures: tuple[Measure, ...] = ("pk", "windowdiff")
    padded: bool = False
    surplus: int = 0
    same_prints: float = math.nan
    variant_of: str | None = None
    cost: float = 1.0

    def sizes(self, seen: Symbols) -> Int64Array:
        """The window size of each document; NO_SIZE where the rule divides by 0."""
        return self.size(seen.length, seen.ones, seen.segments)

    def size_of_all(self, seen: Symbols) -> Int64Array:
        """The window size of each document, if it comes from all of them together."""
        sums = (np.array([column.sum()]) for column in seen[:3])
        return np.repeat(self.size(*sums), len(seen.length))

    def score(self, measure: Measure, seen: Symbols, sizes: Int64Array) -> ConventionScores:
        """The scores of all documents, each with its k."""
        errors, divisors = self._counted(measure, seen, sizes)
        prints = ratio(errors, divisors)
        found = ConventionScores(sizes, errors, divisors, prints, divisors.copy(), [])
        for row in np.flatnonzero((divisors == 0) | (sizes >= self.fails_from(measure))).tolist():
            document = _unscored(seen, row, int(sizes[row]))
            if divisors[row]:
                prints[row] = self.same_prints if document.same else math.nan
                words = f"fails: an assertion that holds only for k below 256 (k = {document.k})"
            else:
                prints[row], found.printed_divisors[row], words = self.trouble(document, measure)
            found.troubles.append(words)
        return found

    def _counted(
        self, measure: Measure, seen: Symbols, sizes: Int64Array
    ) -> tuple[Int64Array, Int64Array]:
        """The number of windows with an error, and the divisor (0: there is no value)."""
        rows = np.zeros((len(sizes), 2))
        counted = measure == "windowdiff"
        window.rows_of_sizes(
            0, len(sizes), seen.units, *seen.ref, *seen.hyp, sizes, counted, self.padded, rows
        )
        errors, windows = rows.astype(np.int64).T
        if self.padded:
            windows = np.where(windows > 0, seen.units + sizes, 0)
        return errors, np.where(windows > 0, windows + self.surplus, 0)


def _unscored(seen: Symbols, row: int, k: int) -> Unscored:
    ref, hyp = (
        side.positions[side.offsets[row] : side.offsets[row + 1]] for side in (seen.ref, seen.hyp)
    )
    size = None if k == NO_SIZE else k
    return Unscored(int(seen.length[row]), int(seen.units[row]), size, np.array_equal(ref, hyp))


# ---- rules for k ----


def half(length: Int64Array, parts: Int64Array) -> Int64Array:
    """Half the mean, rounded half to even as Python does, in exact arithmetic."""
    n_parts = np.maximum(parts, 1)
    whole, rest = np.divmod(length, 2 * n_parts)
    up = (rest > n_parts) | ((rest == n_parts) & (whole % 2 == 1))
    return np.where(parts > 0, whole + up, NO_SIZE)


def half_up(length: Int64Array, parts: Int64Array) -> Int64Array:
    """Half the mean, rounded half up."""
    return (length + parts) // (2 * parts)


def fixed(k: int) -> Size:
    """A rule that gives the same k for all documents."""
    return lambda length, _, __: np.full(len(length), k, np.int64)


def segeval_size(length: Int64Array, ones: Int64Array, segments: Int64Array) -> Int64Array:
    """The k of segeval, at least 2."""
    del ones
    return np.maximum(2, half(length, segments))


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
