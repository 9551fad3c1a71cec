"""An option that a command does not have: the message says what to type in its place."""

from pathlib import Path

import pytest

from segscore.cli import run

HINTS = [
    ("compare a b --fail-under b=0.5", "segscore score and segscore evidence have it"),
    ("compare a b --fail-under b=0.5", "compare has --fail-if-worse"),
    ("agree a --fail-under b=0.5", "segscore score and segscore evidence have it"),
    ("score a b --contested 3", "; segscore agree has it"),
    ("score a b --tolerance 5", '; it is a parameter of metrics: -m "f1(tolerance=5)"'),
    ("score a b -m multf1 --tolerance=5", '-m "multf1(tolerance=5)"'),
    ("score a b --seed 3", "segscore compare, segscore agree, "),
    ("compare a b --no-ci", "; did you mean --no-intervals?"),
    ("feedback a b --coder eve", "; did you mean --person CODER?"),
    ("score a b --system bert", "; segscore compare, "),
    ("sweep a b --parameter k --values 2,3", "; did you mean --parameter NAME=VALUES?"),
    ("score a b --lattex", "; did you mean --format latex?"),
    ("score a b --formt csv", "; did you mean --format?"),
]


@pytest.mark.parametrize(("line", "hint"), HINTS)
def test_what_to_type_in_its_place(
    line: str, hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(line.split()) == 2
    stderr = capsys.readouterr().err
    assert stderr.startswith("segscore: No such option: --")
    assert hint in stderr
    assert stderr.count("\n") == 1


@pytest.mark.parametrize("line", ["score a b --zzz", "demo --loud"])
def test_nothing_far_away_is_suggested(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(line.split()) == 2
    option = line.rsplit(maxsplit=1)[-1]
    assert capsys.readouterr().err == f"segscore: No such option: {option}\n"


def test_a_settings_file_gets_the_same_hint(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "s.toml"
    path.write_text('[compare]\nfail-under = ["b=0.5"]\n', "utf-8")
    assert run(["compare", "a", "b", "--config", str(path)]) == 2
    assert capsys.readouterr().err.endswith(
        "'fail-under' is not an option of this command; segscore score and segscore evidence have it\n"
    )
