"""The tables of a comparison: systems by metrics, and pairs of systems; and its numbers as a
list."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from math import isnan
from typing import TYPE_CHECKING, Any

import numpy as np

from segscore.comparison.measuring import BASELINE_RULES, RANDOM
from segscore.comparison.words import verdict
from segscore.tables import Cell, Column, Table, columns
from segscore.tables.markup import latex_text
from segscore.tables.wording import IN_PERCENT

if TYPE_CHECKING:
    from segscore.comparison import Comparison
    from segscore.comparison.leaderboard import Entry

_COUNTED = {"note": "Documents, counted against each other system."}
_COHEN = "Cohen's d"
_RATIO = "Boundaries of its segmentations over those of the references."
_TESTED: dict[str, Any] = {  # beside each metric, for machines and for those who ask
    "rank": {},
    "mean_rank": {"digits": 2, "note": "Over documents."},
    "wins": _COUNTED,
    "ties": _COUNTED,
    "losses": _COUNTED,
    "signature": {},
}


def systems_table(comparison: "Comparison") -> Table:
    """A row per system, baseline and person; a column per metric, with the tests beside it.

    Ranks, wins, ties and losses are in CSV and JSON, and shown if their columns are asked for.
    """
    shown = [*columns("system"), *columns("kind", audience="machines")]
    if comparison.failures:  # documents without a hypothesis
        shown += [*columns("failed"), *columns("failed_share", audience="machines")]
    shown += columns("ratio", digits=2, audience="asked", note=_RATIO)
    for metric in comparison.metrics:
        shown += [_metric_column(comparison, metric), *_chance_columns(comparison, metric)]
        shown += [
            Column(name.replace("_", " "), key=f"{metric}_{name}", audience="machines", **more)
            for name, more in _TESTED.items()
        ]
    rows = [_row(comparison, name) for name in comparison.rows]
    return Table(shown, rows, footnotes=_footnotes(comparison), **_around(comparison))


def _around(comparison: "Comparison") -> Any:
    """What stands above and below a table: what it shows, and what is doubtful."""
    percent = verdict(comparison, IN_PERCENT) if _are_shares(comparison) else []
    return {
        "warnings": comparison.warnings,
        "lead": comparison.verdict,
        "lead_in_percent": percent,
    }


def _are_shares(comparison: "Comparison", metrics: Iterable[str] | None = None) -> bool:
    """Whether the metrics, by default all, lie between 0 and 1."""
    asked = comparison.metrics if metrics is None else metrics
    return all(comparison.metric(name).perfect is not None for name in asked)


def _metric_column(comparison: "Comparison", metric: str) -> Column:
    """The column of a metric; its heading names the average and the better direction. In LaTeX,
    where columns are narrow, only the note below the table names the average."""
    described, average = comparison.metric(metric), comparison.settings.average
    arrow = "↑" if described.higher_is_better else "↓"
    return Column(
        f"{average} {metric} {arrow}",
        better="higher" if described.higher_is_better else "lower",
        key=metric,
        error="sd",
        note=comparison.signatures[metric],
        latex=f"{described.latex_name or latex_text(metric)} {latex_text(arrow)}",
        share=described.perfect is not None,
    )


def _row(comparison: "Comparison", name: str) -> list[Any]:
    entries = [comparison[name, metric] for metric in comparison.metrics]
    row: list[Any] = [name, entries[0].kind]
    if comparison.failures:
        counts = entries[0].n_failed, entries[0].n_failed / comparison.n_asked
        row += counts if entries[0].kind == "system" else (None, None)
    row.append(comparison.ratios[name])
    for entry in entries:
        row.append(_cell(entry))
        signature = comparison.signature(name, entry.metric)
        if comparison.chance is not None and _chance_columns(comparison, entry.metric):
            share = _ends(Cell(entry.share), entry.share_low, entry.share_high)
            row += [entry.chance, share, f"{signature}|{comparison.chance.signature}"]
        tested = vars(entry) | {"signature": signature}
        row += [tested[name] for name in _TESTED]
    return row


def _chance_columns(comparison: "Comparison", metric: str) -> list[Column]:
    """The columns of chance and the share of the way, if requested and the metric has them."""
    scale = comparison.chance
    if scale is None or metric not in scale.found:
        return []
    return [
        Column(f"chance ({scale.title})", key=f"{metric}_chance", share=True),
        Column("of the way", key=f"{metric}_share", digits=2, share=True),
        Column("chance signature", key=f"{metric}_chance_signature", audience="machines"),
    ]


def _ends(cell: Cell, low: float | None, high: float | None) -> Cell:
    """The cell with its interval, if there is one: not of one document, nor wider than 1."""
    return cell if low is None or isnan(low) else replace(cell, low=low, high=high)


def _cell(entry: "Entry") -> Cell:
    marks, ranked = entry.letters or "", entry.kind == "system"
    cell = Cell(entry.value, error=entry.sd, marks=marks, ranked=ranked)
    return _ends(cell, entry.low, entry.high)


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
    shown = [
        *columns("metric", audience="all" if len(comparison.metrics) > 1 else "machines"),
        *columns("a b"),
        *columns("a_-_b=difference", share=shares, difference=True),
        *columns("p corrected=p_corrected", form=_p_value),
        *columns("significant"),
        *columns("effect", digits=2, drop_order=5, note=f"{_COHEN} of the documents' differences."),
        *columns("wins", drop_order=4),
        *columns("ties", drop_order=1),
        *columns("losses", drop_order=3),
        Column("detectable", drop_order=2, share=shares, difference=True, note=detectable),
    ]
    rows = [
        {**vars(pair), "difference": Cell(pair.difference, low=pair.low, high=pair.high)}
        for pair in comparison.pairs
    ]
    notes = [comparison.describe(), *comparison.units_note]
    return Table(shown, rows, notes, **_around(comparison))


def against_table(comparison: "Comparison", numbers: Mapping[str, float]) -> Table:
    """A row per system and metric: the mean of its documents, and whether it differs from the
    number."""
    shares = _are_shares(comparison, numbers)
    shown = [
        *columns("metric", audience="all" if len(numbers) > 1 else "machines"),
        *columns("system"),
        Column("mean", note="Macro-average: the mean of the documents' values.", share=shares),
        *columns("number", share=shares),
        *columns("difference", share=shares, difference=True),
        *columns("t", digits=3),
        *columns("p", form=_p_value),
        *columns("effect", digits=2, note=f"{_COHEN}."),
        *columns("documents"),
    ]
    rows = []
    for metric, number in numbers.items():
        values = comparison.values(metric)
        for system, test in comparison.against(number, metric).items():
            mean = float(np.nanmean(values[system]))
            rows.append([
                metric, system, mean, number, mean - number, test.statistic, test.p, test.effect,
                test.n_documents,
            ])  # fmt: skip
    words = "One-sample t-test, two-sided: could the mean over documents be this number?"
    return Table(shown, rows, [words, *comparison.units_note])


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
