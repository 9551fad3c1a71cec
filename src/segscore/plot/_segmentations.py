"""Segmentations: the boundaries of all coders in a document (after Kazantseva & Szpakowicz 2012,
fig. 2); the edits between two (after Fournier 2013, fig. 1); the penalised windows, and why (after
Pevzner & Hearst 2002, figs. 2-4; Scaiano & Inkpen 2012, figs. 1 and 3).

Documents: the lengths of segments (after Carroll 2010, fig. 4); hierarchical segmentations as
nested bars (Carroll 2010, fig. 1); a curve over the units (after Fournier 2013, poetry, fig. 1c).
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from segscore.basics.arguments import Floats
from segscore.coders import coder_pairs, gold, nominal
from segscore.coding.levels import dense_ranks
from segscore.coding.segmentation import BoundaryType, Segmentation
from segscore.corpus.corpus import Corpus, Document
from segscore.errors import SegmentationError
from segscore.metrics import BoundaryEdits, Metric, boundary_edits, ratio, window_runs
from segscore.metrics import metric as as_metric
from segscore.metrics.edit_views import Judged, Verdict, judged_edits
from segscore.metrics.window import Pk, WindowDiff, WinPR
from segscore.plot import _canvas as canvas
from segscore.plot._canvas import BLACK, BLUE, CYCLE, GREY, LIGHT, MARKERS

OF_BOUNDARIES = "a mark is one boundary or more"


def boundaries(
    document: Document | Mapping[str, Segmentation],
    *,
    majority: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw the boundaries of each coder over the units, a row each, and below them those of the
    majority.

    The last row, `segscore.consensus(document, "majority")`, is left out for a single coder. The
    rows of systems and of a consensus have other colours, and their names say so; a consensus does
    not count among the coders.

    majority: whether to draw the row of the majority.

    >>> import segscore as ss
    >>> cut = ss.Segmentation.from_masses
    >>> ax = boundaries({"ann": cut([2, 3, 6]), "bob": cut([5, 6])})
    >>> [text.get_text() for text in ax.get_yticklabels()]
    ['ann', 'bob', 'majority']
    """
    if not isinstance(document, Mapping):
        what = "a document, or a mapping from coder to Segmentation"
        raise canvas.refused("document", document, what)
    canvas.drawable(len(document), "a document with one coding or more")
    people = coder_pairs.people_in(document) or dict(document)
    marked = gold.consensus(people.values(), "majority")  # refuses what does not fit together
    kinds = document.kinds if isinstance(document, Document) else {}
    styles = {"system": (" (system)", canvas.VERMILION), "consensus": (" (consensus)", BLACK)}
    rows = []
    for coder, coding in document.items():
        words, colour = styles.get(kinds.get(coder, ""), ("", BLUE))
        rows.append((f"{coder}{words}", colour, coding))
    if majority and len(people) > 1:
        rows.append(("majority", BLACK, marked))
    ax = canvas.axes(ax, canvas.height_of(len(rows)))
    names = [name for name, *_ in rows]
    bins = canvas.rows_of_units(ax, marked.n_units, names, OF_BOUNDARIES, "coder")
    for row, (_, colour, coding) in enumerate(rows):
        bins.draw(ax, coding.boundaries, row, 0.38, color=colour, zorder=2)
    if len(rows) > len(document):
        ax.axhline(len(document) - 0.5, color=BLACK, linewidth=0.8)
    if isinstance(document, Document):
        ax.set_title(canvas.label(document.name, 70), loc="left")
    return ax


def _checked(picture: str, ref: object, hyp: object) -> tuple[Segmentation, Segmentation]:
    if not isinstance(ref, Segmentation) or not isinstance(hyp, Segmentation):
        raise canvas.refused(picture, (ref, hyp), "two Segmentations, or the result for them")
    return ref, hyp


# ---- edits ----

TOP, BOTTOM = 0.0, 1.0  # the rows of reference and hypothesis
REACH = 0.22  # half the height of a boundary
KINDS: dict[Verdict, tuple[str, str, str, str]] = {  # name, colour, line between the rows, mark
    "match": ("match", BLACK, "-", ""),
    "near": ("near miss", canvas.ORANGE, "--", ""),
    "substituted": ("type differs", canvas.PURPLE, ":", ""),
    "missed": ("missed", canvas.VERMILION, "", "x"),
    "extra": ("extra", BLUE, "", "^"),
}
# how boundaries of one type look: colour, mark at their end, how far beside their place
TypeLook = tuple[str, str, float]


def edits(
    ref: Segmentation | BoundaryEdits,
    hyp: Segmentation | None = None,
    n_t: int = 2,
    *,
    names: tuple[str, str] = ("reference", "hypothesis"),
    ax: Axes | None = None,
) -> Axes:
    """Draw two rows of boundaries, and between them the edit of each boundary.

    A match is a line from row to row, a near miss a dashed line, a type that differs a dotted line;
    a missed boundary has a cross below it, an extra boundary a triangle above it. Boundaries with
    types have the colour and the mark of their type. `ref` may be the result of
    `segscore.boundary_edits`.

    names: the names of the two rows.

    >>> import segscore as ss
    >>> ax = edits(ss.Segmentation.from_masses([2, 3, 6]), ss.Segmentation.from_masses([2, 2, 7]))
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['match: 1', 'near miss: 1']
    """
    sides = ref if isinstance(ref, BoundaryEdits) else _checked("edits", ref, hyp)
    made = sides if isinstance(sides, BoundaryEdits) else boundary_edits(*sides, n_t)
    ax = canvas.axes(ax, 2.2)
    bins = canvas.rows_of_units(ax, made.a.n_units, names, "a mark is one edit or more")
    looks = _looks(made)
    listed = list(judged_edits(made))
    handles = []
    for kind, (name, colour, line, marker) in KINDS.items():
        rows = [row for row in listed if row.verdict == kind]
        if rows:
            _draw_edits(ax, kind, rows, bins, looks)
            look: Any = {"ls": line or "none", "marker": marker or "none", "ms": 5, "lw": 1.6}
            handles.append(Line2D([], [], color=colour, label=f"{name}: {len(rows)}", **look))
    for of_type, (colour, marker, _) in looks.items():
        label = canvas.label(f"type {of_type}", 20)
        handles.append(Line2D([], [], color=colour, marker=marker, linewidth=3, label=label))
    if handles:
        canvas.legend_above(ax, 5 if len(handles) < 5 else 3, handles=handles)
    return ax


def _looks(made: BoundaryEdits) -> dict[BoundaryType, TypeLook]:
    """A colour for each type; side by side if boundaries have several types."""
    several = any(len(kinds) > 1 for side in (made.a, made.b) for kinds in side.types or ())
    beside = 0.14 if several else 0.0
    middle = (len(made.types) - 1) / 2
    return {
        kind: (CYCLE[i % len(CYCLE)], MARKERS[i % len(MARKERS)], beside * (i - middle))
        for i, kind in enumerate(made.types)
    }


def _draw_edits(
    ax: Axes,
    kind: Verdict,
    rows: list[Judged],
    bins: canvas.Bins,
    looks: dict[BoundaryType, TypeLook],
) -> None:
    """Draw the boundaries of a kind of edit, and the lines or marks of that kind."""
    _, colour, line, marker = KINDS[kind]
    by_look: defaultdict[tuple[float, TypeLook], set[float]] = defaultdict(set)
    between: set[tuple[float, ...]] = set()
    for _, ref, hyp, ref_type, hyp_type in rows:
        ends = []
        for row, position, of in ((TOP, ref, ref_type), (BOTTOM, hyp, hyp_type)):
            if position is not None:
                look = (colour, "none", 0.0) if of is None else looks[of]
                place = float(bins.marks(np.array([position]))[0]) + look[2]
                by_look[row, look].add(place)
                ends.append(place)
        between.add(tuple(ends))
    for (row, (own, end, _)), places in by_look.items():
        x, outer = sorted(places), row - REACH if row == TOP else row + REACH
        ax.vlines(x, row - REACH, row + REACH, color=own, linewidth=bins.line, zorder=3)
        if end != "none":
            ax.plot(x, [outer] * len(x), end, color=own, markersize=4, zorder=3)
    if line:
        links = [[(start, TOP + REACH), (stop, BOTTOM - REACH)] for start, stop in sorted(between)]
        width = min(1.2, bins.line)
        ax.add_collection(LineCollection(links, colors=colour, linestyles=line, linewidths=width))
    else:
        y = TOP + REACH + 0.13 if kind == "missed" else BOTTOM - REACH - 0.13
        x, size = sorted(place for (place,) in between), 2 + 1.5 * bins.line
        ax.plot(x, [y] * len(x), marker, color=colour, markersize=size)


# ---- windows ----

LOOKS = {  # the face, the edge and the hatching of a window, and what the legend says
    "same": ("white", LIGHT, "", "no penalty"),
    "missed": ("#F6CDB3", canvas.VERMILION, "////", "penalised, missed"),
    "extra": ("#B3D4E8", BLUE, "....", "penalised, extra"),
}
MOST_ROWS = 40  # windows drawn one below the other; more of them share a row


def windows(
    ref: Segmentation | window_runs.Windows,
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
    >>> ax = ss.plot.windows(ref, hyp, k=3)
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['no penalty: 7', 'penalised, missed: 1', 'penalised, extra: 1']
    """
    made = ref if isinstance(ref, window_runs.Windows) else None
    if made is None:
        chosen = as_metric(metric)
        if k is not None and isinstance(chosen, Pk | WindowDiff | WinPR):
            offset = {"k_offset": 1} if isinstance(chosen, WinPR) else {}
            chosen = replace(chosen, k=k, **offset)  # type: ignore[arg-type]
        made = window_runs.windows(*_checked("windows", ref, hyp), chosen)
    staircase = made.n_windows <= MOST_ROWS
    rows = made.n_windows if staircase else 2
    ax = canvas.axes(ax, canvas.height_of(rows + 3, 0.2 if staircase else 0.3))
    names = ("reference", "hypothesis")
    bins = canvas.rows_of_units(ax, made.ref.n_units, names, OF_BOUNDARIES)
    for row, side in enumerate((made.ref, made.hyp)):
        bins.draw(ax, side.boundaries, row, 0.4, color=BLACK)
    if staircase:
        _draw_staircase(ax, made)
    else:
        _draw_shares(ax, made)
    _explain(ax, made, rows)
    return ax


def _draw_staircase(ax: Axes, made: window_runs.Windows) -> None:
    """Draw a row per window, over the positions it covers."""
    row = 2.0
    for run in made:
        keys = "facecolor", "edgecolor", "hatch"
        look: Any = dict(zip(keys, LOOKS[run.why], strict=False))
        for start in range(run.first, run.last + 1):
            for left, width in _pieces(made, start):
                ax.broken_barh([(left, width)], (row - 0.36, 0.72), **look)
            if run.why != "same":
                canvas.write_beside(ax, f"{run.reference}, {run.hypothesis}", row)
            row += 1
    if made.penalised:
        canvas.write_beside(ax, "ref, hyp", 1)


def _pieces(made: window_runs.Windows, start: int) -> list[tuple[float, float]]:
    """The window as bars: left edge and width; two where it runs on from the end to the start.

    A window that sees positions i … i+k-1 is drawn half a unit beyond them.
    """
    n_units, end = made.ref.n_units, start + made.k - 1
    if not _wraps(made) or end < n_units:
        return [(start - 0.5, float(made.k))]
    return [(start - 0.5, n_units - start + 0.5), (0.0, end - n_units + 0.5)]


def _wraps(made: window_runs.Windows) -> bool:
    return not isinstance(made.metric, WinPR) and made.metric.edges.startswith("wrap")


def _draw_shares(ax: Axes, made: window_runs.Windows) -> None:
    """Draw all windows in a row, each at its first position; in bins, the share of missed windows,
    and above it the share of extra windows."""
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


def _explain(ax: Axes, made: window_runs.Windows, rows: int) -> None:
    """Add names of rows, the axis, and a legend that counts."""
    binned = made.n_windows > canvas.MOST_BINS
    middle = 2 + (rows - 1) / 2
    what = f"{'share of ' * binned}windows\nof k = {made.k},\n{canvas.label(made.metric.name)}"
    ax.set_yticks([0, 1, middle], ["reference", "hypothesis", what])
    ax.set_ylim(rows + 1.5, -0.6)
    counts = {why: sum(run.n_windows for run in made if run.why == why) for why in LOOKS}
    handles = [
        Patch(facecolor=face, edgecolor=edge, hatch=hatch, label=f"{says}: {counts[why]}")
        for why, (face, edge, hatch, says) in LOOKS.items()
        if counts[why]
    ]
    canvas.legend_above(ax, 3, handles=handles)
    furthest = 0.0 if _wraps(made) else made.runs[-1].last + made.k - 0.5
    ax.set_xlim(min(0, made.runs[0].first - 0.5), max(made.ref.n_units, furthest))


def per_unit(
    result: nominal.LabelSimilarity | gold.Support | Document | Sequence[float] | Floats,
    *,
    ylabel: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the similarity of labels by unit, the support by position, or any value per unit.

    For a document, the similarity of its labels is drawn if its coders gave labels, else the
    support of its positions. Where there is no value the curve has a gap. In long documents each
    point is the mean of several units (of support: the highest), and the axis says so.

    result: the result of `label_similarity` or `support`; a document; or a value per unit.
    ylabel: text at the vertical axis.

    >>> import segscore as ss
    >>> cut = ss.Segmentation.from_masses
    >>> ax = per_unit(ss.coders.support([cut([2, 3, 6]), cut([5, 6])]))
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('position', 'share of coders')
    """
    if isinstance(result, Document):
        result = nominal.label_similarity(result) if result.labels else gold.support(result)
    if isinstance(result, gold.Support):
        return _draw_support(result, ylabel, ax)
    mean = None
    values = canvas.in_one_row(result)
    if isinstance(result, nominal.LabelSimilarity):
        values, mean = result.per_unit, result.mean
        ylabel = ylabel or "similarity of labels (Jaccard)"
    if values is None:
        what = "label similarity, support, a document, or a number per unit"
        raise canvas.refused("result", result, what)
    canvas.drawable(len(values), "one unit or more")
    bins = canvas.Bins.of(len(values))
    ax = canvas.axes(ax, 2.6)
    x, y = bins.middle(np.arange(bins.n_bins)), _means(values, bins)
    # a point among gaps would be a line of no length: mark it
    alone = ~np.isnan(y) & np.isnan(np.append(np.nan, y[:-1])) & np.isnan(np.append(y[1:], np.nan))
    ax.plot(x, y, color=BLUE, linewidth=1.4, drawstyle="steps-mid")
    if alone.any():
        ax.plot(x[alone], y[alone], ".", color=BLUE)
    if mean is not None:
        ax.axhline(mean, color=GREY, linewidth=1, linestyle="--", label=f"mean {mean:.3g}")
        canvas.legend_above(ax, 1)
    canvas.positions_axis(ax, len(values), bins, "the mean of each", "unit")
    ax.set_xlim(0.5, len(values) + 0.5)
    return _finish(ax, ylabel or "value")


def _draw_support(made: gold.Support, ylabel: str | None, ax: Axes | None) -> Axes:
    """Draw a stem for each position that anyone marked; in bins, the highest."""
    ax = canvas.axes(ax, 2.6)
    bins = canvas.Bins.of(made.n_units - 1)
    found = np.zeros(bins.n_bins)
    np.maximum.at(found, bins.of_positions(made.positions), made.shares)
    marked = np.flatnonzero(found)
    x = bins.middle(marked)
    ax.vlines(x, 0, found[marked], color=BLUE, linewidth=bins.line)
    if bins.n_bins < 150:
        ax.plot(x, found[marked], "o", color=BLUE, markersize=4)
    ax.set_ylim(0, 1.05)
    canvas.positions_axis(ax, made.n_units, bins, "the highest share in each")
    near = f" within {made.within}" if made.within else ""
    return _finish(ax, ylabel or f"share of coders{near}")


def _means(values: Floats, bins: canvas.Bins) -> Floats:
    """The mean of the defined values of each bin; NaN where there are none."""
    starts = np.arange(bins.n_bins) * bins.width
    defined = ~np.isnan(values)
    counts = np.add.reduceat(defined.astype(np.int64), starts)
    sums = np.add.reduceat(np.where(defined, values, 0.0), starts)
    return ratio(sums, counts.astype(np.float64))


def _finish(ax: Axes, ylabel: str) -> Axes:
    ax.set_ylabel(ylabel)
    canvas.grid_behind(ax, "y")
    return ax


SHADES = ("#4A90C2", "#B9D6EA")  # neighbours differ, in grey print, too


def levels(document: Segmentation | Mapping[str, Segmentation], *, ax: Axes | None = None) -> Axes:
    """Draw each coding of a document, or a single segmentation, as a block of rows: a row per
    level.

    The first row has the segments between the most prominent boundaries, each row below also cuts
    at the next rank. Segments have two shades in turn. A coding without ranks has one level.

    >>> import segscore as ss
    >>> ax = levels(ss.ranked.from_nested_masses([[2, 3], 6, [1, [1, 2]]]))
    >>> [text.get_text() for text in ax.get_yticklabels()]
    ['level 1', 'level 2', 'level 3']
    """
    codings = _codings(document)
    n_units = next(iter(codings.values())).n_units
    depths = [int(dense_ranks(coding).max(initial=1)) for coding in codings.values()]
    ax = canvas.axes(ax, canvas.height_of(sum(depths) + len(depths) - 1, 0.28))
    bins = canvas.Bins.of(n_units - 1)
    rows: list[float] = []
    names: list[str] = []
    top = 0.0
    for (name, coding), depth in zip(codings.items(), depths, strict=True):
        ranks = dense_ranks(coding)
        for level in range(1, depth + 1):
            _draw_level(ax, coding.boundaries[ranks <= level], n_units, bins, top)
            rows.append(top)
            names.append(f"{name} level {level}".strip() if depth > 1 or not name else name)
            top += 1
        top += 0.5
    step = max(1, len(rows) // 100)
    ax.set_yticks(rows[::step], [canvas.label(name) for name in names[::step]])
    ax.tick_params(axis="y", length=0)
    ax.set_ylim(top - 1.0, -0.5)
    canvas.positions_axis(ax, n_units, bins, "a cut is one boundary or more")
    canvas.without_frame(ax, "top", "right", "left")
    return ax


def _codings(document: Segmentation | Mapping[str, Segmentation]) -> Mapping[str, Segmentation]:
    given = {"": document} if isinstance(document, Segmentation) else document
    if not isinstance(given, Mapping):
        raise canvas.refused("document", document, "a document")
    canvas.drawable(len(given), "a document with one coding or more")
    lengths = {coding.n_units for coding in given.values()}
    if len(lengths) > 1:
        raise SegmentationError(
            f"codings have {', '.join(map(str, sorted(lengths)))} units: expected the same number"
        )
    return given


def _draw_level(ax: Axes, cuts: np.ndarray, n_units: int, bins: canvas.Bins, row: float) -> None:
    """Draw the segments of a level, in two shades in turn."""
    edges = np.concatenate(([0.0], np.unique(bins.marks(cuts)), [n_units]))
    bars = list(zip(edges[:-1].tolist(), np.diff(edges).tolist(), strict=True))
    line = 0.8 if len(bars) < 150 else 0.0
    for i, shade in enumerate(SHADES):
        if bars[i::2]:
            look: Any = {"facecolor": shade, "edgecolor": BLACK, "linewidth": line}
            ax.broken_barh(bars[i::2], (row - 0.42, 0.84), **look)


Measurable = Corpus | Document | Iterable[Segmentation]
STEP, LONGEST = 0.25, 7.0  # of the axis, in mean segments


def lengths(corpus: Measurable | Mapping[str, Measurable], *, ax: Axes | None = None) -> Axes:
    """Draw a histogram of segment lengths, each relative to the mean segment of its own coding.

    So documents with long and with short segments fit in one picture: segments of equal length are
    all at 1. The last bar also holds all longer segments. A mapping from names to corpora (or to
    lists of segmentations) has a histogram for each, with shares instead of numbers.

    >>> import segscore as ss
    >>> ax = lengths([ss.Segmentation.from_masses([2, 3, 6])])
    >>> ax.get_xlabel()
    'segment length over the mean of its coding'
    """
    several = isinstance(corpus, Mapping) and not isinstance(corpus, Corpus | Document)
    given: Any = corpus if several else {"": corpus}
    found = {name: _relative(sizes) for name, sizes in given.items()}
    canvas.drawable(sum(map(len, found.values())), "one segmentation or more")
    longest = max(float(sizes.max(initial=0)) for sizes in found.values())
    end = min(LONGEST, max(2.0, np.ceil(longest / STEP + 1e-9) * STEP))
    edges = np.arange(0, end + STEP / 2, STEP)
    ax = canvas.axes(ax, 3.0)
    for i, (name, sizes) in enumerate(found.items()):
        # a hair below a bar's edge is on it: lengths are quotients
        counts, _ = np.histogram(np.minimum(sizes + 1e-9, end - STEP / 2), edges)
        if several:
            label = f"{canvas.label(name, 28)} ({len(sizes)} segments)"
            shares = counts / max(1, len(sizes))
            ax.stairs(shares, edges, linewidth=1.6, label=label, **canvas.line_look(i))
        else:
            ax.stairs(counts, edges, fill=True, facecolor="#9CC5E0")
            ax.stairs(counts, edges, color="black", linewidth=0.8)
            ax.yaxis.set_major_locator(MaxNLocator("auto", integer=True))
    if several:
        canvas.legend_above(ax, 2)
    ax.set_ylabel("share of segments" if several else "segments")
    more = f" (last bar: {end - STEP:g} and more)" if longest > end else ""
    ax.set_xlabel(f"segment length over the mean of its coding{more}")
    ax.set_xlim(0, end)
    ax.set_ylim(bottom=0)
    canvas.grid_behind(ax, "y")
    return ax


def _relative(codings: Measurable) -> Floats:
    """Lengths of all segments over the mean segment of their coding."""
    if isinstance(codings, Corpus):
        listed = [coding for document in codings.values() for coding in document.values()]
    else:
        listed = list(codings.values() if isinstance(codings, Document) else codings)
    if not all(isinstance(coding, Segmentation) for coding in listed):
        raise canvas.refused("corpus", codings, "a Corpus, or Segmentations")
    return np.concatenate(
        [np.empty(0), *(coding.masses * coding.n_segments / coding.n_units for coding in listed)]
    )
