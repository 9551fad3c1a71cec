"""Hypotheses whose words differ from those of their references, brought onto their units."""

from collections.abc import Callable
from dataclasses import replace

from segscore.alignment import Alignment, align
from segscore.errors import SegmentationError
from segscore.io.columns import Columns, ColumnsBuilder
from segscore.records import Record, whereabouts


def aligned_by_words(
    reference: Columns, side: Columns, max_error: float, remark: Callable[[str], None]
) -> Columns:
    """The codings of one side on the units of the other; documents that only one side has are left
    as they are."""
    builder = ColumnsBuilder()
    done: dict[str, Alignment] = {}
    known = set(reference.documents)
    for row, name in enumerate(side.documents):
        coder = side.coder(row)
        if name not in known:
            builder.add(Record(name, coder, side.segmentation(row)))
            continue
        for where, texts in ((reference.source, reference.texts), (side.source, side.texts)):
            if name not in texts:
                raise SegmentationError(
                    f"document {name!r} has no text in {where}: expected the text of its units on "
                    "both sides, to align words"
                )
        try:
            found = align(
                reference.texts[name], side.texts[name], side.segmentation(row),
                max_error=max_error,
            )  # fmt: skip
        except SegmentationError as error:
            raise SegmentationError(f"{whereabouts(name, coder)}: {error}") from None
        builder.add(Record(name, coder, found.segmentation, reference.texts[name]))
        done[name] = found
    if done:
        remark(f"{side.source}: aligned by words: {_summary(done)}")
    provenance = replace(side.provenance, units=reference.provenance.units)
    return builder.columns(side.source, provenance=provenance.chosen("align", "words"))


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
