"""Run all benchmarks, or those named: `python -m benchmarks window`."""

import platform
import sys
from importlib import import_module
from pathlib import Path

import numpy as np

import segscore as ss

NAMES = sorted(
    path.stem
    for path in Path(__file__).parent.glob("*.py")
    if path.stem not in ("__init__", "__main__", "batches", "timing")
)


def main(chosen: list[str]) -> None:
    """Run, in one process, one after the other."""
    unknown = [name for name in chosen if name not in NAMES]
    if unknown:
        sys.exit(f"no benchmark {unknown[0]!r}: expected some of {', '.join(NAMES)}")
    print(f"segscore {ss.__version__}, NumPy {np.__version__}, Python {platform.python_version()}")
    for name in chosen or NAMES:
        import_module(f"benchmarks.{name}").run()


if __name__ == "__main__":
    main(sys.argv[1:])
