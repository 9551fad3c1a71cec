"""The ratio of hypothesis boundaries to reference boundaries: whether a system cuts as finely.

A split at every unit can improve F1, and no split at all can improve Pk: a number means little if
the ratio is far from 1.
"""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from segscore.pairing.pairs import Pairs

LEAST, MOST = 0.5, 2.0  # beyond which tables say so


def boundary_ratio(pairs: Pairs) -> float:
    """The number of boundaries in all hypotheses over that in all references; a hypothesis with
    several references counts once for each. NaN if the references have no boundary.

    >>> round(boundary_ratio(Pairs([11, 4], [0, 2, 3], [2, 5, 2], [0, 1, 1], [5])), 3)
    0.333
    """
    hypotheses = np.diff(pairs.hyp_offsets)
    met = 1 if pairs.groups is None else np.diff(pairs.groups)
    return ratio_of_totals(int((hypotheses * met).sum()), len(pairs.ref_positions))


def ratio_of_totals(hypotheses: int, references: int) -> float:
    """Divide; NaN if the divisor is 0."""
    return hypotheses / references if references else math.nan


def ratio_notes(ratios: Mapping[str, float | None]) -> Sequence[str]:
    """Notes in tables on systems, by name, that cut far more or far less often than the
    references."""
    return [
        f"{name + ': ' if name else ''}{ratio:.3g} boundaries for each boundary of the reference: "
        "numbers depend on how many there are (the column ratio shows it, count-mae measures it)"
        for name, ratio in ratios.items()
        if ratio is not None and not math.isnan(ratio) and not LEAST <= ratio <= MOST
    ]
