"""Columns of Parquet and Arrow files with a row per document: which column is which side."""

from dataclasses import dataclass
from typing import ClassVar, get_args

from segscore.basics.arguments import check_choice
from segscore.cli.column_files import ColumnNames
from segscore.cli.reading_options import ReadingOptions, names_in
from segscore.pairing.list_columns import Encoding


@dataclass(frozen=True, kw_only=True)
class ColumnOptions(ReadingOptions):
    """How files are read, and the columns of both sides where one file holds them."""

    sides: ClassVar[tuple[str, ...]] = (
        "reference", "hypothesis", "systems", "encoding", "reference_labels", "hypothesis_labels",
        "system_labels", "by", "cluster",
    )  # fmt: skip

    def chosen(self) -> ColumnNames:
        """The columns that are named."""
        sides, options = self.keys, self.options
        check_choice(sides.get("encoding", "boundaries"), "encoding", get_args(Encoding))
        labels = sides.get("hypothesis_labels")
        return ColumnNames(
            sides.get("reference"),
            sides.get("hypothesis"),
            options.columns.get("n_units"),
            options.columns.get("document"),
            sides.get("encoding"),
            options.on_error,
            names_in(sides.get("by")),
            names_in(sides.get("systems")),
            sides.get("cluster"),
            sides.get("reference_labels"),
            (labels,) if labels else names_in(sides.get("system_labels")),
            large=options.large,
        )
