"""docs/reproduction.md is what `make reproduce ARGS=--page` writes, and is current.

A quick run does not compute what takes long: those rows are taken from the page itself, and
everything else has to be as it is computed now. With --full all of it is computed. Words have to be
the same to the letter, numbers up to the last digit shown, in which machines may differ.
"""

import html
import json
import re
from importlib.metadata import version
from itertools import zip_longest
from pathlib import Path

import pytest
from reproduction.cells import Cell, Outcome, cells_of, outcomes, paper_names
from reproduction.page import page
from reproduction.runs import Run

from reproduction import cells

PAGE = Path(__file__).parents[2] / "docs" / "reproduction.md"
ADVICE = "docs/reproduction.md is not current: make reproduce ARGS=--page writes it anew"


def plain(text: str) -> str:
    """Without the escapes of Markdown."""
    return re.sub(r"\\(.)", r"\1", html.unescape(text.strip()))


def rows_on_page(text: str) -> dict[tuple[str, str], tuple[str, str, str]]:
    """Our number, the status and the note of each item, by paper."""
    rows = {}
    for section in text.partition("## All numbers")[2].split("\n### ")[1:]:
        paper = section.partition("\n")[0]
        notes = dict(re.findall(r"^<sup>(\d+)</sup> (.*)$", section, re.MULTILINE))
        for line in re.findall(r"^\| (.*) \|$", section, re.MULTILINE)[2:]:
            item, _, ours, _, verdict = line.split(" | ")
            status, number = re.fullmatch(r"(\S+?)!?<sup>(\d+)</sup>\s*", verdict).groups()  # type: ignore[union-attr]
            rows[paper, plain(item)] = (ours.strip(), status, plain(notes[number]))
    return rows


def as_on_page(cell: Cell, text: str) -> Outcome:
    rows = rows_on_page(text)
    assert (cell.paper, cell.item) in rows, f"{cell.paper}, {cell.item} is missing; {ADVICE}"
    ours, status, note = rows[cell.paper, cell.item]
    return Outcome(cell, float(ours) if ours else None, 0, status, note)  # type: ignore[arg-type]


def alike(first: str | None, other: str | None) -> bool:
    """Whether two lines differ in nothing but widths of columns and the last digits of numbers."""
    left, right = (
        re.split(r"(\d+\.\d+(?:e-\d+)?)", re.sub("  +| ?-{2,}", " ", line or "").strip())
        for line in (first, other)
    )
    return left[::2] == right[::2] and [float(each) for each in left[1::2]] == pytest.approx(
        [float(each) for each in right[1::2]], rel=1e-3, abs=1e-4
    )


def changes(made: str, text: str) -> list[tuple[str | None, str | None]]:
    """The lines of a page as it is made now that are others in the page as it is."""
    lines = zip_longest(made.splitlines(), text.splitlines())
    return [pair for pair in lines if not alike(*pair)]


STEMS = int(version("snowballstemmer").split(".")[0])


@pytest.mark.skipif(STEMS < 3, reason="the page is made with the stems of snowballstemmer 3")
def test_the_page_is_current(run: Run, quick: list[Outcome]) -> None:
    text = PAGE.read_text(encoding="utf-8")
    computed = {outcome.cell: outcome for outcome in quick}
    made = [
        as_on_page(cell, text) if "long" in cell.flags else computed[cell]
        for paper in paper_names()
        for cell in cells_of(paper)
    ]
    assert changes(page(made, run), text) == [], ADVICE


@pytest.mark.slow
def test_the_whole_page_is_current(run: Run) -> None:
    made = page(list(outcomes(paper_names(), run, full=True)), run)
    assert changes(made, PAGE.read_text(encoding="utf-8")) == [], ADVICE


# ---- every number and its verdict, as they were when the papers left the package ----


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
