"""Outcomes in tables: one per paper for people, with a summary; a single one for machines."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, get_args

from segscore.papers.published import Outcome, Source, Status, shown
from segscore.papers.runner import paper_title
from segscore.tables import Cell, Column, Table

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
    """How many numbers of each paper come out, and of all; those of other sources apart."""
    given = list(outcomes)
    own = [one for one in given if one.source == "paper"]
    on_evaluation = [one for one in own if one.paper not in ON_SEGMENTERS]
    groups = [*by_paper(own).items(), ("papers on evaluation", on_evaluation), ("all papers", own)]
    for source in SOURCES:
        others = by_paper(one for one in given if one.source == source != "paper")
        groups += [(f"{paper}, {source}", found) for paper, found in others.items()]
    rows = [[name, len(found), *counts(found).values(), share(found)] for name, found in groups]
    columns = [Column("paper"), Column("numbers"), *map(Column, STATUSES)]
    footnotes = [
        "come out: slips included, of the numbers that can be computed from data at hand",
        'the rows below "all papers" are counted apart: numbers of the author\'s notebook, of the '
        "tests of the author's program, further readings of numbers counted above, and orders of "
        "systems in runs of our own segmenters",
    ]
    return Table([*columns, Column("come out", form=_per_cent)], rows, footnotes, "Summary")


def by_paper(outcomes: Iterable[Outcome]) -> dict[str, list[Outcome]]:
    """The outcomes of each paper."""
    papers: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        papers.setdefault(outcome.paper, []).append(outcome)
    return papers


def counts(outcomes: Iterable[Outcome]) -> dict[Status, int]:
    """How many outcomes have each status."""
    found = Counter(outcome.status for outcome in outcomes)
    return {status: found[status] for status in STATUSES}


def share(outcomes: Sequence[Outcome]) -> float:
    """The share that comes out, slips included, of what is computed from data; NaN of nothing."""
    found = counts(outcomes)
    computed = len(outcomes) - found["no-data"] - found["consistent"]
    come_out = found["reproduced"] + found["reproduced-slip"]
    return come_out / computed if computed else float("nan")


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
    lines = [f"{len(outcomes)} numbers: {numbers}; {_per_cent(share(outcomes))} come out"]
    return lines + [f"{failed} that should hold do not (marked !)"] * bool(failed)


def _signed(value: float) -> str:
    """With its sign and up to five decimals; 0 if nothing is left after rounding.

    >>> _signed(-0.32), _signed(-1e-12), _signed(2.0)
    ('-0.32', '0', '+2')
    """
    text = f"{value:+.5f}".rstrip("0").rstrip(".")
    return "0" if text in ("+0", "-0") else text


def _per_cent(value: float) -> str:
    return "none" if value != value else f"{100 * value:.1f} %"  # noqa: PLR0124  NaN
