"""Scores, averages, results: built once, on statistics."""

import math
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import segscore as ss
from strategies import pairs as drawn_pairs

masses = ss.Segmentation.from_masses
REFS = {"a": masses([2, 3, 6]), "b": masses([4, 4]), "c": masses([2])}
HYPS = {"a": masses([5, 6]), "b": masses([3, 5]), "c": masses([1, 1])}


@given(st.lists(drawn_pairs(min_units=2), min_size=1, max_size=8))
def test_micro_and_macro_are_what_they_say(several: Any) -> None:
    refs, hyps = zip(*several, strict=True)
    metrics = [ss.Pk(edges="pad"), ss.WindowDiff(), ss.WinPR(), ss.BoundaryMatch(tolerance=1)]
    result = ss.score(refs, hyps, metrics, on_undefined="nan")
    for metric in metrics:
        singles = [metric(r, h, on_undefined="nan") for r, h in several]
        scores = result[metric]
        assert scores.values == pytest.approx(np.array(singles), nan_ok=True)
        defined = [s for s in singles if not math.isnan(s)]
        assert scores.n_undefined == len(singles) - len(defined)
        if defined:
            assert scores.macro == pytest.approx(sum(defined) / len(defined))
        total = singles[0].statistics
        for single in singles[1:]:
            assert single.statistics is not None
            assert total is not None
            total += single.statistics
        assert total is not None
        assert scores.micro == pytest.approx(total.value, nan_ok=True)


def test_averages_carry_their_signature() -> None:
    scores = ss.score(REFS, HYPS, "windowdiff")["windowdiff"]
    assert scores.micro.signature.endswith("|avg:micro|v:0.1.0")
    assert scores.macro.signature.endswith("|avg:macro|v:0.1.0")
    assert ss.metric(scores.macro.signature) == scores.metric
    assert scores.macro.statistics is None
    assert scores.macro.parts == {}
    assert scores.micro.statistics == scores.statistics.sum()


def test_one_document_of_many() -> None:
    scores = ss.score(REFS, HYPS, "windowdiff")["windowdiff"]
    assert scores["a"] == scores[0] == ss.WindowDiff()(REFS["a"], HYPS["a"])
    assert scores["a"].k == 2
    assert [*scores] == list(scores.values)
    with pytest.raises(KeyError, match="no document 'z'"):
        scores["z"]
    with pytest.raises(IndexError):
        scores[3]


def test_undefined_documents_are_an_error_or_nan() -> None:
    metric = ss.WindowDiff(k=4)
    with pytest.raises(
        ss.SegmentationError,
        match="document 'c'.*4 needs.*4 units.*has 2",
    ):
        ss.score(REFS, HYPS, metric)
    scores = ss.score(REFS, HYPS, metric, on_undefined="nan")[metric]
    assert scores.n_undefined == 1
    assert math.isnan(scores.values[2])
    assert scores.macro == scores.values[:2].mean()
    assert scores.statistics.rows[2].tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((REFS, HYPS, ["wd", "windowdiff"]), "metric 'windowdiff' is listed twice"),
        (([], []), "no document to score"),
        ((REFS,), "hyps is missing"),
        ((REFS["a"], HYPS["a"]), "pair call the metric"),
        ((ss.Pairs.from_segmentations(REFS, HYPS), HYPS), "no hyps"),
    ],
)
def test_wrong_calls(arguments: Any, message: str) -> None:
    with pytest.raises(ss.SegmentationError, match=message):
        ss.score(*arguments)
    with pytest.raises(ss.SegmentationError, match="on_undefined is 'x'"):
        ss.score(REFS, HYPS, on_undefined="x")  # type: ignore[arg-type]


def test_a_score_is_a_float() -> None:
    score = ss.WindowDiff()(REFS["a"], HYPS["a"])
    assert isinstance(score, float)
    assert score + 1 == score.value + 1
    assert type(score.value) is float
    assert score.parts == {
        "missed": 2 / 9, "extra": 0.0, "errors": 2.0, "missed_errors": 2.0, "windows": 9.0, "k": 2,
    }  # fmt: skip
    assert "windows" in dir(score)
    again = pickle.loads(pickle.dumps(score))  # noqa: S301 ours
    assert (again, again.metric, again.k) == (score, score.metric, 2)
    with pytest.raises(AttributeError, match="score of windowdiff.*'precision'"):
        score.precision  # noqa: B018


def test_statistics_add_only_to_their_kind() -> None:
    a, b = ss.Pk()(REFS["a"], HYPS["a"]), ss.Pk(k=1)(REFS["a"], HYPS["a"])
    assert a.statistics is not None
    assert b.statistics is not None
    with pytest.raises(ss.SegmentationError, match="add statistics.*pk.k=1"):
        a.statistics + b.statistics
    with pytest.raises(KeyError, match="is not among false_negatives"):
        a.statistics["errors"]
    assert "3 rows of errors, windows, missed_errors" in repr(
        ss.score(REFS, HYPS, "wd")["wd"].statistics
    )


# ---- adding statistics (issue 16, item 1) ----


def _f1_of(*documents: tuple[int, int]) -> ss.metrics.Statistics:
    """Statistics of documents with so many matches, and so many boundaries only one side has."""
    refs, hyps = [], []
    for matched, alone in documents:
        places = list(range(1, matched + 1))
        extra = list(range(50, 50 + alone))
        refs.append(ss.Segmentation.from_boundaries(places + extra[::2], 99))
        hyps.append(ss.Segmentation.from_boundaries(places + extra[1::2], 99))
    return ss.score(refs, hyps, "f1")["f1"].statistics


def test_sum_of_statistics() -> None:
    batches = [_f1_of(*[(1, 0)] * 8), _f1_of((0, 4)), _f1_of((3, 1), (0, 0))]
    assert sum(batches) == batches[0] + batches[1] + batches[2]
    assert sum(batches[:1]) == batches[0].sum()
    for wrong in (1, 0.5, "0"):
        with pytest.raises(TypeError):
            wrong + batches[0]  # type: ignore[operator]
        with pytest.raises(TypeError):
            batches[0] + wrong  # type: ignore[operator]
    with pytest.raises(ss.SegmentationError, match="cannot add statistics of f1"):
        sum([ss.score(REFS, HYPS, "wd")["wd"].statistics, *batches])


# ---- what has no value (docs/definitions.md §2) ----

NOTHING = masses([9])


@pytest.mark.parametrize("name", ["f1", "f1(tolerance=2)", "winpr"])
def test_a_score_that_does_not_exist_is_an_error_unless_asked_for(name: str) -> None:
    metric = ss.metric(name)
    with pytest.raises(ss.SegmentationError, match="neither side.*on_"):
        metric(NOTHING, NOTHING)
    assert math.isnan(metric(NOTHING, NOTHING, on_undefined="nan"))
    with pytest.raises(ss.SegmentationError, match="document 0.*neither side"):
        ss.score([NOTHING], [NOTHING], name)
    with pytest.raises(ss.SegmentationError, match="3 documents together"):
        ss.score([NOTHING] * 3, [NOTHING] * 3, name)
    scores = ss.score([NOTHING] * 3, [NOTHING] * 3, name, on_undefined="nan")[name]
    assert math.isnan(scores.micro)
    assert math.isnan(scores.macro)


@pytest.mark.parametrize("name", ["f1", "winpr"])
def test_one_such_document_among_others_is_counted_and_no_error(name: str) -> None:
    scores = ss.score([NOTHING, REFS["a"]], [NOTHING, HYPS["a"]], name)[name]
    assert scores.n_undefined == 1
    assert scores.micro == scores.macro == scores.values[1]


# ---- documents that were added up ----


def test_sums_have_averages_and_no_documents() -> None:
    total = ss.Accumulator(["windowdiff", ss.BoundaryMatch(tolerance=1)])
    total.update(REFS, HYPS)
    summed, scored = total.result(), ss.score(REFS, HYPS, ["windowdiff", "f1(tolerance=1)"])
    assert isinstance(summed, ss.Result)
    assert repr(summed["windowdiff"]) == repr(scored["windowdiff"])
    for average, other in zip(summed.averages, scored.averages, strict=True):
        assert (average.micro, average.macro, len(average)) == (
            other.micro,
            other.macro,
            len(other),
        )
        assert (average.signature, average.n_undefined) == (other.signature, other.n_undefined)
        assert (average.has_documents, other.has_documents) == (False, True)
        assert average._repr_html_() == other._repr_html_()
    assert summed.render("latex") == scored.render("latex")
    assert summed.summary() == scored.summary()
    assert (summed.systems, scored.systems) == ([""], [])
    for ask in (
        lambda: summed["windowdiff"].values,
        lambda: summed["windowdiff"].statistics,
        lambda: summed["windowdiff"]["a"],
        lambda: list(summed["windowdiff"]),
        lambda: summed.documents,
        summed.to_dicts,
        lambda: summed.to_table(per_document=True),
    ):
        with pytest.raises(ss.SegmentationError, match="these documents were"):
            ask()
    again = pickle.loads(pickle.dumps(summed))  # noqa: S301 ours
    assert str(again) == str(summed)


def test_a_document_without_a_value_may_be_an_error_while_adding_up() -> None:
    total = ss.Accumulator(ss.WindowDiff(k=4))
    with pytest.raises(ss.SegmentationError, match="document 'c': windowdiff is undefined"):
        total.update(REFS, HYPS, on_undefined="raise")
    assert total.n_documents == 0
    with pytest.raises(ss.SegmentationError, match="on_undefined is 'x'"):
        total.update(REFS, HYPS, on_undefined="x")  # type: ignore[arg-type]
    total.update(REFS, HYPS)
    assert total.result()[ss.WindowDiff(k=4)].n_undefined == 1
