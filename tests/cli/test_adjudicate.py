"""`segscore adjudicate`: the page, and what the command says about it."""

import json
from pathlib import Path

import pytest

import segscore as ss
from command_line import segscore

cut = ss.Segmentation.from_masses
CODINGS = {
    "ann": {"d": cut([2, 4, 4]), "e": cut([1, 2])},
    "bob": {"d": cut([3, 3, 4]), "e": cut([1, 2])},
    "cyd": {"d": cut([6, 4]), "e": cut([1, 2])},
}


@pytest.fixture
def codings(tmp_path: Path) -> list[Path]:
    """A file for each person."""
    paths = []
    for name, documents in CODINGS.items():
        corpus = ss.Corpus.from_dict({key: {name: coding} for key, coding in documents.items()})
        corpus = corpus.with_details(units={"d": [f"Unit {i}." for i in range(10)]})
        ss.write(corpus, tmp_path / f"{name}.jsonl")
        paths.append(tmp_path / f"{name}.jsonl")
    return paths


def test_the_page(codings: list[Path], tmp_path: Path) -> None:
    done = segscore("adjudicate", *codings, "-o", tmp_path / "a.html", "--title", "Who is right")
    assert (done.returncode, done.stdout) == (0, "")
    assert "1 of 3 places" in done.stderr
    page = (tmp_path / "a.html").read_text("utf-8")
    assert "Who is right" in page
    assert "<bdi>" in page


def test_gold_is_nobody(codings: list[Path], tmp_path: Path) -> None:
    """`agree` counts people alone, also if gold or a consensus is given beside them."""
    rows = [{"document": name, "coder": "gold", "kind": "consensus", "masses": masses}
            for name, masses in (("d", [3, 3, 4]), ("e", [1, 2]))]  # fmt: skip
    (tmp_path / "gold.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    made = segscore("convert", *codings, "-o", tmp_path / "consensus.jsonl", "--consensus", "0.5")
    assert made.returncode == 0
    alone = segscore("agree", *codings, "--format", "json")
    for other in ("gold.jsonl", "consensus.jsonl"):
        both = segscore("agree", *codings, tmp_path / other, "--format", "json")
        assert json.loads(both.stdout) == json.loads(alone.stdout), other


def test_the_output_is_a_page(codings: list[Path], tmp_path: Path) -> None:
    done = segscore("adjudicate", *codings, "-o", "gold.jsonl", cwd=tmp_path)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert "'gold.jsonl'" in done.stderr
    assert not (tmp_path / "gold.jsonl").exists()
