"""Clusters of coders: who segments like whom (Fournier 2013, poetry, fig. 1b and table 1).

Hierarchical agglomerative clustering (SciPy) on the distance 1 - similarity between coders, B by
default; coders who share several documents are compared over all of them together. Within each
cluster: the agreement among its members, as published and corrected for chance, mean and sd of the
similarity of its pairs, and how similar the labels of its members are.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from segscore.basics.arguments import Floats, Seed, check_choice, seed_of
from segscore.coders.agreement_choices import similarity
from segscore.coders.agreement_sums import AgreementRows
from segscore.coders.coder_pairs import CodedBy, CoderPairs
from segscore.coders.differences import jaccard
from segscore.coders.random_codings import RandomCodings, RandomPairs, checked_draws
from segscore.coders.sums import chance_corrected, sum_by
from segscore.errors import SegmentationError
from segscore.metrics import Metric
from segscore.significance.drawing import by_name
from segscore.tables import Cell, Column, Table, Tabular
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
            [
                ", ".join(cluster.members),
                cluster.height,
                cluster.corrected,
                cluster.pi,
                Cell(cluster.mean, error=cluster.sd),
                Cell(cluster.label_mean, error=cluster.label_sd),
                cluster.n_pairs,
            ]
            for cluster in self
        ]
        drawn: Any = "all" if self.draws else "machines"
        labelled: Any = "all" if any(cluster.n_labels for cluster in self) else "machines"
        columns = [
            Column("cluster", key="members"),
            Column("distance", key="height", digits=3),
            Column("corrected within", key="corrected", digits=3, audience=drawn),
            Column("π* within", key="pi", digits=3),
            Column(f"{self.metric.name} within", key="mean", error="sd", digits=3),
            Column("labels within", key="labels", error="sd", digits=3, audience=labelled),
            Column("pairs"),
        ]
        words = [f"distance: 1 - {self.metric}, {self.method} linkage; ± is the sd over pairs"]
        if self.draws:
            words.append(
                "corrected: 0 is what the members would reach with their boundaries at random "
                f"places; {self.draws} draws, seed {self.seed}"
            )
        if labelled == "all":
            words.append("labels: Jaccard similarity over units and pairs of coders")
        return Table(columns, rows, words, "Clusters of coders")


def dendrogram_table(clusters: CoderClusters) -> Table:
    """The tree of coders as a table."""
    scale = f"distance 0 … {max(1.0, clusters.clusters[-1].height):.3g}"
    rows = [[coder, Drawing(branches)] for coder, branches in clusters.dendrogram(40)]
    merges = [
        [int(first), int(second), height, int(size), ", ".join(cluster.members)]
        for (first, second, height, size), cluster in zip(
            clusters.linkage.tolist(), clusters.clusters, strict=True
        )
    ]
    fields = [*map(Column, ("first", "second", "distance", "coders", "members"))]
    title = "Who segments like whom"
    return Table(
        [Column("coder"), Column(scale)], rows, title=title, for_machines=Table(fields, merges)
    )


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
    agreed = AgreementRows.of(pairs, similarity(metric))
    draws = checked_draws(draws, len(pairs.left))
    seed = seed_of(rng)
    sums = _ClusterSums.of(agreed, draws, seed)
    order = by_name(pairs.coders)  # so that equal distances join in one way
    distances = _distances(agreed)[np.ix_(order, order)]
    from scipy.cluster.hierarchy import linkage

    tree = linkage(distances[np.triu_indices(len(distances), 1)], method)
    groups: list[tuple[int, ...]] = [(i,) for i in order.tolist()]
    clusters = []
    for first, second, height, _ in tree.tolist():
        groups.append(tuple(sorted((*groups[int(first)], *groups[int(second)]))))
        clusters.append(_cluster(sums, groups[-1], float(height)))
    names = tuple(pairs.coders[i] for i in order)
    return CoderClusters(
        names, agreed.metric, method, tuple(clusters), distances, tree, draws, seed
    )


@dataclass(frozen=True)
class _ClusterSums:
    """The sums for each pair of codings of a document; the numbers of every cluster come from
    them."""

    agreed: AgreementRows
    expected: Floats | None  # statistics by chance; None: not drawn
    moving: NDArray[np.bool_]  # whether boundaries of either coding can stand elsewhere
    labels: Floats  # similarities of labels: their sum, that of their squares, their number

    @classmethod
    def of(cls, agreed: AgreementRows, draws: int, seed: int) -> "_ClusterSums":
        """Draw random codings of all coders once, for all clusters."""
        pairs, metric = agreed.tally.pairs, agreed.metric
        codings = RandomCodings(pairs.table, "positions", seed, order=pairs.coding_order)
        random = RandomPairs(pairs.batch, codings, hyp=pairs.right, ref=pairs.left)
        return cls(
            agreed,
            random.expected(partial(metric.rows, threads=None), draws) if draws else None,
            codings.can_move[pairs.left] | codings.can_move[pairs.right],
            _label_sums(pairs),
        )

    def chance(self, within: NDArray[np.bool_]) -> tuple[float, float]:
        """The agreement that the coders of these pairs reach by chance, and their corrected
        agreement."""
        if self.expected is None:
            return math.nan, math.nan
        both = np.stack([self.agreed.pair_statistics, self.expected])[:, within].sum(axis=1)
        observed, chance = self.agreed.metric.values(both)
        corrected = float(chance_corrected(observed, chance))
        return float(chance), corrected if self.moving[within].any() else math.nan


def _label_sums(pairs: CoderPairs) -> Floats:
    """The sum, the sum of squares and the number of label similarities over the units of each
    pair."""
    sums = np.zeros((len(pairs.left), 3))
    documents = [pairs.corpus[name] for name in pairs.documents]
    if not any(len(document.labels) > 1 for document in documents):
        return sums
    for row, (left, right) in enumerate(zip(pairs.left, pairs.right, strict=True)):
        document = documents[pairs.document[left]]
        names = pairs.names[left], pairs.names[right]
        if all(name in document.labels for name in names):
            values = jaccard(document, *names)
            values = values[~np.isnan(values)]
            sums[row] = values.sum(), (values**2).sum(), len(values)
    return sums


def _distances(agreed: AgreementRows) -> Floats:
    """The distance (1 - similarity) of each pair of coders over all documents that both coded."""
    pairs = agreed.tally.pairs
    n = len(pairs.coders)
    first, second = np.sort([pairs.coder[pairs.left], pairs.coder[pairs.right]], axis=0)
    sums = sum_by(first * n + second, agreed.pair_statistics, n * n)
    together = np.bincount(first * n + second, minlength=n * n) > 0
    values = np.where(together, agreed.metric.values(sums), np.nan).reshape(n, n)
    missing = np.argwhere(np.triu(np.isnan(values), 1))
    if len(missing):
        names = [repr(pairs.coders[i]) for i in missing[0]]
        raise SegmentationError(
            f"coders {' and '.join(names)} share no document that can be compared: expected coders "
            "who do; corpus.select(coders=…) chooses some"
        )
    upper = np.triu(1 - values, 1)
    return np.asarray(np.maximum(upper + upper.T, 0.0))


def _cluster(sums: _ClusterSums, members: tuple[int, ...], height: float) -> CoderCluster:
    """The numbers of one cluster."""
    agreed = sums.agreed
    pairs = agreed.tally.pairs
    chosen = np.isin(pairs.coder, members)
    within = chosen[pairs.left] & chosen[pairs.right]
    values = agreed.metric.values(agreed.pair_statistics[within])
    values = values[~np.isnan(values)]
    chance, corrected = sums.chance(within)
    label_mean, label_sd, n_labels = _mean_and_sd(sums.labels[within].sum(axis=0))
    return CoderCluster(
        tuple(pairs.coders[i] for i in members),
        height,
        float(agreed.pi(agreed.among(members))[0]),
        float(values.mean()),
        float(values.std()),
        int(within.sum()),
        chance,
        corrected,
        label_mean,
        label_sd,
        n_labels,
    )


def _mean_and_sd(sums: Floats) -> tuple[float, float, int]:
    """The mean, sd (population) and number of values, given their sum, sum of squares and
    number."""
    total, squares, n = sums.tolist()
    if not n:
        return math.nan, math.nan, 0
    return total / n, math.sqrt(max(0.0, squares / n - (total / n) ** 2)), int(n)
