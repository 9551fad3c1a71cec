"""Do coders differ in how finely they cut, or in where? (Kazantseva & Szpakowicz 2012, §4.2.)

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

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from segscore.basics.arguments import Floats, Int64Array, Seed, seed_of, whole_number
from segscore.coders.coder_pairs import CodedBy, CoderPairs
from segscore.coders.random_codings import RandomCodings, RandomPairs, checked_draws
from segscore.coders.sums import chance_corrected, sum_by
from segscore.corpus.provenance import PLAIN, Provenance
from segscore.metrics.matching import BoundaryMatch
from segscore.metrics.ratios import ratio
from segscore.significance.drawing import by_name
from segscore.tables import Column, Table, Tabular

_MOST_BY_CHANCE = 0.5  # below it, what finer coders have of the coarser ones' is mostly chance


class Containment(NamedTuple):
    """How many of the coarser coder's boundaries the finer coder has, within a number of
    positions."""

    within: int
    share: float
    chance: float
    corrected: float


@dataclass(frozen=True)
class PairGranularity:
    """Two coders, over all documents that both coded: `exact` within 0, `near` within n_t - 1."""

    coarser: str
    finer: str
    n_documents: int
    n_coarse: int
    n_fine: int
    exact: Containment
    near: Containment

    @property
    def ratio(self) -> float:
        """The finer coder's number of boundaries over the coarser coder's; NaN if the latter has
        none."""
        return self.n_fine / self.n_coarse if self.n_coarse else float("nan")


@dataclass(frozen=True, repr=False)
class Granularity(Tabular):
    """The granularity of each pair of coders; `whole` adds up all pairs."""

    pairs: tuple[PairGranularity, ...]
    whole: PairGranularity
    n_t: int
    draws: int
    seed: int
    provenance: Provenance = field(default=PLAIN, repr=False)

    @property
    def from_number(self) -> float:
        """The share of unmatched boundaries (beyond near misses) that comes from different numbers
        of boundaries alone; NaN if all are matched."""
        whole = self.whole
        elsewhere = 2 * whole.n_coarse * (1 - whole.near.share)
        more = whole.n_fine - whole.n_coarse
        return more / (more + elsewhere) if more + elsewhere > 0 else float("nan")

    @property
    def reading(self) -> str:
        """What the numbers say, in plain words."""
        whole = self.whole
        if not whole.n_coarse or np.isnan(whole.near.corrected):
            return (
                "Nothing can be said about how finely coders cut: the coarser coders have no "
                "boundary, or chance alone explains everything."
            )
        numbers = (
            f"the finer coder of a pair has {whole.ratio:.1f} times as many boundaries, and "
            f"{whole.near.share:.0%} of the coarser one's within {whole.near.within} "
            f"({whole.near.chance:.0%} by chance)"
        )
        return f"{self._verdict()}: {numbers}."

    def _verdict(self) -> str:
        number = self.from_number
        if np.isnan(number):
            return "Coders cut alike"
        if self.whole.near.corrected < _MOST_BY_CHANCE:
            return "Coders differ in where they cut"
        if number >= 0.75:
            return "They differ in how finely they cut, not in where"
        if number >= 0.5:
            return "They differ in how finely they cut more than in where"
        return "They differ in where they cut more than in how finely"

    def to_table(self) -> Table:
        """A row per pair of coders, and a row for all pairs."""
        rows = [_cells(pair) for pair in self.pairs]
        if len(rows) > 1:
            rows.append(_cells(self.whole))
        near = f"within {self.n_t - 1}"
        columns = [
            Column("coarser"),
            Column("finer"),
            Column("documents", drop_order=1),
            Column("boundaries", key="n_coarse"),
            Column("of finer", key="n_fine"),
            Column("ratio", digits=2),
            Column("contained", key="containment", digits=3),
            Column("chance", digits=3),
            Column("corrected", digits=3),
            Column(f"contained {near}", key="containment_near", digits=3),
            Column(f"chance {near}", key="chance_near", digits=3, drop_order=2),
            Column(f"corrected {near}", key="corrected_near", digits=3),
        ]
        words = [
            "contained: share of the coarser coder's boundaries that the finer coder also has; "
            "chance: that share with the finer coder's boundaries at random positions, "
            f"{self.draws} draws, seed {self.seed}",
            self.reading,
        ]
        return Table(columns, rows, words, "How finely coders cut")


def granularity(
    corpus: CodedBy, n_t: int = 2, *, draws: int | None = None, rng: Seed = 0
) -> Granularity:
    """Find out whether coders differ in how finely they cut, or in where they cut.

    n_t: boundaries within n_t - 1 positions count as the same in the numbers called `near`.
    draws: number of draws for chance; None: 20 to 1000, fewer if there are more pairs of coders.
    rng: random seed of the draws, or a generator.

    >>> import segscore as ss
    >>> masses = {"ann": [8, 8], "bob": [4, 4, 4, 4], "cat": [4, 3, 5, 4]}
    >>> codings = {name: ss.Segmentation.from_masses(m) for name, m in masses.items()}
    >>> found = ss.coders.granularity(ss.Corpus.from_dict({"text": codings}))
    >>> first = found.pairs[0]
    >>> first.coarser, first.finer, first.ratio, first.exact.share, round(first.exact.chance, 1)
    ('ann', 'bob', 3.0, 1.0, 0.2)
    >>> found.reading
    "They differ in how finely they cut, not in where: the finer coder of a pair has 1.8 times as
    many boundaries, and 100% of the coarser one's within 1 (52% by chance)."
    """
    n_t, seed = whole_number(n_t, "n_t", 1), seed_of(rng)
    pairs = CoderPairs.of(corpus)
    pairs.require_pairs("granularity")
    draws = checked_draws(draws, len(pairs.left)) or 2
    sides = _sides(pairs)
    names = [(pairs.coders[i], pairs.coders[j]) for i, j in sides.coders.tolist()]
    n = len(names)
    counts = np.column_stack((
        np.ones(len(sides.pair)), pairs.boundaries[sides.coarse], pairs.boundaries[sides.fine]
    ))  # fmt: skip
    counts = sum_by(sides.pair, counts.astype(np.float64), n)
    matched = np.stack([
        _matched(pairs, sides, BoundaryMatch(within), draws, seed) for within in (0, n_t - 1)
    ])  # fmt: skip
    found = tuple(_of_pair(names[i], counts[i], matched[:, i], n_t) for i in range(n))
    whole = _of_pair(("all", "all"), counts.sum(axis=0), matched.sum(axis=1), n_t)
    return Granularity(found, whole, n_t, draws, seed, pairs.corpus.provenance)


class _CoarseAndFine(NamedTuple):
    """For each pair of codings of a document: the pair of coders, and which coding is the
    coarser."""

    pair: Int64Array
    coders: Int64Array  # (pairs of coders, 2): the coarser coder and the finer one
    coarse: Int64Array
    fine: Int64Array


def _sides(pairs: CoderPairs) -> _CoarseAndFine:
    """Which of two coders is the coarser: the coder with fewer boundaries in the documents that
    both coded; if they have as many, the first by name."""
    n = len(pairs.coders)
    order = by_name(pairs.coders)
    left, right = np.argsort(order)[pairs.coder[np.stack((pairs.left, pairs.right))]]
    lower, higher = np.minimum(left, right), np.maximum(left, right)
    sides = ((pairs.right, pairs.left), (pairs.left, pairs.right))
    of_lower, of_higher = np.where(left > right, *sides)
    keys, pair = np.unique(lower * n + higher, return_inverse=True)
    more = pairs.boundaries[of_lower] - pairs.boundaries[of_higher]
    finer_first = np.bincount(pair, more, len(keys)) > 0
    first, second = keys // n, keys % n
    coders = order[np.where(finer_first, (second, first), (first, second)).T]
    turned = finer_first[pair]
    coarse, fine = np.where(turned, (of_higher, of_lower), (of_lower, of_higher))
    return _CoarseAndFine(pair, coders, coarse, fine)


def _matched(
    pairs: CoderPairs, sides: _CoarseAndFine, metric: BoundaryMatch, draws: int, seed: int
) -> Floats:
    """The matched boundaries of each pair of coders: as coded, and as expected by chance."""
    batch = pairs.batch_of(sides.coarse, sides.fine)
    codings = RandomCodings(pairs.table, "positions", seed, order=pairs.coding_order)
    random = RandomPairs(batch, codings, hyp=sides.fine)
    observed, expected = metric.rows(batch), random.expected(metric.rows, draws)
    both = np.column_stack((observed[:, 0], expected[:, 0]))
    return sum_by(sides.pair, both, len(sides.coders))


def _of_pair(names: tuple[str, str], counts: Floats, matched: Floats, n_t: int) -> PairGranularity:
    """The granularity of two coders, from the sums over their documents."""
    n_documents, n_coarse, n_fine = map(int, counts.tolist())
    shares = ratio(matched, np.full(matched.shape, float(n_coarse)))
    corrected = chance_corrected(shares[:, 0], shares[:, 1]).tolist()
    exact, near = (
        Containment(within, float(shares[i, 0]), float(shares[i, 1]), corrected[i])
        for i, within in enumerate((0, n_t - 1))
    )
    return PairGranularity(*names, n_documents, n_coarse, n_fine, exact, near)


def _cells(pair: PairGranularity) -> list[Any]:
    counts = [pair.coarser, pair.finer, pair.n_documents, pair.n_coarse, pair.n_fine, pair.ratio]
    return [*counts, *pair.exact[1:], *pair.near[1:]]
