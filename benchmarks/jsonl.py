"""JSON Lines into scores: 200,000 references and hypotheses (60 units, 6 boundaries each).

Times are compared with the time that the standard library's `json` needs only to parse the same
files (one for what reads one), line by line, in a running interpreter. Rows named "process" are a
process of their own, without the time to start the interpreter.
"""

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.batches import random_batch
from benchmarks.timing import best_of, print_table, times
from segscore.io import read, read_columns
from segscore.pairing.pairs import read_pairs

DOCUMENTS, UNITS, BOUNDARIES = 200_000, 60, 6
LIBRARY = """
import sys, segscore
from segscore.pairing.pairs import read_pairs
(pairs,) = read_pairs(*sys.argv[1:]).values()
segscore.score(pairs)
"""
COMMAND = "import sys; from segscore.cli import main; sys.exit(main())"


def write_files(folder: Path) -> tuple[Path, Path]:
    """Reference and hypothesis, as `json.dumps` writes them."""
    batch = random_batch(DOCUMENTS, UNITS, BOUNDARIES)
    paths = folder / "ref.jsonl", folder / "hyp.jsonl"
    sides = (batch.reference, batch.hypothesis)
    for path, coder, side in zip(paths, ("people", "system"), sides, strict=True):
        with path.open("w") as stream:
            for row in range(DOCUMENTS):
                masses = side(row).masses.tolist()
                line = {"document": f"document-{row}", "coder": coder, "masses": masses}
                stream.write(json.dumps(line) + "\n")
    return paths


def parse(*paths: Path) -> None:
    """What everyone pays who parses the files with the standard library."""
    for path in paths:
        with path.open() as stream:
            for line in stream:
                json.loads(line)


def python(*arguments: object) -> None:
    """A process of its own; what it prints is not looked at."""
    subprocess.run([sys.executable, *map(str, arguments)], check=True, stdout=subprocess.DEVNULL)  # noqa: S603


def run(repeats: int = 3) -> None:
    """Print each way as a multiple of parsing."""
    with TemporaryDirectory() as name:
        ref, hyp = write_files(Path(name))
        ways = {
            "json.loads, both files": lambda: parse(ref, hyp),
            "json.loads, one file": lambda: parse(ref),
            "interpreter start": lambda: python("-c", "pass"),
            "process: import, read, score (pk, windowdiff)": lambda: python(
                "-c", LIBRARY, ref, hyp
            ),
            "read_columns, both": lambda: (read_columns(ref), read_columns(hyp)),
            "read_pairs": lambda: read_pairs(ref, hyp),
            "read into a Corpus, one file": lambda: read(ref),
        }
        if find_spec("segscore.cli") is not None:
            ways["process: segscore score REF HYP"] = lambda: python(
                "-c", COMMAND, "score", ref, hyp
            )
        seconds = dict(zip(ways, best_of(repeats, *ways.values()), strict=True))
    start = seconds.pop("interpreter start")
    rows = []
    for way, time in seconds.items():
        own = time - start if way.startswith("process") else time
        measure = seconds["json.loads, one file" if "one file" in way else "json.loads, both files"]
        rows.append([way, f"{own * 1000:,.0f} ms", times(own / measure).replace("×", "")])
    print_table(
        f"JSON Lines, {DOCUMENTS:,} documents, {UNITS} units, {BOUNDARIES} boundaries",
        ["", "time", "of parsing alone"],
        rows,
    )


if __name__ == "__main__":
    run()
