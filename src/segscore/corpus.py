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
from typing import TYPE_CHECKING, Any, Literal, NoReturn, Self, TypeVar

from segscore.arguments import shown
from segscore.documents import first_difference
from segscore.errors import SegmentationError, named
from segscore.provenance import PLAIN, Provenance
from segscore.records import Kind, Labels, Record, Units, record_from_fields
from segscore.segment_labels import label_sets
from segscore.segmentation import Segmentation
from segscore.tables.pictured import picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from segscore.frames import Encoding

Scope = Literal["global", "local"]  # coder names: the same people everywhere, or not
Value = TypeVar("Value")
_NOTHING: Mapping[str, Any] = MappingProxyType({})

Row = Record | tuple[str, str, Segmentation] | Mapping[str, Any]


class _Unchanging:
    """Attributes are set once, by `_put`."""

    __slots__ = ()

    def _put(self, **values: Any) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a {type(self).__name__} does not change: cannot set {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a {type(self).__name__} does not change: cannot delete {name!r}")


class Document(_Unchanging, Mapping[str, Segmentation]):
    """The codings of one document, by coder; a `Corpus` holds such documents.

    name: the name of the document; n_units: its number of units.
    units: its text, unit by unit, if it is known; group: its group, if it has one.
    provenance: how a reader formed the units.
    labels, kinds: what coders call their segments, and whether they are persons or systems.

    >>> corpus = Corpus.from_dict({"ch1": {"ann": Segmentation.from_masses([2, 3])}})
    >>> document = corpus["ch1"]
    >>> document["ann"], document.n_units
    (Segmentation(masses=[2, 3]), 5)
    """

    __slots__ = (
        "_codings", "_kinds", "group", "n_units", "name", "provenance", "units",
    )  # fmt: skip
    name: str
    n_units: int
    units: Units | None
    group: str | None
    provenance: Provenance
    _codings: dict[str, Segmentation]
    _kinds: dict[str, Kind]

    def __init__(self, records: Iterable[Record], provenance: Provenance = PLAIN) -> None:
        given = list(records)
        first = given[0]
        self._put(provenance=provenance)
        self._put(name=first.document, n_units=first.n_units, _codings={}, _kinds={})
        texts: dict[Units, None] = {}
        groups: dict[str, None] = {}
        for record in given:
            self._check_units(record, first)
            if record.units is not None:
                texts[record.units] = None
            if record.group is not None:
                groups[record.group] = None
            self._add_coding(record)
            if len(texts) > 1:
                unit = (first_difference(*texts) or 0) + 1
                _refuse(
                    record,
                    f"the text differs from that given before, at unit {unit}: expected the same "
                    "units",
                )
            if len(groups) > 1:
                _refuse(record, f"groups {named(groups)}: expected one group per document")
        self._put(units=next(iter(texts), None), group=next(iter(groups), None))

    def _check_units(self, record: Record, first: Record) -> None:
        if record.n_units != self.n_units:
            by = f"coder {first.coder!r}" if first.coder is not None else "the text"
            _refuse(
                record,
                f"{record.n_units} units, where {by} has {self.n_units}: "
                "expected the same number in all codings of a document",
            )

    def _add_coding(self, record: Record) -> None:
        if record.coder is None or record.segmentation is None:
            return
        if record.coder in self._codings:
            _refuse(record, "a second coding: expected one per coder and document")
        self._codings[record.coder] = record.segmentation
        if record.kind is not None:
            self._kinds[record.coder] = record.kind

    def __getitem__(self, coder: str) -> Segmentation:
        return _found(self._codings, coder, f"document {self.name!r} has no coding by")

    def __iter__(self) -> Iterator[str]:
        return iter(self._codings)

    def __len__(self) -> int:
        return len(self._codings)

    @property
    def labels(self) -> Mapping[str, Labels]:
        """A set of labels per segment, for the coders who gave some: what their segmentations
        have as `segment_labels`."""
        return MappingProxyType(
            {
                coder: label_sets(coding.segment_labels)
                for coder, coding in self._codings.items()
                if coding.segment_labels is not None
            }
        )

    @property
    def kinds(self) -> Mapping[str, Kind]:
        """Which coders are persons and which systems, as far as it is known."""
        return MappingProxyType(self._kinds)

    def records(self, local: bool = False) -> Iterator[Record]:
        """The document as records: the text (once), then coding by coding."""
        units = self.units
        if not self._codings:
            yield Record(self.name, units=units, group=self.group, local=local)
        for coder, coding in self._codings.items():
            yield Record(
                self.name, coder, coding, units, None, self._kinds.get(coder), self.group, local,
            )  # fmt: skip
            units = None

    def plot(self, *, ax: "Axes | None" = None) -> "Axes":
        """Draw everyone's boundaries: `segscore.plot.boundaries`."""
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
        return f"Document({self.name!r}, {self.n_units} units, coders: {named(self._codings)})"

    def _repr_html_(self) -> str:
        from segscore.notebook_html import document_html

        return document_html(self)


class Corpus(_Unchanging, Mapping[str, Document]):
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

    __slots__ = ("_documents", "coder_scope", "provenance")
    coder_scope: Scope
    provenance: Provenance
    _documents: dict[str, Document]

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
                _refuse(
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
        from segscore.frames import frame_records

        named_columns = {
            "document": document, "coder": coder, "n_units": n_units, "unit": unit,
            "boundary": boundary, "segment": segment, "text": text,
            "segment_labels": segment_labels,
        }  # fmt: skip
        records = frame_records(frame, coding=coding, encoding=encoding, columns=named_columns)
        return cls.from_rows(records, coders=coders)

    @classmethod
    def _make(
        cls, documents: dict[str, Document], scope: Scope, provenance: Provenance = PLAIN
    ) -> Self:
        corpus = object.__new__(cls)
        corpus._put(_documents=documents, coder_scope=scope, provenance=provenance)
        if scope == "global":
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

    def __getitem__(self, document: str) -> Document:
        return _found(self._documents, document, "there is no document")

    def __iter__(self) -> Iterator[str]:
        return iter(self._documents)

    def __len__(self) -> int:
        return len(self._documents)

    @property
    def coders(self) -> tuple[str, ...]:
        """Names of the coders, as they first occur. Where names are local, the same name in two
        documents is two coders."""
        return tuple(dict.fromkeys(coder for document in self.values() for coder in document))

    @property
    def groups(self) -> dict[str, tuple[str, ...]]:
        """The documents of each group."""
        members: dict[str, list[str]] = {}
        for document in self.values():
            if document.group is not None:
                members.setdefault(document.group, []).append(document.name)
        return {group: tuple(names) for group, names in members.items()}

    @property
    def n_codings(self) -> int:
        """Segmentations in all."""
        return sum(map(len, self.values()))

    def records(self) -> Iterator[Record]:
        """All codings as records, document by document: `from_rows` reads them back."""
        for document in self.values():
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
        from segscore.notebook_html import corpus_html

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


def _refuse(record: Record, what: str) -> NoReturn:
    at = f"{record.place}: " if record.place else ""
    raise SegmentationError(f"{at}{record.where}: {what}")


def _found(mapping: Mapping[str, Value], name: str, what: str) -> Value:
    if name not in mapping:
        raise KeyError(f"{what} {name!r}: there is {named(mapping)}")
    return mapping[name]


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
