"""How many documents it takes until the interval of corrected agreement has a given half-width.

The half-width of an interval over m documents is t(m - 1) · s / √m, with the s that gives the
interval over the documents there are. How far s may be from what it is in other samples follows
from their number and the tails of their jackknife values (`significance.resampling.spread_limit`),
so the number of documents comes with a range. Beyond the number of documents given, the formula is
extrapolated, and the result says so.
"""

from bisect import bisect_left
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from segscore.basics.arguments import Floats, number
from segscore.coders.sums import FEWEST_DOCUMENTS
from segscore.errors import SegmentationError
from segscore.significance.resampling import Interval, Value, jackknife, spread_limit, t_quantile
from segscore.tables import Column, Table, Tabular, columns

_CONFIDENCE = 0.8  # that n_safe documents are enough
_FAR = 4  # times the documents there are: what lies beyond is hardly known
_MOST = 10_000_000  # documents


class PlannedWidth(NamedTuple):
    """A number of documents, and the half-width of the interval over as many documents that differ
    as these do. `seen`: there are as many; otherwise it is extrapolated."""

    n_documents: int
    half_width: float
    seen: bool


@dataclass(frozen=True, repr=False)
class WidthPlan(Tabular):
    """How many documents give an interval of value ± `half_width`.

    `n_needed` assumes documents that differ as much as these `n_documents` do; with 80 % confidence
    it takes at most `n_safe`, and likewise at least `n_least`. `widths` are the half-widths of
    fewer documents, and those of more, which are extrapolated. `half_width_now` is the half-width
    of these documents.
    """

    half_width: float
    n_documents: int
    half_width_now: float
    n_least: int
    n_needed: int
    n_safe: int
    widths: tuple[PlannedWidth, ...]
    level: float
    signature: str

    @property
    def enough(self) -> bool:
        """Whether the interval over these documents is narrow enough."""
        return self.half_width_now <= self.half_width

    @property
    def extrapolated(self) -> bool:
        """Whether more documents than these are needed."""
        return self.n_needed > self.n_documents

    @property
    def reading(self) -> str:
        """What the plan says, in plain words."""
        takes = (
            f"about {self.n_needed:,} documents of this kind ({self.n_least:,} to "
            f"{self.n_safe:,}: at least and at most, each with {100 * _CONFIDENCE:g} % confidence)"
        )
        if self.enough:
            return (
                f"These {self.n_documents:,} documents are already enough for an interval of "
                f"± {self.half_width:g}: theirs is ± {self.half_width_now:.4f}. With other "
                f"documents, it needs {takes}."
            )
        return (
            f"An interval of ± {self.half_width:g} needs {takes}; there are "
            f"{self.n_documents:,}, and their interval is ± {self.half_width_now:.4f}."
        )

    @property
    def warnings(self) -> tuple[str, ...]:
        """What makes the plan doubtful."""
        if not self.extrapolated:
            return ()
        far = (
            f"; for more than {_FAR} times the existing documents it is a guess: annotate some and "
            "plan again"
        )
        return (
            f"more than the {self.n_documents} existing documents, so it is extrapolated: it "
            "holds if other documents are like these, and are coded by the same people"
            + far
            * (self.n_needed > _FAR * self.n_documents),
        )

    def to_table(self) -> Table:
        """A row for each number of documents."""
        shown = [
            *columns("documents=n_documents"),
            Column(f"{100 * self.level:.4g} % interval: ±", key="half_width", digits=4),
            *columns("how"),
            *columns("signature", audience="machines"),
        ]
        rows = [
            [*one[:2], "seen" if one.seen else "extrapolated", self.signature]
            for one in self.widths
        ]
        words = [
            self.reading,
            "±: for documents that differ as much as these do; it falls with the square root of "
            "their number",
            "more documents say nothing about other coders",
        ]
        return Table(shown, rows, words, "How many documents", list(self.warnings))


def plan_width(
    rows: Floats, value: Value, half_width: float, ci: Interval, about: str
) -> WidthPlan:
    """The plan for a value of these rows, one per document, with the interval `ci`."""
    wanted = number(half_width, "half_width", "a number above 0")
    if not 0 < wanted < 1:
        raise SegmentationError(f"half_width is {half_width}: expected a number above 0, below 1")
    n = len(rows)
    if n < FEWEST_DOCUMENTS or np.isnan(ci.low):
        raise SegmentationError(
            f"{n} documents have two coders or more, and no interval over documents: a plan needs "
            f"{FEWEST_DOCUMENTS} at least, to know how much documents differ"
        )
    left_out = jackknife(rows, value)[1]
    if not np.ptp(left_out) > 0:
        raise SegmentationError(
            f"agreement is the same in all {n} documents, or has no value without one of them: "
            "expected documents that differ, which a plan is made from"
        )
    now = (ci.high - ci.low) / 2

    def width(m: int) -> float:
        quantile = t_quantile(m - 1, (1 + ci.level) / 2)
        return quantile / t_quantile(n - 1, (1 + ci.level) / 2) * float(np.sqrt(n / m)) * now

    def documents_for(spread: float) -> int:
        counts = range(FEWEST_DOCUMENTS, _MOST + 1)
        found = bisect_left(counts, True, key=lambda m: spread * width(m) <= wanted)
        if found == len(counts):
            raise SegmentationError(
                f"half_width is {wanted:g}, which takes more than {_MOST:,} documents: expected a "
                "larger one"
            )
        return counts[found]

    needed = documents_for(1.0)
    least, safe = (
        documents_for(spread_limit(left_out, share)) for share in (1 - _CONFIDENCE, _CONFIDENCE)
    )
    listed = sorted({n // 4, n // 2, n, needed, safe} - set(range(FEWEST_DOCUMENTS)))
    widths = tuple(PlannedWidth(m, width(m), m <= n) for m in listed)
    return WidthPlan(wanted, n, now, least, needed, safe, widths, ci.level, about)
