"""Which options a person typed and which have their defaults; the error for options that would have
no effect; and messages that name options of other commands.

Readers, metrics and checks are shared by commands, and their messages name the option that helps,
behind the keyword for Python: "expected marks= (--marks)". The command line shows the option alone.
If the running command has no such option, the message leaves it out and says that `segscore
convert` has it.
"""

import re
from collections.abc import Iterable, Mapping
from contextvars import ContextVar
from typing import Any, NamedTuple

from segscore.errors import SegmentationError

_IN_BRACKETS = re.compile(r"\s?\(([^()]*--[a-z][^()]*)\)")
_KEYWORD = r"\b[a-z_]+=('[^']*'|\"[^\"]*\"|\w+|…)?"
_BOTH = re.compile(rf"{_KEYWORD} \((--[a-z][^()]*)\)")  # marks='end' (--marks end)
_EITHER = re.compile(r"\b[a-z_]+='([^']*)' or '([^']*)' \((--[a-z][a-z-]*)\)")
_PYTHON = re.compile(r" \(in Python: [^()]*\)")  # what only helps those who program
_INSIDE = re.compile(rf"\({_KEYWORD}, (--[a-z][^()]*)\)")  # (marks=, --marks)
_TYPE = re.compile(r"(?<=')( \(str\))|(?<=\d) \((?:int|float)\)")  # what was typed has no type
_PARAMETER = re.compile(r"(?<!the )\b([a-z_]+) is (?=('[^']*'|[^\s:,]+))")  # n_resamples is 0
_CALLED = {"half_width": "--plan-width", "difference": "--plan"}  # parameters, and their options
_SAME = re.compile(r"\b([a-z]+(?:_[a-z]+)*) \((--[a-z][a-z-]*)\)")  # only_coders (--only-coders)
_OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*[a-z]")
_CONVERTS = {
    "--from", "--units", "--policy", "--layer", "--marks", "--map", "--document-name",
    "--durations", "--text", "--overlap", "--allow-gaps", "--gaps", "--keep-headings",
    "--each-heading", "--snap", "--word-times", "--base", "--similarity", "--separator",
    "--only-coders", "--without-coders", "--rename", "--rename-label", "--ignore-columns",
    "--empty", "--duplicates", "--all-sheets", "--ignore-sheets", "--one-document",
    "--text-encoding", "--large", "--lenient", "--lossy", "--unfinished",
}  # fmt: skip
"""Options of `segscore convert` about what is read and written: a test compares."""


class _Running(NamedTuple):
    """The running command: its options, those that were typed, and the values of all."""

    options: frozenset[str]
    typed: frozenset[str]
    values: Mapping[str, Any]


_running: ContextVar[_Running | None] = ContextVar("running_command", default=None)


def remember(context: Any) -> None:
    """Remember the options of a command, and which of them are typed, until the next command,
    because errors are reported after the command has ended.

    context: Typer's context, in which the options have been parsed.
    """
    parameters = context.command.get_params(context)
    names = (
        name for parameter in parameters for name in (*parameter.opts, *parameter.secondary_opts)
    )
    given = (
        name
        for parameter in parameters
        if is_typed(context, parameter.name)
        for name in _spelt(parameter, context.params.get(parameter.name))
    )
    values = {
        name: context.params.get(parameter.name)
        for parameter in parameters
        for name in parameter.opts
    }
    _running.set(_Running(frozenset(names), frozenset(given), values))


def is_typed(context: Any, parameter: str) -> bool:
    """Whether an option is on the command line, whatever its value."""
    source = context.get_parameter_source(parameter)
    return source is not None and source.name == "COMMANDLINE"


def _spelt(parameter: Any, value: Any) -> list[str]:
    """The names by which an option was typed: --no-percent is not --percent."""
    opposite = getattr(parameter, "is_bool_flag", False) and value is False
    return [*(parameter.secondary_opts if opposite else parameter.opts)]


def forget() -> None:
    """Forget the command: none is running."""
    _running.set(None)


def typed(option: str) -> bool:
    """Whether an option, by its long name, is on the command line."""
    running = _running.get()
    return running is not None and option in running.typed


def refuse_unused(used: Mapping[str, object], expected: str) -> None:
    """Raise for an option that was typed and would change nothing.

    used: whether each option has an effect here. expected: what would give it an effect.
    """
    for option, has_effect in used.items():
        if typed(option) and not has_effect:
            raise SegmentationError(
                f"{option} is given, and has no effect: expected {expected} beside it"
            )


def refuse_beside(options: Iterable[str], other: str) -> None:
    """Raise for an option that was typed and changes nothing of what `other` asks for."""
    for option in filter(typed, options):
        raise SegmentationError(
            f"{option} is given, and has no effect on {other}: expected one of them"
        )


def for_this_command(message: str) -> str:
    """A message without options that the running command does not have."""
    running = _running.get()
    return message if running is None else worded_for(running.options, message)


def naming_option(message: str) -> str:
    """An error about a parameter that names the option by which it was given: --resamples for
    n_resamples. The value must be that of the option: `-m "e-b(seed=-1)"` is not about --seed."""
    running = _running.get()
    if running is None:
        return message

    def option_of(found: re.Match[str]) -> str:
        name = _CALLED.get(found[1], f"--{found[1].removeprefix('n_').replace('_', '-')}")
        value = running.values.get(name)
        same = found[2] in (str(value), repr(value))
        return f"{name} is " if same and name in running.typed else found[0]

    return _PARAMETER.sub(option_of, message, count=1)


def worded_for(options: frozenset[str], message: str) -> str:
    """A message for a command with these options.

    >>> worded_for(frozenset({"--large"}), "expected marks= (--marks), or large=True (--large)")
    'expected marks=, or --large; segscore convert has --marks'
    >>> worded_for(frozenset({"--sep"}), "expected sep='|' (--sep), or another (sep=, --sep)")
    "expected --sep '|', or another (--sep)"
    >>> worded_for(frozenset({"--only-coders"}), "only_coders (--only-coders) has 'a' twice")
    "--only-coders has 'a' twice"
    >>> worded_for(frozenset(), "expected the document's name (document_name=, --document-name)")
    "expected the document's name (document_name=); segscore convert has --document-name"
    """
    message = _PYTHON.sub("", _TYPE.sub("", message))
    if "--" not in message:
        return message
    left_out: dict[str, None] = {}

    def alone(found: re.Match[str]) -> str:
        """The option without its keyword; it keeps the keyword's value if it has none itself."""
        if any(option not in options for option in _OPTION.findall(found[2])):
            return found[0]
        value = "" if found[1] in (None, "True", "…") or " " in found[2] else f" {found[1]}"
        return f"{found[2]}{value}"

    def either(found: re.Match[str]) -> str:
        return f"{found[3]} {found[1]} or {found[2]}" if found[3] in options else found[0]

    def inside(found: re.Match[str]) -> str:
        known = all(option in options for option in _OPTION.findall(found[2]))
        return f"({found[2]})" if known else found[0]

    def without(found: re.Match[str]) -> str:
        foreign = [option for option in _OPTION.findall(found[1]) if option not in options]
        if not foreign:
            return found[0]
        left_out.update(dict.fromkeys(foreign))
        kept, comma, _ = found[1].partition(f", {foreign[0]}")
        return f" ({kept})" if comma else ""

    def once(found: re.Match[str]) -> str:
        same = found[2] == f"--{found[1].replace('_', '-')}" and found[2] in options
        return found[2] if same else found[0]

    message = _SAME.sub(once, message)
    worded = _INSIDE.sub(inside, _EITHER.sub(either, _BOTH.sub(alone, message)))
    worded = _IN_BRACKETS.sub(without, worded)
    known = [option for option in left_out if option in _CONVERTS]
    return f"{worded}; segscore convert has {' and '.join(known)}" if known else worded
