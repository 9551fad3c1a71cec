"""Papers recomputed: each number that a paper prints, beside the number that segscore computes.

There is a file per paper, named after its first author and year; it holds a list `CELLS`, `ERRATA`
if the paper has any, `MISSING` for what it prints and no cell has, and `SECTIONS` for further parts
of the page. Its figures are in a file with the same name and `_figures`. Nothing else is needed for
`reproduce`, the command line and the page docs/reproduction.md to find it. No published number
takes part in computing ours: a cell keeps what the paper prints apart from the function that
computes.
"""

from reproduction.figures import DrawnFigure, PaperFigure, figures_of, write_figures
from reproduction.outcome_tables import page, paper_tables, summary_table, to_table
from reproduction.published import (
    Erratum,
    Outcome,
    OwnNumber,
    PrintTolerance,
    PublishedNumber,
    Run,
)
from reproduction.runner import (
    cells_of,
    errata_of,
    exit_code,
    find_data,
    missing_of,
    open_run,
    outcomes,
    paper_names,
    paper_title,
    reproduce,
)

__all__ = [
    "DrawnFigure",
    "Erratum",
    "Outcome",
    "OwnNumber",
    "PaperFigure",
    "PrintTolerance",
    "PublishedNumber",
    "Run",
    "cells_of",
    "errata_of",
    "exit_code",
    "figures_of",
    "find_data",
    "missing_of",
    "open_run",
    "outcomes",
    "page",
    "paper_names",
    "paper_tables",
    "paper_title",
    "reproduce",
    "summary_table",
    "to_table",
    "write_figures",
]
