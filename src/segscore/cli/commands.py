"""The commands, each imported only when it is called, and how a function becomes one.

`run_NAME` takes options one by one and groups of options, which are dataclasses: the defaults of
parameters and fields are options as Typer declares them. `with_groups` turns it into what Typer
registers, a function with all options. A group with an `__exit__` ends the command.

No command writes over a file that it reads: what an option among `OUTPUT` names is written,
every other file is read.
"""

import inspect
import re
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import is_dataclass
from functools import cache, partial, wraps
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command
from typer.models import ParameterInfo

from segscore.errors import SegmentationError

# In the order of the help. Beside each command stands the first sentence of its own help, which is
# not imported for the list.
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
COMMANDS = tuple(name for commands in GROUPS.values() for name in commands)
MODULES = {  # of commands that share one; any other command has a module of its name
    "report": "compare",
    "audit": "check",
    "adjudicate": "annotate",
    "plot": "curve",
    "benchmark": "segment",
    "simulate": "segment",
    "metrics": "data",
    "demo": "data",
}


class Quick:
    """Starts quickly: Typer converts values by Pydantic, whose import alone takes longer than
    NumPy's, and by an adapter for each option that a command has, given or not."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Take the options and arguments."""
        for parameter in self.get_params(ctx):  # type: ignore[attr-defined]
            parameter.process_value = partial(_value, parameter)
        parsed: list[str] = super().parse_args(ctx, args)  # type: ignore[misc]
        return parsed


class Command(Quick, TyperCommand):
    """A command as Typer has them."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """`REF [HYP…]`: in brackets what may be left out, … what may be repeated."""
        parameters: list[Any] = self.get_params(ctx)
        arguments = [each for each in parameters if each.param_type_name == "argument"]
        names = [(each.display_name_raw.strip("[]"), each.required) for each in arguments]
        return ["[OPTIONS]", *(name if needed else f"[{name}]" for name, needed in names)]


class CommandList(Quick, TyperGroup):
    """All commands under one name. Its list and its help know of a command only what stands above;
    the command itself is imported when it is called."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.commands = {
            name: TyperCommand(name, help=summary, rich_help_panel=group)
            for group, commands in GROUPS.items()
            for name, summary in commands.items()
        }

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """The command that is called, its name, and its arguments."""
        name, _, rest = super().resolve_command(ctx, args)
        return name, make_command(name) if name in COMMANDS else None, rest


@cache
def make_command(name: str) -> Any:
    """A command as Typer makes it from its function `run_NAME`, or from the Typer `app` of its
    module. A process that calls a command again, like a notebook or a test, makes it once."""
    module = import_module(f"segscore.cli.{MODULES.get(name, name)}")
    run = getattr(module, f"run_{name}", None)
    app = typer.Typer(rich_markup_mode="markdown", add_completion=False) if run else module.app
    if run is not None:
        app.command(name, cls=Command, context_settings=HELP)(with_groups(run))
    made = get_command(app)
    made.name = name
    return made


def _value(parameter: Any, context: Any, value: Any) -> Any:
    """The value of an option: a text, a path, a flag or a choice at once, all else by Typer."""
    kind = parameter.type_descriptor.annotation
    several = parameter.multiple or parameter.nargs == -1
    if several:
        (kind,) = get_args(kind)
    values = [] if value is None else value if several else [value]
    made: list[Any] | None = list(values)
    if kind in (str, Path) and all(isinstance(each, str | Path) for each in values):
        made = [kind(each) for each in values]
    elif not all(type(each) is kind for each in values) and not (
        get_origin(kind) is Literal and all(each in get_args(kind) for each in values)
    ):
        made = None
    if made is None or (parameter.required and not made):
        return type(parameter).process_value(parameter, context, value)
    known = made if several else made[0] if made else None
    return known if parameter.callback is None else parameter.callback(context, parameter, known)


# ---- options ----


Section = Literal["Options", "Statistics", "Reading", "Output"]
SECTIONS: tuple[Section, ...] = get_args(Section)
"""The panels of options, the same in every command, in the order of the help; in the first, what a
command is about."""
OWN, STATISTICS, READING, OUTPUT = SECTIONS


def option(
    names: str, section: Section, text: str, metavar: str = "", default: Any = None, **more: Any
) -> Any:
    """An option as Typer declares it: "--metric -m" are its spellings, `text` is its help, of some
    forty characters if it is to be one line, and a flag has no metavar."""
    default = False if default is None and not metavar else default
    more |= {"rich_help_panel": section, "help": text, "metavar": metavar}
    return typer.Option(default, *names.split(), show_default=False, **more)


def argument(metavar: str, text: str, default: Any = ...) -> Any:
    """An argument as Typer declares it; one without a default is required."""
    return typer.Argument(default, metavar=metavar, help=text)


def with_groups(run: Callable[..., None]) -> Callable[..., None]:
    """The command as Typer registers it."""
    own = inspect.signature(run, eval_str=True).parameters.values()
    groups: dict[str, Any] = {
        each.name: each.annotation for each in own if is_dataclass(each.annotation)
    }
    fields = {name: inspect.signature(group).parameters for name, group in groups.items()}
    options = [
        option.replace(kind=inspect.Parameter.KEYWORD_ONLY)
        for each in own
        for option in (fields[each.name].values() if each.name in fields else [each])
    ]
    declared = {  # what Typer knows of each option, the context aside
        each.name: each.default if isinstance(each.default, ParameterInfo) else typer.Option()
        for each in options
    }
    panels: list[Any] = [None, *SECTIONS]  # arguments have none, and come first
    options.sort(key=lambda each: panels.index(declared[each.name].rich_help_panel))

    @wraps(run)
    def command(**given: Any) -> None:
        written = {
            name: value
            for name, value in given.items()
            if declared[name].rich_help_panel == OUTPUT and isinstance(value, Path)
        }
        read = []
        for name in given.keys() - written.keys():
            value, is_argument = given[name], declared[name].rich_help_panel is None
            for each in value if isinstance(value, list) else [value]:
                if isinstance(each, Path):
                    read.append(each)
                elif isinstance(each, str):  # NAME=FILE, like:FILE
                    parts = [each, *re.split("[=:]", each, maxsplit=1)]
                    read += [Path(part) for part in parts if is_argument or "." in part]
        for name, path in written.items():
            refuse_overwriting((declared[name].param_decls or [name])[-1], path, read)
        with ExitStack() as stack:
            for name, group in groups.items():
                given[name] = group(**{field: given.pop(field) for field in fields[name]})
                if hasattr(group, "__exit__"):
                    stack.push(given[name])
            run(**given)

    # a signature refuses a name that two groups use
    command.__signature__ = inspect.Signature(options)  # type: ignore[attr-defined]
    command.__annotations__ = {each.name: each.annotation for each in options}
    return command


def refuse_overwriting(name: str, output: Path, inputs: Iterable[Path]) -> None:
    """Refuse to write over a file that is read, or over one in a folder that is read."""
    from segscore.io.format import all_suffixes

    try:
        if not output.is_file():  # nothing there yet, or a pipe or a terminal, which loses nothing
            return
        could_be_read = output.suffix.lower() in all_suffixes()
        for path in filter(Path.exists, inputs):
            inside = path.is_dir() and output.resolve().is_relative_to(path.resolve())
            if (inside and could_be_read) or output.samefile(path):
                raise SegmentationError(
                    f"{name} is {str(output)!r}, which is read as input, too: expected another file"
                )
    except OSError:  # a name that cannot be looked at: whoever opens it will say why
        return
