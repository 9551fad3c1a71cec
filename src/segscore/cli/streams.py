"""stdout and stderr, whose readers may leave (`| head -1`) or were never there (`2>&-`).

A command goes on when nobody reads it any more, because its exit code and its files still count.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

import typer


def open_closed_streams() -> None:
    """What the shell closed leads nowhere; otherwise the next file opened would take its number."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            nowhere = Path(os.devnull).open("w" if number else "r", encoding="utf-8")  # noqa: SIM115
            setattr(sys, name, nowhere)


@contextmanager
def reader_may_leave() -> Iterator[None]:
    """Whoever reads our stdout may have had enough: the block ends there, and nothing is wrong."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        silence(sys.stdout)


def print_out(text: str) -> None:
    """A line of the result."""
    with reader_may_leave():
        typer.echo(text)


def print_error(text: str) -> None:
    """A line that is not the result."""
    try:
        typer.echo(text, err=True)
    except BrokenPipeError:
        silence(sys.stderr)


def silence(stream: TextIO) -> None:
    """Let a stream lead nowhere, or Python would complain when it flushes it at the end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
