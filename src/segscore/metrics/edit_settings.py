"""The settings of boundary edit distance, which its listing, S and B share; and the cost of edits.

The papers give different costs for a transposition over a distance of d positions, where
1 <= d <= n_t - 1. The cost models (docs/definitions.md §4.1), and where they were used:

- `unit`: 1 (Fournier 2013, eq. 2);
- `halving`: 2 - 2^(1-d), i.e. 1, 1.5, 1.75 … (Fournier & Inkpen 2012, eq. 3 with b = 2;
  their default for n_t > 2);
- `span`: d / n_t (the figures and tables of Fournier 2013);
- `span-1`: d / (n_t - 1) (Fournier 2013, eq. 5 as printed);
- any function of d.

A transposition then costs w_trp · c(d) + w_t.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal

import numpy as np

from segscore.basics.arguments import Floats, check_choice, shown, whole_number
from segscore.coding.segmentation import BoundaryType
from segscore.errors import SegmentationError
from segscore.metrics.base import ADDED_LATER, refuse_segmentations
from segscore.metrics.boundary_types import check_types
from segscore.metrics.ratios import check_weight, plain_numbers

CostModel = Literal["unit", "halving", "span", "span-1"] | Callable[[int], float]

COSTS = ("unit", "halving", "span", "span-1")
_TABLE = 1024  # distances that are looked up; beyond it every named model is a straight line
_ASKED = 1_000_000  # distances for which a function is called


# A table of the price of each distance from 0 on, and beyond it base and slope: base + slope · d.
Prices = tuple[Floats, float, float]


def check_cost(cost: Any) -> None:
    """Raise for a cost that is neither the name of a model nor a function."""
    if not callable(cost) and (not isinstance(cost, str) or cost not in COSTS):
        raise SegmentationError(
            f"cost is {shown(cost)}: expected one of {', '.join(COSTS)}, or a function of the "
            "distance"
        )


def price_table(cost: CostModel, n_t: int, w_trp: float, w_t: float, longest: int) -> Prices:
    """The prices of all distances that occur in documents of up to `longest` units."""
    if callable(cost):  # called each time, because its results may change
        if min(n_t, longest) > _ASKED:
            raise SegmentationError(
                f"n_t is {n_t} and a document has {longest} units, but cost is a function that is "
                f"called for each distance: expected n_t or units of at most {_ASKED}"
            )
        costs = [0.0] + [_asked(cost, d) for d in range(1, max(2, min(n_t, longest)))]
        return _weighted(costs, w_trp, w_t), 0.0, 0.0
    return _named_prices(cost, n_t, w_trp, w_t)


@lru_cache(maxsize=256)
def _named_prices(cost: str, n_t: int, w_trp: float, w_t: float) -> Prices:
    distances = np.arange(max(2, min(n_t, _TABLE)), dtype=np.float64)
    costs, base, slope = {
        "unit": (np.ones_like(distances), 1.0, 0.0),
        "halving": (2 - 2.0 ** (1 - distances), 2.0, 0.0),  # from d = 54 on exactly, in doubles
        "span": (distances / n_t, 0.0, 1 / n_t),
        "span-1": (distances / max(1, n_t - 1), 0.0, 1 / max(1, n_t - 1)),
    }[cost]
    return _weighted(costs, w_trp, w_t), w_trp * base + w_t, w_trp * slope


def _weighted(costs: Any, w_trp: float, w_t: float) -> Floats:
    table: Floats = w_trp * np.asarray(costs, np.float64) + w_t
    table.flags.writeable = False
    return table


def _asked(cost: Callable[[int], float], distance: int) -> float:
    """The price that the user's function returns for a distance."""
    answer = cost(distance)
    if isinstance(answer, np.number):
        answer = answer.item()
    check_weight(answer, f"cost({distance})")
    return float(answer)


Method = Literal["optimal", "greedy"]
Substitution = Literal["ordinal", "unit"]
SubstitutionCredit = Literal["weight", "one"]

METHODS = ("optimal", "greedy")
SUBSTITUTIONS = ("ordinal", "unit")
SUBSTITUTION_CREDITS = ("weight", "one")
UNTYPED = "boundary"  # what the confusion matrix calls boundaries without a type


@dataclass(frozen=True)
class EditSettings:
    """How edits are chosen, and what they cost.

    The papers' symbols: w_sub of Fournier & Inkpen (2012) weighs full misses, which they call
    substitutions of a boundary for none: here it is w_ad. Their w_trp is our w_trp. w_t and w_s of
    Fournier (2013), eq. 5 and 6, are our w_t and w_s. Our w_sub, a factor for substitutions of one
    type for another, is in neither paper.

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
    """

    n_t: int = 2
    cost: CostModel = "unit"
    method: Method = "optimal"
    w_trp: float = 1
    w_t: float = 0
    w_sub: float = 1
    w_s: float = 0
    substitution: Substitution = "ordinal"
    types: tuple[BoundaryType, ...] | None = None
    w_ad: float = field(default=1, metadata=ADDED_LATER)

    def __post_init__(self) -> None:
        refuse_segmentations(self)
        if isinstance(self.n_t, str):
            raise SegmentationError(
                f"n_t is {self.n_t!r}: expected a whole number of units from 1 on; only tolerance, "
                "k and window may be times"
            )
        object.__setattr__(self, "n_t", whole_number(self.n_t, "n_t", 1))
        object.__setattr__(self, "types", check_types(self.types))
        plain_numbers(self)
        check_cost(self.cost)
        check_choice(self.method, "method", METHODS)
        check_choice(self.substitution, "substitution", SUBSTITUTIONS)
        for weight in ("w_trp", "w_t", "w_sub", "w_s", "w_ad"):
            check_weight(getattr(self, weight), weight)

    def prices(self, longest: int) -> Prices:
        """The prices of transpositions in documents of up to `longest` units."""
        return price_table(self.cost, self.n_t, self.w_trp, self.w_t, longest)

    @property
    def whole_substitutions(self) -> bool:
        """Whether a substitution adds 1 to the confusion matrix, independent of its cost."""
        return False

    def typed_options(
        self, prices: Prices
    ) -> tuple[int, bool, bool, bool, float, float, bool, float, float, float]:
        """The settings as the kernels for typed boundaries take them."""
        _, base, slope = prices
        return (
            self.n_t, self.method == "greedy", self.substitution == "unit",
            self.types is not None, self.w_sub, self.w_s, self.whole_substitutions,
            base, slope, self.w_ad,
        )  # fmt: skip


def too_large(document: str, n_t: int) -> SegmentationError:
    """The error for distances that cannot be compared exactly."""
    return SegmentationError(
        f"{document}: with n_t={n_t} the edits cannot be compared exactly in 64 bits: expected a "
        "smaller n_t, or types that lie closer together"
    )
