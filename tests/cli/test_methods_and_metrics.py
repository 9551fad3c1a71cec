"""Metrics are given by -m and segmenters by --method: what is mixed up, or does nothing, is told."""

import json
from pathlib import Path

import pytest

from command_line import segscore


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
