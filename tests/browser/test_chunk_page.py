"""The page about chunks in a browser: hostile names, sorting, narrow screens, access."""

from pathlib import Path
from typing import Any

import pytest

import segscore as ss
from browser.hostile import STRINGS
from browser_pages import accessible, opened


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    texts = {
        name: f"It rains {name} here. It pours. Yes."
        for name in STRINGS
        if name.isprintable() and name.strip()
    }
    sizes = {STRINGS[0]: 12, "large": 4000, STRINGS[2]: 25}
    chunks = {
        chunker: {
            name: [(at, min(at + size, len(text))) for at in range(0, len(text), size)]
            for name, text in texts.items()
        }
        for chunker, size in sizes.items()
    }
    asked = [
        {"question": name, "document": name, "evidence": [{"start": 3, "end": 20}]}
        for name in texts
    ]
    found = [
        ss.chunks.compare(chunks, asked, texts, n_resamples=50),
        ss.chunks.describe(chunks, texts, n_resamples=50),
    ]
    return ss.report(found, tmp_path_factory.mktemp("page") / "r.html", title=STRINGS[1])


def test_hostile_names_change_nothing(browser: Any, path: Path) -> None:
    with opened(browser, path) as page:
        assert page.evaluate("window.hit") is None
        assert page.locator("script").count() == 2
        assert page.locator("main :is(img, iframe, svg, style, link, form)").count() == 0
        accessible(page)


def test_tables_sort_by_numbers(browser: Any, path: Path) -> None:
    with opened(browser, path) as page:
        table = page.locator("#overview table").first
        first = table.locator("tbody tr th").first
        table.locator("thead th button", has_text="whole").first.click()
        lowest = first.inner_text()
        table.locator("thead th button", has_text="whole").first.click()
        assert {lowest, first.inner_text()} >= {"large"}


def test_a_narrow_screen_scrolls_tables_and_not_the_page(browser: Any, path: Path) -> None:
    with opened(browser, path, viewport={"width": 390, "height": 800}) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
