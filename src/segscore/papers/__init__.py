"""Papers recomputed: each number that a paper prints, beside the one that segscore computes.

One file per paper, named after its first author and year; it holds a list `CELLS`. Nothing else is
needed for `reproduce` and the command line to find it. No published number takes part in computing
ours: a cell keeps what the paper prints apart from the function that computes.
"""

from segscore.papers.cells import Cell, Outcome, Run, Tolerance
from segscore.papers.runner import (
    cells_of,
    exit_code,
    find_data,
    outcomes,
    paper_names,
    reproduce,
    to_table,
)

__all__ = [
    "Cell",
    "Outcome",
    "Run",
    "Tolerance",
    "cells_of",
    "exit_code",
    "find_data",
    "outcomes",
    "paper_names",
    "reproduce",
    "to_table",
]
