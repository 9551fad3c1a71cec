"""`Convention`, an implementation of Pk and WindowDiff: its numbers for all documents at once."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from segscore._kernels import window
from segscore.basics.arguments import Floats, Int64Array
from segscore.conventions.symbols import Symbols
from segscore.conventions.troubles import Measure, Trouble, Unscored, never, says_so
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
    (`all_conventions.py`).
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
