"""How results of scoring look as a table: averages, or a row per document."""

from collections.abc import Mapping
from typing import Any

from segscore.scores import Result
from segscore.tables import Cell, Column, Table


def scores_table(
    results: Mapping[str, Result], average: str = "both", per_document: bool = False
) -> Table:
    """The results of one or more systems, by their names; people need not see a single name."""
    systems = [Column("system", audience="machines" if len(results) == 1 else "all")]
    if list(results) == [""]:
        systems = []
    return _documents(results, systems) if per_document else _averages(results, systems, average)


def _documents(results: Mapping[str, Result], systems: list[Column]) -> Table:
    """A row per system and document, a column per metric."""
    first = next(iter(results.values()))
    metrics = [Column(str(key), note=scores.metric.signature()) for key, scores in first.items()]
    rows = [
        {"system": name, **row} for name, result in results.items() for row in result.to_dicts()
    ]
    return Table([*systems, Column("document"), *metrics], rows)


def _averages(results: Mapping[str, Result], systems: list[Column], average: str) -> Table:
    """A row per system and metric."""
    rows: list[dict[str, Any]] = [
        {"system": name, **row} for name, result in results.items() for row in result.summary()
    ]
    for row in rows:
        row["shown"] = Cell(row["metric"], note=row["signature"])
        row["better"] = "higher" if row["higher_is_better"] else "lower"
    any_undefined = any(row["undefined"] for row in rows)
    columns = [
        *systems,
        Column("metric", audience="machines"),
        Column("metric", key="shown", audience="people"),
        *(Column(one) for one in ("micro", "macro") if average in ("both", one)),
        Column("documents"),
        Column("undefined", audience="all" if any_undefined else "machines"),
        Column("better", audience="people"),
        Column("higher_is_better", audience="machines"),
        Column("signature", audience="machines"),
    ]
    return Table(columns, rows)
