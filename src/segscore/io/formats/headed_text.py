"""Text with headings (Markdown), and plain text whose segments are separated by blank lines.

`markdown`: `# Title` … `###### Title`, or a title of one line or several underlined with `===`
(level 1) or `---` (level 2). The rank of a boundary is the level of the heading, the title is the
label. Headings are no units, and neither are front matter (between two lines `---` at the start),
HTML comments, and lines that draw a rule (`---`, `***`). Lines inside a fenced block of code are
text. Units are paragraphs, unless units= says otherwise.

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
_RULE = re.compile(r" {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})")
_ITEM = re.compile(r" {0,3}(?:[-*+](?:[ \t]|\Z)|[0-9]{1,9}[.)](?:[ \t]|\Z)|>|\|)")
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

    for line in _without_comments(_without_front_matter(source.read_lines())):
        marked = _FENCE.match(line)
        if marked is not None and (not fence or marked[1].startswith(fence)):
            fence = "" if fence else marked[1]
        heading = None if fence else _HEADING.match(line)
        underline = None if fence else _UNDERLINE.fullmatch(line)
        title = _title_lines(block) if underline is not None else 0
        if heading is not None:
            close()
            outline.heading(len(heading[1]), _title(line[heading.end() :]))
        elif underline is not None and title:
            words = " ".join(one.strip() for one in block[-title:])
            del block[-title:]
            close()
            outline.heading(1 if "=" in underline[1] else 2, words)
        elif not fence and _RULE.fullmatch(line):
            block.append("")  # it stands between two paragraphs, and is none
        else:
            block.append(line)
    close()
    yield outline.record()


def _without_front_matter(lines: list[str]) -> list[str]:
    """The lines after front matter, which stands between two lines --- at the start."""
    if not lines or lines[0].rstrip() != "---":
        return lines
    end = next((i for i, one in enumerate(lines[1:], 1) if one.rstrip() in ("---", "...")), None)
    return lines if end is None else lines[end + 1 :]


def _without_comments(lines: list[str]) -> Iterator[str]:
    """The lines without HTML comments, which may go over several; in code they are text."""
    inside, fence = False, ""
    for line in lines:
        marked = None if inside else _FENCE.match(line)
        if marked is not None and (not fence or marked[1].startswith(fence)):
            fence = "" if fence else marked[1]
        if fence or (not inside and "<!--" not in line):
            yield line
            continue
        kept, rest = "", line
        while rest:
            before, mark, rest = rest.partition("-->" if inside else "<!--")
            kept += "" if inside else before
            inside = inside != bool(mark)
        if kept.strip():
            yield kept


def _title_lines(block: list[str]) -> int:
    """How many lines before an underline are its title: a paragraph that is no item of a list, no
    quotation and no code; 0 if there is none."""
    count = 0
    while count < len(block) and block[-1 - count].strip():
        count += 1
    if not count:
        return 0
    paragraph = block[-count:]
    plain = _ITEM.match(paragraph[0]) is None and not paragraph[0].startswith(("    ", "\t"))
    return count if plain and not any(map(_FENCE.match, paragraph)) else 0


def _title(rest: str) -> str:
    """The title after the marks, without marks that may stand at its end."""
    title = rest.strip()
    bare = title.rstrip("#")
    return bare.rstrip() if not bare or bare[-1].isspace() else title


def read_text(source: Source) -> Iterator[Record]:
    """The one record of a file."""
    rule = _rule(source, "lines")
    if rule == "paragraphs":
        raise source.fail(
            "units is 'paragraphs': expected lines, sentences, words or characters, because blank "
            "lines separate segments"
        )
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
