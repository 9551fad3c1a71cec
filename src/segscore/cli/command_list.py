"""The commands, each imported when it is called: who scores two files needs none of the others."""

from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

from segscore.basics.on_demand import MadeOnDemand
from segscore.cli.command import Command, spare_conversions
from segscore.cli.option_groups import with_groups

COMMANDS = (  # in the order of the help; each is the module of that name
    "score", "annotate", "sheet", "agree", "consensus", "adjudicate", "feedback", "compare",
    "curve", "sweep", "evidence", "chunks", "check", "audit", "plot", "report", "segment",
    "benchmark", "tune", "simulate", "convert", "reproduce", "demo", "data", "accumulate",
)  # fmt: skip


class CommandList(TyperGroup):
    """All commands under one name."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.commands: Any = MadeOnDemand(COMMANDS, lambda index: _imported(COMMANDS[index]))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Take the options that stand before the command, and its name."""
        spare_conversions(self.get_params(ctx))
        return super().parse_args(ctx, args)


def _imported(name: str) -> Any:
    """A command as Typer makes it: of the function `run` of its module, or of its Typer `app`."""
    module = import_module(f"segscore.cli.{name}")
    app = getattr(module, "app", None)
    if app is None:
        app = typer.Typer(rich_markup_mode=None, add_completion=False)
        app.command(name, cls=Command)(with_groups(module.run))
    made = get_command(app)
    made.name = name
    return made
