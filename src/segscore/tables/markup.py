r"""Tables in Markdown, LaTeX and HTML, with every name escaped.

Drawings (maps, trees) keep their blanks: a code span with hard blanks in Markdown, `\\texttt` in
LaTeX, `white-space: pre` or markup of their own in HTML.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from html import escape

from segscore.errors import visible
from segscore.tables.view import ShownCell, View

_MARKDOWN = {sign: "\\" + sign for sign in "\\`*_[]|~#$"}
_MARKDOWN_ESCAPES = str.maketrans(_MARKDOWN | {"<": "&lt;", ">": "&gt;", "&": "&amp;"})
_HYPHEN = re.compile(r"(?<![\w.-])-(?=\.?\d)")


def with_minus(text: str) -> str:
    """Numbers with a minus sign instead of a hyphen, as in print; text for terminals and Markdown
    keeps the hyphen, so that numbers can be copied.

    >>> with_minus("-0.012 [-0.030, 0.006]")
    '−0.012 [−0.030, 0.006]'
    """
    return _HYPHEN.sub("−", text)


def markdown(view: View) -> str:
    """A pipe table (GitHub's Markdown), its columns aligned in the source, too."""
    grid = [[_markdown_cell(cell) for cell in row] for row in (view.header, *view.rows)]
    widths = [max(3, *(len(row[i]) for row in grid)) for i in range(len(view.header))]
    lines = []
    for row in grid:
        aligned = zip(row, widths, view.numeric, strict=True)
        cells = (t.rjust(n) if right else t.ljust(n) for t, n, right in aligned)
        lines.append(f"| {' | '.join(cells)} |")
    rule = [f"{'-' * (n - 1)}{'-:'[right]}" for n, right in zip(widths, view.numeric, strict=True)]
    lines.insert(1, f"| {' | '.join(rule)} |")
    title = [markdown_text(view.title), ""] if view.title else []
    for sentence in view.lead:
        title += [markdown_text(sentence), ""]
    for number, note in (*view.notes, *(("", warning) for warning in view.warnings)):
        lines += ["", (f"<sup>{number}</sup> " if number else "") + markdown_text(note)]
    return "\n".join([*title, *lines]) + "\n"


def _marked(
    text: str, cell: ShownCell, escaped: Callable[[str], str], bold: tuple[str, str], raised: str
) -> str:
    """A cell in a markup: the best in bold, letters and numbers of notes raised."""
    above = ",".join(filter(None, (escaped(cell.marks), cell.notes)))
    return (text.join(bold) if cell.best else text) + (raised.format(above) if above else "")


def _markdown_cell(cell: ShownCell) -> str:
    text = markdown_text(cell.text + cell.error + cell.interval)
    if cell.drawing:  # hard blanks, because spaces in tables are trimmed and collapse
        code = visible(cell.text).replace(" ", "\u00a0")
        text = f"`{code.replace('|', chr(92) + '|').replace('`', chr(39))}`" if code else ""
    return _marked(text, cell, markdown_text, ("**", "**"), "<sup>{}</sup>")


def markdown_text(text: str) -> str:
    return visible(text).translate(_MARKDOWN_ESCAPES)


def latex(view: View) -> str:
    """A booktabs tabular; with a title, a label or notes, inside a table environment.

    What follows a value, its error and its interval, stands below it in small print, so that a row
    per system fits one column of a paper with two.
    """

    def line(cells: list[str]) -> str:
        return " & ".join(cells).rstrip() + r" \\"

    rows: list[str] = []
    for row in view.rows:
        rows.append(line(list(map(_latex_cell, row, view.numeric))))
        extras = [cell.error for cell in row], [cell.interval for cell in row]
        small = [line(list(map(_latex_small, texts))) for texts in extras if any(texts)]
        rows += [*small, *([r"\addlinespace"] if small else [])]
    if rows and rows[-1] == r"\addlinespace":
        del rows[-1]
    align = "".join("r" if right else "l" for right in view.numeric)
    tabular = [
        rf"\begin{{tabular}}{{@{{}}{align}@{{}}}}",
        r"\toprule",
        line(list(map(_latex_cell, view.header, view.numeric))),
        r"\midrule",
        *rows,
        r"\bottomrule",
        r"\end{tabular}",
    ]
    notes = _latex_notes(view)
    if view.title or notes or view.label:
        caption = [rf"\caption{{{latex_text(view.title)}}}"] if view.title else []
        label = [rf"\label{{{view.label}}}"] if view.label else []
        narrow = r"\setlength{\tabcolsep}{3pt}" if len(view.header) > 3 else ""  # for one column
        above = [r"\begin{table}", rf"\centering\small{narrow}", *caption, *label]
        tabular = [*above, *tabular, *notes, r"\end{table}"]
    lead, warnings = (
        [f"% {visible(sentence)}" for sentence in sentences]
        for sentences in (view.lead, view.warnings)
    )
    return "\n".join(["% needs the package booktabs", *lead, *tabular, *warnings]) + "\n"


def _latex_cell(cell: ShownCell, number: bool = False) -> str:
    shown = with_minus(cell.text) if number else cell.text
    code = cell.latex() if callable(cell.latex) else cell.latex
    text = latex_text(shown) if code is None else code
    if cell.drawing:
        text = rf"\texttt{{{latex_text(cell.text.replace(' ', chr(0xA0)))}}}"
    return _marked(text, cell, latex_text, (r"\textbf{", "}"), r"\textsuperscript{{{}}}")


def _latex_small(text: str) -> str:
    """An error or an interval in small print, "" if there is none."""
    return rf"{{\scriptsize {latex_text(with_minus(text).strip())}}}" if text else ""


def _latex_notes(view: View) -> list[str]:
    """The notes in a block as wide as the text; signatures may break behind each field."""
    if not view.notes:
        return []
    listed = [
        (rf"\textsuperscript{{{number}}} " if number else "")
        + latex_text(note).replace(r"\textbar{}", r"\textbar\allowbreak{}")
        for number, note in view.notes
    ]
    block = r"\begin{minipage}{\linewidth}\footnotesize\raggedright"
    return [r"\par\smallskip", block, *(f"{note}\\par" for note in listed), r"\end{minipage}"]


@cache
def _latex_escapes() -> dict[int, str]:
    """What LaTeX gets for each character of the data file; comments begin with //."""
    from importlib import resources

    text = resources.files(__package__).joinpath("latex_escapes.txt").read_text("utf-8")
    lines = [line.split(" ", 1) for line in text.split("\n") if line and line[:2] != "//"]
    return {ord(sign): code for signs, code in lines for sign in signs}


def latex_text(text: str) -> str:
    """Text with every character escaped that LaTeX would act on."""
    return visible(text).translate(_latex_escapes())


_RIGHT, _LEFT = ' style="text-align:right"', ' style="text-align:left"'


def html(view: View) -> str:
    """A table element without any style but alignment."""

    def show(cell: ShownCell, tag: str, right: bool) -> str:
        shown = with_minus(cell.text) if right else cell.text
        text = _html(shown + with_minus(cell.error + cell.interval))
        if cell.drawing:  # as markup, or its characters with every blank kept
            code = f'<code style="white-space:pre">{_html(cell.text)}</code>'
            code = cell.drawing() if callable(cell.drawing) else code
            return f"<{tag}{_LEFT}>{code}</{tag}>"
        text = _marked(text, cell, _html, ("<strong>", "</strong>"), "<sup>{}</sup>")
        return f"<{tag}{_RIGHT if right else _LEFT}>{text}</{tag}>"

    def line(row: list[ShownCell], tag: str) -> str:
        cells = zip(row, view.numeric, strict=True)
        return f"<tr>{''.join(show(cell, tag, right) for cell, right in cells)}</tr>"

    caption = [f"<caption>{_html(view.title)}</caption>"] if view.title else []
    notes = [
        f'<tr><td colspan="{len(view.header)}" style="text-align:left">'
        + (f"<sup>{number}</sup> " if number else "")
        + f"{_html(note)}</td></tr>"
        for number, note in (*view.notes, *(("", warning) for warning in view.warnings))
    ]
    label = f' id="{_html(view.label)}"' if view.label else ""
    return "\n".join(
        [
            *(f"<p>{_html(sentence)}</p>" for sentence in view.lead),
            f'<table class="segscore"{label}>',
            *caption,
            f"<thead>{line(view.header, 'th')}</thead>",
            "<tbody>",
            *(line(row, "td") for row in view.rows),
            "</tbody>",
            *(["<tfoot>", *notes, "</tfoot>"] if notes else []),
            "</table>\n",
        ]
    )


def html_page(tables: list[str], title: str) -> str:
    """A whole document with charset, title and style around tables in HTML."""
    from importlib import resources

    page = resources.files(__package__).joinpath("page.html").read_text("utf-8")
    return page.format(title=_html(title), body="\n".join(tables).rstrip("\n"))


def _html(text: str) -> str:
    return escape(visible(text))


# ---- boundaries as strips: a mark at each boundary, one strip above the other ----

# All strips are as wide as their column, whatever the number of units, so that marks at the same
# position are aligned; in a document of more units neighbours share a mark.
COLUMNS = 400
MOST_STRIPS = 30  # of a sheet


# A boundary: where, what its title says, how tall it is (0 … 1), and its colour. One row of a
# sheet: the cells before the strip (name, number …), and its boundaries.
StripMark = tuple[int, str, float, str]
Strip = tuple[Sequence[str], Iterable[StripMark]]


def sheet(heading: str, header: Sequence[str], strips: Sequence[Strip], n_units: int) -> str:
    """A heading, and a table with a strip in each row; many rows are folded to the first ones."""
    lines = [f'<div class="segscore"><p>{_html(heading)}</p>']
    if strips:
        lines.append('<table class="segscore" style="width:100%">')
        if any(header):
            names = "".join(f'<th style="text-align:left">{_html(name)}</th>' for name in header)
            lines.append(f"<thead><tr>{names}<th></th></tr></thead>")
        lines.append("<tbody>")
        for before, marks in strips[:MOST_STRIPS]:
            style, drawn = "text-align:left;white-space:nowrap", drawn_strip(marks, n_units)
            cells = "".join(f'<td style="{style}">{_html(cell)}</td>' for cell in before)
            lines.append(f'<tr>{cells}<td style="width:100%;min-width:20em">{drawn}</td></tr>')
        lines.append("</tbody></table>")
    if len(strips) > MOST_STRIPS:
        lines.append(f"<p>… {len(strips) - MOST_STRIPS} more</p>")
    return "\n".join([*lines, "</div>\n"])


def drawn_strip(marks: Iterable[StripMark], n_units: int) -> str:
    """One strip: a bar with an element at each boundary.

    >>> drawn = drawn_strip([(2, "a", 1.0, "red"), (5, "<b>", 0.5, "blue")], 10)
    >>> drawn.count("<i "), 'left:50.00%' in drawn, "&lt;b&gt;" in drawn
    (2, True, True)
    """
    shared: dict[int, list[StripMark]] = {}
    for mark in marks:
        column = mark[0] * COLUMNS // n_units if n_units > COLUMNS else mark[0]
        shared.setdefault(column, []).append(mark)
    bar = "position:relative;height:1.2em;background:rgba(128,128,128,.15)"
    return f'<div style="{bar}">{"".join(_mark(ones, n_units) for ones in shared.values())}</div>'


def _mark(marks: list[StripMark], n_units: int) -> str:
    """The mark of a boundary, or of neighbours that share a column; the tallest boundary gives the
    title."""
    position, title, height, colour = max(marks, key=lambda mark: mark[2])
    if len(marks) > 1:
        title = f"{len(marks)} boundaries, {marks[0][0]} … {marks[-1][0]}"
    style = (
        f"position:absolute;bottom:0;left:{100 * position / n_units:.2f}%;"
        f"height:{100 * height:.0f}%;width:2px;margin-left:-1px;background:{colour}"
    )
    return f'<i title="{_html(title)}" style="{style}"></i>'
