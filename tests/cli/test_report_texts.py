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
