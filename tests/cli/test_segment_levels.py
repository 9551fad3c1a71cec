"""Long work is announced, and followed on a terminal."""

import json
from pathlib import Path

import pytest

from segscore.cli import run

UNITS = ["cat pet", "dog pet", "star sky", "moon sky"] * 3


def test_levels_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "text.txt"
    path.write_text("\n".join(sorted(UNITS)), "utf-8")
    for method in ("bayesseg", "greedy-bayes(levels=2)", "hier-bayes(levels=2)"):
        assert run(["segment", str(path), "--method", method, "-n", "4", "-u", "line"]) == 0
        made = json.loads(capsys.readouterr().out)
        assert made["masses"] == [3, 3, 3, 3]
        assert made.get("ranks", [2, 1, 2]) == [2, 1, 2]
