"""The settings of boundary edit distance, which its listing, S and B share."""

from dataclasses import dataclass, field
from typing import Literal

from segscore.basics.arguments import check_choice, whole_number
from segscore.coding.segmentation import BoundaryType
from segscore.errors import SegmentationError
from segscore.metrics.base import ADDED_LATER
from segscore.metrics.boundary_types import check_types
from segscore.metrics.costs import CostModel, Prices, check_cost, price_table
from segscore.metrics.ratios import check_weight

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
    types: all boundary types in the order of their scale. None: the types that occur in the pair.
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
        object.__setattr__(self, "n_t", whole_number(self.n_t, "n_t", 1))
        object.__setattr__(self, "types", check_types(self.types))
        check_cost(self.cost)
        check_choice(self.method, "method", METHODS)
        check_choice(self.substitution, "substitution", SUBSTITUTIONS)
        for weight in ("w_trp", "w_t", "w_sub", "w_s", "w_ad"):
            check_weight(getattr(self, weight), weight)

    def prices(self, longest: int) -> Prices:
        """Prices of transpositions in documents of up to `longest` units."""
        return price_table(self.cost, self.n_t, self.w_trp, self.w_t, longest)

    @property
    def whole_substitutions(self) -> bool:
        """Whether a substitution adds 1 to the confusion matrix, independent of its cost."""
        return False

    def typed_options(
        self, prices: Prices
    ) -> tuple[int, bool, bool, bool, float, float, bool, float, float, float]:
        """The settings as the kernels for typed boundaries take them."""
        return (
            self.n_t, self.method == "greedy", self.substitution == "unit",
            self.types is not None, self.w_sub, self.w_s, self.whole_substitutions,
            prices.base, prices.slope, self.w_ad,
        )  # fmt: skip


def too_large(document: str, n_t: int) -> SegmentationError:
    """The error for distances that cannot be compared exactly."""
    return SegmentationError(
        f"{document}: with n_t={n_t} the edits cannot be compared exactly in 64 bits: expected a "
        "smaller n_t, or types that lie closer together"
    )
