"""Messages about settings once all options of a command have their values: those from a file, and
with --show-settings all of them."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from segscore.cli.output import OutputOptions, names_format, remark
from segscore.cli.settings_in_force import SettingsInForce, put_in_force, settings_in_force
from segscore.cli.settings_options import is_typed
from segscore.errors import SegmentationError
from segscore.tables.table import Table
from segscore.tables.view import Column


def settled(context: Any) -> bool:
    """Report which settings are in force, once all options have their values.

    Return False if only the values were requested.
    """
    if context.params.get("no_config") and context.params.get("config"):
        raise SegmentationError("--config and --no-config are both given: expected one of them")
    found = settings_in_force()
    if found is not None:
        if _names_format(context):
            context.params["form"] = None
        held = tuple(
            setting for setting in found.settings if not _is_beaten(context, setting.parameter)
        )
        found = replace(found, settings=held)
        put_in_force(found)
    if context.params.get("show_settings"):
        put_in_force(None)  # the table says it all
        OutputOptions(form=context.params.get("form")).show(_settings_table(context, found))
        return False
    _announce(found, context.params.get("config") or ())
    return True


def _is_beaten(context: Any, parameter: str) -> bool:
    """Whether the command line overrides the setting."""
    return is_typed(context, parameter) or (parameter == "form" and _names_format(context))


def _names_format(context: Any) -> bool:
    """Whether -o FILE.csv is typed and --format is not: the suffix overrides the format of a
    settings file."""
    file = context.params.get("file")
    typed = is_typed(context, "file") and not is_typed(context, "form")
    return typed and isinstance(file, Path) and names_format(file)


def _announce(found: SettingsInForce | None, named: Sequence[Path]) -> None:
    """Print a line if a file has settings, or if it was named."""
    if found is not None and found.settings:
        keys = ", ".join(setting.key for setting in found.settings)
        remark(f"settings from {found.file}: {keys}", one_line=True)
    elif named:
        remark(f"settings from {named[0]}: none for this command", one_line=True)


# ---- --show-settings ----

_DEFAULT = "default"


def _settings_table(context: Any, found: SettingsInForce | None) -> Table:
    """A row for each option: first what is typed or set, then the defaults."""
    sources = {setting.parameter: setting.source for setting in found.settings} if found else {}
    rows = [
        [option, _shown(value), "command line" if typed else sources.get(name, _DEFAULT)]
        for option, name, value, typed in _values(context)
    ]
    in_order = sorted(rows, key=lambda row: row[-1] == _DEFAULT)
    return Table([Column("option"), Column("value"), Column("from")], in_order)


def _values(context: Any) -> Iterator[tuple[str, str, Any, bool]]:
    """Option, name, value, and whether it is typed."""
    for param in context.command.params:
        if param.param_type_name == "option" and not param.is_eager:
            option = next(name for name in param.opts if name.startswith("--"))
            value = context.params.get(param.name)
            yield option, param.name, value, is_typed(context, param.name)


def _shown(value: Any) -> str | None:
    """A value as a settings file has it; empty if there is none."""
    if value is None or value == ():
        return None
    return json.dumps(value, ensure_ascii=False, default=str)
