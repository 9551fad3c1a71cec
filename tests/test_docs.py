"""The Python examples in docs/ run as they stand."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1] / "docs"
SELF_CONTAINED = ["segmenters.md"]  # the others speak of files that the reader has


@pytest.mark.parametrize("name", SELF_CONTAINED)
def test_examples_run(name: str, tmp_path: Path) -> None:
    text = (DOCS / name).read_text("utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert blocks
    for block in blocks:
        code = "import segscore as ss\n" + block
        subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True, capture_output=True)
