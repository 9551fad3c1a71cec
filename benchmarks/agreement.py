"""Agreement of five coders: `ss.agreement` with its intervals, and with the table of all documents.

Five people see two thirds of what is there, and sometimes something else. Chance is drawn 20 to 200
times, intervals come from 10,000 resamples. segeval has no answer here: its agreement by B fails.

`python -m benchmarks.agreement OLD/src NEW/src` compares the segscores of two folders in turns.
"""

import os
import subprocess
import sys
import time

import numpy as np

import segscore as ss
from benchmarks.timing import best_of, print_table, times

UNITS, PLACES, CODERS = 60, 8, 5
TASKS = ("ss.agreement", "its table", "ss.coders.fleiss_kappa")


def random_corpus(documents: int, seed: int = 0) -> ss.Corpus:
    """People who find most of the boundaries, each with one of their own."""
    rng = np.random.default_rng(seed)
    rows: list[tuple[str, str, ss.Segmentation]] = []
    for number in range(documents):
        there = rng.choice(UNITS - 1, PLACES, replace=False) + 1
        for coder in range(CODERS):
            seen = {*there[rng.random(PLACES) < 2 / 3].tolist(), int(rng.integers(1, UNITS))}
            coding = ss.Segmentation.from_boundaries(sorted(seen), UNITS)
            rows.append((f"document {number}", f"coder {coder}", coding))
    return ss.Corpus.from_rows(rows)


def seconds(documents: int, repeats: int, clock: object = time.perf_counter) -> list[float]:
    """Seconds of each task; the time of the table includes that of the agreement it shows."""
    corpus = random_corpus(documents)
    return best_of(
        repeats,
        lambda: ss.agreement(corpus),
        lambda: ss.agreement(corpus).to_table(),
        lambda: ss.coders.fleiss_kappa(corpus),
        clock=clock,  # type: ignore[arg-type]
    )


def run(repeats: int = 3) -> None:
    """Print seconds by the number of documents."""
    rows = [
        [f"{documents:,}", *(f"{duration:.2f} s" for duration in seconds(documents, repeats))]
        for documents in (100, 1_000, 10_000)
    ]
    print_table(f"Agreement among {CODERS} coders, 10,000 resamples", ["documents", *TASKS], rows)


def compare(old: str, new: str, turns: int = 3) -> None:
    """Two folders in turns: the least CPU time of each task counts, so that other work matters
    little."""
    best = {source: [float("inf")] * len(TASKS) for source in (old, new)}
    for _ in range(turns):
        for source, found in best.items():
            answer = subprocess.run(
                [sys.executable, "-m", "benchmarks.agreement", "--answer"],
                env={**os.environ, "PYTHONPATH": source, "OPENBLAS_NUM_THREADS": "1"},
                capture_output=True, text=True, check=True,
            ).stdout  # fmt: skip
            best[source] = [
                min(*two) for two in zip(found, map(float, answer.split()), strict=True)
            ]
    print_table(
        f"Agreement of 10,000 documents, {CODERS} coders, CPU time",
        ["", "before", "after", "before / after"],
        [
            [task, f"{before:.2f} s", f"{after:.2f} s", times(before / after)]
            for task, before, after in zip(TASKS, best[old], best[new], strict=True)
        ],
    )


if __name__ == "__main__":
    if sys.argv[1:] == ["--answer"]:
        print(*seconds(10_000, 1, time.process_time))
    elif len(sys.argv) == 3:
        compare(sys.argv[1], sys.argv[2])
    else:
        run()
