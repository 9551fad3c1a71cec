"""The penalised windows, and why (after Pevzner & Hearst 2002, figs. 2-4; Scaiano & Inkpen 2012,
figs. 1 and 3)."""

from dataclasses import replace
from itertools import groupby

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Patch

from segscore.basics.arguments import shown
from segscore.coding.segmentation import Segmentation
from segscore.errors import SegmentationError
from segscore.metrics import Metric
from segscore.metrics import metric as as_metric
from segscore.metrics.window import Pk, WindowDiff, WinPR
from segscore.metrics.window_runs import Windows
from segscore.metrics.window_runs import windows as windows_of
from segscore.plot import _canvas as canvas
from segscore.plot._canvas import BLACK, BLUE, LIGHT, VERMILION

LOOKS = {  # the face, the edge and the hatching of a window, and what the legend says
    "same": ("white", LIGHT, "", "no penalty"),
    "missed": ("#F6CDB3", VERMILION, "////", "penalised, missed"),
    "extra": ("#B3D4E8", BLUE, "....", "penalised, extra"),
}
MOST_ROWS = 40  # windows drawn one below the other; more of them share a row


def windows(
    ref: Segmentation | Windows,
    hyp: Segmentation | None = None,
    metric: str | Metric = "windowdiff",
    *,
    k: int | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the boundaries of both sides and, below them, which windows are penalised, and why.

    Up to 40 windows have a row each, from their first to their last position, with the numbers of
    boundaries inside (reference, hypothesis) where these differ. More windows share a row, where
    each is drawn at its first position; for thousands of windows, the row shows the share that is
    penalised. `ref` may be the result of `segscore.metrics.windows`; `k` is short for a metric with
    that k.

    >>> import segscore as ss
    >>> ref, hyp = ss.Segmentation.from_masses([6, 6]), ss.Segmentation.from_masses([5, 7])
    >>> ax = windows(ref, hyp, k=3)
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['no penalty: 7', 'penalised, missed: 1', 'penalised, extra: 1']
    """
    made = _windows(ref, hyp, metric, k)
    staircase = made.n_windows <= MOST_ROWS
    rows = made.n_windows if staircase else 2
    ax = canvas.axes(ax, canvas.height_of(rows + 3, 0.2 if staircase else 0.3))
    bins = canvas.Bins.of(made.ref.n_units - 1)
    for row, side in enumerate((made.ref, made.hyp)):
        ax.vlines(
            bins.marks(side.boundaries), row - 0.4, row + 0.4, color=BLACK, linewidth=bins.line
        )
    ax.hlines([0, 1], 0, made.ref.n_units, color=LIGHT, linewidth=0.8, zorder=1)
    if staircase:
        _draw_staircase(ax, made)
    elif made.n_windows <= canvas.MOST_BINS:
        _draw_strip(ax, made)
    else:
        _draw_shares(ax, made)
    _explain(ax, made, bins, rows)
    return ax


def _windows(
    ref: Segmentation | Windows, hyp: Segmentation | None, metric: str | Metric, k: int | None
) -> Windows:
    if isinstance(ref, Windows):
        return ref
    if not isinstance(ref, Segmentation) or not isinstance(hyp, Segmentation):
        raise SegmentationError(
            f"windows got {shown(ref)} and {shown(hyp)}: expected two Segmentations, or the result "
            "of segscore.metrics.windows"
        )
    chosen = as_metric(metric)
    if k is not None and isinstance(chosen, Pk | WindowDiff | WinPR):
        offset = {"k_offset": 1} if isinstance(chosen, WinPR) else {}
        chosen = replace(chosen, k=k, **offset)  # type: ignore[arg-type]
    return windows_of(ref, hyp, chosen)


def _draw_staircase(ax: Axes, made: Windows) -> None:
    """Draw a row per window, over the positions it covers."""
    row = 2.0
    for run in made:
        face, edge, hatch, _ = LOOKS[run.why]
        for start in range(run.first, run.last + 1):
            for left, width in _pieces(made, start):
                ax.broken_barh(
                    [(left, width)], (row - 0.36, 0.72), facecolor=face, edgecolor=edge, hatch=hatch
                )
            if run.why != "same":
                _write_beside(ax, row, f"{run.reference}, {run.hypothesis}")
            row += 1
    if made.penalised:
        _write_beside(ax, 1, "ref, hyp")


def _write_beside(ax: Axes, row: float, text: str) -> None:
    ax.annotate(
        text, (1.0, row), (4, 0), xycoords=ax.get_yaxis_transform(), textcoords="offset points",
        va="center", fontsize="small", annotation_clip=False,
    )  # fmt: skip


def _pieces(made: Windows, start: int) -> list[tuple[float, float]]:
    """The window as bars: left edge and width; two where it runs on from the end to the start.

    A window that sees positions i … i+k-1 is drawn half a unit beyond them.
    """
    n_units, end = made.ref.n_units, start + made.k - 1
    if not _wraps(made) or end < n_units:
        return [(start - 0.5, float(made.k))]
    return [(start - 0.5, n_units - start + 0.5), (0.0, end - n_units + 0.5)]


def _wraps(made: Windows) -> bool:
    return not isinstance(made.metric, WinPR) and made.metric.edges.startswith("wrap")


def _draw_strip(ax: Axes, made: Windows) -> None:
    """Draw all windows in a single row, each at its first position."""
    bars: dict[str, list[tuple[float, float]]] = {why: [] for why in LOOKS}
    for why, runs in groupby(made, key=lambda run: run.why):
        stretch = list(runs)
        bars[why].append((stretch[0].first - 0.5, float(stretch[-1].last - stretch[0].first + 1)))
    for why, (face, edge, hatch, _) in LOOKS.items():
        if bars[why]:
            ax.broken_barh(
                bars[why], (1.7, 1.6), facecolor=face, edgecolor=edge, hatch=hatch, linewidth=0.8
            )


def _draw_shares(ax: Axes, made: Windows) -> None:
    """Draw the share of missed windows in each bin, and above it the share of extra windows."""
    first, n = made.runs[0].first, made.n_windows
    bins = canvas.Bins.of(n)
    edges = np.minimum(np.arange(bins.n_bins + 1) * bins.width, n)
    ends = np.array([0, *(run.last - first + 1 for run in made)])
    floor = np.full(bins.n_bins, 3.3)
    for why in ("missed", "extra"):
        face, edge, _, _ = LOOKS[why]
        counts = [run.n_windows if run.why == why else 0 for run in made]
        share = np.diff(np.interp(edges, ends, np.cumsum([0, *counts]))) / np.diff(edges)
        top = floor - 1.6 * share
        colour = edge if why == "missed" else face
        ax.stairs(top, first - 0.5 + edges, baseline=floor, fill=True, facecolor=colour)
        floor = top


def _explain(ax: Axes, made: Windows, bins: canvas.Bins, rows: int) -> None:
    """Add names of rows, the axis, and a legend that counts."""
    binned = made.n_windows > canvas.MOST_BINS
    middle = 2 + (rows - 1) / 2
    what = f"{'share of ' * binned}windows\nof k = {made.k},\n{canvas.label(made.metric.name)}"
    ax.set_yticks([0, 1, middle], ["reference", "hypothesis", what])
    ax.tick_params(axis="y", length=0)
    ax.set_ylim(rows + 1.5, -0.6)
    counts = {why: sum(run.n_windows for run in made if run.why == why) for why in LOOKS}
    handles = [
        Patch(facecolor=face, edgecolor=edge, hatch=hatch, label=f"{says}: {counts[why]}")
        for why, (face, edge, hatch, says) in LOOKS.items()
        if counts[why]
    ]
    canvas.legend_above(ax, 3, handles=handles)
    canvas.positions_axis(ax, made.ref.n_units, bins, "a mark is one boundary or more")
    furthest = 0.0 if _wraps(made) else made.runs[-1].last + made.k - 0.5
    ax.set_xlim(min(0, made.runs[0].first - 0.5), max(made.ref.n_units, furthest))
    canvas.without_frame(ax, "top", "right", "left")
