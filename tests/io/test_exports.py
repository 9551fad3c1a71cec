"""What annotation tools and speech recognisers export: projects, JSON-MIN, chapters, RTTM, CTM,
transcripts; and folders in which some files are wrong."""

import io
import json
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest

import segscore as ss
from io_reading_tools import fields, message
from segscore.cli import run as cli_run

TEXT = "First topic. Still first. Second topic."


# ---- INCEpTION ----


def cas(spans: list[tuple[int, int, str]]) -> Any:
    cassis = pytest.importorskip("cassis")
    system = cassis.TypeSystem()
    segment = system.create_type("custom.Segment", "uima.tcas.Annotation")
    system.create_feature(segment, "label", "uima.cas.String")
    sentence = system.create_type("x.Sentence", "uima.tcas.Annotation")
    found = cassis.Cas(typesystem=system)
    found.sofa_string = TEXT
    found.sofa_mime = "text/plain"
    for start, end in ((0, 12), (13, 25), (26, 39)):
        found.add(sentence(begin=start, end=end))
    for start, end, label in spans:
        found.add(segment(begin=start, end=end, label=label))
    return found


def project(packed: bool) -> dict[str, bytes]:
    """The members of a project export."""
    coded = {"ann": [(0, 25, "A"), (26, 39, "B")], "bob": [(0, 12, "A"), (13, 39, "B")],
             "INITIAL_CAS": [(0, 39, "A")]}  # fmt: skip
    members = {"exportedproject.json": b'{"name": "p", "source_documents": []}',
               "source/ch1.txt": TEXT.encode(), "log/x.log": b"x",
               "annotation_ser/ch1.txt/ann.ser": b"\xac\xed"}  # fmt: skip
    for user, spans in coded.items():
        found = cas(spans)
        if packed:
            inner = io.BytesIO()
            with zipfile.ZipFile(inner, "w") as archive:
                archive.writestr("TypeSystem.xml", "<typeSystemDescription/>")
                archive.writestr(f"{user}.xmi", found.to_xmi())
            members[f"annotation/ch1.txt/{user}.zip"] = inner.getvalue()
        else:
            members[f"annotation/ch1.txt/{user}.json"] = found.to_json().encode()
    members["curation/ch1.txt/CURATION_USER.zip"] = b"not read"
    return members


@pytest.mark.parametrize("packed", [True, False])
def test_project_of_inception(packed: bool, tmp_path: Path) -> None:
    path = tmp_path / "p.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in project(packed).items():
            archive.writestr(name, data)
    corpus = ss.read(path, layer="Segment")
    assert list(corpus) == ["ch1.txt"]
    assert {coder: coding.masses.tolist() for coder, coding in corpus["ch1.txt"].items()} == {
        "ann": [2, 1], "bob": [1, 2]
    }  # fmt: skip
    assert corpus["ch1.txt"].units == ("First topic.", "Still first.", "Second topic.")
    folder = tmp_path / "p"
    with zipfile.ZipFile(path) as archive:
        archive.extractall(folder)
    assert ss.read(folder, layer="Segment") == corpus
    assert sorted(path.name for path in tmp_path.iterdir()) == ["p", "p.zip"]


def test_damaged_projects(tmp_path: Path) -> None:
    path = tmp_path / "p.zip"
    members = project(True)
    for name, data, expected in (
        ("annotation/ch1.txt/ann.zip", b"x", r"annotation/ch1\.txt/ann\.zip.*not a zip file"),
        ("annotation/ch1.txt/ann.zip", archive_of({"a.xmi": b"", "b.xmi": b""}),
         r"it holds 2 annotated documents.*a\.xmi.*b\.xmi"),
        ("annotation/ch1.txt/ann.zip", archive_of({}), "it holds 0 annotated documents"),
        ("annotation/ch1.txt/ann.zip", archive_of({"../x.xmi": b""}), "lies outside"),
    ):  # fmt: skip
        path.write_bytes(archive_of({**members, name: data}))
        assert re.search(expected, message(path, layer="Segment"))
    only = {"exportedproject.json": b"{}", "annotation/ch1/INITIAL_CAS.json": b"{}"}
    path.write_bytes(archive_of(only))
    assert re.search("holds no annotations", message(path))


def archive_of(members: dict[str, bytes]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return target.getvalue()


# ---- chapters ----


def test_how_long_a_video_is(tmp_path: Path) -> None:
    path = tmp_path / "talk.txt"
    path.write_text("0:00 Intro\n0:12 Middle\n0:30 End\n")
    assert re.search("how long the recording", message(path, units="seconds:6"))
    assert fields(path, units="seconds:6", durations={"talk": 60})[0]["masses"] == [2, 3, 5]  # type: ignore[arg-type]
    (tmp_path / "durations.csv").write_text("video;duration\ntalk;1:06\nother;3,5\n")
    assert fields(path, units="seconds:6")[0]["masses"] == [2, 3, 6]
    (tmp_path / "talk.info.json").write_text('{"id": "x", "duration": 48.0}')
    assert fields(path, units="seconds:6")[0]["masses"] == [2, 3, 3]
    assert fields(path, units="seconds:6:42")[0]["masses"] == [2, 3, 2]
    durations = tmp_path / "long.json"
    durations.write_text('{"talk": 72}')
    target = tmp_path / "y.jsonl"
    assert cli_run(["convert", str(path), str(target), "--units", "seconds:6", "--read", f"durations={durations!s}"]) == 0  # fmt: skip
    assert fields(target)[0]["masses"] == [2, 3, 7]


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("d.csv", "a,b\n1,2\n", r"d\.csv.*line 1.*header is 'a,b'"),
        ("d.csv", "document,duration\na,x\n",
         r"d\.csv.*line 2.*document 'a'.*duration is 'x'"),
        ("d.csv", "document,duration\na,1\na,2\n",
         r"d\.csv.*line 3.*document 'a'.*listed twice"),
        ("d.json", "[1]", r"d\.json: \[1\] \(list\): expected \{document: seconds\}"),
        ("d.json", '{"a": -1}', r"d\.json.*document 'a'.*duration is '-1'"),
    ],
)  # fmt: skip
def test_wrong_durations(name: str, content: str, expected: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(ss.SegmentationError) as error:
        ss.io.read_durations(path)
    assert re.search(expected, str(error.value))


# ---- folders in which some files are wrong ----


def folder(tmp_path: Path, n: int = 50) -> Path:
    top = tmp_path / "many"
    top.mkdir()
    for index in range(n):
        items = {f"d{index}": {"a": [2, 3], "b": [1, 4]}}
        text = json.dumps({"segmentation_type": "linear", "items": items})
        (top / f"f{index}.json").write_text(text)
    (top / "f7.json").write_text("{")
    (top / "f9.json").write_text('{"segmentation_type": "linear", "items": {"q": {"a": [0]}}}')
    (top / "f11.json").write_text('{"document": "x", "coder": "a", "masses": [1]}')
    return top


def test_wrong_files_are_skipped_and_listed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    top = folder(tmp_path)
    assert cli_run(["score", str(top), "--reference", "a"]) == 2
    assert "f7.json, line 1: not JSON" in capsys.readouterr().err
    command = ["score", str(top), "--reference", "a", "--read", "on-error=skip"]
    assert cli_run(command) == 3
    shown = capsys.readouterr()
    assert "47" in shown.out
    assert "3 files skipped:" in shown.err
    assert all(f"f{index}.json" in shown.err for index in (7, 9, 11))
    assert re.search(r"looks\s+like\s+jsonl", shown.err)
    skipped: list[ss.io.Skipped] = []
    assert len(ss.read(top, on_error="skip", skipped=skipped)) == 47
    assert [Path(skip.file).name for skip in skipped] == ["f7.json", "f11.json", "f9.json"]
    with pytest.warns(ss.io.ReadingWarning, match="3 files skipped"):
        ss.read(top, on_error="skip")
    assert cli_run(["score", str(top), "--reference", "a", "--read", "on-error=x"]) == 2
    for path in top.iterdir():
        path.write_text("{")
    assert cli_run(command) == 2
    assert re.search("no file that could", capsys.readouterr().err)


# ---- the command line ----


def test_standard_input_and_output(
    tmp_path: Path, capfdbinary: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = b"doc_id;annotator;sentence_id;boundary\nd;a;1;0\nd;a;2;1\nd;a;3;0\n"
    import gzip

    for data in (text, gzip.compress(text)):
        stdin = io.TextIOWrapper(io.BytesIO(data))
        monkeypatch.setattr("sys.stdin", stdin)
        assert cli_run(["convert", "-", "-", "--read", "marks=end"]) == 0
        assert capfdbinary.readouterr().out == b'{"document":"d","coder":"a","masses":[2,1]}\n'
    assert cli_run(["convert", "-", str(tmp_path / "x.jsonl"), "--read", "marks=end"]) == 2
    assert b"standard input is empty" in capfdbinary.readouterr().err
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"hello\n")))
    assert cli_run(["convert", "-", str(tmp_path / "x.jsonl")]) == 2
    assert b"the format is not clear" in capfdbinary.readouterr().err
