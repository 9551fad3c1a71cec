"""What stands in a text, by the rules of Markdown (CommonMark; tables by GitHub's), in two steps.

`markdown_blocks` finds headings: `# Title` … `###### Title`, or a title of one line or several
underlined with `===` (level 1) or `---` (level 2); and fenced blocks of code, from a line of ``` or
~~~ to the next of its kind: inside one nothing is a heading. One that never ends hides the headings
after it, and is no block. Text that is neither shown nor read is listed, too, for readers that
leave it out: front matter (between two lines `---` at the start), HTML comments, and lines that
draw a rule (`---`, `***`).

`line_blocks` and `markdown_structure` add blocks that a cut breaks, and links:

- A list goes from its first item to the end of its last, with what is indented below an item and
  with lists inside it; another kind of mark begins another list.
- A table has a header, a line of dashes with as many cells, and rows up to a blank line or another
  block; or goes from `<table>` to its `</table>`.
- Code is fenced, or indented by four spaces where a paragraph could begin.
- Links: `[text](address)`, `[text][name]`, `<https://…>`, plain addresses, `<a …>…</a>`; not in
  code.

Inside quotations (`>`) and in front matter nothing is looked for.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

Stretch = tuple[int, int]  # half-open, in code points

_HEADING = re.compile(r" {0,3}(#{1,6})(?=[ \t]|\Z)")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*")
_RULE = re.compile(r" {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})")
_NO_TITLE = re.compile(r" {0,3}(?:[-*+](?:[ \t]|\Z)|[0-9]{1,9}[.)](?:[ \t]|\Z)|>|\|)")
_FENCE = re.compile(r"([ \t]*)(?:(`{3,})(?!.*`)|(~{3,}))[ \t]*(.*)")
_DEEP = 4  # spaces: a fence in an item of a list, or the text of an indented block
_LINES = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
# Most texts have no line of this kind, and need not be looked at line by line.
_TRACE = re.compile(
    r"^(?: {0,3}(?:#|=+[ \t\r]*$|-+[ \t\r]*$)|[ \t]*(?:```|~~~))|\r(?!\n)", re.MULTILINE
)
_ITEM = re.compile(r"[ \t]*(?:([-*+])|([0-9]{1,9})([.)]))(?:([ \t]+)(?=\S)|[ \t]*\Z)")
_ITEM_MARK = re.compile(r"(?:[-*+]|[0-9]{1,9}[.)])(?=\s|\Z)")
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
    kind: str = "text"  # or heading, fence, unseen, blank

    @property
    def indent(self) -> int:
        """The number of columns of white space at the start of the line."""
        bare = self.words.lstrip(" \t")
        return len(self.words[: len(self.words) - len(bare)].expandtabs(4))


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


def has_markdown_blocks(text: str, lo: int = 0, hi: int | None = None) -> bool:
    """Whether a text may have a heading or a fenced block; fast."""
    return _TRACE.search(text, lo, len(text) if hi is None else hi) is not None


def _front_matter(lines: list[_Line]) -> int:
    """The number of lines of front matter, which is between two lines --- at the start."""
    if not lines or lines[0].words.rstrip() != "---":
        return 0
    ends = (i for i, line in enumerate(lines) if i and line.words.rstrip() in ("---", "..."))
    return next(ends, -1) + 1


class MarkdownBlocks:
    """Headings, fenced blocks that end, and text that is neither shown nor read: front matter,
    comments and rules. Each is in the order of the text, up to the last line taken."""

    def __init__(self, lines: list[_Line], front_matter: int) -> None:
        self.headings: list[MarkdownHeading] = []
        self.fences: list[Stretch] = []
        self.unseen: list[Stretch] = []
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
        if underline is None or not over or not _can_be_title(over[0].words):
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


def _can_be_title(first: str) -> bool:
    """Whether the paragraph that a line opens is not a list item, a quotation or code."""
    return _NO_TITLE.match(first) is None and not first.startswith(("    ", "\t"))


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
    if not has_markdown_blocks(text, lo, hi):
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
    scan = _StructureScan(_marked_lines(text, taken))
    scan.run()
    code = sorted([*blocks.fences, *scan.code])
    tables = sorted([*scan.tables, *_outside(_html_tables(text), code)])
    return MarkdownStructure(blocks.headings, scan.lists, tables, code, [])


def begins_item(text: str, offset: int) -> bool:
    """Whether the mark of a list item is at an offset."""
    return _ITEM_MARK.match(text, offset) is not None


def _marked_lines(text: str, taken: list[tuple[int, int, str]]) -> list[_Line]:
    """The lines of a text, each with the kind of block that holds it."""
    starts = [block[0] for block in taken]
    found: list[_Line] = []
    for line in _lines(text, 0, len(text)):
        held = bisect_right(starts, line.start) - 1
        kind = "text" if line.words.strip() else "blank"
        if held >= 0 and line.start < taken[held][1] and line.end <= taken[held][1]:
            kind = taken[held][2]
        found.append(line._replace(kind=kind))
    return found


class _OpenList(NamedTuple):
    start: int
    indent: int  # of the text of its first item: what is indented as much belongs to an item
    mark: str


class _StructureScan:
    """Lists, tables and indented code, line by line."""

    def __init__(self, lines: list[_Line]) -> None:
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

    def _goes_on(self, line: _Line) -> bool:
        """Whether a line belongs to the list that is open."""
        if self._list is None or not self._belongs(line, self._list):
            return False
        self._reached, self._in_paragraph = line.end, line.kind == "text"
        return True

    def _belongs(self, line: _Line, to: _OpenList) -> bool:
        item = _item(line)
        if line.indent >= to.indent:
            return True
        if item is not None:
            return _mark(item) == to.mark
        return line.kind == "text" and self._in_paragraph and not _RULE.fullmatch(line.words)

    def _take(self, line: _Line, index: int) -> None:
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

    def _begins_table(self, line: _Line, index: int) -> bool:
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


def _item(line: _Line) -> "re.Match[str] | None":
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
