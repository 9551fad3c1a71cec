"""Results as tables: averages, documents, and the parts of scores, of one or more systems."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from segscore.pairing.documents import skipped_note

if TYPE_CHECKING:
    from segscore.metrics.base import Metric
    from segscore.scoring.results import Result
    from segscore.tables import Column, Table


def scores_table(
    results: "Mapping[str, Result]", average: str = "both", per_document: bool = False
) -> "Table":
    """The results of one or more systems, by their names; people need not see a single name."""
    from segscore.tables import Column

    systems = [Column("system", audience="machines" if len(results) == 1 else "all")]
    if list(results) == [""]:
        systems = []
    return _documents(results, systems) if per_document else _averages(results, systems, average)


def _documents(results: "Mapping[str, Result]", systems: "list[Column]") -> "Table":
    """A row per system and document, a column per metric."""
    from segscore.tables import Column, Table

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
    return Table([*systems, Column("document"), *metrics], rows, _skipped(results))


def _averages(results: "Mapping[str, Result]", systems: "list[Column]", average: str) -> "Table":
    """A row per system and metric."""
    from segscore.tables import Cell, Column, Table

    rows: list[dict[str, Any]] = [
        {"system": name, **row, "latex": scores.metric.latex_name, "scale": scores.metric.perfect}
        for name, result in results.items()
        for row, scores in zip(result.summary(), result.values(), strict=True)
    ]
    shares = all(row["scale"] is not None for row in rows)
    for row in rows:
        row["shown"] = Cell(row["metric"], note=row["signature"], latex=row.pop("latex"))
        row["better"] = "higher" if row["higher_is_better"] else "lower"
    any_undefined = any(row["undefined"] for row in rows)
    columns = [
        *systems,
        Column("metric", audience="machines"),
        Column("metric", key="shown", audience="people"),
        *(Column(one, share=shares) for one in ("micro", "macro") if average in ("both", one)),
        Column("documents", drop_order=1),
        Column("undefined", audience="all" if any_undefined else "machines"),
        Column("better", audience="people"),
        Column("higher_is_better", audience="machines"),
        Column("signature", audience="machines"),
    ]
    return Table(columns, rows, _skipped(results))


def parts_table(results: "Mapping[str, Result]") -> "Table":
    """Every part of every score that is a number: those of all documents added up (micro)."""
    from segscore.tables import Cell, Column, Table

    rows = [
        {
            "system": name,
            "metric": str(key),
            "shown": Cell(str(key), note=scores.micro.signature),
            "part": part,
            "micro": _marked_outside(value, part, scores.metric),
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
        Column("micro"),
        Column("signature", audience="machines"),
    ]
    return Table(columns, rows, _skipped(results))


def _marked_outside(value: float, part: str, metric: "Metric") -> Any:
    """The end of an interval, with a note if the metric cannot reach it: it is not cut off."""
    from segscore.tables import Cell

    if metric.perfect is None or not part.startswith("ci.") or not (value < 0 or value > 1):
        return value
    return Cell(
        value,
        note=f"Student's t does not know that {metric.name} lies between 0 and 1; segscore compare "
        "has intervals that do, from resampled documents",
    )


def numbers_of_parts(parts: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """The parts that are numbers; those of an interval or a matrix by names of their own."""
    for name, value in parts.items():
        if isinstance(value, int | float):
            yield name, value
        elif isinstance(value, Mapping):
            yield from ((f"{name}.{key}", one) for key, one in value.items())
        elif isinstance(value, tuple):
            yield from zip((f"{name}.low", f"{name}.high"), value, strict=True)


def _skipped(results: "Mapping[str, Result]") -> list[str]:
    """A line for each system of which documents were skipped."""
    return [
        f"{name}: {note}" if len(results) > 1 else note
        for name, result in results.items()
        for note in skipped_note(result.skipped)
    ]
