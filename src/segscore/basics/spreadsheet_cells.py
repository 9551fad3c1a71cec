"""Texts in CSV that a spreadsheet would take for formulas.

A cell that begins with =, +, - or @ (or with a tab or a carriage return, which are skipped) is run
when a spreadsheet opens the file. An apostrophe before it makes it a text. Numbers are left
unchanged. Reading removes the apostrophe again.
"""

import re

_FORMULA = re.compile(r"'*[=+\-@\t\r]")  # an apostrophe of the text itself is doubled
_ESCAPED = re.compile(r"'+[=+\-@\t\r]")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")


def cell_of_text(text: str) -> str:
    """A text as written in CSV.

    >>> cell_of_text("=1+1"), cell_of_text("'=1+1"), cell_of_text("-0.5"), cell_of_text("c99")
    ("'=1+1", "''=1+1", '-0.5', 'c99')
    """
    formula = _FORMULA.match(text) and not _NUMBER.fullmatch(text)
    return f"'{text}" if formula else text


def text_of_cell(cell: str) -> str:
    """The text that `cell_of_text` wrote.

    >>> text_of_cell("'=1+1"), text_of_cell("''=1+1"), text_of_cell("'tis")
    ('=1+1', "'=1+1", "'tis")
    """
    return cell[1:] if _ESCAPED.match(cell) else cell
