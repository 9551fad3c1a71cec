"""What every segmenter promises, whatever the text."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import segscore as ss
from segscore.segmenters import (
    C99,
    CWM,
    BayesSeg,
    EmbeddingSegmenter,
    GreedyBayes,
    HierBayes,
    LSASpace,
    Segmenter,
    TextTiling,
    Uniform,
    UtiyamaIsahara,
)


def letters(texts: list[str]) -> list[list[float]]:
    """An encoder for tests: how often each of some letters occurs."""
    return [[float(text.count(letter)) for letter in "abcdeé日"] for text in texts]


SPACE = LSASpace(["cat", "star", "moon"], np.eye(3))
SEGMENTERS: dict[str, Callable[[], Segmenter]] = {
    "c99": C99,
    "hc99": lambda: C99(hierarchical=True),
    "cwm": lambda: CWM(SPACE),
    "texttiling": TextTiling,
    "texttiling, small blocks": lambda: TextTiling(w=2, k=2),
    "texttiling, units": lambda: TextTiling(w=None, k=2),
    "utiyama-isahara": UtiyamaIsahara,
    "bayesseg": BayesSeg,
    "bayesseg, geometric": lambda: BayesSeg(duration="geometric", learn=True),
    "greedy-bayes": GreedyBayes,
    "hier-bayes": lambda: HierBayes(levels=2),
    "dp": lambda: EmbeddingSegmenter(letters),
    "embedding c99": lambda: EmbeddingSegmenter(letters, "c99"),
    "tiling": lambda: EmbeddingSegmenter(letters, "tiling"),
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
    wanted = data.draw(st.none() | st.integers(1, len(units)))
    made = segmenter(units, wanted)
    assert made.n_units == len(units)
    if wanted is not None:
        assert made.n_segments == wanted
    assert made == segmenter(list(units), wanted)  # the same again


@pytest.mark.parametrize("name", SEGMENTERS)
@pytest.mark.parametrize(
    "units", [["cat"] * 9, [""] * 9, ["12 34"] * 9], ids=["equal", "empty", "no word"]
)
def test_units_without_any_difference(name: str, units: list[str]) -> None:
    segmenter = SEGMENTERS[name]()
    for wanted in (1, 2, 5, 9):
        assert segmenter(units, wanted).n_segments == wanted
    if name != "hc99":
        assert segmenter(units).n_units == 9


@pytest.mark.parametrize(
    "name", ["texttiling", "utiyama-isahara", "bayesseg", "greedy-bayes", "hier-bayes", "tiling"]
)
def test_nothing_to_see_means_no_boundary(name: str) -> None:
    assert SEGMENTERS[name]()(["12 34"] * 9).n_segments == 1


@pytest.mark.parametrize("name", SEGMENTERS)
def test_what_cannot_be_segmented_is_refused(name: str) -> None:
    segmenter = SEGMENTERS[name]()
    with pytest.raises(ss.SegmentationError, match="expected 1 … 3, for the document has 3 units"):
        segmenter(["a", "b", "c"], n_segments=4)
    with pytest.raises(ss.SegmentationError, match="n_segments is 0"):
        segmenter(["a", "b"], n_segments=0)
    with pytest.raises(ss.SegmentationError, match="units is empty"):
        segmenter([])
    with pytest.raises(ss.SegmentationError, match="expected a list of texts"):
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
    with pytest.raises(ss.SegmentationError, match=r"c99 on 20000 units needs about 6\.4 GB"):
        C99()(units)
    assert Uniform()(units, 4).n_segments == 4


def test_segmenters_are_values() -> None:
    assert C99() == C99()
    assert hash(TextTiling(k=3)) == hash(TextTiling(k=3))
    assert C99(radius=3) != C99()
    with pytest.raises(AttributeError):
        C99().radius = 3  # type: ignore[misc]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: C99(radius=0), "radius is 0"),
        (lambda: C99(c="steep"), "c is 'steep'"),
        (lambda: TextTiling(w=0), "w is 0"),
        (lambda: TextTiling(cutoff="MC"), "cutoff is 'MC'"),
        (lambda: EmbeddingSegmenter(letters, "greedy"), "method is 'greedy'"),
        (lambda: EmbeddingSegmenter("encoder"), "encode is 'encoder'"),
        (lambda: CWM("space"), "space is 'space'"),
    ],
)
def test_bad_parameters(make: Callable[[], Segmenter], message: str) -> None:
    with pytest.raises(ss.SegmentationError, match=message):
        make()


@pytest.mark.parametrize(
    ("vectors", "message"),
    [
        ([[1.0], [2.0]], r"shape \(2, 1\): expected \(3, d\)"),
        ([1.0, 2.0, 3.0], r"shape \(3,\)"),
        ([[1.0], [float("nan")], [2.0]], r"NaN or infinity for units\[1\]"),
    ],
)
def test_encoders_that_return_something_else(vectors: object, message: str) -> None:
    with pytest.raises(ss.SegmentationError, match=message):
        EmbeddingSegmenter(lambda units: vectors)(["a", "b", "c"])
