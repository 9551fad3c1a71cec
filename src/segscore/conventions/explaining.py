"""Which convention printed a number: all rows of an audit are tried; if none is a likely
explanation, also common changes of documents (`readings.py`), failures, and fixed windows."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from segscore.conventions.all_conventions import cost_of
from segscore.conventions.audit_table import (
    AuditRow,
    ExpectedForm,
    ExpectedMatch,
    same_numbers,
)
from segscore.conventions.audited_rows import audited_rows
from segscore.conventions.convention_list import CONVENTIONS, FIXED_SIZES
from segscore.conventions.f_counting import Reach
from segscore.conventions.readings import (
    OVER_WORDS,
    READINGS,
    Reading,
    over_words,
    without_rows,
)
from segscore.conventions.window_auditing import (
    PLAIN_AVERAGES,
    WINDOW_AVERAGES,
    SeenDocuments,
    window_rows,
)
from segscore.pairing.pairs import Pairs

Forms = Callable[[AuditRow], list[ExpectedForm]]
WordCounts = Callable[[], list[list[int]] | None]  # of each unit of each document

_FIRST_READING = 0.5  # what is cheaper is so frequent that nothing else is tried
_ERRORS = ("pk", "windowdiff")


def explained(
    pairs: Pairs,
    rows: Sequence[AuditRow],
    measures: Sequence[str],
    reach: Reach,
    forms: Forms,
    words: WordCounts,
) -> list[ExpectedMatch]:
    """The rows, and what else explains the number, the likeliest first."""
    found = list(_matches(((row, cost_of(row)) for row in rows), forms))
    found += _matches(_failed(pairs, rows, measures, reach), forms)
    enough = found and (len(pairs) == 1 or min(match.cost for match in found) < _FIRST_READING)
    if not enough:
        known: dict[tuple[str, ...], AuditRow] = {row[:3]: row for row in rows}
        others = (
            *_readings(pairs, measures, reach),
            *_fixed(pairs, measures),
            *_over_words(pairs, measures, words),
        )
        new = ((row, cost) for row, cost in others if not _unchanged(row, known))
        found += _matches(new, forms)
    return sorted(found, key=lambda match: match.cost)


def _matches(rows: Iterable[tuple[AuditRow, float]], forms: Forms) -> Iterator[ExpectedMatch]:
    for row, cost in rows:
        for form in forms(row):
            yield ExpectedMatch(row, form.words, cost + form.cost)


def _unchanged(row: AuditRow, known: Mapping[tuple[str, ...], AuditRow]) -> bool:
    """Whether a reading changes nothing: F1 is the same for swapped sides."""
    usual = known.get(row[:3])
    return usual is not None and same_numbers(row, usual)


def _readings(
    pairs: Pairs, measures: Sequence[str], reach: Reach
) -> Iterator[tuple[AuditRow, float]]:
    for reading in READINGS:
        seen = reading.change(pairs)
        if seen is not None:
            yield from _read(reading, seen, measures, reach)


def _read(
    reading: Reading, seen: Pairs, measures: Sequence[str], reach: Reach
) -> Iterator[tuple[AuditRow, float]]:
    """What conventions print for changed documents."""
    if reading.conventions is None:
        rows: Iterable[AuditRow] = audited_rows(seen, measures, reach)
    else:
        conventions = [
            convention for convention in CONVENTIONS if convention.name in reading.conventions
        ]
        rows = window_rows(SeenDocuments(seen), measures, conventions, PLAIN_AVERAGES)
    for row in rows:
        yield row._replace(reading=reading.words_for(row.measure)), cost_of(row) + reading.cost


def _fixed(pairs: Pairs, measures: Sequence[str]) -> Iterator[tuple[AuditRow, float]]:
    averages = [average for average in WINDOW_AVERAGES if average != "global-k"]
    for row in window_rows(SeenDocuments(pairs), measures, FIXED_SIZES, averages):
        yield row, cost_of(row)


def _over_words(
    pairs: Pairs, measures: Sequence[str], words: WordCounts
) -> Iterator[tuple[AuditRow, float]]:
    """What conventions print over words; texts are read only here."""
    if not any(error in measures for error in _ERRORS):
        return
    lengths = words()
    if lengths is not None:
        yield from _read(OVER_WORDS, over_words(pairs, lengths), measures, Reach(0, -1, ""))


def _failed(
    pairs: Pairs, rows: Sequence[AuditRow], measures: Sequence[str], reach: Reach
) -> Iterator[tuple[AuditRow, float]]:
    """The rows with documents without a hypothesis left out, or counted as 0 or 1 in the mean."""
    failures = pairs.failures
    if failures is None:
        return
    n = len(failures)
    documents = f"{n} document{'s' if n > 1 else ''} without a hypothesis"
    others = rows
    if len(failures.rows) == len(pairs):  # nothing is left
        return
    if failures.rows:  # they count as one segment; of those that are left out there are rows
        others = audited_rows(without_rows(pairs, failures.rows), measures, reach)
        for row in others:
            yield row._replace(reading=f"{documents} left out"), cost_of(row) + 0.25
    for row in others:
        if row.average not in ("mean", "document"):
            continue
        worst = 1 if row.measure in _ERRORS else 0
        for counted in (worst, 1 - worst):
            yield (
                _counted(row, n, counted)._replace(reading=f"{documents} counted as {counted}"),
                cost_of(row) + (0.25 if counted == worst else 0.75),
            )


def _counted(row: AuditRow, n: int, counted: int) -> AuditRow:
    """The mean with additional documents."""
    every = row.documents + n
    value, prints = (
        (number * row.documents + counted * n) / every for number in (row.value, row.prints)
    )
    return row._replace(value=value, prints=prints, average="mean", documents=every)
