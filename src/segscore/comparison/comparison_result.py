"""The result of `compare`: systems, or chunkers, side by side, with tables, tests and plans."""

import math
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import asdict
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from segscore.basics.arguments import Floats, cached_property
from segscore.coding.segmentation import Segmentation
from segscore.comparison import comparison_table, estimates, words
from segscore.comparison.measuring import Cases, Run, n_segments
from segscore.corpus.codings import Codings, Scope
from segscore.corpus.lists import spread_rows
from segscore.corpus.provenance import PLAIN, Provenance, placed_notes
from segscore.errors import SegmentationError, named, number_of
from segscore.metrics import Metric, same_metric
from segscore.metrics.statistics import Score
from segscore.pairing.pairs import Pairs
from segscore.pairing.rules import Failures
from segscore.significance import resampling as sig
from segscore.tables import Column, Table, Tabular
from segscore.tables.tabular import flat_numbers, picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from segscore.comparison.most_different import Background, DocumentDifference
    from segscore.comparison.own_chance import ChanceScale
    from segscore.comparison.planning import Plan
    from segscore.significance.classical import TestResult


_TESTS = {
    "randomisation": "approximate randomisation",
    "bootstrap": "paired bootstrap",
    "t": "paired t-test",
    "friedman": "Friedman with Wilcoxon-Nemenyi-McDonald-Thompson",
    "kruskal": "Kruskal-Wallis with Dunn's comparisons",
}
_NUMBERS = ("value", "sd", "low", "high")  # of each row
_TESTED = ("difference", "low", "high", "p", "p_corrected")  # of each pair
_ENTRY_NUMBERS, _PAIR_NUMBERS = ("value", "low", "high", "rank"), ("difference", "low", "high")
_TERMS = {each: each for each in ("system", "metric", "document", "micro", "macro")}
_TERMS["more"] = "documents"


class Comparison(Tabular):
    """The systems side by side. `print` it, `render` it, or use the numbers.

    The table has a row per contestant (system, baseline or person); frames and `to_dicts` have a
    row per contestant and metric. Of chunkers (`ss.chunks.compare`) rows are chunkers, metrics are
    measures of evidence, and documents are questions.

    rows: the names of all rows, systems first; standings: the numbers of each metric; drawn: what
    the bootstrap draws, in words; n_drawn: how many of them there are; family: the number of pairs
    for which p is corrected; scores: the result of `ss.chunks.evidence` for each chunker.
    """

    def __init__(
        self,
        standings: Mapping[str, estimates.Standings],
        rows: Mapping[str, tuple[str, int]],
        settings: estimates.ComparisonSettings,
        documents: Sequence[str],
        *,
        drawn: str = "documents",
        n_documents: int | None = None,
        cases: Cases | None = None,
        contestants: Sequence[Sequence[Run]] = (),
        chance: "ChanceScale | None" = None,
        advice: str = "",
        said: Sequence[str] = (),
        notes: Sequence[str] = (),
        scores: Mapping[str, Any] | None = None,
        beside: Mapping[tuple[str, str], Mapping[str, Any]] | None = None,
        terms: Mapping[str, str] = _TERMS,
        counted: str = "",
        threads: int | None = None,
    ) -> None:
        """rows: the kind and the number of runs of each row. cases, contestants: what was
        compared, and the runs of each row, if they are known document by document. said, notes:
        warnings and footnotes. beside: more about a row under a metric. terms: what systems,
        metrics, documents and averages are called, and what it takes more of; counted: how many
        documents there are, and the average, in words. threads: of the tests, which wait until
        they are asked for."""
        self.rows: list[str] = list(rows)
        self.systems: list[str] = [row for row, (kind, _) in rows.items() if kind == "system"]
        self.metrics: list[str] = list(standings)  # as they were asked for
        self.standings: dict[str, estimates.Standings] = dict(standings)
        self.settings: estimates.ComparisonSettings = settings
        self.terms: Mapping[str, str] = terms
        self.drawn = drawn
        self.n_drawn: int = len(next(iter(standings.values())).rows)
        self._pairs = list(combinations(range(len(self.systems)), 2))
        n_pairs, corrects = len(self._pairs), settings.correction == "holm"
        # Wilcoxon-Nemenyi-McDonald-Thompson already corrects for all pairs
        self.family: int = n_pairs if corrects and settings.test != "friedman" else min(n_pairs, 1)
        self._alpha = settings.alpha / max(self.family, 1)  # of the first step of the correction
        self._kinds_and_runs, self._threads = list(rows.values()), threads
        self.documents: list[str] = list(documents)
        self.n_documents: int = len(documents) if n_documents is None else n_documents
        self.chance: ChanceScale | None = chance
        self.advice: str = advice
        self.notes: list[str] = list(notes)
        self.scores: dict[str, Any] = dict(scores or {})
        self.beside: dict[tuple[str, str], Mapping[str, Any]] = dict(beside or {})
        self.skipped: tuple[str, ...] = () if cases is None else cases.skipped
        self.failures: dict[str, Failures] = {} if cases is None else dict(cases.failures)
        self.provenance: Provenance = PLAIN if cases is None else cases.provenance
        self._cases = cases
        self._runs = {runs[0].name: runs for runs in contestants}
        average = terms[settings.average]
        self.signatures: dict[str, str] = {
            key: standing.metric.signature(average, self.provenance)
            for key, standing in standings.items()
        }
        self.said: list[str] = [*said]
        self.counted: str = (
            counted or f"{number_of(self.n_documents, 'document')}, {average}-average"
        )

    @property
    def _known(self) -> Cases:
        """What was compared; raise if documents were added up."""
        if self._cases is None:
            raise SegmentationError(
                "these documents were added up: what systems did to each of them is not known"
            )
        return self._cases

    @property
    def coder_scope(self) -> Scope:
        """Whether a name is the same coder in all documents."""
        return "global" if self._cases is None else self._cases.given.scope

    # ---- the numbers ----

    @cached_property
    def pairs(self) -> list[estimates.PairTest]:
        """The tests of all pairs of systems under all metrics; swaps are drawn once for all."""
        settings, systems, pairs = self.settings, self.systems, self._pairs
        tests = []
        for p, (metric, found) in zip(self._p_values(pairs), self.standings.items(), strict=True):
            corrected = sig.holm(p) if self.family > 1 else p
            gaps = found.differences(pairs)
            low, high = gaps.interval(settings.level)
            columns = np.stack([gaps.estimate, low, high, p, corrected], axis=1).tolist()
            evident = estimates.gather_evidence(found, pairs, settings.test, gaps)
            for (i, j), row, known in zip(pairs, columns, evident, strict=True):
                fields: dict[str, Any] = dict(zip(_TESTED, row, strict=True))
                fields |= found.counts(i, [j])
                test = estimates.PairTest(
                    metric=metric,
                    a=systems[i],
                    b=systems[j],
                    significant=fields["p_corrected"] <= settings.alpha,
                    effect=sig.cohens_d(found.values[:, i] - found.values[:, j]),
                    detectable=estimates.detectable(known, settings, self._alpha),
                    **fields,
                )
                tests.append(test)
        return tests

    def _p_values(self, pairs: list[tuple[int, int]]) -> list[Any]:
        """The p of each pair of systems under each metric, uncorrected; NaN if there is a single
        document."""
        found, settings, n = list(self.standings.values()), self.settings, len(self.systems)
        if self.n_drawn < 2 or not pairs:
            return [np.full(len(pairs), np.nan) for _ in found]
        left, right = [i for i, _ in pairs], [j for _, j in pairs]
        if settings.test == "randomisation":
            return sig.randomisations(
                [(each.rows[:, :n], each.value) for each in found],
                pairs,
                n_resamples=settings.n_resamples,
                seed=settings.seed,
                threads=self._threads,
            )
        if settings.test == "bootstrap":
            return [each.differences(pairs).p_value() for each in found]
        from segscore.significance import classical

        if settings.test == "t":
            return [
                np.array([classical.paired_t(v[:, i], v[:, j]).p for i, j in pairs])
                for v in (each.values for each in found)
            ]
        posthoc = {"friedman": classical.friedman_pairs, "kruskal": classical.kruskal_pairs}
        return [posthoc[settings.test](each.values[:, :n])[left, right] for each in found]

    @cached_property
    def entries(self) -> list[estimates.Entry]:
        """All rows of the table under all metrics."""
        settings, systems = self.settings, self.systems
        index = {name: i for i, name in enumerate(systems)}
        entries = []
        for metric, found in self.standings.items():
            tests = [pair for pair in self.pairs if pair.metric == metric]
            ranks, order, mean_ranks = found.ranks(len(systems))
            shared: dict[int, str] = {}
            if any(not np.isnan(pair.p) for pair in tests):
                different = [(index[t.a], index[t.b]) for t in tests if t.significant]
                shared = estimates.letters(order, different)
            drawn = sig.Bootstrap(found.estimates, found.drawn, self.n_drawn)
            ends = drawn.interval(settings.level)
            numbers = np.stack([found.estimates, found.spread, *ends], axis=1).tolist()
            chance = self.chance.entries(metric, found, settings.level) if self.chance else []
            for i, (name, (kind, n_runs)) in enumerate(
                zip(self.rows, self._kinds_and_runs, strict=True)
            ):
                fields: dict[str, Any] = dict(zip(_NUMBERS, numbers[i], strict=True))
                fields["sd"] = None if np.isnan(fields["sd"]) else fields["sd"]
                if name in index:
                    fields |= chance[i] if chance else {}
                    fields |= found.counts(i, [j for j in index.values() if j != i])
                    fields |= {"rank": ranks[i], "mean_rank": mean_ranks[i]}
                    fields |= {"letters": shared.get(i)}
                entry = estimates.Entry(
                    system=name,
                    kind=kind,
                    metric=metric,
                    n_runs=n_runs,
                    n_documents=found.n_documents[i],
                    n_undefined=found.n_undefined[i],
                    n_failed=len(self.failures.get(name, ())),
                    **fields,
                )
                entries.append(entry)
        return entries

    def __getitem__(self, key: tuple[str, str | Metric]) -> estimates.Entry:
        """The entry of a system under a metric: `comparison["C99", "windowdiff"]`."""
        if isinstance(key, tuple) and len(key) == 2 and key[0] in self.rows:
            metric = key[1] if key[1] in self.metrics else self._name_of(key[1])
            if metric in self.metrics:
                place = self.metrics.index(metric) * len(self.rows) + self.rows.index(key[0])
                return self.entries[place]
        raise KeyError(
            f"no {key!r}: expected one of {named(self.rows)}, and one of {named(self.metrics)}"
        )

    def _name_of(self, metric: str | Metric | None) -> str:
        """The name under which a metric was compared: windowdiff for wd; None is the first."""
        if metric is None or str(metric) in self.standings:
            return self.metrics[0] if metric is None else str(metric)
        same = same_metric(metric)
        found = (name for name, standing in self.standings.items() if standing.metric == same)
        return next(found, str(metric))

    def pair(self, metric: str, a: str, b: str) -> estimates.PairTest:
        """The test of two systems under a metric, whichever comes first."""
        for each in self.pairs:
            if each.metric == metric and {each.a, each.b} == {a, b}:
                return each
        raise SegmentationError(f"no pair {a!r}, {b!r}: expected two of {self.systems}")

    @property
    def can_differ(self) -> bool:
        """Whether any difference could be significant, given how many are drawn."""
        settings = self.settings
        least = estimates.smallest_p(settings.test, self.n_drawn, settings.n_resamples)
        return self.n_drawn > 1 and least * self.family <= settings.alpha

    @property
    def n_asked(self) -> int:
        """The number of documents with a reference, whether or not all systems segmented them."""
        failures = next(iter(self.failures.values()), None)
        return self.n_documents if failures is None else failures.n_documents

    @cached_property
    def ratios(self) -> dict[str, float]:
        """The number of boundaries in each row's hypotheses over that in the references; nothing if
        documents were added up."""
        if self._cases is None:
            return {}
        ratios, cases = {}, self._cases
        counts = np.diff(cases.codings.offsets)
        for name, runs in self._runs.items():
            hypotheses = references = 0
            known_as, kind, *_ = runs[0]
            if kind == "baseline":  # not drawn again
                drawn = (n_segments(known_as, cases) - 1) * np.diff(cases.starts)
                hypotheses, references = int(drawn.sum()), int(counts.sum())
            for run in () if kind == "baseline" else runs:
                starts, rows = cases.faced(run)
                each = np.diff(run.codings.offsets)[run.rows]
                hypotheses += int((each * np.diff(starts)).sum())
                references += int(counts[rows].sum())
            ratios[name] = hypotheses / references if references else math.nan
        return ratios

    def metric(self, name: str | Metric | None = None) -> Metric:
        """A metric by the name it was given; the first by default."""
        return self.standings[self._metric(name)].metric

    def sample_pairs(self, system: str, most: int = 500) -> Pairs:
        """A sample of the pairs that a system was scored on: its first run and one reference."""
        cases, run = self._known, self._runs[system][0]
        codings, trials = run.codings, spread_rows(len(run.cases), most)
        starts, met = cases.faced(run, trials)
        names = [cases.names[case] for case in run.cases[trials].tolist()]
        return Pairs.of_codings(
            cases.codings, codings, met[starts[:-1]], run.rows[trials], documents=names
        )

    @cached_property
    def overall(self) -> "dict[str, TestResult]":
        """The test of all systems at once, by metric, for tests that have one (Friedman,
        Kruskal)."""
        from segscore.significance import classical

        tests = {"friedman": classical.friedman, "kruskal": classical.kruskal_wallis}
        test = tests.get(self.settings.test)
        n_systems = len(self.systems)
        if test is None or n_systems < 2:
            return {}
        return {key: test(found.values[:, :n_systems]) for key, found in self.standings.items()}

    def plan(self, difference: float) -> "Plan":
        """How many documents of this kind are needed to detect such a difference with 80 % power.

        The plan is for the test in use at its corrected level, for each pair of systems:
        `n_needed` assumes the spread of these documents, and `n_safe` is enough with 80 %
        confidence, because the spread is only estimated from these documents.
        """
        from segscore.comparison.planning import planned

        if self.drawn not in ("documents", "questions"):
            raise SegmentationError(
                f"a plan needs documents that are drawn one by one, and {self.drawn} are"
            )
        known = [
            each
            for found in self.standings.values()
            for each in estimates.gather_evidence(
                found, self._pairs, self.settings.test, found.differences(self._pairs)
            )
        ]
        return planned(difference, self.pairs, known, self.n_drawn, self.settings, self._alpha)

    def values(self, metric: str | Metric | None = None) -> dict[str, Floats]:
        """The value of each document, by row of the table, as the mean over runs."""
        found = self.standings[self._metric(metric)]
        return {name: found.values[:, i] for i, name in enumerate(self.rows)}

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

    def against(self, number: float, metric: str | Metric | None = None) -> "dict[str, TestResult]":
        """The one-sample t-test of each system's documents against a number, such as a published
        mean."""
        from segscore.significance import classical

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

    verdict = cached_property(words.verdict)
    warnings = cached_property(words.warnings)

    def summary(self) -> str:
        """What may be said: the verdict, and what these documents cannot show, in plain text."""
        return " ".join([*self.verdict, *self.warnings])

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
        if row not in self.systems or self._cases is None:
            return self.provenance
        choices = {
            name: {
                choice
                for run in self._runs[name]
                if isinstance(run.given, Codings)
                for choice in run.given.provenance.choices
            }
            for name in self.systems
        }
        own = choices.pop(row).union(self._cases.codings.provenance.choices)
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
        settings, n = self.settings, self.n_drawn
        if n < 2:
            return f"{self.counted}."
        test = _TESTS[settings.test]
        if settings.test == "randomisation" and sig.randomisation_is_exact(n, settings.n_resamples):
            test = f"exact randomisation (all {2**n} swaps)"
        holm = ", Holm-corrected" if self.family > 1 else ""
        test = f"; p: {test}{holm}, two-sided, α = {settings.alpha:g}"
        intervals = f"{100 * settings.level:.4g} % intervals: {sig.METHOD} over {self.drawn}"
        test = test if len(self.systems) > 1 else ""
        drawn = f"{settings.n_resamples} resamples, seed {settings.seed}"
        return f"{self.counted}; {intervals}{test}; {drawn}."

    # ---- documents ----

    @cached_property
    def background(self) -> "dict[str, Background]":
        """What else is known about each document; empty if documents were added up."""
        from segscore.comparison.most_different import background

        return {} if self._cases is None else background(self._cases)

    def hypotheses(self, system: str) -> dict[str, Segmentation]:
        """The hypotheses of a system for each document, from the first run that has it; empty if
        documents were added up."""
        found: dict[int, Segmentation] = {}
        for run in self._runs[system] if self._runs else ():
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
        for computed in ("verdict", "warnings", "pairs", "entries", "ratios"):  # which name them
            vars(new).pop(computed, None)
        new.rows = [coders.get(row, row) for row in self.rows]
        new.systems = [coders.get(system, system) for system in self.systems]
        new._runs = dict(zip(new.rows, self._runs.values(), strict=False))
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

        cases, key = self._known, self._metric(metric)
        return most_different(cases, self._runs, self.values(key), key, (a, b), n)

    def documents_table(
        self, a: str, b: str, metric: str | Metric | None = None, n: int = 5
    ) -> Table:
        """The documents of `most_different`: both values, and the counted edits of both systems."""
        from segscore.comparison.most_different import most_different_table

        share = self.metric(metric).perfect is not None
        return most_different_table(
            self.most_different(a, b, metric, n), a, b, self.units_note, share
        )

    # ---- out ----

    def to_dicts(self) -> list[dict[str, Any]]:
        """A row per contestant and metric, with the signature of the row."""
        rows = []
        for entry in self.entries:
            key = entry.system, entry.metric
            row = {self.terms.get(name, name): value for name, value in asdict(entry).items()}
            row |= {**self.beside.get(key, {}), "signature": self.signature(*key)}
            if self.chance is not None:
                row["chance_signature"] = f"{row['signature']}|{self.chance.signature}"
            rows.append(row)
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

    def to_table(self) -> Table:
        """The table for the paper: a row per system, baseline and person; a column per metric, with
        the tests beside it.

        Ranks, wins, ties and losses are in CSV and JSON, and shown if their columns are asked for.
        """
        rows: list[dict[str, Any]] = []
        system, ratios = self.terms["system"], self.ratios
        for name in self.rows:
            entry = self[name, self.metrics[0]]
            rows.append({system: name, "kind": entry.kind, "ratio": ratios.get(name)})
            if self.failures and entry.kind == "system":
                rows[-1]["failed"] = entry.n_failed
                rows[-1]["failed_share"] = entry.n_failed / self.n_asked
        shown = [Column(system)]
        if not self.scores:
            shown.append(Column("kind", audience="machines"))
        if self.failures:  # documents without a hypothesis
            share = Column("failed share", key="failed_share", audience="machines")
            shown += [Column("failed"), share]
        shown.append(Column("ratio", digits=2, audience="asked", note=comparison_table.RATIO))
        # measures of evidence have letters only if any could differ
        lettered = not self.scores or self.can_differ
        for metric in self.metrics:
            shown += comparison_table.add_metric(self, metric, rows, lettered)
        return Table(
            shown,
            rows,
            footnotes=comparison_table.footnotes(self, lettered),
            lead=self.verdict,
            warnings=self.warnings,
        )

    def pairs_table(self) -> Table:
        """A row per pair of systems and metric."""
        return comparison_table.pairs_table(self)

    @property
    def table(self) -> Table:
        """The table for the paper, as `to_table()` gives it."""
        return self.to_table()

    def plot(self, metric: str | Metric | None = None, *, ax: "Axes | None" = None) -> "Axes":
        """Draw the systems with their intervals and letters: `segscore.plot.intervals`."""
        return picture("intervals", self, metric, ax=ax)
