"""Label Studio, doccano and brat."""

import re
from pathlib import Path

import pytest

from io_reading_tools import fields, message

TEXT = "Hi 😀. First topic.\nSecond topic."
SENTENCES = ["Hi 😀.", "First topic.", "Second topic."]
CODING = {"masses": [2, 1], "units": SENTENCES, "segment_labels": ["A", "B"]}


# ---- brat ----


def brat(tmp_path: Path, ann: str, text: str = TEXT) -> Path:
    (tmp_path / "x.txt").write_bytes(text.encode())
    path = tmp_path / "x.ann"
    path.write_bytes(ann.encode())
    return path


def test_brat(tmp_path: Path) -> None:
    ann = (
        "T1\tA 0 5;6 18\tHi 😀. First topic.\nT2\tB 19 32\tSecond topic.\nA1\tLevel T1 2\n"
        "#1\tAnnotatorNotes T1\ta note\nR1\tNext Arg1:T1 Arg2:T2\nE1\tB:T2\n*\tEquiv T1 T2\n"
    )
    path = brat(tmp_path, ann)
    assert fields(path, units="sentences") == [{"document": "x", "coder": "x", **CODING}]
    assert fields(tmp_path, units="sentences")[0]["coder"] == tmp_path.name
    assert fields(path, units="sentences", layer="B", policy="keep-start")[0]["masses"] == [3]
    # each character of a line end counts
    text = TEXT.replace("\n", "\r\n")
    path = brat(tmp_path, "T1\tA 0 18;20 33\tHi 😀. First topic. Second topic.\r\n", text)
    assert fields(path, units="lines")[0]["masses"] == [2]


@pytest.mark.parametrize(
    ("ann", "expected"),
    [
        ("hello\n", "line 1.*'hello'.*annotation"),
        ("T1\tA 0 99\tx\n", "line 1.*T1.*0 99.*offsets in order"),
        ("T1\tA 0 2\tHa\n", "line 1.*T1: 0 2.*text.*'Hi'.*'Ha'"),
        ("T1\tA 0 18\n", "document 'x'.*coder 'x'.*unit 3.*no span.*spans that fit"),
    ],
)  # fmt: skip
def test_brat_malformed(ann: str, expected: str, tmp_path: Path) -> None:
    assert re.search(expected, message(brat(tmp_path, ann), "brat", units="sentences"))


def test_brat_without_its_text(tmp_path: Path) -> None:
    path = brat(tmp_path, "T1\tA 0 2\tHi\n")
    (tmp_path / "x.txt").unlink()
    assert re.search(r"x\.ann.*text is missing", message(path, units="lines"))
