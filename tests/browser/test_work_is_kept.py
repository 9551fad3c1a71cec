"""Nothing that people did is lost: rounds over the same texts, two tabs, double clicks, comments half
typed, names, and a page on which nothing covers what is to be pressed."""

import json
from pathlib import Path
from typing import Any

import pytest

import segscore as ss
from browser.annotating import GATE, TEXTS, exported, gap, marked, sat_down
from browser_pages import accessible, new_context, new_page, press, reloaded, until


@pytest.fixture(scope="module")
def rich(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("pages") / "rich.html"
    return ss.pages.annotate(TEXTS, path, levels=2, labels=["intro", "main"])


def people() -> ss.Corpus:
    codings = {
        name: ss.Segmentation.from_boundaries(boundaries, 8)
        for name, boundaries in {"ann": [2, 5], "bob": [3, 6]}.items()
    }
    return ss.Corpus.from_dict({"gate": codings}, units={"gate": GATE})


# ---- rounds ----


@pytest.mark.parametrize(
    "second",
    [{"title": "T"}, {"guidelines": "New."}, {"levels": 2}, {"labels": ["a"]}, {"round": "2"}],
)
def test_a_second_round_is_offered_the_first_and_takes_nothing(
    browser: Any, tmp_path: Path, second: dict[str, Any]
) -> None:
    one = ss.pages.annotate(TEXTS, tmp_path / "one.html", coder="ann")
    two = ss.pages.annotate(TEXTS, tmp_path / "two.html", coder="ann", **second)
    with new_context(browser) as context:
        page = sat_down(context, one)
        gap(page, 3).click()
        press(page, "n", "d")
        page = sat_down(context, two)
        assert marked(page) == []
        assert "on 2 of these documents belongs to another page, “Where" in page.inner_text(
            "#notice"
        )
        accessible(page)
        page.get_by_role("button", name="No", exact=True).click()
        gap(page, 5).click()
        reloaded(page)
        assert marked(page) == [5]
        assert page.locator("#notice").is_hidden()
        assert page.locator(".entry.begun, .entry.done").count() == 1
        (row,) = exported(page, tmp_path / "two.jsonl")
        assert row["boundaries"] == [5]
        page = sat_down(context, one)
        page.locator(".entry").first.click()
        assert marked(page) == [3]
        assert page.locator(".entry.done").count() == 1


@pytest.mark.parametrize("kind", ["annotate", "adjudicate"])
def test_start_over_exports_first(browser: Any, rich: Path, tmp_path: Path, kind: str) -> None:
    with new_context(browser) as context:
        if kind == "annotate":
            page = sat_down(context, rich)
            gap(page, 3).click()
            press(page, "n", "d", "p")
        else:
            path = ss.pages.adjudicate(people(), tmp_path / "a.html", accept=0.5)
            page = new_page(context, path)
            press(page, "n", "2", "n", "2")
        there = "#text .gap.set" if kind == "annotate" else "#at-3.chosen"
        page.click("#start-over")
        accessible(page)
        with page.expect_download() as held:
            page.get_by_role("button", name="Export and start over").click()
        held.value.save_as(tmp_path / "a.jsonl")
        rows = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text("utf-8").splitlines()]
        assert rows[0]["boundaries"] == ([3] if kind == "annotate" else [3, 6])
        assert page.locator(there).count() == 0
        assert "not exported" not in page.inner_text("#saved")
        page.get_by_role("button", name="Undo", exact=True).first.click()
        assert page.locator(there).count() == 1
        press(page, "Control+y")
        reloaded(page)
        assert page.locator(there).count() == 0
        assert page.locator(".entry.begun, .entry.done").count() == 0


# ---- two tabs, and a storage that is full ----


def test_no_click_in_two_tabs_is_lost(browser: Any, rich: Path, tmp_path: Path) -> None:
    with new_context(browser) as context:
        page, other = sat_down(context, rich), sat_down(context, rich)
        for position in (1, 3, 5):
            gap(page, position).click()
            gap(other, position + 1).click()
        for tab in (page, other):
            until(tab, "() => document.querySelectorAll('#text .gap.set').length === 6")
            assert tab.locator("#saved").inner_text().startswith("saved")
        press(page, "Control+z")  # one's own last click, and nothing of the other tab
        until(other, "() => document.querySelectorAll('#text .gap.set').length === 5")
        assert marked(other) == [1, 2, 3, 4, 6]
        rows = [exported(tab, tmp_path / "a.jsonl")[0]["boundaries"] for tab in (page, other)]
        assert rows == [[1, 2, 3, 4, 6]] * 2
        reloaded(page)
        assert marked(page) == [1, 2, 3, 4, 6]
        assert page.wrong == other.wrong == []


# ---- what a person expects ----


@pytest.mark.parametrize("left", ["reload", "close"])
@pytest.mark.parametrize("field", ["comment", "title"])
def test_what_is_half_typed_is_there_again(
    browser: Any, tmp_path: Path, field: str, left: str
) -> None:
    path = ss.pages.annotate(TEXTS, tmp_path / "p.html", coder="ann", titles=field == "title")
    with new_context(browser) as context:
        page = sat_down(context, path)
        gap(page, 3).click()
        press(page, "c" if field == "comment" else "l")
        page.keyboard.type("half of")
        page.wait_for_timeout(300)
        if left == "reload":
            reloaded(page)
        else:
            page.close()
            page = sat_down(context, path)
        assert "half of" in gap(page, 3).inner_text()
        gap(page, 3).focus()
        press(page, "c" if field == "comment" else "l", "End")
        page.keyboard.type(" more")
        page.get_by_role("button", name="Cancel").click()
        assert gap(page, 3).inner_text().strip("✎ \n") == "half of"
        reloaded(page)
        assert gap(page, 3).inner_text().strip("✎ \n") == "half of"


# ---- closing, and a storage that fails ----


def test_closing_warns_until_all_is_exported(browser: Any, rich: Path, tmp_path: Path) -> None:
    with new_context(browser) as context:
        page = sat_down(context, rich)
        gap(page, 3).click()
        reloaded(page)
        assert page.asked == ["beforeunload"]
        exported(page, tmp_path / "a.jsonl")
        gap(page, 3).focus()
        reloaded(page)
        assert page.asked == ["beforeunload"]
        key = page.evaluate("Object.keys(localStorage).find((one) => one.includes(':work:'))")
        page.evaluate("key => localStorage.removeItem(key)", key)  # another program did it
        gap(page, 5).click()
        reloaded(page)
        assert marked(page) == [3, 5]


@pytest.mark.parametrize(
    ("words", "script"),
    [
        ("not let the page save", "Object.defineProperty(window, 'localStorage', { get() {} });"),
        ("is full", "Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError'); };"),
    ],
)  # fmt: skip
def test_a_storage_that_fails_is_told_and_work_goes_on(
    browser: Any, rich: Path, tmp_path: Path, words: str, script: str
) -> None:
    with new_context(browser) as context:
        context.add_init_script(script)
        page = sat_down(context, rich)
        gap(page, 3).click()
        assert words in page.inner_text("#notices")
        assert page.inner_text("#saved").startswith("not saved")
        (row,) = exported(page, tmp_path / "a.jsonl")
        assert row["boundaries"] == [3]
