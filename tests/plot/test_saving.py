"""Pictures into files; axes side by side."""

from typing import Any

import pytest

import segscore as ss
from needs import needs
from plot_tools import DOCUMENT, HYP, REF, random
from segscore import plot

pytestmark = needs("plot")


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf", "pgf"])
def test_files_are_the_same_every_time(suffix: str, tmp_path: Any) -> None:
    made = []
    for i in range(2):
        target = tmp_path / f"{i}.{suffix}"
        plot.save(plot.windows(REF, HYP), target)
        made.append(target.read_bytes())
    assert made[0] == made[1]
    opens = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF", "pgf": b"% \\usepackage{pgf}"}
    assert made[0].startswith(opens[suffix])


def test_other_suffixes_are_refused(tmp_path: Any) -> None:
    with pytest.raises(ss.SegmentationError, match="expected one of .pdf, .svg, .png, .pgf"):
        plot.save(plot.boundaries(DOCUMENT), tmp_path / "x.jpeg")
    with pytest.raises(ss.SegmentationError, match="Axes.*Figure"):
        plot.save("x", tmp_path / "x.png")


def test_a_large_map_cannot_be_pgf_and_the_error_says_so(tmp_path: Any) -> None:
    corpus = ss.Corpus.from_dict({str(i): {"a": random(300, 9, i)} for i in range(100)})
    with pytest.raises(ss.SegmentationError, match="too large for PGF"):
        plot.save(plot.support(corpus), tmp_path / "x.pgf")
    assert not list(tmp_path.iterdir())
