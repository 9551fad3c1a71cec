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

_REMEDY = "unfinished=True reads them"


def begin_counting(choices: ReadOptions) -> None:
    """Forget what was left out of files that were read before, and how chunks were placed."""
    choices.notes.placed.clear()
    choices.notes.unfinished.clear()
    choices.notes.unfinished_texts.clear()


def finished_records(records: Iterable[Record], choices: ReadOptions) -> Iterator[Record]:
    """The records that count; the text of a record left out goes to the next coding of its
    document."""
    notes = choices.notes
    for record in records:
        annotation = record.annotation
        if annotation is None or annotation.counts or choices.unfinished:
            if record.units is None and record.document in notes.unfinished_texts:
                units = notes.unfinished_texts[record.document]
                yield replace(record, units=units)
            else:
                yield record
            continue
        notes.unfinished[
            record.coder or "", "practice" if annotation.practice else "unfinished"
        ] += 1
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
    by_reason: Counter[str] = Counter()
    by_coder: Counter[str] = Counter()
    for (coder, reason), n in counts.items():
        by_reason[reason] += n
        by_coder[coder] += n
    counts.clear()
    reasons = " and ".join(
        f"{by_reason[reason]:,} {reason}"
        for reason in ("unfinished", "practice")
        if by_reason[reason]
    )
    if not left:
        raise SegmentationError(
            f"{called}: nothing is left: all codings are unfinished or practice ({reasons}): "
            f"expected documents that the coder marked as done; {_REMEDY}"
        )
    people = ", ".join(f"{coder} {n:,}" for coder, n in by_coder.most_common(8))
    more = f" and {len(by_coder) - 8} more coders" if len(by_coder) > 8 else ""
    lost = [coder for coder in by_coder if coder not in left]
    gone = f"; nothing is left of {named(lost)}" if lost else ""
    total = sum(by_reason.values())
    choices.remark(
        f"{called}: {total:,} {'coding' if total == 1 else 'codings'} left out, {reasons} "
        f"({people}{more}){gone}; {_REMEDY}"
    )
