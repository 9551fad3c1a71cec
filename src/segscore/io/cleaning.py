"""What is left out of files and called otherwise before it is a corpus, and what is said about it.

Names that a caller chooses or renames are names in the files. A name that no file has is a mistake;
it is refused once everything is read: `check_all_met`. Codings that annotation pages exported
unfinished, and those of practice documents, are left out and counted, unless the caller wants them;
the text beside such a coding goes to the next coding of its document.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from segscore.coding.levels import Levels
from segscore.coding.segmentation import Segmentation
from segscore.corpus.codings import CodingsBuilder
from segscore.corpus.record import Record, spelt_alike
from segscore.errors import SegmentationError, first_of, named, nearest, number_of
from segscore.io.format import KEYS
from segscore.io.read_options import DEFAULT_OPTIONS, ReadOptions
from segscore.io.table_columns import TableNotes

_MOST_DOCUMENTS = 10**5  # whose names are kept; larger files are read as streams


def cleaned(records: Iterable[Record], choices: ReadOptions, called: str) -> Iterator[Record]:
    """The records that count, of the requested coders, under their requested names."""
    if not choices.changes_people:
        yield from finished_records(records, choices)
        return
    renamed = (_renamed(record, choices) for record in _of_coders(records, choices))
    nobody = True
    for record in _once(finished_records(renamed, choices), choices):
        nobody = nobody and record.coder is None
        yield record
    if nobody and choices.notes.coders and not choices.notes.unfinished:
        raise SegmentationError(
            f"{called}: no coder is left: there is {named(choices.notes.coders)}: expected at "
            "least one of them in only_coders, or one fewer in without_coders"
        )


def _of_coders(records: Iterable[Record], choices: ReadOptions) -> Iterator[Record]:
    """The records of the coders to read; texts without a coding belong to no coder."""
    only, without, notes = choices.only_coders, choices.without_coders, choices.notes
    for record in records:
        if choices.one_document not in (None, record.document):
            raise SegmentationError(
                f"{record.place}: document {record.document!r} is named there: expected no "
                f"one_document ({choices.one_document!r}), or files that name none"
            )
        coder = record.coder
        if coder is None:
            yield record
            continue
        notes.coders[coder] = notes.known[coder] = None
        if coder in without or coder in (only or ()):
            notes.met.add(("coder", coder))
        if coder not in without and (only is None or coder in only):
            yield record
        elif record.units is not None:  # the text is everybody's
            yield Record(record.document, None, None, record.units, group=record.group,
                         local=record.local, place=record.place)  # fmt: skip


def _renamed(record: Record, choices: ReadOptions) -> Record:
    labels, met = choices.rename_labels, choices.notes.met
    if record.coder in choices.rename:
        met.add(("rename", record.coder or ""))
        record = replace(record, coder=choices.rename[record.coder or ""])
    if labels and record.segmentation is not None:
        coding = _with_labels(record.segmentation, labels, met)
        record = replace(record, segmentation=coding, labels=None)
    return record


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


def _once(records: Iterable[Record], choices: ReadOptions) -> Iterable[Record]:
    """A single coding of each document by each coder, if the caller says which counts: the first or
    the last, by the time at which pages exported them, or else in the order of the files."""
    if choices.duplicates == "error":
        return records
    found: dict[tuple[str, str | int], Record] = {}
    for number, record in enumerate(records):
        key = record.document, number if record.coder is None else record.coder
        if key in found:
            ordered = [found[key], record]
            times = [_exported(each) for each in ordered]
            if None not in times:
                ordered.sort(key=lambda each: _exported(each) or datetime.max)
            older, newer = ordered
            kept, dropped = (newer, older) if choices.duplicates == "last" else (older, newer)
            choices.notes.left_out.append(
                f"{key[0]!r} by {key[1]!r}, {dropped.place} (kept: {kept.place})"
            )
            found[key] = kept
        else:
            found[key] = record
    return found.values()


def _exported(record: Record) -> datetime | None:
    """When a page exported the coding, if it did."""
    told = record.annotation.exported if record.annotation is not None else None
    when = datetime.fromisoformat(told) if told is not None else None
    return when if when is None or when.tzinfo else when.replace(tzinfo=UTC)


# ---- what annotation pages exported unfinished ----


def finished_records(records: Iterable[Record], choices: ReadOptions) -> Iterator[Record]:
    """The records that count, and with them the texts of those that do not."""
    notes = choices.notes
    for record in records:
        annotation = record.annotation
        if annotation is None or annotation.counts or choices.unfinished:
            if record.units is None and record.document in notes.unfinished_texts:
                yield replace(record, units=notes.unfinished_texts[record.document])
            else:
                yield record
            continue
        reason = "practice" if annotation.practice else "unfinished"
        notes.unfinished[record.coder or "", reason] += 1
        if record.units is not None:
            notes.unfinished_texts.setdefault(record.document, record.units)


def add_texts(builder: CodingsBuilder, choices: ReadOptions) -> None:
    """Add the texts of codings that were left out, if the document has other codings."""
    texts = choices.notes.unfinished_texts
    for name in set(builder.rows.documents) & texts.keys() if texts else ():
        if name not in builder.texts:
            builder.add(Record(name, units=texts[name]))


def tell_unfinished(called: str, choices: ReadOptions, left: Collection[str]) -> None:
    """Report how many codings were left out; raise if none remains. left: the coders of the
    others."""
    counts = choices.notes.unfinished
    if not counts:
        return
    by_reason = Counter(reason for _, reason in counts.elements())
    by_coder = Counter(coder for coder, _ in counts.elements())
    counts.clear()
    reasons = " and ".join(f"{n:,} {reason}" for reason, n in sorted(by_reason.items())[::-1])
    if not left:
        raise SegmentationError(
            f"{called}: nothing is left: all codings are unfinished or practice ({reasons}): "
            "expected documents that the coder marked as done; unfinished=True reads them"
        )
    people = first_of([f"{coder} {n:,}" for coder, n in by_coder.most_common()], 8)
    lost = [coder for coder in by_coder if coder not in left]
    gone = f"; nothing is left of {named(lost)}" if lost else ""
    choices.remark(
        f"{called}: {number_of(by_reason.total(), 'coding')} left out, {reasons} ({people}){gone}; "
        "unfinished=True reads them"
    )


# ---- what is said ----


def begin_counting(notes: TableNotes) -> None:
    """Forget what was left out of files that were read before, and how chunks were placed."""
    notes.placed.clear()
    notes.unfinished.clear()
    notes.unfinished_texts.clear()
    notes.forget_counts()


def counted(records: Iterable[Record], notes: TableNotes) -> Iterator[Record]:
    """The records; the lengths of documents and the coders are noted."""
    for record in records:
        if len(notes.lengths) <= _MOST_DOCUMENTS:
            if record.segmentation is not None:
                notes.lengths[record.document] = record.segmentation.n_units
            else:
                notes.lengths.setdefault(record.document, len(record.units or ()))
            if record.coder is not None:
                notes.people[record.coder] = None
        yield record


def tell_notes(called: str, choices: ReadOptions, rule: str | None = None) -> None:
    """Report how readers understood their files, once for all files that were read together, and
    how much was read, if that is wanted. rule: what a unit is, if the caller chose it."""
    notes = choices.notes
    summary = [*_spellings(notes), *_receipt(notes, rule)]
    for message in (*notes.told(), *summary):
        choices.remark(f"{called}: {message}")


def _receipt(notes: TableNotes, rule: str | None) -> Iterator[str]:
    known = 0 < len(notes.lengths) <= _MOST_DOCUMENTS
    if known and (notes.receipt == "always" or (notes.receipt == "sheets" and notes.sheets)):
        people = f" ({first_of(list(notes.people), 8)})" if notes.people else ""
        units = number_of(sum(notes.lengths.values()), "unit")
        yield (
            f"{number_of(len(notes.lengths), 'document')}, {number_of(len(notes.people), 'coder')}"
            f"{people}, {units}{f' ({rule})' if rule else ''}"
        )


def _spellings(notes: TableNotes) -> Iterator[str]:
    """Messages about names that differ only in spelling."""
    if len(notes.lengths) > _MOST_DOCUMENTS:
        return
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


def check_all_met(choices: ReadOptions) -> None:
    """Raise for names that no file had, and for choices that no format of the files uses."""
    notes = choices.notes
    used = frozenset[str]().union(*(keys for _, keys in notes.keys.values()))
    for name in (key.replace("-", "_") for key in KEYS if notes.keys and key not in used):
        if getattr(choices, name) != getattr(DEFAULT_OPTIONS, name):
            files = ", ".join(f"{first} ({kind})" for kind, (first, _) in notes.keys.items())
            own = sorted(key.replace("-", "_") for key in used - {"keep-headings", "snap"})
            end = nearest(name, own) if own else ": expected none"
            raise SegmentationError(f"{files}: {name} is given, and not used{end}")
    for kind, keyword in (
        ("coder", "only_coders"), ("coder", "without_coders"), ("rename", "rename"),
        ("label", "rename_labels"), ("column", "ignore_columns"), ("sheet", "ignore_sheets"),
    ):  # fmt: skip
        for name in getattr(choices, keyword) or ():
            if (kind, name) not in notes.met:
                what = "coder" if kind == "rename" else kind
                known = notes.known if what == "coder" else ()
                end = nearest(name, known) if known else f": expected a {what} of the files"
                raise SegmentationError(f"{keyword}: no {what} is called {name!r}{end}")
