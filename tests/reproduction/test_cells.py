"""Rows and what becomes of them: verdicts, tolerances, data that is missing, the command."""

import math
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from reproduction.__main__ import main
from reproduction.cells import (
    SOURCES,
    Cell,
    Estimate,
    Outcome,
    cells_of,
    paper_names,
    paper_title,
)
from reproduction.page import counts, shares
from reproduction.runs import Run

import segscore as ss
from reproduction import page

ALL = [cell for paper in paper_names() for cell in cells_of(paper)]


def cell(**changed: str) -> Cell:
    row = dict.fromkeys(("flags", "slip", "note"), "") | {
        "paper": "scaiano2012", "item": "x", "printed": "1", "tolerance": "0.1: why",
        "formula": "ours", "source": "paper",
    }  # fmt: skip
    return Cell(**row | changed)


@pytest.fixture
def ours(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Sets what the formula `ours` gives."""
    formulas: dict[str, Any] = {"absent": lambda run: run.folder("nowhere")}
    monkeypatch.setattr("reproduction.scaiano2012.FORMULAS", formulas)
    return lambda value: formulas.update(ours=lambda _run: value)


# ---- verdicts and tolerances ----


@pytest.mark.parametrize(
    ("value", "changed", "status", "failed"),
    [
        (1.0, {}, "reproduced", False),
        (1.09, {}, "reproduced", False),
        (0.91, {}, "reproduced", False),
        (1.11, {}, "not-reproduced", True),
        (math.nan, {}, "not-reproduced", True),
        (1.11, {"flags": "fails"}, "not-reproduced", False),
        (1.05, {"slip": "counts segments"}, "reproduced-slip", False),
        (2.0, {"slip": "counts segments"}, "not-reproduced", True),
        (1.0, {"formula": "absent"}, "no-data", False),
        (1.0, {"formula": ""}, "no-data", False),
        (1.05, {"flags": "copied", "slip": "counts segments"}, "consistent", False),
        (1.5, {"flags": "copied"}, "not-reproduced", True),
    ],
)
def test_verdicts(
    ours: Any, value: float, changed: dict[str, str], status: str, failed: bool
) -> None:
    ours(value)
    outcome = cell(**changed).outcome(Run())
    assert (outcome.status, outcome.failed) == (status, failed)
    assert (outcome.computed is None) == (status == "no-data")


@pytest.mark.parametrize(
    ("printed", "tolerance", "value", "expected"),
    [
        ("0.25", "", 0.25, 0.005),
        ("0.250", "", 0.25, 0.0005),
        ("45", "", 45, 0.5),
        ("45", "count", 45, 0),
        ("7/9", "fraction", 7 / 9, 1e-9),
        ("0.245", "", Estimate(0.244, 0.001, "ten trials"), 0.0025),
        ("50", "5: about", 50, 5),
    ],
)
def test_tolerances(
    ours: Any, printed: str, tolerance: str, value: float | Estimate, expected: float
) -> None:
    ours(value)
    outcome = cell(printed=printed, tolerance=tolerance).outcome(Run())
    assert outcome.tolerance == pytest.approx(expected, abs=2e-9)
    assert ("two standard errors of ten trials" in outcome.note) == isinstance(value, Estimate)


def test_no_tolerance_is_wider_than_the_rule(quick: list[Outcome]) -> None:
    """Half of the last digit and two standard errors; written tolerances say why, and those of what
    is drawn are 2 % and .01 (a point in per cent) at most."""
    words = {"half of ten per cent": 5, "half of five per cent": 2.5}
    for found in ALL:
        if ": " in found.tolerance:
            value, _, reason = found.tolerance.partition(": ")
            printed = found.published
            rule = min(0.02 * printed, 0.01 if printed <= 1 else 1.0)
            most = rule if "2 % and .01" in reason else words[reason.partition(":")[0]]
            assert float(value) <= most + 1e-9, found.item
    for outcome in quick:
        if "two standard errors" in outcome.note:
            half = 0.5 * 10.0 ** -len(outcome.cell.printed.partition(".")[2])
            share = 0.25 if outcome.cell.item.endswith(", sd") else 0.125
            most = half + outcome.cell.published * share
            assert outcome.tolerance <= most + 2e-9, outcome.cell.item


# ---- the rows ----


def test_rows_are_named_once_and_have_what_they_need() -> None:
    assert max(Counter((one.paper, one.item) for one in ALL).values()) == 1
    for one in ALL:
        assert one.source in SOURCES, one.item
        assert set(one.flags.split()) <= {"fails", "long", "copied"}, one.item
        assert one.formula or one.note.startswith("would need"), one.item


def test_what_does_not_come_out_is_known_and_explained(quick: list[Outcome]) -> None:
    assert [outcome for outcome in quick if outcome.failed] == []
    for outcome in quick:
        if outcome.status == "not-reproduced":
            assert outcome.cell.note, outcome.cell.item


def test_the_shares_that_the_docs_name(quick: list[Outcome]) -> None:
    """97.4 % of the numbers that the seven papers on evaluation print themselves and that can be
    computed, 85.5 % of all; without slips and readings picked because they fit, 37.7 %."""
    own = [
        outcome
        for outcome in quick
        if outcome.cell.source == "paper" and outcome.cell.paper not in page.ON_SEGMENTERS
    ]
    assert len(own) == 732
    assert shares(own) == pytest.approx((0.974, 0.855, 0.377), abs=5e-4)
    found = counts(own)
    assert [found[name] for name in ("not-reproduced", "no-data", "consistent")] == [17, 49, 40]


# ---- tables and the command ----


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["scaiano2012", "--data", str(tmp_path)]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith(paper_title("scaiano2012"))
    assert "56 numbers: 38 reproduced, 17 reproduced-slip, 1 not-reproduced; 98.2 % of " in shown
    assert "scaiano2012, derived claim" in shown
    with pytest.raises(ss.SegmentationError, match="nobody1999.*scaiano2012"):
        main(["scaiano2012", "nobody1999"])


def test_the_command_ends_with_1_if_a_number_fails(
    ours: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ours(5.0)
    monkeypatch.setattr("reproduction.cells.cells_of", lambda _paper: [cell()])
    assert main(["scaiano2012", "--data", str(tmp_path)]) == 1
    assert "not-reproduced!" in capsys.readouterr().out
