"""Segmenters on The Moonstone: chapters, systems, and that all of it follows the codings."""

import csv
import shutil
from pathlib import Path

import numpy as np
import pytest
from reproduction.corpora import moonstone, moonstone_paragraphs
from reproduction.kazantseva2012_program import half_segment
from reproduction.published import Run

import segscore as ss
from reproduction import fournier2013_table_2
from reproduction import moonstone_segmenters as room


def test_paragraphs_fit_the_codings(run: Run) -> None:
    texts = run.shared(moonstone_paragraphs)
    for chapter, codings in run.shared(moonstone).items():
        assert {coding.n_units for coding in codings.values()} == {len(texts[chapter])}
    joined = [text for text in texts[11] if "He had a fine commanding voice" in text]
    assert len(joined) == 1
    assert "Mr. Seegrave was tall and portly" in joined[0]


def test_a_text_that_does_not_fit(data: Path, tmp_path: Path) -> None:
    shutil.copytree(data / "moonstone", tmp_path / "moonstone")
    path = tmp_path / "moonstone" / "text" / "ch7.txt"
    path.write_bytes(path.read_bytes() + b"\n\n\n\nOne more.\n")
    with pytest.raises(ss.SegmentationError, match=r"ch7\.txt: 16 paragraphs: expected 15"):
        moonstone_paragraphs(Run(tmp_path))


def test_sixteen_chapters_by_all_systems(run: Run) -> None:
    chapters, runs = run.shared(room.systems)
    assert len(chapters) == 16
    assert sum(map(len, chapters.values())) == 90
    assert {name: len(draws) for name, draws in runs.items()} == {
        "BayesSeg": 1, "APS": 1, "MinCutSeg": 1, "Random": room.N_DRAWS,
    }  # fmt: skip
    for name, (first, *_) in runs.items():
        for chapter, codings in chapters.items():
            assert first[chapter].n_units == codings.n_units
            mean = round(float(np.mean([coding.n_segments for coding in codings.values()])))
            expected = {"BayesSeg": mean + 1, "Random": mean + 1, "MinCutSeg": mean}
            assert first[chapter].n_segments == expected.get(name, first[chapter].n_segments)
    assert len({draw["12"] for draw in runs["Random"]}) > 1


def test_b_against_plain_sums(run: Run) -> None:
    chapters, runs = run.shared(room.systems)
    metric = ss.BoundarySimilarity()
    scores = [
        metric(ref, runs["APS"][0][chapter])
        for chapter, codings in chapters.items()
        for ref in codings.values()
    ]
    pairs = sum(score.n_pairs for score in scores)
    correct = sum(score * score.n_pairs for score in scores)
    found = room.boundaries(run, "APS")
    assert found["B"] == pytest.approx(correct / pairs)
    tp, fp, fn = (sum(getattr(score, part) for score in scores) for part in ("tp", "fp", "fn"))
    assert found["B-P"] == pytest.approx(tp / (tp + fp))
    assert found["B-R"] == pytest.approx(tp / (tp + fn))
    assert found["B-F1"] == pytest.approx(2 * tp / (2 * tp + fp + fn))
    more = room.boundaries(run, "APS", extra=2)
    assert more["B"] == pytest.approx((correct + 180) / (pairs + 180))
    assert more["B-R"] == pytest.approx((tp + 180) / (tp + 180 + fn))


def test_human_as_the_table_has_it(run: Run) -> None:
    """The other module repairs chapter 20, which makes no difference to the edits."""
    for extra in (0, 2):
        expected = fournier2013_table_2.b_of_human(run, extra)
        assert room.boundaries(run, "Human", extra)["B"] == pytest.approx(expected, abs=1e-9)


def test_numbers_follow_the_codings(run: Run, data: Path, tmp_path: Path) -> None:
    """In a copy the last person of each chapter cuts it everywhere."""
    shutil.copytree(data / "moonstone", tmp_path / "moonstone")
    for path in (tmp_path / "moonstone" / "segmentations").glob("*.csv"):
        rows = list(csv.reader(path.read_text(encoding="utf-8").splitlines()))
        for number, row in enumerate(rows[1:], 1):
            row[-1] = str(number)
        path.write_text("".join(",".join(row) + "\n" for row in rows), encoding="utf-8")
    other = Run(tmp_path)
    for name in room.METHODS:
        assert room.boundaries(run, name) != room.boundaries(other, name)
        assert room.mult_window_diff(run, name) != room.mult_window_diff(other, name)
        assert room.in_table_2(run, "WD, union", name) != room.in_table_2(other, "WD, union", name)


def test_random_and_bayesseg_place_as_many_boundaries_as_people_have_segments(run: Run) -> None:
    """By the counts that Fournier's table 2 prints; for Random the number is exact."""
    printed = {
        name: fournier2013_table_2.boundaries_from_print(name, run)
        for name in ("Random", "BayesSeg", "APS", "MinCut")
    }
    assert printed == {"Random": 559, "BayesSeg": 565, "APS": 147, "MinCut": 291}
    assert fournier2013_table_2.rounded_segments(run) == 559
    assert fournier2013_table_2.references(run, extra=0) == 457


def test_bayesseg_beside_print(run: Run) -> None:
    """With one more segment than people it is near print in all rows, and not so without."""
    printed = room.PRINTED_BY_KAZANTSEVA
    for row, values in printed.items():
        assert room.in_table_2(run, row, "BayesSeg") == pytest.approx(values["BayesSeg"], abs=0.045)
    chapters, _ = run.shared(room.systems)
    segmenter = run.shared(room.tuned)["BayesSeg"].segmenter
    fewer = {
        name: segmenter(list(codings.units or ()), n_segments=room.n_random(codings))
        for name, codings in chapters.items()
    }
    for row in ("WD, at least 50 %", "WD, annotator 1", "WD, annotator 2"):
        assert room.by_program(run, row, [fewer])[0] < printed[row]["BayesSeg"] - 0.09


def test_random_with_half_of_a_segment_is_far_below_print(run: Run) -> None:
    for row, values in room.PRINTED_BY_KAZANTSEVA.items():
        if row != "multWinDiff":
            half = room.expected_with_window(run, row, half_segment)
            sd = run.shared(room.table_2_of_random)[row].std()
            assert half < values["Random"] - 4 * sd, row


def test_the_part_of_the_page(run: Run) -> None:
    text = room.section(run)
    assert (
        "- Order by B: Human, BayesSeg, Random, APS, MinCutSeg; the same in print, corrected."
        in text
    )
    assert "| MinCutSeg | 0.0562 |" in text
    assert "- Order by multWinDiff: APS, BayesSeg, MinCutSeg; the same in print." in text
    assert "| WD, at least 50 % | 0.648 / 0.66 |" in text
    assert room.section(Run()) == "The data is not at hand.\n"
