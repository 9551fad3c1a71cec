"""What options and commands declare about help: the sections of `--help`, the screen of `-h`.

An option names its section where it is declared, by `rich_help_panel=Section.READING`; a group
names the section of its options that do not name one themselves, by `section = Section.READING`. A
command names the options of its short help, and its examples, by the decorator `short_help`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar

Run = TypeVar("Run", bound=Callable[..., Any])


class Section(StrEnum):
    """The headings of options, the same in every command, in the order of the help."""

    COMPARED = "What is compared"
    PEOPLE = "People and places"
    SEGMENTERS = "Segmenters"
    SIMULATION = "Simulation"
    METRICS = "Metrics"
    STATISTICS = "Statistics"
    GATE = "Gate"
    READING = "Reading (formats, units, marks, tables)"
    CHUNKS = "Chunks"
    TIMES = "Times and words"
    COLUMNS = "Parquet and Arrow"
    PAGES = "Pages"
    OUTPUT = "Output"
    HELP = "Help"


@dataclass(frozen=True)
class ShortHelp:
    """What the short help of a command shows: options by their names, and command lines."""

    options: tuple[str, ...]
    examples: tuple[str, ...]


def short_help(options: str, *examples: str) -> Callable[[Run], Run]:
    """Declare the most used options, in the order of the help, and two examples."""

    def declared(run: Run) -> Run:
        run.short_help = ShortHelp(tuple(options.split()), examples)  # type: ignore[attr-defined]
        return run

    return declared


def short_help_of(callback: Callable[..., Any] | None) -> ShortHelp:
    """The declared short help, also of functions that Typer and others wrapped."""
    found: ShortHelp = getattr(callback, "short_help", ShortHelp((), ()))
    return found
