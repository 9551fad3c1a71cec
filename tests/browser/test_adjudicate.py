"""The page of adjudication in Chromium: keys and mouse to gold, and nothing is lost."""

import csv
import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

import segscore as ss
from browser.hostile import STRINGS
from browser_pages import harmless, imported, opened, press
from segscore.corpus.annotation import Annotation
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
               annotation=Annotation(unsure=(14,), comments=((14, "an aside?"),))
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
    page.locator("#notice", has_text=words).wait_for()


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
        assert "tie" in page.inner_text("#notice")
        press(page, "1", "n")  # and on to the next document
        assert where(page).startswith("After units 1–2 ")
        press(page, "1", "n")
        assert "Every place is decided" in where(page)
        page.locator("#list button").first.click()
        press(page, "j", "j", "a")  # what nobody marked
        assert where(page) == "After unit 2 · added: nobody marks it"
        gold_file, sheet = saved(page, "export", tmp_path), saved(page, "decisions", tmp_path)
        assert "Every document is complete" in page.locator("#notice").text_content()
    assert (gold_file.name, sheet.name) == (
        "adjudicate-gold.jsonl", "adjudicate-decisions.csv",
    )  # fmt: skip
    gold = ss.read(gold_file)
    found = {name: document["gold"].boundaries.tolist() for name, document in gold.items()}
    assert found == {"one": [2, 5, 10, 17], "two": [1], "three": [2]}
    assert {document.kinds["gold"] for document in gold.values()} == {"consensus"}
    annotation = gold["one"].annotations["gold"]
    assert (annotation.finished, annotation.units) == (True, unit_hash(UNITS))
    assert annotation.comments == ((14, "only an aside"),)
    assert annotation.adjudication == {
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


def test_undo_redo_and_reopening(browser: Any, path: Path) -> None:
    with opened(browser, path) as page:
        progress = page.locator("#progress-words")
        press(page, "n", "1", "n", "y", "0", "x", "n", "2", "n", "2", "j", "k")
        assert progress.text_content() == "6 of 6 places decided, 3 of 3 documents complete"
        press(page, *["Control+z"] * 20)
        assert progress.text_content() == "2 of 6 places decided, 1 of 3 documents complete"
        press(page, *["Control+Shift+Z"] * 20)
        assert progress.text_content() == "6 of 6 places decided, 3 of 3 documents complete"
        press(page, "Control+z")
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
        imported(page, gold_file)
        told(page, "Imported")
        assert "3 documents" in page.locator("#notice").text_content()
        assert page.locator("#at-5.chosen, #at-1.chosen").count() == 2
        assert page.locator("#at-10.waits").count() == 1
        assert "why not" in page.locator("#at-4").text_content()
        assert page.locator("#saved").text_content().endswith("not exported yet") is False
        again = saved(page, "export", tmp_path / "again")
        assert without_time(again) == without_time(gold_file)
        press(page, "Control+z", "Control+z")
        assert page.locator("#at-5.chosen").count() == 0
        (tmp_path / "x.jsonl").write_text('{"document": "one", "masses": [20]}', "utf-8")
        imported(page, tmp_path / "x.jsonl")
        told(page, "is not an export of an adjudication page")


def without_time(file: Path) -> list[Any]:
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    return [row | {"annotation": row["annotation"] | {"exported": None}} for row in rows]


def test_hostile_strings_run_nothing(browser: Any, tmp_path: Path) -> None:
    rows = []
    for i, name in enumerate(STRINGS):
        text = [STRINGS[(i + j) % len(STRINGS)] for j in range(4)]
        annotation = Annotation(comments=((1, name),))
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
        harmless(page)
        gold_file, sheet = saved(page, "export", tmp_path), saved(page, "decisions", tmp_path)
    read = ss.read(gold_file, unfinished=True)
    assert list(read) == STRINGS
    assert read[STRINGS[8]].annotations[STRINGS[40]].comments[0][1] == STRINGS[8].replace(
        "\r", "\n"
    )
    for row in csv.reader(StringIO(sheet.read_bytes().decode(), newline="")):
        assert not [cell for cell in row if cell[:1] in tuple("=+@\t") and not cell.isdigit()]
