"""How commands show their help: options with what they expect, `--metric TEXT`, not a Python type.

Typer prints types as Python calls them, `<list[Path]>`. An option that needs a better word than
these names it by `metavar`.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from typer.core import TyperArgument, TyperCommand, TyperGroup

_TYPE = re.compile(r"<(?:list\[)?([^<>\]]+)\]?>(?:\.\.\.)?")
_WORDS = {
    "str": "TEXT", "path": "FILE", "Path": "FILE", "file": "FILE", "directory": "FOLDER",
    "int": "NUMBER", "float": "NUMBER", "int range": "NUMBER", "float range": "NUMBER",
}  # fmt: skip


class Command(TyperCommand):
    """A command whose help a person reads."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Arguments, then options, each with its help."""
        _write_options(self.get_params(ctx), ctx, formatter)

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """`REF [HYP…]`: in brackets what may be left out, … what may be repeated."""
        return list(self._usage(ctx))

    def _usage(self, ctx: Any) -> Iterator[str]:
        yield "[OPTIONS]"
        for parameter in self.get_params(ctx):
            if isinstance(parameter, TyperArgument):
                name = parameter.display_name_raw.strip("[]")
                yield name if parameter.required else f"[{name}]"


class Group(TyperGroup):
    """Commands under one name, with options of its own."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Options, then the commands."""
        _write_options(self.get_params(ctx), ctx, formatter)
        self.format_commands(ctx, formatter)

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """It may stand without a command of its own."""
        del ctx
        return ["[OPTIONS]", "[COMMAND]"]


def _write_options(parameters: Iterable[Any], ctx: Any, formatter: Any) -> None:
    found: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
    for parameter in parameters:
        record = parameter.get_help_record(ctx)
        if record is None:  # hidden
            continue
        if isinstance(parameter, TyperArgument):
            found["Arguments"].append((_TYPE.sub("", record[0]).strip(), record[1]))
        else:
            found["Options"].append((_TYPE.sub(_word, record[0]), _limits(record[1])))
    for title, rows in found.items():
        if rows:
            with formatter.section(title):
                formatter.write_dl(rows)


def _limits(text: str) -> str:
    """`[1<=x<=100]` in words.

    >>> _limits("In inches.  [1<=x<=100]"), _limits("How many.  [default: 1; x>=1]")
    ('In inches.  [1 to 100]', 'How many.  [default: 1; at least 1]')
    """
    return re.sub(r"\bx>=([\d.]+)", r"at least \1", re.sub(r"([\d.]+)<=x<=", r"\1 to ", text))


def _word(found: re.Match[str]) -> str:
    """What stands for a type: a word, or the choices as they are."""
    return " ".join(_WORDS.get(one, one) for one in found[1].split(","))
