"""Agreement is one table of statistics: a row per pair of coders and document, beside it a row per
coding; every coefficient is a value of their sums.

How well coders agree is a sum over pairs, how well they would agree by chance is one over pairs or
codings. An `Estimator` keeps the sums per document, so that documents, groups and the whole corpus
are sums of rows and the bootstrap over documents needs nothing else; and, for the jackknife, the
change of a document's row when one coding is taken away.

The columns of π* and κ* are the metric's statistics of pairs, the potential boundaries that pairs
share, and boundaries and potential boundaries of codings, by coder for κ*. The coefficient whose
zero is chance is

    corrected = (A_o - A_e) / (1 - A_e)

A_o is the observed agreement, a similarity micro-averaged over all pairs of coders. A_e is the same
similarity of the same coders if only chance decides where their boundaries are (`random_codings`
explains what they keep): the statistics of each pair are averaged over draws, and the value of
their sum is A_e, as the value of the observed sum is A_o. Both add up over documents, so groups,
the bootstrap over documents and the jackknife over coders need nothing but rows (observed,
expected).

The published π* and κ* take P² for A_e, the chance of two exact matches. B and S also give credit
for near misses, and S for each place that both leave empty, so their 0 is not chance; this one is.

Draws are grouped into `BATCHES`; the Monte-Carlo error of A_e is a jackknife over these groups.

Agreement has no reference. E_M of Carroll (2010) asks which levels the *reference* has, so E(a, b)
and E(b, a) differ; their statistics are added, as those of two documents are.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Literal, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from segscore.basics.arguments import Floats, Int64Array, cached_property
from segscore.coders.coder_pairs import CoderPairs, Null, RandomCodings, checked_draws, random_pairs
from segscore.coding.segmentation import type_order
from segscore.corpus.provenance import Provenance
from segscore.errors import SegmentationError
from segscore.metrics import BoundarySimilarity, Hierarchical, LMeasure, Metric, TMeasure, ratio
from segscore.metrics import metric as as_metric
from segscore.significance import drawing, resampling
from segscore.significance.resampling import Interval, Value
from segscore.tables import Cell, Column, Table, columns

Coefficient = Literal["corrected", "pi", "kappa"]
COEFFICIENTS: tuple[Coefficient, ...] = ("corrected", "pi", "kappa")
SYMBOLS: Mapping[Coefficient, str] = {"corrected": "corrected agreement", "pi": "π*", "kappa": "κ*"}
KEPT: Mapping[Null, str] = {
    "positions": "as many boundaries as each coder has in each document, at random positions",
    "lengths": "each coder's own segments, in random order",
}  # what a random coder keeps of the coder it replaces
BATCHES = 20  # groups of draws: enough to know the error by, few enough to keep for each document
_CELLS = 1_000_000  # that are multiplied at a time, whatever the number of draws
Mask = NDArray[np.bool_]  # of some codings
Made = TypeVar("Made")

FEWEST_DOCUMENTS = 5  # below, documents say too little about documents, and coders are left out
FEWEST_CODERS = 6  # below, coders say too little about coders
_FEW = f"because there are fewer than {FEWEST_DOCUMENTS} documents"
_ALONE = "each document alone: jackknife over its coders"
_WIDEST = 2000  # columns that the bootstrap sums 10 000 times over


class Sampling(NamedTuple):
    """The settings of the intervals."""

    level: float = 0.95
    n_resamples: int = 10_000
    seed: int = 0

    def none(self, why: str) -> Interval:
        """No interval, and why."""
        return Interval(np.nan, np.nan, resampling.checked_level(self.level), f"no interval: {why}")


# ---- the metric ----


def is_similarity(metric: Metric) -> bool:
    """Whether a metric is a similarity that agreement can use."""
    fits = metric.symmetric or isinstance(metric, Hierarchical)
    return fits and metric.higher_is_better and not metric.many_references


def similarity(given: str | Metric | None) -> Metric:
    """The metric that observed agreement uses (default: B); raise if it is no similarity."""
    metric = BoundarySimilarity() if given is None else as_metric(given)
    if not is_similarity(metric):
        raise SegmentationError(
            f"{metric.name} cannot be the observed agreement: expected a symmetric similarity such "
            "as b or s, or, for ranked codings, t-measure or e-b; segscore.coders.pairwise "
            "averages any metric over pairs of coders"
        )
    return metric


def signature_of(metric: Metric, provenance: Provenance, average: str | None = None) -> str:
    """The signature of a similarity of coders, which may count in both directions."""
    return metric.signature(average, provenance) + "|directions:both" * (not metric.symmetric)


def draws_for(pairs: CoderPairs, metric: Metric, draws: int | None) -> int:
    """The number of draws of random coders: as given, or by the number of pairs; a metric over
    levels draws choices among tied boundaries, too."""
    samples = getattr(metric, "samples", 1) if isinstance(metric, Hierarchical) else 1
    return checked_draws(draws, len(pairs.left) * samples)


# ---- sums ----


Entries = tuple[Int64Array, Int64Array, Any, Floats]
"""A sparse table: the two codings of each row, the columns of its cells, and their values:
`values[j]` are in column `columns[j]`, one of all rows or one for each."""


def sum_by(index: Int64Array, rows: Floats, n: int) -> Floats:
    """Sums of the rows of a full table that share an index; the result has `n` rows."""
    sums = [np.bincount(index, column, n) for column in rows.T]
    return np.stack(sums, axis=1) if sums else np.empty((n, 0))


@dataclass(frozen=True, eq=False)
class Estimator:
    """A coefficient as a `value` of sums, and the agreement `expected` by chance; the sums of each
    document are a row. `make_changes` makes a row per coding: how the document's row changes
    without it. `among` gives the coefficient of the pairs among some codings."""

    pairs: CoderPairs
    rows: Floats
    value: Value
    expected: Value = lambda sums: np.zeros(len(sums))
    make_changes: Callable[[], Floats] = lambda: np.empty(0)
    among: Any = None  # a function from a mask to an `Estimator`, where pairs are what adds up

    @cached_property
    def changes(self) -> Floats:
        """How the row of the document changes without each coding; a row per coding."""
        return self.make_changes()

    def total(self, documents: Int64Array) -> Floats:
        """The sum over these documents, as a table of one row."""
        return np.asarray(self.rows[documents].sum(axis=0, keepdims=True))

    @property
    def whole(self) -> float:
        """The coefficient over all documents."""
        return float(self.value(self.rows.sum(axis=0, keepdims=True))[0])

    def without_each_coder(self, documents: Int64Array) -> Floats:
        """The sums over these documents without the first coder, without the second, and so on."""
        chosen = self.pairs.codings_of(documents)
        coders, place = np.unique(self.pairs.coder[chosen], return_inverse=True)
        sums = np.repeat(self.total(documents), len(coders), axis=0)
        np.add.at(sums, place, self.changes[chosen])
        return sums

    def over_coders(self, documents: Int64Array, how: Sampling, why: str) -> Interval:
        """The jackknife over the coders of these documents, added up."""
        left_out = self.value(self.without_each_coder(documents))
        owner = np.zeros(len(left_out), np.int64)
        found = _jackknives(self, self.total(documents), left_out, owner)
        return _interval(found[0], how, why, len(documents))

    def of_document(self, number: int, how: Sampling) -> Interval:
        """The jackknife over the coders of one document."""
        return _interval(self._of_documents[number], how, _FEW, 1)

    @cached_property
    def _of_documents(self) -> Floats:
        owner = self.pairs.document
        return _jackknives(self, self.rows, self.value(self.rows[owner] + self.changes), owner)


def summed(
    pairs: CoderPairs,
    tables: Sequence[Entries],
    width: int,
    value: Value,
    expected: Value,
    finish: Callable[[Floats], Floats] = np.asarray,
) -> Estimator:
    """Add up the rows of pairs of codings, and those of single codings (`left` is `right`), by
    document.

    `width` is the number of columns. `finish` turns the sums of a document, with or without one of
    its codings, into the row that adds up over documents.
    """

    def sums_by(owner: Int64Array | None, n: int) -> Floats:
        """Sums by an index of codings; without one by coding, each row for both of its own."""
        sums = np.zeros(n * width)
        for left, right, where, values in tables:
            sides = [left] if owner is not None or left is right else [left, right]
            place = np.reshape(where, (len(values), -1))
            for side in sides:
                cells = place + (side if owner is None else owner[side]) * width
                sums += np.bincount(cells.ravel(), values.ravel(), n * width)
        return sums.reshape(n, width)

    sums = sums_by(pairs.document, len(pairs.documents))
    rows = finish(sums)

    def changes() -> Floats:
        gone = sums_by(None, len(pairs.coder))
        return finish(sums[pairs.document] - gone) - rows[pairs.document]

    def among(kept: Mask) -> Estimator:
        if kept.all():
            return whole
        within = []
        for left, right, where, values in tables:
            inside = kept[left] & kept[right]
            first = left[inside]
            second = first if left is right else right[inside]
            place = np.reshape(where, (len(values), -1))
            own = place[:, inside] if place.shape[1] == len(inside) else place
            within.append((first, second, own, values[:, inside]))
        return summed(pairs, within, width, value, expected, finish)

    whole = Estimator(pairs, rows, value, expected, changes, among)
    return whole


def chance_corrected(observed: Floats, expected: Floats) -> Floats:
    """(A_o - A_e) / (1 - A_e); NaN where chance alone would agree completely."""
    return ratio(observed - expected, 1 - expected)


def boundary_counts(pairs: CoderPairs) -> Floats:
    """The number of boundaries of each type in each coding; of all, if boundaries have no types."""
    typed = {row: one.types for row, one in pairs.table.details.items() if one.types}
    found = {name for types in typed.values() for kinds in types for name in kinds}
    if not found:
        return pairs.boundaries[:, np.newaxis].astype(np.float64)
    names = sorted(found, key=type_order)
    counts = np.zeros((len(pairs.coder), len(names)))
    for row, types in typed.items():
        for kinds in types:
            counts[row, [names.index(name) for name in kinds]] += 1
    return counts


# ---- π* and κ* ----


def observed_sums(pairs: CoderPairs, metric: Metric) -> tuple[Floats, Value]:
    """The columns that each coefficient begins with, for all pairs: the metric's statistics, and
    the potential boundaries; and A_a of their sums, NaN where there is no pair."""
    shared = pairs.places[pairs.left]
    columns = np.vstack([pairs.statistics(metric).T, shared])
    last = len(columns) - 1

    def observed(rows: Floats) -> Floats:
        return np.where(rows[:, last] > 0, metric.values(rows[:, :last]), np.nan)

    return columns, observed


def pi_sums(pairs: CoderPairs, metric: Metric, counts: Floats | None = None) -> Estimator:
    """Scott's π or Fleiss's π*; `counts` are counted per coding, by default its boundaries of each
    type."""
    of_pairs, observed = observed_sums(pairs, metric)
    counts = boundary_counts(pairs) if counts is None else counts
    start = len(of_pairs)
    of_codings = np.vstack([counts.T, pairs.places])
    width = start + len(of_codings)
    everyone = np.arange(len(pairs.coder))

    def expected(rows: Floats) -> Floats:
        """Σ_t P(t)²."""
        shares = ratio(rows[:, start:-1], rows[:, -1:])
        return np.asarray((shares**2).sum(axis=1))

    def value(rows: Floats) -> Floats:
        return chance_corrected(observed(rows), expected(rows))

    tables = [
        (pairs.left, pairs.right, range(start), of_pairs),
        (everyone, everyone, range(start, width), of_codings),
    ]
    return summed(pairs, tables, width, value, expected)


def kappa_sums(
    pairs: CoderPairs, metric: Metric, coders: Int64Array, counts: Floats | None = None
) -> Estimator:
    """Cohen's κ, or κ* for more than two coders; `coders` is the number of the coder of each
    coding: over all documents, or within each document, which is enough for single documents."""
    of_pairs, observed = observed_sums(pairs, metric)
    counts = boundary_counts(pairs) if counts is None else counts
    start, block, n = len(of_pairs), counts.shape[1] + 1, int(coders.max()) + 1
    lower, higher = np.sort([coders[pairs.left], coders[pairs.right]], axis=0)
    keys, place = np.unique(lower * n + higher, return_inverse=True)
    first, second = divmod(keys, n)
    after = start + n * block
    width = after + len(keys)
    everyone = np.arange(len(coders))
    own = start + coders * block + np.arange(block)[:, np.newaxis]
    tables = [
        (pairs.left, pairs.right, range(start), of_pairs),
        (pairs.left, pairs.right, after + place, of_pairs[-1:]),
        (everyone, everyone, own, np.vstack([counts.T, pairs.places])),
    ]

    def some_expected(rows: Floats) -> Floats:
        """Σ_t mean over pairs of coders of P(t|m) · P(t|n)."""
        of_coders = rows[:, start:after].reshape(len(rows), n, block)
        shares = np.nan_to_num(ratio(of_coders[:, :, :-1], of_coders[:, :, -1:]))
        both, weights = (shares[:, first] * shares[:, second]).sum(axis=2), rows[:, after:]
        return ratio((weights * both).sum(axis=1), weights.sum(axis=1))

    def expected(rows: Floats) -> Floats:
        step = max(1, _CELLS // max(1, len(keys) * (block - 1)))
        ends = [*range(0, len(rows), step), len(rows)] if len(rows) else [0, 0]
        return np.concatenate([some_expected(rows[i:j]) for i, j in pairwise(ends)])

    def value(rows: Floats) -> Floats:
        return chance_corrected(observed(rows), expected(rows))

    return summed(pairs, tables, width, value, expected)


# ---- chance ----


def chance_errors(metric: Metric, batches: Floats) -> Floats:
    """The standard error of A_e that comes from drawing: a jackknife over the groups of draws, from
    their statistics (groups, documents, statistics).

    Groups differ by one draw at most; if a metric is a mean of rows, groups are weighted by their
    number of draws.
    """
    total = batches.sum(axis=0)
    left_out = np.stack([metric.values(total - batch) for batch in batches])
    n = len(left_out)
    squares = ((left_out - left_out.mean(axis=0)) ** 2).sum(axis=0)
    return np.asarray(np.sqrt((n - 1) / n * squares))


def why_not_corrected(corrected: Estimator, null: Null, documents: Int64Array) -> str:
    """The reason why these documents together have no corrected value."""
    sums = corrected.total(documents)
    if not sums[0, sums.shape[1] // 2 - 1]:
        return "no two coders share a place for a boundary"
    if corrected.expected(sums)[0] == 1:
        return (
            "coders who place as many boundaries at random agree completely: every place is a "
            "boundary, or none"
        )
    if null == "positions":
        return "no coder has a boundary that could be elsewhere"
    return (
        "each coder's segments are equally long, or there is only one: another order changes "
        "nothing"
    )


def chance_sums(
    pairs: CoderPairs, metric: Metric, null: Null, draws: int, seed: int
) -> tuple[Estimator, Floats]:
    """Draw random codings of all coders `draws` times, and score all pairs each time: corrected
    agreement, and the expected statistics of each document by groups of draws (`chance_errors`).

    Columns of its sums: the metric's statistics as observed and the potential boundaries; the
    statistics as expected; the pairs in which a coder's boundaries can move at all.
    """
    if has_own_levels(pairs, metric):
        raise SegmentationError(
            f"random coders cannot have levels of their own, which {metric.name} compares: "
            "expected codings with ranks (ss.ranked); or, for π* alone, draws=0, or, if there is a "
            "choice, coefficient='pi'"
        )
    if not draws:
        raise SegmentationError(
            "draws is 0, and without draws there is no corrected agreement: expected 2 or more"
        )
    codings = RandomCodings(pairs.table, null, seed, order=pairs.coding_order)
    random = [
        random_pairs(batch, codings, draws, hyp, ref)
        for batch, ref, hyp in pairs.directions(metric)
    ]
    seen, observed = observed_sums(pairs, metric)
    shared = len(seen) - 1
    by_pair = np.zeros((len(pairs.left), shared))
    n = len(pairs.documents)
    batches = np.zeros((min(BATCHES, draws), n, shared))
    for both in zip(*random, strict=True):
        first, count, _ = both[0]
        scored = [metric.rows(batch, threads=None) for *_, batch in both]
        rows = np.sum(scored, axis=0).reshape(count, *by_pair.shape)
        by_pair += rows.sum(axis=0)
        which = np.arange(first, first + count) * len(batches) // draws
        for group in np.unique(which):
            batches[group] += sum_by(pairs.pair_document, rows[which == group].sum(axis=0), n)
    by_pair /= draws
    moving = (seen[-1] > 0) & (codings.can_move[pairs.left] | codings.can_move[pairs.right])
    table = np.vstack([seen, by_pair.T, moving])

    def expected(sums: Floats) -> Floats:
        values = metric.values(sums[:, shared + 1 : -1])
        return np.where(sums[:, shared] > 0, values, np.nan)

    def value(sums: Floats) -> Floats:
        """(A_o - A_e) / (1 - A_e); NaN where nothing can move."""
        values = chance_corrected(observed(sums), expected(sums))
        return np.where(sums[:, -1] > 0, values, np.nan)

    of_pairs = [(pairs.left, pairs.right, range(len(table)), table)]
    return summed(pairs, of_pairs, len(table), value, expected), batches


def has_own_levels(pairs: CoderPairs, metric: Metric) -> bool:
    """Whether the metric compares levels that are not ranks; such levels cannot be drawn."""
    batch, compares = pairs.batch, metric.name in (LMeasure.name, TMeasure.name)
    return compares and (batch.ref_levels is not None or batch.hyp_levels is not None)


# ---- intervals ----


def _jackknives(asked: Estimator, rows: Floats, left_out: Floats, owner: Int64Array) -> Floats:
    """For each of the rows: the estimate, its A_e, the standard error (NaN if there is none), the
    number of coders. `left_out` are values without each coder, of the row `owner`."""
    n = np.bincount(owner, minlength=len(rows))
    mean = ratio(np.bincount(owner, left_out, len(rows)), n)
    squares = np.bincount(owner, (left_out - mean[owner]) ** 2, len(rows))
    error = np.sqrt(ratio((n - 1) * squares, n))
    return np.column_stack([asked.value(rows), asked.expected(rows), error, n])


def _interval(jackknife: Floats, how: Sampling, why: str, n_documents: int) -> Interval:
    """The interval estimate ± t · s.e., and how it was made.

    The coefficient cannot lie below -A_e / (1 - A_e), nor above 1. An interval that exceeds this
    range, or is wider than 1, is not given.
    """
    estimate, chance, error, n = jackknife.tolist()
    found = resampling.jackknife_interval_of_error(
        estimate, error, int(n), level=how.level, unit="coders"
    )
    if not np.isnan(found.low):
        whose = "this document" if n_documents == 1 else "these documents"
        found = found._replace(method=f"for {whose}, over coders, by {found.method}")
    lowest = -chance / (1 - chance) if chance < 1 else -np.inf
    return resampling.credible(found._replace(method=f"{found.method}, {why}"), lowest, 1.0)


def estimate_intervals(
    asked: Sequence[Estimator], documents: Int64Array, how: Sampling
) -> list[Interval]:
    """Confidence intervals: a bootstrap over documents, drawn once for all coefficients; with fewer
    than FEWEST_DOCUMENTS documents, a jackknife over coders."""
    if len(documents) < FEWEST_DOCUMENTS or not asked:
        return [estimator.over_coders(documents, how, _FEW) for estimator in asked]
    pairs = asked[0].pairs
    narrow = [estimator for estimator in asked if estimator.rows.shape[1] <= _WIDEST]
    tables = [(estimator.rows[documents], estimator.value) for estimator in narrow]
    lots = drawing.Lots.of([pairs.documents[number] for number in documents.tolist()])
    drawn = resampling.bootstrap_intervals(tables, lots=lots, **how._asdict())
    n = "" if pairs.local else f"{pairs.basis(documents).n_coders} "
    about = f"for these {n}coders, over documents, by "  # not about other coders
    found = (
        resampling.credible(interval._replace(method=about + interval.method)) for interval in drawn
    )
    none = how.none(f"too many pairs of coders, with more than {_WIDEST} sums")
    return [next(found) if estimator in narrow else none for estimator in asked]


Unfinished = tuple[Sequence[Estimator], Callable[..., Made]]
"""A result without its intervals: the estimators they are of, and what makes the result of them."""


def finished(pairs: CoderPairs, how: Sampling, *results: Unfinished[Made]) -> list[Made]:
    """The results with their intervals; the documents are drawn once for all of them."""
    asked = [estimator for waiting, _ in results for estimator in waiting]
    found = iter(estimate_intervals(asked, np.arange(len(pairs.documents)), how))
    return [finish(*(next(found) for _ in waiting)) for waiting, finish in results]


def over_coders(asked: Estimator, documents: Int64Array, how: Sampling) -> Interval:
    """The interval for other coders of the same documents: a jackknife over at least FEWEST_CODERS
    coders whose names are global."""
    n = asked.pairs.basis(documents).n_coders
    if asked.pairs.local and len(documents) > 1:
        return how.none("coder names are local to each document")
    if n < FEWEST_CODERS:
        return how.none(f"over coders it takes {FEWEST_CODERS} of them or more, and there are {n}")
    rough = "which is rough with so few coders, and treats them as a sample of all coders"
    return asked.over_coders(documents, how, rough)


# ---- how results of documents, groups and the whole look in a table ----

PART_COLUMNS = columns("level! document_or_group=name")
BASIS_COLUMNS = columns("documents! coders<7 codings! pairs<5 boundaries<6")
_TOO_FEW = (
    "too few coders or documents for an interval: it would exceed the coefficient's range, or be "
    "wider than 1"
)


def parts_of(result: Any) -> list[tuple[str, str, Any]]:
    """Documents, groups and the whole corpus, each with its level and its name in tables; a single
    document is the whole."""
    documents = result.documents if len(result.documents) > 1 else {}
    return [
        *(("document", name, part) for name, part in documents.items()),
        *(("group", f"group {name}", part) for name, part in result.groups.items()),
        ("whole", getattr(result, "name", "all"), result),
    ]


def parts_table(
    result: Any,
    cells: Callable[[Any], Mapping[str, Any]],
    shown: Sequence[Column],
    title: str | None,
    *,
    others: Mapping[str, Any] | None = None,
    machines: str = "",
    more_notes: Sequence[str] = (),
    **same: Any,
) -> Table:
    """A row per part of a result, with the columns `shown` and the basis of the part. `others` are
    results for one column each, by its field; `machines` names more fields, and `same` are cells of
    each row, both for machines."""
    rows = [
        {
            **cells(part),
            "level": level,
            "name": name,
            **{key.removeprefix("n_"): number for key, number in part.basis._asdict().items()},
            "interval": part.ci.method,
            **same,
        }
        for level, name, part in parts_of(result)
    ]
    for key, other in (others or {}).items():
        for row, (*_, part) in zip(rows, parts_of(other), strict=True):
            row[key] = with_interval(part.value, part.ci)
    fields = columns(" ".join(("interval", machines, *same)), audience="machines")
    notes = [*methods_note([row["interval"] for row in rows]), *more_notes, *result.notes]
    return Table([*PART_COLUMNS, *shown, *BASIS_COLUMNS, *fields], rows, notes, title)


def turned(table: Table) -> Table:
    """A row for each column that people see, a column for each part: as narrow as a paper wants."""

    def whole(value: Any) -> Any:  # a number without decimals among others
        return Cell(value, latex=str(value)) if isinstance(value, int) else value

    cells = dict(zip((column.field for column in table.columns), table.cells, strict=True))
    rows = [
        [Cell(column.name, note=column.note, latex=column.latex), *map(whole, cells[column.field])]
        for column in table.columns
        if column.audience == "all" and column.field != "name"
    ]
    shown = [Column("measure"), *(Column(name, digits=3) for name in cells["name"])]
    return replace(table, columns=shown, rows=rows)


def with_interval(value: float, interval: Interval) -> Cell:
    """A number with its interval, or with a note that there is none."""
    if np.isnan(interval.low):
        few = interval.method.startswith("too few")
        return Cell(value, note=_TOO_FEW if few and not np.isnan(value) else None)
    return Cell(value, low=interval.low, high=interval.high)


def methods_note(methods: Sequence[str]) -> list[str]:
    """How the intervals of documents and, last, of the corpus were made, in one line."""
    # the number of coders differs between documents
    listed = [re.sub(r"(jackknife over) \d+", r"\1", method) for method in methods[::-1]]
    single, several, each = "for this document,", "for these documents,", "for each document,"
    found: dict[str, str] = {}  # what is said of the whole is not said again of its documents
    for method in listed:
        words = method.replace(single, each) if len(listed) > 1 else method
        if _FEW not in listed[0]:  # the corpus has enough documents, and each of them is one
            words = _ALONE if words.startswith(each) else words.replace(f", {_FEW}", "")
        if not words.startswith("too few"):
            found.setdefault(method.replace(single, several), words)
    words = "; ".join(dict.fromkeys(found.values()))
    return [words if words.startswith("no interval") else f"intervals: {words}"] if words else []
