"""What all pictures share: axes, settings, errors, no pyplot, no display."""

import os
import subprocess
import sys
from collections.abc import Callable

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import segscore as ss
from needs import needs
from plot_tools import DOCUMENT, HYP, PEOPLE, REF
from segscore import plot

pytestmark = needs("plot")

EVERY: dict[str, Callable[..., Axes]] = {
    "boundaries": lambda **o: plot.boundaries(DOCUMENT, **o),
    "support": lambda **o: plot.support(PEOPLE, **o),
    "edits": lambda **o: plot.edits(REF, HYP, **o),
    "windows": lambda **o: plot.windows(REF, HYP, **o),
    "intervals": lambda **o: plot.intervals(ss.agreement(PEOPLE, n_resamples=50), **o),
    "distribution": lambda **o: plot.distribution({"a": [0.1, 0.4], "b": [0.3]}, **o),
    "precision_recall": lambda **o: plot.precision_recall(
        {"x": ss.BoundarySimilarity()(REF, HYP)}, **o
    ),
    "habits": lambda **o: plot.habits(PEOPLE, **o),
    "clusters": lambda **o: plot.clusters(PEOPLE, **o),
    "per_unit": lambda **o: plot.per_unit(ss.coders.support(DOCUMENT), **o),
    "matrix": lambda **o: plot.matrix(PEOPLE, **o),
    "levels": lambda **o: plot.levels(ss.ranked.from_nested_masses([[2, 3], 6]), **o),
    "lengths": lambda **o: plot.lengths(PEOPLE, **o),
    "curve": lambda **o: plot.curve([0, 1], {"a": [0, 1]}, **o),
    "sweep": lambda **o: plot.sweep(
        ss.curves.sweep([REF, REF], [HYP, REF], "b", n_t=[1, 2, 3], n_resamples=9), **o
    ),
    "curve of thresholds": lambda **o: plot.curve(
        ss.curve([REF, REF], [np.arange(REF.n_units - 1) % 5] * 2, n_resamples=9), **o
    ),
}


def test_every_picture_is_here() -> None:
    assert {name.partition(" ")[0] for name in EVERY} == set(plot.__all__) - {"save", "panels"}


@pytest.mark.parametrize("name", EVERY)
def test_draws_into_axes_of_the_user(name: str) -> None:
    figure = Figure()
    mine = figure.add_subplot()
    assert EVERY[name](ax=mine) is mine
    figure.draw_without_rendering()


@pytest.mark.parametrize("name", EVERY)
def test_needs_no_axes_and_leaves_settings_alone(name: str) -> None:
    mpl.get_backend()  # which is chosen when it is first asked for
    before = mpl.rcParams.copy()
    ax = EVERY[name]()
    assert isinstance(ax, Axes)
    assert ax._repr_png_().startswith(b"\x89PNG")  # type: ignore[attr-defined]
    assert mpl.rcParams == before


@pytest.mark.parametrize("name", EVERY)
def test_no_text_is_cut_off(name: str) -> None:
    """All texts lie inside the figure."""
    ax = EVERY[name]()
    figure = ax.get_figure(root=True)
    assert figure is not None
    figure.draw_without_rendering()
    box = ax.get_tightbbox()
    assert box is not None
    assert box.x0 >= -1
    assert box.y0 >= -1
    assert box.x1 <= figure.bbox.x1 + 1
    assert box.y1 <= figure.bbox.y1 + 1


def test_neither_pyplot_nor_a_display_is_needed() -> None:
    code = (
        "import sys, segscore as ss\n"
        "assert 'matplotlib' not in sys.modules\n"
        "ax = ss.plot.boundaries({'a': ss.Segmentation.from_masses([2, 3])})\n"
        "ax._repr_png_()\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
    )
    without = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={**without, "MPLBACKEND": "tkagg"},
        check=False,
    )
    assert done.returncode == 0, done.stderr
