"""Text with headings (Markdown), and plain text whose segments are apart by blank lines.

`markdown`: `# Title` … `###### Title`, or a title underlined with `===` (level 1) or `---` (level
2). The rank of a boundary is the level of the heading, the title is the label. Headings are no
units. Lines inside a fenced block of code are text. Units are paragraphs, unless units= says
otherwise.

`text`: a blank line, or several, between segments; units are lines, unless units= says otherwise.
No ranks and no labels.
"""

import re
from collections.abc import Iterator

from segscore.io.base import Format
from segscore.io.files import Source
from segscore.io.outlines import Outline
from segscore.records import Record
from segscore.text.unit_splitting import TEXT_RULES, text_units

_HEADING = re.compile(r" {0,3}(#{1,6})(?=[ \t]|\Z)")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")


def read_markdown(source: Source) -> Iterator[Record]:
    """The one record of a file."""
    rule = _rule(source, "paragraphs")
    outline = Outline(source)
    block: list[str] = []
    fence = ""

    def close() -> None:
        outline.units(text_units("\n".join(block), rule).texts or ())
        block.clear()

    for line in source.read_lines():
        marked = _FENCE.match(line)
        if marked is not None and (not fence or marked[1].startswith(fence)):
            fence = "" if fence else marked[1]
        heading = None if fence else _HEADING.match(line)
        underline = None if fence else _UNDERLINE.fullmatch(line)
        if heading is not None:
            close()
            outline.heading(len(heading[1]), _title(line[heading.end() :]))
        elif underline is not None and block and _is_title(block):
            title = block.pop().strip()
            close()
            outline.heading(1 if "=" in underline[1] else 2, title)
        else:
            block.append(line)
    close()
    yield outline.record()


def _title(rest: str) -> str:
    """The title after the marks, without marks that may stand at its end."""
    title = rest.strip()
    bare = title.rstrip("#")
    return bare.rstrip() if not bare or bare[-1].isspace() else title


def _is_title(block: list[str]) -> bool:
    """Whether an underline would underline a title: one line, by itself."""
    alone = len(block) == 1 or not block[-2].strip()
    return alone and bool(block[-1].strip()) and _FENCE.match(block[-1]) is None


def read_text(source: Source) -> Iterator[Record]:
    """The one record of a file."""
    rule = _rule(source, "lines")
    if rule == "paragraphs":
        raise source.fail("units is 'paragraphs': expected less, for blank lines end a segment")
    outline = Outline(source)
    text = "\n".join(source.read_lines())
    segments = text_units(text, "paragraphs")
    for start, end in zip(segments.starts, segments.ends, strict=True):
        outline.heading(1, "")
        outline.units(text_units(text, rule, start, end).texts or ())
    yield outline.record(ranked=False)


def _rule(source: Source, default: str) -> str:
    rule = source.choices.units or default
    if rule not in TEXT_RULES:
        raise source.fail(f"units is {rule!r}: expected one of {', '.join(TEXT_RULES)}")
    return rule


def matches(lines: list[str]) -> bool:  # noqa: ARG001
    """Any text could be it: the suffix or the caller must say so."""
    return False


MARKDOWN = Format(
    name="markdown",
    title="Markdown",
    suffixes=(".md", ".markdown"),
    holds=frozenset({"units", "labels", "ranks"}),
    matches=matches,
    read=read_markdown,
    chooses=True,
    alone=True,
)
TEXT = Format(
    name="text",
    title="plain text",
    suffixes=(".txt",),
    holds=frozenset({"units"}),
    matches=matches,
    read=read_text,
    chooses=True,
    alone=True,
)
