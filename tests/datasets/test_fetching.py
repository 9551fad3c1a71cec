"""Corpora are fetched by the real code from a server on this machine, which also misbehaves."""

import gc
import gzip
import hashlib
import io
import json
import tarfile
import threading
import time
import tracemalloc
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

import segscore as ss
from segscore import datasets
from segscore.cli import run
from segscore.datasets import catalogue, fetching, loading

NAME = "toy"
FILES = {"codings/a.csv": b"paragraph,an1\n1,1\n2,2\n", "text/long.txt": b"0123456789" * 30_000}


class Home:
    """A public home: what it serves, how it misbehaves, and what it was asked."""

    def __init__(self) -> None:
        self.served: dict[str, bytes] = {}
        self.behaviour = "good"
        self.asked: list[tuple[str, str | None]] = []
        self.address = ""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    home: Home

    def log_message(self, *_: Any) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        home, wanted = self.home, self.headers.get("Range")
        home.asked.append((self.path, wanted))
        data = home.served.get(self.path)
        if data is None or home.behaviour == "absent":
            self.send_error(404)
            return
        if home.behaviour.startswith(("Content-Length: ", "Location: ")):
            self.send_response(302 if home.behaviour[0] == "L" else 200)
            self.wfile.write(b"".join(self._headers_buffer))  # type: ignore[attr-defined]
            self.wfile.write(f"{home.behaviour}\r\nConnection: close\r\n\r\n".encode("latin-1"))
            self.wfile.write(b"x")
            self.close_connection = True
            return
        if home.behaviour == "tampered":
            data = data[:-1] + bytes([data[-1] ^ 1])
        start = 0
        if wanted and home.behaviour != "no ranges":
            start = int(wanted.removeprefix("bytes=").rstrip("-"))
        self.send_response(206 if start else 200)
        self.send_header("Content-Length", str(len(data) - start))
        self.end_headers()
        body = data[start:]
        if home.behaviour == "breaks off" and len(body) > 1000:
            self.wfile.write(body[: len(body) // 2])
            self.wfile.flush()
            self.connection.close()
            return
        if home.behaviour == "slow":
            for at in range(0, len(body), 2**17):
                self.wfile.write(body[at : at + 2**17])
                time.sleep(0.05)
            return
        if home.behaviour == "too long":
            body += b"more"
        self.wfile.write(body)


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Home]:
    """A server on the loopback, a corpus that lives there, and an empty cache."""
    served = Home()
    handler = type("Handler", (_Handler,), {"home": served})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    served.address = f"http://127.0.0.1:{server.server_address[1]}"
    monkeypatch.setenv("SEGSCORE_MIRROR", served.address)
    monkeypatch.setenv("SEGSCORE_DATA", str(tmp_path / "cache"))
    monkeypatch.setattr(fetching, "_PAUSE", 0.0)
    _add(served, monkeypatch, FILES)
    yield served
    server.shutdown()
    server.server_close()


def _add(home: Home, monkeypatch: pytest.MonkeyPatch, files: dict[str, bytes]) -> None:
    rows = tuple(
        (path, f"data/{path}", len(data), hashlib.sha256(data).hexdigest())
        for path, data in files.items()
    )
    toy = catalogue.Dataset(NAME, "a toy", "nobody", (), "for tests", False, "me/toy", "c0", rows)
    monkeypatch.setitem(catalogue.DATASETS, NAME, toy)
    home.served = {f"/me/toy/c0/data/{path}": data for path, data in files.items()}
    home.served["/me/toy/tar.gz/c0"] = _archive(files)


def _archive(files: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as archive:
        hostile = tarfile.TarInfo("toy-c0/../../outside.txt")
        hostile.size = 1
        archive.addfile(hostile, io.BytesIO(b"x"))
        for path, data in files.items():
            member = tarfile.TarInfo(f"toy-c0/data/{path}")
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return stream.getvalue()


def _files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != ".terms-accepted"
    }


def test_a_corpus_is_fetched_once(home: Home) -> None:
    folder = datasets.fetch(NAME, accept=True)
    assert _files(folder) == FILES
    asked = len(home.asked)
    assert datasets.fetch(NAME) == folder  # terms are accepted, files are here
    assert len(home.asked) == asked == 2


def test_terms_have_to_be_accepted(home: Home) -> None:
    with pytest.raises(ss.SegmentationError, match=r"toy: terms: for tests.*--accept"):
        datasets.fetch(NAME)
    assert not home.asked


@pytest.mark.parametrize(
    ("behaviour", "words"),
    [
        ("absent", "the server answered 404"),
        ("tampered", "SHA-256 differs"),
        ("breaks off", "was interrupted"),
        ("too long", "toy"),
        *((f"Content-Length: {length}", "toy") for length in ("-1", "9" * 5000, "1, 1")),
        ("Location: file:///etc/passwd", "toy"),
    ],
)
def test_a_bad_answer_is_one_line_and_leaves_nothing(
    home: Home, behaviour: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home.behaviour = behaviour
    place = tmp_path / "cache" / NAME
    code = run(["data", "fetch", NAME, "--accept-terms"])
    seen = capsys.readouterr()
    if behaviour == "too long":  # the server said how long the file is: the rest is not ours
        assert code == 0
        assert _files(place) == FILES
        return
    assert code == 2
    assert seen.err.count("\n") == 1
    assert words in seen.err
    assert not [path for path in _files(place) if not path.endswith(".part")] or behaviour == (
        "breaks off"
    )
    gc.collect()  # a connection that is still open is a warning, which would fail a later test


def test_what_broke_off_is_resumed(home: Home, tmp_path: Path) -> None:
    home.behaviour = "breaks off"
    with pytest.raises(ss.SegmentationError, match="was interrupted"):
        datasets.fetch(NAME, accept=True)
    place = tmp_path / "cache" / NAME
    part = place / "text" / "long.txt.part"
    have = part.stat().st_size
    assert 0 < have < len(FILES["text/long.txt"])
    home.behaviour = "good"
    home.asked.clear()
    assert _files(datasets.fetch(NAME)) == FILES
    assert home.asked == [("/me/toy/c0/data/text/long.txt", f"bytes={have}-")]


def test_a_wrong_part_is_thrown_away(home: Home, tmp_path: Path) -> None:
    part = tmp_path / "cache" / NAME / "text" / "long.txt.part"
    part.parent.mkdir(parents=True)
    part.write_bytes(b"x" * 777)
    with pytest.raises(ss.SegmentationError, match="SHA-256"):
        datasets.fetch(NAME, accept=True)
    assert not part.exists()
    assert _files(datasets.fetch(NAME)) == FILES


def test_a_damaged_copy_is_fetched_again_and_the_rest_stays(home: Home, tmp_path: Path) -> None:
    folder = datasets.fetch(NAME, accept=True)
    (folder / "codings" / "a.csv").write_bytes(b"short")
    home.asked.clear()
    assert _files(datasets.fetch(NAME)) == FILES
    assert [path for path, _ in home.asked] == ["/me/toy/c0/data/codings/a.csv"]


def test_no_network(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEGSCORE_MIRROR", "http://127.0.0.1:9")  # nobody listens there
    with pytest.raises(ss.SegmentationError, match="no connection"):
        datasets.fetch(NAME, accept=True)


# ---- archives ----

MANY = {f"{i // 10}/{i}.ref": f"document {i}\n".encode() * 20 for i in range(120)}


def test_many_files_come_as_one_archive(
    home: Home, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    _add(home, monkeypatch, MANY)
    folder = datasets.fetch(NAME, accept=True)
    assert _files(folder) == MANY
    assert [path for path, _ in home.asked] == ["/me/toy/tar.gz/c0"]
    assert not list(tmp_path.rglob("outside.txt"))


@pytest.mark.parametrize("damage", ["cut", "noise", "other files"])
def test_a_damaged_archive(home: Home, monkeypatch: pytest.MonkeyPatch, damage: str) -> None:
    _add(home, monkeypatch, MANY)
    whole = home.served["/me/toy/tar.gz/c0"]
    other = {path: data + b"!" for path, data in MANY.items()}
    bad = {"cut": whole[: len(whole) // 2], "noise": b"x" * 5000, "other files": _archive(other)}
    home.served["/me/toy/tar.gz/c0"] = bad[damage]
    with pytest.raises(ss.SegmentationError, match="archive|missing or are not"):
        datasets.fetch(NAME, accept=True)
    home.served["/me/toy/tar.gz/c0"] = whole
    assert _files(datasets.fetch(NAME)) == MANY


def test_an_archive_that_declares_too_much_ends(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    _add(home, monkeypatch, MANY)
    for kind in (tarfile.REGTYPE, tarfile.XHDTYPE):
        header = tarfile.TarInfo("toy-c0/x")
        header.type, header.size = kind, 2**62
        home.served["/me/toy/tar.gz/c0"] = gzip.compress(header.tobuf(tarfile.GNU_FORMAT))
        with pytest.raises(ss.SegmentationError, match="archive is damaged|missing or are not"):
            datasets.fetch(NAME, accept=True)


def test_an_archive_is_bounded(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    _add(home, monkeypatch, MANY)
    whole = home.served["/me/toy/tar.gz/c0"]
    home.served["/me/toy/tar.gz/c0"] = gzip.compress(bytes(2**24)) * 40
    monkeypatch.setattr(fetching, "MOST_ARCHIVED", 2**24)
    tracemalloc.start()
    try:
        with pytest.raises(ss.SegmentationError, match=r"more than 16777216 bytes unpacked"):
            datasets.fetch(NAME, accept=True)
        assert tracemalloc.get_traced_memory()[1] < 2**26
    finally:
        tracemalloc.stop()
    home.served["/me/toy/tar.gz/c0"] = bytes(2**24 + 1)
    with pytest.raises(ss.SegmentationError, match=r"more than 16777216 bytes arrived"):
        datasets.fetch(NAME, accept=True)
    home.served["/me/toy/tar.gz/c0"] = whole
    assert _files(datasets.fetch(NAME)) == MANY


@pytest.mark.parametrize("files", [FILES, MANY], ids=["file by file", "archive"])
def test_several_may_fetch_one_corpus_at_once(
    home: Home, monkeypatch: pytest.MonkeyPatch, files: dict[str, bytes], tmp_path: Path
) -> None:
    _add(home, monkeypatch, files)
    place = tmp_path / "cache" / NAME
    home.behaviour = "slow"
    done: list[object] = []

    def fetch() -> None:
        try:
            done.append(datasets.fetch(NAME, accept=True))
        except Exception as error:  # is looked at below
            done.append(error)

    threads = [threading.Thread(target=fetch) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert done == [place] * 8
    assert _files(place) == files


# ---- the real corpora, served from the folder of data ----


def test_the_real_catalogue_is_fetched_whole(
    home: Home, data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delitem(catalogue.DATASETS, NAME)
    monkeypatch.setattr(catalogue, "_PROJECT", Path("/nowhere/at/all/really"))
    known = loading.carroll2010(data / "carroll2010")
    outputs = {"carroll2010": _marked_texts(known)}
    outputs["qmsum"] = _meetings("qmsum")
    outputs["tiage"] = dict.fromkeys(("anno/train.json", "anno/dev.json", "anno/test.json"), b"{}")
    outputs["evidence"] = {"finance.md": b"x", "pubmed.md": b"x"}  # pinned, but not at hand
    for name, made in outputs.items():
        monkeypatch.setitem(catalogue.DATASETS, name, _with_files(name, made))
    for dataset in list(catalogue.DATASETS.values()):
        files = {
            (file.home or f"{dataset.repository}/{dataset.commit}", file.upstream): outputs.get(
                dataset.name, {}
            ).get(file.path)
            or _at_hand(data, dataset, file.path)
            for file in dataset.files
        }
        home.served |= {
            f"/{place}/{upstream}": content for (place, upstream), content in files.items()
        }
        stream = io.BytesIO()
        with tarfile.open(fileobj=stream, mode="w:gz", compresslevel=1) as archive:
            for (_, upstream), content in files.items():
                member = tarfile.TarInfo(f"top/{upstream}")
                member.size = len(content)
                archive.addfile(member, io.BytesIO(content))
        home.served[f"/{dataset.repository}/tar.gz/{dataset.commit}"] = stream.getvalue()
    assert run(["data", "fetch", "all", "--accept-terms"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(catalogue.DATASETS)
    assert len(datasets.load("choi")) == 700
    assert datasets.load("moonstone")["1"].units is not None
    assert datasets.load("moonstone").groups["1"] == ("1", "3", "4", "11")
    assert datasets.load("carroll2010") == known  # from 462 files, or from outputs.jsonl
    assert len(datasets.load("dialseg711")) == 711
    assert {k: len(v) for k, v in datasets.load("tiage").groups.items()} == {
        "train": 300, "dev": 100, "test": 100,
    }  # fmt: skip
    meetings = datasets.load("qmsum")
    assert {k: len(v) for k, v in meetings.groups.items()} == {"train": 162, "val": 35, "test": 35}
    assert meetings["Bed003"]["reference"].masses.tolist() == [1, 2, 1]
    assert meetings.provenance.fields == {"policy": "snap"}
    asked = [path for path, _ in home.asked if "QMSum" in path]
    assert len(asked) == 1  # 232 files in one archive
    assert any(path.startswith("/xyease/TADAM/683c9e97") for path, _ in home.asked)
    with pytest.raises(ss.SegmentationError, match=r"no codings: expected ss.datasets.find"):
        datasets.load("evidence")


def _marked_texts(corpus: ss.Corpus) -> dict[str, bytes]:
    """Files like the outputs of carroll2010, which are pinned, but not at hand."""
    made = {}
    for name, document in corpus.items():
        for system in loading.CARROLL_SYSTEMS:
            coding = document[system]
            ranks = dict(zip(coding.boundaries.tolist(), coding.ranks.tolist(), strict=True))  # type: ignore[union-attr]
            lines = [
                f"==== {ranks[at]} ====\n{unit}" if at in ranks else unit
                for at, unit in enumerate(document.units or ())
            ]
            text = "\n".join(lines) + "\n"
            made[f"outputs/{system}/{name}.txt.eos.tok"] = text.encode()
    return made


def _meetings(name: str) -> dict[str, bytes]:
    """Files made from the schema of QMSum, which are pinned, but not at hand."""
    turns = [{"speaker": "A", "content": word} for word in "abcd"]
    topics = [{"topic": "x", "relevant_text_span": [["1", "2"]]}]
    made = json.dumps({"topic_list": topics, "meeting_transcripts": turns}).encode()
    return {file.path: made for file in catalogue.DATASETS[name].files}


def _at_hand(data: Path, dataset: catalogue.Dataset, path: str) -> bytes:
    folders = (data / dataset.name, data / dataset.folder)
    return next(folder / path for folder in folders if (folder / path).is_file()).read_bytes()


def _with_files(name: str, contents: dict[str, bytes]) -> catalogue.Dataset:
    """The real entry of a corpus, but with the sizes and checksums of these files."""
    dataset = catalogue.DATASETS[name]
    assert contents.keys() <= {file.path for file in dataset.files}
    files = tuple(
        file._replace(size=len(made), sha256=hashlib.sha256(made).hexdigest())
        if (made := contents.get(file.path)) is not None
        else file
        for file in dataset.files
    )
    return replace(dataset, files=files)


# ---- places ----


def test_what_is_missing_says_how_to_get_it(home: Home) -> None:
    with pytest.raises(ss.SegmentationError, match="segscore data fetch toy"):
        catalogue.find(NAME)
    with pytest.raises(ss.SegmentationError, match="did you mean 'moonstone'"):
        datasets.load("moonston")


def test_the_cache_of_each_system(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("SEGSCORE_DATA", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "local"))
    for system, part in (("linux", "segscore"), ("win32", "local"), ("darwin", "Caches")):
        monkeypatch.setattr(catalogue.sys, "platform", system)
        assert part in catalogue.cache_folder().parts


def test_embedded_corpora_need_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEGSCORE_DATA", str(tmp_path))
    assert len(datasets.load("kubla_khan")["kubla_khan"]) == 9
    assert datasets.fetch("stargazer").is_dir()
    assert fetching.accepted(datasets.dataset("stargazer"))
