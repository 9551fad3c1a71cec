"""Metrics on boundary edit distance: segmentation similarity S and boundary similarity B.

Boundary edit distance turns one segmentation into the other by matches (same position, same type),
transpositions (same type, d positions apart, 1 <= d <= n_t - 1: a near miss), substitutions (same
position, other type) and additions or deletions (a full miss); each boundary takes part in one
operation. The edits are optimal by the criteria of `metrics.edit_distance` and do not depend on
the cost model, which only prices them; `method="greedy"` takes the same edits as segeval.

Sources: Fournier & Inkpen (2012), S; Fournier (2013), B and the confusion matrix.
"""

import math
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from segscore._kernels import edits, typed_edits
from segscore.basics.arguments import Floats, check_choice
from segscore.coding.segmentation import Segmentation
from segscore.metrics import base, edit_settings
from segscore.metrics.base import precision_recall_f, ratio
from segscore.pairing.pairs import Pairs, Step

_SHARES = ("span", "span-1")  # costs that are shares of n_t


@dataclass(frozen=True)
class EditMetric(edit_settings.EditSettings, base.Metric):
    """What S and B share: their settings, and the kernels that find and price the edits."""

    higher_is_better = True
    perfect: ClassVar[float | None] = 1
    symmetric = True

    # for boundaries without types, one pair of them, and boundaries with types
    kernels: ClassVar[tuple[Callable[..., None], Callable[..., base.Row], Callable[..., None]]]

    @property
    def value_range(self) -> tuple[float, float]:
        """The range 0 to 1, unless an edit may cost more than 1."""
        usual = self.cost in ("unit", "span", "span-1")
        dear = max(self.w_trp + self.w_t, self.w_sub + self.w_s, self.w_ad) > 1
        return 0.0 if usual and not dear else -math.inf, 1.0

    @abstractmethod
    def value_of_row(self, row: base.Row) -> float:
        """The value of one row, without arrays."""

    def step(self, pairs: Pairs) -> Step | None:
        """The step that counts matches and pairs of neighbours; farther transpositions have a
        kernel of their own."""
        typed = self.types is not None or self.method != "optimal" or pairs.type_names
        if self.n_t > 2 or typed:
            return None
        price = float(self.prices(2)[0][1])
        kind = self.kernels[0].__name__
        return Step(kind, len(self.statistic_names), (self.n_t == 2, price, float(self.w_ad)))

    def rows(self, pairs: Pairs, threads: int | None = 1) -> Floats:
        """Statistics of each pair."""
        step = self.step(pairs)
        if step is not None:
            return pairs.rows_of_steps([step], threads)[0]
        if self.n_t > base.LARGEST_BEYOND and self.cost in _SHARES:
            base.check_not_beyond("n_t", self.n_t, pairs)
        plain, _, typed = self.kernels
        width = len(self.statistic_names)
        prices = self.prices(int(pairs.n_units.max(initial=1)))
        untyped = self.types is None and self.method == "optimal" and not pairs.type_names
        try:
            if untyped:
                return pairs.rows(plain, width, self.n_t, *prices, self.w_ad, threads=threads)
            ref, hyp, _, values = edit_settings.type_columns(pairs, self.types, self.substitution)
            settings = self.typed_options(prices), values, prices[0]
            return pairs.rows(typed, width, *ref, *hyp, *settings, threads=threads)
        except OverflowError as error:
            raise edit_settings.too_large(pairs.name(error.args[0]), self.n_t) from None

    def score_pair(self, ref: Segmentation, hyp: Segmentation) -> tuple[base.Row, float]:
        """Score a pair; without arrays where boundaries have no types."""
        if self.n_t > base.LARGEST_BEYOND and self.cost in _SHARES:
            base.check_not_beyond("n_t", self.n_t, Pairs.of_one(ref, hyp))
        typed = self.types is not None or self.method != "optimal"
        if typed or ref._types is not None or hyp._types is not None:
            return self._score_typed(ref, hyp)
        prices = self.prices(ref._n_units)
        try:
            row = self.kernels[1](
                ref._n_units, ref._packed, hyp._packed, self.n_t, *prices, self.w_ad
            )
        except OverflowError:
            raise edit_settings.too_large("this pair", self.n_t) from None
        return row, self.value_of_row(row)

    def _score_typed(self, ref: Segmentation, hyp: Segmentation) -> tuple[base.Row, float]:
        """Score a pair with types, or with greedy matching."""
        refs, hyps, _, values = edit_settings.columns_of_pair(
            ref, hyp, self.types, self.substitution
        )
        prices = self.prices(ref.n_units)
        out = np.zeros((1, len(self.statistic_names)))
        try:
            self.kernels[2](
                0,
                1,
                np.array([ref.n_units]),
                np.array([0, ref.n_segments - 1]),
                ref.boundaries,
                np.array([0, hyp.n_segments - 1]),
                hyp.boundaries,
                *refs,
                *hyps,
                self.typed_options(prices),
                values,
                prices[0],
                out,
            )
        except OverflowError:
            raise edit_settings.too_large("this pair", self.n_t) from None
        return tuple(out[0].tolist()), float(self.values(out)[0])


@base.cheap_by_default
@dataclass(frozen=True)
class SegmentationSimilarity(EditMetric):
    """S: one minus the cost of the edits per potential boundary.

    Fournier & Inkpen (2012), eq. 4; Fournier (2013), eq. 2: 1 - cost / (t · (N-1)), t being the
    number of boundary types. Statistics: `cost` and `places`, t · (N-1). Higher is better.

    For n_t > 2 Fournier & Inkpen price transpositions by `cost="halving"` (their eq. 3); for
    n_t = 2 that is the same as our default, `unit`. Their weights: w_sub (full misses) is our
    `w_ad`, w_trp is `w_trp`; see `EditSettings`.

    Averages over documents: ours is Σ cost over Σ t · (N-1), so that a document's weight is its
    number of places. Fournier & Inkpen print two others: in eq. 6 the weight of a document is its
    mass, N, in numerator and denominator; in eq. 12 its mass in the numerator and mass - 1 in the
    denominator. Only the ratio of sums gives their table 2.

    Parameters
    ----------
    n_t: a transposition (near miss) spans fewer positions than this; 1 allows none.
    cost: what a transposition over d positions costs: "unit" 1, "halving" 2 - 2^(1-d), "span"
        d / n_t, "span-1" d / (n_t - 1), or a function of d.
    method: "optimal" finds the fewest edits; "greedy" takes the same edits as segeval.
    w_trp, w_t: a transposition costs w_trp · cost + w_t.
    w_sub, w_s: a substitution (same position, other type) costs w_sub · c + w_s, where c depends on
        `substitution`.
    substitution: "ordinal": c = |a - b| / (max - min) on the scale of types; "unit": c = 1.
    types: all boundary types in the order of their scale; as text, "1/2/". None: the types that
        occur in the pair.
    w_ad: cost of an addition or deletion (a full miss).

    >>> a, b = Segmentation.from_masses([2, 3, 6]), Segmentation.from_masses([2, 2, 7])
    >>> SegmentationSimilarity()(a, b)
    0.9
    """

    name = "s"
    latex: ClassVar[str | None] = "$S$"
    reading = (
        "one minus the edits per possible position, where positions without a boundary count as "
        "agreement, so that values are high"
    )
    papers: ClassVar[tuple[str, ...]] = ("fournier2012",)
    kernels: ClassVar[Any] = (
        edits.segmentation_similarity,
        edits.segmentation_similarity_of_pair,
        typed_edits.segmentation_similarity,
    )
    # Cost of the edits; potential boundaries times types.
    statistic_names: ClassVar[tuple[str, ...]] = ("cost", "places")

    def values(self, rows: Floats) -> Floats:
        """1 minus the cost per place; NaN if there is no place."""
        return 1 - ratio(rows[:, 0], rows[:, 1])

    def worst_rows(self, pairs: Pairs, rows: Floats) -> Floats:
        """The rows in which each place costs 1."""
        del pairs
        return np.column_stack([rows[:, 1], rows[:, 1]])

    def value_of_row(self, row: base.Row) -> float:
        """1 minus the cost per place; NaN if there is no place."""
        return 1 - row[0] / row[1] if row[1] else math.nan


@base.cheap_by_default
@dataclass(frozen=True)
class BoundarySimilarity(EditMetric):
    """B: mean correctness of pairs of boundaries.

    Fournier (2013), eq. 4: each match, transposition, substitution and addition is a pair; its
    correctness is 1 for a match and max(0, 1 - cost) for the rest, where an addition costs `w_ad`,
    1. Without any boundary B is 1; such a document adds nothing to a micro-average. Higher is
    better. The weights of Fournier (2013): w_t of eq. 5 is `w_t`, w_s of eq. 6 is `w_s`; w_sub of
    Fournier & Inkpen (2012), for full misses, is `w_ad`; see `EditSettings`.

    In the confusion matrix (eq. 7) a full miss adds 1, independent of `w_ad`.

    Parts: `n_pairs`, `standard_error` and `ci` (95 %, Student's t, as papers print it) of the mean
    correctness. With few pairs, or a mean near 0 or 1, `ci` may exceed 0 … 1, because t ignores
    these limits, and it treats the pairs of a document as independent. Prefer the intervals of
    `ss.compare`, from resampled documents, which stay inside. `ci` is not cut off, because that
    would hide that it does not fit. Also `precision`, `recall` and `f` pooled over types, with
    `tp`, `fp`, `fn`, `tn`; `confusion`, the matrix (`ConfusionMatrix`), which also gives them by
    type and averaged over types. Several documents add up to a matrix over types if `types` are
    given, else to the pooled one.

    Parameters
    ----------
    n_t: a transposition (near miss) spans fewer positions than this; 1 allows none.
    cost: what a transposition over d positions costs: "unit" 1, "halving" 2 - 2^(1-d), "span"
        d / n_t, "span-1" d / (n_t - 1), or a function of d.
    method: "optimal" finds the fewest edits; "greedy" takes the same edits as segeval.
    w_trp, w_t: a transposition costs w_trp · cost + w_t.
    w_sub, w_s: a substitution (same position, other type) costs w_sub · c + w_s, where c depends on
        `substitution`.
    substitution: "ordinal": c = |a - b| / (max - min) on the scale of types; "unit": c = 1.
    types: all boundary types in the order of their scale; as text, "1/2/". None: the types that
        occur in the pair.
    w_ad: cost of an addition or deletion (a full miss).
    substitution_credit: what a substitution adds to the confusion matrix, in the cell of its two
        types: "weight" its cost, at most 1, so that types that are close on an ordinal scale are
        confused less; "one" 1, as in segeval.

    >>> a, b = Segmentation.from_masses([2, 3, 6]), Segmentation.from_masses([2, 2, 7])
    >>> score = BoundarySimilarity()(a, b)
    >>> score, score.n_pairs, score.precision, score.tp
    (0.75, 2, 1.0, 1.5)
    >>> print(score.confusion)
    ref / hyp  boundary  none
    ─────────────────────────
    boundary        1.5     0
    none              0     –
    """

    name = "b"
    latex: ClassVar[str | None] = "$B$"
    reading = (
        "the share of boundaries of either side that match; a near miss counts as half (n_t 2), "
        "a missed or an extra boundary as 0"
    )
    papers: ClassVar[tuple[str, ...]] = ("fournier2013",)
    kernels: ClassVar[Any] = (
        edits.boundary_similarity,
        edits.boundary_similarity_of_pair,
        typed_edits.boundary_similarity,
    )

    cost: edit_settings.CostModel = "span"
    substitution_credit: edit_settings.SubstitutionCredit = field(
        default="weight", metadata=base.ADDED_LATER
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        known = edit_settings.SUBSTITUTION_CREDITS
        check_choice(self.substitution_credit, "substitution_credit", known)

    @property
    def statistic_names(self) -> tuple[str, ...]:
        """Sums of correctness, the pooled matrix, t · (N-1), and the matrix of declared types."""
        pooled = "correctness", "correctness_squared", "pairs", "tp", "fp", "fn", "places"
        if self.types is None:
            return pooled
        names = [*map(str, self.types), "none"]
        cells = [f"confusion({ref},{hyp})" for ref in names for hyp in names]
        return (*pooled, *cells[:-1])

    def values(self, rows: Floats) -> Floats:
        """Correctness per pair; 1 if there is no boundary, NaN if there is no potential
        boundary."""
        values = ratio(rows[:, 0], rows[:, 2])
        empty = np.flatnonzero(np.isnan(values))
        values[empty] = np.where(rows[empty, 6] > 0, 1.0, np.nan)
        return values

    def worst_rows(self, pairs: Pairs, rows: Floats) -> Floats:
        """The rows in which no pair is right. If the reference has no boundary, there is a single
        pair, so that the value is 0 where a boundary is possible."""
        del pairs
        found = rows.copy()
        found[:, [0, 1, 3, 4]] = 0
        found[:, 2] = np.maximum(rows[:, 2], rows[:, 6] > 0)
        return found

    def value_of_row(self, row: base.Row) -> float:
        """Correctness per pair; 1 if there is no boundary, NaN if there is no potential
        boundary."""
        if row[2]:
            return row[0] / row[2]
        return 1.0 if row[6] else math.nan

    def parts(self, row: Floats, pair: tuple[Any, Segmentation] | None) -> dict[str, Any]:
        """The parts of one pair or sum that the class docstring lists."""
        error, interval = _error_and_interval(*row[:3].tolist())
        return {
            **super().parts(row, pair),
            "n_pairs": int(row[2]),
            "standard_error": error,
            "ci": interval,
            "confusion": self._confusion(row, pair),
        }

    def part_values(self, rows: Floats) -> dict[str, Floats]:
        """Pairs, precision, recall, F and the pooled matrix."""
        tp, fp, fn, places = rows[:, 3:7].T
        precision, recall, f = precision_recall_f(tp, fp, fn)
        rates = {"precision": precision, "recall": recall, "f": f}
        counts = {"tp": tp, "fp": fp, "fn": fn, "tn": places - tp - fp - fn}
        return {"n_pairs": rows[:, 2], **rates, **counts}

    def _confusion(self, row: Floats, pair: tuple[Segmentation, Segmentation] | None) -> Any:
        from segscore.metrics.edit_distance import ConfusionMatrix, edits_of_pair

        if self.types is not None:
            size = len(self.types) + 1
            cells = np.append(row[7:], 0).reshape(size, size)
            return ConfusionMatrix(self.types, cells, row[6] / len(self.types))
        if pair is not None and (pair[0].types or pair[1].types):
            listed = edits_of_pair(*pair, self)
            return listed.confusion(
                self.cost,
                w_trp=self.w_trp,
                w_t=self.w_t,
                w_sub=self.w_sub,
                w_s=self.w_s,
                substitution_credit=self.substitution_credit,
            )
        return ConfusionMatrix((edit_settings.UNTYPED,), [[row[3], row[5]], [row[4], 0]], row[6])


def _error_and_interval(
    total: float, squares: float, count: float
) -> tuple[float, tuple[float, float]]:
    """The standard error of a mean and its 95 % confidence interval by Student's t, from sums."""
    if count < 2:
        return math.nan, (math.nan, math.nan)
    from scipy.special import stdtrit

    mean = total / count
    variance = max(0.0, squares - total * mean) / (count - 1)
    error = math.sqrt(variance / count)
    half = float(stdtrit(count - 1, 0.975)) * error
    return error, (mean - half, mean + half)
