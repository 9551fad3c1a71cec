"""`segscore plot`: every kind from files, and what goes wrong in one line."""

import json
from pathlib import Path

import pytest

from command_line import segscore
from needs import needs
from segscore.cli.curve import KINDS

pytestmark = needs("plot")

PAIR = ["--reference", "ann", "--hypothesis", "bob"]
CODINGS = {
    "x": {"ann": [2, 3, 6], "bob": [5, 6], "eve": [2, 2, 7]},
    "y": {"ann": [4, 4], "bob": [3, 5]},
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    rows = [
        {"document": document, "coder": coder, "masses": masses}
        for document, coders in CODINGS.items()
        for coder, masses in coders.items()
    ]
    for name, chosen in {
        "codings": rows,
        "one": [row for row in rows if row["document"] == "x"],
        "ref": [row for row in rows if row["coder"] == "ann"],
        "hyp": [row for row in rows if row["coder"] == "bob"],
    }.items():
        (tmp_path / f"{name}.jsonl").write_text("\n".join(map(json.dumps, chosen)))
    (tmp_path / "table.csv").write_text("P(miss),pk,wd\n0,0,0\n0.5,0.2,\n1,0.4,0.5\n")
    (tmp_path / "levels.jsonl").write_text(
        json.dumps({"document": "x", "coder": "ann", "masses": [2, 3, 4], "ranks": [1, 2]})
    )
    monkeypatch.chdir(tmp_path)
    return tmp_path


ARGUMENTS = {
    "boundaries": ["codings.jsonl", "--document", "x"],
    "support": ["codings.jsonl"],
    "edits": ["codings.jsonl", "--document", "x", *PAIR],
    "windows": ["ref.jsonl", "hyp.jsonl", "--document", "x", "-m", "pk(k=2)"],
    "intervals": ["ref.jsonl", "hyp.jsonl", "-m", "b"],
    "distribution": ["ref.jsonl", "hyp.jsonl", "-m", "windowdiff"],
    "precision-recall": ["ref.jsonl", "mine=hyp.jsonl"],
    "habits": ["codings.jsonl"],
    "clusters": ["one.jsonl", "-m", "s"],
    "per-unit": ["one.jsonl"],
    "matrix": ["codings.jsonl", "-m", "windowdiff"],
    "levels": ["levels.jsonl"],
    "lengths": ["codings.jsonl", "ref.jsonl"],
    "curve": ["table.csv"],
    "sweep": ["codings.jsonl", *PAIR, "--vary", "n_t=1:3"],
}


def test_draws_thresholds(folder: Path) -> None:
    rows = [f"{name},{p},{p % 4}" for name, n in (("x", 11), ("y", 8)) for p in range(1, n)]
    (folder / "scores.csv").write_text("\n".join(["document,position,score", *rows]))
    command = ["plot", "curve", "codings.jsonl", "scores.csv", "--reference", "ann"]
    assert segscore(*command, "-o", "figure.svg").returncode == 0
    drawn = (folder / "figure.svg").read_text()
    assert "threshold" in drawn
    assert all(name in drawn for name in ("f1", "windowdiff"))
    assert segscore(*command, "-m", "pk", "-o", "figure.svg").returncode == 0
    assert "windowdiff" not in (folder / "figure.svg").read_text()
    done = segscore("plot", "curve", "ref.jsonl", "hyp.jsonl", "table.csv", "-o", "x.svg")
    assert (done.returncode, "expected" in done.stderr) == (2, True)


@pytest.mark.parametrize("kind", KINDS.split(", "))
def test_draws_every_kind(kind: str, folder: Path) -> None:
    assert segscore("plot", kind, *ARGUMENTS[kind], "-o", "figure.svg").returncode == 0
    text = (folder / "figure.svg").read_text("utf-8")
    assert text.startswith("<?xml")
    assert len(text) > 3000


WRONG = {
    "boundaries codings.jsonl": "2 documents: expected --document",
    "boundaries codings.jsonl --document z": "'z': expected --document, one of 'x', 'y'",
    "edits one.jsonl": "HYP is missing",
    "edits one.jsonl --reference ann --hypothesis zoe": "--hypothesis, one of 'ann', 'bob', 'eve'",
    "edits one.jsonl one.jsonl one.jsonl": "3 files: expected REF",
    "habits one.jsonl one.jsonl": "2 files: expected one",
    "windows one.jsonl -m b --reference ann --hypothesis bob": "b has no windows",
    "curve word.csv": "word.csv, line 2: ['0', 'much']: expected 2 numbers",
    "curve wide.csv": "wide.csv, line 2: ['1', '2', '3']: expected 2 numbers",
    "curve twice.csv": "twice.csv: expected a row of different names",
    "curve empty.csv": "empty.csv: expected a row",
    "habits nothing.jsonl": "nothing.jsonl",
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_input_is_one_line(case: str, folder: Path) -> None:
    tables = {"word": "x,y\n0,much\n", "wide": "x,y\n1,2,3\n", "twice": "x,y,y\n1,2,3\n"}
    for name, text in (tables | {"empty": ""}).items():
        (folder / f"{name}.csv").write_text(text)
    done = segscore("plot", *case.split(), "-o", "f.png")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert WRONG[case] in done.stderr
    assert not (folder / "f.png").exists()
