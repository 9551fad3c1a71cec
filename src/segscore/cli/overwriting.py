"""No command writes over a file that it reads, unless --force says so.

Every command that writes a file is wrapped once, here: the wrapper adds the option --force to it,
and looks at its arguments before it runs.
"""

import inspect
from collections.abc import Callable, Iterator
from functools import wraps
from pathlib import Path
from typing import Annotated, Any

import typer

from segscore.errors import SegmentationError

_WRITTEN = {
    "output": "-o",
    "target": "TARGET",
    "report": "--report",
    "junit": "--junit",
    "sums": "--sums",
    "errors": "--errors",
    "plot": "--plot",
}  # parameters, and options
_NAMED_INPUTS = {"systems": "=", "sizes": ":"}  # texts in which a file may follow a name

ForceOption = Annotated[
    bool, typer.Option("--force", help="Write even over a file that is read as input.")
]


def guarded(command: Callable[..., Any]) -> Callable[..., Any]:
    """The command, with --force if it writes a file."""
    signature = inspect.signature(command)
    if not any(_is_path(signature.parameters.get(name)) for name in _WRITTEN):
        return command

    @wraps(command)
    def run(*, force: bool = False, **given: Any) -> Any:
        if not force:
            _check(given)
        return command(**given)

    added = inspect.Parameter(
        "force", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=ForceOption
    )
    run.__signature__ = signature.replace(parameters=[*signature.parameters.values(), added])  # type: ignore[attr-defined]
    run.__annotations__ = {**command.__annotations__, "force": ForceOption}
    return run


def _is_path(parameter: inspect.Parameter | None) -> bool:
    return parameter is not None and "Path" in str(parameter.annotation)


def _check(given: dict[str, Any]) -> None:
    outputs = {name: given[name] for name in _WRITTEN if isinstance(given.get(name), Path)}
    for name, output in outputs.items():
        for path in _inputs(given):
            if _is_read(output, path):
                raise SegmentationError(
                    f"{_WRITTEN[name]} is {str(output)!r}, which is read as input, too: expected "
                    "another file, or --force to write over it"
                )


def _inputs(given: dict[str, Any]) -> Iterator[Path]:
    """All files and folders among the arguments that are read."""
    for name, value in given.items():
        if name in _WRITTEN:
            continue
        for one in value if isinstance(value, list | tuple) else [value]:
            if isinstance(one, Path):
                yield one
            elif isinstance(one, str) and name in _NAMED_INPUTS:
                yield Path(one)
                yield Path(one.partition(_NAMED_INPUTS[name])[2] or one)


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
