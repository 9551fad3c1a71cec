"""Choi (2000): the table as entered twice; baselines always, C99 with --full."""

import pytest

from segscore import papers
from segscore.papers import choi2000

PUBLISHED = {
    "C99, K known": "12 12 9 9",
    "C99, K found": "13 18 10 10",
    "equal size": "45 38 39 36",
    "no boundary": "47 47 47 46",
}


def test_published_numbers_as_entered_twice() -> None:
    typed = {
        f"{system}, {subset}": float(value)
        for system, values in PUBLISHED.items()
        for subset, value in zip(("3-11", "3-5", "6-8", "9-11"), values.split(), strict=True)
    }
    assert {cell.item: cell.published for cell in choi2000.CELLS} == typed


def check(full: bool) -> None:
    made = papers.reproduce(["choi2000"], full=full)
    assert len(made) == (16 if full else 8)
    if made[0].status == "no-data":
        pytest.skip("no Choi documents: set SEGSCORE_DATA or put them at ../shared/data")
    assert {outcome.item: outcome.status for outcome in made} == {
        outcome.item: "reproduced" for outcome in made
    }


def test_baselines() -> None:
    check(full=False)


@pytest.mark.slow
def test_c99() -> None:
    check(full=True)
