"""Boundary edit distance: the edits that turn one segmentation into another.

Each boundary takes part in one operation: a match (same position, same type), a transposition (same
type, d positions apart, 1 <= d <= n_t - 1), a substitution (same position, other type), an addition
or deletion. Matches are fixed first. Of the rest the optimum has, in this
order: the fewest edits; the least Σ d / n_t over transpositions plus Σ |a - b| / (max - min) over
substitutions (1 each on a nominal scale); the least Σ d²; the least sum of marks, where the mark of
a distance is as if drawn, so that what is still open has the same distances and the same price
under any cost model; and the leftmost list, that is, the least one when pairs are written as their
lesser and greater (position, type) and sorted. So the edits of (b, a) are those of (a, b), seen
from the other side, and a mirrored document has the same score.

`method="greedy"` takes the shortest transpositions first, from left to right, like segeval 2.0.11;
for n_t >= 3, or with several types, this may take more edits.

Source: Fournier (2013), §3.1; the order of criteria is ours and settles what is open there.

The confusion matrix of boundary types, and what follows from it (Fournier 2013, §3.2).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np

from segscore._kernels import typed_edits
from segscore.basics.arguments import Floats, check_choice, shown
from segscore.coding.segmentation import BoundaryType, Segmentation
from segscore.errors import SegmentationError
from segscore.metrics import edit_settings, edit_views
from segscore.metrics.base import check_beta, check_same_units, precision_recall_f
from segscore.tables import Column, Table, Tabular

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
        check_choice(average, "average", ("micro", "macro"))
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

    def to_table(self) -> Table:
        """A row per type of the reference, a column per type of the hypothesis."""
        names = [*map(str, self.types), "none"]
        keys = ["reference"]
        for name in names:  # a type may have the name of another column
            while name in keys:
                name += "_"  # noqa: PLW2901
            keys.append(name)
        columns = [Column("ref / hyp", key="reference")]
        columns += [
            Column(name, key=key, form="{:g}".format)
            for name, key in zip(names, keys[1:], strict=True)
        ]
        rows = [[name, *row] for name, row in zip(names, self.cells.tolist(), strict=True)]
        rows[-1][-1] = float("nan")  # not counted: positions without a boundary on either side
        return Table(columns, rows)


EditRow = tuple[str, int | None, int | None, BoundaryType | None, BoundaryType | None]


class Match(NamedTuple):
    """A boundary that both sides have."""

    position: int
    type: BoundaryType | None


class Transposition(NamedTuple):
    """A near miss: a boundary of the same type at different positions in a and b."""

    a: int
    b: int
    type: BoundaryType | None


class Substituted(NamedTuple):
    """A position with one type in a and another in b."""

    position: int
    a: BoundaryType
    b: BoundaryType


class Addition(NamedTuple):
    """A full miss: a boundary that only side "a" or only side "b" has."""

    position: int
    type: BoundaryType | None
    side: Literal["a", "b"]


@dataclass(frozen=True, repr=False)
class BoundaryEdits(Tabular):
    """The edits between two segmentations, each kind sorted by position; `print` draws them.

    The REPL shows the first lines of a long drawing; `to_table` lists all edits.

    Parameters
    ----------
    a, b: the two segmentations; a is the reference.
    n_t, method, substitution: as given to `boundary_edits`.
    types: the types compared, in the order of their scale; () if boundaries have no types.
    matches, transpositions, substitutions, additions: the operations of each kind.
    """

    a: Segmentation
    b: Segmentation
    n_t: int
    method: edit_settings.Method
    substitution: edit_settings.Substitution
    types: tuple[BoundaryType, ...]
    matches: tuple[Match, ...]
    transpositions: tuple[Transposition, ...]
    substitutions: tuple[Substituted, ...]
    additions: tuple[Addition, ...]
    _values: dict[Any, int] = field(repr=False, compare=False)  # of the types, on their scale

    @property
    def n_edits(self) -> int:
        """The number of transpositions, substitutions and additions; matches are not edits."""
        return len(self.transpositions) + len(self.substitutions) + len(self.additions)

    def listed(self) -> Iterator[EditRow]:
        """Each match and edit as (operation, position in a, position in b, type of a, type of b);
        None where a side has no boundary, or no type."""
        for match in self.matches:
            yield "match", match.position, match.position, match.type, match.type
        for near in self.transpositions:
            yield "transposition", near.a, near.b, near.type, near.type
        for swapped in self.substitutions:
            yield "substitution", swapped.position, swapped.position, swapped.a, swapped.b
        for added in self.additions:
            if added.side == "a":
                yield "addition", added.position, None, added.type, None
            else:
                yield "addition", None, added.position, None, added.type

    def cost(
        self,
        model: edit_settings.CostModel = "span",
        *,
        w_trp: float = 1,
        w_t: float = 0,
        w_sub: float = 1,
        w_s: float = 0,
        w_ad: float = 1,
    ) -> float:
        """The cost of the edits under a model (`unit`, `halving`, `span`, `span-1`, or a function).

        The weights are those of `segscore.metrics.edit_settings.EditSettings`.

        >>> a, b = Segmentation.from_masses([2, 3, 6]), Segmentation.from_masses([2, 2, 7])
        >>> edits = boundary_edits(a, b)
        >>> edits.cost("span"), edits.cost("unit")
        (0.5, 1.0)
        """
        settings = edit_settings.EditSettings(
            self.n_t, model, w_trp=w_trp, w_t=w_t, w_sub=w_sub, w_s=w_s, w_ad=w_ad
        )
        near, swapped = self._prices(settings)
        return float(w_ad * len(self.additions) + sum(near) + sum(swapped))

    def _prices(self, settings: edit_settings.EditSettings) -> tuple[list[float], list[float]]:
        """The price of each transposition and of each substitution."""
        table, base, slope = settings.prices(self.a.n_units)
        distances = [abs(near.a - near.b) for near in self.transpositions]
        moved = [float(table[d]) if d < len(table) else base + slope * d for d in distances]
        w_sub, w_s, values = settings.w_sub, settings.w_s, self._values
        if self.substitution == "unit" or not self.substitutions:
            return moved, [w_sub + w_s] * len(self.substitutions)
        width = max(values.values()) - min(values.values())
        return moved, [
            w_sub * abs(values[swapped.a] - values[swapped.b]) / width + w_s
            for swapped in self.substitutions
        ]

    def confusion(
        self,
        model: edit_settings.CostModel = "span",
        *,
        w_trp: float = 1,
        w_t: float = 0,
        w_sub: float = 1,
        w_s: float = 0,
        substitution_credit: edit_settings.SubstitutionCredit = "weight",
    ) -> ConfusionMatrix:
        """The confusion matrix of types, with a as reference; near misses count by their
        correctness.

        A substitution adds its cost, at most 1, or exactly 1 with `substitution_credit="one"`.

        >>> a = Segmentation.from_boundaries([2, 5], 11, types=[1, 2])
        >>> b = Segmentation.from_boundaries([2, 5], 11, types=[1, 1])
        >>> boundary_edits(a, b).confusion()[2, 1]
        1.0
        """
        types = self.types or (edit_settings.UNTYPED,)
        index = {kind: k for k, kind in enumerate(self.types or (None,))}
        none = len(types)
        cells = np.zeros((none + 1, none + 1))
        for match in self.matches:
            cells[index[match.type], index[match.type]] += 1
        check_choice(substitution_credit, "substitution_credit", edit_settings.SUBSTITUTION_CREDITS)
        settings = edit_settings.EditSettings(
            self.n_t, model, w_trp=w_trp, w_t=w_t, w_sub=w_sub, w_s=w_s
        )
        prices, weights = self._prices(settings)
        for near, price in zip(self.transpositions, prices, strict=True):
            cells[index[near.type], index[near.type]] += max(0.0, 1 - price)
        for swapped, weight in zip(self.substitutions, weights, strict=True):
            entry = 1 if substitution_credit == "one" else min(1, weight)
            cells[index[swapped.a], index[swapped.b]] += entry
        for added in self.additions:
            kind = index[added.type]
            cells[(kind, none) if added.side == "a" else (none, kind)] += 1
        return ConfusionMatrix(types, cells, self.a.n_units - 1)

    def to_table(self) -> Table:
        """A row per match and edit, by position.

        >>> a, b = Segmentation.from_masses([2, 3, 6]), Segmentation.from_masses([2, 2, 7])
        >>> print(boundary_edits(a, b).to_table())
        operation      a  b
        ───────────────────
        match          2  2
        transposition  5  4
        ───────────────────
        1 match, 1 transposition, 0 substitutions, 0 additions
        """
        return edit_views.edits_table(self)

    def __str__(self) -> str:
        return edit_views.draw(self)

    def __repr__(self) -> str:
        return edit_views.draw(self, most=5)

    def _repr_html_(self) -> str:
        return edit_views.edits_html(self)


def boundary_edits(
    a: Segmentation,
    b: Segmentation,
    n_t: int = 2,
    method: edit_settings.Method = "optimal",
    types: tuple[BoundaryType, ...] | None = None,
    substitution: edit_settings.Substitution = "ordinal",
) -> BoundaryEdits:
    """Find the edits that turn a into b.

    Parameters
    ----------
    a, b
        The two segmentations.
    n_t
        A transposition (near miss) spans fewer positions than this; 1 allows none.
    method
        "optimal" finds the fewest edits; "greedy" takes the same edits as segeval.
    types
        All boundary types in the order of their scale. None: the types that occur in the pair.
    substitution
        "ordinal" prefers substitutions between types that are close on that scale; "unit" treats
        all substitutions the same.

    >>> a, b = Segmentation.from_masses([2, 3, 6]), Segmentation.from_masses([2, 2, 7])
    >>> edits = boundary_edits(a, b)
    >>> edits.transpositions
    (Transposition(a=5, b=4, type=None),)
    >>> print(edits)
    a  ··|·· ·|······
    b  ··|··|· ······
         M  T T
    1 match, 1 transposition, 0 substitutions, 0 additions
    """
    settings = edit_settings.EditSettings(
        n_t, method=method, types=types, substitution=substitution
    )
    check_same_units("boundary_edits", a, b)
    return edits_of_pair(a, b, settings)


def edits_of_pair(
    a: Segmentation, b: Segmentation, settings: edit_settings.EditSettings
) -> BoundaryEdits:
    """The edits between two segmentations under the settings of a metric; a is the reference."""
    declared = settings.types
    ref_types, hyp_types, names, values = edit_settings.columns_of_pair(
        a, b, declared, settings.substitution
    )
    prices = settings.prices(a.n_units)
    try:
        listed = typed_edits.listing(
            a.packed,
            *ref_types,
            b.packed,
            *hyp_types,
            settings.typed_options(prices),
            values,
            prices[0],
        )
    except OverflowError:
        raise edit_settings.too_large("this pair", settings.n_t) from None
    moved, swapped, added = [], [], []
    for p, ref, q, hyp in listed:
        if q < 0:
            added.append(Addition(p, names[ref], "a"))
        elif p < 0:
            added.append(Addition(q, names[hyp], "b"))
        elif ref == hyp:
            moved.append(Transposition(p, q, names[ref]))
        else:
            swapped.append(Substituted(p, names[ref], names[hyp]))  # type: ignore[arg-type]
    occurring = np.union1d(ref_types.values, hyp_types.values).tolist()
    codes = range(len(names)) if declared is not None else occurring
    on_sides = [
        np.column_stack([np.repeat(side.boundaries, np.diff(lists.offsets)), lists.values])
        for side, lists in ((a, ref_types), (b, hyp_types))
    ]
    common = sorted(set.intersection(*(set(map(tuple, side.tolist())) for side in on_sides)))
    return BoundaryEdits(
        a,
        b,
        settings.n_t,
        settings.method,
        settings.substitution,
        tuple(name for name in (names[code] for code in codes) if name is not None),
        tuple(Match(position, names[code]) for position, code in common),
        tuple(moved),
        tuple(swapped),
        tuple(added),
        {names[code]: int(values[code]) for code in codes},
    )


def judged(
    reference: Segmentation, hypothesis: Segmentation, n_t: int = 2, *, types: bool = True
) -> list[edit_views.Judged]:
    """What each boundary is against a reference: a match, near (less than n_t positions off), of
    another type, missed or extra. Boundary edit distance decides which boundaries belong together.

    types: whether types of boundaries are compared; if not, there are no substitutions.

    >>> cut = Segmentation.from_masses
    >>> [one[:3] for one in judged(cut([2, 3, 6]), cut([2, 2, 4, 3]))]
    [('match', 2, 2), ('near', 5, 4), ('extra', None, 8)]
    """
    if not types:
        reference, hypothesis = (
            Segmentation.from_boundaries(side.boundaries, side.n_units)
            for side in (reference, hypothesis)
        )
    return list(
        edit_views.judged_edits(boundary_edits(reference, hypothesis, n_t, substitution="unit"))
    )
