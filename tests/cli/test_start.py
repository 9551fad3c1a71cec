"""What `segscore score` of two files imports: nothing that it does not use.

Starting is most of what a small command costs, so modules that are slow to import, and rooms that
scoring has no use for, must stay away.
"""

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
FILES = [str(EXAMPLES / "reference.jsonl"), str(EXAMPLES / "ours.jsonl")]
NOT_NEEDED = (
    # other people's
    "pydantic", "rich", "scipy", "snowballstemmer", "jinja2", "numpy.ma", "pyarrow",
    # of the standard library: a second of networks, mail, XML and plug-ins
    "ssl", "socket", "http.client", "urllib.request", "email", "importlib.metadata", "logging",
    "concurrent.futures", "xml.sax", "xml.parsers.expat", "csv", "_hashlib", "importlib.resources",
    # our own
    "segscore.io.formats.recordings", "segscore.io.formats.table_formats", "segscore.io.table_files",
    "segscore.io.writing", "segscore.metrics.hierarchy",
    "segscore.metrics.label_agreement", "segscore.metrics.segment_matching", "segscore.comparison",
    "segscore.significance", "segscore.coders", "segscore.engines", "segscore.segmenters",
    "segscore.plot", "segscore.pages", "segscore.text.sentences", "segscore.scoring.accumulator",
)  # fmt: skip
SCRIPT = """
import sys
from segscore.cli import run
sys.exit(run(sys.argv[1:]) or print(*sys.modules, sep="\\n", file=sys.stderr))
"""


def loaded(*arguments: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, *arguments], capture_output=True, text=True, check=True
    )
    return set(done.stderr.splitlines())


def test_score_imports_only_what_it_uses() -> None:
    found = loaded("score", *FILES, "--no-check")
    assert {"segscore.metrics.window", "segscore.io.formats.jsonl"} <= found
    assert sorted(found.intersection(NOT_NEEDED)) == []
    assert sorted(loaded("score", *FILES).intersection(NOT_NEEDED)) == []  # checks need no more


ENDING = """
import atexit, gc, os
from segscore_command import main
atexit.register(lambda: print(len(os.listdir("/proc/self/task")), gc.isenabled(), gc.get_freeze_count() > 0))
main()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="threads are counted in /proc")
def test_the_script_starts_no_threads_and_looks_for_no_garbage_in_imports(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Threads that wait for products of matrices cost a short command a seventh of its time."""
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    done = subprocess.run(
        [sys.executable, "-c", ENDING, "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[1] == "1 True True"
