"""Every number and its verdict, as they were when the papers left the package."""

import json
from pathlib import Path

import pytest
from reproduction.cells import Outcome, cells_of, paper_names
from reproduction.runs import Run

from reproduction import cells

FROZEN = json.loads((Path(cells.__file__).parent / "frozen.json").read_text("utf-8"))


def differs(outcome: Outcome, frozen: list[object]) -> bool:
    """Item, printed number and verdict count to the letter, ours to what machines may differ by."""
    item, printed, computed, verdict = frozen
    if [outcome.cell.item, outcome.cell.published, outcome.status] != [item, printed, verdict]:
        return True
    if computed is None or outcome.computed is None:
        return computed is not outcome.computed
    return outcome.computed != pytest.approx(computed, rel=1e-9, abs=1e-12)


def compare(made: list[Outcome], long: bool) -> None:
    """All cells that are long, or all that are not, against those frozen."""
    expected = [
        row
        for paper in FROZEN
        for cell, row in zip(cells_of(paper), FROZEN[paper], strict=True)
        if ("long" in cell.flags) == long
    ]
    assert [pair for pair in zip(made, expected, strict=True) if differs(*pair)] == []


def test_every_number_is_the_frozen_one(quick: list[Outcome]) -> None:
    assert paper_names() == list(FROZEN)
    compare(quick, long=False)


@pytest.mark.slow
def test_every_number_that_takes_long_is_the_frozen_one(run: Run) -> None:
    found = [cell for paper in paper_names() for cell in cells_of(paper) if "long" in cell.flags]
    compare([cell.outcome(run) for cell in found], long=True)
