"""Codings in columns, a row each: boundaries, labels and coders, without an object for each coding.

`RowsBuilder` collects them. What knows the documents of the rows stands on top: the columns of a
file that is scored (`segscore.io.columns`), and those of a corpus (`corpus_columns`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from segscore._kernels.integers import new_segmentation
from segscore.basics.arguments import Int64Array
from segscore.coding.segmentation import Segmentation
from segscore.corpus.label_columns import LabelColumn
from segscore.corpus.record import Kind, Record, Units, whereabouts
from segscore.corpus.unit_texts import UnitTexts
from segscore.errors import SegmentationError

NO_CODER = -1  # the code of a coding that names no coder
NO_CODING = -2  # the code of a document of which only the text is known
GLOBAL, LOCAL = 1, 2  # scopes of coder names, as the scanner counts them


@dataclass(frozen=True, kw_only=True, eq=False)
class CodingRows:
    """Codings, a row each: row i is by `coders[codes[i]]`, has `n_units[i]` units, and its
    boundaries are `positions[offsets[i]:offsets[i+1]]`.

    `labels` are those of the segments, where a segment has one at most. `details` holds the
    segmentation of each row that has more to it (types, ranks, candidates, several labels).
    """

    coders: Sequence[str]
    codes: NDArray[np.int32]
    n_units: Int64Array
    offsets: Int64Array
    positions: Int64Array
    details: Mapping[int, Segmentation] = field(default_factory=dict)
    labels: LabelColumn | None = None

    def __len__(self) -> int:
        return len(self.codes)

    def coder(self, row: int) -> str:
        """The coder of a row."""
        return self.coders[int(self.codes[row])]

    def segmentation(self, row: int) -> Segmentation:
        """One row as an object."""
        if row in self.details:
            return self.details[row]
        n_units, offsets, positions = self._views
        labels = None if self.labels is None else self.labels.of_row(self.offsets, row)
        return new_segmentation(
            Segmentation,
            n_units[row],
            positions[offsets[row] : offsets[row + 1]].tobytes(),
            labels=None if labels is None else tuple(labels),
        )

    @cached_property
    def _views(self) -> tuple[memoryview, memoryview, memoryview]:
        """Columns to be read number by number, which is faster so."""
        return self.n_units.data, self.offsets.data, self.positions.data

    def __getstate__(self) -> dict[str, Any]:
        """What a pickle keeps: the columns, and nothing that can be found again from them."""
        return {one.name: getattr(self, one.name) for one in fields(self)}

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

    def chosen(self, rows: Int64Array) -> "CodingRows":
        """Some rows, in their order."""
        offsets, positions = self.boundaries(rows)
        return CodingRows(
            coders=self.coders,
            codes=self.codes[rows],
            n_units=self.n_units[rows],
            offsets=offsets,
            positions=positions,
            details=self._details_of(rows),
            labels=self.labels_of(rows),
        )

    def row_columns(self) -> dict[str, Any]:
        """The columns by name, for others that have the same rows and know more of them."""
        return {one.name: getattr(self, one.name) for one in fields(CodingRows)}

    def _details_of(self, rows: Int64Array) -> dict[int, Segmentation]:
        """The details of some rows, by their new places."""
        if not self.details:
            return {}
        return {
            place: self.details[row]
            for place, row in enumerate(rows.tolist())
            if row in self.details
        }


class RowsBuilder:
    """Rows that grow: `rows` takes plain lines at once, `add` takes any record.

    A document of which only the text is known is a row, too, of code NO_CODING.
    """

    def __init__(self) -> None:
        from segscore._kernels.jsonl import Builder

        self.rows = Builder()
        self.texts = UnitTexts()
        self._details: dict[int, Segmentation] = {}

    def add(self, record: Record) -> None:
        """Add one record."""
        if record.units is not None:
            self._add_text(
                record.document, record.coder, record.n_units, record.units, record.place
            )
        if record.coder is None or record.segmentation is None:
            self.rows.append(
                record.document, None, record.n_units, b"", None, None, record.group, record.local
            )
            return
        self.add_coding(
            record.document, record.coder, record.segmentation, record.kind, record.group,
            record.local,
        )  # fmt: skip

    def add_coding(
        self,
        document: str,
        coder: str,
        coding: Segmentation,
        kind: Kind | None = None,
        group: str | None = None,
        local: bool = False,
    ) -> None:
        """Add one coding."""
        labels: Any = coding.segment_labels
        several = any(isinstance(one, frozenset) for one in labels or ())
        plain = coding.types is None and coding.ranks is None and coding.candidates is None
        if several or not plain:
            self._details[len(self.rows.documents)] = coding
            labels = None
        self.rows.append(
            document,
            coder,
            coding.n_units,
            coding.packed,
            labels,
            kind,
            group,
            local,
        )

    def take_texts(self, at: Callable[[int], str], nameless: str) -> None:
        """Add the texts of the lines scanned last; `at` says how messages call a line, `nameless`
        is who made codings that name no coder."""
        for row, (line, n_units, code, text) in self.rows.texts.items():
            coder = None if code == NO_CODING else nameless
            if code >= 0:
                coder = self.rows.coders[code]
            self._add_text(self.rows.documents[row], coder, n_units, text, at(line))
        self.rows.texts.clear()

    def _add_text(
        self, document: str, coder: str | None, n_units: int, text: bytes | Units, place: str
    ) -> None:
        unit = self.texts.add(document, n_units, text)
        if unit is not None:
            at = f"{place}: " if place else ""
            raise SegmentationError(
                f"{at}{whereabouts(document, coder)}: the text differs from that given before, at "
                f"unit {unit + 1}: expected the same units"
            )

    def collected(self) -> CodingRows:
        """What was collected, texts alone and codings without a coder included."""
        n_units, offsets, positions, codes = self.rows.columns()
        labels = self.rows.labels()
        return CodingRows(
            coders=list(self.rows.coders),
            codes=np.frombuffer(codes, np.int32),
            n_units=np.frombuffer(n_units, np.int64),
            offsets=np.frombuffer(offsets, np.int64),
            positions=np.frombuffer(positions, np.int64),
            details=self._details,
            labels=None
            if labels is None
            else LabelColumn(self.rows.label_names, np.frombuffer(labels, np.int32)),
        )
