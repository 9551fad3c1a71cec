"""Structure of each picture: how many marks, which labels, which limits; no pixel is compared."""

from typing import Any

import numpy as np
import pytest

import segscore as ss
from needs import needs
from plot_tools import DOCUMENT, HYP, N_MARKS, PEOPLE, REF, cut, legend, names, random, segments
from segscore import plot
from segscore.simulate.sample_codings import STARGAZER

pytestmark = needs("plot")


@pytest.fixture(scope="module")
def comparison() -> Any:
    refs = {f"d{i}": random(60, 5, i) for i in range(12)}
    systems = {"good": refs, "bad": {name: random(60, 5, 100 + i) for i, name in enumerate(refs)}}
    return ss.compare(refs, systems=systems, metrics=["windowdiff", "b"], n_resamples=200)


def test_boundaries_have_a_mark_each_and_the_majority_below() -> None:
    ax = plot.boundaries(DOCUMENT)
    agreed = ss.consensus(DOCUMENT, "majority")
    assert segments(ax) == [8, *N_MARKS.values(), agreed.n_segments - 1]
    assert names(ax) == [*STARGAZER, "majority"]
    assert ax.get_xlim() == (0, 21)
    assert ax.get_title(loc="left") == "Stargazers"
    assert len(names(plot.boundaries(DOCUMENT, majority=False))) == 7


def test_support_is_a_cell_per_position_and_nothing_beyond_the_end() -> None:
    short = {"ann": cut([2, 1]), "bob": cut([1, 2])}
    corpus = ss.Corpus.from_dict({"long": {"ann": REF, "bob": HYP}, "short": short})
    ax = plot.support(corpus)
    cells = ax.collections[0].get_array()
    assert cells.shape == (2, 10)
    assert cells[0].tolist() == [0.5, 1, 0, 0, 1, 0.5, 0, 0, 0, 0]
    assert cells[1, :2].tolist() == [0.5, 0.5]
    assert cells.mask[1].tolist() == [False] * 2 + [True] * 8
    assert names(ax) == ["long", "short"]
    assert ax.collections[0].get_clim() == (0, 1)


def test_edits_show_what_became_of_each_boundary() -> None:
    ax = plot.edits(cut([2, 4, 4, 4]), cut([3, 3, 6, 2]), names=("s1", "s2"))
    assert legend(ax) == ["match: 1", "near miss: 1", "missed: 1", "extra: 1"]
    assert names(ax) == ["s1", "s2"]
    # rows; two ticks and a link for match and near miss; a tick each for missed and extra
    assert segments(ax) == [2, 1, 1, 1, 1, 1, 1, 1, 1]
    assert [line.get_xdata().tolist() for line in ax.lines] == [[10], [12]]


def test_few_windows_have_a_row_each() -> None:
    ax = plot.windows(REF, cut([5, 6]))
    assert legend(ax) == ["no penalty: 7", "penalised, missed: 2"]
    bars = [collection for collection in ax.collections if not hasattr(collection, "get_segments")]
    assert len(bars) == 9
    spans = [bar.get_paths()[0].get_extents() for bar in bars]
    assert [(box.x0, box.x1) for box in spans] == [(i + 0.5, i + 2.5) for i in range(9)]
    beside = [text.get_text() for text in ax.texts]
    assert beside == ["1, 0", "1, 0", "ref, hyp"]


def test_many_windows_share_a_row_and_thousands_are_shares() -> None:
    strip = plot.windows(random(200, 12, 1), random(200, 12, 2))
    assert "windows\nof k = 8" in names(strip)[2]
    many = plot.windows(random(10_000, 400, 1), random(10_000, 400, 2))
    assert names(many)[2].startswith("share of windows")
    made = ss.metrics.windows(random(10_000, 400, 1), random(10_000, 400, 2))
    n_bins = -(-made.n_windows // -(-made.n_windows // 1000))
    width = np.diff(np.minimum(np.arange(n_bins + 1) * 10, made.n_windows))
    for patch, why in zip(many.patches, ("missed", "extra"), strict=True):
        top, edges, floor = patch.get_data()
        counted = sum(run.n_windows for run in made if run.why == why)
        assert float((floor - top) / 1.6 @ width) == pytest.approx(counted)
        assert np.diff(edges).tolist() == width.tolist()


def test_intervals_have_a_row_per_contestant_and_letters(comparison: Any) -> None:
    ax = plot.intervals(comparison, "b")
    assert names(ax) == comparison.rows
    assert [text.get_text() for text in ax.texts] == ["a", "b", "", "", ""]
    drawn = np.concatenate([container[0].get_xdata() for container in ax.containers])
    expected = [comparison[name, "b"].value for name in comparison.rows]
    assert sorted(drawn) == pytest.approx(sorted(expected))
    assert ax.get_xlabel() == "b, 95 % intervals (higher is better)"
    assert "lower is better" in comparison.plot().get_xlabel()


def test_intervals_of_agreement_have_documents_groups_and_the_whole() -> None:
    corpus = ss.Corpus.from_dict(
        {"x": {"a": REF, "b": HYP}, "y": {"a": REF, "b": REF}}, groups={"x": "1", "y": "1"}
    )
    made = ss.agreement(corpus, n_resamples=50)
    ax = made.plot()
    assert names(ax) == ["x", "y", "group 1", "all"]
    assert ax.get_xlabel().startswith("corrected agreement by b")
    for which in ("corrected", "pi", "kappa"):
        ax = plot.intervals(made, coefficient=which)  # type: ignore[arg-type]
        drawn = np.concatenate([container[0].get_xdata() for container in ax.containers])
        parts = [*made.documents.values(), made.groups["1"], made]
        assert sorted(drawn) == sorted(part.valued(which)[0] for part in parts)  # type: ignore[arg-type]
    without = ss.agreement(corpus, n_resamples=50, draws=0)
    assert without.plot().get_xlabel().startswith("π* by b")
    with pytest.raises(ss.SegmentationError, match="random coders were"):
        without.plot(coefficient="corrected")


def test_distribution_has_a_box_per_row(comparison: Any) -> None:
    ax = plot.distribution(comparison, "b")
    assert names(ax) == comparison.rows
    assert len(ax.patches) == len(comparison.rows)
    result = ss.score([REF, REF], [HYP, REF], metrics=["pk", "b"])
    assert names(plot.distribution(result)) == ["pk", "b"]
    assert names(plot.distribution(result["b"])) == ["b"]


def test_precision_recall_has_a_point_per_row(comparison: Any) -> None:
    ax = plot.precision_recall(comparison)  # the first metric that has both
    points = [line for line in ax.lines if line.get_linestyle() == "None"]
    assert len(points) == len(comparison.rows)
    assert ax.get_xlim() == ax.get_ylim() == (0, 1)
    totals = comparison.totals("b")
    assert points[1].get_xdata()[0] == totals["bad"].recall
    assert points[1].get_ydata()[0] == totals["bad"].precision
    with pytest.raises(ss.SegmentationError, match="precision and recall"):
        plot.precision_recall(comparison, "windowdiff")


def test_iso_f_curves_have_that_f() -> None:
    ax = plot.precision_recall({"x": ss.BoundarySimilarity()(REF, HYP)})
    curves = [line for line in ax.lines if line.get_linestyle() == "-"]
    for line, f in zip(curves, (0.2, 0.4, 0.6, 0.8), strict=True):
        recall, precision = line.get_data()
        assert 2 * precision * recall / (precision + recall) == pytest.approx(f)
        assert precision.max() == pytest.approx(1)


def test_habits_mark_who_stands_out() -> None:
    codings = {str(i): random(100, 9, i) for i in range(9)} | {"eager": random(100, 60, 9)}
    ax = plot.habits(ss.Corpus.from_dict({"d": codings}))
    assert "stands out" in legend(ax)
    far = next(line for line in ax.lines if line.get_label() == "stands out")
    assert far.get_ydata().tolist() == [9]
    assert [text.get_text() for text in ax.texts] == ["9"] * 9 + ["60"]


def test_clusters_join_at_their_height() -> None:
    masses = {"a": [2, 3, 6], "b": [2, 3, 6], "c": [5, 6], "d": [11]}
    ax = plot.clusters(ss.Corpus.from_dict({"t": {n: cut(m) for n, m in masses.items()}}))
    drawn = ax.collections[0].get_segments()
    assert [line[1][0] for line in drawn] == [0, 0.5, 1]
    assert names(ax) == ["d", "c", "a", "b"]


def test_per_unit_draws_labels_and_gaps() -> None:
    corpus = ss.Corpus.from_dict(
        {"d": {"a": cut([2, 2]), "b": cut([3, 1])}},
        labels={"d": {"a": ["x", "y"], "b": ["x", ["y", "z"]]}},
    )
    ax = plot.per_unit(corpus["d"])
    assert ax.lines[0].get_ydata().tolist() == [1, 1, 0, 0.5]
    assert legend(ax) == ["mean 0.625"]
    gaps = plot.per_unit([1, np.nan, 0.5, np.nan])
    assert gaps.lines[1].get_xdata().tolist() == [1, 3]  # points alone are marked


def test_matrix_is_the_mean_over_shared_documents() -> None:
    other = cut([4, 4, 3])
    corpus = ss.Corpus.from_dict({
        "x": {"a": REF, "b": HYP}, "y": {"a": REF, "b": REF, "c": other}
    })  # fmt: skip
    metric = ss.WindowDiff()
    made = ss.coders.pairwise(corpus, metric).by_coders()
    assert made[0, 1] == pytest.approx((metric(REF, HYP) + 0) / 2)
    assert made[1, 0] == pytest.approx((metric(HYP, REF) + 0) / 2)
    assert made[2, 0] == pytest.approx(metric(other, REF))
    assert np.isnan(np.diag(made)).all()
    ax = plot.matrix(corpus, metric)
    assert ax.get_xlabel() == "hypothesis"
    assert len(ax.texts) == 6
    assert names(ax) == ["a", "b", "c"]


def test_levels_cut_more_and_more() -> None:
    tree = ss.ranked.from_nested_masses([[2, 3], 6, [1, [1, 2]]])
    ax = plot.levels({"tree": tree, "flat": ss.ranked.at_level(tree, 1)})
    assert names(ax) == ["tree level 1", "tree level 2", "tree level 3", "flat"]
    bars = [len(collection.get_paths()) for collection in ax.collections]
    assert [sum(bars[i : i + 2]) for i in range(0, 8, 2)] == [3, 5, 6, 3]


def test_lengths_are_relative_to_each_coding() -> None:
    ax = plot.lengths([cut([2, 2, 2]), cut([50, 50])])
    counts, edges, _ = ax.patches[0].get_data()
    assert counts[edges[:-1].tolist().index(1.0)] == 5
    assert counts.sum() == 5
    several = plot.lengths({"a": PEOPLE, "b": [cut([1, 30])]})
    assert legend(several) == ["a (56 segments)", "b (2 segments)"]
    assert several.get_ylabel() == "share of segments"


def test_a_curve_of_thresholds() -> None:
    refs = [cut([2, 3, 1]), cut([4, 2])]
    made = ss.curve(
        refs, [[0.1, 0.9, 0.3, 0.2, 0.4], [0.3, 0.2, 0.2, 0.8, 0.1]], ["f1", "pk"], n_resamples=20
    )
    ax = plot.curve(made)
    assert legend(ax) == ["f1", "pk"]
    assert ax.get_xlabel() == "threshold"
    for line, metric in zip(ax.lines, made.metrics, strict=False):
        at = dict(zip(made.thresholds.tolist(), made.values(metric).tolist(), strict=True))
        assert [at[x] for x in line.get_xdata()] == list(line.get_ydata())
    assert len(ax.collections) == 2  # intervals
    assert ax.lines[-1].get_xdata()[0] == made.density_threshold
    alone = plot.curve(ss.curve(refs[:1], [[0.1, 0.9, 0.3, 0.2, 0.4]], ["f1"], n_resamples=9))
    assert not alone.collections  # one document has no intervals
    assert legend(made.plot()) == ["f1", "pk"]
