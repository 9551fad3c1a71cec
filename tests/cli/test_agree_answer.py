"""`segscore agree` gives the answer first: a verdict and the totals on one screen, whoever coded."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

import segscore as ss
from command_line import segscore
from panels import joined, panel

LINES, COLUMNS = 30, 80


def long_names() -> ss.Corpus:
    """People and documents with long names, some of whom did not code everything."""
    people = panel(3, 12, 6, times={"eve": 4})
    return ss.Corpus.from_dict({
        f"interview with person number {i} on the second of May": {
            f"{coder} of the second group, room 12": coding
            for coder, coding in document.items()
            if coder != "bob" or i % 2
        }
        for i, document in enumerate(people.values())
    })  # fmt: skip


def labelled(n_documents: int = 8) -> ss.Corpus:
    rng = np.random.default_rng(5)
    names = np.array(["story", "talk", "end"])
    return ss.Corpus.from_dict({
        name: {
            coder: coding.with_segment_labels(rng.choice(names, len(coding.masses)).tolist())
            for coder, coding in document.items()
        }
        for name, document in panel(5, n_documents, 3).items()
    })  # fmt: skip


def ranked() -> ss.Corpus:
    rng = np.random.default_rng(7)
    return ss.Corpus.from_dict({
        name: {
            coder: ss.Segmentation.from_boundaries(
                coding.boundaries, coding.n_units, ranks=rng.integers(1, 3, len(coding.boundaries))
            )
            for coder, coding in document.items()
        }
        for name, document in panel(5, 6, 3).items()
    })  # fmt: skip


def grouped(n_groups: int) -> ss.Corpus:
    people = panel(2, 12, 4)
    groups = {name: f"group {i % n_groups}" for i, name in enumerate(people)}
    return people.with_details(groups=groups)


PANELS = {
    "two coders": lambda: panel(1, 12, 2),
    "six coders": lambda: panel(1, 12, 6),
    "thirty documents": lambda: panel(1, 30, 3),
    "one document": lambda: panel(1, 1, 4),
    "somebody deviates": lambda: panel(1, 12, 6, times={"eve": 5, "fay": 4, "ann": 0.1}),
    "labels": labelled,
    "levels": ranked,
    "two groups": lambda: grouped(2),
    "six groups": lambda: grouped(6),
    "long names": long_names,
    "some codings missing": lambda: joined(panel(1, 6, 4), panel(2, 6, 2, prefix="e")),
    "local names": lambda: ss.Corpus.from_dict(dict(panel(1, 6, 3).items()), coders="local"),
}


@pytest.mark.parametrize("name", PANELS)
def test_the_answer_fits_a_screen(name: str, tmp_path: Path) -> None:
    corpus = PANELS[name]()
    ss.write(corpus, tmp_path / "people.jsonl")
    done = segscore(
        "agree", tmp_path / "people.jsonl", "--draws", 50, "--no-check", columns=COLUMNS
    )
    lines = done.stdout.splitlines()
    assert done.returncode == 0, done.stderr
    assert len(lines) <= LINES, done.stdout
    assert max(map(len, lines)) <= COLUMNS
    found = ss.agreement(ss.read(tmp_path / "people.jsonl"), draws=50)
    assert f"Corrected agreement is {found.corrected:.3f}" in lines[1]
    words = " ".join(done.stdout.split())
    assert f"{found.observed:.3f}" in words
    assert f"{found.chance:.3f}" in words
    contested = ss.coders.contested(corpus, None)
    assert f"Contested: {contested.n_all} places" in words
    assert "--per-document" in words
    if len(corpus) > 1:
        worst = min(found.documents.values(), key=lambda document: document.corrected)
        assert f"Lowest agreement: {worst.name[:10]}" in words


def test_those_who_deviate_are_named(tmp_path: Path) -> None:
    ss.write(PANELS["somebody deviates"](), tmp_path / "people.jsonl")
    text = segscore("agree", tmp_path / "people.jsonl", "--draws", 50, "--no-check").stdout
    found = ss.coders.who_deviates(ss.read(tmp_path / "people.jsonl"), draws=50).coders
    lower = [coder.name for coder in found if coder.ci.low > 0]
    assert lower
    assert re.search(rf"^{lower[0]}.* lowers? agreement \(by 0\.", text, re.M)
    assert "times as many boundaries" in text
    two = panel(1, 12, 2)
    assert "With two coders, neither can be said to deviate." in str(ss.agreement(two).summary())


@pytest.fixture
def people(tmp_path: Path) -> Path:
    ss.write(grouped(2), tmp_path / "people.jsonl")
    return tmp_path / "people.jsonl"


def test_a_line_per_document_is_asked_for(people: Path) -> None:
    usual = ("agree", people, "--draws", 20, "--no-check")
    assert not re.search(r"^d11 ", segscore(*usual).stdout, re.M)
    long = segscore(*usual, "--per-document").stdout
    assert long.startswith("Agreement: 4 coders, 12 documents")
    assert re.search(r"^d11 ", long, re.M)
    rows = json.loads(segscore(*usual, "--per-document", "-f", "json").stdout)
    assert [row["name"] for row in rows][-1] == "all"
    by_window = segscore("agree", people, "--no-check", "-m", "wd", "--per-document").stdout
    assert by_window.startswith("Pairs of coders\nPairs of coders reach 0.")
    assert re.search(r"^d11 ", by_window, re.M)


def test_chance_of_tables_without_chance_is_refused(people: Path) -> None:
    done = segscore("agree", people, "--show", "support", "--chance", "lengths")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "--chance" in done.stderr
