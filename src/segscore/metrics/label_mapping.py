"""The best one-to-one mapping of one side's labels to the other's: as many units as possible get
the same label (Kuhn 1955, by scipy.optimize.linear_sum_assignment)."""

import math

import numpy as np

from segscore.basics.arguments import Floats, Int64Array


def best_mapped(tables: Floats) -> Floats:
    """Units that agree after the best mapping; each row is a square table, row after row."""
    width = math.isqrt(tables.shape[1])
    return np.array([_best(row.reshape(width, width)) for row in tables], np.float64)


def mapped_shares(
    n: int, row: Int64Array, ref: Int64Array, hyp: Int64Array, units: Int64Array
) -> Floats:
    """The same for n documents whose tables are given cell by cell, documents in order."""
    out = np.zeros(n)
    ends = np.searchsorted(row, np.arange(n + 1))
    for document in np.unique(row).tolist():
        cells = slice(ends[document], ends[document + 1])
        a, b = (np.unique(side[cells], return_inverse=True) for side in (ref, hyp))
        table = np.zeros((len(a[0]), len(b[0])))
        table[a[1], b[1]] = units[cells]
        out[document] = _best(table)
    return out


def _best(table: Floats) -> float:
    from scipy.optimize import linear_sum_assignment  # type: ignore[attr-defined]  # it does

    used = table[table.any(axis=1)][:, table.any(axis=0)]
    if not used.size:
        return 0.0
    return float(used[linear_sum_assignment(used, maximize=True)].sum())
