"""What edits cost: the cost models of boundary edit distance (metrics spec §4.1).

The papers disagree with themselves about a transposition over a distance of d positions, where
1 <= d <= n_t - 1. The models, and where they were used:

- `unit`: 1 (Fournier 2013, eq. 2);
- `halving`: 2 - 2^(1-d), i.e. 1, 1.5, 1.75 … (Fournier & Inkpen 2012, eq. 3 with b = 2);
- `span`: d / n_t (the figures and tables of Fournier 2013);
- `span-1`: d / (n_t - 1) (Fournier 2013, eq. 5 as printed);
- any function of d.

A transposition then costs w_trp · c(d) + w_t.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from segscore._integers import shown
from segscore.errors import SegmentationError
from segscore.metrics.ratios import check_weight

CostModel = Literal["unit", "halving", "span", "span-1"] | Callable[[int], float]

COSTS = ("unit", "halving", "span", "span-1")
_TABLE = 1024  # distances that are looked up; beyond it every named model is a straight line


class Prices(NamedTuple):
    """Price of each distance from 0 on; beyond the table it is base + slope · distance."""

    table: NDArray[np.float64]
    base: float
    slope: float


def check_cost(cost: Any) -> None:
    """Refuse what is neither the name of a model nor a function."""
    if not callable(cost) and cost not in COSTS:
        raise SegmentationError(
            f"cost is {shown(cost)}: expected one of {', '.join(COSTS)}, or a function of the "
            "distance"
        )


def price_table(cost: CostModel, n_t: int, w_trp: float, w_t: float, longest: int) -> Prices:
    """Prices of all distances that occur in documents of up to `longest` units."""
    return _price_table(cost, n_t, w_trp, w_t, longest if callable(cost) else 0)


@lru_cache(maxsize=256)
def _price_table(cost: CostModel, n_t: int, w_trp: float, w_t: float, longest: int) -> Prices:
    costs: Any
    if callable(cost):
        costs = [0.0] + [_asked(cost, d) for d in range(1, max(2, min(n_t, longest)))]
        base = slope = 0.0
    else:
        distances = np.arange(max(2, min(n_t, _TABLE)), dtype=np.float64)
        base, slope = {
            "unit": (1.0, 0.0),
            "halving": (2.0, 0.0),  # from d = 54 on exactly, in doubles
            "span": (0.0, 1 / n_t),
            "span-1": (0.0, 1 / max(1, n_t - 1)),
        }[cost]
        costs = {
            "unit": np.ones_like(distances),
            "halving": 2 - 2.0 ** (1 - distances),
            "span": distances / n_t,
            "span-1": distances / max(1, n_t - 1),
        }[cost]
    table = w_trp * np.asarray(costs, np.float64) + w_t
    table.flags.writeable = False
    return Prices(table, w_trp * base + w_t, w_trp * slope)


def _asked(cost: Callable[[int], float], distance: int) -> float:
    """What the user's function says of a distance."""
    answer = cost(distance)
    check_weight(answer, f"cost({distance})")
    return float(answer)
