"""How benchmarks measure, and how they print."""

import time
from collections.abc import Callable, Sequence
from typing import Any

TABLES: list[dict[str, Any]] = []  # what was printed so far, for the history


def best_of(
    repeats: int,
    *tasks: Callable[[], object],
    clock: Callable[[], float] = time.perf_counter,
) -> list[float]:
    """Best seconds of each task; the tasks take turns, so that a busy machine affects all of them.

    If all tasks run on one thread, `clock=time.thread_time` does not count the time it had to wait.
    """
    best = [float("inf")] * len(tasks)
    for _ in range(repeats):
        for index, task in enumerate(tasks):
            start = clock()
            task()
            best[index] = min(best[index], clock() - start)
    return best


def print_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A Markdown table, ready for benchmarks/README.md."""
    TABLES.append({"title": title, "columns": list(columns), "rows": [list(row) for row in rows]})
    print(f"\n### {title}\n")
    print("| " + " | ".join(columns) + " |")
    print("|" + "---|" * len(columns))
    for row in rows:
        print("| " + " | ".join(row) + " |")


def times(ratio: float) -> str:
    """A ratio as text."""
    return f"{ratio:,.0f}×" if ratio >= 100 else f"{ratio:.1f}×"
