"""The text of help: plain, at most 80 columns wide, every sentence whole.

Typer prints types as Python calls them, `<list[Path]>`; help here shows what an option expects,
`--metric TEXT`. An option that needs a better word gives it in `metavar`.
"""

import inspect
import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from typer.core import TyperArgument

from segscore.cli.help_sections import Section, ShortHelp

ARGUMENTS = "Arguments"

_TYPE = re.compile(r"<(?:list\[)?([^<>\]]+)\]?>(?:\.\.\.)?")
_WORDS = {
    "str": "TEXT", "path": "FILE", "Path": "FILE", "file": "FILE", "directory": "FOLDER",
    "int": "NUMBER", "float": "NUMBER", "int range": "NUMBER", "float range": "NUMBER",
}  # fmt: skip
_BETWEEN_SENTENCES = re.compile(r"(?<=[.?!])\s+")
_LEFT = 24  # columns of names, if the terminal is wide enough
_KEPT = "\xa0"  # a space at which no line is broken

Row = tuple[str, str]  # an option or an argument, and what is said about it


# ---- what is said ----


def sections(parameters: Iterable[Any], ctx: Any) -> dict[str, list[Row]]:
    """Arguments, and options by section, in the order of the help; hidden options are left out."""
    found: dict[str, list[Row]] = {ARGUMENTS: [], **{section.value: [] for section in Section}}
    for parameter in parameters:
        row = _row(parameter, ctx)
        if row is not None:
            title = ARGUMENTS if _is_argument(parameter) else Section(parameter.rich_help_panel)
            found[title].append(row)
    return {title: rows for title, rows in found.items() if rows}


def usual(parameters: Iterable[Any], ctx: Any, names: Sequence[str]) -> dict[str, list[Row]]:
    """Arguments, and the named options in the given order, each with a sentence."""
    arguments, options = [], {}
    for parameter in parameters:
        row = _row(parameter, ctx)
        if row is None:
            continue
        if _is_argument(parameter):
            arguments.append((row[0], _shortened(row[1])))
        for name in parameter.opts:
            options[name] = row[0], _shortened(row[1])
    return {ARGUMENTS: arguments, "Options": [options[name] for name in names]}


def rows(parameters: Iterable[Any], ctx: Any) -> list[Row]:
    """All options that are not hidden, in one list."""
    found = (_row(parameter, ctx) for parameter in parameters)
    return [row for row in found if row is not None]


def _row(parameter: Any, ctx: Any) -> Row | None:
    record = parameter.get_help_record(ctx)
    if record is None:  # hidden
        return None
    names, words = record
    if _is_argument(parameter):
        return _TYPE.sub("", names).strip(), words
    for old in old_names(parameter):
        names = names.replace(f", {old}", "", 1)
    return _TYPE.sub(_word, names), _limits(words)


def old_names(parameter: Any) -> list[str]:
    """The old names, which still work: all long names but the first."""
    return [name for name in parameter.opts if name.startswith("--")][1:]


def _is_argument(parameter: Any) -> bool:
    return isinstance(parameter, TyperArgument)


def _limits(text: str) -> str:
    """`[1<=x<=100]` in words.

    >>> _limits("In inches.  [1<=x<=100]"), _limits("How many.  [default: 1; x>=1]")
    ('In inches.  [1 to 100]', 'How many.  [default: 1; at least 1]')
    """
    return re.sub(r"\bx>=([\d.]+)", r"at least \1", re.sub(r"([\d.]+)<=x<=", r"\1 to ", text))


def _word(found: re.Match[str]) -> str:
    """What the help shows for a type: a word, or the choices."""
    return " ".join(_WORDS.get(part, part) for part in found[1].split(","))


def first_sentence(text: str) -> str:
    """The first sentence of a text.

    >>> first_sentence("A coder of REF, such as ann. May be repeated.")
    'A coder of REF, such as ann.'
    """
    return _BETWEEN_SENTENCES.split(" ".join(text.split()), maxsplit=1)[0]


def _shortened(text: str) -> str:
    """The first sentence about an option, and its default.

    >>> _shortened("Number of draws. More take longer.  [default: 100; at least 2]")
    'Number of draws.  [default: 100]'
    """
    words, _, rest = text.partition("  [")
    default = rest.rstrip("]").partition("; ")[0]
    return first_sentence(words) + (f"  [{default}]" if default.startswith("default") else "")


# ---- how it is written ----


def write_rows(formatter: Any, titled: Mapping[str, Sequence[Row]]) -> None:
    """Write each list under its heading; on a narrow terminal names get less room."""
    left = min(_LEFT, formatter.width * 2 // 5)
    for title, rows in titled.items():
        if rows:
            room = min(left, max(len(name) for name, _ in rows))
            lines = [line for row in rows for line in _lines(*row, room, formatter.width - 2)]
            write_lines(formatter, title, lines)


def _lines(name: str, words: str, left: int, width: int) -> Iterator[str]:
    """The help of an option beside its name, or below it if the name is long."""
    kept = words.replace("default: ", f"default:{_KEPT}")
    below = textwrap.wrap(kept, width - left - 2, break_long_words=False, break_on_hyphens=False)
    beside = below.pop(0) if below and len(name) <= left else ""
    yield f"{name:{left}}  {beside}".rstrip().replace(_KEPT, " ")
    yield from (f"{'':{left}}  {line}".replace(_KEPT, " ") for line in below)


def write_lines(formatter: Any, title: str, lines: Iterable[str]) -> None:
    """Write lines under a heading, without filling them."""
    with formatter.section(title):
        for line in lines:
            formatter.write(f"{'':>{formatter.current_indent}}{line}\n")


def write_end(formatter: Any, short: ShortHelp, words: str) -> None:
    """Write the end of a short help: its examples, and where the rest is."""
    write_lines(formatter, "Examples", short.examples)
    formatter.write_paragraph()
    formatter.write(f"All options: segscore {words} --help\n")


def summary(help_text: str | None) -> str:
    """The first paragraph of the help of a command, which is a sentence."""
    return " ".join(inspect.cleandoc(help_text or "").partition("\n\n")[0].split())


def words_of(ctx: Any) -> str:
    """The command as it is typed behind `segscore`: `data fetch`."""
    return " ".join(_names(ctx))


def _names(ctx: Any) -> Iterator[str]:
    if ctx.parent is not None:
        yield from _names(ctx.parent)
        yield ctx.info_name
