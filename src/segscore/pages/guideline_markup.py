"""Guidelines as HTML: a small part of Markdown, in which nothing but these forms is markup.

Headings (`#` … `######`, shown from the third level on), paragraphs, lists (`-`, `*`, `+`, `1.`)
and lists in them (indented by two or more), tables (`| a | b |`, and below the first line
`|---|---|`), quotations (`>`), fenced blocks of code, `**bold**`, `*italic*`, `` `code` ``. For a
link `[words](address)` both parts are shown as text, because the page has no links to the outside.
Everything else is plain text, and all of it is escaped: HTML in guidelines is shown, never used.
"""

import re
from collections.abc import Iterator
from html import escape

MOST_CHARACTERS = 200_000

_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]++(.*)")
_BULLET = re.compile(r"[ \t]*[-*+][ \t]+(.*)")
_NUMBERED = re.compile(r"[ \t]*[0-9]{1,4}[.)][ \t]+(.*)")
_QUOTED = re.compile(r" {0,3}>[ \t]?(.*)")
_FENCE = re.compile(r" {0,3}(```|~~~)[^`]*")
_RULE = re.compile(r" {0,3}(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}")
_CODE = re.compile(r"`([^`\n]+)`")
_BOLD = re.compile(r"\*\*(?=\S)([^*\n]+?)(?<=\S)\*\*")
_ITALIC = re.compile(r"(?<![\w*])\*(?=\S)([^*\n]+?)(?<=\S)\*(?![\w*])")
_LINK = re.compile(r"\[([^\[\]\n]*)\]\(([^()\s]*)\)")
_LISTS = ((_BULLET, "ul"), (_NUMBERED, "ol"))
_ROW = re.compile(r" {0,3}\|(.*)\|[ \t]*")
_BELOW_HEAD = re.compile(r" {0,3}\|(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*")
_CELLS = re.compile(r"(?<!\\)\|")
_DEEPEST = 6  # lists in lists


def guideline_markup(markdown: str) -> str:
    r"""The HTML of guidelines.

    >>> guideline_markup("# Task\nMark *topics*.\n\n- no <b>\n")
    '<h3>Task</h3>\n<p>Mark <em>topics</em>.</p>\n<ul><li>no &lt;b&gt;</li></ul>\n'
    """
    lines = markdown.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "".join(f"{block}\n" for block in _blocks(lines))


def _blocks(lines: list[str]) -> Iterator[str]:
    """The HTML of each block."""
    at = 0
    while at < len(lines):
        line = lines[at]
        heading, fence = _HEADING.fullmatch(line), _FENCE.fullmatch(line)
        if not line.strip() or _RULE.fullmatch(line):
            at += 1
        elif heading:
            level = min(len(heading[1]) + 2, 6)
            words = heading[2].rstrip(" \t").rstrip("#").rstrip(" \t")
            yield f"<h{level}>{_inline(words)}</h{level}>"
            at += 1
        elif fence:
            inside, at = _fenced(lines, at + 1, fence[1])
            yield f"<pre><code>{escape(inside)}</code></pre>"
        elif _kind(line):
            made, at = _list(lines, at)
            yield made
        elif _starts_table(lines, at):
            rows, at = _run(lines, at, _ROW)
            yield _table(rows)
        elif _QUOTED.fullmatch(line):
            quoted, at = _run(lines, at, _QUOTED)
            yield f"<blockquote><p>{_inline(' '.join(quoted))}</p></blockquote>"
        else:
            words, at = _paragraph(lines, at)
            yield f"<p>{_inline(words)}</p>"


def _fenced(lines: list[str], at: int, mark: str) -> tuple[str, int]:
    """A block of code, and where the text continues; an unclosed block reaches to the end."""
    end = next((i for i in range(at, len(lines)) if lines[i].strip() == mark), len(lines))
    return "\n".join(lines[at:end]), end + 1


def _run(lines: list[str], at: int, form: re.Pattern[str]) -> tuple[list[str], int]:
    """Consecutive lines of the same form, and where the text continues."""
    found = []
    while at < len(lines) and (match := form.fullmatch(lines[at])):
        found.append(match[1])
        at += 1
    return found, at


def _kind(line: str) -> tuple[re.Pattern[str], str] | None:
    """What kind of list a line is an item of: how such items look, and the tag."""
    if _RULE.fullmatch(line):
        return None
    return next(((form, tag) for form, tag in _LISTS if form.fullmatch(line)), None)


def _indent(line: str) -> int:
    expanded = line.expandtabs(4)
    return len(expanded) - len(expanded.lstrip(" "))


def _list(lines: list[str], at: int, depth: int = 1) -> tuple[str, int]:
    """A list with the lists in it, and where the text goes on.

    An item that is indented by two or more belongs to the item above it. Lines that are
    indented, or follow an item directly, go on with it; so does an item after an empty line.
    """
    own = _indent(lines[at])
    kind = _kind(lines[at])
    items: list[tuple[str, list[str]]] = []  # words, and lists below them
    while at < len(lines):
        line = lines[at]
        line_kind = _kind(line)
        if line_kind and items and _indent(line) >= own + 2 and depth < _DEEPEST:
            inner, at = _list(lines, at, depth + 1)
            items[-1][1].append(inner)
            continue
        if line_kind and line_kind == kind and (_indent(line) >= own or depth == 1):
            match = line_kind[0].fullmatch(line)
            items.append((match[1] if match else "", []))
        elif line_kind or not _goes_on(lines, at, items[-1][1]):
            break
        elif line.strip():
            items[-1] = (f"{items[-1][0]} {line.strip()}", items[-1][1])
        at += 1
    tag = kind[1] if kind else "ul"
    inside = "".join(f"<li>{_inline(words)}{''.join(below)}</li>" for words, below in items)
    return f"<{tag}>{inside}</{tag}>", at


def _goes_on(lines: list[str], at: int, below: list[str]) -> bool:
    """Whether a line that is no item belongs to the list above it."""
    if lines[at].strip():
        return not below and not _opens_block(lines[at])
    after = at + 1
    return after < len(lines) and _kind(lines[after]) is not None


def _starts_table(lines: list[str], at: int) -> bool:
    below = lines[at + 1] if at + 1 < len(lines) else ""
    return bool(_ROW.fullmatch(lines[at]) and _BELOW_HEAD.fullmatch(below))


def _table(rows: list[str]) -> str:
    """A table of its rows, of which the first is the head and the second is a line of dashes."""

    def row(cells: str, tag: str) -> str:
        shown = [part.strip().replace("\\|", "|") for part in _CELLS.split(cells)]
        return f"<tr>{''.join(f'<{tag}>{_inline(cell)}</{tag}>' for cell in shown)}</tr>"

    body = "".join(row(cells, "td") for cells in rows[2:])
    return f"<table><thead>{row(rows[0], 'th')}</thead><tbody>{body}</tbody></table>"


def _paragraph(lines: list[str], at: int) -> tuple[str, int]:
    words = [lines[at].strip()]
    at += 1
    while (
        at < len(lines)
        and lines[at].strip()
        and not _opens_block(lines[at])
        and not _starts_table(lines, at)
    ):
        words.append(lines[at].strip())
        at += 1
    return " ".join(words), at


def _opens_block(line: str) -> bool:
    forms = (_HEADING, _FENCE, _BULLET, _NUMBERED, _QUOTED, _RULE)
    return any(form.fullmatch(line) for form in forms)


def _inline(words: str) -> str:
    """Code, bold, italic and links in a line; the inside of code stays unchanged."""
    parts = _CODE.split(words)  # text and code by turns
    return "".join(
        f"<code>{escape(part)}</code>" if index % 2 else _marked(escape(part))
        for index, part in enumerate(parts)
    )


def _marked(escaped: str) -> str:
    escaped = _LINK.sub(r'\1 <span class="address">(\2)</span>', escaped)
    return _ITALIC.sub(r"<em>\1</em>", _BOLD.sub(r"<strong>\1</strong>", escaped))
