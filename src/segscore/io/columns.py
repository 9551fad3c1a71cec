"""Codings in columns: what scoring needs of a file, without an object for each coding."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from segscore._kernels.jsonl import Builder
from segscore.arguments import Int64Array
from segscore.documents import first_difference
from segscore.errors import SegmentationError, named
from segscore.io.label_columns import LabelColumn
from segscore.provenance import PLAIN, Provenance
from segscore.records import Record, Units
from segscore.segmentation import Segmentation


@dataclass(frozen=True)
class Columns:
    """Codings, a row each: row i is of `documents[i]` by `coders[codes[i]]`, and its boundaries
    are `positions[offsets[i]:offsets[i+1]]`.

    `labels` are those of the segments, where a segment has one at most. `details` holds the
    segmentation of each row that has more to it (types, ranks, candidates, several labels).
    `texts` holds the text of documents, where it is known. `provenance` says how units were formed.
    `source` is what messages call the input.
    """

    source: str
    documents: Sequence[str]
    coders: Sequence[str]
    codes: NDArray[np.int32]
    n_units: Int64Array
    offsets: Int64Array
    positions: Int64Array
    details: dict[int, Segmentation] = field(default_factory=dict)
    texts: dict[str, Units] = field(default_factory=dict)
    provenance: Provenance = PLAIN
    labels: LabelColumn | None = None

    def __post_init__(self) -> None:
        if not self.one_each:
            self._check_codings()
        if self.texts:
            self._check_texts()

    def __len__(self) -> int:
        return len(self.documents)

    @cached_property
    def one_each(self) -> bool:
        """Whether each document has only one coding."""
        return len(set(self.documents)) == len(self)

    def _check_codings(self) -> None:
        """One coding per coder and document, and the same N in all codings of a document."""
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
            if name in self.texts and len(self.texts[name]) != units:
                self._refuse(
                    row,
                    f"{units} units, where the text has {len(self.texts[name])}: expected the "
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
        builder = ColumnsBuilder()
        for record in records:
            builder.add(record)
        return builder.columns(source, provenance=provenance)

    def coder(self, row: int) -> str:
        """The coder of a row."""
        return self.coders[int(self.codes[row])]

    def segmentation(self, row: int) -> Segmentation:
        """One row as an object."""
        if row in self.details:
            return self.details[row]
        first, last = int(self.offsets[row]), int(self.offsets[row + 1])
        labels = None if self.labels is None else self.labels.of_row(self.offsets, row)
        return Segmentation.from_boundaries(
            self.positions[first:last], int(self.n_units[row]), segment_labels=labels
        )

    def boundaries(self, rows: Int64Array) -> tuple[Int64Array, Int64Array]:
        """(offsets, positions) of some rows, in their order."""
        if len(rows) == len(self) and np.array_equal(rows, np.arange(len(rows))):
            return self.offsets, self.positions
        starts, lengths = self.offsets[rows], self.offsets[rows + 1] - self.offsets[rows]
        offsets = np.concatenate(([0], np.cumsum(lengths)))
        index = np.arange(offsets[-1]) + np.repeat(starts - offsets[:-1], lengths)
        return offsets, self.positions[index]

    def labels_of(self, rows: Int64Array) -> LabelColumn | None:
        """The labels of some rows, in their order."""
        return None if self.labels is None else self.labels.of_rows(self.offsets, rows)

    def rows_of(self, coder: str) -> Int64Array:
        """The rows of one coder."""
        if coder not in self.coders:
            raise SegmentationError(
                f"{self.source} has no coder {coder!r}: there is {named(self.coders)}"
            )
        return np.flatnonzero(self.codes == self.coders.index(coder))


class ColumnsBuilder:
    """Columns that grow: `rows` takes plain lines at once, `add` takes any record."""

    def __init__(self) -> None:
        self.rows = Builder()
        self._details: dict[int, Segmentation] = {}
        self._texts: dict[str, Units] = {}

    def add(self, record: Record) -> None:
        """Add one record."""
        if record.units is not None:
            self._add_text(record, record.units)
        coding = record.segmentation
        if coding is None or record.coder is None:
            return
        labels = coding.segment_labels
        several = any(isinstance(one, frozenset) for one in labels or ())
        plain = coding.types is None and coding.ranks is None and coding.candidates is None
        if several or not plain:
            self._details[len(self.rows.documents)] = coding
            labels = None
        self.rows.append(record.document, record.coder, coding.n_units, coding.packed, labels)  # type: ignore[arg-type]

    def _add_text(self, record: Record, units: Units) -> None:
        before = self._texts.setdefault(record.document, units)
        unit = first_difference(before, units)
        if unit is not None:
            at = f"{record.place}: " if record.place else ""
            raise SegmentationError(
                f"{at}{record.where}: the text differs from that given before, at unit "
                f"{unit + 1}: expected the same units"
            )

    def columns(self, source: str, coder: str = "", provenance: Provenance = PLAIN) -> Columns:
        """What was collected; codings without a coder are by `coder`."""
        n_units, offsets, positions, packed_codes = self.rows.columns()
        codes = np.frombuffer(packed_codes, np.int32)
        coders = list(self.rows.coders)
        if codes.size and codes.min() < 0:
            if coder not in coders:
                coders.append(coder)
            codes = np.where(codes < 0, np.int32(coders.index(coder)), codes)
        labels = self.rows.labels()
        return Columns(
            source,
            self.rows.documents,
            coders,
            codes,
            np.frombuffer(n_units, np.int64),
            np.frombuffer(offsets, np.int64),
            np.frombuffer(positions, np.int64),
            self._details,
            self._texts,
            provenance,
            None
            if labels is None
            else LabelColumn(self.rows.label_names, np.frombuffer(labels, np.int32)),
        )
