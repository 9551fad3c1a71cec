"""Compressed files, changed: read or refused; workbooks, which columns.py changes."""

import bz2
import gzip
import io
import lzma
import zipfile
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import segscore as ss
from fuzz.files import check_message
from fuzz.mutations import mutated
from fuzz.samples import SAMPLES

Case = dict[str, Any]
_ROWS = [("doc_id", "annotator", "sentence_id", "boundary"), ("x", "b", 1, 0), ("x", "b", 2, 1),
         ("x", "c", 1, 1), ("x", "c", 2, 0)]  # fmt: skip


@cache
def workbook_members() -> dict[str, bytes]:
    """The members of a small workbook."""
    import openpyxl

    book = openpyxl.Workbook()
    for row in _ROWS:
        book.active.append(row)
    stream = io.BytesIO()
    book.save(stream)
    with zipfile.ZipFile(stream) as archive:
        return {member.filename: archive.read(member) for member in archive.infolist()}


def zipped_members(members: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    return stream.getvalue()


def draw_table(random: Random) -> Case:
    """A compressed table, changed, or changed before."""
    kind = random.choice(("gz", "bz2", "xz", "zst"))
    inside = SAMPLES["table"].content.encode()
    whole = random.random() < 0.3
    packed = _packed(kind, mutated(inside, random) if whole else inside)
    content = packed if whole else mutated(packed, random)
    return {"file": f"x.csv.{kind}", "content": content.decode("latin-1")}


def _packed(kind: str, data: bytes) -> bytes:
    if kind == "zst":
        import zstandard

        return bytes(zstandard.compress(data))
    packers: dict[str, Any] = {"gz": lambda content: gzip.compress(content, mtime=0), "bz2": bz2.compress,
                               "xz": lzma.compress}  # fmt: skip
    return bytes(packers[kind](data))


def check_table(case: Case, folder: Path) -> None:
    """Read or refused; what is read can be written and read."""
    path = folder / case["file"]
    path.write_bytes(case["content"].encode("latin-1"))
    try:
        corpus = ss.read(path, marks="end", remark=lambda _: None)
    except ss.SegmentationError as error:
        check_message(error, path)
        return
    ss.write(corpus, folder / "again.jsonl")
    assert ss.read(folder / "again.jsonl") == corpus
