"""docs/reproduction.md is what `segscore reproduce --full --report` writes, and is current.

A quick run does not compute what takes long: those rows are taken from the page itself, and
everything else has to be as it is computed now. With --full all of it is computed.
"""

import html
import re
from pathlib import Path

import pytest

from segscore import papers
from segscore.papers.cells import FRACTION, Cell, Outcome, Run, Tolerance
from segscore.papers.errata import Erratum, Finding
from segscore.papers.page import page
from segscore.papers.unchecked import Unchecked
from segscore.tables import Column, Table

PAGE = Path(__file__).parents[2] / "docs" / "reproduction.md"
ADVICE = "docs/reproduction.md is not current: segscore reproduce --full --report writes it anew"


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


def as_on_page(paper: str, cell: Cell, text: str) -> Outcome:
    rows = rows_on_page(text)
    assert (paper, cell.item) in rows, f"{paper}, {cell.item} is missing; {ADVICE}"
    ours, status, note = rows[paper, cell.item]
    computed = float(ours) if ours else None
    return Outcome(paper, cell.item, cell.published, computed, 0, status, note, cell.holds)  # type: ignore[arg-type]


def test_the_page_is_current(run: Run, quick: list[Outcome]) -> None:
    text = PAGE.read_text(encoding="utf-8")
    computed = {(outcome.paper, outcome.item): outcome for outcome in quick}
    made = [
        as_on_page(paper, cell, text) if cell.long else computed[paper, cell.item]
        for paper, cell in papers.cells_of(full=True)
    ]
    assert page(made, run) == text, ADVICE


@pytest.mark.slow
def test_the_whole_page_is_current(data: Path) -> None:
    run = Run(data, full=True)
    assert page(list(papers.outcomes(None, run)), run) == PAGE.read_text(encoding="utf-8"), ADVICE


# ---- what a page shows ----


def test_a_page_shows_failures_and_errata(monkeypatch: pytest.MonkeyPatch) -> None:
    from segscore.papers import scaiano2012

    close = Tolerance(0.1, "why")
    cells = [
        Cell("table 1, π* of A", 1.0, lambda _: 1.05, close, slip="counts <ends>"),
        Cell("table 1, π* of B", 1.0, lambda _: 2.0, FRACTION, note="a misprint", holds=False),
        Cell("table 2, C", 1.0, lambda _: 1.0, close, needs=("nowhere",)),
    ]
    erratum = Erratum(
        "Table 1, π*",
        "It counts *ends*.",
        ("table 1, π? of *",),
        (
            Finding("without them", lambda _: 0.123456),
            Finding("elsewhere", lambda _: 1 / 0, ("nowhere",)),
        ),
    )
    monkeypatch.setattr(scaiano2012, "CELLS", cells)
    monkeypatch.setattr(scaiano2012, "ERRATA", [erratum])
    text = page(papers.reproduce(["scaiano2012"]), Run())
    for line in (
        r"- **Table 1, π\*.** It counts \*ends\*.",
        r"  - table 1, π\* of …: 1 of 2 come out",
        "  - without them: 0.12346",
        "  - elsewhere: no data",
    ):
        assert line in text.splitlines()
    assert re.search(r"all +\| +3 \| +0 \| +1 \| +1 \| +1 \| +50\.0 % \|", text)
    assert re.search(r"scaiano2012 \| table 1, π\\\* of B \| +1 \| +2 \| a misprint; ", text)
    assert "slip: counts &lt;ends&gt;" in text
    assert rows_on_page(text)["scaiano2012", "table 1, π* of A"] == (
        "1.05",
        "reproduced-slip",
        "slip: counts <ends>; tolerance: why",
    )


def test_a_page_shows_tables_without_their_print(monkeypatch: pytest.MonkeyPatch) -> None:
    from segscore.papers import scaiano2012

    tables = [
        Unchecked("table 9", "As *we* read it.", lambda _: Table([Column("x")], [[0.25]])),
        Unchecked("table 10", "", lambda _: 1 / 0, ("nowhere",)),  # type: ignore[arg-type, return-value]
    ]
    monkeypatch.setattr(scaiano2012, "UNCHECKED", tables, raising=False)
    text = page(papers.reproduce(["scaiano2012"]), Run())
    part = text.partition("## What is computed, but not compared")[2].partition("\n## ")[0]
    assert "### scaiano2012, table 9\n\nAs \\*we\\* read it.\n" in part
    assert "0.2500" in part
    assert part.rstrip().endswith("The data is not at hand.")


def test_evidence_points_at_cells_that_exist() -> None:
    from fnmatch import fnmatchcase

    for paper in papers.paper_names():
        items = [cell.item for _, cell in papers.cells_of([paper], full=True)]
        for erratum in papers.errata_of(paper):
            for pattern in erratum.cells:
                assert any(fnmatchcase(item, pattern) for item in items), (paper, pattern)
