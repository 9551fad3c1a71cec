"""Other people's readings of Pk and WindowDiff: each `Convention` is one implementation in use.

Implementations disagree about what a unit is, how k is found and which windows there are. A
convention says how one of them encodes documents as symbols, its rule for k, and what it prints
where no score exists. All documents are counted at once, as columns.

Conventions `nltk` and `nltk-labels` equal NLTK 3.10, `segeval` and `lamprier` equal segeval 2.0.11,
crashes included; the others follow the rule that the cited code states. EvalHDS, which compares
levels, is apart (`evalhds.py`).
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from segscore._kernels import window
from segscore.basics.arguments import Int64Array
from segscore.corpus.lists import starts_of
from segscore.pairing.pairs import Pairs

Measure = Literal["pk", "windowdiff"]


class Places(NamedTuple):
    """The boundaries of one side, document after document."""

    offsets: Int64Array
    positions: Int64Array

    @property
    def counts(self) -> Int64Array:
        """Boundaries of each document."""
        return np.diff(self.offsets)


class Symbols(NamedTuple):
    """Documents as an implementation sees them, a row each.

    ones: symbols of the reference that mark a boundary; segments: those of the reference; units: a
    window of k symbols runs over so many minus k.
    """

    length: Int64Array  # symbols
    ones: Int64Array
    segments: Int64Array
    units: Int64Array
    ref: Places
    hyp: Places


class ConventionScores(NamedTuple):
    """What a convention makes of documents, a value each.

    divisors: the number of windows, as a rule; 0 where there is no value. prints: NaN where the
    implementation fails. troubles: what is to be said of documents, in their order.
    """

    sizes: list[int | None]
    errors: list[int]
    divisors: list[int]
    prints: list[float]
    printed_divisors: list[int]
    troubles: list[str]


# ---- encodings ----


def _units(pairs: Pairs) -> Symbols:
    """N units, boundaries between them; a window of k has N-k places."""
    ones = np.diff(pairs.ref_offsets)
    return Symbols(pairs.n_units, ones, ones + 1, pairs.n_units, *sides(pairs))


def sides(pairs: Pairs) -> tuple[Places, Places]:
    """Reference and hypothesis."""
    return (
        Places(pairs.ref_offsets, np.asarray(pairs.ref_positions, np.int64)),
        Places(pairs.hyp_offsets, np.asarray(pairs.hyp_positions, np.int64)),
    )


def _gaps(pairs: Pairs) -> Symbols:
    """A symbol per gap: N-1."""
    return _units(pairs)._replace(length=pairs.n_units - 1)


def _ends(pairs: Pairs) -> Symbols:
    """A symbol per unit, 1 where it ends a segment, the last unit 0: one gap too many."""
    return _units(pairs)._replace(units=pairs.n_units + 1)


def _closed_ends(pairs: Pairs) -> Symbols:
    """A symbol per unit, 1 where it ends a segment, the last unit 1: one more boundary."""
    seen = _ends(pairs)
    ref, hyp = (
        Places(offsets + np.arange(len(offsets)), np.insert(positions, offsets[1:], pairs.n_units))
        for offsets, positions in (seen.ref, seen.hyp)
    )
    return seen._replace(ones=seen.segments, ref=ref, hyp=hyp)


def _starts(pairs: Pairs) -> Symbols:
    """A symbol per unit, 1 where it starts a segment, the first unit 0."""
    seen = _ends(pairs)
    later = [one._replace(positions=one.positions + 1) for one in (seen.ref, seen.hyp)]
    return seen._replace(ref=later[0], hyp=later[1])


def _splits(pairs: Pairs) -> Symbols:
    """Indices of units before which a split stands, counted from 0, sought from 0 to N-2: each one
    place late, so that the last position is never seen."""
    seen = _units(pairs)
    found = []
    for offsets, positions in (seen.ref, seen.hyp):
        kept = positions < np.repeat(pairs.n_units - 1, np.diff(offsets))
        found.append(Places(starts_of(kept)[offsets], positions[kept] + 1))
    return seen._replace(ref=found[0], hyp=found[1])


# ---- what happens where there is no value ----


class Trouble(NamedTuple):
    """What an implementation does with a document that cannot be scored."""

    prints: float
    divisor: int  # by which the document weighs in an average by windows
    words: str


class Unscored(NamedTuple):
    """A document that cannot be scored: its symbols, its units, and the window size."""

    length: int
    units: int
    k: int | None


def _says_so(document: Unscored, measure: Measure) -> Trouble:
    """No claim about code that was not run: there is no value, and nothing is printed."""
    del measure
    return Trouble(math.nan, 0, f"undefined: k = {document.k} and {document.units} units")


def _nltk_trouble(document: Unscored, measure: Measure) -> Trouble:
    length, _, k = document
    if k is None:
        return Trouble(math.nan, 0, "fails: division by the number of boundaries, 0")
    if k == 0:
        return Trouble(0.0, length + 1, "prints 0: k = 0 makes every hypothesis perfect")
    if measure == "windowdiff":
        return Trouble(math.nan, 0, f"fails: k = {k} exceeds {length} symbols")
    if k == length + 1:
        return Trouble(math.nan, 0, f"fails: division by 0 windows (k = {k})")
    return Trouble(0.0, 0, f"prints 0: k = {k} leaves no window")


def _textsplit_trouble(document: Unscored, measure: Measure) -> Trouble:
    if document.k == 0:
        return Trouble(0.0, document.units, "prints 0: k = 0 makes every hypothesis perfect")
    return _says_so(document, measure)


def _segeval_trouble(document: Unscored, measure: Measure) -> Trouble:
    k = document.k
    if measure == "windowdiff" and k == document.length:
        return Trouble(math.nan, 0, f"fails: 0 errors in 0 windows (k = {k})")
    return Trouble(0.0, 0, f"prints 0: k = {k} leaves no window")


def _lamprier_trouble(document: Unscored, measure: Measure) -> Trouble:
    del measure
    return Trouble(0.0, 0, f"prints 0 for {document.units} unit (k = {document.k})")


def _haps_trouble(document: Unscored, measure: Measure) -> Trouble:
    if document.k == 0:
        return Trouble(0.0, document.length, "prints 0: k = 0 makes every hypothesis perfect")
    return _says_so(document, measure)


# ---- conventions ----


def _never(k: int, measure: Measure) -> str | None:
    del k, measure
    return None


def _segeval_fails(k: int, measure: Measure) -> str | None:
    """They compare k+1 by identity, which holds for small numbers only."""
    if measure == "windowdiff" and k >= 256:
        return f"fails: an assertion that holds only for k below 256 (k = {k})"
    return None


@dataclass(frozen=True)
class Convention:
    """One implementation: how it sees documents, its k, and its behaviour without a value.

    `sentence` says how it differs from the papers. `padded` counts the windows that reach beyond
    the text, too. `surplus` is what the number of windows is raised by before it divides: errors
    of N+k windows over N+k+1, for instance.
    """

    name: str
    sentence: str
    symbols: Callable[[Pairs], Symbols]
    size: Callable[[int, int, int], int]  # of symbols, ones, segments
    trouble: Callable[[Unscored, Measure], Trouble] = _says_so
    fails: Callable[[int, Measure], str | None] = _never
    measures: tuple[Measure, ...] = ("pk", "windowdiff")
    padded: bool = False
    surplus: int = 0

    def k(self, length: int, ones: int, segments: int) -> int | None:
        """The window size; None where the rule divides by 0."""
        try:
            return self.size(length, ones, segments)
        except ZeroDivisionError:
            return None

    def sizes(self, seen: Symbols) -> list[int | None]:
        """The window size of each document."""
        columns = seen.length.tolist(), seen.ones.tolist(), seen.segments.tolist()
        return [self.k(*one) for one in zip(*columns, strict=True)]

    def score(
        self, measure: Measure, seen: Symbols, sizes: Sequence[int | None]
    ) -> ConventionScores:
        """All documents, each under its k."""
        errors, divisors = self._counted(measure, seen, sizes)
        prints = [above / below if below else math.nan for above, below in zip(
            errors, divisors, strict=True)]  # fmt: skip
        found = ConventionScores(list(sizes), errors, divisors, prints, divisors.copy(), [])
        failures = {k: k and self.fails(k, measure) for k in set(sizes)}
        special = any(failures.values()) or 0 in divisors
        for row, k in enumerate(sizes if special else ()):
            if divisors[row]:
                if failures[k]:
                    prints[row] = math.nan
                    found.troubles.append(str(failures[k]))
                continue
            document = Unscored(int(seen.length[row]), int(seen.units[row]), k)
            prints[row], found.printed_divisors[row], words = self.trouble(document, measure)
            found.troubles.append(words)
        return found

    def _counted(
        self, measure: Measure, seen: Symbols, sizes: Sequence[int | None]
    ) -> tuple[list[int], list[int]]:
        """Windows with an error, and what they are divided by (0: there is no value)."""
        k = np.array([one or 0 for one in sizes], np.int64)
        rows = np.zeros((len(k), 2))
        counted = measure == "windowdiff"
        window.rows_of_sizes(
            0, len(k), seen.units, *seen.ref, *seen.hyp, k, counted, self.padded, rows
        )
        errors, windows = rows.astype(np.int64).T
        if self.padded:
            windows = np.where(windows > 0, seen.units + k, 0)
        divisors = np.where(windows > 0, windows + self.surplus, 0)
        return errors.tolist(), divisors.tolist()


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
        _lamprier_trouble,
        _segeval_fails,
        measures=("windowdiff",),
        padded=True,
        surplus=1,
    ),
    Convention(
        "fi12",
        "Fournier & Inkpen 2012 count the k-1 positions inside k units, rounding half up.",
        _units,
        lambda length, _, segments: max(1, _half_up(length, segments) - 1),
    ),
    Convention(
        "haps",
        "HAPS (Kazantseva & Szpakowicz 2012, SegmEvaluator): the end of the text is a boundary, k "
        "the whole mean segment, cut down, and half of a text of one segment; N-k+1 windows, "
        "divided by N-k, so that 1 can be exceeded. WindowDiff only.",
        _closed_ends,
        lambda length, _, segments: length // (segments if segments > 1 else 2),
        _haps_trouble,
        measures=("windowdiff",),
        surplus=-1,
    ),
)
