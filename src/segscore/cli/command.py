"""Commands as Typer has them, with help that a person reads, and quick to start.

Typer prints types as Python calls them, `<list[Path]>`; help here shows what an option expects,
`--metric TEXT`. An option that needs a better word than these names it by `metavar`.
"""

import re
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from typer.core import TyperArgument, TyperCommand, TyperGroup

from segscore.cli.settings_shown import settled

_TYPE = re.compile(r"<(?:list\[)?([^<>\]]+)\]?>(?:\.\.\.)?")
_WORDS = {
    "str": "TEXT", "path": "FILE", "Path": "FILE", "file": "FILE", "directory": "FOLDER",
    "int": "NUMBER", "float": "NUMBER", "int range": "NUMBER", "float range": "NUMBER",
}  # fmt: skip


class Command(TyperCommand):
    """A command whose help a person reads."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Take the options and arguments."""
        spare_conversions(self.get_params(ctx))
        return super().parse_args(ctx, args)

    def make_parser(self, ctx: Any) -> Any:
        """The parser, which knows the opposite of each flag."""
        return _with_opposites(super().make_parser(ctx), self.get_params(ctx))

    def invoke(self, ctx: Any) -> Any:
        """Run it, unless only its settings are to be shown."""
        return super().invoke(ctx) if settled(ctx) else None

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

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Take the options and arguments."""
        spare_conversions(self.get_params(ctx))
        return super().parse_args(ctx, args)

    def make_parser(self, ctx: Any) -> Any:
        """The parser, which knows the opposite of each flag."""
        return _with_opposites(super().make_parser(ctx), self.get_params(ctx))

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


# ---- values of options ----


def _with_opposites(parser: Any, parameters: Iterable[Any]) -> Any:
    """Let --no-percent take back what a settings file says by `percent = true`."""
    flags = [one for one in parameters if getattr(one, "is_bool_flag", False)]
    known = {name for one in parameters for name in (*one.opts, *one.secondary_opts)}
    for one in flags:
        named = one.opts[-1].removeprefix("--")
        opposite = f"--{named.removeprefix('no-')}" if named[:3] == "no-" else f"--no-{named}"
        if not one.secondary_opts and not one.is_eager and opposite not in known:
            parser.add_option(
                obj=one, opts=[opposite], dest=one.name, action="store_const", const=False
            )
    return parser


def spare_conversions(parameters: Iterable[Any]) -> None:
    """Let Typer convert only values that need it: it does so by Pydantic, whose import alone takes
    longer than NumPy's, and by an adapter for each option that a command has, given or not."""
    for one in parameters:
        one.process_value = partial(_processed, one)


def _processed(parameter: Any, context: Any, value: Any) -> Any:
    """The value of an option: at once where its type makes that easy, otherwise by Typer."""
    if value is None:
        # who only asks for settings need not name files
        known = not parameter.required or bool(context.params.get("show_settings"))
        made = () if _takes_several(parameter) else None
    else:
        made = (
            None if _is_limited(parameter) else _easily(parameter.type_descriptor.annotation, value)
        )
        known = made is not None
    if not known:
        return type(parameter).process_value(parameter, context, value)
    return made if parameter.callback is None else parameter.callback(context, parameter, made)


def _takes_several(parameter: Any) -> bool:
    return bool(parameter.multiple or parameter.nargs == -1)


def _is_limited(parameter: Any) -> bool:
    """Whether more is asked of a value than its type."""
    info = parameter.type_descriptor.parameter_info
    asked = (info.parser, info.exists, info.writable, info.resolve_path, info.path_type)
    numbers = (info.min is None, info.max is None)
    return any(asked) or not all((*numbers, info.file_okay, info.dir_okay))


def _easily(kind: Any, value: Any) -> Any:
    """The value of that type, or None where it takes more than a look.

    >>> _easily(list[Path], ("a", "b")) == [Path("a"), Path("b")], _easily(int, "3")
    (True, None)
    """
    if kind is Path and isinstance(value, str | Path):
        return Path(value)
    if get_origin(kind) is list and isinstance(value, list | tuple):
        made = [_easily(get_args(kind)[0], one) for one in value]
        return None if None in made else made
    is_choice = get_origin(kind) is Literal and value in get_args(kind)
    return value if is_choice or (kind in (str, int, float) and type(value) is kind) else None
