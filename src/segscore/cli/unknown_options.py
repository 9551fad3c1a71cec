"""What to type in place of an option that a command does not have.

The hints are computed: from the options that the help of the command shows, from those of all other
commands, which are imported only for such an error, and from the parameters of metrics. Only words
that no name resembles (`--no-ci`) are listed.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any, NamedTuple, get_args

from segscore.cli.help_text import old_names

_NEAR = 0.75  # how alike two names are at least, 0 to 1
_MOST_COMMANDS = 4  # that are named
_SAME = {  # what others call our options; the first that a command has is meant
    "--no-ci": ("--no-intervals",),
    "--no-confidence": ("--no-intervals",),
    "--ci": ("--level",),
    "--confidence": ("--level",),
    "--coder": ("--person", "--hypothesis", "--only-coders"),
    "--annotator": ("--person", "--hypothesis", "--only-coders"),
    "--values": ("--parameter",),
    "--out": ("--output",),
    "--bootstrap": ("--resamples",),
}


class ShownOption(NamedTuple):
    """An option as the help shows it: its name, its metavar, and its choices, if it has any."""

    name: str
    metavar: str
    choices: tuple[str, ...]

    @property
    def typed(self) -> str:
        """The option and what stands behind it, if that has a name."""
        return f"{self.name} {self.metavar}".rstrip()


def hints(name: str, context: Any, arguments: Sequence[str]) -> str:
    """The end of the message about an unknown option; "" if nothing is near it.

    context: Typer's, of the command. arguments: all that was typed.
    """
    own = shown_options(context.command)
    found = (
        [*_of_metrics(name, own, arguments)]
        or [*_elsewhere(name, context, own)]
        or [*_meant(name, own)]
    )
    return "".join(f"; {hint}" for hint in found)


def shown_options(command: Any) -> dict[str, ShownOption]:
    """The options of a command that its help shows, by their long names."""
    found = {}
    for param in command.params:
        long = [
            name for name in param.opts if name.startswith("--") and name not in old_names(param)
        ]
        if param.param_type_name == "option" and not param.hidden:
            for name in (*long, *param.secondary_opts):
                found[name] = ShownOption(name, param.metavar or "", _choices(param))
    return found


def commands_with(name: str, program: Any, but: str) -> list[str]:
    """The commands other than `but` whose help shows an option; all are imported for that."""
    found = []
    for command in program.commands:
        if command == but:
            continue
        if name in shown_options(program.commands[command]):
            found.append(command)
        below = getattr(program.commands[command], "commands", {})
        found += [
            f"{command} {subcommand}"
            for subcommand in below
            if name in shown_options(below[subcommand])
        ]
    return found


def told(commands: Sequence[str]) -> str:
    """Which commands have an option: `segscore score has it`."""
    shown = [f"segscore {command}" for command in commands[:_MOST_COMMANDS]]
    more = len(commands) - len(shown)
    listed = (
        ", ".join(shown) if more else " and ".join(filter(None, [", ".join(shown[:-1]), shown[-1]]))
    )
    verb = "has" if len(commands) == 1 else "have"
    return f"{listed}{f' and {more} more' if more else ''} {verb} it"


def near(name: str, known: Iterator[str] | Sequence[str] | Mapping[str, Any]) -> str | None:
    """The known name that looks most like `name`, if any does; dashes do not count."""
    rated = [(_alike(name, candidate), candidate) for candidate in known]
    best = max(rated, default=(0.0, ""))
    return best[1] if best[0] >= _NEAR else None


def _alike(name: str, other: str) -> float:
    first, second = (text.lstrip("-").casefold() for text in (name, other))
    return SequenceMatcher(None, first, second).ratio()


def _choices(parameter: Any) -> tuple[str, ...]:
    """The choices of an option, if it has any."""
    kind = getattr(getattr(parameter, "type_descriptor", None), "annotation", None)
    words = get_args(kind) or tuple(getattr(kind, "__members__", ()))
    return tuple(word for word in words if isinstance(word, str))


def _of_metrics(
    name: str, own: Mapping[str, ShownOption], arguments: Sequence[str]
) -> Iterator[str]:
    """The metric that has a parameter of this name, as it is typed with the value given."""
    if "--metric" not in own:
        return
    from segscore.metrics import DEFAULT_METRICS, METRICS, metric
    from segscore.metrics.full_names import HIERARCHICAL

    key = name.removeprefix("--").replace("-", "_")
    asked = [name for name in _values_of(arguments, "-m", "--metric") if name in METRICS]
    linear = [metric_name for metric_name in METRICS if not metric_name.startswith(HIERARCHICAL)]
    for metric_name in (*asked, *DEFAULT_METRICS, *linear):
        if key in metric(metric_name).signature_fields():
            value = next(_values_of(arguments, name), "…")
            yield f'it is a parameter of metrics: -m "{metric_name}({key}={value})"'
            return


def _values_of(arguments: Sequence[str], *names: str) -> Iterator[str]:
    """What stands behind an option, each time it is typed."""
    for argument, following in zip(arguments, [*arguments[1:], ""], strict=True):
        option, equals, value = argument.partition("=")
        if option in names and (equals or not following.startswith("-")):
            yield value if equals else following


def _elsewhere(name: str, context: Any, own: Mapping[str, ShownOption]) -> Iterator[str]:
    """The commands that have the option, and what this command has in its place."""
    root = context.find_root()
    words = _words(context)
    found = commands_with(name, root.command, words[0])
    if not found or name in _SAME:
        return
    yield told(found)
    stem = re.match(r"--[a-z]+-", name)
    alike = [
        option
        for option in own
        if stem and option.startswith(stem[0]) and not option.startswith("--no-")
    ]
    if alike:
        yield f"{' '.join(words)} has {' and '.join(alike)}"


def _words(context: Any) -> list[str]:
    before = [] if context.parent is None else _words(context.parent)
    return before if context.parent is None else [*before, context.info_name]


def _meant(name: str, own: Mapping[str, ShownOption]) -> Iterator[str]:
    """An option of the command that means or looks the same, or one of its choices."""
    same = next((option for option in _SAME.get(name, ()) if option in own), None)
    chosen = {word: option for option in own.values() for word in option.choices}
    choice = near(name, chosen)
    alike = same or near(name, own)
    if same is None and choice is not None and (
        alike is None or _alike(name, choice) > _alike(name, alike)
    ):  # fmt: skip
        yield f"did you mean {chosen[choice].name} {choice}?"
    elif alike is not None:
        yield f"did you mean {own[alike].typed}?"
