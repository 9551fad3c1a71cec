"""Which documents the page holds: all, as long as a browser opens the file at once."""

import math
from collections.abc import Sequence
from typing import Any

from segscore.basics.arguments import shown, whole_number
from segscore.errors import SegmentationError, nearest
from segscore.pages.html_markup import count
from segscore.pages.subject import ShownDocument, Subject

MOST_DOCUMENTS = 10_000
MOST_TEXT = 20_000_000  # characters
USUAL = 200  # documents where there are too many


def chosen(subject: Subject, wanted: int | Sequence[str] | None) -> Subject:
    """The documents asked for: so many, from the worst on, or those named; None: all that fit."""
    everything = subject.documents
    if wanted is None:
        if _fits(everything):
            return subject
        wanted = USUAL
    if isinstance(wanted, int) and not isinstance(wanted, bool):
        most = whole_number(wanted, "documents", 1)
        if most >= len(everything):
            return subject
        ordered = sorted(everything, key=_badness(subject))
        return subject.only(tuple(ordered[:most]), _words(subject, most))
    if isinstance(wanted, str) or not isinstance(wanted, Sequence) or not wanted:
        raise SegmentationError(
            f"documents is {shown(wanted)}: expected a number, or names of documents"
        )
    known = {one.name: one for one in everything}
    for one in wanted:
        if one not in known:
            raise SegmentationError(
                f"no document is called {one!r}{nearest(one, list(known)[:20])}"
            )
    kept = tuple(known[one] for one in dict.fromkeys(wanted))
    return subject.only(kept, f"{count(len(kept), 'document')} that were asked for by name")


def _fits(documents: Sequence[ShownDocument]) -> bool:
    sizes = sum(one.text_size for one in documents)
    return len(documents) <= MOST_DOCUMENTS and sizes <= MOST_TEXT


def _words(subject: Subject, most: int) -> str:
    if subject.comparison is not None:
        return f"the {most} worst, by {subject.comparison.metrics[0]} of the system that fails most"
    return f"the {most} on which people agree least"


def _badness(subject: Subject) -> Any:
    """The key that sorts documents from the worst to the best; those without value come last."""
    comparison, agreement = subject.comparison, subject.agreement
    if comparison is not None:
        metric = comparison.metrics[0]
        sign = 1 if comparison.higher_is_better[metric] else -1
        values = comparison.values(metric)
        worst = {
            name: _least([sign * float(values[one][i]) for one in comparison.systems])
            for i, name in enumerate(comparison.documents)
        }
    else:
        known = agreement.documents if agreement is not None else {}
        worst = {name: _least([one.observed]) for name, one in known.items()}
    return lambda document: worst.get(document.name, math.inf)


def _least(values: list[float]) -> float:
    return min((one for one in values if not math.isnan(one)), default=math.inf)
