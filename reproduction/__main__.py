"""`make reproduce`: what papers print, recomputed.

The exit code is 1 if a number that should come out does not.
"""

import argparse
import sys
from pathlib import Path

from reproduction.cells import Outcome, cells_of, outcomes, paper_names
from reproduction.page import page, paper_table, summary_table
from reproduction.runs import open_run
from segscore.errors import SegmentationError

PAGE = Path(__file__).parents[1] / "docs" / "reproduction.md"


def main(arguments: list[str]) -> int:
    """Print a table for each paper, and a summary."""
    parser = argparse.ArgumentParser(prog="make reproduce", description=__doc__)
    parser.add_argument("papers", nargs="*", metavar="PAPER", help=", ".join(paper_names()))
    parser.add_argument("--data", type=Path, help="the folder of codings; or set SEGSCORE_DATA")
    parser.add_argument("--full", action="store_true", help="also what takes long")
    parser.add_argument("--page", action="store_true", help="all of it, to docs/reproduction.md")
    parser.add_argument("--figures", type=Path, metavar="FOLDER", help="also draw figures")
    chosen = parser.parse_args(arguments)
    run = open_run(chosen.data)
    papers = paper_names() if chosen.page else chosen.papers or paper_names()
    for paper in papers:
        cells_of(paper)  # an unknown name is refused before anything is computed
    made: list[Outcome] = []
    for paper in papers:
        own = list(outcomes([paper], run, chosen.full or chosen.page))
        long = f"{paper}: all of its numbers take long; --full computes them\n"
        print(paper_table(own).render("text") if own else long, flush=True)
        made += own
    print(summary_table(made).render("text"))
    if chosen.page:
        PAGE.write_text(page(made, run), encoding="utf-8")
    if chosen.figures is not None:
        from reproduction.figures import write_figures

        for line in write_figures(papers, chosen.figures, run):
            print(line)
    return int(any(outcome.failed for outcome in made))


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except SegmentationError as error:
        sys.exit(str(error))
