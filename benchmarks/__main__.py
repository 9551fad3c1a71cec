"""Run all benchmarks, or those named: `python -m benchmarks window`.

The tables are also kept in benchmarks/history.jsonl, unless `--no-history` is given.
"""

import platform
import sys
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path

import numpy as np

import segscore as ss
from benchmarks import history
from benchmarks.timing import TABLES

OTHERS = ("__init__", "__main__", "batches", "compare", "history", "timing", "two_commits")
NAMES = sorted(path.stem for path in Path(__file__).parent.glob("*.py") if path.stem not in OTHERS)


def main(chosen: list[str]) -> None:
    """Run, in one process, one after the other."""
    kept = "--no-history" not in chosen
    chosen = [name for name in chosen if name != "--no-history"]
    unknown = [name for name in chosen if name not in NAMES]
    if unknown:
        sys.exit(f"no benchmark {unknown[0]!r}: expected some of {', '.join(NAMES)}")
    print(f"segscore {ss.__version__}, NumPy {np.__version__}, Python {platform.python_version()}")
    yardstick = history.yardstick()
    for name in chosen or NAMES:
        import_module(f"benchmarks.{name}").run()
        yardstick = min(yardstick, history.yardstick())
    if kept:
        history.keep(
            {
                "commit": history.commit(),
                "date": f"{datetime.now(UTC):%Y-%m-%d %H:%M}",
                "machine": history.machine(),
                "load": history.load(),
                "python": platform.python_version(),
                "numpy": np.__version__,
                "yardstick": yardstick,
                "tables": TABLES,
            }
        )


if __name__ == "__main__":
    main(sys.argv[1:])
