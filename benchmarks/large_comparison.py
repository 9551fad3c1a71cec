"""A comparison of many documents, as `segscore compare` makes it: time, memory, ways to resample.

    python -m benchmarks.large_comparison 100000                       the full size
    python -m benchmarks.large_comparison 100000 OLD/src NEW/src       two commits, in turns
    python -m benchmarks.large_comparison 100000 --files               the command on JSON Lines

Every comparison runs in a process of its own, with the environment as it is. CPU time counts all
threads. `make bench` runs the small size.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

import segscore as ss
from benchmarks.timing import best_of, print_table, times

SYSTEMS, RESAMPLES, UNITS, BOUNDARIES = 10, 10_000, 60, 6
SMALL = 10_000
COLUMNS = 112  # different columns of statistics, about as many as 22 runs have under three metrics
BUCKETS = 4096


def run() -> None:
    """The small size, and the ways to resample."""
    compare_trees(SMALL, [Path(ss.__file__).parents[1]])
    resampling_ways(SMALL)


# ---- a comparison in a process of its own ----


def sides(documents: int) -> list[dict[str, ss.Segmentation]]:
    """A reference and systems, at random."""
    made = []
    for seed in range(SYSTEMS + 1):
        marked = np.random.default_rng(seed).random((documents, UNITS - 1))
        rows = (np.flatnonzero(row < BOUNDARIES / (UNITS - 1)) + 1 for row in marked)
        made.append({
            f"d{i}": ss.Segmentation.from_boundaries(row.tolist(), UNITS)
            for i, row in enumerate(rows)
        })  # fmt: skip
    return made


def measured(documents: int) -> dict[str, Any]:
    """Seconds and memory of a comparison, with its tests and its printed table."""
    reference, *systems = sides(documents)
    clocks = [(time.perf_counter(), time.process_time())]
    compared = ss.compare(
        reference,
        systems={f"s{j}": outputs for j, outputs in enumerate(systems)},
        n_resamples=RESAMPLES,
    )
    clocks.append((time.perf_counter(), time.process_time()))
    table = f"{compared}\n{compared.pairs_table()}\n{compared.warnings}"
    clocks.append((time.perf_counter(), time.process_time()))
    wall, cpu = (np.diff(clock).tolist() for clock in zip(*clocks, strict=True))
    return {"wall": wall, "cpu": cpu, **_memory(resource.RUSAGE_SELF), "table": _digest(table)}


def measured_command(folder: Path) -> dict[str, Any]:
    """Seconds and memory of `segscore compare` on files."""
    files = [str(folder / "ref.jsonl"), *(str(folder / f"s{j}.jsonl") for j in range(SYSTEMS))]
    command = [sys.executable, "-m", "segscore", "compare", *files, "--resamples", str(RESAMPLES)]
    start = time.perf_counter()
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE)  # noqa: S603 (our own words)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "wall": [time.perf_counter() - start],
        "cpu": [used.ru_utime + used.ru_stime],
        **_memory(resource.RUSAGE_CHILDREN),
        "table": _digest(done.stdout.decode()),
    }


def _memory(whose: int) -> dict[str, float]:
    return {"gigabytes": resource.getrusage(whose).ru_maxrss / 2**20}


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:12]


def write_files(documents: int, folder: Path) -> None:
    """A JSON Lines file per side."""
    for name, side in zip(
        ["ref", *(f"s{j}" for j in range(SYSTEMS))], sides(documents), strict=True
    ):
        with (folder / f"{name}.jsonl").open("w", encoding="utf-8") as file:
            for document, coding in side.items():
                row = {
                    "document": document,
                    "coder": name,
                    "masses": np.asarray(coding.masses).tolist(),
                }
                file.write(json.dumps(row) + "\n")


def compare_trees(documents: int, trees: list[Path], files: bool = False) -> None:
    """A table with a row per source tree."""
    with tempfile.TemporaryDirectory() as folder:
        if files:
            write_files(documents, Path(folder))
        found = [_in_process(tree, documents, folder if files else None) for tree in trees]
    rows = [
        [
            str(tree) if len(trees) > 1 else "ss.compare, tests and tables",
            *(f"{sum(result[clock]):.1f} s" for clock in ("wall", "cpu")),
            f"{result['cpu'][0]:.1f} s",
            f"{result['gigabytes']:.2f} GB",
            result["table"],
        ]
        for tree, result in zip(trees, found, strict=True)
    ]
    what = "segscore compare on JSON Lines" if files else "ss.compare"
    print_table(
        f"{what}, {SYSTEMS} systems, {documents:,} documents, {RESAMPLES:,} resamples",
        ["", "wall time", "CPU time", "before tests and tables", "memory", "digest of the output"],
        rows,
    )


def _in_process(tree: Path, documents: int, folder: str | None) -> Any:
    command = [sys.executable, "-m", __name__ if __name__ != "__main__" else __spec__.name]
    command += ["--measure", str(documents), *([folder] if folder else [])]
    environment = os.environ | {"PYTHONPATH": str(tree)}
    done = subprocess.run(  # noqa: S603 (our own words)
        command, check=True, stdout=subprocess.PIPE, text=True, env=environment
    )
    return json.loads(done.stdout)


# ---- ways to resample ----


def resampling_ways(documents: int) -> None:
    """Draws and sums of some resamples, by several ways that give the same sums; by buckets, which
    gives others."""
    from segscore._kernels import drawing as kernel
    from segscore.significance import drawing

    n = max(1, 2_000_000 // documents)
    table = np.random.default_rng(0).integers(0, 50, (documents, COLUMNS)).astype(float)
    columns = drawing.distinct_columns([table])
    ((_, counts),) = drawing.resamples(documents, n, 0)
    whole = counts.astype(float)
    drawn = np.random.default_rng(0).integers(0, documents, (n, documents))
    bucket = np.random.default_rng(1).integers(0, BUCKETS, documents)
    in_buckets = np.zeros((BUCKETS, COLUMNS))
    np.add.at(in_buckets, bucket, table)
    by_bucket = drawing.distinct_columns([in_buckets])
    ((_, few),) = drawing.resamples(BUCKETS, n, 0)

    def portable() -> None:
        before = kernel.wide_in_use()
        kernel.wide_in_use(False)
        drawing.added_up(columns, slice(n), counts)
        kernel.wide_in_use(before)

    def small_blocks() -> None:
        sums = np.zeros((n, COLUMNS))  # 48 · 48 · 112 products: OpenBLAS starts no thread for them
        for row in range(0, n, 48):
            for first in range(0, documents, 48):
                block = slice(first, first + 48)
                sums[row : row + 48] += whole[row : row + 48, block] @ table[block]

    _, (added,) = drawing.added_up(columns, slice(n), counts)
    assert np.array_equal(added, whole @ table)
    assert np.array_equal(table[drawn[0]].sum(axis=0), whole[0] @ table)
    ways = {
        "draws: NumPy's integers and bincount": lambda: [
            np.bincount(row, minlength=documents)
            for row in np.random.default_rng(0).integers(0, documents, (n, documents))
        ],
        "draws: random words, counted in the kernel": lambda: list(
            drawing.resamples(documents, n, 0)
        ),
        "sums: counts @ statistics in the kernel": lambda: drawing.added_up(
            columns, slice(n), counts
        ),
        "sums: the same, portable code": portable,
        "sums: counts @ statistics by BLAS": lambda: whole @ table,
        "sums: by BLAS in small blocks": small_blocks,
        "sums: rows gathered, then added up": lambda: [
            table[resample].sum(axis=0) for resample in drawn
        ],
        f"{BUCKETS:,} buckets, draws and sums; other resamples": lambda: (
            list(drawing.resamples(BUCKETS, n, 0)),
            drawing.added_up(by_bucket, slice(n), few),
        ),
    }
    cells = n * documents
    found = best_of(3, *ways.values(), clock=time.process_time)
    sums = found[2]
    print_table(
        f"Ways to resample, {documents:,} documents, {COLUMNS} columns, CPU time",
        ["", "per draw of a document", "of the kernel's sums"],
        [
            [name, f"{1e9 * seconds / cells:.2f} ns", times(seconds / sums)]
            for name, seconds in zip(ways, found, strict=True)
        ],
    )


def main(given: list[str]) -> None:
    """See the module's text."""
    if given[:1] == ["--measure"]:
        result = measured_command(Path(given[2])) if len(given) > 2 else measured(int(given[1]))
        print(json.dumps(result))
        return
    files = "--files" in given
    documents, *trees = [argument for argument in given if argument != "--files"] or [str(SMALL)]
    paths = [Path(tree).resolve() for tree in trees] or [Path(ss.__file__).parents[1]]
    compare_trees(int(documents), paths, files)
    if not files:
        resampling_ways(int(documents))


if __name__ == "__main__":
    main(sys.argv[1:])
