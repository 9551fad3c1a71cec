"""Formulas that all papers may use, for small segmentations: masses are written `2 3 6`."""

from reproduction.cells import Formulas
from segscore.coding.segmentation import Segmentation
from segscore.metrics import boundary_edits, metric


def cut(masses: str | int) -> Segmentation:
    """A segmentation in segments of these masses."""
    return Segmentation.from_masses([int(mass) for mass in str(masses).split()])


FORMULAS: Formulas = {
    "value": lambda _, name, ref, hyp: float(metric(name)(cut(ref), cut(hyp))),
    "one minus": lambda _, name, ref, hyp: 1 - float(metric(name)(cut(ref), cut(hyp))),
    "edits": lambda _, kinds, first, second, n_t=2: sum(
        len(getattr(boundary_edits(cut(first), cut(second), n_t=n_t), kind))
        for kind in kinds.split()
    ),
}
