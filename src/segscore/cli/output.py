"""Where output goes: the result to stdout or a file, remarks, warnings and progress to stderr."""

import json
import os
import shlex
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from segscore.checking import Finding, quick_check
from segscore.checking.findings import in_order
from segscore.cli.commands import OUTPUT, READING, option
from segscore.cli.streams import print_error, print_out, reader_may_leave
from segscore.errors import SegmentationError, shortened, visible
from segscore.io.files import replacing, suffix_of
from segscore.metrics import Metric
from segscore.metrics import metric as as_metric
from segscore.tables.markup import html_page
from segscore.tables.plain_text import wrapped
from segscore.tables.table import Format, Table
from segscore.tables.wording import notes_without_intervals

if TYPE_CHECKING:
    from segscore.pairing.pairs import Pairs

Item = TypeVar("Item")

_WIDTH = 100  # of text that goes to no terminal and to no file, if COLUMNS says nothing
_WIDEST = 10_000
_MOST_REMARKS = 10  # of readers
_MOST_FINDINGS = 3  # that a command shows; `segscore check` shows all
_BY_SUFFIX: dict[str, Format] = {
    ".txt": "text",
    ".md": "markdown",
    ".tex": "latex",
    ".csv": "csv",
    ".json": "json",
    ".html": "html",
}

FILE = option("--output -o", OUTPUT, "Write to this file, not to stdout.", "FILE")
REPORT = option("--report", OUTPUT, "Also write an HTML page of it all.", "FILE")


@dataclass(kw_only=True)
class Output:
    """Where tables go, in which format, and how they look."""

    form: Format | None = option(
        "--format -f", OUTPUT, "text, markdown, latex, csv, json, html.", "FORMAT"
    )
    file: Path | None = FILE
    digits: int | None = option("--digits", OUTPUT, "Decimals of numbers.", "NUMBER")
    percent: bool = option("--percent", OUTPUT, "Proportions as percentages.")
    shown: str | None = option("--columns", OUTPUT, "Only these columns: name,name.", "NAMES")
    no_intervals: bool = option("--no-intervals", OUTPUT, "Leave confidence intervals out.")
    caption: str | None = option("--caption", OUTPUT, "Caption of the table.", "TEXT")

    def __post_init__(self) -> None:
        """Find the format, by the suffix of the file if need be, before anything is read."""
        suffix = "" if self.file is None else suffix_of(self.file)
        self.chosen: Format = self.form or _BY_SUFFIX.get(suffix, "text")
        if self.form is None and suffix not in ("", ".log", *_BY_SUFFIX):
            raise SegmentationError(
                f"{self.file}: no table is written as {suffix}: expected one of "
                f"{', '.join(_BY_SUFFIX)}, or -f FORMAT, which writes that format whatever the "
                "suffix"
            )
        self.has_notes = self.chosen not in ("csv", "json")  # a place below tables

    def remark_notes(self, notes: Iterable[str]) -> None:
        """Print notes of a table that have no place below it."""
        for note in notes_without_intervals(notes) if self.no_intervals else notes:
            remark(note)

    def show(self, tables: Table | Mapping[str, Table], alone: Sequence[str] = ()) -> None:
        """Print tables, one below the other, or write them to the file.

        In JSON several tables are one object, by their names. Text is made to fit the terminal, or
        100 columns if there is none; a file gets the full table. `alone`: the column of the only
        number of a table, which stands alone in text, and what it is, which stands below it.
        """
        named = {"": tables} if isinstance(tables, Table) else tables
        columns = tuple(filter(None, map(str.strip, (self.shown or "").split(","))))
        look = self.digits, self.percent, columns, not self.no_intervals, self.caption
        for_one_table = bool(columns) or self.caption is not None
        if len(named) > 1 and for_one_table:
            raise SegmentationError(
                f"--columns and --caption are for one table, and there are {len(named)}: choose "
                f"one by --show, of {', '.join(named)}"
            )
        found = {name: table.styled(*look) for name, table in named.items()}
        environment = os.environ.get("COLUMNS", "")
        is_width = environment.isdecimal() and 0 < int(environment) <= _WIDEST
        width = (int(environment) if is_width else _WIDTH) if self.file is None else None
        if alone and self.chosen == "text" and not for_one_table:
            whole = _number_alone(found[""], *alone, width=width)
        elif self.chosen == "text" and self.file is None and sys.stdout.isatty():
            with reader_may_leave():
                _print_on_terminal(found.values())
            return
        else:
            texts = [table.render(self.chosen, width).rstrip("\n") for table in found.values()]
            whole = "\n\n".join(texts)
            if self.chosen == "json" and len(texts) > 1:
                cells = (
                    f"{json.dumps(name)}: {text}" for name, text in zip(found, texts, strict=True)
                )
                whole = "{" + ",\n".join(cells) + "}"
            if self.chosen == "html" and self.file is not None:
                title = next(filter(None, (table.title for table in found.values())), "segscore")
                whole = html_page(texts, title).rstrip("\n")
        if self.file is None:
            print_out(whole)
            return
        with reader_may_leave(), replacing(self.file) as file:  # the file may be /dev/stdout
            file.write(whole + "\n")
        if sys.stderr.isatty():  # pipes and logs stay quiet
            remark(f"wrote {self.file}", one_line=True)


@dataclass(kw_only=True)
class CheckedOutput(Output):
    """The output of a command that ends with what is probably wrong with its input: the gravest
    findings."""

    unchecked: bool = option("--no-check", READING, "Do not warn about suspicious input.")

    findings: list[Finding] = field(default_factory=list, init=False)

    def warn_of(
        self,
        pairs: "Pairs",
        ref_names: Sequence[str],
        hyp_names: Sequence[str],
        metrics: Iterable[Metric] = (),
    ) -> None:
        """Keep what is probably wrong with scored input; file names are evidence, too."""
        if not self.unchecked:
            found = quick_check(pairs, ref_names, hyp_names, metrics)
            self.findings += [finding.of(hyp_names[0]) for finding in found]

    def __exit__(self, *_: object) -> None:
        if self.unchecked or not self.findings:
            return
        ordered = in_order(self.findings)
        for finding in ordered[:_MOST_FINDINGS]:
            remark(f"{finding} (--no-check silences this)")
        left = len(ordered) - _MOST_FINDINGS
        if left > 0:
            remark(f"and {left} more: segscore check shows all (--no-check silences this)")


def _number_alone(table: Table, field: str, *about: str, width: int | None) -> str:
    number = next(
        (column.number(cells[0]), " %" if column.percent else "")
        for column, cells in zip(table.columns, table.cells, strict=True)
        if column.field == field
    )
    notes = map(visible, (*about, *table.footnotes, *table.warnings))
    lines = notes if width is None else (part for note in notes for part in wrapped(note, width))
    return "\n".join(["".join(number), *lines])


def _print_on_terminal(tables: Iterable[Table]) -> None:
    from rich.console import Console

    console = Console()
    for index, table in enumerate(tables):
        if index:
            console.print()
        console.print(table)


# ---- the page of --report ----


def write_report(result: Any, path: Path | None, **options: Any) -> None:
    """Write the page of `segscore report` about a result, if a file is named."""
    if path is None:
        return
    from segscore.pages import report

    command = shlex.join(["segscore", *sys.argv[1:]])
    remark(f"wrote {report(result, path, command=command, **options)}", one_line=True)


def agreement_metric(metric: str) -> str:
    """The metric if agreement can use it; otherwise b, with a remark."""
    from segscore.coders.estimators import is_similarity

    chosen = as_metric(metric)
    if is_similarity(chosen):
        return metric
    remark(f"the page shows agreement by b: {metric} is not a symmetric similarity")
    return "b"


# ---- what goes to stderr ----


def remark(message: str, one_line: bool = False) -> None:
    """Print a remark on stderr; names in it cannot recolour a terminal.

    On a terminal it is wrapped between words, as tables are, unless it must stay `one_line`, as
    errors and text for other programs must. Elsewhere, in logs and pipes, each remark is a line.
    """
    lines = [visible(line) for line in shortened(message).split("\n")]
    width = None if one_line else remark_width()
    if width is not None:
        lines = [part for line in lines for part in wrapped(line, width)]
    print_error("\n".join(lines))


def remark_all(messages: Iterable[str]) -> None:
    """Print remarks, each once; only their number if there are many."""
    found = list(dict.fromkeys(messages))
    for message in found[:_MOST_REMARKS]:
        remark(message)
    if len(found) > _MOST_REMARKS:
        remark(f"and {len(found) - _MOST_REMARKS} more remarks like these")


def remark_width() -> int | None:
    """The width of text on stderr; None if stderr is not a terminal."""
    if not sys.stderr.isatty():
        return None
    from rich.console import Console

    return Console(stderr=True).width


def with_progress(items: Iterable[Item], what: str, total: int | None = None) -> Iterable[Item]:
    """The items, with a bar on stderr if that is a terminal."""
    if not sys.stderr.isatty():
        return items
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import track

    bar = Console(stderr=True)
    description = escape(visible(what))
    return track(items, description=description, total=total, console=bar, transient=True)
