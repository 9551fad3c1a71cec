"""Families of files: every reader, zip archives and saved spaces, each with something changed.

A file is read or refused with a SegmentationError that names it in a message of bearable length.
What was read is written as JSON Lines, read again, and is the same.
"""

import io
import json
import zipfile
from pathlib import Path
from random import Random
from typing import Any, get_args

import numpy as np

import segscore as ss
from fuzz.mutations import mutated
from fuzz.samples import SAMPLES, UNITS_OF_ANSWERS
from segscore.io import FORMATS, ReadOptions, read_columns
from segscore.io.read_options import SHAPES
from segscore.io.table_columns import Marks
from segscore.segmenters import LSASpace

Case = dict[str, Any]
_POLICIES = ("error", "snap", "keep-start")
_COMPRESSED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
_LONGEST_MESSAGE = 2500


def draw_reader(random: Random) -> Case:
    """One file of one format, changed."""
    name = random.choice(list(SAMPLES))
    sample = SAMPLES[name]
    return {
        "format": name,
        "file": sample.name,
        "content": mutated(sample.content.encode(), random).decode("latin-1"),
        "told": random.random() < 0.8,
        "units": sample.units if random.random() < 0.9 else random.choice(("words", "lines", None)),
        "policy": random.choice(_POLICIES),
        "shape": random.choice(SHAPES),
        "marks": sample.marks if random.random() < 0.9 else random.choice(get_args(Marks)),
    }


def check_reader(case: Case, folder: Path) -> None:
    """Read or refused; what is read can be written and read."""
    path = folder / case["file"]
    path.write_bytes(case["content"].encode("latin-1"))
    if case["format"] == "brat":
        path.with_suffix(".txt").write_text("a b")
    format_name = case["format"] if case["told"] else None
    used = FORMATS[case["format"]].used_keys
    more: dict[str, Any] = {}
    if format_name == "llm":
        (folder / "units.jsonl").write_text(UNITS_OF_ANSWERS)
        more = {"text": folder / "units.jsonl", "base": 0, "shape": case.get("shape", "starts")}
    try:
        corpus = ss.read(
            path,
            format_name,
            **more,
            units=case["units"],
            **{key: case[key] for key in ("policy", "marks") if case.get(key) and key in used},
            remark=lambda _: None,
        )
    except ss.SegmentationError as error:
        check_message(error, path)
        corpus = None
    if format_name == "jsonl":
        _check_columns(path, corpus)
    if corpus:  # every answer of a model may be unusable
        again = folder / "again.jsonl"
        ss.write(corpus, again)
        assert ss.read(again) == corpus


def _check_columns(path: Path, corpus: ss.Corpus | None) -> None:
    """Both readers of JSON Lines say the same."""
    try:
        columns = read_columns(path, "jsonl", choices=ReadOptions(remark=lambda _: None))
    except ss.SegmentationError as error:
        check_message(error, path)
        assert corpus is None or "expected the same number" in str(error)  # noqa: PT017
        return
    if corpus is not None:
        codings = {(record.document, record.coder): record.segmentation
                   for record in corpus.records() if record.segmentation is not None}  # fmt: skip
        rows = {(columns.documents[row], columns.coder(row)): columns.segmentation(row)
                for row in range(len(columns))}  # fmt: skip
        assert rows == codings


def check_message(error: ss.SegmentationError, path: Path) -> None:
    """One line that names the file, or the option that is wrong, and moves no cursor."""
    text = str(error)
    assert str(path.parent) in text or "units" in text, text
    assert len(text) < _LONGEST_MESSAGE, text
    assert text.isprintable() or "\u200d" in text or "\xa0" in text or not text.isascii(), text
    assert "\x1b" not in text


def draw_archive(random: Random) -> Case:
    """A zip archive, changed."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", random.choice(_COMPRESSED)) as archive:
        for name in ("a.jsonl", "sub/b.jsonl"):
            archive.writestr(zipfile.ZipInfo(name), SAMPLES["jsonl"].content.replace("x", name[-7]))
    return {"content": mutated(stream.getvalue(), random).decode("latin-1")}


def check_archive(case: Case, folder: Path) -> None:
    """Read or refused, and nothing outside."""
    path = folder / "x.zip"
    path.write_bytes(case["content"].encode("latin-1"))
    try:
        ss.read(path)
    except ss.SegmentationError as error:
        check_message(error, path)
    assert [file.name for file in folder.iterdir()] == ["x.zip"]


def draw_space(random: Random) -> Case:
    """A saved space, changed: in its archive, or in a member."""
    about = {"format": 1, "tokens": "words", "stemmer": None, "stop_stems": False, "stop_words": []}
    members: dict[str, bytes] = {}
    for name, array in (
        ("vocabulary", np.array(["cat", "star"])),
        ("matrix", np.eye(2, dtype=np.float32)),
        ("about", np.array(json.dumps(about))),
    ):
        stream = io.BytesIO()
        np.save(stream, array)
        members[name] = stream.getvalue()
    inside = random.random() < 0.6
    if inside:
        name = random.choice(list(members))
        members[name] = mutated(members[name], random)
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", random.choice(_COMPRESSED)) as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(f"{name}.npy"), content)
    content = stream.getvalue() if inside else mutated(stream.getvalue(), random)
    return {"content": content.decode("latin-1")}


def check_space(case: Case, folder: Path) -> None:
    """Loaded or refused."""
    path = folder / "x.npz"
    path.write_bytes(case["content"].encode("latin-1"))
    try:
        space = LSASpace.load(path)
    except ss.SegmentationError as error:
        check_message(error, path)
    else:
        space.encode(["a cat", ""])
