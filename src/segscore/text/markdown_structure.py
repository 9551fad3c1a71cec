"""Blocks of a text that a cut breaks: lists, tables, code; and links. By the rules of Markdown
(CommonMark, tables by GitHub's), and tables and links of HTML.

- A list goes from its first item to the end of its last, with what is indented below an item and
  with lists inside it; another kind of mark begins another list.
- A table has a header, a line of dashes with as many cells, and rows up to a blank line or another
  block; or goes from `<table>` to its `</table>`.
- Code is fenced (`segscore.text.markdown_blocks`), or indented by four spaces where a paragraph
  could begin.
- Links: `[text](address)`, `[text][name]`, `<https://…>`, plain addresses, `<a …>…</a>`; not in
  code.

Inside quotations (`>`) and in front matter nothing is looked for.
"""

import re
from bisect import bisect_right
from typing import NamedTuple

from segscore.text.markdown_blocks import MarkdownHeading, Stretch, markdown_blocks

_LINES = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_ITEM = re.compile(r"[ \t]*(?:([-*+])|([0-9]{1,9})([.)]))(?:([ \t]+)(?=\S)|[ \t]*\Z)")
_ITEM_MARK = re.compile(r"(?:[-*+]|[0-9]{1,9}[.)])(?=\s|\Z)")
_RULE = re.compile(r" {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})")
_DELIMITERS = re.compile(r" {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*")
_PIPE = re.compile(r"(?<!\\)\|")
_TABLE_TAG = re.compile(r"<(/?)table\b[^<>]*>", re.IGNORECASE)
_CODE_INDENT = 4
_LINK = re.compile(
    r"""!?\[(?:[^\[\]\\\r\n]|\\.|\[[^\[\]\r\n]{0,500}\]){0,500}\]   # [text]
        (?:\((?:[^()\s\\]|\\.|\([^()\s]{0,500}\)){0,2000}
             (?:[ \t]+(?:"[^"\r\n]{0,500}"|'[^'\r\n]{0,500}'))?[ \t]*\)
          |\[[^\[\]\r\n]{0,500}\])                               # (address "title") or [name]
      |<[a-zA-Z][a-zA-Z0-9+.-]{1,31}:[^\s<>]{1,2000}>            # <address>
      |<a\b[^<>]{0,2000}>(?:[^<]|<(?!/?a\b)){0,2000}</a>         # HTML: no link in a link
      |\b(?:https?|ftp)://[^\s<>"'()\[\]|]{1,2000}(?<![.,;:!?*_])  # a plain address
    """,
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)


class MarkdownStructure(NamedTuple):
    """The stretches of each kind of block, and the links, each in the order of the text."""

    headings: list[MarkdownHeading]
    lists: list[Stretch]
    tables: list[Stretch]
    code: list[Stretch]
    links: list[Stretch]


def markdown_structure(text: str) -> MarkdownStructure:
    r"""The headings, lists, tables, blocks of code and links of a text.

    >>> found = markdown_structure("So:\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n")
    >>> found.lists, found.tables
    ([(5, 17)], [(18, 48)])
    """
    found = line_blocks(text)
    links = _outside([match.span() for match in _LINK.finditer(text)], found.code)
    return found._replace(links=links)


def line_blocks(text: str) -> MarkdownStructure:
    """The structure of a text without its links, which take the most time."""
    blocks = markdown_blocks(text)
    taken = sorted(
        [
            *((heading.start, heading.end, "heading") for heading in blocks.headings),
            *((*fence, "fence") for fence in blocks.fences),
            *((*stretch, "unseen") for stretch in blocks.unseen),
        ]
    )
    scan = _StructureScan(_lines(text, taken))
    scan.run()
    code = sorted([*blocks.fences, *scan.code])
    tables = sorted([*scan.tables, *_outside(_html_tables(text), code)])
    return MarkdownStructure(blocks.headings, scan.lists, tables, code, [])


def begins_item(text: str, offset: int) -> bool:
    """Whether the mark of a list item is at an offset."""
    return _ITEM_MARK.match(text, offset) is not None


class _MarkedLine(NamedTuple):
    start: int
    end: int  # its line break included
    words: str
    kind: str  # heading, fence, unseen, blank or text

    @property
    def indent(self) -> int:
        """The number of columns of white space at the start of the line."""
        bare = self.words.lstrip(" \t")
        return len(self.words[: len(self.words) - len(bare)].expandtabs(4))


def _lines(text: str, taken: list[tuple[int, int, str]]) -> list[_MarkedLine]:
    """The lines of a text, each with the block that holds it."""
    starts = [block[0] for block in taken]
    found: list[_MarkedLine] = []
    for match in _LINES.finditer(text):
        start, end = match.span()
        if start == end:
            continue
        words = match[0].rstrip("\r\n")
        held = bisect_right(starts, start) - 1
        kind = "text" if words.strip() else "blank"
        if held >= 0 and start < taken[held][1] and end <= taken[held][1]:
            kind = taken[held][2]
        found.append(_MarkedLine(start, end, words, kind))
    return found


class _OpenList(NamedTuple):
    start: int
    indent: int  # of the text of its first item: what is indented as much belongs to an item
    mark: str


class _StructureScan:
    """Lists, tables and indented code, line by line."""

    def __init__(self, lines: list[_MarkedLine]) -> None:
        self.lists: list[Stretch] = []
        self.tables: list[Stretch] = []
        self.code: list[Stretch] = []
        self._lines = lines
        self._list: _OpenList | None = None
        self._reached = 0  # where the open list, table or code ends so far
        self._in_paragraph = False  # whether the line before is text that a line can go on with
        self._open_block: tuple[str, int] | None = None  # table or code, and where it starts

    def run(self) -> None:
        """Look at all lines."""
        for index, line in enumerate(self._lines):
            if line.kind == "blank":
                self._in_paragraph = False
                if self._open_block is not None and self._open_block[0] == "table":
                    self._close_block()
            elif not self._goes_on(line):
                self._close_list()
                self._take(line, index)
        self._close_block()
        self._close_list()

    def _goes_on(self, line: _MarkedLine) -> bool:
        """Whether a line belongs to the list that is open."""
        if self._list is None or not self._belongs(line, self._list):
            return False
        self._reached, self._in_paragraph = line.end, line.kind == "text"
        return True

    def _belongs(self, line: _MarkedLine, to: _OpenList) -> bool:
        item = _item(line)
        if line.indent >= to.indent:
            return True
        if item is not None:
            return _mark(item) == to.mark
        return line.kind == "text" and self._in_paragraph and not _RULE.fullmatch(line.words)

    def _take(self, line: _MarkedLine, index: int) -> None:
        """Take a line that belongs to no open list."""
        if line.kind != "text" or _RULE.fullmatch(line.words):
            self._close_block()
            self._in_paragraph = False
            return
        item = None if line.indent >= _CODE_INDENT else _item(line)
        if item is not None and not (self._in_paragraph and not _may_interrupt(item)):
            self._close_block()
            self._list = _OpenList(line.start, _content_indent(item), _mark(item))
            self._reached, self._in_paragraph = line.end, True
        elif self._open_block is not None and self._open_block[0] == "table":
            self._reached = line.end
        elif line.indent >= _CODE_INDENT and not self._in_paragraph:
            if self._open_block is None:
                self._open_block = ("code", line.start)
            self._reached = line.end
        else:
            self._close_block()
            if self._begins_table(line, index):
                self._open_block, self._reached = ("table", line.start), line.end
            self._in_paragraph = self._open_block is None and not line.words.startswith(">")

    def _begins_table(self, line: _MarkedLine, index: int) -> bool:
        """Whether it is the header of a table: a line of dashes with as many cells follows."""
        if index + 1 >= len(self._lines):
            return False
        below = self._lines[index + 1].words
        both = line.words + below
        if "|" not in both or not _DELIMITERS.fullmatch(below):
            return False
        return _n_cells(line.words) == _n_cells(below)

    def _close_block(self) -> None:
        if self._open_block is not None:
            kind, start = self._open_block
            (self.tables if kind == "table" else self.code).append((start, self._reached))
            self._open_block = None

    def _close_list(self) -> None:
        if self._list is not None:
            self.lists.append((self._list.start, self._reached))
            self._list, self._in_paragraph = None, False


def _item(line: _MarkedLine) -> "re.Match[str] | None":
    """The mark of an item of a list, if the line begins with one."""
    if line.kind != "text" or _RULE.fullmatch(line.words):
        return None
    return _ITEM.match(line.words)


def _mark(item: "re.Match[str]") -> str:
    return item[1] or item[3]


def _may_interrupt(item: "re.Match[str]") -> bool:
    """Whether an item can begin a list right below a line of text: not an empty one, nor a number
    other than 1, which may be part of a sentence."""
    return item[4] is not None and (item[2] is None or int(item[2]) == 1)


def _content_indent(item: "re.Match[str]") -> int:
    """How far the text of an item is indented; code in it is indented further."""
    marks = item.end() - len(item[4] or "")
    width = len((item[4] or " ").expandtabs(4))
    return marks + (width if width <= _CODE_INDENT else 1)


def _n_cells(row: str) -> int:
    bare = row.strip().removeprefix("|")
    bare = bare[:-1] if bare.endswith("|") and not bare.endswith("\\|") else bare
    return len(_PIPE.split(bare))


def _html_tables(text: str) -> list[Stretch]:
    """The stretches from each outermost <table> to its end; a table that never ends does not
    count."""
    found: list[Stretch] = []
    opened: list[int] = []
    for tag in _TABLE_TAG.finditer(text):
        if not tag[1]:
            opened.append(tag.start())
        elif opened:
            start = opened.pop()
            if not opened:
                found.append((start, tag.end()))
    return found


def _outside(stretches: list[Stretch], code: list[Stretch]) -> list[Stretch]:
    """The stretches that do not start in a block of code."""
    starts = [start for start, _ in code]
    held = (bisect_right(starts, start) - 1 for start, _ in stretches)
    return [
        stretch
        for stretch, at in zip(stretches, held, strict=True)
        if at < 0 or code[at][1] <= stretch[0]
    ]
