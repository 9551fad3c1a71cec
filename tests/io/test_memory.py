"""A large file goes through in about its own size: measured in a process of its own."""

from pathlib import Path

import pytest

from child_processes import python

CONVERT = "import sys\nfrom segscore.io import convert\nconvert(sys.argv[1], sys.argv[2])"
NOTHING = "import segscore.io\nfrom segscore.io import convert"


@pytest.mark.parametrize("size", [60_000_000, pytest.param(200_000_000, marks=pytest.mark.slow)])
def test_a_large_file_of_jsonl_is_converted_in_little_memory(size: int, tmp_path: Path) -> None:
    source, target = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    text = ",".join(f'"{"word " * 200}{i}"' for i in range(60))
    ones = ",".join(["1"] * 60)
    with source.open("w") as stream:
        written = number = 0
        while written < size:  # a document with its text, then forty of boundaries only
            masses, units = (ones, f',"units":[{text}]') if number % 41 == 0 else ("9,1,50", "")
            number += 1
            written += stream.write(
                f'{{"document":"d{number}","coder":"c","masses":[{masses}]{units}}}\n'
            )
    idle, ended = python(NOTHING), python(CONVERT, source, target)
    assert (ended.code, ended.err) == (0, "")
    assert target.stat().st_size == written
    with source.open("rb") as before, target.open("rb") as after:
        assert all(line == other for line, other in zip(before, after, strict=True))
    assert ended.peak - idle.peak < 40 + size // 1_000_000, f"{idle.peak}, {ended.peak} MB"
