"""Memory does not grow with the number of rows."""

import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
WRITE = """
import sys
from pathlib import Path
from benchmarks.engines import write_documents
write_documents(Path(sys.argv[1]), int(sys.argv[2]))
"""
COMPARE = """
import resource, sys
from segscore.cli import run
columns = ["--read", "reference=ref", "--read", "n-units=n", "--read", "document=doc"]
assert run(["compare", sys.argv[1], *columns, "--read", "systems=hyp,ref", "-m", "pk", "-m", "b"]) == 0
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""


def run(code: str, *arguments: object) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        cwd=PROJECT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stdout


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs the resource module")
def test_two_million_rows_are_compared_in_300_megabytes(tmp_path: Path) -> None:
    path = tmp_path / "documents.parquet"
    run(WRITE, path, 2_000_000)
    table = run(COMPARE, path)
    assert "2000000 documents" in table
    assert int(table.splitlines()[-1]) <= 300
