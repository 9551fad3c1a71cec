"""Tables in Markdown, LaTeX and HTML, with every name escaped."""

from html import escape

from segscore.errors import visible
from segscore.tables.view import ShownCell, View

# Letters of our own labels that plain LaTeX does not know as text.
_LATEX_SYMBOLS = {
    "α": r"$\alpha$", "β": r"$\beta$", "κ": r"$\kappa$", "μ": r"$\mu$", "π": r"$\pi$",
    "σ": r"$\sigma$", "Σ": r"$\Sigma$", "±": r"$\pm$", "−": "$-$", "≤": r"$\leq$", "≥": r"$\geq$",
    "≠": r"$\neq$", "×": r"$\times$", "·": r"$\cdot$", "′": "$'$", "→": r"$\to$", "∞": r"$\infty$",
    "↑": r"$\uparrow$", "↓": r"$\downarrow$", "ε": r"$\varepsilon$",
    "–": r"\textendash{}", "—": r"\textemdash{}", "…": r"\dots{}", "\u00a0": "~",
}  # fmt: skip
_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", "`": r"\textasciigrave{}",
    '"': r"\symbol{34}",  # babel makes " active in some languages
    "[": "{[}", "*": "{*}",  # at the start of a row \\ would take them for its argument
    "-": "-{}",  # no ligature: two hyphens stay two
    **_LATEX_SYMBOLS,
}  # fmt: skip
_MARKDOWN = {
    **{sign: "\\" + sign for sign in "\\`*_[]|~#$"},
    "<": "&lt;", ">": "&gt;", "&": "&amp;",
}  # fmt: skip
_LATEX_ESCAPES = str.maketrans(_LATEX)
_MARKDOWN_ESCAPES = str.maketrans(_MARKDOWN)


def markdown(view: View) -> str:
    """A pipe table (GitHub's Markdown), its columns aligned in the source, too."""

    def show(cell: ShownCell) -> str:
        text = markdown_text(cell.text + cell.extra)
        text = f"**{text}**" if cell.best else text
        above = ",".join(filter(None, (markdown_text(cell.marks), cell.notes)))
        return f"{text}<sup>{above}</sup>" if above else text

    grid = [[show(cell) for cell in row] for row in (view.header, *view.rows)]
    widths = [max(3, *(len(row[i]) for row in grid)) for i in range(len(view.header))]
    lines = [_markdown_line(row, widths, view.numeric) for row in grid]
    rule = [
        "-" * (width - 1) + (":" if right else "-")
        for width, right in zip(widths, view.numeric, strict=True)
    ]
    lines.insert(1, f"| {' | '.join(rule)} |")
    title = [markdown_text(view.title), ""] if view.title else []
    notes = [
        line
        for number, note in view.notes
        for line in ("", (f"<sup>{number}</sup> " if number else "") + markdown_text(note))
    ]
    return "\n".join([*title, *lines, *notes]) + "\n"


def _markdown_line(row: list[str], widths: list[int], numeric: list[bool]) -> str:
    cells = zip(row, widths, numeric, strict=True)
    return f"| {' | '.join(t.rjust(w) if right else t.ljust(w) for t, w, right in cells)} |"


def markdown_text(text: str) -> str:
    return visible(text).translate(_MARKDOWN_ESCAPES)


def latex(view: View) -> str:
    """A booktabs tabular; with a title or notes, inside a table environment."""

    def show(cell: ShownCell) -> str:
        text = latex_text(cell.text + cell.extra)
        text = rf"\textbf{{{text}}}" if cell.best else text
        above = ",".join(filter(None, (latex_text(cell.marks), cell.notes)))
        return rf"{text}\textsuperscript{{{above}}}" if above else text

    def line(row: list[ShownCell]) -> str:
        return " & ".join(map(show, row)) + r" \\"

    align = "".join("r" if right else "l" for right in view.numeric)
    tabular = [
        rf"\begin{{tabular}}{{{align}}}",
        r"\toprule",
        line(view.header),
        r"\midrule",
        *map(line, view.rows),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    notes = [
        r"\par\footnotesize "
        + (rf"\textsuperscript{{{number}}} " if number else "")
        + latex_text(note)
        for number, note in view.notes
    ]
    if view.title or notes:
        caption = [rf"\caption{{{latex_text(view.title)}}}"] if view.title else []
        tabular = [
            r"\begin{table}", r"\centering", *caption, *tabular, *notes, r"\end{table}"
        ]  # fmt: skip
    return "\n".join(["% needs the package booktabs", *tabular]) + "\n"


def latex_text(text: str) -> str:
    """Text with every character escaped that LaTeX would act on."""
    return visible(text).translate(_LATEX_ESCAPES)


def html(view: View) -> str:
    """A table element without any style but alignment."""

    def show(cell: ShownCell, tag: str, right: bool) -> str:
        text = _html(cell.text + cell.extra)
        text = f"<strong>{text}</strong>" if cell.best else text
        above = ",".join(filter(None, (_html(cell.marks), cell.notes)))
        text += f"<sup>{above}</sup>" if above else ""
        style = ' style="text-align:right"' if right else ' style="text-align:left"'
        return f"<{tag}{style}>{text}</{tag}>"

    def line(row: list[ShownCell], tag: str) -> str:
        cells = zip(row, view.numeric, strict=True)
        return f"<tr>{''.join(show(cell, tag, right) for cell, right in cells)}</tr>"

    caption = [f"<caption>{_html(view.title)}</caption>"] if view.title else []
    notes = [
        f'<tr><td colspan="{len(view.header)}" style="text-align:left">'
        + (f"<sup>{number}</sup> " if number else "")
        + f"{_html(note)}</td></tr>"
        for number, note in view.notes
    ]
    return "\n".join(
        [
            '<table class="segscore">',
            *caption,
            f"<thead>{line(view.header, 'th')}</thead>",
            "<tbody>",
            *(line(row, "td") for row in view.rows),
            "</tbody>",
            *(["<tfoot>", *notes, "</tfoot>"] if notes else []),
            "</table>\n",
        ]
    )


def _html(text: str) -> str:
    return escape(visible(text))
