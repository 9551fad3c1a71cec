"""Document: the codings of one document, by coder; and documents that are made when asked for."""

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from segscore.coding.segment_labels import label_sets
from segscore.coding.segmentation import Segmentation
from segscore.corpus.corpus_columns import CorpusColumns
from segscore.corpus.provenance import PLAIN, Provenance
from segscore.corpus.record import Kind, Labels, Record, Units
from segscore.corpus.unit_texts import first_difference
from segscore.errors import SegmentationError, named
from segscore.tables.tabular import picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Value = TypeVar("Value")


class Unchanging:
    """Attributes are set once, by `_put`."""

    __slots__ = ()

    def _put(self, **values: Any) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a {type(self).__name__} does not change: cannot set {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a {type(self).__name__} does not change: cannot delete {name!r}")


class Document(Unchanging, Mapping[str, Segmentation]):
    """The codings of one document, by coder; a `Corpus` holds such documents.

    name: the name of the document; n_units: its number of units.
    units: its text, unit by unit, if it is known; group: its group, if it has one.
    provenance: how a reader formed the units.
    labels, kinds: what coders call their segments, and whether they are persons or systems.

    >>> from segscore.corpus.corpus import Corpus
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
                refuse_record(
                    record,
                    f"the text differs from that given before, at unit {unit}: expected the same "
                    "units",
                )
            if len(groups) > 1:
                refuse_record(record, f"groups {named(groups)}: expected one group per document")
        self._put(units=next(iter(texts), None), group=next(iter(groups), None))

    @classmethod
    def in_columns(
        cls, columns: CorpusColumns, number: int, provenance: Provenance = PLAIN
    ) -> "Document":
        """One document of a corpus in columns, which was checked as a whole."""
        codings, kinds = columns.codings_of(number)
        document = object.__new__(cls)
        document._put(
            name=columns.documents[number],
            n_units=columns.n_units_of(number),
            units=columns.units_of(number),
            group=columns.group_of(number),
            provenance=provenance,
            _codings=codings,
            _kinds=kinds,
        )
        return document

    def _check_units(self, record: Record, first: Record) -> None:
        if record.n_units != self.n_units:
            by = f"coder {first.coder!r}" if first.coder is not None else "the text"
            refuse_record(
                record,
                f"{record.n_units} units, where {by} has {self.n_units}: "
                "expected the same number in all codings of a document",
            )

    def _add_coding(self, record: Record) -> None:
        if record.coder is None or record.segmentation is None:
            return
        if record.coder in self._codings:
            refuse_record(record, "a second coding: expected one per coder and document")
        self._codings[record.coder] = record.segmentation
        if record.kind is not None:
            self._kinds[record.coder] = record.kind

    def __getitem__(self, coder: str) -> Segmentation:
        return found_in(self._codings, coder, f"document {self.name!r} has no coding by")

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
        from segscore.coding.notebook_html import document_html

        return document_html(self)


class ColumnDocuments(Mapping[str, Document]):
    """The documents of a corpus in columns by name. One that was asked for is kept: the next who
    asks gets the same object."""

    __slots__ = ("_made", "columns", "provenance")

    def __init__(self, columns: CorpusColumns, provenance: Provenance = PLAIN) -> None:
        self.columns = columns
        self.provenance = provenance
        self._made: dict[str, Document] = {}

    def __getitem__(self, name: str) -> Document:
        made = self._made.get(name)
        if made is None:
            new = Document.in_columns(self.columns, self.columns.numbers[name], self.provenance)
            made = self._made.setdefault(name, new)  # another thread may have been faster
        return made

    def each(self) -> Iterator[Document]:
        """All documents, one after the other; those that nobody has asked for are not kept."""
        for number, name in enumerate(self.columns.documents):
            yield self._made.get(name) or Document.in_columns(self.columns, number, self.provenance)

    def __contains__(self, name: object) -> bool:
        return name in self.columns.numbers

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns.documents)

    def __len__(self) -> int:
        return len(self.columns.documents)

    def __reduce__(self) -> tuple[Any, ...]:
        return ColumnDocuments, (self.columns, self.provenance)


def refuse_record(record: Record, what: str) -> NoReturn:
    """Raise an error that names the record."""
    at = f"{record.place}: " if record.place else ""
    raise SegmentationError(f"{at}{record.where}: {what}")


def found_in(mapping: Mapping[str, Value], name: str, what: str) -> Value:
    """The value of a name; `what` is what messages call a name that is missing."""
    if name not in mapping:
        raise KeyError(f"{what} {name!r}: there is {named(mapping)}")
    return mapping[name]
