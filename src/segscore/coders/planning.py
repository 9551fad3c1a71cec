"""How many documents it takes until the interval of corrected agreement has a given half-width.

The half-width of an interval over m documents is about t(m - 1) · s / √m. A jackknife over the
documents estimates s, how much documents differ. Half-samples show how s varies: s of random halves
of the documents varies about as much as s of all would vary in other samples (Shao & Wu 1989,
delete-d jackknife). So the number of documents comes with a range. All half-widths come from this
formula, so that more documents never have a wider interval; the range of half-widths of smaller
samples is shown as observed. Beyond the number of documents given, the formula is extrapolated, and
the result says so.

In simulations, `n_safe`, which is meant to be enough for 80 % of pilots, was enough for 73 % of
those with 10 documents, 77 % of those with 20 and 82 % of those with 40.
"""

from dataclasses import dataclass
from math import ceil
from typing import NamedTuple

import numpy as np

from segscore.basics.arguments import Floats, number
from segscore.coders.agreement_sums import ChanceRows
from segscore.coders.coder_pairs import CoderPairs
from segscore.coders.sums import FEWEST_DOCUMENTS
from segscore.errors import SegmentationError
from segscore.significance.resampling import Interval, Value, jackknife, t_quantile
from segscore.tables import Column, Table, Tabular

_SAMPLES = 400  # halves of the documents
_CONFIDENCE = 0.8  # that n_safe documents are enough
_FAR = 4  # times the documents there are: what lies beyond is hardly known
_MOST = 10_000_000  # documents


class PlannedWidth(NamedTuple):
    """A number of documents, and the half-width of the interval over as many documents that differ
    as these do; 80 % of samples are between `low` and `high`. `seen`: whether it was computed from
    these documents; otherwise it is extrapolated."""

    n_documents: int
    half_width: float
    low: float
    high: float
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
    n_least: int
    n_needed: int
    n_safe: int
    widths: tuple[PlannedWidth, ...]
    level: float
    signature: str

    @property
    def half_width_now(self) -> float:
        """The half-width of the interval over these documents."""
        (now,) = (
            width.half_width for width in self.widths if width.n_documents == self.n_documents
        )
        return now

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
        rows = [
            [width.n_documents, width.half_width, width.low, width.high,
             "seen" if width.seen else "extrapolated", self.signature]
            for width in self.widths
        ]  # fmt: skip
        columns = [
            Column("documents", key="n_documents"),
            Column(f"{100 * self.level:.4g} % interval: ±", key="half_width", digits=4),
            Column("8 of 10 from", key="low", digits=4),
            Column("to", key="high", digits=4),
            Column("how"),
            Column("signature", audience="machines"),
        ]
        words = [
            self.reading,
            "±: for documents that differ as much as these do; it falls with the square root of "
            "their number",
            "8 of 10: the half-widths of eight of ten samples; seen: in random samples of the "
            "existing documents",
            "more documents say nothing about other coders",
        ]
        return Table(columns, rows, words, "How many documents", list(self.warnings))


def plan_width(
    pairs: CoderPairs, chance: ChanceRows, half_width: float, ci: Interval, seed: int, about: str
) -> WidthPlan:
    """The plan for corrected agreement with the interval `ci` over documents."""
    wanted = number(half_width, "half_width", "a number above 0")
    if not 0 < wanted < 1:
        raise SegmentationError(f"half_width is {half_width}: expected a number above 0, below 1")
    rows = chance.tally.rows[pairs.order[np.isin(pairs.order, pairs.pair_document)]]
    n = len(rows)
    if n < FEWEST_DOCUMENTS or np.isnan(ci.low):
        raise SegmentationError(
            f"{n} documents have two coders or more, and no interval over documents: a plan needs "
            f"{FEWEST_DOCUMENTS} at least, to know how much documents differ"
        )
    law = _Law(rows, chance.corrected, ci, seed)
    least, needed, safe = (law.documents_for(wanted, spread) for spread in law.likely_spreads())
    listed = sorted({n // 4, n // 2, n, needed, safe} - set(range(FEWEST_DOCUMENTS)))
    widths = tuple(map(law.planned, listed))
    return WidthPlan(wanted, n, least, needed, safe, widths, ci.level, about)


class _Law:
    """Half-width = t(m - 1) · s / √m, with s estimated from the documents."""

    def __init__(self, rows: Floats, value: Value, ci: Interval, seed: int) -> None:
        self.rows, self.value, self.level, self.seed = rows, value, ci.level, seed
        self.n = len(rows)
        self.spread = self._spread(rows)
        if not self.spread > 0:
            raise SegmentationError(
                f"agreement is the same in all {self.n} documents, or has no value without one of "
                "them: expected documents that differ, which a plan is made from"
            )
        # so that the law gives, for all documents, the interval that was printed
        self.scale = (ci.high - ci.low) / 2 / self.width(self.n, self.spread)

    def _spread(self, rows: Floats) -> float:
        """The spread s of some documents: √m times the jackknife's standard error."""
        m = len(rows)
        left_out = jackknife(rows, self.value)[1]
        return float(np.sqrt((m - 1) * ((left_out - left_out.mean()) ** 2).sum()))

    def width(self, m: int, spread: float) -> float:
        """The half-width over m documents with this spread."""
        return t_quantile(m - 1, (1 + self.level) / 2) * spread / float(np.sqrt(m))

    def _spreads(self, size: int) -> Floats:
        """The spreads of random samples of `size` documents, drawn without replacement; sorted."""
        rng = np.random.default_rng([self.seed, size])
        drawn = [self._spread(self.rows[rng.permutation(self.n)[:size]]) for _ in range(_SAMPLES)]
        return np.sort([spread for spread in drawn if not np.isnan(spread)])

    def _relative(self, shares: list[float]) -> list[float]:
        """How far s of other samples may lie from this s, by halves of the documents."""
        half = max(3, self.n // 2)
        drawn = self._spreads(half)
        if not drawn.size or not np.median(drawn) > 0:
            raise SegmentationError(
                f"agreement differs in too few of the {self.n} documents to tell how much it would "
                "differ in others: expected more documents"
            )
        ends = np.quantile(drawn, shares) / np.median(drawn)
        return [float(end) for end in ends ** np.sqrt(half / (self.n - half))]

    def likely_spreads(self) -> tuple[float, float, float]:
        """The lower limit of s (80 % confidence), s itself, and its upper limit."""
        low, high = self._relative([1 - _CONFIDENCE, _CONFIDENCE])
        return self.spread * low, self.spread, self.spread * high

    def documents_for(self, wanted: float, spread: float) -> int:
        """The least number of documents whose half-width is small enough."""
        low, high = FEWEST_DOCUMENTS - 1, FEWEST_DOCUMENTS
        while self.scale * self.width(high, spread) > wanted:
            low, high = high, 2 * high
            if high > _MOST:
                raise SegmentationError(
                    f"half_width is {wanted:g}, which takes more than {_MOST:,} documents: "
                    "expected a larger one"
                )
        while high - low > 1:
            middle = ceil((low + high) / 2)
            if self.scale * self.width(middle, spread) > wanted:
                low = middle
            else:
                high = middle
        return high

    def planned(self, size: int) -> PlannedWidth:
        """The half-width of `size` documents, and its range."""
        width = self.scale * self.width(size, self.spread)
        if size == self.n:
            return PlannedWidth(size, width, width, width, seen=True)
        if size > self.n:
            low, high = self._relative([0.1, 0.9])
            return PlannedWidth(size, width, low * width, high * width, seen=False)
        widths = self.scale * self.width(size, 1.0) * self._spreads(size)
        low, high = np.quantile(widths, [0.1, 0.9]).tolist()
        return PlannedWidth(size, width, low, high, seen=True)
