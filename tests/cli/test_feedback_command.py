"""`segscore agree --reference CODER --person NAME`: tables, the page of a person, and what is
refused."""

import json
import re
from pathlib import Path

import pytest

import segscore as ss
from command_line import segscore

cut = ss.Segmentation.from_masses
BESIDE = ("agree", "gold.jsonl", "people.jsonl", "--reference", "gold")


@pytest.fixture
def files(tmp_path: Path) -> Path:
    gold = {name: {"gold": cut([4, 6])} for name in ("one", "two")}
    people = {
        "one": {"ann": cut([4, 6]), "bob/x": cut([5, 5])},
        "two": {"bob/x": cut([2, 8])},
    }
    ss.write(ss.Corpus.from_dict(gold), tmp_path / "gold.jsonl")
    ss.write(ss.Corpus.from_dict(people), tmp_path / "people.jsonl")
    return tmp_path


def test_one_file_may_hold_the_consensus_and_the_people(files: Path) -> None:
    people = ss.read(files / "people.jsonl")
    ss.write(ss.consensus(people), files / "agreed.jsonl")
    parts = [(files / name).read_text("utf-8") for name in ("people.jsonl", "agreed.jsonl")]
    (files / "both.jsonl").write_text("".join(parts), "utf-8")
    judged = ("--person", "ann", "-f", "csv")
    alone = segscore("agree", "both.jsonl", *judged, cwd=files)
    assert alone.returncode == 0, alone.stderr
    two = segscore("agree", "agreed.jsonl", "people.jsonl", *judged, cwd=files)
    named = segscore("agree", "both.jsonl", "--reference", "consensus", *judged, cwd=files)
    assert alone.stdout == two.stdout == named.stdout
    of_half = segscore("agree", "people.jsonl", "--reference", "consensus:0.5", *judged, cwd=files)
    assert of_half.stdout == alone.stdout
    assert ss.coders.feedback(files / "both.jsonl", coder="ann").reference == "consensus"


def test_the_page_of_a_person(files: Path) -> None:
    done = segscore(*BESIDE, "--person", "ann", "-o", "a.html", cwd=files)
    assert (done.returncode, done.stdout) == (0, "")
    page = (files / "a.html").read_text(encoding="utf-8")
    assert "Feedback for ann" in page
    assert "baseline" not in page.partition("<main>")[2].partition("<script")[0]


@pytest.mark.parametrize(("options", "message"), [
    (("agree", "people.jsonl", "--person", "ann"), "no consensus.*expected one consensus"),
    ((*BESIDE, "-o", "all.html"), "there are 2 people"),
    ((*BESIDE, "--person", "eve"), "coder is 'eve'"),
    ((*BESIDE, "--person", "Ann"), r"is 'Ann' \(did you mean 'ann'\?\)"),
    ((*BESIDE, "--show", "people", "--show", "places", "-f", "csv"), "table.*CSV"),
    ((*BESIDE, "--show", "matrix"), "--show is 'matrix'"),
])  # fmt: skip
def test_what_is_refused(files: Path, options: tuple[str, ...], message: str) -> None:
    done = segscore(*options, cwd=files)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert re.search(message, done.stderr)


# ---- `segscore adjudicate` ----


CODINGS = {
    "ann": {"d": cut([2, 4, 4]), "e": cut([1, 2])},
    "bob": {"d": cut([3, 3, 4]), "e": cut([1, 2])},
    "cyd": {"d": cut([6, 4]), "e": cut([1, 2])},
}


@pytest.fixture
def people(tmp_path: Path) -> list[Path]:
    """A file for each person."""
    paths = []
    for name, documents in CODINGS.items():
        corpus = ss.Corpus.from_dict({key: {name: coding} for key, coding in documents.items()})
        corpus = corpus.with_details(units={"d": [f"Unit {i}." for i in range(10)]})
        ss.write(corpus, tmp_path / f"{name}.jsonl")
        paths.append(tmp_path / f"{name}.jsonl")
    return paths


def test_the_page(people: list[Path], tmp_path: Path) -> None:
    done = segscore("adjudicate", *people, "-o", tmp_path / "a.html", "--title", "Who is right")
    assert (done.returncode, done.stdout) == (0, "")
    assert "1 of 3 places" in done.stderr
    page = (tmp_path / "a.html").read_text("utf-8")
    assert "Who is right" in page
    assert "<bdi>" in page


def test_gold_is_nobody(people: list[Path], tmp_path: Path) -> None:
    """`agree` counts people alone, also if gold or a consensus is given beside them."""
    rows = [{"document": name, "coder": "gold", "kind": "consensus", "masses": masses}
            for name, masses in (("d", [3, 3, 4]), ("e", [1, 2]))]  # fmt: skip
    (tmp_path / "gold.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    made = segscore("convert", *people, "-o", tmp_path / "consensus.jsonl", "--consensus", "0.5")
    assert made.returncode == 0
    alone = segscore("agree", *people, "--format", "json")
    for other in ("gold.jsonl", "consensus.jsonl"):
        both = segscore("agree", *people, tmp_path / other, "--format", "json")
        assert json.loads(both.stdout) == json.loads(alone.stdout), other


def test_the_output_is_a_page(people: list[Path], tmp_path: Path) -> None:
    done = segscore("adjudicate", *people, "-o", "gold.jsonl", cwd=tmp_path)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert "'gold.jsonl'" in done.stderr
    assert not (tmp_path / "gold.jsonl").exists()
