"""stdout and stderr, whose readers may leave (`| head -1`) or were never there (`2>&-`).

A command continues if its output is no longer read, because its exit code and its files still
matter.
"""

import atexit
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

import typer

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
