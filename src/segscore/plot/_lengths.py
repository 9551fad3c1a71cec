"""The lengths of segments (after Carroll 2010, fig. 4)."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from segscore.basics.arguments import Floats, shown
from segscore.coding.segmentation import Segmentation
from segscore.corpus.corpus import Corpus, Document
from segscore.errors import SegmentationError
from segscore.plot import _canvas as canvas
from segscore.plot._canvas import CYCLE, DASHES

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
            shares = counts / max(1, len(sizes))
            ax.stairs(
                shares, edges, color=CYCLE[i % len(CYCLE)], linestyle=DASHES[i % len(DASHES)],
                linewidth=1.6, label=f"{canvas.label(name, 28)} ({len(sizes)} segments)",
            )  # fmt: skip
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
    listed: list[Segmentation] = []
    documents = codings.values() if isinstance(codings, Corpus) else [codings]
    for document in documents:
        given = document.values() if isinstance(document, Document) else document
        if not isinstance(given, Iterable) or isinstance(given, str):
            raise SegmentationError(f"lengths got {shown(given)}: expected a Corpus")
        listed += given
    for coding in listed:
        if not isinstance(coding, Segmentation):
            raise SegmentationError(f"lengths got {shown(coding)}: expected Segmentations")
    return np.concatenate(
        [np.empty(0), *(coding.masses * coding.n_segments / coding.n_units for coding in listed)]
    )
