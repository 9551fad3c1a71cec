"""Habits of coders: how many boundaries each places, and how many segments documents get.

Boundaries per coder and potential boundary: Fournier (2013), fig. 11; segments per document:
Kazantseva & Szpakowicz (2012), fig. 1.

Who stands out (`_compared_with_others`): with five coders or fewer, a rule of mean ± 2 standard
deviations would never find anybody, because one of n values is never further than √(n - 1) standard
deviations from their mean. Here each coder is compared with the others, in the documents that they
share. The ratio of a coder is the coder's number of boundaries over the number that the median of
the others would have placed there. The coder stands out if the ratio is above `FACTOR` or below 1 /
FACTOR; and further from 1 than three times the spread of the others, in logarithms; and three
standard errors of a count from what is expected. A few coders do not show their spread well, so
four more people who differ by a fifth are added to it.

Simulated with panels of 3, 5 and 10 (4, 10 and 30 documents, about 4 boundaries in each): somebody
stands out in less than 1 % of the panels of equal coders, and in 2 to 10 % of those whose habits
differ by a fifth. A coder who marks three times as many as equal others is found in 96 % of the
panels with 4 documents, and in all with 10 or more.
"""

import math
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from segscore.basics.arguments import Floats, Int64Array
from segscore.coders.coder_pairs import CodedBy, CoderPairs, consensus_note, people_of
from segscore.corpus.corpus import Corpus, Document
from segscore.errors import SegmentationError
from segscore.tables import Cell, Table, Tabular, columns

QUARTILES = partial(columns, "Q1=q1 median Q3=q3")


FACTOR = 2.0  # times as many as the others, or as few: less is a matter of taste
_SPREADS = 3.0  # of the others, and standard errors of a count
_USUAL_SPREAD, _FEW_MORE = 0.2, 4  # people who differ by a fifth, and how many of them count
_FEWEST_CODERS = 3  # two differ, and neither stands out


class Habits(NamedTuple):
    """How densely a coder places boundaries.

    `others`: boundaries per position that the median of the others would have in the same
    documents; `ratio`: this coder's number of boundaries over that of the others; `usual`: the
    usual range of the ratio. All are NaN if there are no other coders.
    """

    coder: str
    n_documents: int
    n_boundaries: int
    n_places: int
    others: float = math.nan
    ratio: float = math.nan
    usual: tuple[float, float] = (math.nan, math.nan)

    @property
    def stands_out(self) -> bool:
        """Whether the coder marks far more or far fewer boundaries than the others."""
        return self.ratio > self.usual[1] or self.ratio < self.usual[0]

    @property
    def density(self) -> float:
        """Boundaries per potential boundary; NaN where there is no potential boundary."""
        return self.n_boundaries / self.n_places if self.n_places else math.nan


@dataclass(frozen=True, repr=False)
class CoderHabits(Tabular):
    """The habits of all coders, with `mean` and `sd` (population) of their densities."""

    coders: tuple[Habits, ...]
    nobody: tuple[str, ...] = ()  # left out: names of the kind `consensus`

    @property
    def densities(self) -> Floats:
        """Boundaries per potential boundary, for each coder."""
        return np.array([coder.density for coder in self.coders])

    @property
    def mean(self) -> float:
        """The mean density of coders."""
        return float(np.nanmean(self.densities))

    @property
    def sd(self) -> float:
        """The standard deviation of the densities over coders (population)."""
        return float(np.nanstd(self.densities))

    @property
    def outliers(self) -> tuple[Habits, ...]:
        """The coders who stand out, the furthest first."""
        found = [coder for coder in self.coders if coder.stands_out]
        return tuple(sorted(found, key=lambda coder: -abs(math.log(coder.ratio or 1e-9))))

    @property
    def reading(self) -> str:
        """Which coders stand out, in plain words."""
        if len(self.coders) < _FEWEST_CODERS:
            return "With fewer than three coders nobody can stand out by the number of boundaries."
        if not self.outliers:
            return "Nobody stands out by the number of their boundaries."
        clauses = [
            f"{outlier.coder} marks {outlier.ratio:.2g} times as many boundaries as the others in "
            f"the same documents (usual here: {outlier.usual[0]:.2f} to {outlier.usual[1]:.2f})"
            for outlier in self.outliers
        ]
        return f"{'; '.join(clauses)}."

    def to_table(self) -> Table:
        """A row per coder."""
        rows = [
            {
                **coder._asdict(),
                "documents": coder.n_documents,
                "boundaries": coder.n_boundaries,
                "density": coder.density,
                "ratio": Cell(coder.ratio, note=_STANDS_OUT if coder.stands_out else None),
                "usual_low": coder.usual[0],
                "usual_high": coder.usual[1],
                "stands_out": coder.stands_out,
            }
            for coder in self.coders
        ]
        shown = [
            *columns("coder documents boundaries"),
            *columns("per_place=density", digits=3),
            *columns("×_others=ratio", digits=2, note=_RATIO),
            *columns("others usual_low usual_high stands_out", audience="machines"),
        ]
        words = f"boundaries per potential boundary: {self.mean:.3f} ± {self.sd:.3f} over coders"
        return Table(shown, rows, [words, *consensus_note(self.nobody)], "Coders")


_RATIO = (
    "boundaries, over those that the median of the others would have placed in the same documents"
)
_STANDS_OUT = (
    f"stands out: more than {FACTOR:g} times as many as the others, or less than 1/{FACTOR:g} as "
    "many, and further from them than they are from each other and than chance explains"
)


def boundaries_per_coder(corpus: CodedBy) -> CoderHabits:
    """Count the boundaries of each coder, in total and per potential boundary.

    >>> import segscore as ss
    >>> codings = {"ann": ss.Segmentation.from_masses([2, 3]),
    ...            "bob": ss.Segmentation.from_masses([1, 1, 3])}
    >>> found = ss.coders.boundaries_per_coder(ss.Corpus.from_dict({"d": codings}))
    >>> [(habits.coder, habits.n_boundaries, habits.density) for habits in found.coders], found.mean
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
    against = _compared_with_others(pairs)
    listed = tuple(
        Habits(*row, *column) for *row, column in zip(pairs.coders, *columns, against, strict=True)
    )
    return CoderHabits(listed, pairs.nobody)


def _compared_with_others(pairs: CoderPairs) -> list[tuple[float, float, tuple[float, float]]]:
    """The density of the others, the ratio to it, and its usual range; the module's docstring
    explains them."""
    n = len(pairs.coders)
    nothing = (math.nan, math.nan, (math.nan, math.nan))
    several = np.bincount(pairs.document, minlength=len(pairs.documents))[pairs.document] > 1
    document, coder = pairs.document[several], pairs.coder[several]
    marked, places = pairs.boundaries[several].astype(np.float64), pairs.places[several]
    rate = _sum_of_each(document, marked) / np.maximum(1, _sum_of_each(document, places))
    own = np.bincount(coder, marked, n)
    held = np.bincount(coder, places, n)
    usual = np.bincount(coder, places * rate, n)  # what all coders together would place there
    known = np.flatnonzero(usual > 0)
    if len(known) < _FEWEST_CODERS:
        return [nothing] * n
    logs = np.log((own + 0.5) / (usual + 0.5))
    found = [nothing] * n
    for number in known.tolist():
        others = logs[known[known != number]]
        middle = float(np.median(others))
        reach = max(FACTOR, math.exp(_SPREADS * _spread(others - middle)))
        expected = math.exp(middle) * float(usual[number])
        low, high = _of_a_count(expected, len(others))
        ends = min(1 / reach, low), max(reach, high)
        found[number] = (expected / float(held[number]), float(own[number]) / expected, ends)
    return found


def _spread(differences: Floats) -> float:
    """How much these people differ, in logarithms: the median absolute deviation, with a few more
    people added who differ by a fifth."""
    robust = 1.4826 * float(np.median(np.abs(differences)))
    n = len(differences)
    return math.sqrt((n * robust**2 + _FEW_MORE * _USUAL_SPREAD**2) / (n + _FEW_MORE))


def _of_a_count(expected: float, n_others: int) -> tuple[float, float]:
    """The range of counts by chance, over the expected count, itself the mean of `n_others` counts;
    the square root of a count has a standard error of about 1/2 (Anscombe 1948)."""
    root = math.sqrt(expected + 0.375)
    half = _SPREADS / 2 * math.sqrt(1 + 1 / n_others)
    least, most = max(0.0, root - half) ** 2 - 0.375, (root + half) ** 2 - 0.375
    return max(0.0, least) / expected, most / expected


def _sum_of_each(index: Int64Array, values: Floats | Int64Array) -> Floats:
    """For each row, the sum over all rows with its index."""
    return np.asarray(np.bincount(index, values)[index]) if len(index) else np.zeros(0)


class SegmentCount(NamedTuple):
    """The number of segments that the coders of a document make: mean, least and most."""

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
        shown = [
            *columns("document units coders"),
            *columns("mean", error="sd", digits=2),
            *columns("least"),
            *QUARTILES(digits=1),
            *columns("most"),
        ]
        return Table(
            shown, rows, ["± is the standard deviation over coders"], "Segments per document"
        )


def segment_counts(corpus: Corpus | Document) -> SegmentCounts:
    """Count the segments that coders make of each document; sd over coders (population).

    >>> import segscore as ss
    >>> masses = {"ann": [2, 3], "bob": [1, 1, 2, 1]}
    >>> codings = {name: ss.Segmentation.from_masses(m) for name, m in masses.items()}
    >>> ss.coders.segment_counts(ss.Corpus.from_dict({"d": codings}))[0]
    SegmentCount(document='d', n_units=5, n_coders=2, mean=3.0, sd=1.0, least=2, most=4,
                 quartiles=(2.5, 3.0, 3.5))
    >>> ss.coders.segment_counts(ss.Corpus.from_dict({"d": codings}))
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
        if (counts := [coding.n_segments for coding in document.values()])
    )


def quartiles(values: Floats | list[int]) -> tuple[float, float, float]:
    """The quartiles, by linear interpolation; NaN if there are no values."""
    if not len(values):
        return math.nan, math.nan, math.nan
    first, second, third = np.quantile(values, [0.25, 0.5, 0.75]).tolist()
    return first, second, third
