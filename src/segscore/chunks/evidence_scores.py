"""The result of `evidence`: the measures of a chunker, with the counts of each question."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from segscore.basics.arguments import Floats, Seed, check_choice, seed_of
from segscore.basics.cached import cached_property
from segscore.basics.exact_sums import exact_mean
from segscore.chunks.evidence_measures import OF_CHUNKS, OF_RETRIEVAL, Depth, EvidenceMeasure
from segscore.chunks.evidence_spans import EvidenceSpans
from segscore.chunks.evidence_statistics import EvidenceCounts, FetchedCounts, rows_of
from segscore.chunks.questions import Question
from segscore.chunks.text_line import TextLine
from segscore.errors import SegmentationError, nearest
from segscore.metrics.statistics import Score, Statistics, micro_score
from segscore.significance import resampling as sig
from segscore.significance.drawing import Lots, by_name
from segscore.tables import Tabular

if TYPE_CHECKING:
    from segscore.tables import Table

Cluster = Literal["document", "question"]
"""What intervals and tests draw: documents, with all their questions, or questions one by one."""
CLUSTERS = ("document", "question")
AVERAGES = ("pooled", "mean")


class Averages(NamedTuple):
    """Both averages of a measure: pooled over spans or characters, and the mean over questions."""

    pooled: Score
    mean: Score


@dataclass(frozen=True)
class CutSpan:
    """A span of evidence that no chunk holds completely.

    question, document: the id of its question, and its document. start, end: its offsets in
    characters. pieces: the fewest chunks that together hold as much of it as possible. cuts: where
    it passes from one chunk to the next; lost: its stretches in no chunk. text: the span.
    """

    question: str
    document: str
    start: int
    end: int
    pieces: int
    cuts: tuple[int, ...]
    lost: tuple[tuple[int, int], ...]
    text: str


class EvidenceScores(Tabular):
    """The evidence measures of a chunker.

    It prints as a row per measure; frames and `to_dicts` have a row per question.

    chunker: its name. questions: the questions, in order. documents: the document of each. texts:
    the texts by document. measures: the measures by name. rows: the two counts of each measure, a
    row per question. remarks: remarks on how chunks were found. left_out: the questions that do not
    count because a text or chunks are missing.
    """

    def __init__(
        self,
        chunker: str,
        spans: EvidenceSpans,
        line: TextLine,
        counts: EvidenceCounts,
        fetched: FetchedCounts | None,
        remarks: Sequence[str] = (),
        left_out: Sequence[str] = (),
    ) -> None:
        self.chunker = chunker
        self.spans = spans
        self.texts: Mapping[str, str] = line.texts
        self.questions: Sequence[Question] = spans.questions
        self.documents: list[str] = [question.document for question in spans.questions]
        self.remarks: tuple[str, ...] = tuple(remarks)
        self.left_out: tuple[str, ...] = tuple(left_out)
        self._line, self._counts, self._fetched = line, counts, fetched
        columns = counts.of_chunks()
        self.rows: dict[str, Floats] = {name: rows_of(name, columns) for name in OF_CHUNKS}
        self.measures: dict[str, EvidenceMeasure] = {
            name: self._measure(name, None) for name in OF_CHUNKS
        }
        if fetched is not None:
            columns = fetched.columns()
            self.rows |= {name: rows_of(name, columns) for name in OF_RETRIEVAL}
            self.measures |= {name: self._measure(name, fetched.k) for name in OF_RETRIEVAL}

    def _measure(self, name: str, k: Depth) -> EvidenceMeasure:
        return EvidenceMeasure(name, self._counts.convention, k, self._line.size)

    def __len__(self) -> int:
        return len(self.questions)

    # ---- the numbers ----

    def measure(self, name: str) -> str:
        """The name of a measure that was computed; raise for any other."""
        if name not in self.measures:
            raise SegmentationError(f"there is no measure {name!r}{nearest(name, self.measures)}")
        return name

    def statistics(self, measure: str) -> Statistics:
        """The additive counts of a measure, a row per question."""
        return Statistics(self.measures[self.measure(measure)], self.rows[measure])

    def of_questions(self, measure: str) -> Floats:
        """The value of each question; NaN if it has none."""
        return self.measures[self.measure(measure)].values(self.rows[measure])

    @cached_property
    def values(self) -> dict[str, Averages]:
        """Both averages of each measure: `scores.values["whole"].pooled`."""
        return {
            name: self._averages(measure, self.rows[name])
            for name, measure in self.measures.items()
        }

    @staticmethod
    def _averages(measure: EvidenceMeasure, rows: Floats) -> Averages:
        values = measure.values(rows)
        mean = exact_mean(values[~np.isnan(values)])
        return Averages(
            micro_score(Statistics(measure, rows)), Score(mean, measure, None, average="macro")
        )

    @cached_property
    def parts(self) -> dict[str, dict[str, float]]:
        """The counts behind each pooled average, by measure."""
        return {
            name: dict(
                zip(measure.statistic_names, self.rows[name].sum(axis=0).tolist(), strict=True)
            )
            for name, measure in self.measures.items()
        }

    @cached_property
    def n_undefined(self) -> dict[str, int]:
        """The number of questions without a value, by measure."""
        return {name: int(np.isnan(self.of_questions(name)).sum()) for name in self.measures}

    @property
    def notes(self) -> list[str]:
        """Notes on the numbers: white space that does not count, questions left out, a k beyond
        what was fetched."""
        sentences = []
        if self.spans.n_trimmed:
            sentences.append(
                f"White space at the ends of {self.spans.n_trimmed} of {len(self.spans)} spans is "
                "not evidence."
            )
        sentences += self.left_out
        if self._fetched is not None and self._fetched.beyond:
            sentences.append(
                f"k is {self._fetched.k}, and no more than {self._fetched.n_most} chunks were "
                "fetched for a question."
            )
        return sentences

    @cached_property
    def curve(self) -> dict[int, dict[str, Averages]]:
        """Both averages of the measures of retrieval at k = 1, 2 …; empty without a retrieval."""
        if self._fetched is None:
            return {}
        found = {}
        for k in range(1, self._fetched.most + 1):
            columns = self._fetched.columns_at(k)
            found[k] = {
                name: self._averages(self._measure(name, k), rows_of(name, columns))
                for name in OF_RETRIEVAL
            }
        return found

    @cached_property
    def cut(self) -> list[CutSpan]:
        """The spans of evidence that are cut, in order of questions and of the text."""
        counts, found = self._counts, []
        for at in np.flatnonzero(counts.whole == 0).tolist():
            question = self.questions[int(self.spans.question_of[at])]
            base = self._line.bases[question.document]
            start, end = int(self.spans.starts[at]), int(self.spans.ends[at])
            cuts, lost = counts.line.cuts(start + base, end + base)
            found.append(
                CutSpan(
                    question.id,
                    question.document,
                    start,
                    end,
                    int(counts.pieces[at]),
                    tuple(cut - base for cut in cuts),
                    tuple((lost_start - base, lost_end - base) for lost_start, lost_end in lost),
                    self.texts[question.document][start:end],
                )
            )
        return found

    def intervals(
        self,
        average: str = "pooled",
        *,
        cluster: Cluster = "document",
        level: float = 0.95,
        n_resamples: int = sig.N_RESAMPLES,
        rng: Seed = 0,
    ) -> dict[str, sig.Interval]:
        """The bootstrap intervals of an average, by measure.

        average: "pooled" or "mean".
        cluster: what is resampled: a "document" with all its questions, because questions about the
            same text are alike; or a "question", for statements about new questions on these texts.
        level: the confidence level.
        n_resamples, rng: the number of resamples, and the random seed or generator.
        """
        check_choice(average, "average", AVERAGES)
        check_choice(cluster, "cluster", CLUSTERS)
        samples: list[tuple[Floats, sig.Value]] = []
        for name, measure in self.measures.items():
            rows, value = self.rows[name], measure.values
            if average == "mean":
                rows, value = sig.macro_rows(self.of_questions(name)), sig.mean_of_defined
            samples.append((rows, value))
        made = sig.bootstrap_intervals(
            samples,
            level=level,
            n_resamples=n_resamples,
            seed=seed_of(rng),
            lots=self.lots(cluster),
        )
        return dict(zip(self.measures, made, strict=True))

    def lots(self, cluster: Cluster) -> Lots:
        """What is drawn: documents with their questions, or questions by document, then by id."""
        names = [f"{question.document}\n{question.id}" for question in self.questions]
        order = by_name(self.documents, (question.id for question in self.questions))
        clusters = self.documents if cluster == "document" else None
        return Lots.of(names, f"{cluster}s", clusters=clusters, order=order)

    # ---- out ----

    def to_dicts(self) -> list[dict[str, Any]]:
        """A row per question: its values, and its spans that were cut, with the places."""
        values = {name: self.of_questions(name).tolist() for name in self.measures}
        cut: dict[str, list[dict[str, Any]]] = {}
        for span in self.cut:
            cut.setdefault(span.question, []).append(
                {"start": span.start, "end": span.end, "cuts": list(span.cuts),
                 "lost": [list(stretch) for stretch in span.lost]}
            )  # fmt: skip
        return [
            {
                "id": question.id,
                "question": question.question,
                "document": question.document,
                **{name: column[i] for name, column in values.items()},
                "cut": cut.get(question.id, []),
            }
            for i, question in enumerate(self.questions)
        ]

    def _frame(self) -> tuple[Any, list[str] | None]:
        return self.to_dicts(), None

    def to_table(self) -> "Table":
        """A row per measure: both averages with their intervals, and the counts behind them."""
        from segscore.chunks.evidence_tables import measures_table

        return replace(measures_table([self]), warnings=self.remarks)

    def questions_table(self) -> "Table":
        """A row per question: its values, and the number of its spans that were cut."""
        from segscore.chunks.evidence_tables import questions_table

        return questions_table([self])

    def cut_table(self) -> "Table":
        """A row per span that was cut: where, with the text around the first cut."""
        from segscore.chunks.evidence_tables import cut_table

        return cut_table([self])

    def curve_table(self) -> "Table":
        """A row per k: the measures of retrieval, with both averages."""
        from segscore.chunks.evidence_tables import curve_table

        return curve_table([self])
