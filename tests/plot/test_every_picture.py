"""What all pictures share: axes, settings, errors, no pyplot, no display."""

import importlib.util
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import segscore as ss
from needs import needs
from plot_tools import DOCUMENT, HYP, PEOPLE, REF, random
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
def test_needs_no_axes_leaves_settings_alone_and_cuts_no_text_off(name: str) -> None:
    mpl.get_backend()  # which is chosen when it is first asked for
    before = mpl.rcParams.copy()
    ax = EVERY[name]()
    assert ax._repr_png_().startswith(b"\x89PNG")  # type: ignore[attr-defined]
    assert mpl.rcParams == before
    box, whole = ax.get_tightbbox(), ax.get_figure(root=True).bbox  # type: ignore[union-attr]
    assert box is not None
    assert min(box.x0, box.y0) >= -1
    assert box.x1 <= whole.x1 + 1
    assert box.y1 <= whole.y1 + 1


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


# ---- pictures into files; axes side by side ----


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf", "pgf"])
def test_files_are_the_same_every_time(suffix: str, tmp_path: Any) -> None:
    made = []
    for i in range(2):
        target = tmp_path / f"{i}.{suffix}"
        plot.save(plot.windows(REF, HYP), target)
        made.append(target.read_bytes())
    assert made[0] == made[1]
    opens = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF", "pgf": b"% \\usepackage{pgf}"}
    assert made[0].startswith(opens[suffix])


def test_other_suffixes_are_refused(tmp_path: Any) -> None:
    with pytest.raises(ss.SegmentationError, match="expected one of .pdf, .svg, .png, .pgf"):
        plot.save(plot.boundaries(DOCUMENT), tmp_path / "x.jpeg")
    with pytest.raises(ss.SegmentationError, match="Axes.*Figure"):
        plot.save("x", tmp_path / "x.png")


def test_a_large_map_cannot_be_pgf_and_the_error_says_so(tmp_path: Any) -> None:
    corpus = ss.Corpus.from_dict({str(i): {"a": random(300, 9, i)} for i in range(100)})
    with pytest.raises(ss.SegmentationError, match="too large for PGF"):
        plot.save(plot.support(corpus), tmp_path / "x.pgf")
    assert not list(tmp_path.iterdir())


# ---- the gallery shows every picture, each file is there and small, and no entry is left behind ----


DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "gallery.md").read_text("utf-8")
PICTURES = re.findall(r"\]\((gallery/[^)]+)\)", PAGE)


def test_every_picture_is_shown() -> None:
    called = set(re.findall(r"ss\.plot\.(\w+)\(", PAGE))
    assert set(plot.__all__) <= called


def test_files_are_there_and_small() -> None:
    assert len(PICTURES) == len(set(PICTURES)) >= 14
    for name in PICTURES:
        assert 1000 < (DOCS / name).stat().st_size < 100_000
    assert {path.name for path in (DOCS / "gallery").iterdir()} == {
        Path(name).name for name in PICTURES
    }


def test_the_page_is_as_the_script_has_it() -> None:
    spec = importlib.util.spec_from_file_location("make_gallery", DOCS / "make_gallery.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    assert script.page() == PAGE
