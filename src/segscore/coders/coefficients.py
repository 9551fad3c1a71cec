"""Agreement among coders: how far people agree on boundaries.

All coefficients are (A_a - A_e) / (1 - A_e). The observed agreement A_a is the micro-average of a
symmetric similarity (B, or S) over all pairs of coders of all documents. They differ in A_e:

- corrected: A_e is what random coders reach by the same similarity, drawn (see `chance`). Its 0 is
  chance. The next two are as published, with one category per boundary type, its presence. That is
  the chance of exact matches, which random coders exceed by near misses and, under S, by all places
  that both leave empty: their 0 is below chance.
- π (Scott; Fleiss's π* for more than two coders): A_e = Σ_t P(t)², with P(t) the share of potential
  boundaries, over all codings, that hold a boundary of type t: coders are alike.
- κ (Cohen; κ* for more than two): A_e = Σ_t mean over pairs of coders of P(t|m) · P(t|n), each over
  the documents that coder coded, pairs weighted by the potential boundaries they share: each coder
  has habits of their own.
- bias = A_e(π) - A_e(κ) (Artstein & Poesio 2008): how far these habits differ.

Coder names that are local to a document are not joined, so κ and bias then exist per document only.
Intervals: percentile bootstrap over documents; with fewer than 5 documents a jackknife over coders.

Sources: Fournier & Inkpen (2012) §3.5, Fournier (2013) §3.4, Artstein & Poesio (2008). The tables
of the first two count segments instead of boundaries; `segscore.papers` does the same.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from segscore.arguments import Floats, Int64Array, check_choice
from segscore.coders.chance import Chance, ChanceRows, chance_corrected
from segscore.coders.coder_tables import agreement_table
from segscore.coders.pairing import Basis, CoderPairs, Codings
from segscore.coders.random_codings import NULLS, Null, checked_draws
from segscore.coders.sums import Sampling, Tally, one_hot, tally_of
from segscore.corpus import Corpus
from segscore.errors import SegmentationError
from segscore.metrics import BoundarySimilarity, Metric
from segscore.metrics import metric as as_metric
from segscore.metrics.ratios import ratio
from segscore.provenance import PLAIN, Provenance
from segscore.segmentation import BoundaryType, type_order
from segscore.significance.resampling import Interval
from segscore.tables import Table, Tabular
from segscore.tables.pictured import picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes

READING = (
    "Corrected: 0 is what the same coders would reach if only chance decided where their "
    "boundaries stand, 1 is complete agreement, below 0 they agree less than by chance. π* and κ* "
    "are the coefficients as published. Their expected agreement counts exact matches only, so "
    "random coders get more than 0: a little by B, far more by S, which counts each place where "
    "nobody sees a boundary as agreement. No threshold is law: those in use were proposed for "
    "other tasks and other coefficients. Compare with values of the same coefficient and metric "
    "on similar tasks, and mind the interval."
)
_NO_CHANCE = Chance(np.nan, np.nan, np.nan, Interval(np.nan, np.nan, np.nan, "not asked for"))
_CELLS = 1_000_000  # that are multiplied at a time, whatever the number of draws


@dataclass(frozen=True, repr=False)
class Agreement(Tabular):
    """Agreement among the coders of a corpus, a group of documents or one document.

    `pi`, `kappa`, `bias`, `observed`, `expected_pi` and `expected_kappa` are as in the module;
    `ci` is the interval of `pi`, `kappa_ci` that of `kappa`. `chance` is what random coders reach
    under the `null` model (`draws` draws from `seed`, with the standard error `chance_error`),
    `corrected` the coefficient whose 0 that is, with the interval `corrected_ci`; both are NaN
    where `draws` is 0. `basis` says what the numbers rest on, `notes` what to know about them. The
    whole also holds the same for its `groups` and `documents`, and the `corpus` itself.
    """

    name: str
    metric: Metric
    pi: float
    kappa: float
    bias: float
    observed: float
    expected_pi: float
    expected_kappa: float
    ci: Interval
    kappa_ci: Interval
    chance: float
    chance_error: float
    corrected: float
    corrected_ci: Interval
    null: Null
    draws: int
    seed: int
    basis: Basis
    notes: tuple[str, ...] = ()
    documents: Mapping[str, "Agreement"] = field(default_factory=dict, repr=False)
    groups: Mapping[str, "Agreement"] = field(default_factory=dict, repr=False)
    provenance: Provenance = PLAIN
    corpus: Corpus | None = field(default=None, repr=False, compare=False)  # of the whole

    @property
    def observed_signature(self) -> str:
        """What the observed agreement is."""
        return self.metric.signature("micro", self.provenance)

    @property
    def signature(self) -> str:
        """How observed agreement and chance were made, to be cited with the numbers."""
        drawn = f"null:{self.null}|draws:{self.draws}|seed:{self.seed}"
        return f"{self.observed_signature}|{drawn}"

    @property
    def general_reading(self) -> str:
        """How to read such numbers, whatever they are."""
        return READING

    @property
    def reading(self) -> str:
        """How to read the numbers, in plain words."""
        b = self.basis
        return (
            f"Corrected = {self.corrected:.3f}, π = {self.pi:.3f} from {b.n_pairs} pairs of "
            f"{b.n_codings} codings with {b.n_boundaries} boundaries; observed agreement "
            f"{self.observed:.3f}, random coders {self.chance:.3f}. {READING}"
        )

    def to_table(self) -> Table:
        """A row for the whole, for each group and for each document."""
        return agreement_table(self)

    def to_metrics(self, prefix: str = "") -> dict[str, float]:
        """One flat dict of floats, as experiment trackers log them: `b/pi`, `b/pi_low`, `b/kappa`.

        They are those of the whole; `.documents` and `.groups` have such a dict each.
        """
        from segscore.tables.flat_names import flat_numbers

        names = ("observed", "pi", "kappa", "bias", "expected_pi", "expected_kappa")
        numbers = {name: getattr(self, name) for name in names}
        intervals = {"pi": self.ci, "kappa": self.kappa_ci}
        if self.draws:
            numbers |= {"corrected": self.corrected, "chance": self.chance}
            intervals["corrected"] = self.corrected_ci
        for name, one in intervals.items():
            numbers |= {f"{name}_low": one.low, f"{name}_high": one.high}
        numbers |= {"pairs": self.basis.n_pairs, "codings": self.basis.n_codings}
        listed = [((str(self.metric), name), value) for name, value in numbers.items()]
        return flat_numbers(listed, prefix)

    def plot(self, *, ax: "Axes | None" = None) -> "Axes":
        """Draw π with its interval by document and group: `segscore.plot.intervals`."""
        return picture("intervals", self, ax=ax)


def agreement(
    corpus: Codings,
    metric: str | Metric | None = None,
    *,
    null: Null = "positions",
    draws: int | None = None,
    level: float = 0.95,
    n_resamples: int = 10_000,
    seed: int = 0,
) -> Agreement:
    """Agreement among coders over a similarity of boundaries (default: B): corrected, π and κ.

    null: what random coders keep: each their number of boundaries ("positions"), or the lengths of
        their segments ("lengths", stricter). Documents, candidates, types and the order
        of segment labels stay as they are.
    draws: number of draws; None: 20 to 1000, fewer if there are more pairs of coders;
        0: not at all, for π and κ alone.

    >>> import segscore as ss
    >>> from segscore.sample_codings import STARGAZER
    >>> people = {name: ss.Segmentation.from_masses(masses) for name, masses in STARGAZER.items()}
    >>> sums = ss.agreement(ss.Corpus.from_dict({"Stargazers": people}))
    >>> round(sums.pi, 4), round(sums.kappa, 4), round(sums.observed, 4), sums.basis.n_pairs
    (0.4644, 0.4653, 0.5301, 21)
    >>> round(sums.chance, 2), round(sums.corrected, 2), sums.draws
    (0.33, 0.3, 1000)
    >>> round(ss.agreement(ss.Corpus.from_dict({"Stargazers": people}), "s").pi, 4)
    0.7287
    """
    pairs = CoderPairs.of(corpus)
    pairs.require_pairs("agreement")
    check_choice(null, "null", NULLS)
    draws = checked_draws(draws, len(pairs.left))
    sums = AgreementRows.of(pairs, similarity(metric))
    how = Sampling(level, n_resamples, seed)
    chance = ChanceRows.of(pairs, sums.metric, null, draws, seed) if draws else None

    def one(rows: AgreementRows, name: str, chosen: Int64Array) -> Agreement:
        found = _NO_CHANCE if chance is None else chance.chance(chosen, how)
        return rows.agreement(name, chosen, how, found, null=null, draws=draws, seed=seed)

    documents = {
        name: one(sums.apart, name, np.array([index])) for index, name in enumerate(pairs.documents)
    }
    groups = {
        group: one(sums, group, _indices(pairs, names))
        for group, names in pairs.corpus.groups.items()
    }
    whole = one(sums, "all", np.arange(len(pairs.documents)))
    notes = (*pairs.remarks(), *whole.notes)
    more = {"notes": notes, "documents": documents, "groups": groups, "corpus": pairs.corpus}
    return Agreement(**{**_fields(whole), **more})


def _fields(given: Agreement) -> dict[str, Any]:
    return {name: getattr(given, name) for name in given.__dataclass_fields__}


def _indices(pairs: CoderPairs, names: tuple[str, ...]) -> Int64Array:
    return np.array([pairs.documents.index(name) for name in names], np.int64)


def similarity(given: str | Metric | None) -> Metric:
    """The metric to observe agreement by (default: B); refuse what is no symmetric similarity."""
    found = BoundarySimilarity() if given is None else as_metric(given)
    if not found.symmetric or not found.higher_is_better or found.many_references:
        raise SegmentationError(
            f"{found.name} cannot be the observed agreement: expected a symmetric similarity such "
            "as b or s; segscore.pairwise averages any metric over pairs of coders"
        )
    return found


# ---- rows that add up ----


@dataclass(frozen=True)
class AgreementRows:
    """The sums behind agreement, and the values of such sums.

    Columns: the metric's statistics over pairs; for each coder the boundaries of each type and the
    potential boundaries; for each pair of coders that occurs, the potential boundaries they share.
    """

    metric: Metric
    tally: Tally
    pair_rows: Any  # sparse
    coding_rows: Any
    pair_statistics: Floats
    counts: "CodingCounts"
    types: tuple[BoundaryType | None, ...]
    n_coders: int
    first: Int64Array  # coders of the pairs
    second: Int64Array

    @classmethod
    def of(
        cls, pairs: CoderPairs, metric: Metric, counts: "CodingCounts | None" = None
    ) -> "AgreementRows":
        """Score all pairs; `counts` gives what is counted per coding (default: boundaries)."""
        coders = pairs.slot if pairs.local else pairs.coder
        statistics = pairs.statistics(metric)
        return cls._laid_out(pairs, metric, statistics, coders, counts or boundary_counts)

    @classmethod
    def _laid_out(
        cls,
        pairs: CoderPairs,
        metric: Metric,
        statistics: Floats,
        coders: Int64Array,
        counts: "CodingCounts",
    ) -> "AgreementRows":
        types = boundary_types(pairs)
        n_coders = int(coders.max()) + 1
        joined = np.stack([coders[pairs.left], coders[pairs.right]])
        joined.sort(axis=0)
        found, place = np.unique(joined, axis=1, return_inverse=True)
        block = len(types) + 1
        start = statistics.shape[1]
        width = start + n_coders * block + found.shape[1]
        of_pairs = one_hot(
            [*np.broadcast_to(np.arange(start)[:, None], (start, len(statistics))),
             start + n_coders * block + place.reshape(-1)],
            [*statistics.T, pairs.places[pairs.left].astype(np.float64)],
            width,
        )  # fmt: skip
        counted = np.column_stack([counts(pairs, types), pairs.places])
        of_codings = one_hot(
            [start + coders * block + t for t in range(block)], list(counted.T), width
        )
        tally = tally_of(pairs, of_pairs, of_codings)
        return cls(metric, tally, of_pairs, of_codings, statistics, counts, types, n_coders, *found)

    @cached_property
    def apart(self) -> "AgreementRows":
        """The same with coders numbered within each document.

        That is all that documents by themselves need, and π, which does not tell coders apart; and
        it takes far fewer columns than all coders of a large corpus.
        """
        pairs = self.tally.pairs
        return self._laid_out(pairs, self.metric, self.pair_statistics, pairs.slot, self.counts)

    def among(self, coders: Collection[int]) -> Floats:
        """The sum over all documents of what these coders did, as a table of one row."""
        pairs = self.tally.pairs
        chosen = np.isin(pairs.coder, list(coders))
        within = chosen[pairs.left] & chosen[pairs.right]
        sums = self.pair_rows[within].sum(axis=0) + self.coding_rows[chosen].sum(axis=0)
        return np.asarray(sums).reshape(1, -1)

    # ---- values ----

    def observed(self, rows: Floats) -> Floats:
        """A_a: the micro-average over pairs; NaN where there is no pair."""
        values = self.metric.values(rows[:, : self.pair_statistics.shape[1]])
        return np.where(self._shared(rows).sum(axis=1) > 0, values, np.nan)

    def expected_pi(self, rows: Floats) -> Floats:
        """Σ_t P(t)²."""
        boundaries, places = self._counts(rows)
        shares = ratio(boundaries.sum(axis=1), places.sum(axis=1)[:, np.newaxis])
        return np.asarray((shares**2).sum(axis=1))

    def expected_kappa(self, rows: Floats) -> Floats:
        """Σ_t mean over pairs of coders of P(t|m) · P(t|n)."""
        step = max(1, _CELLS // max(1, len(self.first) * len(self.types)))
        parts = range(0, max(1, len(rows)), step)
        return np.concatenate([self._expected_kappa(rows[i : i + step]) for i in parts])

    def _expected_kappa(self, rows: Floats) -> Floats:
        boundaries, places = self._counts(rows)
        shares = np.nan_to_num(ratio(boundaries, places[:, :, np.newaxis]))
        both = (shares[:, self.first] * shares[:, self.second]).sum(axis=2)
        weights = self._shared(rows)
        return ratio((weights * both).sum(axis=1), weights.sum(axis=1))

    def pi(self, rows: Floats) -> Floats:
        """Scott's π or Fleiss's π*."""
        return chance_corrected(self.observed(rows), self.expected_pi(rows))

    def kappa(self, rows: Floats) -> Floats:
        """Cohen's κ, or κ* for more than two coders."""
        return chance_corrected(self.observed(rows), self.expected_kappa(rows))

    def _counts(self, rows: Floats) -> tuple[Floats, Floats]:
        """Boundaries (row, coder, type) and potential boundaries (row, coder)."""
        start, block = self.pair_statistics.shape[1], len(self.types) + 1
        cells = rows[:, start : start + self.n_coders * block]
        cells = cells.reshape(len(rows), self.n_coders, block)
        return cells[:, :, :-1], cells[:, :, -1]

    def _shared(self, rows: Floats) -> Floats:
        """Potential boundaries that pairs of coders share."""
        return rows[:, rows.shape[1] - len(self.first) :]

    # ---- results ----

    def agreement(
        self, name: str, documents: Int64Array, how: Sampling, chance: Chance, **drawn: Any
    ) -> Agreement:
        """Everything about these documents; κ only where their coders may be joined."""
        total = self.tally.total(documents)
        kappa, expected_kappa = self.kappa(total)[0], self.expected_kappa(total)[0]
        expected_pi = self.expected_pi(total)[0]
        kappa_ci: Interval | None = None
        if self.tally.pairs.local and len(documents) > 1:
            kappa = expected_kappa = np.nan
            why = "no interval: coder names are local, and κ exists for each document by itself"
            kappa_ci = Interval(np.nan, np.nan, how.level, why)
        basis = self.tally.pairs.basis(documents)
        return Agreement(
            name,
            self.metric,
            pi=float(self.pi(total)[0]),
            kappa=float(kappa),
            bias=float(expected_pi - expected_kappa),
            observed=float(self.observed(total)[0]),
            expected_pi=float(expected_pi),
            expected_kappa=float(expected_kappa),
            ci=self.apart.tally.interval(self.apart.pi, self.apart.expected_pi, documents, how),
            kappa_ci=kappa_ci
            or self.tally.interval(self.kappa, self.expected_kappa, documents, how),
            chance=chance.expected,
            chance_error=chance.error,
            corrected=chance.corrected,
            corrected_ci=chance.ci,
            **drawn,
            basis=basis,
            notes=_notes(basis, float(expected_pi), chance),
            provenance=self.tally.pairs.corpus.provenance,
        )


def _notes(basis: Basis, expected: float, chance: Chance) -> tuple[str, ...]:
    said = []
    if not basis.n_boundaries:
        said.append("nobody placed a boundary: agreement is complete, but no boundary supports it")
    elif expected == 1:
        said.append("everybody placed every boundary: chance explains all, and there is no value")
    if chance.why:
        said.append(f"no corrected value: {chance.why}")
    return tuple(said)


CodingCounts = Callable[[CoderPairs, tuple[BoundaryType | None, ...]], Floats]


def boundary_types(pairs: CoderPairs) -> tuple[BoundaryType | None, ...]:
    """The categories: the types that occur, or None alone for boundaries without types."""
    found = {
        name for one in pairs.segmentations if one.types for kinds in one.types for name in kinds
    }
    return tuple(sorted(found, key=type_order)) or (None,)


def boundary_counts(pairs: CoderPairs, types: tuple[BoundaryType | None, ...]) -> Floats:
    """Boundaries of each type in each coding."""
    if types == (None,):
        return pairs.boundaries[:, np.newaxis].astype(np.float64)
    counts = np.zeros((len(pairs.segmentations), len(types)))
    column = {name: index for index, name in enumerate(types)}
    for row, one in enumerate(pairs.segmentations):
        for kinds in one.types or ():
            for name in kinds:
                counts[row, column[name]] += 1
    return counts


Coefficient = Literal["pi", "kappa"]
