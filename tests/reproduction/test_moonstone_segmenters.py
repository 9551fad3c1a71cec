"""Segmenters on The Moonstone: chapters, systems, and what the page says of them."""

import numpy as np
import pytest
from reproduction.cells import printed_numbers
from reproduction.runs import Run

import segscore as ss
from reproduction import fournier2013_table_2
from reproduction import moonstone_segmenters as room


def test_sixteen_chapters_by_all_systems(run: Run) -> None:
    chapters, runs = room.systems(run)
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
    chapters, runs = room.systems(run)
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


def test_random_and_bayesseg_place_as_many_boundaries_as_people_have_segments(run: Run) -> None:
    """By the counts that Fournier's table 2 prints; for Random the number is exact."""
    printed = {
        name: fournier2013_table_2.boundaries_from_print(run, name)
        for name in ("Random", "BayesSeg", "APS", "MinCut")
    }
    assert printed == {"Random": 559, "BayesSeg": 565, "APS": 147, "MinCut": 291}
    assert fournier2013_table_2.rounded_segments(run) == 559
    assert fournier2013_table_2.references(run, extra=0) == 457


def test_bayesseg_and_random_beside_print(run: Run) -> None:
    """BayesSeg is near print in all rows; Random with half of a segment is far below."""
    printed = printed_numbers("kazantseva2012")
    for row in room.program.ROWS:
        expected = printed[f"table 2, {row}, BayesSeg"]
        assert room.in_table_2(run, row, "BayesSeg") == pytest.approx(expected, abs=0.045)
        if row != "multWinDiff":
            sd = room.in_table_2(run, row, "Random").std()
            half = room.expected_with_half(run, row)
            assert half < printed[f"table 2, {row}, Random"] - 4 * sd, row
