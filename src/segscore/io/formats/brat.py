"""brat standoff: `doc.ann` with the spans, beside `doc.txt` with the text.

    T1	Segment 0 11	Hello world
    T2	Segment 12 20;22 26	the rest of it

Offsets are code points, half-open. A span cannot go over a line end in brat, so that a segment of
several lines comes in fragments: it is read as the whole from the first to the last. `layer` is the
type of the spans to read; a type is a label. Relations, events, attributes and notes are ignored.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from segscore.basics.arguments import shown
from segscore.corpus.record import Record
from segscore.io.files import Source
from segscore.io.format import SPANS, tool_format
from segscore.io.placing import Span, text_record

_SPAN = re.compile(
    r"(T[^\t ]*)\t(\S+) ([0-9]{1,15} [0-9]{1,15}(?:;[0-9]{1,15} [0-9]{1,15})*)(?:\t(.*))?"
)
_OTHER = re.compile(r"(?:[REAMN][^\t]*|\*|#[^\t]*)\t.*")


def matches(lines: list[str]) -> bool:
    """Whether the first line is a span."""
    return bool(lines) and _SPAN.fullmatch(lines[0]) is not None


def read(source: Source) -> Iterator[Record]:
    """The record of a file and the text beside it."""
    beside = replace(source, path=source.path.with_suffix(".txt"))
    if not beside.path.is_file():
        raise source.fail(f"the text is missing: expected {beside.path.name} beside it")
    # brat counts each character of a line end
    text = beside.read_text()
    spans = []
    for number, line in enumerate(source.read_lines(), start=1):
        found = _SPAN.fullmatch(line)
        if found is not None:
            if source.choices.layer in (None, found[2]):
                spans.append(_span(source, found, text, number))
        elif line.strip() and not _OTHER.fullmatch(line):
            raise source.fail(
                f"{shown(line)}: expected an annotation, as in T1<TAB>Segment 0 11<TAB>Hello world",
                number,
            )
    yield text_record(source, source.document, source.coder, text, spans)


def _span(source: Source, found: re.Match[str], text: str, number: int) -> Span:
    fragments = [tuple(map(int, part.split(" "))) for part in found[3].split(";")]
    name, places = found[1][:40], found[3][:100]  # as messages call them
    offsets = [at for fragment in fragments for at in fragment]
    start, end = offsets[0], offsets[-1]
    # in order, so that all fragments together are no longer than the text
    if end > len(text) or any(before > after for before, after in pairwise(offsets)):
        raise source.fail(f"{name}: {places}: expected offsets in order, up to {len(text)}", number)
    own = found[4]
    there = " ".join(text[first:last] for first, last in fragments)
    if own is not None and own.split() != there.split():
        raise source.fail(
            f"{name}: the text at {places} is {shown(there)}: expected {shown(own)}", number
        )
    return Span(start, end, frozenset({found[2]}))


FORMAT = tool_format(
    "brat", "brat standoff", ".ann", "units labels", matches, read, "\t", keys=SPANS
)
