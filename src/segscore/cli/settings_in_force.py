"""The settings of the running command that come from a file, so that results and errors can name
them.

The file itself is read in `settings_file.py`; nothing here needs TOML.
"""

import json
import re
import shlex
from collections.abc import Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from segscore.errors import visible


@dataclass(frozen=True)
class Setting:
    """An option whose value comes from a file.

    option: as it is typed, --metric.
    parameter: what the command calls it.
    words: the setting as typed on the command line.
    source: the file, and the part of it if it is for one command.
    """

    option: str
    parameter: str
    value: Any
    words: tuple[str, ...]
    source: str

    @property
    def key(self) -> str:
        """Its name in the file."""
        return self.option.removeprefix("--")


@dataclass(frozen=True)
class SettingsInForce:
    """The settings of one file that apply to one command."""

    file: str
    settings: tuple[Setting, ...]

    def __str__(self) -> str:
        listed = ", ".join(
            f"{setting.key} = {json.dumps(setting.value, ensure_ascii=False)}"
            for setting in self.settings
        )
        return f"{self.file}: {listed}"


_in_force: ContextVar[SettingsInForce | None] = ContextVar("settings_in_force", default=None)


def put_in_force(settings: SettingsInForce | None) -> None:
    """Apply the settings until the next command of this process."""
    _in_force.set(settings)


def settings_in_force() -> SettingsInForce | None:
    """The settings of the running command; None if no file sets any."""
    found = _in_force.get()
    return found if found is not None and found.settings else None


def is_setting(option: str) -> bool:
    """Whether the value of an option comes from a file."""
    found = settings_in_force()
    return found is not None and any(setting.option == option for setting in found.settings)


def origin_of_options(message: str) -> str:
    """The end of an error that names options set by a file."""
    found = settings_in_force()
    if found is None:
        return ""
    named = {*re.findall(r"--[a-z][a-z0-9-]*", message)}
    options = [setting.option for setting in found.settings if setting.option in named]
    if not options:
        return ""
    come = "comes" if len(options) == 1 else "come"
    return f" ({', '.join(options)} {come} from {found.file})"


def command_again(arguments: Sequence[str]) -> str:
    """The command as it was typed, with the settings of a file added to it and noted after a #."""
    found = settings_in_force()
    if found is None:
        return shlex.join(["segscore", *arguments])
    command, *others = _without_config(arguments)
    words = [word for setting in found.settings for word in setting.words]
    options = ", ".join(setting.option for setting in found.settings)
    typed = shlex.join(["segscore", command, "--no-config", *words, *others])
    return f"{typed}  # {options}: from {visible(found.file)}"


def _without_config(arguments: Sequence[str]) -> list[str]:
    """The arguments without --config FILE.

    >>> _without_config(["score", "--config", "my.toml", "a", "--config=b", "--config-x"])
    ['score', 'a', '--config-x']
    """
    found: list[str] = []
    before = ""
    for argument in arguments:
        if "--config" not in (before, argument) and not argument.startswith("--config="):
            found.append(argument)
        before = argument
    return found
