"""`ss.compare` for a table of sums: documents that an engine added up, by bucket.

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
from segscore.comparison.estimates import Standings, Test
from segscore.comparison.leaderboard import ComparisonSettings
from segscore.comparison.measuring import Cases, Contestant, Run, check_system_names
from segscore.comparison.systems import Compared
from segscore.comparison.words import recommended
from segscore.corpus.codings import Codings
from segscore.errors import SegmentationError, named
from segscore.metrics import distinct_metrics
from segscore.metrics.statistics import exact_sum
from segscore.scoring.sum_tables import SumTable, read_sums, spans_of
from segscore.significance import resampling as sig
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
        if name not in present:
            raise SegmentationError(
                f"system is {shown(name)}: expected one of {named(present)}, which the table has"
            )
    units, cells, one_by_one = _units(table, everyone)
    n_units, n_documents = len(units), int(cells[:, 0, -1].sum())
    drawn = "documents" if one_by_one else f"{n_units} buckets of documents"
    usual, why = recommended(n_units, len(names), 1)
    settings = replace(settings, test=usual if test == "auto" else test).checked(len(names))
    if not one_by_one:
        settings.check_drawn(drawn)
    found = _standings(table, cells, one_by_one, settings, threads)
    if metrics is not None:
        wanted = list(map(str, distinct_metrics(metrics)))
        for name in wanted:
            if name not in found:
                raise SegmentationError(f"metric {name!r}: the table has {named(found)}")
        found = {name: found[name] for name in wanted}
    check_system_names(everyone)
    nothing = np.empty(0, np.int64)
    zeros = np.zeros(n_units + 1, np.int64)
    codings = Codings.plain(units, "", (np.ones(n_units, np.int64), zeros, nothing))
    cases = Cases(units, codings, np.arange(n_units + 1), units)
    run = Run(None, nothing, nothing)
    contestants = [Contestant(name, "system", [run]) for name in names]
    contestants += [Contestant(name, "baseline", [run]) for name in baselines]
    return Comparison(
        Compared(cases, []),
        contestants,
        found,
        settings,
        why,
        said,
        drawn=drawn,
        n_documents=n_documents,
        threads=threads,
    )


def _units(table: SumTable, systems: Sequence[str]) -> tuple[list[str], Floats, bool]:
    """What is drawn: its names, its sums (units, systems, columns), and whether it is documents."""
    places = table.places("system")
    column = "document"
    if (
        column not in table.columns
        or max(map(len, places.values()), default=0) > MANY
        or _in_clusters(table)
    ):
        column = "bucket"
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
        if not set(map(keys.__getitem__, rows.tolist())) <= number.keys():
            raise _other_documents(table.rows, own, systems[0], system)
        index = np.array([number[keys[row]] for row in rows.tolist()], np.int64)
        cells[:, place] = Lots(column, np.arange(len(units)), index).sums(table.rows[rows])
        if (cells[:, place, -1] != cells[:, 0, -1]).any():
            raise _other_documents(table.rows, own, systems[0], system)
    twice = np.flatnonzero(cells[:, 0, -1] != 1)
    if column == "document" and twice.size:
        raise SegmentationError(
            f"document {units[int(twice[0])]!r} of system {systems[0]!r} is listed "
            f"{cells[twice[0], 0, -1]:g} times: expected once"
        )
    return units, cells, column == "document"


def _in_clusters(table: SumTable) -> bool:
    """Whether buckets are those of clusters: documents of the same one must not be torn apart."""
    if "bucket" not in table.columns:
        return False
    own = buckets_of(table.columns["document"])
    return [*map(str, own.tolist())] != table.columns["bucket"]


def _other_documents(rows: Floats, own: Any, first: str, system: str) -> SegmentationError:
    counts = [int(rows[own[name,], -1].sum()) for name in (first, system)]
    if counts[0] == counts[1]:
        return SegmentationError(
            f"systems {first!r} and {system!r} have as many documents, but not the same: their "
            "names differ"
        )
    return SegmentationError(
        f"system {system!r} has {counts[1]} documents, system {first!r} {counts[0]}: expected the "
        "same documents for all"
    )


def _standings(
    table: SumTable,
    cells: Floats,
    one_by_one: bool,
    settings: ComparisonSettings,
    threads: int | None,
) -> dict[str, Standings]:
    """The standings of each metric."""
    spans = spans_of(table.metrics)
    micro = settings.average == "micro"
    own = slice(None, -2) if micro else slice(-2, None)  # statistics, then value and defined
    samples = [
        (cells[..., span][..., own], metric.values if micro else sig.mean_of_defined)
        for metric, span in zip(table.metrics.values(), spans, strict=True)
    ]
    drawn = sig.bootstraps(
        samples, n_resamples=settings.n_resamples, seed=settings.seed, threads=threads
    )
    totals = np.stack([exact_sum(cells[:, place]).high for place in range(cells.shape[1])])
    found = {}
    for (key, metric), span, (rows, value), again in zip(
        table.metrics.items(), spans, samples, drawn, strict=True
    ):
        here, of_metric = cells[..., span], totals[:, span]
        known = one_by_one & (here[..., -1] > 0)
        found[str(key)] = Standings(
            metric=metric,
            estimates=value(np.ascontiguousarray(of_metric[:, own])),
            drawn=again.resampled,
            spread=np.full(len(totals), np.nan),
            values=np.where(known, here[..., -2], np.nan),
            rows=rows,
            value=value,
            n_documents=totals[:, -1].astype(int).tolist(),
            n_undefined=(totals[:, -1] - of_metric[:, -1]).astype(int).tolist(),
            one_by_one=one_by_one,
        )
    return found
