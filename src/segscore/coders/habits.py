"""Habits of coders: how many boundaries each places, and how many segments documents get.

Boundaries per coder and potential boundary: Fournier (2013), fig. 11; segments per document:
Kazantseva & Szpakowicz (2012), fig. 1.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from segscore.basics.arguments import Floats
from segscore.coders.coder_pairs import CodedBy, CoderPairs, people_of
from segscore.coders.nobody import consensus_note
from segscore.corpus.corpus import Corpus, Document
from segscore.errors import SegmentationError
from segscore.tables import Cell, Column, Table, Tabular

QUARTILES = {"q1": "Q1", "median": "median", "q3": "Q3"}


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


@dataclass(frozen=True, repr=False)
class CoderHabits(Tabular):
    """The habits of all coders; `mean` and `sd` (population) of their densities."""

    coders: tuple[Habits, ...]
    nobody: tuple[str, ...] = ()  # left out: names of the kind `consensus`

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

    def to_table(self) -> Table:
        """A row per coder."""
        rows = [[one.coder, one.n_documents, one.n_boundaries, one.density] for one in self.coders]
        columns = [
            Column("coder"),
            Column("documents"),
            Column("boundaries"),
            Column("per place", key="density", digits=3),
        ]
        words = f"boundaries per potential boundary: {self.mean:.3f} ± {self.sd:.3f} over coders"
        return Table(columns, rows, [words, *consensus_note(self.nobody)], "Coders")


def boundaries_per_coder(corpus: CodedBy) -> CoderHabits:
    """How many boundaries each coder places, in all and per potential boundary.

    >>> import segscore as ss
    >>> codings = {"ann": ss.Segmentation.from_masses([2, 3]),
    ...            "bob": ss.Segmentation.from_masses([1, 1, 3])}
    >>> found = ss.boundaries_per_coder(ss.Corpus.from_dict({"d": codings}))
    >>> [(one.coder, one.n_boundaries, one.density) for one in found.coders], found.mean
    ([('ann', 1, 0.25), ('bob', 2, 0.5)], 0.375)
    """
    pairs = CoderPairs.of(corpus)
    if not len(pairs.coder):
        raise SegmentationError("the corpus has no codings: expected one or more")
    n = len(pairs.coders)
    columns = (
        np.bincount(pairs.coder, weights, minlength=n).astype(np.int64).tolist()
        for weights in (None, pairs.boundaries, pairs.places)
    )
    listed = tuple(Habits(*row) for row in zip(pairs.coders, *columns, strict=True))
    return CoderHabits(listed, pairs.nobody)


class SegmentCount(NamedTuple):
    """Segments that the coders of a document make: on average, at least, at most."""

    document: str
    n_units: int
    n_coders: int
    mean: float
    sd: float
    least: int
    most: int
    quartiles: tuple[float, float, float] = (math.nan, math.nan, math.nan)


class SegmentCounts(Tabular, list[SegmentCount]):
    """A list with a count per document, which prints as a table."""

    def to_table(self) -> Table:
        """A row per document."""
        rows = [
            [*one[:3], Cell(one.mean, error=one.sd), one.least, *one.quartiles, one.most]
            for one in self
        ]
        columns = [
            Column("document"),
            Column("units"),
            Column("coders"),
            Column("mean", error="sd", digits=2),
            Column("least"),
            *(Column(name, key=key, digits=1) for key, name in QUARTILES.items()),
            Column("most"),
        ]
        return Table(
            columns, rows, ["± is the standard deviation over coders"], "Segments per document"
        )


def segment_counts(corpus: Corpus | Document) -> SegmentCounts:
    """How many segments coders make of each document; sd over coders (population).

    >>> import segscore as ss
    >>> masses = {"ann": [2, 3], "bob": [1, 1, 2, 1]}
    >>> codings = {name: ss.Segmentation.from_masses(m) for name, m in masses.items()}
    >>> ss.segment_counts(ss.Corpus.from_dict({"d": codings}))[0]
    SegmentCount(document='d', n_units=5, n_coders=2, mean=3.0, sd=1.0, least=2, most=4,
                 quartiles=(2.5, 3.0, 3.5))
    >>> ss.segment_counts(ss.Corpus.from_dict({"d": codings}))
    Segments per document
    document  units  coders         mean  least   Q1  median   Q3  most
    ───────────────────────────────────────────────────────────────────
    d             5       2  3.00 ± 1.00      2  2.5     3.0  3.5     4
    ───────────────────────────────────────────────────────────────────
    ± is the standard deviation over coders
    """
    return SegmentCounts(
        SegmentCount(
            document.name,
            document.n_units,
            len(document),
            float(np.mean(counts)),
            float(np.std(counts)),
            min(counts),
            max(counts),
            quartiles(counts),
        )
        for document in people_of(corpus).values()
        if (counts := [one.n_segments for one in document.values()])
    )


def quartiles(values: Floats | list[int]) -> tuple[float, float, float]:
    """The quartiles, by linear interpolation; NaN of nothing."""
    if not len(values):
        return math.nan, math.nan, math.nan
    first, second, third = np.quantile(values, [0.25, 0.5, 0.75]).tolist()
    return first, second, third
