"""The rows of an audit, their table, and how an expected number is recognised in it."""

import math
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any, Literal, NamedTuple

from segscore.basics.arguments import shown
from segscore.errors import SegmentationError
from segscore.tables import Cell, Column, Table

AuditMeasure = Literal["pk", "windowdiff", "f1", "segment-f1"]
MEASURES: tuple[AuditMeasure, ...] = ("pk", "windowdiff", "f1", "segment-f1")
Average = Literal["document", "mean", "windows", "global-k", "concatenated"]

AVERAGES: dict[str, str] = {
    "document": "the one document",
    "mean": "mean of the documents' values",
    "windows": "errors of all documents over windows of all documents",
    "global-k": "mean of documents, all with one k from the pooled mean segment",
    "concatenated": "all documents joined into one, their ends being boundaries",
    "pooled": "F of the counts of all documents",
    "mean-rates": "F of the mean precision and the mean recall",
}

_NAMES = {"pk": "Pk", "windowdiff": "WindowDiff", "f1": "F1", "segment-f1": "segment F1"}
_ERRORS = ("pk", "windowdiff")  # of which others print 1 minus the value


class AuditRow(NamedTuple):
    """One number: a convention, a measure, an average."""

    convention: str
    measure: str
    average: str
    k: int | None  # None where documents differ, and for F1
    windows: int | None  # None for F1
    value: float  # NaN where undefined
    prints: float  # NaN where the implementation fails
    documents: int
    undefined: int
    note: str | None
    at: str | None = None  # tolerance or thresholds of F1


class ExpectedMatch(NamedTuple):
    """A row that explains an expected number, and the form in which it does."""

    row: AuditRow
    form: str


def first_of(troubles: Sequence[str]) -> str | None:
    """The first of what went wrong in documents, for a note, and how many there are."""
    if not troubles:
        return None
    more = f" (and {len(troubles) - 1} more documents)" if len(troubles) > 1 else ""
    return troubles[0] + more


def expected_number(expect: Any) -> tuple[str, Callable[[AuditRow], list[str]]]:
    """The number as text, and a function that names the forms in which a row comes out as it.

    A number is the same if it rounds to as many decimals as were given.
    """
    text = str(expect).strip()
    try:
        if isinstance(expect, bool) or not isinstance(expect, str | int | float):
            raise InvalidOperation
        number = Decimal(text.removesuffix("%").strip())
        half = Decimal(5).scaleb(int(number.as_tuple().exponent) - 1)
    except (InvalidOperation, TypeError, ValueError):  # NaN and infinity have no exponent
        raise SegmentationError(
            f"expect is {shown(expect)}: expected a number, such as 0.3667 or 36.67"
        ) from None
    scale = 100 if text.endswith("%") or number > 1 else 1

    def comes_out(value: float) -> bool:
        # A little tolerance: value is binary, and ties round either way.
        return abs(value * scale - float(number)) <= float(half) * (1 + 1e-6) + 1e-12

    def forms(row: AuditRow) -> list[str]:
        name, percent = _NAMES[row.measure], ", in percent" if scale == 100 else ""
        found = []
        for value, what in ((row.prints, ""), (row.value, " without undefined documents")):
            if math.isnan(value) or (what and value == row.prints):
                continue
            found += [f"{name}{what}{percent}"] * comes_out(value)
            if row.measure in _ERRORS:
                found += [f"1 − {name}{what}{percent}"] * comes_out(1 - value)
        return found

    return text, forms


def audit_table(
    rows: Sequence[AuditRow],
    sentences: Mapping[tuple[str, str], str],
    averages: Mapping[Any, str],
    expect: str | None,
    matches: Sequence[ExpectedMatch],
    notes: Sequence[str] = (),
) -> Table:
    """A line per number; the convention's sentence and what goes wrong become footnotes."""
    corpus = any(row.average != "document" for row in rows)
    undefined = any(row.undefined for row in rows)
    forms: dict[AuditRow, list[str]] = {}
    for match in matches:
        forms.setdefault(match.row, []).append(match.form)
    lines = [
        {
            **row._asdict(),
            "shown": Cell(row.convention, note=sentences[row.convention, row.measure]),
            "measured": _NAMES[row.measure],
            "averaged": Cell(row.average, note=averages[row.average]),
            "printed": Cell(row.prints, note=row.note),
            "expected": "; ".join(forms.get(row, [])) or None,
        }
        for row in rows
    ]
    people = "people" if corpus else "machines"
    columns = [
        Column("convention", audience="machines"),
        Column("convention", key="shown", audience="people"),
        Column("measure", audience="machines"),
        Column("measure", key="measured", audience="people"),
        Column("average", audience="machines"),
        *([Column("average", key="averaged", audience="people")] if people == "people" else []),
        Column("k"),
        Column("windows"),
        Column("at", audience="all" if any(row.at for row in rows) else "machines"),
        Column("value"),
        Column("prints", audience="machines"),
        Column("prints", key="printed", audience="people"),
        Column("documents", audience="machines"),
        Column("undefined", audience="all" if undefined else "machines"),
        Column("note", audience="machines"),
        *([Column(f"is {expect}?", key="expected")] if expect is not None else []),
    ]
    return Table(columns, lines, footnotes=notes, title=verdict(rows, expect, matches))


CITED = "paper"  # the convention that follows the definitions as published


def verdict(rows: Sequence[AuditRow], expect: str | None, matches: Sequence[ExpectedMatch]) -> str:
    """Which convention prints the expected number, and which one to cite and why."""
    return " ".join([*_explained(expect, matches), _to_cite(rows)])


def _to_cite(rows: Sequence[AuditRow]) -> str:
    cited = [row for row in rows if row.convention == CITED]
    shown_averages = ("document", "windows")
    values = [
        f"{_NAMES[row.measure]} = {row.value:.4f}"
        + ("" if row.average == "document" else " (micro)")
        for row in cited
        if row.average in shown_averages and not math.isnan(row.value)
    ]
    printed = {
        round(row.prints, 4)
        for row in rows
        if row.measure in _ERRORS and not math.isnan(row.prints)
    }
    disagree = len(printed) > 1
    why = "it follows the published definitions, and segscore's signature says so"
    if all(row.measure not in _ERRORS for row in rows):
        return _f_to_cite(rows)
    if not values:
        return "The published definitions give no value here: report none."
    if not disagree:
        return f"All conventions print the same; cite {', '.join(values)}."
    return f"Cite {CITED}: {', '.join(values)}; {why}."


def _f_to_cite(rows: Sequence[AuditRow]) -> str:
    """What to do about F1, which has no one definition."""
    printed = [row.prints for row in rows if not math.isnan(row.prints)]
    if not printed:
        return "No convention prints a number here: report none."
    return (
        f"They print {min(printed):.4f} … {max(printed):.4f}: say which one a number is, and its "
        "tolerance or IoU, as segscore's signature does."
    )


def _explained(expect: str | None, matches: Sequence[ExpectedMatch]) -> list[str]:
    """What to make of the expected number."""
    if expect is None:
        return []
    if not matches:
        return [f"No known convention prints {expect}."]
    found = dict.fromkeys(
        f"{match.row.convention} ({match.form}"
        + (f", {match.row.average}" if match.row.average != "document" else "")
        + (f", k = {match.row.k}" if match.row.k is not None else "")
        + (f", {match.row.at})" if match.row.at is not None else ")")
        for match in matches
    )
    return [f"{expect} is what these print: {'; '.join(found)}."]
