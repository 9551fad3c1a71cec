"""Every number and its verdict, as they were when the papers left the package."""

import json
from pathlib import Path

import pytest

import reproduction
from reproduction import Outcome, Run

FROZEN = json.loads((Path(reproduction.__file__).parent / "frozen.json").read_text("utf-8"))


def differs(outcome: Outcome, frozen: list[object]) -> bool:
    """Item, printed number and verdict count to the letter, ours to what machines may differ by."""
    item, printed, computed, verdict = frozen
    if [outcome.item, outcome.published, outcome.status] != [item, printed, verdict]:
        return True
    if computed is None or outcome.computed is None:
        return computed is not outcome.computed
    return outcome.computed != pytest.approx(computed, rel=1e-9, abs=1e-12)


def compare(made: list[Outcome], long: bool) -> None:
    """All cells that are long, or all that are not, against those frozen."""
    cells = reproduction.cells_of(full=True)
    rows = [row for paper in FROZEN for row in FROZEN[paper]]
    assert [paper for paper, _ in cells] == [paper for paper in FROZEN for _ in FROZEN[paper]]
    chosen = [row for row, (_, cell) in zip(rows, cells, strict=True) if cell.long == long]
    assert [pair for pair in zip(made, chosen, strict=True) if differs(*pair)] == []


def test_every_number_is_the_frozen_one(quick: list[Outcome]) -> None:
    compare(quick, long=False)


@pytest.mark.slow
def test_every_number_that_takes_long_is_the_frozen_one(data: Path) -> None:
    run = Run(data, full=True)
    compare(
        [cell.outcome(paper, run) for paper, cell in reproduction.cells_of(full=True) if cell.long],
        long=True,
    )
