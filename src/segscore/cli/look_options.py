"""The options that say how tables look: the same for every command that prints one.

`with_look` adds them to a command; `segscore.cli.output` asks for what was chosen. A command's own
function need not know of them.
"""

import functools
import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Annotated, Any, NamedTuple

import typer

from segscore.errors import SegmentationError
from segscore.tables.look import Look


class TableOptions(NamedTuple):
    """What to change of tables, how wide text may be (None: as wide as the screen), and whether to
    explain how to read the numbers."""

    look: Look = Look()
    width: int | None = None
    explain: bool = False


_OPTIONS = {
    "width": (
        int | None,
        typer.Option(
            "--width", help="Columns of text; by default the terminal's, or 100 without one."
        ),
    ),
    "digits": (
        int | None,
        typer.Option("--digits", help="Decimals of numbers."),
    ),
    "percent": (bool, typer.Option("--percent", help="Show shares in percent.")),
    "show_columns": (
        str | None,
        typer.Option(
            "--show-columns",
            metavar="NAMES",
            help="The columns to show, with commas between them: system,pk.",
        ),
    ),
    "no_intervals": (
        bool,
        typer.Option("--no-intervals", help="Leave confidence intervals out."),
    ),
    "caption": (
        str | None,
        typer.Option("--caption", metavar="TEXT", help="Title of the table."),
    ),
    "label": (
        str | None,
        typer.Option(
            "--label", metavar="NAME", help="Label of the table in LaTeX (tab:x), its id in HTML."
        ),
    ),
    "explain": (
        bool,
        typer.Option("--explain", help="Say below the tables how to read the numbers."),
    ),
}
_USUAL = TableOptions()
_chosen: ContextVar[TableOptions] = ContextVar("table_options", default=_USUAL)


def table_options() -> TableOptions:
    """What was chosen for the command that runs."""
    return _chosen.get()


@contextmanager
def _chosen_for_one_command(options: TableOptions) -> Iterator[None]:
    token = _chosen.set(options)
    try:
        yield
    finally:
        _chosen.reset(token)


def with_look(run: Callable[..., Any]) -> Callable[..., Any]:
    """The command with the options for tables behind its own; as it is if it prints no table."""
    signature = inspect.signature(run, eval_str=True)
    if "form" not in signature.parameters:
        return run

    @functools.wraps(run)
    def looked(**given: Any) -> Any:
        chosen = {name: given.pop(name) for name in _OPTIONS}
        if chosen["width"] is not None and chosen["width"] < 1:
            raise SegmentationError(f"--width is {chosen['width']}: expected 1 or more")
        names = (chosen["show_columns"] or "").split(",")
        look = Look(
            chosen["digits"],
            chosen["percent"],
            tuple(name.strip() for name in names if name.strip()),
            not chosen["no_intervals"],
            chosen["caption"],
            chosen["label"],
        )
        with _chosen_for_one_command(TableOptions(look, chosen["width"], chosen["explain"])):
            return run(**given)

    added = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=False if kind is bool else None,
            annotation=Annotated[kind, option],
        )
        for name, (kind, option) in _OPTIONS.items()
    ]
    own = [
        one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in signature.parameters.values()
    ]
    looked.__signature__ = signature.replace(parameters=[*own, *added])  # type: ignore[attr-defined]
    looked.__annotations__ = {one.name: one.annotation for one in (*own, *added)}
    return looked
