"""Commands as Typer has them, which convert only what needs it, and take one metric once.

Typer converts values by Pydantic, whose import alone takes longer than NumPy's, and by an adapter
for each option that a command has, given or not. Texts, paths, choices and flags need none of that.
"""

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from typer.core import TyperArgument, TyperCommand, TyperGroup

from segscore.errors import SegmentationError


class Command(TyperCommand):
    """A command that starts quickly."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Take the options and arguments."""
        spare_conversions(self.get_params(ctx))
        return super().parse_args(ctx, args)

    def make_parser(self, ctx: Any) -> Any:
        """The parser, which refuses a second -m where a command takes one metric: the last would
        silently win."""
        parser = super().make_parser(ctx)
        parse = parser.parse_args

        def parse_args(args: list[str]) -> Any:
            found = parse(args)
            metrics = [option for option in found[2] if "-m" in option.opts and not option.multiple]
            if len(metrics) > 1:
                raise SegmentationError(f"-m is given {len(metrics)} times: expected once")
            return found

        parser.parse_args = parse_args  # type: ignore[method-assign]
        return parser

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


def spare_conversions(parameters: Iterable[Any]) -> None:
    """Let Typer convert only values that need it: it does so by Pydantic, whose import alone takes
    longer than NumPy's, and by an adapter for each option that a command has, given or not."""
    for parameter in parameters:
        parameter.process_value = partial(_processed, parameter)


def _processed(parameter: Any, context: Any, value: Any) -> Any:
    """The value of an option: at once where its type makes that easy, otherwise by Typer."""
    if value is None:
        known = not parameter.required
        made = () if parameter.multiple or parameter.nargs == -1 else None
    else:
        made = (
            None if _is_limited(parameter) else _easily(parameter.type_descriptor.annotation, value)
        )
        known = made is not None
    if not known:
        return type(parameter).process_value(parameter, context, value)
    return made if parameter.callback is None else parameter.callback(context, parameter, made)


def _is_limited(parameter: Any) -> bool:
    """Whether a value must meet more conditions than its type."""
    info = parameter.type_descriptor.parameter_info
    asked = (info.parser, info.exists, info.writable, info.resolve_path, info.path_type)
    numbers = (info.min is None, info.max is None)
    return any(asked) or not all((*numbers, info.file_okay, info.dir_okay))


def _easily(kind: Any, value: Any) -> Any:
    """The value converted to that type, or None if that needs more work.

    >>> _easily(list[Path], ("a", "b")) == [Path("a"), Path("b")], _easily(int, "3")
    (True, None)
    """
    if kind is Path and isinstance(value, str | Path):
        return Path(value)
    if get_origin(kind) is list and isinstance(value, list | tuple):
        made = [_easily(get_args(kind)[0], member) for member in value]
        return None if None in made else made
    is_choice = get_origin(kind) is Literal and value in get_args(kind)
    return value if is_choice or (kind in (str, int, float) and type(value) is kind) else None
