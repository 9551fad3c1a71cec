"""How many documents and units a page or a sheet has, for the remark after it is written."""

from dataclasses import dataclass

from segscore.errors import number_of


@dataclass
class TextCounts:
    """The numbers of documents and units, in words; called with them when they are known.

    >>> counts = TextCounts()
    >>> counts(1, 53)
    >>> str(counts)
    '1 document, 53 units'
    """

    documents: int = 0
    units: int = 0

    def __call__(self, documents: int, units: int) -> None:
        self.documents, self.units = documents, units

    def __str__(self) -> str:
        return f"{number_of(self.documents, 'document')}, {number_of(self.units, 'unit')}"
