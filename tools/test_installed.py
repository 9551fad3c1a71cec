"""Run the test suite against the segscore that is installed, not against the sources beside it.

    python tools/test_installed.py [pytest arguments]

Tests, docs and settings are copied to a folder of their own, without `src`, so that `import
segscore` finds the installed package.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# and all *.md, *.cff
COPIED = ("tests", "docs", "benchmarks", "tools", "pyproject.toml", "MANIFEST.in")


def main() -> int:
    """Copy what tests need, run them, give pytest's exit code."""
    with tempfile.TemporaryDirectory(prefix="segscore-installed-") as folder:
        place = Path(folder) / "segscore"
        place.mkdir()
        pages = [path.name for path in ROOT.iterdir() if path.suffix in (".md", ".cff")]
        for name in (*COPIED, *pages):
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, place / name, ignore=shutil.ignore_patterns("__pycache__"))
            elif source.exists():
                shutil.copy(source, place / name)
        data = ROOT.parent / "shared" / "data"
        environment = dict(os.environ)
        if data.is_dir():
            environment.setdefault("SEGSCORE_DATA", str(data))
        environment.pop("PYTHONPATH", None)
        where = subprocess.run(
            [sys.executable, "-c", "import segscore; print(segscore.__file__)"],
            cwd=place, env=environment, capture_output=True, text=True, check=True,
        ).stdout.strip()  # fmt: skip
        if Path(where).is_relative_to(ROOT / "src"):
            sys.exit(f"segscore comes from {where}: install a wheel, not an editable copy")
        print(f"testing {where}", flush=True)
        arguments = sys.argv[1:] or ["-q"]
        command = [sys.executable, "-m", "pytest", "-o", "testpaths=tests", *arguments]
        return subprocess.run(command, cwd=place, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
