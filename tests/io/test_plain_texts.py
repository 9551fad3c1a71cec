"""Texts to be segmented, from Python; the command line is in tests/segmenters."""

from pathlib import Path

import pytest

import segscore as ss
from segscore.io.plain_texts import TextReading, read_documents
from segscore.io.read_options import ReadOptions


def test_files_and_folders(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("One. Two.\nThree.", "utf-8")
    (tmp_path / "b.md").write_text("# Title\n\nFour.\n\nFive.", "utf-8")
    texts = TextReading(ReadOptions()).documents([tmp_path])
    assert texts == {"a": ["One.", "Two.", "Three."], "b": ["Four.", "Five."]}
    by_line = TextReading(ReadOptions(), units="lines").documents([tmp_path / "a.txt"])
    assert by_line == {"a": ["One. Two.", "Three."]}


def test_a_text_that_is_hardly_cut_is_remarked_on(tmp_path: Path) -> None:
    said: list[str] = []
    path = tmp_path / "a.txt"
    path.write_text("\n".join(["so many words without an end"] * 50), "utf-8")
    TextReading(ReadOptions(remark=said.append)).documents([path])
    assert ["--units line makes each of its 50 lines a unit" in one for one in said] == [True]


def test_documents_of_corpora_are_there_once(tmp_path: Path) -> None:
    for name in ("one", "two"):
        corpus = ss.Corpus.from_dict({name: {"x": ss.Segmentation.from_masses([1, 2])}})
        ss.write(corpus, tmp_path / f"{name}.jsonl")
    paths = [tmp_path / "one.jsonl", tmp_path / "two.jsonl"]
    assert list(read_documents(paths)) == ["one", "two"]
    with pytest.raises(ss.SegmentationError, match="there is another document 'one'"):
        read_documents([paths[0], paths[0]])
