"""What stands in a text, by the rules of Markdown (CommonMark; tables by GitHub's), in two steps.

`markdown_blocks` finds headings: `# Title` … `###### Title`, or a title of one line or several
underlined with `===` (level 1) or `---` (level 2); and fenced blocks of code, from a line of ``` or
~~~ to the next of its kind: inside one nothing is a heading. One that never ends hides the headings
after it, and is no block. Text that is neither shown nor read is listed, too, for readers that
leave it out: front matter (between two lines `---` at the start), HTML comments, and lines that
draw a rule (`---`, `***`).

`line_blocks` and `markdown_structure` add blocks that a cut breaks, and links:

- Outermost lists, tables and indented code are those of markdown-it; a table also goes from
  `<table>` to its `</table>`.
- Links: `[text](address)`, `[text][name]`, `<https://…>`, plain addresses, `<a …>…</a>`; not in
  code.

Inside quotations (`>`) and in front matter nothing is looked for.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

Stretch = tuple[int, int]  # half-open, in code points

_HEADING = re.compile(r" {0,3}(#{1,6})(?=[ \t]|\Z)")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*")
_RULE = re.compile(r" {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})")
_NO_TITLE = re.compile(r" {0,3}(?:[-*+](?:[ \t]|\Z)|[0-9]{1,9}[.)](?:[ \t]|\Z)|>|\|)|    |\t")
_FENCE = re.compile(r"([ \t]*)(?:(`{3,})(?!.*`)|(~{3,}))[ \t]*(.*)")
_DEEP = 4  # spaces: a fence in an item of a list, or the text of an indented block
_LINES = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
# Most texts have no line of this kind, and need not be looked at line by line.
_TRACE = re.compile(
    r"^(?: {0,3}(?:#|=+[ \t\r]*$|-+[ \t\r]*$)|[ \t]*(?:```|~~~))|\r(?!\n)", re.MULTILINE
)
_ITEM_MARK = re.compile(r"(?:[-*+]|[0-9]{1,9}[.)])(?=\s|\Z)")
_KINDS = {
    "bullet_list_open": "list",
    "ordered_list_open": "list",
    "table_open": "table",
    "code_block": "code",
}
_TABLE_TAG = re.compile(r"<(/?)table\b[^<>]*>", re.IGNORECASE)
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


class MarkdownHeading(NamedTuple):
    """A heading: its level, its title, its lines (half-open, from the start of the first to the end
    of the last, including its line break), and the number of lines of the title."""

    rank: int
    title: str
    start: int
    end: int
    n_lines: int = 1


class _Line(NamedTuple):
    start: int
    end: int  # its line break included
    words: str  # without line break and comments


def _lines(text: str, lo: int, hi: int) -> list[_Line]:
    return [
        _Line(*match.span(), match[0].rstrip("\r\n"))
        for match in _LINES.finditer(text, lo, hi)
        if match.end() > match.start()
    ]


def markdown_blocks(text: str, lo: int = 0, hi: int | None = None) -> "MarkdownBlocks":
    r"""The headings and the fenced blocks of a text, or of a part of it.

    >>> found = markdown_blocks("# One #\nText.\n~~~\n# no heading\n~~~\nTwo\n---\n")
    >>> [(heading.rank, heading.title) for heading in found.headings], found.fences
    ([(1, 'One'), (2, 'Two')], [(14, 35)])
    """
    hi = len(text) if hi is None else hi
    lines = _lines(text, lo, hi)
    scan = MarkdownBlocks(lines, 0 if lo else _front_matter(lines))
    for line in lines[scan.first :]:
        scan.take(line)
    return scan


def _front_matter(lines: list[_Line]) -> int:
    """The number of lines of front matter, which is between two lines --- at the start."""
    if not lines or lines[0].words.rstrip() != "---":
        return 0
    ends = (i for i, line in enumerate(lines) if i and line.words.rstrip() in ("---", "..."))
    return next(ends, -1) + 1


class MarkdownBlocks:
    """Headings, fenced blocks that end, and text that is neither shown nor read: front matter,
    comments and rules; and, by `line_blocks`, lists, tables, all code and links. Each is in the
    order of the text, up to the last line taken."""

    def __init__(self, lines: list[_Line], front_matter: int) -> None:
        self.headings: list[MarkdownHeading] = []
        self.fences: list[Stretch] = []
        self.unseen: list[Stretch] = []
        self.lists, self.tables, self.code, self.links = (list[Stretch]() for _ in range(4))
        self.first = front_matter
        if front_matter:
            self.unseen.append((lines[0].start, lines[front_matter - 1].end))
        self._paragraph: list[_Line] = []  # the lines of it so far
        self._fence: tuple[str, int] | None = None  # marks, and where it starts
        self._in_comment = False
        self._last_closing = _last_closing(lines)

    def take(self, line: _Line) -> None:
        """Look at the next line."""
        if self._fence is not None:
            self._go_on_in_fence(line, *self._fence)
            return
        marks = None if self._in_comment else self._opening(line)
        if marks is not None:
            self._fence, self._paragraph = (marks, line.start), []
            return
        seen = self._without_comments(line)
        if seen is not None:
            self._take_text(seen)

    def _opening(self, line: _Line) -> str | None:
        """The marks that open a fenced block here. Deep in a list, only if it ends."""
        found = _FENCE.fullmatch(line.words)
        if found is None:
            return None
        marks = found[2] or found[3]
        deep = len(found[1].expandtabs(_DEEP)) >= _DEEP
        ends = self._last_closing.get(marks[0], [])
        closed = any(length >= len(marks) and at > line.start for length, at in ends)
        return marks if closed or not deep else None

    def _go_on_in_fence(self, line: _Line, marks: str, start: int) -> None:
        found = _FENCE.fullmatch(line.words)
        if found is None or found[4] or not (found[2] or found[3]).startswith(marks):
            return
        self.fences.append((start, line.end))
        self._fence = None

    def _without_comments(self, line: _Line) -> _Line | None:
        """The line without HTML comments, which may go over several; None if nothing is left."""
        if not self._in_comment and "<!--" not in line.words:
            return line
        kept, at, rest = "", line.start, line.words
        hidden: list[Stretch] = []
        while rest:
            before, mark, rest = rest.partition("-->" if self._in_comment else "<!--")
            reached = at + len(before) + len(mark)
            if self._in_comment:
                hidden.append((at, reached))
            else:
                kept += before
                if mark:
                    hidden.append((reached - len(mark), reached))
            self._in_comment = self._in_comment != bool(mark)
            at = reached
        if not kept.strip():
            self.unseen.append((line.start, line.end))
            return None
        self.unseen += hidden
        return line._replace(words=kept)

    def _take_text(self, line: _Line) -> None:
        heading = self._heading(line)
        is_rule = heading is None and _RULE.fullmatch(line.words) is not None
        if heading is not None:
            self.headings.append(heading)
        if is_rule:
            self.unseen.append((line.start, line.start + len(line.words)))
        if heading is not None or is_rule or not line.words.strip():
            self._paragraph = []
        else:
            self._paragraph.append(line)

    def _heading(self, line: _Line) -> MarkdownHeading | None:
        """The heading that a line is, or that it underlines."""
        marked = _HEADING.match(line.words)
        if marked is not None:
            title = _title(line.words[marked.end() :])
            return MarkdownHeading(len(marked[1]), title, line.start, line.end)
        underline, over = _UNDERLINE.fullmatch(line.words), self._paragraph
        if underline is None or not over or _NO_TITLE.match(over[0].words):
            return None
        title = " ".join(title_line.words.strip() for title_line in over)
        rank = 1 if "=" in underline[1] else 2
        return MarkdownHeading(rank, title, over[0].start, line.end, len(over))


def _last_closing(lines: list[_Line]) -> dict[str, list[tuple[int, int]]]:
    """By the mark of fences, (length, start of the line) of lines that could end a block, such that
    none after it is as long: few, because lengths ascend from the last line on."""
    found: dict[str, list[tuple[int, int]]] = {"`": [], "~": []}
    for line in reversed(lines):
        fence = _FENCE.fullmatch(line.words) if line.words.rstrip().endswith(("`", "~")) else None
        if fence is not None and not fence[4]:
            marks = fence[2] or fence[3]
            known = found[marks[0]]
            if not known or len(marks) > known[-1][0]:
                known.append((len(marks), line.start))
    return found


def _title(rest: str) -> str:
    """The title after the marks, without marks at its end."""
    title = rest.strip()
    bare = title.rstrip("#")
    return bare.rstrip() if not bare or bare[-1].isspace() else title


# ---- what a text is cut into ----


def whole_blocks(text: str, lo: int, hi: int) -> Iterator[tuple[Stretch, str]]:
    """All of a part of a text in stretches: each with what it is, `heading`, `code` or `text`.

    A paragraph over a line of `---` is a heading by the rules, but if it has several lines, it is
    as likely a paragraph: then it is text, apart from what stands around it.
    """
    if _TRACE.search(text, lo, hi) is None:
        yield (lo, hi), "text"
        return
    found = markdown_blocks(text, lo, hi)
    heads = [
        ((heading.start, heading.end), "heading" if heading.n_lines == 1 else "text")
        for heading in found.headings
    ]
    for stretch, what in sorted([*heads, *((fence, "code") for fence in found.fences)]):
        if lo < stretch[0]:
            yield (lo, stretch[0]), "text"
        yield stretch, what
        lo = stretch[1]
    if lo < hi:
        yield (lo, hi), "text"


# ---- lists, tables, code, links ----


def markdown_structure(text: str) -> MarkdownBlocks:
    r"""The headings, lists, tables, blocks of code and links of a text.

    >>> found = markdown_structure("So:\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n")
    >>> found.lists, found.tables
    ([(5, 17)], [(18, 48)])
    """
    found = line_blocks(text)
    found.links = _outside([match.span() for match in _LINK.finditer(text)], found.code)
    return found


def line_blocks(text: str) -> MarkdownBlocks:
    """The structure of a text without its links, which take the most time."""
    blocks, lines = markdown_blocks(text), _lines(text, 0, len(text))
    unread = [""] * blocks.first  # front matter
    words = [*unread, *(line.words for line in lines[blocks.first :])]
    kinds: dict[str, list[Stretch]] = {"list": [], "table": [], "code": list(blocks.fences)}
    for token in _parser().parse("\n".join(words)):
        kind = _KINDS.get(token.type)
        if kind is not None and token.level == 0 and token.map is not None:
            first, last = token.map
            while not words[last - 1].strip():
                last -= 1
            kinds[kind].append((lines[first].start, lines[last - 1].end))
    blocks.lists, blocks.code = kinds["list"], sorted(kinds["code"])
    blocks.tables = sorted([*kinds["table"], *_outside(_html_tables(text), blocks.code)])
    return blocks


@cache
def _parser() -> Any:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").enable("table").disable(["inline", "text_join"])


def begins_item(text: str, offset: int) -> bool:
    """Whether the mark of a list item is at an offset."""
    return _ITEM_MARK.match(text, offset) is not None


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
