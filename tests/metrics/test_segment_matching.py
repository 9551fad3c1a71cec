"""Segment F by overlap: every matching against its definition, in whole numbers."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import segscore as ss
from labelled_pairs import Pair, labelled_pairs, parted
from oracles import labelled as oracle
from segscore import SegmentMatch
from segscore.errors import MetricWarning

cut = ss.Segmentation.from_masses
THRESHOLDS = ["0.1", "0.25", "0.3", "0.5", "0.6", "0.75", "0.9", "1"]
thresholds = st.sampled_from(THRESHOLDS)
ignores = st.sampled_from([(), ("a",), ("a", "b", "c")])


def sides(pair: Pair, ignore: Any = ()) -> tuple[list[oracle.Part], list[oracle.Part], bool]:
    """Both sides for the oracle, and whether both have labels."""
    refs, hyps = (oracle.parts(*parted(coding), ignore) for coding in pair)
    return refs, hyps, all(any(coding.segment_labels or ()) for coding in pair)


@given(labelled_pairs(), thresholds, st.booleans(), ignores, st.sampled_from([None, False]))
def test_one_to_one_matchings_follow_their_definitions(
    pair: Pair, iou: str, strict: bool, ignore: Any, labels: bool | None
) -> None:
    strict = strict and iou != "1"
    refs, hyps, both = sides(pair, ignore)
    compared = both and labels is None
    settings: Any = {"iou": float(iou), "strict": strict, "labels": labels, "ignore": ignore}
    for matching, count in (("optimal", oracle.optimal), ("argmax", oracle.argmax)):
        score = ss.SegmentMatch(**settings, matching=matching)(*pair, on_undefined="nan")
        tp = count(refs, hyps, compared, Fraction(iou), strict)
        assert score.statistics is not None
        assert score.statistics.rows.tolist() == [tp, len(refs), len(hyps)]
        if refs or hyps:
            assert score == float(Fraction(2 * tp, len(refs) + len(hyps)))
            assert (score.fp, score.fn) == (len(hyps) - tp, len(refs) - tp)
        else:
            assert np.isnan(score)


@given(labelled_pairs(), thresholds, st.booleans(), ignores)
def test_many_to_many_follows_its_definition(
    pair: Pair, iou: str, strict: bool, ignore: Any
) -> None:
    strict = strict and iou != "1"
    refs, hyps, compared = sides(pair, ignore)
    metric = ss.SegmentMatch(float(iou), strict=strict, ignore=ignore, matching="any")
    score = metric(*pair, on_undefined="nan")
    assert score.statistics is not None
    assert score.statistics.rows.tolist() == [
        oracle.found_by_any(refs, hyps, compared, Fraction(iou), strict),
        oracle.found_by_any(hyps, refs, compared, Fraction(iou), strict),
        len(refs),
        len(hyps),
    ]


@given(labelled_pairs(), ignores)
def test_soda_follows_its_definition(pair: Pair, ignore: Any) -> None:
    refs, hyps, compared = sides(pair, ignore)
    score = ss.SegmentMatch(matching="soda", ignore=ignore)(*pair, on_undefined="nan")
    total = oracle.soda(refs, hyps, compared)
    if refs or hyps:
        assert score == pytest.approx(float(2 * total / (len(refs) + len(hyps))), abs=1e-12)
        assert score.overlap == pytest.approx(float(total), abs=1e-12)
    else:
        assert np.isnan(score)


def test_thresholds_are_decimals_and_compared_in_whole_numbers() -> None:
    """3/10 in binary is below .3: floats would miss it, or find it where it is not."""
    ref, hyp = cut([3, 7]), cut([10])
    assert ss.SegmentMatch(0.3)(ref, hyp).tp == 1
    assert ss.SegmentMatch(0.7)(ref, hyp).tp == 1
    assert ss.SegmentMatch(0.7, strict=True)(ref, hyp).tp == 0
    assert ss.SegmentMatch(0.3, strict=True)(ref, hyp).tp == 1
    large = 2**51
    ref, hyp = cut([large, large + 1]), cut([2 * large + 1])
    assert ss.SegmentMatch(0.5)(ref, hyp).tp == 1  # (n + 1) / (2n + 1)
    assert ss.SegmentMatch(0.5, strict=True)(ref, hyp).tp == 1
    ref, hyp = cut([large, large]), cut([2 * large])
    assert ss.SegmentMatch(0.5)(ref, hyp).tp == 1
    assert ss.SegmentMatch(0.5, strict=True)(ref, hyp).tp == 0


def test_labels_are_compared_where_both_sides_have_any() -> None:
    ref = cut([2, 2], segment_labels=["a", None])
    hyp = cut([2, 2], segment_labels=["a", "b"])
    plain = cut([2, 2])
    assert ss.SegmentMatch()(ref, hyp).tp == 1  # None matches nothing
    assert ss.SegmentMatch()(ref, ref).tp == 1
    assert ss.SegmentMatch()(ref, plain).tp == 2
    assert ss.SegmentMatch(labels=False)(ref, hyp).tp == 2
    with pytest.raises(ss.SegmentationError, match="hypothesis has no segment"):
        ss.SegmentMatch(labels=True)(ref, plain)
    assert np.isnan(ss.SegmentMatch(labels=True)(ref, plain, on_undefined="nan"))
    # each document by itself, whatever else is in the batch
    scores = ss.score([ref, ref], [plain, hyp], ss.SegmentMatch())[ss.SegmentMatch()]
    assert scores.statistics["tp"].tolist() == [2, 1]


def test_ignored_segments_are_not_counted_but_stay_in_the_text() -> None:
    ref = cut([4, 4, 2], segment_labels=["bg", "a", "bg"])
    hyp = cut([5, 3, 2], segment_labels=["a", "a", "bg"])
    score = ss.SegmentMatch(ignore=("bg",))(ref, hyp)
    assert (score.tp, score.fp, score.fn) == (1, 1, 0)
    all_of_it = ss.SegmentMatch(ignore=("bg", "a"))
    with pytest.raises(ss.SegmentationError, match="segment that counts"):
        all_of_it(ref, hyp)
    scores = ss.score([ref, ref], [hyp, hyp.with_segment_labels(["b"] * 3)], all_of_it)[all_of_it]
    assert scores.n_undefined == 1
    assert scores.values.tolist()[1] == 0


def test_several_labels_are_refused_by_name() -> None:
    ref = {"ch1": cut([2, 2], segment_labels=["a", {"b", "c"}]), "ch0": cut([4])}
    hyp = {"ch1": cut([4]), "ch0": cut([4])}
    message = "document 'ch1'.*segment 2.*'b'.*'c'.*segment-f1"
    with pytest.raises(ss.SegmentationError, match=message):
        ss.score(ref, hyp, "segment-f1")
    assert ss.score(ref, hyp, "segment-f1(labels=no)")["segment-f1(labels=no)"].micro == 0.8


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"iou": 0}, "iou is 0.*number above"),
        ({"iou": 1, "strict": True}, "iou is 1"),
        ({"iou": 1e-30}, "expected at most 18 decimals"),
        ({"ignore": ("",)}, "ignore is"),
        ({"ignore": 3}, "ignore is 3"),
    ],
)
def test_wrong_settings_are_refused(settings: Any, message: str) -> None:
    with pytest.raises(ss.SegmentationError, match=message):
        ss.SegmentMatch(**settings)


def test_names_of_action_segmentation() -> None:
    wanted = ss.SegmentMatch(0.1, ignore=("background",), matching="argmax")
    assert ss.metric("f1@10(ignore=background)") == wanted
    assert ss.metric("f1@50.precision")(cut([2, 2]), cut([4])) == 1
    assert str(ss.metric("f1@25")) == "segment-f1(iou=0.25,matching=argmax)"


def titled(*titles: str | None) -> ss.Segmentation:
    return ss.Segmentation.from_masses([5] * len(titles), segment_labels=titles)


FREE = "use labels=no"


@pytest.mark.parametrize(
    ("ref", "hyp"),
    [
        (["Intro", "The problem"], ["Welcome", "Why it is hard"]),
        (["Intro", "Problem", "Method", "Questions"], ["Welcome", "Why", "How", "Questions"]),
        (["a", None, "b"], ["c", "d", None]),
    ],
)
def test_titles_in_free_words_are_warned_of(ref: list[str], hyp: list[str]) -> None:
    coding, other = titled(*ref), titled(*hyp)
    with pytest.warns(MetricWarning, match=FREE):
        assert SegmentMatch()(coding, other) == sum(
            a == b for a, b in zip(ref, hyp, strict=True)
        ) / len(ref)
    assert SegmentMatch(labels=False)(coding, other) == 1.0  # neither of these two warns
    assert SegmentMatch(labels=True)(coding, other) < 1.0
    with pytest.warns(MetricWarning, match=FREE):
        assert ss.score({"x": coding}, {"x": other}, "segment-f1")["segment-f1"].micro < 1


def test_what_is_shared_is_decided_over_all_documents() -> None:
    """A system may miss all actions of one video and name those of others."""
    refs = [titled("pour", "stir"), titled("eat", "drink")]
    hyps = [titled("eat", "drink"), titled("pour", "stir")]
    assert ss.score(refs, hyps, "segment-f1")["segment-f1"].micro == 0
