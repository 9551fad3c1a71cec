"""Files in and out: one file per format, one registry.

`read` and `write` are for whole corpora, `convert` goes from format to format record by record, and
`read_pairs` and `read_columns` bring codings straight into the columns that scoring works on. Each
format is a module of its own; docs/formats.md describes them all.
"""

from segscore.io.base import Format
from segscore.io.columns import Columns
from segscore.io.durations import read_durations
from segscore.io.files import replacing
from segscore.io.pairing import Pairing, pair, read_pairs
from segscore.io.read_options import ReadingWarning, ReadOptions, Skipped
from segscore.io.reading import read, read_columns, read_records
from segscore.io.registry import FORMATS
from segscore.io.writing import convert, write
from segscore.records import Record

__all__ = [
    "FORMATS",
    "Columns",
    "Format",
    "Pairing",
    "ReadOptions",
    "ReadingWarning",
    "Record",
    "Skipped",
    "convert",
    "pair",
    "read",
    "read_columns",
    "read_durations",
    "read_pairs",
    "read_records",
    "replacing",
    "write",
]
