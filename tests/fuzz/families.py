"""All families by name: how to draw a case, and how to check it."""

import json
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from fuzz import calls, columns, files, pools, tables

Case = dict[str, Any]


class Family(NamedTuple):
    """Cases of one kind."""

    draw: Callable[[Random], Case]
    check: Callable[[Case, Path], None]
    share: int  # cases in a round: quick ones more often


FAMILIES = {
    "reader": Family(files.draw_reader, files.check_reader, 60),
    "archive": Family(files.draw_archive, files.check_archive, 20),
    "table": Family(tables.draw_table, tables.check_table, 20),
    "columns": Family(columns.draw_columns, columns.check_columns, 20),
    "space": Family(files.draw_space, files.check_space, 20),
    "call": Family(calls.draw_call, calls.check_call, 60),
    "command": Family(calls.draw_command, calls.check_command, 10),
    "pool": Family(pools.draw_pool, pools.check_pool, 1),
}


def check(family: str, case: Case) -> None:
    """Check one case in a folder of its own."""
    folder = Path(tempfile.mkdtemp(prefix="fuzz-"))
    try:
        FAMILIES[family].check(case, folder)
    finally:
        shutil.rmtree(folder)


def text_of(family: str, case: Case) -> str:
    """A case as it stands in the corpus."""
    return json.dumps({"family": family, "case": case}, indent=1, sort_keys=True) + "\n"
