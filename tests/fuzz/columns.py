"""Arrow IPC, Feather, Parquet, Excel, changed, by both routes, in children.

A file goes through `read` and, if it has columns, through `open_batches`, as `score`
reads it; a file of sums through `read_sums`. What damages memory would end the
process: a child checks them, one process for very many cases, with a limit on its addresses. When a
child ends by a signal, the case that it was at is the failure, and the next case gets a new child.

A family that interrupts pools at random moments belongs beside these (`families.py`).
"""

import atexit
import io
import json
import os
import resource
import subprocess
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from fuzz.mutations import mutated
from fuzz.tables import workbook_members, zipped_members

Case = dict[str, Any]
_LIMIT = 6 * 2**30  # bytes of addresses
_INTERESTING = (0, 1, -1, 127, 2**15, 2**31 - 1, -(2**31), 2**32, 2**40, 2**62, -(2**63), 2**63 - 1)
_KINDS = ("arrow", "arrow", "stream", "feather", "lz4", "parquet", "xlsx")


# ---- what is damaged ----


@cache
def _columns() -> Any:
    """A table of columns of most kinds that are read."""
    import pyarrow as pa

    n = 6
    words = pa.array(["ann", "bob", "ann", "bob", "ann", "bob"]).dictionary_encode()
    boundaries = [[1, 3, 5], [], [2], [1], [4, 6], [3]]
    labels = [["a", "b", None, "c"], ["a"], ["b", "c"], ["x" * 20, "b"], ["a"] * 3, ["c", "c"]]
    return pa.table({
        "document": [f"d{i} {'long' * i}" for i in range(n)],
        "coder": words,
        "ref": pa.array(boundaries, pa.list_(pa.int32())),
        "hyp": pa.array(boundaries[::-1], pa.large_list(pa.uint16())),
        "n": pa.array([9] * n, pa.int8()),
        "labels": pa.array(labels, pa.list_(pa.string())),
        "views": pa.array(["a", "b" * 30, "c", "d", "e", None], pa.string_view()),
        "masses": pa.array([[1, 2]] * n, pa.list_(pa.int64(), 2)),
    })  # fmt: skip


@cache
def _file(kind: str) -> bytes:
    import pyarrow as pa
    from pyarrow import feather, parquet

    stream = io.BytesIO()
    table = _columns()
    if kind == "parquet":
        parquet.write_table(table.drop_columns(["views"]), stream, compression="zstd")
    elif kind == "feather":
        feather.write_feather(table, stream, compression="uncompressed")
    else:
        make = pa.ipc.new_stream if kind == "stream" else pa.ipc.new_file
        options = pa.ipc.IpcWriteOptions(compression="lz4" if kind == "lz4" else None)
        with make(stream, table.schema, options=options) as writer:
            writer.write_table(table, max_chunksize=4)
    return stream.getvalue()


def draw_columns(random: Random) -> Case:
    """A file, with some numbers or bytes changed; a workbook also inside of its members."""
    kind = random.choice(_KINDS)
    suffix = {"stream": "arrow", "lz4": "feather"}.get(kind, kind)
    if kind == "xlsx":
        members = dict(workbook_members())
        if random.random() < 0.7:
            name = random.choice(
                [member for member in members if member.endswith((".xml", ".rels"))]
            )
            members[name] = mutated(members[name], random)
        content = zipped_members(members)
        content = content if random.random() < 0.7 else _numbers(content, random)
    else:
        content = _file(kind)
        change = _numbers if random.random() < 0.7 else mutated
        content = change(content, random)
    return {
        "kind": kind, "file": f"x.{suffix}", "content": content.decode("latin-1"),
    }  # fmt: skip


def _numbers(content: bytes, random: Random) -> bytes:
    """Other numbers in place of some, as offsets and lengths are written."""
    changed = bytearray(content)
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        width = random.choice((1, 2, 4, 4, 4, 8, 8))
        at = random.randrange(max(1, len(changed) - width)) // width * width
        value = random.choice((*_INTERESTING, random.getrandbits(16), random.getrandbits(8)))
        changed[at : at + width] = (value % 2 ** (8 * width)).to_bytes(width, "little")
    return bytes(changed)


# ---- the child ----


class _Child:
    """A process that checks one case after the other."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        atexit.register(self.end)

    def check(self, case: Case, path: Path) -> str:
        """What is wrong with how a file was read; empty if nothing is."""
        process = self._started()
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps([case["kind"], str(path)]) + "\n")
        process.stdin.flush()
        answer = process.stdout.readline()
        if answer:
            return str(json.loads(answer))
        code = process.wait()
        self._process = None
        process.stdout.close()
        with suppress(OSError):
            process.stdin.close()
        return f"the process ended with {code}" + (" (a signal)" if code < 0 else "")

    def _started(self) -> "subprocess.Popen[str]":
        if self._process is None or self._process.poll() is not None:
            self._process = subprocess.Popen(
                [sys.executable, "-W", "error", "-m", "fuzz.columns"], stdin=subprocess.PIPE,
                stdout=subprocess.PIPE, text=True,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            )  # fmt: skip
        return self._process

    def end(self) -> None:
        """Let the process go."""
        if self._process is not None:
            self._process.communicate()
            self._process = None


_child = _Child()


def check_columns(case: Case, folder: Path) -> None:
    """Read or refused, by each route; no signal."""
    path = folder / case["file"]
    path.write_bytes(case["content"].encode("latin-1"))
    wrong = _child.check(case, path)
    assert not wrong, wrong


def _read_all(kind: str, path: Path) -> None:
    """All routes of a file, in the child."""
    import segscore as ss
    from fuzz.files import check_message
    from segscore.engines.parquet import summed_files
    from segscore.engines.score_frame import RowScores
    from segscore.metrics import addable_metrics
    from segscore.pairing.arrow_reading import Layout

    def columns() -> None:
        layout = Layout("ref", "hyp", "n", "document", ref_labels="labels")
        metrics = addable_metrics(["windowdiff"])
        rows = RowScores(layout, metrics, statistics=True, on_error="null")
        sums, _ = summed_files([path], {"": rows}, ["coder"])
        ss.Result.from_sums(sums, "coder")

    routes: list[Any] = [lambda: ss.read(path, marks="end", remark=lambda _: None)]
    if kind != "xlsx":
        routes.append(columns)
    for route in routes:
        try:
            route()
        except ss.SegmentationError as error:
            if route is not columns:  # whose caller adds the file
                check_message(error, path)


def main() -> None:
    """Check the cases that come in, a line each; answer what is wrong with it."""
    if not os.environ.get("LD_PRELOAD"):  # a sanitizer reserves terabytes of addresses
        resource.setrlimit(resource.RLIMIT_AS, (_LIMIT, _LIMIT))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for line in sys.stdin:
        kind, path = json.loads(line)
        answer = ""
        try:
            _read_all(kind, Path(path))
        except Exception as error:
            import traceback

            frame = traceback.extract_tb(error.__traceback__)[-1]
            place = f"{Path(frame.filename).name}:{frame.lineno}"
            answer = f"{type(error).__name__} at {place}: {str(error)[:200]}"
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
