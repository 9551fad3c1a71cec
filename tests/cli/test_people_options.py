"""Options about people's files: in every command that reads codings, and what they do there."""

import re
from pathlib import Path

import pytest

import segscore as ss
from command_line import segscore

SHEET = """document;unit;Anna B.;bob;cy;comment
d1;1;;;;
;2;x;X;;see p. 3
;3;;;x;
d2;1;;;;
;2;;x;x;
;3;x;;;
"""


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    path = tmp_path / "sheet.csv"
    path.write_bytes(SHEET.replace("see", "§").encode("cp1252"))
    return path


def test_a_sheet_becomes_codings(sheet: Path, tmp_path: Path) -> None:
    done = segscore("convert", sheet, tmp_path / "c.jsonl", "--read", "marks=start")
    assert (done.returncode, done.stdout) == (2, "")
    assert "encoding=" in done.stderr
    options = ["--read", "marks=start", "--read", "text-encoding=cp1252"]
    done = segscore("convert", sheet, tmp_path / "c.jsonl", *options)
    assert "ignore_columns=comment" in done.stderr
    done = segscore(
        "convert", sheet, tmp_path / "c.jsonl", *options, "--read", "ignore-columns=comment",
        "--read", "rename=Anna B.=ann", "--read", "without-coders=cy",
    )  # fmt: skip
    assert done.returncode == 0
    assert re.search(f"{sheet}.*'x'.*6.*12", done.stderr)
    corpus = ss.read(tmp_path / "c.jsonl")
    assert {name: {c: s.masses.tolist() for c, s in document.items()} for name, document in corpus.items()} == {
        "d1": {"ann": [1, 2], "bob": [1, 2]}, "d2": {"ann": [2, 1], "bob": [1, 2]}
    }  # fmt: skip


def test_names_and_labels_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    path.write_text('{"document":"d","coder":"A","masses":[1,1],"segment_labels":["Récit","dialog"]}\n',
                    encoding="utf-8")  # fmt: skip
    labels = tmp_path / "labels.csv"
    labels.write_text("old,new\nRécit,narration\n", encoding="utf-8")
    done = segscore(
        "convert", path, tmp_path / "o.jsonl", "--read", f"rename-labels={labels}",
        "--read", "rename-labels=dialog=dialogue", "--read", "rename=A=ann",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert ss.read(tmp_path / "o.jsonl")["d"]["ann"].segment_labels == ("narration", "dialogue")
    for wrong, message in (
        ("Récit", "no such file"),
        ("=x", "rename_labels.*'=x'.*OLD=NEW"),
        ("recit=x", "no label 'recit'"),
    ):
        done = segscore("convert", path, tmp_path / "p.jsonl", "--read", f"rename-labels={wrong}")
        assert done.returncode == 2
        assert re.search(message, done.stderr)
        assert not (tmp_path / "p.jsonl").exists()
