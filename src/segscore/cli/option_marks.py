"""What options declare besides their types: marks in their annotations.

Marks show which files a command reads and writes, and what a settings file may not set: paths,
options marked as files, and options marked `OnlyTyped`.
"""

import inspect
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, get_args


@dataclass(frozen=True)
class Written:
    """Marks an option whose file is written; `name` is what messages call it."""

    name: str


@dataclass(frozen=True)
class NamesFile:
    """Marks an option whose text may name a file to read, after a sign such as `=`."""

    sign: str


@dataclass(frozen=True)
class OnlyTyped:
    """Marks an option that a settings file cannot set.

    why: what it does, as the end of a sentence.
    unless: values that contain this sign do not do it, and are accepted.
    """

    why: str
    unless: str = ""


@dataclass(frozen=True)
class OwnMeaning:
    """Marks an option that means something else in other commands: settings for all commands do not
    apply to it."""


def has_own_meaning(option: inspect.Parameter) -> bool:
    """Whether only the part of a settings file for this command can set the option."""
    return any(isinstance(mark, OwnMeaning) for mark in get_args(option.annotation))


def only_typed(option: inspect.Parameter) -> OnlyTyped | None:
    """Why an option cannot be set by a file; None if it can."""
    kind, *marks = get_args(option.annotation)
    declared = next((mark for mark in marks if isinstance(mark, OnlyTyped)), None)
    if declared is not None:
        return declared
    if any(isinstance(mark, Written) for mark in marks):
        return OnlyTyped("it names a file to write")
    if any(isinstance(mark, NamesFile) for mark in marks) or _holds_path(kind):
        return OnlyTyped("it names a file")
    return None


def _holds_path(kind: Any) -> bool:
    """Whether a type is a path, or contains paths."""
    is_path = isinstance(kind, type) and issubclass(kind, PurePath)
    return is_path or any(map(_holds_path, get_args(kind)))
