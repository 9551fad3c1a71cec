"""What a convention is: how a program or script computes a measure; and the documents it is applied
to.

A convention computes all documents at once, and gives a row for each way of averaging them, their
mean first. Three kinds know how: of windows (Pk, WindowDiff), of other numbers of documents
(both in `document_scores.py`) and of F1 (`f_counting.py`); `convention_list.py` lists them all.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Literal, NamedTuple, TypeVar, get_args

import numpy as np

from segscore.conventions.documents import sides
from segscore.corpus.provenance import Provenance
from segscore.metrics.matching import BoundaryMatch
from segscore.pairing.pairs import Pairs

AuditMeasure = Literal[
    "pk", "windowdiff", "f1", "segment-f1", "macro-f1", "total", "b", "s", "b-f1", "count-mae"
]
MEASURES: tuple[AuditMeasure, ...] = get_args(AuditMeasure)
ERRORS = ("pk", "windowdiff")  # of which others print 1 minus the value

AVERAGES = {  # what it is, and how far-fetched it is
    "document": ("the one document", 0.0),
    "mean": ("mean of the documents' values", 0.0),
    "windows": ("errors of all documents over windows of all documents", 0.75),
    "global-k": ("mean of documents, all with one k from the pooled mean segment", 2.25),
    "concatenated": ("all documents joined into one, their ends being boundaries", 2.25),
    "pooled": ("F of the counts of all documents", 0.25),
    "mean-rates": ("F of the mean precision and the mean recall", 0.75),
}


class AuditRow(NamedTuple):
    """A number: a convention, a measure, an average."""

    convention: str
    measure: str
    average: str
    k: int | None = None  # of Pk and WindowDiff; None where documents differ
    windows: int | None = None  # of Pk and WindowDiff
    value: float = math.nan  # NaN where undefined
    prints: float = math.nan  # NaN where the implementation fails
    documents: int = 0
    undefined: int = 0
    note: str | None = None
    at: str | None = None  # tolerance or thresholds of F1, n_t of B and S
    precision: float = math.nan  # of F1
    recall: float = math.nan
    reading: str | None = None  # what was done to documents before: sides swapped, for instance

    def same_numbers(self, other: "AuditRow") -> bool:
        """Whether the values and the prints of two rows are the same; NaN equals NaN."""
        pairs = (self.value, other.value), (self.prints, other.prints)
        return all(a == b or (math.isnan(a) and math.isnan(b)) for a, b in pairs)


def trouble_note(troubles: Sequence[str]) -> str | None:
    """A note with the first problem in documents, and the number of problems."""
    if not troubles:
        return None
    more = f" (and {len(troubles) - 1} more documents)" if len(troubles) > 1 else ""
    return troubles[0] + more


class Reach(NamedTuple):
    """The largest distances at which boundaries match: at most the tolerance, or less than it."""

    within: int
    below: int
    text: str

    @classmethod
    def of(cls, tolerance: int | str, provenance: Provenance) -> "Reach":
        """The reach of a number of units, or of a time."""
        checked = BoundaryMatch(tolerance)
        within, below = checked.reach(provenance), -1
        if checked.tolerance != 0:
            below = BoundaryMatch(tolerance, strict=True).reach(provenance)
        return cls(within, below, f"tolerance {checked.tolerance}")


Made = TypeVar("Made")


class Documents:
    """The documents of an audit, what conventions make of them, and the rows so far."""

    def __init__(self, pairs: Pairs, reach: Reach) -> None:
        self.pairs = pairs
        self.reach = reach
        self.rows: dict[tuple[str, ...], AuditRow] = {}  # by convention, measure, average
        self._made: dict[Hashable, Any] = {}

    def once(self, make: Callable[..., Made], *arguments: Hashable) -> Made:
        """What a function makes of the pairs; it is called once, whoever asks."""
        key = make, *arguments
        if key not in self._made:
            self._made[key] = make(self.pairs, *arguments)
        made: Made = self._made[key]
        return made


def joined(pairs: Pairs) -> Documents:
    """All documents joined into one, with a boundary at each end of a document."""
    ends = np.cumsum(pairs.n_units)
    columns: list[Any] = []
    for offsets, positions in sides(pairs):
        moved = positions + np.repeat(ends - pairs.n_units, np.diff(offsets))
        every = np.insert(moved, offsets[1:-1], ends[:-1])
        columns += [np.array([0, len(every)]), every]
    return Documents(Pairs(ends[-1:], *columns, provenance=pairs.provenance), Reach(0, -1, ""))


@dataclass(frozen=True)
class Convention(ABC):
    """How one program or script computes measures.

    `sentence` says what it does, `source` names its code; `cost` is how far-fetched it is
    (`auditing.py`). `at` names tolerances or thresholds. `average` is how the program itself
    averages documents. `exact`: it has no tolerance, and is left out if one is given. `variant_of`
    names a convention that usually prints the same; rows that do not differ are left out. `rare`:
    it is tried only where a number is to be explained.
    """

    name: str
    sentence: str
    source: str | None
    _: KW_ONLY
    measures: tuple[str, ...] = ERRORS
    cost: float = 1.0
    at: str | None = None
    average: str = "mean"
    exact: bool = False
    variant_of: str | None = None
    rare: bool = False

    @abstractmethod
    def rows(self, documents: Documents, measure: str) -> Iterator[AuditRow]:
        """A row for each average, the mean first; none if it does not apply to the documents."""

    @property
    def words(self) -> str:
        """The text of a footnote."""
        return f"{self.sentence} [{self.source}]" if self.source else self.sentence
