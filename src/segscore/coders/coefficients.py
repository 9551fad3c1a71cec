"""Agreement among coders: how far people agree on boundaries, beyond what chance would give.

All coefficients are (A_a - A_e) / (1 - A_e). The observed agreement A_a is the micro-average of a
symmetric similarity (B, or S) over all pairs of coders of all documents. The expected one has one
category per boundary type, its presence:

- π (Scott; Fleiss's π* for more than two coders): A_e = Σ_t P(t)², with P(t) the share of potential
  boundaries, over all codings, that hold a boundary of type t: coders are alike.
- κ (Cohen; κ* for more than two): A_e = Σ_t mean over pairs of coders of P(t|m) · P(t|n), each over
  the documents that coder coded, pairs weighted by the potential boundaries they share: each coder
  has habits of his own.
- bias = A_e(π) - A_e(κ) (Artstein & Poesio 2008): how far these habits differ.

Coder names that are local to a document are not joined, so κ and bias then exist per document only.
Intervals: percentile bootstrap over documents; with fewer than 5 documents a jackknife over coders.

Sources: Fournier & Inkpen (2012) §3.5, Fournier (2013) §3.4, Artstein & Poesio (2008). The tables
of the first two count segments where boundaries are due; `segscore.papers` re-enacts that.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import numpy as np

from segscore.arguments import Floats, Int64Array
from segscore.coders.coder_tables import agreement_table
from segscore.coders.pairing import Basis, CoderPairs, Codings
from segscore.coders.sums import Sampling, Tally, one_hot, tally_of
from segscore.errors import SegmentationError
from segscore.metrics import BoundarySimilarity, Metric
from segscore.metrics import metric as as_metric
from segscore.metrics.ratios import ratio
from segscore.provenance import PLAIN, Provenance
from segscore.segmentation import BoundaryType
from segscore.significance.resampling import Interval
from segscore.tables import Table, Tabular

READING = (
    "0 is what coders would reach who place as many boundaries at random, 1 is complete agreement, "
    "and below 0 they agree less than by chance. No threshold is law: those in use were proposed "
    "for other tasks and other coefficients, and values that rest on S, which counts every place "
    "where nobody sees a boundary as agreement, are far higher than those that rest on B. Compare "
    "with values of the same coefficient and metric on similar tasks, and mind the interval."
)
_CELLS = 1_000_000  # that are multiplied at a time, whatever the number of draws


@dataclass(frozen=True, repr=False)
class Agreement(Tabular):
    """Agreement among the coders of a corpus, a group of documents or one document.

    `pi`, `kappa`, `bias`, `observed`, `expected_pi` and `expected_kappa` are as in the module;
    `ci` is the interval of `pi`, `kappa_ci` that of `kappa`. `basis` says what they rest on,
    `notes` what to know about it. The whole also holds the same for its `groups` and `documents`.
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
    basis: Basis
    notes: tuple[str, ...] = ()
    documents: Mapping[str, "Agreement"] = field(default_factory=dict, repr=False)
    groups: Mapping[str, "Agreement"] = field(default_factory=dict, repr=False)
    provenance: Provenance = PLAIN

    @property
    def signature(self) -> str:
        """What the observed agreement is, to be cited with the numbers."""
        return self.metric.signature(provenance=self.provenance)

    @property
    def general_reading(self) -> str:
        """How to read such numbers, whatever they are."""
        return READING

    @property
    def reading(self) -> str:
        """How to read the numbers, in plain words."""
        b = self.basis
        return (
            f"π = {self.pi:.3f} from {b.n_pairs} pairs of {b.n_codings} codings with "
            f"{b.n_boundaries} boundaries. {READING}"
        )

    def to_table(self) -> Table:
        """A row for the whole, for each group and for each document."""
        return agreement_table(self)


def agreement(
    corpus: Codings,
    metric: str | Metric | None = None,
    *,
    level: float = 0.95,
    n_resamples: int = 10_000,
    seed: int = 0,
) -> Agreement:
    """Agreement among coders by π and κ, over a similarity of boundaries (default: B).

    >>> import segscore as ss
    >>> from segscore.sample_codings import STARGAZER
    >>> people = {name: ss.Segmentation.from_masses(masses) for name, masses in STARGAZER.items()}
    >>> made = ss.agreement(ss.Corpus.from_dict({"Stargazers": people}))
    >>> round(made.pi, 4), round(made.kappa, 4), round(made.observed, 4), made.basis.n_pairs
    (0.4644, 0.4653, 0.5301, 21)
    >>> round(ss.agreement(ss.Corpus.from_dict({"Stargazers": people}), "s").pi, 4)
    0.7287
    """
    pairs = CoderPairs.of(corpus)
    pairs.require_pairs("agreement")
    made = AgreementRows.of(pairs, similarity(metric))
    how = Sampling(level, n_resamples, seed)
    documents = {
        name: made.apart.agreement(name, np.array([index]), how)
        for index, name in enumerate(pairs.documents)
    }
    groups = {
        group: made.agreement(group, _indices(pairs, names), how)
        for group, names in pairs.corpus.groups.items()
    }
    whole = made.agreement("all", np.arange(len(pairs.documents)), how)
    notes = (*pairs.remarks(), *whole.notes)
    return Agreement(**{**_fields(whole), "notes": notes, "documents": documents, "groups": groups})


def _fields(made: Agreement) -> dict[str, Any]:
    return {name: getattr(made, name) for name in made.__dataclass_fields__}


def _indices(pairs: CoderPairs, names: tuple[str, ...]) -> Int64Array:
    return np.array([pairs.documents.index(name) for name in names], np.int64)


def similarity(given: str | Metric | None) -> Metric:
    """The metric to observe agreement by (default: B); refuse what is no symmetric similarity."""
    made = BoundarySimilarity() if given is None else as_metric(given)
    if not made.symmetric or not made.higher_is_better or made.many_references:
        raise SegmentationError(
            f"{made.name} cannot be the observed agreement: expected a symmetric similarity such "
            "as b or s; segscore.pairwise averages any metric over pairs of coders"
        )
    return made


def chance_corrected(observed: Floats, expected: Floats) -> Floats:
    """(A_a - A_e) / (1 - A_e); NaN where chance alone would agree completely."""
    return ratio(observed - expected, 1 - expected)


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

    def agreement(self, name: str, documents: Int64Array, how: Sampling) -> Agreement:
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
            ci=self.apart.tally.interval(self.apart.pi, documents, how),
            kappa_ci=kappa_ci or self.tally.interval(self.kappa, documents, how),
            basis=basis,
            notes=_notes(basis, float(expected_pi)),
            provenance=self.tally.pairs.corpus.provenance,
        )


def _notes(basis: Basis, expected: float) -> tuple[str, ...]:
    if not basis.n_boundaries:
        return ("nobody placed a boundary: agreement is complete, and rests on nothing",)
    if expected == 1:
        return ("everybody placed every boundary: chance explains all, and there is no value",)
    return ()


CodingCounts = Callable[[CoderPairs, tuple[BoundaryType | None, ...]], Floats]


def boundary_types(pairs: CoderPairs) -> tuple[BoundaryType | None, ...]:
    """The categories: the types that occur, or None alone for boundaries without types."""
    found = {
        name for one in pairs.segmentations if one.types for kinds in one.types for name in kinds
    }
    return tuple(sorted(found, key=lambda name: (isinstance(name, str), name))) or (None,)


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
