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
SCORE = """
import resource, sys
from segscore.scoring.accumulator import Accumulator
from segscore.engines.arrow import Layout, accumulate
from segscore.engines.parquet import open_batches
total = Accumulator("windowdiff", buckets=4096)
layout = Layout("ref", "hyp", "n", "doc")
accumulate(total, open_batches(sys.argv[1], layout.columns), layout)
assert total.n_documents == int(sys.argv[2])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""


def run(code: str, *arguments: object) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs the resource module")
def test_ten_million_rows_in_400_megabytes(tmp_path: Path) -> None:
    path = tmp_path / "documents.parquet"
    run(WRITE, path, 10_000_000)
    assert int(run(SCORE, path, 10_000_000)) <= 400
