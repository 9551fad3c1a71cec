"""Settings of the command line in a TOML file: `segscore.toml`, or the file of --config.

    metric = ["windowdiff", "b"]      # for every command that has --metric
    check = false                     # --no-check

    [compare]                         # for `segscore compare` alone
    seed = 3

Names are the long names of options. Such a file may come with data that somebody else made, so it
cannot do what its maker should not decide: options that import code, that write or name files, or
that lift a limit are refused (`option_marks.only_typed`). A value must have the type of its
option; nothing is converted.
"""

import inspect
import json
import stat
import tomllib
from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args, get_origin

from segscore.cli.option_marks import OnlyTyped, has_own_meaning, only_typed
from segscore.cli.settings_in_force import Setting, SettingsInForce
from segscore.errors import SegmentationError, nearest

LARGEST = 64 * 1024  # bytes
_LONGEST = 60  # characters of a value in a message
_RIGHT_FORM = {
    bool: "true or false", int: "a whole number", float: "a number", str: "a text in quotes",
}  # fmt: skip


class _Place(NamedTuple):
    """The place of a setting in its file, and the words of the command that takes it."""

    source: str
    words: tuple[str, ...]

    @property
    def hint(self) -> str:
        """What to do about a value that other commands may take."""
        own = f"[{self.words[0]}]"
        return "" if self.source.endswith(own) else f"; {own} can have a value of its own"


class SettableOption(NamedTuple):
    """An option as a settings file sees it."""

    parameter: Any  # as Typer has it
    refusal: OnlyTyped | None
    is_shared: bool  # whether what is set for all commands is for it, too

    @property
    def kind(self) -> Any:
        """The type of its value."""
        return self.parameter.type_descriptor.annotation


def read_settings(path: Path, words: tuple[str, ...], program: Any) -> SettingsInForce:
    """The settings of the file for a command.

    words: the words of the command, such as data, list.
    program: all commands.
    """
    file = str(path)
    everything = _parsed(path)
    parts = {key: value for key, value in everything.items() if isinstance(value, dict)}
    for name in parts:
        if name not in program.commands:
            raise SegmentationError(
                f"{file}: [{name}] is not a command{nearest(name, program.commands)}"
            )
    command = program.commands[words[0]]
    family = options_of(command)
    for word in words[1:]:
        command = command.commands[word]
    own = options_of(command, below=False)
    shared = {key: option for key, option in own.items() if option.is_shared}
    part = f"{file} [{words[0]}]"
    common = {key: value for key, value in everything.items() if key not in parts}
    found = {
        **_taken(common, shared, _Place(file, words), lambda key: _of_others(key, file, program)),
        **_taken(
            parts.get(words[0], {}), own, _Place(part, words),
            lambda key: _of_family(key, part, family, program, words[0]),
        ),
    }  # fmt: skip
    return SettingsInForce(file, tuple(found.values()))


def _parsed(path: Path) -> dict[str, Any]:
    """The file as TOML reads it."""
    if path.is_symlink() and not path.exists():
        raise SegmentationError(f"{path} is a link to a file that is not there: expected settings")
    if not path.exists():
        raise SegmentationError(f"--config is {str(path)!r}, and there is no such file")
    if not stat.S_ISREG(path.stat().st_mode):
        raise SegmentationError(
            f"{path} is not a regular file: expected a file of settings in TOML"
        )
    with path.open("rb") as file:
        content = file.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise SegmentationError(
            f"{path} is larger than {LARGEST // 1024} kB: expected a file of settings in TOML"
        )
    try:
        return tomllib.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise SegmentationError(f"{path} is not in UTF-8: expected a file of settings") from error
    except (ValueError, RecursionError) as error:  # of TOML, and of numbers of 5,000 digits
        raise SegmentationError(f"{path} is not TOML: {error}") from error


# ---- names ----


def options_of(command: Any, below: bool = True) -> dict[str, SettableOption]:
    """The options of a command, and of commands below it, by their long names without dashes.

    Old names, which no help shows, are left out.
    """
    declared = inspect.signature(command.callback).parameters
    found = {}
    for param in command.params:
        long = [name for name in param.opts if name.startswith("--")]
        if param.param_type_name == "option" and long and not param.hidden:
            shared = not has_own_meaning(declared[param.name])
            found[long[0].removeprefix("--")] = SettableOption(
                param, _refusal(param, declared), shared
            )
    for other in getattr(command, "commands", {}).values() if below else ():
        found = {**options_of(other), **found}
    return found


def _refusal(option: Any, declared: Mapping[str, inspect.Parameter]) -> OnlyTyped | None:
    """Why a file cannot set an option; eager options decide which file is read."""
    if option.is_eager:
        return OnlyTyped("it says which settings hold")
    return only_typed(declared[option.name])


def _of_others(key: str, file: str, program: Any) -> SettableOption:
    """The option with this name of any other command."""
    known: dict[str, SettableOption] = {}
    for name in program.commands:
        known |= options_of(program.commands[name])
        if key in known:
            return known[key]
    raise SegmentationError(f"{file}: {key!r} is not an option of any command{_near(key, known)}")


def _of_family(
    key: str, part: str, family: Mapping[str, SettableOption], program: Any, command: str
) -> SettableOption:
    """The option with this name of a command, or of a command below it."""
    if key in family:
        return family[key]
    from segscore.cli.unknown_options import commands_with, told

    others = commands_with(f"--{key}", program, command)
    hint = f"; {told(others)}" if others else _near(key, family)
    raise SegmentationError(f"{part}: {key!r} is not an option of this command{hint}")


def _near(key: str, known: Mapping[str, SettableOption]) -> str:
    """The name that may have been meant."""
    opposite = key.removeprefix("no-")
    if opposite != key and opposite in known and known[opposite].kind is bool:
        return f": expected {opposite} = false"
    allowed = sorted(name for name, option in known.items() if option.refusal is None)
    meant, _, _ = nearest(key, allowed).partition(":")
    return f"{meant}: expected the long name of an option without its dashes"


# ---- values ----


def _taken(
    given: Mapping[str, Any],
    own: Mapping[str, SettableOption],
    place: _Place,
    elsewhere: Callable[[str], SettableOption],
) -> dict[str, Setting]:
    """The settings that the command has, by its names for them.

    elsewhere: finds options that only other commands have, which are left out.
    """
    found: dict[str, Setting] = {}
    for key, value in given.items():
        option = own.get(key)
        _refuse(key, value, option or elsewhere(key), place.source)
        if option is None:
            continue
        setting = _setting(key, value, option, place)
        found[setting.parameter] = setting
    return found


def _refuse(key: str, value: Any, option: SettableOption, source: str) -> None:
    """Raise for an option that a file cannot set."""
    refusal = option.refusal
    if refusal is None:
        return
    values = value if isinstance(value, list) else [value]
    if refusal.unless and all(
        isinstance(member, str) and refusal.unless in member for member in values
    ):
        return
    raise SegmentationError(
        f"{source} sets {key}: {refusal.why}, which a settings file may not do; expected it on "
        "the command line"
    )


def _setting(key: str, value: Any, option: SettableOption, place: _Place) -> Setting:
    kind = option.kind
    several = get_origin(kind) is list
    taken = [value] if several and not isinstance(value, list) else value
    if kind is str and isinstance(value, list) and len(value) == 1:
        taken = value[0]  # other commands take several
    if not _fits(kind, taken):
        raise SegmentationError(
            f"{place.source}: {key} is {_written(value)}: expected {_right_form(key, kind)}"
            f"{_alone(value, kind)} for segscore {' '.join(place.words)}{place.hint}"
        )
    parameter = option.parameter
    name = f"--{key}"
    return Setting(name, parameter.name, taken, tuple(_typed(name, taken, parameter)), place.source)


def _alone(value: Any, kind: Any) -> str:
    """A remark on a list for an option that takes one value."""
    listed = isinstance(value, list) and len(value) > 1 and get_origin(kind) not in (list, tuple)
    return ", and no list of several," if listed else ""


def _fits(kind: Any, value: Any) -> bool:
    """Whether a TOML value has this type.

    >>> _fits(int, 3), _fits(int, True), _fits(float, 3), _fits(list[str], ["a", 1])
    (True, False, True, False)
    """
    inner = get_args(kind)
    if get_origin(kind) is list:
        return isinstance(value, list) and all(_fits(inner[0], member) for member in value)
    if get_origin(kind) is tuple:
        return isinstance(value, list) and [*map(type, value)] == [*inner]
    choices = _choices(kind)
    if choices:
        return isinstance(value, str) and value in choices
    if kind is float:
        return type(value) in (int, float)
    return type(value) is kind


def _choices(kind: Any) -> tuple[str, ...]:
    if get_origin(kind) is Literal:
        return tuple(get_args(kind))
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return tuple(choice.value for choice in kind)
    return ()


def _written(value: Any) -> str:
    """A value as written in the file, cut short."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _right_form(key: str, kind: Any) -> str:
    """What an option takes, in words."""
    inner = get_args(kind)
    if get_origin(kind) is list:
        return f'{_right_form(key, inner[0])}, or a list of them, as in {key} = ["…", "…"]'
    if get_origin(kind) is tuple:
        return f"a list of {len(inner)} texts"
    choices = _choices(kind)
    if choices:
        return "one of " + ", ".join(f'"{choice}"' for choice in choices)
    return _RIGHT_FORM[kind]


def _typed(option: str, value: Any, parameter: Any) -> Iterator[str]:
    """The words of a setting on the command line."""
    if value is True:
        yield option
    elif value is False:
        yield from parameter.secondary_opts[:1]
    elif parameter.nargs != 1:
        yield from (option, *value)
    else:
        for member in value if isinstance(value, list) else [value]:
            yield f"{option}={member}"
