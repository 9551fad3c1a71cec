"""The table that annotation pages write for spreadsheets is read without an option."""

from pathlib import Path

import pytest

import segscore as ss

HEADER = "document,coder,unit,segment,text,level,label,unsure,comment\n"
ROWS = """d,ann,1,1,One.,,intro,,
d,ann,2,2,'-Two.,2,,unsure,'=why?
d,ann,3,2,"Three,
too.",,,,or here
d,ann,4,3,Four.,1,main,,
"""


def read(tmp_path: Path, text: str) -> ss.Corpus:
    (tmp_path / "a.csv").write_text(text, "utf-8-sig")
    return ss.read(tmp_path / "a.csv")


def test_all_that_it_says(tmp_path: Path) -> None:
    corpus = read(tmp_path, HEADER + ROWS)
    assert corpus["d"]["ann"] == ss.Segmentation.from_boundaries(
        [1, 3], 4, ranks=[2, 1], segment_labels=["intro", None, "main"]
    )
    assert list(corpus["d"].units or ()) == ["One.", "-Two.", "Three,\ntoo.", "Four."]
    annotation = corpus["d"].annotations["ann"]
    assert annotation.finished
    assert annotation.unsure == (1,)
    assert annotation.comments == ((1, "=why?"), (2, "or here"))


def test_a_level_that_is_missing_is_told(tmp_path: Path) -> None:
    with pytest.raises(ss.SegmentationError, match=r"line 6.*level.*whole number"):
        read(tmp_path, HEADER + ROWS.replace("Four.,1,", "Four.,,"))
