"""Accumulator: scores that are added up batch by batch, in one process or in many.

It holds only sums of additive statistics, so it can be updated with any number of batches, in any
order, on any machine, and merged. Micro- and macro-averages are those of `ss.score` over all
documents at once: bit for bit if statistics are whole numbers, else within one unit in the last
place of their sums.

With `buckets` it also serves `ss.compare`: intervals and tests from one pass over the data, in
memory that does not grow with the number of documents. With `keep="statistics"` it keeps the
statistics of each document and uses these.
"""

import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from segscore.basics.arguments import Floats, Int64Array, check_choice, shown, whole_number
from segscore.corpus.provenance import PLAIN, Provenance
from segscore.errors import SegmentationError, named
from segscore.metrics import DEFAULT_METRICS, Metric, addable_metrics
from segscore.metrics.base import OnUndefined
from segscore.metrics.statistics import Score, Statistics, micro_score
from segscore.pairing.failures import Failures
from segscore.pairing.inputs import as_pairs
from segscore.pairing.list_columns import Hashes, Texts, hashes_of
from segscore.pairing.pairs import Pairs
from segscore.scoring.accumulator_sums import (
    BucketSums,
    Tallies,
    added_rows,
    document_rows,
    spans_of,
)
from segscore.scoring.merged_parts import merged_parts
from segscore.scoring.results import Group, Result, Scores

if TYPE_CHECKING:
    import pyarrow

Keep = Literal["sums", "statistics"]

BUCKETS = 4096  # what a comparison of very many documents needs; 128 would still do
_MOST_BYTES = 256 * 2**20  # of all buckets together; beyond it there are half as many
_FEWEST = 64


Groups = tuple[list[Group], Int64Array]  # of some rows: their names, and the number of each row's


class Accumulator:
    """Add up scores of documents that come in batches.

    Parameters
    ----------
    metrics: metrics, or their names, as in `ss.score`.
    systems: names of the systems, if there are several; None: any names that occur, or a single
        system without a name.
    by: names of the columns that define groups; each group has averages of its own.
    buckets: None for averages alone; a power of two (4096) to compare systems later.
    seed: random seed of the hash that puts documents into buckets.
    keep: "sums" keeps nothing about single documents; "statistics" keeps the statistics of each, so
        that `ss.compare` has intervals and tests over documents, for instance at the end of an
        epoch of training; documents then need no names if all systems come in one row.

    >>> import segscore as ss
    >>> cut = ss.Segmentation.from_masses
    >>> scores = ss.Accumulator(["windowdiff"])
    >>> scores.update([cut([2, 3, 6])], [cut([5, 6])])
    >>> more = ss.Accumulator(["windowdiff"])
    >>> more.update([cut([4, 4])], [cut([4, 4])])
    >>> scores += more
    >>> scores.result()["windowdiff"]
    Scores(windowdiff: micro 0.1333, macro 0.1111, 2 documents)
    """

    def __init__(
        self,
        metrics: str | Metric | Iterable[str | Metric] = DEFAULT_METRICS,
        systems: Sequence[str] | None = None,
        by: str | Sequence[str] = (),
        buckets: int | None = None,
        seed: int = 0,
        keep: Keep = "sums",
    ) -> None:
        check_choice(keep, "keep", ("sums", "statistics"))
        if keep == "statistics" and buckets is not None:
            raise SegmentationError(
                "buckets is given, but keep='statistics' keeps each document: expected one of them"
            )
        self.metrics: dict[str | Metric, Metric] = addable_metrics(metrics)
        self.keep = keep
        self.by: tuple[str, ...] = (by,) if isinstance(by, str) else tuple(by)
        self.buckets = None if buckets is None else _checked_buckets(buckets)
        self.seed: int = whole_number(seed, "seed", 0)
        self._given = None if systems is None else tuple(systems)
        self.provenance: Provenance | None = None
        self._cells: dict[tuple[Group, str], BucketSums] = {}
        self._tallies: dict[Group, Tallies] = {}
        self.first_buckets: int | None = self.buckets
        self.parts: frozenset[str] = frozenset()  # what was merged: see `merged_parts`
        self.width: int
        self._spans, self.width = spans_of(list(self.metrics.values()))

    # ---- adding ----

    def update(
        self,
        refs: Any,
        hyps: Any = None,
        *,
        system: str = "",
        group: str | Sequence[str] = (),
        clusters: Sequence[str] | None = None,
        threads: int | None = None,
        on_undefined: OnUndefined = "nan",
    ) -> None:
        """Add documents of a system, given as to `ss.score`.

        With `buckets` documents must have names. `clusters` names the cluster of each document
        (such as the book of a chapter); clusters are then resampled, not documents. Averages leave
        out a document that cannot be scored; with `on_undefined="raise"` it is an error.
        """
        self._update({system: as_pairs(refs, hyps)}, group, clusters, threads, on_undefined)

    def update_systems(
        self,
        refs: Any,
        hyps: Mapping[str, Any],
        *,
        group: str | Sequence[str] = (),
        clusters: Sequence[str] | None = None,
        threads: int | None = None,
        on_undefined: OnUndefined = "nan",
    ) -> None:
        """Add the hypotheses of several systems for the same documents; their wins and ties are
        counted."""
        by_system = {system: as_pairs(refs, hyp) for system, hyp in hyps.items()}
        first = next(iter(by_system.values()))
        for system, pairs in by_system.items():
            if list(pairs.documents) != list(first.documents):
                raise SegmentationError(
                    f"system {system!r} has its documents in another order: expected the same"
                )
        self._update(by_system, group, clusters, threads, on_undefined)

    def _update(
        self,
        by_system: Mapping[str, Pairs],
        group: str | Sequence[str],
        clusters: Sequence[str] | None,
        threads: int | None,
        on_undefined: OnUndefined,
    ) -> None:
        """Add the same documents of several systems, all in the same group."""
        check_choice(on_undefined, "on_undefined", ("raise", "nan"))
        first = next(iter(by_system.values()))
        names = Texts.of(first.documents) if first.is_named else None
        whose = None if clusters is None else Texts.of(list(clusters))
        groups = self._one_group(group, len(first))
        self.add_pairs(by_system, names, groups, whose, threads, on_undefined)

    def _one_group(self, group: str | Sequence[str], n_rows: int) -> Groups:
        name = (group,) if isinstance(group, str) else tuple(map(str, group))
        if len(name) != len(self.by):
            raise SegmentationError(
                f"group is {shown(group)}: expected {len(self.by)} values, for "
                f"{named(self.by) if self.by else 'there are no groups'}"
            )
        return [name], np.zeros(n_rows, np.int64)

    def add_pairs(
        self,
        by_system: Mapping[str, Pairs],
        names: Texts | None,
        groups: Groups,
        clusters: Texts | None = None,
        threads: int | None = None,
        on_undefined: OnUndefined = "nan",
        called: Callable[[int], str] | None = None,
    ) -> None:
        """Add the same rows of several systems; every row has a name and a group.

        called: makes the name of a row in messages; by default the pairs name it.
        """
        hashes = None if names is None else hashes_of(names, self.seed)
        keys = None if clusters is None else hashes_of(clusters, self.seed)
        if self.buckets is not None and hashes is None:
            raise SegmentationError(
                "documents have no names, which buckets need to tell them apart: name them "
                "(document=…), or leave buckets out"
            )
        metrics, values = list(self.metrics.values()), {}
        for system, pairs in by_system.items():
            self._check_system(system)
            self._join(pairs.provenance)
            rows, values[system] = document_rows(metrics, pairs, threads, on_undefined, called)
            self._add(system, rows, groups, hashes, keys)
        self._finish(values, groups)

    def add_statistics(
        self,
        by_system: Mapping[str, Sequence[Floats]],
        names: Texts,
        clusters: Texts | None = None,
        provenance: Provenance = PLAIN,
        done: Mapping[str, NDArray[np.bool_]] | None = None,
    ) -> None:
        """Add the same documents of several systems, as statistics under each metric.

        done: which documents each system has, if some are missing.
        """
        metrics, values = list(self.metrics.values()), {}
        groups: Groups = [()], np.zeros(len(names), np.int64)
        hashes = hashes_of(names, self.seed)
        keys = None if clusters is None else hashes_of(clusters, self.seed)
        self._join(provenance)
        for system, tables in by_system.items():
            self._check_system(system)
            rows, values[system] = added_rows(metrics, tables, (done or {}).get(system))
            self._add(system, rows, groups, hashes, keys)
        self._finish(values, groups)

    def _finish(self, values: Mapping[str, Floats], groups: Groups) -> None:
        """Finish adding rows of systems."""
        if len(values) > 1:
            self._tally(values, groups)
        self._shrink()

    def _add(
        self, system: str, rows: Floats, groups: Groups, hashes: Hashes | None, keys: Hashes | None
    ) -> None:
        names, of_rows = groups
        for number, group in enumerate(names):
            chosen: Any = np.flatnonzero(of_rows == number) if len(names) > 1 else slice(None)
            cell = self.new_cell(group, system)
            cell.add(
                rows[chosen],
                None if hashes is None else hashes[chosen],
                None if keys is None else keys[chosen],
            )

    def new_cell(self, group: Group, system: str) -> BucketSums:
        """The sums of a group and system; empty sums are made if there are none yet."""
        key = (group, system)
        if key not in self._cells:
            self._cells[key] = BucketSums(self.width, self.buckets, self.keep == "statistics")
        return self._cells[key]

    def _tally(self, values: Mapping[str, Floats], groups: Groups) -> None:
        """Count wins and ties of systems that are in the same row."""
        systems = tuple(values)
        if self._given is not None:
            systems = tuple(system for system in self._given if system in values)
        for number, group in enumerate(groups[0]):
            chosen = groups[1] == number
            found = Tallies.of(
                systems, [values[system][chosen] for system in systems], list(self.metrics.values())
            )
            self.put_tallies(group, found)

    def _check_system(self, system: str) -> None:
        if self._given is not None and system not in self._given:
            raise SegmentationError(
                f"there is no system {system!r}: expected one of {named(self._given)}"
            )

    def _join(self, provenance: Provenance) -> None:
        known = self.provenance
        self.provenance = (
            provenance if known is None else known.joined(provenance, "cannot accumulate")
        )

    def _shrink(self) -> None:
        """Halve the buckets until all of them fit in memory."""
        while self.buckets and self.buckets > _FEWEST:
            if sum(cell.n_bytes for cell in self._cells.values()) <= _MOST_BYTES:
                return
            self.fold(self.buckets // 2)

    def fold(self, buckets: int | None) -> None:
        """Reduce the number of buckets; buckets whose last bits agree become one."""
        if buckets is None:
            return
        self.buckets = buckets
        for cell in self._cells.values():
            if cell.is_folded:
                cell.fold(buckets)
            cell.buckets = buckets

    def reset(self) -> None:
        """Forget all documents; keep the settings."""
        self.provenance = None
        self._cells.clear()
        self._tallies.clear()
        self.buckets = self.first_buckets
        self.parts = frozenset()

    # ---- merging ----

    def merge(self, other: "Accumulator") -> Self:
        """Add all that another accumulator holds; the order does not matter.

        There is a warning if it was merged before, directly or as a part of another accumulator.
        """
        self._check_alike(other)
        self.parts = merged_parts(self, other)
        if other.provenance is not None:
            self._join(other.provenance)
        if self.buckets is not None and other.buckets is not None:
            self.fold(min(self.buckets, other.buckets))
        for (group, system), cell in other._cells.items():
            self._check_system(system)
            self.new_cell(group, system).merge(cell)
        for group, tallies in other._tallies.items():
            self.put_tallies(group, tallies)
        self._shrink()
        return self

    __iadd__ = merge

    def _check_alike(self, other: Any) -> None:
        if not isinstance(other, Accumulator):
            raise SegmentationError(f"cannot merge {shown(other)}: expected an Accumulator")
        for what, mine, yours in (
            ("metrics", list(self.metrics.values()), list(other.metrics.values())),
            ("by", self.by, other.by),
            ("keep", self.keep, other.keep),
            ("buckets", self.first_buckets, other.first_buckets),
            ("seed", self.seed, other.seed),
        ):
            if mine != yours:
                raise SegmentationError(
                    f"cannot merge accumulators: {what} is {_texts(mine)} here and "
                    f"{_texts(yours)} there"
                )

    # ---- results ----

    @property
    def groups(self) -> list[Group]:
        """The groups seen, sorted."""
        return sorted({group for group, _ in self._cells})

    @property
    def systems(self) -> list[str]:
        """The systems, in the order given or first seen."""
        seen = dict.fromkeys(system for _, system in self._cells)
        return list(seen if self._given is None else self._given)

    @property
    def has_given_systems(self) -> bool:
        """Whether the systems were named at the start."""
        return self._given is not None

    @property
    def n_documents(self) -> int:
        """The number of documents of all groups and systems."""
        return sum(cell.n_documents for cell in self._cells.values())

    def result(
        self,
        n_bad: int = 0,
        skipped: Sequence[str] = (),
        failures: Failures | None = None,
        ratio: float | None = None,
    ) -> Result[str | Metric]:
        """The micro- and macro-averages of each group and system under each metric.

        The table mentions what was left out: the number of rows that could not be read (`n_bad`),
        and the names of documents that one side does not have (`skipped`). failures: the documents
        without a hypothesis. ratio: the boundaries of hypotheses over those of references.
        """
        if not self._cells:
            raise SegmentationError("there is no document to score")
        found = list(self._averages(failures))
        return Result(found, self.by, skipped=skipped, n_bad=n_bad, failures=failures, ratio=ratio)

    def _averages(self, failures: Failures | None) -> Iterator[Scores]:
        provenance = PLAIN if self.provenance is None else self.provenance
        if failures is not None:
            provenance = failures.told(provenance)
        order = {system: place for place, system in enumerate(self.systems)}
        for group, system in sorted(self._cells, key=lambda key: (key[0], order[key[1]])):
            cell = self._cells[group, system]
            total = cell.total()
            for (key, metric), span in zip(self.metrics.items(), self._spans, strict=True):
                high, low = total.high[span], total.low[span]
                micro = micro_score(Statistics(metric, high[:-2], provenance, low[:-2]))
                mean = float(high[-2] / high[-1]) if high[-1] else float("nan")
                macro = Score(mean, metric, None, average="macro", provenance=provenance)
                undefined = cell.n_documents - int(high[-1])
                yield Scores.from_sums(
                    key, group, system, (micro, macro), cell.n_documents, undefined
                )

    def cell(self, group: Group, system: str) -> BucketSums:
        """The sums of a group and system."""
        return self._cells[group, system]

    def has(self, group: Group, system: str) -> bool:
        """Whether there are sums of a group and system."""
        return (group, system) in self._cells

    def add_sums(
        self,
        group: Group,
        system: str,
        sums: tuple[Int64Array, Floats, Floats],
        n_documents: int,
        checksum: int,
    ) -> None:
        """Add sums by bucket from another source: (bucket, high part, low part)."""
        self._check_system(system)
        self._join(PLAIN)
        self.new_cell(group, system).add_buckets(*sums, n_documents, checksum)
        self._shrink()

    def add_tallies(self, listed: Sequence[Any]) -> None:
        """Add wins and ties from another source, as lists."""
        try:
            for group, systems, n_documents, counts, differences in listed:
                found = Tallies.read(systems, n_documents, counts, differences, len(self.metrics))
                self.put_tallies(tuple(group), found)
        except (TypeError, ValueError) as error:
            raise SegmentationError(f"the wins and ties cannot be read: {error}") from None

    def put_tallies(self, group: Group, found: Tallies) -> None:
        """Add wins and ties of a group."""
        mine = self._tallies.get(group)
        self._tallies[group] = found if mine is None else mine.plus(found)

    def span(self, key: str | Metric) -> slice:
        """The columns of a metric in the sums: statistics, sum of values, number of values."""
        return self._spans[list(self.metrics).index(key)]

    def tallies(self, group: Group) -> Tallies | None:
        """The wins and ties of a group; None if not all documents had all systems in the same
        row."""
        found = self._tallies.get(group)
        if found is None or set(found.systems) != set(self.systems):
            return None
        counts = {cell.n_documents for (owner, _), cell in self._cells.items() if owner == group}
        return found if counts == {found.n_documents} else None

    def __repr__(self) -> str:
        return (
            f"Accumulator({', '.join(map(str, self.metrics))}: {len(self.groups)} groups, "
            f"{len(self.systems)} systems, {self.n_documents} documents)"
        )

    def _repr_html_(self) -> str | None:
        return self.result()._repr_html_() if self._cells else None  # None: as text

    # ---- to and from elsewhere ----

    def __getstate__(self) -> dict[str, Any]:
        try:
            pickle.dumps(self.metrics)
        except Exception as error:
            raise SegmentationError(
                "a metric holds a function that cannot be sent to another process: define it with "
                f"`def` at the top of a module, no lambda ({error})"
            ) from error
        return self.__dict__

    def state(self) -> Floats:
        """All sums as a single array of numbers, for frameworks that merge arrays.

        With `keep="sums"` its length is always the same, and the state of two merged accumulators
        is the sum of their states (all-reduce); plain sums of floats, however, are not exact to the
        last digit. With `keep="statistics"` it is the concatenation of their states (all-gather).
        `load_state` of an accumulator with the same settings reads it back.

        >>> import segscore as ss
        >>> cut = ss.Segmentation.from_masses
        >>> first, second = ss.Accumulator("windowdiff"), ss.Accumulator("windowdiff")
        >>> first.update([cut([2, 3, 6])], [cut([5, 6])])
        >>> second.update([cut([4, 4])], [cut([4, 4])])
        >>> first.load_state(first.state() + second.state())
        >>> first.result()["windowdiff"]
        Scores(windowdiff: micro 0.1333, macro 0.1111, 2 documents)
        """
        from segscore.scoring.accumulator_state import state_of

        return state_of(self)

    def load_state(self, state: Any) -> None:
        """Replace all documents by those of a `state`."""
        from segscore.scoring.accumulator_state import load_state

        load_state(self, state)

    def to_arrow(self) -> "pyarrow.Table":
        """The sums as an Arrow table with a row per group, system and bucket (needs pyarrow)."""
        from segscore.scoring.accumulator_arrow import to_arrow

        return to_arrow(self)

    @classmethod
    def from_arrow(
        cls,
        data: Any,
        metrics: Any = None,
        *,
        systems: Sequence[str] | None = None,
        by: str | Sequence[str] = (),
        buckets: int | None = None,
        seed: int = 0,
    ) -> "Accumulator":
        """Build an accumulator from the table of `to_arrow`, which knows its settings, or from the
        GROUP BY of an engine.

        For an engine's table, metrics, by, buckets and seed must be those of the added statistics.
        """
        from segscore.scoring.accumulator_arrow import from_arrow

        return from_arrow(cls, data, metrics, systems, by, buckets, seed)


def _checked_buckets(buckets: Any) -> int:
    number = whole_number(buckets, "buckets", 1)
    if number & (number - 1) or number > 2**20:
        raise SegmentationError(f"buckets is {number}: expected a power of two up to 2**20")
    return number


def _texts(given: Any) -> str:
    return ", ".join(map(str, given)) if isinstance(given, list | tuple) else str(given)


__all__ = ["BUCKETS", "Accumulator", "Groups"]
