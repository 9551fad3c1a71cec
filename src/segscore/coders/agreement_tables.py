"""All tables about how well coders agree, with whom, and where: those of `segscore agree`."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from segscore.coders.coder_pairs import CodedBy, CoderPairs, consensus_note
from segscore.coders.coefficients import Agreement, agreement, measured_agreement
from segscore.coders.decisions import DecisionAgreement, decisions_table
from segscore.coders.places import USUAL_NUMBER, contested
from segscore.coders.random_codings import Null
from segscore.coders.sums import (
    BASIS_COLUMNS,
    PART_COLUMNS,
    Sampling,
    methods_note,
    part_cells,
    parts_of,
    with_interval,
)
from segscore.errors import SegmentationError, nearest
from segscore.tables import Column, Table

if TYPE_CHECKING:
    from segscore.coders.coder_labels import LabelReliability
    from segscore.coders.pairwise_values import PairwiseMean


def coefficients_table(
    agreed: Agreement,
    kappa: DecisionAgreement,
    alpha: DecisionAgreement,
    majority: DecisionAgreement,
) -> Table:
    """Corrected agreement, π* and κ* over a metric; Fleiss's κ, Krippendorff's α and agreement with
    the majority on decisions. All of them describe the same corpus."""
    decisions = {"fleiss": kappa, "alpha": alpha, "majority": majority}
    rows = [
        {
            **part_cells(level, part.name, part.basis),
            "corrected": with_interval(part.corrected, part.corrected_ci),
            "chance": part.chance,
            "pi": with_interval(part.pi, part.ci),
            "kappa": with_interval(part.kappa, part.kappa_ci),
            "observed": part.observed,
            "interval": part.ci.method,
            "signature": agreed.signature,
        }
        for level, part in parts_of(agreed)
    ]
    for name, coefficient in decisions.items():
        for row, (_, part) in zip(rows, parts_of(coefficient), strict=True):
            row[name] = with_interval(part.value, part.ci)
    columns = [
        *PART_COLUMNS,
        Column("observed", digits=3, note=f"by {agreed.observed_signature}"),
        *agreed.corrected_columns,
        Column("π*", key="pi", digits=3, latex=r"$\pi^*$", note="as published; 0 is not chance"),
        Column("κ*", key="kappa", digits=3, latex=r"$\kappa^*$", drop_order=3),
        Column(
            "Fleiss's κ", key="fleiss", digits=3, latex=r"Fleiss's $\kappa$", note=_ON_DECISIONS
        ),
        Column("Krippendorff's α", key="alpha", digits=3, latex=r"Krippendorff's $\alpha$"),
        Column("with majority", key="majority", digits=3, drop_order=4, note=_MAJORITY),
        *BASIS_COLUMNS,
        Column("interval", audience="machines"),
        Column("signature", audience="machines"),
    ]
    words = [*methods_note(rows), *agreed.notes]
    return Table(columns, rows, words, "Coefficients of agreement")


_ON_DECISIONS = "boundary or not at each position: near misses are misses"
_MAJORITY = (
    "the share of decisions that agree with more than half of the coders; not corrected for chance"
)


class Part(StrEnum):
    """The names of the tables."""

    ANSWER = "answer"
    AGREEMENT = "agreement"
    COEFFICIENTS = "coefficients"
    DECISIONS = "decisions"
    CODERS = "coders"
    CLUSTERS = "clusters"
    TREE = "tree"
    MAP = "map"
    SYSTEM = "system"
    MATRIX = "matrix"
    DEVIATION = "deviation"
    PAIRWISE = "pairwise"
    SEGMENTS = "segments"
    SUPPORT = "support"
    LABELS = "labels"
    LABEL_USE = "label-use"
    LABEL_CONFUSION = "label-confusion"
    MISSES = "misses"
    GRANULARITY = "granularity"
    DOCUMENT = "document"
    CONTESTED = "contested"
    PLAN = "plan"


WITH_ALL = {
    Part.AGREEMENT, Part.COEFFICIENTS, Part.DECISIONS, Part.LABELS, Part.MISSES,
}  # fmt: skip
BY_CHANCE = {
    Part.ANSWER, Part.AGREEMENT, Part.COEFFICIENTS, Part.SYSTEM, Part.DEVIATION,
    Part.PLAN,
}  # fmt: skip
"""The tables that depend on what chance is."""
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


_USUAL = AgreementSettings()


def agreement_tables(
    codings: CodedBy,
    settings: AgreementSettings = _USUAL,
    parts: Sequence[Part] = (),
) -> dict[str, Table]:
    """The tables of these parts (default: the usual ones), by name. A note says how units were
    formed if a reader formed them, and which consensus was left out."""
    pairs = CoderPairs.of(codings)
    found: dict[str, Table] = {}
    wanted = parts or usual_parts(pairs, settings)
    for part in wanted:
        found.update(_tables_of(part, pairs, settings))
    notes = [note for note in (str(pairs.corpus.provenance), *consensus_note(pairs.nobody)) if note]
    return {name: _with_notes(table, notes) for name, table in found.items()}


def _with_notes(table: Table, notes: Sequence[str]) -> Table:
    """The table with these notes, each of them once."""
    new = [note for note in notes if note not in table.footnotes]
    return replace(table, footnotes=[*table.footnotes, *new]) if new else table


def usual_parts(pairs: CoderPairs, settings: AgreementSettings = _USUAL) -> list[Part]:
    """The tables for machines by default: all that apply. People get the answer instead."""
    local = pairs.local and len(pairs.corpus) > 1
    if table_by_document(settings.metric) is Part.PAIRWISE:
        return [Part.PAIRWISE] if local else [Part.PAIRWISE, Part.MATRIX]
    wanted = [Part.AGREEMENT, Part.DECISIONS, Part.CODERS, Part.CLUSTERS, Part.TREE, Part.MAP]
    if local:  # a tree for each document is too much
        wanted = [part for part in wanted if part not in (Part.CODERS, Part.CLUSTERS, Part.TREE)]
    if any(len(document.labels) > 1 for document in pairs.corpus.values()):
        wanted += [Part.LABELS, Part.LABEL_USE, Part.LABEL_CONFUSION]
    return wanted if settings.system is None else [*wanted, Part.SYSTEM]


def table_by_document(metric: str) -> Part:
    """The table with a row per document that a metric has: agreement, or pairs of coders if no
    coefficient can use the metric."""
    from segscore.coders.agreement_choices import is_similarity
    from segscore.metrics import metric as as_metric

    return Part.AGREEMENT if is_similarity(as_metric(metric)) else Part.PAIRWISE


def _tables_of(part: Part, pairs: CoderPairs, settings: AgreementSettings) -> dict[str, Table]:
    """The table of one part; clusters of coders with local names have a table for each document."""
    if part in (Part.CLUSTERS, Part.TREE):
        return _clusters(part, pairs, settings)
    return {part.value: _MAKERS[part](pairs, settings)}


def _answer(pairs: CoderPairs, settings: AgreementSettings) -> Table:
    from segscore.coders.agreement_summary import pairs_answer, summed_up

    if table_by_document(settings.metric) is Part.PAIRWISE:
        return pairs_answer(_all_pairs(pairs, settings))
    how = Sampling(seed=settings.seed)
    asked = pairs, settings.metric, settings.null, settings.draws, how
    measure = partial(measured_agreement, *asked)
    return summed_up(pairs, measure, how).to_table()


def _agreed(codings: CodedBy, settings: AgreementSettings) -> Agreement:
    found = agreement(
        codings, settings.metric, null=settings.null, draws=settings.draws, rng=settings.seed
    )
    return replace(found, documents={}) if settings.rows == "all" else found


def _decided(
    pairs: CoderPairs, settings: AgreementSettings
) -> tuple[DecisionAgreement, DecisionAgreement, DecisionAgreement]:
    """Fleiss's κ, Krippendorff's α and agreement with the majority."""
    from segscore.coders import decisions

    found = (
        decisions.fleiss_kappa(pairs, rng=settings.seed),
        decisions.krippendorff_alpha(pairs, rng=settings.seed),
        decisions.percentage_agreement(pairs, rng=settings.seed),
    )
    if settings.rows == "documents":
        return found
    kappa, alpha, majority = (replace(coefficient, documents={}) for coefficient in found)
    return kappa, alpha, majority


def _clusters(part: Part, pairs: CoderPairs, settings: AgreementSettings) -> dict[str, Table]:
    from segscore.coders.clusters import CoderClusters, coder_clusters, dendrogram_table

    name, corpus = part.value, pairs.corpus
    look = dendrogram_table if part is Part.TREE else CoderClusters.to_table
    draws = 0 if part is Part.TREE else settings.draws
    if corpus.coder_scope == "global":
        return {name: look(coder_clusters(pairs, settings.metric, draws=draws, rng=settings.seed))}
    return {
        f"{name} {key}": look(
            coder_clusters(document, settings.metric, draws=draws, rng=settings.seed)
        )
        for key, document in corpus.items()
        if len(document) > 1
    }


def _coders(pairs: CoderPairs, settings: AgreementSettings) -> Table:
    del settings
    from segscore.coders.habits import boundaries_per_coder

    return boundaries_per_coder(pairs).to_table()


def _map(pairs: CoderPairs, settings: AgreementSettings) -> Table:
    del settings
    from segscore.coders.boundary_support import shares_table, supports

    return shares_table(supports(pairs.corpus))


def _system(pairs: CoderPairs, settings: AgreementSettings) -> Table:
    from segscore.coders.competitiveness import human_competitiveness

    if settings.system is None:
        raise SegmentationError("the table system needs system=NAME")
    found = human_competitiveness(
        pairs.corpus, settings.system, settings.metric, **_chosen(settings)
    )
    return found.to_table()


def _deviation(pairs: CoderPairs, settings: AgreementSettings) -> Table:
    from segscore.coders.competitiveness import who_deviates

    return who_deviates(pairs.corpus, settings.metric, **_chosen(settings)).to_table()


def _chosen(settings: AgreementSettings) -> dict[str, Any]:
    """The settings of the coefficient that is computed without each coder."""
    return {"null": settings.null, "draws": settings.draws, "rng": settings.seed}


def _matrix(pairs: CoderPairs, settings: AgreementSettings) -> Table:
    from segscore.coders.pairwise_values import matrix_table

    return matrix_table(_all_pairs(pairs, settings))


def _all_pairs(pairs: CoderPairs, settings: AgreementSettings) -> "PairwiseMean":
    from segscore.coders.pairwise_values import pairwise

    return pairwise(pairs, settings.metric)


def _segments(pairs: CoderPairs, settings: AgreementSettings) -> Table:
    del settings
    from segscore.coders.habits import segment_counts

    return segment_counts(pairs.corpus).to_table()


def _support(pairs: CoderPairs, settings: AgreementSettings) -> Table:
    del settings
    from segscore.coders.boundary_support import support_quartiles_table, supports

    return support_quartiles_table(supports(pairs.corpus))


def _labels(pairs: CoderPairs, settings: AgreementSettings) -> Table:
    from segscore.coders.differences import label_similarity, labels_by_document_table

    labelled = {
        name: document for name, document in pairs.corpus.items() if len(document.labels) > 1
    }
    if not labelled:
        raise SegmentationError("no document has labels by two coders: expected one or more")
    similarities = {name: label_similarity(document) for name, document in labelled.items()}
    return _rows_of(
        labels_by_document_table(similarities, _label_reliability(pairs, settings)), settings
    )


def _label_reliability(pairs: CoderPairs, settings: AgreementSettings) -> "LabelReliability":
    from segscore.coders.coder_labels import label_reliability

    return label_reliability(pairs.corpus, rng=settings.seed)


def _misses(pairs: CoderPairs, settings: AgreementSettings) -> Table:
    from segscore.coders.differences import edit_totals

    return _rows_of(edit_totals(pairs, _n_t(settings)).to_table(), settings)


def _rows_of(table: Table, settings: AgreementSettings) -> Table:
    """The table, or only its last row, which is for all documents."""
    return table if settings.rows == "documents" else replace(table, rows=table.rows[-1:])


def _granularity(pairs: CoderPairs, settings: AgreementSettings) -> Table:
    from segscore.coders.segment_granularity import granularity

    return granularity(pairs, _n_t(settings), draws=settings.draws, rng=settings.seed).to_table()


def _n_t(settings: AgreementSettings) -> int:
    """The n_t of the metric, or 2 if it has none."""
    from segscore.metrics import metric

    return getattr(metric(settings.metric), "n_t", 2)


def _document(pairs: CoderPairs, settings: AgreementSettings) -> Table:
    from segscore.coders.differences import side_by_side

    name = settings.document
    if name is None:
        raise SegmentationError("the table document needs document=NAME")
    if name not in pairs.corpus:
        raise SegmentationError(f"no document is called {name!r}{nearest(name, pairs.corpus)}")
    return side_by_side(pairs.corpus[name]).to_table()


def _plan(pairs: CoderPairs, settings: AgreementSettings) -> Table:
    if settings.plan_width is None:
        raise SegmentationError("the table plan needs plan_width=, such as 0.03")
    return _agreed(pairs, settings).plan_width(settings.plan_width).to_table()


_MAKERS: dict[Part, "Callable[[CoderPairs, AgreementSettings], Table]"] = {
    Part.ANSWER: _answer,
    Part.AGREEMENT: lambda pairs, how: _agreed(pairs, how).to_table(),
    Part.COEFFICIENTS: lambda pairs, how: coefficients_table(
        _agreed(pairs, how), *_decided(pairs, how)
    ),
    Part.DECISIONS: lambda pairs, how: decisions_table(*_decided(pairs, how)),
    Part.CODERS: _coders,
    Part.MAP: _map,
    Part.SYSTEM: _system,
    Part.MATRIX: _matrix,
    Part.DEVIATION: _deviation,
    Part.PAIRWISE: lambda pairs, how: _all_pairs(pairs, how).to_table(),
    Part.SEGMENTS: _segments,
    Part.SUPPORT: _support,
    Part.LABELS: _labels,
    Part.LABEL_USE: lambda pairs, how: _label_reliability(pairs, how).use_table(),
    Part.LABEL_CONFUSION: lambda pairs, how: _label_reliability(pairs, how).confusion_table(),
    Part.MISSES: _misses,
    Part.GRANULARITY: _granularity,
    Part.DOCUMENT: _document,
    Part.CONTESTED: lambda pairs, how: contested(pairs.corpus, how.n_contested).to_table(),
    Part.PLAN: _plan,
}
