"""`segscore report` of several sources: people or systems, and who is asked."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import segscore as ss
from command_line import Done, segscore
from segscore.io.format import FORMATS, KEYS

QUICK = ("--resamples", "20", "-o", "page.html")


def source(folder: Path, name: str, coder: str | None = None, kind: str | None = None) -> str:
    masses = {"ann": [4, 6], "bob": [5, 5], "cyd": [4, 3, 3]}
    rows = [
        {"document": document, "masses": masses.get(name, [2, 8])}
        | ({"coder": coder} if coder else {}) | ({"kind": kind} if kind else {})
        for document in ("one", "two")
    ]  # fmt: skip
    path = folder / f"{name}.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path.name


def heading(folder: Path) -> str:
    page = (folder / "page.html").read_text(encoding="utf-8")
    return page.partition("<title>")[2].partition("</title>")[0]


def test_it_asks_where_nothing_says(tmp_path: Path) -> None:
    given = [source(tmp_path, name, name) for name in ("ann", "bob", "cyd")]
    done = segscore("report", *given, *QUICK, cwd=tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "there are 3 sources" in done.stderr
    assert "--as people" in done.stderr
    assert "--as systems" in done.stderr
    assert "--missing" not in done.stderr
    assert not (tmp_path / "page.html").exists()


@pytest.mark.parametrize(("meaning", "title"), [
    ("people", "Agreement among coders"), ("systems", "Systems compared: bob, cyd"),
])  # fmt: skip
def test_either_is_made_on_request(tmp_path: Path, meaning: str, title: str) -> None:
    given = [source(tmp_path, name, name) for name in ("ann", "bob", "cyd")]
    done = segscore("report", *given, "--as", meaning, *QUICK, cwd=tmp_path)
    assert (done.returncode, heading(tmp_path)) == (0, title), done.stderr


@pytest.mark.parametrize(("names", "options", "title"), [
    (("gold", "bob"), (), "Systems compared: bob"),  # a reference by its name
    (("ann", "bob"), ("--reference", "ann"), "Systems compared: bob"),
    (("ann", "bob"), ("-m", "windowdiff"), "Systems compared: bob"),
    (("ann", "bob"), ("-m", "b", "-m", "s"), "Systems compared: bob"),
    (("ann", "bob"), ("--ignore-text",), "Systems compared: bob"),
])  # fmt: skip
def test_names_and_options_decide(
    tmp_path: Path, names: tuple[str, ...], options: tuple[str, ...], title: str
) -> None:
    given = [source(tmp_path, name, name) for name in names]
    done = segscore("report", *given, *options, *QUICK, cwd=tmp_path)
    assert (done.returncode, heading(tmp_path)) == (0, title), done.stderr


@pytest.mark.parametrize(("kinds", "title"), [
    (("person", "person"), "Agreement among coders"),
    (("person", "system"), "Systems compared: bob"),
    (("consensus", None), "Systems compared: bob"),
])  # fmt: skip
def test_kinds_decide(tmp_path: Path, kinds: tuple[str | None, str | None], title: str) -> None:
    given = [
        source(tmp_path, name, name, kind) for name, kind in zip(("ann", "bob"), kinds, strict=True)
    ]
    done = segscore("report", *given, *QUICK, cwd=tmp_path)
    assert (done.returncode, heading(tmp_path)) == (0, title), done.stderr


def test_a_key_that_no_file_uses_is_refused(tmp_path: Path) -> None:
    files = [source(tmp_path, name, name) for name in ("ann", "bob")]
    for command in ("score", "compare", "audit", "check"):
        done = segscore(command, *files, "--read", "layer=x", cwd=tmp_path)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1), command
        assert "ann.jsonl (jsonl): layer is given" in done.stderr
    (tmp_path / "b.rttm").write_text("SPEAKER d 1 0 2 <NA> <NA> x <NA>\n")
    with pytest.raises(ss.SegmentationError, match=r"b\.rttm \(rttm\): marks is given"):
        ss.read(tmp_path / "b.rttm", units="seconds:1", marks="end")


def test_formats_are_listed_with_their_keys() -> None:
    assert re.search("^elan .*layer", segscore("convert", "--list").stdout, re.MULTILINE)
    keys = {key for kind in FORMATS.values() for key in kind.keys.split()}
    assert keys == set(KEYS)


# ---- `segscore report` on a folder of codings and texts ----


CODINGS = "paragraph,an1,an2\n1,1,1\n2,1,2\n3,2,2\n"
THREE = "One is here.\nTwo is here.\nThree is here.\n"
FAST = ("--resamples", 20)


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
    done = segscore("report", folder, "-o", page, *FAST, *options)
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
