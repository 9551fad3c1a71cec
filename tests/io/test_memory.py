"""A large file goes through in little memory: measured in a process of its own."""

import subprocess
import sys
from pathlib import Path

import pytest

SIZE = 200_000_000
CONVERT = """
import resource, sys
import segscore
from segscore.io import convert
unit = 1 if sys.platform == "darwin" else 1024
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
convert(sys.argv[1], sys.argv[2])
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * unit)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no resource module")
def test_200_megabytes_of_jsonl_are_converted_in_150(tmp_path: Path) -> None:
    source, target = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    text = ",".join(f'"{"word " * 200}{i}"' for i in range(60))
    ones = ",".join(["1"] * 60)
    with source.open("w") as stream:
        written = number = 0
        while written < SIZE:  # a document with its text, then forty of boundaries only
            masses, units = (ones, f',"units":[{text}]') if number % 41 == 0 else ("9,1,50", "")
            number += 1
            written += stream.write(
                f'{{"document":"d{number}","coder":"c","masses":[{masses}]{units}}}\n'
            )
    run = subprocess.run(
        [sys.executable, "-c", CONVERT, source, target], capture_output=True, text=True, check=True
    )
    assert target.stat().st_size == written
    with source.open("rb") as before, target.open("rb") as after:
        assert all(one == other for one, other in zip(before, after, strict=True))
    assert int(run.stdout) <= 150_000_000, f"{int(run.stdout) >> 20} MiB for {number} documents"
