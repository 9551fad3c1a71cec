"""The command line: `segscore …`. It parses, calls and prints.

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
from segscore.basics.user_functions import culprit
from segscore.cli.commands import HELP, CommandList
from segscore.cli.output import INTERRUPTED, Stopping, open_closed_streams, remark, silence
from segscore.errors import MetricWarning, SegmentationError
from segscore.io.read_options import ReadingWarning

app = typer.Typer(
    name="segscore",
    cls=CommandList,
    help="Measure how well texts were cut into segments.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings=HELP,
)


@app.callback(invoke_without_command=True)
def _options(
    version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False,
) -> None:
    """Measure how well texts were cut into segments."""
    if version:
        typer.echo(f"segscore {__version__}")
        raise Exit


def run(arguments: list[str] | None = None) -> int:
    """Run a command and return its exit code; a user's mistake never causes a traceback."""
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _remark
            warnings.simplefilter("always", ReadingWarning)  # of each file, and never an error
            warnings.simplefilter("default", MetricWarning)
            code: int = app(arguments, standalone_mode=False) or 0
        if code == INTERRUPTED:  # Typer makes an exit code of Ctrl-C
            return _complain("stopped", code)
        sys.stdout.flush()
        return code
    except Exit as end:
        return end.exit_code
    except (Abort, KeyboardInterrupt):
        return _complain("stopped", INTERRUPTED)
    except TyperException as error:
        message = error.format_message().replace(": Value error, ", ": ")  # as Pydantic words it
        from segscore.io.read_keys import key_names  # a mistake may take its time

        option = str(getattr(error, "option_name", "")).lstrip("-")
        if option in key_names():
            message = f"no such option: --{option}: expected --read {option}=…"
        return _complain(message) if message else 0  # no command at all: the help is printed
    except SegmentationError as error:
        return _complain(str(error))
    except (BrokenPipeError, SystemExit) as end:
        return _reader_left(end)
    except OSError as error:
        named = f"{error.filename}: {error.strerror}" if error.filename else str(error)
        return _complain(named)
    except MemoryError:
        return _complain("not enough memory for this input")
    except Exception as error:
        package = culprit(error)
        if package is None:  # a mistake in our code keeps its traceback
            raise
        return _complain(f"the plug-in package {package!r} failed: {type(error).__name__}: {error}")


def _remark(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Print a warning as one line, without its place in the code."""
    del category, filename, lineno, file, line
    remark(f"segscore: {message}")


def _reader_left(end: BaseException) -> int:
    """End without an error because the reader of our output has left (`| head`).

    Typer and Rich turn this into an exit with code 1, whose context shows the cause. A command that
    has more to do than to print continues (`output.reader_may_leave`).
    """
    if isinstance(end, SystemExit) and not (
        end.code == 1 and isinstance(end.__context__, BrokenPipeError)
    ):
        raise end
    if sys.__stdout__ is not None:
        silence(sys.__stdout__)
    return 0


def _complain(message: str, code: int = 2) -> int:
    remark(f"segscore: {' '.join(message.split())}", one_line=True)
    return code


def main() -> None:
    """The entry point of the command."""
    open_closed_streams()
    stopping = Stopping()
    stopping.install()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a terminal without ± should still show the number
            stream.reconfigure(errors="replace")
    try:
        code = run()
    except SystemExit as end:  # of a signal
        code = int(end.code or 0)
    stopping.finish(code)
    sys.exit(code)
