"""Tables of outcomes: one per paper for people, with a summary; a single table for machines; and
docs/reproduction.md, as Markdown: what comes out, what does not, what is wrong in print, and what
is missing.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import Any, get_args

from reproduction.published import Erratum, Outcome, Run, Source, Status, shown
from reproduction.runner import errata_of, missing_of, paper_title, sections_of
from segscore.tables import Cell, Column, Table
from segscore.tables.markup import markdown_text

STATUSES: tuple[Status, ...] = get_args(Status)
SOURCES: tuple[Source, ...] = get_args(Source)
ON_SEGMENTERS = ("choi2000", "utiyama2001")  # the other papers are on evaluation


def to_table(outcomes: Sequence[Outcome]) -> Table:
    """All outcomes in one table: notes below it for people, in a field of its own for machines."""
    return Table([Column("paper"), *_columns()], _rows(outcomes), _summary(outcomes))


def paper_tables(outcomes: Iterable[Outcome]) -> dict[str, Table]:
    """A table per paper, with the numbers of each status below it."""
    return {
        paper: Table(_columns(), _rows(own), _summary(own), paper_title(paper))
        for paper, own in by_paper(outcomes).items()
    }


def summary_table(outcomes: Iterable[Outcome]) -> Table:
    """The numbers of results that come out, for each paper and for all; those of other sources
    apart."""
    given = list(outcomes)
    own = [outcome for outcome in given if outcome.source == "paper"]
    on_evaluation = [outcome for outcome in own if outcome.paper not in ON_SEGMENTERS]
    groups = [*by_paper(own).items(), ("papers on evaluation", on_evaluation), ("all papers", own)]
    for source in SOURCES:
        others = by_paper(outcome for outcome in given if outcome.source == source != "paper")
        groups += [(f"{paper}, {source}", found) for paper, found in others.items()]
    rows = [[name, len(found), *counts(found).values(), *shares(found)] for name, found in groups]
    short = {"reproduced-slip": "slip", "not-reproduced": "not"}  # ten columns fit a terminal
    columns = [Column("paper"), Column("numbers")]
    columns += [Column(short.get(status, status), key=status) for status in STATUSES]
    footnotes = [
        "slip: reproduced-slip; not: not-reproduced",
        "come out: slips included, of the numbers that can be computed from data at hand; of all: "
        "the same, of all numbers; without slips: reproduced, of all numbers",
        'the rows below "all papers" are counted apart: numbers of the author\'s notebook, of the '
        "tests of the author's program, further readings of numbers counted above, claims in words "
        "to which we gave a number, and orders of systems in runs of our own segmenters",
    ]
    columns += [Column(name, form=_per_cent) for name in ("come out", "of all", "without slips")]
    return Table(columns, rows, footnotes, "Summary")


def by_paper(outcomes: Iterable[Outcome]) -> dict[str, list[Outcome]]:
    """The outcomes of each paper."""
    papers: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        papers.setdefault(outcome.paper, []).append(outcome)
    return papers


def counts(outcomes: Iterable[Outcome]) -> dict[Status, int]:
    """The number of outcomes with each status."""
    found = Counter(outcome.status for outcome in outcomes)
    return {status: found[status] for status in STATUSES}


def shares(outcomes: Sequence[Outcome]) -> tuple[float, float, float]:
    """The share that comes out of what is computed from data (NaN if that is nothing); the same of
    all; and what comes out without a slip, of all."""
    found, total = counts(outcomes), len(outcomes)
    computed = total - found["no-data"] - found["consistent"]
    come_out = found["reproduced"] + found["reproduced-slip"]
    of_computed = come_out / computed if computed else float("nan")
    return of_computed, come_out / total, found["reproduced"] / total


def _columns() -> list[Column]:
    return [
        Column("item"),
        Column("published", form=shown),
        Column("ours", key="computed", form=shown),
        Column("difference", form=_signed, audience="people"),
        Column("tolerance", audience="machines"),
        Column("status", audience="machines"),
        Column("note", audience="machines"),
        Column("source", audience="machines"),
        Column("status", key="verdict", audience="people"),
    ]


def _rows(outcomes: Iterable[Outcome]) -> list[dict[str, Any]]:
    return [
        {
            **outcome._asdict(),
            "difference": outcome.difference,
            "verdict": Cell(outcome.status + "!" * outcome.failed, note=outcome.note),
        }
        for outcome in outcomes
    ]


def _summary(outcomes: Sequence[Outcome]) -> list[str]:
    numbers = ", ".join(f"{count} {status}" for status, count in counts(outcomes).items() if count)
    failed = sum(outcome.failed for outcome in outcomes)
    computed, of_all, plain = map(_per_cent, shares(outcomes))
    come_out = (
        f"{computed} of what can be computed come out, {of_all} of all, {plain} without slips"
    )
    lines = [f"{len(outcomes)} numbers: {numbers}; {come_out}"]
    return lines + [f"{failed} that should hold do not (marked !)"] * bool(failed)


def _signed(value: float) -> str:
    """A number with its sign and up to five decimals; 0 if nothing is left after rounding.

    >>> _signed(-0.32), _signed(-1e-12), _signed(2.0)
    ('-0.32', '0', '+2')
    """
    text = f"{value:+.5f}".rstrip("0").rstrip(".")
    return "0" if text in ("+0", "-0") else text


def _per_cent(value: float) -> str:
    return "none" if value != value else f"{100 * value:.1f} %"  # noqa: PLR0124  NaN


# ---- docs/reproduction.md ----

_HEAD = """\
# What papers print, recomputed

`make reproduce ARGS=--page` in a clone writes this page; a test compares the two. To change a
number or a note, change `reproduction/`, not this page.

Every number is computed from codings and texts by segscore's public functions, and shown beside the
printed number. Each gets one of these verdicts; with the first two, the number *comes out*:

- **reproduced**: our number is as close as the tolerance asks. The tolerance is half of the last
  digit printed; if the paper draws at random, it is that and two standard errors for the paper's
  number of draws. Where that error is not known (ties drawn in Carroll 2010), it is the paper's own
  ±, and at most 2 % of the number.
- **reproduced-slip**: the number comes out, but only with a slip of the paper, or with a reading
  that the paper does not have and that was picked because the number then fits. The note says
  which, and nothing else in segscore repeats a slip.
- **not-reproduced**: our number is different; the note says what is known about it.
- **consistent**: the data behind the number is not available, but the number follows from other
  numbers that the paper or its author prints. It is not counted as coming out.
- **no-data**: the data is not at hand; the note says what would be needed.

A table has one reading, for all of its cells. Some numbers are counted apart from the numbers that
the papers print:

- numbers that are only in an author's notebook, or in the tests of an author's program;
- further readings of a printed number, where the paper leaves open how it was computed;
- claims in words to which we gave a number, such as 1 for "it holds" (derived claims);
- runs of our own segmenters: their order, where the outputs that the paper scored are not
  available, or their scores beside those of published outputs.
"""


_FACTS = """\
Only what anybody can check is stated as a fact: what is printed, what it contradicts, and what is
computed here. What we conclude from these facts is marked as inference.
"""
_READABLE = str.maketrans("*?", "…*")  # a ? in a pattern stands for the star of π*


def page(outcomes: Sequence[Outcome], run: Run) -> str:
    """The whole page; `run` is the run that the outcomes come from."""
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
    for heading, section in sections_of(papers).items():
        parts += [f"## {heading}\n", section(run)]
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
    """The number of these cells that come out, without those that cannot be computed."""
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
