"""What the columns of sheets look like: document names, unit numbers, texts, or comments."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from segscore.corpus.marked_lists import mark_in
from segscore.corpus.table_columns import is_blank, plain

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
