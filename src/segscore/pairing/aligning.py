"""Hypotheses whose words differ from those of their references, brought onto their units."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from segscore.coding.segmentation import Segmentation
from segscore.coding.word_alignment import Alignment, align
from segscore.corpus.builder import CodingsBuilder
from segscore.corpus.codings import Codings
from segscore.corpus.corpus import Corpus
from segscore.corpus.provenance import Provenance
from segscore.corpus.record import Record, Units, whereabouts
from segscore.errors import SegmentationError

Row = tuple[str, str, Segmentation]  # document, coder, coding
Texts = Mapping[str, Units]


def aligned_by_words(
    reference: Codings, side: Codings, max_error: float, remark: Callable[[str], None]
) -> Codings:
    """The codings of one side on the units of the other; documents that only one side has are left
    as they are."""
    rows = (
        (name, side.coder(row), side.segmentation(row))
        for row, name in enumerate(side.names_of(np.arange(len(side))))
    )
    both = Sides(reference.source, reference.texts, side.source, side.texts)
    records = aligned_records(rows, set(reference.documents), both, max_error, remark)
    provenance = aligned_provenance(reference.provenance, side.provenance)
    return CodingsBuilder().add_all(records).codings(side.scope, side.source, provenance)


def aligned_corpus(
    reference: Corpus, side: Corpus, name: str, max_error: float, remark: Callable[[str], None]
) -> Corpus:
    """The same for corpora; `name` is what messages call the side."""
    both = Sides("the reference", _texts(reference), name, _texts(side))
    rows = (
        (document.name, coder, coding)
        for document in side.values()
        for coder, coding in document.items()
    )
    records = list(aligned_records(rows, set(reference), both, max_error, remark))
    provenance = aligned_provenance(reference.provenance, side.provenance)
    return Corpus.from_rows(records, coders=side.coder_scope, provenance=provenance)


class Sides(NamedTuple):
    """What messages call both sides, and their texts."""

    reference: str
    ref_texts: Texts
    hypothesis: str
    hyp_texts: Texts


def _texts(corpus: Corpus) -> dict[str, Units]:
    return {name: one.units for name, one in corpus.items() if one.units is not None}


def aligned_provenance(reference: Provenance, side: Provenance) -> Provenance:
    """Of a side on the units of the other."""
    return replace(side, units=reference.units).chosen("align", "words")


def aligned_records(
    rows: Iterable[Row],
    known: set[str],
    both: Sides,
    max_error: float,
    remark: Callable[[str], None],
) -> Iterator[Record]:
    """Codings on the units of the reference; documents that are not `known` stay as they are."""
    done: dict[str, Alignment] = {}
    for name, coder, coding in rows:
        if name not in known:
            yield Record(name, coder, coding)
            continue
        for where, texts in (both[:2], both[2:]):
            if name not in texts:
                raise SegmentationError(
                    f"document {name!r} has no text in {where}: expected the text of its units on "
                    "both sides, to align words"
                )
        units = both.ref_texts[name]
        try:
            done[name] = align(units, both.hyp_texts[name], coding, max_error=max_error)
        except SegmentationError as error:
            raise SegmentationError(f"{whereabouts(name, coder)}: {error}") from None
        yield Record(name, coder, done[name].segmentation, units)
    if done:
        remark(f"{both.hypothesis}: aligned by words: {_summary(done)}")


def _summary(done: dict[str, Alignment]) -> str:
    words = sum(one.n_words for one in done.values())
    rate = sum(one.errors for one in done.values()) / words
    worst = max(done, key=lambda name: done[name].error_rate)
    highest = f" (highest {done[worst].error_rate:.3f}, {worst!r})" if len(done) > 1 else ""
    counts = [
        (sum(getattr(one, name) for one in done.values()), text)
        for name, text in (
            ("inside", "inside words left out or added"),
            ("moved", "inside a unit, moved to its nearer edge"),
            ("merged", "merged with another one or with an end"),
        )
    ]
    said = [f"boundaries {text}: {count}" for count, text in counts]
    return "; ".join([f"word error rate {rate:.3f}{highest}", *said])
