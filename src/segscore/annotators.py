"""What coders agree on: support of boundaries, consensus, habits of coders, labels.

- Support of a boundary: how many coders have one within w positions (Kazantseva & Szpakowicz 2012,
  fig. 3); with w = 0 it is the share of coders per position (Fournier & Inkpen 2012, fig. 11).
- Consensus: a segmentation of the boundaries that enough coders mark (Kazantseva & Szpakowicz 2012,
  table 2).
- Boundaries per coder and potential boundary (Fournier 2013, fig. 11), segments per document
  (Kazantseva & Szpakowicz 2012, fig. 1).
- Similarity of labels: Jaccard's, unit by unit (Fournier 2013, poetry, fig. 1c).
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from segscore._integers import Int64Array, shown, whole_number
from segscore.coder_pairs import as_corpus
from segscore.corpus import Corpus, Document
from segscore.errors import SegmentationError
from segscore.metrics.base import Floats
from segscore.segmentation import Segmentation

if TYPE_CHECKING:
    from segscore.tables import Table

AtLeast = float | Literal["majority", "union"]
_ROUNDING = 1e-9  # 0.3 of 10 coders is 3, whatever floats say


# ---- support ----


@dataclass(frozen=True)
class Support:
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
        shares = np.zeros(self.n_units - 1)
        shares[self.positions - 1] = self.shares
        return shares

    def __iter__(self) -> Any:
        return zip(self.positions.tolist(), self.shares.tolist(), strict=True)


def support(document: Document | Iterable[Segmentation], within: int = 0) -> Support:
    """The share of coders who have a boundary within so many positions of each marked one.

    >>> codings = [Segmentation.from_masses(m) for m in ([4, 8], [5, 7], [4, 5, 3])]
    >>> dict(support(codings, within=0))
    {4: 0.6666666666666666, 5: 0.3333333333333333, 9: 0.3333333333333333}
    >>> dict(support(codings, within=1))
    {4: 1.0, 5: 1.0, 9: 0.3333333333333333}
    """
    codings = _codings(document)
    within = whole_number(within, "within", 0)
    marked = np.unique(np.concatenate([one.boundaries for one in codings]))
    counts = np.zeros(len(marked), np.int64)
    for one in codings:
        below = np.searchsorted(one.boundaries, marked - within, side="left")
        above = np.searchsorted(one.boundaries, marked + within, side="right")
        counts += above > below
    return Support(marked, counts, len(codings), codings[0].n_units, within)


def _codings(document: Any) -> list[Segmentation]:
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


# ---- consensus ----


def consensus(
    document: Document | Iterable[Segmentation], at_least: AtLeast = 0.5, within: int = 0
) -> Segmentation:
    """The boundaries that at least this share of coders mark.

    `at_least` is a share above 0 and up to 1, "majority" (more than half) or "union" (anyone).
    With `within`, boundaries of different coders that lie at most so far from a position count for
    it, one per coder: the best supported position comes first (then the one that more coders mark
    exactly, then the leftmost), takes each coder's nearest boundary, and these are gone.

    >>> codings = [Segmentation.from_masses(m) for m in ([4, 8], [5, 7], [4, 5, 3])]
    >>> consensus(codings).boundaries, consensus(codings, "union").boundaries
    (array([4]), array([4, 5, 9]))
    >>> consensus(codings, at_least=1, within=1).boundaries
    array([4])
    """
    codings = _codings(document)
    within = whole_number(within, "within", 0)
    needed = _votes_needed(at_least, len(codings))
    if within:
        kept = _merged(codings, needed, within)
    else:
        found = support(codings)
        kept = found.positions[found.counts >= needed].tolist()
    return Segmentation.from_boundaries(kept, codings[0].n_units)


def _votes_needed(at_least: Any, n_coders: int) -> int:
    if at_least == "majority":
        return n_coders // 2 + 1
    if at_least == "union":
        return 1
    number = isinstance(at_least, int | float) and not isinstance(at_least, bool)
    if not number or not 0 < at_least <= 1:
        raise SegmentationError(
            f"at_least is {shown(at_least)}: expected a share above 0 and up to 1, 'majority' or "
            "'union'"
        )
    return max(1, math.ceil(float(at_least) * n_coders - _ROUNDING))


def _merged(codings: list[Segmentation], needed: int, within: int) -> list[int]:
    """Positions that enough coders support, each boundary counting once."""
    left = [set(one.boundaries.tolist()) for one in codings]
    kept: list[int] = []
    while True:
        near: dict[int, int] = {}
        exact: dict[int, int] = {}
        marked = sorted(set().union(*left))
        for places in left:
            ordered = np.array(sorted(places), np.int64)
            for position in marked:
                reach = np.searchsorted(ordered, [position - within, position + within + 1])
                near[position] = near.get(position, 0) + int(reach[1] > reach[0])
                exact[position] = exact.get(position, 0) + (position in places)
        best = max(marked, key=lambda p: (near[p], exact[p], -p), default=None)
        if best is None or near[best] < needed:
            return sorted(kept)
        kept.append(best)
        for places in left:
            reachable = [p for p in places if abs(p - best) <= within]
            if reachable:
                places.remove(min(reachable, key=lambda p: (abs(p - best), p)))


# ---- habits ----


class Habits(NamedTuple):
    """How densely one coder places boundaries."""

    coder: str
    n_documents: int
    n_boundaries: int
    n_places: int

    @property
    def density(self) -> float:
        """Boundaries per potential boundary; NaN where there is no place for one."""
        return self.n_boundaries / self.n_places if self.n_places else math.nan


@dataclass(frozen=True)
class CoderHabits:
    """The habits of all coders; `mean` and `sd` (population) of their densities."""

    coders: tuple[Habits, ...]

    @property
    def densities(self) -> Floats:
        """Boundaries per potential boundary, coder by coder."""
        return np.array([one.density for one in self.coders])

    @property
    def mean(self) -> float:
        """The mean density of coders."""
        return float(np.nanmean(self.densities))

    @property
    def sd(self) -> float:
        """Its standard deviation over coders."""
        return float(np.nanstd(self.densities))

    def to_table(self) -> "Table":
        """A row per coder."""
        from segscore._agreement_tables import habits_table

        return habits_table(self)


def boundaries_per_coder(corpus: Corpus | Document) -> CoderHabits:
    """How many boundaries each coder places, in all and per potential boundary.

    >>> import segscore as ss
    >>> made = ss.boundaries_per_coder(ss.Corpus.from_dict({"d": {
    ...     "ann": Segmentation.from_masses([2, 3]), "bob": Segmentation.from_masses([1, 1, 3])}}))
    >>> [(one.coder, one.n_boundaries, one.density) for one in made.coders], made.mean
    ([('ann', 1, 0.25), ('bob', 2, 0.5)], 0.375)
    """
    from segscore.coder_pairs import CoderPairs

    pairs = CoderPairs(corpus)
    if not pairs.segmentations:
        raise SegmentationError("the corpus has no codings: expected one or more")
    n = len(pairs.coders)
    columns = (
        np.bincount(pairs.coder, weights, minlength=n).astype(np.int64).tolist()
        for weights in (None, pairs.boundaries, pairs.places)
    )
    return CoderHabits(tuple(Habits(*row) for row in zip(pairs.coders, *columns, strict=True)))


class SegmentCount(NamedTuple):
    """Segments that the coders of a document make: on average, at least, at most."""

    document: str
    n_units: int
    n_coders: int
    mean: float
    sd: float
    least: int
    most: int


def segment_counts(corpus: Corpus | Document) -> list[SegmentCount]:
    """How many segments coders make of each document; sd over coders (population).

    >>> import segscore as ss
    >>> masses = {"ann": [2, 3], "bob": [1, 1, 2, 1]}
    >>> codings = {name: Segmentation.from_masses(m) for name, m in masses.items()}
    >>> ss.segment_counts(ss.Corpus.from_dict({"d": codings}))
    [SegmentCount(document='d', n_units=5, n_coders=2, mean=3.0, sd=1.0, least=2, most=4)]
    """
    return [
        SegmentCount(
            document.name,
            document.n_units,
            len(document),
            float(np.mean(counts)),
            float(np.std(counts)),
            min(counts),
            max(counts),
        )
        for document in as_corpus(corpus).values()
        if (counts := [one.n_segments for one in document.values()])
    ]


# ---- labels ----


@dataclass(frozen=True)
class LabelSimilarity:
    """Jaccard similarity of labels over units and pairs of coders: mean and sd (population).

    `per_unit` is the mean over pairs for each unit, NaN where fewer than two coders gave a label.
    """

    mean: float
    sd: float
    n: int
    per_unit: Floats = field(repr=False)


def label_similarity(document: Document, coders: Iterable[str] | None = None) -> LabelSimilarity:
    """How far coders give the same labels to the same units, whatever their boundaries are.

    A unit has the labels of its segment; two coders' similarity at a unit is the number of labels
    they share over the number of labels that either gives. Where neither gives one there is none.

    >>> import segscore as ss
    >>> one, two = Segmentation.from_masses([2, 2]), Segmentation.from_masses([3, 1])
    >>> corpus = ss.Corpus.from_dict({"d": {"ann": one, "bob": two}},
    ...                              labels={"d": {"ann": ["x", "y"], "bob": ["x", ["y", "z"]]}})
    >>> made = ss.label_similarity(corpus["d"])
    >>> made.mean, made.per_unit.tolist()
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
