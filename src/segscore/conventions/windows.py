"""Pk and WindowDiff in other implementations: how they find k, count windows, and what they print
where no score exists, which may be a perfect score.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from segscore._kernels import window
from segscore.basics.arguments import Floats, Int64Array
from segscore.conventions.convention import AuditRow, Convention, Documents, joined, trouble_note
from segscore.conventions.symbols import Symbols
from segscore.metrics.ratios import ratio
from segscore.pairing.pairs import Pairs

NO_SIZE = -1  # the rule for k divides by 0
NEVER = 2**63 - 1  # no size of windows is too large

# ---- rules for k ----

Size = Callable[[Int64Array, Int64Array, Int64Array], Int64Array]  # of symbols, ones, segments


def half(length: Int64Array, parts: Int64Array) -> Int64Array:
    """Half the mean, rounded half to even as Python does, in exact arithmetic."""
    n_parts = np.maximum(parts, 1)
    whole, rest = np.divmod(length, 2 * n_parts)
    up = (rest > n_parts) | ((rest == n_parts) & (whole % 2 == 1))
    return np.where(parts > 0, whole + up, NO_SIZE)


def half_up(length: Int64Array, parts: Int64Array) -> Int64Array:
    """Half the mean, rounded half up."""
    return (length + parts) // (2 * parts)


def floored(length: Int64Array, ones: Int64Array, segments: Int64Array) -> Int64Array:
    """Half the mean segment, cut down."""
    del ones
    return length // (2 * segments)


def nltk_size(length: Int64Array, ones: Int64Array, segments: Int64Array) -> Int64Array:
    """The k of NLTK, which takes boundaries for segments."""
    del segments
    return half(length, np.maximum(1, ones))


def segeval_size(length: Int64Array, ones: Int64Array, segments: Int64Array) -> Int64Array:
    """The k of segeval, at least 2."""
    del ones
    return np.maximum(2, half(length, segments))


# ---- documents that cannot be scored ----


class Unscored(NamedTuple):
    """A document that cannot be scored: its symbols, its units, the window size, and whether both
    sides are the same."""

    length: int
    units: int
    k: int | None
    same: bool


class Trouble(NamedTuple):
    """What an implementation does with a document that cannot be scored."""

    prints: float
    divisor: int  # by which the document weighs in an average by windows
    words: str


def says_so(document: Unscored, measure: str) -> Trouble:
    """Print nothing where there is no value; no claim about code that was not run."""
    del measure
    return Trouble(math.nan, 0, f"undefined: k = {document.k} and {document.units} units")


def _perfect(divisor: int) -> Trouble:
    return Trouble(0.0, divisor, "prints 0: k = 0 makes every hypothesis perfect")


def nltk_trouble(document: Unscored, measure: str) -> Trouble:
    """What NLTK's pk and windowdiff do."""
    length, _, k, _ = document
    if k is None:
        return Trouble(math.nan, 0, "fails: division by the number of boundaries, 0")
    if k == 0:
        return _perfect(length + 1)
    if measure == "windowdiff":
        return Trouble(math.nan, 0, f"fails: k = {k} exceeds {length} symbols")
    if k == length + 1:
        return Trouble(math.nan, 0, f"fails: division by 0 windows (k = {k})")
    return Trouble(0.0, 0, f"prints 0: k = {k} leaves no window")


def perfect_without_size(document: Unscored, measure: str) -> Trouble:
    """No error if k is 0; other cases are unknown."""
    return _perfect(document.length) if document.k == 0 else says_so(document, measure)


def segeval_trouble(document: Unscored, measure: str) -> Trouble:
    """What segeval's pk and window_diff do."""
    k = document.k
    if measure == "windowdiff" and k == document.length:
        return Trouble(math.nan, 0, f"fails: 0 errors in 0 windows (k = {k})")
    return Trouble(0.0, 0, f"prints 0: k = {k} leaves no window")


def chunkseg_trouble(document: Unscored, measure: str) -> Trouble:
    """Chunkseg prints 1 for two equal sides where segeval fails, and 0 for two different sides."""
    if not document.units:
        return Trouble(math.nan, 0, "prints nothing: shorter than a chunk")
    trouble = segeval_trouble(document, measure)
    if math.isnan(trouble.prints):
        which, prints = ("equal", 1.0) if document.same else ("different", 0.0)
        return Trouble(prints, 0, f"prints {prints:g} for two {which} sides (segeval fails)")
    return trouble


def lamprier_trouble(document: Unscored, measure: str) -> Trouble:
    """What segeval's window_diff does with lamprier_et_al_2007_fix."""
    del measure
    return Trouble(0.0, 0, f"prints 0 for {document.units} unit (k = {document.k})")


# ---- counting ----


class WindowScores(NamedTuple):
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
class WindowConvention(Convention):
    """An implementation of Pk and WindowDiff: how it sees documents, its k, and what it does
    without a value.

    `fails_from`: the k from which its WindowDiff fails. `padded` also counts windows that reach
    beyond the text. `surplus` is added to the number of windows before it divides: errors of N+k
    windows over N+k+1, for instance. `same_prints` is printed for two equal sides where it fails
    otherwise. `fixed`: its k never depends on documents.
    """

    symbols: Callable[[Pairs], Symbols]
    size: Size
    trouble: Callable[[Unscored, str], Trouble] = says_so
    fails_from: int = NEVER
    padded: bool = False
    surplus: int = 0
    same_prints: float = math.nan
    fixed: bool = False

    def rows(self, documents: Documents, measure: str) -> Iterator[AuditRow]:
        """The mean, errors over windows, one k for all, and all documents as one."""
        seen = documents.once(self.symbols)
        own = self.scores(measure, seen, self.size(*seen[:3]))
        yield self._row(measure, "mean", own)
        yield self._row(measure, "windows", own)
        if not self.fixed:
            sums = (np.array([column.sum()]) for column in seen[:3])
            sizes = np.repeat(self.size(*sums), len(seen.length))
            yield self._row(measure, "global-k", self.scores(measure, seen, sizes))
        seen = documents.once(joined).once(self.symbols)
        whole = self.scores(measure, seen, self.size(*seen[:3]))
        yield self._row(measure, "concatenated", whole)

    def scores(self, measure: str, seen: Symbols, sizes: Int64Array) -> WindowScores:
        """The scores of all documents, each with its k."""
        errors, divisors = self._counted(measure, seen, sizes)
        prints, printed_divisors = ratio(errors, divisors), divisors.copy()
        troubles = []
        fails_from = self.fails_from if measure == "windowdiff" else NEVER
        for row in np.flatnonzero((divisors == 0) | (sizes >= fails_from)).tolist():
            document = _unscored(seen, row, int(sizes[row]))
            if divisors[row]:
                prints[row] = self.same_prints if document.same else math.nan
                words = f"fails: an assertion that holds only for k below 256 (k = {document.k})"
            else:
                prints[row], printed_divisors[row], words = self.trouble(document, measure)
            troubles.append(words)
        return WindowScores(sizes, errors, divisors, prints, printed_divisors, troubles)

    def _counted(
        self, measure: str, seen: Symbols, sizes: Int64Array
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

    def _row(self, measure: str, average: str, scores: WindowScores) -> AuditRow:
        divisor = int(scores.divisors.sum())
        defined = scores.divisors > 0
        n, n_defined = len(scores.sizes), int(np.count_nonzero(defined))
        if average == "windows":
            value = _quotient(float(scores.errors.sum()), divisor)
            above = float((scores.prints * scores.printed_divisors).sum())
            prints = _quotient(above, int(scores.printed_divisors.sum()))
        else:
            values = ratio(scores.errors, scores.divisors)[defined]
            value = _quotient(float(values.sum()), n_defined)
            prints = _quotient(float(scores.prints.sum()), n)
        windows = divisor - self.surplus * n_defined
        k, note = one_size(scores.sizes), trouble_note(scores.troubles)
        return AuditRow(
            self.name, measure, average, k, windows, value, prints, n, n - n_defined, note
        )


def _unscored(seen: Symbols, row: int, k: int) -> Unscored:
    ref, hyp = (
        side.positions[side.offsets[row] : side.offsets[row + 1]] for side in (seen.ref, seen.hyp)
    )
    size = None if k == NO_SIZE else k
    return Unscored(int(seen.length[row]), int(seen.units[row]), size, np.array_equal(ref, hyp))


def one_size(sizes: Int64Array) -> int | None:
    """The k of all documents, if it is the same for all."""
    k = int(sizes[0]) if len(sizes) else NO_SIZE
    return k if k != NO_SIZE and bool((sizes == k).all()) else None


def _quotient(above: float, below: int) -> float:
    return above / below if below else math.nan
