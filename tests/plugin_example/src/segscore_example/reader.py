"""A reader: a line of stars and dots per document, a star for the first unit of a segment."""

from collections.abc import Iterator

from segscore import Segmentation
from segscore.io import Format, Record
from segscore.io.files import Source


def read(source: Source) -> Iterator[Record]:
    """The records of a file."""
    for number, line in enumerate(source.read_lines(), 1):
        labels = [{".": 0, "*": 1}[sign] for sign in line.strip()]
        coding = Segmentation.from_labels(labels, marks="start")
        yield Record(str(number), source.coder, coding)


FORMAT = Format(
    name="stars",
    title="Stars and dots",
    suffixes=(".stars",),
    holds=frozenset(),
    matches=lambda lines: bool(lines[0]) and not set(lines[0]) - set("*."),
    read=read,
)
