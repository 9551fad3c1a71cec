"""Makes the pages of `segscore help` from docs/topics.md: `make help-topics`.

A heading `## name: what it is` begins a page. What of Markdown becomes text: paragraphs, lists,
tables of two columns, and blocks of code; links are their words.
"""

import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

DOCS = Path(__file__).resolve().parent
TOPICS = DOCS.parent / "src" / "segscore" / "cli" / "topics"
WIDTH = 80
LEFT = 24  # columns of names in a table
_MARKS = re.compile(r"\[([^\]]*)\]\([^)]*\)|`([^`]*)`")


def pages(markdown: str) -> dict[str, str]:
    """The text of each page, by its name."""
    found = {}
    for part in re.split(r"^## ", markdown, flags=re.MULTILINE)[1:]:
        title, _, body = part.partition("\n")
        blocks = "\n\n".join("\n".join(_text(block)) for block in _blocks(body))
        found[title.partition(":")[0]] = f"{title}\n\n{blocks}\n"
    return found


def _blocks(body: str) -> Iterator[str]:
    """What stands between blank lines, and blocks of code with the blank lines in them."""
    for index, part in enumerate(re.split(r"^```\w*\n", body, flags=re.MULTILINE)):
        if index % 2:
            yield f"```\n{part}"
        else:
            yield from filter(None, map(str.strip, part.split("\n\n")))


def _text(block: str) -> Iterator[str]:
    if block.startswith("```\n"):
        yield from (f"    {line}".rstrip() for line in block.splitlines()[1:])
    elif block.startswith("|"):
        yield from _table(block)
    elif block.startswith("- "):
        for item in re.split(r"^- ", block, flags=re.MULTILINE)[1:]:
            yield from _wrapped(_plain(item), "- ", "  ")
    else:
        yield from _wrapped(_plain(block), "", "")


def _table(block: str) -> Iterator[str]:
    lines = (line[1:-1].split("|") for line in block.split("\n"))
    heading, _, *rows = [[_plain(cell) for cell in line] for line in lines]
    left = min(LEFT, max(len(row[0]) for row in rows))
    if not heading[1]:  # a heading of all
        yield f"{heading[0][:1].upper()}{heading[0][1:]}:"
    else:
        yield f"  {heading[0]:{left}}  {heading[1]}"
    for name, words in rows:
        is_long = len(name) > left
        if is_long:
            yield f"  {name}"
        yield from _wrapped(words, f"  {'' if is_long else name:{left}}  ", " " * (left + 4))


def _wrapped(text: str, first: str, others: str) -> list[str]:
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=first,
        subsequent_indent=others,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _plain(text: str) -> str:
    """A text without marks of Markdown.

    >>> _plain("See [the `b`](b.md) and `-m b`.")
    'See the b and -m b.'
    """
    one_line = " ".join(text.split())
    return _MARKS.sub(lambda found: _plain(found[1] or found[2] or ""), one_line)


def main() -> None:
    """Write all pages, and remove those of topics that are gone."""
    made = pages((DOCS / "topics.md").read_text("utf-8"))
    TOPICS.mkdir(exist_ok=True)
    for path in TOPICS.glob("*.txt"):
        if path.stem not in made:
            path.unlink()
    for name, text in made.items():
        (TOPICS / f"{name}.txt").write_text(text, "utf-8")
        print(f"{name}: {text.count(chr(10))} lines")


if __name__ == "__main__":
    main()
