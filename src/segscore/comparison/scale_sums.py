"""The rows that give the scale where documents are added up: baselines and people, batch by batch.

Random baselines are drawn once for each document: with this many documents, further draws would
cost time and hardly change the average.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from segscore.comparison.cases import (
    Cases,
    Contestant,
    ContestantKind,
    baseline,
    checked_baselines,
    human,
    left_alone,
    never_by_chance,
    no_baselines,
    no_people,
)
from segscore.comparison.measuring import measure
from segscore.corpus.codings import Codings
from segscore.corpus.provenance import PLAIN, Provenance
from segscore.metrics import Metric, distinct_metrics
from segscore.pairing.list_columns import Texts
from segscore.pairing.pairs import Pairs
from segscore.scoring.accumulator import BUCKETS, Accumulator

_PEOPLE = "human"


class ScaleRow(NamedTuple):
    """A row of the table, and its number of documents."""

    name: str
    kind: ContestantKind
    n_done: int


class ScaleSums:
    """The sums of baselines and people.

    baselines, people: as `baselines` and `human` of `compare`; seed: random seed of chance.
    """

    def __init__(
        self,
        metrics: str | Metric | Iterable[str | Metric],
        baselines: Sequence[str],
        people: bool | None = False,
        seed: int = 0,
    ) -> None:
        asked = list(distinct_metrics(metrics))
        self.sums = Accumulator(asked, buckets=BUCKETS)
        self._metrics = list(self.sums.metrics.values())
        self._labels = any(metric.uses_labels for metric in self._metrics)
        self._baselines = checked_baselines(baselines)
        self._asked_people, self._seed = people, seed
        self._lacking: str | None = None  # what references have, and chance has not
        self._n_batches = self._n_documents = self._n_by_several = 0

    def add(
        self,
        cases: Cases,
        names: Texts,
        clusters: Texts | None = None,
        provenance: Provenance = PLAIN,
        threads: int | None = None,
    ) -> None:
        """Add some documents."""
        self._n_batches += 1
        self._n_documents += len(cases)
        self._lacking = self._lacking or never_by_chance(cases, self._labels)
        seed = np.random.SeedSequence([self._seed, self._n_batches]).generate_state(1)[0]
        rows = [
            baseline(name, cases, int(seed), n_draws=1)
            for name in (() if self._lacking else self._baselines)
        ]
        people = None if self._asked_people is False else human(cases)
        if people is not None:
            rows.append(people)
            self._n_by_several += people.n_done
        for row in rows:
            self._add(row, cases, names, clusters, provenance, threads)
        if people is None and self._asked_people is not False:
            self._add_nobody(names, clusters, provenance)

    def _add(
        self,
        row: Contestant,
        cases: Cases,
        names: Texts,
        clusters: Texts | None,
        provenance: Provenance,
        threads: int | None,
    ) -> None:
        measured = measure(self._metrics, cases, [row], threads, "nan", provenance)
        tables = [statistics.rows[:, 0] for statistics in measured]
        done = {row.name: measured[0].covered[:, 0]}
        self.sums.add_statistics({row.name: tables}, names, clusters, provenance, done)

    def _add_nobody(self, names: Texts, clusters: Texts | None, provenance: Provenance) -> None:
        """Count documents for which the human row has no pair."""
        tables = [np.zeros((len(names), len(metric.statistic_names))) for metric in self._metrics]
        done = {_PEOPLE: np.zeros(len(names), np.bool_)}
        self.sums.add_statistics({_PEOPLE: tables}, names, clusters, provenance, done)

    def add_pairs(
        self, pairs: Pairs, names: Texts, clusters: Texts | None, threads: int | None
    ) -> None:
        """Add the references of pairs that have one each."""
        columns: Mapping[str, object] = {
            "boundary types": pairs.ref_types,
            "segment labels": pairs.ref_labels if self._labels else None,
            "levels": pairs.ref_levels,
        }
        lacking = [what for what, column in columns.items() if column is not None]
        self._lacking = self._lacking or next(iter(lacking), None)
        n = len(pairs)
        boundaries = pairs.n_units, pairs.ref_offsets, np.asarray(pairs.ref_positions, np.int64)
        codings = Codings.plain(names, "reference", boundaries)
        cases = Cases(names, codings, np.arange(n), np.arange(n + 1), names)
        self.add(cases, names, clusters, pairs.provenance, threads)

    # ---- what came of it ----

    @property
    def rows(self) -> list[ScaleRow]:
        """The rows that are possible on all documents."""
        names = () if self._lacking else self._baselines
        found = [ScaleRow(name, "baseline", self._n_documents) for name in names]
        if self._n_by_several:
            found.append(ScaleRow(_PEOPLE, "human", self._n_by_several))
        elif self._asked_people:
            raise no_people()
        return found

    @property
    def said(self) -> list[str]:
        """Notes about these rows."""
        notes = [no_baselines(self._lacking)] if self._lacking and self._baselines else []
        alone = self._n_documents - self._n_by_several
        return notes + (left_alone(alone) if self._n_by_several else [])
