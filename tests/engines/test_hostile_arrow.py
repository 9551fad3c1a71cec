"""Arrow files and streams that lie: refused by name, or read; never a crash, never foreign memory.

Each file is made by the test: a sound one, in which some bytes are written over. What could crash
runs in a process of its own, with a limit on its memory.
"""

import struct
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import segscore as ss
from child_processes import python
from command_line import segscore
from needs import needs

pytestmark = needs("arrow")

NAMES = {"reference": "ref", "hypothesis": "hyp", "n_units": "n", "document": "doc"}
COLUMNS = [
    "--read",
    "reference=ref",
    "--read",
    "hypothesis=hyp",
    "--read",
    "n-units=n",
    "--read",
    "document=doc",
]
OLD_ENDS, OLD_NAMES = (0, 3, 4), (0, 1005, 2007)  # offsets that stand nowhere else in the file


def sound() -> pa.Table:
    """Two documents, the offsets of which can be found again in a file."""
    lists = ([[1, 3, 5], [2]], [[1], [2, 4, 5]])
    ref, hyp = (pa.array(each, pa.list_(pa.int32())) for each in lists)
    names = pa.array(["a" * 1005, "b" * 1002])
    return pa.table({"ref": ref, "hyp": hyp, "n": pa.array([9, 9], pa.int32()), "doc": names})


def write_with(path: Path, old: tuple[int, ...], new: tuple[int, ...]) -> None:
    """Write the table, with other offsets in place of some that stand in the file once."""
    with pa.ipc.new_file(str(path), sound().schema) as writer:
        writer.write_table(sound())
    data = path.read_bytes()
    before, after = (struct.pack(f"<{len(offsets)}i", *offsets) for offsets in (old, new))
    assert data.count(before) == 1
    path.write_bytes(data.replace(before, after))


FAR = [
    (OLD_ENDS, (0, 3, 2**30)), (OLD_ENDS, (0, 3, 4000)), (OLD_ENDS, (-9, 3, 4)),
    (OLD_ENDS, (0, 2**29, 2**30)), (OLD_NAMES, (0, 1005, 2**30)), (OLD_NAMES, (0, 1005, 3000)),
    (OLD_NAMES, (2**29, 2**29 + 1, 2**29 + 2)), (OLD_NAMES, (-100, 1005, 2007)),
]  # fmt: skip
MAPPED = """
import sys
import pyarrow as pa
import segscore as ss
table = pa.ipc.open_file(pa.memory_map(sys.argv[1])).read_all()
names = dict(reference="ref", hypothesis="hyp", n_units="n", document="doc")
stream = pa.RecordBatchReader.from_batches(table.schema, table.to_batches())
for data in (table, table.to_batches()[0], stream):
    try:
        ss.Pairs.from_arrow(data, **names)
        print("read")
    except ss.SegmentationError as error:
        print(error)
try:
    ss.Corpus.from_frame(table)
except ss.SegmentationError as error:
    print(error)
"""


SCORED = """
import sys
from segscore.cli import run
for path in sys.argv[2:]:
    print(path, run(["score", path, *sys.argv[1].split()]), flush=True)
"""


def test_offsets_beyond_the_buffers_are_refused(tmp_path: Path) -> None:
    """SIGBUS before, or letters of other memory in a message."""
    paths = [tmp_path / f"{number}.arrow" for number in range(len(FAR))]
    for path, (old, new) in zip(paths, FAR, strict=True):
        write_with(path, old, new)
    ended = python(SCORED, " ".join(COLUMNS), *paths)
    assert ended.out.splitlines() == [f"{path} 2" for path in paths], ended.err
    for path, (old, _), line in zip(paths, FAR, ended.err.splitlines(), strict=True):
        column = "ref" if old == OLD_ENDS else "doc"
        assert line.startswith(f"segscore: {path}: column '{column}' is damaged: ")
    groups = " ".join([*COLUMNS[:6], "--read", "by=doc"])  # columns that only the engine reads
    ended = python(SCORED, groups, *paths[4:])
    assert ended.out.splitlines() == [f"{path} 2" for path in paths[4:]], ended.err
    write_with(paths[0], OLD_ENDS, OLD_ENDS)
    assert segscore("score", paths[0], *COLUMNS).returncode == 0


def test_tables_of_pyarrow_are_validated(tmp_path: Path) -> None:
    path = tmp_path / "far.arrow"
    write_with(path, *FAR[0])
    ended = python(MAPPED, path)
    assert ended.code == 0, ended.err
    lines = ended.out.splitlines()
    assert [line.startswith("column 'ref' is damaged: ") for line in lines] == [True] * 4


# ---- C structs ----

CHANGES = """
import sys
import segscore as ss
from foreign_streams import ForeignStream, parts
sys.path.insert(0, "tests/engines")
from test_hostile_arrow import NAMES, labelled
names = {**NAMES, "ref_labels": "labels"}
count = 0
def changes(which):
    for field, value in (("dictionary", None), ("n_children", 0), ("format", b""), ("name", None),
                         ("n_buffers", 0), ("n_buffers", -1), ("length", -1), ("offset", -1)):
        if hasattr(which, field):
            yield field, value
    if not hasattr(which, "format"):
        yield "n_children", -1
def changed(side, place, field, value):
    def change(schema, batch):
        setattr(parts((schema, batch)[side])[place], field, value)
    return change
probe = []
ForeignStream(labelled(), lambda *both: probe.extend(map(parts, both)))
for side in (0, 1):
    for place, part in enumerate(probe[side]):
        for change in [changed(side, place, *one) for one in changes(part)]:
            try:
                ss.Pairs.from_arrow(ForeignStream(labelled(), change), **names)
            except ss.SegmentationError:
                pass
            count += 1
print(count)
"""


def labelled() -> pa.Table:
    """Columns of most kinds: lists, integers, texts, a dictionary, lists of texts."""
    words = pa.array(["a", "b"]).dictionary_encode()
    labels = pa.array([["x", "y", "z", "x"], ["y", "z"]])
    return sound().set_column(3, "doc", words).append_column("labels", labels)


def test_structs_without_what_they_claim_are_refused() -> None:
    """Structs that have no children, buffers or type where they say so end the process in pyarrow:
    that a library's pointers point to something is trusted (SECURITY.md)."""
    ended = python(CHANGES)
    assert ended.code == 0, ended.err[-2000:]
    assert int(ended.out) == 110


# ---- lengths that no buffer holds ----


def nothing(rows: int) -> pa.Array:
    return pa.Array.from_buffers(pa.null(), rows, [None])


def views(starts: list[int], sizes: list[int], items: pa.Array) -> pa.Array:
    integers = [pa.py_buffer(np.array(numbers, np.int32)) for numbers in (starts, sizes)]
    kind = pa.list_view(items.type)
    return pa.Array.from_buffers(kind, len(starts), [None, *integers], children=[items])


def huge() -> dict[str, pa.Table]:
    """Tables of a few hundred bytes that would take gigabytes."""
    n = 2**31 - 1
    numbers = pa.array(np.zeros(2**20, np.int8))
    shared = views([0] * 4000, [2**20] * 4000, numbers)  # 4000 times the same million
    ends = pa.py_buffer(np.array([0, n], np.int32))
    of_nulls = pa.Array.from_buffers(pa.list_(pa.null()), 1, [None, ends], children=[nothing(n)])
    no_items = pa.array([], pa.int32())
    empty = pa.Array.from_buffers(pa.list_(pa.int32(), 0), n, [None], children=[no_items])
    long = pa.DictionaryArray.from_arrays(pa.array([0] * 3000, pa.int8()), ["a" * 2**20])
    same = pa.array([[1]] * 3000)
    return {
        "null": pa.table({"ref": nothing(2**40), "hyp": nothing(2**40)}),
        "lists of null": pa.table({"ref": of_nulls, "hyp": of_nulls}),
        "lists of nothing": pa.table({"ref": empty, "hyp": empty}),
        "views": pa.table({"ref": shared, "hyp": shared}),
        "words": pa.table({"ref": same, "hyp": same, "doc": long}),
    }


HUGE = """
import resource, sys
sys.path.insert(0, "tests/engines")
from test_hostile_arrow import huge
from arrow_columns import Foreign
import segscore as ss
names = dict(reference="ref", hypothesis="hyp", encoding="masses")
for kind, table in huge().items():
    document = "doc" if "doc" in table.schema.names else None
    for data in (table, Foreign(table)):
        try:
            ss.Pairs.from_arrow(data, **names, document=document)
            print(kind, "was read")
        except ss.SegmentationError as error:
            print(error)
"""


def test_lengths_are_bounded_by_what_buffers_hold() -> None:
    ended = python(HUGE)
    assert ended.code == 0, ended.err
    messages = [
        "holds nothing but nulls", "which no buffer holds", "which no buffer holds",
        "items that share their values", "bytes that share their letters",
    ]  # fmt: skip
    for line, expected in zip(ended.out.splitlines(), np.repeat(messages, 2), strict=True):
        assert expected in line
    assert ended.peak < 700


def test_levels_do_not_share_their_lists() -> None:
    inner = pa.array([[1], [1, 2]], pa.list_(pa.int32()))
    once, twice = views([0], [2], inner), views([0, 0], [2, 2], inner)
    names = {"reference": "ref", "hypothesis": "hyp", "n_units": "n"}
    frame = pa.table({"ref": once, "hyp": once, "n": [4]})
    assert len(ss.Pairs.from_arrow(frame, **names)) == 1
    frame = pa.table({"ref": twice, "hyp": twice, "n": [4, 4]})
    with pytest.raises(ss.SegmentationError, match="lists of 4 items that share their values"):
        ss.Pairs.from_arrow(frame, **names)


def sums() -> pa.Table:
    return ss.score_frame(sound(), "ref", "hyp", "n", "doc", metrics="pk", statistics=True)


@pytest.mark.parametrize("read", [ss.Result.from_sums, ss.compare])
@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("documents", -1.0), ("documents", 0.5), ("documents", 1e300), ("documents", "x"),
        ("pk.defined", 5e-315), ("pk.defined", 1.5), ("pk.defined", -1.0), ("pk.defined", 3.0),
        ("pk.windows", float("nan")), ("pk.windows", float("inf")), ("pk.windows", 1e101),
        ("pk.value", True), ("pk.value", [1.0]),
    ],
)  # fmt: skip
def test_sums_that_are_none(column: str, value: Any, read: Any) -> None:
    table = sums()
    place = table.column_names.index(column)
    spoiled = pa.array([table[column][0].as_py() if isinstance(value, float) else value, value])
    with pytest.raises(ss.SegmentationError, match=rf"row [01] of the sums: column '{column}'"):
        read(table.set_column(place, column, spoiled))
