"""The confusion matrix of boundary types, and what follows from it (Fournier 2013, §3.2)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

import numpy as np

from segscore.basics.arguments import Floats, shown
from segscore.coding.segmentation import BoundaryType
from segscore.errors import SegmentationError
from segscore.metrics.ratios import check_beta, precision_recall_f
from segscore.tables import Tabular

if TYPE_CHECKING:
    from segscore.tables import Table

Averaged = Literal["micro", "macro"]


class ConfusionCounts(NamedTuple):
    """Positives and negatives of one type against the rest, or pooled over types."""

    tp: float
    fp: float
    fn: float
    tn: float


class ConfusionMatrix(Tabular):
    """The types of boundaries in the reference (rows) and in the hypothesis (columns).

    The last class, None, means no boundary. A match adds 1 to the cell of its type, a near miss its
    correctness; a substitution adds its weight (on an ordinal scale, less if the types are
    closer) to the cell of its two types; boundaries that only the reference has are in column None,
    those that only the hypothesis has in row None. The part of a near miss that is not correct is
    neither a false positive nor a false negative. (Fournier 2013, eq. 7, prints the cost of a near
    miss instead of its correctness; with that a more distant near miss would add more.)

    Parameters
    ----------
    types: the boundary types, in the order of their scale.
    cells: the numbers, with a row and a column per type, and one of each for None.
    positions: the number of possible positions of a boundary.

    >>> matrix = ConfusionMatrix(["verse", "stanza"], [[3, 1, 0], [0, 1.5, 1], [2, 0, 0]], 20)
    >>> matrix["verse", "stanza"], matrix["stanza", None]
    (1.0, 1.0)
    >>> matrix.counts("verse")
    ConfusionCounts(tp=3.0, fp=2.0, fn=1.0, tn=14.0)
    >>> matrix.precision("verse"), round(matrix.recall(), 4), round(matrix.f(average="macro"), 4)
    (0.6, 0.6923, 0.6333)
    >>> print(matrix)
    ref / hyp  verse  stanza  none
    ──────────────────────────────
    verse          3       1     0
    stanza         0     1.5     1
    none           2       0     –
    """

    __slots__ = ("cells", "positions", "types")

    def __init__(self, types: Sequence[BoundaryType], cells: Any, positions: float) -> None:
        self.types: tuple[BoundaryType, ...] = tuple(types)
        self.cells: Floats = np.array(cells, np.float64)
        self.cells.flags.writeable = False
        self.positions: float = float(positions)
        size = len(self.types) + 1
        if self.cells.shape != (size, size):
            raise SegmentationError(
                f"cells is {self.cells.shape}: expected {size} rows and columns, one per type and "
                "one for none"
            )

    def _index(self, kind: BoundaryType | None) -> int:
        if kind is None:
            return len(self.types)
        if kind not in self.types:
            raise KeyError(f"{shown(kind)} is not among {', '.join(map(str, self.types))}")
        return self.types.index(kind)

    def __getitem__(self, cell: tuple[BoundaryType | None, BoundaryType | None]) -> float:
        """The cell of a type in the reference and a type in the hypothesis; None is no boundary."""
        ref, hyp = cell
        return float(self.cells[self._index(ref), self._index(hyp)])

    def counts(self, of: BoundaryType | None = None) -> ConfusionCounts:
        """The ConfusionCounts of a type against the rest, or of all types pooled."""
        if of is None:
            each = np.array([self.counts(kind) for kind in self.types])
            return ConfusionCounts(*each.sum(axis=0).tolist())
        k = self._index(of)
        tp = self.cells[k, k]
        fp = self.cells[:, k].sum() - tp
        fn = self.cells[k].sum() - tp
        return ConfusionCounts(*map(float, (tp, fp, fn, self.positions - tp - fp - fn)))

    def precision(self, of: BoundaryType | None = None, average: Averaged = "micro") -> float:
        """TP / (TP + FP) of one type, pooled (micro), or as the mean over types (macro)."""
        return self._ratio(0, of, average, 1)

    def recall(self, of: BoundaryType | None = None, average: Averaged = "micro") -> float:
        """TP / (TP + FN) of one type, pooled (micro), or as the mean over types (macro)."""
        return self._ratio(1, of, average, 1)

    def f(
        self, of: BoundaryType | None = None, average: Averaged = "micro", beta: float = 1
    ) -> float:
        """F_β of one type, pooled (micro), or as the mean over types (macro)."""
        check_beta(beta)
        return self._ratio(2, of, average, beta)

    def _ratio(self, which: int, of: BoundaryType | None, average: str, beta: float) -> float:
        """Precision, recall or F; a macro-average leaves out types without a value."""
        if average not in ("micro", "macro"):
            raise SegmentationError(f"average is {shown(average)}: expected 'micro' or 'macro'")
        if of is None and average == "macro":
            each = np.array([self._ratio(which, kind, "micro", beta) for kind in self.types])
            defined = each[~np.isnan(each)]
            return float(defined.mean()) if defined.size else float("nan")
        tp, fp, fn, _ = self.counts(of)
        return float(precision_recall_f(tp, fp, fn, beta)[which])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ConfusionMatrix):
            return NotImplemented
        return (
            self.types == other.types
            and self.positions == other.positions
            and np.array_equal(self.cells, other.cells)
        )

    __hash__: ClassVar[None] = None  # type: ignore[assignment]  # an array inside

    def to_table(self) -> "Table":
        """A row per type of the reference, a column per type of the hypothesis."""
        from segscore.tables import Column, Table

        names = [*map(str, self.types), "none"]
        keys = ["reference"]
        for name in names:  # a type may have the name of another column
            while name in keys:
                name += "_"  # noqa: PLW2901
            keys.append(name)
        columns = [Column("ref / hyp", key="reference")]
        columns += [
            Column(name, key=key, form=_brief) for name, key in zip(names, keys[1:], strict=True)
        ]
        rows = [[name, *row] for name, row in zip(names, self.cells.tolist(), strict=True)]
        rows[-1][-1] = float("nan")  # not counted: positions without a boundary on either side
        return Table(columns, rows)


def _brief(cell: float) -> str:
    return f"{cell:g}"
