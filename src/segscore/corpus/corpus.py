"""Corpus and Document: who cut which text where.

A `Corpus` maps document names to documents, a `Document` maps coder names to segmentations. Not
every coder needs to have coded every document. Beyond the codings a document may know its text
(one string per unit), a coder's labels for the segments, which coders are persons and which are
systems, and the group of documents it belongs to.

Coder names are `global` (the same name is the same coder everywhere) or `local` (a name means
something in its document only, as in the Moonstone corpus). All codings of a document have the same
number of units. A corpus does not change once it exists.

`provenance` says how a reader formed the units, if it was told to; it counts in no comparison.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, Self

from segscore.basics.arguments import shown
from segscore.coding.segmentation import Segmentation
from segscore.corpus.coding_rows import RowsBuilder
from segscore.corpus.corpus_columns import CorpusColumns, corpus_columns
from segscore.corpus.document import (
    ColumnDocuments,
    Document,
    Unchanging,
    found_in,
    refuse_record,
)
from segscore.corpus.provenance import PLAIN, Provenance
from segscore.corpus.record import Kind, Record, record_from_fields
from segscore.errors import SegmentationError, named

if TYPE_CHECKING:
    from segscore.corpus.frames import Encoding

__all__ = ["Corpus", "Document", "Row", "Scope"]

Scope = Literal["global", "local"]  # coder names: the same people everywhere, or not
_NOTHING: Mapping[str, Any] = MappingProxyType({})

Row = Record | tuple[str, str, Segmentation] | Mapping[str, Any]


class Corpus(Unchanging, Mapping[str, Document]):
    """Documents by name. Create one with `from_dict` or `from_rows`, or use `segscore.read`.

    coder_scope: `global` if a coder's name means the same person in all documents, else `local`.
    provenance: how a reader formed the units.

    >>> a, b = Segmentation.from_masses([2, 3]), Segmentation.from_masses([4, 1])
    >>> corpus = Corpus.from_dict({"ch1": {"ann": a, "bob": b}, "ch2": {"ann": b}})
    >>> corpus
    Corpus(2 documents, 3 codings, coders: 'ann', 'bob')
    >>> corpus["ch1"]["bob"]
    Segmentation(masses=[4, 1])
    >>> corpus.select(coders=["bob"])
    Corpus(1 document, 1 coding, coders: 'bob')
    """

    __slots__ = ("_columns", "_documents", "coder_scope", "provenance")
    coder_scope: Scope
    provenance: Provenance
    _documents: Mapping[str, Document]
    _columns: CorpusColumns | None

    def __init__(self, *_: Any, **__: Any) -> None:
        raise TypeError("make a Corpus by from_dict or from_rows, or read one: segscore.read(path)")

    @classmethod
    def from_rows(
        cls,
        rows: Iterable[Row],
        *,
        coders: Scope | None = None,
        provenance: Provenance = PLAIN,
    ) -> Self:
        """Collect rows in any order: records, triples (document, coder, segmentation), or mappings
        in the field form of our JSON Lines.

        `coders` says whether coder names are `global` or `local`; by default it is as the records
        have it, and `global` if they do not say.

        >>> Corpus.from_rows([("ch1", "ann", Segmentation.from_masses([2, 3])),
        ...                   {"document": "ch2", "coder": "ann", "masses": [4, 1]}])
        Corpus(2 documents, 2 codings, coders: 'ann')
        """
        if coders not in (None, "global", "local"):
            raise SegmentationError(f"coders is {shown(coders)}: expected 'global' or 'local'")
        if isinstance(rows, (str, bytes, Mapping)) or not isinstance(rows, Iterable):
            raise SegmentationError(f"rows is {shown(rows)}: expected an iterable of rows")
        found: dict[str, list[Record]] = {}
        previous: Record | None = None
        for index, row in enumerate(rows):
            record = _as_record(row, index)
            if previous is not None and record.local != previous.local and coders is None:
                refuse_record(
                    record, "coder names are local here and global before: expected one of them"
                )
            previous = record
            found.setdefault(record.document, []).append(record)
        local = coders == "local" or (coders is None and previous is not None and previous.local)
        return cls._make(
            {name: Document(records, provenance) for name, records in found.items()},
            "local" if local else "global",
            provenance,
        )

    @classmethod
    def from_dict(
        cls,
        codings: Mapping[str, Mapping[str, Segmentation]],
        coders: Scope = "global",
        *,
        units: Mapping[str, Iterable[str]] = _NOTHING,
        labels: Mapping[str, Mapping[str, Iterable[Any]]] = _NOTHING,
        kinds: Mapping[str, Kind] = _NOTHING,
        groups: Mapping[str, str] = _NOTHING,
    ) -> Self:
        """From {document: {coder: segmentation}}; for the rest see `with_details`.

        >>> corpus = Corpus.from_dict({"ch1": {"c99": Segmentation.from_masses([1, 1])}},
        ...                           units={"ch1": ["Hello.", "Bye."]}, kinds={"c99": "system"})
        >>> corpus["ch1"].units, corpus["ch1"].kinds["c99"]
        (('Hello.', 'Bye.'), 'system')
        """
        if not isinstance(codings, Mapping):
            raise SegmentationError(
                f"codings is {shown(codings)}: expected {{document: {{coder: segmentation}}}}"
            )
        rows: list[Row] = []
        for document, by_coder in codings.items():
            if not isinstance(by_coder, Mapping):
                raise SegmentationError(
                    f"document {document!r} is {shown(by_coder)}: expected a mapping from coder "
                    "to Segmentation"
                )
            rows += [(document, coder, coding) for coder, coding in by_coder.items()]
            if not by_coder:
                rows.append({"document": document, "units": units.get(document)})
        corpus = cls.from_rows(rows, coders=coders)
        return corpus.with_details(units=units, labels=labels, kinds=kinds, groups=groups)

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        document: str | None = None,
        coder: str | None = None,
        coding: str | Sequence[str] | None = None,
        encoding: "Encoding | None" = None,
        n_units: str | None = None,
        unit: str | None = None,
        boundary: str | None = None,
        segment: str | None = None,
        text: str | None = None,
        segment_labels: str | None = None,
        coders: Scope | None = None,
    ) -> Self:
        """From a frame of pandas, Polars, pyarrow or DuckDB; its index is never read.

        Parameters name columns; those with well-known names (`document`, `doc_id`, `coder`,
        `annotator`, `unit`, `boundary`, `segment` …) are found without.

        document, coder: whose coding a row is, or is part of.
        coding: a row per coding: the column with the list; or several columns, one for each coder,
            which are called like them (a row per document).
        encoding: what a list holds, or a column `boundary`: `boundaries` (with `n_units`, a
            column), `masses`, `labels-end`, `labels-start`, `gaps` or `segment-ids`.
        unit, boundary, segment, text: a row per unit: its number, 0 or 1 (`encoding` says what 1
            marks) or else its segment, and its text.
        segment_labels: a row per coding: the column with a list of labels, one per segment.
        coders: whether coder names are `global` or `local`.

        >>> Corpus.from_frame({"doc_id": ["ch1", "ch1"], "annotator": ["ann", "bob"],
        ...                    "y": [[2, 3], [4, 1]]}, coding="y", encoding="masses")
        Corpus(1 document, 2 codings, coders: 'ann', 'bob')
        """
        from segscore.corpus.frames import frame_records

        named_columns = {
            "document": document, "coder": coder, "n_units": n_units, "unit": unit,
            "boundary": boundary, "segment": segment, "text": text,
            "segment_labels": segment_labels,
        }  # fmt: skip
        records = frame_records(frame, coding=coding, encoding=encoding, columns=named_columns)
        return cls.from_rows(records, coders=coders)

    @classmethod
    def from_columns(
        cls, columns: CorpusColumns, coders: Scope = "global", provenance: Provenance = PLAIN
    ) -> Self:
        """From columns, which `segscore.read` makes of files; documents become objects when
        somebody asks for them.

        columns: codings that were checked as a whole (`segscore.corpus.corpus_columns`).
        coders: whether coder names are `global` or `local`.
        provenance: how the units were formed.
        """
        return cls._make(ColumnDocuments(columns, provenance), coders, provenance)

    @classmethod
    def _make(
        cls, documents: Mapping[str, Document], scope: Scope, provenance: Provenance = PLAIN
    ) -> Self:
        corpus = object.__new__(cls)
        corpus._put(_documents=documents, coder_scope=scope, provenance=provenance, _columns=None)
        if isinstance(documents, ColumnDocuments):
            corpus._put(_columns=documents.columns)
        elif scope == "global":
            corpus._check_kinds()
        return corpus

    def _check_kinds(self) -> None:
        """A global coder is a person everywhere, or a system everywhere."""
        known: dict[str, tuple[Kind, str]] = {}
        for document in self.values():
            for coder, kind in document.kinds.items():
                before, where = known.setdefault(coder, (kind, document.name))
                if before != kind:
                    raise SegmentationError(
                        f"coder {coder!r} is a {before} in document {where!r} and a {kind} in "
                        f"document {document.name!r}: expected one of them, or local coder names"
                    )

    # ---- what it holds ----

    @property
    def columns(self) -> CorpusColumns:
        """All codings in columns, document by document: for what works on the corpus as a whole."""
        if self._columns is None:
            builder = RowsBuilder()
            for document in self._documents.values():
                for coder, coding in document.items():
                    builder.add_coding(
                        document.name, coder, coding, document.kinds.get(coder), document.group
                    )
                if not document:
                    builder.rows.append(
                        document.name, None, document.n_units, b"", group=document.group
                    )
                if document.units is not None:
                    builder.texts.add(document.name, document.n_units, document.units)
            made = corpus_columns(builder, local=self.coder_scope == "local")
            assert made is not None  # noqa: S101  # its documents were checked
            self._put(_columns=made)
            return made
        return self._columns

    def _each(self) -> Iterator[Document]:
        """All documents; of a corpus in columns, objects that nobody has asked for are not kept."""
        documents = self._documents
        return iter(
            documents.each() if isinstance(documents, ColumnDocuments) else documents.values()
        )

    def __getitem__(self, document: str) -> Document:
        return found_in(self._documents, document, "there is no document")

    def __iter__(self) -> Iterator[str]:
        return iter(self._documents)

    def __len__(self) -> int:
        return len(self._documents)

    @property
    def coders(self) -> tuple[str, ...]:
        """Names of the coders, as they first occur. Where names are local, the same name in two
        documents is two coders."""
        if self._columns is not None:
            return tuple(self._columns.coders)
        return tuple(dict.fromkeys(coder for document in self.values() for coder in document))

    @property
    def groups(self) -> dict[str, tuple[str, ...]]:
        """The documents of each group."""
        if self._columns is not None:
            return self._columns.members()
        members: dict[str, list[str]] = {}
        for document in self.values():
            if document.group is not None:
                members.setdefault(document.group, []).append(document.name)
        return {group: tuple(names) for group, names in members.items()}

    @property
    def n_codings(self) -> int:
        """Segmentations in all."""
        return sum(map(len, self.values())) if self._columns is None else len(self._columns)

    def records(self) -> Iterator[Record]:
        """All codings as records, document by document: `from_rows` reads them back."""
        for document in self._each():
            yield from document.records(self.coder_scope == "local")

    # ---- another corpus from this one ----

    def select(
        self,
        *,
        documents: Iterable[str] | None = None,
        coders: Iterable[str] | None = None,
        groups: Iterable[str] | None = None,
        kind: Kind | None = None,
    ) -> Self:
        """The part that satisfies every condition given; a document left without any coding that
        was asked for is left out.

        >>> two, three = Segmentation.from_masses([2]), Segmentation.from_masses([3])
        >>> corpus = Corpus.from_dict({"a": {"x": two}, "b": {"x": three}}, groups={"b": "1"})
        >>> list(corpus.select(groups=["1"]))
        ['b']
        """
        if kind not in (None, "person", "system"):
            raise SegmentationError(f"kind is {shown(kind)}: expected 'person' or 'system'")
        wanted = {
            "document": _choice(documents, self, "document"),
            "coder": _choice(coders, self.coders, "coder"),
            "group": _choice(groups, self.groups, "group"),
        }

        if isinstance(self._documents, ColumnDocuments):
            part = self._documents.columns.select(
                wanted["document"], wanted["coder"], wanted["group"], kind
            )
            return self.from_columns(part, self.coder_scope, self.provenance)

        def keep(record: Record, document: Document) -> bool:
            by_coder = wanted["coder"] is None or record.coder in wanted["coder"]
            by_kind = kind is None or (
                record.coder is not None and document.kinds.get(record.coder) == kind
            )
            return by_coder and by_kind

        chosen: dict[str, Document] = {}
        for document in self.values():
            if wanted["document"] is not None and document.name not in wanted["document"]:
                continue
            if wanted["group"] is not None and document.group not in wanted["group"]:
                continue
            records = [record for record in document.records() if keep(record, document)]
            if records:
                records[0] = replace(records[0], units=document.units)
                chosen[document.name] = Document(records, self.provenance)
        return self._make(chosen, self.coder_scope, self.provenance)

    def with_details(
        self,
        *,
        units: Mapping[str, Iterable[str]] = _NOTHING,
        labels: Mapping[str, Mapping[str, Iterable[Any]]] = _NOTHING,
        kinds: Mapping[str, Kind] = _NOTHING,
        groups: Mapping[str, str] = _NOTHING,
    ) -> Self:
        """The same codings, with more known about them; what is known already stays or, where it
        is given again, is replaced.

        units: {document: [text of each unit]}. labels: {document: {coder: [label, or list of
        labels, of each segment]}}. kinds: {coder: "person" or "system"}. groups: {document: group}.
        """
        for given, known, what in (
            (units, self, "document"), (labels, self, "document"), (groups, self, "document"),
            (kinds, self.coders, "coder"),
        ):  # fmt: skip
            _choice(given, known, what)
        for name, by_coder in labels.items():
            _choice(by_coder, self[name], f"coding of document {name!r} by")
        texts = {name: tuple(text) for name, text in units.items()}

        def detailed(record: Record) -> Record:
            name, coder = record.document, record.coder or ""
            told = labels.get(name, {}).get(coder)
            coding = record.segmentation
            if told is not None and coding is not None:
                coding = coding.with_segment_labels(None)
            return replace(
                record,
                segmentation=coding,
                units=texts.get(name, record.units),
                labels=told,  # type: ignore[arg-type]
                kind=kinds.get(coder, record.kind),
                group=groups.get(name, record.group),
            )

        return self.from_rows(
            map(detailed, self.records()), coders=self.coder_scope, provenance=self.provenance
        )

    def merged(self, *others: "Corpus") -> Self:
        """All codings of several corpora in one.

        >>> a = Corpus.from_dict({"ch1": {"ann": Segmentation.from_masses([2, 3])}})
        >>> b = Corpus.from_dict({"ch1": {"c99": Segmentation.from_masses([4, 1])}})
        >>> a.merged(b)["ch1"]
        Document('ch1', 5 units, coders: 'ann', 'c99')
        """
        corpora: tuple[Corpus, ...] = (self, *others)
        provenance = self.provenance
        for other in others:
            provenance = provenance.joined(other.provenance, "cannot merge corpora")
        return self.from_rows(
            (record for one in corpora for record in one.records()), provenance=provenance
        )

    # ---- identity ----

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Corpus):
            return NotImplemented
        return self.coder_scope == other.coder_scope and self._documents == other._documents

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return self._make, (self._documents, self.coder_scope, self.provenance)

    def __repr__(self) -> str:
        coders = named(self.coders)
        return (
            f"Corpus({_counted(len(self), 'document')}, {_counted(self.n_codings, 'coding')}, "
            f"{'local ' if self.coder_scope == 'local' else ''}coders: {coders})"
        )

    def _repr_html_(self) -> str:
        from segscore.coding.notebook_html import corpus_html

        return corpus_html(self)


# ---- small helpers ----


def _as_record(row: Any, index: int) -> Record:
    if isinstance(row, Record):
        return row
    if isinstance(row, Mapping):
        return record_from_fields(row, f"row {index}")
    if isinstance(row, tuple | list) and len(row) == 3:
        document, coder, segmentation = row
        return Record(document, coder, segmentation, place=f"row {index}")
    raise SegmentationError(
        f"row {index} is {shown(row)}: expected (document, coder, segmentation), a mapping or a "
        "Record"
    )


def _choice(names: Any, known: Any, what: str) -> Any:
    """Names that must exist; None for no choice."""
    if names is None:
        return None
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise SegmentationError(f"{what}s is {shown(names)}: expected several names")
    chosen = dict.fromkeys(names)
    for name in chosen:
        if name not in known:
            raise SegmentationError(f"there is no {what} {name!r}: there is {named(known)}")
    return chosen


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
