"""Files in and out: formats are a table (`io.format`), and their functions stand in `io.formats`.

`read` and `write` are for whole corpora, `convert` goes from format to format, and `read_columns`
reads codings directly into the columns that scoring uses. docs/formats.md describes all formats.
"""

from typing import TYPE_CHECKING

from segscore.basics.on_demand import names_on_demand

if TYPE_CHECKING:
    from segscore.corpus.record import Record as Record
    from segscore.io.files import replacing as replacing
    from segscore.io.format import FORMATS as FORMATS
    from segscore.io.format import Format as Format
    from segscore.io.read_keys import read_durations as read_durations
    from segscore.io.read_keys import read_scores as read_scores
    from segscore.io.read_options import ReadingWarning as ReadingWarning
    from segscore.io.read_options import ReadOptions as ReadOptions
    from segscore.io.read_options import Skipped as Skipped
    from segscore.io.reading import read as read
    from segscore.io.reading import read_columns as read_columns
    from segscore.io.reading import read_records as read_records
    from segscore.io.writing import convert as convert
    from segscore.io.writing import write as write

_HOMES = {
    "FORMATS": "format",
    "Format": "format",
    "ReadOptions": "read_options",
    "ReadingWarning": "read_options",
    "Record": "format",
    "Skipped": "read_options",
    "convert": "writing",
    "read": "reading",
    "read_columns": "reading",
    "read_durations": "read_keys",
    "read_records": "reading",
    "read_scores": "read_keys",
    "replacing": "files",
    "write": "writing",
}
__all__ = list(_HOMES)

__getattr__ = names_on_demand(__name__, _HOMES)
