"""stdout and stderr, whose readers may leave (`| head -1`) or were never there (`2>&-`).

A command continues if its output is no longer read, because its exit code and its files still
matter.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

import typer


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
