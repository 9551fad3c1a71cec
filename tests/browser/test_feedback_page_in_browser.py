"""The page for one person, and labels on the page about people: access, links to places, steps."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import segscore as ss
from browser_pages import accessible, opened

HOSTILE = "</script><img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def page(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    units = {name: [f"{HOSTILE} {i}" for i in range(1, 61)] for name in ("d", "e", "f", "g")}
    gold = ss.Corpus.from_dict(
        {name: {"gold": ss.Segmentation.from_masses([10] * 6)} for name in units}, units=units
    )
    late = ss.Segmentation.from_boundaries([11, 21, 30, 35], 60)
    found = ss.coders.feedback(gold, ss.Corpus.from_dict({name: {HOSTILE: late} for name in units}))
    path = ss.report(found, tmp_path_factory.mktemp("feedback") / "page.html")
    with opened(browser, path) as shown:
        yield shown


def test_the_page_is_accessible_and_folds_the_rest(page: Any) -> None:
    accessible(page)
    assert page.locator("#places h3").count() == 3
    assert page.locator("#places details").count() == 1


def test_a_place_leads_to_its_text(page: Any) -> None:
    page.locator("#places a").filter(has_text="after unit 10").first.click()
    boundary = page.locator(".boundary.here")
    boundary.wait_for()
    assert boundary.get_attribute("id") == "at-10"
    assert page.input_value("#reference") == "gold"


def test_steps_stop_at_what_differs(page: Any) -> None:
    # two near misses, missed after 40 and 50, extra after 35
    assert page.locator("#stops option:checked").inner_text() == "5 disagreements"


def test_labels_are_accessible(browser: Any, tmp_path: Path) -> None:
    cut = ss.Segmentation.from_masses
    people = {
        "ann": cut([3, 3, 6], segment_labels=["dialogue", "narration", HOSTILE]),
        "bob": cut([3, 3, 6], segment_labels=["Dialog", "Récit", HOSTILE]),
        "cyd": cut([3, 9], segment_labels=["dialogue", "narration"]),
    }
    found = ss.agreement(ss.Corpus.from_dict({"d": people}), draws=10)
    with opened(browser, ss.report(found, tmp_path / "labels.html")) as shown:
        shown.get_by_text("Which labels two people give").click()
        accessible(shown)
        before = shown.locator(
            "table:has(caption:text('Segments by label and coder')) thead th:visible"
        )
        assert before.count() == 4
        shown.get_by_role("checkbox", name="cyd").uncheck()
        assert before.count() == 3
