"""Clusters of coders: who segments like whom (Fournier 2013, poetry, fig. 1b and table 1).

Hierarchical agglomerative clustering (SciPy) on the distance 1 - similarity between coders, B by
default; coders who share several documents are compared over all of them together. Within each
cluster: the agreement among its members, as published and corrected for chance, mean and sd of the
similarity of its pairs, and how similar the labels of its members are.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from segscore.basics.arguments import Floats, Seed, check_choice, seed_of
from segscore.coders.coder_labels import jaccard
from segscore.coders.coder_pairs import CodedBy, CoderPairs
from segscore.coders.random_codings import checked_draws
from segscore.coders.sums import chance_sums, has_own_levels, pi_sums, similarity, sum_by
from segscore.errors import SegmentationError
from segscore.metrics import Metric
from segscore.significance.drawing import by_name
from segscore.tables import Cell, Column, Table, Tabular, columns
from segscore.tables.view import Drawing

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
        rows = [
            {
                **vars(cluster),
                "members": ", ".join(cluster.members),
                "mean": Cell(cluster.mean, error=cluster.sd),
                "labels": Cell(cluster.label_mean, error=cluster.label_sd),
                "pairs": cluster.n_pairs,
            }
            for cluster in self
        ]
        labelled = any(cluster.n_labels for cluster in self)
        shown = [
            *columns("cluster=members"),
            *columns("distance=height", digits=3),
            *columns("corrected_within=corrected", digits=3, audience=_if(self.draws)),
            *columns("π*_within=pi", digits=3),
            Column(f"{self.metric.name} within", key="mean", error="sd", digits=3),
            *columns("labels_within=labels", error="sd", digits=3, audience=_if(labelled)),
            *columns("pairs"),
        ]
        words = [f"distance: 1 - {self.metric}, {self.method} linkage; ± is the sd over pairs"]
        if self.draws:
            words.append(
                "corrected: 0 is what the members would reach with their boundaries at random "
                f"places; {self.draws} draws, seed {self.seed}"
            )
        if labelled:
            words.append("labels: Jaccard similarity over units and pairs of coders")
        return Table(shown, rows, words, "Clusters of coders")

    def tree_table(self) -> Table:
        """The tree of coders, drawn; machines get its merges."""
        scale = f"distance 0 … {max(1.0, self.clusters[-1].height):.3g}"
        rows = [[coder, Drawing(branches)] for coder, branches in self.dendrogram(40)]
        merges = [
            [int(first), int(second), height, int(size), ", ".join(cluster.members)]
            for (first, second, height, size), cluster in zip(
                self.linkage.tolist(), self.clusters, strict=True
            )
        ]
        fields = columns("first second distance coders members")
        return Table(
            [Column("coder"), Column(scale)], rows, title="Who segments like whom",
            for_machines=Table(fields, merges),
        )  # fmt: skip


def _if(known: object) -> Any:
    """The audience of numbers that are there, or not."""
    return "all" if known else "machines"


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
    if pairs.local and len(pairs.documents) > 1:
        raise SegmentationError(
            "coder names are local to each document: cluster the coders of one document, corpus[…]"
        )
    measure, seed = similarity(metric), seed_of(rng)
    draws = 0 if has_own_levels(pairs, measure) else checked_draws(draws, len(pairs.left))
    agreed = pi_sums(pairs, measure)
    drawn = chance_sums(pairs, measure, "positions", draws, seed).corrected if draws else None
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
        return CoderCluster(
            tuple(pairs.coders[i] for i in members), height, agreed.among(kept).whole,
            float(values.mean()), float(values.std()), int(within.sum()), chance, corrected,
            *_mean_and_sd(labels[within].sum(axis=0)),
        )  # fmt: skip

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
    sums = sum_by(first * n + second, pairs.statistics(metric), n * n)
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


def _mean_and_sd(sums: Floats) -> tuple[float, float, int]:
    """The mean, sd (population) and number of values, given their sum, sum of squares and
    number."""
    total, squares, n = sums.tolist()
    if not n:
        return math.nan, math.nan, 0
    return total / n, math.sqrt(max(0.0, squares / n - (total / n) ** 2)), int(n)
