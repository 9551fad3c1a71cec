"""What every segmenter promises, whatever the text."""

import math
import warnings
from collections.abc import Callable
from dataclasses import fields
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import segscore as ss
from segscore import segmenters


def letters(texts: list[str]) -> list[list[float]]:
    """An encoder for tests: how often each of some letters occurs."""
    return [[float(text.count(letter)) for letter in "abcdeé日"] for text in texts]


SPACE = segmenters.LSASpace(["cat", "star", "moon"], np.eye(3))
SEGMENTERS: dict[str, Callable[[], segmenters.Segmenter]] = {
    "c99": segmenters.C99,
    "hc99": lambda: segmenters.C99(hierarchical=True),
    "cwm": lambda: segmenters.CWM(SPACE),
    "texttiling": segmenters.TextTiling,
    "texttiling, small blocks": lambda: segmenters.TextTiling(w=2, k=2),
    "texttiling, units": lambda: segmenters.TextTiling(w=None, k=2),
    "utiyama-isahara": segmenters.UtiyamaIsahara,
    "bayesseg": segmenters.BayesSeg,
    "bayesseg, geometric": lambda: segmenters.BayesSeg(duration="geometric", learn=True),
    "greedy-bayes": lambda: segmenters.GreedyBayes(levels=2),
    "hier-bayes": lambda: segmenters.HierBayes(levels=2),
    "mincutseg": segmenters.MinCutSeg,
    "mincutseg, by the book": lambda: segmenters.MinCutSeg(
        skip_adjacent=False, horizon=2, chunks=3
    ),
    "aps": segmenters.APS,
    "aps, all in reach": lambda: segmenters.APS(preference=-0.2, window=1.0, smoothing=0),
    "dp": lambda: segmenters.EmbeddingSegmenter(letters),
    "embedding c99": lambda: segmenters.EmbeddingSegmenter(letters, "c99"),
    "tiling": lambda: segmenters.EmbeddingSegmenter(letters, "tiling"),
}
TEXTS = st.one_of(
    st.sampled_from(
        ["", " ", "cat", "cat star", "the", "1984 …", "a cat a moon", "日本語", "étoile"]
    ),
    st.text(max_size=12),
)


@pytest.mark.parametrize("name", SEGMENTERS)
@settings(max_examples=25)
@given(units=st.lists(TEXTS, min_size=1, max_size=14), data=st.data())
def test_any_text_gives_the_segments_asked_for(
    name: str, units: list[str], data: st.DataObject
) -> None:
    segmenter = SEGMENTERS[name]()
    numbers = st.integers(1, len(units))
    wanted = data.draw(numbers if segmenter.needs_n_segments else st.none() | numbers)
    segmentation = segmenter(units, wanted)
    assert segmentation.n_units == len(units)
    if wanted is not None:
        assert segmentation.n_segments == wanted
    assert segmentation == segmenter(list(units), wanted)  # the same again


@pytest.mark.parametrize(
    "name",
    ["texttiling", "utiyama-isahara", "bayesseg", "greedy-bayes", "hier-bayes", "aps", "tiling"],
)
def test_nothing_to_see_means_no_boundary(name: str) -> None:
    assert SEGMENTERS[name]()(["12 34"] * 9).n_segments == 1


def test_what_cannot_be_segmented_is_refused() -> None:
    segmenter = segmenters.C99()
    with pytest.raises(ss.SegmentationError, match="n_segments is 4: expected 1 … 3"):
        segmenter(["a", "b", "c"], n_segments=4)
    with pytest.raises(ss.SegmentationError, match="n_segments is 0"):
        segmenter(["a", "b"], n_segments=0)
    with pytest.raises(ss.SegmentationError, match="units is empty"):
        segmenter([])
    with pytest.raises(ss.SegmentationError, match="list of texts"):
        segmenter("a text")
    with pytest.raises(ss.SegmentationError, match=r"units\[1\] is 7"):
        segmenter(["a", 7])  # type: ignore[list-item]
    assert segmenter(["one unit"]).n_segments == 1


@pytest.mark.parametrize("name", ["c99", "hc99", "cwm", "texttiling", "embedding c99", "tiling"])
def test_ranks_tell_the_order(name: str) -> None:
    units = ["cat dab", "cat bad", "cat cab", "star ace", "star dead", "moon", "moon bee"] * 3
    more, fewer = SEGMENTERS[name]()(units, 6), SEGMENTERS[name]()(units, 4)
    assert more.ranks is not None
    assert sorted(more.ranks.tolist()) == [1, 2, 3, 4, 5]
    strongest = more.boundaries[more.ranks <= 3]
    assert strongest.tolist() == fewer.boundaries.tolist()


def test_a_clear_refusal_instead_of_a_dead_machine() -> None:
    units = ["word"] * 20_000
    for segmenter, called in (
        (segmenters.C99(), "c99"),
        (segmenters.EmbeddingSegmenter(letters, "c99"), r"embedding\(method=c99\)"),
        (segmenters.CWM(SPACE), "cwm"),
    ):
        message = rf"{called}.*30000 units.*3\.6 GB"
        with pytest.raises(ss.SegmentationError, match=message):
            segmenter(["word"] * 30_000)
    with pytest.raises(ss.SegmentationError, match=r"20000 units needs about 12\.8 GB"):
        segmenters.APS()(units)
    with pytest.raises(ss.SegmentationError, match=r"4000 units needs about 0\.8 GB"):
        segmenters.HierBayes()(units[:4000])
    with pytest.raises(ss.SegmentationError, match=r"20000 units.*9000 segments.*3\.6 GB"):
        segmenters.MinCutSeg()(units, 9000)
    assert segmenters.Uniform()(units, 4).n_segments == 4
    with pytest.raises(ss.SegmentationError, match=r"15000 segments.*20000 units.*6\.0"):
        segmenters.BayesSeg()(units, 15_000)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: segmenters.C99(c="steep"), "c is 'steep'"),
        (lambda: segmenters.TextTiling(valleys=5), "valleys is 5"),
        (lambda: segmenters.TextTiling(cutoff="MC"), "cutoff is 'MC'"),
        (lambda: segmenters.EmbeddingSegmenter("encoder"), "encode is 'encoder'"),
        (lambda: segmenters.APS(preference="low"), "preference is 'low'"),
        (lambda: segmenters.CWM(3), "space is 3"),  # type: ignore[arg-type]
        (lambda: segmenters.BayesSeg(duration="poisson"), "duration is 'poisson'"),
        (
            lambda: segmenters.HierBayes(levels=11),
            "levels is 11: expected 1 … 10",
        ),  # memory grows with them
        (lambda: segmenters.GreedyBayes(levels=2, expected_lengths=(9, 5)), r"\(9, 5\).*rising"),
        (lambda: segmenters.HierBayes(levels=2, expected_lengths="5-9"), "5-9"),
        (lambda: segmenters.HierBayes(progress="bar"), "progress is 'bar'"),
        (lambda: segmenters.Preprocessing(stemmer="klingon"), "stemmer is 'klingon'"),
        (lambda: segmenters.Preprocessing(stemmer="german"), "but stop_words is 'english'"),
        (lambda: segmenters.Preprocessing(stop_words=[1, 2]), "stop_words has 1: expected texts"),
    ],
)
def test_bad_parameters(make: Callable[[], object], message: str) -> None:
    with pytest.raises(ss.SegmentationError, match=message):
        make()


# ---- parameters at extremes: an error that names them, or a segmentation, and soon ----

WHOLE = [0, 1, -1, 2**31, 2**53, 2**53 + 1, 2**63, -(2**63), 10**400]
FLOATS = [0.0, 1e-320, 1e-100, 1e100, 1e200, 1.7e308, math.inf, -1e200, math.nan]
# What one waits for is what one asks for; that it can be stopped is tested elsewhere.
PATIENT = {"rounds", "max_iterations"}
NEED_VECTORS = {"cwm", "hcwm", "embedding"}

CATS, STARS = "the cat chased another cat", "a star shines on other stars"
UNITS = [CATS] * 4 + [STARS] * 5 + ["cats chase stars"] * 3


def parameters() -> list[tuple[str, str]]:
    """Each segmenter that needs no file, with each of its parameters that may be a number."""
    found = []
    for name, make in segmenters.by_name.SEGMENTERS.items():
        if name in NEED_VECTORS:
            continue
        for field in fields(make()):  # type: ignore[arg-type]
            kinds = str(field.type)
            if ("int" in kinds or "float" in kinds) and "preprocessing" not in field.name:
                found.append((name, field.name))
    return found


@pytest.mark.parametrize(("name", "field"), parameters())
def test_extreme_parameters(name: str, field: str) -> None:
    for value in [*WHOLE, *FLOATS]:
        if field in PATIENT and 1000 < value < math.inf:
            continue
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)
                segmenter = segmenters.by_name.SEGMENTERS[name](**{field: value})
                number: Any = (
                    3 if segmenter.needs_n_segments or name in ("uniform", "random") else None
                )
                segmentation = segmenter(UNITS, number)
        except ss.SegmentationError as error:
            assert field in str(error), error  # noqa: PT017  either will do
            continue
        assert segmentation.n_units == len(UNITS)
