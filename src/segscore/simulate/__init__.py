"""Simulations: references with random segment sizes, and hypotheses with random errors.

A hypothesis is its reference with errors of given kinds and probabilities; a batch of hypotheses is
`Pairs`, ready for `segscore.score`. The papers' simulations are combinations of these:

- Pevzner & Hearst (2002) §4: `UniformSizes(20, 30)`, 1000 segments; FN `Errors(misses=p)`, FP
  `Errors(false_positives=p)` with `placement` for FP1, FP2 and FP3, FNP both.
- Fournier & Inkpen (2012) table 1: likewise, with closed ranges.
- Fournier (2013) fig. 9: `coders`, derived from one segmentation with misses and near misses.

>>> import segscore as ss
>>> refs = ss.simulate.references(ss.simulate.UniformSizes(20, 30), 1000, n=2, rng=1)
>>> errors = ss.simulate.Errors(misses=0.5, false_positives=0.5)
>>> pairs = ss.simulate.hypotheses(refs, errors, n=50, rng=2)
>>> len(pairs), round(ss.score(pairs, metrics="windowdiff")["windowdiff"].macro, 1)
(100, 0.4)
"""

from typing import TYPE_CHECKING

from segscore.basics.on_demand import names_on_demand

# ruff: noqa: F403, F405
if TYPE_CHECKING:  # imported when used
    from segscore.simulate.generators import *

__all__ = [
    "EmpiricalSizes",
    "Errors",
    "FixedSizes",
    "GeometricSizes",
    "NormalOffsets",
    "Offsets",
    "Placement",
    "SegmentSizes",
    "UniformOffsets",
    "UniformSizes",
    "WeightedOffsets",
    "coders",
    "hypotheses",
    "references",
]

__getattr__ = names_on_demand(__name__, dict.fromkeys(__all__, "generators"))
