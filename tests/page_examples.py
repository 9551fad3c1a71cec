"""The Python examples of a page in a process of its own: what other tests import or set is no help."""

import json
import subprocess
import sys
from pathlib import Path

_RUN = """
import json, sys
import segscore as ss
for block in json.load(sys.stdin):
    exec(compile(block, sys.argv[1], "exec"), {"ss": ss})
"""


def run_examples(page: str, blocks: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the blocks of a page one after the other in a folder; none sees the names of another.

    Our warnings are errors, as they are under pytest.
    """
    return subprocess.run(
        [sys.executable, "-X", "utf8", "-W", "error::UserWarning", "-c", _RUN, page],
        input=json.dumps(blocks),
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
