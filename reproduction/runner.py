"""Finds the papers and the data, and runs the cells."""

import os
import pkgutil
import re
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

from reproduction.published import Erratum, Outcome, PublishedNumber, Run
from segscore.datasets.catalogue import folders
from segscore.errors import SegmentationError

_PAPER = re.compile(r"[a-z]+\d{4}[a-z]*")  # author, year, and a word where that is not enough
_HERE = Path(__file__).resolve().parent


def paper_names() -> list[str]:
    """The available papers, by the names of their modules.

    >>> "scaiano2012" in paper_names()
    True
    """
    found = (module.name for module in pkgutil.iter_modules([str(_HERE)]))
    return sorted(name for name in found if _PAPER.fullmatch(name))


def paper_title(name: str) -> str:
    """The authors, the year, the title and the venue of a paper: the first line of its module.

    >>> paper_title("carroll2010")
    'Lucien Carroll (2010): Evaluating Hierarchical Discourse Segmentation. NAACL-HLT 2010.'
    """
    return " ".join((_module(name).__doc__ or name).split("\n\n")[0].split())


def errata_of(name: str) -> list[Erratum]:
    """What is wrong in this paper, as its module says."""
    return list(getattr(_module(name), "ERRATA", ()))


def missing_of(name: str) -> list[str]:
    """What this paper prints and no cell compares, and why, as its module says."""
    return list(getattr(_module(name), "MISSING", ()))


def sections_of(papers: Iterable[str]) -> dict[str, Callable[[Run], str]]:
    """Further parts of the page by their headings, as the modules of these papers have them."""
    return {
        heading: section
        for name in papers
        for heading, section in getattr(_module(name), "SECTIONS", {}).items()
    }


def _module(name: str) -> ModuleType:
    return import_module(f"reproduction.{name}")


def cells_of(
    papers: Iterable[str] | None = None, full: bool = False
) -> list[tuple[str, PublishedNumber]]:
    """The cells of these papers (default: all), each with the paper's name."""
    known = paper_names()
    chosen = known if papers is None else list(dict.fromkeys(papers))
    for name in chosen:
        if name not in known:
            raise SegmentationError(f"no paper is called {name!r}: expected {', '.join(known)}")
    return [
        (name, cell) for name in chosen for cell in _module(name).CELLS if full or not cell.long
    ]


def outcomes(papers: Iterable[str] | None, run: Run) -> Iterator[Outcome]:
    """Compute cell after cell: `reproduce`, one outcome at a time."""
    cells = cells_of(papers, run.full)
    return (cell.outcome(paper, run) for paper, cell in cells)


def reproduce(
    papers: Iterable[str] | None = None,
    data: str | os.PathLike[str] | None = None,
    full: bool = False,
) -> list[Outcome]:
    """Recompute what papers print (default: all of them), with the data where it is found.

    >>> last = reproduce(["scaiano2012"])[-1]
    >>> last.item, round(last.published, 4), round(last.computed, 4), last.status
    ('section 3.3, 18 removed, recall', 0.54, 0.5385, 'reproduced')
    """
    return list(outcomes(papers, open_run(data, full)))


def open_run(data: str | os.PathLike[str] | None = None, full: bool = False) -> Run:
    """A run with the data where it is found: in `data`, or in all folders that may hold some."""
    found = folders(data)
    return Run(found[0], full, tuple(found[1:])) if found else Run(full=full)


def find_data(given: str | os.PathLike[str] | None = None) -> Path | None:
    """The folder of data: as given, or $SEGSCORE_DATA, or ../shared/data, or the user's cache.

    None if there is none of them; `segscore data fetch all` fills the last.
    """
    return next(iter(folders(given)), None)


def exit_code(outcomes: Iterable[Outcome]) -> int:
    """1 if a cell that should hold does not, else 0."""
    return int(any(outcome.failed for outcome in outcomes))
