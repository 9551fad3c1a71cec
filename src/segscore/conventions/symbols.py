"""How implementations see documents: units, gaps, a label per unit, chunks of time.

Each encoding turns `Pairs` into `Symbols`, columns with a row per document, in which windows are
counted. Encodings differ in the number of symbols, how many of them mark a boundary, and where.

What implementations do with documents that have no value: print a perfect score, or fail.
"""

import math
from typing import Literal, NamedTuple

import numpy as np

from segscore.basics.arguments import Int64Array
from segscore.corpus.lists import starts_of
from segscore.pairing.pairs import Pairs

Measure = Literal["pk", "windowdiff"]


class Trouble(NamedTuple):
    """What an implementation does with a document that cannot be scored."""

    prints: float
    divisor: int  # by which the document weighs in an average by windows
    words: str


class Unscored(NamedTuple):
    """A document that cannot be scored: its symbols, its units, the window size, and whether both
    sides are the same."""

    length: int
    units: int
    k: int | None
    same: bool


def says_so(document: Unscored, measure: Measure) -> Trouble:
    """Print nothing where there is no value; no claim about code that was not run."""
    del measure
    return Trouble(math.nan, 0, f"undefined: k = {document.k} and {document.units} units")


def nltk_trouble(document: Unscored, measure: Measure) -> Trouble:
    """What NLTK's pk and windowdiff do."""
    length, _, k, _ = document
    if k is None:
        return Trouble(math.nan, 0, "fails: division by the number of boundaries, 0")
    if k == 0:
        return Trouble(0.0, length + 1, "prints 0: k = 0 makes every hypothesis perfect")
    if measure == "windowdiff":
        return Trouble(math.nan, 0, f"fails: k = {k} exceeds {length} symbols")
    if k == length + 1:
        return Trouble(math.nan, 0, f"fails: division by 0 windows (k = {k})")
    return Trouble(0.0, 0, f"prints 0: k = {k} leaves no window")


def perfect_without_size(document: Unscored, measure: Measure) -> Trouble:
    """No error if k is 0; other cases are unknown."""
    if document.k == 0:
        return Trouble(0.0, document.units, "prints 0: k = 0 makes every hypothesis perfect")
    return says_so(document, measure)


def haps_trouble(document: Unscored, measure: Measure) -> Trouble:
    """HAPS divides by one window fewer."""
    if document.k == 0:
        return Trouble(0.0, document.length, "prints 0: k = 0 makes every hypothesis perfect")
    return says_so(document, measure)


def segeval_trouble(document: Unscored, measure: Measure) -> Trouble:
    """What segeval's pk and window_diff do."""
    k = document.k
    if measure == "windowdiff" and k == document.length:
        return Trouble(math.nan, 0, f"fails: 0 errors in 0 windows (k = {k})")
    return Trouble(0.0, 0, f"prints 0: k = {k} leaves no window")


def chunkseg_trouble(document: Unscored, measure: Measure) -> Trouble:
    """Chunkseg prints 1 for two equal sides where segeval fails, and 0 for two different sides."""
    if not document.units:
        return Trouble(math.nan, 0, "prints nothing: shorter than a chunk")
    found = segeval_trouble(document, measure)
    if math.isnan(found.prints):
        prints = 1.0 if document.same else 0.0
        which = "equal" if document.same else "different"
        return Trouble(prints, 0, f"prints {prints:g} for two {which} sides (segeval fails)")
    return found


def lamprier_trouble(document: Unscored, measure: Measure) -> Trouble:
    """What segeval's window_diff does with lamprier_et_al_2007_fix."""
    del measure
    return Trouble(0.0, 0, f"prints 0 for {document.units} unit (k = {document.k})")


_NEVER = 2**63 - 1


def never(measure: Measure) -> int:
    """No size of windows is too large."""
    del measure
    return _NEVER


def segeval_fails(measure: Measure) -> int:
    """Whether segeval fails because it compares k+1 by identity, which works for small numbers
    only."""
    return 256 if measure == "windowdiff" else _NEVER


CHUNK = 6_000_000  # of chunkseg, in microseconds


class Places(NamedTuple):
    """The boundaries of a side, document after document."""

    offsets: Int64Array
    positions: Int64Array

    @property
    def counts(self) -> Int64Array:
        """The number of boundaries of each document."""
        return np.diff(self.offsets)

    @property
    def rows(self) -> Int64Array:
        """The document of each boundary."""
        return np.repeat(np.arange(len(self.offsets) - 1), self.counts)

    def kept(self, these: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> "Places":
        """The boundaries to keep."""
        return Places(starts_of(these)[self.offsets], self.positions[these])

    def moved(self, by: int) -> "Places":
        """A copy with each boundary `by` places later."""
        return Places(self.offsets, self.positions + by)

    def with_first(self, position: int) -> "Places":
        """A copy with one more boundary in each document, before the others."""
        offsets = self.offsets + np.arange(len(self.offsets))
        return Places(offsets, np.insert(self.positions, self.offsets[:-1], position))

    def with_last(self, position: Int64Array) -> "Places":
        """A copy with one more boundary in each document, after the others."""
        offsets = self.offsets + np.arange(len(self.offsets))
        return Places(offsets, np.insert(self.positions, self.offsets[1:], position))


class Symbols(NamedTuple):
    """Documents as an implementation sees them, a row each.

    ones: the number of reference symbols that mark a boundary; segments: the number of reference
    segments; units: there are `units` - k windows of k symbols.
    """

    length: Int64Array  # symbols
    ones: Int64Array
    segments: Int64Array
    units: Int64Array
    ref: Places
    hyp: Places


def sides(pairs: Pairs) -> tuple[Places, Places]:
    """The places of reference and hypothesis."""
    return (
        Places(pairs.ref_offsets, np.asarray(pairs.ref_positions, np.int64)),
        Places(pairs.hyp_offsets, np.asarray(pairs.hyp_positions, np.int64)),
    )


def units(pairs: Pairs) -> Symbols:
    """Encode N units with boundaries between them; a window of k has N-k places."""
    ones = np.diff(pairs.ref_offsets)
    return Symbols(pairs.n_units, ones, ones + 1, pairs.n_units, *sides(pairs))


def gaps(pairs: Pairs) -> Symbols:
    """Encode a symbol per gap: N-1."""
    return units(pairs)._replace(length=pairs.n_units - 1)


def ends(pairs: Pairs) -> Symbols:
    """Encode a symbol per unit, 1 where it ends a segment, the last unit 0: one gap too many."""
    return units(pairs)._replace(units=pairs.n_units + 1)


def closed_ends(pairs: Pairs) -> Symbols:
    """Encode a symbol per unit, 1 where it ends a segment, the last unit 1: one more boundary."""
    seen = ends(pairs)
    ref, hyp = (side.with_last(pairs.n_units) for side in (seen.ref, seen.hyp))
    return seen._replace(ones=seen.segments, ref=ref, hyp=hyp)


def starts(pairs: Pairs) -> Symbols:
    """Encode a symbol per unit, 1 where it starts a segment, the first unit 0."""
    seen = ends(pairs)
    return seen._replace(ref=seen.ref.moved(1), hyp=seen.hyp.moved(1))


def closed_starts(pairs: Pairs) -> Symbols:
    """Encode a symbol per unit, 1 where it starts a segment, the first unit 1: one more
    boundary."""
    seen = starts(pairs)
    ref, hyp = (side.with_first(1) for side in (seen.ref, seen.hyp))
    return seen._replace(ones=seen.segments, ref=ref, hyp=hyp)


def splits(pairs: Pairs) -> Symbols:
    """Encode the indices of units before a split, counted from 0, sought from 0 to N-2: each one
    place late, so that the last position is never seen."""
    seen = units(pairs)
    found = [
        side.kept(side.positions < pairs.n_units[side.rows] - 1).moved(1)
        for side in (seen.ref, seen.hyp)
    ]
    return seen._replace(ref=found[0], hyp=found[1])


# ---- labels that are taken for gaps: one unit more ----


def _one_more(seen: Symbols) -> Symbols:
    """Masses of N+1 units, made from N labels."""
    ones = seen.ref.counts
    return seen._replace(length=seen.units, ones=ones, segments=ones + 1)


def ends_as_gaps(pairs: Pairs) -> Symbols:
    """Encode N labels, the last 0, which a program reads as the gaps of N+1 units."""
    return _one_more(ends(pairs))


def closed_ends_as_gaps(pairs: Pairs) -> Symbols:
    """Encode N labels, the last 1, which a program reads as the gaps of N+1 units."""
    return _one_more(closed_ends(pairs))


def closed_starts_as_gaps(pairs: Pairs) -> Symbols:
    """Encode N labels, 1 = start, the first 1, which a program reads as the gaps of N+1 units."""
    return _one_more(closed_starts(pairs))


def chunk_labels(pairs: Pairs) -> tuple[Int64Array, Places, Places]:
    """The labels of chunkseg: their number, and which are 1 (counted from 0).

    Times become chunks of 6 s, rounded down, and so does the duration; units without a known length
    are its chunks. Anything after the last whole chunk is left out.
    """
    n, both = pairs.n_units, sides(pairs)
    length = pairs.provenance.unit_length
    if length is None:
        return n, *both
    common = math.gcd(length, CHUNK)  # so that products stay small
    length, chunk = length // common, CHUNK // common
    n = n * length // chunk
    found = []
    for side in both:
        whole = side.kept((side.positions * length <= n[side.rows] * chunk) & (n[side.rows] > 0))
        chunks = np.minimum(whole.positions * length // chunk, n[whole.rows] - 1)
        first = np.ones(len(chunks), np.bool_)
        first[1:] = (np.diff(chunks) != 0) | (np.diff(whole.rows) != 0)
        found.append(Places(whole.offsets, chunks).kept(first))
    return n, found[0], found[1]


def chunks_as_gaps(pairs: Pairs) -> Symbols:
    """The labels of chunkseg, which segeval reads as the gaps of one unit more."""
    n, ref, hyp = chunk_labels(pairs)
    ones = ref.counts
    later = ref.moved(1), hyp.moved(1)
    return Symbols(n + 1, ones, ones + 1, np.where(n > 0, n + 1, 0), *later)


def without_last_unit(pairs: Pairs) -> Symbols:
    """Encode N-1 units: the last unit is dropped, and so is the boundary before it."""
    n = pairs.n_units - 1
    ref, hyp = (side.kept(side.positions < n[side.rows]) for side in sides(pairs))
    return Symbols(n, ref.counts, ref.counts + 1, n, ref, hyp)
