"""Mistakes that newcomers make: each message says what to type instead."""

import re
from pathlib import Path

import pytest

import segscore as ss
from command_line import segscore


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two files, a coder each."""
    for coder, masses in (("ann", [2, 3, 6]), ("bob", [2, 2, 7])):
        coding = {"d1": {coder: ss.Segmentation.from_masses(masses)}}
        ss.write(ss.Corpus.from_dict(coding), tmp_path / f"{coder}.jsonl")
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "remedy"),
    [
        (["score", "ann.jsonl", "bob.jsonl", "-m", "pk,b"], "repeat the option"),
        (["score", "ann.jsonl", "bob.jsonl", "-m", "wd(k=3), b"], "repeat the option"),
        (["compare", "ann.jsonl"], "--reference or --system"),
        (["data", "chio"], "There are list, fetch."),
        (["scroe", "ann.jsonl"], "Did you mean 'score'"),
        (["score", "ann.jsonl", "bob.jsonl", "--map", "boundry=x"], "did you mean 'boundary'?"),
    ],
)
def test_a_message_says_what_to_type(folder: Path, arguments: list[str], remedy: str) -> None:
    done = segscore(*arguments, cwd=folder)
    assert done.returncode == 2
    assert remedy in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_file_per_coder_is_one_corpus(folder: Path) -> None:
    files = [folder / "ann.jsonl", folder / "bob.jsonl"]
    assert list(ss.read(files)["d1"]) == ["ann", "bob"]
    assert "0.750" in segscore("agree", *files, "--show", "agreement").stdout
    assert '"masses": [2, 2, 1, 6]' in segscore("consensus", *files).stdout
    assert "ann" in segscore("agree", files[0], files[0]).stderr  # the same coder twice
    with pytest.raises(ss.SegmentationError, match="empty list"):
        ss.read([])


def test_a_consensus_says_how_much_it_has_of_what_people_mark(tmp_path: Path) -> None:
    cut = ss.Segmentation.from_boundaries
    marks = {"ann": [3, 6, 9], "bob": [3, 7, 10], "cyd": [4, 6, 10], "dan": [4, 7, 9]}
    people = {coder: cut(boundaries, 12) for coder, boundaries in marks.items()}
    corpus = ss.Corpus.from_dict(
        {"d": {**people, "c99": cut([], 12)}, "e": {"ann": cut([1], 2), "bob": cut([], 2)}},
        kinds={"c99": "system"},
    )
    ss.write(corpus, tmp_path / "people.jsonl")
    words = ("consensus", tmp_path / "people.jsonl", "-o", tmp_path / "gold.jsonl", "--at-least")
    remark = r"boundaries.*people have 3\.5"
    done = segscore(*words, "majority")  # two of four are a tie, and no boundary
    assert re.search(f"consensus has 0 {remark}.*it has 0.*--within", done.stderr)
    done = segscore(*words, "majority", "--within", "1")
    assert re.search("consensus has 3.*3", done.stderr)
    assert re.search(f"consensus has 7 {remark}", segscore(*words, "0.5").stderr)
    help_text = " ".join(segscore("consensus", "--help").stdout.split())
    assert "a tie is no boundary" in help_text


def test_a_consensus_of_one_is_told(folder: Path) -> None:
    done = segscore("consensus", folder / "ann.jsonl")
    assert done.returncode == 0
    assert "one coder" in done.stderr


def test_labels_without_marks_name_both_readings() -> None:
    with pytest.raises(ss.SegmentationError, match='marks="end".*marks="start"'):
        ss.Segmentation.from_labels([0, 1, 0])


def test_files_that_name_no_document_and_are_called_differently(tmp_path: Path) -> None:
    """--missing skip would leave nothing: it is no remedy here."""
    for name in ("gold", "c99"):
        (tmp_path / f"{name}.csv").write_text("boundaries,n_units\n2 5,11\n")
    done = segscore("score", tmp_path / "gold.csv", tmp_path / "c99.csv")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert re.search("no document in common.*'gold'.*'c99'", done.stderr)
    assert re.search("give both files", done.stderr)
    assert "--missing skip" not in done.stderr
