"""Sums over pairs and codings, per document, with what changes when a coder is left out.

A coefficient of agreement is a value of sums: of statistics of pairs of coders (how well they
agree) and of counts of codings (how well they would agree by chance). `DocumentSums` keeps these
sums as a row per document, so that documents, groups and the whole corpus are sums of rows and the
bootstrap over documents needs nothing else; and, for the jackknife, the change of a document's row
when one coding is taken away. The end of the module shows such results in a table.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from segscore.basics.arguments import Floats, Int64Array
from segscore.basics.cached import cached_property
from segscore.coders.coder_pairs import Basis, CoderPairs
from segscore.metrics.ratios import ratio
from segscore.significance.drawing import Lots
from segscore.significance.resampling import (
    Interval,
    Value,
    bootstrap_intervals,
    checked_level,
    credible,
    jackknife_interval_of_error,
)
from segscore.tables import Cell, Column

FEWEST_DOCUMENTS = 5  # below, documents say too little about documents, and coders are left out
FEWEST_CODERS = 6  # below, coders say too little about coders
_FEW = f"because there are fewer than {FEWEST_DOCUMENTS} documents"
_ALONE = "each document alone: jackknife over its coders"
_WIDEST = 2000  # columns that the bootstrap sums 10 000 times over


@dataclass(frozen=True)
class Sampling:
    """The settings of the intervals."""

    level: float = 0.95
    n_resamples: int = 10_000
    seed: int = 0


@dataclass(frozen=True)
class DocumentSums:
    """A row per document; and, made on first access, a row per coding: how the document's row
    changes without that coding."""

    pairs: CoderPairs
    rows: Floats
    make_changes: Callable[[], Floats]

    @cached_property
    def changes(self) -> Floats:
        """How the row of the document changes without each coding; a row per coding."""
        return self.make_changes()

    def total(self, documents: Int64Array) -> Floats:
        """The sum over these documents, as a table of one row."""
        return np.asarray(self.rows[documents].sum(axis=0, keepdims=True))

    def without_each_coder(self, documents: Int64Array) -> Floats:
        """The sums over these documents without the first coder, without the second, and so on."""
        chosen = self.pairs.codings_of(documents)
        coders, place = np.unique(self.pairs.coder[chosen], return_inverse=True)
        sums = np.repeat(self.total(documents), len(coders), axis=0)
        np.add.at(sums, place, self.changes[chosen])
        return sums

    def without_one_coder(self) -> Floats:
        """A row per coding: the sums of its document without the coder of that coding."""
        return np.asarray(self.rows[self.pairs.document] + self.changes)


@dataclass(frozen=True, eq=False)
class Estimator:
    """A coefficient, (A_o - A_e) / (1 - A_e), as a value of sums, and the A_e behind it."""

    tally: DocumentSums
    value: Value
    expected: Value

    def without_each_coder(self, documents: Int64Array) -> "Jackknife":
        """The jackknife over the coders of these documents, as a table of one row."""
        total = self.tally.total(documents)
        left_out = self.value(self.tally.without_each_coder(documents))
        owner = np.zeros(len(left_out), np.int64)
        return Jackknife.of(self.value(total), self.expected(total), left_out, owner)

    @cached_property
    def of_documents(self) -> "Jackknife":
        """A row for each document by itself."""
        rows, pairs = self.tally.rows, self.tally.pairs
        left_out = self.value(self.tally.without_one_coder())
        return Jackknife.of(self.value(rows), self.expected(rows), left_out, pairs.document)


class Jackknife(NamedTuple):
    """Jackknives over coders, a row each: the estimate, its A_e, the standard error (NaN if there
    is none) and the number of coders."""

    estimate: Floats
    expected: Floats
    error: Floats
    n_coders: Int64Array

    @classmethod
    def of(
        cls, estimate: Floats, expected: Floats, left_out: Floats, owner: Int64Array
    ) -> "Jackknife":
        """Build the jackknives from the values without each coder; `owner` is the row of each
        value."""
        n = np.bincount(owner, minlength=len(estimate))
        mean = ratio(np.bincount(owner, left_out, len(estimate)), n)
        squares = np.bincount(owner, (left_out - mean[owner]) ** 2, len(estimate))
        return cls(estimate, expected, np.sqrt(ratio((n - 1) * squares, n)), n)

    def interval(
        self, row: int, sampling: Sampling, why: str = _FEW, *, n_documents: int = 1
    ) -> Interval:
        """The interval estimate ± t · s.e. over `n_documents`, and how it was made.

        The coefficient cannot lie below -A_e / (1 - A_e), nor above 1. An interval that exceeds
        this range, or is wider than 1, is not given.
        """
        estimate, chance, error, n = (float(column[row]) for column in self)
        found = jackknife_interval_of_error(
            estimate, error, int(n), level=sampling.level, unit="coders"
        )
        if not np.isnan(found.low):
            whose = "this document" if n_documents == 1 else "these documents"
            found = found._replace(method=f"for {whose}, over coders, by {found.method}")
        lowest = -chance / (1 - chance) if chance < 1 else -np.inf
        return credible(found._replace(method=f"{found.method}, {why}"), lowest, 1.0)


def intervals(
    asked: Sequence[Estimator], documents: Int64Array, sampling: Sampling
) -> list[Interval]:
    """Confidence intervals: a bootstrap over documents, drawn once for all coefficients; with fewer
    than FEWEST_DOCUMENTS documents, a jackknife over coders."""
    if len(documents) < FEWEST_DOCUMENTS:
        n = len(documents)
        return [
            estimator.without_each_coder(documents).interval(0, sampling, n_documents=n)
            for estimator in asked
        ]
    names = asked[0].tally.pairs.documents if asked else ()
    lots = Lots.of([names[number] for number in documents.tolist()] if asked else ())
    narrow = [estimator for estimator in asked if estimator.tally.rows.shape[1] <= _WIDEST]
    rows = {
        id(estimator.tally): estimator.tally.rows[documents] for estimator in narrow
    }  # π and κ may share them
    drawn = bootstrap_intervals(
        [(rows[id(estimator.tally)], estimator.value) for estimator in narrow],
        level=sampling.level,
        n_resamples=sampling.n_resamples,
        seed=sampling.seed,
        lots=lots,
    )
    why = f"no interval: too many pairs of coders, with more than {_WIDEST} sums"
    none = Interval(np.nan, np.nan, checked_level(sampling.level), why)
    about = _about_documents(asked[0].tally.pairs, documents) if asked else ""
    found = (interval._replace(method=about + interval.method) for interval in drawn)
    return [credible(next(found)) if estimator in narrow else none for estimator in asked]


def _about_documents(pairs: CoderPairs, documents: Int64Array) -> str:
    """A phrase saying that a bootstrap over documents describes other documents by the same
    coders."""
    if pairs.local:
        return "for these coders, over documents, by "
    n = len(np.unique(pairs.coder[pairs.codings_of(documents)]))
    return f"for these {n} coders, over documents, by "


def over_coders(asked: Estimator, documents: Int64Array, sampling: Sampling) -> Interval:
    """The interval for other coders of the same documents: a jackknife over at least FEWEST_CODERS
    coders whose names are global."""
    pairs = asked.tally.pairs
    n = len(np.unique(pairs.coder[pairs.codings_of(documents)]))
    if pairs.local and len(documents) > 1:
        why = "coder names are local to each document"
    elif n < FEWEST_CODERS:
        why = f"over coders it takes {FEWEST_CODERS} of them or more, and there are {n}"
    else:
        warning = "which is rough with so few coders, and treats them as a sample of all coders"
        apart = asked.without_each_coder(documents)
        return apart.interval(0, sampling, warning, n_documents=len(documents))
    return Interval(np.nan, np.nan, checked_level(sampling.level), f"no interval: {why}")


def chance_corrected(observed: Floats, expected: Floats) -> Floats:
    """(A_o - A_e) / (1 - A_e); NaN where chance alone would agree completely."""
    return ratio(observed - expected, 1 - expected)


class Cells(NamedTuple):
    """A sparse table: `values[j][i]` is in row i, column `columns[j][i]`, of `width` columns."""

    columns: Int64Array
    values: Floats
    width: int

    @classmethod
    def side_by_side(cls, values: Floats, first: int, width: int) -> "Cells":
        """Each of the `values` fills a column, from column `first` on."""
        columns = np.arange(first, first + len(values))[:, np.newaxis]
        return cls(np.broadcast_to(columns, values.shape), values, width)

    def sum_by(self, index: Int64Array, n: int) -> Floats:
        """Sums of the rows that share an index; the result has `n` rows."""
        cells = np.add(self.columns, index * self.width)
        sums = np.bincount(cells.reshape(-1), self.values.reshape(-1), n * self.width)
        return sums.reshape(n, self.width).astype(np.float64, copy=False)

    def only(self, chosen: NDArray[np.bool_]) -> "Cells":
        """A copy of the table with 0 in all rows but these."""
        return Cells(self.columns, np.where(chosen, self.values, 0.0), self.width)

    def total(self, chosen: NDArray[np.bool_]) -> Floats:
        """The sum of some rows, as a table of one row."""
        cells = Cells(self.columns[:, chosen], self.values[:, chosen], self.width)
        return cells.sum_by(np.zeros(int(chosen.sum()), np.int64), 1)


def sum_by(index: Int64Array, rows: Floats, n: int) -> Floats:
    """Sums of the rows of a full table that share an index; the result has `n` rows."""
    sums = [np.bincount(index, column, n) for column in rows.T]
    return np.stack(sums, axis=1) if sums else np.empty((n, 0))


def summed(
    pairs: CoderPairs,
    pair_rows: Cells,
    coding_rows: Cells,
    finish: Callable[[Floats], Floats] | None = None,
) -> DocumentSums:
    """Add up rows of pairs and rows of codings by document.

    Both have the same columns. `finish` turns the sums of a document, with or without one of its
    codings, into the row that adds up over documents.
    """
    n = len(pairs.documents)
    sums = pair_rows.sum_by(pairs.pair_document, n) + coding_rows.sum_by(pairs.document, n)
    rows = finish(sums) if finish else sums

    def changes() -> Floats:
        n = len(pairs.coder)
        gone = pair_rows.sum_by(pairs.left, n) + pair_rows.sum_by(pairs.right, n)
        gone += coding_rows.sum_by(np.arange(n), n)
        left = sums[pairs.document] - gone
        return (finish(left) if finish else left) - rows[pairs.document]

    return DocumentSums(pairs, rows, changes)


class SummedRows(Protocol):
    """What `AgreementRows` and `ChanceRows` share: rows of pairs and rows of codings, added up."""

    @property
    def tally(self) -> DocumentSums: ...
    @property
    def pair_rows(self) -> Cells: ...
    @property
    def coding_rows(self) -> Cells: ...


def among(rows: SummedRows, kept: NDArray[np.bool_]) -> DocumentSums:
    """The sums over the pairs among these codings, without all other codings."""
    pairs = rows.tally.pairs
    within = kept[pairs.left] & kept[pairs.right]
    return summed(pairs, rows.pair_rows.only(within), rows.coding_rows.only(kept))


# ---- how results of documents, groups and the whole look in a table ----

PART_COLUMNS = (Column("level", audience="machines"), Column("document or group", key="name"))
BASIS_COLUMNS = (
    Column("documents", audience="machines"),
    Column("coders", drop_order=7),
    Column("codings", audience="machines"),
    Column("pairs", drop_order=5),
    Column("boundaries", drop_order=6),
)
_TOO_FEW = (
    "too few coders or documents for an interval: it would exceed the coefficient's range, or be "
    "wider than 1"
)


def parts_of(result: Any) -> list[tuple[str, Any]]:
    """Documents, groups and the whole corpus, each with its level; a single document is the
    whole."""
    documents = result.documents.values() if len(result.documents) > 1 else ()
    return [
        *(("document", document) for document in documents),
        *(("group", group) for group in result.groups.values()),
        ("whole", result),
    ]


def part_cells(level: str, name: str, basis: Basis) -> dict[str, Any]:
    """The cells of a part in the columns above: its name, and its basis."""
    numbers = {key.removeprefix("n_"): number for key, number in basis._asdict().items()}
    return {"level": level, "name": f"group {name}" if level == "group" else name, **numbers}


def with_interval(value: float, interval: Interval) -> Cell:
    """A number with its interval, or with a note that there is none."""
    if np.isnan(interval.low):
        few = interval.method.startswith("too few")
        return Cell(value, note=_TOO_FEW if few and not np.isnan(value) else None)
    return Cell(value, low=interval.low, high=interval.high)


def methods_note(rows: Sequence[dict[str, Any]]) -> list[str]:
    """How the intervals of the corpus and of its documents were made, in one line."""
    # the number of coders differs between documents
    methods = [re.sub(r"(jackknife over) \d+", r"\1", row["interval"]) for row in rows[::-1]]
    single, several, each = "for this document,", "for these documents,", "for each document,"
    found: dict[str, str] = {}  # what is said of the whole is not said again of its documents
    for method in methods:
        words = method.replace(single, each) if len(rows) > 1 else method
        if _FEW not in methods[0]:  # the corpus has enough documents, and each of them is one
            words = _ALONE if words.startswith(each) else words.replace(f", {_FEW}", "")
        found.setdefault(method.replace(single, several), words)
    known = list(
        dict.fromkeys(method for method in found.values() if not method.startswith("too few"))
    )
    return [f"intervals: {'; '.join(known)}"] if known else []
