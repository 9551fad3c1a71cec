"""Files that are wrong: each is refused with its name, and with the tokens of the table.

Add a row to `refused_files.json` per mistake: the format, the name of the file, what it holds
(`latin-1` for bytes that are not UTF-8), the options of `read`, and the tokens of the message, as
regular expressions.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import segscore as ss
from io_reading_tools import written
from needs import needs
from segscore.io import convert, read_columns

XML = ("elan", "uima-xmi")
REFUSED = [
    pytest.param(case, marks=needs("readers")) if case["format"] in XML else case
    for case in json.loads(Path(__file__).with_name("refused_files.json").read_text("utf-8"))
]


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: f"{case['format']} {case['tokens']}")
def test_malformed_files_are_refused_with_the_place(case: dict[str, Any], tmp_path: Path) -> None:
    content = case["latin-1"].encode("latin-1") if "latin-1" in case else case["content"].encode()
    path = written(tmp_path, case["file"], content)
    readers: list[Any] = [lambda path: ss.read(path, case["format"], **case["options"])]
    if case["format"] == "jsonl":  # which has ways of its own
        readers += [read_columns, lambda path: convert(path, tmp_path / "y.jsonl")]
    for read in readers:
        with pytest.raises(ss.SegmentationError) as error:
            read(path)
        assert all(re.search(token, str(error.value)) for token in case["tokens"])
        assert str(path) in str(error.value) or "units" in str(error.value)
    assert list(tmp_path.iterdir()) == [path]
