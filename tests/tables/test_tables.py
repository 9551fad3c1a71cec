"""Tables: every format, hostile names, any width, NaN, ties, round trips."""

import csv
import io
import json
import math
import re
import unicodedata
from collections import Counter
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

import segscore as ss
from segscore.tables import FORMATS, Cell, Column, Table
from segscore.tables.markup import visible
from segscore.tables.table import text_of_cell

NAN = float("nan")
HOSTILE = [
    r"\input{/etc/passwd}",
    "a & b \\\\ \\hline",
    "100% of $5 #1 x_1^2 ~ {y}",
    "<script>alert('x')</script>",
    '"><img src=x onerror="y">',
    "a|b||c",
    "**bold** _it_ `code` [link](http://x) ![i](j)",
    "line\nbreak\r\nand\ttab",
    "\x1b[31mred\x1b[0m\x07",
    "\u202eright to left",
    "[1em] * row",
    "=1+1",
    "日本語 und ümlaut",
    "half \ud800 pair",
    "",
    " ",
    "--- -- -",
]
texts = st.one_of(st.sampled_from(HOSTILE), st.text(max_size=30))
numbers = st.one_of(st.floats(), st.integers(-(10**6), 10**6), st.none())


def named(*names: str) -> Table:
    return Table([Column("name"), Column("n")], [[name, i] for i, name in enumerate(names)])


# ---- which value is best ----


def bold(table: Table) -> list[str]:
    """What is marked in Markdown, the format where marks are easiest to see."""
    return re.findall(r"\*\*(.*?)\*\*", table.render("markdown"))


@pytest.mark.parametrize(
    ("better", "values", "expected"),
    [
        ("lower", [0.3, 0.1, 0.2], ["0.1000"]),
        ("higher", [0.3, 0.1, 0.2], ["0.3000"]),
        (None, [0.3, 0.1, 0.2], []),
        ("lower", [0.1, 0.1, 0.2], ["0.1000", "0.1000"]),
        ("lower", [0.10001, 0.10002, 0.2], ["0.1000", "0.1000"]),  # they print alike
        ("higher", [NAN, 0.1, 0.2], ["0.2000"]),
        ("lower", [NAN, 0.1, 0.2], ["0.1000"]),
        ("lower", [NAN, NAN], []),
        ("lower", [NAN, 0.1], []),  # nothing to compare with
        ("lower", [0.1], []),
        ("lower", [None, 0.2, 0.1], ["0.1000"]),
        ("lower", ["text", 0.2, 0.1], ["0.1000"]),
        ("lower", [-0.0, 0.0], ["0.0000", "0.0000"]),
        ("higher", [-math.inf, 1.0, math.inf], ["inf"]),
        ("lower", [], []),
    ],
)
def test_best_is_marked_in_the_direction_of_the_column(
    better: str, values: list[object], expected: list[str]
) -> None:
    table = Table([Column("x", better=better)], [[value] for value in values])  # type: ignore[arg-type]
    assert bold(table) == expected


def test_only_what_is_best_exactly_is_marked_where_a_column_wants_it() -> None:
    column = Column("x", better="lower", exactly=True)
    assert bold(Table([column], [[0.10001], [0.10002], [0.2]])) == ["0.1000"]
    assert bold(Table([column], [[0.1], [0.1], [math.nan]])) == ["0.1000", "0.1000"]


def test_what_is_not_ranked_is_never_best() -> None:
    rows: list[list[Any]] = [[Cell(0.0, ranked=False)], [0.3], [Cell(0.2)]]
    assert bold(Table([Column("x", better="lower")], rows)) == ["0.2000"]
    assert bold(Table([Column("x", better="lower")], rows[:2])) == []  # nothing to compare with


# ---- cells ----


def test_errors_intervals_letters_and_notes_for_people() -> None:
    cell = Cell(0.12345, error=0.01, low=0.1, high=0.15, marks="ab", note="why")
    table = Table([Column("x", digits=2)], [[cell]])
    assert "0.12 ± 0.01 [0.10, 0.15]ᵃᵇ˒¹" in table.render("text")
    assert r"0.12 ± 0.01 \[0.10, 0.15\]<sup>ab,1</sup>" in table.render("markdown")
    latex = table.render("latex")
    assert r"0.12\textsuperscript{ab,1}" in latex
    assert "\n{\\scriptsize {[}0.10, 0.15]} \\\\\n" in latex  # small, in a line of its own
    assert "0.12 ± 0.01 [0.10, 0.15]<sup>ab,1</sup>" in table.render("html")


def test_machines_get_each_number_in_full_in_a_field_of_its_own() -> None:
    third = 1 / 3
    table = Table(
        [Column("wd", key="windowdiff", error="sd", digits=2)],
        [[Cell(third, error=third / 10, low=0.1, high=0.2)], [Cell(NAN, error=NAN)], [0.5]],
    )
    fields = "windowdiff", "windowdiff_sd", "windowdiff_low", "windowdiff_high"
    rows: list[tuple[float | None, ...]] = [(third, third / 10, 0.1, 0.2), (None,) * 4]
    expected = [dict(zip(fields, row, strict=True)) for row in (*rows, (0.5, None, None, None))]
    assert table.records() == expected
    assert json.loads(table.render("json")) == expected
    lines = list(csv.reader(io.StringIO(table.render("csv"))))
    assert lines == [[*fields], [*map(repr, rows[0])], [""] * 4, ["0.5", "", "", ""]]


def test_equal_notes_share_a_number_and_free_footnotes_follow() -> None:
    table = Table(
        [Column("a", note="first"), Column("b", note="second"), Column("c", note="first")],
        [[1, 2, Cell(3, note="second")]],
        footnotes=["free"],
    )
    lines = table.render("text").splitlines()
    assert lines[0].split() == ["a¹", "b²", "c¹"]
    assert lines[-3:] == ["¹ first", "² second", "free"]
    assert "3<sup>2</sup>" in table.render("html")


def test_columns_for_one_audience() -> None:
    table = Table(
        [Column("all"), Column("m", audience="machines"), Column("p", audience="people")],
        [[1, 2, 3]],
    )
    assert table.records() == [{"all": 1, "m": 2}]
    assert table.render("text").splitlines()[0].split() == ["all", "p"]


def test_numbers_of_every_kind() -> None:
    column = Column("x")
    assert column.number(3) == "3"
    assert column.number(np.int64(3)) == "3"
    assert column.number(np.float32(0.5)) == "0.5000"
    assert column.number(True) == column.number(np.bool_(True)) == "yes"
    assert column.number(None) == ""
    assert column.number(NAN) == "–"
    assert column.number(-1e-9) == "0.0000"
    assert Column("x", digits=1).number(3) == "3.0"
    assert Column("x", form=lambda v: f"{v:.0%}").number(0.25) == "25%"
    values: list[list[Any]] = [[np.float64(0.1)], [np.int32(7)], [math.inf], [True]]
    made = json.loads(Table([column], values).render("json"))
    assert [row["x"] for row in made] == [0.1, 7, None, True]


# ---- what is refused ----


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Table([Column("a"), Column("a")], []).to_csv(), "two columns.*'a'"),
        (
            lambda: Table([Column("a"), Column("a_low")], [[Cell(1, low=0), 1]]).records(),
            "two columns.*'a_low'",
        ),
        (lambda: Table([Column("a")], [[1], [1, 2]]), "row 1.*table.*1 values"),
        (
            lambda: Table([Column("a")], []).render("pdf"),  # type: ignore[arg-type]
            "format is 'pdf'",
        ),
    ],
)
def test_refused(make: object, message: str) -> None:
    with pytest.raises(ss.SegmentationError, match=message):
        make()  # type: ignore[operator]


# ---- round trips ----


@given(st.lists(st.tuples(texts, numbers), max_size=5))
@settings(max_examples=2 * settings.default.max_examples)
def test_csv_and_json_give_back_what_went_in(rows: list[tuple[str, object]]) -> None:
    table = Table([Column("name"), Column('x, "y"')], rows)
    expected = [None if isinstance(x, float) and not math.isfinite(x) else x for _, x in rows]
    read = json.loads(table.render("json"))
    assert [row["name"] for row in read] == [name for name, _ in rows]
    assert [row['x, "y"'] for row in read] == expected
    table.render("json").encode()  # can always be written to a file
    header, *lines = csv.reader(io.StringIO(table.render("csv"), newline=""))
    assert header == ["name", 'x, "y"']
    assert [text_of_cell(name) for name, _ in lines] == [name for name, _ in rows]
    assert [None if x == "" else float(x) for _, x in lines] == expected


def test_an_empty_table_has_every_format() -> None:
    table = Table([Column("a"), Column("b", better="lower")], [])
    for form in FORMATS:
        assert table.render(form)
    assert json.loads(table.render("json")) == []
    assert table.render("csv") == "a,b\n"


# ---- hostile names ----


class Reader(HTMLParser):
    """Collects tags and the text of each cell."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, tuple[str, ...]]] = []
        self.cells: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, tuple(name for name, _ in attrs)))
        if tag in ("td", "th", "caption"):
            self.cells.append("")

    def handle_data(self, data: str) -> None:
        if self.cells:
            self.cells[-1] += data.strip("\n")


@given(texts, texts, texts)
@settings(max_examples=2 * settings.default.max_examples)
def test_html_shows_names_as_they_are_and_nothing_else(name: str, head: str, note: str) -> None:
    table = Table([Column(head, key="k")], [[name]], footnotes=[note], title="t" + name)
    reader = Reader()
    reader.feed(table.render("html"))
    assert reader.cells == [visible(text) for text in ("t" + name, head, name, note)]
    assert {tag for tag, _ in reader.tags} == {
        "table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td",
    }  # fmt: skip
    assert {attribute for _, names in reader.tags for attribute in names} == {
        "class", "style", "colspan",
    }  # fmt: skip


LATEX_MEANS = {
    r"\textbackslash{}": "\\", r"\textasciitilde{}": "~", r"\textasciicircum{}": "^",
    r"\textless{}": "<", r"\textgreater{}": ">", r"\textbar{}": "|", r"\textasciigrave{}": "`",
    r"\symbol{34}": '"', r"\dots{}": "…", r"\&": "&", r"\%": "%", r"\$": "$", r"\#": "#",
    r"\_": "_", r"\{": "{", r"\}": "}", "{[}": "[", "{*}": "*", "-{}": "-",
    r"\textendash{}": "–", r"\textemdash{}": "—",
    r"$\alpha$": "α", r"$\beta$": "β", r"$\kappa$": "κ", r"$\mu$": "μ", r"$\pi$": "π",
    r"$\sigma$": "σ", r"$\Sigma$": "Σ", r"$\pm$": "±", "$-$": "−", r"$\leq$": "≤",
    r"$\geq$": "≥", r"$\neq$": "≠", r"$\times$": "×", r"$\cdot$": "·", "$'$": "′",
    r"$\to$": "→", r"$\infty$": "∞", "~": "\u00a0",
}  # fmt: skip
LATEX_TOKEN = re.compile("|".join(map(re.escape, sorted(LATEX_MEANS, key=len, reverse=True))))


def read_latex(text: str) -> str:
    """What LaTeX would set, by a table written apart from the one that escapes."""
    rest = LATEX_TOKEN.sub("", text)
    assert not set(rest) & set('\\&%$#_{}~^<>|`"[*-'), f"not escaped: {rest!r}"
    return LATEX_TOKEN.sub(lambda found: LATEX_MEANS[found[0]], text)


@given(st.one_of(texts, st.text("\\&%$#_{}~^<>|`\"[*]-–—… ±πx'", max_size=20)))
@settings(max_examples=2 * settings.default.max_examples)
def test_latex_sets_names_as_they_are(name: str) -> None:
    lines = named(name).render("latex").splitlines()
    assert lines[:3] == ["% needs the package booktabs", r"\begin{tabular}{@{}lr@{}}", r"\toprule"]
    assert lines[4] == r"\midrule"
    assert lines[-2:] == [r"\bottomrule", r"\end{tabular}"]
    assert len(lines) == 8  # no name breaks a line
    assert lines[5].endswith(r" & 0 \\")
    assert read_latex(lines[5].removesuffix(r" & 0 \\")) == visible(name)


def test_markdown_columns_are_three_wide_at_least() -> None:
    text = Table([Column("n"), Column("name")], [[1, "abcd"]]).render("markdown")
    assert text.splitlines() == ["|   n | name |", "| --: | ---- |", "|   1 | abcd |"]


@given(texts)
@settings(max_examples=2 * settings.default.max_examples)
def test_markdown_keeps_its_columns(name: str) -> None:
    _, _, line = Table([Column("name"), Column("n")], [[name, 0]]).render("markdown").splitlines()
    cells = re.split(r"(?<!\\)(?:\\\\)*\|", line)  # at each | that is not escaped
    assert len(cells) == 4
    shown = line[2 : line.rindex("|", 0, len(line) - 2)].strip()
    assert "<" not in shown
    plain = re.sub(r"\\([\\`*_\[\]|~#$])", r"\1", shown)
    for entity, sign in (("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")):
        plain = plain.replace(entity, sign)
    assert plain == visible(name).strip()


@given(st.lists(texts, min_size=1, max_size=4))
@settings(max_examples=2 * settings.default.max_examples)
def test_text_has_no_control_characters(names: list[str]) -> None:
    for width in (None, 30):
        text = named(*names).render("text", width=width)
        kinds = {unicodedata.category(sign) for sign in text if sign not in "\n\u200d"}
        assert not kinds & {"Cc", "Cf", "Cs", "Zl", "Zp"}
        text.encode()


# ---- widths ----

WIDE = Table(
    [
        Column("system"),
        Column("WindowDiff", better="lower", digits=3, note="windowdiff|k:auto|edges:drop"),
        Column("boundary similarity", better="higher"),
        Column("documents"),
    ],
    [
        [
            "C99 with a long name",
            Cell(0.123, error=0.01, marks="b"),
            Cell(0.5, low=0.4, high=0.6),
            3,
        ],
        ["none", 0.438, NAN, 40],
        ["averylongnamewithoutanyspaceinit", 0.2, 0.5, 500],
        ["日本語の名前", 0.3, 0.1, 1],
    ],
    footnotes=["over the documents of the test set"],
    title="How the systems do on the test set",
)


def ink(text: str) -> Counter[str]:
    """The characters that are data: no spaces, no rules."""
    return Counter(text.replace("─", "").replace(" ", "").replace("\n", ""))


@pytest.mark.parametrize("width", range(1, 120))
def test_any_width_is_kept_and_nothing_is_lost(width: int) -> None:
    text = WIDE.render("text", width=width)
    assert max(map(cell_len, text.splitlines())) <= max(width, 2)  # a wide letter takes two
    bare = re.sub(r"\s|─", "", text)
    for note in ("over the documents of the test set", "windowdiff|k:auto|edges:drop"):
        assert note.replace(" ", "") in bare
    if "system:C99" in bare:  # a list: everything in full
        for row in WIDE.view.rows:
            for cell in row:
                assert (cell.text + cell.error + cell.interval).replace(" ", "") in bare
        assert width < 32  # only where not even two columns fit
        return
    for number in ("0.123 ± 0.010*ᵇ", "0.438", "500"):
        assert number in text  # numbers are never broken
    assert ("0.5000 [0.4000, 0.6000]*" in text) == (width >= 66)
    assert ("[0.400, 0.600]" in text) == (width < 66)
    if width >= 66:
        assert ink(text) == ink(WIDE.render("text"))


def test_what_is_given_up_first() -> None:
    """Decimals, columns that say least, intervals in the line, one block of columns."""
    table = Table(
        [
            Column("system"),
            Column("pk"),
            Column("rank", drop_order=1),
            Column("wins", drop_order=2),
        ],
        [["a system with a long name", Cell(0.12345, low=0.1, high=0.15), 1, 10], ["b", 0.5, 2, 1]],
    )

    def kept(width: int) -> list[bool]:
        text = table.render("text", width=width)
        head = text.splitlines()[0]
        return [
            "0.1235" in text, "rank" in head, "wins" in head, ", 0.15" in text.splitlines()[2],
        ]  # fmt: skip

    states = [kept(width) for width in range(80, 27, -1)]
    for state in states:
        assert state == sorted(state)  # what comes later is given up only after what comes before
    assert list(dict.fromkeys(map(tuple, states))) == [
        tuple([False] * n + [True] * (4 - n)) for n in range(5)
    ]
    texts = [" ".join(table.render("text", width=width).split()) for width in range(80, 27, -1)]
    assert any("Hidden at this width: rank" in text for text in texts)
    assert "Hidden at this width: rank, wins" in texts[-1]


def test_the_mark_of_a_note_does_not_break_a_word() -> None:
    rows = [[Cell("superdialseg", note="a script"), "a long text with many words", 0.25]]
    table = Table([Column("convention"), Column("measure"), Column("prints")], rows)
    assert all("superdialseg¹" in table.render("text", width=width) for width in range(35, 50))


def test_a_rich_console_shows_the_best_in_bold_and_keeps_to_its_width() -> None:
    out = io.StringIO()
    console = Console(file=out, width=60, force_terminal=True, color_system="standard")
    console.print(WIDE)
    text = out.getvalue()
    assert "\x1b[1m" in text
    plain = re.sub(r"\x1b\[[0-9;]*m", "", text)
    assert [line.rstrip() for line in plain.splitlines()] == WIDE.render(
        "text", width=60
    ).splitlines()
