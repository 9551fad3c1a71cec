"""stdout and stderr, whose readers may leave (`| head -1`) or were never there (`2>&-`).

A command continues if its output is no longer read, because its exit code and its files still
matter.
"""

import atexit
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, TextIO

import typer

INTERRUPTED = 128 + signal.SIGINT
_SIGNALS = [getattr(signal, n) for n in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, n)]
_PATIENCE = 2.0  # seconds of cleaning up
_SOON = 0.01  # seconds


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
        sys.unraisablehook = self._swallowed
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

    def _stop(self, number: int, frame: FrameType | None) -> None:
        if _is_inside(frame):  # where Python would drop what is raised; it is sent again
            return
        now = time.monotonic()
        if self._number and now - self._since > _PATIENCE:
            os._exit(128 + number)
        if self._number:
            return
        self._number, self._since = number, now
        raise KeyboardInterrupt if number == signal.SIGINT else SystemExit(128 + number)

    def _swallowed(self, found: Any) -> None:
        """Raise a stop again that was raised in a finaliser, where Python drops exceptions: as soon
        as this function, where it would also be dropped, has ended."""
        if self._number and isinstance(found.exc_value, KeyboardInterrupt | SystemExit):
            number, self._number = self._number, 0
            again = threading.Thread(target=self._send_until_heard, args=[number], daemon=True)
            again.start()
        else:
            sys.__unraisablehook__(found)

    def _send_until_heard(self, number: int) -> None:
        while not self._number:
            time.sleep(_SOON)
            _send(number)


def _ignore_signals() -> None:
    """Ignore signals at the end. Python forgets handlers while it shuts down, and a signal would
    then kill a command that has done its work; ignored signals stay ignored."""
    for number in _SIGNALS:
        signal.signal(number, signal.SIG_IGN)


def _is_inside(frame: FrameType | None) -> bool:
    """Whether a frame belongs to a call of `_swallowed`."""
    while frame is not None:
        if frame.f_code is Stopping._swallowed.__code__:
            return True
        frame = frame.f_back
    return False


def _send(number: int) -> None:
    """Send a signal to the main thread, so that it also ends its waiting."""
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, number)
    else:
        signal.raise_signal(number)


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
