"""`CodingsBuilder`: collects codings in any order, from records or from lines, into `Codings`.

Contradictions (two codings of a document by the same coder, codings with different numbers of units
…) are found in the columns; the message names the place of the row, which the builder knows.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn, cast

import numpy as np
from numpy.typing import NDArray

from segscore._kernels.jsonl import Builder
from segscore.basics.arguments import Int64Array
from segscore.coding.segmentation import Segmentation
from segscore.corpus.codings import Codings, Scope, coders_in_order
from segscore.corpus.lists import LabelColumn, starts_of
from segscore.corpus.provenance import PLAIN, Provenance
from segscore.corpus.record import KINDS, Kind, Record, whereabouts
from segscore.corpus.text_checks import OTHER_TEXT, unit_hash
from segscore.corpus.unit_texts import Units, UnitTexts
from segscore.errors import SegmentationError, named

if TYPE_CHECKING:
    from segscore.corpus.annotation import Annotation

NO_CODER = -1  # the code of a coding that names no coder
NO_CODING = -2  # the code of a document of which only the text is known
Place = Callable[[int], str]  # how messages call a line
Refuse = Callable[[int, str], NoReturn]  # raises an error about a row


class CodingsBuilder:
    """Collects rows: `rows` takes plain lines at once, `add` takes any record.

    ignore_text: whether texts of a document may differ; the first text is then kept, and
    `differing` names the documents.
    """

    def __init__(self, *, ignore_text: bool = False) -> None:
        self.differing: dict[str, None] = {}  # documents, in the order in which they were met
        self._ignore_text = ignore_text
        self.rows: Builder = Builder()
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

    def add_all(self, records: Iterable[Record]) -> "CodingsBuilder":
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
        n_units, offsets, positions, codes = self.rows.columns()
        kinds, groups, lines = self.rows.about_rows()
        labels = self.rows.labels()
        coders, all_codes = self._all_named(np.frombuffer(codes, np.int32))
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
            scope=scope or self._scope(),
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
            if text_hash != annotation.units and self._ignore_text:
                self.differing[document] = None
                self._annotations[row] = replace(annotation, units=None)
            elif text_hash != annotation.units:
                whose = (
                    "the one that is given" if owner is None else f"coder {self._coder(owner)!r}"
                )
                self._refuse(row, OTHER_TEXT.format(whose))

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

    def _scope(self) -> Scope:
        first_global, first_local = self.rows.first_global, self.rows.first_local
        if first_global >= 0 and first_local >= 0:
            row = max(first_global, first_local)
            self._refuse(row, "coder names are local here and global before: expected one of them")
        return "local" if first_local >= 0 else "global"

    def _refuse(self, row: int, what: str) -> NoReturn:
        """Raise an error that names a row and its place."""
        place = self._places.get(row, "")
        line = int(np.frombuffer(self.rows.about_rows()[2], np.int32)[row])
        if line:
            place = next(at for first, at, _ in reversed(self._files) if first <= row)(line)
        at = f"{place}: " if place else ""
        where = whereabouts(self.rows.documents[row], self._coder(row))
        raise SegmentationError(f"{at}{where}: {what}")

    def _coder(self, row: int) -> str | None:
        """The coder of a row; None if the row is only a text."""
        coders, codes = self._all_named(np.frombuffer(self.rows.columns()[3], np.int32))
        return None if codes[row] == NO_CODING else coders[codes[row]]


def by_document(given: Codings, refuse: Refuse) -> Codings:
    """A table from rows in any order: in `given` each row is a document of its own, a name may
    occur several times, and a row with the code NO_CODING is a text alone."""
    names = given.documents
    known = dict.fromkeys(names)
    owners = np.arange(len(names))
    if len(known) < len(names):
        numbers = {name: number for number, name in enumerate(known)}
        owners = np.fromiter(map(numbers.__getitem__, names), np.int64, len(names))
    groups = given.groups
    if len(known) < len(names):
        groups = _one_group_each(given, owners, len(known), refuse)
    if given.scope == "global" and (given.kinds >= 0).any():
        _check_kinds(given, owners)
    coded = given.codes != NO_CODING
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


def _one_group_each(
    given: Codings, owners: Int64Array, n_documents: int, refuse: Refuse
) -> NDArray[np.int32]:
    """The group of each document; `owners` are the numbers of the rows' documents. A document has a
    single group, a single coding by each coder, and the same number of units in all codings."""
    units = _of_owners(owners, given.n_units, n_documents)
    groups = _of_owners(owners, given.groups, n_documents)
    coded = given.codes != NO_CODING
    keys = owners[coded] * (len(given.coders) + 1) + given.codes[coded]
    if units is None or groups is None or len(np.unique(keys)) < len(keys):
        _refuse_first(given, owners, refuse)
    return np.asarray(groups)


def _refuse_first(given: Codings, owners: Int64Array, refuse: Refuse) -> NoReturn:
    """Raise an error that names the first row that does not fit its document."""
    first: dict[int, int] = {}
    done: set[tuple[int, int]] = set()
    group_of: dict[int, int] = {}
    for row in np.argsort(owners, kind="stable").tolist():
        owner, code, group = int(owners[row]), int(given.codes[row]), int(given.groups[row])
        before = first.setdefault(owner, row)
        if given.n_units[row] != given.n_units[before]:
            code_before = int(given.codes[before])
            by = "the text" if code_before == NO_CODING else f"coder {given.coders[code_before]!r}"
            refuse(
                row,
                f"{given.n_units[row]} units, where {by} has {given.n_units[before]}: expected the "
                "same number in all codings of a document",
            )
        if code != NO_CODING and (owner, code) in done:
            refuse(
                row,
                "a second coding: expected one per coder and document; when files are read, "
                "duplicates= keeps the first or the last",
            )
        done.add((owner, code))
        if group >= 0 and group_of.setdefault(owner, group) != group:
            both = named([given.group_names[index] for index in (group_of[owner], group)])
            refuse(row, f"groups {both}: expected one group per document")
    raise AssertionError("the columns disagree, and no row does")


def _check_kinds(given: Codings, owners: Int64Array) -> None:
    """Raise if a global coder has different kinds (person, system, consensus)."""
    coded = (given.codes != NO_CODING) & (given.kinds >= 0)
    if _of_owners(given.codes[coded], given.kinds[coded], len(given.coders)) is not None:
        return
    known: dict[int, tuple[Kind, str]] = {}
    for row in np.argsort(owners, kind="stable").tolist():
        if not coded[row]:
            continue
        code, kind, name = int(given.codes[row]), KINDS[given.kinds[row]], given.documents[row]
        before, where = known.setdefault(code, (kind, name))
        if before != kind:
            raise SegmentationError(
                f"coder {given.coders[code]!r} is a {before} in document {where!r} and a {kind} in "
                f"document {name!r}: expected one of them, or local coder names"
            )


def _of_owners(owners: NDArray[Any], values: NDArray[Any], n_owners: int) -> Any:
    """The value of each owner, -1 where no row has a value of at least 0; None if two rows
    differ."""
    known = values >= 0
    found = np.full(n_owners, -1, values.dtype)
    found[owners[known]] = values[known]
    return found if np.array_equal(found[owners[known]], values[known]) else None
