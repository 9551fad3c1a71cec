"""The state of an Accumulator as an array of floats, and back.

With `keep="sums"`: for each system its sums (all buckets, the high parts, then the low parts), the
sum of its names' hashes in four numbers, and whether documents were in clusters; after the systems
their wins and ties. Every number is a sum, so arrays of several processes are added up.

With `keep="statistics"`: a row per document, one after the other, so arrays of several processes
are joined end to end.

Texts do not fit into it, so the accumulators must have the same settings, name their systems at the
start, and have no groups.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from segscore.basics.arguments import Floats, shown
from segscore.corpus.provenance import PLAIN
from segscore.errors import SegmentationError
from segscore.scoring.accumulator_sums import Tallies

if TYPE_CHECKING:  # it imports this module
    from segscore.scoring.accumulator import Accumulator

_QUARTERS = 4  # of a sum of hashes: 16 bits each, so that sums of them stay exact
_AFTER = _QUARTERS + 1  # numbers after the sums of a system
_BEFORE = 8  # numbers before the statistics of a document: see `_kept_rows`


def state_of(sums: "Accumulator") -> Floats:
    """The state of an accumulator."""
    if sums.provenance not in (None, PLAIN):
        raise SegmentationError(
            "the units of these documents are known (seconds, words), which numbers alone cannot "
            "say: send the accumulator itself, by pickle"
        )
    systems = _systems(sums)
    if sums.keep == "statistics":
        parts = [_kept_rows(sums, place, name) for place, name in enumerate(systems)]
        return np.concatenate(parts).reshape(-1)
    return np.concatenate([*(_sums_of(sums, name) for name in systems), _tallies_of(sums)])


def load_state(sums: "Accumulator", state: Any) -> None:
    """Replace the sums of an accumulator by those of a state."""
    systems = _systems(sums)
    given = _numbers(state)
    if sums.keep == "statistics":
        _load_kept(sums, systems, given)
    else:
        _load_sums(sums, systems, given)


def _systems(sums: "Accumulator") -> list[str]:
    """The systems, whose number must be the same in all processes."""
    if sums.by:
        raise SegmentationError(
            "an accumulator with groups (by=…) has no state of fixed length: send it by pickle"
        )
    if sums.buckets != sums.first_buckets:
        raise SegmentationError(
            f"there was memory for {sums.buckets} of {sums.first_buckets} buckets only: expected "
            "fewer buckets from the start"
        )
    if sums.has_given_systems:
        return sums.systems
    if set(sums.systems) - {""}:
        raise SegmentationError(
            "the systems were not named at the start, and another process may have others: give "
            "systems=[…]"
        )
    return [""]


def _numbers(state: Any) -> Floats:
    try:
        given = np.array(state, np.float64)
    except (TypeError, ValueError):
        raise SegmentationError(f"state is {shown(state)}: expected an array of numbers") from None
    if given.ndim != 1:
        raise SegmentationError(f"state has {given.ndim} dimensions: expected one")
    if not np.isfinite(given).all():
        raise SegmentationError("state holds NaN or infinity: expected what `state` gives")
    return given


def _wrong(found: int, expected: str) -> SegmentationError:
    return SegmentationError(
        f"state has {found} numbers: expected {expected}, as an accumulator of the same metrics, "
        "systems and buckets gives it"
    )


# ---- sums ----


def _sums_of(sums: "Accumulator", system: str) -> Floats:
    n_buckets = sums.buckets or 1
    if not sums.has((), system):
        return np.zeros(2 * n_buckets * sums.width + _AFTER)
    cell = sums.cell((), system)
    _, high, low = cell.folded()
    whole = high + low  # as much as fits into the high part, so that equal sums look alike
    low, high = low - (whole - high), whole
    quarters = [cell.checksum >> 16 * i & 0xFFFF for i in range(_QUARTERS)]
    return np.concatenate([high.reshape(-1), low.reshape(-1), [*quarters, cell.clustered]])


def _tallies_of(sums: "Accumulator") -> Floats:
    """The wins and ties; zeros if they are unknown."""
    found = sums.tallies(())
    n_pairs = _n_pairs(sums)
    if found is None or not n_pairs:
        return np.zeros((5 * len(sums.metrics) * n_pairs + 1) if n_pairs else 0)
    parts = (found.counts.astype(np.float64).reshape(-1), found.differences.reshape(-1))
    return np.concatenate([*parts, [found.n_documents]])


def _n_pairs(sums: "Accumulator") -> int:
    n_systems = len(_systems(sums))
    return n_systems * (n_systems - 1) // 2


def _load_sums(sums: "Accumulator", systems: list[str], given: Floats) -> None:
    n_buckets = sums.buckets or 1
    size = n_buckets * sums.width
    length = 2 * size + _AFTER
    n_tallied = len(_tallies_of(sums))
    if len(given) != length * len(systems) + n_tallied:
        raise _wrong(len(given), str(length * len(systems) + n_tallied))
    sums.reset()
    for place, system in enumerate(systems):
        mine = given[place * length : (place + 1) * length]
        high, low = mine[: 2 * size].reshape(2, n_buckets, sums.width)
        n_documents = _count(high[:, -1].sum())
        if n_documents:
            checksum = sum(_count(part) << 16 * i for i, part in enumerate(mine[2 * size : -1]))
            sums.add_sums(
                (), system, (np.arange(n_buckets), high, low), n_documents, checksum % 2**64
            )
            sums.cell((), system).clustered = bool(mine[-1])
    if n_tallied and given[-1]:
        cut = -1 - 2 * len(sums.metrics) * _n_pairs(sums)
        counts, differences = given[-n_tallied:cut], given[cut:-1]
        sums.add_tallies([((), systems, _count(given[-1]), counts, differences)])


def _count(number: float) -> int:
    if not 0 <= number <= 2**53 or number % 1:
        raise SegmentationError(
            f"state holds {number:g} where a count should be: expected what `state` gives"
        )
    return int(number)


# ---- documents ----


def _kept_rows(sums: "Accumulator", place: int, system: str) -> Floats:
    """A row per document: the number of its system, its key in two numbers, the sum of the names'
    hashes in two numbers (of all documents, in the first row); three flags: no name, in a cluster,
    in a row with all systems; then its statistics."""
    if not sums.has((), system):
        return np.zeros((0, _BEFORE + sums.width))
    cell = sums.cell((), system)
    keys, rows = cell.kept()
    table = np.zeros((len(rows), _BEFORE + sums.width))
    table[:, 0] = place
    table[:, 1], table[:, 2] = keys >> np.uint64(32), keys & np.uint64(0xFFFFFFFF)
    table[:1, 3:5] = cell.checksum >> 32, cell.checksum & 0xFFFFFFFF
    table[:, 5:_BEFORE] = cell.nameless, cell.clustered, sums.tallies(()) is not None
    table[:, _BEFORE:] = rows
    return table


def _load_kept(sums: "Accumulator", systems: list[str], given: Floats) -> None:
    width = _BEFORE + sums.width
    if len(given) % width:
        raise _wrong(len(given), f"a multiple of {width}")
    table = given.reshape(-1, width)
    whole = table[:, : _BEFORE - 3]
    if ((whole < 0) | (whole >= 2**32) | (whole % 1 != 0)).any() or (
        len(table) and table[:, 0].max() >= len(systems)
    ):
        raise SegmentationError("state holds no rows of documents: expected what `state` gives")
    sums.reset()
    for place, system in enumerate(systems):
        mine = table[table[:, 0] == place]
        if len(mine):
            high, low = _halves(mine[:, 1:3])
            checks = _halves(mine[:, 3:5]).sum(axis=1).tolist()
            cell = sums.new_cell((), system)
            cell.add_kept(
                (high << np.uint64(32)) | low,
                np.ascontiguousarray(mine[:, _BEFORE:]),
                (checks[0] << 32) + checks[1],
                nameless=bool(mine[:, 5].any()),
                clustered=bool(mine[:, 6].any()),
            )
    if len(systems) > 1 and len(table) and table[:, 7].all():
        _tally_again(sums, systems)


def _halves(columns: Floats) -> Any:
    return columns.T.astype(np.uint64)


def _tally_again(sums: "Accumulator", systems: list[str]) -> None:
    """The wins and ties of documents that were in a row with all systems."""
    ends = np.array([sums.span(key).stop for key in sums.metrics])
    values = []
    for system in systems:
        _, rows = sums.cell((), system).kept()
        values.append(np.where(rows[:, ends - 1] > 0, rows[:, ends - 2], np.nan))
    sums.put_tallies((), Tallies.of(tuple(systems), values, list(sums.metrics.values())))
