"""Labelled segments against mir_eval, scikit-learn and rapidfuzz, each deviation named; and against
transcriptions of what cannot be installed: F1@k of action segmentation, entity F1 as in seqeval."""

from importlib import import_module
from itertools import groupby
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import segscore as ss
from labelled_pairs import Pair, labelled_pairs, parted
from needs import needs
from oracles import labelled as theirs


def annotated(coding: ss.Segmentation) -> tuple[Any, list[str]]:
    """mir_eval's form: intervals in seconds (here a unit each), and labels."""
    ends = [0, *coding.boundaries.tolist(), coding.n_units]
    return np.array([ends[:-1], ends[1:]], float).T, [
        str(name) for name in coding.segment_labels or ()
    ]


def both(pair: Pair) -> list[Any]:
    return [part for coding in pair for part in annotated(coding)]


def distinct(coding: ss.Segmentation) -> int:
    return len(set(coding.segment_labels or ()))


@given(labelled_pairs(max_units=30, none=False))
def test_pairwise_equals_mir_eval(pair: Pair) -> None:
    """Deviation: they print 0 where a side has no pair of units with one label."""
    segment = pytest.importorskip("mir_eval.segment")
    score = ss.LabelAgreement()(*pair, on_undefined="nan")
    assume(not np.isnan([score.precision, score.recall]).any())
    precision, recall, f = segment.pairwise(*both(pair), frame_size=1.0)
    assert (score.precision, score.recall, float(score)) == pytest.approx(
        (precision, recall, f), abs=4e-15
    )


@given(labelled_pairs(max_units=30, none=False), st.booleans())
def test_entropies_equal_mir_eval(pair: Pair, marginal: bool) -> None:
    """Deviation: one label on a side, for which they print 0 (see docs/definitions.md §3.4)."""
    segment = pytest.importorskip("mir_eval.segment")
    assume(all(distinct(coding) > 1 for coding in pair))
    score = ss.LabelAgreement("v" if marginal else "nce")(*pair)
    function = segment.vmeasure if marginal else segment.nce
    over, under, f = function(*both(pair), frame_size=1.0)
    assert (score.over, score.under, float(score)) == pytest.approx((over, under, f), abs=1e-14)


@given(labelled_pairs(max_units=30, none=False))
def test_accuracy_equals_scikit_learn(pair: Pair) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    units = [theirs.spelled(*parted(coding)) for coding in pair]
    assert ss.LabelAgreement("accuracy")(*pair) == metrics.accuracy_score(*units)


@needs("align")
@given(labelled_pairs(max_units=30, none=False))
def test_label_edit_equals_rapidfuzz(pair: Pair) -> None:
    distance = import_module("rapidfuzz.distance").Levenshtein
    expected = distance.normalized_similarity(*(coding.segment_labels for coding in pair))
    assert ss.metrics.LabelEdit()(*pair) == pytest.approx(expected, abs=1e-15)


frames = st.integers(1, 40).flatmap(
    lambda n: st.tuples(*[st.lists(st.sampled_from("aabbO"), min_size=n, max_size=n)] * 2)
)


def segmented(names: list[str]) -> ss.Segmentation:
    """Runs of one label as segments."""
    return ss.Segmentation.from_segment_ids(
        names, segment_labels=[name for name, _ in groupby(names)]
    )


@given(frames, st.sampled_from([0.1, 0.25, 0.5]), st.sampled_from([(), ("O",)]))
def test_argmax_counts_as_action_segmentation_does(
    pair: Any, overlap: float, background: Any
) -> None:
    """Theirs is in floating point; these thresholds and short runs have no IoU that rounds over."""
    metric = ss.SegmentMatch(overlap, labels=True, ignore=background, matching="argmax")
    score = metric(*map(segmented, pair), on_undefined="nan")
    assert (score.tp, score.fp, score.fn) == theirs.f_at(*pair, overlap, background)


@given(frames)
def test_threshold_one_with_labels_is_entity_f1(pair: Any) -> None:
    assume(any(label != "O" for side in pair for label in side))
    metric = ss.SegmentMatch(1, labels=True, ignore=("O",))
    assert metric(*map(segmented, pair)) == theirs.entity_f1(*pair)
