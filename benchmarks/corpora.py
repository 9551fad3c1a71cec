"""A corpus of JSON Lines, and what follows: in columns, as `read` gives it, and from records.

Times are CPU time, as multiples of what the standard library's `json` needs to parse the lines of
the same file. Memory is what the corpus keeps (tracemalloc).
"""

import gc
import json
import time
import tracemalloc
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import segscore as ss
from benchmarks.timing import best_of, print_table
from segscore.io import read_records

UNITS, BOUNDARIES = 60, 6
SHAPES = [  # documents, coders, whether there are texts
    ("200,000 × 1", 200_000, 1, False),
    ("40,000 × 5", 40_000, 5, False),
    ("20,000 × 2, with texts", 20_000, 2, True),
]


def write_file(path: Path, documents: int, coders: int, texts: bool) -> None:
    """Documents by several coders, as `json.dumps` writes them."""
    rng = np.random.default_rng(1)
    with path.open("w") as stream:
        for number in range(documents):
            for coder in range(coders):
                places = np.sort(rng.choice(UNITS - 1, BOUNDARIES, replace=False) + 1)
                masses = np.diff(places, prepend=0, append=UNITS).tolist()
                line: dict[str, object] = {
                    "document": f"document-{number}",
                    "coder": f"c{coder}",
                    "masses": masses,
                }
                if texts and not coder:
                    line["units"] = [f"This is sentence {i} of {number}." for i in range(UNITS)]
                stream.write(json.dumps(line) + "\n")


def parse(path: Path) -> None:
    """What everyone pays who parses the file with the standard library."""
    with path.open() as stream:
        for line in stream:
            json.loads(line)


def from_records(path: Path) -> ss.Corpus:
    """The corpus with an object for each coding from the start."""
    return ss.Corpus.from_rows(read_records(path))


def touch(path: Path) -> list[ss.Document]:
    """Make all objects of a corpus in columns."""
    return list(ss.read(path).values())


def memory(read: Callable[[], ss.Corpus]) -> float:
    """Megabytes that a corpus keeps."""
    gc.collect()
    tracemalloc.start()
    corpus = read()
    gc.collect()
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return kept / 1e6 if len(corpus) else 0.0


def run(repeats: int = 3) -> None:
    """Print a row for each shape."""
    rows = []
    with TemporaryDirectory() as name:
        for shape, documents, coders, texts in SHAPES:
            path = Path(name) / "x.jsonl"
            write_file(path, documents, coders, texts)
            ways: list[Callable[[], object]] = [
                partial(way, path) for way in (parse, ss.read, touch, from_records)
            ]
            parsed, *others = best_of(repeats, *ways, clock=time.thread_time)
            columns, objects = (memory(partial(way, path)) for way in (ss.read, from_records))
            rows.append([shape, f"{parsed * 1000:,.0f} ms",
                         *(f"{seconds / parsed:.2f}" for seconds in others),
                         f"{columns:,.0f} MB", f"{objects:,.0f} MB"])  # fmt: skip
    print_table(
        f"JSON Lines into a Corpus, documents × coders, {UNITS} units, {BOUNDARIES} boundaries",
        ["", "json.loads", "read", "read, every document touched", "from records",
         "columns keep", "records keep"],
        rows,
    )  # fmt: skip


if __name__ == "__main__":
    run()
