"""Pictures of much, of long and hostile names, of nothing and of the wrong things."""

from collections.abc import Callable
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest

import segscore as ss
from needs import needs
from plot_tools import HYP, REF, cut, random, segments
from segscore import plot

pytestmark = needs("plot")


def test_ten_thousand_units_are_binned_and_the_axis_says_so() -> None:
    first, second = random(10_000, 700, 1), random(10_000, 700, 2)
    ax = plot.boundaries({"a": first, "b": second})
    assert "in bins of 10" in ax.get_xlabel()
    assert max(segments(ax)) <= 1000
    bins = len(np.unique((first.boundaries - 1) // 10))
    assert segments(ax)[1] == bins
    corpus = ss.Corpus.from_dict({"d": {"a": first, "b": second}})
    shares = np.asarray(plot.support(corpus).collections[0].get_array())
    assert shares.shape == (1, 1000)
    assert shares.max() == ss.coders.support(corpus["d"]).shares.max()
    ranked = ss.Segmentation.from_boundaries(first.boundaries, 10_000, ranks=[1, 2] * 350)
    for drawn in (
        plot.support(corpus),
        plot.edits(first, second),
        plot.windows(first, second),
        plot.per_unit(np.linspace(0, 1, 10_000)),
        plot.per_unit(ss.coders.support(corpus["d"])),
        plot.levels(ranked),
    ):
        assert "in bins of 10" in drawn.get_xlabel()


def test_means_of_bins_are_means() -> None:
    values = np.arange(5_000, dtype=float)
    ax = plot.per_unit(values)
    assert ax.lines[0].get_ydata().tolist() == values.reshape(-1, 5).mean(axis=1).tolist()


HOSTILE = (
    "$x_1$",
    "a$b",
    r"\frac{a}{b} $\frac$",
    r"\input{/etc/passwd}",
    "100 % & # _ ^ ~",
    "two\nlines\x1b[31m",
    "x" * 500,
)


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf", "pgf"])
def test_hostile_names_are_drawn_as_they_are(suffix: str, tmp_path: Any) -> None:
    document = HOSTILE[3]
    corpus = ss.Corpus.from_dict({document: dict.fromkeys(HOSTILE, REF) | {"bob": HYP}})
    pictures = (
        plot.boundaries(corpus[document]),
        plot.matrix(corpus),
        plot.curve([0, 1], {name: [0, 1] for name in (*HOSTILE, "\ud800")}, xlabel=HOSTILE[0]),
    )
    for i, ax in enumerate(pictures):
        target = tmp_path / f"{i}.{suffix}"
        plot.save(ax, target)
        assert target.stat().st_size > 1000
        if suffix == "pgf":
            text = target.read_text("utf-8")
            assert r"\input{/etc" not in text
            assert "$x_1$" not in text
            assert r"\$x\_1\$" in text


def test_labels_are_safe_for_a_user_of_tex(monkeypatch: pytest.MonkeyPatch) -> None:
    from segscore.plot._canvas import label

    monkeypatch.setitem(mpl.rcParams, "text.usetex", True)
    assert label(r"\input{x}_1") == r"\textbackslash{}input\{x\}\_1"


NOTHING: dict[str, tuple[Callable[[], Any], str]] = {
    "boundaries": (lambda: plot.boundaries({}), "a document with one coding or more"),
    "support": (lambda: plot.support(ss.Corpus.from_dict({})), "a document with codings"),
    "one unit": (
        lambda: plot.support(ss.Corpus.from_dict({"d": {"a": cut([1])}})),
        "a document with codings, of two units or more",
    ),
    "distribution": (lambda: plot.distribution({"a": [np.nan]}), "one value or more"),
    "precision_recall": (
        lambda: plot.precision_recall({}), "scores with precision and recall",
    ),
    "habits": (lambda: plot.habits(ss.Corpus.from_dict({"d": {"a": cut([1])}})), "a coder of"),
    "no codings": (lambda: plot.habits(ss.Corpus.from_dict({})), "the corpus has no codings"),
    "clusters": (lambda: plot.clusters(ss.Corpus.from_dict({})), "clustering needs codings"),
    "matrix": (lambda: plot.matrix(ss.Corpus.from_dict({})), "needs codings"),
    "per_unit": (lambda: plot.per_unit([]), "one unit or more"),
    "levels": (lambda: plot.levels({}), "a document with one coding or more"),
    "lengths": (lambda: plot.lengths([]), "one segmentation or more"),
    "curve": (lambda: plot.curve([], {}), "one point and one curve or more"),
    "windows": (lambda: plot.windows(cut([1]), cut([1])), "1 unit"),
}  # fmt: skip


@pytest.mark.parametrize("case", NOTHING)
def test_no_data_is_an_error_in_words(case: str) -> None:
    make, words = NOTHING[case]
    with pytest.raises(ss.SegmentationError, match=words):
        make()


def test_a_name_that_begins_with_an_underscore_is_in_the_legend(tmp_path: Any) -> None:
    """Matplotlib leaves such labels out, and the page that names each entry would not fit."""
    systems = {"_a": [HYP] * 5, "b": [REF] * 5}
    compared = ss.compare([REF] * 5, systems=systems, baselines=())
    for ax in (
        plot.precision_recall(compared),
        plot.curve([0, 1], {"_a": [0, 1], "b": [1, 0]}),
        plot.lengths(systems),
    ):
        assert [text.get_text().split()[0] for text in ax.get_legend().get_texts()] == ["_a", "b"]
    ss.report(compared, tmp_path / "page.html")
