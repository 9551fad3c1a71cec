"""The tables of a comparison: systems by metrics, and pairs of systems; and its numbers as a
list."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from segscore.comparison.measuring import BASELINE_RULES, RANDOM
from segscore.comparison.words import verdict
from segscore.tables import Cell, Column, Table, columns
from segscore.tables.markup import latex_text
from segscore.tables.view import interval_cell
from segscore.tables.wording import IN_PERCENT

if TYPE_CHECKING:
    from segscore.comparison import Comparison
    from segscore.comparison.leaderboard import Entry

_RATIO = "Boundaries of its segmentations over those of the references."
_COUNTED = {"note": "Documents, counted against each other system."}
_TESTED: dict[str, Any] = {  # beside each metric, for machines and for those who ask
    "rank": {},
    "mean_rank": {"digits": 2, "note": "Over documents."},
    "wins": _COUNTED,
    "ties": _COUNTED,
    "losses": _COUNTED,
}


def systems_table(comparison: "Comparison") -> Table:
    """A row per system, baseline and person; a column per metric, with the tests beside it.

    Ranks, wins, ties and losses are in CSV and JSON, and shown if their columns are asked for.
    """

    def entry(name: str) -> "Entry":
        return comparison[name, comparison.metrics[0]]

    def failed(name: str) -> int | None:
        return entry(name).n_failed if entry(name).kind == "system" else None

    def failed_share(name: str) -> float | None:
        return None if failed(name) is None else entry(name).n_failed / comparison.n_asked

    shown = [Column("system", of=str)]
    shown.append(Column("kind", audience="machines", of=lambda name: entry(name).kind))
    if comparison.failures:  # documents without a hypothesis
        shown += [*columns("failed", of=failed)]
        shown += [*columns("failed_share", audience="machines", of=failed_share)]
    ratios = comparison.ratios
    shown += columns("ratio", digits=2, audience="asked", note=_RATIO, of=ratios.get)
    for metric in comparison.metrics:
        shown += _metric_columns(comparison, metric)
    notes = _footnotes(comparison)
    return Table.of(comparison.rows, shown, footnotes=notes, **_around(comparison))


def _metric_columns(comparison: "Comparison", metric: str) -> list[Column]:
    """The columns of a metric: its value, whose heading names the average and the better direction
    (in LaTeX, where columns are narrow, only the note below the table names the average); chance
    and the share of the way, if requested and the metric has them; and the tests."""
    described, scale = comparison.metric(metric), comparison.chance
    arrow = "↑" if described.higher_is_better else "↓"

    def value(name: str) -> Cell:
        entry = comparison[name, metric]
        marks, ranked = entry.letters or "", entry.kind == "system"
        ends = entry.value, entry.low, entry.high
        return interval_cell(*ends, error=entry.sd, marks=marks, ranked=ranked)

    def share(name: str) -> Cell:
        entry = comparison[name, metric]
        return interval_cell(entry.share, entry.share_low, entry.share_high)

    def of(field: str) -> Callable[[str], Any]:
        return lambda name: getattr(comparison[name, metric], field)

    def signature(name: str) -> str:
        return comparison.signature(name, metric)

    shown = [
        Column(
            f"{comparison.settings.average} {metric} {arrow}",
            better="higher" if described.higher_is_better else "lower",
            key=metric,
            error="sd",
            note=comparison.signatures[metric],
            latex=f"{described.latex_name or latex_text(metric)} {latex_text(arrow)}",
            share=described.perfect is not None,
            of=value,
        )
    ]
    if scale is not None and metric in scale.found:
        by_chance = f"chance ({scale.title})"
        key, own = f"{metric}_chance_signature", scale.signature
        shown += [
            Column(by_chance, key=f"{metric}_chance", share=True, of=of("chance")),
            Column("of the way", key=f"{metric}_share", digits=2, share=True, of=share),
            Column("chance signature", key=key, audience="machines",
                   of=lambda name: f"{signature(name)}|{own}"),
        ]  # fmt: skip
    cells = {name: of(name) for name in _TESTED} | {"signature": signature}
    for name, cell in cells.items():
        heading, more = name.replace("_", " "), _TESTED.get(name, {})
        shown.append(Column(heading, key=f"{metric}_{name}", audience="machines", of=cell, **more))
    return shown


def _around(comparison: "Comparison") -> Any:
    """What stands above and below a table: what it shows, and what is doubtful."""
    percent = verdict(comparison, IN_PERCENT) if _are_shares(comparison) else []
    lead, warnings = comparison.verdict, comparison.warnings
    return {"warnings": warnings, "lead": lead, "lead_in_percent": percent}


def _are_shares(comparison: "Comparison") -> bool:
    """Whether all metrics lie between 0 and 1."""
    return all(comparison.metric(name).perfect is not None for name in comparison.metrics)


def _footnotes(comparison: "Comparison") -> list[str]:
    notes = [comparison.describe(), *comparison.placing_note]
    for name, kept in BASELINE_RULES.items():
        if name in comparison.rows and name not in comparison.systems:
            count = comparison.n_runs(name)
            draws = "; one draw" if count == 1 else f"; mean of {count} draws"
            notes.append(f"{name}: {kept}{draws if name in RANDOM else ''}.")
    if comparison.chance is not None:
        notes.append(comparison.chance.describe())
    if any(entry.sd is not None for entry in comparison.entries):
        notes.append("±: standard deviation over runs.")
    if any(entry.letters for entry in comparison.entries):
        notes.append("Systems that share a letter do not differ significantly.")
    notes += [
        f"{metric}: {test.name}, statistic {test.statistic:.3f}, p = {test.p:.4g}, "
        f"{test.effect_name} = {test.effect:.3f}."
        for metric, test in comparison.overall.items()
        if test.n_documents > 1
    ]
    return notes


def pairs_table(comparison: "Comparison") -> Table:
    """A row per pair of systems and metric: difference, interval, p, effect, wins and losses."""
    shares = _are_shares(comparison)
    detectable = (
        "The difference that these documents could detect with 80 % power at the corrected level; "
        "– if they can detect none."
    )
    differences: dict[str, Any] = {"share": shares, "difference": True}
    shown = [
        *columns("metric", audience="all" if len(comparison.metrics) > 1 else "machines"),
        *columns("a b"),
        Column("a - b", key="difference", **differences, of=lambda pair: Cell(
            pair.difference, low=pair.low, high=pair.high
        )),
        *columns("p corrected=p_corrected", form=_p_value),
        *columns("significant"),
        *columns("effect:2", drop_order=5, note="Cohen's d of the documents' differences."),
        *columns("wins", drop_order=4),
        *columns("ties", drop_order=1),
        *columns("losses", drop_order=3),
        Column("detectable", drop_order=2, note=detectable, **differences),
    ]  # fmt: skip
    notes = [comparison.describe(), *comparison.units_note]
    return Table.of(comparison.pairs, shown, notes, **_around(comparison))


def _p_value(p: float) -> str:
    return "<0.0001" if p < 0.0001 else f"{p:.4f}"


def comparison_numbers(comparison: "Comparison") -> Iterator[tuple[tuple[str, ...], float | None]]:
    """Each number of `Comparison.to_metrics`, with its name: row, metric and kind."""
    for entry in comparison.entries:
        for name in ("value", "low", "high", "rank"):
            yield (entry.system, entry.metric, name), getattr(entry, name)
    for pair in comparison.pairs:
        between = f"{pair.a}-vs-{pair.b}"
        for name in ("difference", "low", "high"):
            yield (between, pair.metric, name), getattr(pair, name)
        yield (between, pair.metric, "p"), pair.p_corrected
    yield ("documents",), comparison.n_documents
