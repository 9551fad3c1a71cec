"""The command line reference, from the parser itself: a page per command, and a list of all."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer.main

from segscore.cli import app

_HEAD = """\
# Command line

`segscore COMMAND --help` says the same in the terminal. Results go to stdout, remarks to stderr.

| exit code | meaning |
|---|---|
| 0 | done |
| 1 | a limit is not kept (`--fail-under` and others), or a reproduction failed |
| 2 | wrong input: one line says what is wrong, and what would be right |
| 3 | done, but some files were skipped (`--on-error skip`) |

| command | what it does |
|---|---|
"""


class _Recorder:
    """Stands in for the formatter of help texts and keeps what it is given."""

    def __init__(self) -> None:
        self.sections: dict[str, list[tuple[str, str]]] = {}
        self._title = ""

    @contextmanager
    def section(self, title: str) -> Iterator[None]:
        self._title = title
        yield

    def write_dl(self, rows: Any, **_: Any) -> None:
        self.sections.setdefault(self._title, []).extend(rows)


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
    rows, entries, pages = [], [], {}
    for name, command in found.items():
        page = name.replace(" ", "-")
        help_text = (command.help or "").strip()
        purpose = _joined(help_text.partition("\n\n")[0])
        rows.append(f"| [`segscore {name}`]({page}.md) | {purpose} |")
        entries.append(f"segscore {name} <{page}>")
        pages[f"commands/{page}.md"] = _page(name, command, help_text)
    listing = "\n".join(entries)
    pages["commands/index.md"] = (
        _HEAD + "\n".join(rows) + f"\n\n```{{toctree}}\n:hidden:\n\n{listing}\n```\n"
    )
    return pages


def _page(name: str, command: Any, help_text: str) -> str:
    context = command.context_class(command, info_name=f"segscore {name}")
    recorder = _Recorder()
    command.format_options(context, recorder)
    usage = " ".join(command.collect_usage_pieces(context))
    parts = [f"# segscore {name}", f"```text\nsegscore {name} {usage}\n```"]
    parts += [_paragraph(one) for one in help_text.split("\n\n")]
    for title, rows in recorder.sections.items():
        parts.append(f"## {title}")
        parts += [
            f"`{' '.join(left.split())}`\n: {_escaped(_joined(right))}" for left, right in rows
        ]
    return "\n\n".join(parts) + "\n"


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
