"""Corpus and Document: who cut which text where.

A `Corpus` maps document names to documents, a `Document` maps coder names to segmentations. Not
every coder needs to have coded every document. Beyond the codings a document may know its text
(one string per unit), a coder's labels for the segments, which coders are persons and which are
systems, and the group of documents it belongs to.

Coder names are `global` (the same name is the same coder everywhere) or `local` (a name is valid
only within its document, as in the Moonstone corpus). All codings of a document have the same
number of units. A corpus does not change once it exists.

The codings are rows of one table (`segscore.corpus.codings`); documents and segmentations are
views, made on first access. `provenance` says how a reader formed the units, if it did; equality
ignores it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self, TypeVar

import numpy as np

from segscore.basics.arguments import Unchanging, check_choice, shown
from segscore.basics.on_demand import tell_name
from segscore.coding.constructor_checks import label_sets
from segscore.coding.levels import Levels, at_level, dense_ranks
from segscore.coding.segmentation import Segmentation
from segscore.corpus.codings import Codings, CodingsBuilder, Scope
from segscore.corpus.lists import Units, as_units
from segscore.corpus.provenance import PLAIN, Provenance
from segscore.corpus.record import KINDS, Kind, Labels, Record, record_from_fields
from segscore.errors import SegmentationError, about, named, number_of, shortened
from segscore.tables.tabular import picture
from segscore.text.located_units import LocatedUnits, find_units
from segscore.text.unit_splitting import Stretches

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from segscore.corpus.annotation import Annotation
    from segscore.io.table_shapes import Encoding

__all__ = ["Corpus", "Document", "Row", "Scope"]

_NOTHING: Mapping[str, Any] = MappingProxyType({})

Value = TypeVar("Value")


class Document(Unchanging, Mapping[str, Segmentation]):
    """The codings of one document, by coder; a `Corpus` holds such documents.

    name: the name of the document; n_units: its number of units.
    units: its text, unit by unit, if it is known; group: its group, if it has one.
    text: the text that the units were cut from, if it was read from a text file.
    provenance: how a reader formed the units.
    labels, kinds: the labels of each coder's segments, and whether each coder is a `person`, a
        `system` or a `consensus`.
    annotations: what annotation pages recorded about codings: time, comments, doubts.

    >>> from segscore.corpus.corpus import Corpus
    >>> corpus = Corpus.from_dict({"ch1": {"ann": Segmentation.from_masses([2, 3])}})
    >>> document = corpus["ch1"]
    >>> document["ann"], document.n_units
    (Segmentation(masses=[2, 3]), 5)
    """

    __slots__ = (
        "_annotations", "_codings", "_kinds", "group", "n_units", "name", "provenance", "units",
    )  # fmt: skip
    name: str
    n_units: int
    units: Units | None
    group: str | None
    provenance: Provenance
    _codings: dict[str, Segmentation]
    _kinds: dict[str, Kind]
    _annotations: dict[str, "Annotation"]

    def __init__(self, records: Iterable[Record], provenance: Provenance = PLAIN) -> None:
        codings = CodingsBuilder().add_all(records).codings(provenance=provenance)
        if len(codings.documents) != 1:
            raise SegmentationError(f"records of {named(codings.documents)}: expected one document")
        self._show(codings, 0)

    @classmethod
    def view(cls, codings: Codings, number: int) -> "Document":
        """A document of a table of codings."""
        document = object.__new__(cls)
        document._show(codings, number)
        return document

    def _show(self, codings: Codings, number: int) -> None:
        by_coder, kinds = codings.codings_of(number)
        rows = range(*codings.starts[number : number + 2].tolist()) if codings.annotations else ()
        noted = {codings.coder(row): codings.annotations.get(row) for row in rows}
        self._put(
            name=codings.documents[number],
            n_units=codings.n_units_of(number),
            units=codings.units_of(number),
            group=codings.group_of(number),
            provenance=codings.provenance,
            _codings=by_coder,
            _kinds=kinds,
            _annotations={coder: each for coder, each in noted.items() if each is not None},
        )

    def __getitem__(self, coder: str) -> Segmentation:
        return found_in(self._codings, coder, f"document {self.name!r} has no coding by")

    def __iter__(self) -> Iterator[str]:
        return iter(self._codings)

    def __len__(self) -> int:
        return len(self._codings)

    @property
    def text(self) -> str | None:
        """The text that the units were cut from, if a text file was read."""
        return self.units.text if isinstance(self.units, LocatedUnits) else None

    def units_in(self, text: str) -> Stretches:
        """The (start, end) of each unit in the text of the document, for
        `segscore.chunks.place`."""
        if self.units is None:
            raise SegmentationError(
                f"document {self.name!r} has no text: expected units, because chunks are placed on "
                "them"
            )
        with about(f"document {self.name!r}"):
            return find_units(self.units, text)

    @property
    def labels(self) -> Mapping[str, Labels]:
        """A set of labels per segment, for the coders who gave labels, from their
        `segment_labels`."""
        return MappingProxyType(
            {
                coder: label_sets(coding.segment_labels)
                for coder, coding in self._codings.items()
                if coding.segment_labels is not None
            }
        )

    @property
    def kinds(self) -> Mapping[str, Kind]:
        """The kind of each coder (person, system or consensus), where it is known."""
        return MappingProxyType(self._kinds)

    @property
    def annotations(self) -> Mapping[str, "Annotation"]:
        """What annotation pages recorded about codings, by coder; comparisons ignore it."""
        return MappingProxyType(self._annotations)

    def records(self, local: bool = False) -> Iterator[Record]:
        """The document as records: the text (once), then each coding."""
        units = self.units
        if not self._codings:
            yield Record(self.name, units=units, group=self.group, local=local)
        for coder, coding in self._codings.items():
            kind, noted = self._kinds.get(coder), self._annotations.get(coder)
            what = self.name, coder, coding, units, None, kind, self.group, local
            yield Record(*what, annotation=noted)
            units = None

    def plot(self, *, ax: "Axes | None" = None) -> "Axes":
        """Draw the boundaries of all coders: `segscore.plot.boundaries`."""
        return picture("boundaries", self, ax=ax)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Document):
            return NotImplemented
        return self._fields() == other._fields()

    __hash__ = None  # type: ignore[assignment]

    def _fields(self) -> tuple[Any, ...]:
        return self.name, self.units, self.group, self._codings, self._kinds

    def __reduce__(self) -> tuple[Any, ...]:
        return Document, (list(self.records()), self.provenance)

    def __repr__(self) -> str:
        coders = named(self._codings)
        return shortened(f"Document({self.name!r}, {self.n_units} units, coders: {coders})")

    def _repr_html_(self) -> str:
        from segscore.coding.notebook_html import document_html

        return document_html(self)


def found_in(mapping: Mapping[str, Value], name: str, what: str) -> Value:
    """The value of a name; if it is missing, the error calls it `what`."""
    if name not in mapping:
        raise KeyError(shortened(f"{what} {name!r}: there is {named(mapping)}"))
    return mapping[name]


Row = Record | tuple[str, str, Segmentation] | Mapping[str, Any]


class Corpus(Unchanging, Mapping[str, Document]):
    """Documents by name. Create a corpus with `from_dict` or `from_rows`, or use `segscore.read`.

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

    __slots__ = ("_documents", "columns")
    columns: Codings  # all codings, the table that this is the face of
    _documents: dict[str, Document]  # those that were asked for
    if not TYPE_CHECKING:
        __getattr__ = tell_name

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
        """Build a corpus from rows in any order: records, triples (document, coder, segmentation),
        or mappings with the fields of our JSON Lines.

        `coders` says whether coder names are `global` or `local`; by default the records decide,
        and names are `global` if they do not say.

        >>> Corpus.from_rows([("ch1", "ann", Segmentation.from_masses([2, 3])),
        ...                   {"document": "ch2", "coder": "ann", "masses": [4, 1]}])
        Corpus(2 documents, 2 codings, coders: 'ann')
        """
        if coders is not None:
            check_choice(coders, "coders", ("global", "local"))
        if isinstance(rows, (str, bytes, Mapping)) or not isinstance(rows, Iterable):
            raise SegmentationError(f"rows is {shown(rows)}: expected an iterable of rows")
        builder = CodingsBuilder()
        for index, row in enumerate(rows):
            builder.add(_as_record(row, index))
        return cls._make(builder.codings(coders, provenance=provenance))

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
        """Build a corpus from {document: {coder: segmentation}}; `with_details` explains the rest.

        >>> corpus = Corpus.from_dict({"ch1": {"c99": Segmentation.from_masses([1, 1])}},
        ...                           units={"ch1": ["Hello.", "Bye."]}, kinds={"c99": "system"})
        >>> corpus["ch1"].units, corpus["ch1"].kinds["c99"]
        (('Hello.', 'Bye.'), 'system')
        """
        rows: list[Row] = []
        for document, by_coder in _mapping(codings, "codings").items():
            _mapping(by_coder, f"document {document!r}")
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
        """Build a corpus from a frame of pandas, Polars, pyarrow or DuckDB; the index is not read.

        Parameters name columns; those with well-known names (`document`, `doc_id`, `coder`,
        `annotator`, `unit`, `boundary`, `segment` …) are found by themselves.

        document, coder: the document and the coder of the coding that a row holds or belongs to.
        coding: for a row per coding, the column with the list; for a row per document, several
            columns, each with the name of a coder.
        encoding: what the lists, or a column `boundary`, hold: `boundaries` (with `n_units`, a
            column), `masses`, `labels-end`, `labels-start`, `gaps` or `segment-ids`.
        unit, boundary, segment, text: for a row per unit, the columns with its number, with 0 or 1
            (`encoding` says what 1 marks) or with its segment, and with its text.
        segment_labels: for a row per coding, the column with a list of labels, one per segment.
        coders: whether coder names are `global` or `local`.

        >>> Corpus.from_frame({"doc_id": ["ch1", "ch1"], "annotator": ["ann", "bob"],
        ...                    "y": [[2, 3], [4, 1]]}, coding="y", encoding="masses")
        Corpus(1 document, 2 codings, coders: 'ann', 'bob')
        """
        columns = {"document": document, "coder": coder, "n_units": n_units, "unit": unit}
        columns |= {"boundary": boundary, "segment": segment, "text": text}
        columns["segment_labels"] = segment_labels
        frame_records = import_module("segscore.io.table_shapes").frame_records
        records = frame_records(frame, coding=coding, encoding=encoding, columns=columns)
        return cls.from_rows(records, coders=coders)

    @classmethod
    def from_columns(
        cls, columns: Codings, coders: Scope = "global", provenance: Provenance = PLAIN
    ) -> Self:
        """Build a corpus from a table of codings, which `segscore.read` makes of files; documents
        become objects on first access.

        columns: a checked table of codings (`segscore.corpus.codings`).
        coders: whether coder names are `global` or `local`.
        provenance: how the units were formed.
        """
        return cls._make(replace(columns, scope=coders, provenance=provenance))

    @classmethod
    def _make(cls, columns: Codings) -> Self:
        corpus = object.__new__(cls)
        cls._put(corpus, columns=columns, _documents={})
        return corpus

    # ---- what it holds ----

    @property
    def coder_scope(self) -> Scope:
        """`global` if a coder's name means the same person in all documents, else `local`."""
        return self.columns.scope

    @property
    def failures(self) -> Mapping[str, str]:
        """Documents for which a model's output gave no segmentation, with the reason."""
        return self.columns.failures

    @property
    def provenance(self) -> Provenance:
        """How a reader formed the units."""
        return self.columns.provenance

    def __getitem__(self, document: str) -> Document:
        made = self._documents.get(document)
        if made is None:
            number = found_in(self.columns.numbers, document, "there is no document")
            new = Document.view(self.columns, number)
            made = self._documents.setdefault(document, new)  # another thread may have been faster
        return made

    def __contains__(self, document: object) -> bool:
        return document in self.columns.numbers

    def _ipython_key_completions_(self) -> list[str]:
        return [str(name) for name in self]

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns.documents)

    def __len__(self) -> int:
        return len(self.columns.documents)

    @property
    def coders(self) -> tuple[str, ...]:
        """The names of the coders, in the order in which they first occur. If names are local, the
        same name in two documents means two coders."""
        return tuple(self.columns.coders)

    @property
    def groups(self) -> dict[str, tuple[str, ...]]:
        """The documents of each group."""
        return self.columns.members()

    @property
    def n_codings(self) -> int:
        """The number of codings in the corpus."""
        return len(self.columns)

    def records(self) -> Iterator[Record]:
        """All codings and failures as records, by document; `from_rows` reads them back."""
        for number, name in enumerate(self.columns.documents):
            # objects made for this loop are not kept
            document = self._documents.get(name) or Document.view(self.columns, number)
            yield from document.records(self.coder_scope == "local")
        for name, reason in self.failures.items():
            yield Record(name, failure=reason)

    def units_in(self, text: str) -> Stretches:
        """The (start, end) of each unit in a text: the text of the only document, or of the
        document that was read from it."""
        names = list(self)
        if len(names) > 1:
            names = [name for name in names if self[name].text == text]
        if not names:
            raise SegmentationError(
                f"units is a corpus, and the text is that of none of its documents, {named(self)}: "
                "expected one of them, as in units=corpus[name]"
            )
        return self[names[0]].units_in(text)

    # ---- another corpus from this one ----

    def select(
        self,
        *,
        documents: Iterable[str] | None = None,
        coders: Iterable[str] | None = None,
        groups: Iterable[str] | None = None,
        kind: Kind | None = None,
    ) -> Self:
        """The part that meets all given conditions; documents without a selected coding are left
        out.

        >>> two, three = Segmentation.from_masses([2]), Segmentation.from_masses([3])
        >>> corpus = Corpus.from_dict({"a": {"x": two}, "b": {"x": three}}, groups={"b": "1"})
        >>> list(corpus.select(groups=["1"]))
        ['b']
        """
        if kind is not None:
            check_choice(kind, "kind", KINDS)
        return self._make(
            self.columns.select(
                _choice(documents, self, "document"),
                _choice(coders, self.coders, "coder"),
                _choice(groups, self.groups, "group"),
                kind,
            )
        )

    def rename(
        self, coders: Mapping[str, str] = _NOTHING, labels: Mapping[str, str] = _NOTHING
    ) -> Self:
        """Coders, and labels of segments, under other names: {"old": "new"}.

        >>> corpus = Corpus.from_dict({"a": {"x": Segmentation.from_masses([2])}})
        >>> corpus.rename(coders={"x": "ann"}).coders
        ('ann',)
        """
        _choice(coders, self.coders, "coder")
        _choice(labels, labels_in(self) if labels else (), "label")
        if not (coders or labels):
            return self

        def renamed(record: Record) -> Record:
            coding = record.segmentation
            if coding is not None and labels:
                coding = _with_labels(coding, labels)
            coder = record.coder if record.coder is None else coders.get(record.coder, record.coder)
            return replace(record, coder=coder, segmentation=coding, labels=None)

        return self.from_rows(
            map(renamed, self.records()), coders=self.coder_scope, provenance=self.provenance
        )

    def without_unfinished(self) -> Self:
        """The codings that count: without those that an annotation page exported unfinished, or of
        a practice document, which `read(…, unfinished=True)` keeps."""
        lost = [row for row, each in self.columns.annotations.items() if not each.counts]
        return self._make(self.columns.part(np.delete(np.arange(len(self.columns)), lost)))

    def consensus(self, at_least: Any = 0.5, within: int = 0) -> "Corpus":
        """What enough coders marked, as a corpus with one coder: `segscore.consensus`."""
        made: Corpus = import_module("segscore").consensus(self, at_least, within)
        return made

    def with_details(
        self,
        *,
        units: Mapping[str, Iterable[str]] = _NOTHING,
        labels: Mapping[str, Mapping[str, Iterable[Any]]] = _NOTHING,
        kinds: Mapping[str, Kind] = _NOTHING,
        groups: Mapping[str, str] = _NOTHING,
    ) -> Self:
        """Add what is known about the codings; new details replace old details.

        units: {document: [text of each unit]}. labels: {document: {coder: [label, or list of
        labels, of each segment]}}. kinds: {coder: "person", "system" or "consensus"}. groups:
        {document: group}.
        """
        for given in (units, labels, groups):
            _choice(given, self, "document")
        _choice(kinds, self.coders, "coder")
        for name, by_coder in labels.items():
            _choice(by_coder, self[name], f"coding of document {name!r} by")
        texts = {name: as_units(text) for name, text in units.items()}

        def detailed(record: Record) -> Record:
            if record.failure is not None:
                return record
            name, coder = record.document, record.coder or ""
            segment_labels = labels.get(name, {}).get(coder)
            coding = record.segmentation
            if segment_labels is not None and coding is not None:
                coding = coding.with_segment_labels(None)
            return replace(
                record,
                segmentation=coding,
                units=texts.get(name, record.units),
                labels=segment_labels,  # type: ignore[arg-type]
                kind=kinds.get(coder, record.kind),
                group=groups.get(name, record.group),
            )

        return self.from_rows(
            map(detailed, self.records()), coders=self.coder_scope, provenance=self.provenance
        )

    def merged(self, *others: "Corpus") -> Self:
        """The codings of several corpora in a single corpus.

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
            (record for corpus in corpora for record in corpus.records()), provenance=provenance
        )

    # ---- identity ----

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Corpus):
            return NotImplemented
        return self.coder_scope == other.coder_scope and dict(self) == dict(other)

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return self._make, (self.columns,)

    def __repr__(self) -> str:
        coders = named(self.coders)
        return (
            f"Corpus({number_of(len(self), 'document')}, {number_of(self.n_codings, 'coding')}, "
            f"{'local ' if self.coder_scope == 'local' else ''}coders: {coders})"
        )

    def _repr_html_(self) -> str:
        from segscore.coding.notebook_html import corpus_html

        return corpus_html(self)


def labels_in(corpus: Corpus) -> set[str]:
    """The labels of segments, at each level."""
    codings = [record.segmentation for record in corpus.records() if record.segmentation]
    return {
        label
        for coding in codings
        for level in (coding.levels if isinstance(coding, Levels) else [coding])
        for labels in label_sets(level.segment_labels or ())
        for label in labels
    }


def _with_labels(coding: Segmentation, names: Mapping[str, str]) -> Segmentation:
    """The coding with other names of labels, at each level."""
    if isinstance(coding, Levels):
        return Levels(_with_labels(level, names) for level in coding.levels)
    if coding.segment_labels is None:
        return coding
    sets = label_sets(coding.segment_labels)
    return coding.with_segment_labels([{names.get(x, x) for x in labels} for labels in sets])


def corpus_levels(corpus: Corpus) -> list[Corpus]:
    """The codings of a corpus cut off at level 1, at level 2, and so on to the deepest level.

    This defines everything that needs codings without ranks, such as agreement, level by level. A
    coder with fewer levels keeps all boundaries below the last of them. Segment labels, which name
    the segments of the whole coding, are left out.

    >>> from segscore.coding.levels import from_nested_masses
    >>> tree = from_nested_masses([[2, 3], 6])
    >>> levels = corpus_levels(Corpus.from_dict({"a": {"ann": tree, "bob": at_level(tree, 1)}}))
    >>> [[coding.masses.tolist() for coding in level["a"].values()] for level in levels]
    [[[5, 6], [5, 6]], [[2, 3, 6], [5, 6]]]
    """
    codings = [coding for document in corpus.values() for coding in document.values()]
    depth = max((int(dense_ranks(coding).max(initial=1)) for coding in codings), default=0)

    def cut(record: Record, level: int) -> Record:
        coding = record.segmentation and at_level(record.segmentation, level)
        return replace(record, segmentation=coding, labels=None)

    return [
        Corpus.from_rows(
            (cut(record, level) for record in corpus.records()), coders=corpus.coder_scope
        )
        for level in range(1, depth + 1)
    ]


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


def _mapping(value: Any, what: str) -> Any:
    if not isinstance(value, Mapping):
        raise SegmentationError(
            f"{what} is {shown(value)}: expected {{document: {{coder: segmentation}}}}"
        )
    return value


def _choice(names: Any, known: Any, what: str) -> Any:
    """The chosen names, which must exist; None for no choice."""
    if names is None:
        return None
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise SegmentationError(f"{what}s is {shown(names)}: expected several names")
    chosen = dict.fromkeys(names)
    for name in chosen:
        if name not in known:
            raise SegmentationError(f"there is no {what} {name!r}: there is {named(known)}")
    return chosen
