"""The commands in groups, each imported only when it is called. Scoring two files needs none of the
others, and the list of all commands needs none."""

from functools import cache
from importlib import import_module
from typing import Any

import typer
from typer.main import get_command

from segscore.cli.command import Command, Group
from segscore.cli.option_groups import with_groups

# In the order of the help. Each command is the module of its name; beside it stands the first
# sentence of its own help, which is not imported for the list.
GROUPS = {
    "What most people need": {
        "score": "Score segmentations against a reference.",
        "compare": "Compare systems on the same documents.",
        "agree": "Measure how well coders agree on where the boundaries are.",
        "audit": "Show Pk, WindowDiff, F1, B and S under every known convention.",
        "chunks": "Describe chunks, or measure whether one of them has the evidence.",
        "report": "Write one HTML page that shows who cut where.",
    },
    "More": {
        "check": "Find input that is probably wrong.",
        "convert": "Convert between formats, or people to their consensus.",
        "annotate": "Write a page or a sheet in which people mark boundaries.",
        "adjudicate": "Write a page that turns the codings of several people into gold.",
        "curve": "Score at every threshold, or at several values of a parameter.",
        "plot": "Plot codings, systems or a table of numbers.",
        "segment": "Cut texts into segments, and write them as JSON Lines.",
        "benchmark": "Run segmenters over a corpus, and print how they compare.",
        "simulate": "Simulate random references, and hypotheses that err from them.",
        "data": "List and fetch the corpora that papers use.",
        "metrics": "List metrics and segmenters, or explain one of them.",
        "demo": "Show what segscore does, on two small sets of real codings.",
    },
}
HELP = {"help_option_names": ["-h", "--help"]}  # also where a command is made by itself
SUMMARIES = {name: summary for group in GROUPS.values() for name, summary in group.items()}
COMMANDS = tuple(SUMMARIES)


class CommandList(Group):
    """All commands under one name. Its list and its help know of a command only what stands above;
    the command itself is imported when it is called."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.commands = {
            name: Command(name, help=summary, rich_help_panel=group)
            for group, commands in GROUPS.items()
            for name, summary in commands.items()
        }

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """The command that is called, its name, and its arguments."""
        name, _, rest = super().resolve_command(ctx, args)
        return name, imported(name) if name in COMMANDS else None, rest


@cache
def imported(name: str) -> Any:
    """A command as Typer makes it from the function `run` of its module, or from its Typer
    `app`. A process that calls a command again, like a notebook or a test, makes it once."""
    module = import_module(f"segscore.cli.{name}")
    app = getattr(module, "app", None)
    if app is None:
        app = typer.Typer(rich_markup_mode="markdown", add_completion=False)
        app.command(name, cls=Command, context_settings=HELP)(with_groups(module.run))
    made = get_command(app)
    made.name = name
    return made
