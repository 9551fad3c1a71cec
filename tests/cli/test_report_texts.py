"""`segscore report` on a folder of codings and texts: which texts are taken, and what is said."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from command_line import Done, segscore

CODINGS = "paragraph,an1,an2\n1,1,1\n2,1,2\n3,2,2\n"
THREE = "One is here.\nTwo is here.\nThree is here.\n"
QUICK = ("--resamples", 20)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("ch1", "ch2"):
        for inside, suffix, content in (("cut", "csv", CODINGS), ("text", "txt", THREE)):
            (tmp_path / inside).mkdir(exist_ok=True)
            (tmp_path / inside / f"{name}.{suffix}").write_text(content)
    return tmp_path


def written(folder: Path, *options: object) -> tuple[Done, dict[str, Any]]:
    """What the command said, and the texts of each document of the page."""
    page = folder / "page.html"
    done = segscore("report", folder, "-o", page, *QUICK, *options)
    assert done.returncode == 0, done.stderr
    held = re.search(r'id="data">(.*?)</script>', page.read_text("utf-8"))
    assert held is not None
    documents = json.loads(held[1])["documents"]
    return done, {document["name"]: document.get("text") for document in documents}


def test_texts_that_fit_are_taken(folder: Path) -> None:
    done, texts = written(folder)
    lines = THREE.splitlines()
    assert texts == {"cut/ch1": lines, "cut/ch2": lines}
    assert re.search("took the texts.*2 documents", done.stderr.splitlines()[0])  # fmt: skip


def test_a_text_that_does_not_fit_is_left_out_and_told(folder: Path) -> None:
    text = folder / "text" / "ch2.txt"
    text.write_text(f"{THREE}Four.\n")
    done, texts = written(folder)
    assert texts == {"cut/ch1": THREE.splitlines(), "cut/ch2": None}
    assert re.search(f"1.*2 documents.*{text} has 4.*3 units", done.stderr.splitlines()[0])


def test_the_rule_that_would_fit_is_named_and_then_used(folder: Path) -> None:
    for name in ("ch1", "ch2"):
        (folder / "text" / f"{name}.txt").write_text(
            "One\nis here.\n\nTwo.\n\n\nThree.\nAnd so on."
        )
    done, texts = written(folder)
    assert texts == {"cut/ch1": None, "cut/ch2": None}
    first = folder / "text" / "ch1.txt"
    assert re.search(f"{first} has 5.*3 units.*units=", done.stderr.splitlines()[0])
    done, texts = written(folder, "--units", "paragraphs")
    assert texts["cut/ch2"] == ["One is here.", "Two.", "Three. And so on."]
    assert "not used" not in done.stderr


def test_texts_in_another_encoding(folder: Path) -> None:
    (folder / "text" / "ch2.txt").unlink()
    (folder / "text" / "ch1.txt").write_bytes("Eins.\nZw\xf6lf.\nDrei.\n".encode("cp1252"))
    done, texts = written(folder)
    assert set(texts.values()) == {None}
    assert re.search(r"ch1\.txt.*line 2.*0xf6.*utf-8.*encoding=", done.stderr)
    _, texts = written(folder, "--read", "text-encoding=cp1252")
    assert texts["cut/ch1"] == ["Eins.", "Zwölf.", "Drei."]


def test_texts_of_another_folder(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (folder / "text").rename(elsewhere / "text")
    done, texts = written(folder)
    assert set(texts.values()) == {None}
    assert done.stderr == f"wrote {folder / 'page.html'}\n"  # there are none to speak of
    done, texts = written(folder, "--text", elsewhere)
    assert texts["cut/ch1"] == THREE.splitlines()
    assert "not used" not in done.stderr
    (elsewhere / "text" / "ch1.txt").rename(elsewhere / "text" / "one.md")
    (elsewhere / "text" / "ch2.txt").rename(elsewhere / "text" / "two.txt")
    done, texts = written(folder, "--text", elsewhere)
    assert set(texts.values()) == {None}
    assert re.search(r"two\.txt.*name of no document.*'cut/ch1'", done.stderr)
    (elsewhere / "text" / "two.txt").unlink()
    done = segscore("report", folder, "-o", folder / "page.html", "--text", elsewhere)
    assert done.returncode == 2
    assert re.search("no file with suffix", done.stderr)


def test_one_text_for_one_document_may_have_any_name(folder: Path) -> None:
    (folder / "cut" / "ch2.csv").unlink()
    text = (folder / "text" / "ch2.txt").rename(folder / "poem.txt")
    done, texts = written(folder, "--text", text)
    assert texts == {"cut/ch1": THREE.splitlines()}
    assert re.search("took the text", done.stderr)


def test_names_that_several_share_belong_to_nobody(folder: Path) -> None:
    (folder / "cut" / "more").mkdir()
    (folder / "cut" / "more" / "ch1.csv").write_text(CODINGS)
    _, texts = written(folder)
    assert texts == {"cut/ch2": THREE.splitlines(), "cut/ch1": None, "cut/more/ch1": None}


def test_texts_that_a_system_knows_are_not_taken(folder: Path) -> None:
    system = folder.parent / f"{folder.name}.jsonl"
    rows = [
        {"document": f"cut/{name}", "coder": "mine", "masses": [1, 2], "units": ["1.", "2.", "3."]}
        for name in ("ch1", "ch2")
    ]
    system.write_text("".join(json.dumps(row) + "\n" for row in rows))
    done, texts = written(folder, system, "--as", "systems")
    assert texts == {"cut/ch1": ["1.", "2.", "3."], "cut/ch2": ["1.", "2.", "3."]}
    assert "took" not in done.stderr


@pytest.mark.parametrize(
    ("method", "counts"),
    [("none", "2 documents, 0 boundaries"), ("all", "2 documents, 4 boundaries")],
)
def test_segment_says_what_it_wrote(folder: Path, method: str, counts: str) -> None:
    out = folder / "out.jsonl"
    done = segscore("segment", folder / "text", "--method", method, "-u", "lines", "-o", out)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", f"wrote {out}: {counts}\n")
    done = segscore("segment", folder / "text", "--method", method, "-u", "lines")
    assert done.stderr == ""


def test_texts_that_do_not_exist(folder: Path) -> None:
    done = segscore("report", folder / "cut", "-o", folder / "x.html", "--text", folder / "nope")
    assert done.returncode == 2
    assert re.search("does not exist", done.stderr)
