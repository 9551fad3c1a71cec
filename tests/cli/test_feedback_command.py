"""`segscore feedback`: tables, pages for one person and for several, and what is refused."""

import csv
import io
import json
import re
from pathlib import Path

import pytest

import segscore as ss
from command_line import segscore

cut = ss.Segmentation.from_masses


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


def test_several_people_have_a_row_each(files: Path) -> None:
    done = segscore("feedback", "gold.jsonl", "people.jsonl", "-f", "csv", cwd=files)
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert [(row["coder"], row["documents"], row["match"], row["missed"]) for row in rows] == [
        ("ann", "1", "1", "0"), ("bob/x", "2", "0", "1"),
    ]  # fmt: skip


def test_one_person_has_documents_and_places(files: Path) -> None:
    done = segscore(
        "feedback", "gold.jsonl", "people.jsonl", "--person", "bob/x", "-f", "json", cwd=files
    )
    found = json.loads(done.stdout)
    assert [row["document"] for row in found["documents"]] == ["one", "two", "all"]
    assert [row["verdict"] for row in found["places"]] == ["later", "extra", "missed"]


def test_one_file_may_hold_the_consensus_and_the_people(files: Path) -> None:
    people = ss.read(files / "people.jsonl")
    ss.write(ss.consensus(people), files / "agreed.jsonl")
    parts = [(files / name).read_text("utf-8") for name in ("people.jsonl", "agreed.jsonl")]
    (files / "both.jsonl").write_text("".join(parts), "utf-8")
    alone = segscore("feedback", "both.jsonl", "-f", "csv", cwd=files)
    assert alone.returncode == 0, alone.stderr
    two = segscore("feedback", "agreed.jsonl", "people.jsonl", "-f", "csv", cwd=files)
    named = segscore("feedback", "both.jsonl", "--reference", "consensus", "-f", "csv", cwd=files)
    assert alone.stdout == two.stdout == named.stdout
    assert ss.coders.feedback(files / "both.jsonl", coder="ann").reference == "consensus"


def test_each_gets_a_page(files: Path) -> None:
    done = segscore("feedback", "gold.jsonl", "people.jsonl", "--report", "pages", cwd=files)
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in (files / "pages").iterdir()) == ["ann.html", "bob_x.html"]
    page = (files / "pages" / "bob_x.html").read_text(encoding="utf-8")
    assert "Feedback for bob/x" in page
    assert "baseline" not in page.partition("<main>")[2].partition("<script")[0]
    alone = segscore(
        "feedback", "gold.jsonl", "people.jsonl", "--person", "ann", "-o", "a.html", cwd=files
    )
    assert (alone.returncode, "Feedback for ann" in (files / "a.html").read_text("utf-8")) == (
        0,
        True,
    )


@pytest.mark.parametrize(("options", "message"), [
    (("gold.jsonl",), "no consensus.*expected one consensus"),
    (("gold.jsonl", "people.jsonl", "-o", "all.html"), "there are 2 people"),
    (("gold.jsonl", "people.jsonl", "--person", "eve"), "coder is 'eve'"),
    (("gold.jsonl", "people.jsonl", "--person", "Ann"), r"is 'Ann' \(did you mean 'ann'\?\)"),
    (("people.jsonl", "gold.jsonl"), "document 'one' has 2 codings"),
    (("gold.jsonl", "people.jsonl", "--show", "people", "--show", "places", "-f", "csv"),
     "table.*CSV"),
])  # fmt: skip
def test_what_is_refused(files: Path, options: tuple[str, ...], message: str) -> None:
    done = segscore("feedback", *options, cwd=files)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert re.search(message, done.stderr)


def test_files_of_people_are_told_apart_everywhere(files: Path) -> None:
    """Capitals make no difference to files on macOS and Windows, which has names of devices."""
    alike = {"one": {"Ann": cut([4, 6]), "ann": cut([5, 5])}}
    ss.write(ss.Corpus.from_dict(alike), files / "alike.jsonl")
    done = segscore("feedback", "gold.jsonl", "alike.jsonl", "--report", "pages", cwd=files)
    assert (done.returncode, (files / "pages").exists()) == (2, False)
    assert re.search("two people would", done.stderr)
    devices = {"one": {"con": cut([4, 6]), "Lpt1.x": cut([5, 5])}}
    ss.write(ss.Corpus.from_dict(devices), files / "devices.jsonl")
    done = segscore("feedback", "gold.jsonl", "devices.jsonl", "--report", "pages", cwd=files)
    assert done.returncode == 0
    assert {path.name for path in (files / "pages").iterdir()} == {"con_.html", "Lpt1_.x.html"}
