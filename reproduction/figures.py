"""Figures of papers drawn again, each with what the paper says about its own.

A paper's figures stand in a module of its name and `_figures`, in a list `FIGURES`. Curves in print
cannot be read off, so a figure is held against what is written about it: the function that draws
ours quotes that in its docstring, and says what ours is where the paper does not say what it drew.
"""

from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from reproduction.published import Run
from reproduction.runner import cells_of, paper_names, paper_title
from segscore.io.files import replacing
from segscore.tables.markup import markdown_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PAGE = "figures.md"
PNG_DPI = 150


class PaperFigure(NamedTuple):
    """A figure: its number, how ours is drawn, and the data that this needs."""

    number: str
    draw: "Callable[[Run], Axes]"
    needs: tuple[str, ...] = ()

    @property
    def says(self) -> str:
        """What the paper says about its figure, and what ours is: the docstring of `draw`, without
        its first line."""
        return " ".join((self.draw.__doc__ or "").partition("\n\n")[2].split())


class DrawnFigure(NamedTuple):
    """A figure, and the common name of its files, or None and the data that is missing."""

    paper: str
    figure: PaperFigure
    stem: str | None
    missing: tuple[str, ...] = ()

    @property
    def line(self) -> str:
        """A line that says what was drawn or what is missing."""
        name = f"{self.paper}, fig. {self.figure.number}"
        if self.stem is None:
            return f"{name}: skipped, needs the data of {', '.join(self.missing)}"
        return f"{name}: {self.stem}.pdf, {self.stem}.png"


def figures_of(paper: str) -> list[PaperFigure]:
    """The figures of a paper that can be drawn."""
    name = f"reproduction.{paper}_figures"
    return list(import_module(name).FIGURES) if find_spec(name) else []


def write_figures(papers: Iterable[str] | None, folder: Path, run: Run) -> Iterator[DrawnFigure]:
    """Draw the figures of these papers (default: all) into a folder, as PDF and PNG.

    When all are drawn, a page (figures.md) shows each beside what the paper says.
    """
    from segscore.plot import save

    cells_of(papers)  # refuses names of papers that there are not
    folder.mkdir(parents=True, exist_ok=True)
    done: list[DrawnFigure] = []
    for paper in paper_names() if papers is None else dict.fromkeys(papers):
        for figure in figures_of(paper):
            missing = tuple(need for need in figure.needs if not run.has(need))
            stem = None if missing else f"{paper}-fig-{figure.number}"
            if stem is not None:
                ax = figure.draw(run)
                save(ax, folder / f"{stem}.pdf")
                save(ax, folder / f"{stem}.png", dpi=PNG_DPI)
            done.append(DrawnFigure(paper, figure, stem, missing))
            yield done[-1]
    with replacing(folder / PAGE) as file:
        file.write(_page(done))


def _page(done: Iterable[DrawnFigure]) -> str:
    """The figures with what the papers say about theirs."""
    parts = ["# Figures of papers, drawn again\n"]
    paper = None
    for drawn in done:
        if drawn.paper != paper:
            paper = drawn.paper
            parts.append(f"## {markdown_text(paper_title(paper))}\n")
        parts.append(f"### Figure {drawn.figure.number}\n\n{drawn.figure.says}\n")
        if drawn.stem is None:
            parts.append(f"Skipped: needs the data of {', '.join(drawn.missing)}.\n")
        else:
            parts.append(f"![figure {drawn.figure.number}]({drawn.stem}.png)\n")
    return "\n".join(parts)
