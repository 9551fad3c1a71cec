"""`segscore agree`, run as users run it."""

import csv
import io
import json
import re
from pathlib import Path

import pytest

import segscore as ss
from command_line import segscore
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
    (*_, last) = csv.DictReader(io.StringIO(agree(*options, "-f", "csv")))
    assert float(last["corrected"]) == ss.agreement(corpus, draws=60, rng=3).corrected
    text = agree(*options)
    for words in ("corrected", "random coders", "60 draws, seed 3, Monte-Carlo error"):
        assert words in text
    assert "draws is 1" in complaint(*options[:3], "--draws", "1")
