"""docs/reproduction.md: what comes out, what does not, what is wrong in print, and what is
missing, as Markdown."""

from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase

from segscore.papers.errata import Erratum
from segscore.papers.moonstone_page import section as moonstone_section
from segscore.papers.paper_tables import by_paper, paper_tables, summary_table
from segscore.papers.published import Outcome, Run, shown
from segscore.papers.runner import errata_of, missing_of, paper_title, unchecked_of
from segscore.tables import Column, Table
from segscore.tables.markup import markdown_text

_HEAD = """\
# What papers print, recomputed

Made by `segscore reproduce --report FILE`; segscore's own `docs/reproduction.md` with `--full`, and
a test compares the two: change the cells in `src/segscore/papers`, not this page.

Every number is computed from codings and texts by segscore's public functions, beside the number
that is printed. Four things can happen to it:

- **reproduced**: ours is as close as the tolerance asks. That is half of the last digit printed
  where nothing is left to chance; where something is drawn, at most four standard errors of both
  runs or the paper's own ±, and never more than 2 % of the number, nor .01.
- **reproduced-slip**: it comes out, but only with a slip of the paper's, which is named and which
  nothing else in segscore repeats.
- **not-reproduced**: ours is another number; the note says what is known about it.
- **no-data**: the data is not at hand.
"""


_READABLE = str.maketrans("*?", "…*")  # a ? in a pattern stands for the star of π*


def page(made: Sequence[Outcome], run: Run) -> str:
    """The whole page; `run` is the one that the outcomes come from."""
    papers = by_paper(made)
    parts = [
        _HEAD,
        "## Summary\n",
        _untitled(summary_table(made)),
        "## What is wrong in print\n",
        *(part for paper in papers for part in _errata(paper, papers[paper], run)),
        "## What does not come out\n",
        _failures(made),
        "## What is computed, but not compared\n",
        "Tables whose printed numbers are not before us, for whoever has the paper at hand.\n",
        *(part for paper in papers for part in _unchecked(paper, run)),
        *_missing(papers),
    ]
    if "kazantseva2012" in papers or "fournier2013" in papers:
        parts += ["## Segmenters on The Moonstone\n", moonstone_section(run)]
    parts.append("## All numbers\n")
    for paper, table in paper_tables(made).items():
        parts += [f"### {paper}\n", table.render("markdown")]
    return "\n".join(parts)


def _untitled(table: Table) -> str:
    return Table(table.columns, table.rows, table.footnotes).render("markdown")


def _errata(paper: str, made: Sequence[Outcome], run: Run) -> Iterator[str]:
    found = errata_of(paper)
    if found:
        yield f"### {markdown_text(paper_title(paper))}\n"
        yield "\n".join(line for erratum in found for line in _erratum(erratum, made, run)) + "\n"


def _erratum(erratum: Erratum, made: Iterable[Outcome], run: Run) -> Iterator[str]:
    yield f"- **{markdown_text(erratum.where)}.** {markdown_text(erratum.text)}"
    for pattern in erratum.cells:
        cells = [outcome for outcome in made if fnmatchcase(outcome.item, pattern)]
        come_out = sum(outcome.status.startswith("reproduced") for outcome in cells)
        what = markdown_text(pattern.translate(_READABLE))
        yield f"  - {what}: {come_out} of {len(cells)} come out"
    for finding in erratum.findings:
        number = finding.found(run)
        yield f"  - {markdown_text(finding.what)}: {'no data' if number is None else shown(number)}"


def _unchecked(paper: str, run: Run) -> Iterator[str]:
    for one in unchecked_of(paper):
        yield f"### {paper}, {markdown_text(one.where)}\n\n{markdown_text(one.text)}\n"
        there = all(map(run.has, one.needs))
        yield one.table(run).render("markdown") if there else "The data is not at hand.\n"


def _missing(papers: Iterable[str]) -> Iterator[str]:
    found = {paper: texts for paper in papers if (texts := missing_of(paper))}
    if found:
        yield "## What is not here\n"
    for paper, texts in found.items():
        yield f"### {markdown_text(paper_title(paper))}\n"
        yield "\n".join(f"- {markdown_text(text)}" for text in texts) + "\n"


def _failures(made: Iterable[Outcome]) -> str:
    failures = [outcome for outcome in made if outcome.status == "not-reproduced"]
    columns = [
        Column("paper"),
        Column("item"),
        Column("published", form=shown),
        Column("ours", form=shown),
        Column("why"),
    ]
    rows = [[o.paper, o.item, o.published, o.computed, o.note] for o in failures]
    return Table(columns, rows).render("markdown") if rows else "Nothing.\n"
