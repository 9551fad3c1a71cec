"""The command line reference, from the parser itself: a page per command, and a list of all."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from segscore.cli.commands import COMMANDS, GROUPS, HELP, make_command

_HEAD = """\
# Command line

`segscore COMMAND --help` says the same in the terminal. Results go to stdout, remarks to stderr.

| exit code | meaning |
|---|---|
| 0 | done |
| 1 | a limit is not kept (`--fail-under` and others) |
| 2 | wrong input: one line says what is wrong, and what would be right |
| 3 | done, but some files were skipped (`--read on-error=skip`) |

`segscore --install-completion` teaches your shell (bash, zsh, fish or PowerShell) to complete
commands and options by the Tab key. `segscore --show-completion` prints what it would install.

"""
_TABLE = """\
## {group}

| command | what it does |
|---|---|
{rows}
"""


def commands() -> Iterator[tuple[str, Any]]:
    """All commands with their words, those of groups included."""
    for name in COMMANDS:
        command = make_command(name)
        below = getattr(command, "commands", None)
        if below is None:
            yield name, command
        else:
            yield from ((f"{name} {word}", other) for word, other in below.items())


def command_pages() -> dict[str, str]:
    """The text of each page."""
    found = dict(commands())
    pages = {f"commands/{_file(name)}.md": _page(name, one) for name, one in found.items()}
    tables = [
        _TABLE.format(group=group, rows="\n".join(_rows(names, found)))
        for group, names in GROUPS.items()
    ]
    entries = "\n".join(f"segscore {name} <{_file(name)}>" for name in found)
    listing = f"```{{toctree}}\n:hidden:\n\n{entries}\n```\n"
    pages["commands/index.md"] = "\n".join([_HEAD, *tables, listing])
    return pages


def _file(name: str) -> str:
    return name.replace(" ", "-")


def _rows(names: Iterable[str], found: Mapping[str, Any]) -> Iterator[str]:
    """The commands of a group; of a command with commands of its own, those."""
    for name, command in found.items():
        if name.partition(" ")[0] in names:
            purpose = _joined(command.help.partition("\n\n")[0])
            yield f"| [`segscore {name}`]({_file(name)}.md) | {_escaped(purpose)} |"


def _page(name: str, command: Any) -> str:
    name_shown = f"segscore {name}"
    context = command.context_class(command, info_name=name_shown, **HELP)
    usage = " ".join(command.collect_usage_pieces(context))
    parts = [f"# segscore {name}", f"```text\nsegscore {name} {usage}\n```"]
    parts += [_paragraph(one) for one in (command.help or "").strip().split("\n\n")]
    for title, rows in _panels(command, context).items():
        parts.append(f"## {title}")
        parts += [
            f"`{' '.join(left.split())}`\n: {_escaped(_joined(right))}" for left, right in rows
        ]
    return "\n\n".join(parts) + "\n"


def _panels(command: Any, context: Any) -> dict[str, list[tuple[str, str]]]:
    """What is said about arguments and options, by their panels."""
    found: dict[str, list[tuple[str, str]]] = {}
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is not None:  # not hidden
            usual = "Arguments" if parameter.param_type_name == "argument" else "Options"
            found.setdefault(parameter.rich_help_panel or usual, []).append(record)
    return found


def _paragraph(text: str) -> str:
    """A paragraph, or lines that have to stay lines."""
    lines = text.replace("\b", "").strip("\n")
    if text.startswith("\b") or lines.startswith("  "):
        return f"```text\n{lines}\n```"
    return _escaped(_joined(text))


def _joined(text: str) -> str:
    return " ".join(text.replace("\b", "").split())


def _escaped(text: str) -> str:
    """Plain words as Markdown: only code spans mean something."""
    parts = text.split("`")
    marks = str.maketrans({mark: f"\\{mark}" for mark in "*_<>[]|"})
    parts[::2] = [part.translate(marks) for part in parts[::2]]
    return "`".join(parts)
