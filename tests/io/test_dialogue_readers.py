"""Corpora of dialogues: real files beside the project, and small ones as their authors write them."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.io_reading_tools import fields

import segscore as ss
from segscore.io.format import recognise
from segscore.io.formats.text_files import matches_separated_text


@pytest.fixture
def dialogues(data: Path) -> Path:
    found = data / "dialogues"
    if not found.is_dir():
        pytest.skip("the data has no folder of dialogues")
    return found


# ---- the real files ----


@pytest.mark.parametrize(
    ("name", "kind", "documents", "units", "segments"),
    [
        ("dialseg_711.json", "dialogues", 711, 19350, 3465),
        ("tiage.json", "dialogues", 500, 7802, 2013),
        ("meeting_committee.json", "dialogues", 36, 7477, 254),
        ("tiage_anno_test.json", "tiage", 100, 1564, 415),
        ("tadam_en_reference.txt", "tadam", 711, 19350, 3465),
    ],
)
def test_real_files_are_recognised(
    dialogues: Path, name: str, kind: str, documents: int, units: int, segments: int
) -> None:
    assert recognise(dialogues / name).name == kind
    corpus = ss.read(dialogues / name)
    codings = [coding for document in corpus.values() for coding in document.values()]
    assert len(corpus) == len(codings) == documents
    assert sum(coding.n_units for coding in codings) == units
    assert sum(coding.n_segments for coding in codings) == segments
    assert all(document.units is not None for document in corpus.values())


# ---- small files, as their authors write them ----


def written(tmp_path: Path, name: str, content: object) -> Path:
    path = tmp_path / name
    text = content if isinstance(content, str) else json.dumps(content)
    path.write_text(text, encoding="utf-8")
    return path


# ---- lines of = ----

LINE = st.text(st.characters(codec="ascii", exclude_categories=["C", "Z"]), min_size=1).filter(
    lambda line: bool(line.strip("="))
)


@given(
    segments=st.lists(st.lists(LINE, min_size=1, max_size=4), min_size=2, max_size=5),
    width=st.integers(8, 40),
)
def test_any_number_of_equals_signs_from_eight(
    segments: list[list[str]], width: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("equals") / "d.txt"
    path.write_text(f"\n{'=' * width}\n".join("\n".join(segment) for segment in segments), "utf-8")
    (record,) = fields(path, "separated-text", coder="a")
    assert record["masses"] == [len(segment) for segment in segments]
    assert record["units"] == [unit for segment in segments for unit in segment]


def test_separated_text_is_recognised_and_headings_are_not(tmp_path: Path) -> None:
    path = written(tmp_path, "d.txt", "hello\nyou\n================\nbye\n")
    assert recognise(path).name == "separated-text"
    (record,) = fields(path)
    assert record["masses"] == [2, 1]
    heading = "A long title\n============\nText.\nMore text.\n"
    for text in (heading, heading.replace("\nMore", "\n\nMore"), "a\n=======\nb\n",
                 "a\n==========\nb\n================\nc\n"):  # fmt: skip
        assert not matches_separated_text(text.split("\n"))
        assert recognise(written(tmp_path, "d.txt", text)).name == "text"
    assert recognise(written(tmp_path, "d", "==========\na\n==========\n")).name == "choi"
