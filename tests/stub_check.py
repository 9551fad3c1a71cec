"""The stubs of the kernels against the kernels: `python -m tests.stub_check`, part of `make lint`.

mypy's stubtest, without what is the same for every Cython module: its own names, and constants of
functions' default values. Modules that only other kernels call have nothing that Python sees.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

KERNELS = Path(__file__).parents[1] / "src" / "segscore" / "_kernels"
OF_CYTHON = r"""
segscore\._kernels\.\w+\.__test__
segscore\._kernels\.\w+\.__pyx_\w+
segscore\._kernels\.[\w.]+\.__(reduce|setstate)_cython__
"""


def run() -> int:
    """Zero where every stub says what its kernel takes."""
    modules = [f"segscore._kernels.{stub.stem}" for stub in sorted(KERNELS.glob("*.pyi"))]
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as allowed:
        allowed.write(OF_CYTHON)
        allowed.flush()
        command = [sys.executable, "-m", "mypy.stubtest", "--concise", "--ignore-unused-allowlist"]
        command += ["--allowlist", allowed.name, *modules]
        return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    sys.exit(run())
