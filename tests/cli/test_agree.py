"""`segscore agree`, run as users run it."""

import csv
import io
import json
import re
from pathlib import Path

import numpy as np
import pytest

import segscore as ss
from command_line import segscore
from panels import joined, panel
from segscore.simulate.sample_codings import STARGAZER


def agree(*arguments: object) -> str:
    """What the command prints."""
    done = segscore("agree", *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


def complaint(*arguments: object) -> str:
    """The one line that wrong input gets."""
    done = segscore("agree", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(r"segscore: .*\n", done.stderr)
    return done.stderr


@pytest.fixture
def codings(tmp_path: Path) -> Path:
    """Three copies of Hearst's article, one of them coded by two people only."""
    path = tmp_path / "codings.jsonl"
    rows = [
        {"document": name, "coder": coder, "masses": masses}
        for name in ("x", "y", "z")
        for coder, masses in STARGAZER.items()
        if name != "z" or coder in "12"
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_json_holds_every_table(codings: Path) -> None:
    made = json.loads(agree(codings, "-f", "json"))
    assert list(made) == ["agreement", "decisions", "coders", "clusters", "tree", "map"]
    corpus = ss.read(codings)
    whole = made["agreement"][-1]
    ours = ss.agreement(corpus)
    assert whole["pi"] == pytest.approx(ours.pi)
    assert (whole["pi_low"], whole["pi_high"]) == pytest.approx(ours.ci[:2])
    assert [row["level"] for row in made["agreement"]] == ["document"] * 3 + ["whole"]
    assert made["decisions"][-1]["kappa"] == pytest.approx(ss.coders.fleiss_kappa(corpus).value)
    assert made["decisions"][-1]["alpha"] == pytest.approx(
        ss.coders.krippendorff_alpha(corpus).value
    )
    assert len(made["coders"]) == 7
    assert len(made["clusters"]) == len(made["tree"]) == 6
    clusters = ss.coders.coder_clusters(corpus)
    assert [row["distance"] for row in made["tree"]] == [cluster.height for cluster in clusters]


def test_csv_holds_one_table(codings: Path, tmp_path: Path) -> None:
    text = agree(codings, "-f", "csv", "--show", "coders")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["coder"] for row in rows] == list(STARGAZER)
    target = tmp_path / "out.csv"
    agree(codings, "-o", target, "--system", "3")
    assert next(csv.DictReader(io.StringIO(target.read_text())))["kind"] == "system"
    complaint(codings, "-f", "csv", "--show", "coders", "--show", "map")


def test_complaints(codings: Path, tmp_path: Path) -> None:
    assert "symmetric similarity" in complaint(codings, "-m", "wd", "--show", "agreement")
    assert "system=NAME" in complaint(codings, "--show", "system")
    assert "system is 'nobody'" in complaint(codings, "--system", "nobody")
    alone = tmp_path / "alone.jsonl"
    alone.write_text('{"document": "d", "coder": "a", "masses": [2, 3]}\n')
    assert re.search("two coders.*'a' alone", complaint(alone))
    assert "nowhere" in complaint(tmp_path / "nowhere")


def test_random_coders_and_the_corrected_coefficient(codings: Path) -> None:
    options = (codings, "--show", "agreement", "--draws", "60", "--seed", "3")
    corpus = ss.read(codings)
    for null in ("positions", "lengths"):
        row = json.loads(agree(*options, "--chance", null, "-f", "json"))[-1]
        ours = ss.agreement(corpus, null=null, draws=60, rng=3)
        assert row["chance"] == ours.chance
        assert row["corrected"] == ours.corrected
        assert (row["corrected_low"], row["corrected_high"]) == ours.corrected_ci[:2]
        assert (row["null"], row["draws"], row["seed"]) == (null, 60, 3)
        assert row["chance_error"] == ours.chance_error
    assert "draws is 1" in complaint(*options[:3], "--draws", "1")


# ---- `segscore agree` gives the answer first ----


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
