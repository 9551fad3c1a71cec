"""Choi (2000), and Utiyama & Isahara (2001) on the same documents: the tables as entered twice, and
what comes out; baselines always, segmenters with --full."""

import pytest
from reproduction.published import PublishedNumber

import reproduction as papers
from reproduction import choi2000, utiyama2001

SUBSETS = ("3-11", "3-5", "6-8", "9-11", "all")
CHOI = {
    "C99, K known": "12 12 9 9",
    "C99, K found": "13 18 10 10",
    "equal size": "45 38 39 36",
    "no boundary": "47 47 47 46",
}
UTIYAMA = {
    "their method, K found": "11 13 6 6 10",
    "their method, K known": "10 9 7 5 9",
    "C99, K known": "12 11 10 9 11",
    "C99, K found": "- - - - 13",
}
NOT_REPRODUCED = {
    "C99, K known, 3-5",
    "C99, K known, 6-8",
    "C99, K known, 9-11",
    "no boundary, 3-11",
    "no boundary, 9-11",
}


@pytest.mark.parametrize(("rows", "cells"), [(CHOI, choi2000.CELLS), (UTIYAMA, utiyama2001.CELLS)])
def test_published_numbers_as_entered_twice(
    rows: dict[str, str], cells: list[PublishedNumber]
) -> None:
    typed = {
        f"{system}, {subset}": float(value)
        for system, values in rows.items()
        for subset, value in zip(SUBSETS, values.split(), strict=False)
        if value != "-"
    }
    assert {cell.item: cell.published for cell in cells} == typed


def not_reproduced(paper: str, n_cells: int, full: bool) -> set[str]:
    made = papers.reproduce([paper], full=full)
    assert len(made) == n_cells
    if made[0].status == "no-data":
        pytest.skip("no Choi documents: set SEGSCORE_DATA or put them at ../shared/data")
    assert not any(outcome.failed for outcome in made)
    return {outcome.item for outcome in made if outcome.status == "not-reproduced"}


def test_baselines() -> None:
    expected = {item for item in NOT_REPRODUCED if item.startswith("no")}
    assert not_reproduced("choi2000", 8, full=False) == expected


@pytest.mark.slow
def test_c99() -> None:
    assert not_reproduced("choi2000", 16, full=True) == NOT_REPRODUCED


@pytest.mark.slow
def test_utiyama_isahara() -> None:
    assert not_reproduced("utiyama2001", 16, full=True) == {
        "their method, K found, 3-11",
        "their method, K known, 6-8",
        "C99, K known, 9-11",
    }
