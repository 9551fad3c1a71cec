"""The commands in groups, each imported only when it is called. Scoring two files needs none of the
others, and the list of all commands needs none."""

from functools import cache
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

from segscore.basics.on_demand import MadeOnDemand
from segscore.cli import completion, help_text
from segscore.cli.command import Command
from segscore.cli.option_groups import with_groups
from segscore.cli.option_values import spare_conversions

# In the order of the help. Each command is the module of its name; beside it stands the first
# sentence of its own help, which is not imported for the list.
GROUPS = {
    "Measure": {
        "score": "Score segmentations against a reference.",
        "compare": "Compare systems on the same documents.",
        "agree": "Measure how well coders agree on where the boundaries are.",
        "curve": "Score boundaries that have scores, at every threshold.",
        "evidence": "Measure whether the evidence for answers is in one chunk.",
        "chunks": "Describe chunks that have no reference: sizes, breaks, cohesion.",
        "sweep": "Score by one metric at several values of one of its parameters.",
    },
    "Look": {
        "report": "Write one HTML page that shows who cut where.",
        "plot": "Draw a picture of codings, of systems or of a table of numbers.",
        "audit": "Show Pk, WindowDiff, F1, B and S under every known convention.",
        "check": "Find input that is probably wrong.",
        "feedback": "Show annotators where they differ from a reference.",
    },
    "Make": {
        "annotate": "Write a page in which a person marks where segments start.",
        "adjudicate": "Write a page that turns the codings of several people into gold.",
        "sheet": "Write a sheet in which people mark where segments start.",
        "consensus": "Build a reference from boundaries that enough coders marked.",
        "segment": "Cut texts into segments, and write them as JSON Lines.",
        "convert": "Convert segmentations from one format to another.",
        "simulate": "Simulate random references, and hypotheses that err from them.",
    },
    "Research": {
        "benchmark": "Run segmenters over a corpus, and print how they compare.",
        "tune": "Try settings of a segmenter on development documents.",
        "data": "List and fetch the corpora that papers use.",
        "demo": "Show what segscore does, on two small sets of real codings.",
    },
    "Help": {
        "help": "Print a page about metrics, formats, units and other topics.",
    },
}
COMMANDS = tuple(name for group in GROUPS.values() for name in group)


class CommandList(TyperGroup):
    """All commands under one name."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.commands: Any = MadeOnDemand(COMMANDS, lambda index: _imported(COMMANDS[index]))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Take the options before the command, and its name."""
        spare_conversions(self.get_params(ctx))
        return super().parse_args(ctx, args)

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """Names of commands, without importing them."""
        options = super(TyperGroup, self).shell_complete(ctx, incomplete)
        return [*completion.commands(GROUPS.values(), incomplete), *options]

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The usage: a command, its options and files."""
        del ctx
        return ["COMMAND", "[OPTIONS]", "[FILE…]"]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """The commands in groups, then the options that need no command."""
        help_text.write_rows(formatter, {name: [*group.items()] for name, group in GROUPS.items()})
        rows = help_text.rows(self.get_params(ctx), ctx)
        help_text.write_rows(formatter, {"Options": rows})
        formatter.write_paragraph()
        formatter.write("The options that people use: segscore COMMAND -h\n")
        formatter.write("All of them: segscore COMMAND --help\n")


@cache
def _imported(name: str) -> Any:
    """A command as Typer makes it from the function `run` of its module, or from its Typer
    `app`. A process that calls a command again, like a notebook or a test, makes it once."""
    module = import_module(f"segscore.cli.{name}")
    app = getattr(module, "app", None)
    if app is None:
        app = typer.Typer(rich_markup_mode=None, add_completion=False)
        app.command(name, cls=Command)(with_groups(module.run))
    made = get_command(app)
    made.name = name
    return made
