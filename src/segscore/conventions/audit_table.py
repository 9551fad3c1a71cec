"""How an audit looks as a table, and how an expected number is recognised in it."""

import math
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any, Literal

from segscore.arguments import shown
from segscore.errors import SegmentationError
from segscore.tables import Cell, Column, Table

if TYPE_CHECKING:  # it imports this module
    from segscore.conventions.auditing import AuditRow, ExpectedMatch

Average = Literal["document", "mean", "windows", "global-k", "concatenated"]

AVERAGES: dict[Average, str] = {
    "document": "the one document",
    "mean": "mean of the documents' values",
    "windows": "errors of all documents over windows of all documents",
    "global-k": "mean of documents, all with one k from the pooled mean segment",
    "concatenated": "all documents joined into one, their ends being boundaries",
}

_NAMES = {"pk": "Pk", "windowdiff": "WindowDiff"}


def expected_number(expect: Any) -> "tuple[str, Callable[[AuditRow], list[str]]]":
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

    def forms(row: "AuditRow") -> list[str]:
        name, percent = _NAMES[row.measure], ", in percent" if scale == 100 else ""
        found = []
        for value, what in ((row.prints, ""), (row.value, " without undefined documents")):
            if math.isnan(value) or (what and value == row.prints):
                continue
            found += [f"{name}{what}{percent}"] * comes_out(value)
            found += [f"1 − {name}{what}{percent}"] * comes_out(1 - value)
        return found

    return text, forms


def audit_table(
    rows: "Sequence[AuditRow]",
    sentences: Mapping[str, str],
    averages: Mapping[Any, str],
    expect: str | None,
    matches: "Sequence[ExpectedMatch]",
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
            "shown": Cell(row.convention, note=sentences[row.convention]),
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


def verdict(
    rows: "Sequence[AuditRow]", expect: str | None, matches: "Sequence[ExpectedMatch]"
) -> str:
    """Which convention prints the expected number, and which one to cite and why."""
    return " ".join([*_explained(expect, matches), _to_cite(rows)])


def _to_cite(rows: "Sequence[AuditRow]") -> str:
    cited = [row for row in rows if row.convention == CITED]
    shown_averages = ("document", "windows")
    values = [
        f"{_NAMES[row.measure]} = {row.value:.4f}"
        + ("" if row.average == "document" else " (micro)")
        for row in cited
        if row.average in shown_averages and not math.isnan(row.value)
    ]
    disagree = len({round(row.prints, 4) for row in rows if not math.isnan(row.prints)}) > 1
    why = "it follows the published definitions, and segscore's signature says so"
    if not values:
        return "The published definitions give no value here: report none."
    if not disagree:
        return f"All conventions print the same; cite {', '.join(values)}."
    return f"Cite {CITED}: {', '.join(values)}; {why}."


def _explained(expect: str | None, matches: "Sequence[ExpectedMatch]") -> list[str]:
    """What to make of the expected number."""
    if expect is None:
        return []
    if not matches:
        return [f"No known convention prints {expect}."]
    found = dict.fromkeys(
        f"{match.row.convention} ({match.form}"
        + (f", {match.row.average}" if match.row.average != "document" else "")
        + (f", k = {match.row.k})" if match.row.k is not None else ")")
        for match in matches
    )
    return [f"{expect} is what these print: {'; '.join(found)}."]
