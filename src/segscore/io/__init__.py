"""Files in and out: one file per format, one registry.

`read` and `write` are for whole corpora, `convert` goes from format to format record by record, and
`read_pairs` and `read_columns` bring codings straight into the columns that scoring works on. Each
format is a module of its own; docs/formats.md describes them all.
"""

from segscore.columns import Columns, Pairing, pair
from segscore.io.base import Format
from segscore.io.choices import Choices, ReadingWarning
from segscore.io.files import replacing
from segscore.io.reading import read, read_columns, read_pairs, read_records
from segscore.io.registry import FORMATS
from segscore.io.writing import convert, write
from segscore.records import Record

__all__ = [
    "FORMATS",
    "Choices",
    "Columns",
    "Format",
    "Pairing",
    "ReadingWarning",
    "Record",
    "convert",
    "pair",
    "read",
    "read_columns",
    "read_pairs",
    "read_records",
    "replacing",
    "write",
]
