"""`segscore agree`, run as users run it."""

import csv
import io
import json
import re
from pathlib import Path

import pytest

import segscore as ss
from segscore.examples import STARGAZER
from test_cli import FORMATS, complaint, segscore


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
    made = json.loads(segscore("agree", codings, "-f", "json", "--group", "g=x,y").stdout)
    assert list(made) == ["agreement", "decisions", "coders", "clusters", "tree", "map"]
    corpus = ss.read(codings)
    whole = made["agreement"][-1]
    ours = ss.agreement(corpus)
    assert whole["pi"] == pytest.approx(ours.pi)
    assert (whole["pi_low"], whole["pi_high"]) == pytest.approx(ours.ci[:2])
    assert [row["level"] for row in made["agreement"]] == ["document"] * 3 + ["group", "whole"]
    assert made["decisions"][-1]["kappa"] == pytest.approx(ss.fleiss_kappa(corpus).value)
    assert made["decisions"][-1]["alpha"] == pytest.approx(ss.krippendorff_alpha(corpus).value)
    assert len(made["coders"]) == len(made["tree"]) == 7
    assert len(made["clusters"]) == 6


@pytest.mark.parametrize("form", FORMATS)
def test_every_format(codings: Path, form: str) -> None:
    done = segscore("agree", codings, "--format", form)
    assert "0.4" in done.stdout
    assert ("CSV holds one table, here agreement" in done.stderr) == (form == "csv")


def test_text_shows_all_there_is(codings: Path) -> None:
    text = segscore("agree", codings, "--system", "3").stdout
    for words in (
        "Agreement among coders",
        "Agreement on yes or no at each place",
        "Coders",
        "Clusters of coders",
        "Who segments like whom",
        "Where coders see boundaries",
        "A system among people",
        "16 of 21 codings exist",
        "No threshold is law",
        "█",
        "┐",
    ):
        assert words in text


def test_csv_holds_one_table(codings: Path, tmp_path: Path) -> None:
    text = segscore("agree", codings, "-f", "csv", "--show", "coders").stdout
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["coder"] for row in rows] == list(STARGAZER)
    target = tmp_path / "out.csv"
    segscore("agree", codings, "-o", target, "--system", "3")
    assert next(csv.DictReader(target.open()))["kind"] == "system"
    complaint("agree", codings, "-f", "csv", "--show", "coders", "--show", "map")


def test_one_table_in_json_is_a_list(codings: Path) -> None:
    rows = json.loads(segscore("agree", codings, "-f", "json", "--show", "map").stdout)
    assert [row["document"] for row in rows] == ["x", "y", "z"]


def test_metric_seed_and_scope(codings: Path) -> None:
    options = ("agree", codings, "-f", "json", "--show", "agreement")
    by_s = json.loads(segscore(*options, "-m", "s").stdout)[-1]
    assert by_s["pi"] == pytest.approx(ss.agreement(ss.read(codings), "s").pi)
    local = json.loads(segscore(*options, "--coders", "local").stdout)[-1]
    assert local["kappa"] is None
    text = segscore("agree", codings, "--coders", "local").stdout
    assert "Clusters" not in text
    trees = json.loads(
        segscore("agree", codings, "-f", "json", "--coders", "local", "--show", "tree").stdout
    )
    assert list(trees) == ["tree x", "tree y", "tree z"]


def test_ends_counted(codings: Path) -> None:
    options = ("agree", codings, "-f", "json", "--show", "decisions")
    ended = json.loads(segscore(*options, "--count-end").stdout)[-1]
    assert ended["kappa"] == pytest.approx(ss.fleiss_kappa(ss.read(codings), count_end=True).value)


def test_complaints(codings: Path, tmp_path: Path) -> None:
    assert "symmetric similarity" in complaint("agree", codings, "-m", "wd")
    assert "needs --system" in complaint("agree", codings, "--show", "system")
    assert "NAME=DOCUMENT" in complaint("agree", codings, "--group", "x")
    assert "system is 'nobody'" in complaint("agree", codings, "--system", "nobody")
    alone = tmp_path / "alone.jsonl"
    alone.write_text('{"document": "d", "coder": "a", "masses": [2, 3]}\n')
    assert re.search("two coders.*'a' alone", complaint("agree", alone))
    assert "nowhere" in complaint("agree", tmp_path / "nowhere")
