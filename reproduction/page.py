"""Tables of outcomes, one per paper and a summary, and docs/reproduction.md: what comes out, what
does not, what is wrong in print, and what is missing.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import Any

from reproduction.cells import (
    SOURCES,
    STATUSES,
    Estimate,
    Outcome,
    Status,
    about,
    paper_title,
    shown,
    value_of,
)
from reproduction.moonstone_segmenters import section
from reproduction.runs import NoDataError, Run
from segscore.tables import Cell, Column, Table
from segscore.tables.markup import markdown_text

ON_SEGMENTERS = ("choi2000", "utiyama2001")  # the other papers are on evaluation


def paper_table(outcomes: Sequence[Outcome]) -> Table:
    """The outcomes of a paper, with the numbers of each status below."""
    columns = [
        Column("item"),
        Column("published", form=shown),
        Column("ours", form=shown),
        Column("difference", form=_signed),
        Column("status"),
    ]
    rows = [
        [
            o.cell.item,
            o.cell.published,
            o.computed,
            None if o.computed is None else float(shown(o.computed)) - o.cell.published,
            Cell(o.status + "!" * o.failed, note=o.note),
        ]
        for o in outcomes
    ]
    return Table(columns, rows, _totals(outcomes), paper_title(outcomes[0].cell.paper))


def summary_table(outcomes: Iterable[Outcome]) -> Table:
    """The numbers of results that come out, for each paper and for all; those of other sources
    apart."""
    given = list(outcomes)
    own = [outcome for outcome in given if outcome.cell.source == "paper"]
    on_evaluation = [outcome for outcome in own if outcome.cell.paper not in ON_SEGMENTERS]
    groups = [*by_paper(own).items(), ("papers on evaluation", on_evaluation), ("all papers", own)]
    for source in SOURCES:
        others = by_paper(outcome for outcome in given if outcome.cell.source == source != "paper")
        groups += [(f"{paper}, {source}", found) for paper, found in others.items()]
    rows = [
        [name, len(found), *counts(found).values(), *shares(found)]
        for name, found in groups
        if found
    ]
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
        papers.setdefault(outcome.cell.paper, []).append(outcome)
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


def _totals(outcomes: Sequence[Outcome]) -> list[str]:
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
---
nosearch: true
---

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
    titles = {paper: f"### {markdown_text(paper_title(paper))}\n" for paper in papers}
    errata = {paper: about(paper).get("errata", ()) for paper in papers}
    parts = [
        _HEAD,
        "## Summary\n",
        replace(summary_table(outcomes), title=None).render("markdown"),
        "## What is wrong in print\n",
        _FACTS,
    ]
    for paper, own in papers.items():
        if errata[paper]:
            lines = [line for one in errata[paper] for line in _erratum(paper, one, own, run)]
            parts += [titles[paper], "\n".join(lines) + "\n"]
    parts += ["## What does not come out\n", _failures(outcomes), "## What is not here\n"]
    for paper in papers:
        if missing := about(paper)["missing"]:
            parts += [titles[paper], "\n".join(f"- {markdown_text(one)}" for one in missing) + "\n"]
    parts += ["## Segmenters on The Moonstone\n", section(run), "## All numbers\n"]
    for paper, own in papers.items():
        parts += [f"### {paper}\n", paper_table(own).render("markdown")]
    return "\n".join(parts)


def _erratum(
    paper: str, erratum: dict[str, Any], outcomes: Sequence[Outcome], run: Run
) -> Iterator[str]:
    yield f"- **{markdown_text(erratum['where'])}.** {markdown_text(erratum['fact'])}"
    if "inference" in erratum:
        yield f"  - *Inference:* {markdown_text(erratum['inference'])}"
    for pattern in erratum.get("cells", ()):
        cells = [outcome for outcome in outcomes if fnmatchcase(outcome.cell.item, pattern)]
        yield f"  - {markdown_text(pattern.translate(_READABLE))}: {_how_many(cells)}"
    for what, formula in erratum.get("findings", {}).items():
        yield f"  - {markdown_text(what)}: {_found(paper, formula, run)}"


def _found(paper: str, formula: str, run: Run) -> str:
    try:
        number = value_of(paper, formula, run)
    except NoDataError:
        return "no data"
    return shown(number.value if isinstance(number, Estimate) else number)


def _how_many(cells: Sequence[Outcome]) -> str:
    """The number of these cells that come out, without those that cannot be computed."""
    found = counts(cells)
    come_out = found["reproduced"] + found["reproduced-slip"]
    computed = come_out + found["not-reproduced"]
    parts = [f"{come_out} of {computed} come out"] * bool(computed)
    parts += [f"{found['consistent']} consistent"] * bool(found["consistent"])
    parts += [f"{found['no-data']} without data"] * bool(found["no-data"])
    return ", ".join(parts)


def _failures(outcomes: Iterable[Outcome]) -> str:
    failures = [outcome for outcome in outcomes if outcome.status == "not-reproduced"]
    columns = [
        Column("paper"),
        Column("item"),
        Column("published", form=shown),
        Column("ours", form=shown),
        Column("why"),
    ]
    rows = [[o.cell.paper, o.cell.item, o.cell.published, o.computed, o.note] for o in failures]
    return Table(columns, rows).render("markdown") if rows else "Nothing.\n"
