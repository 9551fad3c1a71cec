"""Titles of segments, and numbers of segments."""

import math
from fractions import Fraction
from importlib import import_module
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles.labelled import title_f

import segscore as ss
from needs import needs
from segscore.errors import MetricWarning
from segscore.metrics.segment_matching import shared_words

WORDS = ["rain", "rain bus", "the bus", "home", None]


@st.composite
def titled(draw: Any, n: int) -> ss.Segmentation:
    places = sorted(draw(st.sets(st.integers(1, n - 1), max_size=5)))
    labels = draw(
        st.lists(st.sampled_from(WORDS), min_size=len(places) + 1, max_size=len(places) + 1)
    )
    return ss.Segmentation.from_boundaries(places, n, segment_labels=labels)


both = st.integers(2, 14).flatmap(lambda n: st.tuples(titled(n), titled(n)))
thresholds = st.sampled_from([0.1, 0.25, 0.3, 0.5, 0.75, 1.0])


def edges(coding: ss.Segmentation) -> list[int]:
    return [0, *coding.boundaries.tolist(), coding.n_units]


def segments(coding: ss.Segmentation) -> list[tuple[int, int, Any]]:
    labels = coding.segment_labels or [None] * coding.n_segments
    return [(*ends, label) for ends, label in zip(pairwise(edges(coding)), labels, strict=True)]


def jaccard(title: str, other: str) -> float:
    a, b = set(title.split()), set(other.split())
    return len(a & b) / len(a | b)


@given(both, thresholds)
def test_value_is_that_of_the_equations(pair: Any, iou: float) -> None:
    ref, hyp = pair
    metric = ss.metrics.TitleMatch(iou=iou, similarity=jaccard)
    found = metric(ref, hyp, on_undefined="nan")
    if not any(ref.segment_labels or ()):
        assert math.isnan(found)
        return
    expected = title_f(segments(ref), segments(hyp), Fraction(repr(iou)), jaccard)
    assert found == pytest.approx(expected)


def made(masses: list[int], titles: list[str | None]) -> ss.Segmentation:
    return ss.Segmentation.from_masses(masses, segment_labels=titles)


REF = made([4, 6, 5], ["Heavy rain in the city", "Waiting for the bus", "Going home"])
HYP = made([5, 5, 5], ["Rains in cities", "The bus is late", "Dinner"])


ROUGE = ss.metrics.TitleMatch(similarity="rouge-l")


def test_words_that_titles_share() -> None:
    """By hand: rain, in; the, bus; nothing."""
    score = ss.metrics.TitleMatch()(
        REF, made([5, 5, 5], ["RAIN in cities", "The bus is late", "Dinner"])
    )
    assert score == pytest.approx((2 * 2 / 8 + 2 * 2 / 8 + 0) / 3)
    assert "|similarity:words|" in score.signature
    for title, other, expected in (
        ("Ça va, ça va", "ÇA va!", 2 * 2 / 6), ("Straße", "STRASSE", 1), ("—", "—", 0), ("a", "", 0),
    ):  # fmt: skip
        assert shared_words(title, other) == pytest.approx(expected)


def test_a_package_is_needed_only_if_there_are_titles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "segscore.metrics.segment_matching._rouge_scorer", None
    )  # whoever calls it, fails
    bare = ss.Segmentation.from_masses([4, 6, 5])
    assert ROUGE(REF, bare) == 0
    assert math.isnan(ROUGE(bare, REF, on_undefined="nan"))
    assert "|similarity:rouge-l|" in ROUGE.signature()


@needs("titles")
def test_rouge_l_is_that_of_rouge_score() -> None:
    scorer = import_module("rouge_score.rouge_scorer").RougeScorer(["rougeL"], use_stemmer=True)
    each = [
        scorer.score(ref, hyp)["rougeL"].fmeasure
        for ref, hyp in zip(REF.segment_labels or (), HYP.segment_labels or (), strict=True)
    ]
    assert ROUGE(REF, HYP) == pytest.approx(sum(each) / 3)
    joined = ["\n".join(map(str, coding.segment_labels or ())) for coding in (REF, HYP)]
    expected = scorer.score(*joined)["rougeL"].fmeasure
    assert ss.metrics.TitleMatch(similarity="rouge-l", compare="joined")(REF, HYP) == pytest.approx(
        expected
    )


def test_misses_count_0() -> None:
    far = made([13, 2], ["Heavy rain in the city", "Going home"])
    score = ss.metrics.TitleMatch()(REF, far)
    assert (score.matched, score, score.precision, score.recall) == (0, 0, 0, 0)
    alike = ss.metrics.TitleMatch(similarity=lambda *_: 1.0)(REF, made([4, 11], ["a", "b"]))
    assert (alike.precision, alike.recall) == (1, 2 / 3)
    bare = ss.Segmentation.from_masses([4, 6, 5])
    assert ss.metrics.TitleMatch()(REF, bare) == 0
    assert ss.score({"d": REF}, {}, "titles", missing="none")["titles"].micro == 0
    with pytest.raises(ss.SegmentationError, match="reference has no title"):
        ss.metrics.TitleMatch()(bare, REF)


def test_what_is_no_similarity() -> None:
    with pytest.raises(ss.SegmentationError, match="similarity.*is 2"):
        ss.metrics.TitleMatch(similarity=lambda *_: 2)(REF, HYP)
    for settings in ({"iou": 0}, {"similarity": "bleu"}, {"compare": "all"}):
        with pytest.raises(ss.SegmentationError, match="expected"):
            ss.metrics.TitleMatch(**settings)  # type: ignore[arg-type]
    several = made([2, 2], ["a", "b"])
    two = ss.Segmentation.from_masses([2, 2], segment_labels=[{"a", "b"}, "c"])
    with pytest.raises(ss.SegmentationError, match="label per segment"):
        ss.metrics.TitleMatch()(several, two)


@needs("titles")
def test_rouge_l_knows_english_letters_only() -> None:
    with pytest.warns(MetricWarning, match="letters other than a"):
        ROUGE(made([2, 2], ["日本", "b"]), made([2, 2], ["a", "b"]))


# ---- counts ----


@given(st.lists(both, min_size=1, max_size=4))
def test_count_mae(pairs: Any) -> None:
    refs, hyps = zip(*pairs, strict=True)
    found = ss.score(list(refs), list(hyps), "count-mae")["count-mae"]
    expected = [abs(ref.n_segments - hyp.n_segments) for ref, hyp in pairs]
    assert found.values.tolist() == expected
    assert found.micro == pytest.approx(sum(expected) / len(expected))


# ---- ratio ----


def test_ratio_of_boundaries() -> None:
    cut = ss.Segmentation.from_masses
    refs = {"a": cut([3, 4, 2]), "b": cut([5, 5])}
    fine = {"a": cut([1] * 9), "b": cut([5, 5])}
    result = ss.score(refs, fine, "f1")
    assert result.ratio == 9 / 3
    assert "3 boundaries for each boundary of the reference" in result.to_table().footnotes[-1]
    assert "boundaries for each" not in str(ss.score(refs, refs, "f1"))
    several = ss.score({"a": [refs["a"], cut([9])]}, {"a": fine["a"]}, "multwindowdiff")
    assert several.ratio == 16 / 2
    compared = ss.compare(refs, systems={"fine": fine, "same": refs}, metrics="f1", n_resamples=9)
    assert (compared.ratios["fine"], compared.ratios["same"], compared.ratios["none"]) == (3, 1, 0)
    assert sum("boundaries for each" in warning for warning in compared.warnings) == 1
    assert "ratio" not in compared.to_table().fields
    assert "ratio" not in str(compared).splitlines()[0]
