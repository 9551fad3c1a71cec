"""Agreement among coders: how well people agree on boundaries.

All coefficients are (A_a - A_e) / (1 - A_e). The observed agreement A_a is the micro-average of a
symmetric similarity (B, or S) over all pairs of coders of all documents. They differ in A_e:

- corrected: A_e is what random coders reach by the same similarity, drawn (see `agreement_sums`).
  Its 0 is chance. The next two are as published, with one category per boundary type, its presence.
  That is the chance of exact matches, which random coders exceed by near misses and, under S, by
  all places that both leave empty: their 0 is below chance.
- π (Scott; Fleiss's π* for more than two coders): A_e = Σ_t P(t)², with P(t) the share of potential
  boundaries, over all codings, that hold a boundary of type t: coders are alike.
- κ (Cohen; κ* for more than two): A_e = Σ_t mean over pairs of coders of P(t|m) · P(t|n), each over
  the documents that the coder coded, with pairs weighted by the potential boundaries they share:
  each coder has habits of their own.
- bias = A_e(π) - A_e(κ) (Artstein & Poesio 2008): how far these habits differ.

Coder names that are local to a document are not joined, so κ and bias then exist per document only.
Intervals: expanded percentile bootstrap over documents; with fewer than 5 of them a jackknife over
coders.

Sources: Fournier & Inkpen (2012) §3.5, Fournier (2013) §3.4, Artstein & Poesio (2008). The tables
of the first two count segments instead of boundaries; `reproduction` beside `src` does the same.


`TABLES` are those of `segscore agree`: how well coders agree, with whom, and where."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from segscore.basics import arguments
from segscore.basics.arguments import Floats, Int64Array, Seed, check_choice, seed_of
from segscore.coders import agreement_summary, estimators, gold, habits, nominal, pairwise_values
from segscore.coders.coder_pairs import NULLS, Basis, CodedBy, CoderPairs, Null, consensus_note
from segscore.coders.differences import Deviation, human_competitiveness, who_deviates
from segscore.coders.estimators import Coefficient, Estimator, Sampling, Unfinished
from segscore.coders.places import USUAL_NUMBER, contested, edit_totals, side_by_side
from segscore.corpus import PLAIN, Corpus, Provenance
from segscore.errors import SegmentationError, nearest
from segscore.metrics import Hierarchical, LMeasure, Metric, TMeasure
from segscore.metrics import metric as as_metric
from segscore.significance.resampling import Interval
from segscore.tables import Column, Table, Tabular, columns
from segscore.tables.tabular import MOST_ROWS, flat_numbers, picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes


READING = (
    "Corrected: 0 is what the same coders would reach if only chance decided where their "
    "boundaries are, 1 is complete agreement, below 0 they agree less than by chance. π* and κ* "
    "are the coefficients as published. Their expected agreement counts exact matches only, so "
    "random coders get more than 0: a little by B, far more by S, which counts each place where "
    "nobody sees a boundary as agreement. No threshold is universally accepted: those in use were "
    "proposed for other tasks and other coefficients. Compare with values of the same coefficient "
    "and metric on similar tasks, and mind the interval."
)
_NO_INTERVAL = Sampling().none("not requested")
_NOT_DRAWN = {"chance": np.nan, "chance_error": np.nan, "corrected": np.nan}


@dataclass(frozen=True, repr=False)
class Agreement(Tabular):
    """Agreement among the coders of a corpus, a group of documents or one document.

    `pi`, `kappa`, `bias`, `observed`, `expected_pi` and `expected_kappa` are defined in the
    module's docstring; `ci` is the interval of `pi`, `kappa_ci` that of `kappa`. `chance` is the
    agreement of random coders under the `null` model (`draws` draws from `seed`, with the standard
    error `chance_error`); `corrected` is the coefficient that is 0 at chance, with the interval
    `corrected_ci`; both are NaN where `draws` is 0. Intervals describe other documents by the same
    coders (`ci.method` says so); `over_coders`, which needs six coders, describes other coders on
    the same documents. `basis` counts the documents, coders and pairs behind the numbers; `notes`
    say what to know about them. The result for the whole corpus also has an `Agreement` for each of
    its `groups` and `documents`, and the `corpus`.
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
    n_resamples: int = 10_000
    documents: Mapping[str, "Agreement"] = field(default_factory=dict, repr=False)
    groups: Mapping[str, "Agreement"] = field(default_factory=dict, repr=False)
    provenance: Provenance = PLAIN
    corpus: Corpus | None = field(default=None, repr=False, compare=False)  # of the whole
    over_coders: Interval = _NO_INTERVAL

    @property
    def observed_signature(self) -> str:
        """The signature of the observed agreement."""
        return estimators.signature_of(self.metric, self.provenance, "micro")

    @property
    def signature(self) -> str:
        """How observed agreement and chance were computed; cite it with the numbers."""
        drawn = f"null:{self.null}|draws:{self.draws}|seed:{self.seed}"
        return f"{self.observed_signature}|{drawn}"

    @property
    def reading(self) -> str:
        """How to read these numbers, in plain words."""
        b = self.basis
        return (
            f"Corrected = {self.corrected:.3f}, π = {self.pi:.3f} from {b.n_pairs} pairs of "
            f"{b.n_codings} codings with {b.n_boundaries} boundaries; observed agreement "
            f"{self.observed:.3f}, random coders {self.chance:.3f}. {READING}"
        )

    def to_table(self) -> Table:
        """A row for the whole, for each group and for each document."""
        low, high, _, method = self.over_coders
        coders = f"corrected agreement of {self.name}: [{low:.3f}, {high:.3f}] {method}"
        both = not np.isnan(low) and self.basis.n_documents >= estimators.FEWEST_DOCUMENTS
        return estimators.parts_table(
            self,
            Agreement.cells,
            [
                *self.main_columns(f"observed by {self.observed_signature}"),
                *columns("bias:4<3 observed:3<8 expected_π=expected_pi:3<2"),
                *columns("expected_κ=expected_kappa:3<1"),
            ],
            "Agreement among coders",
            machines="chance_error corrected_interval coders_low coders_high coders_interval",
            more_notes=[coders] * both,  # if the other interval is over documents
            null=self.null,
            draws=self.draws,
            seed=self.seed,
            metric=self.observed_signature,
            signature=self.signature,
        )

    def _brief(self) -> Table:
        n = len(self.documents)
        if n < MOST_ROWS:
            return self.to_table()
        table = replace(self, documents={}).to_table()
        more = f"{n} documents: .render() gives a row for each, .summary() the lowest of them"
        return replace(table, footnotes=[*table.footnotes, more])

    def main_columns(self, note: str, kappa_drop: int = 4) -> list[Column]:
        """The columns of the coefficients; corrected agreement only if random coders were drawn."""
        drawn: Any = "all" if self.draws else "machines"
        chance = (
            f"its 0 is chance: random coders have {estimators.KEPT[self.null]}; {self.draws} "
            f"draws, seed {self.seed}, Monte-Carlo error {self.chance_error:.4f}"
        )
        return [
            *columns("corrected", digits=3, audience=drawn, note=chance),
            *columns("random_coders=chance", digits=3, audience=drawn),
            *columns("π*=pi", digits=3, latex=r"$\pi^*$", note=note),
            *columns("κ*=kappa", digits=3, latex=r"$\kappa^*$", drop_order=kappa_drop),
        ]

    def cells(self) -> dict[str, Any]:
        """The numbers in a row of a table, coefficients with their intervals."""
        low, high, _, method = self.over_coders
        return {
            **vars(self),
            "corrected": estimators.with_interval(self.corrected, self.corrected_ci),
            "corrected_interval": self.corrected_ci.method,
            "coders_low": low,
            "coders_high": high,
            "coders_interval": method,
            "pi": estimators.with_interval(self.pi, self.ci),
            "kappa": estimators.with_interval(self.kappa, self.kappa_ci),
        }

    def to_metrics(self, prefix: str = "") -> dict[str, float]:
        """A flat dict of floats for experiment trackers: `b/pi`, `b/pi_low`, `b/kappa`.

        The numbers are those of the whole corpus; each of `.documents` and `.groups` has this
        method, too.
        """
        names = ("observed", "pi", "kappa", "bias", "expected_pi", "expected_kappa")
        numbers = {name: getattr(self, name) for name in names}
        intervals = {"pi": self.ci, "kappa": self.kappa_ci}
        if self.draws:
            numbers |= {"corrected": self.corrected, "chance": self.chance}
            intervals["corrected"] = self.corrected_ci
            intervals["over_coders"] = self.over_coders
        for name, interval in intervals.items():
            numbers |= {f"{name}_low": interval.low, f"{name}_high": interval.high}
        numbers |= {"pairs": self.basis.n_pairs, "codings": self.basis.n_codings}
        listed = [((str(self.metric), name), value) for name, value in numbers.items()]
        return flat_numbers(listed, prefix)

    def valued(self, coefficient: Coefficient) -> tuple[float, Interval]:
        """A coefficient by its name, and its interval."""
        return {
            "corrected": (self.corrected, self.corrected_ci),
            "pi": (self.pi, self.ci),
            "kappa": (self.kappa, self.kappa_ci),
        }[coefficient]

    def plan_width(self, half_width: float) -> agreement_summary.WidthPlan:
        """Plan how many documents give corrected agreement an interval of ± `half_width`.

        The number comes with a range, and with a warning if it is extrapolated.

        half_width: half of the interval's width, such as 0.03.
        """
        if not self.draws:
            raise SegmentationError("draws is 0: expected agreement with random coders for a plan")
        main = self._main_sums()
        order = main.pairs.order
        rows = main.rows[order[np.isin(order, main.pairs.pair_document)]]
        return agreement_summary.plan_width(
            rows, main.value, half_width, self.corrected_ci, self.signature
        )

    def summary(
        self, *, count_end: bool = False, within: int = 1
    ) -> agreement_summary.AgreementSummary:
        """The answer in a few lines: a verdict, the totals, who deviates and what is contested.

        count_end: whether Krippendorff's α counts the end of each document as a boundary that all
            agree on.
        within: how far apart neighbouring boundaries of one contested place may be, in units.

        >>> import segscore as ss
        >>> from segscore.simulate.sample_codings import STARGAZER
        >>> people = {name: ss.Segmentation.from_masses(sizes) for name, sizes in STARGAZER.items()}
        >>> for line in ss.agreement(ss.Corpus.from_dict({"Stargazers": people})).summary().verdict:
        ...     print(line)
        Corrected agreement is 0.301 [0.088, 0.514] (0 = chance, 1 = complete).
        Nobody clearly lowers agreement.
        Contested: 13 places, 2 of them marked by one coder alone.
        """
        main = self._main_sums()
        return agreement_summary.summed_up(
            ([], lambda: self), main, self._sampling, count_end, within
        )

    def _main_sums(self) -> Estimator:
        """The sums of corrected agreement, or of π* if no random coders were drawn."""
        pairs = CoderPairs(self._codings)
        if not self.draws:
            return estimators.pi_sums(pairs, self.metric)
        return estimators.chance_sums(pairs, self.metric, self.null, self.draws, self.seed)[0]

    @property
    def _codings(self) -> Corpus:
        if self.corpus is None:
            raise SegmentationError(
                f"agreement {self.name!r} is a part, which does not hold its codings: expected the "
                "whole, as segscore.agreement gives it"
            )
        return self.corpus

    @property
    def _sampling(self) -> Sampling:
        return Sampling(self.ci.level, self.n_resamples, self.seed)

    @property
    def alpha(self) -> nominal.DecisionAgreement:
        """Krippendorff's α: `segscore.coders.krippendorff_alpha` of the same codings."""
        return nominal.decided(self._codings, self._sampling, [nominal.alpha_of])[0]

    def pairwise(self) -> pairwise_values.PairwiseMean:
        """The metric for each pair of coders: `segscore.coders.pairwise`."""
        return pairwise_values.pairwise(self._codings, self.metric)

    def who_deviates(self) -> Deviation:
        """Agreement without each coder: `segscore.coders.who_deviates`."""
        level, n_resamples, seed = self._sampling
        how: Any = {"level": level, "n_resamples": n_resamples, "rng": seed, "null": self.null}
        return who_deviates(self._codings, self.metric, draws=self.draws or None, **how)

    def clusters(self) -> pairwise_values.CoderClusters:
        """Who segments like whom: `segscore.coders.coder_clusters`."""
        return pairwise_values.coder_clusters(
            self._codings, self.metric, draws=self.draws, rng=self.seed
        )

    def habits(self) -> habits.CoderHabits:
        """How many boundaries each coder marks: `segscore.coders.boundaries_per_coder`."""
        return habits.boundaries_per_coder(self._codings)

    def plot(self, *, coefficient: Coefficient | None = None, ax: "Axes | None" = None) -> "Axes":
        """Draw agreement with its interval by document and group: `segscore.plot.intervals`."""
        return picture("intervals", self, coefficient=coefficient, ax=ax)


def agreement(
    corpus: CodedBy,
    metric: str | Metric | None = None,
    *,
    null: Null = "positions",
    draws: int | None = None,
    level: float = 0.95,
    n_resamples: int = 10_000,
    rng: Seed = 0,
) -> Agreement:
    """Measure agreement among coders by a similarity of boundaries (default: B): corrected, π and
    κ.

    metric: a symmetric similarity, such as "b", "s" or "t-measure"; or a similarity over levels of
        ranked codings, such as "e-b", whose statistics are added for both directions.

    null: what each random coder keeps: the number of boundaries ("positions"), or the lengths of
        the segments ("lengths", stricter). Documents, candidates and the order of segment labels
        stay the same; types and ranks are shuffled over the drawn boundaries.
    draws: number of draws; None: 20 to 1000, fewer if there are more pairs of coders;
        0: no draws, so that only π and κ are computed. Levels without ranks are never drawn.

    level, n_resamples, rng: confidence level, number of resamples, and random seed or generator.

    >>> import segscore as ss
    >>> from segscore.simulate.sample_codings import STARGAZER
    >>> people = {name: ss.Segmentation.from_masses(masses) for name, masses in STARGAZER.items()}
    >>> sums = ss.agreement(ss.Corpus.from_dict({"Stargazers": people}))
    >>> round(sums.pi, 4), round(sums.kappa, 4), round(sums.observed, 4), sums.basis.n_pairs
    (0.4644, 0.4653, 0.5301, 21)
    >>> round(sums.chance, 2), round(sums.corrected, 2), sums.draws
    (0.33, 0.3, 1000)
    >>> round(ss.agreement(ss.Corpus.from_dict({"Stargazers": people}), "s").pi, 4)
    0.7287
    """
    how = Sampling(level, n_resamples, seed_of(rng))
    pairs = CoderPairs.of(corpus)
    unfinished, _ = measured_agreement(pairs, metric, null, draws, how)
    return estimators.finished(pairs, how, unfinished)[0]


def measured_agreement(
    pairs: CoderPairs, metric: str | Metric | None, null: Null, draws: int | None, how: Sampling
) -> tuple[Unfinished[Agreement], Estimator]:
    """`agreement` without its intervals, and the sums of its main coefficient: corrected, or π* if
    nothing is drawn."""
    pairs.require_pairs("agreement")
    check_choice(null, "null", NULLS)
    observed = estimators.similarity(metric)
    alone = draws is None and estimators.has_own_levels(pairs, observed)
    draws = 0 if alone else estimators.draws_for(pairs, observed, draws)
    corrected, batches = None, None
    if draws:
        corrected, batches = estimators.chance_sums(pairs, observed, null, draws, how.seed)
    drawn = {"null": null, "draws": draws, "seed": how.seed}
    notes = []
    if isinstance(observed, Hierarchical | LMeasure | TMeasure):
        notes.append(
            "π* and κ* expect exact matches of boundaries, which says nothing about levels: read "
            "the corrected coefficient"
        )
    if alone:
        notes.append(
            "random coders cannot have levels of their own, so that there is no corrected "
            "coefficient; codings with ranks (ss.ranked) have one"
        )
    parts = _Parts(pairs, observed, corrected, batches, how, drawn, notes)
    return parts.unfinished(np.arange(len(pairs.documents))), corrected or parts.pi


@dataclass(frozen=True, eq=False)
class _Parts:
    """Agreement in several documents together and in each document, from the same sums."""

    pairs: CoderPairs
    metric: Metric
    corrected: Estimator | None
    batches: Any  # of draws, by document
    how: Sampling
    drawn: Mapping[str, Any]  # how chance was drawn
    notes: Sequence[str]  # on the whole

    @arguments.cached_property
    def pi(self) -> Estimator:
        """π* of any documents."""
        return estimators.pi_sums(self.pairs, self.metric)

    @arguments.cached_property
    def kappa(self) -> Estimator:
        """κ* of single documents."""
        return estimators.kappa_sums(self.pairs, self.metric, self.pairs.slot)

    @arguments.cached_property
    def joined_kappa(self) -> Estimator:
        """κ* of several documents, if names mean the same in all of them."""
        if self.pairs.local or np.array_equal(self.pairs.coder, self.pairs.slot):
            return self.kappa
        return estimators.kappa_sums(self.pairs, self.metric, self.pairs.coder)

    def numbers(
        self, kappa: Estimator, rows: Callable[[Estimator], Floats], batches: Any
    ) -> dict[str, Floats]:
        """All values of these rows of sums, by their names in `Agreement`."""
        found = {"observed": estimators.observed_sums(self.pairs, self.metric)[1](rows(self.pi))}
        asked = {"pi": self.pi, "kappa": kappa}
        if self.corrected is not None:
            asked["corrected"] = self.corrected
            found["chance_error"] = estimators.chance_errors(self.metric, batches(self.batches))
        for name, each in asked.items():
            sums = rows(each)
            by_chance = "chance" if name == "corrected" else f"expected_{name}"
            found |= {name: each.value(sums), by_chance: each.expected(sums)}
        return found

    def together(self, name: str, documents: Int64Array) -> Agreement:
        """Agreement in a group of documents."""
        asked, finish = self.unfinished(documents, name)
        return finish(*estimators.estimate_intervals(asked, documents, self.how))

    def unfinished(self, documents: Int64Array, group: str | None = None) -> Unfinished[Agreement]:
        """Agreement in all documents or in a group, with κ only where coder names are global;
        without its intervals over documents."""
        columns = self.numbers(
            self.joined_kappa,
            lambda each: each.total(documents),
            lambda drawn: drawn[:, documents].sum(axis=1, keepdims=True),
        )
        numbers = {key: float(column[0]) for key, column in columns.items()}
        asked = self._asked(numbers, self.joined_kappa)
        if self.pairs.local and len(documents) > 1:
            numbers |= {"expected_kappa": np.nan, "kappa": np.nan}
            del asked["kappa_ci"]

        def finish(*intervals: Interval) -> Agreement:
            known = dict(zip(asked, intervals, strict=True))
            if "corrected_ci" in asked:
                known["over_coders"] = estimators.over_coders(
                    asked["corrected_ci"], documents, self.how
                )
            basis = self.pairs.basis(documents)
            found = self._agreement(group or "all", numbers, documents, known, basis)
            if group is not None:
                return found
            notes, parts = self.pairs.remarks(), self.pairs.parts(self.together, self.document)
            notes = *notes, *found.notes, *self.notes
            return replace(found, notes=notes, corpus=self.pairs.whole, **parts)

        return list(asked.values()), finish

    @arguments.cached_property
    def of_documents(self) -> dict[str, Floats]:
        """All values of each document by itself."""
        return self.numbers(self.kappa, lambda each: each.rows, lambda drawn: drawn)

    def document(self, index: int) -> Agreement:
        """Agreement in one document."""
        numbers = {key: float(column[index]) for key, column in self.of_documents.items()}
        asked = self._asked(numbers, self.kappa)
        known = {key: each.of_document(index, self.how) for key, each in asked.items()}
        if "corrected_ci" in known:  # of one document it is about coders
            known["over_coders"] = known["corrected_ci"]
        name, basis = self.pairs.documents[index], self.pairs.document_basis(index)
        return self._agreement(name, numbers, np.array([index]), known, basis)

    def _asked(self, numbers: Mapping[str, float], kappa: Estimator) -> dict[str, Estimator]:
        """What has an interval, by its name in `Agreement`."""
        asked = {"ci": self.pi, "kappa_ci": kappa}
        if self.corrected is not None and not np.isnan(numbers["corrected"]):
            asked["corrected_ci"] = self.corrected
        return asked

    def _agreement(
        self, name: str, numbers: Any, documents: Int64Array, known: Any, basis: Basis
    ) -> Agreement:
        notes, why = [], "not asked for"
        if not basis.n_boundaries:
            notes.append(
                "nobody placed a boundary: agreement is complete, but no boundary supports it"
            )
        elif numbers["expected_pi"] == 1:
            notes.append(
                "everyone placed every boundary: chance explains everything, and there is no value"
            )
        if self.corrected is not None and "corrected_ci" not in known:
            why = estimators.why_not_corrected(self.corrected, self.drawn["null"], documents)
            notes.append(f"no corrected value: {why}")
        none = self.how.none(why)
        local = self.how.none("coder names are local, and κ exists for each document by itself")
        unknown = {"kappa_ci": local, "corrected_ci": none, "over_coders": none}
        bias = {"bias": numbers["expected_pi"] - numbers["expected_kappa"]}
        more = _NOT_DRAWN | numbers | bias | unknown | known | self.drawn
        more |= {"basis": basis, "notes": tuple(notes), "n_resamples": self.how.n_resamples}
        provenance = self.pairs.corpus.provenance
        return Agreement(name, self.metric, provenance=provenance, **more)


Rows = Literal["documents", "all"]


@dataclass(frozen=True, eq=False)
class AgreementTables:
    """The codings and settings that tables are made from, and what several tables need, once."""

    pairs: CoderPairs
    metric: str = "b"
    system: str | None = None
    null: Null = "positions"
    draws: int | None = None
    seed: int = 0
    document: str | None = None
    n_contested: int | None = USUAL_NUMBER
    plan_width: float | None = None
    rows: Rows = "documents"

    def make(self, parts: Sequence[str] = ()) -> dict[str, Table]:
        """The tables of these parts (default: the usual ones), by name. A note says how units were
        formed if a reader formed them, and which consensus was left out."""
        found = dict[str, Table]()
        for part in parts or self.usual:
            made = TABLES[part](self)
            found |= {part: made} if isinstance(made, Table) else made
        corpus = self.pairs.corpus
        said = filter(None, [str(corpus.provenance), *consensus_note(self.pairs.nobody)])
        notes = list(said)
        for name, table in found.items():
            new = [note for note in notes if note not in table.footnotes]
            found[name] = replace(table, footnotes=[*table.footnotes, *new])
            if name in ("agreement", "coefficients", "decisions") and self.rows == "all":
                found[name] = replace(found[name], for_latex=estimators.turned(found[name]))
        return found

    @property
    def usual(self) -> list[str]:
        """The tables for machines by default: all that apply. People get the answer instead."""
        local = self.pairs.local and len(self.pairs.corpus) > 1
        if self.by_document == "pairwise":
            return ["pairwise"] if local else ["pairwise", "matrix"]
        wanted = ["agreement", "decisions", "coders", "clusters", "tree", "map"]
        if local:  # a tree for each document is too much
            wanted = ["agreement", "decisions", "map"]
        if self.pairs.labelled:
            wanted += ["labels", "label-use", "label-confusion"]
        return wanted if self.system is None else [*wanted, "system"]

    @property
    def by_document(self) -> str:
        """The table with a row per document: agreement, or pairs of coders if no coefficient can
        use the metric."""
        return "agreement" if estimators.is_similarity(as_metric(self.metric)) else "pairwise"

    @property
    def chance(self) -> dict[str, Any]:
        """How chance is drawn."""
        return {"null": self.null, "draws": self.draws, "rng": self.seed}

    @arguments.cached_property
    def agreed(self) -> Agreement:
        """Agreement, with the documents that tables show."""
        found = agreement(self.pairs, self.metric, **self.chance)
        return replace(found, documents={}) if self.rows == "all" else found

    @arguments.cached_property
    def decided(self) -> Mapping[str, nominal.DecisionAgreement]:
        """The coefficients of decisions."""
        wanted = nominal.fleiss_of, nominal.alpha_of, nominal.majority_of
        found = nominal.decided(self.pairs, Sampling(seed=self.seed), wanted)
        if self.rows == "all":
            found = [replace(one, documents={}) for one in found]
        return dict(zip(("kappa", "alpha", "majority"), found, strict=True))

    def decisions(self) -> Table:
        """The three coefficients of decisions, side by side."""
        shown = columns("Fleiss's_κ=kappa Krippendorff's_α=alpha with_majority=majority", digits=3)
        title, found = "Agreement on boundary or not at each position", self.decided
        return estimators.parts_table(found["kappa"], lambda _: {}, shown, title, others=found)

    @arguments.cached_property
    def pairwise(self) -> pairwise_values.PairwiseMean:
        """The metric of each pair of coders."""
        return pairwise_values.pairwise(self.pairs, self.metric)

    @arguments.cached_property
    def labels(self) -> nominal.LabelReliability:
        """How well coders agree on labels."""
        return nominal.label_reliability(self.pairs.corpus, rng=self.seed)

    @property
    def n_t(self) -> int:
        """The n_t of the metric, or 2 if it has none."""
        return getattr(as_metric(self.metric), "n_t", 2)

    def answer(self) -> Table:
        """The short answer."""
        if self.by_document == "pairwise":
            return agreement_summary.pairs_answer(self.pairwise)
        how = Sampling(seed=self.seed)
        agreed, main = measured_agreement(self.pairs, self.metric, self.null, self.draws, how)
        return agreement_summary.summed_up(agreed, main, how).to_table()

    def coefficients(self) -> Table:
        """Corrected agreement, π* and κ* over a metric, and those of decisions."""
        agreed = self.agreed
        found = {("fleiss" if name == "kappa" else name): x for name, x in self.decided.items()}
        exact = "boundary or not at each position: near misses are misses"
        majority = (
            "the share of decisions that agree with more than half of the coders; not corrected "
            "for chance"
        )
        shown = [
            *columns("observed", digits=3, note=f"by {agreed.observed_signature}"),
            *agreed.main_columns("as published; 0 is not chance", 3),
            *columns("Fleiss's_κ=fleiss", digits=3, latex=r"Fleiss's $\kappa$", note=exact),
            *columns("Krippendorff's_α=alpha", digits=3, latex=r"Krippendorff's $\alpha$"),
            *columns("with_majority=majority", digits=3, drop_order=4, note=majority),
        ]
        title, signature = "Coefficients of agreement", agreed.signature
        return estimators.parts_table(
            agreed, Agreement.cells, shown, title, others=found, signature=signature
        )

    def clusters(
        self, name: str, draw: Callable[[pairwise_values.CoderClusters], Table]
    ) -> dict[str, Table]:
        """Clusters of coders; those with local names have a table for each document."""
        how: Any = {"rng": self.seed, "draws": 0 if name == "tree" else self.draws}
        if self.pairs.corpus.coder_scope == "global":
            return {name: draw(pairwise_values.coder_clusters(self.pairs, self.metric, **how))}
        return {
            f"{name} {key}": draw(pairwise_values.coder_clusters(document, self.metric, **how))
            for key, document in self.pairs.corpus.items()
            if len(document) > 1
        }

    def one_document(self) -> Table:
        """Everyone's boundaries in the document that is asked for."""
        corpus, name = self.pairs.corpus, self.needed("document")
        if name not in corpus:
            raise SegmentationError(f"no document is called {name!r}{nearest(name, corpus)}")
        return side_by_side(corpus[name])

    def needed(self, key: str) -> Any:
        """A setting without which there is no such table."""
        if getattr(self, key) is None:
            example = "0.03" if key == "plan_width" else "NAME"
            raise SegmentationError(f"this table needs {key}={example}")
        return getattr(self, key)

    def last_or_all(self, table: Table) -> Table:
        """The table, or only its last row, which is for all documents."""
        return table if self.rows == "documents" else replace(table, rows=table.rows[-1:])


TABLES: Mapping[str, Callable[[AgreementTables], Table | dict[str, Table]]] = {
    "answer": AgreementTables.answer,
    "agreement": lambda of: of.agreed.to_table(),
    "coefficients": AgreementTables.coefficients,
    "decisions": AgreementTables.decisions,
    "coders": lambda of: habits.boundaries_per_coder(of.pairs).to_table(),
    "clusters": lambda of: of.clusters("clusters", pairwise_values.CoderClusters.to_table),
    "tree": lambda of: of.clusters("tree", pairwise_values.CoderClusters.tree_table),
    "map": lambda of: gold.shares_table(gold.supports(of.pairs.corpus)),
    "system": lambda of: human_competitiveness(
        of.pairs.corpus, of.needed("system"), of.metric, **of.chance
    ).to_table(),
    "matrix": lambda of: pairwise_values.matrix_table(of.pairwise),
    "deviation": lambda of: who_deviates(of.pairs.corpus, of.metric, **of.chance).to_table(),
    "pairwise": lambda of: of.pairwise.to_table(),
    "segments": lambda of: habits.segment_counts(of.pairs.corpus),
    "support": lambda of: gold.support_quartiles_table(gold.supports(of.pairs.corpus)),
    "labels": lambda of: of.last_or_all(nominal.labels_table(of.pairs.corpus, of.labels)),
    "label-use": lambda of: of.labels.use_table(),
    "label-confusion": lambda of: of.labels.confusion_table(),
    "misses": lambda of: of.last_or_all(edit_totals(of.pairs, of.n_t)),
    "granularity": lambda of: habits.granularity(of.pairs, of.n_t, draws=of.draws, rng=of.seed),
    "document": AgreementTables.one_document,
    "contested": lambda of: contested(of.pairs.corpus, of.n_contested).to_table(),
    "plan": lambda of: of.agreed.plan_width(of.needed("plan_width")).to_table(),
}
WITH_ALL = {"agreement", "coefficients", "decisions", "labels", "misses"}
BY_CHANCE = {"answer", "agreement", "coefficients", "system", "deviation", "plan"}
"""The tables that depend on what chance is."""
