"""Files that could not be read and were skipped: reported at the end, with an exit code of their
own."""

from pathlib import Path

from segscore.cli.output import remark, remark_width, write_table
from segscore.cli.streams import print_error
from segscore.io.read_options import ReadOptions
from segscore.tables.table import Table
from segscore.tables.view import Column

SKIPPED = 3  # exit code: done, but some files were skipped


def tell_skipped(reading: ReadOptions, errors: Path | None = None) -> None:
    """Report which files were skipped: a table on stderr, and in a file if its name is given."""
    table = _skipped_table(reading)
    if reading.skipped:
        remark(f"{len(reading.skipped)} files skipped:")
        print_error(table.render("text", remark_width()))
    if errors is not None:
        write_table(table, errors)


def _skipped_table(reading: ReadOptions) -> Table:
    seen = dict.fromkeys(reading.skipped)  # a reference is read once for each hypothesis
    reading.skipped[:] = list(seen)
    return Table([Column("file"), Column("reason")], [list(row) for row in seen])
