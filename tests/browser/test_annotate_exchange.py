"""The annotation page takes work back and loses none: what it says of exports, what an import
replaces, pages that were made again, and a storage with what cannot be read."""

import json
from pathlib import Path
from typing import Any

import pytest

import segscore as ss
from browser.annotating import (
    GATE,
    TALK,
    TEXTS,
    at_desk,
    exported,
    gap,
    imported,
    marked,
    press,
)
from browser_pages import accessible, reloaded

MORE = {**TEXTS, "walk": ["Left.", "Right.", "On."]}


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return ss.pages.annotate(MORE, tmp_path_factory.mktemp("pages") / "plain.html")


def notice(page: Any) -> str:
    page.wait_for_selector("#notice:not([hidden])")
    return str(page.locator("#notice p").inner_text())


# ---- import ----


def test_an_import_asks_shows_and_can_be_undone(browser: Any, plain: Path, tmp_path: Path) -> None:
    with at_desk(browser, plain) as page:
        gap(page, 3).click()
        press(page, "n")
        gap(page, 2).click()
        exported(page, tmp_path / "a.jsonl")
    with at_desk(browser, plain) as page:
        gap(page, 5).click()
        press(page, "j", "Space")
        imported(page, tmp_path / "a.jsonl")
        page.wait_for_selector("#ask-which")
        words = page.locator("#ask-which").inner_text()
        assert "gate\t2 boundaries, saved " in words
        assert "\t1 boundary, exported " in words
        assert "talk" not in words
        accessible(page)
        press(page, "Enter")  # the safe button has the focus
        page.locator("#ask-which").wait_for(state="detached")
        assert marked(page) == [5, 6]
        imported(page, tmp_path / "a.jsonl")
        page.get_by_role("button", name="Import only the other").click()
        assert notice(page) == "Imported 1 document; 1 changed."
        assert marked(page) == [5, 6]
        assert page.locator(".entry.begun").count() == 2
        press(page, "Control+z")
        assert page.locator(".entry").nth(1).inner_text().endswith("not begun, 5 units")
        imported(page, tmp_path / "a.jsonl")
        page.get_by_role("button", name="Replace", exact=True).click()
        assert marked(page) == [3]
        assert notice(page) == "Imported 2 documents; 2 changed."
        press(page, "Control+z")
        assert marked(page) == [5, 6]
        press(page, "Control+z")  # and what was done before
        assert marked(page) == [5]
        press(page, "Control+y", "Control+y")
        assert marked(page) == [3]
        reloaded(page)
        assert marked(page) == [3]


def test_documents_are_imported_by_their_texts(browser: Any, tmp_path: Path) -> None:
    first = ss.pages.annotate(MORE, tmp_path / "one.html", levels=2, labels=["a", "b"])
    with at_desk(browser, first) as page:
        for position in (1, 2, 1):
            gap(page, position).click()
            press(page, "n")
        exported(page, tmp_path / "a.jsonl")
    texts = {
        "new": ["X.", "Y."], "talk": TALK, "gate": [*GATE, "And more."], "stroll": MORE["walk"],
    }  # fmt: skip
    second = ss.pages.annotate(texts, tmp_path / "two.html")
    with at_desk(browser, second) as page:
        imported(page, tmp_path / "a.jsonl")
        assert notice(page) == (
            "Imported 2 of 3 documents; 2 changed. The file is from another page over the same "
            "texts. Left out: “gate”: its text has changed since "
            "the export, and its boundaries would be in the wrong places."
        )
        press(page, "n")
        assert marked(page) == [2]
        press(page, "n", "n")
        assert marked(page) == [1]


# ---- the storage ----


def test_what_cannot_be_read_is_kept_and_told(browser: Any, plain: Path) -> None:
    damages = ["no json {", json.dumps({"saved": "2026-01-01", "work": {"places": {"99": 1}}})]
    for damage in damages:
        with at_desk(browser, plain) as page:
            gap(page, 3).click()
            key = page.evaluate(
                """(damage) => {
                    const key = Object.keys(localStorage).find((one) => one.includes(":work:"));
                    localStorage.setItem(key, damage);
                    return key;
                }""",
                damage,
            )
            reloaded(page)
            words = page.locator("#notices").inner_text()
            assert "What was saved here of gate cannot be read" in words
            copy = key.replace(":work:", ":damaged:") + ":1"
            assert copy in words
            assert marked(page) == []
            accessible(page)
            gap(page, 5).click()
            assert page.evaluate("(key) => localStorage.getItem(key)", copy) == damage
            reloaded(page)
            assert marked(page) == [5]
            assert "cannot be read" not in page.locator("#notices").inner_text()
