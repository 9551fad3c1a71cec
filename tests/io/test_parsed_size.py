"""Small files that would take gigabytes: refused before the memory is taken, unless `large`."""

import bz2
import gzip
import lzma
import re
import tracemalloc
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import feather, parquet

import segscore as ss
from child_processes import python
from command_line import segscore
from needs import needs
from segscore.engines.parquet import open_batches
from segscore.io import files
from segscore.io import files as compressed
from segscore.io import files as parsed_size

pytestmark = needs("arrow")

READ = """
import sys, time
import segscore as ss
for path in sys.argv[1:]:
    start = time.process_time()
    try:
        print("read", ss.read(path, marks="end", remark=lambda _: None))
    except ss.SegmentationError as error:
        print(error)
    assert time.process_time() - start < 60, path
"""


def repeated(path: Path, head: bytes, part: bytes, size: int, tail: bytes = b"") -> Path:
    """A compressed file of at least so many bytes, as streams one after the other."""
    pack: Callable[[bytes], bytes] = {
        ".bz2": bz2.compress, ".gz": gzip.compress, ".xz": lzma.compress,
    }[path.suffix]  # fmt: skip
    block = part * (2**20 // len(part))
    path.write_bytes(pack(head) + pack(block) * (size // len(block) + 1) + pack(tail))
    return path


@needs("readers")
def test_compressed_files_that_parse_to_gigabytes(tmp_path: Path) -> None:
    """22 kB of bzip2 took 11.7 GB, 401 bytes 4.7 GB."""
    lists = repeated(tmp_path / "a.json.gz", b"[[]", b",[]", 2**28 + 2**21, b"]")
    marks = repeated(tmp_path / "b.eaf.gz", b"<x>", b"<a/>", 100 * 2**20, b"</x>")
    objects = repeated(tmp_path / "c.json.gz", b"[{}", b",{}", 50 * 2**20, b"]")
    ended = python(READ, lists, marks, objects)
    assert ended.code == 0, ended.err
    output = ended.out.splitlines()
    assert "more than 256 MiB unpacked" in output[0]
    assert ["MiB of memory: expected at most 2048" in line for line in output[1:]] == [True] * 2
    assert ended.peak < 1000


@pytest.mark.parametrize("kind", ["gz", "bz2", "xz", "zip"])
def test_growth(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compressed, "MOST_FREE", 2**20)
    line = b'{"document": "a", "masses": [1, 2]}\n'
    content = line + b"\n" * 2**21
    path = tmp_path / f"x.jsonl.{kind}"
    if kind == "zip":
        path = tmp_path / "x.zip"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("x.jsonl", content)
    else:
        repeated(path, line, b"\n", 2**21)
    ended = segscore("score", path, path)
    assert ended.returncode == 2
    assert re.search("segscore.*1 MiB", ended.stderr)
    assert len(ss.read(path, large=True)) == 1
    assert segscore("score", path, path, "--read", "large", "-m", "pk").returncode == 0


HOSTILE: dict[str, tuple[str, bytes, bytes, bytes, dict[str, Any]]] = {
    "lists": ("x.json", b"[[]", b",[]", b"]", {}),
    "objects": ("x.json", b"[{}", b",{}", b"]", {}),
    "keys": ("x.json", b'[{"a":1}', b',{"a":1}', b"]", {}),
    "numbers": ("x.json", b'{"x": {"b": [0', b",1", b"]}}", {"marks": "end"}),
    "long numbers": ("x.json", b'{"x": {"b": [0', b",999", b"]}}", {"marks": "ids"}),
    "texts": ("x.json", b'["a"', b',"ab"', b"]", {}),
    "codings": ("x.json", b'[{"document": "x", "masses": [1]}', b',{"masses":[1]}', b"]", {}),
    "blank lines": ("x.txt", b"a", b"\n", b"", {"units": "lines"}),
    "lines": ("x.txt", b"a", b"\nab", b"", {"units": "lines"}),
    "paragraphs": ("x.txt", b"a", b"\n\nab", b"", {"units": "paragraphs"}),
    "sentences": ("x.txt", b"A.", b" Ab.", b"", {"units": "sentences"}),
    "words": ("x.txt", b"a", b" ab", b"", {"units": "words"}),
    "characters": ("x.txt", b"a", b"xy", b"", {"units": "characters"}),
    "wide letters": ("x.txt", "😀".encode(), b"a", b"", {"units": "lines"}),
    "markdown": ("x.md", b"# a\n\nb", b"\n\n# a\n\nb", b"", {}),
    "cells": ("x.csv", b"doc_id,unit,boundary", b"\nab,cd,1", b"\n", {"marks": "end"}),
    "wide cells": ("x.csv", b"par", b",an", b"\n1\n", {}),
    "elements": ("x.eaf", b"<ANNOTATION_DOCUMENT>", b"<a/>", b"</ANNOTATION_DOCUMENT>", {}),
    "attributes": ("x.eaf", b"<ANNOTATION_DOCUMENT>", b'<a b="c" d="ef"/>', b"</ANNOTATION_DOCUMENT>", {}),
    "cues": ("x.vtt", b"WEBVTT\n", b"\n00:00.000 --> 00:01.000\na\n", b"", {"units": "seconds:1"}),
    "turns": ("x.rttm", b"", b"SPEAKER t 1 0 1 <NA> <NA> a <NA> <NA>\n", b"", {"units": "seconds:1"}),
    "tab lines": ("x.gaps", b"", b"x\tb\t1\n", b"", {}),
    "choi": ("x.ref", b"==========\n", b"ab\n==========\n", b"", {}),
    "brat": ("x.ann", b"", b"T1\tS 0 1\ta\n", b"", {"units": "words"}),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_the_estimate_is_no_less_than_what_is_taken(name: str, tmp_path: Path) -> None:
    file, head, part, tail, options = HOSTILE[name]
    path = tmp_path / file
    (tmp_path / "x.txt").write_text("a") if name == "brat" else None
    data = head + part * (2**15 // len(part)) + tail
    rule = options.get("units")
    prices = parsed_size.WORD_PRICES if rule == "words" else parsed_size.PRICES
    if path.suffix == ".eaf":
        prices = parsed_size.XML_PRICES
    each = 200 * len(data) if rule == "characters" else 0
    peak = 0
    for small in (True, False):  # what is imported takes memory, too
        path.write_bytes(head + part + tail if small else data)
        tracemalloc.start()
        with suppress(ss.SegmentationError):
            ss.read(path, remark=lambda _: None, **options)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    estimate = parsed_size.parsed_size(data, prices) + each
    assert 0.8 * (peak - 2**20) < estimate  # a megabyte is for reading in blocks
    assert parsed_size.SMALL * estimate / len(data) <= parsed_size.MOST_PARSED


def test_large_lifts_the_budget(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsed_size, "MOST_PARSED", 2**15)
    monkeypatch.setattr(parsed_size, "SMALL", 2**10)
    monkeypatch.setattr(files, "MOST_BYTES", 2**13)
    path = tmp_path / "x.json"
    path.write_text('{"x": {"b": [0' + ",1" * 2000 + "]}}")
    ended = segscore("agree", path, "--read", "marks=end")
    assert ended.returncode == 2
    assert re.search("would take up.*1 MiB", ended.stderr)
    assert len(ss.read(path, marks="end", large=True)) == 1
    path.write_text('{"x": {"b": [0' + ",1" * 5000 + "]}}")
    with pytest.raises(ss.SegmentationError, match="read whole.*large=True"):
        ss.read(path, marks="end")
    assert len(ss.read(path, marks="end", large=True)) == 1


# ---- Arrow by the route of tables ----


def hollow() -> dict[str, pa.Table]:
    n = 2**31 - 1
    nulls = pa.Array.from_buffers(pa.null(), n, [None])
    runs = pa.RunEndEncodedArray.from_arrays(pa.array([n], pa.int32()), pa.array(["a" * 1000]))
    letters = np.tile(np.array([2**20, 0x61616161, 0, 0], np.int32), 2000)
    shared = pa.Array.from_buffers(
        pa.string_view(), 2000, [None, pa.py_buffer(letters), pa.py_buffer(b"a" * 2**20)]
    )
    return {
        "null": pa.table({"document": nulls, "masses": nulls}),
        "run-end": pa.table({"document": runs}),
        "text views": pa.table({"document": shared}),
    }


def test_arrow_files_of_nothing(tmp_path: Path) -> None:
    paths: list[Path] = []
    for name, table in hollow().items():
        paths.append(tmp_path / f"{name}.arrow")
        options = pa.ipc.IpcWriteOptions(compression="zstd")
        with pa.ipc.new_file(str(paths[-1]), table.schema, options=options) as writer:
            writer.write_table(table)
        assert paths[-1].stat().st_size < 6000
    ended = python(READ, *paths)
    assert ended.code == 0, ended.err
    messages = ["rows that no column holds", "has type run_end_encoded", "MiB of memory"]
    for path, line, expected in zip(paths, ended.out.splitlines(), messages, strict=True):
        assert line.startswith(str(path))
        assert expected in line
    assert ended.peak < 700


def test_arrow_and_parquet_files_that_unpack_to_gigabytes(tmp_path: Path) -> None:
    """Compressed buffers say how long they will be: the sum is taken before they are unpacked."""
    zeros = pa.array(np.zeros(2**25, np.int64))  # 256 MB
    many = pa.table({f"c{i}": zeros for i in range(9)})
    arrow, parts = tmp_path / "x.arrow", tmp_path / "x.parquet"
    with pa.ipc.new_file(
        str(arrow), many.schema, options=pa.ipc.IpcWriteOptions(compression="zstd")
    ) as writer:
        writer.write_table(many)
    feather.write_feather(many.slice(0, 2**17), tmp_path / "small.feather", compression="lz4")
    assert arrow.stat().st_size < 2**20
    ended = python(
        "import sys\nimport segscore as ss\nfrom segscore.engines.parquet import open_batches\n"
        "for read in (ss.read, lambda path: open_batches(path, ['c0'])):\n"
        "    try:\n        read(sys.argv[1])\n"
        "    except ss.SegmentationError as error:\n        print(error)\n",
        arrow,
    )
    assert ended.code == 0, ended.err
    assert ended.out.splitlines() == [
        f"{arrow}: it would take up to 2304 MiB of memory: expected at most 2048, or large=True "
        "if you trust the file"
    ] * 2  # fmt: skip
    assert ended.peak < 300
    assert open_batches(tmp_path / "small.feather", ["c0"]).read_all().num_rows == 2**17
    assert open_batches(arrow, ["c0"], large=True).schema.names == ["c0"]
    parquet.write_table(many, parts, compression="zstd", use_dictionary=False, row_group_size=2**25)
    assert parts.stat().st_size < 2**21
    with pytest.raises(ss.SegmentationError, match="23.*MiB.*memory"):
        ss.read(parts)
    with pytest.raises(ss.SegmentationError, match="23.*MiB.*memory"):
        open_batches(parts, ["c0"])
    assert open_batches(parts, ["c0"], large=True).schema.names == ["c0"]


def test_an_arrow_file_that_ends_in_the_middle_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.arrow"
    table = pa.table({"document": ["a", "b", "c"], "masses": [[1], [2], [3]]})
    with pa.ipc.new_file(str(path), table.schema) as writer:
        writer.write_table(table, max_chunksize=1)
    data = path.read_bytes()
    assert len(ss.read(path)) == 3
    for cut in range(len(data) - 1, 8, -7):
        path.write_bytes(data[:cut])
        with pytest.raises(ss.SegmentationError, match=r"x\.arrow"):
            ss.read(path)
        with pytest.raises(ss.SegmentationError, match=r"x\.arrow"):
            list(open_batches(path, ["document"]))
