"""Any metric for two segmentations, averaged over all pairs of coders, as papers print it.

Fournier & Inkpen (2012), table 2; Kazantseva & Szpakowicz (2012), table 1.


Clusters of coders: who segments like whom (Fournier 2013, poetry, fig. 1b and table 1).

Hierarchical agglomerative clustering (SciPy) on the distance 1 - similarity between coders, B by
default; coders who share several documents are compared over all of them together. Within each
cluster: the agreement among its members, as published and corrected for chance, mean and sd of the
similarity of its pairs, and how similar the labels of its members are.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import partial
from typing import Any, Literal

import numpy as np

from segscore._kernels import window
from segscore.basics.arguments import Floats, Int64Array, Seed, check_choice, seed_of, shown
from segscore.coders import estimators
from segscore.coders.coder_pairs import CodedBy, CoderPairs, checked_draws
from segscore.coders.nominal import jaccard
from segscore.corpus.provenance import PLAIN, Provenance
from segscore.errors import SegmentationError
from segscore.metrics import Metric, OnUndefined, ratio
from segscore.metrics import metric as as_metric
from segscore.metrics.window import WindowSize
from segscore.significance.drawing import by_name
from segscore.tables import Cell, Column, Table, Tabular

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
        levels = {"document": self.documents, "group": self.groups, "whole": {"all": self}}
        rows = [
            [level, name, Cell(part.mean, error=part.sd), part.n_pairs, part.n_undefined]
            for level, parts in levels.items()
            for name, part in parts.items()
        ]
        shown: list[str | Column] = [
            *estimators.PART_COLUMNS,
            Column(str(self.metric), key="mean", error="sd", note=self.signature),
            "pairs undefined" if self.n_undefined else "pairs undefined!",
        ]
        both = "" if self.metric.symmetric else ", each in both directions"
        words = [f"mean ± standard deviation over pairs of coders{both}"]
        if self.k_from == "document":
            words.append("k from the mean segment of all coders of a document")
        return Table.of(rows, shown, words, "Pairs of coders")


def matrix_table(found: PairwiseMean) -> Table:
    """The mean of each pair of coders, as a matrix."""
    coders, values = found.coders, found.by_coders().tolist()
    first = "coder" if found.metric.symmetric else "reference_\\_hypothesis=reference"
    shown: list[str | Column] = [
        first,
        *(Column(one, key=f"coder {one}", digits=3) for one in coders),
    ]
    apart = [
        [None if i == j else value for j, value in enumerate(row)] for i, row in enumerate(values)
    ]
    rows = [[name, *row] for name, row in zip(coders, apart, strict=True)]
    numbers = [
        [name, other, value]
        for i, (name, row) in enumerate(zip(coders, values, strict=True))
        for j, (other, value) in enumerate(zip(coders, row, strict=True))
        if i != j
    ]
    words = [f"mean over the documents of both: {found.signature}"]
    machines = Table.of(numbers, "reference hypothesis mean")
    return Table.of(rows, shown, words, "Coder by coder", for_machines=machines)


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
    left, right = pairs.left, pairs.right
    if system is not None:
        left, right = _beside(pairs, system)
    sides, where = [(left, right)], pairs.document[left]
    if system is None and not chosen.symmetric:
        sides, where = [*sides, (right, left)], np.concatenate([where, where])
    sizes = _window_sizes(pairs, chosen) if k_from == "document" else None
    found = np.concatenate([_values(chosen, pairs, *both, sizes, on_undefined) for both in sides])
    if on_undefined == "raise" and np.isnan(found).all():
        chosen.check_answer(pairs.batch_of(*sides[0]), np.nan)
    ends = np.cumsum(np.bincount(where, minlength=len(pairs.documents)))[:-1]
    by_document = np.split(found[np.argsort(where, kind="stable")], ends)
    parts = pairs.parts(
        lambda _, numbers: _mean(chosen, found[np.isin(where, numbers)]),
        lambda number: _mean(chosen, by_document[number]),
    )
    if system is None:
        parts |= {"coders": pairs.coders, "_by_coders": partial(_matrix, pairs, found)}
    provenance = pairs.corpus.provenance
    return replace(_mean(chosen, found), provenance=provenance, k_from=k_from, **parts)


def _beside(pairs: CoderPairs, system: str) -> tuple[Int64Array, Int64Array]:
    """The codings of others as references, and that of the system as their hypothesis."""
    is_system = np.array([name == system for name in pairs.names], np.bool_)
    row = np.full(len(pairs.documents), -1)
    row[pairs.document[is_system]] = np.flatnonzero(is_system)
    left = np.flatnonzero(~is_system & (row[pairs.document] >= 0))
    if not len(left):
        raise SegmentationError(
            f"system is {shown(system)}: expected a coder of a document that others coded, too"
        )
    return left, row[pairs.document[left]]


def _values(
    metric: Any,
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
        names = {each.name for each in fields(metric)} - {each.name for each in fields(WindowSize)}
        kept = {name: getattr(metric, name) for name in names}
        for k in np.unique(k_of_pairs).tolist():
            own, fixed = k_of_pairs == k, type(metric)(k=k, **kept)
            values[own] = fixed.values(fixed.rows(pairs.batch_of(left[own], right[own])))
    if on_undefined == "raise":
        metric.check_defined(batch, values)
    return np.asarray(values)


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


def _matrix(pairs: CoderPairs, values: Floats) -> Floats:
    """The matrix of `PairwiseMean.by_coders`; values are those of all pairs, then in the other
    direction unless the metric is symmetric."""
    n, left, right = len(pairs.coders), pairs.coder[pairs.left], pairs.coder[pairs.right]
    pairs.require_global_names()
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


Linkage = Literal["complete", "average", "single"]
_LINKAGES = ("complete", "average", "single")


@dataclass(frozen=True)
class CoderCluster:
    """Coders who are closer to each other than to the other coders.

    `height` is the distance at which the cluster is formed, `pi` the agreement among its members,
    `mean` and `sd` (population) are those of the similarity over their pairs. `corrected` is the
    agreement whose 0 is `chance`, the agreement of the members if their boundaries were at random
    positions. `label_mean` and `label_sd` are those of the Jaccard similarity of labels over units
    and pairs of members, `n_labels` in number; NaN where fewer than two members gave labels.
    """

    members: tuple[str, ...]
    height: float
    pi: float
    mean: float
    sd: float
    n_pairs: int
    chance: float = math.nan
    corrected: float = math.nan
    label_mean: float = math.nan
    label_sd: float = math.nan
    n_labels: int = 0


@dataclass(frozen=True, repr=False)
class CoderClusters(Tabular):
    """All clusters, from the closest coders to everyone; `linkage` is SciPy's matrix."""

    coders: tuple[str, ...]
    metric: Metric
    method: Linkage
    clusters: tuple[CoderCluster, ...]
    distances: Floats = field(repr=False)
    linkage: Any = field(repr=False)
    draws: int = 0
    seed: int = 0

    def __iter__(self) -> Iterator[CoderCluster]:
        return iter(self.clusters)

    def cut(self, n_clusters: int) -> list[tuple[str, ...]]:
        """The coders, divided into `n_clusters` clusters."""
        from scipy.cluster.hierarchy import fcluster

        number = fcluster(self.linkage, n_clusters, criterion="maxclust")
        return [
            tuple(np.array(self.coders, object)[number == wanted])
            for wanted in dict.fromkeys(number.tolist())
        ]

    def dendrogram(self, width: int = 40) -> list[tuple[str, str]]:
        """The tree as text: each coder, and the branches that lead to them; the scale is 0 … 1."""
        from scipy.cluster.hierarchy import leaves_list

        order = leaves_list(self.linkage).tolist()
        row_of = {leaf: row for row, leaf in enumerate(order)}
        n = len(order)
        width = max(width, n - 1)  # room for all merges side by side
        lines = [[" "] * (width + 1) for _ in order]
        # of each node: the row where its branch runs, and the column up to which it is drawn
        tips = {leaf: (row_of[leaf], -1) for leaf in order}
        scale = width / max(1.0, float(self.linkage[-1, 2]))
        for step, (first, second, height, _) in enumerate(self.linkage.tolist()):
            ends = sorted((tips.pop(int(first)), tips.pop(int(second))))
            least = max(start for _, start in ends) + 1
            column = min(width, max(round(height * scale), least))
            for row, start in ends:
                lines[row][start + 1 : column] = "─" * (column - start - 1)
            (top, _), (bottom, _) = ends
            for row in range(top + 1, bottom):
                lines[row][column] = "┤" if lines[row][column] != " " else "│"
            lines[bottom][column] = "┘" if lines[bottom][column] == " " else "┤"
            lines[top][column] = "┬" if step < n - 2 else "┐"
            tips[n + step] = (top, column)
        drawn = ["".join(line).rstrip() for line in lines]
        return [(self.coders[leaf], line) for leaf, line in zip(order, drawn, strict=True)]

    def to_table(self) -> Table:
        """A row per cluster."""
        labelled = any(cluster.n_labels for cluster in self)
        of_labels: Any = {"audience": "all" if labelled else "machines", "error": "sd", "digits": 3}
        of_labels["of"] = lambda cluster: Cell(cluster.label_mean, error=cluster.label_sd)
        shown: list[str | Column] = [
            Column("cluster", key="members", of=lambda cluster: ", ".join(cluster.members)),
            "distance=height:3",
            f"corrected_within=corrected:3{'' if self.draws else '!'} π*_within=pi:3",
            Column(f"{self.metric.name} within", key="mean", error="sd", digits=3),
            Column("labels within", key="labels", **of_labels),
            "pairs",
        ]
        words = [f"distance: 1 - {self.metric}, {self.method} linkage; ± is the sd over pairs"]
        if self.draws:
            words.append(
                "corrected: 0 is what the members would reach with their boundaries at random "
                f"places; {self.draws} draws, seed {self.seed}"
            )
        if labelled:
            words.append("labels: Jaccard similarity over units and pairs of coders")
        return Table.of(self, shown, words, "Clusters of coders")

    def tree_table(self) -> Table:
        """The tree of coders, drawn; machines get its merges."""
        scale = f"distance 0 … {max(1.0, self.clusters[-1].height):.3g}"
        rows = [[coder, Cell(branches, drawing=True)] for coder, branches in self.dendrogram(40)]
        merges = [
            [int(first), int(second), height, int(size), ", ".join(cluster.members)]
            for (first, second, height, size), cluster in zip(
                self.linkage.tolist(), self.clusters, strict=True
            )
        ]
        machines = Table.of(merges, "first second distance coders members")
        shown: list[str | Column] = ["coder", Column(scale)]
        return Table.of(rows, shown, title="Who segments like whom", for_machines=machines)


def coder_clusters(
    corpus: CodedBy,
    metric: str | Metric | None = None,
    method: Linkage = "complete",
    *,
    draws: int | None = None,
    rng: Seed = 0,
) -> CoderClusters:
    """Cluster coders by how similarly they segment (default: by B, complete linkage).

    Each cluster comes with the agreement of its members (π*, and corrected for chance), and with
    the similarity of their labels.

    method: linkage of clusters: complete, average or single.
    draws: number of draws for the corrected agreement; None: 20 to 1000, fewer if there are more
        pairs of coders; 0: none, and no corrected agreement.
    rng: random seed of the draws, or a generator.

    >>> import segscore as ss
    >>> masses = {"a": [2, 3, 6], "b": [2, 3, 6], "c": [5, 6], "d": [11]}
    >>> codings = {name: ss.Segmentation.from_masses(m) for name, m in masses.items()}
    >>> agreed = ss.coders.coder_clusters(ss.Corpus.from_dict({"text": codings}))
    >>> [(cluster.members, cluster.height) for cluster in agreed]
    [(('a', 'b'), 0.0), (('a', 'b', 'c'), 0.5), (('a', 'b', 'c', 'd'), 1.0)]
    >>> for name, branches in agreed.dendrogram(width=12):
    ...     print(name, branches)
    d ────────────┐
    c ──────┬─────┘
    a ┬─────┘
    b ┘
    """
    check_choice(method, "method", _LINKAGES)
    pairs = CoderPairs.of(corpus)
    pairs.require_pairs("clustering")
    pairs.require_global_names()
    measure, seed = estimators.similarity(metric), seed_of(rng)
    alone = estimators.has_own_levels(pairs, measure)
    draws = 0 if alone else checked_draws(draws, len(pairs.left))
    agreed = estimators.pi_sums(pairs, measure)
    drawn = estimators.chance_sums(pairs, measure, "positions", draws, seed)[0] if draws else None
    labels = _label_sums(pairs)
    order = by_name(pairs.coders)  # so that equal distances join in one way
    distances = _distances(pairs, measure)[np.ix_(order, order)]
    from scipy.cluster.hierarchy import linkage

    def cluster(members: tuple[int, ...], height: float) -> CoderCluster:
        kept = np.isin(pairs.coder, members)
        within = kept[pairs.left] & kept[pairs.right]
        values = measure.values(pairs.statistics(measure)[within])
        values = values[~np.isnan(values)]
        chance = corrected = math.nan
        if drawn is not None:
            total = drawn.among(kept).rows.sum(axis=0, keepdims=True)
            chance, corrected = float(drawn.expected(total)[0]), float(drawn.value(total)[0])
        total, squares, n = labels[within].sum(axis=0).tolist()
        label_mean = total / n if n else math.nan
        label_sd = math.sqrt(max(0.0, squares / n - label_mean**2)) if n else math.nan
        names = tuple(pairs.coders[i] for i in members)
        own = agreed.among(kept).whole, float(values.mean()), float(values.std())
        of_labels = label_mean, label_sd, int(n)
        return CoderCluster(names, height, *own, int(within.sum()), chance, corrected, *of_labels)

    tree = linkage(distances[np.triu_indices(len(distances), 1)], method)
    groups: list[tuple[int, ...]] = [(i,) for i in order.tolist()]
    clusters = []
    for first, second, height, _ in tree.tolist():
        groups.append(tuple(sorted((*groups[int(first)], *groups[int(second)]))))
        clusters.append(cluster(groups[-1], float(height)))
    names = tuple(pairs.coders[i] for i in order)
    return CoderClusters(names, measure, method, tuple(clusters), distances, tree, draws, seed)


def _label_sums(pairs: CoderPairs) -> Floats:
    """The sum, the sum of squares and the number of label similarities over the units of each
    pair."""
    sums = np.zeros((len(pairs.left), 3))
    documents = [pairs.corpus[name] for name in pairs.documents]
    if not pairs.labelled:
        return sums
    for row, (left, right) in enumerate(zip(pairs.left, pairs.right, strict=True)):
        document = documents[pairs.document[left]]
        names = pairs.names[left], pairs.names[right]
        if all(name in document.labels for name in names):
            values = jaccard(document, *names)
            values = values[~np.isnan(values)]
            sums[row] = values.sum(), (values**2).sum(), len(values)
    return sums


def _distances(pairs: CoderPairs, metric: Metric) -> Floats:
    """The distance (1 - similarity) of each pair of coders over all documents that both coded."""
    n = len(pairs.coders)
    first, second = np.sort([pairs.coder[pairs.left], pairs.coder[pairs.right]], axis=0)
    sums = estimators.sum_by(first * n + second, pairs.statistics(metric), n * n)
    together = np.bincount(first * n + second, minlength=n * n) > 0
    values = np.where(together, metric.values(sums), np.nan).reshape(n, n)
    missing = np.argwhere(np.triu(np.isnan(values), 1))
    if len(missing):
        names = [repr(pairs.coders[i]) for i in missing[0]]
        raise SegmentationError(
            f"coders {' and '.join(names)} share no document that can be compared: expected coders "
            "who do; corpus.select(coders=…) chooses some"
        )
    upper = np.triu(1 - values, 1)
    return np.asarray(np.maximum(upper + upper.T, 0.0))
