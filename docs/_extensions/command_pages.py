"""The command line reference, from the parser itself: a page per command, and a list of all."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import typer.main

from segscore.cli import app, help_text
from segscore.cli.command_list import GROUPS
from segscore.cli.help_sections import short_help_of

_HEAD = """\
# Command line

`segscore COMMAND --help` says the same in the terminal, and `segscore COMMAND -h` on one screen
what people use most. Results go to stdout, remarks to stderr.

| exit code | meaning |
|---|---|
| 0 | done |
| 1 | a limit is not kept (`--fail-under` and others) |
| 2 | wrong input: one line says what is wrong, and what would be right |
| 3 | done, but some files were skipped (`--on-error skip`) |

`segscore --install-completion` teaches your shell (bash, zsh, fish or PowerShell) to complete
commands, options and their values by the Tab key: metrics, segmenters, formats, corpora and
kinds of pictures. `segscore --show-completion` prints what it would install.

"""
_TABLE = """\
## {group}

| command | what it does |
|---|---|
{rows}
"""


def commands(group: Any, *before: str) -> Iterator[tuple[str, Any]]:
    """All commands with their words, those of groups included."""
    for name, command in group.commands.items():
        words = (*before, name)
        if hasattr(command, "commands"):
            yield from commands(command, *words)
        else:
            yield " ".join(words), command


def command_pages() -> dict[str, str]:
    """The text of each page."""
    found = dict(commands(typer.main.get_command(app)))
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
            purpose = help_text.summary(command.help)
            yield f"| [`segscore {name}`]({_file(name)}.md) | {_escaped(purpose)} |"


def _page(name: str, command: Any) -> str:
    context = command.context_class(command, info_name=f"segscore {name}")
    usage = " ".join(command.collect_usage_pieces(context))
    parts = [f"# segscore {name}", f"```text\nsegscore {name} {usage}\n```"]
    parts += [_paragraph(one) for one in (command.help or "").strip().split("\n\n")]
    parts += ["## Examples", _code(short_help_of(command.callback).examples)]
    for title, rows in help_text.sections(command.get_params(context), context).items():
        parts.append(f"## {title}")
        parts += [
            f"`{' '.join(left.split())}`\n: {_escaped(_joined(right))}" for left, right in rows
        ]
    return "\n\n".join(parts) + "\n"


def _code(lines: Iterable[str]) -> str:
    return "\n".join(["```sh", *lines, "```"])


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
