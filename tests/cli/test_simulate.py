"""`segscore simulate`, run as users run it: what it writes is what the library draws."""

import json
import re
from collections.abc import Callable

import numpy as np
import pytest

import segscore as ss
from segscore.cli import run

SMALL = ("--segments", 6, "--sizes", "uniform:2:9", "--seed", 3)


Command = Callable[..., str]


@pytest.fixture
def segscore(capsys: pytest.CaptureFixture[str]) -> Command:
    """Run the command in this process, and give what it prints to stdout, or its complaint."""

    def call(*arguments: object, code: int = 0) -> str:
        capsys.readouterr()
        assert run([str(argument) for argument in arguments]) == code
        printed = capsys.readouterr()
        assert (printed.err if code == 0 else printed.out) == ""
        return printed.out if code == 0 else printed.err

    return call


def test_hypotheses_are_those_of_the_library(segscore: Command) -> None:
    options = ("--references", 2, "--hypotheses", 3, "--misses", 0.4, "--false-positives", 0.5)
    printed = segscore("simulate", *SMALL, *options)
    rows = [json.loads(line) for line in printed.splitlines()]
    chance = np.random.default_rng(3)
    refs = ss.simulate.references(ss.simulate.UniformSizes(2, 9), 6, 2, rng=chance)
    errors = ss.simulate.Errors(misses=0.4, false_positives=0.5)
    pairs = ss.simulate.hypotheses(refs, errors, 3, rng=chance)
    assert [row["document"] for row in rows[::2]] == ["1-1", "1-2", "1-3", "2-1", "2-2", "2-3"]
    for index, row in enumerate(rows):
        side = (pairs.hypothesis if index % 2 else pairs.reference)(index // 2)
        assert row["coder"] == ("hypothesis" if index % 2 else "reference")
        assert row["masses"] == side.masses.tolist()


@pytest.mark.parametrize(
    ("sizes", "low", "high"),
    [("closed:4:5", 4, 5), ("uniform:4:6", 4, 5), ("fixed:3", 3, 3), ("geometric:2.5", 1, 99)],
)
def test_sizes(sizes: str, low: int, high: int, segscore: Command) -> None:
    done = segscore("simulate", "--segments", 60, "--hypotheses", 1, "--sizes", sizes)
    masses = json.loads(done.splitlines()[0])["masses"]
    assert low <= min(masses) <= max(masses) <= high
    assert sizes == "fixed:3" or len(set(masses)) > 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--sizes", "uniform:20"], "--sizes is 'uniform:20': expected uniform:20:30"),
        (["--sizes", "normal:3:4"], "--sizes is 'normal:3:4': expected uniform:20:30"),
        (["--sizes", "fixed:x"], "--sizes is 'fixed:x': expected uniform:20:30"),
        (["--sizes", "fixed:2.5"], r"size is 2\.5.*whole number"),
        (["--sizes", "like:nowhere.json"], r"nowhere\.json"),
        (["--misses", "2"], r"misses is 2\.0"),
        (["--segments", "0"], "--segments' / '-n'"),
        (["--references", "0"], "--references'"),
        (["--n-coders", "0"], "--n-coders'"),
        (["--seed", "-1"], "rng is -1: expected 0"),
        (["--to", "gaps"], "--to is 'gaps'.*no file"),
        (["--hypotheses", "1000000"], "expected at most 100000000 segments"),
    ],
)
def test_wrong_input_gets_one_line(arguments: list[str], message: str, segscore: Command) -> None:
    complaint = segscore("simulate", *arguments, code=2)
    assert re.search(message, complaint)
    assert complaint.count("\n") == 1
