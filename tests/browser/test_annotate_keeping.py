"""The annotation page loses nothing: reload, import, other tabs, a storage that fails; practice and
prefill."""

import json
from pathlib import Path
from typing import Any

import pytest

import segscore as ss
from browser.annotating import (
    GATE,
    TEXTS,
    at_desk,
    exported,
    gap,
    imported,
    marked,
    press,
)
from browser_pages import accessible, reloaded, until


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


def test_an_export_goes_to_another_machine(browser: Any, rich: Path, tmp_path: Path) -> None:
    with at_desk(browser, rich) as page:
        annotate(page)
        before = exported(page, tmp_path / "a.jsonl")
    with at_desk(browser, rich) as page:
        imported(page, tmp_path / "a.jsonl")
        until(page, "() => document.getElementById('said').textContent.includes('Imported')")
        assert "not exported" not in page.locator("#saved").inner_text()
        assert page.locator(".entry.done").count() == 1
        after = exported(page, tmp_path / "b.jsonl")
        seconds = [
            [row["annotation"].pop("seconds") for row in rows if row["annotation"].pop("exported")]
            for rows in (before, after)
        ]
        assert after == before
        assert all(late >= early for early, late in zip(*seconds, strict=True))
        gap(page, 4).click()
        imported(page, tmp_path / "a.jsonl")
        page.get_by_role("button", name="Cancel").click()
        assert 4 in marked(page)
        imported(page, tmp_path / "a.jsonl")
        page.get_by_role("button", name="Replace", exact=True).click()
        assert 4 not in marked(page)


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
            page.wait_for_selector("#tell")
            assert words in page.locator("#tell").inner_text()
            page.get_by_role("button", name="Close", exact=True).click()
        assert marked(page) == boundaries
        accessible(page)


# ---- prefill and practice ----


def test_prefill_is_corrected_and_told(browser: Any, tmp_path: Path) -> None:
    system = ss.Corpus.from_dict({"gate": {"c99": cut([2, 5], 8)}}, kinds={"c99": "system"})
    with pytest.warns(UserWarning, match="no coding of 1 of 2 documents"):
        path = ss.pages.annotate(TEXTS, tmp_path / "p.html", prefill=system)
    with at_desk(browser, path) as page:
        assert marked(page) == [2, 5]
        assert (
            "2 boundaries were suggested by c99: correct them."
            in page.locator("#practice").inner_text()
        )
        page.click("#export")
        page.get_by_role("button", name="Close", exact=True).click()  # nobody has looked at it yet
        gap(page, 5).click()
        gap(page, 6).click()
        press(page, "d", "n", "d")
        rows = exported(page, tmp_path / "a.jsonl")
    assert [row["annotation"]["prefilled"] for row in rows] == ["c99", None]
    read = ss.read(tmp_path / "a.jsonl")
    assert read["gate"]["ann"].boundaries.tolist() == [2, 6]
    assert read["talk"]["ann"].boundaries.tolist() == []


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
        mine, wanted = cut([3, 5, 7], 8), gold["warm-up"]["gold"]
        edits = ss.boundary_edits(wanted, mine)
        counts = {
            "match": len(edits.matches),
            "near miss": len(edits.transpositions),
            "missed": sum(addition.side == "a" for addition in edits.additions),
            "extra": sum(addition.side == "b" for addition in edits.additions),
        }
        assert counts == {"match": 1, "near miss": 1, "missed": 1, "extra": 1}
        words = page.locator("#practice .legend").inner_text()
        assert all(f"{n} {what}" in words for what, n in counts.items())
        assert "● match" in gap(page, 3).inner_text()
        assert "○ missed" in gap(page, 1).inner_text()
        assert "✚ extra" in gap(page, 7).inner_text() + gap(page, 5).inner_text()
        words = "◐ the reference is here; yours is 1 earlier ↑"
        assert words in gap(page, 6).inner_text()
        assert page.locator("#strip path.mark.match").get_attribute("d").count("M") == 3
        assert "above them the reference: 3" in page.locator("#strip svg").get_attribute(
            "aria-label"
        )
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


def test_data_that_cannot_be_opened_are_told(browser: Any, rich: Path, tmp_path: Path) -> None:
    text = rich.read_text("utf-8").replace('id="data">{', 'id="data">{"gzip":"H4sIAAA=","x":0,')
    (tmp_path / "p.html").write_text(text, "utf-8")
    with at_desk(browser, tmp_path / "p.html") as page:
        assert "cannot be shown in this browser" in page.locator("#problem").inner_text()
