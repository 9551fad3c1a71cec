"""The tables of a comparison: systems by metrics, and pairs of systems."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from segscore.comparison.measuring import BASELINE_RULES, RANDOM
from segscore.tables import Cell, Column, Table, columns

if TYPE_CHECKING:
    from segscore.comparison import Comparison

RATIO = "Boundaries of its segmentations over those of the references."
_COUNTED = {"note": "Documents, counted against each other system."}
_TESTED: dict[str, Any] = {  # beside each metric, for machines and for those who ask
    "rank": {},
    "mean_rank": {"digits": 2, "note": "Over documents."},
    "wins": _COUNTED,
    "ties": _COUNTED,
    "losses": _COUNTED,
    "signature": {},
}
_OF_EVIDENCE: dict[str, Any] = {"pooled": {}, "mean": {}, "undefined": {}, "signature": {}}


def add_metric(
    comparison: "Comparison", metric: str, rows: Sequence[dict[str, Any]], lettered: bool
) -> list[Column]:
    """The columns of a metric, whose cells are added to the rows: its value, whose heading names
    the average and the better direction (in LaTeX, where columns are narrow, only the note below
    the table names the average); chance and the share of the way, if requested and the metric has
    them; and the tests."""
    described, scale = comparison.standings[metric].metric, comparison.chance
    arrow = "↑" if described.higher_is_better else "↓"
    name = str(described) if comparison.scores else metric  # of evidence: with its parameters

    def in_latex() -> str:
        from segscore.tables.markup import latex_text

        return f"{described.latex_name or latex_text(name)} {latex_text(arrow)}"

    shown = [
        Column(
            f"{'' if comparison.scores else comparison.settings.average + ' '}{name} {arrow}",
            better="higher" if described.higher_is_better else "lower",
            digits=getattr(described, "digits", None),
            key=metric,
            error="sd",
            note=getattr(described, "says", comparison.signatures[metric]),
            latex=in_latex,
            share=described.perfect is not None,
            exactly=bool(comparison.scores),
        )
    ]
    if scale is not None and metric not in scale.found:
        scale = None
    if scale is not None:
        shown += [
            Column(f"chance ({scale.title})", key=f"{metric}_chance", share=True),
            Column("of the way", key=f"{metric}_share", digits=2, share=True),
            Column("chance signature", key=f"{metric}_chance_signature", audience="machines"),
        ]
    machines = _OF_EVIDENCE if comparison.scores else _TESTED
    for each, more in machines.items():
        heading = each.replace("_", " ")
        shown.append(Column(heading, key=f"{metric}_{each}", audience="machines", **more))
    for name, row in zip(comparison.rows, rows, strict=True):
        entry = comparison[name, metric]
        signature = comparison.signature(name, metric)
        row[metric] = Cell(
            entry.value,
            entry.low,
            entry.high,
            error=entry.sd,
            marks=(entry.letters or "") if lettered else "",
            ranked=entry.kind == "system",
        )
        known = {**vars(entry), "signature": signature, **comparison.beside.get((name, metric), {})}
        row |= {f"{metric}_{each}": known[each] for each in machines}
        if scale is not None:
            row[f"{metric}_chance"] = entry.chance
            row[f"{metric}_share"] = Cell(entry.share, entry.share_low, entry.share_high)
            row[f"{metric}_chance_signature"] = f"{signature}|{scale.signature}"
    return shown


def footnotes(comparison: "Comparison", lettered: bool) -> list[str]:
    notes = [comparison.describe(), *comparison.notes]
    if comparison.provenance.choices:
        notes += comparison.placing_note
    for name, kept in BASELINE_RULES.items():
        if name in comparison.rows and name not in comparison.systems:
            count = comparison[name, comparison.metrics[0]].n_runs
            draws = "; one draw" if count == 1 else f"; mean of {count} draws"
            notes.append(f"{name}: {kept}{draws if name in RANDOM else ''}.")
    if comparison.chance is not None:
        notes.append(comparison.chance.describe())
    if any(entry.sd is not None for entry in comparison.entries):
        notes.append("±: standard deviation over runs.")
    if lettered and any(entry.letters for entry in comparison.entries):
        systems = f"{comparison.terms['system']}s".capitalize()
        notes.append(f"{systems} that share a letter do not differ significantly.")
    ranked = comparison.settings.test in ("friedman", "kruskal")
    notes += [
        f"{metric}: {test.name}, statistic {test.statistic:.3f}, p = {test.p:.4g}, "
        f"{test.effect_name} = {test.effect:.3f}."
        for metric, test in (comparison.overall if ranked else {}).items()
        if test.n_documents > 1
    ]
    return notes


def pairs_table(comparison: "Comparison") -> Table:
    """A row per pair of systems and metric: difference, interval, p, effect, wins and losses."""
    share = all(each.metric.perfect is not None for each in comparison.standings.values())
    metric, document = comparison.terms["metric"], comparison.terms["document"]
    hidden = "!" if len(comparison.metrics) == 1 else ""
    shown = [
        *columns(f"{metric}{hidden}", of="metric"),
        *columns("a b"),
        Column(
            "a - b",
            key="difference",
            share=share,
            difference=True,
            of=lambda pair: Cell(pair.difference, low=pair.low, high=pair.high),
        ),
        *columns("p corrected=p_corrected", form=lambda p: "<0.0001" if p < 0.0001 else f"{p:.4f}"),
        *columns("significant"),
        *columns("effect:2<5", note=f"Cohen's d of the {document}s' differences."),
        *columns("wins<4 ties<1 losses<3"),
        *columns(
            "detectable<2",
            share=share,
            difference=True,
            note=f"The difference that these {document}s could detect with 80 % power at the "
            "corrected level; – if they can detect none.",
        ),
    ]
    notes = [comparison.describe(), *comparison.units_note, *comparison.notes]
    lead, warnings = comparison.verdict, comparison.warnings
    return Table.of(comparison.pairs, shown, notes, lead=lead, warnings=warnings)
