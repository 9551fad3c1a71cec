"""The annotation page loses nothing: reload, import, other tabs, a storage that fails; practice and
prefill."""

import json
from pathlib import Path
from typing import Any

import pytest

import segscore as ss
from browser.annotating import GATE, TEXTS, at_desk, exported, gap, marked
from browser_pages import accessible, imported, press, reloaded


@pytest.fixture(scope="module")
def rich(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("pages") / "rich.html"
    return ss.pages.annotate(TEXTS, path, levels=2, labels=["intro", "main"])


def cut(boundaries: list[int], n_units: int) -> ss.Segmentation:
    return ss.Segmentation.from_boundaries(boundaries, n_units)


def annotate(page: Any) -> None:
    """Something of each kind."""
    gap(page, 3).click()
    press(page, "2", "u", "l", "2", "c")
    page.keyboard.type("why not?")
    press(page, "Control+Enter", "ArrowUp", "ArrowUp", "ArrowUp", "l", "1", "d", "n")
    gap(page, 2).click()


# ---- kept in the browser ----


def test_a_reload_brings_everything_back(browser: Any, rich: Path, tmp_path: Path) -> None:
    with at_desk(browser, rich) as page:
        annotate(page)
        before = exported(page, tmp_path / "a.jsonl")
        reloaded(page)
        page.wait_for_selector("html[data-ready]", state="attached")
        assert page.locator("#ask-name").count() == 0  # asked once
        assert page.locator("#who").inner_text() == "ann"
        assert page.locator("#document-heading").inner_text().startswith("talk")  # where one was
        assert marked(page) == [2]
        gap(page, 4).click()
        press(page, "Control+z")
        after = exported(page, tmp_path / "b.jsonl")
        for row in (*before, *after):
            del row["annotation"]["exported"], row["annotation"]["seconds"]
        assert before == after
        assert len(before) == 2
        assert before[0]["annotation"]["comments"] == [{"after": 3, "text": "why not?"}]
        assert page.asked == []


# ---- export and import ----


def changed(rows: list[dict[str, Any]], **fields: Any) -> str:
    first = json.loads(json.dumps(rows[0]))
    for name, value in fields.items():
        place = first["annotation"] if name in first["annotation"] else first
        place[name] = value
    return json.dumps(first)


def test_what_cannot_be_imported_is_told(browser: Any, rich: Path, tmp_path: Path) -> None:
    with at_desk(browser, rich) as page:
        annotate(page)
        rows = exported(page, tmp_path / "a.jsonl")
        boundaries = marked(page)
        cases = {
            changed(rows, coder="bob"): "by “bob”, and you are “ann”",
            changed(rows, units="sha256:0"): "“gate”: its text has changed since the export",
            changed(rows, practice=True): "it was for practice there, and counts here",
            changed(rows, prefilled="c99"): "began with those of “c99” there, and with no boundar",
            changed(rows, segment_labels=["intro", "other"]): "does not have: “other”",
            changed(rows, document="other", units="sha256:0"): "is not on this page",
            changed(rows, boundaries=[99]): "whole numbers from 1 to 7",
            changed(rows, ranks=[1, 1]): "as many levels as boundaries",
            changed(rows, ranks=[5]): "a boundary of level 5, and this page has 2 levels",
            changed(rows, ranks=[0]): "levels are not whole numbers from 1 to 6",
            changed(rows) + "\n" + changed(rows): "is there twice",
            '{"document": "gate", "masses": [8]}': "not an export of an annotation page",
            "not json": "Line 1 of “x.jsonl” is not a JSON object",
            "": "is empty",
        }
        for text, words in cases.items():
            (tmp_path / "x.jsonl").write_text(text, "utf-8")
            imported(page, tmp_path / "x.jsonl")
            page.locator("#ask-which", has_text=words).wait_for()
            page.get_by_role("button", name="Close", exact=True).click()
        assert marked(page) == boundaries
        accessible(page)


# ---- prefill and practice ----


def test_practice_shows_what_the_gold_has(browser: Any, tmp_path: Path) -> None:
    gold = ss.Corpus.from_dict({"warm-up": {"gold": cut([1, 3, 6], 8)}}, units={"warm-up": GATE})
    path = ss.pages.annotate(TEXTS, tmp_path / "p.html", practice=gold)
    with at_desk(browser, path) as page:
        assert page.locator("#document-heading").inner_text().startswith("warm-up")
        assert "It does not count" in page.locator("#practice").inner_text()
        for position in (3, 5, 7):
            gap(page, position).click()
        assert page.locator("#text .judged").count() == 0  # not before it is done
        press(page, "d")
        words = page.locator("#practice .legend").inner_text()
        for one in ("1 match", "1 near miss", "1 missed", "1 extra"):  # 3; 5 for 6; 1; 7
            assert one in words
        chips = [gap(page, position).inner_text() for position in (3, 1, 5, 6, 7)]
        assert [chip.split("\n")[0].split()[0] for chip in chips] == ["●", "○", "◐", "◐", "✚"]
        assert page.locator("#strip path.mark.match").get_attribute("d").count("M") == 3
        accessible(page)
        gap(page, 1).click()  # feedback follows
        assert "● match" in gap(page, 1).inner_text()
        assert page.evaluate("document.activeElement.dataset.p") == "1"
        press(page, "n", "d")
        reloaded(page)
        rows = exported(page, tmp_path / "a.jsonl")
        assert rows[0]["boundaries"] == [3, 5, 7]  # as it was before anything was shown
        assert rows[0]["annotation"]["finished"] is True
        imported(page, tmp_path / "a.jsonl")  # and the work here is the same
        page.wait_for_selector("#notice:has-text('Imported 2 documents; 0 changed.')")
    with at_desk(browser, path) as page:
        imported(page, tmp_path / "a.jsonl")
        page.wait_for_selector("#notice:has-text('2 changed')")
        gap(page, 1).click()
        again = exported(page, tmp_path / "b.jsonl")
        assert [row["boundaries"] for row in again] == [row["boundaries"] for row in rows]
    assert [row["annotation"]["practice"] for row in rows] == [True, False]
    with pytest.warns(UserWarning, match="1 practice"):
        assert list(ss.read(tmp_path / "a.jsonl")) == ["gate"]


def notice(page: Any) -> str:
    page.wait_for_selector("#notice:not([hidden])")
    return str(page.locator("#notice p").inner_text())


# ---- import ----


def test_an_import_asks_shows_and_can_be_undone(browser: Any, rich: Path, tmp_path: Path) -> None:
    with at_desk(browser, rich) as page:
        gap(page, 3).click()
        press(page, "n")
        gap(page, 2).click()
        exported(page, tmp_path / "a.jsonl")
    with at_desk(browser, rich) as page:
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


# ---- the storage ----


def test_what_cannot_be_read_is_kept_and_told(browser: Any, rich: Path) -> None:
    damages = ["no json {", json.dumps({"saved": "2026-01-01", "work": {"places": {"99": 1}}})]
    for damage in damages:
        with at_desk(browser, rich) as page:
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
