"""The same data under every known convention of Pk and WindowDiff: why does my number differ?

Implementations disagree about what a unit is, how k is found, which windows there are and how
documents are averaged. Each `Convention` is one implementation in use: how it encodes a document as
symbols, its rule for k, and what it prints where no score exists. `audit` applies all of them, with
four ways of averaging. Every number comes in two forms: the `value` of the convention, undefined
where it cannot be computed, and what the implementation `prints` there, which may be a perfect 0.

Conventions `nltk` and `nltk-labels` equal NLTK 3.10, `segeval` and `lamprier` equal segeval 2.0.11,
crashes included; the others follow the rule that the cited code states.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, NamedTuple

import numpy as np

from segscore._audit_table import audit_table, expected_number
from segscore._kernels import window
from segscore.errors import SegmentationError
from segscore.pairs import Pairs, Reference
from segscore.scoring import as_pairs
from segscore.segmentation import Segmentation
from segscore.tables import Table

Measure = Literal["pk", "windowdiff"]
Average = Literal["document", "mean", "windows", "global-k", "concatenated"]

AVERAGES: dict[Average, str] = {
    "document": "the one document",
    "mean": "mean of the documents' values",
    "windows": "errors of all documents over windows of all documents",
    "global-k": "mean of documents, all with one k from the pooled mean segment",
    "concatenated": "all documents joined into one, their ends being boundaries",
}


class Symbols(NamedTuple):
    """A document as an implementation sees it."""

    length: int  # symbols
    ones: int  # symbols of the reference that mark a boundary
    segments: int  # of the reference
    units: int  # a window of k symbols runs over this many units minus k
    ref: bytes  # packed positions
    hyp: bytes


class Outcome(NamedTuple):
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

    def score(self, measure: Measure, symbols: Symbols, k: int | None) -> Outcome:
        """One document under a given k."""
        counted = _count(measure, symbols, k, self.padded) if k and k > 0 else (0, 0)
        if k is None or not counted[1]:
            return Outcome(k, 0, 0, *self.trouble(symbols, k, measure))
        errors, divisor = counted
        failure = self.fails(symbols, k, measure)
        prints = math.nan if failure else errors / divisor
        return Outcome(k, errors, divisor, prints, divisor, failure)


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


# ---- the audit ----


class AuditRow(NamedTuple):
    """One number: a convention, a measure, an average."""

    convention: str
    measure: Measure
    average: Average
    k: int | None  # None where documents differ
    windows: int
    value: float  # NaN where undefined
    prints: float  # NaN where the implementation fails
    documents: int
    undefined: int
    note: str | None


class Match(NamedTuple):
    """A row that explains an expected number, and the form in which it does."""

    row: AuditRow
    form: str


@dataclass(frozen=True)
class Audit:
    """The numbers of every convention, and those that explain the one that was expected.

    `rows` holds all numbers, `matches` those that come out as `expect`; `to_table()` and printing
    show them, with a sentence per convention.
    """

    rows: tuple[AuditRow, ...]
    expect: str | None
    matches: tuple[Match, ...]

    def __getitem__(self, key: tuple[str, ...]) -> AuditRow:
        """The row of (convention, measure), or of (convention, measure, average) for a corpus."""
        for row in self.rows:
            if row[: len(key)] == key:
                return row
        raise KeyError(f"no row {key!r}")

    def to_dicts(self) -> list[dict[str, Any]]:
        """A mapping per row."""
        return [row._asdict() for row in self.rows]

    def to_table(self) -> Table:
        """All numbers, to be shown in any format."""
        sentences = {one.name: one.sentence for one in CONVENTIONS}
        return audit_table(self.rows, sentences, AVERAGES, self.expect, self.matches)

    def __str__(self) -> str:
        return self.to_table().render("text")

    def _repr_html_(self) -> str:
        return self.to_table().render("html")


def audit(
    refs: Segmentation | Sequence[Reference] | Mapping[str, Reference] | Pairs,
    hyps: Segmentation | Sequence[Segmentation] | Mapping[str, Segmentation] | None = None,
    expect: float | str | None = None,
) -> Audit:
    """Pk and WindowDiff under every known convention, for one pair or for a corpus.

    A corpus is averaged in four ways. With `expect`, a number from elsewhere (as text, if its
    trailing zeros count), the result says which conventions print it, also as 1 − value or in
    percent.

    >>> ref, hyp = Segmentation.from_masses([6, 3, 4]), Segmentation.from_masses([4, 4, 5])
    >>> found = audit(ref, hyp, expect=0.3636)
    >>> round(found["paper", "pk"].value, 4), round(found["nltk", "pk"].value, 4)
    (0.5455, 0.4)
    >>> [(match.row.convention, match.row.measure, match.row.k) for match in found.matches]
    [('solbiati', 'pk', 3), ('solbiati', 'windowdiff', 3)]
    """
    documents = _documents(refs, hyps)
    rows = tuple(
        row
        for convention in CONVENTIONS
        for measure in convention.measures
        for row in _audited(convention, measure, documents)
    )
    if expect is None:
        return Audit(rows, None, ())
    text, forms = expected_number(expect)
    matches = (Match(row, form) for row in rows for form in forms(row))
    return Audit(rows, text, tuple(matches))


def _documents(refs: Any, hyps: Any) -> list[tuple[Segmentation, Segmentation]]:
    if isinstance(refs, Segmentation) and isinstance(hyps, Segmentation):
        refs, hyps = [refs], [hyps]
    pairs = as_pairs(refs, hyps)
    if pairs.groups is not None:
        raise SegmentationError("audit takes one reference per document, and lists were given")
    return [(pairs.reference(row), pairs.hypothesis(row)) for row in range(len(pairs))]


def _audited(
    convention: Convention, measure: Measure, documents: list[tuple[Segmentation, Segmentation]]
) -> Iterator[AuditRow]:
    """One convention's numbers: a single one for a document, four for a corpus."""
    seen = [convention.symbols(*pair) for pair in documents]

    def row(average: Average, outcomes: Iterable[Outcome]) -> AuditRow:
        return _averaged(convention, measure, average, list(outcomes))

    own = [convention.score(measure, one, convention.k(*one[:3])) for one in seen]
    if len(documents) == 1:
        yield row("document", own)
        return
    yield row("mean", own)
    yield row("windows", own)
    length, ones, segments = (sum(column) for column in list(zip(*seen, strict=True))[:3])
    k = convention.k(length, ones, segments)
    yield row("global-k", (convention.score(measure, one, k) for one in seen))
    joined = convention.symbols(*(_concatenated(side) for side in zip(*documents, strict=True)))
    yield row("concatenated", [convention.score(measure, joined, convention.k(*joined[:3]))])


def _averaged(
    convention: Convention, measure: Measure, average: Average, outcomes: list[Outcome]
) -> AuditRow:
    sizes = {outcome.k for outcome in outcomes}
    defined = [outcome for outcome in outcomes if outcome.divisor]
    divisor = sum(outcome.divisor for outcome in defined)
    if average == "windows":
        value = _quotient(sum(outcome.errors for outcome in defined), divisor)
        printed_divisor = sum(outcome.printed_divisor for outcome in outcomes)
        prints = _quotient(
            sum(outcome.prints * outcome.printed_divisor for outcome in outcomes), printed_divisor
        )
    else:
        value = _quotient(sum(outcome.value for outcome in defined), len(defined))
        prints = _quotient(sum(outcome.prints for outcome in outcomes), len(outcomes))
    troubles = [outcome.trouble for outcome in outcomes if outcome.trouble]
    note = None
    if troubles:
        more = f" (and {len(troubles) - 1} more documents)" if len(troubles) > 1 else ""
        note = troubles[0] + more
    k = sizes.pop() if len(sizes) == 1 else None
    windows = divisor - len(defined) if convention.padded else divisor
    undefined = len(outcomes) - len(defined)
    return AuditRow(
        convention.name, measure, average, k, windows, value, prints, len(outcomes), undefined, note
    )


def _quotient(above: float, below: int) -> float:
    return above / below if below else math.nan


def _concatenated(side: Iterable[Segmentation]) -> Segmentation:
    """All documents in one; where one ends, a boundary stands."""
    return Segmentation.from_masses(np.concatenate([one.masses for one in side]))
