"""Options in groups, so that a command names what belongs together once.

A group is a frozen dataclass that derives from `OptionGroup`. Its fields are annotated as Typer
wants its options to be. A command's function takes groups as parameters; `with_groups` turns it
into what Typer registers: a function with all options one by one, in the order of the parameters,
which collects the values and passes the groups.

No command writes over a file that it reads: options that name a file to write are marked `Written`.
"""

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass, fields
from enum import StrEnum
from functools import wraps
from pathlib import Path
from typing import Any, TypeGuard, TypeVar

import typer
from typer.models import ParameterInfo

from segscore.errors import SegmentationError

Mark = TypeVar("Mark")


class Section(StrEnum):
    """The panels of options, the same in every command, in the order of the help."""

    OWN = "Options"  # what a command is about
    STATISTICS = "Statistics"
    READING = "Reading"
    OUTPUT = "Output"


def option(names: str, section: Section, text: str, metavar: str = "", **more: Any) -> Any:
    """An option as Typer declares it: "--metric -m" are its spellings, `text` is its help, of some
    forty characters if it is to be one line, and a flag has no metavar."""
    more |= {"rich_help_panel": section, "help": text, "metavar": metavar}
    return typer.Option(*names.split(), show_default=False, **more)


@dataclass(frozen=True)
class Written:
    """Marks an option whose file is written; `name` is what messages call it."""

    name: str


@dataclass(frozen=True)
class NamesFile:
    """Marks an option whose text may name a file to read, after a sign such as `=`."""

    sign: str


class OptionGroup:
    """Options that belong together."""

    def around(self) -> AbstractContextManager[Any]:
        """A context around each command that takes the group as a parameter."""
        return nullcontext()


def with_groups(run: Callable[..., None]) -> Callable[..., None]:
    """The command as Typer registers it."""
    own = inspect.signature(run, eval_str=True).parameters
    groups = {
        name: parameter.annotation
        for name, parameter in own.items()
        if _is_group(parameter.annotation)
    }
    options = sorted(
        (option for parameter in own.values() for option in _options_of(parameter)),
        key=_place_in_help,
    )
    written, signs = _marks(options, Written), _marks(options, NamesFile)

    @wraps(run)
    def command(**given: Any) -> None:
        _refuse_overwriting(given, written, signs)
        made = {name: _collected(kind, given) for name, kind in groups.items()}
        with ExitStack() as stack:
            for group in made.values():
                stack.enter_context(group.around())
            run(**given, **made)

    # a signature refuses a name that two groups use
    command.__signature__ = inspect.Signature(options)  # type: ignore[attr-defined]
    command.__annotations__ = {option.name: option.annotation for option in options}
    return command


def _place_in_help(option: inspect.Parameter) -> int:
    """The place of an option's panel; arguments, which have none, come first."""
    marks = getattr(option.annotation, "__metadata__", ())
    panels = (mark.rich_help_panel for mark in marks if isinstance(mark, ParameterInfo))
    panel = next(panels, None)
    return 0 if panel is None else 1 + list(Section).index(panel)  # type: ignore[arg-type]


def _is_group(annotation: Any) -> TypeGuard[type[OptionGroup]]:
    return isinstance(annotation, type) and issubclass(annotation, OptionGroup)


def _options_of(parameter: inspect.Parameter) -> Iterable[inspect.Parameter]:
    """The options of a group, or the parameter itself."""
    if _is_group(parameter.annotation):
        return inspect.signature(parameter.annotation).parameters.values()
    return [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)]


def _collected(group: type[OptionGroup], given: dict[str, Any]) -> OptionGroup:
    """The group, built from its own values, which are removed from the given values."""
    return group(**{field.name: given.pop(field.name) for field in fields(group)})  # type: ignore[arg-type]


# ---- files that are read and written ----


def _marks(options: Iterable[inspect.Parameter], kind: type[Mark]) -> dict[str, Mark]:
    """The marks of this kind, by the names of the options that have such a mark."""
    return {
        option.name: mark
        for option in options
        for mark in getattr(option.annotation, "__metadata__", ())
        if isinstance(mark, kind)
    }


def _refuse_overwriting(
    given: Mapping[str, Any], written: Mapping[str, Written], signs: Mapping[str, NamesFile]
) -> None:
    inputs = list(_inputs({k: v for k, v in given.items() if k not in written}, signs))
    for name, output in given.items():
        if name in written and output is not None:
            refuse_overwriting(written[name].name, output, inputs)


def refuse_overwriting(name: str, output: Path, inputs: Iterable[Path]) -> None:
    """Refuse to write over a file that is read."""
    if any(_is_read(output, path) for path in inputs):
        raise SegmentationError(
            f"{name} is {str(output)!r}, which is read as input, too: expected another file"
        )


def _inputs(given: Mapping[str, Any], signs: Mapping[str, NamesFile]) -> Iterator[Path]:
    """All files and folders among the arguments."""
    for name, value in given.items():
        for member in value if isinstance(value, list | tuple) else [value]:
            if isinstance(member, Path):
                yield member
            elif name in signs and isinstance(member, str):
                yield Path(member)
                yield Path(member.partition(signs[name].sign)[2] or member)


def _is_read(output: Path, path: Path) -> bool:
    """Whether an output is an input, or one of the files that are read from an input folder."""
    from segscore.io.registry import all_suffixes

    try:
        if not output.is_file():  # nothing there yet, or a pipe or a terminal, which loses nothing
            return False
        if path.is_dir():
            inside = output.resolve().is_relative_to(path.resolve())
            return inside and output.suffix.lower() in all_suffixes()
        return path.exists() and output.samefile(path)
    except OSError:  # a name that cannot be looked at: whoever opens it will say why
        return False
