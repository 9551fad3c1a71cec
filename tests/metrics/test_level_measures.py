"""L- and T-measure: against their definition, in batches, averages, files, and the edge cases."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import segscore as ss
from oracles.level_measures import meet, recall

MADE = ss.Segmentation.from_masses


@st.composite
def levels(draw: Any, n: int, labels: bool = True) -> ss.Levels:
    """Some levels, nested or not; labels return, and some segments have none."""
    found = []
    for _ in range(draw(st.integers(1, 3))):
        places = draw(st.sets(st.integers(1, n - 1), max_size=4)) if n > 1 else set()
        level = ss.Segmentation.from_boundaries(places, n)
        if labels:
            names = st.sampled_from(["a", "b", "c", None])
            given_ = draw(st.lists(names, min_size=level.n_segments, max_size=level.n_segments))
            level = level.with_segment_labels([given_[0] or "a", *given_[1:]])
        found.append(level)
    return ss.Levels(found)


two_labelled = st.integers(2, 12).flatmap(lambda n: st.tuples(levels(n), levels(n)))
two_plain = st.integers(2, 12).flatmap(lambda n: st.tuples(levels(n, False), levels(n, False)))


def harmonic(p: float, r: float) -> float:
    if math.isnan(p) and math.isnan(r):
        return math.nan
    p, r = np.nan_to_num([p, r])
    return 2 * p * r / (p + r) if p + r else 0.0


@given(two_labelled)
def test_l_measure_is_its_definition(pair: Any) -> None:
    ref, hyp = pair
    score = ss.LMeasure()(ref, hyp, on_undefined="nan")
    at = [meet(coding, "labels") for coding in pair]
    r, p = recall(ref.n_units, *at), recall(ref.n_units, *at[::-1])
    found = (score.precision, score.recall, float(score))
    assert found == pytest.approx((p, r, harmonic(p, r)), nan_ok=True, abs=1e-12)


@given(two_plain, st.sampled_from([None, 1, 2, 3, 5, 40]), st.booleans())
def test_t_measure_is_its_definition(pair: Any, window: int | None, reduced: bool) -> None:
    ref, hyp = pair
    score = ss.metrics.TMeasure(window, reduced)(ref, hyp, on_undefined="nan")
    at = [meet(coding, "segments") for coding in pair]
    r = recall(ref.n_units, *at, window, reduced)
    p = recall(ref.n_units, *at[::-1], window, reduced)
    found = (score.precision, score.recall, float(score))
    assert found == pytest.approx((p, r, harmonic(p, r)), nan_ok=True, abs=1e-12)


def test_units_cost_nothing() -> None:
    """A document of 10¹⁵ units; only the query itself, which is left out, weighs less."""

    def long(times: int) -> float:
        masses = [[4 * times, 4 * times], [2 * times] * 4]
        sides = (piece(*labels, masses=masses) for labels in (("AB", "abac"), ("AA", "aabb")))
        return float(ss.LMeasure()(*sides))

    assert long(10**14) == pytest.approx(long(1000), abs=1e-3)


def piece(*labels: str, masses: Any = ([4, 4], [2, 2, 2, 2])) -> ss.Levels:
    return ss.Levels(
        [MADE(m, segment_labels=list(letters)) for m, letters in zip(masses, labels, strict=True)]
    )


def test_a_ranked_segmentation_has_a_level_per_rank() -> None:
    ranked = ss.Segmentation.from_boundaries([2, 4, 6], 8, ranks=[5, 1, 5])
    other = ss.Levels([MADE([3, 5]), MADE([3, 2, 3])])
    same = ss.Levels([MADE([4, 4]), MADE([2, 2, 2, 2])])
    assert ss.metrics.TMeasure()(ranked, other) == ss.metrics.TMeasure()(same, other)
    plain = ss.Pairs.from_segmentations([ranked, MADE([4, 4])], [ranked, MADE([8])])
    mixed = ss.Pairs.from_segmentations([ranked, MADE([4, 4])], [same, MADE([8])])
    assert ss.metrics.TMeasure().rows(plain).tolist() == ss.metrics.TMeasure().rows(mixed).tolist()


def test_one_level_is_the_segmentation_itself() -> None:
    ref, hyp = MADE([4, 4], segment_labels=["x", "y"]), MADE([2, 6], segment_labels=["x", "y"])
    for metric in (ss.LMeasure(), ss.metrics.TMeasure()):
        assert metric(ref, hyp) == metric(ss.Levels([ref]), ss.Levels([hyp]))


def test_what_is_undefined_is_no_number() -> None:
    """mir_eval prints 0 in both cases."""
    flat, split = MADE([8], segment_labels=["x"]), MADE([4, 4], segment_labels=["x", "y"])
    for metric in (ss.LMeasure(), ss.metrics.TMeasure()):
        with pytest.raises(ss.SegmentationError, match="near to any unit"):
            metric(flat, flat)
        assert math.isnan(metric(flat, flat, on_undefined="nan"))
        score = metric(flat, split)
        assert (score, score.precision) == (0, 0)  # a hypothesis that claims what is not there
        assert math.isnan(score.recall)
        coding = MADE([1], segment_labels=["x"])
        with pytest.raises(ss.SegmentationError, match="the document has 1 unit"):
            metric(coding, coding)
    alone = MADE([2, 2], segment_labels=["x", None])
    assert ss.LMeasure()(alone, alone) == 1  # units without a label are near to none


@pytest.mark.parametrize(
    ("ref", "message"),
    [
        (MADE([4, 4]), "document 0.*reference has no segment"),
        (
            ss.Levels([MADE([4, 4], segment_labels=["a", "b"]), MADE([2] * 4), MADE([2] * 4)]),
            "level 2.*segment labels",
        ),
    ],
)
def test_levels_without_labels_have_no_l_measure(ref: Any, message: str) -> None:
    hyp = piece("AB", "abab")
    with pytest.raises(ss.SegmentationError, match=message):
        ss.LMeasure()(ref, hyp)
    scores = ss.score([ref, hyp], [hyp, hyp], metrics="l-measure", on_undefined="nan")["l-measure"]
    assert math.isnan(scores.values[0])
    assert (scores.micro, scores.n_undefined) == (1, 1)
    with pytest.raises(ss.SegmentationError, match="hypothesis has no segment"):
        ss.LMeasure()(hyp, MADE([4, 4]))


def test_several_labels_are_refused_by_name() -> None:
    ref = MADE([4, 4], segment_labels=["c", {"a", "b"}])
    with pytest.raises(ss.SegmentationError, match="segment 2.*reference has the labels"):
        ss.LMeasure()(ref, piece("AB", "abab"))


# ---- everything that metrics go through ----

REFS = {"x": piece("AB", "abac"), "y": piece("AB", "abcd"), "z": piece("AA", "abab")}
GOOD = {"x": piece("AB", "abac"), "y": piece("AB", "abcb"), "z": piece("AA", "abab")}
POOR = {"x": piece("AA", "aabb"), "y": piece("AB", "aabb"), "z": piece("AB", "aabb")}


def test_averages_comparison_agreement_and_accumulation() -> None:
    metrics = ["l-measure", "t-measure(window=3)", "l-measure.precision"]
    result = ss.score(REFS, POOR, metrics=metrics)
    for key in metrics:
        values = [float(ss.metric(key)(REFS[d], POOR[d])) for d in REFS]
        assert result[key].values.tolist() == pytest.approx(values)
    corpus = ss.Corpus.from_dict(
        {d: {"gold": REFS[d], "good": GOOD[d], "poor": POOR[d]} for d in REFS}
    )
    made = ss.compare(
        corpus, reference="gold", systems=["good", "poor"], metrics=["l-measure"], n_resamples=50
    )
    totals = made.totals("l-measure")
    assert totals["good"] == pytest.approx(
        ss.score(REFS, GOOD, metrics="l-measure")["l-measure"].micro
    )
    assert totals["good"] > totals["poor"]
    assert 0 < ss.agreement(corpus, metric=ss.LMeasure()).observed < 1


def test_files_and_commands(tmp_path: Path) -> None:
    for name, side in (("ref", REFS), ("hyp", POOR)):
        corpus = ss.Corpus.from_dict({d: {name: coding} for d, coding in side.items()})
        ss.write(corpus, tmp_path / f"{name}.jsonl")
        assert ss.read(tmp_path / f"{name}.jsonl") == corpus
    files = ss.score(tmp_path / "ref.jsonl", tmp_path / "hyp.jsonl", metrics="l-measure")
    assert files["l-measure"].micro == ss.score(REFS, POOR, "l-measure")["l-measure"].micro
    with pytest.raises(ss.SegmentationError, match="labels of their own"):
        ss.write(ss.read(tmp_path / "ref.jsonl"), tmp_path / "ref.csv")
    ss.write(ss.read(tmp_path / "ref.jsonl"), tmp_path / "ref.csv", lossy=True)
    assert ss.read(tmp_path / "ref.csv")["x"]["ref"].boundaries.tolist() == [2, 4, 6]


@pytest.mark.parametrize(
    ("levels", "message"),
    [
        (3, "levels is 3"),
        ([], "levels is empty"),
        ([{"masses": [2]}, 7], r"levels\[1\] is 7: expected an object"),
        ([{"masses": [2, 0]}], r"levels\[0\]: masses\[1\] is 0"),
        ([{"masses": [2]}, {"masses": [3]}], r"levels\[1\] has 3 units: expected 2"),
        ([{"masses": [2], "segment_labels": [["a", "b"]]}], r"levels\[0\]: segment 1 has 2 labels"),
    ],
)
def test_wrong_levels_in_files(tmp_path: Path, levels: Any, message: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"document": "a", "coder": "b", "levels": levels}))
    with pytest.raises(ss.SegmentationError, match=f"line 1: document 'a', coder 'b': {message}"):
        ss.read(path)


def test_levels_and_other_details_do_not_go_together(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    for extra in ({"ranks": [1]}, {"segment_labels": ["a"]}, {"masses": [2]}):
        path.write_text(json.dumps({"document": "a", "levels": [{"masses": [2]}], **extra}))
        with pytest.raises(ss.SegmentationError, match="levels"):
            ss.read(path)
    path.write_text('{"document": "a", "levels": [{"boundaries": [2]}], "n_units": 5}')
    assert ss.read(path)["a"]["a"] == ss.Levels([MADE([2, 3])])


# ---- the object ----


def test_levels_in_other_forms() -> None:
    coding = piece("AB", "abac")
    assert repr(coding).startswith("Levels([Segmentation(masses=[4, 4], segment_labels=['A', 'B'])")
    assert coding.expand([2] * 8).levels[0].masses.tolist() == [8, 8]
    assert coding.mirror() == piece("BA", "caba")
    assert type(ss.Levels.from_masses([2, 3])) is ss.Segmentation
    with pytest.raises(ss.SegmentationError, match="levels have no candidates"):
        coding.expand([2] * 8, candidates=True)


@pytest.mark.parametrize(
    ("levels", "message"),
    [
        ([], "levels is empty"),
        ([MADE([2]), 3], r"levels\[1\] is 3"),
        ([ss.Levels([MADE([2])])], r"levels\[0\] is Levels"),
        ([MADE([2]), MADE([3])], r"levels\[1\] has 3 units: expected 2"),
        ([MADE([2], segment_labels=[{"a", "b"}])], "segment 1 has 2 labels"),
    ],
)
def test_wrong_levels(levels: Any, message: str) -> None:
    with pytest.raises(ss.SegmentationError, match=message):
        ss.Levels(levels)


@pytest.mark.parametrize(
    "columns",
    [
        ([0, 3], [0, 1, 1], [0, 0, 0]),
        ([0, 2], [0, -1], [0, 0]),
        ([0, 2], [0, 1], [0, 1]),
        ([0, 2], [0, 1], [-2, 0]),
        ([0, 1, 2], [0, 1], [0, 0]),
    ],
)
def test_wrong_columns(columns: Any) -> None:
    arrays = tuple(np.array(column, np.int64) for column in columns)
    with pytest.raises(ss.SegmentationError, match="ref_levels"):
        ss.Pairs([5], [0, 1], [2], [0, 0], [], ref_levels=arrays, label_names=["a"])
