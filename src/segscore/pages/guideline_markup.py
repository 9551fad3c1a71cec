"""Guidelines as HTML: a small part of Markdown, in which nothing but these forms is markup.

Headings (`#` … `######`, shown from the third level on), paragraphs, lists (`-`, `*`, `+`, `1.`),
quotations (`>`), fenced blocks of code, `**bold**`, `*italic*`, `` `code` ``. For a link
`[words](address)` both parts are shown as text, because the page has no links to the outside.
Everything else is plain text, and all of it is escaped: HTML in guidelines is shown, never used.
"""

import re
from collections.abc import Iterator
from html import escape

MOST_CHARACTERS = 200_000

_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*")
_BULLET = re.compile(r" {0,3}[-*+][ \t]+(.*)")
_NUMBERED = re.compile(r" {0,3}[0-9]{1,4}[.)][ \t]+(.*)")
_QUOTED = re.compile(r" {0,3}>[ \t]?(.*)")
_FENCE = re.compile(r" {0,3}(```|~~~)[^`]*")
_RULE = re.compile(r" {0,3}(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}")
_CODE = re.compile(r"`([^`\n]+)`")
_BOLD = re.compile(r"\*\*(?=\S)([^*\n]+?)(?<=\S)\*\*")
_ITALIC = re.compile(r"(?<![\w*])\*(?=\S)([^*\n]+?)(?<=\S)\*(?![\w*])")
_LINK = re.compile(r"\[([^\[\]\n]*)\]\(([^()\s]*)\)")
_LISTS = ((_BULLET, "ul"), (_NUMBERED, "ol"))


def guideline_markup(markdown: str) -> str:
    r"""The HTML of guidelines.

    >>> guideline_markup("# Task\nMark *topics*.\n\n- no <b>\n")
    '<h3>Task</h3>\n<p>Mark <em>topics</em>.</p>\n<ul><li>no &lt;b&gt;</li></ul>\n'
    """
    lines = markdown.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "".join(f"{one}\n" for one in _blocks(lines))


def _blocks(lines: list[str]) -> Iterator[str]:
    """The HTML of each block."""
    at = 0
    while at < len(lines):
        line = lines[at]
        heading, fence = _HEADING.fullmatch(line), _FENCE.fullmatch(line)
        kind = next(((form, tag) for form, tag in _LISTS if form.fullmatch(line)), None)
        if not line.strip() or _RULE.fullmatch(line):
            at += 1
        elif heading:
            level = min(len(heading[1]) + 2, 6)
            yield f"<h{level}>{_inline(heading[2])}</h{level}>"
            at += 1
        elif fence:
            inside, at = _fenced(lines, at + 1, fence[1])
            yield f"<pre><code>{escape(inside)}</code></pre>"
        elif kind:
            items, at = _items(lines, at, kind[0])
            yield f"<{kind[1]}>{''.join(f'<li>{_inline(one)}</li>' for one in items)}</{kind[1]}>"
        elif _QUOTED.fullmatch(line):
            said, at = _run(lines, at, _QUOTED)
            yield f"<blockquote><p>{_inline(' '.join(said))}</p></blockquote>"
        else:
            words, at = _paragraph(lines, at)
            yield f"<p>{_inline(words)}</p>"


def _fenced(lines: list[str], at: int, mark: str) -> tuple[str, int]:
    """A block of code, and where the text continues; an unclosed block reaches to the end."""
    end = next((i for i in range(at, len(lines)) if lines[i].strip() == mark), len(lines))
    return "\n".join(lines[at:end]), end + 1


def _run(lines: list[str], at: int, form: re.Pattern[str]) -> tuple[list[str], int]:
    """Consecutive lines of one form."""
    found = []
    while at < len(lines) and (match := form.fullmatch(lines[at])):
        found.append(match[1])
        at += 1
    return found, at


def _items(lines: list[str], at: int, form: re.Pattern[str]) -> tuple[list[str], int]:
    """The items of a list; lines that are indented, or follow an item directly, belong to it."""
    items: list[str] = []
    while at < len(lines):
        line = lines[at]
        match = form.fullmatch(line)
        if match:
            items.append(match[1])
        elif line.strip() and not _opens_block(line):
            items[-1] += f" {line.strip()}"
        else:
            break
        at += 1
    return items, at


def _paragraph(lines: list[str], at: int) -> tuple[str, int]:
    words = [lines[at].strip()]
    at += 1
    while at < len(lines) and lines[at].strip() and not _opens_block(lines[at]):
        words.append(lines[at].strip())
        at += 1
    return " ".join(words), at


def _opens_block(line: str) -> bool:
    forms = (_HEADING, _FENCE, _BULLET, _NUMBERED, _QUOTED, _RULE)
    return any(one.fullmatch(line) for one in forms)


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
