"""What the annotation page asks and remembers at a place: names, labels, comments, boundaries that
come back; and how it looks on paper and on a phone."""

from pathlib import Path
from typing import Any

import pytest

import segscore as ss
from browser.annotating import TEXTS, at_desk, gap, press


@pytest.fixture(scope="module")
def rich(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("pages") / "rich.html"
    return ss.pages.annotate(TEXTS, path, levels=3, labels=["intro", "main"])


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
