"""Wiki-727K (Koshorek et al. 2018): articles with their headings, one per file, which names it.

    ========,1,preface.
    First sentence.
    ========,2,History, in short.
    Another sentence.

A unit per line; before each segment a line of eight `=`, the level of its heading and its title,
which may hold commas. The rank of a boundary is the level less one, because only the preface has
level 1; the title is the label of the segment, the full stop at its end left out. Headings with no
text of their own are ignored: the next segment keeps the most prominent of their ranks, and its own
title. Placeholders (`***LIST***.`) are units like others.
"""

import re
from collections.abc import Iterator

from segscore.corpus.record import Record
from segscore.io.files import Source
from segscore.io.format import Format
from segscore.io.formats.headed_text import Outline

_HEADING = re.compile(r"={8},([1-9][0-9]?),(.*)")


def matches(lines: list[str]) -> bool:
    """The first line is a heading."""
    return bool(lines) and _HEADING.match(lines[0]) is not None


def read(source: Source) -> Iterator[Record]:
    """The one record of a file."""
    outline = Outline(source)
    for number, line in enumerate(source.read_lines(), start=1):
        found = _HEADING.fullmatch(line.rstrip())
        if found is not None:
            title = found[2].strip()
            outline.heading(max(1, int(found[1]) - 1), title.removesuffix("."))
        elif line.startswith("========"):
            raise source.fail(f"{line!r}: expected ========,LEVEL,TITLE", number)
        elif number == 1:
            raise source.fail(f"{line!r}: expected a heading first, as in ========,1,preface.", 1)
        elif line.strip():
            outline.units([line])
    yield outline.record()


FORMAT = Format(
    name="wiki-727k",
    title="Wiki-727K",
    suffixes=(".wiki",),
    holds=frozenset({"units", "labels", "ranks"}),
    matches=matches,
    read=read,
    signs=("========,",),
)
