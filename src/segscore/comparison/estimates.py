"""From the statistics of all runs to estimates, their resamples, and tests between systems.

The estimate of a contestant is the mean over its runs of the run's average. Documents are
resampled, the same for all contestants. Runs that each segmented all documents (seeds) are
resampled, too; runs that divide the documents among them (folds) are not, because their documents
are already resampled.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from segscore.basics.arguments import Floats, Int64Array, shown
from segscore.comparison.advice import Test
from segscore.comparison.measuring import Measured
from segscore.errors import SegmentationError
from segscore.errors import named as listed
from segscore.metrics.base import Metric
from segscore.metrics.ratios import ratio
from segscore.metrics.statistics import Average
from segscore.significance import classical
from segscore.significance import resampling as sig

Clusters = Mapping[str, Any] | Callable[[str], Any]  # what each document belongs to


class Tally(NamedTuple):
    """The numbers of documents of each contestant, where documents were only added up."""

    n_documents: Sequence[int]
    n_undefined: Sequence[int]


@dataclass(frozen=True)
class Standings:
    """The numbers of one metric, with a column per contestant.

    estimates: the averages; drawn: the averages of resampled documents and runs (resamples in
    front); spread: standard deviation over runs, NaN for a single run; values: those of documents,
    as the mean over runs; rows, value: the statistics of what is drawn (documents, or clusters),
    averaged over runs, and the function that turns their sum into a number; tally: replaces
    `values` if documents were only added up; order: of documents, as they are drawn.
    """

    metric: Metric
    estimates: Floats
    drawn: Floats
    spread: Floats
    values: Floats
    rows: Floats
    value: sig.Value
    tally: Tally | None = None
    order: Int64Array | None = None

    @property
    def n_drawn(self) -> int:
        """The number of documents, clusters or buckets that are drawn from."""
        return len(self.rows)

    def counts(self, i: int, j: int) -> tuple[int, int, int] | None:
        """The wins, ties and losses of contestant i against j, over documents; None if unknown."""
        if self.tally is not None:
            return None
        better = self.metric.higher_is_better
        return classical.wins_ties_losses(self.values[:, i], self.values[:, j], better)

    def effect(self, i: int, j: int) -> float:
        """Cohen's d of the documents' differences; NaN if unknown."""
        return classical.cohens_d(self.values[:, i] - self.values[:, j])

    def n_undefined(self, i: int, n_documents: int) -> int:
        """The number of a contestant's documents without a value."""
        if self.tally is not None:
            return self.tally.n_undefined[i]
        return int(np.isnan(self.values[:, i]).sum()) - (len(self.values) - n_documents)

    def differences(self, pairs: Sequence[tuple[int, int]]) -> sig.Bootstrap:
        """The differences between pairs of contestants."""
        left, right = [i for i, _ in pairs], [j for _, j in pairs]
        return sig.Bootstrap(
            self.estimates[left] - self.estimates[right],
            self.drawn[:, left] - self.drawn[:, right],
            self.n_drawn,
        )


def standings(
    measured: Sequence[Measured],
    runs: Mapping[str, int],
    average: Average,
    n_resamples: int,
    seed: int,
    order: Int64Array,
    clusters: NDArray[np.intp] | None = None,
    threads: int | None = None,
) -> list[Standings]:
    """The standings of each metric; `runs` is the number of runs of each contestant, in order.

    order: the documents in the order in which they are drawn.
    clusters: the number of the cluster of each document; clusters are then drawn, not documents.
    """
    values, samples = [], []
    for measure in measured:
        each = (
            sig.value_of(measure.metric.values, measure.rows)
            if measure.values is None
            else measure.values
        )
        defined = np.where(measure.covered, each, np.nan)
        values.append(defined)
        if average == "macro":
            samples.append((sig.macro_rows(defined), sig.mean_of_defined))
        else:
            samples.append((measure.rows, measure.metric.values))
    covered = [measure.covered for measure in measured]
    if clusters is not None:
        samples = [(by_cluster(rows, clusters), value) for rows, value in samples]
        covered = [by_cluster(done, clusters) > 0 for done in covered]
        first = np.unique(clusters[order], return_index=True)[1]  # document of each cluster
        order = np.argsort(first)
    samples = [(rows[order], value) for rows, value in samples]
    covered = [done[order] for done in covered]
    drawn = sig.bootstraps(samples, n_resamples=n_resamples, seed=seed, threads=threads)
    ends = np.cumsum(list(runs.values())).tolist()
    spans = {name: slice(end - n, end) for end, (name, n) in zip(ends, runs.items(), strict=True)}
    return [
        replace(_of_contestants(measure.metric, did, spans, each, sample, again, seed), order=order)
        for measure, did, each, sample, again in zip(
            measured, covered, values, samples, drawn, strict=True
        )
    ]


def cluster_numbers(documents: Sequence[str], cluster: Clusters) -> NDArray[np.intp]:
    """The number of each document's cluster."""
    if isinstance(cluster, Mapping):
        absent = [document for document in documents if document not in cluster]
        if absent:
            raise SegmentationError(f"cluster does not name what {listed(absent)} belong to")
        names = [cluster[document] for document in documents]
    elif callable(cluster):
        names = [cluster(document) for document in documents]
    else:
        raise SegmentationError(
            f"cluster is {shown(cluster)}: expected a mapping from document to its cluster, or a "
            "function of the document's name"
        )
    numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
    return np.array([numbers[name] for name in names], np.intp)


def by_cluster(rows: Any, clusters: NDArray[np.intp]) -> Any:
    """The rows of each cluster added up."""
    sums = np.zeros((int(clusters.max()) + 1, *rows.shape[1:]))
    np.add.at(sums, clusters, rows)
    return sums


def _of_contestants(
    metric: Metric,
    covered: NDArray[np.bool_],
    runs: Mapping[str, slice],
    values: Floats,
    sample: tuple[Floats, sig.Value],
    drawn: sig.Bootstrap,
    seed: int,
) -> Standings:
    """The columns of contestants, from those of runs: each span of runs becomes one column. Runs
    have no names: they are drawn in the order of their values."""
    rows, value = sample
    again = [
        sig.draw_runs(
            drawn.resampled[:, span][:, np.argsort(drawn.estimate[span])],
            seed,
            crc32(name.encode("utf-8", "surrogatepass")),
        )
        if covered[:, span].all()
        else _mean(drawn.resampled[:, span])
        for name, span in runs.items()
    ]
    spans = list(runs.values())
    shared = [
        rows[:, span].sum(axis=1) / np.maximum(covered[:, span].sum(axis=1, keepdims=True), 1)
        for span in spans
    ]
    return Standings(
        metric=metric,
        estimates=np.array([_mean(drawn.estimate[span]) for span in spans]),
        drawn=np.stack(again, axis=1),
        spread=np.array([_sd(drawn.estimate[span]) for span in spans]),
        values=np.stack([_mean(values[:, span]) for span in spans], axis=1),
        rows=np.stack(shared, axis=1),
        value=value,
    )


def _mean(values: Floats) -> Floats:
    """The mean of the defined values along the last axis."""
    defined = ~np.isnan(values)
    return ratio(np.where(defined, values, 0.0).sum(axis=-1), defined.sum(axis=-1))


def _sd(values: Floats) -> float:
    defined = values[~np.isnan(values)]
    return float(defined.std(ddof=1)) if len(defined) > 1 else float("nan")


def pair_p_values(
    standings: Sequence[Standings],
    pairs: Sequence[tuple[int, int]],
    n_systems: int,
    test: Test,
    n_resamples: int,
    seed: int,
    threads: int | None = None,
) -> list[Floats]:
    """The p of each pair of systems under each metric, uncorrected; NaN if there is a single
    document."""
    if standings[0].n_drawn < 2 or not pairs:
        return [np.full(len(pairs), np.nan) for _ in standings]
    if test == "randomisation":
        samples = [(standing.rows[:, :n_systems], standing.value) for standing in standings]
        return sig.randomisations(
            samples, pairs, n_resamples=n_resamples, seed=seed, threads=threads
        )
    return [_p_values(standing, pairs, n_systems, test) for standing in standings]


def _p_values(
    standing: Standings, pairs: Sequence[tuple[int, int]], n_systems: int, test: Test
) -> Floats:
    """The p of each pair of systems under one metric, for all tests but randomisation."""
    if test == "bootstrap":
        return standing.differences(pairs).p_value()
    if test == "t":
        return np.array(
            [classical.paired_t(standing.values[:, i], standing.values[:, j]).p for i, j in pairs]
        )
    left, right = [i for i, _ in pairs], [j for _, j in pairs]
    posthoc = classical.friedman_pairs if test == "friedman" else classical.kruskal_pairs
    return posthoc(standing.values[:, :n_systems])[left, right]
