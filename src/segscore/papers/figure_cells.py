"""Cells for figures that compare two small segmentations under one or several measures."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from segscore.coding.segmentation import Segmentation
from segscore.papers.published import PublishedNumber, Tolerance

Masses = Sequence[int]


class Measure(NamedTuple):
    """A measure: how it is computed from a pair, and what each figure prints for it."""

    compute: Callable[[Segmentation, Segmentation], float]
    published: Mapping[str, float]
    tolerance: Tolerance
    note: str = ""


def figure_cells(
    figures: Mapping[str, tuple[Masses, Masses]], measures: Mapping[str, Measure]
) -> list[PublishedNumber]:
    """A cell for each figure and each measure that prints a number for it."""
    return [
        _cell(figures, figure, name, measure)
        for figure in figures
        for name, measure in measures.items()
        if figure in measure.published
    ]


def _cell(
    figures: Mapping[str, tuple[Masses, Masses]], figure: str, name: str, measure: Measure
) -> PublishedNumber:
    return PublishedNumber(
        item=f"{figure}, {name}",
        published=measure.published[figure],
        compute=lambda run: float(  # noqa: ARG005
            measure.compute(*map(Segmentation.from_masses, figures[figure]))
        ),
        tolerance=measure.tolerance,
        note=measure.note,
    )
