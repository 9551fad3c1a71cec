"""--config, --no-config and --show-settings, which every command has.

Settings are defaults: they go into Typer's `default_map` before it looks at other options, so
options on the command line take precedence. In a folder without segscore.toml this costs one check.
"""

import inspect
import os
from pathlib import Path
from typing import Annotated, Any

import typer

from segscore.cli.help_sections import Section
from segscore.cli.settings_in_force import put_in_force
from segscore.errors import SegmentationError

SETTINGS_FILE = "segscore.toml"


def _take_settings(context: typer.Context, given: list[Path] | None) -> list[Path] | None:
    """Make the settings of the file the defaults of this command."""
    put_in_force(None)
    if context.resilient_parsing:  # a shell completes a line
        return given
    if given and len(given) > 1:
        raise SegmentationError(
            f"--config is given {len(given)} times: expected it once, with all settings in one file"
        )
    if given:
        _refuse_both(context, "no_config")
    path = given[0] if given else Path(SETTINGS_FILE)
    if given or (not context.params.get("no_config") and os.path.lexists(path)):
        from segscore.cli.settings_file import read_settings

        found = read_settings(path, _words(context), context.find_root().command)
        put_in_force(found)
        context.default_map = {setting.parameter: setting.value for setting in found.settings}
    return given


def _take_none(context: typer.Context, given: bool) -> bool:
    """Read no file, unless one is named."""
    if given:
        _refuse_both(context, "config")
    return given


def _refuse_both(context: typer.Context, other: str) -> None:
    """Raise if the other of --config and --no-config is typed, too; the last of them calls this."""
    if context.params.get(other):
        raise SegmentationError("--config and --no-config are both given: expected one of them")


def _words(context: Any) -> tuple[str, ...]:
    """The words of the command: data, list."""
    before = () if context.parent is None else _words(context.parent)
    return before if context.parent is None else (*before, context.info_name)


SETTINGS_OPTIONS = {
    "config": (
        list[Path] | None,
        typer.Option(
            "--config",
            metavar="FILE",
            help="Read settings (defaults of options) from this TOML file instead of "
            "segscore.toml.",
            is_eager=True,
            rich_help_panel=Section.SETTINGS,
            callback=_take_settings,
        ),
        None,
    ),
    "no_config": (
        bool,
        typer.Option(
            "--no-config",
            help="Do not read segscore.toml.",
            is_eager=True,
            rich_help_panel=Section.SETTINGS,
            callback=_take_none,
        ),
        False,
    ),
    "show_settings": (
        bool,
        typer.Option(
            "--show-settings",
            help="Print the value of every option and where it comes from, and do nothing else.",
            is_eager=True,
            rich_help_panel=Section.SETTINGS,
        ),
        False,
    ),
}


def settings_parameters() -> list[inspect.Parameter]:
    """The options, as Typer wants them."""
    return [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=default,
            annotation=Annotated[kind, option],
        )
        for name, (kind, option, default) in SETTINGS_OPTIONS.items()
    ]


def without_settings_options(given: dict[str, Any]) -> dict[str, Any]:
    """The values of all other options."""
    return {name: value for name, value in given.items() if name not in SETTINGS_OPTIONS}


def is_typed(context: Any, parameter: str) -> bool:
    """Whether an option is on the command line, whatever its value."""
    source = context.get_parameter_source(parameter)
    return source is not None and source.name == "COMMANDLINE"
