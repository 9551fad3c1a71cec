"""From the statistics of all runs to estimates, their resamples, and tests between systems.

The estimate of a contestant is the mean over its runs of the run's average. Documents are
resampled, the same for all contestants. Runs that each segmented all documents (seeds) are
resampled, too; runs that divide the documents among them (folds) are not, because their documents
are already resampled.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np

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
from segscore.significance.drawing import Lots

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
    as the mean over runs; rows, value: the statistics of what is drawn (documents, clusters or
    buckets), averaged over runs, and the function that turns their sum into a number; tally:
    replaces `values` if documents were only added up; order: of documents, if these are drawn.
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
    lots: Lots,
    threads: int | None = None,
) -> list[Standings]:
    """The standings of each metric; `runs` is the number of runs of each contestant, in order."""
    samples = [
        (lots.sums(sig.macro_rows(each.values)), sig.mean_of_defined)
        if average == "macro"
        else (each.rows, each.metric.values)
        for each in measured
    ]
    drawn = sig.bootstraps(samples, n_resamples=n_resamples, seed=seed, threads=threads)
    ends = np.cumsum(list(runs.values())).tolist()
    spans = {name: slice(end - n, end) for end, (name, n) in zip(ends, runs.items(), strict=True)}
    # whether each run of a contestant has all documents, and how many runs have a lot; in buckets,
    # how many on average have a document of it that any of them has
    times, covered = {}, measured[0].covered
    done = covered if lots.in_buckets else lots.sums(covered) > 0
    for name, span in spans.items():
        did = done[:, span]
        n_runs = did.sum(axis=1, keepdims=True)
        if lots.in_buckets:
            by_any = lots.sums(did.any(axis=1, keepdims=True))
            n_runs = lots.sums(n_runs) / np.maximum(by_any, 1)
        times[name] = bool(did.all()), np.maximum(n_runs, 1)
    return [
        _of_contestants(each, times, spans, lots, sample, again, seed)
        for each, sample, again in zip(measured, samples, drawn, strict=True)
    ]


def cluster_names(documents: Sequence[str], cluster: Clusters) -> list[Any]:
    """The cluster of each document."""
    if isinstance(cluster, Mapping):
        absent = [document for document in documents if document not in cluster]
        if absent:
            raise SegmentationError(f"cluster does not name what {listed(absent)} belong to")
        return [cluster[document] for document in documents]
    if callable(cluster):
        return [cluster(document) for document in documents]
    raise SegmentationError(
        f"cluster is {shown(cluster)}: expected a mapping from document to its cluster, or a "
        "function of the document's name"
    )


def _of_contestants(
    measured: Measured,
    times: Mapping[str, tuple[bool, Floats]],
    runs: Mapping[str, slice],
    lots: Lots,
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
        if times[name][0]
        else _mean(drawn.resampled[:, span])
        for name, span in runs.items()
    ]
    spans = list(runs.values())
    shared = [rows[:, span].sum(axis=1) / times[name][1] for name, span in runs.items()]
    return Standings(
        metric=measured.metric,
        estimates=np.array([_mean(drawn.estimate[span]) for span in spans]),
        drawn=np.stack(again, axis=1),
        spread=np.array([_sd(drawn.estimate[span]) for span in spans]),
        values=measured.values
        if len(spans) == measured.values.shape[1]
        else np.stack([_mean(measured.values[:, span]) for span in spans], axis=1),
        rows=np.stack(shared, axis=1),
        value=value,
        order=None if lots.owner is not None else lots.order,
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
