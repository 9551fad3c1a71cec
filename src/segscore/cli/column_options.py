"""Columns of Parquet and Arrow files with a row per document: which column is which side."""

from dataclasses import dataclass
from typing import Annotated, ClassVar, get_args

import typer

from segscore.basics.arguments import check_choice
from segscore.cli.column_files import ColumnNames
from segscore.cli.option_groups import Section
from segscore.cli.reading_options import ReadingOptions, names_in
from segscore.pairing.list_columns import Encoding

ByOption = Annotated[
    list[str] | None,
    typer.Option(
        "--by",
        rich_help_panel=Section.STATISTICS,
        metavar="COLUMN",
        help="Parquet: scores for each group of this column.",
    ),
]
ClusterOption = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        rich_help_panel=Section.STATISTICS,
        metavar="COLUMN",
        help="Parquet: documents that belong together.",
    ),
]


@dataclass(frozen=True, kw_only=True)
class ColumnOptions(ReadingOptions):
    """How files are read, and the columns of both sides where one file holds them."""

    sides: ClassVar[tuple[str, ...]] = (
        "reference", "hypothesis", "systems", "encoding", "reference_labels", "hypothesis_labels",
        "system_labels",
    )  # fmt: skip

    def chosen(self, by: list[str] | None = None, cluster: str | None = None) -> ColumnNames:
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
            tuple(by or ()),
            names_in(sides.get("systems")),
            cluster,
            sides.get("reference_labels"),
            (labels,) if labels else names_in(sides.get("system_labels")),
            large=options.large,
        )
