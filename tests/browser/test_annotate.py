"""The annotation page in a browser: boundaries by mouse, keys and touch; what the export holds."""

from pathlib import Path
from typing import Any

import pytest

import segscore as ss
from browser.annotating import GATE, TEXTS, at_desk, exported, gap, marked, said
from browser.hostile import STRINGS
from browser_pages import harmless, press, save


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return ss.pages.annotate(TEXTS, tmp_path_factory.mktemp("pages") / "plain.html")


@pytest.fixture(scope="module")
def rich(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("pages") / "rich.html"
    return ss.pages.annotate(
        TEXTS, path, title="Topics", levels=3, labels=["intro", "main", "end"],
        guidelines="# Task\nMark *topics*.\n",
    )  # fmt: skip


def cut(boundaries: list[int], n_units: int) -> ss.Segmentation:
    return ss.Segmentation.from_boundaries(boundaries, n_units)


# ---- the circle: two people, two documents, agreement ----


def test_what_an_export_says(browser: Any, plain: Path, tmp_path: Path) -> None:
    with at_desk(browser, plain) as page:
        assert page.locator("#saved").inner_text() == "nothing to save yet"
        gap(page, 3).click()
        assert page.locator("#saved").inner_text().startswith("saved ")
        assert "not exported yet" in page.locator("#saved").inner_text()
        press(page, "u", "j", "c")
        page.keyboard.type("or here?")
        press(page, "Control+Enter")
        (row,) = exported(page, tmp_path / "a.jsonl")
        assert "not exported" not in page.locator("#saved").inner_text()
    annotation = row.pop("annotation")
    assert row == {
        "document": "gate", "coder": "ann", "kind": "person", "boundaries": [3], "n_units": 8,
        "units": GATE,
    }  # fmt: skip
    assert annotation["finished"] is False
    assert annotation["unsure"] == [3]
    assert annotation["comments"] == [{"after": 4, "text": "or here?"}]
    assert (annotation["prefilled"], annotation["practice"]) == (None, False)
    assert annotation["units"].startswith("sha256:")
    with pytest.raises(ss.SegmentationError, match="unfinished"):  # no document was done
        ss.read(tmp_path / "a.jsonl")
    read = ss.read(tmp_path / "a.jsonl", unfinished=True)
    assert read["gate"]["ann"] == cut([3], 8)


def test_levels_and_labels(browser: Any, rich: Path, tmp_path: Path) -> None:
    with at_desk(browser, rich) as page:
        press(page, "ArrowUp", "l", "1")  # the first segment has a label, too
        gap(page, 2).click()
        press(page, "3", "l", "2")
        gap(page, 5).click()
        page.get_by_role("button", name="Level 2").click()
        gap(page, 6).focus()
        press(page, "l")  # inside the segment that starts after unit 5
        page.get_by_role("button", name="end", exact=False).click()
        assert "level 2" in gap(page, 5).inner_text()
        assert "end" in gap(page, 5).inner_text()
        page.click("#export-csv")  # which cannot say that a document is not done
        assert "Nothing is done yet" in page.locator("#ask-which").inner_text()
        press(page, "Escape", "d", "n")
        gap(page, 3).click()
        exported(page, tmp_path / "a.jsonl")
        save(page, "#export-csv", tmp_path / "a.csv")
        assert said(page).endswith("Not done, and not in it: talk.")
    with pytest.warns(UserWarning, match="1 unfinished"):
        read = ss.read(tmp_path / "a.jsonl")
    coding = read["gate"]["ann"]
    assert coding.boundaries.tolist() == [2, 5]
    assert coding.ranks is not None
    assert coding.ranks.tolist() == [3, 2]
    labels = [set(segment_labels) for segment_labels in read["gate"].labels["ann"]]
    assert labels == [{"intro"}, {"main"}, {"end"}]
    assert list(ss.read(tmp_path / "a.csv")) == ["gate"]
    table = ss.read(tmp_path / "a.csv")["gate"]
    assert table["ann"] == coding
    assert list(table.units or ()) == GATE
    assert "intro" in (tmp_path / "a.csv").read_text("utf-8-sig")


# ---- undo, moving ----


def test_undo_and_redo_without_limit(browser: Any, rich: Path) -> None:
    with at_desk(browser, rich) as page:
        for position in (1, 2, 3):
            gap(page, position).click()
        press(page, "2", "u", "Control+z", "Control+z")
        assert "level 1" in gap(page, 3).inner_text()
        press(page, "Control+z", "Control+z", "Control+z", "Control+z")
        assert marked(page) == []
        assert said(page) == "Nothing to undo."
        press(page, "Control+y", "Control+y", "Meta+Shift+z")
        assert marked(page) == [1, 2, 3]
        press(page, "d", "n")
        gap(page, 2).click()
        press(page, "Control+z", "Control+z")  # also in another document, which is shown then
        assert page.locator("#document-heading").inner_text().startswith("gate")
        assert page.locator("#done").get_attribute("aria-pressed") == "false"
        press(page, "Space")
        press(page, "Control+y")  # what had been undone is gone after a change
        assert said(page) == "Nothing to redo."


def test_nothing_jumps(browser: Any, rich: Path) -> None:
    places = (
        "() => [...document.querySelectorAll('.unit')].map(one => one.getBoundingClientRect().top)"
    )
    for options in ({}, {"viewport": {"width": 390, "height": 844}}):
        with at_desk(browser, rich, **options) as page:
            gap(page, 4).scroll_into_view_if_needed()
            before = page.evaluate(places)
            gap(page, 4).click()
            press(page, "2", "u", "l", "3", "c")
            page.fill("#comment-field", "a long comment " * 30)
            press(page, "Control+Enter")
            assert "a long comment" in gap(page, 4).inner_text()
            assert page.evaluate(places) == before


def test_texts_as_they_are(browser: Any, tmp_path: Path) -> None:
    texts: Any = {
        "عربي": ["مرحبا بالعالم.", "هذه جملة ثانية."],
        "日本語": ["これは最初の文です。", "二番目。"],
        "meeting": [
            {"text": "Hello  there,\n  all.", "speaker": "Ann B.", "start": 3723.4},
            {"text": "x" * 2000, "start": 4000},
            "Nobody said this.",
        ],
    }
    path = ss.pages.annotate(texts, tmp_path / "p.html", coder="ann")
    with at_desk(browser, path, viewport={"width": 390, "height": 844}) as page:
        assert page.locator("#text .text").get_attribute("dir") == "rtl"
        first = page.locator("#text .words").first.bounding_box()
        number = page.locator("#text .unit-number").first.bounding_box()
        assert first["x"] < number["x"]
        press(page, "n")
        assert page.locator("#text .text").get_attribute("dir") == "ltr"
        press(page, "n")
        assert page.locator(".speech").all_inner_texts() == ["Ann B.\n1:02:03", "1:06:40"]
        words = page.locator("#text .words")
        assert words.first.text_content() == "Hello  there,\n  all."
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


# ---- large, and hostile ----


def test_two_hundred_documents_of_hostile_strings(browser: Any, tmp_path: Path) -> None:
    texts: Any = {
        name: [
            {"text": STRINGS[i - j], "speaker": STRINGS[i - j - 4], "start": j} for j in range(4)
        ]
        for i, name in enumerate(STRINGS)
    }
    labels = list(dict.fromkeys(filter(None, (string.strip() for string in STRINGS))))
    path = ss.pages.annotate(
        texts, tmp_path / "p.html", title=STRINGS[1], labels=labels,
        guidelines="\n\n".join(
            f"{string} *{string}* `{string}` [{string}]({string})\n- {string}" for string in STRINGS
        ),
    )  # fmt: skip
    coder = "</script><script>window.hit=1</script>"
    with at_desk(browser, path, coder) as page:
        assert page.locator(".entry").count() == len(STRINGS) == 200
        for i in range(0, len(STRINGS), 19):
            page.locator(".entry").nth(i).click()
            shown = page.locator("#text .words").first
            assert shown.evaluate("one => one.textContent") == STRINGS[i][:4000]
            gap(page, 2).click()
            press(page, "l")
            page.locator("#ask-label .label-list button").nth(i % len(labels)).click()
            press(page, "c")
            page.locator("#comment-field").evaluate(
                "(one, text) => { one.value = text; }", STRINGS[i]
            )
            press(page, "Control+Enter", "d")
        page.pdf()
        harmless(page)
        exported(page, tmp_path / "a.jsonl")
        save(page, "#export-csv", tmp_path / "a.csv")
    read = ss.read(tmp_path / "a.jsonl")
    assert read.coders == (coder,)
    assert set(read) == {STRINGS[i] for i in range(0, len(STRINGS), 19)}
    assert {tuple(document[coder].boundaries.tolist()) for document in read.values()} == {(2,)}
    table = ss.read(tmp_path / "a.csv")
    assert {name: document[coder] for name, document in table.items()} == {
        name: document[coder] for name, document in read.items()
    }


# ---- time ----


def test_seconds_are_counted_for_the_open_document(
    browser: Any, plain: Path, tmp_path: Path
) -> None:
    with at_desk(browser, plain) as page:
        page.clock.install()
        gap(page, 1).click()
        for _ in range(3):
            page.clock.fast_forward(30_000)
            press(page, "j")
        page.clock.fast_forward(300_000)  # a pause
        press(page, "j")
        page.clock.fast_forward(7_000)
        press(page, "n")
        gap(page, 1).click()
        rows = exported(page, tmp_path / "a.jsonl")
    assert [row["annotation"]["seconds"] for row in rows] == [97, 0]
