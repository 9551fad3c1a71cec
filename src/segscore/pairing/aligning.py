"""Move hypotheses whose words differ from those of their references onto the references' units."""

from collections.abc import Callable
from dataclasses import replace

from segscore.coding.word_alignment import Alignment, align
from segscore.corpus.builder import CodingsBuilder
from segscore.corpus.codings import Codings
from segscore.corpus.record import Record, whereabouts
from segscore.errors import SegmentationError, about


def aligned_by_words(
    reference: Codings, side: Codings, max_error: float, remark: Callable[[str], None]
) -> Codings:
    """The codings of one side on the units of the other; documents that only one side has are
    unchanged."""
    builder = CodingsBuilder()
    done: dict[str, Alignment] = {}
    for number, name in enumerate(side.documents):
        for coder, coding in side.codings_of(number)[0].items():
            if name not in reference.numbers:
                builder.add(Record(name, coder, coding))
                continue
            for table in (reference, side):
                if name not in table.texts:
                    raise SegmentationError(
                        f"document {name!r} has no text in {table.source}: expected the text of "
                        "its units on both sides, to align words"
                    )
            units = reference.texts[name]
            with about(whereabouts(name, coder)):
                done[name] = align(units, side.texts[name], coding, max_error=max_error)
            builder.add(Record(name, coder, done[name].segmentation, units))
    if done:
        remark(f"{side.source}: aligned by words: {_summary(done)}")
    provenance = replace(side.provenance, units=reference.provenance.units).chosen("align", "words")
    return builder.codings(side.scope, side.source, provenance)


def _summary(done: dict[str, Alignment]) -> str:
    words = sum(alignment.n_words for alignment in done.values())
    rate = sum(alignment.errors for alignment in done.values()) / words
    worst = max(done, key=lambda name: done[name].error_rate)
    highest = f" (highest {done[worst].error_rate:.3f}, {worst!r})" if len(done) > 1 else ""
    counts = [
        (sum(getattr(alignment, name) for alignment in done.values()), text)
        for name, text in (
            ("inside", "inside words left out or added"),
            ("moved", "inside a unit, moved to its nearer edge"),
            ("merged", "merged with another boundary or with an end"),
        )
    ]
    moved = [f"boundaries {text}: {count}" for count, text in counts]
    return "; ".join([f"word error rate {rate:.3f}{highest}", *moved])
