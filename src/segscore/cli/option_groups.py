"""Options in groups, so that a command names what belongs together once.

A group is a frozen dataclass that derives from `OptionGroup`. Its fields are annotated as Typer
wants its options to be. A command's function takes groups as parameters; `with_groups` turns it
into what Typer registers: a function with all options one by one, in the order of the parameters,
which collects the values and passes the groups.

No command writes over a file that it reads, unless --force says so: options that name a file to
write are marked `Written`, and a command with such an option gets --force after its own options.
"""

import inspect
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from copy import copy
from dataclasses import dataclass, fields
from enum import StrEnum
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, ClassVar, TypeGuard, TypeVar

import typer
from typer.models import ParameterInfo

from segscore.errors import SegmentationError

Mark = TypeVar("Mark")


class Section(StrEnum):
    """The panels of options, the same in every command, in the order of the help."""

    COMPARED = "What is compared"
    PEOPLE = "People and places"
    SEGMENTERS = "Segmenters"
    SIMULATION = "Simulation"
    METRICS = "Metrics"
    STATISTICS = "Statistics"
    GATE = "Gate"
    READING = "Reading"
    CHUNKS = "Chunks"
    TIMES = "Times and words"
    COLUMNS = "Parquet and Arrow"
    PAGES = "Pages"
    OUTPUT = "Output"


@dataclass(frozen=True)
class Written:
    """Marks an option whose file is written; `name` is what messages call it."""

    name: str


@dataclass(frozen=True)
class NamesFile:
    """Marks an option whose text may name a file to read, after a sign such as `=`."""

    sign: str


class OptionGroup:
    """Options that belong together.

    `section` is where the help shows the options that name no section themselves.
    """

    section: ClassVar[Section | None] = None

    def around(self) -> AbstractContextManager[Any]:
        """A context around each command that takes the group as a parameter."""
        return nullcontext()


ForceOption = Annotated[
    bool,
    typer.Option(
        "--force",
        rich_help_panel=Section.OUTPUT,
        help="Write even over a file that is read as input.",
    ),
]
_FORCE = inspect.Parameter(
    "force", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=ForceOption
)


def with_groups(run: Callable[..., None], *, guarded: bool = True) -> Callable[..., None]:
    """The command as Typer registers it.

    guarded: False if the command reads no file.
    """
    own = inspect.signature(run, eval_str=True).parameters
    groups = {
        name: parameter.annotation
        for name, parameter in own.items()
        if _is_group(parameter.annotation)
    }
    options = [option for parameter in own.values() for option in _options_of(parameter)]
    if guarded and "force" not in own and _marks(options, Written):
        options.append(_FORCE)
    return _command(run, own, groups, sorted(options, key=_place_in_help))


def _command(
    run: Callable[..., None],
    own: Collection[str],
    groups: Mapping[str, type[OptionGroup]],
    options: Sequence[inspect.Parameter],
) -> Callable[..., None]:
    written, signs = _marks(options, Written), _marks(options, NamesFile)

    @wraps(run)
    def command(**given: Any) -> None:
        if not given.get("force", True):
            _refuse_overwriting(given, written, signs)
        if "force" not in own:
            given.pop("force", None)
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
        return _options_in(parameter.annotation)
    return [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)]


def _options_in(group: type[OptionGroup]) -> list[inspect.Parameter]:
    """The options of a group, each in a section of the help."""
    return [
        _in_section(parameter, group.section)
        for parameter in inspect.signature(group).parameters.values()
    ]


def _in_section(option: inspect.Parameter, section: Section | None) -> inspect.Parameter:
    """A copy of the option in the section, unless it names another; groups may share the
    original."""
    annotated: Any = Annotated
    marks = [_placed(mark, section) for mark in option.annotation.__metadata__]
    return option.replace(annotation=annotated[option.annotation.__origin__, *marks])


def _placed(mark: Any, section: Section | None) -> Any:
    if not isinstance(mark, ParameterInfo) or mark.rich_help_panel is not None:
        return mark
    placed = copy(mark)
    placed.rich_help_panel = section
    return placed


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
            f"{name} is {str(output)!r}, which is read as input, too: expected another file, or "
            "--force to write over it"
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
