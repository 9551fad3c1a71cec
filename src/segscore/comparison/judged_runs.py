"""What a run of a contestant did: documents, hypotheses, and the references that they meet.

Large comparisons have millions of hypotheses. So a run is a mapping that makes what is asked for
on demand: from segmentations as they were given, or from columns, for those that chance drew.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from segscore.basics.arguments import Int64Array
from segscore.coding.segmentation import Segmentation
from segscore.pairing.pair_packing import plain_columns

References = dict[str, list[Segmentation]]
Columns = tuple[Int64Array, Int64Array, Int64Array]
"""Units, offsets and positions of segmentations without types, ranks, candidates and labels."""


class JudgedOutput(NamedTuple):
    """One hypothesis and the references that it is scored against."""

    references: Sequence[Segmentation]
    hypothesis: Segmentation


class JudgedRun(Mapping[str, Sequence[JudgedOutput]]):
    """A run with one hypothesis for each of its documents, against all references of it.

    hypotheses: of some documents that have references, in their order.
    """

    def __init__(self, references: References, hypotheses: Mapping[str, Segmentation]) -> None:
        self.references, self.hypotheses = references, hypotheses

    def __getitem__(self, document: str) -> Sequence[JudgedOutput]:
        return (JudgedOutput(self.references[document], self.hypotheses[document]),)

    def __iter__(self) -> Iterator[str]:
        return iter(self.hypotheses)

    def __len__(self) -> int:
        return len(self.hypotheses)

    def __contains__(self, document: object) -> bool:
        return document in self.hypotheses

    def columns(self) -> Columns | None:
        """The hypotheses of all documents; None if some have more than boundaries."""
        if isinstance(self.hypotheses, ColumnHypotheses):
            return self.hypotheses.columns
        return plain_columns(list(self.hypotheses.values()))


class DocumentRows:
    """The row of each document in columns; one for all runs that have the same documents."""

    def __init__(self, documents: Sequence[str]) -> None:
        self.documents = documents

    @cached_property
    def by_name(self) -> dict[str, int]:
        """Made when the first document is asked for."""
        return {name: row for row, name in enumerate(self.documents)}


class ColumnHypotheses(Mapping[str, Segmentation]):
    """Segmentations of documents, kept as columns."""

    def __init__(self, rows: DocumentRows, columns: Columns) -> None:
        self.rows, self.columns = rows, columns

    def __getitem__(self, document: str) -> Segmentation:
        n_units, offsets, positions = self.columns
        row = self.rows.by_name[document]
        places = positions[offsets[row] : offsets[row + 1]]
        return Segmentation.from_boundaries(places, int(n_units[row]))

    def __iter__(self) -> Iterator[str]:
        return iter(self.rows.documents)

    def __len__(self) -> int:
        return len(self.rows.documents)

    def __contains__(self, document: object) -> bool:
        return document in self.rows.by_name
