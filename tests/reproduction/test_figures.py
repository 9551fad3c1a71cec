"""Figures of papers: which there are, that they are drawn, and what happens without data."""

from pathlib import Path

import pytest
from reproduction.fournier2013_figures import figure_1, people
from reproduction.kazantseva2012_figures import figure_2
from reproduction.pevzner2002_figures import figure_2 as false_negative
from reproduction.pevzner2002_figures import figure_5

from needs import needs
from reproduction import Run, figures_of, find_data, write_figures

pytestmark = needs("plot")

WANTED = {
    "carroll2010": ["1", "2", "3", "4"],
    "fournier2012": ["5a", "5b", "5c", "11"],
    "fournier2013": ["1", "9a", "9b", "9c", "10", "11", "12"],
    "fournier2013poetry": ["1a", "1b", "1c"],
    "kazantseva2012": ["1", "2", "3"],
    "pevzner2002": ["2", "3", "4", "5"],
    "scaiano2012": ["1", "3"],
}
QUICK = ["fournier2013poetry", "kazantseva2012", "pevzner2002", "scaiano2012"]


def test_all_figures_are_there() -> None:
    assert {paper: [figure.number for figure in figures_of(paper)] for paper in WANTED} == WANTED
    assert figures_of("choi2000") == []


def test_without_data_figures_are_skipped_and_named(tmp_path: Path) -> None:
    made = list(write_figures(["kazantseva2012", "scaiano2012"], tmp_path, Run(None)))
    assert [figure.stem is None for figure in made] == [True] * 3 + [False] * 2
    assert made[0].line == "kazantseva2012, fig. 1: skipped, needs the data of moonstone"
    files = {path.name for path in tmp_path.iterdir()}
    assert "figures.md" in files
    assert {"scaiano2012-fig-1.pdf", "scaiano2012-fig-1.png"} <= files
    page = (tmp_path / "figures.md").read_text("utf-8")
    assert "Skipped: needs the data of moonstone." in page
    assert "![figure 3](scaiano2012-fig-3.png)" in page
    assert "The paper: a near miss" in page


def test_figures_of_papers_with_data(tmp_path: Path, data: Path) -> None:
    made = list(write_figures(QUICK, tmp_path, Run(find_data(data))))
    assert all(figure.stem for figure in made)
    assert len(list(tmp_path.glob("*.pdf"))) == len(list(tmp_path.glob("*.png"))) == 12


@pytest.mark.slow
def test_every_figure(tmp_path: Path, data: Path) -> None:
    made = list(write_figures(None, tmp_path, Run(find_data(data))))
    assert len(made) == sum(map(len, WANTED.values()))


# ---- what the notes claim ----


def _texts(ax: object) -> list[str]:
    return [text.get_text() for text in ax.get_legend().get_texts()]  # type: ignore[attr-defined]


def test_fournier_2013_figure_1() -> None:
    assert _texts(figure_1(Run())) == ["match: 1", "near miss: 1", "missed: 1", "extra: 1"]


def test_pevzner_figures() -> None:
    assert _texts(false_negative(Run())) == ["no penalty: 8", "penalised, missed: 4"]
    names = [text.get_text() for text in figure_5(Run()).get_yticklabels()]
    penalties = [name.partition(": ")[2] for name in names[1:]]
    assert penalties == ["Pk 5, WD 5", "Pk 2, WD 5", "Pk 5, WD 5", "Pk 4, WD 4", "Pk 10, WD 10"]


def test_the_coder_beyond_two_sd(data: Path) -> None:
    from segscore.coders.habits import boundaries_per_coder

    made = boundaries_per_coder(people(Run(find_data(data))))
    assert len(made.coders) == 27
    assert (round(made.mean, 4), round(made.sd, 4)) == (0.0937, 0.0503)
    beyond = [
        coder.density for coder in made.coders if abs(coder.density - made.mean) > 2 * made.sd
    ]
    assert beyond == [0.25]


def test_segments_of_chapter_1(data: Path) -> None:
    ax = figure_2(Run(find_data(data)))
    marks = [len(collection.get_segments()) for collection in ax.collections][1:5]
    assert [n + 1 for n in marks] == [2, 5, 2, 4]
