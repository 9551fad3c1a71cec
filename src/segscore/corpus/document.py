"""Document: the codings of one document, by coder."""

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from segscore.coding.segment_labels import label_sets
from segscore.coding.segmentation import Segmentation
from segscore.corpus.annotation import Annotation
from segscore.corpus.builder import CodingsBuilder
from segscore.corpus.codings import Codings
from segscore.corpus.provenance import PLAIN, Provenance
from segscore.corpus.record import Kind, Labels, Record
from segscore.corpus.unit_texts import Units
from segscore.errors import SegmentationError, named, shortened
from segscore.tables.tabular import picture
from segscore.text.located_units import LocatedUnits, find_units
from segscore.text.unit_splitting import Stretches

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Value = TypeVar("Value")


class Unchanging:
    """A class whose attributes are set once, by `_put`."""

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
    _annotations: dict[str, Annotation]

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
        self._put(
            name=codings.documents[number],
            n_units=codings.n_units_of(number),
            units=codings.units_of(number),
            group=codings.group_of(number),
            provenance=codings.provenance,
            _codings=by_coder,
            _kinds=kinds,
            _annotations=codings.annotations_of(number) if codings.annotations else {},
        )

    def __getitem__(self, coder: str) -> Segmentation:
        return found_in(self._codings, coder, f"document {self.name!r} has no coding by")

    def __iter__(self) -> Iterator[str]:
        return iter(self._codings)

    def __len__(self) -> int:
        return len(self._codings)

    @property
    def text(self) -> str | None:
        """The text that the units were cut from, if a text file was read; it is read again from
        that file. A file that has changed since is an error."""
        return self.units.text if isinstance(self.units, LocatedUnits) else None

    def units_in(self, text: str) -> Stretches:
        """The (start, end) of each unit in the text of the document, for
        `segscore.chunks.place`."""
        if self.units is None:
            raise SegmentationError(
                f"document {self.name!r} has no text: expected units, because chunks are placed on "
                "them"
            )
        try:
            return find_units(self.units, text)
        except SegmentationError as error:
            raise SegmentationError(f"document {self.name!r}: {error}") from None

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
    def annotations(self) -> Mapping[str, Annotation]:
        """What annotation pages recorded about codings, by coder; comparisons ignore it."""
        return MappingProxyType(self._annotations)

    def records(self, local: bool = False) -> Iterator[Record]:
        """The document as records: the text (once), then each coding."""
        units = self.units
        if not self._codings:
            yield Record(self.name, units=units, group=self.group, local=local)
        for coder, coding in self._codings.items():
            yield Record(
                self.name, coder, coding, units, None, self._kinds.get(coder), self.group, local,
                annotation=self._annotations.get(coder),
            )  # fmt: skip
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
