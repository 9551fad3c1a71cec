"""What an Accumulator gives: averages by group, system and metric."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from segscore.errors import SegmentationError, named
from segscore.metrics.statistics import Score
from segscore.tables import Tabular

if TYPE_CHECKING:  # the metrics import what this module needs
    from segscore.metrics.base import Metric
    from segscore.tables import Table

Group = tuple[str, ...]

_FIELDS = {  # of the table; a column of groups with such a name gets another one
    "system", "metric", "shown", "micro", "low", "high", "macro", "documents", "undefined",
    "better", "higher_is_better", "signature",
}  # fmt: skip


@dataclass(frozen=True, repr=False)
class Averages:
    """One metric over the documents of one group and system.

    key: the metric as it was asked for; micro, macro: the averages, as in `ss.score`; n_undefined:
    documents without a value, which count in no macro-average; low, high: an interval of the
    micro-average, if one was asked for.
    """

    key: "str | Metric"
    group: Group
    system: str
    micro: Score
    macro: Score
    n_documents: int
    n_undefined: int
    low: float | None = None
    high: float | None = None

    @property
    def metric(self) -> "Metric":
        """The metric itself."""
        return self.micro.metric

    def __repr__(self) -> str:
        undefined = f", {self.n_undefined} undefined" if self.n_undefined else ""
        return (
            f"Averages({self.key}: micro {self.micro:.4f}, macro {self.macro:.4f}, "
            f"{self.n_documents} documents{undefined})"
        )


class Accumulated(Tabular, Mapping["str | Metric", Averages]):
    """Averages by metric; `.group(…)` and `.system(…)` pick where there are several.

    by: the columns that make groups; averages: all of them, in order; n_bad: how many rows could
    not be read and were left out.
    """

    def __init__(
        self,
        by: Sequence[str],
        averages: Sequence[Averages],
        keys: "Sequence[str | Metric]",
        n_bad: int = 0,
    ) -> None:
        self.n_bad = n_bad
        self.by = tuple(by)
        self.averages = list(averages)
        self._keys = list(keys)

    @property
    def groups(self) -> list[Group]:
        """The groups, in order."""
        return list(dict.fromkeys(one.group for one in self.averages))

    @property
    def systems(self) -> list[str]:
        """The systems, in order."""
        return list(dict.fromkeys(one.system for one in self.averages))

    def group(self, *values: str) -> "Accumulated":
        """The averages of one group."""
        wanted = tuple(map(str, values))
        found = [one for one in self.averages if one.group == wanted]
        if not found:
            known = named("/".join(group) for group in self.groups)
            raise SegmentationError(f"there is no group {wanted}: there are {known}")
        return Accumulated(self.by, found, self._keys)

    def system(self, name: str) -> "Accumulated":
        """The averages of one system."""
        found = [one for one in self.averages if one.system == name]
        if not found:
            raise SegmentationError(f"there is no system {name!r}: there are {named(self.systems)}")
        return Accumulated(self.by, found, self._keys)

    def __getitem__(self, key: "str | Metric") -> Averages:
        found = [one for one in self.averages if one.key == key]
        if not found:
            raise KeyError(f"no metric {str(key)!r}: there are {named(map(str, self._keys))}")
        if len(found) > 1:
            raise SegmentationError(
                f"{len(found)} groups and systems have {str(key)!r}: pick one with .group(…) or "
                ".system(…)"
            )
        return found[0]

    def __iter__(self) -> "Iterator[str | Metric]":
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)

    def with_intervals(self, intervals: Sequence[tuple[float, float]]) -> "Accumulated":
        """The same with an interval for each of `averages`."""
        both = zip(self.averages, intervals, strict=True)
        return Accumulated(
            self.by,
            [replace(one, low=low, high=high) for one, (low, high) in both],
            self._keys,
            self.n_bad,
        )

    def to_metrics(self, prefix: str = "") -> dict[str, float]:
        """One flat dict of floats, as experiment trackers log them: `GROUP/SYSTEM/b/micro`.

        See `Result.to_metrics`.
        """
        from segscore.tables.tabular import flat_numbers

        numbers: list[tuple[tuple[str, ...], float | None]] = []
        for one in self.averages:
            where = (*one.group, one.system, str(one.key))
            numbers += [
                ((*where, "micro"), one.micro),
                ((*where, "low"), one.low),
                ((*where, "high"), one.high),
                ((*where, "macro"), one.macro),
                ((*where, "undefined"), one.n_undefined),
                ((*where, "documents"), one.n_documents),
            ]
        return flat_numbers(numbers, prefix)

    def to_table(self, average: str = "both") -> "Table":
        """A row per group, system and metric."""
        from segscore.tables import Cell, Column, Table

        fields = [f"{name} (group)" if name in _FIELDS else name for name in self.by]
        rows: list[dict[str, Any]] = []
        for one in self.averages:
            signature = one.metric.signature(provenance=one.micro.provenance)
            rows.append(
                {
                    **dict(zip(fields, one.group, strict=True)),
                    "system": one.system,
                    "metric": str(one.key),
                    "shown": Cell(str(one.key), note=signature),
                    "micro": float(one.micro),
                    "low": one.low,
                    "high": one.high,
                    "macro": float(one.macro),
                    "documents": one.n_documents,
                    "undefined": one.n_undefined,
                    "better": "higher" if one.metric.higher_is_better else "lower",
                    "higher_is_better": one.metric.higher_is_better,
                    "signature": signature,
                }
            )
        undefined = any(one.n_undefined for one in self.averages)
        intervals = any(one.low is not None for one in self.averages)
        columns = [
            *(Column(name, key=key) for name, key in zip(self.by, fields, strict=True)),
            Column("system", audience="all" if any(self.systems) else "machines"),
            Column("metric", audience="machines"),
            Column("metric", key="shown", audience="people"),
            *([Column("micro")] if average in ("both", "micro") else []),
            *([Column("low"), Column("high")] if intervals and average != "macro" else []),
            *([Column("macro")] if average in ("both", "macro") else []),
            Column("documents"),
            Column("undefined", audience="all" if undefined else "machines"),
            Column("better", audience="people"),
            Column("higher_is_better", audience="machines"),
            Column("signature", audience="machines"),
        ]
        bad = [f"{self.n_bad} rows could not be read and were left out"] if self.n_bad else []
        return Table(columns, rows, bad)
