"""The page of adjudication in Chromium: keys and mouse to gold, and nothing is lost."""

import csv
import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

import segscore as ss
from browser.hostile import STRINGS
from browser_pages import accessible, opened, reloaded
from segscore.corpus.annotation import Annotation, Comment
from segscore.corpus.record import Record, unit_hash

cut = ss.Segmentation.from_masses
NAMES = ("Annabel", "Bobby-Lee", "Cydney")
UNITS = [f"This is sentence {i} of the first text." for i in range(1, 21)]
HEBREW = ["שלום עולם, זהו משפט ראשון.", "משפט שני בעברית.", "משפט שלישי.", "סוף."]


def people() -> ss.Corpus:
    """Places of `one`: 4–5 (two, one), 10 (all), 14 (one alone), 17–18 (one each)."""
    cuts = {
        "one": [[4, 10, 14], [4, 10, 17], [5, 10, 18]],
        "two": [[1], [2], []],
        "three": [[2], [2], [2]],
    }
    made = ss.Segmentation.from_boundaries
    sizes = {"one": 20, "two": 4, "three": 5}
    texts = {"one": UNITS, "two": HEBREW}
    rows = [
        Record(name, coder, made(boundaries, sizes[name]), texts.get(name),
               annotation=Annotation(unsure=(14,), comments=(Comment(14, "an aside?"),))
               if (name, coder) == ("one", "Annabel") else None)
        for name, all_ in cuts.items() for coder, boundaries in zip(NAMES, all_, strict=True)
    ]  # fmt: skip
    rows.append(Record("one", "c99", made([7], 20), kind="system"))
    rows.append(Record("one", "old gold", made([8], 20), kind="consensus"))
    return ss.Corpus.from_rows(rows)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return ss.pages.adjudicate(people(), tmp_path_factory.mktemp("pages") / "adjudicate.html")


def saved(page: Any, button: str, folder: Path) -> Path:
    """What a button downloads."""
    with page.expect_download() as waiting:
        page.locator(f"#{button}").click()
    target = folder / waiting.value.suggested_filename
    waiting.value.save_as(target)
    return target


def where(page: Any) -> str:
    return str(page.locator("#decide .where").text_content())


def told(page: Any, words: str) -> None:
    page.locator("#told", has_text=words).wait_for()


def press(page: Any, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def test_keys_to_gold(browser: Any, path: Path, tmp_path: Path) -> None:
    """Every place by a key; gold equals the decisions, and so does the table of them."""
    with opened(browser, path) as page:
        press(page, "n")
        assert where(page) == "After units 4–5 · 3 of 3 coders · open"
        press(page, "2", "n")
        assert where(page) == "After unit 14 · 1 of 3 coders · open"
        assert "Annabel is unsure here" in page.locator("#at-14").text_content()
        assert "an aside?" in page.locator("#at-14").text_content()
        press(page, "x", "c")
        page.keyboard.type("only an aside")
        press(page, "Escape", "n")
        assert where(page).startswith("After units 17–18 · 2 of 3 coders")
        press(page, "y")  # two units with a mark each
        assert "tie" in page.inner_text("#told")
        press(page, "1", "n")  # and on to the next document
        assert where(page).startswith("After units 1–2 ")
        press(page, "1", "n")
        assert "Every place is decided" in where(page)
        page.locator("#list button").first.click()
        press(page, "j", "j", "a")  # what nobody marked
        assert where(page) == "After unit 2 · added: nobody marks it"
        gold_file, sheet = saved(page, "export", tmp_path), saved(page, "decisions", tmp_path)
        assert "Every document is complete" in page.locator("#told").text_content()
    assert (gold_file.name, sheet.name) == (
        "adjudicate-gold.jsonl", "adjudicate-decisions.csv",
    )  # fmt: skip
    gold = ss.read(gold_file)
    found = {name: document["gold"].boundaries.tolist() for name, document in gold.items()}
    assert found == {"one": [2, 5, 10, 17], "two": [1], "three": [2]}
    assert {document.kinds["gold"] for document in gold.values()} == {"consensus"}
    annotation = gold["one"].annotations["gold"]
    assert (annotation.finished, annotation.units) == (True, unit_hash(UNITS))
    assert [tuple(comment) for comment in annotation.comments] == [(14, "only an aside")]
    assert annotation.adjudication is not None
    assert annotation.adjudication.plain() == {
        "within": 1, "accept": 1.0, "reject": 0.0, "added": [2],
        "decisions": [
            {"place": [4, 5], "decision": 5, "by": "adjudicator"},
            {"place": [10], "decision": 10, "by": "rule"},
            {"place": [14], "decision": "drop", "by": "adjudicator"},
            {"place": [17, 18], "decision": 17, "by": "adjudicator"},
        ],
        "counts": {
            "places": 4, "rule": 1, "adjudicator": 3, "open": 0, "dropped": 1, "added": 1,
        },
    }  # fmt: skip
    rows = list(csv.DictReader(sheet.read_text("utf-8-sig").splitlines(keepends=True)))
    assert [(row["place"], row["marks"], row["decision"], row["by"]) for row in rows[:5]] == [
        ("4–5", "4: Annabel, Bobby-Lee; 5: Cydney", "5", "adjudicator"),
        ("10", "10: Annabel, Bobby-Lee, Cydney", "10", "rule"),
        ("14", "14: Annabel", "drop", "adjudicator"),
        ("17–18", "17: Bobby-Lee; 18: Cydney", "17", "adjudicator"),
        ("2", "", "2", "added"),
    ]
    assert rows[2]["comment"] == "only an aside"
    both = people().merged(gold)
    assert ss.agreement(both).pi == ss.agreement(people()).pi  # gold is nobody


def test_mouse_touch_and_what_the_rule_decided(browser: Any, path: Path, tmp_path: Path) -> None:
    with opened(browser, path, has_touch=True) as page:
        assert "gold, by the rule" in page.locator("#at-10").text_content()
        page.get_by_role("button", name="1: choose after unit 4").click()
        assert where(page) == "After units 4–5 · 3 of 3 coders · gold after unit 4"
        page.locator("#at-10").click(position={"x": 300, "y": 5})
        page.get_by_role("button", name="x drop").tap()
        assert where(page) == "After unit 10 · 3 of 3 coders · dropped"
        page.locator("#at-7").click()
        page.get_by_role("button", name="a add a boundary here").click()
        assert page.locator("#at-7.chosen").count() == 1
        lane = page.locator(".strip .lane").first
        lane.click(position={"x": 0.69 * lane.bounding_box()["width"], "y": 8})  # 13.8 of 20
        assert where(page).startswith("After unit 14 ")
        for button in page.locator("#panel button, .choose, #tools button, #list button").all():
            box = button.bounding_box()
            assert box["height"] >= 44
            assert box["width"] >= 44
        gold_file = saved(page, "export", tmp_path)
        assert "2 documents are not complete" in page.locator("#told").text_content()
    rows = [json.loads(line) for line in gold_file.read_text("utf-8").splitlines()]
    assert [row["annotation"]["finished"] for row in rows] == [False, False, True]
    assert rows[0]["boundaries"] == [4, 7]
    decided = rows[0]["annotation"]["adjudication"]["decisions"]
    assert [decision["decision"] for decision in decided] == [4, "drop", None, None]
    assert [decision["by"] for decision in decided] == ["adjudicator", "adjudicator", None, None]
    with pytest.warns(UserWarning, match="2 unfinished"):
        read = ss.read(gold_file)
    assert [name for name, document in read.items() if document] == ["three"]


def test_undo_redo_and_reopening(browser: Any, path: Path) -> None:
    with opened(browser, path) as page:
        progress = page.locator("#progress-words")
        start = progress.text_content()
        press(page, "n", "1", "n", "y", "0", "x", "n", "2", "n", "2", "j", "k")
        assert progress.text_content() == "6 of 6 places decided, 3 of 3 documents complete"
        for _ in range(20):
            press(page, "Control+z")
        assert (
            progress.text_content() == start == "2 of 6 places decided, 1 of 3 documents complete"
        )
        assert page.locator("#document .chosen").count() == 1
        for _ in range(20):
            press(page, "Control+Shift+Z")
        assert progress.text_content() == "6 of 6 places decided, 3 of 3 documents complete"
        press(page, "Control+z")
        page.locator("#redo").click()
        page.locator("#undo").click()
        assert progress.text_content() == "5 of 6 places decided, 2 of 3 documents complete"
        press(page, "1", "Control+y")  # a new change: nothing to redo
        assert where(page) == "After units 1–2 · 2 of 3 coders · gold after unit 1"
        page.locator("#list button").first.click()
        press(page, "j", "a", "c")
        page.keyboard.type("so")
        press(page, "Escape", "Control+z", "Control+z")
        assert page.locator("#at-1.gap").count() == 1
        press(page, "Control+y", "Control+y")
        assert "so" in page.locator("#at-1.chosen").text_content()


def test_import_of_an_export(browser: Any, path: Path, tmp_path: Path) -> None:
    """On another machine: all decisions are there; wrong files are refused in words."""
    with opened(browser, path) as page:
        press(page, "n", "2", "c")
        page.keyboard.type("why not")
        press(page, "Escape", "n", "n", "n", "x")
        page.locator("#list button").first.click()
        press(page, "j", "a")
        page.locator("#at-10").click(position={"x": 300, "y": 5})
        press(page, "0")  # open what the rule decided
        gold_file = saved(page, "export", tmp_path)
    with opened(browser, path) as page:  # a new profile
        assert page.locator("#at-5.chosen").count() == 0
        choose(page, gold_file)
        told(page, "Imported")
        assert "3 documents" in page.locator("#told").text_content()
        assert page.locator("#at-5.chosen, #at-1.chosen").count() == 2
        assert page.locator("#at-10.waits").count() == 1
        assert "why not" in page.locator("#at-4").text_content()
        assert page.locator("#saved").text_content().endswith("not exported yet") is False
        again = saved(page, "export", tmp_path / "again")
        assert without_time(again) == without_time(gold_file)
        press(page, "Control+z", "Control+z")
        assert page.locator("#at-5.chosen").count() == 0
        for wrong, words in wrong_imports(gold_file, tmp_path).items():
            choose(page, wrong)
            told(page, words)


def ranked() -> ss.Corpus:
    """After unit 2 all mark, with levels 1, 3 and 3; after 4 or 5 two, with level 2."""
    made = ss.Segmentation.from_boundaries
    codings = {
        "Ann": made([2, 4], 8, ranks=[1, 2]), "Bob": made([2, 5], 8, ranks=[3, 2]),
        "Cyd": made([2], 8, ranks=[3]),
    }  # fmt: skip
    return ss.Corpus.from_dict({"d": codings}).with_details(units={"d": UNITS[:8]})


def test_levels(browser: Any, tmp_path: Path) -> None:
    """Everyone's levels are shown, and that of gold, which keys and a menu change."""
    path = ss.pages.adjudicate(ranked(), tmp_path / "levels.html")
    with opened(browser, path, leaving=[]) as page:
        assert "coders gave different levels" in page.locator("#rule").text_content()
        at = page.locator("#at-2")
        assert at.locator(".level-given").all_text_contents() == [
            " level 1",
            " level 3",
            " level 3",
        ]
        assert "gold, by the rule, level 3 (coders: 1, 3, 3)" in at.text_content()
        press(page, "j", "j", "Shift+Digit1")
        assert "level 1, not 3: set by you (coders: 1, 3, 3)" in at.text_content()
        press(page, "Control+z")
        assert "by the rule, level 3 (" in at.text_content()
        press(page, "Control+y", "j", "j")
        assert page.locator("#level").count() == 0  # open: no boundary, no level
        press(page, "Shift+Digit1", "1")
        assert page.locator("#level").input_value() == "2"
        page.locator("#level").select_option("4")
        assert "gold, level 4, not 2: set by you" in page.locator("#at-4").text_content()
        press(page, "j", "j", "a", "Shift+Digit2")
        assert "added, nobody marks it, level 2, not 3" in page.locator("#at-6").text_content()
        accessible(page)
        reloaded(page)
        page.wait_for_selector("html[data-ready]")
        assert "level 1, not 3" in at.text_content()
        gold_file, sheet = saved(page, "export", tmp_path), saved(page, "decisions", tmp_path)
    with opened(browser, path) as page:  # a new profile
        choose(page, gold_file)
        told(page, "Imported")
        assert "level 1, not 3" in page.locator("#at-2").text_content()
        assert without_time(saved(page, "export", tmp_path / "again")) == without_time(gold_file)
    gold = ss.read(gold_file)
    made = ss.Segmentation.from_boundaries([2, 4, 6], 8, ranks=[1, 4, 2])
    assert gold["d"]["gold"] == made
    assert sheet.read_text("utf-8-sig").splitlines() == [
        "document,place,marks,decision,level,by,comment",
        'd,2,"2: Ann (1), Bob (3), Cyd (3)",2,1,rule,',
        "d,4–5,4: Ann (2); 5: Bob (2),4,4,adjudicator,",
        "d,6,,6,2,added,",
    ]


def choose(page: Any, file: Path) -> None:
    with page.expect_file_chooser() as waiting:
        page.locator("#import").click()
    waiting.value.set_files(file)


def without_time(file: Path) -> list[Any]:
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    return [row | {"annotation": row["annotation"] | {"exported": None}} for row in rows]


def wrong_imports(good: Path, folder: Path) -> dict[Path, str]:
    rows = [json.loads(line) for line in good.read_text("utf-8").splitlines()]
    other = [rows[0] | {"annotation": rows[0]["annotation"] | {"units": "sha256:" + "0" * 64}}]
    found = {
        "text.jsonl": ("nonsense\n", "Line 1 of “text.jsonl” is not a JSON object"),
        "plain.jsonl": ('{"document": "one"}\n', "is not an export of an adjudication page"),
        "other.jsonl": (json.dumps(other[0]), "Document “one” has another text here"),
        "twice.jsonl": ("\n".join([json.dumps(rows[0])] * 2), "is in “twice.jsonl” twice"),
        "none.jsonl": (json.dumps(rows[0] | {"document": "x"}), "holds none of the documents"),
    }
    for name, (text, _) in found.items():
        (folder / name).write_text(text, "utf-8")
    return {folder / name: words for name, (_, words) in found.items()}


def test_decisions_of_other_codings(browser: Any, tmp_path: Path) -> None:
    """A fourth coder came late: decisions on places that are as before stay."""
    first = ss.pages.adjudicate(people(), tmp_path / "first.html")
    with opened(browser, first) as page:
        press(page, "n", "2", "n", "x", "n", "2")
        gold_file = saved(page, "export", tmp_path)
    more = people().merged(ss.Corpus.from_dict({"one": {"Dee": cut([4, 11, 5])}}))
    with opened(browser, ss.pages.adjudicate(more, tmp_path / "second.html")) as page:
        choose(page, gold_file)
        told(page, "Imported")
        assert "1 decision left out" in page.locator("#told").text_content()
        assert page.locator("#at-5.chosen, #at-18.chosen").count() == 2  # 14–15 is another place


def test_a_boundary_that_was_added_and_is_marked_now_waits(browser: Any, tmp_path: Path) -> None:
    """A coder who came late marks what nobody had marked: a person decides it as a place."""
    with opened(browser, ss.pages.adjudicate(people(), tmp_path / "first.html")) as page:
        press(page, "j", "a")
        gold_file = saved(page, "export", tmp_path)
    assert json.loads(gold_file.read_text("utf-8").splitlines()[0])["boundaries"][0] == 1
    more = people().merged(ss.Corpus.from_dict({"one": {"Dee": cut([1, 19])}}))
    with opened(browser, ss.pages.adjudicate(more, tmp_path / "second.html")) as page:
        choose(page, gold_file)
        told(page, "Imported")
        assert page.locator("#at-1.waits").count() == 1
        row = json.loads(saved(page, "export", tmp_path / "b").read_text("utf-8").splitlines()[0])
        assert row["annotation"]["adjudication"]["added"] == []


def test_blind_pages_hold_no_name(browser: Any, tmp_path: Path) -> None:
    path = ss.pages.adjudicate(people(), tmp_path / "blind.html", blind=True)
    source = path.read_text("utf-8")
    assert not any(name in source for name in (*NAMES, "c99", "old gold", "an aside?"))
    assert path.read_text("utf-8") == ss.pages.adjudicate(
        people(), tmp_path / "blind.html", blind=True
    ).read_text("utf-8")  # the same each time
    with opened(browser, path) as page:
        press(page, "n", "1", "n", "x", "n", "1", "n", "1")
        assert "coder 1" in page.locator("#document").text_content()
        sheet, gold_file = saved(page, "decisions", tmp_path), saved(page, "export", tmp_path)
    for file in (sheet, gold_file):
        assert not any(name in file.read_text("utf-8") for name in NAMES)
    gold = ss.read(gold_file)
    assert [gold[name]["gold"].boundaries.tolist() for name in ("one", "two")] == [
        [4, 10, 17], [1],
    ]  # fmt: skip


def test_hostile_strings_run_nothing(browser: Any, tmp_path: Path) -> None:
    rows = []
    for i, name in enumerate(STRINGS):
        text = [STRINGS[(i + j) % len(STRINGS)] for j in range(4)]
        annotation = Annotation(comments=(Comment(1, name),))
        for j in (1, 2):
            made = ss.Segmentation.from_boundaries([j], 4)
            rows.append(
                Record(name, STRINGS[i // 20 + j], made, text, group=name, annotation=annotation)
            )
    corpus = ss.Corpus.from_rows(rows, coders="local")
    path = ss.pages.adjudicate(corpus, tmp_path / "a.html", title=STRINGS[1], coder=STRINGS[40])
    with opened(browser, path) as page:
        for i in range(0, len(STRINGS), 8):
            page.locator("#list button").nth(i).click()
            press(page, "n", "1", "c")
            page.locator("#comment").fill(STRINGS[i])
            press(page, "Escape")
        assert page.evaluate("window.hit") is None
        assert page.locator("script").count() == 2
        risky = (
            "iframe, img, object, embed, link, base, style, meta, video, audio, marquee, svg image"
        )
        assert page.locator(f"main :is({risky})").count() == 0
        assert page.locator("[onload], [onerror], [onfocus], [style]").count() == 0
        gold_file, sheet = saved(page, "export", tmp_path), saved(page, "decisions", tmp_path)
    read = ss.read(gold_file, unfinished=True)
    assert list(read) == STRINGS
    assert read[STRINGS[8]].annotations[STRINGS[40]].comments[0].text == STRINGS[8].replace(
        "\r", "\n"
    )
    cells = [
        cell
        for row in csv.reader(StringIO(sheet.read_bytes().decode(), newline=""))
        for cell in row
    ]
    assert not [cell for cell in cells if cell[:1] in tuple("=+@\t") and not cell.isdigit()]


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (1280, "dark"), (390, "dark")])
def test_accessible_and_nothing_overflows(
    browser: Any, path: Path, width: int, scheme: str
) -> None:
    size = {"width": width, "height": 844}
    with opened(browser, path, viewport=size, color_scheme=scheme) as page:
        press(page, "n", "1", "n", "x", "j", "a")
        accessible(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.locator("#list button").nth(1).click()
        press(page, "n")
        assert (
            page.evaluate("getComputedStyle(document.querySelector('.words')).direction") == "rtl"
        )
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        press(page, "?")
        accessible(page)
