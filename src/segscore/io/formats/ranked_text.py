"""Ranked text (Carroll 2010): the text itself with ranked boundaries, one document per file.

    ==== 1 ====
    First sentence .
    ==== 2 ====
    A section begins .
    ==== 3 ====
    A part of it begins .

A unit per line, including blank lines; UTF-8, or else latin-1. A line `==== 3 ====` (any number of
`=`) is a boundary of rank 3 before the next unit, without a number of rank 1; if there are several
in one place, the last counts, and marks before the first and after the last unit are ignored. A
file `Name.txt.eos.tok` is the document `Name`.

The author's program, EvalHDS, reads each line that only begins like a mark as a mark, and drops its
text; some of his files have such lines, because a program that splits sentences cut marks in two.
Here they are an error, or read in the same way and counted if the caller is lenient.
"""

import re
from collections.abc import Iterator

from segscore.coding.segmentation import Segmentation
from segscore.corpus.record import Record
from segscore.corpus.text_checks import check_name
from segscore.errors import SegmentationError
from segscore.io.files import Source
from segscore.io.format import Format

_MARK = re.compile(r"=+ *([0-9]*) *=+ *")
_NUMBERED = re.compile(r"={2,} ?[0-9]+ ?={2,}")
_SIGNS = tuple(f"={space}{digit}" for space in ("", " ") for digit in "0123456789")
_MOST_DIGITS = 9  # of a rank
_ENDINGS = ".txt.eos"  # of Carroll's files, before .tok


def matches(lines: list[str]) -> bool:
    """Whether some line is a mark with a rank."""
    return any(_NUMBERED.fullmatch(line.strip()) for line in lines)


def read(source: Source) -> Iterator[Record]:
    """The record of a file."""
    document = source.document.removesuffix(_ENDINGS)
    check_name(document, source.at())
    units: list[str] = []
    ranks: dict[int, int] = {}  # by place
    broken: list[int] = []
    for number, text in enumerate(source.read_lines(latin=True, blank_at_end=True), start=1):
        line = text.strip()
        mark = _MARK.match(line)
        if mark is None:
            units.append(line)
            continue
        if mark.end() != len(line):
            _check_lenient(source, line, number)
            broken.append(number)
        if len(mark[1]) > _MOST_DIGITS:
            raise source.fail(f"a rank of {len(mark[1])} digits: expected a small number", number)
        ranks[len(units)] = int(mark[1] or 1)
    if not units:
        raise source.fail(f"document {document!r} has no unit: expected lines of text")
    if broken:
        source.choices.remark(
            f"{source.at(broken[0])}: {len(broken)} lines that begin like a mark and continue were "
            "read as marks, and their text was left out"
        )
    inside = sorted(place for place in ranks if 0 < place < len(units))
    try:
        coding = Segmentation.from_boundaries(
            inside, len(units), ranks=[ranks[place] for place in inside]
        )
    except SegmentationError as error:
        raise source.fail(f"document {document!r}: {error}") from None
    yield Record(document, source.coder, coding, tuple(units), place=source.at())


def _check_lenient(source: Source, line: str, number: int) -> None:
    """Raise for a line that only begins like a mark, unless such lines are to be read as marks."""
    if not source.choices.lenient:
        shown = line if len(line) <= 40 else f"{line[:40]}…"
        raise source.fail(
            f"{shown!r} begins like a mark and goes on: expected '==== 2 ====' alone, or "
            "lenient=True, which reads it as a mark without its text, as EvalHDS does",
            number,
        )


FORMAT = Format(
    "ranked-text", "ranked text (Carroll 2010)", (".tok",), frozenset({"units", "ranks"}),
    matches, read, alone=True, signs=_SIGNS, keys="lenient",
)  # fmt: skip
