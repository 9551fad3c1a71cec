"""Hypothesis strategies: pairs of segmentations whose segments have labels."""

from typing import Any

from hypothesis import strategies as st

import segscore as ss
from strategies import short_pairs

Pair = tuple[ss.Segmentation, ss.Segmentation]


@st.composite
def labelled_pairs(
    draw: st.DrawFn, max_units: int = 18, names: Any = ("a", "b", "c"), none: bool = True
) -> Pair:
    """Two segmentations of a short document; some segments may have no label."""
    pair = draw(short_pairs(min_units=1, max_units=max_units))
    label = st.sampled_from([*names, *([None] if none else [])])
    return tuple(  # type: ignore[return-value]
        segmentation.with_segment_labels([draw(label) for _ in range(segmentation.n_segments)])
        for segmentation in pair
    )


def parted(segmentation: ss.Segmentation) -> tuple[list[int], list[Any]]:
    """Masses and labels, for oracles."""
    return segmentation.masses.tolist(), list(
        segmentation.segment_labels or [None] * segmentation.n_segments
    )
