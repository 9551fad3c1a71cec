"""How much was read, in one line: documents, coders and units; and names that look alike.

The numbers show at once if a document is lost, or a column is mistaken for a person.
"""

from collections.abc import Iterable, Iterator

from segscore.corpus.record import Record
from segscore.corpus.table_columns import TableNotes
from segscore.corpus.text_checks import spelt_alike
from segscore.errors import named, number_of

_MOST_DOCUMENTS = 10**5  # whose names are kept; larger files are read as streams


def counted(records: Iterable[Record], notes: TableNotes) -> Iterator[Record]:
    """The records, counted by `notes`."""
    for record in records:
        if len(notes.lengths) <= _MOST_DOCUMENTS:
            count(record, notes)
        yield record


def count(record: Record, notes: TableNotes) -> None:
    """Note the length of a document, and its coder."""
    if record.segmentation is not None:
        notes.lengths[record.document] = record.segmentation.n_units
    else:
        notes.lengths.setdefault(record.document, len(record.units or ()))
    if record.coder is not None:
        notes.people[record.coder] = None


def with_lengths(records: Iterable[Record], notes: TableNotes) -> Iterator[Record]:
    """The records; their numbers of units are kept for files that do not give it."""
    for record in records:
        if record.segmentation is not None or record.units is not None:
            notes.read_before[record.document] = record.n_units
        yield record


def receipt(notes: TableNotes, rule: str | None) -> Iterator[str]:
    """Messages: names that differ only in spelling; and how much was read, if that is to be
    reported. rule: what a unit is, if the caller chose it."""
    if not notes.lengths or len(notes.lengths) > _MOST_DOCUMENTS:
        return
    yield from _spellings(notes)
    if notes.receipt == "always" or (notes.receipt == "sheets" and notes.sheets):
        people = f" ({_listed(list(notes.people))})" if notes.people else ""
        units = number_of(sum(notes.lengths.values()), "unit")
        yield (
            f"{number_of(len(notes.lengths), 'document')}, {number_of(len(notes.people), 'coder')}"
            f"{people}, {units}{f' ({rule})' if rule else ''}"
        )


def _spellings(notes: TableNotes) -> Iterator[str]:
    """Messages about names that differ only in spelling."""
    for names in spelt_alike(notes.people):
        other = f"rename ({names[1]}={names[0]})"
        yield (
            f"coders {named(names)} are read as different people: if they are one, {other} joins "
            "them"
        )
    documents = spelt_alike(notes.lengths)
    if documents:
        listed = "; ".join(map(named, documents[:3]))
        yield f"documents {listed} are read as different: if they are one, correct the files"


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - 8} more" if len(names) > 8 else ""
    return ", ".join(names[:8]) + more
