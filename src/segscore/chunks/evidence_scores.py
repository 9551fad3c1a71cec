"""The measures of evidence, and the result of `evidence`: those of a chunker.

Each measure is a quotient of two counts per question that add up (`evidence_counts`), so that
averages, intervals and tests are those of every metric: pooled is the quotient of the sums (over
spans, characters or questions), mean is the mean over questions. Both leave out questions without a
value.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, NamedTuple, Self

import numpy as np

from segscore.basics.arguments import Floats, Seed, cached_property, check_choice, seed_of
from segscore.chunks import evidence_counts
from segscore.chunks.chunk_inputs import ChunkOffsets
from segscore.chunks.questions import Question
from segscore.chunks.text_map import CUT
from segscore.errors import SegmentationError, nearest
from segscore.metrics.base import Metric
from segscore.metrics.statistics import Score, Statistics, exact_mean, exact_sum, micro_score
from segscore.pairing.pairs import Pairs
from segscore.significance import resampling as sig
from segscore.significance.drawing import Lots, by_name
from segscore.tables import Cell, Column, Table, Tabular

Cluster = Literal["document", "question"]
"""What intervals and tests draw: documents, with all their questions, or questions one by one."""
CLUSTERS = ("document", "question")
AVERAGES = ("pooled", "mean")
_AROUND = 30  # characters of text on each side of a cut


# ---- measures ----


DEFINITIONS = {
    "whole": ("whole_spans spans", "share of evidence spans that lie completely in one chunk"),
    "all-whole": ("whole_questions questions", "share of questions all of whose spans are whole"),
    "pieces": (
        "chunks held_spans",
        "the fewest chunks that hold what chunks hold of a span, mean over spans",
    ),
    "precision-omega": ("held needed", "share of evidence in the chunks that touch it"),
    "size-omega": (
        "touched touched_questions",
        "how much text is in the chunks that touch the evidence of a question",
    ),
    "lost": ("lost evidence", "share of evidence, white space aside, that is in no chunk"),
    "recall": ("fetched_evidence evidence", "share of evidence that was fetched"),
    "precision": ("fetched_evidence fetched", "share of evidence in what was fetched"),
    "iou": (
        "fetched_evidence fetched_or_evidence",
        "evidence that was fetched, over what was fetched and what was missed",
    ),
    "hit": (
        "hit_questions questions",
        "share of questions with a span that is whole in one fetched chunk",
    ),
}
"""The dividend and the divisor of each measure, and what it is in words."""
_NO_SHARE, _LOWER = ("pieces", "size-omega"), ("pieces", "size-omega", "lost")
OF_CHUNKS = ("whole", "all-whole", "pieces", "precision-omega", "size-omega", "lost")
OF_RETRIEVAL = ("recall", "precision", "iou", "hit")
_BY_SIZE = ("precision-omega", "size-omega", "recall", "precision", "iou")


@dataclass(frozen=True)
class EvidenceMeasure(Metric):
    """A measure of evidence: additive counts of a question, and their quotient.

    Parameters
    ----------
    measure: its name, one of `DEFINITIONS`.
    convention: "program" counts like the published program (Smith & Troynikov 2024).
    k: how many fetched chunks count, for measures of retrieval.
    size: the unit in which text is counted: "characters", or the name of the tokenizer.

    >>> whole = EvidenceMeasure("whole")
    >>> whole.signature(), whole.statistic_names
    ('whole|convention:segscore|v:0.1.0', ('whole_spans', 'spans'))
    >>> str(EvidenceMeasure("recall", k=5))
    'recall(k=5)'
    """

    name: ClassVar[str] = "evidence"  # of an object: that of its measure
    higher_is_better: ClassVar[bool] = True

    measure: str
    convention: evidence_counts.Convention = "segscore"
    k: evidence_counts.Depth = None
    size: str = "characters"

    def __post_init__(self) -> None:
        better = self.measure not in _LOWER
        perfect = None if self.measure in _NO_SHARE else float(better)
        object.__setattr__(self, "name", self.measure)
        object.__setattr__(self, "higher_is_better", better)
        object.__setattr__(self, "perfect", perfect)

    @property
    def value_range(self) -> tuple[float, float]:
        """The smallest and largest possible value."""
        highest = math.inf if self.measure in _NO_SHARE else 1.0
        return (1.0 if self.measure == "pieces" else 0.0), highest

    @property
    def says(self) -> str:
        """The meaning of the measure, in words."""
        return DEFINITIONS[self.measure][1]

    @property
    def digits(self) -> int | None:
        """The decimals of the measure in tables; None: the usual ones."""
        return 1 if self.measure == "size-omega" else None

    @property
    def statistic_names(self) -> tuple[str, ...]:
        """The two counts of the quotient."""
        return tuple(DEFINITIONS[self.measure][0].split())

    def rows(self, pairs: Pairs, threads: int | None = 1) -> Floats:
        """Raise for pairs of segmentations, which have no questions."""
        del pairs, threads
        raise SegmentationError(
            f"{self.measure} looks at questions and chunks: expected a call of ss.chunks.evidence"
        )

    def signature_fields(self) -> dict[str, Any]:
        """The settings that determine this measure."""
        fields: dict[str, Any] = {"convention": self.convention}
        if self.measure in OF_RETRIEVAL:
            fields["k"] = "all" if self.k is None else self.k
        if self.measure in _BY_SIZE:
            fields["size"] = self.size
        return fields

    def plain(self) -> Self:
        """The measure with its usual settings."""
        return type(self)(self.measure)


# ---- the result ----


class Averages(NamedTuple):
    """Both averages of a measure: pooled over spans or characters, and the mean over questions."""

    pooled: Score
    mean: Score


class CutSpan(NamedTuple):
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
        asked: evidence_counts.Asked,
        chunks: ChunkOffsets,
        fetched: Sequence[Sequence[int]] | None = None,
        k: evidence_counts.Depth = None,
    ) -> None:
        self.chunker, self.k = chunker, k
        self.drawn: dict[str, Any] = {}  # how intervals are drawn, as `intervals` takes it
        self.texts: Mapping[str, str] = asked.texts
        self.questions: Sequence[Question] = asked.questions
        self.documents: list[str] = [question.document for question in self.questions]
        documents, self.remarks = chunks
        self.left_out = asked.left_out
        if not any(len(own.starts) for own in documents.values()):
            raise SegmentationError(
                f"chunker {chunker!r} has no chunk in any document: expected at least one"
            )
        self._asked = asked
        self._spans, touched, columns = evidence_counts.chunk_counts(asked, documents)
        self.rows = _rows(OF_CHUNKS, columns)
        self._most_fetched = 0
        if fetched is not None:
            self._most_fetched = max(map(len, fetched))
            given = asked, documents, fetched, touched
            self._fetched = evidence_counts.fetched_counts(*given)
            self.rows |= _rows(OF_RETRIEVAL, self._fetched(k))
        depth = dict.fromkeys(OF_RETRIEVAL, k)
        self.measures = {
            name: EvidenceMeasure(name, asked.convention, depth.get(name), asked.size)
            for name in self.rows
        }

    def __len__(self) -> int:
        return len(self.questions)

    @property
    def scores(self) -> "dict[str, EvidenceScores]":
        """The result by its chunker, as a comparison has those of several."""
        return {self.chunker: self}

    @property
    def signatures(self) -> dict[str, str]:
        """All that determines the numbers of each measure."""
        return {name: measure.signature() for name, measure in self.measures.items()}

    @property
    def n_spans(self) -> int:
        """The number of spans of evidence."""
        return len(self._asked.starts)

    def statistics(self, measure: str) -> Statistics:
        """The additive counts of a measure, a row per question."""
        if measure not in self.measures:
            similar = nearest(measure, self.measures)
            raise SegmentationError(f"there is no measure {measure!r}{similar}")
        return Statistics(self.measures[measure], self.rows[measure])

    def of_questions(self, measure: str) -> Floats:
        """The value of each question; NaN if it has none."""
        return self.measures[measure].values(self.statistics(measure).rows)

    @cached_property
    def values(self) -> dict[str, Averages]:
        """Both averages of each measure: `scores.values["whole"].pooled`."""
        return {name: _averages(each, self.rows[name]) for name, each in self.measures.items()}

    @cached_property
    def parts(self) -> dict[str, dict[str, float]]:
        """The counts behind each pooled average, by measure."""
        sums = {name: rows.sum(axis=0).tolist() for name, rows in self.rows.items()}
        return {
            name: dict(zip(measure.statistic_names, sums[name], strict=True))
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
        if self._asked.n_trimmed:
            sentences.append(
                f"White space at the ends of {self._asked.n_trimmed} of {self.n_spans} spans is "
                "not evidence."
            )
        sentences += self.left_out
        if isinstance(self.k, int) and self.k > self._most_fetched:
            sentences.append(
                f"k is {self.k}, and no more than {self._most_fetched} chunks were fetched for a "
                "question."
            )
        return sentences

    @cached_property
    def curve(self) -> dict[int, dict[str, Averages]]:
        """Both averages of the measures of retrieval at k = 1, 2 …; empty without a retrieval."""
        most = min(self.k, self._most_fetched) if isinstance(self.k, int) else self._most_fetched
        return {
            k: {
                name: _averages(replace(self.measures[name], k=k), rows)
                for name, rows in _rows(OF_RETRIEVAL, self._fetched(k)).items()
            }
            for k in range(1, most + 1)
        }

    @cached_property
    def cut(self) -> list[CutSpan]:
        """The spans of evidence that are cut, in order of questions and of the text."""
        spans, found = self._asked, []
        edges = zip(spans.question_of, spans.starts.tolist(), spans.ends.tolist(), strict=True)
        for (number, start, end), span in zip(edges, self._spans, strict=True):
            if not evidence_counts.is_whole_in(span):
                id_, _, document, *_ = self.questions[number]
                text = self.texts[document][start:end]
                found.append(CutSpan(id_, document, start, end, *span, text))
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
        samples: list[tuple[Floats, sig.Value]] = [
            (self.rows[name], measure.values)
            if average == "pooled"
            else (sig.macro_rows(self.of_questions(name)), sig.mean_of_defined)
            for name, measure in self.measures.items()
        ]
        seed, lots = seed_of(rng), self.lots(cluster)
        how: dict[str, Any] = {"level": level, "n_resamples": n_resamples, "seed": seed}
        found = sig.bootstrap_intervals(samples, lots=lots, **how)
        return dict(zip(self.measures, found, strict=True))

    def lots(self, cluster: Cluster) -> Lots:
        """What is drawn: documents with their questions, or questions by document, then by id."""
        names = [f"{question.document}\n{question.id}" for question in self.questions]
        order = by_name(self.documents, (question.id for question in self.questions))
        clusters = self.documents if cluster == "document" else None
        return Lots.of(names, f"{cluster}s", clusters=clusters, order=order)

    def to_dicts(self) -> list[dict[str, Any]]:
        """A row per question: its values, and its spans that were cut, with the places."""
        values = {name: self.of_questions(name).tolist() for name in self.measures}
        cut: dict[str, list[dict[str, Any]]] = {question.id: [] for question in self.questions}
        for span in self.cut:
            places = {"cuts": list(span.cuts), "lost": [list(stretch) for stretch in span.lost]}
            cut[span.question].append({"start": span.start, "end": span.end, **places})
        return [
            {
                "id": question.id,
                "question": question.question,
                "document": question.document,
                **{name: column[i] for name, column in values.items()},
                "cut": cut[question.id],
            }
            for i, question in enumerate(self.questions)
        ]

    def _frame(self) -> tuple[Any, list[str] | None]:
        return self.to_dicts(), None

    def to_table(self) -> Table:
        """A row per measure: both averages with their intervals, and the counts behind them."""
        return replace(self.measures_table(), warnings=self.remarks)

    # ---- tables; those of other chunkers are below those of this one ----

    def measures_table(self, *others: "EvidenceScores") -> Table:
        """A row per chunker and measure: both averages with their intervals."""
        whatever = "Over spans, characters or questions, whatever the measure counts."
        shown: list[str | Column] = [
            f"{_chunker(others)} measure!",
            Column("measure", key="shown", audience="people"),
            Column("pooled", note=whatever),
            Column("mean", note="Over questions."),
            "questions<1 undefined<2",
            Column("better", audience="people"),
            Column("higher_is_better", audience="machines"),
            "signature!",
        ]
        rows: list[list[Any]] = []
        methods: dict[str, None] = {}
        for scores in (self, *others):
            pooled, mean = (scores.intervals(average, **self.drawn) for average in AVERAGES)
            methods |= dict.fromkeys(interval.method for interval in pooled.values())
            for name, measure in scores.measures.items():
                both, better = scores.values[name], measure.higher_is_better
                counts = len(scores), scores.n_undefined[name]
                row = [
                    *(scores.chunker, name, Cell(str(measure), note=measure.says)),
                    Cell(float(both.pooled), *pooled[name][:2]),
                    Cell(float(both.mean), *mean[name][:2]),
                    *(*counts, "higher" if better else "lower", better, measure.signature()),
                ]
                rows.append(row)
        return Table.of(rows, shown, [*methods, *self._notes_with(others)])

    def questions_table(self, *others: "EvidenceScores") -> Table:
        """A row per chunker and question: its values, and the number of its spans that were cut."""
        shown: list[str | Column] = [
            f"{_chunker(others)} id document question",
            *(
                Column(str(measure), key=name, digits=0 if name == "size-omega" else None)
                for name, measure in self.measures.items()
            ),
            Column("cut", note="Spans of evidence that are in no chunk as a whole."),
        ]
        rows = [
            {"chunker": scores.chunker, **row, "cut": len(row["cut"])}
            for scores in (self, *others)
            for row in scores.to_dicts()
        ]
        return Table.of(rows, shown)

    def cut_table(self, *others: "EvidenceScores") -> Table:
        """A row per chunker and span that was cut: where, with the text around the first cut."""
        shown: list[str | Column] = [
            f"{_chunker(others)} question document start end pieces cuts! lost! text!",
            Column("around the first cut", key="around", audience="people"),
        ]
        rows, notes = [], []
        for scores in (self, *others):
            notes.append(
                f"{scores.chunker}: {len(scores.cut)} of {scores.n_spans} spans are in no chunk as "
                "a whole"
            )
            for cut in scores.cut:
                lost = " ".join(f"{start}-{end}" for start, end in cut.lost)
                around = around_cut(cut, scores.texts[cut.document])
                cuts = " ".join(map(str, cut.cuts))
                rows.append([scores.chunker, *cut[:5], cuts, lost, cut.text, around])
        if rows:
            notes.append(f"{CUT} is a cut, ‹ › is text in no chunk")
        return Table.of(rows, shown, notes)

    def curve_table(self, *others: "EvidenceScores") -> Table:
        """A row per chunker and k: the measures of retrieval, with both averages."""
        if not all(scores.curve for scores in (self, *others)):
            raise SegmentationError(
                "there is no curve over k: expected what was fetched (retrieved)"
            )
        shown: list[str | Column] = [f"{_chunker(others)} k"]
        for name in OF_RETRIEVAL:
            shown += [
                Column(name, key=f"{name}_pooled", share=True, note="Pooled."),
                Column(f"mean {name}", key=f"{name}_mean", share=True, drop_order=1),
            ]
        rows = [
            [scores.chunker, k, *(float(value) for both in at.values() for value in both)]
            for scores in (self, *others)
            for k, at in scores.curve.items()
        ]
        return Table.of(rows, shown, self._notes_with(others))

    def _notes_with(self, others: "Sequence[EvidenceScores]") -> list[str]:
        return list(dict.fromkeys(note for scores in (self, *others) for note in scores.notes))


def _chunker(others: "Sequence[EvidenceScores]") -> str:
    """The column of the chunker, which people see if there are several."""
    return "chunker" if others else "chunker!"


def _rows(measures: Sequence[str], counts: evidence_counts.Counts) -> dict[str, Floats]:
    """The two counts of each measure, a row per question."""
    pairs = {name: [counts[column] for column in DEFINITIONS[name][0].split()] for name in measures}
    return {name: np.stack(both, axis=1).astype(np.float64) for name, both in pairs.items()}


def _averages(measure: EvidenceMeasure, rows: Floats) -> Averages:
    values = measure.values(rows)
    mean = exact_mean(values[~np.isnan(values)])
    return Averages(
        micro_score(measure, exact_sum(rows)), Score(mean, measure, None, average="macro")
    )


def around_cut(cut: CutSpan, text: str) -> str:
    """The text around the first place where a span is cut or lost.

    >>> text = "Cats purr. Dogs bark."
    >>> around_cut(CutSpan("1", "d", 11, 21, 2, (16,), (), "Dogs bark."), text)
    'Cats purr. Dogs ‖bark.'
    """
    if cut.lost and (not cut.cuts or cut.lost[0][0] <= cut.cuts[0]):
        left, right = cut.lost[0]
        lost = text[left:right]
        middle = f"‹{lost if len(lost) <= 2 * _AROUND else f'{lost[:_AROUND]}…{lost[-_AROUND:]}'}›"
    else:
        left = right = cut.cuts[0]
        middle = CUT
    before = text[max(0, left - _AROUND) : left]
    return " ".join((before + middle + text[right : right + _AROUND]).split())
