"""`segscore demo`: what there is, on embedded data."""

import sys

from rich.console import Console

WIDTH = 100  # where there is no terminal to ask


def run() -> None:
    """Show what segscore does, on two small sets of real segmentations."""
    from segscore.cli import demonstration as demo

    console = Console() if sys.stdout.isatty() else Console(width=WIDTH)
    for section in demo.sections():
        console.print(f"\n{section.heading}", style="bold", highlight=False)
        console.print(section.words, highlight=False)
        console.print()
        console.print(section.table)
    console.print()
    console.print(demo.COMMANDS, highlight=False, markup=False, end="")
