"""What edits cost: the cost models of boundary edit distance (docs/definitions.md §4.1).

The papers give different costs for a transposition over a distance of d positions, where
1 <= d <= n_t - 1. The models, and where they were used:

- `unit`: 1 (Fournier 2013, eq. 2);
- `halving`: 2 - 2^(1-d), i.e. 1, 1.5, 1.75 … (Fournier & Inkpen 2012, eq. 3 with b = 2;
  their default for n_t > 2);
- `span`: d / n_t (the figures and tables of Fournier 2013);
- `span-1`: d / (n_t - 1) (Fournier 2013, eq. 5 as printed);
- any function of d.

A transposition then costs w_trp · c(d) + w_t.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Literal, NamedTuple

import numpy as np

from segscore.basics.arguments import Floats, shown
from segscore.errors import SegmentationError
from segscore.metrics.ratios import check_weight

CostModel = Literal["unit", "halving", "span", "span-1"] | Callable[[int], float]

COSTS = ("unit", "halving", "span", "span-1")
_TABLE = 1024  # distances that are looked up; beyond it every named model is a straight line
_ASKED = 1_000_000  # distances for which a function is called


class Prices(NamedTuple):
    """Price of each distance from 0 on; beyond the table it is base + slope · distance."""

    table: Floats
    base: float
    slope: float


def check_cost(cost: Any) -> None:
    """Refuse what is neither the name of a model nor a function."""
    if not callable(cost) and (not isinstance(cost, str) or cost not in COSTS):
        raise SegmentationError(
            f"cost is {shown(cost)}: expected one of {', '.join(COSTS)}, or a function of the "
            "distance"
        )


def price_table(cost: CostModel, n_t: int, w_trp: float, w_t: float, longest: int) -> Prices:
    """Prices of all distances that occur in documents of up to `longest` units."""
    if callable(cost):  # called each time, because its results may change
        if min(n_t, longest) > _ASKED:
            raise SegmentationError(
                f"n_t is {n_t} and a document has {longest} units, but cost is a function that is "
                f"called for each distance: expected n_t or units of at most {_ASKED}"
            )
        costs = [0.0] + [_asked(cost, d) for d in range(1, max(2, min(n_t, longest)))]
        return Prices(_weighted(costs, w_trp, w_t), 0.0, 0.0)
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
    return Prices(_weighted(costs, w_trp, w_t), w_trp * base + w_t, w_trp * slope)


def _weighted(costs: Any, w_trp: float, w_t: float) -> Floats:
    table: Floats = w_trp * np.asarray(costs, np.float64) + w_t
    table.flags.writeable = False
    return table


def _asked(cost: Callable[[int], float], distance: int) -> float:
    """What the user's function returns for a distance."""
    answer = cost(distance)
    if isinstance(answer, np.number):
        answer = answer.item()
    check_weight(answer, f"cost({distance})")
    return float(answer)
