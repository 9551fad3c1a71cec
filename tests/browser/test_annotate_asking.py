"""What the annotation page asks and remembers at a place: names, labels, comments, boundaries that
come back; and how it looks on paper and on a phone."""

from pathlib import Path
from typing import Any

import pytest

import segscore as ss
from browser.annotating import TEXTS, at_desk, gap, marked, press
from browser_pages import accessible


@pytest.fixture(scope="module")
def rich(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("pages") / "rich.html"
    return ss.pages.annotate(TEXTS, path, levels=3, labels=["intro", "main"])


# ---- who is there ----


def test_names(browser: Any, rich: Path) -> None:
    with at_desk(browser, rich, None) as page:
        page.fill("#name", "   ")
        press(page, "Enter")
        assert "Please type a name." in page.locator("#ask-name").inner_text()
        page.fill("#name", " Ann  ")
        press(page, "Enter")
        assert page.locator("#who").inner_text() == "Ann"
        gap(page, 3).click()
        page.click("#change-name")
        page.fill("#name", "ann")
        press(page, "Enter")
        assert "Ann has work on this page. Are you Ann?" in page.locator("#ask-name").inner_text()
        accessible(page)
        page.get_by_role("button", name="Yes, I am Ann").click()
        assert marked(page) == [3]
        page.click("#change-name")
        page.fill("#name", "ANN")
        press(page, "Enter")
        page.get_by_role("button", name="No, I am ANN").click()
        assert page.locator("#who").inner_text() == "ANN"
        assert marked(page) == []


# ---- comments, and boundaries that come back ----


def test_escape_keeps_what_was_typed(browser: Any, rich: Path, tmp_path: Path) -> None:
    with at_desk(browser, rich) as page:
        gap(page, 3).focus()
        press(page, "c")
        page.keyboard.type("why here?")
        press(page, "Escape")
        assert "why here?" in gap(page, 3).inner_text()
        assert gap(page, 3).locator(".note").inner_text() == "✎ why here?"
        press(page, "c")
        page.fill("#comment-field", "other")
        page.get_by_role("button", name="Cancel").click()
        assert "why here?" in gap(page, 3).inner_text()
        press(page, "Control+z")
        assert "why here?" not in gap(page, 3).inner_text()
    path = ss.pages.annotate(TEXTS, tmp_path / "p.html", titles=True, coder="ann")
    with at_desk(browser, path, None) as page:
        gap(page, 0).click()
        page.keyboard.type("The gate")
        press(page, "Escape")
        assert "The gate" in gap(page, 0).inner_text()
