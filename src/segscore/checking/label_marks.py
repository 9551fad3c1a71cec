"""Labels of 0 and 1 in few documents: whether `marks` says what they mean.

In many documents a wrong `marks` shows as a boundary at the same end of all of them
(`checking.label_frames`). In fewer than five that proves nothing, but the labels themselves say
more than the boundaries: a list that marks starts has a 1 at its first unit, and mostly a 0 at its
last; a list that marks ends has it the other way round. Both readings of a file together have
every label: read by ends, a label of the first unit is a boundary; read by starts, one of the last.
"""

from collections.abc import Iterator
from typing import NamedTuple

from segscore.checking.findings import Finding
from segscore.checking.label_frames import FEWEST
from segscore.coding.segmentation import Segmentation
from segscore.corpus.corpus import Corpus

OTHER_MARKS = {"end": "start", "start": "end", "gaps": "end"}


class _Labels(NamedTuple):
    """What one list of labels has at its ends, and how it was read."""

    document: str
    first: bool
    last: bool


def doubtful_marks(marks: str, read: list[Corpus], otherwise: list[Corpus]) -> Iterator[Finding]:
    """A note if all labels of few documents look as if another `marks` was right.

    `read` are the corpora as they were read by `marks`, `otherwise` the same by OTHER_MARKS.
    """
    lists = [
        _ends(document, marks, coding, other[document][coder])
        for one, other in zip(read, otherwise, strict=True)
        for document, codings in one.items()
        for coder, coding in codings.items()
        if coding != other[document][coder] and coding.n_units > 1  # equal: it has no labels
    ]
    documents = tuple(dict.fromkeys(one.document for one in lists))
    if not 0 < len(documents) < FEWEST or not all(_is_doubtful(marks, one) for one in lists):
        return
    many = "a list of labels has" if len(lists) == 1 else f"all {len(lists)} lists of labels have"
    seen, meant = {
        "end": ("1 at the first unit and 0 at the last", "mark starts have them: --marks start?"),
        "start": ("0 at the first unit and 1 at the last", "mark ends have them: --marks end?"),
        "gaps": ("1 at the end", "have a label per unit, not per gap, have it: --marks end?"),
    }[marks]
    yield Finding(
        "doubtful-marks",
        "note",
        f"Read by --marks {marks}, {many} {seen}.",
        {"lists": len(lists)},
        documents,
        f"Lists that {meant} So few documents cannot tell; what wrote the labels can.",
    )


def _ends(document: str, marks: str, coding: Segmentation, other: Segmentation) -> _Labels:
    by_end, by_start = (coding, other) if marks == "end" else (other, coding)
    last = by_start.n_units - 1  # of gaps: the place before the last unit that they let expect
    return _Labels(document, 1 in by_end.boundaries, last in by_start.boundaries)


def _is_doubtful(marks: str, labels: _Labels) -> bool:
    if marks == "end":
        return labels.first and not labels.last
    return labels.last and (marks == "gaps" or not labels.first)
