"""Nothing that people did is lost: rounds over the same texts, two tabs, double clicks, comments half
typed, names, and a page on which nothing covers what is to be pressed."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import segscore as ss
from browser.annotating import (
    ASIDE,
    GATE,
    TALK,
    TEXTS,
    at_desk,
    exported,
    gap,
    marked,
    press,
    sat_down,
)
from browser.test_keeping import DEAF
from browser_pages import accessible, reloaded, until

SIZES = [(1280, 800), (390, 800), (640, 400)]


@contextmanager
def browser_of_two(browser: Any, **options: Any) -> Iterator[Any]:
    context = browser.new_context(offline=True, accept_downloads=True, **options)
    context.set_default_timeout(8000)
    yield context
    context.close()


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


def adjudicating(context: Any, path: Path) -> Any:
    page = context.new_page()
    page.goto(path.as_uri())
    page.wait_for_selector("html[data-ready]", state="attached")
    return page


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
    with browser_of_two(browser) as context:
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


def test_what_another_page_has_is_imported_if_one_wants(browser: Any, tmp_path: Path) -> None:
    gold = ss.Corpus.from_dict({"talk": {"gold": ss.Segmentation.from_boundaries([2], 5)}})
    old = ss.pages.annotate(TEXTS, tmp_path / "one.html", coder="ann", labels=["a"])
    new = ss.pages.annotate({**TEXTS, "x": TALK}, tmp_path / "two.html", coder="ann", practice=gold)
    with browser_of_two(browser) as context:
        page = sat_down(context, old)
        gap(page, 3).click()
        press(page, "n")
        gap(page, 2).click()
        page = sat_down(context, new)
        assert "on 1 of these documents" in page.inner_text("#notice")  # talk is for practice there
        page.get_by_role("button", name="Import", exact=True).last.click()
        page.locator(".entry").nth(1).click()
        assert marked(page) == [3]
        press(page, "Control+z")
        assert marked(page) == []
        press(page, "Control+y")
        reloaded(page)
        assert marked(page) == [3]
        assert page.locator("#notice").is_hidden()


def test_what_was_begun_since_a_copy_was_offered_stays(browser: Any, tmp_path: Path) -> None:
    one = ss.pages.annotate(TEXTS, tmp_path / "one.html", coder="ann")
    two = ss.pages.annotate(TEXTS, tmp_path / "two.html", coder="ann", round="2")
    with browser_of_two(browser) as context:
        page = sat_down(context, one)
        gap(page, 3).click()
        press(page, "n")
        gap(page, 2).click()
        page = sat_down(context, two)
        gap(page, 5).click()
        page.get_by_role("button", name="Import", exact=True).last.click()
        assert marked(page) == [5]
        assert "stays" in page.inner_text("#notice")
        press(page, "n")
        assert marked(page) == [2]


def test_rounds_of_adjudication(browser: Any, tmp_path: Path) -> None:
    one = ss.pages.adjudicate(people(), tmp_path / "one.html")
    two = ss.pages.adjudicate(people(), tmp_path / "two.html", title="Again")
    with browser_of_two(browser) as context:
        press(adjudicating(context, one), "n", "2")
        page = adjudicating(context, two)
        assert page.locator(".chosen").count() == 0
        assert "another page, “Adjudication”" in page.inner_text("#told")
        accessible(page)
        page.get_by_role("button", name="Import a copy").click()
        assert page.locator("#at-3.chosen").count() == 1
        assert "not exported" in page.inner_text("#saved")


@pytest.mark.parametrize("kind", ["annotate", "adjudicate"])
def test_start_over_exports_first(browser: Any, rich: Path, tmp_path: Path, kind: str) -> None:
    with browser_of_two(browser) as context:
        if kind == "annotate":
            page = sat_down(context, rich)
            gap(page, 3).click()
            press(page, "n", "d", "p")
        else:
            path = ss.pages.adjudicate(people(), tmp_path / "a.html", accept=0.5)
            page = adjudicating(context, path)
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
    with browser_of_two(browser) as context:
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


def test_an_offer_to_undo_goes_with_the_next_change(browser: Any, rich: Path) -> None:
    """Else it would undo another one."""
    with browser_of_two(browser) as context:
        page, other = sat_down(context, rich), sat_down(context, rich)
        for tab in (page, other):
            gap(page, 3).click()
            page.click("#start-over")
            page.get_by_role("button", name="Export and start over").click()
            until(tab, "() => document.querySelectorAll('#text .gap.set').length === 0")
            gap(tab, 5).click()
            page.locator("#notice").wait_for(state="hidden")


def test_an_export_has_what_a_tab_did_not_hear(browser: Any, rich: Path, tmp_path: Path) -> None:
    with browser_of_two(browser) as context:
        context.add_init_script(DEAF)
        page, other = sat_down(context, rich), sat_down(context, rich)
        gap(page, 3).click()
        gap(other, 5).click()
        (row,) = exported(page, tmp_path / "a.jsonl")
        assert row["boundaries"] == [3, 5]


def test_a_dialog_gives_the_focus_back_though_another_tab_drew(browser: Any, rich: Path) -> None:
    with browser_of_two(browser) as context:
        page, other = sat_down(context, rich), sat_down(context, rich)
        gap(page, 3).focus()
        press(page, "c")
        gap(other, 5).click()
        until(page, "() => document.querySelectorAll('#text .gap.set').length === 1")
        press(page, "Escape")
        until(page, "() => document.activeElement.matches('.gap.here')")


def test_no_decision_in_two_tabs_is_lost(browser: Any, tmp_path: Path) -> None:
    path = ss.pages.adjudicate(people(), tmp_path / "a.html")
    with browser_of_two(browser) as context:
        page, other = adjudicating(context, path), adjudicating(context, path)
        press(page, "n", "2")
        other.wait_for_selector("#at-3.chosen")
        press(other, "n", "1")
        page.wait_for_selector("#at-5.chosen")
        assert page.inner_text("#saved").startswith("saved")
        reloaded(page)
        assert page.locator(".chosen").count() == 2


FULL = """Storage.prototype.setItem = function () {
    throw new DOMException("full", "QuotaExceededError"); };"""
IN_VIEW = """(where) => { const box = document.querySelector(where).getBoundingClientRect();
    const seen = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return box.height > 0 && box.top >= 0 && box.bottom <= innerHeight && Boolean(seen?.closest(where)); }"""


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_a_full_storage_is_told_in_view(
    browser: Any, tmp_path: Path, width: int, height: int
) -> None:
    units = [f"Sentence {i}." for i in range(60)]
    one = ss.pages.annotate({"long": units}, tmp_path / "a.html", coder="ann")
    coded = {
        name: ss.Segmentation.from_boundaries([p, 50], 60) for name, p in (("a", 20), ("b", 30))
    }
    corpus = ss.Corpus.from_dict({"long": coded}, units={"long": units})
    two = ss.pages.adjudicate(corpus, tmp_path / "b.html")
    with browser_of_two(browser, viewport={"width": width, "height": height}) as context:
        context.add_init_script(FULL)
        page = sat_down(context, one)
        gap(page, 40).click()
        assert page.evaluate(IN_VIEW, "#notices p")
        page = adjudicating(context, two)
        press(page, "n", "1")
        assert page.evaluate(IN_VIEW, "#notices p")


# ---- what a person expects ----


def test_clicks(browser: Any, rich: Path, tmp_path: Path) -> None:
    with at_desk(browser, rich) as page:
        gap(page, 3).dblclick(position=ASIDE)
        assert marked(page) == [3]
        gap(page, 5).dblclick()  # where the words “no label yet” come to stand
        assert marked(page) == [3, 5]
        gap(page, 3).locator(".none").click()
        page.locator("#ask-label").get_by_role("button", name="main").click()
        gap(page, 3).locator(".label").click()
        page.locator("#ask-label").get_by_role("button", name="intro").click()
        assert marked(page) == [3, 5]
        assert "intro" in gap(page, 3).inner_text()
        page.locator("#tools").get_by_role("button", name="Boundary").dblclick()
        assert marked(page) == [5]
        page.locator("#tools").get_by_role("button", name="Unsure").dblclick()
        assert page.locator("#text .doubt").count() == 1
        page.keyboard.down("u")
        page.keyboard.down("u")  # a key that is held
        assert page.locator("#text .doubt").count() == 0
        page.locator("#done").dblclick()
        assert page.locator("#done").get_attribute("aria-pressed") == "true"
    path = ss.pages.adjudicate(people(), tmp_path / "a.html")
    with browser_of_two(browser, viewport={"width": 390, "height": 800}) as context:
        page = adjudicating(context, path)
        press(page, "n")
        page.locator("#decide button").first.dblclick()  # which moves, as the panel grows
        assert page.locator("#at-2.chosen").count() == 1
        page.locator("#at-1").click()
        page.get_by_role("button", name="add a boundary here").dblclick()
        assert page.locator("#at-1.added").count() == 1


def test_a_double_click_answers_no_dialog(browser: Any, tmp_path: Path) -> None:
    path = ss.pages.annotate(TEXTS, tmp_path / "a.html", labels=list("abcdefghijkl"), coder="ann")
    with at_desk(browser, path) as page:
        for position in range(1, 8):
            gap(page, position).click(position=ASIDE)
            gap(page, position).locator(".none").dblclick()  # where the dialog has its labels
            assert "no label yet" in gap(page, position).inner_text()
            page.get_by_role("button", name="Cancel").click()


@pytest.mark.parametrize("left", ["reload", "close"])
@pytest.mark.parametrize("field", ["comment", "title"])
def test_what_is_half_typed_is_there_again(
    browser: Any, tmp_path: Path, field: str, left: str
) -> None:
    path = ss.pages.annotate(TEXTS, tmp_path / "p.html", coder="ann", titles=field == "title")
    with browser_of_two(browser) as context:
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


def test_a_name_belongs_to_a_tab(browser: Any, rich: Path) -> None:
    with browser_of_two(browser) as context:
        ann = sat_down(context, rich, "ann")
        gap(ann, 3).click()
        bob = sat_down(context, rich, None)
        assert bob.locator("#ask-name").count() == 1  # nobody becomes ann without a word
        bob.fill("#name", "bob")
        press(bob, "Enter")
        gap(bob, 5).click()
        for page, name, boundaries in ((ann, "ann", [3]), (bob, "bob", [5])):
            reloaded(page)
            assert page.inner_text("#who") == name
            assert marked(page) == boundaries


# ---- nothing covers anything ----

COVERED = """(wide) => [...document.querySelectorAll("#tools button, .entry, #list button, #panel button")]
    .filter((one) => {
        const box = one.getBoundingClientRect();
        const clips = [".shelf-list", "nav"].flatMap((name) => one.closest(name)?.getBoundingClientRect() ?? []);
        const corners = [[box.left + 3, box.top + 3], [box.right - 3, box.bottom - 3],
            [(box.left + box.right) / 2, (box.top + box.bottom) / 2]];
        return corners.filter(([, y]) => clips.every((clip) => y > clip.top && y < clip.bottom))
            .map(([x, y]) => document.elementFromPoint(x, y)).some((found) => found && !one.contains(found) &&
                (wide || !(one.closest("nav") && found.closest(".below, #panel, .head")))); // one scrolls under them
    }).map((one) => one.textContent)"""
ABOVE = """() => ["nav", ".guidelines"].flatMap((one) => document.querySelector(one) ?? []).every((one) =>
    one.getBoundingClientRect().bottom <=
        (document.querySelector(".below")?.getBoundingClientRect().top ?? innerHeight))"""
CLEAR = """() => { // the name of the document, and the buttons beside it
    const range = document.createRange();
    range.selectNodeContents(document.querySelector(".document-bar h2"));
    return [...document.querySelectorAll(".walk > *")].map((one) => one.getBoundingClientRect()).every((box) =>
        [...range.getClientRects()].every((line) => line.right <= box.left || line.left >= box.right ||
            line.bottom <= box.top || line.top >= box.bottom)); }"""
REACHED = """() => { const all = [...document.querySelectorAll("nav li button")];
    return all.every((one) => { one.scrollIntoView({ block: "nearest" });
        const box = one.getBoundingClientRect();
        return document.elementFromPoint(box.x + box.width / 2, box.bottom - 4)?.closest("button") === one; }); }"""


@pytest.mark.parametrize("n_documents", [4, 12, 200])
@pytest.mark.parametrize(("width", "height"), SIZES[:2])
def test_nothing_covers_anything(
    browser: Any, tmp_path: Path, n_documents: int, width: int, height: int
) -> None:
    texts = {
        f"document {i}, of a name that is rather long": [f"Sentence {j}." for j in range(40)]
        for i in range(n_documents)
    }
    guidelines = "Guidelines.\n\n" * 60
    options: Any = {"labels": ["a"], "levels": 3, "guidelines": guidelines}
    one = ss.pages.annotate(texts, tmp_path / "a.html", **options)
    coded = {name: ss.Segmentation.from_boundaries([p], 40) for name, p in (("a", 5), ("b", 9))}
    two = ss.pages.adjudicate(
        ss.Corpus.from_dict(dict.fromkeys(texts, coded), units=texts), tmp_path / "b.html"
    )
    with browser_of_two(browser, viewport={"width": width, "height": height}) as context:
        for path in (one, two):
            if path == one:
                page = sat_down(context, path)
                gap(page, 1).click()
                page.evaluate("document.getElementById('shelf').open = true")
            else:
                page = adjudicating(context, path)
                press(page, "n", "1")
            for scrolled in (0, 60, 1e6):
                page.evaluate("y => scrollTo(0, y)", scrolled)
                page.wait_for_timeout(50)
                assert page.evaluate(COVERED, width > 1000) == []
                assert width < 1000 or page.evaluate(ABOVE)
                assert page.evaluate(CLEAR)
            page.evaluate("scrollTo(0, 0)")
            assert page.evaluate(REACHED)
            accessible(page)
            assert page.evaluate("document.documentElement.scrollWidth") <= width
