"""The result of an audit: its tables, and a verdict on which convention printed a number."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from segscore.conventions.convention import AVERAGES, ERRORS, AuditRow
from segscore.conventions.convention_list import CATALOGUE
from segscore.conventions.readings import source_of
from segscore.corpus.provenance import PLAIN, Provenance
from segscore.pairing.rules import Failures, failure_notes, failure_warnings, skipped_note
from segscore.tables import Cell, Column, Table, Tabular

NAMES = {
    "pk": "Pk",
    "windowdiff": "WindowDiff",
    "f1": "F1",
    "segment-f1": "segment F1",
    "macro-f1": "macro F1",
    "total": "total score",
    "b": "B",
    "s": "S",
    "b-f1": "F1 of B's confusion matrix",
    "count-mae": "MAE of counts",
}
CITED = "paper"  # the convention that follows the definitions as published
DEFAULTS = (CITED, "segscore")  # what segscore itself computes
_MOST_ROWS = 10  # of those that differ from them
_MOST_NAMED = 6  # explanations in the verdict
_RARE = 1.0  # the cost from which something done to documents is a far-fetched explanation


class ExpectedMatch(NamedTuple):
    """A row that explains an expected number, the form in which it does, and how far-fetched that
    is: less is likelier."""

    row: AuditRow
    form: str
    cost: float = 0.0


@dataclass(frozen=True, repr=False)
class Audit(Tabular):
    """The numbers of every convention, and those that explain the expected number.

    `rows` holds all numbers, `matches` those that equal `expect`; `to_table()` and printing show
    them, with a sentence per convention.
    """

    rows: tuple[AuditRow, ...]
    expect: str | None
    matches: tuple[ExpectedMatch, ...]
    provenance: Provenance = PLAIN
    skipped: tuple[str, ...] = ()
    failures: Failures | None = None

    def __getitem__(self, key: tuple[str, ...]) -> AuditRow:
        """The row of (convention, measure), or of (convention, measure, average) for a corpus."""
        for row in self.rows:
            if row[: len(key)] == key:
                return row
        raise KeyError(f"no row {key!r}")

    def to_dicts(self) -> list[dict[str, Any]]:
        """A mapping per row."""
        return [row._asdict() for row in self.rows]

    def to_table(self) -> Table:
        """A table of all numbers."""
        return self._table(self.rows)

    def short_table(self) -> Table:
        """A table of the numbers that explain the expected one, or, if none is expected, of the ten
        conventions that differ most from segscore's own numbers; the verdict is about all."""
        if self.expect is None:
            return self._differences()
        explaining = {match.row for match in self.matches}
        return self._table([row for row in self.rows if row in explaining])

    def _table(self, rows: Sequence[AuditRow]) -> Table:
        """A line per number; the convention's sentence and its problems become footnotes. People do
        not see empty columns, nor `prints` where every row prints its value."""
        forms: dict[AuditRow, list[str]] = {}
        for match in self.matches:
            forms.setdefault(match.row, []).append(match.form)
        lines = [
            {
                **row._asdict(),
                "shown": Cell(row.convention, note=CATALOGUE[row[:2]].words),
                "measured": NAMES[row.measure],
                "averaged": Cell(row.average, note=AVERAGES[row.average][0]),
                "printed": Cell(row.prints, note=row.note),
                "read": Cell(row.reading, note=row.reading and source_of(row.reading)),
                "expected": "; ".join(forms.get(row, [])) or None,
            }
            for row in rows
        ]
        columns = [
            *_twice("convention", "shown"),
            *_twice("measure", "measured"),
            *_twice("average", "averaged", any(row.average != "document" for row in rows)),
            *(_if_any(rows, name) for name in ("k", "windows", "at")),
            *_twice("reading", "read", any(row.reading for row in rows)),
            Column("value"),
            *_twice("prints", "printed", any(row.note or row.prints != row.value for row in rows)),
            Column("documents", audience="machines"),
            Column("undefined", audience="all" if any(r.undefined for r in rows) else "machines"),
            *(Column(name, audience="machines") for name in ("precision", "recall", "note")),
        ]
        if self.expect is not None:
            columns.append(Column(f"is {self.expect}?", key="expected"))
        return Table(columns, lines, footnotes=self._notes(), title=self._verdict())

    def _differences(self) -> Table:
        """A line for each of the conventions that differ most, beside segscore's own number."""
        lines = [
            {
                **row._asdict(),
                "convention": Cell(row.convention, note=CATALOGUE[row[:2]].sentence),
                "measure": NAMES[row.measure],
                "segscore": own.value,
                "difference": row.prints - own.value,
            }
            for row, own in most_different(self.rows)
        ]
        several = any(row.average != "document" for row in self.rows)
        present = [name for name in ("k", "at") if any(line[name] is not None for line in lines)]
        names = ["convention", "measure", *["average"] * several, *present, "prints"]
        columns = [Column(name) for name in (*names, "segscore", "difference")]
        return Table(columns if lines else [], lines, self._notes(), title=self._verdict())

    def _notes(self) -> list[str]:
        notes = [f"{self.provenance}"] if self.provenance else []
        notes += skipped_note(self.skipped) + failure_notes(self.failures)
        return notes + failure_warnings(self.failures)

    def _verdict(self) -> str:
        """Which convention prints the expected number, and which number to cite and why."""
        measure = self.matches[0].row.measure if self.matches else None
        return " ".join([*_explanation(self.expect, self.matches), _advice(self.rows, measure)])


def _twice(name: str, key: str, for_people: bool = True) -> Iterator[Column]:
    """A column for machines, and another for people if they need it."""
    yield Column(name, audience="machines")
    if for_people:
        yield Column(name, key=key, audience="people")


def _if_any(rows: Iterable[AuditRow], name: str) -> Column:
    """A column that only machines see if it is empty."""
    full = any(getattr(row, name) is not None for row in rows)
    return Column(name, audience="all" if full else "machines")


def most_different(rows: Iterable[AuditRow]) -> list[tuple[AuditRow, AuditRow]]:
    """The ten conventions that print what differs most from segscore's own number for the same
    measure and average, each with the row of that number; measures without one are left out."""
    ours: dict[tuple[str, str], AuditRow] = {}
    gaps: dict[tuple[str, str], tuple[float, AuditRow, AuditRow]] = {}
    for row in rows:
        own = ours.setdefault((row.measure, row.average), row)
        gap = abs(row.prints - own.value)
        if own.convention in DEFAULTS and gap > gaps.get(row[:2], (0.0,))[0]:
            gaps[row[:2]] = gap, row, own
    ordered = sorted(gaps.values(), key=lambda gap: -gap[0])
    return [(row, own) for _, row, own in ordered[:_MOST_ROWS]]


# ---- the verdict ----

_NOTHING_TO_CITE = "The published definitions give no value here: report none."
_ADVICE = {
    "macro-f1": "Positions without a boundary are many and easy: cite F1 of boundaries (f1).",
    "total": "Cite Pk, WindowDiff and F1 apart: a total score hides which of them changed.",
    "count-mae": "It says nothing about positions: cite it beside Pk, WindowDiff or B.",
    "b-f1": "segeval credits farther near misses with more: cite B.",
}


def _explanation(expect: str | None, matches: Sequence[ExpectedMatch]) -> list[str]:
    """What the expected number is: the explanations, the likeliest first."""
    if expect is None:
        return []
    if not matches:
        return [f"No known convention prints {expect}."]
    names = list(dict.fromkeys(map(_named, matches)))
    more = len(names) - _MOST_NAMED
    rest = [f"{more} less likely explanations fit as well: give more digits."] if more > 0 else []
    rare = matches[0].row.reading is not None and matches[0].cost >= _RARE
    perhaps = "perhaps " if rare else ""
    return [f"{expect} is {perhaps}what these print: {'; '.join(names[:_MOST_NAMED])}.", *rest]


def _named(match: ExpectedMatch) -> str:
    row = match.row
    average = row.average if row.average != "document" else None
    k = f"k = {row.k}" if row.k is not None else None
    parts = filter(None, (match.form, average, k, row.at, row.reading))
    return f"{row.convention} ({', '.join(parts)})"


def _advice(rows: Sequence[AuditRow], measure: str | None) -> str:
    """Which number to cite: of the recognised measure, or of all measures."""
    known = dict.fromkeys(row.measure for row in rows)
    about = measure or next((error for error in ERRORS if error in known), next(iter(known), None))
    if about in ERRORS:
        return _windows_to_cite(rows)
    if about in ("b", "s"):
        return _edits_to_cite(next(row for row in rows if row[:2] == ("segscore", about)))
    return _ADVICE.get(str(about)) or _f_to_cite(rows)


def _windows_to_cite(rows: Sequence[AuditRow]) -> str:
    windows = [row for row in rows if row.measure in ERRORS]
    values = [
        f"{NAMES[row.measure]} = {row.value:.4f}{' (micro)' if row.average == 'windows' else ''}"
        for row in windows
        if row.convention == CITED and row.reading is None and not math.isnan(row.value)
        if row.average in ("document", "windows")
    ]
    if not values:
        return _NOTHING_TO_CITE
    if len({round(row.prints, 4) for row in windows if not math.isnan(row.prints)}) <= 1:
        return f"All conventions print the same; cite {', '.join(values)}."
    why = "it follows the published definitions, and segscore's signature says so"
    return f"Cite {CITED}: {', '.join(values)}; {why}."


def _edits_to_cite(row: AuditRow) -> str:
    if math.isnan(row.value):
        return _NOTHING_TO_CITE
    average = "" if row.average == "document" else f" ({row.average})"
    return (
        f"Cite segscore: {NAMES[row.measure]} = {row.value:.4f}{average}, {row.at}; it finds the "
        "fewest edits, and its signature says so."
    )


def _f_to_cite(rows: Sequence[AuditRow]) -> str:
    """Advice about F1, which has no single definition."""
    of_f = [row.prints for row in rows if row.measure in ("f1", "segment-f1")]
    prints = [value for value in of_f if not math.isnan(value)]
    if not prints:
        return "No convention prints a number here: report none."
    return (
        f"They print {min(prints):.4f} … {max(prints):.4f}: say which of them a number is, and "
        "its tolerance or IoU, as segscore's signature does."
    )
