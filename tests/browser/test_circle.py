"""The whole circle: texts, two people at the annotation page, agreement, adjudication, gold.

Each step reads the files of the one before as they are; numbers are checked against what was clicked.
"""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import segscore as ss
from browser.annotating import at_desk, gap
from browser_pages import opened, press, save
from command_line import segscore
from segscore.corpus.record import unit_hash

TEXTS = {
    "gate": (
        "We met at the gate. It rained. Nobody had an umbrella. Inside it smelled of paint. "
        "A man took our names. We waited. They called the first of us. She came back smiling."
    ),
    "harbour": (
        "The harbour was full. Two ships had come at night. Men carried sacks. "
        "In the town nobody knew. The baker opened as ever. His bread was warm."
    ),
}
UNITS = {name: text.replace(". ", ".|").split("|") for name, text in TEXTS.items()}
ANN = {"gate": [3, 6], "harbour": [3]}
BOB = {"gate": [3, 5], "harbour": [3, 5]}
GOLD = {"gate": [3, 5], "harbour": [3]}  # 5 | 6: bob's; 5 of the harbour is dropped


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, browser: Any) -> Path:
    """Everything that the circle leaves behind."""
    found = tmp_path_factory.mktemp("circle")
    for name, text in TEXTS.items():
        (found / f"{name}.txt").write_text(text, encoding="utf-8")
    texts = [f"{name}.txt" for name in TEXTS]
    done(found, "annotate", *texts, "-o", "annotate.html")
    with at_desk(browser, found / "annotate.html", "ann") as page:
        annotate_by_mouse(page, ANN)
        save(page, "#export", found / "ann.jsonl")
    with at_desk(browser, found / "annotate.html", "bob") as page:
        annotate_by_keys(page, BOB)
        save(page, "#export", found / "bob.jsonl")
    done(found, "adjudicate", "ann.jsonl", "bob.jsonl", "-o", "adjudicate.html")
    with opened(browser, found / "adjudicate.html") as page:
        adjudicate(page)
        save(page, "#export", found / "gold.jsonl")
        save(page, "#decisions", found / "decisions.csv")
    return found


def done(folder: Path, *words: str) -> str:
    """What a command prints; it must end well."""
    found = segscore(*words, cwd=folder)
    assert found.returncode == 0, found.stderr
    return found.stdout


def annotate_by_mouse(page: Any, marks: dict[str, list[int]]) -> None:
    for positions in marks.values():
        for position in positions:
            gap(page, position).click()
        page.click("#done")
        press(page, "n")


def annotate_by_keys(page: Any, marks: dict[str, list[int]]) -> None:
    for positions in marks.values():
        gap(page, positions[0]).focus()
        for before, position in pairwise([positions[0], *positions]):
            press(page, *["ArrowDown"] * (position - before), "Space")
        press(page, "d", "n")


def adjudicate(page: Any) -> None:
    """The two places about which they differ: the first of two alternatives, and none."""
    assert "2 of 4 places decided" in page.inner_text("#progress-words")
    press(page, "n", "1", "n", "x")
    assert "4 of 4 places decided" in page.inner_text("#progress-words")


def cut(document: str, boundaries: list[int]) -> ss.Segmentation:
    return ss.Segmentation.from_boundaries(boundaries, len(UNITS[document]))


# ---- what each step knows ----


def test_exports_are_what_was_clicked(folder: Path) -> None:
    corpus = ss.read([folder / "ann.jsonl", folder / "bob.jsonl"])
    assert {name: list(document.units or ()) for name, document in corpus.items()} == UNITS
    for coder, marks in (("ann", ANN), ("bob", BOB)):
        found = {name: document[coder].boundaries.tolist() for name, document in corpus.items()}
        assert found == marks
        for name, document in corpus.items():
            annotation = document.annotations[coder]
            assert (annotation.finished, annotation.units) == (True, unit_hash(UNITS[name]))
            assert document.kinds[coder] == "person"


def test_agreement_is_that_of_what_was_clicked(folder: Path) -> None:
    printed = json.loads(done(folder, "agree", "ann.jsonl", "bob.jsonl", "--format", "json"))
    observed = {row["name"]: row["observed"] for row in printed["agreement"]}
    b = ss.BoundarySimilarity()
    for name in TEXTS:
        expected = float(b(cut(name, ANN[name]), cut(name, BOB[name])))
        assert observed[name] == pytest.approx(expected)
    # gate: a match and a near miss (1 - 1/2): 1.5 of 2; harbour: one match of two boundaries
    assert (observed["gate"], observed["harbour"]) == (pytest.approx(0.75), pytest.approx(0.5))


def test_gold_is_what_was_decided(folder: Path) -> None:
    gold = ss.read(folder / "gold.jsonl")
    assert {name: document["gold"].boundaries.tolist() for name, document in gold.items()} == GOLD
    assert all(document.kinds["gold"] == "consensus" for document in gold.values())
    assert {name: list(document.units or ()) for name, document in gold.items()} == UNITS
    decisions = (folder / "decisions.csv").read_text("utf-8-sig")
    assert decisions.count("\n") == 5  # a header, and a row for each place
