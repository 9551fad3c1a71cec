"""Outcomes in tables: one per paper for people, with a summary; a single one for machines."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, get_args

from segscore.papers.published import Outcome, Status, shown
from segscore.papers.runner import paper_title
from segscore.tables import Cell, Column, Table

STATUSES: tuple[Status, ...] = get_args(Status)


def to_table(made: Sequence[Outcome]) -> Table:
    """All outcomes in one table: notes below it for people, in a field of theirs for machines."""
    return Table([Column("paper"), *_columns()], _rows(made), _summary(made))


def paper_tables(made: Iterable[Outcome]) -> dict[str, Table]:
    """A table per paper, with the numbers of each status below it."""
    return {
        paper: Table(_columns(), _rows(outcomes), _summary(outcomes), paper_title(paper))
        for paper, outcomes in by_paper(made).items()
    }


def summary_table(made: Iterable[Outcome]) -> Table:
    """How many numbers of each paper come out, and of all."""
    papers = by_paper(made)
    everything = [outcome for outcomes in papers.values() for outcome in outcomes]
    rows = [
        [name, len(outcomes), *counts(outcomes).values(), share(outcomes)]
        for name, outcomes in [*papers.items(), ("all", everything)]
    ]
    columns = [Column("paper"), Column("numbers"), *map(Column, STATUSES)]
    footnotes = ["slips included, of the numbers that can be computed with the data at hand"]
    return Table([*columns, Column("come out", form=_per_cent)], rows, footnotes, "Summary")


def by_paper(made: Iterable[Outcome]) -> dict[str, list[Outcome]]:
    """The outcomes of each paper."""
    papers: dict[str, list[Outcome]] = {}
    for outcome in made:
        papers.setdefault(outcome.paper, []).append(outcome)
    return papers


def counts(made: Iterable[Outcome]) -> dict[Status, int]:
    """How many outcomes have each status."""
    found = Counter(outcome.status for outcome in made)
    return {status: found[status] for status in STATUSES}


def share(made: Sequence[Outcome]) -> float:
    """The share that comes out, slips included, of what can be computed; NaN of nothing."""
    found = counts(made)
    computed = len(made) - found["no-data"]
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
        Column("status", key="verdict", audience="people"),
    ]


def _rows(made: Iterable[Outcome]) -> list[dict[str, Any]]:
    return [
        {
            **outcome._asdict(),
            "difference": outcome.difference,
            "verdict": Cell(outcome.status + "!" * outcome.failed, note=outcome.note),
        }
        for outcome in made
    ]


def _summary(made: Sequence[Outcome]) -> list[str]:
    numbers = ", ".join(f"{count} {status}" for status, count in counts(made).items() if count)
    failed = sum(outcome.failed for outcome in made)
    lines = [f"{len(made)} numbers: {numbers}; {_per_cent(share(made))} come out"]
    return lines + [f"{failed} that should hold do not (marked !)"] * bool(failed)


def _signed(value: float) -> str:
    """With its sign and up to five decimals; 0 for what rounds to nothing.

    >>> _signed(-0.32), _signed(-1e-12), _signed(2.0)
    ('-0.32', '0', '+2')
    """
    text = f"{value:+.5f}".rstrip("0").rstrip(".")
    return "0" if text in ("+0", "-0") else text


def _per_cent(value: float) -> str:
    return "none" if value != value else f"{100 * value:.1f} %"  # noqa: PLR0124  NaN
