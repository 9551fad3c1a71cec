"""The command line: `segscore …`. It parses, calls and prints; one file per command.

Manners, the same for every command: stdout carries the result and nothing else; progress and
remarks go to stderr, progress only to a terminal; wrong input ends with exit code 2 and one line
that says what is wrong; files are written beside their place and renamed.
"""

import sys
import warnings
from typing import Annotated, TextIO

import typer
from typer.exceptions import Abort, Exit, TyperException

from segscore._version import __version__
from segscore.cli import (
    agree,
    audit,
    benchmark,
    check,
    compare,
    convert,
    data,
    demo,
    reproduce,
    score,
    segment,
    simulate,
    tune,
)
from segscore.errors import SegmentationError

app = typer.Typer(
    name="segscore",
    help="Measure how well texts were cut into segments.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in (
    score,
    agree,
    compare,
    check,
    audit,
    segment,
    benchmark,
    tune,
    simulate,
    convert,
    reproduce,
    demo,
):
    app.command(command.__name__.rpartition(".")[2])(command.run)
app.add_typer(data.app, name="data")


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"segscore {__version__}")
        raise Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option("--version", help="Show the version.", callback=_print_version, is_eager=True),
    ] = False,
) -> None:
    """Measure how well texts were cut into segments."""


def run(arguments: list[str] | None = None) -> int:
    """Run one command and give its exit code; never a traceback for what the user did wrong."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a terminal without ± should still show the number
            stream.reconfigure(errors="replace")
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _remark
            return app(arguments, standalone_mode=False) or 0
    except Exit as end:
        return end.exit_code
    except (Abort, KeyboardInterrupt):
        return _complain("stopped", 130)
    except TyperException as error:
        if "\n" in error.format_message():  # no command at all: the message is the help
            typer.echo(error.format_message(), err=True)
            return 2
        return _complain(error.format_message())
    except SegmentationError as error:
        return _complain(str(error))
    except BrokenPipeError:  # the reader had enough
        sys.stderr.close()
        return 0
    except OSError as error:
        named = f"{error.filename}: {error.strerror}" if error.filename else str(error)
        return _complain(named)
    except MemoryError:
        return _complain("not enough memory for this input")


def _remark(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """A warning as a line; where in the code it arose is nothing to the user."""
    del category, filename, lineno, file, line
    typer.echo(f"segscore: {message}", err=True)


def _complain(message: str, code: int = 2) -> int:
    typer.echo(f"segscore: {' '.join(message.split())}", err=True)
    return code


def main() -> None:
    """The entry point of the command."""
    sys.exit(run())
