"""Other people's readings of Pk and WindowDiff: each `Convention` is one implementation in use.

Implementations disagree about what a unit is, how k is found and which windows there are. A
convention says how one of them encodes a document as symbols, its rule for k, and what it prints
where no score exists.

Conventions `nltk` and `nltk-labels` equal NLTK 3.10, `segeval` and `lamprier` equal segeval 2.0.11,
crashes included; the others follow the rule that the cited code states.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

import numpy as np

from segscore._kernels import window
from segscore.coding.segmentation import Segmentation

Measure = Literal["pk", "windowdiff"]


class Symbols(NamedTuple):
    """A document as an implementation sees it."""

    length: int  # symbols
    ones: int  # symbols of the reference that mark a boundary
    segments: int  # of the reference
    units: int  # a window of k symbols runs over this many units minus k
    ref: bytes  # packed positions
    hyp: bytes


class ConventionScore(NamedTuple):
    """What a convention makes of one document."""

    k: int | None
    errors: int
    divisor: int  # the number of windows, as a rule; 0 where there is no value
    prints: float  # NaN where the implementation fails
    printed_divisor: int
    trouble: str | None

    @property
    def value(self) -> float:
        """Errors over windows."""
        return self.errors / self.divisor if self.divisor else math.nan


# ---- encodings ----


def _units(ref: Segmentation, hyp: Segmentation) -> Symbols:
    """N units, boundaries between them; a window of k has N-k places."""
    ones = ref.n_segments - 1
    return Symbols(ref.n_units, ones, ones + 1, ref.n_units, ref.packed, hyp.packed)


def _gaps(ref: Segmentation, hyp: Segmentation) -> Symbols:
    """A symbol per gap: N-1."""
    return _units(ref, hyp)._replace(length=ref.n_units - 1)


def _ends(ref: Segmentation, hyp: Segmentation) -> Symbols:
    """A symbol per unit, 1 where it ends a segment, the last unit 0: one gap too many."""
    return _units(ref, hyp)._replace(units=ref.n_units + 1)


def _closed_ends(ref: Segmentation, hyp: Segmentation) -> Symbols:
    """A symbol per unit, 1 where it ends a segment, the last unit 1: one more boundary."""
    last = np.int64(ref.n_units).tobytes()
    seen = _ends(ref, hyp)
    return seen._replace(ones=seen.segments, ref=ref.packed + last, hyp=hyp.packed + last)


def _starts(ref: Segmentation, hyp: Segmentation) -> Symbols:
    """A symbol per unit, 1 where it starts a segment, the first unit 0."""
    later = [(one.boundaries + 1).tobytes() for one in (ref, hyp)]
    return _ends(ref, hyp)._replace(ref=later[0], hyp=later[1])


def _splits(ref: Segmentation, hyp: Segmentation) -> Symbols:
    """Indices of units before which a split stands, counted from 0, sought from 0 to N-2: each one
    place late, so that the last position is never seen."""
    seen = [one.boundaries[one.boundaries < one.n_units - 1] + 1 for one in (ref, hyp)]
    return _units(ref, hyp)._replace(ref=seen[0].tobytes(), hyp=seen[1].tobytes())


# ---- what happens where there is no value ----


class Trouble(NamedTuple):
    """What an implementation does with a document that cannot be scored."""

    prints: float
    divisor: int  # by which the document weighs in an average by windows
    words: str


def _says_so(symbols: Symbols, k: int | None, measure: Measure) -> Trouble:
    """No claim about code that was not run: there is no value, and nothing is printed."""
    del measure
    return Trouble(math.nan, 0, f"undefined: k = {k} and {symbols.units} units")


def _nltk_trouble(symbols: Symbols, k: int | None, measure: Measure) -> Trouble:
    if k is None:
        return Trouble(math.nan, 0, "fails: division by the number of boundaries, 0")
    if k == 0:
        return Trouble(0.0, symbols.length + 1, "prints 0: k = 0 makes every hypothesis perfect")
    if measure == "windowdiff":
        return Trouble(math.nan, 0, f"fails: k = {k} exceeds {symbols.length} symbols")
    if k == symbols.length + 1:
        return Trouble(math.nan, 0, f"fails: division by 0 windows (k = {k})")
    return Trouble(0.0, 0, f"prints 0: k = {k} leaves no window")


def _textsplit_trouble(symbols: Symbols, k: int | None, measure: Measure) -> Trouble:
    if k == 0:
        return Trouble(0.0, symbols.units, "prints 0: k = 0 makes every hypothesis perfect")
    return _says_so(symbols, k, measure)


def _segeval_trouble(symbols: Symbols, k: int | None, measure: Measure) -> Trouble:
    if measure == "windowdiff" and k == symbols.length:
        return Trouble(math.nan, 0, f"fails: 0 errors in 0 windows (k = {k})")
    return Trouble(0.0, 0, f"prints 0: k = {k} leaves no window")


# ---- conventions ----


def _never(symbols: Symbols, k: int, measure: Measure) -> str | None:
    del symbols, k, measure
    return None


def _segeval_fails(symbols: Symbols, k: int, measure: Measure) -> str | None:
    """They compare k+1 by identity, which holds for small numbers only."""
    del symbols
    if measure == "windowdiff" and k >= 256:
        return f"fails: an assertion that holds only for k below 256 (k = {k})"
    return None


@dataclass(frozen=True)
class Convention:
    """One implementation: how it sees a document, its k, and its behaviour without a value.

    `sentence` says how it differs from the papers. `padded` counts the windows that reach beyond
    the text, too, and divides by N+k+1, as segeval does for Lamprier et al. (2007).
    """

    name: str
    sentence: str
    symbols: Callable[[Segmentation, Segmentation], Symbols]
    size: Callable[[int, int, int], int]  # of symbols, ones, segments
    trouble: Callable[[Symbols, int | None, Measure], Trouble] = _says_so
    fails: Callable[[Symbols, int, Measure], str | None] = _never
    measures: tuple[Measure, ...] = ("pk", "windowdiff")
    padded: bool = False

    def k(self, length: int, ones: int, segments: int) -> int | None:
        """The window size; None where the rule divides by 0."""
        try:
            return self.size(length, ones, segments)
        except ZeroDivisionError:
            return None

    def score(self, measure: Measure, symbols: Symbols, k: int | None) -> ConventionScore:
        """One document under a given k."""
        counted = _count(measure, symbols, k, self.padded) if k and k > 0 else (0, 0)
        if k is None or not counted[1]:
            return ConventionScore(k, 0, 0, *self.trouble(symbols, k, measure))
        errors, divisor = counted
        failure = self.fails(symbols, k, measure)
        prints = math.nan if failure else errors / divisor
        return ConventionScore(k, errors, divisor, prints, divisor, failure)


@lru_cache
def _rule(k: int, padded: bool) -> tuple[int, int, int, int, int]:
    return k, 0, 1, 0, 1 if padded else 0  # fixed k; half-even; min_k; k_offset; pad or drop


def _count(measure: Measure, symbols: Symbols, k: int, padded: bool) -> tuple[int, int]:
    """Windows with an error, and what they are divided by (0: there is no value)."""
    rule = _rule(k, padded)
    if measure == "pk":
        missed, invented, windows = window.pk_of_pair(symbols.units, symbols.ref, symbols.hyp, rule)
        return int(missed + invented), int(windows)
    errors, windows = window.window_diff_of_pair(
        symbols.units, symbols.ref, symbols.hyp, rule, False
    )
    return int(errors), symbols.units + k + 1 if padded and windows else int(windows)


def _half(length: int, parts: int) -> int:
    """Half the mean, rounded half to even as Python does, in exact arithmetic."""
    whole, rest = divmod(length, 2 * parts)
    return whole + (rest > parts or (rest == parts and whole % 2))


def _half_up(length: int, parts: int) -> int:
    return (length + parts) // (2 * parts)


def _segeval_size(length: int, ones: int, segments: int) -> int:
    del ones
    return max(2, _half(length, segments))


CONVENTIONS: tuple[Convention, ...] = (
    Convention(
        "paper",
        "Beeferman et al. 1999, Pevzner & Hearst 2002: N units, k half the mean segment, "
        "N-k windows.",
        _units,
        lambda length, _, segments: max(1, _half(length, segments)),
    ),
    Convention(
        "nltk",
        "NLTK on N-1 gap symbols takes gaps for units and boundaries for segments: k is too large, "
        "and 0 where boundaries are dense. Its windowdiff has no default k: pk's is used.",
        _gaps,
        lambda length, ones, _: _half(length, max(1, ones)),
        _nltk_trouble,
    ),
    Convention(
        "segeval",
        "segeval forces k to be 2 at least, and prints 0 or fails where k reaches N.",
        _units,
        _segeval_size,
        _segeval_trouble,
        _segeval_fails,
    ),
    Convention(
        "nltk-labels",
        "NLTK on a label per unit, the last being 1: one more symbol and one more boundary, which "
        "both sides share, so N-k+1 windows.",
        _closed_ends,
        lambda length, ones, _: _half(length, max(1, ones)),
        _nltk_trouble,
    ),
    Convention(
        "solbiati",
        "A label per unit, 1 = segment start (not the first): k from boundaries instead of "
        "segments, N-k+1 windows, every boundary one place later.",
        _starts,
        lambda length, ones, _: _half(length, ones),
        _nltk_trouble,
    ),
    Convention(
        "superdialseg",
        "A label per unit, the last being 0: N-k+1 windows, k at least 2.",
        _ends,
        lambda length, ones, _: max(2, _half(length, ones + 1)),
        _nltk_trouble,
    ),
    Convention(
        "treeseg",
        "A label per unit, 1 = segment start: N-k+1 windows, every boundary one place later.",
        _starts,
        lambda length, _, segments: _half(length, segments),
        _nltk_trouble,
    ),
    Convention(
        "textsplit",
        "Half the mean segment minus 1: k is too small, and 0 for short segments; the last "
        "position is never seen. Pk only.",
        _splits,
        lambda length, _, segments: _half(length - 2 * segments, segments),
        _textsplit_trouble,
        measures=("pk",),
    ),
    Convention(
        "lamprier",
        "segeval's lamprier_et_al_2007_fix: windows also reach beyond the text, N+k of them, but "
        "the sum is divided by N+k+1, so that 1 cannot be reached. WindowDiff only.",
        _units,
        _segeval_size,
        lambda symbols, k, _: Trouble(0.0, 0, f"prints 0 for {symbols.units} unit (k = {k})"),
        _segeval_fails,
        measures=("windowdiff",),
        padded=True,
    ),
    Convention(
        "fi12",
        "Fournier & Inkpen 2012 count the k-1 positions inside k units, rounding half up.",
        _units,
        lambda length, _, segments: max(1, _half_up(length, segments) - 1),
    ),
)
