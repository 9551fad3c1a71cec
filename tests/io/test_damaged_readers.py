"""Files of annotation tools with a few bytes changed: read or refused, never another exception."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given

import segscore as ss
from fuzz.samples import SAMPLES, UNITS_OF_ANSWERS
from io_reading_tools import damaged
from needs import where_needed
from segscore.io import FORMATS
from segscore.io.format import WRITTEN

EXAMPLES = {name: SAMPLES[name] for name in FORMATS.keys() - {*WRITTEN}}


@pytest.mark.parametrize(
    "name", where_needed(sorted(EXAMPLES), {"elan": "readers", "uima-xmi": "readers"})
)
def test_damaged_files_are_read_or_refused(name: str) -> None:
    sample = EXAMPLES[name]
    whole = sample.content

    def read(folder: str, content: bytes) -> ss.Corpus:
        path = Path(folder, f"x{FORMATS[name].suffixes[0]}")
        path.write_bytes(content)
        if name == "brat":
            path.with_suffix(".txt").write_text("a b")
        more: dict[str, Any] = {}
        if name == "llm":
            Path(folder, "units.jsonl").write_text(UNITS_OF_ANSWERS)
            more = {"text": Path(folder, "units.jsonl"), "base": 0, "shape": "starts"}
        if "policy" in FORMATS[name].used_keys:
            more["policy"] = "snap"
        return ss.read(
            path, name, units=sample.units, marks=sample.marks, remark=lambda _: None, **more
        )

    with TemporaryDirectory() as folder:
        assert read(folder, whole.encode())

    @given(damaged(whole.encode()))
    def check(content: bytes) -> None:
        with TemporaryDirectory() as folder:
            try:
                corpus = read(folder, content)
            except ss.SegmentationError as error:
                assert str(error).startswith(str(Path(folder, "x")))  # noqa: PT017
            else:
                ss.write(corpus, Path(folder, "y.jsonl"))
                assert ss.read(Path(folder, "y.jsonl")) == corpus

    check()
