"""Zip archives of tools: read like folders, and not trusted."""

import io
import json
import os
import re
import stat
import threading
import zipfile
from pathlib import Path

import pytest

import segscore as ss
from io_reading_tools import fields, message, zip_of
from segscore.io import files as files_module
from segscore.io import files as zips
from segscore.io import read_columns

LINE = {"id": 5, "text": "a b", "entities": [{"label": "A", "start_offset": 0, "end_offset": 3}]}


def zipped(tmp_path: Path, members: dict[str, str]) -> Path:
    path = tmp_path / "export.zip"
    path.write_bytes(zip_of(members))
    return path


def test_an_archive_is_read_like_a_folder(tmp_path: Path) -> None:
    path = zipped(tmp_path, {"ann.jsonl": json.dumps(LINE), "sub/bob.jsonl": json.dumps(LINE)})
    found = fields(path, units="words")
    assert [(record["document"], record["coder"]) for record in found] == [
        ("5", "ann"),
        ("5", "bob"),
    ]
    gaps = zipped(tmp_path, {"a.tsv": "Coder\tMasses\nb\t1\t2\n", "folder/": ""})
    assert ss.read(gaps)["a"]["b"].masses.tolist() == [1, 2]
    assert len(read_columns(gaps)) == 1


def test_messages_name_the_archive(tmp_path: Path) -> None:
    path = zipped(tmp_path, {"ann.jsonl": json.dumps({**LINE, "entities": 3})})
    assert re.search(
        "line 1.*document '5'.*coder 'ann'.*entities is 3", message(path, units="words")
    )
    path = zipped(tmp_path, {"a.doc": "x"})
    assert re.search(r"export\.zip.*no file with suffix", message(path))
    # what only the whole shows is named after the reading, too
    path = zipped(tmp_path, {"a.gaps": "x\tb\t10\nx\tb\t10\n"})
    with pytest.raises(
        ss.SegmentationError, match=r"^\S*/export\.zip/a\.gaps, line 2: document 'x'"
    ):
        ss.read(path)


@pytest.mark.parametrize(
    "name", ["../x.jsonl", "/x.jsonl", "a/../../x.jsonl", "..\\x.jsonl", "C:x.jsonl"]
)
def test_members_outside(name: str, tmp_path: Path) -> None:
    path = zipped(tmp_path, {"fine.jsonl": json.dumps(LINE), name: json.dumps(LINE)})
    assert re.search(rf"{re.escape(repr(name))} lies outside", message(path, units="words"))
    assert list(tmp_path.iterdir()) == [path]


def test_links_and_doubles(tmp_path: Path) -> None:
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w") as archive:
        link = zipfile.ZipInfo("x.jsonl")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
    assert re.search(r"export\.zip.*member 'x\.jsonl'", message(path))
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("x.jsonl", "a")
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("x.jsonl", "b")
    assert re.search(r"export\.zip.*'x\.jsonl'.*listed twice", message(path))


def test_bombs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files_module, "MOST_BYTES", 2**20)
    path = zipped(tmp_path, {"a.jsonl": " " * 2**19, "b.jsonl": " " * (2**19 + 1)})
    assert re.search(r"export\.zip.*1 MiB unpacked", message(path))
    coding = json.dumps({"document": "d", "coder": "c", "masses": [2, 3]})
    large = zipped(tmp_path.parent, {"a.jsonl": coding + " " * 2**20})
    ss.io.convert(large, tmp_path / "x.gaps", choices=ss.io.ReadOptions(large=True))
    monkeypatch.setattr(zips, "MOST_MEMBERS", 1)
    assert message(path) == "export.zip: 2 members: expected at most 1"


def test_what_is_no_archive(tmp_path: Path) -> None:
    path = tmp_path / "export.zip"
    path.write_bytes(b"hello")
    assert re.search(r"export\.zip.*not a zip file", message(path))
    data = bytearray(zipped(tmp_path, {"a.jsonl": json.dumps(LINE) * 99}).read_bytes())
    data[40:60] = bytes(20)
    path.write_bytes(data)
    assert message(path, units="words").endswith(": expected a zip archive")
    data = bytearray(zipped(tmp_path, {"a.jsonl": "x"}).read_bytes())
    at = data.rindex(b"PK\x01\x02")
    data[6] |= 1
    data[at + 8] |= 1
    assert zipfile.is_zipfile(io.BytesIO(data))
    path.write_bytes(data)
    assert re.search(r"export\.zip.*'a\.jsonl'.*encrypted", message(path))


# ---- pipes ----


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_is_read_once_and_recognised(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    line = '{"document": "a", "coder": "ann", "masses": [2, 3]}\n'

    def with_content(content: str) -> threading.Thread:
        thread = threading.Thread(target=pipe.write_text, args=(content,))
        thread.start()
        return thread

    for reader in (ss.read, read_columns):
        writer = with_content(line)
        assert len(reader(pipe)) == 1  # type: ignore[operator]
        writer.join()
    writer = with_content(line + "{")
    assert message(pipe).startswith("pipe, line 2: ")
    writer.join()
