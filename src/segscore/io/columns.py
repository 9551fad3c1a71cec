"""Codings in columns: what scoring needs of a file, without an object for each coding."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NoReturn

import numpy as np

from segscore.basics.arguments import Int64Array
from segscore.corpus.coding_rows import NO_CODER, NO_CODING, CodingRows, RowsBuilder
from segscore.corpus.corpus import Corpus
from segscore.corpus.corpus_columns import disagreement, numbered
from segscore.corpus.provenance import PLAIN, Provenance
from segscore.corpus.record import Record
from segscore.corpus.unit_texts import UnitTexts
from segscore.errors import SegmentationError, named


@dataclass(frozen=True, kw_only=True, eq=False)
class Columns(CodingRows):
    """Codings, a row each: row i is of `documents[i]` by `coders[codes[i]]`.

    `texts` holds the text of documents, where it is known. `provenance` says how units were formed.
    `source` is what messages call the input.
    """

    source: str
    documents: Sequence[str]
    texts: UnitTexts = field(default_factory=UnitTexts)
    provenance: Provenance = PLAIN

    def __post_init__(self) -> None:
        if not self.one_each:
            self._check_codings()
        if self.texts:
            self._check_texts()

    @cached_property
    def one_each(self) -> bool:
        """Whether each document has only one coding."""
        return len(set(self.documents)) == len(self)

    def _check_codings(self) -> None:
        """One coding per coder and document, and the same N in all codings of a document."""
        numbers = numbered(self.documents)
        of_rows = np.fromiter(map(numbers.__getitem__, self.documents), np.int64, len(self))
        if not disagreement(of_rows, self.codes, self.n_units):
            return
        first: dict[str, int] = {}
        seen: set[tuple[str, int]] = set()
        units = self.n_units.tolist()
        for row, (name, code) in enumerate(zip(self.documents, self.codes.tolist(), strict=True)):
            if (name, code) in seen:
                self._refuse(row, "a second coding: expected one per coder and document")
            seen.add((name, code))
            before = first.setdefault(name, row)
            if units[before] != units[row]:
                self._refuse(
                    row,
                    f"{units[row]} units, where coder {self.coder(before)!r} has {units[before]}: "
                    "expected the same number in all codings of a document",
                )

    def _check_texts(self) -> None:
        """As many units in a coding as in the text, which may stand on a line of its own."""
        for row, (name, units) in enumerate(
            zip(self.documents, self.n_units.tolist(), strict=True)
        ):
            if name in self.texts and self.texts.n_units(name) != units:
                self._refuse(
                    row,
                    f"{units} units, where the text has {self.texts.n_units(name)}: expected the "
                    "same number in all codings of a document",
                )

    def _refuse(self, row: int, what: str) -> NoReturn:
        raise SegmentationError(
            f"{self.source}: document {self.documents[row]!r}, coder {self.coder(row)!r}: {what}"
        )

    @classmethod
    def from_records(
        cls, records: Iterable[Record], source: str, provenance: Provenance = PLAIN
    ) -> "Columns":
        """Collect records; of documents without a coding only the text is kept."""
        builder = RowsBuilder()
        for record in records:
            builder.add(record)
        return cls.from_builder(builder, source, provenance=provenance)

    @classmethod
    def from_builder(
        cls, builder: RowsBuilder, source: str, coder: str = "", provenance: Provenance = PLAIN
    ) -> "Columns":
        """What was collected; codings that name no coder are by `coder`."""
        found = builder.collected()
        documents: Sequence[str] = builder.rows.documents
        coders, codes = [*found.coders], found.codes
        if (codes == NO_CODING).any():
            rows = np.flatnonzero(codes != NO_CODING)
            documents, codes = [documents[row] for row in rows.tolist()], codes[rows]
            found = found.chosen(rows)
        if (codes == NO_CODER).any():
            if coder not in coders:
                coders.append(coder)
            codes = np.where(codes < 0, np.int32(coders.index(coder)), codes)
        return cls(
            source=source,
            documents=documents,
            texts=builder.texts,
            provenance=provenance,
            **(found.row_columns() | {"coders": coders, "codes": codes}),
        )

    @classmethod
    def from_corpus(cls, corpus: Corpus, source: str, provenance: Provenance) -> "Columns":
        """The codings of a corpus."""
        columns = corpus.columns
        names = np.array(columns.documents, object)
        return cls(
            source=source,
            documents=names[columns.document_of_rows].tolist(),
            texts=columns.texts,
            provenance=provenance,
            **columns.row_columns(),
        )

    def rows_of(self, coder: str) -> Int64Array:
        """The rows of one coder."""
        if coder not in self.coders:
            raise SegmentationError(
                f"{self.source} has no coder {coder!r}: there is {named(self.coders)}"
            )
        return np.flatnonzero(self.codes == self.coders.index(coder))
