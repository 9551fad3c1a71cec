"""Which coders are read, and how coders and labels are renamed.

Names that a caller chooses or renames are names in the files. A name that no file has is a mistake;
it is refused once everything is read: `check_all_met`.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from segscore.coding.levels import Levels
from segscore.coding.segmentation import Segmentation
from segscore.corpus.record import Record
from segscore.corpus.text_checks import spelt_alike
from segscore.errors import SegmentationError, named, nearest, number_of
from segscore.io.files import Source
from segscore.io.finished import finished_records
from segscore.io.format import KEYS
from segscore.io.read_options import DEFAULT_OPTIONS, ReadOptions
from segscore.io.table_columns import TableNotes
from segscore.io.zips import unpacked

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


_HEADERS = (("old", "new"), ("from", "to"))


def chosen_records(
    records: Iterable[Record], choices: ReadOptions, called: str
) -> Iterator[Record]:
    """The records of the requested coders, under their requested names."""
    if not choices.changes_people:
        yield from finished_records(records, choices)
        return
    if choices.one_document is not None:
        records = _of_document(records, choices.one_document)
    renamed = _renamed(_of_coders(records, choices), choices)
    left = _once(finished_records(renamed, choices), choices)
    nobody = True
    for record in left:
        nobody = nobody and record.coder is None
        yield record
    if nobody and choices.notes.coders and not choices.notes.unfinished:
        raise SegmentationError(
            f"{called}: no coder is left: there is {named(choices.notes.coders)}: expected at "
            "least one of them in only_coders, or one fewer in without_coders"
        )


def _of_document(records: Iterable[Record], name: str) -> Iterator[Record]:
    """The records with the caller's document name; a file that names another document takes
    precedence."""
    for record in records:
        if record.document != name:
            raise SegmentationError(
                f"{record.place}: document {record.document!r} is named there: expected no "
                f"one_document ({name!r}), or files that name none"
            )
        yield record


def _of_coders(records: Iterable[Record], choices: ReadOptions) -> Iterator[Record]:
    """The records of the coders to read; texts without a coding belong to no coder."""
    only = None if choices.only_coders is None else frozenset(choices.only_coders)
    without, met = frozenset(choices.without_coders), choices.notes.met
    for record in records:
        coder = record.coder
        if coder is not None:
            choices.notes.coders[coder] = choices.notes.known[coder] = None
            if coder in without or (only is not None and coder in only):
                met.add(("coder", coder))
            if coder in without or (only is not None and coder not in only):
                if record.units is not None:  # the text is everybody's
                    yield Record(record.document, None, None, record.units, group=record.group,
                                 local=record.local, place=record.place)  # fmt: skip
                continue
        yield record


def _renamed(records: Iterable[Record], choices: ReadOptions) -> Iterator[Record]:
    names, labels, met = choices.rename, choices.rename_labels, choices.notes.met
    for record in records:
        if record.coder is not None and record.coder in names:
            met.add(("rename", record.coder))
            record = replace(record, coder=names[record.coder])  # noqa: PLW2901
        if labels and record.segmentation is not None:
            coding = _with_labels(record.segmentation, labels, met)
            record = replace(record, segmentation=coding, labels=None)  # noqa: PLW2901
        yield record


def _with_labels(
    coding: Segmentation, labels: Mapping[str, str], met: set[tuple[str, str]]
) -> Segmentation:
    """The coding with renamed labels, at each level."""
    if isinstance(coding, Levels):
        return Levels(_with_labels(level, labels, met) for level in coding.levels)
    if coding.segment_labels is None:
        return coding

    def other(label: Any) -> Any:
        if isinstance(label, frozenset):
            return frozenset(map(other, label))
        if label in labels:
            met.add(("label", label))
        return labels.get(label, label)

    return coding.with_segment_labels([other(label) for label in coding.segment_labels])


def _once(records: Iterable[Record], choices: ReadOptions) -> Iterator[Record]:
    """A single coding of each document by each coder, if the caller says which counts."""
    if choices.duplicates == "error":
        yield from records
        return
    found: dict[tuple[str, str], Record] = {}
    for record in records:
        if record.coder is None:
            yield record
            continue
        key = record.document, record.coder
        other = found.get(key)
        if other is not None:
            times = [_exported(coding) for coding in (other, record)]
            newer = record if None in times or times[1] >= times[0] else other  # type: ignore[operator]
            older = other if newer is record else record
            kept, dropped = (newer, older) if choices.duplicates == "last" else (older, newer)
            choices.notes.left_out.append(
                f"{key[0]!r} by {key[1]!r}, {dropped.place} (kept: {kept.place})"
            )
            record = kept  # noqa: PLW2901
        found[key] = record
    yield from found.values()


def _exported(record: Record) -> datetime | None:
    """When a page exported the coding, if it did; otherwise the order of files decides."""
    told = record.annotation.exported if record.annotation is not None else None
    if told is None:
        return None
    when = datetime.fromisoformat(told)
    return when if when.tzinfo else when.replace(tzinfo=UTC)


def check_all_met(choices: ReadOptions) -> None:
    """Raise for names that no file had, and for choices that no format of the files uses."""
    read = choices.notes.keys
    used = frozenset[str]().union(*(keys for _, keys in read.values()))
    for key in KEYS if read else ():
        name = key.replace("-", "_")
        if key not in used and getattr(choices, name) != getattr(DEFAULT_OPTIONS, name):
            files = ", ".join(f"{first} ({kind})" for kind, (first, _) in read.items())
            own = sorted(used - {"keep-headings", "snap"})
            end = (
                nearest(name, [each.replace("-", "_") for each in own])
                if own
                else ": expected none"
            )
            raise SegmentationError(f"{files}: {name} is given, and not used{end}")
    asked = (
        *(("coder", coder, "only_coders") for coder in choices.only_coders or ()),
        *(("coder", coder, "without_coders") for coder in choices.without_coders),
        *(("rename", coder, "rename") for coder in choices.rename),
        *(("label", label, "rename_labels") for label in choices.rename_labels),
        *(("column", column, "ignore_columns") for column in choices.ignore_columns),
        *(("sheet", sheet, "ignore_sheets") for sheet in choices.ignore_sheets),
    )
    for kind, name, keyword in asked:
        if (kind, name) in choices.notes.met:
            continue
        what = kind if kind in ("label", "column", "sheet") else "coder"
        known = choices.notes.known if what == "coder" else ()
        end = nearest(name, known) if known else f": expected a {what} of the files"
        raise SegmentationError(f"{keyword}: no {what} is called {name!r}{end}")


def tell_notes(called: str, choices: ReadOptions, rule: str | None = None) -> None:
    """Report how readers understood their files, once for all files that were read together. rule:
    what a unit is, if the caller chose it and the files have no units of their own."""
    summary = list(receipt(choices.notes, rule))
    for message in (*choices.notes.told(), *summary):
        choices.remark(f"{called}: {message}")


def read_renames(path: object, encoding: str | None = None) -> dict[str, str]:
    """The pairs of old and new names in a table of two columns, with or without a header."""
    from segscore.io.table_files import rows

    with unpacked(path) as kept:
        source = Source(kept, kept.stem, "", encoding)
        found: dict[str, str] = {}
        for line, cells in rows(source):
            pair = tuple(cell.strip() for cell in cells)
            if len(pair) != 2 or not all(pair):
                raise source.fail(f"{','.join(pair)!r}: expected two names, old and new", line)
            if not found and tuple(map(str.lower, pair)) in _HEADERS:
                continue
            if found.setdefault(pair[0], pair[1]) != pair[1]:
                raise source.fail(f"{pair[0]!r} is listed twice: expected one new name", line)
        return found
