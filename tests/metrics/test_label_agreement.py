"""Agreement of labels: five definitions against their letter, and what has no value."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import segscore as ss
from labelled_pairs import Pair, labelled_pairs, parted
from oracles import labelled as oracle

cut = ss.Segmentation.from_masses
KINDS: list[Any] = ["pairwise", "nce", "v", "accuracy", "mapped-accuracy"]


def units(pair: Pair) -> tuple[list[Any], list[Any]]:
    ref, hyp = (oracle.spelled(*parted(coding)) for coding in pair)
    return ref, hyp


def has_labels(pair: Pair) -> bool:
    return all(any(coding.segment_labels or ()) for coding in pair)


@given(labelled_pairs())
def test_pairwise_counts_pairs_of_units(pair: Pair) -> None:
    score = ss.LabelAgreement()(*pair, on_undefined="nan")
    assert score.statistics is not None
    ref, hyp = units(pair)
    counts = [oracle.same_pairs(ref, hyp), oracle.same_pairs(ref), oracle.same_pairs(hyp)]
    assert score.statistics.rows.tolist() == (counts if has_labels(pair) else [0, 0, 0])


@given(labelled_pairs(none=False), st.sampled_from(["nce", "v"]))
def test_entropies_follow_their_definition(pair: Pair, kind: Any) -> None:
    score = ss.LabelAgreement(kind)(*pair)
    over, under = oracle.over_under(*units(pair), kind == "v")
    assert (score.over, score.under) == pytest.approx((over, under), abs=1e-12)
    assert score == pytest.approx(2 * over * under / (over + under or 1), abs=1e-12)
    assert ss.LabelAgreement(kind)(*pair[::-1]) == pytest.approx(float(score), abs=1e-12)


@given(labelled_pairs())
def test_accuracies_follow_their_definition(pair: Pair) -> None:
    ref, hyp = units(pair)
    wanted = {
        ss.LabelAgreement("accuracy"): oracle.accuracy(ref, hyp),
        ss.LabelAgreement("mapped-accuracy"): oracle.mapped(ref, hyp),
        ss.LabelAgreement("mapped-accuracy", scope="document"): oracle.mapped(ref, hyp),
    }
    for metric, count in wanted.items():
        value = metric(*pair, on_undefined="nan")
        if has_labels(pair):
            assert value == count / len(ref)
        else:
            assert np.isnan(value)


@pytest.mark.parametrize("n_labels", [1, 3, 20, 300, 40_000])
@pytest.mark.parametrize("none", [0, 0.3])
def test_batches_of_few_and_many_labels(n_labels: int, none: float) -> None:
    """Tables of few labels are counted whole, those of many by their cells, sorted."""
    rng = np.random.default_rng(n_labels)
    names = np.array([f"{i:05}" for i in range(n_labels)])
    sides: list[list[ss.Segmentation]] = [[], []]
    for segments in (1, 2, 5, 15, 16, 17, 33, 60):
        for side in sides:
            places = np.sort(rng.choice(np.arange(1, 150), segments - 1, replace=False))
            labels = rng.choice(names, segments)
            given = [{label} if rng.random() >= none else set() for label in labels.tolist()]
            given[0] = given[0] or {labels[0]}
            side.append(ss.Segmentation.from_boundaries(places, 150, segment_labels=given))
    kinds = ["pairwise", "accuracy", *(["nce", "v"] if not none else [])]
    metrics = [ss.LabelAgreement(kind) for kind in kinds]  # type: ignore[arg-type]
    result = ss.score(*sides, metrics=metrics, on_undefined="nan", threads=2)
    for i, pair in enumerate(zip(*sides, strict=True)):
        ref, hyp = units(pair)
        counts = [oracle.same_pairs(ref, hyp), oracle.same_pairs(ref), oracle.same_pairs(hyp)]
        assert result[metrics[0]].statistics.rows[i].tolist() == counts
        assert result[metrics[1]].statistics.rows[i].tolist() == [oracle.accuracy(ref, hyp), 150]
        for metric in metrics[2:]:
            expected = oracle.over_under(ref, hyp, metric.kind == "v")
            found = result[metric].statistics.rows[i, :2].tolist()
            assert found == pytest.approx(expected, abs=1e-12)


def labelled(masses: list[int], names: str) -> ss.Segmentation:
    return cut(masses, segment_labels=list(names))


def test_labels_that_cover_no_two_units_have_no_pairwise_part() -> None:
    distinct, same = labelled([1, 1, 1], "abc"), labelled([1, 1, 1], "aaa")
    metric = ss.LabelAgreement()
    with pytest.raises(ss.SegmentationError, match="label covers two"):
        metric(distinct, distinct)
    score = metric(distinct, same)
    assert score == 0
    assert score.precision == 0
    assert np.isnan(score.recall)


def test_what_has_no_labels_has_no_value() -> None:
    ref, plain = labelled([2, 2], "ab"), cut([2, 2])
    partial = cut([2, 2], segment_labels=["a", None])
    for kind in KINDS:
        metric = ss.LabelAgreement(kind)
        with pytest.raises(ss.SegmentationError, match="reference has no segment"):
            metric(plain, ref)
        with pytest.raises(ss.SegmentationError, match="document 1.*hypothesis has no seg"):
            ss.score([ref, ref], [ref, plain], metric)
        scores = ss.score([ref, ref], [ref, plain], metric, on_undefined="nan")[metric]
        assert scores.micro == 1
        assert scores.n_undefined == 1
    for kind in ("nce", "v"):
        with pytest.raises(ss.SegmentationError, match="segment has no label"):
            ss.LabelAgreement(kind)(ref, partial)  # type: ignore[arg-type]
    assert ss.LabelAgreement("accuracy")(ref, partial) == 0.5


def test_averages() -> None:
    refs = [labelled([4, 6], "ab"), labelled([5, 5], "ab")]
    hyps = [labelled([4, 6], "xy"), labelled([5, 5], "yx")]
    once, each = ss.LabelAgreement("mapped-accuracy"), ss.metric("mapped-mof(scope=document)")
    result = ss.score(refs, hyps, [once, each, "v-measure"])
    assert result[once].micro == 0.5  # one mapping for both documents
    assert result[once].macro == 1
    assert result[each].micro == 1
    assert result["v-measure"].micro == result["v-measure"].macro == 1


def test_tables_of_labels_are_those_of_a_batch() -> None:
    metric = ss.LabelAgreement("mapped-accuracy")
    statistics = metric(labelled([2, 2], "ab"), labelled([2, 2], "xy")).statistics
    assert statistics is not None
    with pytest.raises(ss.SegmentationError, match="labels of their batch"):
        statistics + statistics
    assert repr(statistics) == "Statistics(mapped-mof, tables of 17 cells)"
    with pytest.raises(ss.SegmentationError, match="cannot be added up"):
        ss.Accumulator(["mapped-mof"])
    ss.Accumulator(["mapped-mof(scope=document)", "pairwise-f", "v-measure", "label-edit"])


# ---- label-edit ----


@given(labelled_pairs(), st.sampled_from([(), ("a",), ("a", "b", "c")]))
def test_label_edit_follows_its_definition(pair: Pair, ignore: Any) -> None:
    value = ss.metrics.LabelEdit(ignore)(*pair, on_undefined="nan")
    kept = [
        [label for label in parted(side)[1] if label is None or label not in ignore]
        for side in pair
    ]
    most = max(map(len, kept))
    if has_labels(pair) and most:
        assert value == pytest.approx(1 - oracle.levenshtein(*kept) / most, abs=1e-12)
    else:
        assert np.isnan(value)


def test_label_edit_without_labels() -> None:
    ref, plain = labelled([2, 2], "ab"), cut([2, 2])
    with pytest.raises(ss.SegmentationError, match="hypothesis has no segment"):
        ss.metrics.LabelEdit()(ref, plain)
    with pytest.raises(ss.SegmentationError, match="segment that counts"):
        ss.metrics.LabelEdit(("a", "b"))(ref, ref)
    found = ss.score([ref, ref], [ref, labelled([2, 2], "ba")], "label-edit")["label-edit"]
    assert found.micro == found.macro == 0.5
