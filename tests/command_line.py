"""The command line inside this process: what users see of it, without a new Python each time.

A few tests start real processes (cli/test_commands.py) and see that it is the same.
"""

import contextlib
import io
import os
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from segscore.cli import run


class Done(NamedTuple):
    """How a command ended, and what it said."""

    returncode: int
    stdout: str
    stderr: str


def segscore(*arguments: object, cwd: Path | None = None, columns: int | None = None) -> Done:
    """Run `segscore …`, in another folder if one is given, on so many columns.

    An exception that the command lets through (users would see a traceback) fails the test.
    """
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="") for _ in range(2))
    with (
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        contextlib.chdir(cwd) if cwd is not None else contextlib.nullcontext(),
        _warnings_are_shown(),
        patch.dict(os.environ, {} if columns is None else {"COLUMNS": str(columns)}),
    ):
        code = run([str(argument) for argument in arguments])
    texts = []
    for stream in (out, err):
        stream.flush()
        texts.append(stream.buffer.getvalue().decode())  # type: ignore[attr-defined]
    return Done(code, *texts)


@contextlib.contextmanager
def _warnings_are_shown() -> Iterator[None]:
    """Show warnings for users, which are errors under pytest; warnings about code stay errors."""
    with warnings.catch_warnings():
        warnings.simplefilter("always", UserWarning)
        yield
