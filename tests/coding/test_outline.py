"""Ranked segmentations as text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import segscore as ss
from segscore.coding.levels import at_level, dense_ranks, from_nested_masses, sections

TREE = from_nested_masses([[1, 2], 3, [1, [1, 2]]])


def test_outline() -> None:
    lines = ss.corpus.outline(TREE).splitlines()
    depths = [(len(line) - len(line.lstrip())) // 2 for line in lines]
    assert depths == [0, 1, 2, 2, 1, 1, 2, 2, 3, 3]
    assert " ".join(map(str.strip, lines)) == "1-10 1-3 1 2-3 4-6 7-10 7 8-10 8 9-10"


def test_outline_with_text_is_cut_to_width() -> None:
    lines = ss.corpus.outline(TREE, [f"unit\n number {i} is long" for i in range(1, 11)], width=20)
    assert lines.splitlines()[:3] == [
        "1-10  unit number 1…",
        "  1-3  unit number …",
        "    1  unit number …",
    ]
    with pytest.raises(ss.SegmentationError, match="units has 2 texts: expected 10"):
        ss.corpus.outline(TREE, ["a", "b"])
    with pytest.raises(ss.SegmentationError, match="width is 3"):
        ss.corpus.outline(TREE, width=3)


@given(st.dictionaries(st.integers(1, 29), st.integers(1, 4)))
def test_sections_of_one_depth_and_above_tile_the_document(ranks: dict[int, int]) -> None:
    """What `at_level` cuts, the outline shows: the deepest sections down to each level."""
    coding = ss.Segmentation.from_boundaries(list(ranks), 30, ranks=list(ranks.values()))
    listed = list(sections(coding))
    assert listed[0] == (0, 1, 30)
    assert len({edges[1:] for edges in listed}) == len(listed)
    for level in range(1, int(dense_ranks(coding).max(initial=0)) + 1):
        shown = [(first, last) for depth, first, last in listed if depth <= level]
        leaves = [
            s for s in shown if not any(s != t and s[0] <= t[0] and t[1] <= s[1] for t in shown)
        ]
        assert [last for _, last in leaves[:-1]] == at_level(coding, level).boundaries.tolist()


def test_bars() -> None:
    assert ss.corpus.rank_bars(TREE).splitlines() == [
        "  |  |",
        "| |  ||",
        "| |  |||",
        "·········",
        "1      10",
    ]


def test_bars_share_columns_where_there_are_many_positions() -> None:
    coding = ss.Segmentation.from_boundaries([1, 2, 10**9], 10**9 + 1, ranks=[2, 1, 2])
    assert ss.corpus.rank_bars(coding, width=10).splitlines() == [
        "|",
        "|        |",
        "··········",
        "1 1000000001",
        "100000000 positions per column",
    ]


def test_bars_without_boundaries() -> None:
    assert ss.corpus.rank_bars(ss.Segmentation.from_masses([1])) == "1"
    assert ss.corpus.rank_bars(ss.Segmentation.from_masses([4])).splitlines() == ["···", "1 4"]
    assert ss.corpus.rank_bars(ss.Segmentation.from_masses([1, 1])).splitlines() == [
        "|",
        "·",
        "1 2",
    ]
