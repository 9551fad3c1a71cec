"""The sheet of decisions: a row per place, to be filled in by a person, or written by the page of
adjudication, or both.

    document,place,marks,decision,by,comment,coders,of,before,after,rule
    ch1,4–5,"4: ann, bob; 5: cyd",4,adjudicator,,3,3,…,…,"within 1, accept 1, reject 0"
    ch1,9,9: ann,drop,adjudicator,an aside,1,3,…,…,"within 1, accept 1, reject 0"
    ch1,12,,12,added,nobody saw it,0,3,…,…,"within 1, accept 1, reject 0"

`decision` is one of the positions that `marks` names, or `drop`; where it is empty, the place
waits. If people gave levels, `marks` shows them in parentheses (4: ann (1), bob (2)), and a column
`level` after `decision` holds the level that gold gets; an empty cell means the level of the rule.
`by` is `rule` or `adjudicator`, and is not read, unless it is `added`: a boundary that nobody
marked, whose place is its position. The columns `document`, `place`, `decision`, `level`, `by` and
`comment` are read; the others help to decide, and name the rule.
"""

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from segscore.basics.arguments import shown
from segscore.basics.spreadsheet_cells import text_of_cell
from segscore.coders.adjudication import (
    DROP,
    AdjudicationCase,
    Choice,
    DocumentDecisions,
    gold_ranks,
    levels_of,
    undecided,
    with_levels,
)
from segscore.coders.places import Place, shortened
from segscore.errors import SegmentationError, nearest
from segscore.io.files import Source, replacing
from segscore.io.table_files import check_names, placed_rows, row_text, rows

COLUMNS = (
    "document", "place", "marks", "decision", "by", "comment", "coders", "of", "before", "after",
    "rule",
)  # fmt: skip
ADDED = "added"
LEVEL = "level"
_AFTER_DECISION = COLUMNS.index("decision") + 1
_READ = ("document", "place", "decision")
_READ_TOO = ("by", "comment", "rule", LEVEL)  # if they are there
_PLACE = re.compile(r"\s*(\d{1,16})(?:\D{1,9}(\d{1,16}))?\s*")  # whatever became of the dash
_LEVEL = re.compile("[1-9][0-9]{0,8}")
_SHOWN = 5  # places that an error names


def sheet_rows(
    cases: Sequence[AdjudicationCase], decided: Mapping[str, DocumentDecisions] | None = None
) -> list[Sequence[object]]:
    """The rows of a sheet, below its header: the rule's decisions, and a person's decisions, if
    there are any."""
    ranked = with_levels(cases)
    found: list[Sequence[object]] = []
    for case in cases:
        given = (decided or {}).get(case.document.name) or DocumentDecisions()
        rows_of_case = [
            _row(case, place, ruling, given)
            for place, ruling in zip(case.places, case.rulings, strict=True)
        ]
        rows_of_case += [_added_row(case, position, given) for position in given.added]
        rows_of_case.sort(key=lambda row: int(str(row[1]).split("–")[0]))
        for row in rows_of_case:
            decision = row[_AFTER_DECISION - 1]
            level = (_level(case, decision, given),) if ranked else ()
            whole = (*row[:_AFTER_DECISION], *level, *row[_AFTER_DECISION:], str(case.rule))
            found.append(whole)
    return found


def sheet_header(cases: Sequence[AdjudicationCase]) -> tuple[str, ...]:
    """The columns: with levels, if people gave some."""
    level = (LEVEL,) if with_levels(cases) else ()
    return (*COLUMNS[:_AFTER_DECISION], *level, *COLUMNS[_AFTER_DECISION:])


def _level(case: AdjudicationCase, decision: object, given: DocumentDecisions) -> object:
    """The level that gold gets where a boundary was decided."""
    ranks = gold_ranks(case.document)
    if ranks is None or not isinstance(decision, int):
        return ""
    return given.levels.get(decision, ranks.at(decision))


def _row(
    case: AdjudicationCase, place: Place, ruling: Choice | None, given: DocumentDecisions
) -> Sequence[object]:
    choice = given.choices.get(place.first, ruling)
    by = "" if choice is None else "rule" if choice == ruling else "adjudicator"
    return (
        place.document, place.where, _marks(case, place), "" if choice is None else choice, by,
        given.comments.get(place.first, ""), place.n_marks, place.n_coders,
        shortened(place.before, end=True) or "", shortened(place.after) or "",
    )  # fmt: skip


def _marks(case: AdjudicationCase, place: Place) -> str:
    """Each alternative and the coders who mark it, with their levels if they gave any."""
    levels = {coder: levels_of(coding) for coder, coding in case.document.items()}
    if not any(levels.values()):
        return place.marks

    def with_level(coder: str, position: int) -> str:
        return f"{coder} ({levels[coder][position]})" if levels[coder] else coder

    marks = []
    for position, coders in place.alternatives:
        marks.append(f"{position}: {', '.join(with_level(coder, position) for coder in coders)}")
    return "; ".join(marks)


def _added_row(case: AdjudicationCase, position: int, given: DocumentDecisions) -> Sequence[object]:
    units = case.document.units
    before, after = (None, None) if units is None else (units[position - 1], units[position])
    return (
        case.document.name, str(position), "", position, ADDED, given.comments.get(position, ""),
        0, len(case.document), shortened(before, end=True) or "", shortened(after) or "",
    )  # fmt: skip


def write_decision_sheet(
    cases: Sequence[AdjudicationCase],
    path: str | os.PathLike[str],
    decided: Mapping[str, DocumentDecisions] | None = None,
) -> None:
    """Write the sheet as CSV, with a byte order mark: without one Excel misreads names that are
    not ASCII, and no document would be found by them when the sheet comes back."""
    with replacing(path) as file:
        file.write("\ufeff")
        for row in (sheet_header(cases), *sheet_rows(cases, decided)):
            file.write(row_text(row))


# ---- a sheet that was filled in ----


def read_decision_sheet(
    path: str | os.PathLike[str],
    cases: Sequence[AdjudicationCase],
    encoding: str | None = None,
) -> dict[str, DocumentDecisions]:
    """Read the decisions of a sheet (CSV, or another kind of table) and check them against the
    codings; every place must have a decision."""
    kept = Path(path)
    source = Source(kept, kept.stem, "", encoding)
    known = {case.document.name: _KnownPlaces(case) for case in cases}
    found = {name: DocumentDecisions() for name in known}
    lines = rows(source)
    number, header = next(lines)
    with source.locating(number):
        columns = _columns(header)
    for at, cells in placed_rows(source, header, lines):
        row = {name: text_of_cell(cells[index]) for name, index in columns.items()}
        try:
            _take(row, known, found)
        except SegmentationError as error:
            raise SegmentationError(f"{at}: {error}") from None
    _refuse_open(source, cases, found)
    return found


def _columns(header: Sequence[str]) -> dict[str, int]:
    """The indices of the columns that are read."""
    names = [name.strip().lower() for name in header]
    check_names(names)
    for name in _READ:
        if name not in names:
            raise SegmentationError(
                f"no column is called {name!r}: expected the columns that `segscore adjudicate "
                f"CODINGS -o decisions.csv` writes, {', '.join(COLUMNS)}"
            )
    return {name: names.index(name) for name in (*_READ, *_READ_TOO) if name in names}


class _KnownPlaces:
    """The places of a document, by their positions."""

    def __init__(self, case: AdjudicationCase) -> None:
        self.case = case
        self.by_ends = {(place.first, place.last): place for place in case.places}
        self.marked = {
            alternative.position: place
            for place in case.places
            for alternative in place.alternatives
        }


def _take(
    row: Mapping[str, str],
    known: Mapping[str, _KnownPlaces],
    found: Mapping[str, DocumentDecisions],
) -> None:
    name = row["document"]
    if name not in known:
        raise SegmentationError(f"no document is called {name!r}: {nearest(name, known)}")
    given, places = found[name], known[name]
    row = {key: text.strip() for key, text in row.items()}
    first, last = _ends(row["place"])
    if row.get("by", "").lower() == ADDED:
        _check_added(row, first, last, places, given)
        given.added.append(first)
        _take_level(row, first, places.case, given)
    else:
        place = _place(first, last, places, row.get("rule", ""))
        if place.first in given.choices:
            raise SegmentationError(
                f"place {place.where} of document {name!r} has two rows: expected one"
            )
        if not row["decision"]:
            return  # reported with all others that wait
        choice = _choice(row["decision"], place)
        given.choices[place.first] = choice
        if choice != DROP:
            _take_level(row, choice, places.case, given)
    if row.get("comment"):
        given.comments[first] = row["comment"]


def _take_level(
    row: Mapping[str, str], position: int, case: AdjudicationCase, given: DocumentDecisions
) -> None:
    """Keep the level of a boundary, if it is given and another than the rule's."""
    text = row.get(LEVEL, "").removesuffix(".0")  # as spreadsheets may write it
    if not text:
        return
    ranks = gold_ranks(case.document)
    where = f"level is {text!r} after unit {position} of document {case.document.name!r}"
    if ranks is None:
        raise SegmentationError(
            f"{where}, where gold has no levels, because not all coders gave some: expected an "
            "empty cell"
        )
    if not _LEVEL.fullmatch(text):
        raise SegmentationError(f"{where}: expected 1 (the most prominent) or more")
    if int(text) != ranks.at(position):
        given.levels[position] = int(text)


def _ends(text: str) -> tuple[int, int]:
    """The first and the last position of a place: 4 or 4–5."""
    parts = _PLACE.fullmatch(text)
    if parts is None:
        raise SegmentationError(f"place is {shown(text)}: expected a position, or two: 4–5")
    return int(parts[1]), int(parts[2] or parts[1])


def _place(first: int, last: int, places: _KnownPlaces, rule: str) -> Place:
    found = places.by_ends.get((first, last))
    if found is not None:
        return found
    where = f"{first}" if first == last else f"{first}–{last}"
    near = next((places.marked[p] for p in (first, last) if p in places.marked), None)
    hint = f", there is {near.where}" if near is not None else ""
    other = rule and rule.split(",", maxsplit=1)[0] != str(places.case.rule).split(",")[0]
    meant = f" ({rule}, says the sheet)" if other else ""
    raise SegmentationError(
        f"document {places.case.document.name!r} has no place {where}{hint}: expected the places "
        f"of the same codings with the same within{meant}; a boundary that nobody marked has "
        f"{ADDED!r} in the column 'by'"
    )


def _choice(text: str, place: Place) -> Choice:
    if text.lower() == DROP:
        return DROP
    positions = [str(alternative.position) for alternative in place.alternatives]
    if text not in positions:
        raise SegmentationError(
            f"decision is {text!r} at place {place.where} of document {place.document!r}: "
            f"expected {', '.join(positions)} or {DROP}"
        )
    return int(text)


def _check_added(
    row: Mapping[str, str], first: int, last: int, places: _KnownPlaces, given: DocumentDecisions
) -> None:
    name, n_units = places.case.document.name, places.case.document.n_units
    if first != last or row["decision"] != str(first):
        raise SegmentationError(
            f"place is {row['place']!r} and decision {row['decision']!r} of a boundary that was "
            "added: expected the same position in both"
        )
    if not 0 < first < n_units:
        raise SegmentationError(
            f"a boundary is added after unit {first} of document {name!r}: expected 1 … "
            f"{n_units - 1}"
        )
    if first in places.marked:
        raise SegmentationError(
            f"a boundary is added after unit {first} of document {name!r}, which belongs to place "
            f"{places.marked[first].where}: expected a decision there"
        )
    if first in given.added:
        raise SegmentationError(
            f"a boundary is added after unit {first} of document {name!r} twice: expected once"
        )


def _refuse_open(
    source: Source,
    cases: Iterable[AdjudicationCase],
    found: Mapping[str, DocumentDecisions],
) -> None:
    waiting = [
        f"{case.document.name} {place.where}"
        for case in cases
        for place in undecided(case, found[case.document.name])
    ]
    if waiting:
        few = ", ".join(waiting[:_SHOWN])
        more = f" and {len(waiting) - _SHOWN} more" if len(waiting) > _SHOWN else ""
        has = "place has" if len(waiting) == 1 else "places have"
        raise source.fail(
            f"{len(waiting)} {has} no decision: {few}{more}; expected a position or {DROP} for each"
        )
