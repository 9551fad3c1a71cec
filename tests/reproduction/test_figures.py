"""Figures of papers: which there are, that they are drawn, and what happens without data."""

from pathlib import Path

import pytest
from reproduction.figures import (
    FIGURES,
    write_figures,
)
from reproduction.runs import Run

from needs import needs

pytestmark = needs("plot")

QUICK = ["fournier2013poetry", "kazantseva2012", "pevzner2002", "scaiano2012"]


def test_without_data_figures_are_skipped_and_named(tmp_path: Path) -> None:
    made = list(write_figures(["kazantseva2012", "scaiano2012"], tmp_path, Run()))
    assert ["skipped" in line for line in made] == [True] * 3 + [False] * 2
    assert made[0].startswith("kazantseva2012, fig. 1: skipped, needs the data of moonstone")
    assert made[3] == "scaiano2012, fig. 1: scaiano2012-fig-1.pdf, scaiano2012-fig-1.png"
    files = {path.name for path in tmp_path.iterdir()}
    assert {"figures.md", "scaiano2012-fig-1.pdf", "scaiano2012-fig-1.png"} <= files
    page = (tmp_path / "figures.md").read_text("utf-8")
    assert "Skipped: needs the data of moonstone" in page
    assert "![figure 3](scaiano2012-fig-3.png)" in page
    assert "The paper: a near miss" in page


def test_figures_of_papers_with_data(tmp_path: Path, run: Run) -> None:
    made = list(write_figures(QUICK, tmp_path, run))
    assert [line for line in made if "skipped" in line] == []
    assert len(list(tmp_path.glob("*.pdf"))) == len(list(tmp_path.glob("*.png"))) == 12


@pytest.mark.slow
def test_every_figure(tmp_path: Path, run: Run) -> None:
    made = list(write_figures(sorted({paper for paper, _ in FIGURES}), tmp_path, run))
    assert len(made) == len(FIGURES) == 27
    assert [line for line in made if "skipped" in line] == []
