"""Cells as text: the value, what follows it, and what may stand below it."""

from typing import NamedTuple

from segscore.errors import visible
from segscore.tables.view import ShownCell
from segscore.tables.wrapping import RAISED

_SUPERSCRIPTS = dict(zip("0123456789abcdefghijklmnoprstuvwxyz,", RAISED, strict=True))


class Word(NamedTuple):
    """A cell as text: its value, what follows it (error, marks), what stands below, and weight."""

    text: str
    after: str
    below: str
    bold: bool

    @property
    def whole(self) -> str:
        """Value and what follows it."""
        return self.text + self.after


def word_of(cell: ShownCell, below: bool) -> Word:
    """A cell as text, its interval behind the value or below it."""
    after = "*" if cell.best else ""
    if cell.marks or cell.notes:
        after += superscript(",".join(filter(None, (visible(cell.marks), cell.notes))))
    if below and cell.interval:
        return Word(visible(cell.text), cell.error + after, cell.interval.strip(), cell.best)
    return Word(visible(cell.text), cell.extra + after, "", cell.best)


def superscript(text: str) -> str:
    """Raised, as far as Unicode has the letters; else after a ^."""
    if not text:
        return ""
    if all(sign in _SUPERSCRIPTS for sign in text):
        return "".join(_SUPERSCRIPTS[sign] for sign in text)
    return "^" + text
