"""Codings that annotation pages exported: those that count, and those that are left out.

Unfinished codings and those of practice documents are not measured. Readers leave them out, unless
the caller wants them, and report their number.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from segscore.corpus.builder import CodingsBuilder
from segscore.corpus.record import Record
from segscore.errors import SegmentationError, named
from segscore.io.read_options import ReadOptions

_REMEDY = "unfinished=True (--unfinished) reads them"


def begin_counting(choices: ReadOptions) -> None:
    """Forget what was left out of files that were read before."""
    choices.notes.unfinished.clear()
    choices.notes.unfinished_texts.clear()


def finished_records(records: Iterable[Record], choices: ReadOptions) -> Iterator[Record]:
    """The records that count; the text of a record left out goes to the next coding of its
    document."""
    notes = choices.notes
    for record in records:
        told = record.annotation
        if told is None or told.counts or choices.unfinished:
            if record.units is None and record.document in notes.unfinished_texts:
                units = notes.unfinished_texts[record.document]
                yield replace(record, units=units)
            else:
                yield record
            continue
        notes.unfinished[record.coder or "", "practice" if told.practice else "unfinished"] += 1
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
    why: Counter[str] = Counter()
    who: Counter[str] = Counter()
    for (coder, reason), n in counts.items():
        why[reason] += n
        who[coder] += n
    counts.clear()
    reasons = " and ".join(f"{why[one]:,} {one}" for one in ("unfinished", "practice") if why[one])
    if not left:
        raise SegmentationError(
            f"{called}: nothing is left: all codings are unfinished or practice ({reasons}): "
            f"expected documents that the coder marked as done; {_REMEDY}"
        )
    people = ", ".join(f"{coder} {n:,}" for coder, n in who.most_common(8))
    more = f" and {len(who) - 8} more coders" if len(who) > 8 else ""
    lost = [coder for coder in who if coder not in left]
    gone = f"; nothing is left of {named(lost)}" if lost else ""
    total = sum(why.values())
    choices.remark(
        f"{called}: {total:,} {'coding' if total == 1 else 'codings'} left out, {reasons} "
        f"({people}{more}){gone}; {_REMEDY}"
    )
