"""A whole project as it comes: 30 documents, 6 people, in every shape in which people hand it in.

Each shape gives the same codings, those that the files were made from.
"""

import csv
import random
from pathlib import Path
from typing import Any

import pytest

import segscore as ss
from needs import needs

PEOPLE = ["Anna", "Bernd", "Chloé", "David", "Eva", "Frank"]
Starts = dict[
    str, tuple[int, dict[str, list[int]]]
]  # units of each document, starts of each person


def project(seed: int = 7) -> Starts:
    chance = random.Random(seed)
    found: Starts = {}
    for number in range(1, 31):
        n = chance.randint(12, 40)
        topics = chance.sample(range(3, n), n // 6)
        found[f"doc{number:02}"] = n, {
            coder: sorted({topic + chance.choice([0, 0, 1, -1]) for topic in topics if chance.random() < 0.9}
                          or {2})
            for coder in PEOPLE
        }  # fmt: skip
    return found


TRUTH = project()


def silent(_: str) -> None:
    """What readers say is tested elsewhere."""


def starts_of(corpus: ss.Corpus) -> dict[str, dict[str, list[int]]]:
    return {
        name: {coder: [boundary + 1 for boundary in coding.boundaries.tolist()] for coder, coding in document.items()}
        for name, document in corpus.items()
    }  # fmt: skip


def expected() -> dict[str, dict[str, list[int]]]:
    return {name: dict(people) for name, (_, people) in TRUTH.items()}


def rows_of(name: str) -> list[list[Any]]:
    n, people = TRUTH[name]
    return [[unit, f"Größe {unit}, “so”", *("x" if unit in people[coder] else "" for coder in PEOPLE)]
            for unit in range(1, n + 1)]  # fmt: skip


def test_a_spreadsheet_saved_in_germany(tmp_path: Path) -> None:
    """cp1252, semicolons, decimal commas, names once per document, comments, blank rows."""
    path = tmp_path / "alle.csv"
    with path.open("w", encoding="cp1252", newline="") as stream:
        table = csv.writer(stream, delimiter=";")
        table.writerow(["Dokument", "Nr.", "Satz", *PEOPLE, "Kommentar", "Minuten"])
        for name in TRUTH:
            for unit, *rest in rows_of(name):
                remark = ["siehe S. 3" if unit == 4 else "", "12,5" if unit == 1 else ""]
                table.writerow([name if unit == 1 else "", f"{unit},0", *rest, *remark])
            table.writerow([""] * (len(PEOPLE) + 5))
    corpus = ss.read(
        path, text_encoding="cp1252", columns={"document": "Dokument", "text": "Satz"}, marks="start",
        ignore_columns=["Nr.", "Kommentar", "Minuten"], remark=silent,
    )  # fmt: skip
    assert starts_of(corpus) == expected()
    assert (corpus["doc01"].units or ())[0] == "Größe 1, “so”"


@needs("excel")
def test_a_workbook_with_a_sheet_per_document(tmp_path: Path) -> None:
    import xlsxwriter

    path = tmp_path / "alle.xlsx"
    book = xlsxwriter.Workbook(path)
    for name in TRUTH:
        page = book.add_worksheet(name)
        page.write_row(0, 0, ["unit", "text", *PEOPLE])
        for number, row in enumerate(rows_of(name), start=1):
            page.write_row(number, 0, [1 if cell == "x" and number % 2 else cell for cell in row])
    book.close()
    corpus = ss.read(path, marks="start", all_sheets=True, remark=silent)
    assert starts_of(corpus) == expected()


def test_a_form(tmp_path: Path) -> None:
    path = tmp_path / "responses.csv"
    with path.open("w", encoding="utf-8", newline="") as stream:
        table = csv.writer(stream)
        table.writerow(
            ["Timestamp", "Your name", "Which text?", "Where does it start?", "Sentences"]
        )
        for name, (n, people) in TRUTH.items():
            for number, coder in enumerate(PEOPLE):
                listed = [", ", ";", " ; ", " "][number % 4].join(map(str, people[coder]))
                table.writerow(
                    [
                        "2026/03/01 10:00:00",
                        coder,
                        name,
                        f"[{listed}]" if number == 4 else listed,
                        n,
                    ]
                )
        table.writerow(["2026/03/09 10:00:00", "Anna", "doc05", "3", TRUTH["doc05"][0]])  # fmt: skip
    columns = {"coder": "Your name", "document": "Which text?", "starts": "Where does it start?",
               "n_units": "Sentences"}  # fmt: skip
    corpus = ss.read(path, columns=columns, duplicates="first", remark=silent)
    assert starts_of(corpus) == expected()


def test_a_folder_per_person(tmp_path: Path) -> None:
    for coder in PEOPLE:
        (tmp_path / coder).mkdir()
        for name, (n, people) in TRUTH.items():
            lines = [
                ("==========\n" if unit in (1, *people[coder]) else "") + f"S {unit}.\n"
                for unit in range(1, n + 1)
            ]
            (tmp_path / coder / f"{name}.ref").write_text("".join([*lines, "==========\n"]))
    assert starts_of(ss.read(sorted(tmp_path.iterdir()))) == expected()


@pytest.mark.parametrize("name", ["all.csv", pytest.param("all.xlsx", marks=needs("excel"))])
def test_our_own_sheet(tmp_path: Path, name: str) -> None:
    corpus = ss.Corpus.from_dict(
        {name: {coder: ss.Segmentation.from_boundaries([unit - 1 for unit in people[coder]], n) for coder in PEOPLE}
         for name, (n, people) in TRUTH.items()},
        units={name: [row[1] for row in rows_of(name)] for name in TRUTH},
    )  # fmt: skip
    ss.write(corpus, tmp_path / name, "sheet")
    assert ss.read(tmp_path / name) == corpus
