"""Ranked segmentations, `ss.ranked`: the ways to write hierarchies down, and their levels."""

from segscore.coding.levels import (
    at_level,
    dense_ranks,
    from_heading_depths,
    from_level_columns,
    from_nested_masses,
    from_split_order,
)
from segscore.corpus.corpus import corpus_levels

__all__ = [
    "at_level",
    "corpus_levels",
    "dense_ranks",
    "from_heading_depths",
    "from_level_columns",
    "from_nested_masses",
    "from_split_order",
]
