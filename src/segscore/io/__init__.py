"""Files in and out: one file per format, one registry.

`read` and `write` are for whole corpora, `convert` goes from format to format record by record, and
`read_columns` reads codings directly into the columns that scoring uses. Each format is a module of
its own; docs/formats.md describes them all.
"""

from typing import TYPE_CHECKING

from segscore.basics.on_demand import names_on_demand

if TYPE_CHECKING:
    from segscore.corpus.record import Record
    from segscore.io.document_lists import read_durations, read_scores
    from segscore.io.files import replacing
    from segscore.io.format import Format
    from segscore.io.read_options import ReadingWarning, ReadOptions, Skipped
    from segscore.io.reading import read, read_columns, read_records
    from segscore.io.registry import FORMATS
    from segscore.io.writing import convert, write

__all__ = [
    "FORMATS",
    "Format",
    "ReadOptions",
    "ReadingWarning",
    "Record",
    "Skipped",
    "convert",
    "read",
    "read_columns",
    "read_durations",
    "read_records",
    "read_scores",
    "replacing",
    "write",
]


__getattr__ = names_on_demand(
    __name__,
    {
        "FORMATS": "registry",
        "Format": "format",
        "ReadOptions": "read_options",
        "ReadingWarning": "read_options",
        "Record": "format",
        "Skipped": "read_options",
        "convert": "writing",
        "read": "reading",
        "read_columns": "reading",
        "read_durations": "document_lists",
        "read_records": "reading",
        "read_scores": "document_lists",
        "replacing": "files",
        "write": "writing",
    },
)
