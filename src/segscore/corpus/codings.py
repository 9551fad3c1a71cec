"""`Codings`: the one table of codings, a row each, in columns.

Readers fill it (`builder`), a `Corpus` is its public face, and everything that works on many
codings (pairing, agreement, comparison, writing) chooses rows of it. Documents and segmentations
are views, made on first access.

The rows of a document are adjacent, in the order in which they were given; documents and coders are
in the order in which they first occur.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from segscore._kernels.integers import new_segmentation
from segscore.basics.arguments import Int64Array
from segscore.basics.cached import cached_property
from segscore.coding.segmentation import Segmentation
from segscore.corpus.lists import (
    LabelColumn,
    is_all,
    joined_labels,
    picked_lists,
    picked_places,
    starts_of,
)
from segscore.corpus.provenance import PLAIN, Provenance
from segscore.corpus.record import KINDS, Kind
from segscore.corpus.unit_texts import Units, UnitTexts
from segscore.errors import SegmentationError, named

if TYPE_CHECKING:
    from segscore.corpus.annotation import Annotation


Value = TypeVar("Value")
Scope = Literal["global", "local"]  # coder names: the same people everywhere, or not


@dataclass(frozen=True, kw_only=True, eq=False)
class Codings:
    """Codings, a row each: row i is by `coders[codes[i]]`, has `n_units[i]` units, and its
    boundaries are `positions[offsets[i]:offsets[i+1]]`. The rows of document d, `documents[d]`, are
    `starts[d]` up to `starts[d+1]`; a document without a row has a text.

    labels: the labels of segments, for rows with at most one label per segment; details: the
    segmentations of rows that have more (types, ranks, candidates, levels, several labels of a
    segment).
    kinds: for each row the index of the coder's kind; groups: for each document that of its group
    among `group_names`; -1 is unknown. lines: the line of each row in its file; 0 is unknown.
    texts: the texts of documents, where they are known. failures: why a document has no coding,
    where a model's output for it could not be read. annotations: what annotation pages recorded
    about rows. scope: whether a coder's name means the same person in all documents. source: the
    name of the input in messages. provenance: how units were formed. listed: whether all codings of
    a document are its references, because they were given in a list.
    """

    documents: Sequence[str]
    starts: Int64Array
    coders: Sequence[str]
    codes: NDArray[np.int32]
    n_units: Int64Array
    offsets: Int64Array
    positions: Int64Array
    kinds: NDArray[np.int8]
    groups: NDArray[np.int32]
    group_names: Sequence[str] = ()
    lines: NDArray[np.int32]
    labels: LabelColumn | None = None
    details: Mapping[int, Segmentation] = field(default_factory=dict)
    texts: UnitTexts = field(default_factory=UnitTexts)
    failures: Mapping[str, str] = field(default_factory=dict)
    annotations: Mapping[int, "Annotation"] = field(default_factory=dict)
    scope: Scope = "global"
    source: str = ""
    provenance: Provenance = PLAIN
    listed: bool = False

    @classmethod
    def plain(
        cls,
        documents: Sequence[Any],
        coder: str,
        boundaries: tuple[Int64Array, Int64Array, Int64Array],
        **more: Any,
    ) -> "Codings":
        """A table with a coding of each document by the same coder: only (n_units, offsets,
        positions)."""
        n = len(documents)
        n_units, offsets, positions = boundaries
        columns: dict[str, Any] = {
            "codes": np.broadcast_to(np.int32(0), n),  # which takes no memory
            "kinds": np.broadcast_to(np.int8(-1), n),
            "groups": np.broadcast_to(np.int32(-1), n),
            "lines": np.broadcast_to(np.int32(0), n),
        }
        return cls(
            documents=documents,
            starts=np.arange(n + 1),
            coders=[coder],
            n_units=n_units,
            offsets=offsets,
            positions=positions,
            **(columns | more),
        )

    @classmethod
    def of_segmentations(
        cls,
        documents: Sequence[Any],
        coder: str,
        codings: Sequence[Segmentation],
        *,
        texts: Mapping[Any, Units] | None = None,
        source: str = "",
        provenance: Provenance = PLAIN,
    ) -> "Codings":
        """A table with a coding of each document by the same coder, from `Segmentation` objects."""
        provenance = provenance.measured(codings, f"cannot take codings by {coder!r} together")
        packed = [coding.packed for coding in codings]
        n_units = np.array([coding.n_units for coding in codings], np.int64)
        offsets = starts_of([len(boundaries) // 8 for boundaries in packed])
        held = UnitTexts()
        for name, units in (texts or {}).items():
            held.add(name, len(units), units)
        return cls.plain(
            documents,
            coder,
            (n_units, offsets, np.frombuffer(b"".join(packed), np.int64)),
            details={row: coding for row, coding in enumerate(codings) if not coding.is_plain},
            texts=held,
            source=source,
            provenance=provenance,
        )

    def __len__(self) -> int:
        return len(self.codes)

    def __getstate__(self) -> dict[str, Any]:
        """The state to pickle: the columns, without cached values."""
        return {column.name: getattr(self, column.name) for column in fields(self)}

    # ---- rows ----

    def coder(self, row: int) -> str:
        """The coder of a row."""
        return self.coders[int(self.codes[row])]

    def document(self, row: int) -> str:
        """The name of a row's document."""
        return self.documents[int(self.document_of_rows[row])]

    def segmentation(self, row: int) -> Segmentation:
        """The coding of a row, as a `Segmentation`."""
        if row in self.details:
            return self.details[row]
        n_units, offsets, positions = self._views[:3]
        labels = None if self.labels is None else self.labels.of_row(self.offsets, row)
        return new_segmentation(
            Segmentation,
            n_units[row],
            positions[offsets[row] : offsets[row + 1]].tobytes(),
            labels=None if labels is None else tuple(labels),
            unit_length=self._unit_length,
        )

    @cached_property
    def _unit_length(self) -> int | None:
        """The length of a unit, if the codings were made from times."""
        return self.provenance.unit_length

    @cached_property
    def _views(self) -> tuple[memoryview, ...]:
        """Memoryviews: faster than arrays for single numbers."""
        columns = self.n_units, self.offsets, self.positions, self.starts, self.codes, self.kinds
        return tuple(column.data for column in columns)

    @cached_property
    def document_of_rows(self) -> Int64Array:
        """The number of each row's document."""
        return np.repeat(np.arange(len(self.documents)), np.diff(self.starts))

    @cached_property
    def one_each(self) -> bool:
        """Whether each document has exactly one coding."""
        return len(self) == len(self.documents) and bool((np.diff(self.starts) == 1).all())

    def names_of(self, rows: Int64Array) -> Sequence[str]:
        """The names of the documents of some rows."""
        if self.one_each and is_all(rows, len(self)):
            return self.documents
        return [self.documents[number] for number in self.document_of_rows[rows].tolist()]

    def rows_of(self, coder: str) -> Int64Array:
        """The rows of one coder."""
        if coder not in self.coders:
            raise SegmentationError(
                f"{self.source} has no coder {coder!r}: there is {named(self.coders)}"
            )
        return np.flatnonzero(self.codes == self.coders.index(coder))

    def boundaries(self, rows: Int64Array) -> tuple[Int64Array, Int64Array]:
        """(offsets, positions) of some rows, in their order."""
        return picked_lists(self.offsets, self.positions, rows)

    def labels_of(self, rows: Int64Array) -> LabelColumn | None:
        """The labels of some rows, in their order."""
        return None if self.labels is None else self.labels.of_rows(self.offsets, rows)

    # ---- documents ----

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each document."""
        return dict(zip(self.documents, range(len(self.documents)), strict=True))

    def n_units_of(self, document: int) -> int:
        """The number of units of a document."""
        starts = self._views[3]
        if starts[document] < starts[document + 1]:
            return int(self.n_units[starts[document]])
        return self.texts.n_units(self.documents[document])

    def codings_of(self, document: int) -> tuple[dict[str, Segmentation], dict[str, Kind]]:
        """The codings of a document as objects, by coder, and the kinds of those coders."""
        starts, codes, kinds = self._views[3:]
        codings: dict[str, Segmentation] = {}
        known: dict[str, Kind] = {}
        for row in range(starts[document], starts[document + 1]):
            coder = self.coders[codes[row]]
            codings[coder] = self.segmentation(row)
            if kinds[row] >= 0:
                known[coder] = KINDS[kinds[row]]
        return codings, known

    def annotations_of(self, document: int) -> dict[str, "Annotation"]:
        """What annotation pages recorded about the codings of a document, by coder."""
        rows = range(int(self.starts[document]), int(self.starts[document + 1]))
        return {self.coder(row): self.annotations[row] for row in rows if row in self.annotations}

    def units_of(self, document: int) -> Units | None:
        """The text of a document, if it is known."""
        return self.texts.get(self.documents[document]) if self.texts else None

    def group_of(self, document: int) -> str | None:
        """The group of a document, if it has one."""
        code = int(self.groups[document])
        return None if code < 0 else self.group_names[code]

    @property
    def names_systems(self) -> bool:
        """Whether some coders are known to be systems."""
        return bool((self.kinds == KINDS.index("system")).any())

    @property
    def consensus_coders(self) -> tuple[str, ...]:
        """The names of coders of the kind `consensus`, made from people's codings."""
        codes = np.unique(self.codes[self.kinds == KINDS.index("consensus")]).tolist()
        return tuple(self.coders[code] for code in codes)

    def members(self) -> dict[str, tuple[str, ...]]:
        """The documents of each group."""
        found: dict[str, list[str]] = {}
        for number in np.flatnonzero(self.groups >= 0).tolist():
            found.setdefault(self.group_names[self.groups[number]], []).append(
                self.documents[number]
            )
        return {group: tuple(names) for group, names in found.items()}

    # ---- another table from this one ----

    def select(
        self,
        documents: Mapping[str, Any] | None = None,
        coders: Mapping[str, Any] | None = None,
        groups: Mapping[str, Any] | None = None,
        kind: Kind | None = None,
    ) -> "Codings":
        """The part that meets all given conditions, as in `Corpus.select`."""
        rows = np.ones(len(self), np.bool_)
        wanted = np.ones(len(self.documents), np.bool_)
        if documents is not None:
            wanted &= _among(self.documents, documents)
        if groups is not None:
            # the last one is that of code -1
            wanted &= np.append(_among(self.group_names, groups), False)[self.groups]
        if coders is not None:
            rows &= _among(self.coders, coders)[self.codes]
        if kind is not None:
            rows &= self.kinds == KINDS.index(kind)
        rows &= wanted[self.document_of_rows]
        kept = np.zeros(len(self.documents), np.bool_)
        kept[self.document_of_rows[rows]] = True
        if coders is None and kind is None:  # a text alone is nobody's
            kept |= wanted & (np.diff(self.starts) == 0)
        return self.part(np.flatnonzero(rows), np.flatnonzero(kept))

    def without_consensus(self) -> "Codings":
        """The codings by people and systems; documents that have only a consensus are left out."""
        made = self.kinds == KINDS.index("consensus")
        if not made.any():
            return self
        counts = np.bincount(self.document_of_rows[~made], minlength=len(self.documents))
        kept = (counts > 0) | (np.diff(self.starts) == 0)
        return self.part(np.flatnonzero(~made), np.flatnonzero(kept))

    def part(self, rows: Int64Array, documents: Int64Array | None = None) -> "Codings":
        """A table of these rows, in their order, and of these documents (default: those of the
        rows)."""
        owners = self.document_of_rows[rows]
        if documents is None:
            documents = np.unique(owners)
        names, texts = self.documents, self.texts
        if not is_all(documents, len(names)):
            names = [names[number] for number in documents.tolist()]
            texts = UnitTexts()
            for name in names if self.texts else ():
                if name in self.texts:
                    texts.take(name, self.texts)
        elif is_all(rows, len(self)):
            return self
        counts = np.bincount(owners, minlength=len(self.documents))
        return self.at_rows(
            rows,
            documents=names,
            starts=starts_of(counts[documents]),
            groups=self.groups[documents],
            texts=texts,
        )

    def at(self, documents: Sequence[str]) -> "Codings":
        """A table of those of these documents that it has, in this order; it keeps all texts."""
        if documents == self.documents:
            return self
        numbers = [self.numbers[name] for name in documents if name in self.numbers]
        places = np.array(numbers, np.int64)
        return replace(self.part(picked_places(self.starts, places), places), texts=self.texts)

    def at_rows(self, rows: Int64Array, **about_documents: Any) -> "Codings":
        """A table of these rows, in their order; the columns of documents are given."""
        offsets, positions = self.boundaries(rows)
        coders, codes = coders_in_order(self.coders, self.codes[rows])
        return replace(
            self,
            coders=coders,
            codes=codes,
            n_units=self.n_units[rows],
            offsets=offsets,
            positions=positions,
            kinds=self.kinds[rows],
            lines=self.lines[rows],
            labels=self.labels_of(rows),
            details=details_of(self.details, rows) if self.details else {},
            annotations=details_of(self.annotations, rows) if self.annotations else {},
            **about_documents,
        )


def coders_in_order(
    coders: Sequence[str], codes: NDArray[np.int32]
) -> tuple[Sequence[str], NDArray[np.int32]]:
    """The coders in the order in which they first occur, without unused ones, and their codes."""
    used, first = np.unique(codes, return_index=True)
    order = used[np.argsort(first)]
    if np.array_equal(order, np.arange(len(coders))):
        return coders, codes
    new = np.zeros(len(coders), np.int32)
    new[order] = np.arange(len(order), dtype=np.int32)
    return [coders[code] for code in order.tolist()], new[codes]


def details_of(details: Mapping[int, Value], rows: Int64Array) -> dict[int, Value]:
    """The details of these rows, by their new row numbers."""
    places = enumerate(rows.tolist())
    return {place: details[row] for place, row in places if row in details}


def _among(names: Sequence[str], chosen: Mapping[str, Any]) -> NDArray[np.bool_]:
    return np.fromiter((name in chosen for name in names), np.bool_, len(names))


# ---- several tables ----


def joined_rows(parts: Sequence[Codings]) -> Codings:
    """The rows of several tables one after the other, with documents of their own in each part."""
    coders = list(dict.fromkeys(name for part in parts for name in part.coders))
    place = {name: np.int32(code) for code, name in enumerate(coders)}
    before = [0, *accumulate(len(part) for part in parts)]
    positions = [0, *accumulate(len(part.positions) for part in parts)]

    def column(name: str) -> Any:
        return np.concatenate([getattr(part, name) for part in parts])

    return Codings(
        documents=[name for part in parts for name in part.documents],
        starts=_shifted([part.starts for part in parts], before),
        coders=coders,
        codes=np.concatenate([_recoded(part, place) for part in parts]),
        n_units=column("n_units"),
        offsets=_shifted([part.offsets for part in parts], positions),
        positions=column("positions"),
        kinds=column("kinds"),
        groups=np.full(sum(len(part.documents) for part in parts), -1, np.int32),
        lines=column("lines"),
        labels=joined_labels([(part.labels, len(part.positions) + len(part)) for part in parts]),
        details=_moved([part.details for part in parts], before),
        annotations=_moved([part.annotations for part in parts], before),
        scope=parts[0].scope,
    )


def _recoded(table: Codings, codes: Mapping[str, np.int32]) -> NDArray[np.int32]:
    """The codes of a table's rows among the coders of all."""
    return np.array([codes[name] for name in table.coders], np.int32)[table.codes]


def _shifted(offsets: Sequence[Int64Array], by: Sequence[int]) -> Int64Array:
    """Offsets of several columns one after the other."""
    ends = [offset[1:] + start for offset, start in zip(offsets, by, strict=False)]
    return np.concatenate([[0], *ends]).astype(np.int64)


def _moved(parts: Sequence[Mapping[int, Value]], before: Sequence[int]) -> dict[int, Value]:
    """What is known about rows of several tables, by their row numbers in the joined table."""
    return {
        start + row: value
        for part, start in zip(parts, before, strict=False)
        for row, value in part.items()
    }
