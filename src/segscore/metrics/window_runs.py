"""The windows that a window metric penalises, and why.

Pk, WindowDiff and WinPR slide a window of k positions over the document. Neighbouring windows with
the same numbers of boundaries form a run, so that the cost grows with boundaries, not with units.

- A window is `missed` if the reference has boundaries in it that the hypothesis does not have,
  `extra` in the opposite case, and `same` if it costs nothing.
- Its penalty is 1 for WindowDiff (the difference of both numbers if `weighted`), `fn_weight` or
  `fp_weight` for Pk, and the false positives or false negatives for WinPR.

Windows are named by their first position. With `pad` the first of them begin before position 1;
with `wrap` the last of them continue from the end of the document at its start.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

import numpy as np

from segscore.basics.arguments import Floats, Int64Array, cached_property
from segscore.coding.segmentation import Segmentation
from segscore.errors import SegmentationError
from segscore.metrics import metric as as_metric
from segscore.metrics.base import Metric
from segscore.metrics.window import Pk, WindowDiff, WinPR
from segscore.tables import Column, Table, Tabular

Why = Literal["same", "missed", "extra"]
WindowMetric = Pk | WindowDiff | WinPR
_WHY: tuple[Why, ...] = get_args(Why)


class WindowRun(NamedTuple):
    """Consecutive windows with the same numbers of boundaries.

    `first` and `last` are the first positions of the first and of the last window; `reference` and
    `hypothesis` are the numbers of boundaries in each; `penalty` is the cost of each window.
    """

    first: int
    last: int
    reference: int
    hypothesis: int
    penalty: float
    why: Why

    @property
    def n_windows(self) -> int:
        """The number of windows in the run."""
        return self.last - self.first + 1


@dataclass(frozen=True, repr=False)
class Windows(Tabular):
    """The windows of a metric on a pair, in runs. Iterate over them; `print` shows the penalised
    runs.

    Attributes
    ----------
    metric: the metric whose windows these are.
    ref, hyp: the reference and the hypothesis.
    k: the number of positions in a window.
    runs: all runs of windows, in order.
    """

    metric: WindowMetric
    ref: Segmentation
    hyp: Segmentation
    k: int
    runs: tuple[WindowRun, ...]

    def __iter__(self) -> Iterator[WindowRun]:
        return iter(self.runs)

    def __len__(self) -> int:
        return len(self.runs)

    @property
    def n_windows(self) -> int:
        """The number of all windows."""
        return self.runs[-1].last - self.runs[0].first + 1

    @cached_property
    def penalised(self) -> tuple[WindowRun, ...]:
        """The runs with a penalty."""
        return tuple(run for run in self.runs if run.penalty)

    @property
    def penalty(self) -> float:
        """The cost of all windows together; divided by `n_windows` it is the value of Pk or
        WindowDiff."""
        return float(sum(run.n_windows * run.penalty for run in self.penalised))

    def to_table(self) -> Table:
        """A row per run of penalised windows."""
        columns = [
            Column("first window", key="first"),
            Column("last window", key="last"),
            Column("windows"),
            Column("reference"),
            Column("hypothesis"),
            Column("why"),
            Column("penalty of each", key="penalty", digits=3),
        ]
        rows = [{**run._asdict(), "windows": run.n_windows} for run in self.penalised]
        words = (
            f"{self.metric}: {self.n_windows} windows of k = {self.k} positions, penalty "
            f"{self.penalty:g} in total; windows are named by their first position"
        )
        return Table(columns, rows, [words], "Penalised windows")


def windows(ref: Segmentation, hyp: Segmentation, metric: str | Metric = "windowdiff") -> Windows:
    """List the windows that Pk, WindowDiff or WinPR penalises on a pair, and why.

    >>> ref, hyp = Segmentation.from_masses([2, 3, 6]), Segmentation.from_masses([5, 6])
    >>> found = windows(ref, hyp)
    >>> found.k, found.n_windows, found.penalty
    (2, 9, 2.0)
    >>> found.penalised
    (WindowRun(first=1, last=2, reference=1, hypothesis=0, penalty=1.0, why='missed'),)
    """
    chosen = as_metric(metric)
    if not isinstance(chosen, Pk | WindowDiff | WinPR):
        raise SegmentationError(
            f"{chosen.name} has no windows to show: expected pk, pk-prime, windowdiff or winpr"
        )
    chosen(ref, hyp)  # an error if the metric cannot score this pair
    k, edges = chosen.window_size(ref), "pad" if isinstance(chosen, WinPR) else chosen.edges
    known = {"drop": (1, ref.n_units - k), "pad": (2 - k, ref.n_units - 1)}
    first, last = known.get(edges, (1, ref.n_units))  # wrap: the first boundaries are met again
    seam = [ref.n_units] * (edges == "wrap-seam")
    sides = [
        side.boundaries
        if edges in known
        else np.concatenate((side.boundaries, seam, side.boundaries + ref.n_units)).astype(np.int64)
        for side in (ref, hyp)
    ]
    # a count may change where a boundary enters the window, or has just left it
    marks = np.concatenate(sides)
    starts = np.unique(np.concatenate(([first], marks - k + 1, marks + 1)))
    starts = starts[(starts >= first) & (starts <= last)]
    counts = [np.searchsorted(side, starts + k) - np.searchsorted(side, starts) for side in sides]
    new = np.ones(len(starts), bool)  # windows next to each other that hold the same are one run
    new[1:] = (np.diff(counts[0]) != 0) | (np.diff(counts[1]) != 0)
    starts, in_ref, in_hyp = starts[new], counts[0][new], counts[1][new]
    ends = np.append(starts[1:] - 1, last)
    penalties = _penalties(chosen, in_ref, in_hyp)
    columns = (starts, ends, in_ref, in_hyp, penalties)
    listed = zip(*(column.tolist() for column in columns), strict=True)
    runs = tuple(
        WindowRun(start, end, r, h, penalty, _WHY[0 if not penalty else 1 if r > h else 2])
        for start, end, r, h, penalty in listed
    )
    return Windows(chosen, ref, hyp, k, runs)


def _penalties(metric: WindowMetric, in_ref: Int64Array, in_hyp: Int64Array) -> Floats:
    """The cost of a window with these numbers of boundaries."""
    if isinstance(metric, Pk):
        missed, extra = (in_ref > 0) & (in_hyp == 0), (in_hyp > 0) & (in_ref == 0)
        return np.asarray(metric.fn_weight * missed + metric.fp_weight * extra, np.float64)
    gap: Floats = np.abs(in_ref - in_hyp).astype(np.float64)
    counts_once = isinstance(metric, WindowDiff) and not metric.weighted
    return np.asarray(np.minimum(gap, 1.0)) if counts_once else gap
