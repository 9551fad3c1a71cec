"""What every segmenter promises, whatever the text."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import segscore as ss
from segscore.segmenters import (
    APS,
    C99,
    CWM,
    BayesSeg,
    EmbeddingSegmenter,
    GreedyBayes,
    HierBayes,
    LSASpace,
    MinCutSeg,
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
    "greedy-bayes": lambda: GreedyBayes(levels=2),
    "hier-bayes": lambda: HierBayes(levels=2),
    "mincutseg": MinCutSeg,
    "mincutseg, by the book": lambda: MinCutSeg(skip_adjacent=False, horizon=2, chunks=3),
    "aps": APS,
    "aps, all in reach": lambda: APS(preference=-0.2, window=1.0, smoothing=0),
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
    segmenter = C99()
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
        (C99(), "c99"),
        (EmbeddingSegmenter(letters, "c99"), r"embedding\(method=c99\)"),
        (CWM(SPACE), "cwm"),
    ):
        message = rf"{called}.*30000 units.*3\.6 GB"
        with pytest.raises(ss.SegmentationError, match=message):
            segmenter(["word"] * 30_000)
    with pytest.raises(ss.SegmentationError, match=r"20000 units needs about 12\.8 GB"):
        APS()(units)
    with pytest.raises(ss.SegmentationError, match=r"20000 units.*9000 segments.*3\.6 GB"):
        MinCutSeg()(units, 9000)
    assert Uniform()(units, 4).n_segments == 4
    with pytest.raises(ss.SegmentationError, match=r"15000 segments.*20000 units.*6\.0"):
        BayesSeg()(units, 15_000)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: C99(c="steep"), "c is 'steep'"),
        (lambda: C99(c=float("nan")), "c is nan.*number"),
        (lambda: TextTiling(valleys=5), "valleys is 5"),
        (lambda: TextTiling(cutoff="MC"), "cutoff is 'MC'"),
        (lambda: EmbeddingSegmenter("encoder"), "encode is 'encoder'"),
        (lambda: MinCutSeg(alpha=-1), "alpha is -1.*least"),
        (lambda: APS(preference="low"), "preference is 'low'"),
        (lambda: APS(damping=1), "damping is 1: expected 0 … 0.999"),
        (lambda: CWM(3), "space is 3"),  # type: ignore[arg-type]
    ],
)
def test_bad_parameters(make: Callable[[], Segmenter], message: str) -> None:
    with pytest.raises(ss.SegmentationError, match=message):
        make()
