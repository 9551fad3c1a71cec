"""Kernels on machines that we do not have: compiled for six, run as WebAssembly and under QEMU.

They fetch compilers and packages, and take minutes: with --full only. Without vectors, as MSVC makes
them, kernels are tested by `make portable` in each run of continuous integration.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TOOLS = Path(__file__).parents[2] / "tools" / "machines"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not TOOLS.is_dir(), reason="the tools are not here"),
]


@pytest.mark.parametrize("name", ["cross_compile", "webassembly", "aarch64"])
def test_kernels(name: str, tmp_path: Path) -> None:
    folder = Path(
        os.environ.get("SEGSCORE_MACHINES", tmp_path)
    )  # what is fetched can be kept there
    command = [sys.executable, str(TOOLS / f"{name}.py"), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if "Skipped:" in done.stdout:
        pytest.skip(done.stdout.strip())
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
