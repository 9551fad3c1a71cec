"""Chunks of a text: where they stand, which boundaries they make, what is said about misfits."""

import warnings
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import segscore as ss
from growth import assert_linear
from oracles import chunks as oracle
from segscore.text.chunk_placing import PlacementWarning
from segscore.text.unit_splitting import Stretches, chunk_units, in_pieces, lined_units, text_units

TEXT = "Cats purr. Dogs bark. It rains. It pours. It rains. So it goes."
RULES = ("sentences", "words", "characters", "lines", "paragraphs")


# ---- any segmentation of any text comes back ----


@st.composite
def cut_texts(draw: st.DrawFn) -> tuple[str, str, ss.Segmentation]:
    """Any text (repetitions are likely), a rule, and a segmentation of its units."""
    pieces = st.sampled_from(["A.", "It rains. ", "It rains. ", "So", " ", "\n\n", "“Yes.” ", "é"])
    text = draw(st.one_of(st.text(max_size=30), st.lists(pieces, max_size=15).map("".join)))
    rule = draw(st.sampled_from(RULES))
    n = text_units(text, rule).n
    if not n:
        text, n = text + "x", text_units(text + "x", rule).n
    places = draw(st.sets(st.integers(1, max(n - 1, 1)), max_size=6)) if n > 1 else set()
    return text, rule, ss.Segmentation.from_boundaries(places, n)


def stretches(text: str, rule: str, coding: ss.Segmentation, overlap: int = 0) -> list[Any]:
    """(start, end) of each segment, the space after it included, from some units earlier on."""
    units = text_units(text, rule)
    starts = [0, *(units.starts[boundary] for boundary in coding.boundaries)]
    early = [0, *(units.starts[max(boundary - overlap, 0)] for boundary in coding.boundaries)]
    return list(zip(early, [*starts[1:], len(text)], strict=True))


@given(cut_texts())
def test_chunks_of_a_segmentation_give_it_back(case: tuple[str, str, ss.Segmentation]) -> None:
    text, rule, coding = case
    places = stretches(text, rule, coding)
    placed = ss.chunks.place(text, [text[a:b] for a, b in places], rule)
    assert placed.segmentation == coding
    assert placed.stretches == tuple(places)
    assert (placed.moved, placed.merged, placed.uncovered, placed.doubled) == ((), 0, (), ())
    assert placed.coverage == 1
    assert placed.changed == placed.ambiguous == 0
    assert ss.chunks.place(text, places, rule).segmentation == coding
    assert ss.chunks.place(text, [a for a, _ in places], rule).segmentation == coding


@st.composite
def overlapping(draw: st.DrawFn) -> tuple[str, list[tuple[int, int]]]:
    """A text that repeats itself, and chunks that overlap, or leave something out. Without white
    space, which may differ: a chunk with changed space is better than text left out."""
    text = "".join(draw(st.lists(st.sampled_from("aabc"), min_size=1, max_size=12)))
    n = len(text)
    starts = sorted(draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=4)))
    return text, [(start, draw(st.integers(start + 1, n))) for start in starts]


@given(overlapping())
def test_chunks_stand_where_they_leave_out_the_least(
    case: tuple[str, list[tuple[int, int]]],
) -> None:
    text, places = case
    pieces = [text[a:b] for a, b in places]
    placed = ss.chunks.place(text, pieces, "characters", allow_gaps=True)
    starts = tuple(start for start, _ in placed.stretches)
    assert [text[a:b] for a, b in placed.stretches] == pieces
    best = oracle.best(text, pieces)
    assert starts in best
    if len(best) == 1:
        assert placed.ambiguous == 0


def test_repeated_sentences_with_overlap() -> None:
    sentences = ["It rains."] * 3 + ["It pours."] + ["It rains."] * 3
    text = " ".join(sentences)
    pieces = [" ".join(sentences[a:b]) for a, b in ((0, 3), (2, 5), (4, 7))]
    placed = ss.chunks.place(text, pieces)
    assert placed.segmentation.masses.tolist() == [2, 2, 3]
    assert placed.doubled == ((20, 29), (40, 49))
    assert placed.ambiguous == 0
    middle = ss.chunks.place(text, pieces, "characters", overlap="middle")
    assert middle.segmentation.boundaries.tolist() == [24, 44]
    end = ss.chunks.place(text, pieces, overlap="end")
    assert end.segmentation.masses.tolist() == [3, 2, 2]


# ---- what did not fit ----


def test_cuts_in_the_middle_of_words_are_said() -> None:
    """Four such cuts scored .833, and nothing was said."""
    text = "Cats purr softly. Dogs bark loudly. Rain falls slowly. Wind blows hard. Snow melts."
    cuts = [0, 14, 32, 50, 68, len(text)]
    pieces = [text[a:b] for a, b in pairwise(cuts)]
    placed = ss.chunks.place(text, pieces)
    assert [by for _, _, by in placed.moved] == [3, 3, 4, 3]
    assert placed.moved[0] == (1, 14, 3)
    assert placed.inside_words == placed.inside_sentences == 4
    with pytest.warns(PlacementWarning, match="4 cuts.*4 characters"):
        coding = ss.Segmentation.from_chunks(text, pieces)
    assert coding == placed.segmentation
    exact = ss.chunks.place(text, pieces, "characters")
    assert exact.segmentation.boundaries.tolist() == cuts[1:-1]
    assert (exact.moved, exact.inside_words) == ((), 4)


def test_text_in_no_chunk_is_an_error_unless_it_is_allowed() -> None:
    pieces = ["Cats purr.", "It rains. It pours.", "So it goes."]
    with pytest.raises(ss.SegmentationError, match="66.7%.*11.*21.*no chunk.*'Dogs"):  # fmt: skip
        ss.chunks.place(TEXT, pieces)
    placed = ss.chunks.place(TEXT, pieces, allow_gaps=True)
    assert placed.uncovered == ((11, 21), (42, 51))
    assert placed.coverage == pytest.approx(34 / 51)
    assert placed.segmentation.masses.tolist() == [2, 3, 1]


def test_changes_of_white_space_and_marks_are_tolerated_and_counted() -> None:
    text = "He said:\n“No – never.” She\u00a0left. 'Why?'  Nobody knows."
    placed = ss.chunks.place(text, ['He said: "No - never."', "She left. 'Why?' Nobody knows."])
    assert placed.changed == 6
    assert placed.segmentation.masses.tolist() == [1, 3]
    penn = ss.chunks.place(text, ["He said: ``No - never.''", "She left.", "`Why?' Nobody knows."])
    assert penn.segmentation.masses.tolist() == [1, 1, 2]
    assert penn.changed == 4  # marks at the edges of chunks are nobody's there
    assert penn.stretches[2][0] == text.index("'Why")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"chunks": []}, r"chunks is \[\]"),
        ({"chunks": [" ", "\n"]}, "nothing but white space"),
        ({"chunks": ["Cats purr.", "Hogs bark."]}, r"chunks\[1\] is 'Hogs bark.'.*0 charac.*'Hogs"),
        ({"chunks": [-1]}, "start of at least 0"),
        ({"chunks": [{"text": 3}]}, "'text': 3"),
        ({"text": "  "}, "no unit"),
        ({"text": 5}, "text is 5"),
        ({"units": [(0, 5), (6, 99)]}, "last unit ends.*99"),
        ({"units": [(1, 2), (0, 1)]}, "units in order"),
    ],
)
def test_what_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ss.SegmentationError, match=message):
        ss.chunks.place(**{"text": TEXT, "chunks": [TEXT], "allow_gaps": True} | given)


# ---- forms ----


def test_the_forms_that_splitters_return() -> None:
    expected = [2, 4]
    starts = [0, TEXT.index("It rains.")]
    texts = [TEXT[: starts[1]].strip(), TEXT[starts[1] :]]
    for form in (
        [{"page_content": t, "metadata": {"start_index": -1}} for t in texts],  # not found
        np.array(starts),
        ((start, end) for start, end in ((0, 21), (22, 63))),
    ):  # other forms: tests/chunks/test_chunk_offsets.py
        assert ss.chunks.place(TEXT, form).segmentation.masses.tolist() == expected


def test_offsets_of_another_place_are_found_out() -> None:
    """LangChain gives the first place where a text is found."""
    text = "It rains. So. It rains. It pours. It rains."
    starts = [0, 10, 0, 24, 0]  # the third and the fifth are those of the first
    texts = ["It rains.", "So.", "It rains.", "It pours.", "It rains."]
    given_ = [{"text": t, "start_index": s} for t, s in zip(texts, starts, strict=True)]
    placed = ss.chunks.place(text, given_)
    assert placed.segmentation.masses.tolist() == [1] * 5
    assert placed.wrong_offsets == 2
    assert "2 offsets that were wrong" in placed.report()
    given_ = [{"text": t, "start_index": s} for t, s in zip(texts[:2], (0, 10), strict=True)]
    assert ss.chunks.place(text, given_, allow_gaps=True).stretches == ((0, 9), (10, 13))
    with pytest.raises(ss.SegmentationError, match="text at its offsets 1.*5"):
        ss.chunks.place(text, [{"text": "snow", "start_index": 1}])


def test_segmentations_from_chunks_and_offsets() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        coding = ss.Segmentation.from_chunks(TEXT, [TEXT[:21], TEXT[21:]])
        assert ss.Segmentation.from_offsets(TEXT, [(0, 21), (22, 63)]) == coding
    with pytest.raises(ss.SegmentationError, match="for texts use from_chunks"):
        ss.Segmentation.from_offsets(TEXT, [TEXT])
    with pytest.raises(ss.SegmentationError, match="offsets is 3"):
        ss.Segmentation.from_offsets(TEXT, 3)  # type: ignore[arg-type]
    with pytest.warns(PlacementWarning, match="headings 'One', 'Two'"):
        coding = ss.Segmentation.from_chunks(HEADED, stripped(), allow_gaps=True, gaps="before")
    assert coding.masses.tolist() == [2, 3, 2]
    with pytest.warns(PlacementWarning, match="10 characters in several chunks"):
        ss.Segmentation.from_offsets(TEXT, [(0, 21), (11, 63)])


# ---- text in no chunk ----

HEADED = "Intro here.\n\n# One\n\nFirst. Second.\n\n## Two\nThird.\n\nFourth."


def stripped() -> list[str]:
    """The chunks of a splitter by headings that leaves out the headings."""
    return ["Intro here.", "First. Second.", "Third.\n\nFourth."]


def test_a_gap_that_begins_with_a_heading_belongs_to_the_chunk_after_it() -> None:
    """Each boundary was one unit late: F1 was 0 for cuts that are all right."""
    units = list(text_units(HEADED, "sentences").texts or ())
    assert units == ["Intro here.", "# One", "First.", "Second.", "## Two", "Third.", "Fourth."]
    placed = ss.chunks.place(HEADED, stripped(), allow_gaps=True)
    assert placed.segmentation.masses.tolist() == [1, 3, 3]
    assert placed.lost_headings == ("One", "Two")
    assert "no chunk has the headings 'One', 'Two'" in placed.report()
    before = ss.chunks.place(HEADED, stripped(), allow_gaps=True, gaps="before")
    assert before.segmentation.masses.tolist() == [2, 3, 2]
    after = ss.chunks.place(HEADED, stripped(), allow_gaps=True, gaps="after")
    assert after.segmentation == placed.segmentation
    with pytest.raises(ss.SegmentationError, match="'One'.*'Two'.*allow_gaps"):
        ss.chunks.place(HEADED, stripped())
    with pytest.raises(ss.SegmentationError, match="gaps is 'end'"):
        ss.chunks.place(HEADED, stripped(), gaps="end")  # type: ignore[arg-type]


GAPS: dict[str, tuple[list[str], list[int], list[int], list[int]]] = {
    # chunks; masses of the seven units of HEADED for gaps = text, before, after
    "a paragraph": (["Intro here.\n\n# One\n\nFirst. Second.\n\n## Two\nThird.", "Fourth."],
                    [6, 1], [6, 1], [6, 1]),
    "a paragraph after its heading": (["Intro here.\n\n# One", "## Two\nThird.\n\nFourth."],
                                      [2, 5], [4, 3], [2, 5]),
    "the rest of a paragraph": (["Intro here.\n\n# One\n\nFirst.", "## Two\nThird.\n\nFourth."],
                                [4, 3], [4, 3], [3, 4]),
    "the rest and a heading": (["Intro here.\n\n# One\n\nFirst.", "Third.\n\nFourth."],
                               [5, 2], [5, 2], [3, 4]),
    "at the edges": (["First. Second.", "## Two\nThird."], [4, 3], [4, 3], [4, 3]),
}  # fmt: skip


@pytest.mark.parametrize("name", GAPS)
def test_where_the_boundary_of_a_gap_is(name: str) -> None:
    pieces, *expected = GAPS[name]
    found = [
        ss.chunks.place(HEADED, pieces, allow_gaps=True, gaps=gaps)  # type: ignore[arg-type]
        for gaps in ("text", "before", "after")
    ]
    assert [placed.segmentation.masses.tolist() for placed in found] == expected


# ---- rows, items, lines; and how far a cut may move ----

BLOCKS = {  # a block, and its units
    "# One": ["# One"],
    "It rains. It pours.": ["It rains.", "It pours."],
    "- one\n- two. Really.\n  So it is\n* other": [
        "- one", "- two.", "Really.", "So it is", "* other"
    ],
    "1. One\n   - in it\n2. Two": ["1. One", "- in it", "2. Two"],
    "| a. B | c |\n|---|---|\n| 1 | 2 |": ["| a. B | c |", "|---|---|", "| 1 | 2 |"],
    "```sh\nrun. It\n\n# no heading\n```": ["```sh", "run. It", "# no heading", "```"],
    "<table>\n<tr><td>A. B</td></tr>\n</table>": [
        "<table>", "<tr><td>A. B</td></tr>", "</table>"
    ],
}  # fmt: skip


@given(st.lists(st.sampled_from([*BLOCKS]), min_size=1, max_size=6))
def test_rows_items_and_lines_are_units(blocks: list[str]) -> None:
    text = "\n\n".join(blocks)
    expected = [unit for block in blocks for unit in BLOCKS[block]]
    assert list(chunk_units(text, "sentences").texts or ()) == expected
    assert list(text_units("So:\n\n    a\n    b", "sentences").texts or ()) == ["So:", "a b"]
    assert chunk_units("So:\n\n    a\n    b", "sentences").texts == ("So:", "a", "b")


@st.composite
def long_texts(draw: st.DrawFn) -> tuple[str, str, list[int], set[int], int]:
    """A text with short and long units, a rule, cuts, a reference, and a limit."""
    word = st.sampled_from(["a", "word", "b" * 60, "c" * 300, "\u3000", " "])
    sentence = st.lists(word, min_size=1, max_size=12).map(lambda words: f"S{' '.join(words)}e.")
    text = " ".join(draw(st.lists(sentence, min_size=2, max_size=5)))
    rule = draw(st.sampled_from(["sentences", "words", "lines"]))
    cuts = draw(st.sets(st.integers(1, len(text) - 1), min_size=1, max_size=8))
    starts = lined_units(text, rule).starts[1:]
    reference = draw(st.sets(st.sampled_from(starts))) if starts else set()
    return text, rule, sorted(cuts), reference, draw(st.sampled_from([0, 3, 50, 100, 400]))


@given(long_texts())
def test_a_cut_moves_no_further_than_it_may_and_is_a_match_only_there(
    case: tuple[str, str, list[int], set[int], int],
) -> None:
    text, rule, cuts, reference, snap = case
    whole = lined_units(text, rule)
    edges = list(zip(whole.starts, whole.ends, strict=True))
    placed = ss.chunks.place(text, [0, *cuts], rule, snap=snap)
    goes = [oracle.moved_to(cut, edges, snap) for cut in cuts]
    assert placed.inside == tuple(cut for cut, at in zip(cuts, goes, strict=True) if at is None)
    assert [(offset, offset + by) for _, offset, by in placed.moved] == [
        (cut, at) for cut, at in zip(cuts, goes, strict=True) if at not in (None, cut)
    ]
    assert placed.farthest <= snap
    # the reference on the same units: all its boundaries are at starts of whole units
    units = chunk_units(text, rule, snap)
    assert placed.n_units == units.n
    boundaries = {units.starts.index(start) for start in reference}
    assert len(boundaries & {*placed.boundaries}) == oracle.hits(cuts, edges, reference, snap)
    inner = units.inner & {*placed.boundaries}
    assert bool(inner) == bool(placed.inside)
    assert not inner & boundaries
    # given units are not in pieces: there such a cut cannot be a boundary
    if placed.inside:
        with pytest.raises(ss.SegmentationError, match=rf"starts at {placed.inside[0]}, .*snap="):
            ss.chunks.place(text, [0, *cuts], edges, snap=snap)
    else:
        assert ss.chunks.place(text, [0, *cuts], edges, snap=snap).moved == placed.moved


def test_pieces_hold_the_text_and_are_short() -> None:
    text = "One " + "word " * 300 + "end. " + "x" * 999 + ". Last."
    units = chunk_units(text, "sentences")
    assert "".join("".join(units.texts or ()).split()) == "".join(text.split())
    assert max(len(unit) for unit in units.texts or ()) <= 200
    assert all(unit.startswith("word") for unit in (units.texts or ())[1:10])
    again = in_pieces(text, Stretches(units.starts, units.ends, units.texts), 100)
    assert again.texts == units.texts  # pieces are not cut again
    for given_ in ("x", "a" + " " * 9):  # one long word, and hardly a word
        assert_linear(
            lambda n, part=given_: partial(ss.chunks.place, part * n + "e.", [0, n // 2]), 20_000
        )
    for bad in (-1, 0.5, True):
        with pytest.raises(ss.SegmentationError, match="snap is"):
            ss.chunks.place(text, [text], snap=bad)  # type: ignore[arg-type]


def test_chunks_that_repeat_without_end_are_refused_soon() -> None:
    """A hundred equal chunks that could stand in a thousand places each, and leave text out."""
    with pytest.raises(ss.SegmentationError, match="many ways to place"):
        ss.chunks.place("ab" * 1500, ["ab"] * 100, units="characters", allow_gaps=True)
    few = ss.chunks.place("ab" * 50, ["ab"] * 20, units="characters", allow_gaps=True)
    assert few.n_chunks == 20
