"""`make reproduce`: what papers print, recomputed.

The exit code is 1 if a number that should come out does not.
"""

import argparse
import sys
from pathlib import Path

from reproduction.figures import write_figures
from reproduction.outcome_tables import page, paper_tables, summary_table
from reproduction.published import Outcome
from reproduction.runner import cells_of, exit_code, open_run, outcomes, paper_names
from segscore.errors import SegmentationError

PAGE = Path(__file__).parents[1] / "docs" / "reproduction.md"


def main(arguments: list[str]) -> int:
    """Print a table for each paper, and a summary."""
    parser = argparse.ArgumentParser(prog="make reproduce", description=__doc__)
    parser.add_argument("papers", nargs="*", metavar="PAPER", help=f"{', '.join(paper_names())}")
    parser.add_argument("--data", type=Path, help="the folder of codings; or set SEGSCORE_DATA")
    parser.add_argument("--full", action="store_true", help="also what takes long")
    parser.add_argument("--page", action="store_true", help="all of it, to docs/reproduction.md")
    parser.add_argument("--figures", type=Path, metavar="FOLDER", help="also draw figures")
    chosen = parser.parse_args(arguments)
    run = open_run(chosen.data, chosen.full or chosen.page)
    papers = paper_names() if chosen.page else chosen.papers or paper_names()
    cells_of(papers)  # refuses unknown names before anything is computed
    made: list[Outcome] = []
    for paper in papers:
        own = list(outcomes([paper], run))
        print(paper_tables(own)[paper].render("text"), flush=True)
        made += own
    print(summary_table(made).render("text"))
    if chosen.page:
        PAGE.write_text(page(made, run), encoding="utf-8")
    if chosen.figures is not None:
        for drawn in write_figures(papers, chosen.figures, run):
            print(drawn.line)
    return exit_code(made)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except SegmentationError as error:
        sys.exit(str(error))
