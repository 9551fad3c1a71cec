"""Where output goes: the result to stdout or a file, remarks, warnings and progress to stderr.

The readers of stdout and stderr may leave (`| head -1`) or were never there (`2>&-`). A command
continues if its output is no longer read, because its exit code and its files still matter.
"""

import atexit
import json
import os
import shlex
import signal
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

import typer

from segscore.checking import Finding, quick_check
from segscore.checking.findings import in_order
from segscore.cli.commands import OUTPUT, READING, option
from segscore.errors import SegmentationError, shortened, visible
from segscore.io.files import replacing, suffix_of
from segscore.metrics import Metric
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
        changed = for_one_table or self.no_intervals or self.percent or self.digits is not None
        found = {name: table.styled(*look) for name, table in named.items()} if changed else named
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


# ---- streams whose readers may leave ----

INTERRUPTED = 128 + signal.SIGINT
_SIGNALS = [getattr(signal, n) for n in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, n)]
_PATIENCE = 2.0  # seconds of cleaning up


class Stopping:
    """What signals do to this process."""

    def __init__(self) -> None:
        self._number = 0  # of the signal that stops us
        self._since = 0.0

    def install(self) -> None:
        """Handle signals; a signal that the parent chose to ignore (`nohup`) stays ignored."""
        for number in _SIGNALS:
            if signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
                signal.signal(number, self._stop)
        atexit.register(_ignore_signals)  # first in, so last of all that runs at the end

    def finish(self, code: int) -> None:
        """Make sure that a signal while Python ends can no longer change the exit code.

        The signal that stopped us is ignored, because Python forgets all other handlers shortly
        before its end, and a second Ctrl-C would then kill us.
        """
        for number in _SIGNALS:
            if signal.getsignal(number) == self._stop:
                stopped = number == self._number
                signal.signal(number, signal.SIG_IGN if stopped else lambda *_: os._exit(code))

    def _stop(self, number: int, _: object) -> None:
        now = time.monotonic()
        if self._number and now - self._since > _PATIENCE:
            os._exit(128 + number)
        if self._number:
            return
        self._number, self._since = number, now
        raise KeyboardInterrupt if number == signal.SIGINT else SystemExit(128 + number)


def _ignore_signals() -> None:
    """Ignore signals at the end. Python forgets handlers while it shuts down, and a signal would
    then kill a command that has done its work; ignored signals stay ignored."""
    for number in _SIGNALS:
        signal.signal(number, signal.SIG_IGN)


def open_closed_streams() -> None:
    """Open streams that the shell closed to the null device; otherwise the next file opened would
    take their number."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            nowhere = Path(os.devnull).open("w" if number else "r", encoding="utf-8")  # noqa: SIM115
            setattr(sys, name, nowhere)


@contextmanager
def reader_may_leave() -> Iterator[None]:
    """If the reader of our stdout leaves, end the block without an error."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        silence(sys.stdout)


def print_out(text: str) -> None:
    """Print a line of the result."""
    with reader_may_leave():
        typer.echo(text)


def print_error(text: str) -> None:
    """Print a line on stderr."""
    try:
        typer.echo(text, err=True)
    except BrokenPipeError:
        silence(sys.stderr)


def silence(stream: TextIO) -> None:
    """Connect a stream to the null device, or Python would complain when it flushes the stream at
    the end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
