"""Hypotheses with other words on the units of their references."""

import json
import re
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import segscore as ss
from needs import needs
from oracles.alignment import distance
from segscore.cli import run
from segscore.coding.word_alignment import reference_places, word_blocks
from segscore.io import ReadingWarning
from segscore.text.folding import spoken_words

pytestmark = needs("align")
masses = ss.Segmentation.from_masses
words = st.lists(st.sampled_from("abc"), min_size=1, max_size=9)


@given(words, words)
def test_the_alignment_is_minimal_and_cuts_are_on_it(ref: list[str], hyp: list[str]) -> None:
    """A cut of the hypothesis and its place in the reference are a point on a minimal path."""
    blocks = word_blocks(ref, hyp)
    errors = sum(
        max(block.src_end - block.src_start, block.dest_end - block.dest_start)
        for block in blocks
        if block.tag != "equal"
    )
    least = distance(ref, hyp)
    assert errors == least
    places = reference_places(range(1, len(hyp)), blocks)
    for cut, (place, _) in enumerate(places, start=1):
        assert distance(ref[:place], hyp[:cut]) + distance(ref[place:], hyp[cut:]) == least
    assert [place for place, _ in places] == sorted(place for place, _ in places)


@given(words, words, st.data())
def test_error_rate_and_counts(ref: list[str], hyp: list[str], data: st.DataObject) -> None:
    places = data.draw(st.sets(st.integers(1, max(len(hyp) - 1, 1)))) if len(hyp) > 1 else set()
    coding = ss.Segmentation.from_boundaries(places, len(hyp))
    found = ss.corpus.align(ref, hyp, coding, max_error=10)
    assert found.error_rate == pytest.approx(distance(ref, hyp) / len(ref))
    assert found.segmentation.n_units == len(ref)
    assert len(found.segmentation.boundaries) == len(places) - found.merged
    assert found.moved == 0
    assert 0 <= found.inside <= len(places)
    if ref == hyp:
        assert found.segmentation == coding
        assert (found.error_rate, found.inside, found.merged) == (0, 0, 0)


@given(st.lists(words.map(" ".join), min_size=1, max_size=5), st.data())
def test_the_same_words_split_otherwise(units: list[str], data: st.DataObject) -> None:
    """Boundaries at the ends of the reference's units come over as they are."""
    ends = list(accumulate(len(unit.split()) for unit in units))
    chosen = data.draw(st.sets(st.sampled_from(range(len(units)))))
    single = " ".join(units).split()
    coding = ss.Segmentation.from_boundaries({ends[i] for i in chosen} - {ends[-1]}, ends[-1])
    found = ss.corpus.align(units, single, coding)
    expected = {i + 1 for i in chosen} - {len(units)}
    assert set(found.segmentation.boundaries.tolist()) == expected
    assert (found.errors, found.inside, found.moved, found.merged) == (0, 0, 0, 0)


def test_what_counts_as_inside() -> None:
    left_out = ss.corpus.align(
        ["a", "b", "c", "d", "e", "f"], ["a", "b", "e", "f"], masses([2, 2]), max_error=1
    )
    assert (left_out.segmentation.masses.tolist(), left_out.inside) == ([3, 3], 1)
    assert (left_out.deletions, left_out.insertions, left_out.substitutions) == (2, 0, 0)
    added = ss.corpus.align(
        ["a", "b", "c", "d"], ["a", "b", "x", "y", "c", "d"], masses([3, 3]), max_error=1
    )
    assert (added.segmentation.masses.tolist(), added.inside) == ([2, 2], 1)
    beside = ss.corpus.align(
        ["a", "b", "c", "d"], ["a", "b", "x", "y", "c", "d"], masses([4, 2]), max_error=1
    )
    assert (beside.segmentation.masses.tolist(), beside.inside) == ([2, 2], 0)
    moved = ss.corpus.align(["a b c", "d"], ["a", "b", "c", "d"], masses([1, 3]))
    assert (moved.segmentation.masses.tolist(), moved.moved, moved.merged) == ([2], 1, 1)


def test_labels_ranks_and_types_come_over() -> None:
    hyp = ss.Segmentation.from_boundaries(
        [1, 2, 4], 6, ranks=[2, 1, 3], types=["x", {"y"}, "z"], segment_labels=["a", "b", "c", "d"]
    )
    found = ss.corpus.align(["k", "l", "m", "n"], ["k", "u", "l", "m", "v", "n"], hyp, max_error=1)
    assert found.segmentation == ss.Segmentation.from_boundaries(
        [1, 3], 4, ranks=[1, 3], types=[{"x", "y"}, "z"], segment_labels=["a", "c", "d"]
    )


def test_case_and_punctuation_do_not_count() -> None:
    assert spoken_words(["“It’s,”", "–", "ＮＯ. 5"]) == (["its", "no", "5"], [1, 1, 3])
    found = ss.corpus.align(["Hello, World!", "–", "It’s late."], ["hello", "world", "it's", "late"],
                     masses([2, 2]))  # fmt: skip
    assert found.error_rate == 0
    assert found.segmentation.masses.tolist() == [2, 1]  # the dash stays with what is before it


def test_what_is_refused() -> None:
    units = ["a", "b", "c"]
    for given_, message in (
        (("abc", units, masses([3])), "ref_units is 'abc'"),
        ((units, [1, 2, 3], masses([3])), r"hyp_units\[0\] is 1"),
        ((units, units, masses([4])), "hyp has 4 units, and hyp_units 3"),
        ((["-"], units, masses([3])), "ref_units has no words"),
        ((units, ["x", "y", "z"], masses([3])), "word error rate is 1.000"),
    ):  # fmt: skip
        with pytest.raises(ss.SegmentationError, match=message):
            ss.corpus.align(*given_)  # type: ignore[arg-type]
    with pytest.raises(ss.SegmentationError, match="max_error is 'no'"):
        ss.corpus.align(units, units, masses([3]), max_error="no")  # type: ignore[arg-type]


# ---- files ----


def write(path: Path, *rows: Any) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    ref = ["Good morning all.", "Let us start.", "The budget is small.", "We cut the trip."]
    asr = "good morning let us start the but jet is small we cut the trip"
    write(tmp_path / "ref.jsonl", {"document": "m", "coder": "ann", "masses": [2, 2], "units": ref})
    write(
        tmp_path / "asr.jsonl",
        {"document": "m", "coder": "asr", "masses": [5, 9], "units": asr.split()},
    )
    return tmp_path


def test_score_with_aligned_words(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["score", "ref.jsonl", "asr.jsonl"]) == 2
    assert "align='words'" in capsys.readouterr().err
    command = ["score", "ref.jsonl", "asr.jsonl", "--align", "words", "-m", "b", "-f", "json"]
    assert run(command) == 0
    shown = capsys.readouterr()
    (row,) = json.loads(shown.out)
    assert row["micro"] == 1
    assert "|align:words|" in row["signature"]
    assert ss.metric(row["signature"]) == ss.metric("b")
    assert re.search(r"asr\.jsonl.*0\.214.*boundaries inside", shown.err)
    with pytest.raises(ss.SegmentationError, match=r"'m'.*coder 'asr'.*error rate is 0\.214"):
        ss.score("ref.jsonl", "asr.jsonl", "b", align="words", max_error=0.2)
    with pytest.warns(ReadingWarning, match="word error rate"):
        result = ss.score("ref.jsonl", "asr.jsonl", "b", align="words")
    assert result["b"].micro == 1


def test_levels_are_aligned_each() -> None:
    levels = ss.Levels([masses([2, 2]), masses([1, 1, 2])])
    found = ss.corpus.align(["a b", "c", "d"], ["a b", "c", "d e"], ss.Levels([masses([2, 1])]),
                     max_error=1)  # fmt: skip
    assert found.segmentation == ss.Levels([masses([2, 1])])
    assert ss.corpus.cut_out(levels, [(0, 1)]) == ss.Levels([masses([1, 2]), masses([1, 2])])


def test_words_are_needed_on_both_sides(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder / "bare.jsonl", {"document": "m", "coder": "x", "masses": [2, 2]})
    assert run(["score", "ref.jsonl", "bare.jsonl", "--align", "words"]) == 2
    assert re.search(r"document 'm' has no text.*bare\.jsonl", capsys.readouterr().err)
    with pytest.raises(ss.SegmentationError, match="to align words"):
        ss.score([masses([2])], [masses([2])], align="words")
    write(folder / "two.jsonl", *(json.loads(line) for line in
          (folder / "asr.jsonl").read_text().splitlines()),
          {"document": "n", "coder": "asr", "masses": [1], "units": ["x"]})  # fmt: skip
    assert run(["score", "ref.jsonl", "two.jsonl", "--align", "words", "--missing", "skip"]) == 0
