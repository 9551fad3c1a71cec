"""What the annotation page asks and remembers at a place: names, labels, comments, boundaries that
come back; and how it looks on paper and on a phone."""

from pathlib import Path
from typing import Any

import pytest

import segscore as ss
from browser.annotating import ASIDE, GATE, TEXTS, at_desk, gap, marked, press
from browser_pages import accessible

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@pytest.fixture(scope="module")
def rich(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("pages") / "rich.html"
    return ss.pages.annotate(TEXTS, path, levels=3, labels=["intro", "main"])


def here(page: Any) -> int:
    return int(page.evaluate("document.activeElement.dataset.p"))


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


# ---- labels ----


def test_a_label_is_asked_with_the_words_and_one_stays(browser: Any, rich: Path) -> None:
    with at_desk(browser, rich) as page:
        gap(page, 2).click()
        gap(page, 5).focus()
        press(page, "l")
        heading = page.locator("#ask-label h2").inner_text()
        assert "unit 3" in heading
        assert GATE[2] in heading
        press(page, "Escape")
        assert here(page) == 5
        press(page, "l", "2")
        assert here(page) == 5
        assert "main" in gap(page, 2).inner_text()


def test_labels_that_are_missing_are_told_once(browser: Any, rich: Path) -> None:
    with at_desk(browser, rich) as page:
        gap(page, 2).click()
        assert "no label yet" in gap(page, 2).inner_text()
        press(page, "d")
        assert "2 segments of gate have no label yet." in page.locator("#notice").inner_text()
        assert page.locator("#done").get_attribute("aria-pressed") == "true"
        page.get_by_role("button", name="Go to the first").click()
        assert here(page) == 0
        press(page, "l", "1", "d", "d")
        assert page.locator("#notice").is_hidden()
        gap(page, 2).click(position=ASIDE)
        gap(page, 2).click(position=ASIDE)
        press(page, "l", "1", "n", "d")
        assert "1 segment of talk has no label yet." in page.locator("#notice").inner_text()


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


def test_a_boundary_that_comes_back_is_as_it_was(browser: Any, rich: Path) -> None:
    with at_desk(browser, rich) as page:
        gap(page, 3).click()
        press(page, "3", "l", "2", "u", "c")
        page.keyboard.type("why?")
        press(page, "Control+Enter")
        before = gap(page, 3).get_attribute("aria-label")
        assert before == "Boundary after unit 3, with a comment, level 3, main, unsure, why?"
        gap(page, 3).click(position=ASIDE)
        assert marked(page) == []
        gap(page, 3).click(position=ASIDE)
        assert gap(page, 3).get_attribute("aria-label") == before


def test_first_and_last_place(browser: Any, rich: Path) -> None:
    with at_desk(browser, rich) as page:
        assert page.locator("#text .here").get_attribute("data-p") == "0"  # as in later documents
        gap(page, 3).focus()
        press(page, "End")
        assert here(page) == 7
        press(page, "Home")
        assert here(page) == 0


# ---- looks ----


def test_the_bar_below_stays_where_it_is(browser: Any, rich: Path) -> None:
    with at_desk(browser, rich) as page:
        button = page.locator("#tools button").first
        gap(page, 1).click()
        before = button.bounding_box()["x"]
        for position in (7, 0):
            gap(page, position).focus()
            assert button.bounding_box()["x"] == before


def test_on_paper(browser: Any, rich: Path) -> None:
    with at_desk(browser, rich) as page:
        gap(page, 2).click()
        gap(page, 4).hover()
        page.emulate_media(media="print")
        assert page.locator("#who").is_visible()
        assert page.locator("#export").is_hidden()
        after = "(p) => getComputedStyle(document.querySelector(`.gap[data-p='${p}']`), '::after').content"
        assert [page.evaluate(after, p) for p in (2, 4)] == ["none", "none"]


def test_on_a_phone(browser: Any, rich: Path) -> None:
    with at_desk(browser, rich, **PHONE) as page:
        assert page.locator("#show-keys").is_hidden()
        gap(page, 3).tap()
        page.get_by_role("button", name="Comment", exact=True).tap()
        assert "Ctrl" not in page.locator("#ask-comment").inner_text()
        page.fill("#comment-field", "a long comment " * 10)
        page.get_by_role("button", name="Save").tap()
        page.get_by_role("button", name="Label", exact=True).tap()
        page.locator("#ask-label .label-list button").nth(1).tap()
        cut = "one => one.scrollWidth > one.clientWidth"
        assert not gap(page, 3).locator(".label").evaluate(cut)
        assert gap(page, 3).locator(".note").evaluate(cut)
        page.locator("#shelf summary").tap()
        page.locator(".entry").nth(1).tap()  # the list goes, and the text is there
        assert page.locator(".entry").first.is_hidden()
        assert gap(page, 1).bounding_box()["y"] < page.locator("#below").bounding_box()["y"]
