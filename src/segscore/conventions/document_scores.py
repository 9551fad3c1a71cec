"""Conventions that have a number for each document, and perhaps one for all of them: Pk and
WindowDiff, B and S, macro F1, the error of the number of boundaries, and total scores.

**Pk and WindowDiff** in other implementations differ in how they find k, count windows, and in what
they print where no score exists, which may be a perfect score.

**B and S** as segeval prints them, and F1 of its confusion matrix, for several n_t: it finds edits
greedily; it prices a transposition by d / n_t in S, too; its confusion matrix credits a near miss
with its cost instead of its correctness, and `precision` and `recall` of it, without a class, are
both tp / (tp + fp + fn). Without a boundary on either side it fails.

**Macro F1** over the two classes of places, as classifiers are scored: ½ (F1 of boundaries + F1 of
places without one), in each document or of the counts of all. Scripts differ in what a place is:
one of the N-1 gaps, or one of N units, the last of which is labelled 0 or 1; and in what a class
counts that occurs on neither side: 0, or not at all.

**EvalHDS**, the program that Carroll (2010) published with his data, compares levels: it takes one
level of the reference after the other, and as many of the most prominent boundaries of the
hypothesis as the level has, so that a hypothesis is never too fine or too coarse. It breaks ties at
random, many times; here the expectation is exact. Places without a boundary are tied at a rank
below all others. Without ranks there is one level.

- k is half of the mean segment of a level, cut down; a level whose segments are shorter than two
  units on average has k = 0 and no error.
- The N-1 places between units lie on a ring, and each is the start of a window of k places: N-1
  windows. (Under `edges="wrap"` the seam is one more place, without a boundary, and windows are N;
  figures 2 and 3 of the paper come out with that.)
- A document's errors are averaged over levels by the number of boundaries that are new in each; the
  corpus is the mean over documents.

The results equal the scores of HC99 in the author's repository, 66 articles under two settings, to
the last digit.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np

from segscore._kernels import hierarchy, matching, window
from segscore.basics.arguments import Floats, Int64Array
from segscore.conventions import convention
from segscore.metrics.base import ratio
from segscore.metrics.edits import BoundarySimilarity, EditMetric
from segscore.metrics.hierarchy import ranked
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


def floored(length: Int64Array, _: Int64Array, segments: Int64Array) -> Int64Array:
    """Half the mean segment, cut down."""
    return length // (2 * segments)


def nltk_size(length: Int64Array, ones: Int64Array, _: Int64Array) -> Int64Array:
    """The k of NLTK, which takes boundaries for segments."""
    return half(length, np.maximum(1, ones))


def segeval_size(length: Int64Array, _: Int64Array, segments: Int64Array) -> Int64Array:
    """The k of segeval, at least 2."""
    return np.maximum(2, half(length, segments))


# ---- documents that cannot be scored ----


# What an implementation prints in a case: a test of documents, the number, its explanation, and how
# many more windows than symbols the document has in an average by windows (None: no windows). The
# test gets a document that cannot be scored: `n` symbols, `units`, the window size `k` (None: the
# rule for k divides by 0), whether both sides are the `same`, and the `measure`.
Trouble = tuple[Callable[[Any], bool], float, str, int | None]


def _without_error(document: Any) -> bool:
    """Whether segeval's window_diff divides by 0."""
    return bool(document.measure == "windowdiff" and document.k == document.n)


_PERFECT = lambda d: d.k == 0, 0.0, "prints 0: k = 0 makes every hypothesis perfect"
_NO_WINDOW: Trouble = lambda _: True, 0.0, "prints 0: k = {k} leaves no window", None
# no claim about code that was not run
UNKNOWN: tuple[Trouble, ...] = (
    (lambda _: True, math.nan, "undefined: k = {k} and {units} units", None),
)
PERFECT_WITHOUT_SIZE: tuple[Trouble, ...] = ((*_PERFECT, 0), *UNKNOWN)
NLTK_TROUBLE: tuple[Trouble, ...] = (
    (lambda d: d.k is None, math.nan, "fails: division by the number of boundaries, 0", None),
    (*_PERFECT, 1),
    (lambda d: d.measure == "windowdiff", math.nan, "fails: k = {k} exceeds {n} symbols", None),
    (lambda d: d.k == d.n + 1, math.nan, "fails: division by 0 windows (k = {k})", None),
    _NO_WINDOW,
)
SEGEVAL_TROUBLE: tuple[Trouble, ...] = (
    (_without_error, math.nan, "fails: 0 errors in 0 windows (k = {k})", None),
    _NO_WINDOW,
)
_EQUAL = "prints 1 for two equal sides (segeval fails)"
_DIFFERENT = "prints 0 for two different sides (segeval fails)"
CHUNKSEG_TROUBLE: tuple[Trouble, ...] = (
    (lambda d: not d.units, math.nan, "prints nothing: shorter than a chunk", None),
    (lambda d: _without_error(d) and d.same, 1.0, _EQUAL, None),
    (_without_error, 0.0, _DIFFERENT, None),
    _NO_WINDOW,
)
LAMPRIER_TROUBLE: tuple[Trouble, ...] = (
    (lambda _: True, 0.0, "prints 0 for {units} unit (k = {k})", None),
)


# ---- counting windows ----


@dataclass(frozen=True)
class WindowConvention(convention.Convention):
    """An implementation of Pk and WindowDiff: how it sees documents, its k, and what it does
    without a value; the first trouble that a document has decides.

    `fails_from`: the k from which its WindowDiff fails. `padded` also counts windows that reach
    beyond the text. `surplus` is added to the number of windows before it divides: errors of N+k
    windows over N+k+1, for instance. `same_prints` is printed for two equal sides where it fails
    otherwise. `fixed`: its k never depends on documents.
    """

    symbols: Callable[[Pairs], convention.Symbols]
    size: Size
    trouble: tuple[Trouble, ...] = UNKNOWN
    fails_from: int = NEVER
    padded: bool = False
    surplus: int = 0
    same_prints: float = math.nan
    fixed: bool = False

    def rows(self, documents: convention.Documents, measure: str) -> Iterator[convention.AuditRow]:
        """The mean, errors over windows, one k for all, and all documents as one."""
        seen = documents.once(self.symbols)
        yield from self._rows(measure, ("mean", "windows"), seen, self.size(*seen[:3]))
        if not self.fixed:
            sums = (np.array([column.sum()]) for column in seen[:3])
            sizes = np.repeat(self.size(*sums), len(seen.length))
            yield from self._rows(measure, ("global-k",), seen, sizes)
        seen = documents.once(convention.joined).once(self.symbols)
        yield from self._rows(measure, ("concatenated",), seen, self.size(*seen[:3]))

    def _rows(
        self, measure: str, averages: tuple[str, ...], seen: convention.Symbols, sizes: Int64Array
    ) -> Iterator[convention.AuditRow]:
        """A row per average of all documents, each with its k."""
        errors, divisors = self._counted(measure, seen, sizes)
        values = ratio(errors, divisors)
        prints, weights = values.copy(), divisors.copy()
        troubles = []
        fails_from = self.fails_from if measure == "windowdiff" else NEVER
        for row in np.flatnonzero((divisors == 0) | (sizes >= fails_from)).tolist():
            k = None if sizes[row] == NO_SIZE else int(sizes[row])
            ref, hyp = (side.positions[slice(*side.offsets[row : row + 2])] for side in seen[4:])
            same = np.array_equal(ref, hyp)
            if divisors[row]:
                prints[row] = self.same_prints if same else math.nan
                words = f"fails: an assertion that holds only for k below 256 (k = {k})"
            else:
                n, units = int(seen.length[row]), int(seen.units[row])
                document = SimpleNamespace(n=n, units=units, k=k, same=same, measure=measure)
                trouble = next(each for each in self.trouble if each[0](document))
                _, prints[row], explanation, weighs = trouble
                words = explanation.format(**vars(document))
                weights[row] = 0 if weighs is None else n + weighs
            troubles.append(words)
        n, defined, divisor = len(sizes), divisors > 0, int(divisors.sum())
        n_defined = int(np.count_nonzero(defined))
        for average in averages:
            value = _quotient(float(values[defined].sum()), n_defined)
            printed = _quotient(float(prints.sum()), n)
            if average == "windows":
                value = _quotient(float(errors.sum()), divisor)
                printed = _quotient(float((prints * weights).sum()), int(weights.sum()))
            yield convention.AuditRow(
                *(self.name, measure, average, one_size(sizes), divisor - self.surplus * n_defined),
                *(value, printed, n, n - n_defined, convention.trouble_note(troubles)),
            )

    def _counted(
        self, measure: str, seen: convention.Symbols, sizes: Int64Array
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


def one_size(sizes: Int64Array) -> int | None:
    """The k of all documents, if it is the same for all."""
    k = int(sizes[0]) if len(sizes) else NO_SIZE
    return k if k != NO_SIZE and bool((sizes == k).all()) else None


def _quotient(above: float, below: int) -> float:
    return above / below if below else math.nan


# ---- a number for each document ----


Scores = Callable[[convention.Documents], Iterator[convention.AuditRow]]
"""The rows of documents, without what they have from the convention."""


def _row_of(
    average: str, values: Any, prints: Any, undefined: int = 0, note: str | None = None
) -> convention.AuditRow:
    """The means of documents: of their values (NaN: undefined) and of what is printed (NaN: it
    fails); of all together there is one number."""
    defined = values[~np.isnan(values)]
    value = float(defined.mean()) if len(defined) else math.nan
    return convention.AuditRow(
        "", "", average, value=value, prints=float(prints.mean()), undefined=undefined, note=note
    )


@dataclass(frozen=True)
class DocumentConvention(convention.Convention):
    """An implementation that has a number for each document."""

    scores: Scores

    def rows(self, documents: convention.Documents, measure: str) -> Iterator[convention.AuditRow]:
        """The mean of the documents, and what else the implementation averages."""
        own: Any = {"convention": self.name, "measure": measure, "at": self.at}
        for row in self.scores(documents):
            yield row._replace(documents=len(documents.pairs), **own)


# ---- B and S ----


def _statistics(pairs: Pairs, metric: EditMetric) -> Floats:
    return metric.rows(pairs)


def edit_scores(metric: EditMetric, empty: float = math.nan) -> Scores:
    """The values of a metric. `empty` is printed without any boundary; NaN: it fails there."""

    def scores(documents: convention.Documents) -> Iterator[convention.AuditRow]:
        rows = documents.once(_statistics, metric)
        pooled = metric.values(rows.sum(axis=0)[None])
        return _edited(documents.pairs, metric.values(rows), pooled, empty)

    return scores


_edits_by_segeval = edit_scores(BoundarySimilarity(method="greedy"), empty=1.0)


def edits_of_chunks(documents: convention.Documents) -> Iterator[convention.AuditRow]:
    """B of the labels of chunkseg, read as gaps; 1 without any boundary."""
    seen = documents.once(convention.chunks_as_gaps)
    chunks = Pairs(seen.length, *seen.ref, *seen.hyp)
    return _edits_by_segeval(convention.Documents(chunks, documents.reach))


def edits_matrix(n_t: int, micro: bool) -> Scores:
    """The F1 of segeval's confusion matrix, or what it calls precision and recall (micro)."""
    greedy, exact = BoundarySimilarity(n_t, method="greedy"), BoundarySimilarity(1)

    def rate(tp: Any, extra: Any, missed: Any) -> Floats:
        return ratio(tp, tp + extra + missed) if micro else ratio(2 * tp, 2 * tp + extra + missed)

    def scores(documents: convention.Documents) -> Iterator[convention.AuditRow]:
        rows = documents.once(_statistics, greedy)
        matches = documents.once(_statistics, exact)[:, 3]
        _, _, n_pairs, credit, extra, missed, _ = rows.T
        counts = np.stack([matches + (n_pairs - extra - missed) - credit, extra, missed])
        pooled = rate(*counts.sum(axis=1)[:, None])
        return _edited(documents.pairs, rate(*counts), pooled, math.nan)

    return scores


def _edited(
    pairs: Pairs, values: Floats, pooled: Floats, empty: float
) -> Iterator[convention.AuditRow]:
    nowhere = (np.diff(pairs.ref_offsets) == 0) & (np.diff(pairs.hyp_offsets) == 0)
    prints = np.where(nowhere, empty, values)
    trouble = "undefined: no place for a boundary"
    if math.isnan(empty):
        values, trouble = prints, "fails: no boundary on either side"
    undefined = int(np.isnan(values).sum())
    note = convention.trouble_note([trouble] * undefined)
    yield _row_of("mean", values, prints, undefined, note)
    yield _row_of("pooled", pooled, pooled, undefined, note)


# ---- macro F1 ----


def classes(last: int | None, absent: float | None) -> Scores:
    """The mean F1 of both classes; `last` is the label of the last unit (None: places are gaps),
    `absent` what a class counts that does not occur (None: it is left out)."""
    trouble = (
        f"a class that occurs on neither side {'is left out' if absent is None else 'counts 0'}"
    )

    def scores(documents: convention.Documents) -> Iterator[convention.AuditRow]:
        counts = documents.once(_place_counts)
        if last is not None:
            counts = counts + np.array([[last], [0], [1 - last]])
        for average in ("mean", "pooled"):
            both, one, none = counts if average == "mean" else counts.sum(axis=1)[:, None]
            f = np.stack([ratio(2 * found, 2 * found + one) for found in (both, none)])
            values, prints = f.mean(axis=0), _with_absent(f, absent)
            undefined = int(np.isnan(values).sum())
            note = convention.trouble_note([trouble] * undefined)
            undefined *= 1 if average == "mean" else len(documents.pairs)
            yield _row_of(average, values, prints, undefined, note)

    return scores


def _place_counts(pairs: Pairs) -> Floats:
    """The numbers of gaps with a boundary on both sides, on one side, and on neither."""
    ref, hyp = convention.sides(pairs)
    rows = np.zeros((len(pairs), 3))
    none = np.zeros(len(pairs), np.int64)
    matching.boundary_match(0, len(pairs), pairs.n_units, *ref, *hyp, none, rows)
    both = rows[:, 0]
    one = ref.counts + hyp.counts - 2 * both
    return np.stack([both, one, pairs.n_units - 1 - both - one])


def _with_absent(f: Floats, absent: float | None) -> Floats:
    """The mean F1 of classes."""
    none = np.isnan(f)
    if absent is not None:
        return np.asarray(np.where(none, absent, f).mean(axis=0))
    n_present = np.maximum((~none).sum(axis=0), 1)
    return np.where(none.all(axis=0), math.nan, np.nansum(f, axis=0) / n_present)


# ---- EvalHDS ----


def evalhds(measure: str) -> Scores:
    """What EvalHDS prints; for a corpus the mean over documents, as in the program."""

    def scores(documents: convention.Documents) -> Iterator[convention.AuditRow]:
        pairs = documents.pairs
        prints, levels, blind, sizes = program_scores(pairs, measure)
        defined = (levels > 0) & (blind == 0)
        fails = "fails: division by the number of boundaries, 0"
        troubles = [
            f"counts no error at {n} of {of} levels, where k = 0" if of else fails
            for n, of in zip(blind[~defined].tolist(), levels[~defined].tolist(), strict=True)
        ]
        windows = int(pairs.n_units.sum()) - len(pairs)
        value, printed = (
            _quotient(math.fsum(each), len(each)) for each in (prints[defined], prints)
        )
        row = convention.AuditRow("", "", "mean", one_size(sizes), windows, value, printed)
        note = convention.trouble_note(troubles)
        yield row._replace(undefined=len(troubles), note=note)

    return scores


def program_scores(pairs: Pairs, measure: str) -> tuple[Floats, Int64Array, Int64Array, Int64Array]:
    """What EvalHDS prints for each document (NaN where it fails), the number of its levels, and of
    those with k = 0; the k of all levels. Candidates are ignored: the program has none.

    >>> from segscore.coding.segmentation import Segmentation
    >>> ref, hyp = Segmentation.from_masses([6, 3, 4]), Segmentation.from_masses([4, 4, 5])
    >>> program_scores(Pairs.from_segmentations([ref], [hyp]), "windowdiff")[0]
    array([0.5])
    """
    ref = ranked(pairs.ref_offsets, pairs.ref_ranks)
    hyp = ranked(pairs.hyp_offsets, pairs.hyp_ranks)
    k = pairs.n_units[ref.rows] // (2 * (ref.sizes + 1))
    none = np.zeros(len(pairs) + 1, np.int64), np.empty(0, np.int64)
    ring = 4  # edges, as the kernel numbers them; so it does measures
    levels = ref.offsets, ref.sizes, k
    choices = (ring, convention.ERRORS.index(measure), 1, 1), np.zeros(len(k))
    columns = ref.ranks, hyp.ranks, *none, *none, *levels, *choices
    rows = pairs.rows(hierarchy.expected_errors, 2, *columns)
    blind = np.bincount(ref.rows[k == 0], minlength=len(pairs))
    return ratio(*rows.T), np.diff(ref.offsets), blind, k


# ---- counts and totals ----


def count_errors(documents: convention.Documents) -> Iterator[convention.AuditRow]:
    """The error of the number of boundaries, which equals that of segments."""
    apart = np.abs(np.diff(documents.pairs.ref_offsets) - np.diff(documents.pairs.hyp_offsets))
    yield _row_of("mean", apart, apart)


def total(f1: tuple[str, str, str], windows: str) -> Scores:
    """½ F1 + ¼ (1 - Pk) + ¼ (1 - WindowDiff), of rows: that of F1 (convention, measure, average),
    and the means of a convention's Pk and WindowDiff."""

    def scores(documents: convention.Documents) -> Iterator[convention.AuditRow]:
        alone = len(documents.pairs) == 1
        keys = f1, *((windows, measure, "mean") for measure in convention.ERRORS)
        rows = [documents.rows[(*key[:2], "document") if alone else key] for key in keys]
        value, prints = (
            f / 2 + (1 - pk) / 4 + (1 - wd) / 4
            for f, pk, wd in zip(*((row.value, row.prints) for row in rows), strict=True)
        )
        undefined = max(row.undefined for row in rows)
        note = "some documents have no F1, Pk or WindowDiff" if undefined else None
        found = convention.AuditRow("", "", f1[2], value=value, prints=prints)
        yield found._replace(undefined=undefined, note=note)

    return scores
