"""The real corpora, read and written again."""

import json
from pathlib import Path

import segscore as ss
from segscore.io import convert


def test_moonstone(data: Path, tmp_path: Path) -> None:
    corpus = ss.read(data / "moonstone" / "segmentations", coders="local")
    assert (len(corpus), corpus.n_codings) == (20, 108)
    assert list(corpus)[:3] == ["ch1", "ch2", "ch3"]
    assert corpus["ch1"]["an1"].masses.tolist() == [11, 2]
    assert corpus["ch11"].n_units == 111
    ss.write(corpus, tmp_path / "wide", "wide", lossy=True)  # that names are local
    assert ss.read(tmp_path / "wide", coders="local") == corpus
    ss.write(corpus, tmp_path / "all.jsonl")
    assert ss.read(tmp_path / "all.jsonl") == corpus


def test_hierarchical_moonstone(data: Path, tmp_path: Path) -> None:
    corpus = ss.read(data / "moonstone_hierarchical" / "annots")
    assert (len(corpus), corpus.n_codings) == (9, 45)
    coding = corpus["ch1"]["an2"]
    assert coding.n_units == 13
    assert coding.ranks is not None
    # by hand from the file: 1 at level 1 after paragraphs 3 and 10, at level 2 after 2, 6 and 12
    ranks = dict(zip(coding.boundaries.tolist(), coding.ranks.tolist(), strict=True))
    assert {place for place, rank in ranks.items() if rank == 1} == {3, 10}
    assert {place for place, rank in ranks.items() if rank == 2} == {2, 6, 12}
    assert {place for place, rank in ranks.items() if rank == 3} == {4, 5, 7, 8, 9, 11}
    ss.write(corpus, tmp_path / "levels", "levels")
    assert ss.read(tmp_path / "levels") == corpus
    convert(data / "moonstone_hierarchical" / "annots", tmp_path / "all.csv")
    assert ss.read(tmp_path / "all.csv") == corpus


def test_choi(data: Path, tmp_path: Path) -> None:
    corpus = ss.read(data / "choi")
    assert len(corpus) == 700
    known = json.loads((data / "reference_outputs" / "choi_c99.json").read_text())
    for name, entry in known.items():
        document = corpus[name.removesuffix(".ref")]
        assert document["reference"].masses.tolist() == entry["ref"]
        assert document.units is not None
    part = corpus.select(documents=[name for name in corpus if name.startswith("1/3-5/")])
    ss.write(part, tmp_path / "choi", "choi")
    assert ss.read(tmp_path / "choi") == part
    original = data / "choi" / "1" / "3-5" / "0.ref"
    assert (tmp_path / "choi" / "1" / "3-5" / "0.ref").read_bytes() == original.read_bytes()


def test_lectures_have_carriage_returns(data: Path) -> None:
    folder = data / "lectures_ai" / "manual"
    corpus = ss.read(folder)
    assert len(corpus) == 19
    assert not any("\r" in unit for document in corpus.values() for unit in document.units or ())
    known = json.loads((data / "reference_outputs" / "ai_bayesseg_mincut.json").read_text())
    assert len(ss.read(folder / "02-20-01.dev")["02-20-01"]) == 1
    assert known
