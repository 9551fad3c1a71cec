"""From the statistics of all runs to estimates, their resamples, and what tests need of them.

The estimate of a contestant is the mean over its runs of the run's average. Documents are
resampled, the same for all contestants. Runs that each segmented all documents (seeds) are
resampled, too; runs that divide the documents among them (folds) are not, because their documents
are already resampled.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from zlib import crc32

import numpy as np

from segscore.basics.arguments import Floats, Int64Array, shown
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
_AT_ONCE = 50_000  # documents


@dataclass(frozen=True)
class Standings:
    """The numbers of one metric, with a column per contestant.

    estimates: the averages; drawn: the averages of resampled documents and runs (resamples in
    front); spread: standard deviation over runs, NaN for a single run; values: those of documents,
    as the mean over runs; rows, value: the statistics of what is drawn (documents, clusters or
    buckets), averaged over runs, and the function that turns their sum into a number;
    n_documents, n_undefined: the documents of each contestant, and those without a value; order: of
    documents, if these are drawn; one_by_one: whether the values of documents are known.
    """

    metric: Metric
    estimates: Floats
    drawn: Floats
    spread: Floats
    values: Floats
    rows: Floats
    value: sig.Value
    n_documents: Sequence[int]
    n_undefined: Sequence[int]
    order: Int64Array | None = None
    one_by_one: bool = True

    def counts(self, i: int, others: Sequence[int]) -> dict[str, Any]:
        """The wins, ties and losses of contestant i over documents, added up over others; None if
        unknown."""
        better, names = self.metric.higher_is_better, ("wins", "ties", "losses")
        if not self.one_by_one and others:
            return dict.fromkeys(names)
        columns = (self.values[:, j] for j in others)
        met = [classical.wins_ties_losses(self.values[:, i], each, better) for each in columns]
        return dict(zip(names, np.sum([(0, 0, 0), *met], axis=0).tolist(), strict=True))

    def differences(self, pairs: Sequence[tuple[int, int]]) -> sig.Bootstrap:
        """The differences between pairs of contestants."""
        left, right = [i for i, _ in pairs], [j for _, j in pairs]
        return sig.Bootstrap(
            self.estimates[left] - self.estimates[right],
            self.drawn[:, left] - self.drawn[:, right],
            len(self.rows),
        )

    def ranks(self, n_systems: int) -> tuple[list[int | None], list[int], list[float]]:
        """The rank of each system (1 is best, ties share a rank); the systems from best to worst;
        and the mean over documents of each one's rank there (ties share the mean of theirs)."""
        sign = -1 if self.metric.higher_is_better else 1
        costs = sign * self.estimates[:n_systems]
        order = np.argsort(np.where(np.isnan(costs), np.inf, costs), kind="stable").tolist()
        better = (costs < costs[:, np.newaxis] - classical.SAME).sum(axis=1).tolist()
        known = zip(np.isnan(costs).tolist(), better, strict=True)
        ranks = [None if lost else 1 + count for lost, count in known]
        total, n = np.zeros(n_systems), 0
        for first in range(0, len(self.values), _AT_ONCE):
            some = sign * self.values[first : first + _AT_ONCE, :n_systems]
            cost = classical.complete(some, systems=1)
            better = (cost[:, np.newaxis] < cost[:, :, np.newaxis]).sum(axis=2)
            alike = (cost[:, np.newaxis] == cost[:, :, np.newaxis]).sum(axis=2)  # itself among them
            total, n = total + (better + (alike + 1) / 2).sum(axis=0), n + len(cost)
        return ranks, order, (total / n if n else np.full(n_systems, np.nan)).tolist()


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
    ends, covered = np.cumsum(list(runs.values())).tolist(), measured[0].covered
    spans = {name: slice(end - n, end) for end, (name, n) in zip(ends, runs.items(), strict=True)}
    # whether each run of a contestant has all documents, and how many runs have a lot; in buckets,
    # how many on average have a document of it that any of them has
    times: dict[str, tuple[bool, Floats]] = {}
    n_documents = []
    done = covered if lots.in_buckets else lots.sums(covered) > 0
    for name, span in spans.items():
        by_any = covered[:, span].any(axis=1, keepdims=True)
        n_documents.append(int(by_any.sum()))
        n_runs = done[:, span].sum(axis=1, keepdims=True)
        if lots.in_buckets:
            n_runs = lots.sums(n_runs) / np.maximum(lots.sums(by_any), 1)
        times[name] = bool(done[:, span].all()), np.maximum(n_runs, 1)
    found = []
    for each, (rows, value), again in zip(measured, samples, drawn, strict=True):
        estimate, resampled, values = again.estimate, again.resampled, each.values
        columns, spread = [], []
        for name, span in spans.items():
            defined = estimate[span][~np.isnan(estimate[span])]
            spread.append(defined.std(ddof=1) if len(defined) > 1 else np.nan)
            if times[name][0]:  # runs have no names: they are drawn in the order of their values
                stream = crc32(name.encode("utf-8", "surrogatepass"))
                some = resampled[:, span][:, np.argsort(estimate[span])]
                columns.append(sig.draw_runs(some, seed, stream))
            else:
                columns.append(_mean(resampled[:, span]))
        if len(spans) < values.shape[1]:
            values = np.stack([_mean(values[:, span]) for span in spans.values()], axis=1)
        shared = [rows[:, span].sum(axis=1) / times[name][1] for name, span in spans.items()]
        undefined = np.isnan(values).sum(axis=0) - len(values) + n_documents
        found.append(
            Standings(
                each.metric,
                estimates=np.array([_mean(estimate[span]) for span in spans.values()]),
                drawn=np.stack(columns, axis=1),
                spread=np.array(spread),
                values=values,
                rows=np.stack(shared, axis=1),
                value=value,
                n_documents=n_documents,
                n_undefined=undefined.tolist(),
                order=None if lots.owner is not None else lots.order,
            )
        )
    return found


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


def _mean(values: Floats) -> Floats:
    """The mean of the defined values along the last axis."""
    defined = ~np.isnan(values)
    return ratio(np.where(defined, values, 0.0).sum(axis=-1), defined.sum(axis=-1))
