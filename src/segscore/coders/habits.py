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


Do coders differ in how finely they cut, or in where? (Kazantseva & Szpakowicz 2012, §4.2.)

For two coders and all documents that both coded, the coarser coder is the coder with fewer
boundaries in total. If they differ only in how finely they cut, the finer coder has all boundaries
of the coarser coder, and more. So

- ratio: the number of boundaries of the finer coder over that of the coarser coder;
- containment: the share of the coarser coder's boundaries that the finer coder has, too, by the
  largest one-to-one matching within 0 and within n_t - 1 positions;
- chance: the containment if the finer coder's boundaries were drawn at random, as many in each
  document (`random_codings`, "positions"): a coder who marks a lot contains a lot;
- corrected: (containment - chance) / (1 - chance).

Boundaries without a partner, n_coarse + n_fine - 2 · matched, have two parts: n_fine - n_coarse,
which no choice of positions could avoid, and 2 · (n_coarse - matched), which are at other
positions.
"""

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from segscore.basics.arguments import Floats, Int64Array, Seed, seed_of, whole_number
from segscore.coders import coder_pairs
from segscore.coders.coder_pairs import CodedBy, CoderPairs
from segscore.coders.estimators import chance_corrected, sum_by
from segscore.corpus.corpus import Corpus, Document
from segscore.errors import SegmentationError
from segscore.metrics import BoundaryMatch, ratio
from segscore.significance.drawing import by_name
from segscore.tables import Cell, Column, Table, Tabular

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
        rows = []
        for one in self.coders:
            ratio = Cell(one.ratio, note=_STANDS_OUT if one.stands_out else None)
            basis = [one.coder, one.n_documents, one.n_boundaries, one.density]
            rows.append([*basis, ratio, one.others, *one.usual, one.stands_out])
        shown: list[str | Column] = [
            "coder documents boundaries per_place=density:3",
            Column("× others", key="ratio", digits=2, note=_RATIO),
            "others! usual_low! usual_high! stands_out!",
        ]
        words = f"boundaries per potential boundary: {self.mean:.3f} ± {self.sd:.3f} over coders"
        return Table.of(rows, shown, [words, *coder_pairs.consensus_note(self.nobody)], "Coders")


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
    columns = (
        np.bincount(pairs.coder, weights, minlength=len(pairs.coders)).astype(np.int64).tolist()
        for weights in (None, pairs.boundaries, pairs.places)
    )
    rows = zip(pairs.coders, *columns, _compared_with_others(pairs), strict=True)
    return CoderHabits(tuple(Habits(*row, *others) for *row, others in rows), pairs.nobody)


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
        # of counts by chance: the square root of one has a standard error of about 1/2 (Anscombe
        # 1948), and the expected count is itself the mean of those of the others
        root = math.sqrt(expected + 0.375)
        half = _SPREADS / 2 * math.sqrt(1 + 1 / len(others))
        least = max(0.0, max(0.0, root - half) ** 2 - 0.375) / expected
        most = ((root + half) ** 2 - 0.375) / expected
        ends = min(1 / reach, least), max(reach, most)
        found[number] = (expected / float(held[number]), float(own[number]) / expected, ends)
    return found


def _spread(differences: Floats) -> float:
    """How much these people differ, in logarithms: the median absolute deviation, with a few more
    people added who differ by a fifth."""
    robust = 1.4826 * float(np.median(np.abs(differences)))
    n = len(differences)
    return math.sqrt((n * robust**2 + _FEW_MORE * _USUAL_SPREAD**2) / (n + _FEW_MORE))


def _sum_of_each(index: Int64Array, values: Floats | Int64Array) -> Floats:
    """For each row, the sum over all rows with its index."""
    return np.asarray(np.bincount(index, values)[index]) if len(index) else np.zeros(0)


def segment_counts(corpus: Corpus | Document) -> Table:
    """Count the segments that coders make of each document; sd over coders (population).

    >>> import segscore as ss
    >>> masses = {"ann": [2, 3], "bob": [1, 1, 2, 1]}
    >>> codings = {name: ss.Segmentation.from_masses(m) for name, m in masses.items()}
    >>> ss.coders.segment_counts(ss.Corpus.from_dict({"d": codings}))
    Segments per document
    document  units  coders         mean  least   Q1  median   Q3  most
    ───────────────────────────────────────────────────────────────────
    d             5       2  3.00 ± 1.00      2  2.5     3.0  3.5     4
    ───────────────────────────────────────────────────────────────────
    ± is the standard deviation over coders
    """
    rows: list[list[Any]] = []
    for document in coder_pairs.people_of(corpus).values():
        counts = [coding.n_segments for coding in document.values()]
        if counts:
            both = Cell(float(np.mean(counts)), error=float(np.std(counts)))
            ends = min(counts), *quartiles(counts), max(counts)
            rows.append([document.name, document.n_units, len(document), both, *ends])
    mean = Column("mean", error="sd", digits=2)
    shown = "document units coders", mean, "least Q1=q1:1 median:1 Q3=q3:1 most"
    words = ["± is the standard deviation over coders"]
    return Table.of(rows, shown, words, "Segments per document")


def quartiles(values: Floats | list[int]) -> tuple[float, float, float]:
    """The quartiles, by linear interpolation; NaN if there are no values."""
    if not len(values):
        return math.nan, math.nan, math.nan
    first, second, third = np.quantile(values, [0.25, 0.5, 0.75]).tolist()
    return first, second, third


_MOST_BY_CHANCE = 0.5  # below it, what finer coders have of the coarser ones' is mostly chance


def granularity(corpus: CodedBy, n_t: int = 2, *, draws: int | None = None, rng: Seed = 0) -> Table:
    """Find out whether coders differ in how finely they cut, or in where they cut: a row per pair
    of coders, over all documents that both coded, and a row for all pairs. The last note says what
    the numbers show.

    n_t: boundaries within n_t - 1 positions count as the same in the numbers called `near`.
    draws: number of draws for chance; None: 20 to 1000, fewer if there are more pairs of coders.
    rng: random seed of the draws, or a generator.

    >>> import segscore as ss
    >>> masses = {"ann": [8, 8], "bob": [4, 4, 4, 4], "cat": [4, 3, 5, 4]}
    >>> codings = {name: ss.Segmentation.from_masses(m) for name, m in masses.items()}
    >>> found = ss.coders.granularity(ss.Corpus.from_dict({"text": codings}))
    >>> first = found.records()[0]
    >>> first["coarser"], first["finer"], first["ratio"], first["containment"]
    ('ann', 'bob', 3.0, 1.0)
    >>> round(first["chance"], 1)
    0.2
    >>> found.footnotes[-1]
    "They differ in how finely they cut, not in where: the finer coder of a pair has 1.8 times as
    many boundaries, and 100% of the coarser one's within 1 (52% by chance)."
    """
    n_t, seed = whole_number(n_t, "n_t", 1), seed_of(rng)
    pairs = CoderPairs.of(corpus)
    pairs.require_pairs("granularity")
    draws = coder_pairs.checked_draws(draws, len(pairs.left)) or 2
    pair, sides, coarse, fine = _sides(pairs)
    n = len(sides)
    ones = np.ones(len(pair))
    counts = np.column_stack((ones, pairs.boundaries[coarse], pairs.boundaries[fine]))
    counts = sum_by(pair, counts.astype(np.float64), n)
    batch = pairs.batch_of(coarse, fine)
    codings = coder_pairs.RandomCodings(pairs.table, "positions", seed, order=pairs.coding_order)

    def matched(metric: BoundaryMatch) -> Floats:
        """The matched boundaries of each pair of coders: as coded, and as expected by chance."""
        observed = metric.rows(batch)
        expected = coder_pairs.expected_rows(metric.rows, batch, codings, draws, fine)
        return sum_by(pair, np.column_stack((observed[:, 0], expected[:, 0])), n)

    both = np.concatenate([matched(BoundaryMatch(within)) for within in (0, n_t - 1)], axis=1)
    rows = [
        [pairs.coders[i], pairs.coders[j], *_contained(counts[row], both[row])]
        for row, (i, j) in enumerate(sides.tolist())
    ]
    whole = _contained(counts.sum(axis=0), both.sum(axis=0))
    near = f"within_{n_t - 1}"
    shown = (
        "coarser finer documents<1 boundaries=n_coarse<3 of_finer=n_fine<3 ratio:2 "
        "contained=containment:3 chance:3 corrected:3 "
        f"contained_{near}=containment_near:3 chance_{near}=chance_near:3<2 "
        f"corrected_{near}=corrected_near:3"
    )
    words = [
        "contained: share of the coarser coder's boundaries that the finer coder also has; "
        "chance: that share with the finer coder's boundaries at random positions, "
        f"{draws} draws, seed {seed}",
        _how_finely(whole, n_t),
    ]
    rows += [["all", "all", *whole]] if n > 1 else []
    return Table.of(rows, shown, words, "How finely coders cut")


def _contained(counts: Floats, matched: Floats) -> list[Any]:
    """Documents, boundaries of both sides and their ratio; and, within 0 and within n_t - 1, the
    share of boundaries that the finer coder has, too, by chance, and corrected for it."""
    n_documents, n_coarse, n_fine = map(int, counts.tolist())
    shares = ratio(matched, np.full(len(matched), float(n_coarse))).reshape(2, 2)
    corrected = chance_corrected(shares[:, 0], shares[:, 1])
    numbers = np.column_stack([shares, corrected]).ravel().tolist()
    return [n_documents, n_coarse, n_fine, n_fine / n_coarse if n_coarse else math.nan, *numbers]


def _how_finely(whole: list[Any], n_t: int) -> str:
    """What the numbers say, in plain words."""
    _, n_coarse, n_fine, times, *_, share, chance, corrected = whole
    if not n_coarse or np.isnan(corrected):
        return (
            "Nothing can be said about how finely coders cut: the coarser coders have no "
            "boundary, or chance alone explains everything."
        )
    numbers = (
        f"the finer coder of a pair has {times:.1f} times as many boundaries, and {share:.0%} of "
        f"the coarser one's within {n_t - 1} ({chance:.0%} by chance)"
    )
    # of unmatched boundaries, beyond near misses, those that come from different numbers alone
    more, elsewhere = n_fine - n_coarse, 2 * n_coarse * (1 - share)
    number = more / (more + elsewhere) if more + elsewhere > 0 else math.nan
    verdict = "They differ in where they cut more than in how finely"
    if np.isnan(number):
        verdict = "Coders cut alike"
    elif corrected < _MOST_BY_CHANCE:
        verdict = "Coders differ in where they cut"
    elif number >= 0.5:
        sure = "not in where" if number >= 0.75 else "more than in where"
        verdict = f"They differ in how finely they cut{',' * (number >= 0.75)} {sure}"
    return f"{verdict}: {numbers}."


def _sides(pairs: CoderPairs) -> tuple[Int64Array, Int64Array, Int64Array, Int64Array]:
    """For each pair of codings of a document the pair of coders; the coarser and the finer coder of
    these; and for each pair of codings the coarser coder's and the finer coder's.

    The coarser coder has fewer boundaries in the documents that both coded; if they have as many,
    it is the first by name."""
    n = len(pairs.coders)
    order = by_name(pairs.coders)
    left, right = np.argsort(order)[pairs.coder[np.stack((pairs.left, pairs.right))]]
    lower, higher = np.minimum(left, right), np.maximum(left, right)
    of_lower, of_higher = np.where(
        left > right, (pairs.right, pairs.left), (pairs.left, pairs.right)
    )
    keys, pair = np.unique(lower * n + higher, return_inverse=True)
    more = pairs.boundaries[of_lower] - pairs.boundaries[of_higher]
    finer_first = np.bincount(pair, more, len(keys)) > 0
    first, second = keys // n, keys % n
    coders = order[np.where(finer_first, (second, first), (first, second)).T]
    coarse, fine = np.where(finer_first[pair], (of_higher, of_lower), (of_lower, of_higher))
    return pair, coders, coarse, fine
