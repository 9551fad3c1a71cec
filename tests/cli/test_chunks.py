"""`segscore chunks`: chunks described without a reference, from files."""

import json
import re
from pathlib import Path

import pytest

from command_line import segscore

TEXT = "# Guide\n\nRead this first. It is short.\n\n## Install\n\n- get it\n- run it\n\nDone now. Go on."


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "guide.md").write_text(TEXT, encoding="utf-8")
    at = TEXT.index("## Install")
    (tmp_path / "good.jsonl").write_text(json.dumps({"offsets": [[0, at], [at, len(TEXT)]]}))
    rows = [{"text": TEXT[start : start + 20]} for start in range(0, len(TEXT), 20)]
    (tmp_path / "fixed.jsonl").write_text(
        "".join(json.dumps({"document": "guide.md", **row}) + "\n" for row in rows)
    )
    (tmp_path / "counting.py").write_text("def tokens(text):\n    return text.split()\n")
    return tmp_path


def test_a_row_per_chunker(files: Path) -> None:
    done = segscore("chunks", "guide.md", "good.jsonl", "b=fixed.jsonl", "-f", "json")
    good, fixed = json.loads(done.stdout)
    assert (good["chunker"], fixed["chunker"]) == ("good", "b")
    assert (good["chunks"], good["cuts"], good["in_sentence"], good["in_word"]) == (2, 1, 0, 0)
    assert (fixed["in_sentence"], fixed["in_word"], fixed["in_list"]) == (1, 1, 1)
    assert fixed["max"] == 20


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["guide.md", "none.jsonl"], r"none\.jsonl.*such file or directory"),
        (["guide.md", "good.jsonl", "--tokens", "counting:no"], "counting has no 'no'"),
        (["guide.md", "good.jsonl", "--show", "cut"], "--show is 'cut'.*without --questions"),
        (["guide.md", "good.jsonl", "--fail-under", "whole=0.9"], "need --questions"),
        (["guide.md", "good.jsonl", "--size-in", "tokens"], "expected tokens= beside it"),
        (["guide.md", "good.jsonl", "--encoder", "x"], "expected MODULE:FUNCTION, a folder"),
        (["guide.md", "a=good.jsonl", "a=fixed.jsonl"], "two files of chunks"),
        (["good.jsonl", "good.jsonl"], '"document" and "text" per line'),
        (["fixed.jsonl", "good.jsonl"], r"document 'guide\.md' is there twice"),
        (["none", "good.jsonl"], "such file or directory"),
    ],
)  # fmt: skip
def test_wrong_input_is_one_line(files: Path, given: list[str], message: str) -> None:
    done = segscore("chunks", *given)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert re.search(message, done.stderr)
