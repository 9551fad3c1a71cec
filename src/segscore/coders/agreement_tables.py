"""All tables about how well coders agree, with whom, and where: those of `segscore agree`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Literal, NamedTuple

from segscore.basics.on_demand import cached_property
from segscore.coders import decisions
from segscore.coders.agreement_summary import pairs_answer, summed_up
from segscore.coders.boundary_support import shares_table, support_quartiles_table, supports
from segscore.coders.clusters import CoderClusters, coder_clusters
from segscore.coders.coder_labels import LabelReliability, label_reliability, labels_table
from segscore.coders.coder_pairs import CodedBy, CoderPairs, consensus_note
from segscore.coders.coefficients import Agreement, agreement, measured_agreement
from segscore.coders.competitiveness import human_competitiveness, who_deviates
from segscore.coders.habits import boundaries_per_coder, segment_counts
from segscore.coders.pairwise_values import PairwiseMean, matrix_table, pairwise
from segscore.coders.places import USUAL_NUMBER, contested, edit_totals, side_by_side
from segscore.coders.random_codings import Null
from segscore.coders.segment_granularity import granularity
from segscore.coders.sums import Sampling, is_similarity, parts_table
from segscore.errors import SegmentationError, nearest
from segscore.metrics import metric as as_metric
from segscore.tables import Column, Table

Rows = Literal["documents", "all"]


class AgreementSettings(NamedTuple):
    """What the tables depend on."""

    metric: str = "b"
    system: str | None = None
    null: Null = "positions"
    draws: int | None = None
    seed: int = 0
    document: str | None = None
    n_contested: int | None = USUAL_NUMBER
    plan_width: float | None = None
    rows: Rows = "documents"


class AgreementViews:
    """The codings and settings that tables are asked for, and what several tables need, once."""

    def __init__(self, codings: CodedBy, how: AgreementSettings) -> None:
        self.pairs, self.how = CoderPairs.of(codings), how
        self.corpus = self.pairs.corpus
        self.by_chance: Any = {"null": how.null, "draws": how.draws, "rng": how.seed}

    @cached_property
    def agreed(self) -> Agreement:
        """Agreement, with the documents that tables show."""
        found = agreement(self.pairs, self.how.metric, **self.by_chance)
        return replace(found, documents={}) if self.how.rows == "all" else found

    @cached_property
    def decided(self) -> decisions.Decided:
        """The coefficients of decisions."""
        found = decisions.decided(self.pairs, rng=self.how.seed)
        if self.how.rows == "documents":
            return found
        return {name: replace(one, documents={}) for name, one in found.items()}

    @cached_property
    def pairwise(self) -> PairwiseMean:
        """The metric of each pair of coders."""
        return pairwise(self.pairs, self.how.metric)

    @cached_property
    def labels(self) -> LabelReliability:
        """How well coders agree on labels."""
        return label_reliability(self.corpus, rng=self.how.seed)

    @property
    def n_t(self) -> int:
        """The n_t of the metric, or 2 if it has none."""
        return getattr(as_metric(self.how.metric), "n_t", 2)

    def answer(self) -> Table:
        """The short answer."""
        how = self.how
        if table_by_document(how.metric) == "pairwise":
            return pairs_answer(self.pairwise)
        sampling = Sampling(seed=how.seed)
        asked = self.pairs, how.metric, how.null, how.draws, sampling
        return summed_up(self.pairs, partial(measured_agreement, *asked), sampling).to_table()

    def coefficients(self) -> Table:
        """Corrected agreement, π* and κ* over a metric, and those of decisions."""
        agreed = self.agreed
        found = {("fleiss" if name == "kappa" else name): x for name, x in self.decided.items()}
        shown = [
            Column("observed", digits=3, note=f"by {agreed.observed_signature}"),
            *agreed.main_columns("as published; 0 is not chance", 3),
            Column("Fleiss's κ", key="fleiss", digits=3, latex=r"Fleiss's $\kappa$",
                   note="boundary or not at each position: near misses are misses"),
            Column("Krippendorff's α", key="alpha", digits=3, latex=r"Krippendorff's $\alpha$"),
            Column("with majority", key="majority", digits=3, drop_order=4, note=_MAJORITY),
        ]  # fmt: skip
        return parts_table(
            agreed, Agreement.cells, shown, "Coefficients of agreement", others=found,
            signature=agreed.signature,
        )  # fmt: skip

    def clusters(self, name: str, draw: Callable[[CoderClusters], Table]) -> dict[str, Table]:
        """Clusters of coders; those with local names have a table for each document."""
        how: Any = {"rng": self.how.seed, "draws": 0 if name == "tree" else self.how.draws}
        if self.corpus.coder_scope == "global":
            return {name: draw(coder_clusters(self.pairs, self.how.metric, **how))}
        return {
            f"{name} {key}": draw(coder_clusters(document, self.how.metric, **how))
            for key, document in self.corpus.items()
            if len(document) > 1
        }

    def one_document(self) -> Table:
        """Everyone's boundaries in the document that is asked for."""
        name = self.how.document
        if name is None:
            raise SegmentationError("the table document needs document=NAME")
        if name not in self.corpus:
            raise SegmentationError(f"no document is called {name!r}{nearest(name, self.corpus)}")
        return side_by_side(self.corpus[name]).to_table()

    def beside_people(self) -> Table:
        """The system among people."""
        if self.how.system is None:
            raise SegmentationError("the table system needs system=NAME")
        found = human_competitiveness(
            self.corpus, self.how.system, self.how.metric, **self.by_chance
        )
        return found.to_table()

    def plan(self) -> Table:
        """How many documents it takes."""
        if self.how.plan_width is None:
            raise SegmentationError("the table plan needs plan_width=, such as 0.03")
        return self.agreed.plan_width(self.how.plan_width).to_table()

    def last_or_all(self, table: Table) -> Table:
        """The table, or only its last row, which is for all documents."""
        return table if self.how.rows == "documents" else replace(table, rows=table.rows[-1:])


_MAJORITY = (
    "the share of decisions that agree with more than half of the coders; not corrected for chance"
)
TABLES: Mapping[str, Callable[[AgreementViews], Table | dict[str, Table]]] = {
    "answer": AgreementViews.answer,
    "agreement": lambda asked: asked.agreed.to_table(),
    "coefficients": AgreementViews.coefficients,
    "decisions": lambda asked: decisions.decisions_table(asked.decided),
    "coders": lambda asked: boundaries_per_coder(asked.pairs).to_table(),
    "clusters": lambda asked: asked.clusters("clusters", CoderClusters.to_table),
    "tree": lambda asked: asked.clusters("tree", CoderClusters.tree_table),
    "map": lambda asked: shares_table(supports(asked.corpus)),
    "system": AgreementViews.beside_people,
    "matrix": lambda asked: matrix_table(asked.pairwise),
    "deviation": lambda asked: who_deviates(
        asked.corpus, asked.how.metric, **asked.by_chance
    ).to_table(),
    "pairwise": lambda asked: asked.pairwise.to_table(),
    "segments": lambda asked: segment_counts(asked.corpus).to_table(),
    "support": lambda asked: support_quartiles_table(supports(asked.corpus)),
    "labels": lambda asked: asked.last_or_all(labels_table(asked.corpus, asked.labels)),
    "label-use": lambda asked: asked.labels.use_table(),
    "label-confusion": lambda asked: asked.labels.confusion_table(),
    "misses": lambda asked: asked.last_or_all(edit_totals(asked.pairs, asked.n_t).to_table()),
    "granularity": lambda asked: granularity(
        asked.pairs, asked.n_t, draws=asked.how.draws, rng=asked.how.seed
    ).to_table(),
    "document": AgreementViews.one_document,
    "contested": lambda asked: contested(asked.corpus, asked.how.n_contested).to_table(),
    "plan": AgreementViews.plan,
}
WITH_ALL = {"agreement", "coefficients", "decisions", "labels", "misses"}
BY_CHANCE = {"answer", "agreement", "coefficients", "system", "deviation", "plan"}
"""The tables that depend on what chance is."""


def agreement_tables(
    codings: CodedBy,
    settings: AgreementSettings = AgreementSettings(),  # noqa: B008  # it cannot be changed
    parts: Sequence[str] = (),
) -> dict[str, Table]:
    """The tables of these parts (default: the usual ones), by name. A note says how units were
    formed if a reader formed them, and which consensus was left out."""
    asked, found = AgreementViews(codings, settings), dict[str, Table]()
    for part in parts or usual_parts(asked.pairs, settings):
        made = TABLES[part](asked)
        found |= {part: made} if isinstance(made, Table) else made
    said = [str(asked.corpus.provenance), *consensus_note(asked.pairs.nobody)]
    for name, table in found.items():
        new = [note for note in said if note and note not in table.footnotes]
        found[name] = replace(table, footnotes=[*table.footnotes, *new])
    return found


def usual_parts(pairs: CoderPairs, settings: AgreementSettings) -> list[str]:
    """The tables for machines by default: all that apply. People get the answer instead."""
    local = pairs.local and len(pairs.corpus) > 1
    if table_by_document(settings.metric) == "pairwise":
        return ["pairwise"] if local else ["pairwise", "matrix"]
    wanted = ["agreement", "decisions", "coders", "clusters", "tree", "map"]
    if local:  # a tree for each document is too much
        wanted = ["agreement", "decisions", "map"]
    if pairs.labelled:
        wanted += ["labels", "label-use", "label-confusion"]
    return wanted if settings.system is None else [*wanted, "system"]


def table_by_document(metric: str) -> str:
    """The table with a row per document that a metric has: agreement, or pairs of coders if no
    coefficient can use the metric."""
    return "agreement" if is_similarity(as_metric(metric)) else "pairwise"
