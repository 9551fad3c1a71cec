"""What damaged archives and the operating system say becomes our own error, which names the file."""

import json
import os
import re
import zipfile
from pathlib import Path

import numpy as np
import pytest

import segscore as ss
from segscore.errors import SegmentationError
from segscore.io import convert, read_columns, read_records
from segscore.io.files import Source
from segscore.segmenters import LSASpace

LINE = '{"document": "a", "coder": "b", "masses": [1, 2]}\n'


# ---- archives ----


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_archives_damaged_at_every_place(method: int, tmp_path: Path) -> None:
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w", method) as archive:
        archive.writestr("a.jsonl", LINE * 3)
    whole = path.read_bytes()
    for at in range(len(whole)):
        for value in (0x00, 0xFF, whole[at] ^ 1):
            path.write_bytes(whole[:at] + bytes([value]) + whole[at + 1 :])
            try:
                ss.read(path)
            except SegmentationError as error:
                assert str(path) in str(error)  # noqa: PT017


def test_spaces_with_other_things_inside(tmp_path: Path) -> None:
    path = tmp_path / "x.npz"
    about = {"format": 1, "tokens": "words", "stemmer": None, "stop_stems": False, "stop_words": []}
    good = {
        "about": np.array(json.dumps(about)),
        "vocabulary": np.array(["a"]),
        "matrix": np.eye(1),
    }
    np.savez(path, **good)
    assert len(LSASpace.load(path).vocabulary) == 1
    wrong_letter = np.array([0x7FFFFFFF], np.uint32).view("U1")
    for changed in (
        {"vocabulary": np.array([1.5])},
        {"vocabulary": np.array([["a"]])},
        {"vocabulary": wrong_letter},
        {"matrix": np.array([["a"]])},
        {"matrix": np.eye(2)},
        {"about": np.array(json.dumps({**about, "other": 1}))},
        {"about": np.array(json.dumps({**about, "tokens": 5}))},
        {"about": np.array("[" * 100_000)},
    ):
        np.savez(path, **{**good, **changed})
        with pytest.raises(SegmentationError, match=r"x\.npz"):
            LSASpace.load(path)


# ---- the operating system ----


@pytest.mark.parametrize("reader", [ss.read, read_columns, lambda path: list(read_records(path))])
def test_what_cannot_be_opened_is_named(reader: object, tmp_path: Path) -> None:
    absent = tmp_path / "absent.jsonl"
    pattern = f"{re.escape(str(absent))}.*file or directory"
    with pytest.raises(SegmentationError, match=pattern):
        reader(absent)  # type: ignore[operator]
    loop = tmp_path / "loop.jsonl"
    loop.symlink_to(loop)
    with pytest.raises(SegmentationError, match=r"loop\.jsonl: "):
        reader(loop)  # type: ignore[operator]
    with pytest.raises(SegmentationError, match="absent.zip: No such file"):
        reader(tmp_path / "absent.zip")  # type: ignore[operator]
    with pytest.raises(SegmentationError, match="absent.txt: No such file"):
        Source(tmp_path / "absent.txt", "a", "b").read_text()


def test_what_cannot_be_written_is_named(tmp_path: Path) -> None:
    corpus = ss.Corpus.from_dict({"a": {"b": ss.Segmentation.from_masses([1])}})
    with pytest.raises(SegmentationError, match=r"x\.jsonl: No such file"):
        ss.write(corpus, tmp_path / "none" / "x.jsonl")
    (tmp_path / "folder.jsonl").mkdir()
    with pytest.raises(SegmentationError, match=r"folder\.jsonl.*Is a directory.*expected a file"):
        ss.write(corpus, tmp_path / "folder.jsonl")
    assert [path.name for path in tmp_path.iterdir()] == ["folder.jsonl"]
    if Path("/dev/full").exists():
        with pytest.raises(SegmentationError, match="/dev/full.*space left"):
            ss.write(corpus, "/dev/full", "jsonl")


def test_a_folder_that_cannot_be_read_is_no_empty_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.jsonl").write_text(LINE)
    (tmp_path / "closed").mkdir()
    scandir = os.scandir

    def refusing(path: str) -> object:
        if str(path).endswith("closed"):
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refusing)
    with pytest.raises(SegmentationError, match="closed: Permission denied"):
        ss.read(tmp_path)


# ---- conversion ----


def test_nothing_to_convert_leaves_the_target(tmp_path: Path) -> None:
    empty, old = tmp_path / "empty.jsonl", tmp_path / "old.jsonl"
    empty.write_text("\n")
    old.write_text(LINE)
    with pytest.raises(SegmentationError, match=r"empty\.jsonl holds no coding"):
        convert(empty, old)
    assert old.read_text() == LINE


# ---- both readers of JSON Lines ----


@pytest.mark.parametrize("line", [b"\x0b", b"\x0c", b" \x0b ", b"\x1c", b"\x85", b"\xc2\xa0"])
def test_a_line_means_the_same_to_both_readers(line: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(LINE.encode() + line + b"\n")
    errors = []
    for reader in (ss.read, read_columns):
        with pytest.raises(SegmentationError, match=r"x\.jsonl, line 2: ") as error:
            reader(path)
        errors.append(str(error.value))
    assert errors[0] == errors[1]
    path.write_bytes(LINE.encode() + b" \t\n")
    assert len(ss.read(path)) == len(read_columns(path)) == 1


# ---- messages ----


def test_messages_spell_out_control_characters(tmp_path: Path) -> None:
    path = tmp_path / "x\x1b[31m.jsonl"
    path.write_text("nothing\n")
    with pytest.raises(SegmentationError) as error:
        ss.read(path)
    assert "x\\x1b[31m.jsonl, line 1: not JSON" in str(error.value)
    assert str(error.value).isprintable()


def test_messages_quote_at_most_200_characters(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    name = "n" * 10_000
    for fields in (
        {"document": name, "coder": name, "masses": [0]},
        {"document": "a", "coder": "b", "masses": [1], name: 1},
        {"document": "a", "coder": "b", "masses": [1], "kind": name},
    ):
        path.write_text(json.dumps(fields))
        with pytest.raises(SegmentationError) as error:
            ss.read(path)
        quoted = re.findall(r"'([^']*)'", str(error.value))
        assert all(len(quotation) <= 200 for quotation in quoted)
        assert len(str(error.value)) < 1000
    header = tmp_path / "x.csv"
    header.write_text("document,coder," + ",".join(f"c{i}" for i in range(9999)) + "\n")
    with pytest.raises(SegmentationError) as error:
        ss.read(header)
    assert len(str(error.value)) < 1000
