"""Temporary files that say whose they are, so that what a killed process left can be removed.

Their names hold the id of the process and a mark of the machine: a folder may be shared by
machines (or by containers) that number their processes alike. The first time that a process writes
into a folder, it removes what processes that no longer run have left there. Files of processes that
run, of other machines and of other users are left alone.
"""

import hashlib
import os
import re
import shutil
import socket
from contextlib import suppress
from functools import cache
from pathlib import Path

_OURS = re.compile(
    r"(?:\..{1,60}|segscore)-(?P<machine>[0-9a-f]{8})-(?P<process>[0-9]{1,10})-[0-9a-z_]{8}(?:\.part)?",
    re.DOTALL,
)
_cleaned: set[str] = set()


def name_beside(name: str) -> str:
    """A hidden name, used only once, for a file that will be called `name`."""
    return f".{name[:50]}-{_machine()}-{os.getpid()}-{os.urandom(4).hex()}.part"


def folder_prefix() -> str:
    """What the name of a temporary folder begins with (`tempfile` adds eight letters)."""
    return f"segscore-{_machine()}-{os.getpid()}-"


def remove_leftovers(folder: Path) -> None:
    """Remove what processes that no longer run left in a folder; looks once per folder."""
    if str(folder) in _cleaned:
        return
    _cleaned.add(str(folder))
    # Only tidying up: if it is not allowed, or another process was faster, we say nothing.
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            found = _OURS.fullmatch(entry.name)
            if found is not None and found["machine"] == _machine():
                _remove(entry, int(found["process"]))


def _remove(entry: "os.DirEntry[str]", process: int) -> None:
    own = os.name != "posix" or entry.stat(follow_symlinks=False).st_uid == os.getuid()
    if not own or _runs(process):
        return
    if entry.is_dir(follow_symlinks=False):
        shutil.rmtree(entry.path, ignore_errors=True)
    else:
        os.unlink(entry.path)  # noqa: PTH108  # an entry, not a Path


def _runs(process: int) -> bool:
    """Whether a process of that id runs; where it cannot be told, it may."""
    if os.name != "posix":  # on Windows os.kill would end it
        return True
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:  # it runs, and belongs to another user
        return True
    return True


@cache
def _machine() -> str:
    """The machine and, on Linux, the namespace in which it numbers processes."""
    try:
        space = os.readlink("/proc/self/ns/pid")  # noqa: PTH115
    except OSError:
        space = ""
    return hashlib.sha256(f"{socket.gethostname()} {space}".encode()).hexdigest()[:8]
