"""Chunkers side by side on the same questions: intervals, and tests of pairs.

A case is a question. Documents with all their questions are drawn and swapped, because questions
about the same text are alike; or single questions. Estimates, intervals and tests are those of
`ss.compare`.
"""

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from segscore.basics.cached import cached_property
from segscore.chunks.evidence_scores import Cluster, EvidenceScores
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
from segscore.significance.drawing import Lots
from segscore.significance.resampling import FEW_DOCUMENTS, METHOD, value_of
from segscore.tables import Tabular

if TYPE_CHECKING:
    from segscore.tables import Table


class EvidenceComparison(Tabular):
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
        self.measures: list[str] = list(self._first.measures)
        self._threads = threads

    @property
    def n_questions(self) -> int:
        """The number of questions."""
        return len(self._first)

    @property
    def n_drawn(self) -> int:
        """The number of documents, or questions, that are drawn."""
        return len(self._lots)

    @property
    def drawn(self) -> str:
        """What is drawn, in words."""
        lots = self._lots
        return f"{len(lots)} {lots.words}" if lots.in_buckets else lots.words

    @cached_property
    def _lots(self) -> Lots:
        return self._first.lots(self.cluster)

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
        settings, every = self.settings, list(self.scores.values())
        measured = []
        for name, measure in self._first.measures.items():
            rows = np.stack([scores.rows[name] for scores in every], axis=1)
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

    @property
    def higher_is_better(self) -> dict[str, bool]:
        """Whether higher values are better, by measure."""
        return {name: measure.higher_is_better for name, measure in self._first.measures.items()}

    @cached_property
    def signatures(self) -> dict[str, str]:
        """All that determines the numbers of each measure; cite them with the numbers."""
        return {
            name: measure.signature(self.average) for name, measure in self._first.measures.items()
        }

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
            settings.test, self.n_drawn, self.drawn, self._family, settings.alpha,
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
            undefined = [
                (chunker, n)
                for chunker, each in self.scores.items()
                if (n := each.n_undefined[name])
            ]
            if undefined:
                listed = ", ".join(f"{chunker} {n}" for chunker, n in undefined)
                sentences.append(
                    f"{name}: undefined for some of {self.n_questions} questions ({listed}); they "
                    "are left out of averages."
                )
        sentences += [
            f"{name}: {remark}" for name, each in self.scores.items() for remark in each.remarks
        ]
        return sentences

    @property
    def notes(self) -> list[str]:
        """Notes on the numbers of all chunkers, a sentence each."""
        return list(dict.fromkeys(note for each in self.scores.values() for note in each.notes))

    def describe(self) -> str:
        """The questions, average, intervals and test, in one sentence."""
        settings, n = self.settings, len(self._first.spans.documents)
        what = (
            f"{self.n_questions} {'question' if self.n_questions == 1 else 'questions'} about "
            f"{n} {'document' if n == 1 else 'documents'}, {self.average} average"
        )
        if self.n_drawn > 1:
            what += f"; {100 * settings.level:.4g} % intervals: {METHOD} over {self.drawn}"
            if len(self.chunkers) > 1:
                what += f"; {settings.describe_test(len(self.chunkers), self.n_drawn)}"
            what += f"; {settings.n_resamples} resamples, seed {settings.seed}"
        return what + "."

    # ---- out ----

    def to_dicts(self) -> list[dict[str, Any]]:
        """A row per chunker and measure: both averages, the interval of the chosen average, the
        counts behind it, and its signature."""
        found = []
        for entry in self.entries:
            row = asdict(entry)
            both = self.scores[entry.system].values[entry.metric]
            kept = ("low", "high", "rank", "mean_rank", "wins", "ties", "losses", "letters")
            found.append({
                "chunker": entry.system,
                "measure": entry.metric,
                "average": self.average,
                "pooled": float(both.pooled),
                "mean": float(both.mean),
                **{name: row[name] for name in kept},
                "questions": entry.n_documents,
                "undefined": entry.n_undefined,
                "higher_is_better": self.higher_is_better[entry.metric],
                "signature": self.signatures[entry.metric],
            })  # fmt: skip
        return found

    def _frame(self) -> tuple[Any, None]:
        return self.to_dicts(), None

    def to_table(self) -> "Table":
        """A row per chunker, a column per measure; CSV and JSON have both averages."""
        from segscore.chunks.evidence_tables import chunkers_table

        return chunkers_table(self)

    def measures_table(self) -> "Table":
        """A row per chunker and measure: both averages with their intervals."""
        from segscore.chunks.evidence_tables import measures_table

        return measures_table(list(self.scores.values()), self)

    def pairs_table(self) -> "Table":
        """A row per pair of chunkers and measure: the difference, its interval and p."""
        from segscore.chunks.evidence_tables import pairs_table

        return pairs_table(self)

    def questions_table(self) -> "Table":
        """A row per chunker and question: its values, and the number of its spans that were cut."""
        from segscore.chunks.evidence_tables import questions_table

        return questions_table(list(self.scores.values()))

    def cut_table(self) -> "Table":
        """A row per chunker and span that was cut: where, with the text around the first cut."""
        from segscore.chunks.evidence_tables import cut_table

        return cut_table(list(self.scores.values()))

    def curve_table(self) -> "Table":
        """A row per chunker and k: the measures of retrieval, with both averages."""
        from segscore.chunks.evidence_tables import curve_table

        return curve_table(list(self.scores.values()))
