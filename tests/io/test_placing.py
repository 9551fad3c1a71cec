"""Spans on units: each policy, and what it says; the rules that make units; UTF-16 offsets."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import segscore as ss
from segscore.io.placing import CodePoints, Placed, Span, place
from segscore.text.unit_splitting import Ticks, stretches

TENS = Ticks(10, 50)  # five units


def span(start: int, end: int, *labels: str) -> Span:
    return Span(start, end, frozenset(labels))


def starts(made: Placed) -> dict[int, list[str]]:
    return {unit: sorted(made.labels[unit]) for unit in sorted(made.labels)}


MISFITS = [
    # spans, message of error, starts and report of snap, of keep-start
    ([span(0, 14, "a"), span(14, 50, "b")], r"the span 0 … 14 \('a'\) cuts unit 2",
     {0: ["a"], 1: ["b"]}, "2 × edge inside a unit moved to its nearer edge",
     {0: ["a"], 1: ["b"]}, "1 × start inside a unit moved to the start of the unit"),
    ([span(0, 15, "a"), span(15, 50, "b")], r"the span 0 … 15 \('a'\) cuts unit 2",
     {0: ["a"], 1: ["b"]}, "2 × edge inside a unit moved to its nearer edge",
     {0: ["a"], 1: ["b"]}, "1 × start inside a unit moved to the start of the unit"),
    ([span(0, 16, "a"), span(16, 50, "b")], r"the span 0 … 16 \('a'\) cuts unit 2",
     {0: ["a"], 2: ["b"]}, "2 × edge inside a unit moved to its nearer edge",
     {0: ["a"], 1: ["b"]}, "1 × start inside a unit moved to the start of the unit"),
    ([span(10, 20, "a"), span(30, 40, "b")], "unit 1.*no span",
     {0: [], 1: ["a"], 2: [], 3: ["b"], 4: []}, "3 × gap turned into a segment of its own",
     {0: ["a"], 3: ["b"]}, ""),
    ([span(0, 20, "a"), span(40, 50, "b")], "units 3.*4.*no span",
     {0: ["a"], 2: [], 4: ["b"]}, "1 × gap turned into a segment of its own",
     {0: ["a"], 4: ["b"]}, ""),
    ([span(0, 30, "a"), span(20, 50, "b")], "20.*50.*'b'.*overlaps the one before",
     {0: ["a"], 2: ["b"]}, "1 × overlap cut where the later span starts",
     {0: ["a"], 2: ["b"]}, ""),
    ([span(0, 50, "a"), span(10, 20, "b")], "10.*20.*'b'.*overlaps the one before",
     {0: ["a"], 1: ["b"], 2: []},
     "1 × overlap cut where the later span starts, 1 × gap turned into a segment of its own",
     {0: ["a"], 1: ["b"]}, ""),
    ([span(0, 50, "a"), span(0, 20, "b")], "0.*20.*'b'.*overlaps the one before",
     {0: ["a", "b"]}, "1 × overlap cut where the later span starts",
     {0: ["a", "b"]}, ""),
    ([span(0, 50, "a"), span(22, 23, "b")], r"the span 22 … 23 \('b'\) cuts unit 3",
     {0: ["a"]},
     "2 × edge inside a unit moved to its nearer edge, 1 × span without a unit dropped",
     {0: ["a"], 2: ["b"]}, "1 × start inside a unit moved to the start of the unit"),
    ([], "units 1.*5.*no span", {0: []}, "1 × gap turned into a segment of its own", {0: []}, ""),
]  # fmt: skip


@pytest.mark.parametrize(
    ("spans", "message", "snapped", "snap_report", "kept", "keep_report"), MISFITS
)
def test_policies(
    spans: list[Span], message: str, snapped: dict, snap_report: str, kept: dict, keep_report: str
) -> None:
    with pytest.raises(ss.SegmentationError) as error:
        place(spans, TENS, "error")
    assert re.search(message, str(error.value))
    made = place(spans, TENS, "snap")
    assert (starts(made), made.report()) == (snapped, snap_report)
    made = place(spans, TENS, "keep-start")
    assert (starts(made), made.report()) == (kept, keep_report)


def test_spans_that_start_together_are_one_segment_at_the_first_start_too() -> None:
    made = place([span(20, 50, "a"), span(20, 30, "b"), span(40, 50, "c")], TENS, "keep-start")
    assert starts(made) == {0: ["a", "b"], 4: ["c"]}


def test_a_span_backwards_is_an_error_for_all() -> None:
    for policy in ("error", "snap", "keep-start"):
        with pytest.raises(ss.SegmentationError, match="span 20.*10.*end after"):
            place([span(20, 10)], TENS, policy)


@given(st.sets(st.integers(1, 29)), st.integers(1, 7))
def test_segments_that_fit_come_back(cuts: set[int], step: int) -> None:
    edges = [0, *sorted(cuts), 30]
    spans = [span(a * step, b * step) for a, b in pairwise(edges)]
    for policy in ("error", "snap", "keep-start"):
        for units in (
            Ticks(step, 30 * step),
            stretches([(i * step, i * step + step) for i in range(30)]),
        ):
            assert sorted(place(spans, units, policy).labels) == edges[:-1]


@given(st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60))), st.integers(1, 9))
def test_any_spans_make_segments_and_ticks_are_stretches(
    pairs: list[tuple[int, int]], step: int
) -> None:
    spans = [span(min(pair), max(pair)) for pair in pairs]
    ticks = Ticks(step, 50)
    same = stretches([ticks.edges(index) for index in range(ticks.n)])
    for policy in ("snap", "keep-start"):
        made = place(spans, ticks, policy)
        assert min(made.labels) == 0
        assert max(made.labels) < ticks.n
        assert made == place(spans, same, policy)


# ---- units ----


@given(st.text(st.characters(codec="utf-8")))
def test_utf16_offsets(text: str) -> None:
    convert = CodePoints(text)
    offsets = [len(text[:index].encode("utf-16-le")) // 2 for index in range(len(text) + 1)]
    assert [convert(offset) for offset in offsets] == list(range(len(text) + 1))
    assert convert.length == offsets[-1]
    for inside in set(range(offsets[-1])) - set(offsets):
        with pytest.raises(ss.SegmentationError, match="inside a character"):
            convert(inside)
    for outside in (-1, offsets[-1] + 1):
        with pytest.raises(ss.SegmentationError, match="outside the text"):
            convert(outside)
