"""Similarity of labels: Jaccard's, unit by unit (Fournier 2013, poetry, fig. 1c)."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from segscore.basics.arguments import Floats, shown
from segscore.coders.coder_tables import labels_table
from segscore.corpus.corpus import Document
from segscore.errors import SegmentationError
from segscore.tables import Table, Tabular


@dataclass(frozen=True, repr=False)
class LabelSimilarity(Tabular):
    """Jaccard similarity of labels over units and pairs of coders: mean and sd (population).

    `per_unit` is the mean over pairs for each unit, NaN where fewer than two coders gave a label.
    """

    mean: float
    sd: float
    n: int
    per_unit: Floats = field(repr=False)

    def to_table(self) -> Table:
        """A row per unit."""
        return labels_table(self)


def label_similarity(document: Document, coders: Iterable[str] | None = None) -> LabelSimilarity:
    """How far coders give the same labels to the same units, whatever their boundaries are.

    A unit has the labels of its segment; two coders' similarity at a unit is the number of labels
    they share over the number of labels that either gives. Where neither gives one there is none.

    >>> import segscore as ss
    >>> one, two = ss.Segmentation.from_masses([2, 2]), ss.Segmentation.from_masses([3, 1])
    >>> corpus = ss.Corpus.from_dict({"d": {"ann": one, "bob": two}},
    ...                              labels={"d": {"ann": ["x", "y"], "bob": ["x", ["y", "z"]]}})
    >>> found = ss.label_similarity(corpus["d"])
    >>> found.mean, found.per_unit.tolist()
    (0.625, [1.0, 1.0, 0.0, 0.5])
    """
    if not isinstance(document, Document):
        raise SegmentationError(f"document is {shown(document)}: expected a document of a corpus")
    chosen = list(document.labels) if coders is None else list(coders)
    for name in chosen:
        if name not in document.labels:
            raise SegmentationError(
                f"document {document.name!r}: coder {name!r} gave no labels: expected one of "
                + (", ".join(map(repr, document.labels)) or "none; the document has no labels")
            )
    if len(chosen) < 2:
        raise SegmentationError(
            f"document {document.name!r}: {len(chosen)} coders with labels: expected two or more"
        )
    values = np.array([
        _jaccard(document, first, second) for first, second in combinations(chosen, 2)
    ])  # fmt: skip
    defined = ~np.isnan(values)
    counts = defined.sum(axis=0)
    sums = np.where(defined, values, 0).sum(axis=0)
    per_unit = np.divide(sums, counts, out=np.full(len(sums), np.nan), where=counts > 0)
    flat = values[defined]
    mean, sd = (float(flat.mean()), float(flat.std())) if flat.size else (math.nan, math.nan)
    return LabelSimilarity(mean, sd, int(flat.size), per_unit)


def _jaccard(document: Document, first: str, second: str) -> Floats:
    """The similarity of two coders' labels at each unit."""
    one, two = (
        [labels for labels, mass in zip(document.labels[c], document[c].masses, strict=True)
         for _ in range(mass)]
        for c in (first, second)
    )  # fmt: skip
    return np.array(
        [len(a & b) / len(a | b) if a | b else math.nan for a, b in zip(one, two, strict=True)]
    )
