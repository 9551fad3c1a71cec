"""Chunkers side by side on the same questions: intervals, and tests of pairs.

A case is a question. Documents with all their questions are drawn and swapped, because questions
about the same text are alike; or single questions. Estimates, intervals and tests are those of
`ss.compare`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, Literal

import numpy as np

from segscore.basics.cached import cached_property
from segscore.chunks.evidence_scores import (
    Cluster,
    EvidenceScores,
    EvidenceTables,
    interval_cell,
)
from segscore.comparison import advice
from segscore.comparison.cases import Contestant, SystemRun
from segscore.comparison.comparison_entries import (
    ComparisonSettings,
    Entry,
    PairTest,
    entries,
    pair_tests,
)
from segscore.comparison.estimates import Standings, standings
from segscore.comparison.measuring import Measured
from segscore.errors import number_of
from segscore.significance.drawing import Lots
from segscore.significance.resampling import FEW_DOCUMENTS, METHOD, value_of
from segscore.tables import Column, Table


class EvidenceComparison(EvidenceTables):
    """The chunkers side by side. `print` it, `render` it, or use the numbers.

    The table has a row per chunker; frames and `to_dicts` have a row per chunker and measure.

    scores: the result of `ss.chunks.evidence` for each chunker, by name. settings: average, test,
    correction, level, number of resamples and seed; `micro` is pooled, `macro` the mean over
    questions.
    cluster: what is drawn, a "document" with its questions, or a "question".
    """

    def __init__(
        self,
        scores: Mapping[str, EvidenceScores],
        settings: ComparisonSettings,
        cluster: Cluster,
        threads: int | None = None,
    ) -> None:
        self.scores: dict[str, EvidenceScores] = dict(scores)
        self.chunkers: list[str] = list(scores)
        self.settings = settings
        self.cluster: Cluster = cluster
        self._first = next(iter(self.scores.values()))
        self._measures = self._first.measures
        self.measures: list[str] = list(self._measures)
        self._threads = threads

    @property
    def each(self) -> Sequence[EvidenceScores]:
        """The results of all chunkers."""
        return list(self.scores.values())

    @property
    def n_questions(self) -> int:
        """The number of questions."""
        return len(self._first)

    @property
    def n_drawn(self) -> int:
        """The number of documents, or questions, that are drawn."""
        return len(self._lots)

    @cached_property
    def _lots(self) -> Lots:
        return self._first.lots(self.cluster)

    @property
    def _drawn(self) -> str:
        """What is drawn, in words."""
        lots = self._lots
        return f"{len(lots)} {lots.words}" if lots.in_buckets else lots.words

    @property
    def average(self) -> str:
        """The average for intervals and tests: pooled, or mean."""
        return "pooled" if self.settings.average == "micro" else "mean"

    def __getitem__(self, key: tuple[str, str]) -> Entry:
        """The entry of a chunker under a measure: `comparison["recursive", "whole"]`."""
        if key not in self._by_name:
            raise KeyError(f"no {key}: there are {self.chunkers} under {self.measures}")
        return self._by_name[key]

    @cached_property
    def _by_name(self) -> dict[tuple[str, str], Entry]:
        return {(entry.system, entry.metric): entry for entry in self.entries}

    # ---- the numbers ----

    @cached_property
    def _standings(self) -> dict[str, Standings]:
        settings = self.settings
        measured = []
        for name, measure in self._measures.items():
            rows = np.stack([scores.rows[name] for scores in self.each], axis=1)
            done, values = np.ones(rows.shape[:2], np.bool_), value_of(measure.values, rows)
            measured.append(Measured(measure, self._lots.sums(rows), done, values))
        found = standings(
            measured, dict.fromkeys(self.scores, 1), settings.average, settings.n_resamples,
            settings.seed, self._lots, self._threads,
        )  # fmt: skip
        return dict(zip(self.measures, found, strict=True))

    @cached_property
    def pairs(self) -> list[PairTest]:
        """The tests of all pairs of chunkers under all measures."""
        return pair_tests(self._standings, self.chunkers, self.settings, self._threads)

    @cached_property
    def entries(self) -> list[Entry]:
        """All chunkers under all measures; `n_documents` counts the questions."""
        runs = [SystemRun.added_up(self.n_questions)]
        contestants = [Contestant(name, "system", runs) for name in self.chunkers]
        return [
            entry
            for name, standing in self._standings.items()
            for entry in entries(
                name, standing, contestants,
                [pair for pair in self.pairs if pair.metric == name], self.settings.level,
            )
        ]  # fmt: skip

    @cached_property
    def signatures(self) -> dict[str, str]:
        """All that determines the numbers of each measure; cite them with the numbers."""
        return {name: each.signature(self.average) for name, each in self._measures.items()}

    @property
    def _family(self) -> int:
        """The number of pairs for which p is corrected; 0 without correction."""
        n_pairs = len(self.pairs) // len(self.measures)
        return min(n_pairs, 1) if self.settings.correction == "none" else n_pairs

    @property
    def can_differ(self) -> bool:
        """Whether any difference could be significant, given the number of documents or
        questions."""
        settings = self.settings
        least = advice.smallest_p(settings.test, self.n_drawn, settings.n_resamples)
        return self.n_drawn > 1 and least * self._family <= settings.alpha

    # ---- words ----

    @cached_property
    def warnings(self) -> list[str]:
        """What these documents, or questions, cannot show, a sentence each."""
        settings = self.settings
        sentences = advice.limits(
            settings.test, self.n_drawn, self._drawn, self._family, settings.alpha,
            settings.n_resamples, dict.fromkeys(self.chunkers, 1), compared="chunkers",
            more=f"{self.cluster}s",
        )  # fmt: skip
        if self.cluster == "document" and self.n_drawn < FEW_DOCUMENTS:
            sentences.append(
                "Questions about one text are alike, so that documents are drawn. With "
                'cluster="question" intervals and tests hold for new '
                "questions about these texts, and say nothing about other texts."
            )
        for name in self.measures:
            undefined = {each.chunker: each.n_undefined[name] for each in self.each}
            if any(undefined.values()):
                listed = ", ".join(f"{chunker} {n}" for chunker, n in undefined.items() if n)
                sentences.append(
                    f"{name}: undefined for some of {self.n_questions} questions ({listed}); they "
                    "are left out of averages."
                )
        remarks = (f"{each.chunker}: {remark}" for each in self.each for remark in each.remarks)
        return [*sentences, *remarks]

    def describe(self) -> str:
        """The questions, average, intervals and test, in one sentence."""
        settings, n_documents = self.settings, len(set(self._first.documents))
        what = (
            f"{number_of(self.n_questions, 'question')} about "
            f"{number_of(n_documents, 'document')}, {self.average} average"
        )
        if self.n_drawn > 1:
            what += f"; {100 * settings.level:.4g} % intervals: {METHOD} over {self._drawn}"
            if len(self.chunkers) > 1:
                what += f"; {settings.describe_test(len(self.chunkers), self.n_drawn)}"
            what += f"; {settings.n_resamples} resamples, seed {settings.seed}"
        return what + "."

    # ---- out ----

    def to_dicts(self) -> list[dict[str, Any]]:
        """A row per chunker and measure: both averages, the interval of the chosen average, the
        counts behind it, and its signature."""
        kept = ("low", "high", "rank", "mean_rank", "wins", "ties", "losses", "letters")
        return [
            {
                "chunker": entry.system,
                "measure": entry.metric,
                "average": self.average,
                "pooled": float(self.scores[entry.system].values[entry.metric].pooled),
                "mean": float(self.scores[entry.system].values[entry.metric].mean),
                **{name: getattr(entry, name) for name in kept},
                "questions": entry.n_documents,
                "undefined": entry.n_undefined,
                "higher_is_better": self._measures[entry.metric].higher_is_better,
                "signature": self.signatures[entry.metric],
            }
            for entry in self.entries
        ]

    def _frame(self) -> tuple[Any, None]:
        return self.to_dicts(), None

    def to_table(self) -> Table:
        """A row per chunker: each measure with its interval and letters; CSV and JSON have both
        averages."""
        columns = [Column("chunker")]
        for name, measure in self._measures.items():
            better: Literal["higher", "lower"] = "higher" if measure.higher_is_better else "lower"
            columns += [
                Column(
                    f"{measure} {'↑' if measure.higher_is_better else '↓'}", key=name,
                    better=better, note=measure.says, share=measure.perfect is not None,
                    digits=1 if name == "size-omega" else None, exactly=True,
                ),
                *(Column(part, key=f"{name}_{part}", audience="machines")
                  for part in ("pooled", "mean", "undefined", "signature")),
            ]  # fmt: skip
        rows = []
        for chunker, scores in self.scores.items():
            row: list[Any] = [chunker]
            for name in self.measures:
                entry, both = self[chunker, name], scores.values[name]
                letters = entry.letters if self.can_differ else None
                row += [
                    interval_cell(entry.value, entry.low, entry.high, letters),
                    float(both.pooled), float(both.mean), scores.n_undefined[name],
                    self.signatures[name],
                ]  # fmt: skip
            rows.append(row)
        notes = [self.describe(), *self.notes]
        if self.can_differ and any(entry.letters for entry in self.entries):
            notes.append("Chunkers that share a letter do not differ significantly.")
        return Table(columns, rows, footnotes=notes, warnings=self.warnings)

    def measures_table(self, **drawn: Any) -> Table:
        """A row per chunker and measure: both averages with their intervals."""
        settings = self.settings
        return super().measures_table(
            cluster=self.cluster, level=settings.level, n_resamples=settings.n_resamples,
            rng=settings.seed, **drawn,
        )  # fmt: skip

    def pairs_table(self) -> Table:
        """A row per pair of chunkers and measure: the difference, its interval and p."""
        shares = all(measure.perfect is not None for measure in self._measures.values())
        columns = [
            Column("measure"),
            Column("a"),
            Column("b"),
            Column("a - b", key="difference", share=shares, difference=True),
            Column("p", form=_p_value),
            Column("corrected", key="p_corrected", form=_p_value),
            Column("significant"),
            Column("effect", digits=2, drop_order=4, note="Cohen's d of the questions' "
                   "differences."),
            *(Column(name, drop_order=order, note="Questions.")
              for order, name in enumerate(("wins", "ties", "losses"))),
        ]  # fmt: skip
        rows = [
            {**asdict(pair), "measure": pair.metric,
             "difference": interval_cell(pair.difference, pair.low, pair.high)}
            for pair in self.pairs
        ]  # fmt: skip
        notes = [self.describe(), *self.notes]
        return Table(columns, rows, footnotes=notes, warnings=self.warnings)


def _p_value(p: float) -> str:
    return "<0.0001" if p < 0.0001 else f"{p:.4f}"
