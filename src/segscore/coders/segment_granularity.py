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
from typing import NamedTuple

import numpy as np

from segscore.basics.arguments import Floats, Int64Array, Seed, seed_of, whole_number
from segscore.coders.coder_pairs import CodedBy, CoderPairs
from segscore.coders.random_codings import RandomCodings, RandomPairs, checked_draws
from segscore.coders.sums import chance_corrected, sum_by
from segscore.corpus.provenance import PLAIN, Provenance
from segscore.metrics.matching import BoundaryMatch
from segscore.metrics.ratios import ratio
from segscore.significance.drawing import by_name
from segscore.tables import Table, Tabular, columns

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
        pairs = [*self.pairs, *([self.whole] if len(self.pairs) > 1 else [])]
        rows = [
            [one.coarser, one.finer, one.n_documents, one.n_coarse, one.n_fine, one.ratio,
             *one.exact[1:], *one.near[1:]]
            for one in pairs
        ]  # fmt: skip
        near = f"within_{self.n_t - 1}"
        shown = [
            *columns("coarser finer"),
            *columns("documents", drop_order=1),
            *columns("boundaries=n_coarse of_finer=n_fine"),
            *columns("ratio", digits=2),
            *columns("contained=containment chance corrected", digits=3),
            *columns(f"contained_{near}=containment_near", digits=3),
            *columns(f"chance_{near}=chance_near", digits=3, drop_order=2),
            *columns(f"corrected_{near}=corrected_near", digits=3),
        ]
        words = [
            "contained: share of the coarser coder's boundaries that the finer coder also has; "
            "chance: that share with the finer coder's boundaries at random positions, "
            f"{self.draws} draws, seed {self.seed}",
            self.reading,
        ]
        return Table(shown, rows, words, "How finely coders cut")


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
    pair, sides, coarse, fine = _sides(pairs)
    n = len(sides)
    ones = np.ones(len(pair))
    counts = np.column_stack((ones, pairs.boundaries[coarse], pairs.boundaries[fine]))
    counts = sum_by(pair, counts.astype(np.float64), n)
    batch = pairs.batch_of(coarse, fine)
    codings = RandomCodings(pairs.table, "positions", seed, order=pairs.coding_order)
    random = RandomPairs(batch, codings, hyp=fine)

    def matched(metric: BoundaryMatch) -> Floats:
        """The matched boundaries of each pair of coders: as coded, and as expected by chance."""
        observed, expected = metric.rows(batch), random.expected(metric.rows, draws)
        return sum_by(pair, np.column_stack((observed[:, 0], expected[:, 0])), n)

    both = np.stack([matched(BoundaryMatch(within)) for within in (0, n_t - 1)])
    found = tuple(
        _of_pair((pairs.coders[i], pairs.coders[j]), counts[row], both[:, row], n_t)
        for row, (i, j) in enumerate(sides.tolist())
    )
    whole = _of_pair(("all", "all"), counts.sum(axis=0), both.sum(axis=1), n_t)
    return Granularity(found, whole, n_t, draws, seed, pairs.corpus.provenance)


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
