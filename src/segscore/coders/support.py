"""Support of a boundary: how many coders have one within w positions.

Kazantseva & Szpakowicz (2012), fig. 3; with w = 0 it is the share of coders per position (Fournier
& Inkpen 2012, fig. 11).
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from segscore.basics.arguments import Floats, Int64Array, shown, whole_number
from segscore.coders.coder_tables import support_table
from segscore.coding.segmentation import Segmentation
from segscore.corpus.corpus import Corpus, Document
from segscore.errors import SegmentationError
from segscore.tables import Table, Tabular
from segscore.tables.tabular import picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_POSITIONS = 10_000_000


@dataclass(frozen=True, repr=False)
class Support(Tabular):
    """The positions that any coder marked, and how many coders have a boundary there or near it."""

    positions: Int64Array
    counts: Int64Array
    n_coders: int
    n_units: int
    within: int

    @property
    def shares(self) -> Floats:
        """The share of coders, for each position."""
        return self.counts / self.n_coders

    def per_position(self) -> Floats:
        """The share of coders at each potential boundary 1 … N-1, 0 where nobody marked one."""
        if self.n_units > _MOST_POSITIONS:
            raise SegmentationError(
                f"per_position would hold {self.n_units - 1} numbers: expected a document of at "
                f"most {_MOST_POSITIONS} units; `positions` and `shares` hold what is not 0"
            )
        return self.blocks(max(1, self.n_units - 1))

    def blocks(self, most: int) -> Floats:
        """The document in at most so many blocks of neighbouring potential boundaries: the largest
        share of coders in each. The work depends on boundaries, not on N.

        >>> codings = [Segmentation.from_masses(m) for m in ([4, 8], [5, 7], [4, 5, 3])]
        >>> support(codings).blocks(3).round(2)
        array([0.  , 0.67, 0.33])
        """
        places = self.n_units - 1
        shares = np.zeros(min(most, places))
        starts = np.arange(len(shares)) * places // max(1, len(shares))
        block = np.searchsorted(starts, self.positions - 1, side="right") - 1
        np.maximum.at(shares, block, self.shares)
        return shares

    def to_table(self) -> Table:
        """A row per position that somebody marked."""
        return support_table(self)

    def plot(self, *, ax: "Axes | None" = None) -> "Axes":
        """Draw the share of coders position by position: `segscore.plot.per_unit`."""
        return picture("per_unit", self, ax=ax)

    def __iter__(self) -> Any:
        return zip(self.positions.tolist(), self.shares.tolist(), strict=True)


def support(document: Document | Iterable[Segmentation], within: int = 0) -> Support:
    """The share of coders who have a boundary within so many positions of each marked one.

    within: how many positions away a boundary still counts.

    >>> codings = [Segmentation.from_masses(m) for m in ([4, 8], [5, 7], [4, 5, 3])]
    >>> dict(support(codings, within=0))
    {4: 0.6666666666666666, 5: 0.3333333333333333, 9: 0.3333333333333333}
    >>> dict(support(codings, within=1))
    {4: 1.0, 5: 1.0, 9: 0.3333333333333333}
    """
    codings = codings_of(document)
    within = whole_number(within, "within", 0)
    marked = np.unique(np.concatenate([one.boundaries for one in codings]))
    counts = np.zeros(len(marked), np.int64)
    for one in codings:
        below = np.searchsorted(one.boundaries, marked - within, side="left")
        above = np.searchsorted(one.boundaries, marked + within, side="right")
        counts += above > below
    return Support(marked, counts, len(codings), codings[0].n_units, within)


def supports(corpus: Corpus) -> Iterator[tuple[str, Support]]:
    """The support in each document that has codings and a place for a boundary."""
    for document in corpus.values():
        if document and document.n_units > 1:
            yield document.name, support(document)


def codings_of(document: Any) -> list[Segmentation]:
    """The codings of a document, or a list of them; refuse anything else."""
    given = document.values() if isinstance(document, Mapping) else document
    codings = list(given) if isinstance(given, Iterable) and not isinstance(given, str) else []
    for one in codings:
        if not isinstance(one, Segmentation):
            raise SegmentationError(
                f"document holds {shown(one)}: expected a document of a corpus, or Segmentations"
            )
        if one.n_units != codings[0].n_units:
            raise SegmentationError(
                f"one coding has {codings[0].n_units} units, another {one.n_units}: "
                "expected the same number"
            )
    if not codings:
        raise SegmentationError(f"document is {shown(document)}: expected one coding or more")
    return codings
