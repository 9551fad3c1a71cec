"""Options for columns of Parquet and Arrow files: which column is which."""

from dataclasses import dataclass
from typing import Annotated

import typer

from segscore.cli.column_files import ColumnNames
from segscore.cli.option_groups import OptionGroup, Section
from segscore.cli.reading_options import names_in
from segscore.io.read_options import ReadOptions
from segscore.pairing.list_columns import Encoding

ReferenceColumn = Annotated[
    str | None,
    typer.Option(
        "--reference-column", metavar="NAME", help="Column of references, in a Parquet file."
    ),
]
ReferenceLabels = Annotated[
    str | None,
    typer.Option(
        "--reference-labels",
        metavar="NAME",
        help="Column with a label for each segment of the references, in a Parquet file.",
    ),
]
UnitsColumn = Annotated[
    str | None,
    typer.Option(
        "--n-units", metavar="NAME", help="Column with the number of units, in a Parquet file."
    ),
]
DocumentColumn = Annotated[
    str | None,
    typer.Option("--document-column", metavar="NAME", help="Column with the documents' names."),
]
EncodingOption = Annotated[
    Encoding | None,
    typer.Option(
        "--column-encoding",
        "--encoding",
        help="What the lists of these columns hold; by default boundaries.",
    ),
]


@dataclass(frozen=True, kw_only=True)
class ColumnOptions(OptionGroup):
    """Columns of a reference and a hypothesis."""

    section = Section.COLUMNS

    reference_column: ReferenceColumn = None
    hypothesis_column: Annotated[
        str | None,
        typer.Option(
            "--hypothesis-column", metavar="NAME", help="Column of hypotheses, in a Parquet file."
        ),
    ] = None
    n_units: UnitsColumn = None
    document_column: DocumentColumn = None
    encoding: EncodingOption = None
    reference_labels: ReferenceLabels = None
    hypothesis_labels: Annotated[
        str | None,
        typer.Option(
            "--hypothesis-labels",
            metavar="NAME",
            help="Column with a label for each segment of the hypotheses.",
        ),
    ] = None
    by: Annotated[
        list[str] | None,
        typer.Option("--by", metavar="NAME", help="Column that defines groups. May be repeated."),
    ] = None

    def chosen(self, reading: ReadOptions) -> ColumnNames:
        """The columns that are named."""
        return ColumnNames(
            self.reference_column,
            self.hypothesis_column,
            self.n_units,
            self.document_column,
            self.encoding,
            reading.on_error,
            tuple(self.by or ()),
            reference_labels=self.reference_labels,
            hypothesis_labels=tuple(filter(None, [self.hypothesis_labels])),
            large=reading.large,
        )


@dataclass(frozen=True, kw_only=True)
class SystemColumnOptions(OptionGroup):
    """Columns of a reference and several systems."""

    section = Section.COLUMNS

    reference_column: ReferenceColumn = None
    system_columns: Annotated[
        str | None,
        typer.Option(
            "--system-columns",
            "--systems",
            metavar="NAMES",
            help="Columns of systems in a Parquet file: a,b,c.",
        ),
    ] = None
    reference_labels: ReferenceLabels = None
    system_labels: Annotated[
        str | None,
        typer.Option(
            "--system-labels",
            metavar="NAMES",
            help="Columns with a label for each segment, one per --system-columns, in the same "
            "order: a,b,c.",
        ),
    ] = None
    n_units: UnitsColumn = None
    document_column: DocumentColumn = None
    encoding: EncodingOption = None
    cluster: Annotated[
        str | None,
        typer.Option(
            "--cluster-column",
            "--cluster",
            metavar="NAME",
            help="Column that says which documents belong together.",
        ),
    ] = None

    def chosen(self, reading: ReadOptions) -> ColumnNames:
        """The columns that are named."""
        return ColumnNames(
            self.reference_column,
            None,
            self.n_units,
            self.document_column,
            self.encoding,
            reading.on_error,
            systems=names_in(self.system_columns),
            cluster=self.cluster,
            reference_labels=self.reference_labels,
            hypothesis_labels=names_in(self.system_labels),
            large=reading.large,
        )
