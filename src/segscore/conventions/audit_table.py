"""The rows of an audit, their table, and how an expected number is found in it."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any, Literal, NamedTuple, get_args

from segscore.basics.arguments import shown
from segscore.errors import SegmentationError
from segscore.tables import Cell, Column, Table

AuditMeasure = Literal[
    "pk", "windowdiff", "f1", "segment-f1", "macro-f1", "total", "b", "s", "b-f1", "count-mae"
]
MEASURES: tuple[AuditMeasure, ...] = get_args(AuditMeasure)

AVERAGES: dict[str, str] = {
    "document": "the one document",
    "mean": "mean of the documents' values",
    "windows": "errors of all documents over windows of all documents",
    "global-k": "mean of documents, all with one k from the pooled mean segment",
    "concatenated": "all documents joined into one, their ends being boundaries",
    "pooled": "F of the counts of all documents",
    "mean-rates": "F of the mean precision and the mean recall",
}

_NAMES = {
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
_ERRORS = ("pk", "windowdiff")  # of which others print 1 minus the value
_COUNTS = ("count-mae",)  # which are never in percent
_MOST_NAMED = 6  # explanations in the verdict
_RARE = 1.0  # the cost from which something done to documents is a far-fetched explanation


class AuditRow(NamedTuple):
    """A number: a convention, a measure, an average."""

    convention: str
    measure: str
    average: str
    k: int | None  # of Pk and WindowDiff; None where documents differ
    windows: int | None  # of Pk and WindowDiff
    value: float  # NaN where undefined
    prints: float  # NaN where the implementation fails
    documents: int
    undefined: int
    note: str | None
    at: str | None = None  # tolerance or thresholds of F1, n_t of B and S
    precision: float = math.nan  # of F1
    recall: float = math.nan
    reading: str | None = None  # what was done to documents before: sides swapped, for instance


class ExpectedMatch(NamedTuple):
    """A row that explains an expected number, the form in which it does, and how far-fetched that
    is: less is likelier."""

    row: AuditRow
    form: str
    cost: float = 0.0


class ExpectedForm(NamedTuple):
    """The form in which a row equals an expected number."""

    words: str
    cost: float


def same_numbers(row: AuditRow, other: AuditRow) -> bool:
    """Whether the values and the prints of two rows are the same; NaN equals NaN."""
    pairs = (row.value, other.value), (row.prints, other.prints)
    return all(a == b or (math.isnan(a) and math.isnan(b)) for a, b in pairs)


def trouble_note(troubles: Sequence[str]) -> str | None:
    """A note with the first problem in documents, and the number of problems."""
    if not troubles:
        return None
    more = f" (and {len(troubles) - 1} more documents)" if len(troubles) > 1 else ""
    return troubles[0] + more


def expected_number(expect: Any) -> tuple[str, Callable[[AuditRow], list[ExpectedForm]]]:
    """The number as text, and a function that lists the forms in which a row equals it.

    Numbers are equal if they agree when rounded to the decimals given.
    """
    try:
        if isinstance(expect, bool) or not isinstance(expect, str | int | float):
            raise InvalidOperation
        text = str(expect).strip()  # Python refuses to write out integers of thousands of digits
        number = Decimal(text.removesuffix("%").strip())
        half = Decimal(5).scaleb(int(number.as_tuple().exponent) - 1)
    except (InvalidOperation, TypeError, ValueError):  # NaN and infinity have no exponent
        raise SegmentationError(
            f"expect is {shown(expect)}: expected a number, such as 0.3667 or 36.67"
        ) from None
    scale = 100 if text.endswith("%") or number > 1 else 1

    def comes_out(value: float, factor: int) -> bool:
        # A little tolerance: value is binary, and ties round either way.
        return abs(value * factor - float(number)) <= float(half) * (1 + 1e-6) + 1e-12

    def forms(row: AuditRow) -> list[ExpectedForm]:
        factor = 1 if row.measure in _COUNTS else scale
        percent = ", in percent" if factor == 100 else ""
        found = [
            ExpectedForm(f"{words}{percent}", cost)
            for words, value, cost in _forms(row)
            if comes_out(value, factor)
        ]
        return found or [
            ExpectedForm(f"{words}{percent}", 0.75)
            for words, value in _rates(row)
            if comes_out(value, factor)
        ]

    return text, forms


def _forms(row: AuditRow) -> Iterator[tuple[str, float, float]]:
    """The numbers of a row, with their names and how far-fetched each is."""
    name = _NAMES[row.measure]
    for value, what, cost in (
        (row.prints, "", 0.0),
        (row.value, " without undefined documents", 0.5),
    ):
        if math.isnan(value) or (what and value == row.prints):
            continue
        yield f"{name}{what}", value, cost
        if row.measure in _ERRORS:
            yield f"1 − {name}{what}", 1 - value, cost + 0.75


def _rates(row: AuditRow) -> Iterator[tuple[str, float]]:
    """Precision and recall, exchanged if the sides are swapped."""
    yield "precision, or recall with sides swapped", row.precision
    yield "recall, or precision with sides swapped", row.recall


def audit_table(
    rows: Sequence[AuditRow],
    sentences: Mapping[tuple[str, str], str],
    sources: Mapping[str, str],
    expect: str | None,
    matches: Sequence[ExpectedMatch],
    title: str,
    notes: Sequence[str] = (),
) -> Table:
    """A line per number; the convention's sentence and its problems become footnotes. People do not
    see empty columns, nor `prints` where every row prints its value."""
    corpus = any(row.average != "document" for row in rows)
    undefined = any(row.undefined for row in rows)
    read = any(row.reading for row in rows)
    forms: dict[AuditRow, list[str]] = {}
    for match in matches:
        forms.setdefault(match.row, []).append(match.form)
    lines = [
        {
            **row._asdict(),
            "shown": Cell(row.convention, note=sentences[row.convention, row.measure]),
            "measured": _NAMES[row.measure],
            "averaged": Cell(row.average, note=AVERAGES[row.average]),
            "printed": Cell(row.prints, note=row.note),
            "read": Cell(row.reading, note=sources.get(row.reading or "")),
            "expected": "; ".join(forms.get(row, [])) or None,
        }
        for row in rows
    ]
    people = "people" if corpus else "machines"
    apart = any(row.note or row.prints != row.value for row in rows)
    columns = [
        Column("convention", audience="machines"),
        Column("convention", key="shown", audience="people"),
        Column("measure", audience="machines"),
        Column("measure", key="measured", audience="people"),
        Column("average", audience="machines"),
        *([Column("average", key="averaged", audience="people")] if people == "people" else []),
        Column("k", audience=_seen(row.k for row in rows)),
        Column("windows", audience=_seen(row.windows for row in rows)),
        Column("at", audience=_seen(row.at for row in rows)),
        Column("reading", audience="machines"),
        *([Column("reading", key="read", audience="people")] if read else []),
        Column("value"),
        Column("prints", audience="machines"),
        *([Column("prints", key="printed", audience="people")] if apart else []),
        Column("documents", audience="machines"),
        Column("undefined", audience="all" if undefined else "machines"),
        Column("precision", audience="machines"),
        Column("recall", audience="machines"),
        Column("note", audience="machines"),
        *([Column(f"is {expect}?", key="expected")] if expect is not None else []),
    ]
    return Table(columns, lines, footnotes=notes, title=title)


def _seen(values: Iterable[object]) -> Literal["all", "machines"]:
    """The audience of a column: only machines if the column is empty."""
    return "all" if any(value is not None for value in values) else "machines"


CITED = "paper"  # the convention that follows the definitions as published
DEFAULTS = (CITED, "segscore")  # what segscore itself computes
_MOST_SHOWN = 10


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
    ordered = sorted(gaps.values(), key=lambda found: -found[0])
    return [(row, own) for _, row, own in ordered[:_MOST_SHOWN]]


def differences_table(
    rows: Sequence[AuditRow],
    sentences: Mapping[tuple[str, str], str],
    title: str,
    notes: Sequence[str] = (),
) -> Table:
    """A line for each of the conventions that differ most, beside segscore's own number."""
    found = most_different(rows)
    lines = [
        {
            **row._asdict(),
            "convention": Cell(row.convention, note=sentences[row.convention, row.measure]),
            "measure": _NAMES[row.measure],
            "segscore": own.value,
            "difference": row.prints - own.value,
        }
        for row, own in found
    ]
    several = any(row.average != "document" for row in rows)
    names = ["convention", "measure", *(["average"] if several else []), "k", "at", "prints"]
    columns = [
        Column(name) for name in (*names, "segscore", "difference")
        if name not in ("k", "at") or any(line[name] is not None for line in lines)
    ]  # fmt: skip
    return Table(columns if lines else [], lines, notes, title=title)


_ADVICE = {
    "macro-f1": "Positions without a boundary are many and easy: cite F1 of boundaries (f1).",
    "total": "Cite Pk, WindowDiff and F1 apart: a total score hides which of them changed.",
    "count-mae": "It says nothing about positions: cite it beside Pk, WindowDiff or B.",
    "b-f1": "segeval credits farther near misses with more: cite B.",
}


def verdict(rows: Sequence[AuditRow], expect: str | None, matches: Sequence[ExpectedMatch]) -> str:
    """Which convention prints the expected number, and which number to cite and why."""
    wanted = matches[0].row.measure if matches else None
    return " ".join([*_explained(expect, matches), _to_cite(rows, wanted)])


def _to_cite(rows: Sequence[AuditRow], measure: str | None) -> str:
    """Which number to cite: of the recognised measure, or of all measures."""
    known = dict.fromkeys(row.measure for row in rows)
    about = measure or next((error for error in _ERRORS if error in known), next(iter(known), None))
    if about in _ERRORS:
        return _windows_to_cite(rows)
    if about in ("b", "s"):
        return _edits_to_cite(rows, str(about))
    return _ADVICE.get(str(about)) or _f_to_cite(rows)


def _windows_to_cite(rows: Sequence[AuditRow]) -> str:
    shown_averages = ("document", "windows")
    values = [
        f"{_NAMES[row.measure]} = {row.value:.4f}"
        + ("" if row.average == "document" else " (micro)")
        for row in rows
        if row.convention == CITED and row.measure in _ERRORS and row.reading is None
        if row.average in shown_averages and not math.isnan(row.value)
    ]
    printed = {
        round(row.prints, 4)
        for row in rows
        if row.measure in _ERRORS and not math.isnan(row.prints)
    }
    if not values:
        return "The published definitions give no value here: report none."
    if len(printed) <= 1:
        return f"All conventions print the same; cite {', '.join(values)}."
    why = "it follows the published definitions, and segscore's signature says so"
    return f"Cite {CITED}: {', '.join(values)}; {why}."


def _edits_to_cite(rows: Sequence[AuditRow], measure: str) -> str:
    row = next(row for row in rows if (row.convention, row.measure) == ("segscore", measure))
    if math.isnan(row.value):
        return "The published definitions give no value here: report none."
    average = "" if row.average == "document" else f" ({row.average})"
    return (
        f"Cite segscore: {_NAMES[measure]} = {row.value:.4f}{average}, {row.at}; it finds the "
        "fewest edits, and its signature says so."
    )


def _f_to_cite(rows: Sequence[AuditRow]) -> str:
    """Advice about F1, which has no single definition."""
    printed = [
        row.prints
        for row in rows
        if row.measure in ("f1", "segment-f1") and not math.isnan(row.prints)
    ]
    if not printed:
        return "No convention prints a number here: report none."
    return (
        f"They print {min(printed):.4f} … {max(printed):.4f}: say which of them a number is, and "
        "its tolerance or IoU, as segscore's signature does."
    )


def _explained(expect: str | None, matches: Sequence[ExpectedMatch]) -> list[str]:
    """What the expected number is: the explanations, the likeliest first."""
    if expect is None:
        return []
    if not matches:
        return [f"No known convention prints {expect}."]
    found = list(dict.fromkeys(map(_named, matches)))
    more = len(found) - _MOST_NAMED
    rest = [f"{more} less likely explanations fit as well: give more digits."] if more > 0 else []
    likeliest = matches[0]
    rare = likeliest.row.reading is not None and likeliest.cost >= _RARE
    perhaps = "perhaps " if rare else ""
    return [f"{expect} is {perhaps}what these print: {'; '.join(found[:_MOST_NAMED])}.", *rest]


def _named(match: ExpectedMatch) -> str:
    row = match.row
    parts = [
        match.form,
        row.average if row.average != "document" else None,
        f"k = {row.k}" if row.k is not None else None,
        row.at,
        row.reading,
    ]
    return f"{row.convention} ({', '.join(filter(None, parts))})"
