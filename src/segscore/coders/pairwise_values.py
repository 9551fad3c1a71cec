"""Any metric for two segmentations, averaged over all pairs of coders, as papers print it.

Fournier & Inkpen (2012), table 2; Kazantseva & Szpakowicz (2012), table 1.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import partial
from typing import Any, Literal

import numpy as np

from segscore._kernels import window
from segscore.basics.arguments import Floats, Int64Array, check_choice, shown
from segscore.coders.coder_pairs import CodedBy, CoderPairs
from segscore.coders.sums import PART_COLUMNS
from segscore.corpus.provenance import PLAIN, Provenance
from segscore.errors import SegmentationError
from segscore.metrics import Metric
from segscore.metrics import metric as as_metric
from segscore.metrics.base import OnUndefined
from segscore.metrics.ratios import ratio
from segscore.metrics.window import WindowSize
from segscore.tables import Cell, Column, Table, Tabular, columns

_MOST_CODERS = 2_000
KFrom = Literal["pair", "document"]


@dataclass(frozen=True, repr=False)
class PairwiseMean(Tabular):
    """A metric over pairs of coders: mean and standard deviation (population), as papers print it.

    `n_pairs` counts ordered pairs where the metric is asymmetric; `n_undefined` of them have no
    value and are left out. `documents` and `groups` hold the mean of each document and group.
    `coders` names the coders compared; only the result for the whole corpus has it.
    """

    metric: Metric
    mean: float
    sd: float
    n_pairs: int
    n_undefined: int
    documents: Mapping[str, "PairwiseMean"] = field(default_factory=dict, repr=False)
    groups: Mapping[str, "PairwiseMean"] = field(default_factory=dict, repr=False)
    provenance: Provenance = PLAIN
    k_from: KFrom = "pair"
    coders: tuple[str, ...] = field(default=(), repr=False, compare=False)
    _by_coders: Callable[[], Floats] | None = field(default=None, repr=False, compare=False)

    @property
    def signature(self) -> str:
        """How the values were computed; cite it with them."""
        return self.metric.signature(provenance=self.provenance)

    def by_coders(self) -> Floats:
        """The mean of each pair of coders over the documents that both coded.

        Row i, column j: `coders[i]` is the reference, `coders[j]` the hypothesis; NaN where they
        share no document or have no value there, and on the diagonal.

        >>> import segscore as ss
        >>> cut = ss.Segmentation.from_masses
        >>> corpus = ss.Corpus.from_dict({"d": {"ann": cut([2, 4]), "bob": cut([3, 3])}})
        >>> ss.coders.pairwise(corpus, "b").by_coders().tolist()
        [[nan, 0.5], [0.5, nan]]
        """
        if self._by_coders is None:
            raise SegmentationError(
                "coder by coder is known for all of a corpus, without system=: expected that, or "
                "segscore.coders.pairwise(corpus[document], …)"
            )
        return self._by_coders()

    def to_table(self) -> Table:
        """A row per document and group, and a row for all pairs."""
        named = [
            *(("document", name, document) for name, document in self.documents.items()),
            *(("group", name, group) for name, group in self.groups.items()),
            ("whole", "all", self),
        ]
        rows = [
            [level, name, Cell(part.mean, error=part.sd), part.n_pairs, part.n_undefined]
            for level, name, part in named
        ]
        shown = [
            *PART_COLUMNS,
            Column(str(self.metric), key="mean", error="sd", note=self.signature),
            *columns("pairs"),
            *columns("undefined", audience="all" if self.n_undefined else "machines"),
        ]
        both = "" if self.metric.symmetric else ", each in both directions"
        words = [f"mean ± standard deviation over pairs of coders{both}"]
        if self.k_from == "document":
            words.append("k from the mean segment of all coders of a document")
        return Table(shown, rows, words, "Pairs of coders")


def matrix_table(found: PairwiseMean) -> Table:
    """The mean of each pair of coders, as a matrix."""
    coders, values = found.coders, found.by_coders().tolist()
    first = "coder" if found.metric.symmetric else "reference_\\_hypothesis=reference"
    shown = [*columns(first), *(Column(one, key=f"coder {one}", digits=3) for one in coders)]
    rows: list[list[Any]] = []
    for i, row in enumerate(values):
        rows.append([coders[i], *row])
        rows[-1][i + 1] = None
    numbers = [
        [coders[i], coders[j], value]
        for i, row in enumerate(values)
        for j, value in enumerate(row)
        if i != j
    ]
    return Table(
        shown, rows, [f"mean over the documents of both: {found.signature}"], "Coder by coder",
        for_machines=Table(columns("reference hypothesis mean"), numbers),
    )  # fmt: skip


def pairwise(
    corpus: CodedBy,
    metric: str | Metric,
    *,
    system: str | None = None,
    k_from: KFrom = "pair",
    on_undefined: OnUndefined = "raise",
) -> PairwiseMean:
    """Average a metric for two segmentations over all pairs of coders.

    `k_from` says where window metrics take k from, unless it is fixed: from the reference of each
    `pair`, or from the mean segment of all coders of a `document`.

    An asymmetric metric is computed in both directions. With `system`, that coder is the hypothesis
    and every other coder of a document a reference, so that the mean is over references.

    >>> import segscore as ss
    >>> corpus = ss.Corpus.from_dict({"d": {c: ss.Segmentation.from_masses(m) for c, m in
    ...                               {"a": [2, 3, 6], "b": [5, 6], "c": [2, 2, 7]}.items()}})
    >>> chosen = ss.coders.pairwise(corpus, "windowdiff")
    >>> round(chosen.mean, 4), round(chosen.sd, 4), chosen.n_pairs
    (0.2894, 0.088, 6)
    >>> ss.coders.pairwise(corpus, "b", system="c").n_pairs
    2
    """
    chosen = as_metric(metric)
    if chosen.many_references:
        raise SegmentationError(
            f"{chosen.name} takes all references at once: expected a metric for two segmentations"
        )
    pairs = CoderPairs.of(corpus)
    pairs.require_pairs("an average over pairs of coders")
    check_choice(k_from, "k_from", ("pair", "document"))
    sides, where = _ordered(pairs, chosen, system)
    sizes = _window_sizes(pairs, chosen) if k_from == "document" else None
    values = [_values(chosen, pairs, *both, sizes, on_undefined) for both in sides]
    found = np.concatenate(values)
    if on_undefined == "raise" and np.isnan(found).all():
        chosen.check_answer(pairs.batch_of(*sides[0]), np.nan)
    ends = np.cumsum(np.bincount(where, minlength=len(pairs.documents)))[:-1]
    by_document = np.split(found[np.argsort(where, kind="stable")], ends)
    parts = pairs.parts(
        lambda _, numbers: _mean(chosen, found[np.isin(where, numbers)]),
        lambda number: _mean(chosen, by_document[number]),
    )
    if system is None:
        both = pairs.coder[pairs.left], pairs.coder[pairs.right]
        joined = not pairs.local or len(pairs.documents) == 1
        matrix = partial(_matrix, pairs.coders, *both, found, joined)
        parts |= {"coders": pairs.coders, "_by_coders": matrix}
    provenance = pairs.corpus.provenance
    return replace(_mean(chosen, found), provenance=provenance, k_from=k_from, **parts)


def _ordered(
    pairs: CoderPairs, metric: Metric, system: str | None
) -> tuple[list[tuple[Int64Array, Int64Array]], Int64Array]:
    """The codings used as references and as hypotheses, batch by batch, and the document of each
    pair."""
    left, right = pairs.left, pairs.right
    if system is not None:
        is_system = np.array([name == system for name in pairs.names], np.bool_)
        system_row = np.full(len(pairs.documents), -1)
        system_row[pairs.document[is_system]] = np.flatnonzero(is_system)
        left = np.flatnonzero(~is_system & (system_row[pairs.document] >= 0))
        right = system_row[pairs.document[left]]
        if not len(left):
            raise SegmentationError(
                f"system is {shown(system)}: expected a coder of a document that others coded, too"
            )
    where = pairs.document[left]
    if system is not None or metric.symmetric:
        return [(left, right)], where
    return [(left, right), (right, left)], np.concatenate([where, where])


def _values(
    metric: Metric,
    pairs: CoderPairs,
    left: Int64Array,
    right: Int64Array,
    sizes: Int64Array | None,
    on_undefined: OnUndefined,
) -> Floats:
    """The value of each pair; where each document has its own window size, pairs use that of
    theirs."""
    batch = pairs.batch if left is pairs.left else pairs.batch_of(left, right)
    if sizes is None:
        values = metric.values(metric.rows(batch))
    else:
        values = np.full(len(left), np.nan)
        k_of_pairs = sizes[pairs.document[left]]
        for k in np.unique(k_of_pairs).tolist():
            own = k_of_pairs == k
            fixed = _with_k(metric, k)
            values[own] = fixed.values(fixed.rows(pairs.batch_of(left[own], right[own])))
    if on_undefined == "raise":
        metric.check_defined(batch, values)
    return values


def _window_sizes(pairs: CoderPairs, metric: Metric) -> Int64Array | None:
    """The k of each document, from all its coders; None if the metric has no such rule."""
    if not isinstance(metric, WindowSize) or metric.k is not None:
        return None
    n = len(pairs.documents)
    n_units, n_segments = np.zeros(n, np.int64), np.zeros(n, np.int64)
    np.add.at(n_units, pairs.document, pairs.places + 1)
    np.add.at(n_segments, pairs.document, pairs.boundaries + 1)
    columns = zip(n_units.tolist(), n_segments.tolist(), strict=True)
    return np.array([window.size(n, max(1, m), metric.rule) for n, m in columns], np.int64)


def _with_k(metric: Any, k: int) -> Metric:
    """A metric with a fixed k in place of its rule for k."""
    rule = {parameter.name for parameter in fields(WindowSize)}
    kept = {
        parameter.name: getattr(metric, parameter.name)
        for parameter in fields(metric)
        if parameter.name not in rule
    }
    return type(metric)(k=k, **kept)  # type: ignore[no-any-return]


def _matrix(
    coders: tuple[str, ...], left: Int64Array, right: Int64Array, values: Floats, joined: bool
) -> Floats:
    """The matrix of `PairwiseMean.by_coders`; values are those of pairs of coders, left and right,
    then in the other direction unless the metric is symmetric. `joined`: whether a name is the same
    coder in all documents."""
    n = len(coders)
    if not joined:
        raise SegmentationError(
            "coder names are local to each document: expected the coders of one document, corpus[…]"
        )
    if n > _MOST_CODERS:
        raise SegmentationError(
            f"{n} coders are too many for a table of each against each: expected at most "
            f"{_MOST_CODERS}; corpus.select(coders=…) chooses some"
        )
    if len(values) == len(left):
        values = np.concatenate([values, values])
    defined = ~np.isnan(values)
    cell = np.concatenate([left * n + right, right * n + left])[defined]
    sums = np.bincount(cell, values[defined], minlength=n * n)
    counts = np.bincount(cell, minlength=n * n)
    return ratio(sums, counts.astype(np.float64)).reshape(n, n)


def _mean(metric: Metric, values: Floats) -> PairwiseMean:
    defined = values[~np.isnan(values)]
    mean, sd = (float(defined.mean()), float(defined.std())) if defined.size else (np.nan, np.nan)
    return PairwiseMean(metric, mean, sd, len(values), len(values) - len(defined))
