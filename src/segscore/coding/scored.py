"""Scored boundaries: a system's score for each position, without a decision.

A threshold turns them into a segmentation, with boundaries where the score is at least the
threshold. `segscore.curves` computes metrics at all thresholds.
"""

from collections.abc import Iterable
from typing import Any, Literal, Self

import numpy as np

from segscore.basics import arguments
from segscore.basics.arguments import Floats, Int64Array, shown, whole_number
from segscore.coding import constructor_checks
from segscore.coding.constructor_checks import checked_marks, positions_in_order
from segscore.coding.segmentation import Segmentation
from segscore.errors import SegmentationError

Marks = Literal["end", "start"]
_NEVER = -np.inf
_PER_UNIT = (
    "; if there is one per unit, say what it marks: marks='end' or 'start' of curve, "
    "or ScoredBoundaries.from_units"
)


class ScoredBoundaries:
    """The scores of one document: higher means that a boundary is more likely there.

    Parameters
    ----------
    scores: a number per position 1 … N−1 (the gap after unit 1, after unit 2 …), or a number per
        entry of `positions`. None means that no boundary is possible there.
    positions: the positions that have a score, if not all have one; in any order.
    n_units: the number of units N; needed with `positions`.

    >>> scored = ScoredBoundaries([0.1, 0.9, 0.2, 0.9])
    >>> scored.n_units, scored.thresholds.tolist()
    (5, [0.9, 0.2, 0.1])
    >>> scored.at(0.2)
    Segmentation(masses=[2, 1, 1, 1])
    """

    __slots__ = ("_n_units", "_positions", "_scores")

    def __init__(
        self,
        scores: Iterable[float | None],
        *,
        positions: Iterable[int] | None = None,
        n_units: int | None = None,
    ) -> None:
        values = _numbers(scores)
        if positions is None:
            self._n_units = len(values) + 1
            if n_units is not None and whole_number(n_units, "n_units", 1) != self._n_units:
                raise SegmentationError(
                    f"scores has {len(values)} numbers: expected {n_units - 1}, one per position "
                    f"between {n_units} units" + (_PER_UNIT if len(values) == n_units else "")
                )
            places = np.arange(1, self._n_units)
        else:
            self._n_units = whole_number(n_units, "n_units", 1)
            places, order = positions_in_order(positions, "positions", "position", self._n_units)
            if len(places) != len(values):
                raise SegmentationError(
                    f"scores has {len(values)} numbers, positions {len(places)}: expected the "
                    "same number"
                )
            values = values[order]
        possible = values != _NEVER
        self._positions: Int64Array = _frozen(places[possible])
        self._scores: Floats = _frozen(values[possible])

    @classmethod
    def from_units(cls, scores: Iterable[float | None], marks: Marks) -> Self:
        """Take a score per unit, as sentence classifiers return them.

        marks: what a high score means: "end", the unit is the last of its segment, or "start", it
            is the first. The score of the last unit (end) or of the first unit (start) is left out,
            because it decides nothing.

        >>> ScoredBoundaries.from_units([0.1, 0.9, 0.4], "end").at(0.5).boundaries
        array([2])
        >>> ScoredBoundaries.from_units([0.1, 0.9, 0.4], "start").at(0.5).boundaries
        array([1])
        """
        checked_marks(marks)
        values = _numbers(scores)
        if not values.size:
            raise SegmentationError("scores is empty: expected one number per unit")
        return cls(values[:-1] if marks == "end" else values[1:])

    # ---- what it holds ----

    @property
    def n_units(self) -> int:
        """The number of units N."""
        return self._n_units

    @property
    def positions(self) -> Int64Array:
        """The positions that have a score, ascending (read-only)."""
        return self._positions

    @property
    def scores(self) -> Floats:
        """The score of each position in `positions` (read-only)."""
        return self._scores

    @property
    def thresholds(self) -> Floats:
        """The distinct scores, from high to low: all thresholds that make a difference."""
        return np.unique(self._scores)[::-1]

    def at(self, threshold: float) -> Segmentation:
        """The segmentation with boundaries where the score is at least the threshold."""
        threshold = arguments.scalar_inside(threshold)
        is_number = isinstance(threshold, int | float | np.number)
        if isinstance(threshold, bool) or not is_number or np.isnan(threshold):
            raise SegmentationError(f"threshold is {shown(threshold)}: expected a number")
        return Segmentation.from_boundaries(
            self._positions[self._scores >= threshold], self._n_units
        )

    # ---- identity ----

    def _key(self) -> tuple[int, bytes, bytes]:
        return self._n_units, self._positions.tobytes(), self._scores.tobytes()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ScoredBoundaries):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (self._n_units, self._positions, self._scores)

    def __repr__(self) -> str:
        return f"ScoredBoundaries({len(self._scores)} scores, n_units={self._n_units})"


def _unpickled(n_units: int, positions: Int64Array, scores: Floats) -> ScoredBoundaries:
    return ScoredBoundaries(scores, positions=positions, n_units=n_units)


def _numbers(scores: Any) -> Floats:
    """Scores as numbers; None is minus infinity, and NaN an error."""
    expected = "one number per position, in order"
    given = constructor_checks.in_rows(scores, "scores", expected)
    listed = given.tolist() if isinstance(given, np.ndarray) else list(given)
    for index, given_score in enumerate(listed):
        if type(given_score) is float:
            continue
        score = listed[index] = arguments.scalar_inside(given_score)
        if score is None:
            listed[index] = _NEVER
        elif isinstance(score, bool | np.bool_) or not isinstance(score, int | float | np.number):
            raise SegmentationError(
                f"scores[{index}] is {shown(score)}: expected a number, or None"
            )
    try:
        values = np.array(listed, np.float64)
    except (OverflowError, TypeError, ValueError):
        raise SegmentationError("scores holds a number that is too large for a float") from None
    constructor_checks.refuse_first(
        np.isnan(values), values, "scores", "a number, or None where no boundary is possible"
    )
    return values + 0.0  # −0 and 0 are one threshold


def _frozen(array: Any) -> Any:
    return np.frombuffer(array.tobytes(), array.dtype)
