"""Segmentations that look at nothing, `ss.baselines`: none, all, uniform, bisect, random."""

from segscore.simulate.baselines import all, bisect, none, random, uniform  # noqa: A004

__all__ = ["all", "bisect", "none", "random", "uniform"]
