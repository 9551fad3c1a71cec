"""`segscore agree --reference CODER --person NAME`: tables, the page of a person, and what is
refused."""

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
