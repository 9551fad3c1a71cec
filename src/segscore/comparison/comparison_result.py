"""The result of `compare`: the systems side by side, with tables, tests and plans."""

import math
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from segscore.basics.arguments import Floats
from segscore.basics.on_demand import cached_property
from segscore.coding.segmentation import Segmentation
from segscore.comparison.estimates import Standings, gather_evidence
from segscore.comparison.leaderboard import ComparisonSettings, Leaderboard
from segscore.comparison.measuring import Contestant, n_segments
from segscore.comparison.systems import Compared
from segscore.comparison.words import about_metric, limits, verdict
from segscore.corpus.codings import Codings, Scope
from segscore.corpus.lists import spread_rows
from segscore.corpus.provenance import Provenance, placed_notes
from segscore.errors import SegmentationError, number_of
from segscore.metrics import Metric, Score
from segscore.pairing.pairs import Pairs
from segscore.pairing.rules import Failures, missing_notes, missing_warnings
from segscore.scoring.result_tables import ratio_notes
from segscore.significance import classical
from segscore.tables import Tabular
from segscore.tables.tabular import flat_numbers, picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from segscore.comparison.most_different import Background, DocumentDifference
    from segscore.comparison.own_chance import ChanceScale
    from segscore.comparison.planning import Plan
    from segscore.tables import Table


_ENTRY_NUMBERS, _PAIR_NUMBERS = ("value", "low", "high", "rank"), ("difference", "low", "high")


class Comparison(Leaderboard, Tabular):
    """The systems side by side. `print` it, `render` it, or use the numbers.

    The table has a row per contestant (system, baseline or person); frames and `to_dicts` have a
    row per contestant and metric.
    """

    def __init__(
        self,
        compared: Compared,
        contestants: Sequence[Contestant],
        found: Mapping[str, Standings],
        settings: ComparisonSettings,
        advice: str,
        said: Sequence[str],
        chance: "ChanceScale | None" = None,
        *,
        drawn: str = "documents",
        n_documents: int | None = None,
        threads: int | None = None,
    ) -> None:
        rows = {name: (kind, len(runs)) for name, kind, runs in contestants}
        super().__init__(rows, found, settings, drawn, threads)
        names = compared.cases.names
        self.n_documents: int = len(names) if n_documents is None else n_documents
        self.chance = chance
        self.advice = advice
        self.documents: list[str] = list(names)
        self.skipped: tuple[str, ...] = compared.skipped
        self.failures: dict[str, Failures] = dict(compared.failures)  # of systems that have any
        self.provenance: Provenance = compared.provenance
        given = compared.given
        self.coder_scope: Scope = "global" if given is None else given.scope
        self._compared = compared
        self._contestants = dict(zip(self.rows, contestants, strict=True))
        self.signatures: dict[str, str] = {
            key: standing.metric.signature(settings.average, compared.provenance)
            for key, standing in found.items()
        }
        self._said = list(said)

    @property
    def n_asked(self) -> int:
        """The number of documents with a reference, whether or not all systems segmented them."""
        failures = next(iter(self.failures.values()), None)
        return self.n_documents if failures is None else failures.n_documents

    @cached_property
    def ratios(self) -> dict[str, float | None]:
        """The number of boundaries in each row's hypotheses over that in the references; None if
        documents were added up."""
        found: dict[str, float | None] = dict.fromkeys(self.rows)
        if self._compared.given is None:
            return found
        cases = self._compared.cases
        counts = np.diff(cases.codings.offsets)
        for name, (known_as, kind, runs) in self._contestants.items():
            hypotheses = references = 0
            if kind == "baseline":  # not drawn again
                drawn = (n_segments(known_as, cases) - 1) * np.diff(cases.starts)
                hypotheses, references = int(drawn.sum()), int(counts.sum())
            for run in () if kind == "baseline" else runs:
                starts, rows = cases.faced(run)
                each = np.diff(run.codings.offsets)[run.rows]
                hypotheses += int((each * np.diff(starts)).sum())
                references += int(counts[rows].sum())
            found[name] = hypotheses / references if references else math.nan
        return found

    def metric(self, name: str | Metric | None = None) -> Metric:
        """A metric by the name it was given; the first by default."""
        return self.standings[self._metric(name)].metric

    def sample_pairs(self, system: str, most: int = 500) -> Pairs:
        """A sample of the pairs that a system was scored on: its first run and one reference."""
        cases, run = self._compared.cases, self._contestants[system].runs[0]
        codings, trials = run.codings, spread_rows(len(run.cases), most)
        starts, met = cases.faced(run, trials)
        names = [cases.names[case] for case in run.cases[trials].tolist()]
        return Pairs.of_codings(
            cases.codings, codings, met[starts[:-1]], run.rows[trials], documents=names
        )

    # ---- the numbers ----

    @cached_property
    def overall(self) -> dict[str, classical.TestResult]:
        """The test of all systems at once, by metric, for tests that have one (Friedman,
        Kruskal)."""
        tests = {"friedman": classical.friedman, "kruskal": classical.kruskal_wallis}
        test = tests.get(self.settings.test)
        if test is None:
            return {}
        n_systems = len(self.systems)
        return {key: test(found.values[:, :n_systems]) for key, found in self.standings.items()}

    def plan(self, difference: float) -> "Plan":
        """How many documents of this kind are needed to detect such a difference with 80 % power.

        The plan is for the test in use at its corrected level, for each pair of systems:
        `n_needed` assumes the spread of these documents, and `n_safe` is enough with 80 %
        confidence, because the spread is only estimated from these documents.
        """
        from segscore.comparison.planning import planned

        if self.drawn != "documents":
            raise SegmentationError(
                f"a plan needs documents that are drawn one by one, and {self.drawn} are"
            )
        known = [
            each
            for found in self.standings.values()
            for each in gather_evidence(
                found, self._pairs, self.settings, found.differences(self._pairs)
            )
        ]
        return planned(difference, self.pairs, known, len(self.documents))

    def values(self, metric: str | Metric | None = None) -> dict[str, Floats]:
        """The value of each document, by row of the table, as the mean over runs."""
        found = self.standings[self._metric(metric)]
        return {name: found.values[:, i] for i, name in enumerate(self._contestants)}

    def totals(self, metric: str | Metric | None = None) -> dict[str, Score]:
        """The micro-averaged score of each row of the table, with its parts (precision, recall …).

        A system with several runs has the mean of their statistics.
        """
        found = self.standings[self._metric(metric)]
        if self.settings.average == "macro":
            raise SegmentationError(
                "a macro-average has no statistics to add up, and so no precision or recall: "
                "expected a comparison with average='micro'"
            )
        sums = found.rows.sum(axis=0)
        return {
            name: Score(float(value), found.metric, row, average="micro")
            for name, row, value in zip(self.rows, sums, found.metric.values(sums), strict=True)
        }

    def against(
        self, number: float, metric: str | Metric | None = None
    ) -> dict[str, classical.TestResult]:
        """The one-sample t-test of each system's documents against a number, such as a published
        mean."""
        values = self.values(metric)
        return {name: classical.one_sample_t(values[name], number) for name in self.systems}

    def _metric(self, metric: str | Metric | None) -> str:
        key = self._name_of(metric)
        if key not in self.standings:
            raise SegmentationError(
                f"metric {key!r} was not compared: expected one of {self.metrics}"
            )
        return key

    # ---- words ----

    @property
    def verdict(self) -> list[str]:
        """The conclusion: which system is significantly better, in which metrics and by how much,
        or that none can be called better. The table begins with it."""
        return verdict(self)

    @cached_property
    def warnings(self) -> list[str]:
        """What these documents cannot show, a sentence each."""
        settings = self.settings
        messages = limits(self)
        if settings.average == "micro" and settings.test in ("t", "friedman", "kruskal"):
            messages.append(
                f"The {settings.test} test compares the values of documents, each weighing the "
                "same; the table prints micro-averages, where long documents weigh more."
            )
        for metric in self.metrics:
            messages += about_metric(self, metric, self.n_documents)
        for system, failures in self.failures.items():
            notes = missing_notes((), failures) + missing_warnings(failures)
            messages += [f"{system}: {note}" for note in notes]
        messages += ratio_notes({name: self.ratios[name] for name in self.systems})
        return messages + self._said + missing_notes(self.skipped, None)

    @property
    def units_note(self) -> list[str]:
        """How units were formed, for tables without signatures; empty for plain files."""
        return [str(self.provenance)] if self.provenance else []

    @property
    def placing_note(self) -> list[str]:
        """How many cuts of chunks were moved, and how far, for each system; empty if none was."""
        if not self.provenance.placed:
            return []
        return placed_notes({name: self._provenance_of(name) for name in self.systems})

    def signature(self, row: str, metric: str) -> str:
        """The signature of a row under a metric.

        It is the signature in `signatures` without choices that only concern other systems, such as
        how their chunks were placed.
        """
        known = self._provenance_of(row) if self.provenance.choices else self.provenance
        if known == self.provenance:
            return self.signatures[metric]
        return self.standings[metric].metric.signature(self.settings.average, known)

    def _provenance_of(self, row: str) -> Provenance:
        """How units of a row were formed, without choices that only concern other systems."""
        if row not in self.systems:
            return self.provenance
        choices = {
            name: {
                choice
                for run in self._contestants[name].runs
                if isinstance(run.given, Codings)
                for choice in run.given.provenance.choices
            }
            for name in self.systems
        }
        own = choices.pop(row).union(self._compared.cases.codings.provenance.choices)
        of_others = set().union(*choices.values()) - own
        return self.provenance.without(of_others) if of_others else self.provenance

    @property
    def chance_signatures(self) -> dict[str, str]:
        """Each signature with how chance was drawn; empty if chance was not requested."""
        if self.chance is None:
            return {}
        by_chance = self.chance.signature
        return {key: f"{signature}|{by_chance}" for key, signature in self.signatures.items()}

    @property
    def higher_is_better(self) -> dict[str, bool]:
        """Whether higher values are better, by metric."""
        return {key: each.metric.higher_is_better for key, each in self.standings.items()}

    def describe(self) -> str:
        """The test, correction, level, seed and number of documents, in one sentence."""
        count = number_of(self.n_documents, "document")
        return f"{count}, {self.settings.average}-average{self._how()}."

    # ---- documents ----

    @cached_property
    def background(self) -> "dict[str, Background]":
        """What else is known about each document; empty if documents were added up."""
        from segscore.comparison.most_different import background

        return background(self._compared)

    def hypotheses(self, system: str) -> dict[str, Segmentation]:
        """The hypotheses of a system for each document, from the first run that has it."""
        found: dict[int, Segmentation] = {}
        for run in self._contestants[system].runs if self._compared.given is not None else ():
            codings = run.codings
            for case, row in zip(run.cases.tolist(), run.rows.tolist(), strict=True):
                if case not in found:
                    found[case] = codings.segmentation(row)
        return {self.documents[case]: found[case] for case in sorted(found)}

    def renamed(self, documents: Mapping[str, str], coders: Mapping[str, str]) -> "Comparison":
        """A copy with other names of documents and people; systems keep their names.

        People may be among the contestants. Texts, labels, groups, and codings by anyone else are
        left out.
        """
        new = copy(self)
        for computed in ("warnings", "pairs", "entries", "_by_name", "ratios"):  # which name them
            vars(new).pop(computed, None)
        new.rows = [coders.get(row, row) for row in self.rows]
        new.systems = [coders.get(system, system) for system in self.systems]
        new._contestants = dict(zip(new.rows, self._contestants.values(), strict=True))
        new.documents = [documents[document] for document in self.documents]
        new.skipped = tuple(documents.get(document, "a document") for document in self.skipped)
        new.failures = {
            coders.get(name, name): failure.renamed(documents)
            for name, failure in self.failures.items()
        }
        vars(new)["background"] = {
            documents[name]: background._replace(
                coders=tuple(coders.get(coder, coder) for coder in background.coders),
                codings={
                    new_name: background.codings[key]
                    for key, new_name in sorted(coders.items(), key=lambda pair: pair[::-1])
                    if key in background.codings
                },
                units=None,
            )
            for name, background in self.background.items()
        }
        return new

    def most_different(
        self, a: str, b: str, metric: str | Metric | None = None, n: int = 5
    ) -> "list[DocumentDifference]":
        """The n documents on which two rows of the table differ most, the largest gap first.

        Each document has the edits between references and hypotheses; `print` draws them.
        """
        from segscore.comparison.most_different import most_different

        if self._compared.given is None:
            raise SegmentationError(
                "these documents were added up: what systems did to each of them is not known"
            )
        cases, key = self._compared.cases, self._metric(metric)
        return most_different(cases, self._contestants, self.values(key), key, (a, b), n)

    def documents_table(
        self, a: str, b: str, metric: str | Metric | None = None, n: int = 5
    ) -> "Table":
        """The documents of `most_different`: both values, and the counted edits of both systems."""
        from segscore.comparison.most_different import most_different_table

        share = self.metric(metric).perfect is not None
        return most_different_table(
            self.most_different(a, b, metric, n), a, b, self.units_note, share
        )

    # ---- out ----

    def to_dicts(self) -> list[dict[str, Any]]:
        """A row per contestant and metric, with the signature of the row."""
        rows = [
            {**asdict(entry), "signature": self.signature(entry.system, entry.metric)}
            for entry in self.entries
        ]
        if self.chance is not None:
            for row in rows:
                row["chance_signature"] = f"{row['signature']}|{self.chance.signature}"
        return rows

    def to_metrics(self, prefix: str = "") -> dict[str, float]:
        """A flat dict of floats for experiment trackers.

        `SYSTEM/windowdiff/value` with `low`, `high` and `rank`; for each pair of systems
        `A-vs-B/windowdiff/difference` with `low`, `high` and `p` (corrected). See
        `Result.to_metrics`.
        """
        found: list[tuple[tuple[str, ...], float | None]] = []
        for entry in self.entries:
            row = entry.system, entry.metric
            found += [((*row, each), getattr(entry, each)) for each in _ENTRY_NUMBERS]
        for pair in self.pairs:
            row = f"{pair.a}-vs-{pair.b}", pair.metric
            found += [((*row, each), getattr(pair, each)) for each in _PAIR_NUMBERS]
            found.append(((*row, "p"), pair.p_corrected))
        return flat_numbers([*found, (("documents",), self.n_documents)], prefix)

    def _frame(self) -> tuple[Any, None]:
        return self.to_dicts(), None

    def to_table(self) -> "Table":
        """The table for the paper: a row per contestant, a column per metric."""
        from segscore.comparison.comparison_table import systems_table

        return systems_table(self)

    @property
    def table(self) -> "Table":
        """The table for the paper, as `to_table()` gives it."""
        return self.to_table()

    def summary(self) -> str:
        """What may be said: the verdict, and what these documents cannot show, in plain text."""
        return " ".join([*self.verdict, *self.warnings])

    def pairs_table(self) -> "Table":
        """A row per pair of systems and metric."""
        from segscore.comparison.comparison_table import pairs_table

        return pairs_table(self)

    def plot(self, metric: str | Metric | None = None, *, ax: "Axes | None" = None) -> "Axes":
        """Draw the systems with their intervals and letters: `segscore.plot.intervals`."""
        return picture("intervals", self, metric, ax=ax)
