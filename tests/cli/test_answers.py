"""What the command line answers is what the library says: parts, consensus, windows, constants."""

import json
from pathlib import Path

import pytest

import segscore as ss
from command_line import segscore
from segscore.cli import run
from segscore.simulate.sample_codings import STARGAZER

PARTS = ["precision", "recall", "f", "tp", "fp", "fn", "tn"]


@pytest.fixture
def codings(tmp_path: Path) -> Path:
    """Two texts, coded by seven people and a system."""
    path = tmp_path / "codings.jsonl"
    rows = [
        {"document": name, "coder": coder, "masses": masses[::step]}
        for name, step in (("x", 1), ("y", -1))
        for coder, masses in STARGAZER.items()
    ]
    rows += [
        {"document": name, "coder": "sys", "masses": [7, 7, 7], "kind": "system"} for name in "xy"
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def records(*arguments: object) -> list[dict[str, object]]:
    done = segscore(*arguments, "-f", "json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)  # type: ignore[no-any-return]


# ---- parts ----


@pytest.mark.parametrize("metric", ["b", "b(n_t=3)", "winpr", "f1(tolerance=1)"])
@pytest.mark.parametrize("part", PARTS)
def test_parts_are_those_of_the_score(metric: str, part: str) -> None:
    if metric.startswith("f1") and part == "tn":
        pytest.skip("f1 has no true negatives")
    refs = [ss.Segmentation.from_masses(masses) for masses in STARGAZER.values()]
    hyps = refs[1:] + refs[:1]
    whole, part_result = (ss.score(refs, hyps, name) for name in (metric, f"{metric}.{part}"))
    scores = part_result[f"{metric}.{part}"]
    assert float(scores.micro) == whole[metric].micro.parts[part]
    assert scores.values.tolist() == [score.parts[part] for score in whole[metric]]
    assert ss.metric(scores.signature) == ss.metric(f"{metric}.{part}")
    assert str(ss.metric(f"{metric}.{part}")) == f"{metric}.{part}"


# ---- consensus ----


def test_consensus_as_reference(codings: Path, tmp_path: Path) -> None:
    target = tmp_path / "gold.jsonl"
    segscore("convert", codings, "--consensus", "0.5", "-o", target)
    system = tmp_path / "sys.jsonl"
    ss.write(ss.read(codings).select(coders=["sys"]), system)
    once = records("score", target, system, "-m", "b", "--no-check")
    assert once == records(
        "score", codings, system, "-m", "b", "--reference", "consensus:0.5", "--no-check"
    )
    fast = ("-m", "b", "--resamples", "100", "--no-check")
    by_file = records("compare", target, system, *fast)
    assert by_file == records("compare", codings, system, "--reference", "consensus:0.5", *fast)
    assert by_file == records("compare", codings, "--reference", "consensus:0.5", *fast)
    for wrong in ("consensus:x", "consensus:2", "consensus:0.5:x"):
        assert segscore("score", codings, system, "--reference", wrong).returncode == 2


# ---- windows ----


def test_windows(codings: Path) -> None:
    done = segscore(
        "score", codings, "--reference", "1", "-m", "windowdiff", "--show", "windows",
        "-f", "json", "--no-check",
    )  # fmt: skip
    tables = json.loads(done.stdout)
    corpus = ss.read(codings)
    found = ss.metrics.windows(corpus["x"]["1"], corpus["x"]["sys"], "windowdiff")
    rows = tables["sys x windowdiff"]
    assert [(row["first"], row["last"], row["why"]) for row in rows] == [
        (run.first, run.last, run.why) for run in found.penalised
    ]
    none = segscore("score", codings, "--reference", "1", "-m", "b", "--show", "windows")
    assert none.returncode == 2
    assert "needs a window metric" in none.stderr


# ---- agree ----


def agreed(codings: Path, *options: object) -> list[dict[str, object]]:
    return records("agree", codings, *options)


def test_a_document_with_everyone_beside_its_text(tmp_path: Path) -> None:
    units = ["One went out.", "Two came <b>in</b>.", "Three stayed."]
    rows = [
        {"document": "d", "coder": "ann", "masses": [1, 2], "units": units},
        {"document": "d", "coder": "bob", "masses": [2, 1]},
    ]
    path = tmp_path / "c.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    text = segscore("agree", path, "--document", "d").stdout
    assert "1  One went out." in text
    assert "█·" in text
    found = agreed(path, "--document", "d")
    assert [row["coder ann"] for row in found] == [True, False, None]
    assert found[1]["text"] == units[1]
    near = segscore("agree", path, "--contested", "20").stdout
    assert "Two came <b>in</b>." in near
    missing = segscore("agree", path, "--document", "e")
    assert (missing.returncode, "no document is called 'e'" in missing.stderr) == (2, True)


# ---- metrics are given by -m and segmenters by --method ----


def test_parts_of_a_score_say_what_they_are(tmp_path: Path) -> None:
    """Counts had four decimals, each row the ratio, and nothing said how `ci` was made."""
    pairs = {"ref": ([9, 7, 9, 9], [4, 9, 7, 6]), "hyp": ([9, 7, 8, 10], [4, 9, 13])}
    for name, codings in pairs.items():
        rows = [
            json.dumps({"document": f"d{i}", "masses": masses}) for i, masses in enumerate(codings)
        ]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(rows))
    files = ("score", tmp_path / "ref.jsonl", tmp_path / "hyp.jsonl", "--show", "parts")
    text = segscore(*files, "-m", "f1", "-m", "b").stdout
    lines = {tuple(line.split()[:2]): line.split()[2:] for line in text.splitlines()}
    assert lines["f1¹", "tp"] == ["4"]  # and no ratio
    assert lines["f1¹", "precision"] == ["0.8000"]
    assert lines["b²", "n_pairs"] == ["6"]
    unwrapped = " ".join(text.split())
    assert "95 % by Student's t over pairs of boundaries (n_pairs), as papers print it" in unwrapped
    assert unwrapped.count("ratio 0.83: boundaries of the hypothesis") == 1
    (row,) = (
        record for record in json.loads(segscore(*files, "-m", "f1", "-f", "json").stdout)
        if record["part"] == "tp"
    )  # fmt: skip
    assert (row["micro"], row["ratio"]) == (4, pytest.approx(5 / 6))


# ---- long work is announced, and followed on a terminal ----


UNITS = ["cat pet", "dog pet", "star sky", "moon sky"] * 3


def test_levels_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "text.txt"
    path.write_text("\n".join(sorted(UNITS)), "utf-8")
    for method in ("bayesseg", "greedy-bayes(levels=2)", "hier-bayes(levels=2)"):
        assert run(["segment", str(path), "--method", method, "-n", "4", "-u", "line"]) == 0
        made = json.loads(capsys.readouterr().out)
        assert made["masses"] == [3, 3, 3, 3]
        assert made.get("ranks", [2, 1, 2]) == [2, 1, 2]
