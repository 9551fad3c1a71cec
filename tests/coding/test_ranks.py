"""Ranked input: each way of writing a hierarchy down, and its levels."""

from functools import partial
from itertools import pairwise
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

import segscore as ss
from segscore.coding.levels import (
    at_level,
    dense_ranks,
    from_heading_depths,
    from_level_columns,
    from_nested_masses,
    from_split_order,
    sections,
)

boundaries = ss.Segmentation.from_boundaries

trees = st.recursive(
    st.integers(1, 9), lambda inner: st.lists(inner, min_size=1, max_size=4), max_leaves=25
).filter(lambda tree: isinstance(tree, list))


def leaves(tree: Any, depth: int = 1) -> list[tuple[int, tuple[int, ...]]]:
    """Mass and path of each leaf, by recursion."""
    found = []
    for index, item in enumerate(tree):
        below = leaves(item, depth + 1) if isinstance(item, list) else [(item, ())]
        found += [(mass, (index, *path)) for mass, path in below]
    return found


@given(trees)
def test_a_boundary_ranks_by_where_the_tree_branches(tree: Any) -> None:
    segmentation = from_nested_masses(tree)
    masses, paths = zip(*leaves(tree), strict=True)
    assert segmentation.masses.tolist() == list(masses)
    assert segmentation.ranks is not None
    for rank, left, right in zip(segmentation.ranks.tolist(), paths[:-1], paths[1:], strict=True):
        assert rank == 1 + next(i for i in range(len(left)) if left[i] != right[i])


@given(trees)
def test_levels_are_nested_and_end_in_everything(tree: Any) -> None:
    segmentation = from_nested_masses(tree)
    depth = int(dense_ranks(segmentation).max(initial=0))
    levels = [
        set(at_level(segmentation, level).boundaries.tolist()) for level in range(1, depth + 2)
    ]
    assert levels[-1] == set(segmentation.boundaries.tolist())
    for level, (upper, lower) in enumerate(pairwise(levels), 1):
        assert upper < lower if level < depth else upper == lower


def test_four_ways_to_write_one_hierarchy() -> None:
    expected = boundaries([2, 5, 6], 9, ranks=[2, 1, 2])
    assert from_nested_masses([[2, 3], (1, 3)]) == expected
    assert from_heading_depths([1, 0, 2, 0, 0, 1, 2, 0, 0]) == expected
    assert from_level_columns([[0, 0, 0, 0, 1, 0, 0, 0, 1], "010001001"]) == expected
    assert from_level_columns(["100001000", "101001100"], marks="start") == expected
    assert from_split_order([5, 2, 6], 9) == boundaries([2, 5, 6], 9, ranks=[2, 1, 3])


def test_at_level_keeps_types_and_candidates() -> None:
    segmentation = boundaries([2, 5], 9, ranks=[7, 3], types=["a", "b"], candidates=[2, 5, 8])
    assert at_level(segmentation, 1) == boundaries([5], 9, types=["b"], candidates=[2, 5, 8])
    assert at_level(ss.Segmentation.from_masses([2, 3]), 1) == ss.Segmentation.from_masses([2, 3])


def endless() -> list[Any]:
    """A list that contains itself."""
    tree: list[Any] = [1]
    tree.append(tree)
    return tree


@pytest.mark.parametrize(
    ("call", "given", "message"),
    [
        (from_nested_masses, [2, [3, 0]], r"masses\[1\]\[1\] is 0: expected 1"),
        (from_nested_masses, [2, []], r"masses\[1\] is \[\] .*expected a list of"),
        (from_nested_masses, [], r"masses is \[\]"),
        (from_nested_masses, endless(), "at most 1000"),
        (from_heading_depths, [1, -1], r"depths\[1\] is -1: expected one depth"),
        (from_heading_depths, [1, 0.5], r"depths\[1\] is 0.5"),
        (partial(from_split_order, n_units=9), [3, 3], "boundary 3 is listed twice"),
        (partial(from_split_order, n_units=9), [9], "boundary 9.*outside the document"),
        (from_level_columns, "010", "columns is '010'"),
        (from_level_columns, ["010", "0100"], r"columns\[1\] has 4 units: expected 3"),
        (partial(from_level_columns, marks=cast(Any, "middle")), ["010"], "marks is 'middle'"),
        (partial(at_level, level=0), ss.Segmentation.from_masses([2]), "level is 0: expected 1"),
    ],
)
def test_bad_input(call: Any, given: Any, message: str) -> None:
    with pytest.raises(ss.SegmentationError, match=message):
        call(given)


# ---- ranked segmentations as text ----


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
