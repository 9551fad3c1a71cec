"""Columns of sheets with a column per coder: what they look like, and how errors describe columns
that belong to no coder.

Nothing is guessed from its looks: if a column looks like document names, texts or unit numbers, the
error names it, with the option that declares it. Errors name the line of a cell that is neither a
mark nor empty, and of a row of totals.

What the columns of sheets look like: document names, unit numbers, texts, or comments.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from segscore.corpus.marked_lists import ASK_FOR_SIDE, UNANSWERABLE, USUAL_WORDS, mark_in, word_of
from segscore.corpus.table_columns import AtPlace, Row, TableCells, TableChoices, is_blank, plain
from segscore.errors import SegmentationError, named

_NOBODY = frozenset((
    "any", "comment", "comments", "note", "notes", "remark", "remarks", "sure", "unsure", "done",
    "checked", "time", "times", "minute", "minutes", "min", "date", "id", "duration", "confidence",
    "kommentar", "kommentare", "notiz", "notizen", "bemerkung", "bemerkungen", "anmerkung",
    "anmerkungen", "sicher", "unsicher", "fertig", "erledigt", "zeit", "uhrzeit", "dauer",
    "minuten", "datum", "geprüft", "commentaire", "commentaires", "remarque", "remarques", "sûr",
    "fini", "fait", "vérifié", "temps", "durée", "heure",
))  # fmt: skip


def is_usually_nobody(name: str) -> bool:
    """Whether a column has a name that is usual for comments, times and the like.

    >>> is_usually_nobody("Sure?"), is_usually_nobody("Minuten"), is_usually_nobody("Anna")
    (True, True, False)
    """
    words = re.findall(r"\w+", name.casefold())
    return bool(words) and all(word in _NOBODY for word in words)


def names_in_runs(values: Sequence[Any]) -> list[str]:
    """The names in a column if they look like document names: each fills several rows, or only the
    first of several rows.

    >>> names_in_runs(["s1", "", "", "s2", ""]), names_in_runs(["a", "b", "c"])
    (['s1', 's2'], [])
    """
    if not values or is_blank(values[0]):
        return []
    runs: list[str] = []
    for value in values:
        text = "" if is_blank(value) else str(plain(value)).strip()
        if text and text != (runs[-1] if runs else ""):
            runs.append(text)
    numbers = all(run.isdecimal() for run in runs)
    marks = any(mark_in(run) is not None for run in runs)
    few = 2 <= len(runs) == len(set(runs)) and 2 * len(runs) <= len(values)
    return runs if few and not numbers and not marks else []


def counted_again(values: Sequence[Any]) -> list[int] | None:
    """The rows at which a column that counts from 0 or 1 starts again; None if it does not count.

    >>> counted_again([1, 2, 3, 1, 2]), counted_again(["1", "2"]), counted_again([1, 1, 2])
    ([3], [], None)
    """
    numbers = [plain(value) for value in values]
    if len(numbers) < 2 or numbers[0] not in (0, 1) or isinstance(numbers[0], str):
        return None
    again: list[int] = []
    for row, (before, number) in enumerate(pairwise(numbers), start=1):
        if not isinstance(number, int) or number not in (before + 1, numbers[0]):
            return None
        if number != before + 1:
            again.append(row)
    return again if 2 * len(again) < len(numbers) - 1 else None


def is_text(values: Sequence[Any]) -> bool:
    """Whether a column looks like the texts of units: nearly all cells differ and have several
    words."""
    texts = [str(value).strip() for value in values if not is_blank(value)]
    words = sum(len(text.split()) for text in texts)
    return bool(texts) and 10 * len(set(texts)) >= 8 * len(values) and words >= 3 * len(texts)


def letters_of(index: int) -> str:
    """The name of a column in spreadsheets.

    >>> letters_of(0), letters_of(25), letters_of(26)
    ('A', 'Z', 'AA')
    """
    letters, rest = "", index + 1
    while rest:
        rest, digit = divmod(rest - 1, 26)
        letters = chr(65 + digit) + letters
    return letters


_ODD_SHARE = 0.1  # of a coder's cells; a column with more of them is something else
_MOST_LISTED = 8


@dataclass(frozen=True)
class MarkedSheet:
    """A sheet: its header, its rows, and what is known about its columns."""

    cells: TableCells
    header: Sequence[str]
    rows: Sequence[Row]
    choices: TableChoices

    def column(self, index: int) -> list[Any]:
        """The cells of a column."""
        return [row[index] for _, row in self.rows]

    def line(self, row: int) -> str:
        """The line of a row, in words: `line 7`."""
        return self.rows[row][0].rpartition(", ")[2]

    # ---- documents ----

    def refuse_lost_documents(self) -> None:
        """Raise if document names would be read as texts, which would join all documents; report
        columns that look like document names and are not read."""
        found = self.cells.found
        if "document" in found:
            return
        text = found.get("text")
        if text is not None and "text" not in self.choices.columns:
            names = names_in_runs(self.column(text))
            if names:
                column = self.header[text].strip()
                raise SegmentationError(
                    f"column {column!r} has a usual name of texts, and holds {len(names)} names "
                    f"that fill several rows, as those of documents do ({named(names)}): expected "
                    f"document={column} in columns if they are documents, or "
                    f"text={column} if they are the texts of one"
                )
        for index, name in enumerate(self.header):
            if index not in found.values() and not self.choices.is_read(name.strip()):
                self._tell_documents(index, name.strip())

    def _tell_documents(self, index: int, column: str) -> None:
        values = self.column(index)
        names, again = names_in_runs(values), counted_again(values)
        sign = ""
        if names:
            sign = f"looks like names of documents ({named(names)})"
        elif again:
            sign = f"begins to count again in {self.line(again[0])}, as units of a new document do"
        if sign:
            option = f"document={column if names else 'NAME'} in columns says so"
            self.choices.notes.said[
                f"column {column!r}, which is not read, {sign}, and everything is read as one "
                f"document: if there are several, {option}"
            ] = None

    # ---- columns of coders ----

    def refuse_others(self, columns: Mapping[int, str]) -> None:
        """Raise if columns hold something other than marks, or marks without an explanation."""
        if self.choices.marks is not None:
            self._refuse_totals(columns)
        wrong: dict[str, str] = {}
        numbered: list[str] = []
        odd: list[tuple[str, int, Any]] = []
        for index, name in columns.items():
            others = [
                (row, value) for row, value in enumerate(self.column(index)) if _is_other(value)
            ]
            if not others:
                continue
            if self._are_odd(index, name, len(others)):
                odd += [(name, row, value) for row, value in others]
            elif all(
                isinstance(plain(value), int) for value in self.column(index) if not is_blank(value)
            ):
                numbered.append(name)
            else:
                row, value = others[0]
                wrong[name] = f"{name!r} ({_quoted(value)}, {self.line(row)})"
        if self.choices.marks is None:
            fine = {
                at: column for at, column in columns.items() if column not in (*wrong, *numbered)
            }
            more = [message for message in (self._of_cells(odd), self._of_nobody(wrong)) if message]
            self._ask_for_side(fine, "".join(f"; {message}" for message in more))
        elif odd:
            with AtPlace(self.rows[odd[0][1]][0]):
                raise SegmentationError(self._of_cells(odd))
        elif numbered:
            self._refuse_numbers(wrong, numbered)
        elif wrong:
            raise SegmentationError(self._of_nobody(wrong))

    def _of_cells(self, odd: Sequence[tuple[str, int, Any]]) -> str:
        """The message about single cells."""
        if not odd:
            return ""
        cells = [
            f"column {name!r}, {self.line(row)}, is {_quoted(value)}"
            for name, row, value in odd[:_MOST_LISTED]
        ]
        more = f" and {len(odd) - _MOST_LISTED} more" if len(odd) > _MOST_LISTED else ""
        return (
            f"{'; '.join(cells)}{more}: neither {USUAL_WORDS}: expected one of them: edit the "
            f"cell{'s' if len(odd) > 1 else ''}"
        )

    def _are_odd(self, index: int, name: str, n_others: int) -> bool:
        """Whether a column belongs to a coder, except for a few cells."""
        filled = [value for value in self.column(index) if not is_blank(value)]
        marks = [mark_in(value) for value in filled]
        if True not in marks or is_usually_nobody(name):
            return False
        if _are_whole(filled):  # perhaps numbers of segments
            back = any(a and b is False for a, b in pairwise(marks))
            if not back:
                return False
        return n_others <= max(1, _ODD_SHARE * len(filled))

    def _refuse_totals(self, columns: Mapping[int, str]) -> None:
        """Raise if the last row holds the totals of the marks above."""
        place, last = self.rows[-1]
        totals: dict[str, int] = {}
        for index, name in columns.items():
            if is_blank(last[index]):
                continue
            marks = [mark_in(value) for value in self.column(index)[:-1]]
            if None in marks or False not in marks or plain(last[index]) != marks.count(True):
                return
            totals[name] = marks.count(True)
        if max(totals.values(), default=0) > 1:
            first_totals = list(totals.items())[:_MOST_LISTED]
            listed = ", ".join(f"{name!r} {value}" for name, value in first_totals)
            with AtPlace(place):
                raise SegmentationError(
                    f"this looks like a row of totals ({listed}): expected a row per unit; delete "
                    "this row"
                )

    def _guessed(self, names: Sequence[str]) -> dict[str, str]:
        """The columns that look like parts that no known column holds: {name: part}."""
        parts: dict[str, str] = {}
        for name in names:
            values = self.column([column.strip() for column in self.header].index(name))
            part = ""
            if names_in_runs(values):
                part = "document"
            elif counted_again(values) is not None:
                part = "unit"
            elif is_text(values):
                part = "text"
            if part and part not in self.cells.found and part not in parts.values():
                parts[name] = part
        return parts

    def _refuse_numbers(self, wrong: Mapping[str, str], numbered: Sequence[str]) -> None:
        guessed = self._guessed([*numbered, *wrong])
        segments = [name for name in numbered if name not in guessed]
        if not segments:
            counting = {name: f"{name!r} (numbers)" for name in numbered}
            raise SegmentationError(self._of_nobody({**counting, **wrong}))
        left = [name for name in (*numbered, *wrong) if name not in guessed]
        many = len(segments) > 1
        mapped = _mapping(guessed)
        raise SegmentationError(
            f"column{f's {named(segments)} hold' if many else f' {segments[0]!r} holds'} numbers "
            "other than 1, as segments do: expected marks='ids' if they are the "
            f"segment of each unit, or ignore_columns={','.join(left)} if they "
            f"belong to no coder{self._about_documents(guessed)}"
            + (f"; {mapped} in columns says what else columns hold" if mapped else "")
        )

    def _about_documents(self, guessed: Mapping[str, str]) -> str:
        """A hint about document names, if no column is known to hold them."""
        if "document" in self.cells.found or "document" in guessed.values():
            return ""
        return "; if a column names documents, document=NAME in columns says so"

    def _of_nobody(self, wrong: Mapping[str, str]) -> str:
        """The message about columns that may belong to no coder."""
        if not wrong:
            return ""
        guessed = self._guessed(list(wrong))
        left = [name for name in wrong if name not in guessed]
        mapped = _mapping(guessed)
        lacking = "document" not in self.cells.found and "document" not in guessed.values()
        if not mapped or lacking:
            mapped = ",".join(filter(None, ("document=NAME", mapped or "text=NAME")))
        ignored = ",".join(left)
        return (
            f"column{'s' if len(wrong) > 1 else ''} {', '.join(wrong.values())}: neither "
            f"{USUAL_WORDS}: expected marks; {mapped} in columns says what else a column holds, "
            f"ignore_columns={ignored} leaves out those of no coder, only_coders= names the coders"
        )

    def _ask_for_side(self, columns: Mapping[int, str], more: str) -> None:
        """Raise if there are marks and `marks` is missing; columns of 0 and 1 throughout are
        checked later."""
        values = [value for index in columns for value in self.column(index)]
        words = [value for value in values if word_of(value) not in ("", "0", "1", UNANSWERABLE)]
        if not words and not any(map(is_blank, values)):
            return
        mark = next((value for value in values if mark_in(value)), words[0] if words else None)
        if mark is not None:
            raise SegmentationError(
                f"{str(plain(mark))!r} is a mark in {named(columns.values())}: {ASK_FOR_SIDE}{more}"
            )

    # ---- numbers of segments ----

    def refuse_marks_among_ids(self, columns: Mapping[int, str], starts: Sequence[int]) -> None:
        """Raise if columns of 0 and 1 are beside columns of segments: read as segments, each mark
        would be two boundaries. starts: the rows at which documents begin."""
        marked = [name for index, name in columns.items() if self._is_marked(index, starts)]
        if not marked:
            return
        others = [name for name in columns.values() if name not in marked]
        if others:
            raise SegmentationError(
                f"column{'s' if len(marked) > 1 else ''} {named(marked)}: marks alone, such as 0 "
                "and 1, which marks='ids' would read as segments, two boundaries for "
                f"a mark; {named(others)}: segments: expected one kind; read each kind on its own "
                f"(only_coders={','.join(others)} with marks='ids', without_coders="
                f"{','.join(others)} with marks='start' or 'end') and give both results together"
            )
        self.choices.notes.said[
            "each column holds 0 and 1 alone, read as segments (marks ids), with a boundary "
            "wherever they change; if 1 marks a boundary, marks='start' or 'end'"
        ] = None

    def _is_marked(self, index: int, starts: Sequence[int]) -> bool:
        """Whether a column holds only marks, and in some document a unit without a mark follows a
        mark."""
        marks = [mark_in(value) for value in self.column(index)]
        if None in marks:
            return False
        begins = set(starts)
        return any(
            before and not mark and row not in begins
            for row, (before, mark) in enumerate(pairwise(marks), start=1)
        )


def _is_other(value: Any) -> bool:
    return mark_in(value) is None and word_of(value) != UNANSWERABLE


def _quoted(value: Any) -> str:
    return repr(str(plain(value)).strip()[:40])


def _mapping(guessed: Mapping[str, str]) -> str:
    return ",".join(sorted(f"{part}={name}" for name, part in guessed.items()))


def _are_whole(values: Sequence[Any]) -> bool:
    return all(isinstance(plain(value), int) for value in values if not is_blank(value))
