"""A metric at several values of a parameter: each value by itself, operations, refusals."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import segscore as ss
from segscore.cli.curve import parameter_values
from strategies import pairs

cut = ss.Segmentation.from_masses
REFS = [cut([4, 4, 4]), cut([6, 6]), cut([3, 9]), cut([2, 3, 6])]
HYPS = [cut([5, 4, 3]), cut([6, 6]), cut([6, 6]), cut([5, 6])]


@given(st.lists(pairs(min_units=2), min_size=1, max_size=4), st.integers(2, 6))
def test_each_value_is_the_metric_by_itself(documents: Any, most: int) -> None:
    """Operations, too, are those of `boundary_edits`, which shares no code with the rows of B."""
    refs, hyps = ([pair[i] for pair in documents] for i in (0, 1))
    made = ss.curves.sweep(refs, hyps, "b", n_t=range(1, most), n_resamples=20)
    assert made.values == tuple(range(1, most))
    for point in made:
        metric = ss.BoundarySimilarity(n_t=point.value)
        assert point.metric == metric
        assert point.micro == ss.score(refs, hyps, metric)[metric].micro
        found = [ss.boundary_edits(*pair, n_t=point.value) for pair in documents]
        assert point.counts == {
            "matches": sum(len(edits.matches) for edits in found),
            "near_misses": sum(len(edits.transpositions) for edits in found),
            "full_misses": sum(len(edits.additions) for edits in found),
        }
    n_boundaries = sum(len(coding.boundaries) for coding in (*refs, *hyps))
    for counts in (point.counts for point in made):  # no boundary is lost at any value
        assert 2 * (counts["matches"] + counts["near_misses"]) + counts["full_misses"] == (
            n_boundaries
        )
    full = [point.counts["full_misses"] for point in made]
    assert full == sorted(full, reverse=True)  # a larger n_t never pairs fewer


def test_intervals_are_those_of_the_bootstrap() -> None:
    from segscore.significance.resampling import bootstrap_interval

    made = ss.curves.sweep(REFS, HYPS, "windowdiff", k=[2, 3, None], n_resamples=500, rng=3)
    for point in made:
        rows = ss.score(REFS, HYPS, point.metric)[point.metric].statistics.rows
        alone = bootstrap_interval(rows, point.metric.values, n_resamples=500, seed=3)
        assert point.ci == alone
        assert point.counts == dict(
            zip(("errors", "windows", "missed_errors"), rows.sum(axis=0).tolist(), strict=True)
        )


def test_parts_and_other_parameters_stay() -> None:
    made = ss.curves.sweep(REFS, HYPS, "b(cost=unit).precision", n_t=[2, 4])
    assert [str(point.metric) for point in made] == ["b(cost=unit).precision",
                                                     "b(n_t=4,cost=unit).precision"]  # fmt: skip
    typed = ss.Segmentation.from_boundaries([3], 9, types=["a"])
    other = ss.Segmentation.from_boundaries([3], 9, types=["b"])
    metric = ss.BoundarySimilarity(types=("a", "b"))
    assert ss.curves.sweep([typed], [other], metric, n_t=[2]).points[0].counts["substitutions"] == 1


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({}, "0 parameters.*sweep"),
        ({"n_t": [1], "cost": ["unit"]}, "2 parameters to sweep"),
        ({"k": [1]}, "no parameter is called 'k'"),
        ({"n_t": 3}, "n_t is 3: expected several values"),
        ({"n_t": [2, 3, 2]}, "n_t has 2 twice"),
        ({"n_t": [0]}, "n_t is 0"),
    ],
)
def test_refusals(parameters: Any, words: str) -> None:
    with pytest.raises(ss.SegmentationError, match=words):
        ss.curves.sweep(REFS, HYPS, "b", **parameters)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("n_t=1:3", [1, 2, 3]),
        ("n_t=1:10:4", [1, 5, 9]),
        ("k=2, 4,8", [2, 4, 8]),
        ("k=auto,60s", [None, "60s"]),
    ],
)
def test_values_as_written(text: str, values: list[Any]) -> None:
    assert parameter_values(text) == (text[: text.index("=")], values)


@pytest.mark.parametrize("text", ["n_t", "=3", "n_t=", "n_t=1:2:3:4", "n_t=a:b", "n_t=3:1",
                                  "n_t=1:2:0", "n_t=1:9999999999"])  # fmt: skip
def test_wrong_values_are_one_line(text: str) -> None:
    with pytest.raises(ss.SegmentationError, match="--vary is "):
        parameter_values(text)
