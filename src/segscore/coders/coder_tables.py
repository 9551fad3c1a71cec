"""How agreement, coders, clusters and maps of boundaries look as tables.

These functions draw what they are given and compute nothing.
"""

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from segscore.basics.arguments import Floats
from segscore.coders.coder_pairs import Basis
from segscore.significance.resampling import Interval
from segscore.tables import Cell, Column, Table
from segscore.tables.strips import StripMark, drawn_strip
from segscore.tables.view import Drawing

if TYPE_CHECKING:  # they import this module, to show themselves
    from segscore.coders.clusters import CoderClusters
    from segscore.coders.coefficients import Agreement
    from segscore.coders.competitiveness import Competitiveness
    from segscore.coders.decisions import DecisionAgreement
    from segscore.coders.habits import CoderHabits, SegmentCount
    from segscore.coders.label_similarity import LabelSimilarity
    from segscore.coders.pairwise import PairwiseMean
    from segscore.coders.support import Support

SHADES = " ░▒▓█"  # share of coders: none, up to a quarter, half, three quarters, all


def agreement_table(agreement: "Agreement") -> Table:
    """The whole, its groups and its documents."""
    how = {  # the same for all rows
        "null": agreement.null,
        "draws": agreement.draws,
        "seed": agreement.seed,
        "signature": agreement.signature,
        "metric": agreement.observed_signature,
    }
    rows = [_agreement_row(kind, one) | how for kind, one in _parts(agreement)]
    drawn: Any = "all" if agreement.draws else "machines"
    columns = [
        *_NAMES,
        Column("corrected", digits=3, audience=drawn, note=_null(agreement)),
        Column("random coders", key="chance", digits=3, audience=drawn),
        Column(
            "π*",
            key="pi",
            digits=3,
            latex=r"$\pi^*$",
            note=f"observed by {agreement.observed_signature}",
        ),
        Column("κ*", key="kappa", digits=3, latex=r"$\kappa^*$", drop_order=4),
        Column("bias", digits=4, drop_order=3),
        Column("observed", digits=3, drop_order=8),
        Column("expected π", key="expected_pi", digits=3, drop_order=2),
        Column("expected κ", key="expected_kappa", digits=3, drop_order=1),
        *_BASIS,
        Column("interval", audience="machines"),
        Column("chance_error", audience="machines"),
        Column("corrected_interval", audience="machines"),
        Column("null", audience="machines"),
        Column("draws", audience="machines"),
        Column("seed", audience="machines"),
        Column("metric", audience="machines"),
        Column("signature", audience="machines"),
    ]
    return Table(
        columns,
        rows,
        [*methods_note(rows), *agreement.notes],
        "Agreement among coders",
        explanations=[agreement.general_reading],
    )


def _null(agreement: "Agreement") -> str:
    """What random coders keep, the number of draws, and how sure A_e is."""
    kept = {
        "positions": "as many boundaries as each coder has in each document, at random places",
        "lengths": "each coder's own segments, in random order",
    }[agreement.null]
    return (
        f"its 0 is chance: random coders have {kept}; {agreement.draws} draws, "
        f"seed {agreement.seed}, Monte-Carlo error {agreement.chance_error:.4f}"
    )


def _agreement_row(kind: str, one: "Agreement") -> dict[str, Any]:
    return {
        **_named(kind, one.name, one.basis),
        "corrected": with_interval(one.corrected, one.corrected_ci),
        "chance": one.chance,
        "chance_error": one.chance_error,
        "corrected_interval": one.corrected_ci.method,
        "pi": with_interval(one.pi, one.ci),
        "kappa": with_interval(one.kappa, one.kappa_ci),
        "bias": one.bias,
        "observed": one.observed,
        "expected_pi": one.expected_pi,
        "expected_kappa": one.expected_kappa,
        "interval": one.ci.method,
    }


def decision_table(decision: "DecisionAgreement") -> Table:
    """One coefficient on decisions, in the whole, groups and documents."""
    rows = [
        {
            **_named(kind, one.name, one.basis),
            "value": with_interval(one.value, one.ci),
            "coefficient": one.coefficient,
            "interval": one.ci.method,
        }
        for kind, one in _parts(decision)
    ]
    columns = [
        *_NAMES,
        Column(decision.coefficient, key="value", digits=3),
        *_BASIS,
        Column("coefficient", audience="machines"),
        Column("interval", audience="machines"),
    ]
    return Table(
        columns, rows, [*methods_note(rows), *decision.notes], explanations=[decision.reading]
    )


def decisions_table(
    kappa: "DecisionAgreement", alpha: "DecisionAgreement", majority: "DecisionAgreement"
) -> Table:
    """Fleiss's κ, Krippendorff's α and the agreement with the majority, side by side."""
    coefficients = {"kappa": kappa, "alpha": alpha, "majority": majority}
    parts = {key: _parts(one) for key, one in coefficients.items()}
    rows = [
        {
            **_named(kind, one.name, one.basis),
            **{
                key: with_interval(parts[key][i][1].value, parts[key][i][1].ci)
                for key in coefficients
            },
            "interval": one.ci.method,
        }
        for i, (kind, one) in enumerate(parts["kappa"])
    ]
    columns = [
        *_NAMES,
        Column("Fleiss's κ", key="kappa", digits=3),
        Column("Krippendorff's α", key="alpha", digits=3),
        Column("with majority", key="majority", digits=3),
        *_BASIS,
        Column("interval", audience="machines"),
    ]
    words = [*methods_note(rows), *kappa.notes]
    title = "Agreement on yes or no at each place" + (", ends counted" if kappa.count_end else "")
    readings = [kappa.general_reading, majority.general_reading]
    return Table(columns, rows, words, title, explanations=readings)


def pairwise_table(pairwise: "PairwiseMean") -> Table:
    """Mean ± sd over pairs of coders."""
    named = [
        *(("document", name, one) for name, one in pairwise.documents.items()),
        *(("group", name, one) for name, one in pairwise.groups.items()),
        ("whole", "all", pairwise),
    ]
    rows = [
        {
            "level": kind,
            "name": name,
            "mean": Cell(one.mean, error=one.sd),
            "pairs": one.n_pairs,
            "undefined": one.n_undefined,
        }
        for kind, name, one in named
    ]
    columns = [
        *_NAMES,
        Column(str(pairwise.metric), key="mean", error="sd", note=pairwise.signature),
        Column("pairs"),
        Column("undefined", audience="all" if pairwise.n_undefined else "machines"),
    ]
    words = ["mean ± standard deviation over pairs of coders"]
    if not pairwise.metric.symmetric:
        words[0] += ", each taken both ways round"
    if pairwise.k_from == "document":
        words.append("k from the mean segment of all coders of a document")
    return Table(columns, rows, words, "Pairs of coders")


def habits_table(habits: "CoderHabits") -> Table:
    """How densely each coder places boundaries."""
    rows = [[one.coder, one.n_documents, one.n_boundaries, one.density] for one in habits.coders]
    columns = [
        Column("coder"),
        Column("documents"),
        Column("boundaries"),
        Column("per place", key="density", digits=3),
    ]
    words = f"boundaries per potential boundary: {habits.mean:.3f} ± {habits.sd:.3f} over coders"
    return Table(columns, rows, [words], "Coders")


def segments_table(counts: "Iterable[SegmentCount]") -> Table:
    """How many segments coders make of each document."""
    rows = [
        [
            one.document,
            one.n_units,
            one.n_coders,
            Cell(one.mean, error=one.sd),
            one.least,
            *one.quartiles,
            one.most,
        ]
        for one in counts
    ]
    columns = [
        Column("document"),
        Column("units"),
        Column("coders"),
        Column("mean", error="sd", digits=2),
        Column("least"),
        *(Column(name, key=key, digits=1) for key, name in QUARTILES.items()),
        Column("most"),
    ]
    return Table(
        columns, rows, ["± is the standard deviation over coders"], "Segments per document"
    )


def labels_table(similarity: "LabelSimilarity") -> Table:
    """How far coders give the same labels, unit by unit."""
    rows = [[unit, float(value)] for unit, value in enumerate(similarity.per_unit, start=1)]
    words = (
        f"{similarity.mean:.3f} ± {similarity.sd:.3f} (standard deviation) over {similarity.n} "
        "units and pairs of coders"
    )
    columns = [Column("unit"), Column("similarity", digits=3)]
    return Table(columns, rows, [words], "Similarity of labels (Jaccard)")


def support_table(support: "Support") -> Table:
    """The positions that somebody marked, and who agrees."""
    rows = [
        [position, count, share]
        for (position, share), count in zip(support, support.counts.tolist(), strict=True)
    ]
    columns = [Column("position"), Column("coders"), Column("share", digits=3)]
    near = f"a boundary within {support.within} of it" if support.within else "a boundary there"
    words = f"{support.n_units} units, {support.n_coders} coders; coders: how many have {near}"
    return Table(columns, rows, [words], "Support of boundaries")


def clusters_table(clusters: "CoderClusters") -> Table:
    """Each cluster: who, at which distance, and how far they agree."""
    rows = [
        {
            "members": ", ".join(one.members),
            "height": one.height,
            "pi": one.pi,
            "mean": Cell(one.mean, error=one.sd),
            "pairs": one.n_pairs,
        }
        for one in clusters
    ]
    columns = [
        Column("cluster", key="members"),
        Column("distance", key="height", digits=3),
        Column("π* within", key="pi", digits=3),
        Column(f"{clusters.metric.name} within", key="mean", error="sd", digits=3),
        Column("pairs"),
    ]
    words = f"distance: 1 - {clusters.metric}, {clusters.method} linkage; ± is the sd over pairs"
    return Table(columns, rows, [words], "Clusters of coders")


def dendrogram_table(clusters: "CoderClusters", width: int = 40) -> Table:
    """The tree of coders."""
    columns = [
        Column("coder"),
        Column(f"distance 0 … {max(1.0, clusters.clusters[-1].height):.3g}"),
    ]
    rows = [[coder, Drawing(branches)] for coder, branches in clusters.dendrogram(width)]
    merges = Table(
        [
            Column("first"),
            Column("second"),
            Column("distance"),
            Column("coders"),
            Column("members"),
        ],
        [
            [int(first), int(second), height, int(size), ", ".join(one.members)]
            for (first, second, height, size), one in zip(
                clusters.linkage.tolist(), clusters.clusters, strict=True
            )
        ],
    )
    return Table(columns, rows, title="Who segments like whom", for_machines=merges)


def shares_table(documents: "Iterable[tuple[str, Support]]", width: int = 60) -> Table:
    """Where coders see boundaries: a line of shaded blocks per document.

    A block stands for one potential boundary, or, in longer documents, for several: the most that
    coders agree on any of them.
    """
    rows: list[list[Any]] = []
    numbers: list[list[Any]] = []
    for name, found in documents:
        rows.append([name, found.n_units, found.n_coders, _map(found, width)])
        basis = [name, found.n_units, found.n_coders]
        numbers += [
            [*basis, position, count, share]
            for (position, share), count in zip(found, found.counts.tolist(), strict=True)
        ]
    names = [Column("document"), Column("units"), Column("coders")]
    words = (
        "share of coders with a boundary: ░ up to 1/4, ▒ up to 1/2, ▓ up to 3/4, █ more; in HTML, "
        "the height of a mark"
    )
    return Table(
        [*names, Column("boundaries")],
        rows,
        [words],
        "Where coders see boundaries",
        for_machines=Table([*names, *map(Column, ("position", "count", "share"))], numbers),
    )


def _map(found: "Support", width: int) -> Drawing:
    """One document: blocks of characters, or a strip with a mark as high as the share."""

    def strip() -> str:
        marks = [
            StripMark(position, f"{position}: {count} of {found.n_coders} coders", share)
            for (position, share), count in zip(found, found.counts.tolist(), strict=True)
        ]
        return f'<div style="min-width:20em">{drawn_strip(marks, found.n_units)}</div>'

    return Drawing(f"│{shaded(found.blocks(width), width)}│", strip)


def shaded(shares: Floats, width: int) -> str:
    """Shares as a line of at most `width` blocks.

    >>> shaded(np.array([0, 0.2, 0.5, 0.7, 1]), 60)
    ' ░▒▓█'
    >>> shaded(np.array([0, 0.2, 0.5, 0.7, 1, 0]), 3)
    '░▓█'
    """
    if len(shares) > width:
        starts = np.arange(width) * len(shares) // width
        shares = np.maximum.reduceat(shares, starts)
    return "".join(SHADES[int(np.ceil(share * 4))] for share in shares)


def competitors_table(competitiveness: "Competitiveness") -> Table:
    """The system, then the people by how far they lower agreement."""
    people = sorted(competitiveness.people, key=lambda one: -one.drop)
    rows = [
        {
            "coder": one.name,
            "kind": "system" if one is competitiveness.system else "person",
            "without": one.without,
            "joined": one.joined,
            "drop": with_interval(one.drop, one.ci),
            "interval": one.ci.method,
        }
        for one in (competitiveness.system, *people)
    ]
    columns = [
        Column("coder"),
        Column("kind"),
        Column("without", digits=3),
        Column("with", key="joined", digits=3),
        Column("drop", digits=3),
        Column("interval", audience="machines"),
    ]
    symbol = {"pi": "π*", "kappa": "κ*"}[competitiveness.coefficient]
    words = [
        f"{symbol} by {competitiveness.signature}",
        *methods_note(rows),
        competitiveness.reading,
    ]
    if competitiveness.left_out:
        words.append(
            "documents skipped because the system or two people did not code them: "
            f"{len(competitiveness.left_out)}"
        )
    return Table(columns, rows, words, "A system among people")


QUARTILES = {"q1": "Q1", "median": "median", "q3": "Q3"}


def quartiles(values: Floats) -> list[float]:
    """The quartiles, by linear interpolation; NaN of nothing."""
    return np.quantile(values, [0.25, 0.5, 0.75]).tolist() if len(values) else [float("nan")] * 3


# ---- what they share ----

_TOO_FEW = "too few for an interval: it would leave the range of the value, or be wider than 1"
_NAMES = (Column("level", audience="machines"), Column("document or group", key="name"))
_BASIS = (
    Column("documents", audience="machines"),
    Column("coders", drop_order=7),
    Column("codings", audience="machines"),
    Column("pairs", drop_order=5),
    Column("boundaries", drop_order=6),
)


def _parts(result: Any) -> list[tuple[str, Any]]:
    """Documents, groups and the whole; a single document is the whole."""
    documents: Mapping[str, Any] = result.documents if len(result.documents) > 1 else {}
    return [
        *(("document", one) for one in documents.values()),
        *(("group", one) for one in result.groups.values()),
        ("whole", result),
    ]


def _named(kind: str, name: str, basis: Basis) -> dict[str, Any]:
    return {
        "level": kind,
        "name": f"group {name}" if kind == "group" else name,
        "documents": basis.n_documents,
        "coders": basis.n_coders,
        "codings": basis.n_codings,
        "pairs": basis.n_pairs,
        "boundaries": basis.n_boundaries,
    }


def with_interval(value: float, interval: Interval) -> Cell:
    if np.isnan(interval.low):
        few = interval.method.startswith("too few")
        return Cell(value, note=_TOO_FEW if few and not np.isnan(value) else None)
    return Cell(value, low=interval.low, high=interval.high)


def methods_note(rows: list[dict[str, Any]]) -> list[str]:
    """How the intervals were made: that of the whole, and that of documents, in one line."""
    methods = list(dict.fromkeys(_plain(row["interval"]) for row in rows[::-1]))
    methods = [method for method in methods if not method.startswith("too few")]
    return [f"intervals: {'; '.join(methods)}"] if methods else []


def _plain(method: str) -> str:
    """Without the number of coders, which differs between documents."""
    return re.sub(r"(jackknife over) \d+", r"\1", method)
