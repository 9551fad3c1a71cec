"""Comparisons of systems whose documents were added up, from a table of sums.

A bucket is a random set of documents, the same for every system, so whole buckets are drawn and
swapped, and intervals and tests hold as over documents. Up to 20,000 documents are drawn one by one
if the table has a row for each, with its name in a column `document`, and no clusters.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from segscore.basics.arguments import Floats, shown
from segscore.comparison.comparison_result import Comparison
from segscore.comparison.estimates import ComparisonSettings, Test, standings
from segscore.comparison.measuring import Measured
from segscore.comparison.words import recommended
from segscore.errors import SegmentationError, named
from segscore.metrics import distinct_metrics
from segscore.scoring.sum_tables import SumTable, read_sums, spans_of
from segscore.significance.drawing import MANY, Lots, buckets_of, by_name


def compare_sums(
    frame: Any,
    settings: ComparisonSettings,
    test: Test | Literal["auto"],
    systems: Any = None,
    metrics: Any = None,
    baselines: Sequence[str] = (),
    said: Sequence[str] = (),
    threads: int | None = None,
) -> Comparison:
    """Compare systems whose documents were added up.

    frame: a table of sums (see `scoring.sum_tables`); systems, metrics: those to compare, None:
    all; baselines: systems that only give the scale; said: notes about them.
    """
    table = read_sums(frame, optional=["system", "bucket", "document"])
    present = sorted(set(table.columns["system"]))
    names = [system for system in present if system not in baselines]
    if systems is not None:
        names = [systems] if isinstance(systems, str) else list(systems)
    everyone = [*names, *baselines]
    for name in everyone:
        if everyone.count(name) > 1:
            raise SegmentationError(f"system {name!r} is listed twice: expected each once")
        if name not in present:
            raise SegmentationError(
                f"system is {shown(name)}: expected one of {named(present)}, which the table has"
            )
    units, cells, one_by_one = _units(table, everyone)
    n_units, n_documents = len(units), int(cells[:, 0, -1].sum())
    drawn = "documents" if one_by_one else f"{n_units} buckets of documents"
    usual, why = recommended(n_units, len(names), 1)
    settings = replace(settings, test=usual if test == "auto" else test)
    settings.check(len(names), "" if one_by_one else drawn)
    measured, defined = list[Measured](), []
    everywhere = np.ones((n_units, len(everyone)), np.bool_)
    for metric, span in zip(table.metrics.values(), spans_of(table.metrics), strict=True):
        rows, macro = np.split(cells[..., span], [-2], axis=-1)
        known = np.where(one_by_one & (macro[..., 1] > 0), macro[..., 0], np.nan)
        measured.append((metric, rows, known, macro))
        defined.append(macro[..., 1].sum(axis=0))
    lots = Lots(drawn, np.arange(n_units))
    made = standings(measured, everywhere, dict.fromkeys(everyone, 1), settings, lots, threads)
    found = {
        str(key): replace(
            each,
            n_documents=[n_documents] * len(everyone),
            n_undefined=(n_documents - n_defined).astype(int).tolist(),
            one_by_one=one_by_one,
        )
        for key, each, n_defined in zip(table.metrics, made, defined, strict=True)
    }
    if metrics is not None:
        wanted = list(map(str, distinct_metrics(metrics)))
        for name in wanted:
            if name not in found:
                raise SegmentationError(f"metric {name!r}: the table has {named(found)}")
        found = {name: found[name] for name in wanted}
    kinds = {name: "baseline" if name in baselines else "system" for name in everyone}
    return Comparison(
        found,
        {name: (kind, 1) for name, kind in kinds.items()},
        settings,
        units,
        drawn=drawn,
        n_documents=n_documents,
        advice=why,
        said=said,
        threads=threads,
    )


def _units(table: SumTable, systems: Sequence[str]) -> tuple[list[str], Floats, bool]:
    """What is drawn: its names, its sums (units, systems, columns), and whether it is documents."""
    places = table.places("system")
    column, named = "bucket", table.columns.get("document")
    if named is not None and max(map(len, places.values()), default=0) <= MANY:
        # buckets of clusters, whose documents must not be torn apart, are others
        own_buckets = list(map(str, buckets_of(named).tolist()))
        column = "document" if table.columns.get(column, own_buckets) == own_buckets else column
    if column not in table.columns:
        raise SegmentationError(
            "the table of sums has no column 'bucket', from which a comparison draws: expected "
            "that of ss.score_frame(…, document=…, statistics=True)"
        )
    keys = table.columns[column]
    own = {(system,): rows[table.rows[rows, -1] > 0] for (system,), rows in places.items()}
    first = own[systems[0],] if systems else np.empty(0, np.int64)
    units = list(dict.fromkeys(keys[row] for row in first.tolist()))
    if not units:
        raise SegmentationError("the table of sums has no document: there is nothing to compare")
    units = [units[i] for i in by_name(units).tolist()]
    number = {unit: i for i, unit in enumerate(units)}
    cells = np.empty((len(units), len(systems), table.rows.shape[1]))
    for place, system in enumerate(systems):
        rows = own[system,]
        index = np.array([number.get(keys[row], -1) for row in rows.tolist()], np.int64)
        if (index >= 0).all():
            cells[:, place] = Lots(column, np.arange(len(units)), index).sums(table.rows[rows])
        if (index < 0).any() or (cells[:, place, -1] != cells[:, 0, -1]).any():
            counts = [int(table.rows[own[name,], -1].sum()) for name in (systems[0], system)]
            raise SegmentationError(
                f"systems {systems[0]!r} and {system!r} have as many documents, but not the same: "
                "their names differ"
                if counts[0] == counts[1]
                else f"system {system!r} has {counts[1]} documents, system {systems[0]!r} "
                f"{counts[0]}: expected the same documents for all"
            )
    twice = np.flatnonzero(cells[:, 0, -1] != 1)
    if column == "document" and twice.size:
        raise SegmentationError(
            f"document {units[int(twice[0])]!r} of system {systems[0]!r} is listed "
            f"{cells[twice[0], 0, -1]:g} times: expected once"
        )
    return units, cells, column == "document"
