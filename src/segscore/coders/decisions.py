"""Agreement on decisions: at each potential boundary, each coder decides yes or no.

Near misses get no credit here, but these are the coefficients that other fields report:

- Fleiss's κ for two categories; documents with more coders weigh more, as their pairs do
  (Kazantseva & Szpakowicz 2012, eq. 1-3);
- Krippendorff's α for nominal data;
- percentage agreement with the majority (Passonneau & Litman 1993; Hearst 1997): the share of
  decisions that are those of more than half of the document's coders; a tie is no boundary.

Documents with one coder are left out of all three, and so out of what chance would agree on.
`count_end=True` adds the end of each document as a boundary on which everyone agrees, which is how
the values of Kazantseva & Szpakowicz come out; it raises agreement, the more so in short documents.
"""

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import Any

import numpy as np

from segscore.basics.arguments import Floats, Int64Array, Seed, seed_of
from segscore.coders.coder_pairs import Basis, CodedBy, CoderPairs
from segscore.coders.sums import (
    Cells,
    Estimator,
    Sampling,
    chance_corrected,
    intervals,
    parts_table,
    summed,
    with_interval,
)
from segscore.metrics import BoundaryMatch
from segscore.metrics.ratios import ratio
from segscore.significance.resampling import Interval, Value
from segscore.tables import Column, Table, Tabular, columns

BEYOND_CHANCE = (
    "0 is what coders would reach if they placed as many boundaries at random, 1 is complete "
    "agreement. A boundary one position off counts as no agreement at all, so values are low "
    "wherever there are many positions. No threshold is universally accepted; compare with similar "
    "tasks, and mind the interval."
)
WITH_MAJORITY = (
    "It is not corrected for chance: where boundaries are few, coders who place none at all agree "
    "with the majority nearly everywhere."
)


@dataclass(eq=False, repr=False)
class DecisionAgreement(Tabular, float):
    """A coefficient as a float, with its interval `ci` and the `basis` behind it; `value` is the
    number as a plain float.

    `documents` and `groups` hold the coefficient of each document and group; `notes` and `reading`
    are for people. `print` and notebooks show the table; `repr`, format strings and arithmetic use
    the number.
    """

    value: float
    _: KW_ONLY
    coefficient: str
    name: str
    ci: Interval
    basis: Basis
    reading: str
    count_end: bool = False
    notes: tuple[str, ...] = ()
    documents: Mapping[str, "DecisionAgreement"] = field(default_factory=dict)
    groups: Mapping[str, "DecisionAgreement"] = field(default_factory=dict)

    def __new__(cls, value: float, **_: Any) -> "DecisionAgreement":
        return float.__new__(cls, value)

    def to_table(self) -> Table:
        """A row for the whole, for each group and for each document."""
        shown = [Column(self.coefficient, key="value", digits=3)]
        return parts_table(
            self, lambda part: {"value": with_interval(part.value, part.ci)}, shown, None,
            coefficient=self.coefficient,
        )  # fmt: skip

    def __repr__(self) -> str:
        return float.__repr__(self)

    def __format__(self, form: str) -> str:
        return format(float(self), form)


Decided = Mapping[str, DecisionAgreement]


def decided(codings: CodedBy, **sampling: Any) -> Decided:
    """Fleiss's κ, Krippendorff's α and agreement with the majority, by the names of columns."""
    return {
        "kappa": fleiss_kappa(codings, **sampling),
        "alpha": krippendorff_alpha(codings, **sampling),
        "majority": percentage_agreement(codings, **sampling),
    }


def decisions_table(found: Decided) -> Table:
    """The three coefficients side by side."""
    kappa = found["kappa"]
    shown = columns("Fleiss's_κ=kappa Krippendorff's_α=alpha with_majority=majority", digits=3)
    title = "Agreement on boundary or not at each position" + ", ends counted" * kappa.count_end
    return parts_table(kappa, lambda _: {}, shown, title, others=found)


def fleiss_kappa(
    corpus: CodedBy,
    *,
    count_end: bool = False,
    level: float = 0.95,
    n_resamples: int = 10_000,
    rng: Seed = 0,
) -> DecisionAgreement:
    """Compute Fleiss's κ on boundary decisions; NaN where all decisions are the same.

    >>> import segscore as ss
    >>> codings = {c: ss.Segmentation.from_gaps(g) for c, g in {"a": "0100", "b": "0101"}.items()}
    >>> corpus = ss.Corpus.from_dict({"d": codings})
    >>> round(ss.coders.fleiss_kappa(corpus), 4)
    0.4667
    >>> round(ss.coders.fleiss_kappa(corpus, count_end=True), 4)
    0.6
    """

    def row(sums: Floats) -> Floats:
        """The decisions on which pairs agree, all decisions of pairs, boundaries, and all
        decisions; nothing of a document with one coder."""
        return np.where(sums[:, 5:] > 1, np.take(sums, [0, 1, 3, 4], axis=1), 0.0)

    def expected(rows: Floats) -> Floats:
        share = ratio(rows[:, 2], rows[:, 3])
        return np.asarray(share**2 + (1 - share) ** 2)

    def value(rows: Floats) -> Floats:
        return chance_corrected(ratio(rows[:, 0], rows[:, 1]), expected(rows))

    pairs = CoderPairs.of(corpus)
    pairs.require_pairs("Fleiss's κ")
    estimator = _decision_sums(pairs, count_end, value, expected, row)
    how = Sampling(level, n_resamples, seed_of(rng))
    return _coefficient("Fleiss's κ", estimator, how, BEYOND_CHANCE, count_end)


def krippendorff_alpha(
    corpus: CodedBy,
    *,
    count_end: bool = False,
    level: float = 0.95,
    n_resamples: int = 10_000,
    rng: Seed = 0,
) -> DecisionAgreement:
    """Compute Krippendorff's α (nominal) on boundary decisions; NaN where all decisions are the
    same.

    >>> import segscore as ss
    >>> codings = {c: ss.Segmentation.from_gaps(g) for c, g in {"a": "0100", "b": "0101"}.items()}
    >>> round(ss.coders.krippendorff_alpha(ss.Corpus.from_dict({"d": codings})), 4)
    0.5333
    """
    how = Sampling(level, n_resamples, seed_of(rng))
    return alpha_of(alpha_sums(CoderPairs.of(corpus), count_end), how, count_end)


def alpha_of(
    estimator: Estimator, how: Sampling, count_end: bool, ci: Interval | None = None
) -> DecisionAgreement:
    """Krippendorff's α of its `alpha_sums`; `ci` is the interval of all documents, if it is
    known."""
    return _coefficient("Krippendorff's α", estimator, how, BEYOND_CHANCE, count_end, ci)


def alpha_sums(pairs: CoderPairs, count_end: bool) -> Estimator:
    """Krippendorff's α as a value of sums."""
    pairs.require_pairs("Krippendorff's α")

    def row(sums: Floats) -> Floats:
        """The disagreements per further coder, boundaries and decisions, if there are two
        coders."""
        _, _, disagreed, ones, decisions, coders = sums.T
        rows = np.column_stack([2 * disagreed / np.maximum(coders - 1, 1), ones, decisions])
        return np.where(coders[:, np.newaxis] > 1, rows, 0.0)

    def value(rows: Floats) -> Floats:
        disagreed, ones, decisions = rows.T
        return 1 - ratio((decisions - 1) * disagreed, 2 * ones * (decisions - ones))

    def expected(rows: Floats) -> Floats:
        _, ones, decisions = rows.T
        return 1 - ratio(2 * ones * (decisions - ones), decisions * (decisions - 1))

    return _decision_sums(pairs, count_end, value, expected, row)


def percentage_agreement(
    corpus: CodedBy, *, level: float = 0.95, n_resamples: int = 10_000, rng: Seed = 0
) -> DecisionAgreement:
    """The share of decisions that agree with the majority of the document's coders.

    This is agreement *with the majority*, as in Hearst (1997) and Passonneau & Litman (1993), not
    the share of pairs of coders who agree, which others call percentage agreement. A decision is
    yes or no at one position; a tie counts as no boundary. The value is not corrected for chance,
    and mostly counts positions where nobody marks a boundary.

    >>> import segscore as ss
    >>> gaps = {"a": "0100", "b": "0101", "c": "0010"}
    >>> codings = {coder: ss.Segmentation.from_gaps(text) for coder, text in gaps.items()}
    >>> found = ss.coders.percentage_agreement(ss.Corpus.from_dict({"d": codings}))
    >>> found.value, found.basis.n_boundaries
    (0.75, 4)
    """
    name = "agreement with the majority"
    pairs = CoderPairs.of(corpus)
    pairs.require_pairs(name)
    how = Sampling(level, n_resamples, seed_of(rng))
    return _coefficient(name, majority_sums(pairs), how, WITH_MAJORITY)


# ---- what they share ----


def _decision_sums(
    pairs: CoderPairs, count_end: bool, value: Value, expected: Value, row: Value
) -> Estimator:
    """`row` makes a document's row from its sums: the decisions on which pairs agree, all decisions
    of pairs, those on which they disagree; the boundaries of codings, all their decisions, and the
    number of codings."""
    end = int(count_end)
    _, fp, fn = pairs.statistics(BoundaryMatch()).T
    places = (pairs.places[pairs.left] + end).astype(np.float64)
    agreed = places - fp - fn
    of_pairs = np.array([agreed, places, places - agreed])
    once = np.ones(len(pairs.coder))
    of_codings = np.array([pairs.boundaries + end, pairs.places + end, once], np.float64)
    cells = Cells.side_by_side(of_pairs, 0, 6), Cells.side_by_side(of_codings, 3, 6)
    return summed(pairs, *cells, value, expected, row)


def majority_sums(pairs: CoderPairs) -> Estimator:
    """The decisions that agree with the majority, and all decisions, for documents with at least
    two coders.

    A majority is not a sum over pairs, so the rows are counted from positions. Only marked
    positions are counted, because everyone agrees at all others.
    """
    n = len(pairs.documents)
    coders = np.bincount(pairs.document, minlength=n)
    places = np.zeros(n, np.int64)
    places[pairs.document] = pairs.places
    coding = np.repeat(np.arange(len(pairs.coder)), pairs.boundaries)
    named = np.stack([pairs.document[coding], pairs.table.positions])
    found, place = np.unique(named, axis=1, return_inverse=True)
    where, place = found[0], place.reshape(-1)
    votes = np.bincount(place, minlength=len(where))
    rows = _with_majority(where, votes, coders, places)

    def changes() -> Floats:
        document = pairs.document
        marked = np.bincount(where, minlength=n)  # positions of each document
        first = np.cumsum(marked) - marked
        sizes = marked[document]
        owner = np.repeat(np.arange(len(document)), sizes)  # each coding sees all of them
        start = np.cumsum(sizes) - sizes
        seen = np.arange(len(owner)) - start[owner] + first[document[owner]]
        left = votes[seen]
        left[start[coding] + place - first[document[coding]]] -= 1
        without = _with_majority(owner, left, coders[document] - 1, places[document])
        return without - rows[document]

    def value(sums: Floats) -> Floats:
        return ratio(sums[:, 0], sums[:, 1])

    def not_corrected(sums: Floats) -> Floats:
        return np.zeros(len(sums))

    return Estimator(pairs, rows, value, not_corrected, changes)


def _with_majority(
    where: Int64Array, votes: Int64Array, coders: Int64Array, places: Int64Array
) -> Floats:
    """The rows, from the votes at marked positions; `where` is the row of each position. Where
    nobody voted yes, everyone votes no."""
    n = coders[where]
    agreed = np.where(2 * votes > n, votes, n - votes).astype(np.float64)
    marked = np.bincount(where, minlength=len(coders))
    sums = np.bincount(where, agreed, minlength=len(coders)) + (places - marked) * coders
    rows = np.column_stack([sums, (places * coders).astype(np.float64)])
    return np.where(coders[:, np.newaxis] > 1, rows, 0.0)


def _coefficient(
    coefficient: str,
    estimator: Estimator,
    how: Sampling,
    reading: str,
    count_end: bool = False,
    known: Interval | None = None,
) -> DecisionAgreement:
    """The coefficient of the corpus, its groups and its documents; `known` is the interval of the
    corpus, if it was already computed."""
    pairs = estimator.pairs
    name_of_it = coefficient + " with document ends" * count_end
    of_documents = estimator.value(estimator.rows)

    def result(
        name: str, number: float, ci: Interval, basis: Basis, **more: Any
    ) -> DecisionAgreement:
        words = (
            f"{name_of_it} = {number:.3f} from {basis.n_codings} codings with "
            f"{basis.n_boundaries} boundaries. {reading}"
        )
        return DecisionAgreement(
            number, coefficient=name_of_it, name=name, ci=ci, basis=basis, reading=words,
            count_end=count_end, **more,
        )  # fmt: skip

    def together(
        name: str, chosen: Int64Array, ci: Interval | None = None, **more: Any
    ) -> DecisionAgreement:
        number = float(estimator.value(estimator.total(chosen))[0])
        ci = ci or intervals([estimator], chosen, how)[0]
        return result(name, number, ci, pairs.basis(chosen), **more)

    def document(index: int) -> DecisionAgreement:
        number, ci = float(of_documents[index]), estimator.of_document(index, how)
        return result(pairs.documents[index], number, ci, pairs.document_basis(index))

    every, parts = np.arange(len(pairs.documents)), pairs.parts(together, document)
    return together("all", every, known, notes=pairs.remarks(), **parts)
