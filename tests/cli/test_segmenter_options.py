"""Long work is announced, and followed on a terminal."""

import json
import re
import sys
import warnings
from pathlib import Path

import pytest

from segscore.cli import run, segmenter_options
from segscore.segmenters import C99, HierBayes

UNITS = ["cat pet", "dog pet", "star sky", "moon sky"] * 3


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything is long work."""
    monkeypatch.setattr(segmenter_options, "_WORTH_A_WORD", 0.0)
    monkeypatch.setattr("segscore.segmenters.hier_bayes.LONG", 0.0)


def test_short_work_needs_no_word(capsys: pytest.CaptureFixture[str]) -> None:
    for segmenter in (C99(), HierBayes()):
        assert segmenter_options.announced(segmenter, [UNITS]) is segmenter
    assert capsys.readouterr().err == ""


@pytest.mark.usefixtures("slow")
def test_long_work_is_announced_once(capsys: pytest.CaptureFixture[str]) -> None:
    made = segmenter_options.announced(HierBayes(), [UNITS, UNITS])
    assert re.search("2 documents.*0 seconds", capsys.readouterr().err)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert made(UNITS, 3).n_segments == 3
    assert segmenter_options.announced(HierBayes(rounds=10**7), [UNITS])(UNITS, 3) == made(UNITS, 3)
    assert "1 document may take" in capsys.readouterr().err
    assert HierBayes().expected_seconds(["word " * 10**5]) == 0  # a single unit is not cut


@pytest.mark.usefixtures("slow")
def test_a_bar_on_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    made = segmenter_options.announced(HierBayes(), [UNITS])
    assert made(UNITS, 3) == HierBayes(progress=lambda now: None)(UNITS, 3)
    assert "hier-bayes" in capsys.readouterr().err.split("on one core\n")[1]


def test_levels_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "text.txt"
    path.write_text("\n".join(sorted(UNITS)), "utf-8")
    for method in ("bayesseg", "greedy-bayes(levels=2)", "hier-bayes(levels=2)"):
        assert run(["segment", str(path), "--method", method, "-n", "4", "-u", "line"]) == 0
        made = json.loads(capsys.readouterr().out)
        assert made["masses"] == [3, 3, 3, 3]
        assert made.get("ranks", [2, 1, 2]) == [2, 1, 2]
