"""The measures of evidence: what each counts, and whether higher or lower is better.

Each is a quotient of two counts per question that add up, so that averages, intervals and tests are
those of every metric: pooled is the quotient of the sums (over spans, characters or questions),
mean is the mean over questions. Both leave out questions without a value.
"""

import math
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, NamedTuple, Self

from segscore.basics.arguments import Floats
from segscore.errors import SegmentationError
from segscore.metrics.base import Metric
from segscore.pairing.pairs import Pairs

Convention = Literal["segscore", "program"]
Depth = int | Literal["touched"] | None
"""How many fetched chunks count: a number, as many as a question's evidence touches, or all."""


class _Definition(NamedTuple):
    """The dividend and the divisor; which direction is better; the best value, if there is a
    scale."""

    above: str
    below: str
    higher_is_better: bool
    perfect: float | None
    least: float
    says: str


DEFINITIONS = {
    "whole": _Definition(
        "whole_spans", "spans", True, 1, 0,
        "share of evidence spans that lie completely in one chunk",
    ),
    "all-whole": _Definition(
        "whole_questions", "questions", True, 1, 0,
        "share of questions all of whose spans are whole",
    ),
    "pieces": _Definition(
        "chunks", "held_spans", False, None, 1,
        "the fewest chunks that hold what chunks hold of a span, mean over spans",
    ),
    "precision-omega": _Definition(
        "held", "needed", True, 1, 0,
        "share of evidence in the chunks that touch it",
    ),
    "size-omega": _Definition(
        "touched", "touched_questions", False, None, 0,
        "how much text is in the chunks that touch the evidence of a question",
    ),
    "lost": _Definition(
        "lost", "evidence", False, 0, 0,
        "share of evidence, white space aside, that is in no chunk",
    ),
    "recall": _Definition(
        "fetched_evidence", "evidence", True, 1, 0,
        "share of evidence that was fetched",
    ),
    "precision": _Definition(
        "fetched_evidence", "fetched", True, 1, 0,
        "share of evidence in what was fetched",
    ),
    "iou": _Definition(
        "fetched_evidence", "fetched_or_evidence", True, 1, 0,
        "evidence that was fetched, over what was fetched and what was missed",
    ),
    "hit": _Definition(
        "hit_questions", "questions", True, 1, 0,
        "share of questions with a span that is whole in one fetched chunk",
    ),
}  # fmt: skip
OF_CHUNKS = ("whole", "all-whole", "pieces", "precision-omega", "size-omega", "lost")
OF_RETRIEVAL = ("recall", "precision", "iou", "hit")
_BY_SIZE = ("precision-omega", "size-omega", "recall", "precision", "iou")


@dataclass(frozen=True)
class EvidenceMeasure(Metric):
    """A measure of evidence: additive counts of a question, and their quotient.

    Parameters
    ----------
    measure: its name, one of `DEFINITIONS`.
    convention: "program" counts like the published program (Smith & Troynikov 2024).
    k: how many fetched chunks count, for measures of retrieval.
    size: the unit in which text is counted: "characters", or the name of the tokenizer.

    >>> whole = EvidenceMeasure("whole")
    >>> whole.signature(), whole.statistic_names
    ('whole|convention:segscore|v:0.1.0', ('whole_spans', 'spans'))
    >>> str(EvidenceMeasure("recall", k=5))
    'recall(k=5)'
    """

    name: ClassVar[str] = "evidence"  # of an object: that of its measure
    higher_is_better: ClassVar[bool] = True

    measure: str
    convention: Convention = "segscore"
    k: Depth = field(default=None)
    size: str = "characters"

    def __post_init__(self) -> None:
        known = DEFINITIONS[self.measure]
        settled = {
            "name": self.measure,
            "higher_is_better": known.higher_is_better,
            "perfect": known.perfect,
        }
        for name, value in settled.items():
            object.__setattr__(self, name, value)

    @property
    def value_range(self) -> tuple[float, float]:
        """The smallest and largest possible value."""
        known = DEFINITIONS[self.measure]
        return known.least, math.inf if known.perfect is None else 1.0

    @property
    def says(self) -> str:
        """The meaning of the measure, in words."""
        return DEFINITIONS[self.measure].says

    @property
    def statistic_names(self) -> tuple[str, ...]:
        """The two counts of the quotient."""
        return DEFINITIONS[self.measure][:2]

    def rows(self, pairs: Pairs, threads: int | None = 1) -> Floats:
        """Raise for pairs of segmentations, which have no questions."""
        del pairs, threads
        raise SegmentationError(
            f"{self.measure} looks at questions and chunks: expected a call of ss.chunks.evidence"
        )

    def signature_fields(self) -> dict[str, Any]:
        """The settings that determine this measure."""
        fields: dict[str, Any] = {"convention": self.convention}
        if self.measure in OF_RETRIEVAL:
            fields["k"] = "all" if self.k is None else self.k
        if self.measure in _BY_SIZE:
            fields["size"] = self.size
        return fields

    def plain(self) -> Self:
        """The measure with its usual settings."""
        return type(self)(self.measure)
