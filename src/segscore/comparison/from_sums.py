"""`ss.compare` for an Accumulator: documents that were added up, in buckets or one by one.

The accumulator keeps up to 2,000 documents (with keep="statistics" all of them) one by one, and
these are drawn as usual. Beyond that it keeps sums by bucket, and whole buckets are drawn and
swapped. A bucket is a random set of documents, the same for every system, so intervals and tests
hold as over documents.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np

from segscore.basics.arguments import Floats, whole_number
from segscore.comparison import advice
from segscore.comparison.advice import Test
from segscore.comparison.cases import Cases, Contestant, SystemRun, check_names
from segscore.comparison.compared import Compared
from segscore.comparison.comparison_entries import ComparisonSettings
from segscore.comparison.comparison_result import Comparison
from segscore.comparison.estimates import Standings
from segscore.comparison.scale_sums import ScaleRow, ScaleSums
from segscore.comparison.system_failures import NO_FAILURES, told_failures
from segscore.corpus.codings import Codings
from segscore.corpus.provenance import PLAIN, Provenance
from segscore.errors import SegmentationError, named
from segscore.metrics import Metric
from segscore.metrics.statistics import Average
from segscore.pairing.failures import Failures
from segscore.scoring.accumulator import Accumulator
from segscore.scoring.accumulator_sums import BucketSums
from segscore.scoring.results import Group
from segscore.significance import resampling as sig


@dataclass(frozen=True)
class Tally:
    """What is known about documents that were only added up.

    n_documents, n_undefined: the numbers of each system; counts: wins, ties and losses of each pair
    of systems; sums: the sums of their differences, and of the squared differences; both are None
    if no document had all systems in one row.
    """

    n_documents: Sequence[int]
    n_undefined: Sequence[int]
    counts: Mapping[tuple[int, int], tuple[int, int, int]] | None = None
    sums: Mapping[tuple[int, int], tuple[float, float]] | None = None

    def moments(self, i: int, j: int) -> tuple[int, float, float]:
        """The number, mean and standard deviation of the documents' differences i - j."""
        if self.counts is None or self.sums is None:
            return 0, np.nan, np.nan
        n = sum(self.counts[i, j])
        total, squares = self.sums[i, j]
        if n < 2:
            return n, np.nan, np.nan
        return n, total / n, float(np.sqrt(max(squares - total * total / n, 0.0) / (n - 1)))


class SummedSystems(NamedTuple):
    """What a comparison needs from an accumulator.

    units: the names of the documents or buckets that are drawn; drawn: what they are, in words;
    n_documents: the number of documents; cells: the sums of systems, then those of the rows that
    give the scale.
    """

    systems: list[str]
    units: list[str]
    drawn: str
    n_documents: int
    cells: list[BucketSums]
    provenance: Provenance
    scale: Sequence[ScaleRow] = ()


def compare_sums(
    sums: Accumulator,
    group: Group,
    settings: ComparisonSettings,
    test: Test | Literal["auto"],
    scale: ScaleSums | None = None,
    skipped: Sequence[str] = (),
    threads: int | None = None,
    failures: Mapping[str, Failures] = NO_FAILURES,
    boundaries: Mapping[str, tuple[int, int]] | None = None,
) -> Comparison:
    """Compare systems whose documents were added up; `scale` has the same documents. failures: the
    documents that were left out, by the system that has no hypothesis for them. boundaries: the
    number of boundaries of each system, and of its references."""
    summed = summed_systems(sums, group, scale)
    recommended, why = advice.recommended(len(summed.units), len(summed.systems), 1)
    chosen = recommended if test == "auto" else test
    settings = replace(settings, test=chosen, seed=whole_number(settings.seed, "seed", 0))
    settings = settings.checked(len(summed.systems))
    found = summed_standings(
        sums, summed, group, settings.average, settings.n_resamples, settings.seed, threads
    )
    tally = next(iter(found.values())).tally
    if tally is not None and (settings.test != "t" or tally.counts is None):
        settings.check_drawn(summed.drawn)
    n = len(summed.units)
    nothing = Codings.plain(summed.units, "", (np.ones(n, np.int64), np.zeros(n + 1, np.int64),
        np.empty(0, np.int64)))  # fmt: skip
    cases = Cases(summed.units, nothing, np.arange(n), np.arange(n + 1), summed.units)
    contestants = [Contestant(name, "system", [SystemRun.added_up(n)]) for name in summed.systems]
    contestants += [
        Contestant(row.name, row.kind, [SystemRun.added_up(min(n, row.n_done))])
        for row in summed.scale
    ]
    check_names(contestants)
    known = told_failures(summed.provenance, failures)
    return Comparison(
        Compared(cases, [], tuple(skipped), known, failures=failures,
                 boundaries=boundaries or {}), contestants, found, settings,
        why, [] if scale is None else scale.said, drawn=summed.drawn,
        n_documents=summed.n_documents, threads=threads,
    )  # fmt: skip


def summed_systems(
    sums: Accumulator, group: Group, scale: ScaleSums | None = None
) -> SummedSystems:
    """The systems of a group, which must have the same documents."""
    if sums.buckets is None and sums.keep == "sums":
        raise SegmentationError(
            "the accumulator has no buckets, from which a comparison draws: make it with "
            "buckets=4096, or with keep='statistics'"
        )
    if group not in sums.groups:
        known = named("/".join(parts) for parts in sums.groups)
        raise SegmentationError(
            f"group is {'/'.join(group)!r}: expected one of {known}"
            if sums.groups
            else "the accumulator is empty: there is nothing to compare"
        )
    cells = _cells(sums, group)
    rows = () if scale is None else scale.rows
    buckets = sums.buckets
    if scale is not None:
        cells += [scale.sums.cell((), row.name) for row in rows]
        buckets = min(filter(None, (buckets, scale.sums.buckets)), default=None)
        _check_same_documents([*sums.systems, *(row.name for row in rows)], cells)
    if any(cell.is_folded for cell in cells):
        for cell in cells:
            cell.fold(buckets)
    first = cells[0]
    keys, _ = first.units()
    drawn = "clusters" if first.clustered else "documents"
    if first.is_folded:
        drawn = f"{len(keys)} buckets of {drawn}"
    units = [f"{key:016x}" for key in keys.tolist()]
    provenance = PLAIN if sums.provenance is None else sums.provenance
    n = first.n_documents
    return SummedSystems(sums.systems, units, drawn, n, cells, provenance, rows)


def _cells(sums: Accumulator, group: Group) -> list[BucketSums]:
    """The sums of each system, on the same documents."""
    for system in sums.systems:
        if not sums.has(group, system):
            raise SegmentationError(f"system {system!r} has no document")
    cells = [sums.cell(group, system) for system in sums.systems]
    _check_same_documents(sums.systems, cells)
    if len(cells) > 1 and any(cell.nameless for cell in cells) and sums.tallies(group) is None:
        raise SegmentationError(
            "documents have no names by which the documents of two systems could be paired: name "
            "them, or give all systems at once, with update_systems"
        )
    return cells


def _check_same_documents(systems: Sequence[str], cells: Sequence[BucketSums]) -> None:
    """Raise if the numbers of documents, or the sums of their names' hashes, differ."""
    first = cells[0]
    for system, cell in zip(systems, cells, strict=True):
        if cell.n_documents != first.n_documents:
            raise SegmentationError(
                f"system {system!r} has {cell.n_documents} documents, system {systems[0]!r} "
                f"{first.n_documents}: expected the same documents for all"
            )
        if cell.checksum != first.checksum:
            raise SegmentationError(
                f"systems {systems[0]!r} and {system!r} have as many documents, but not the same: "
                "their names differ"
            )


def summed_standings(
    sums: Accumulator,
    found: SummedSystems,
    group: Group,
    average: Average,
    n_resamples: int,
    seed: int,
    threads: int | None = None,
) -> dict[str, Standings]:
    """The standings of each metric."""
    tables = [cell.units()[1] for cell in found.cells]
    samples = []
    for key, metric in sums.metrics.items():
        span = sums.span(key)
        rows = np.stack([table[:, span] for table in tables], axis=1)
        is_macro = average == "macro"
        samples.append(
            (rows[..., -2:], sig.mean_of_defined) if is_macro else (rows[..., :-2], metric.values)
        )
    drawn = sig.bootstraps(samples, n_resamples=n_resamples, seed=seed, threads=threads)
    by_metric = {}
    for place, (key, metric) in enumerate(sums.metrics.items()):
        values, tally = _of_documents(sums, found, group, place, key)
        rows, value = samples[place]
        by_metric[str(key)] = Standings(
            metric=metric,
            estimates=_estimates(found.cells, sums.span(key), metric, average),
            drawn=drawn[place].resampled,
            spread=np.full(len(found.cells), np.nan),
            values=values,
            rows=rows,
            value=value,
            tally=tally,
        )
    return by_metric


def _estimates(
    cells: Sequence[BucketSums], span: slice, metric: Metric, average: Average
) -> Floats:
    """The averages from exact sums."""
    totals = np.stack([cell.total().high[span] for cell in cells])
    if average == "macro":
        return sig.mean_of_defined(totals[:, -2:])
    return metric.values(np.ascontiguousarray(totals[:, :-2]))


def _of_documents(
    sums: Accumulator, found: SummedSystems, group: Group, place: int, key: str | Metric
) -> tuple[Floats, Tally | None]:
    """The documents' values if they are kept one by one, else their counts and sums."""
    span = sums.span(key)
    n_systems, first = len(found.systems), found.cells[0]
    if not first.is_folded and not first.clustered:
        columns = [cell.units()[1][:, span] for cell in found.cells]
        values = [np.where(column[:, -1] > 0, column[:, -2], np.nan) for column in columns]
        return np.stack(values, axis=1), None
    documents = [cell.n_documents for cell in found.cells[:n_systems]]
    documents += [row.n_done for row in found.scale]
    defined = [int(cell.total().high[span][-1]) for cell in found.cells]
    undefined = [n - m for n, m in zip(documents, defined, strict=True)]
    nothing = np.full((len(found.units), len(found.cells)), np.nan)
    tallies = sums.tallies(group)
    if tallies is None:
        return nothing, Tally(documents, undefined)
    order = [found.systems.index(system) for system in tallies.systems]
    pairs = [(order[i], order[j]) for i in range(n_systems) for j in range(i + 1, n_systems)]
    counts = {pair: _triple(tallies.counts[place, at]) for at, pair in enumerate(pairs)}
    gaps = {pair: _pair(tallies.differences[place, at]) for at, pair in enumerate(pairs)}
    for i, j in pairs:  # tests ask for the pair in the order of the systems
        wins, ties, losses = counts[i, j]
        counts[j, i] = (losses, ties, wins)
        gaps[j, i] = (-gaps[i, j][0], gaps[i, j][1])
    return nothing, Tally(documents, undefined, counts, gaps)


def _triple(row: Floats) -> tuple[int, int, int]:
    return int(row[0]), int(row[1]), int(row[2])


def _pair(row: Floats) -> tuple[float, float]:
    return float(row[0]), float(row[1])
