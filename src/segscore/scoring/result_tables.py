"""Results as tables: averages, documents, and parts of scores, for one or more systems."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from segscore.corpus.provenance import PLACED, placed_notes
from segscore.pairing.rules import missing_notes
from segscore.tables.markup import latex_text
from segscore.tables.table import Table
from segscore.tables.view import Cell, Column

if TYPE_CHECKING:
    from segscore.metrics import Average, Metric
    from segscore.scoring.scoring import Result, Scores

_CELLS = ("tp", "fp", "fn", "tn")  # of a confusion matrix: counts, unless near misses count in part


# of a table of averages; a column of groups with such a name gets another one
_FIELDS = {
    *("system", "metric", "shown", "micro", "low", "high", "macro", "documents", "undefined"),
    *("better", "higher_is_better", "signature", "failed", "failed_share"),
    *PLACED,
}


def scores_table(
    results: "Mapping[str, Result]", average: str = "both", per_document: bool = False
) -> Table:
    """The results of one or more systems, by their names, a row per group, system and metric; text
    tables do not show a single name.

    A result without a name (`""`) is shown with the names of its own systems.
    """
    if per_document:
        return _documents(results)
    by = next(iter(results.values())).by
    groups = {f"{name} (group)" if name in _FIELDS else name: name for name in by}
    every = [scores for result in results.values() for scores in result.averages]
    rows = [
        {
            **dict(zip(groups, scores.group, strict=True)),
            **row,
            "system": name or scores.system,
            "shown": Cell(row["metric"], note=scores.signature, latex=scores.metric.latex_name),
            "low": scores.low,
            "high": scores.high,
            "better": "higher" if scores.metric.higher_is_better else "lower",
        }
        for name, result in results.items()
        for scores, row in zip(result.averages, result.summary(), strict=True)
    ]
    any_undefined = any(scores.n_undefined for scores in every)
    any_failure = any(result.failures is not None for result in results.values())
    shares = all(scores.metric.perfect is not None for scores in every)
    interval = ["low", "high"] if any(scores.low is not None for scores in every) else []
    wanted = {"both": ["micro", *interval, "macro"], "micro": ["micro", *interval]}
    columns = [
        *(Column(name, key=key) for key, name in groups.items()),
        *_system_columns(results),
        Column("metric", audience="machines"),
        Column("metric", key="shown", audience="people"),
        *(Column(name, share=shares) for name in wanted.get(average, ["macro"])),
        Column("documents", drop_order=1),
        Column("undefined", audience="all" if any_undefined else "machines"),
        *([Column("failed"), Column("failed_share", audience="machines")] if any_failure else []),
        *(Column(name, audience="machines") for name in PLACED if any(name in row for row in rows)),
        Column("better", audience="people"),
        Column("higher_is_better", audience="machines"),
        Column("signature", audience="machines"),
    ]
    methods = {scores.interval_method: None for scores in every if scores.interval_method}
    left_out, warnings = _left_out(results)
    ratios = {name if len(results) > 1 else "": result.ratio for name, result in results.items()}
    notes = [
        *([] if average == "macro" else methods),
        *placed_notes({name: result.averages[0].provenance for name, result in results.items()}),
        *left_out,
        *ratio_notes(ratios),
    ]
    paper = None
    if len({row["system"] for row in rows}) > 1 and not any(scores.group for scores in every):
        paper = _systems_by_metrics(every, rows, average, notes, warnings)
    return Table(columns, rows, notes, warnings=warnings, for_latex=paper)


def _system_columns(results: "Mapping[str, Result]") -> list[Column]:
    if list(results) != [""]:
        return [Column("system", audience="machines" if len(results) == 1 else "all")]
    known = results[""].systems
    return [Column("system", audience="all" if any(known) else "machines")] if known else []


def _documents(results: "Mapping[str, Result]") -> Table:
    """A row per system and document, a column per metric."""
    first = next(iter(results.values()))
    metrics = [
        Column(
            str(key),
            note=scores.signature,
            latex=scores.metric.latex_name,
            share=scores.metric.perfect is not None,
        )
        for key, scores in first.items()
    ]
    rows = [
        {"system": name, **row} for name, result in results.items() for row in result.to_dicts()
    ]
    columns = [*_system_columns(results), Column("document"), *metrics]
    if any(result.failures is not None for result in results.values()):
        columns.append(Column("failure"))
    notes, warnings = _left_out(results)
    return Table(columns, rows, notes, warnings=warnings)


def _systems_by_metrics(
    every: "Sequence[Scores]",
    rows: Sequence[Mapping[str, Any]],
    average: str,
    notes: Sequence[str],
    warnings: Sequence[str],
) -> Table:
    """The table of a paper: a row per system, a column per metric with one average, by default the
    micro-average."""
    chosen: Average = "macro" if average == "macro" else "micro"
    lines: dict[str, dict[str, Any]] = {row["system"]: {"system": row["system"]} for row in rows}
    columns = {}
    for scores, row in zip(every, rows, strict=True):
        metric, key = scores.metric, str(scores.key)
        low, high = (scores.low, scores.high) if chosen == "micro" else (None, None)
        lines[row["system"]][key] = Cell(row[chosen], low=low, high=high)
        arrow = "↑" if metric.higher_is_better else "↓"
        columns[key] = Column(
            key,
            better="higher" if metric.higher_is_better else "lower",
            note=metric.signature(chosen, scores.provenance),
            latex=f"{metric.latex_name or latex_text(key)} {latex_text(arrow)}",
            share=metric.perfect is not None,
        )
    counts = {scores.n_documents for scores in every}
    documents = f"{counts.pop()} documents, " if len(counts) == 1 and counts != {1} else ""
    about = f"{documents}{chosen}-average."
    shown = [Column("system"), *columns.values()]
    return Table(shown, list(lines.values()), [about, *notes], warnings=warnings)


def score_parts_table(results: "Mapping[str, Result]") -> Table:
    """All numeric parts of all scores, summed over all documents (micro)."""
    rows = [
        {
            "system": name,
            "metric": str(key),
            "shown": Cell(str(key), note=scores.micro.signature),
            "part": part,
            "micro": value,
            "shown_micro": _shown_part(value, part, scores.metric),
            "ratio": result.ratio,
            "signature": scores.micro.signature,
        }
        for name, result in results.items()
        for key, scores in result.items()
        for part, value in numbers_of_parts(scores.micro.parts)
    ]
    columns = [
        Column("system", audience="machines" if len(results) == 1 else "all"),
        Column("metric", audience="machines"),
        Column("metric", key="shown", audience="people"),
        Column("part"),
        Column("micro", audience="machines"),
        Column("micro", key="shown_micro", audience="people"),
        Column("ratio", digits=2, audience="machines"),  # of a system, not of a part
        Column("signature", audience="machines"),
    ]
    notes, warnings = _left_out(results)
    ratios = [
        f"{name + ': ' if len(results) > 1 else ''}ratio {result.ratio:.2f}: boundaries of the "
        "hypothesis over the reference's"
        for name, result in results.items()
    ]
    return Table(columns, rows, [*ratios, *notes], warnings=warnings)


def _shown_part(value: float, part: str, metric: "Metric") -> Any:
    """A part as people read it: counts without decimals, and ends of an interval with a note on how
    it was made. Ends outside the metric's range are not cut off."""
    if part.startswith("ci."):
        outside = metric.perfect is not None and not 0 <= value <= 1
        ignores = (
            f"Student's t ignores that {metric.name} lies between 0 and 1; " if outside else ""
        )
        return Cell(
            value,
            note=f"{ignores}95 % by Student's t over pairs of boundaries (n_pairs), as papers "
            "print it; segscore compare has intervals from resampled documents, which stay inside",
        )
    counted = part in metric.statistic_names or part in _CELLS
    return int(value) if counted and float(value).is_integer() else value


def numbers_of_parts(parts: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """The numeric parts; those of an interval or a matrix have names of their own."""
    for name, value in parts.items():
        if isinstance(value, int | float):
            yield name, value
        elif isinstance(value, Mapping):
            yield from ((f"{name}.{key}", number) for key, number in value.items())
        elif isinstance(value, tuple):
            yield from zip((f"{name}.low", f"{name}.high"), value, strict=True)


def _left_out(results: "Mapping[str, Result]") -> tuple[list[str], list[str]]:
    """Notes on the documents that each system skipped, and warnings about averages without them."""
    notes: list[str] = []
    warnings: list[str] = []
    lacking = {name: each for name, each in results.items() if each.skipped or each.failures}
    for name, result in lacking.items():
        system = f"{name}: " if len(results) > 1 else ""
        both = missing_notes(result.skipped, result.failures)
        for found, texts in zip((notes, warnings), both, strict=True):
            found += [system + text for text in texts]
    return notes, warnings


LEAST, MOST = 0.5, 2.0  # boundaries per boundary: beyond which tables say so


def ratio_notes(ratios: Mapping[str, float | None]) -> Sequence[str]:
    """Notes in tables on systems, by name, that cut far more or far less often than the
    references."""
    return [
        f"{name + ': ' if name else ''}{ratio:.3g} boundaries for each boundary of the reference: "
        "numbers depend on how many there are (the column ratio shows it, count-mae measures it)"
        for name, ratio in ratios.items()
        if ratio is not None and not math.isnan(ratio) and not LEAST <= ratio <= MOST
    ]
