"""The tables of each run, kept in benchmarks/history.jsonl: one line per run, with its commit and
the machine.

Times of two runs are comparable only on one machine, and even there its speed changes: each run
also times a fixed piece of work (`yardstick`), and comparisons divide by it.
"""

import json
import os
import platform
import re
import subprocess
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

FILE = Path(__file__).with_name("history.jsonl")
SECONDS = {"ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1.0}
_TIME = re.compile(r"([\d,]*\.?\d+) (ns|µs|ms|s)")

Run = dict[str, Any]  # one line of the file


def seconds_of(cell: str) -> float | None:
    """The time that a cell of a table states; None if it states none.

    >>> seconds_of("1,059 ms"), seconds_of("103 ns"), seconds_of("16.4×")
    (1.059, 1.03e-07, None)
    """
    found = _TIME.fullmatch(cell.strip())
    return float(found[1].replace(",", "")) * SECONDS[found[2]] if found else None


def times_of(run: Mapping[str, Any]) -> dict[str, float]:
    """Every time in the tables of a run, by table, row and column."""
    found = {}
    for table in run["tables"]:
        for cells in table["rows"]:
            for column, cell in zip(table["columns"][1:], cells[1:], strict=True):
                seconds = seconds_of(cell)
                if seconds:
                    found[f"{table['title']} · {cells[0]} · {column}"] = seconds
    return found


def yardstick() -> float:
    """Seconds of a fixed piece of work that does not depend on segscore: the best of many."""
    values = np.random.default_rng(0).random(20_000)
    best = float("inf")
    for _ in range(60):
        start = time.perf_counter()
        np.sort(values)
        sum(range(5_000))
        best = min(best, time.perf_counter() - start)
    return best


def machine() -> str:
    """The processor, how many cores, and the system."""
    model = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        model = next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    return f"{model}, {os.cpu_count()} cores, {platform.system()}"


def commit() -> str:
    """The commit that was measured; + if files were changed since."""
    try:
        done = subprocess.run(
            ["git", "describe", "--always", "--dirty=+", "--exclude=*"],  # noqa: S607
            capture_output=True, text=True, check=True, cwd=FILE.parent,
        )  # fmt: skip
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return done.stdout.strip()


def load() -> float | None:
    """How many processes wanted to run in the last minute, where the system says so."""
    return round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None


def keep(run: Run, path: Path = FILE) -> None:
    """Add a run to the file."""
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(run, ensure_ascii=False) + "\n")


def runs(path: Path = FILE) -> list[Run]:
    """All runs, the oldest first."""
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def of_machine(all_runs: Iterable[Run], name: str) -> list[Run]:
    """The runs of one machine."""
    return [run for run in all_runs if run["machine"] == name]
