"""`Codings`: the one table of codings, a row each, in columns; `CodingsBuilder` collects it.

Readers fill it, a `Corpus` is its public face, and everything that works on many codings (pairing,
agreement, comparison, writing) chooses rows of it. Documents and segmentations are views, made on
first access.

The rows of a document are adjacent, in the order in which they were given; documents and coders are
in the order in which they first occur. Contradictions (two codings of a document by the same coder,
codings with different numbers of units …) are found in the columns; the message names the place of
the row, which the builder knows.
"""

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Literal, NoReturn, Self, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from segscore._kernels.integers import new_segmentation
from segscore._kernels.jsonl import Builder
from segscore.basics.arguments import Int64Array, cached_property
from segscore.coding.segmentation import Segmentation, columns_of
from segscore.corpus.lists import (
    LabelColumn,
    Units,
    UnitTexts,
    is_all,
    joined_labels,
    picked_lists,
    picked_places,
    starts_of,
)
from segscore.corpus.provenance import PLAIN, Provenance
from segscore.corpus.record import KINDS, OTHER_TEXT, Kind, Record, unit_hash, whereabouts
from segscore.errors import SegmentationError, named

if TYPE_CHECKING:
    from segscore.corpus.annotation import Annotation

Value = TypeVar("Value")
NO_TEXTS = UnitTexts()  # to which nobody adds
# columns with a single value, which take no memory
_FIRST, _UNKNOWN = (np.broadcast_to(np.int32(value), sys.maxsize >> 3) for value in (0, -1))
_UNKNOWN_KINDS = np.broadcast_to(np.int8(-1), sys.maxsize >> 3)
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
    texts: UnitTexts = field(default_factory=lambda: NO_TEXTS)
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
            "documents": documents,
            "starts": np.arange(n + 1),
            "coders": [coder],
            "codes": _FIRST[:n],
            "n_units": n_units,
            "offsets": offsets,
            "positions": positions,
            "kinds": _UNKNOWN_KINDS[:n],
            "groups": _UNKNOWN[:n],
            "lines": _FIRST[:n],
        }
        return cls(**(columns | more))

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
        lengths = {coding.unit_length for coding in codings} - {None}
        if lengths:
            what = f"cannot take codings by {coder!r} together"
            provenance = provenance.with_unit_lengths(lengths, what)
        held = UnitTexts() if texts else NO_TEXTS
        for name, units in (texts or {}).items():
            held.add(name, len(units), units)
        return cls.plain(
            documents,
            coder,
            columns_of(codings),
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
        for name, code in zip(self.documents, self.groups.tolist(), strict=True):
            if code >= 0:
                found.setdefault(self.group_names[code], []).append(name)
        return {group: tuple(names) for group, names in found.items()}

    # ---- another table ----

    @classmethod
    def concat(cls, parts: Sequence["Codings"]) -> "Codings":
        """The rows of several tables one after the other, with documents of their own in each."""
        coders = list(dict.fromkeys(name for part in parts for name in part.coders))
        place = {name: np.int32(code) for code, name in enumerate(coders)}
        codes = [np.array([place[name] for name in part.coders])[part.codes] for part in parts]
        columns: dict[str, Any] = {"codes": np.concatenate(codes)}
        for name in ("n_units", "positions", "kinds", "lines"):
            columns[name] = np.concatenate([getattr(part, name) for part in parts])
        for name in ("starts", "offsets"):
            columns[name] = starts_of(np.concatenate([np.diff(getattr(p, name)) for p in parts]))
        for name in ("details", "annotations"):
            before = accumulate(map(len, parts), initial=0)
            columns[name] = {
                start + row: value
                for part, start in zip(parts, before, strict=False)
                for row, value in getattr(part, name).items()
            }
        if any(part.labels is not None for part in parts):
            labels = [(part.labels, len(part.positions) + len(part)) for part in parts]
            columns["labels"] = joined_labels(labels)
        return cls(
            documents=[name for part in parts for name in part.documents],
            coders=coders,
            groups=np.full(sum(len(part.documents) for part in parts), -1, np.int32),
            scope=parts[0].scope,
            **columns,
        )

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
        offsets, positions = picked_lists(self.offsets, self.positions, rows)
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


NO_CODER = -1  # the code of a coding that names no coder
NO_CODING = -2  # the code of a document of which only the text is known
Place = Callable[[int], str]  # how messages call a line
Refuse = Callable[[int, str], NoReturn]  # raises an error about a row


class CodingsBuilder:
    """Collects rows: `rows` takes plain lines at once, `add` takes any record.

    ignore_text: whether texts of a document may differ; the first text is then kept, and
    `differing` names the documents. known: names that the rows may have in this order.
    """

    def __init__(self, *, ignore_text: bool = False, known: Sequence[str] = ()) -> None:
        self.differing: dict[str, None] = {}  # documents, in the order in which they were met
        self._ignore_text = ignore_text
        self.rows: Builder = Builder(known if isinstance(known, list) else [])
        self.texts: UnitTexts = UnitTexts()
        self._details: dict[int, Segmentation] = {}
        self._places: dict[int, str] = {}  # of rows that were records
        self._unit_lengths: set[int | None] = set()
        self._failures: dict[str, str] = {}
        self._annotations: dict[int, Annotation] = {}
        self._files: list[tuple[int, Place, str]] = []  # first row, place of a line, coder

    def __len__(self) -> int:
        return len(self.rows.documents)

    # ---- filling it ----

    def begin_file(self, place: Place, coder: str) -> None:
        """Begin a file: `place` makes the name of a line in messages, and `coder` is the coder of
        codings that name none."""
        self._files.append((len(self), place, coder))

    def add_all(self, records: Iterable[Record]) -> Self:
        """Add records; return the builder."""
        for record in records:
            self.add(record)
        return self

    def add(self, record: Record, line: int = 0) -> None:
        """Add a record; its place is a line of the current file, or the record's own place."""
        if record.failure is not None:
            self._failures[record.document] = record.failure
            return
        if not line and record.place:
            self._places[len(self)] = record.place
        if record.units is not None:
            self._add_text(
                record.document, record.coder, record.n_units, record.units, record.place
            )
        coding, packed, labels = record.segmentation, b"", None
        if coding is not None:
            packed, labels = coding.packed, coding.segment_labels
            self._unit_lengths.add(coding.unit_length)
            details = coding.types, coding.ranks, coding.candidates
            several = any(isinstance(label, frozenset) for label in labels or ())
            if several or any(detail is not None for detail in details):
                self._details[len(self)] = coding
                labels = None
        if record.annotation is not None:
            self._annotations[len(self)] = record.annotation
        self.rows.append(
            record.document, record.coder, record.n_units, packed, cast(Any, labels), record.kind,
            record.group, record.local, line,
        )  # fmt: skip

    def take_texts(self) -> None:
        """Add the texts of the lines that `rows` scanned last."""
        for row, (line, n_units, code, text) in self.rows.texts.items():
            coder = None if code == NO_CODING else self._files[-1][2]
            if code >= 0:
                coder = self.rows.coders[code]
            place = self._files[-1][1](line)
            self._add_text(self.rows.documents[row], coder, n_units, text, place)
        self.rows.texts.clear()

    def _add_text(
        self, document: str, coder: str | None, n_units: int, text: bytes | Units, place: str
    ) -> None:
        unit = self.texts.add(document, n_units, text)
        if unit is not None and n_units == self.texts.n_units(document):  # else units differ
            if self._ignore_text:
                self.differing[document] = None
                return
            at = f"{place}: " if place else ""
            # only files are read with ignore_text
            hint = "; ignore_text=True keeps the first text" if place else ""
            raise SegmentationError(
                f"{at}{whereabouts(document, coder)}: the text differs from that given before, at "
                f"unit {unit + 1}: expected the same units{hint}"
            )

    # ---- the table ----

    def codings(
        self, scope: Scope | None = None, source: str = "", provenance: Provenance = PLAIN
    ) -> Codings:
        """All codings collected. `scope` None: coder names are global or local as the rows say."""
        n_units, offsets, positions = self.rows.columns()
        codes, kinds, groups, lines = self.rows.about_rows()
        labels = self.rows.labels()
        coders, all_codes = self._all_named(np.frombuffer(codes, np.int32))
        local = self.rows.first_local
        if scope is None and local >= 0 and self.rows.first_global >= 0:
            row = max(local, self.rows.first_global)
            self._refuse(row, "coder names are local here and global before: expected one of them")
        given = Codings(
            documents=self.rows.documents,
            starts=np.arange(len(self) + 1),
            coders=coders,
            codes=all_codes,
            n_units=np.frombuffer(n_units, np.int64),
            offsets=np.frombuffer(offsets, np.int64),
            positions=np.frombuffer(positions, np.int64),
            kinds=np.frombuffer(kinds, np.int8),
            groups=np.frombuffer(groups, np.int32),
            group_names=self.rows.group_names,
            lines=np.frombuffer(lines, np.int32),
            labels=None
            if labels is None
            else LabelColumn(self.rows.label_names, np.frombuffer(labels, np.int32)),
            details=self._details,
            annotations=self._annotations,
            texts=self.texts,
            failures=self._failures,
            scope=scope or ("local" if local >= 0 else "global"),
            source=source,
            provenance=provenance.with_unit_lengths(
                self._unit_lengths, "cannot put codings into one corpus"
            ),
        )
        if self._annotations:
            self._check_hashes()
        return by_document(given, self._refuse)

    def _check_hashes(self) -> None:
        """Raise if codings of a document were made on pages with different texts, or not with its
        text."""
        known: dict[str, tuple[str, int | None]] = {}  # the hash of each document, and whose it is
        for row, annotation in list(self._annotations.items()):
            if annotation.units is None:
                continue
            document = self.rows.documents[row]
            if document not in known and document in self.texts:
                known[document] = unit_hash(self.texts[document]), None
            text_hash, owner = known.setdefault(document, (annotation.units, row))
            if text_hash == annotation.units:
                continue
            if not self._ignore_text:
                whose = f"coder {self._coder(owner)!r}" if owner is not None else "the given one"
                self._refuse(row, OTHER_TEXT.format(whose))
            self.differing[document] = None
            self._annotations[row] = replace(annotation, units=None)

    def _all_named(self, codes: NDArray[np.int32]) -> tuple[list[str], NDArray[np.int32]]:
        """The coders and their codes, including the coder of codings that name none."""
        coders = [*self.rows.coders]
        if not (codes == NO_CODER).any():
            return coders, codes
        codes = codes.copy()
        ends = [*(first for first, _, _ in self._files[1:]), len(codes)]
        for (first, _, coder), end in zip(self._files, ends, strict=True):
            if coder not in coders:
                coders.append(coder)
            stretch = codes[first:end]
            stretch[stretch == NO_CODER] = coders.index(coder)
        return coders, codes

    def _refuse(self, row: int, what: str) -> NoReturn:
        """Raise an error that names a row and its place."""
        place = self._places.get(row, "")
        line = int(np.frombuffer(self.rows.about_rows()[3], np.int32)[row])
        if line:
            place = next(at for first, at, _ in reversed(self._files) if first <= row)(line)
        at = f"{place}: " if place else ""
        where = whereabouts(self.rows.documents[row], self._coder(row))
        raise SegmentationError(f"{at}{where}: {what}")

    def _coder(self, row: int) -> str | None:
        """The coder of a row; None if the row is only a text."""
        coders, codes = self._all_named(np.frombuffer(self.rows.about_rows()[0], np.int32))
        return None if codes[row] == NO_CODING else coders[codes[row]]


def by_document(given: Codings, refuse: Refuse) -> Codings:
    """A table from rows in any order: in `given` each row is a document of its own, a name may
    occur several times, and a row with the code NO_CODING is a text alone."""
    names, groups = given.documents, given.groups
    known = dict.fromkeys(names)
    owners = np.arange(len(names))
    coded = given.codes != NO_CODING
    kinds = given.kinds[coded] if given.scope == "global" else np.zeros(0, np.int8)
    right = _of_owners(given.codes[coded][: len(kinds)], kinds, len(given.coders)) is not None
    if len(known) < len(names):
        numbers = {name: number for number, name in enumerate(known)}
        owners = np.fromiter(map(numbers.__getitem__, names), np.int64, len(names))
        # a document has one group, one number of units, and one coding by each coder
        groups = _of_owners(owners, given.groups, len(known))
        keys = owners[coded] * (len(given.coders) + 1) + given.codes[coded]
        one_size = _of_owners(owners, given.n_units, len(known)) is not None
        right &= one_size and groups is not None and len(np.unique(keys)) == len(keys)
    if not right:
        _refuse_first(given, owners, refuse)
    if len(known) == len(names) and coded.all():
        coders, codes = coders_in_order(given.coders, given.codes)
        return replace(given, coders=coders, codes=codes)
    order = np.argsort(owners, kind="stable")
    rows = order[coded[order]]
    return given.at_rows(
        rows,
        documents=list(known),
        starts=starts_of(np.bincount(owners[rows], minlength=len(known))),
        groups=groups,
    )


def _refuse_first(given: Codings, owners: Int64Array, refuse: Refuse) -> NoReturn:
    """Raise an error that names the first row that does not fit its document, or its coder."""
    first: dict[Any, int] = {}  # the first row of each document, coding, group and coder
    for row in np.argsort(owners, kind="stable").tolist():
        owner, code, kind = int(owners[row]), int(given.codes[row]), int(given.kinds[row])
        before = first.setdefault(owner, row)
        if given.n_units[row] != given.n_units[before]:
            code_before = int(given.codes[before])
            by = "the text" if code_before == NO_CODING else f"coder {given.coders[code_before]!r}"
            refuse(
                row,
                f"{given.n_units[row]} units, where {by} has {given.n_units[before]}: expected the "
                "same number in all codings of a document",
            )
        if code != NO_CODING and first.setdefault((owner, code), row) != row:
            refuse(
                row,
                "a second coding: expected one per coder and document; when files are read, "
                "duplicates= keeps the first or the last",
            )
        before = first.setdefault((owner, "group"), row) if given.groups[row] >= 0 else row
        if given.groups[before] != given.groups[row]:
            both = named([given.group_names[given.groups[index]] for index in (before, row)])
            refuse(row, f"groups {both}: expected one group per document")
        is_known = code != NO_CODING and kind >= 0 and given.scope == "global"
        before = first.setdefault((code, "kind"), row) if is_known else row
        if given.kinds[before] != kind:
            refuse(
                row,
                f"a {KINDS[kind]} here and a {KINDS[given.kinds[before]]} in document "
                f"{given.documents[before]!r}: expected one of them, or local coder names",
            )
    raise AssertionError("the columns disagree, and no row does")


def _of_owners(owners: NDArray[Any], values: NDArray[Any], n_owners: int) -> Any:
    """The value of each owner, -1 where no row has a value of at least 0; None if two rows
    differ."""
    known = values >= 0
    found = np.full(n_owners, -1, values.dtype)
    found[owners[known]] = values[known]
    return found if np.array_equal(found[owners[known]], values[known]) else None
