"""docs/reproduction.md: what comes out, what does not, what is wrong in print, and what is
missing, as Markdown."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase

from segscore.papers.errata import Erratum
from segscore.papers.moonstone_page import section as moonstone_section
from segscore.papers.paper_tables import by_paper, counts, paper_tables, summary_table
from segscore.papers.published import Outcome, Run, shown
from segscore.papers.runner import errata_of, missing_of, paper_title
from segscore.tables import Column, Table
from segscore.tables.markup import markdown_text

_HEAD = """\
# What papers print, recomputed

Written by `segscore reproduce --report FILE`, this page with `--full`; a test compares the two:
change the cells in `src/segscore/papers`, not this page.

Every number is computed from codings and texts by segscore's public functions, beside the number
that is printed. Each gets one of these verdicts:

- **reproduced**: ours is as close as the tolerance asks. That is half of the last digit printed if
  nothing is random; if something is drawn at random, at most four standard errors of both runs or
  the paper's own ±, and never more than 2 % of the number, nor .01 (but always half of the last
  digit printed, because more is not known).
- **reproduced-slip**: it comes out, but only with a slip of the paper, which is named and which
  nothing else in segscore repeats.
- **not-reproduced**: ours is another number; the note says what is known about it.
- **consistent**: what the number was computed from is not available, but it follows from other
  numbers in print, by the paper's own formulas. Not counted as coming out.
- **no-data**: the data is not at hand; the note says what would be needed.

Counted apart from the numbers that the papers print are those that only the notebook of an author
has, or the tests of an author's program; further readings of a printed number, where the paper
leaves open how it was computed; and orders of systems in runs of our own segmenters, where the
outputs that the paper scored are not available.
"""


_FACTS = """\
Stated as facts is only what anybody can check: what is printed, what it contradicts, and what is
computed here. What we conclude from that stands apart, as inference.
"""
_READABLE = str.maketrans("*?", "…*")  # a ? in a pattern stands for the star of π*


def page(outcomes: Sequence[Outcome], run: Run) -> str:
    """The whole page; `run` is the one that the outcomes come from."""
    papers = by_paper(outcomes)
    parts = [
        _HEAD,
        "## Summary\n",
        _untitled(summary_table(outcomes)),
        "## What is wrong in print\n",
        _FACTS,
        *(part for paper in papers for part in _errata(paper, papers[paper], run)),
        "## What does not come out\n",
        _failures(outcomes),
        *_missing(papers),
    ]
    if "kazantseva2012" in papers or "fournier2013" in papers:
        parts += ["## Segmenters on The Moonstone\n", moonstone_section(run)]
    parts.append("## All numbers\n")
    for paper, table in paper_tables(outcomes).items():
        parts += [f"### {paper}\n", table.render("markdown")]
    return "\n".join(parts)


def _untitled(table: Table) -> str:
    return replace(table, title=None).render("markdown")


def _errata(paper: str, outcomes: Sequence[Outcome], run: Run) -> Iterator[str]:
    found = errata_of(paper)
    if found:
        yield f"### {markdown_text(paper_title(paper))}\n"
        yield (
            "\n".join(line for erratum in found for line in _erratum(erratum, outcomes, run)) + "\n"
        )


def _erratum(erratum: Erratum, outcomes: Iterable[Outcome], run: Run) -> Iterator[str]:
    yield f"- **{markdown_text(erratum.where)}.** {markdown_text(erratum.fact)}"
    if erratum.inference:
        yield f"  - *Inference:* {markdown_text(erratum.inference)}"
    for pattern in erratum.cells:
        cells = [outcome for outcome in outcomes if fnmatchcase(outcome.item, pattern)]
        yield f"  - {markdown_text(pattern.translate(_READABLE))}: {_how_many(cells)}"
    for finding in erratum.findings:
        number = finding.found(run)
        yield f"  - {markdown_text(finding.what)}: {'no data' if number is None else shown(number)}"


def _how_many(cells: Sequence[Outcome]) -> str:
    """How many of these cells come out; what cannot be computed is not counted among them."""
    found = counts(cells)
    come_out = found["reproduced"] + found["reproduced-slip"]
    computed = come_out + found["not-reproduced"]
    parts = [f"{come_out} of {computed} come out"] * bool(computed)
    parts += [f"{found['consistent']} consistent"] * bool(found["consistent"])
    parts += [f"{found['no-data']} without data"] * bool(found["no-data"])
    return ", ".join(parts)


def _missing(papers: Iterable[str]) -> Iterator[str]:
    found = {paper: texts for paper in papers if (texts := missing_of(paper))}
    if found:
        yield "## What is not here\n"
    for paper, texts in found.items():
        yield f"### {markdown_text(paper_title(paper))}\n"
        yield "\n".join(f"- {markdown_text(text)}" for text in texts) + "\n"


def _failures(outcomes: Iterable[Outcome]) -> str:
    failures = [outcome for outcome in outcomes if outcome.status == "not-reproduced"]
    columns = [
        Column("paper"),
        Column("item"),
        Column("published", form=shown),
        Column("ours", form=shown),
        Column("why"),
    ]
    rows = [[o.paper, o.item, o.published, o.computed, o.note] for o in failures]
    return Table(columns, rows).render("markdown") if rows else "Nothing.\n"
