"""Evidence in chunks: `evidence` for one chunker, `compare_evidence` for several, side by side.

A case is a question. Documents with all their questions are drawn and swapped, because questions
about the same text are alike; or single questions. Estimates, intervals and tests are those of
`ss.compare`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, TypedDict, Unpack, get_args

import numpy as np

from segscore.basics.arguments import Seed, check_choice, seed_of, shown, whole_number
from segscore.basics.on_demand import cached_property
from segscore.chunks import chunk_inputs, evidence_scores
from segscore.chunks.evidence_counts import Asked, Convention, Depth
from segscore.chunks.questions import Retrievals, as_questions, fetched_chunks, place_evidence
from segscore.comparison.comparison_table import system_pair_columns
from segscore.comparison.estimates import Test, standings
from segscore.comparison.leaderboard import ComparisonSettings, Correction, Leaderboard
from segscore.comparison.measuring import Measured
from segscore.comparison.words import limits
from segscore.errors import SegmentationError, about, check_keywords, named, nearest, number_of
from segscore.metrics import Average
from segscore.significance.resampling import FEW_DOCUMENTS, N_RESAMPLES, value_of
from segscore.tables import Column, Table, columns, interval_cell


class EvidenceComparison(Leaderboard, evidence_scores.EvidenceTables):
    """The chunkers side by side. `print` it, `render` it, or use the numbers.

    The table has a row per chunker; frames and `to_dicts` have a row per chunker and measure. In
    `entries`, `n_documents` counts the questions.

    scores: the result of `ss.chunks.evidence` for each chunker, by name. settings: average, test,
    correction, level, number of resamples and seed; `micro` is pooled, `macro` the mean over
    questions.
    cluster: what is drawn, a "document" with its questions, or a "question".
    """

    def __init__(
        self,
        scores: Mapping[str, evidence_scores.EvidenceScores],
        settings: ComparisonSettings,
        cluster: evidence_scores.Cluster,
        threads: int | None = None,
    ) -> None:
        self.scores: dict[str, evidence_scores.EvidenceScores] = dict(scores)
        self.cluster: evidence_scores.Cluster = cluster
        self._first = next(iter(self.scores.values()))
        self._measures = self._first.measures
        lots = self._first.lots(cluster)
        measured = []
        for name, measure in self._measures.items():
            rows = np.stack([each.rows[name] for each in self.each], axis=1)
            done, values = np.ones(rows.shape[:2], np.bool_), value_of(measure.values, rows)
            measured.append(Measured(measure, lots.sums(rows), done, values))
        found = standings(measured, dict.fromkeys(self.scores, 1), settings, lots, threads)
        super().__init__(
            dict.fromkeys(scores, ("system", 1)),
            dict(zip(self._measures, found, strict=True)),
            settings,
            f"{len(lots)} {lots.words}" if lots.in_buckets else lots.words,
            threads,
        )
        self.chunkers, self.measures = self.systems, self.metrics

    @property
    def each(self) -> Sequence[evidence_scores.EvidenceScores]:
        """The results of all chunkers."""
        return list(self.scores.values())

    @property
    def n_questions(self) -> int:
        """The number of questions."""
        return len(self._first)

    @property
    def average(self) -> str:
        """The average for intervals and tests: pooled, or mean."""
        return "pooled" if self.settings.average == "micro" else "mean"

    @cached_property
    def signatures(self) -> dict[str, str]:
        """All that determines the numbers of each measure; cite them with the numbers."""
        return {name: each.signature(self.average) for name, each in self._measures.items()}

    # ---- words ----

    @cached_property
    def warnings(self) -> list[str]:
        """What these documents, or questions, cannot show, a sentence each."""
        sentences = limits(self, compared="chunkers", more=f"{self.cluster}s")
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
        questions = number_of(self.n_questions, "question")
        documents = number_of(len(set(self._first.documents)), "document")
        return f"{questions} about {documents}, {self.average} average{self._how()}."

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
        shown = [Column("chunker")]
        for name, measure in self._measures.items():
            better: Any = "higher" if measure.higher_is_better else "lower"
            arrow = "↑" if measure.higher_is_better else "↓"
            column = Column(f"{measure} {arrow}", key=name, exactly=True, better=better)
            digits, is_share = 1 if name == "size-omega" else None, measure.perfect is not None
            shown.append(replace(column, note=measure.says, share=is_share, digits=digits))
            parts = (f"{part}={name}_{part}" for part in ("pooled", "mean", "undefined"))
            shown += columns(" ".join((*parts, f"signature={name}_signature")), audience="machines")
        rows = []
        for chunker, scores in self.scores.items():
            row: list[Any] = [chunker]
            for name in self.measures:
                entry, both = self[chunker, name], scores.values[name]
                letters = entry.letters if self.can_differ else None
                cell = interval_cell(entry.value, entry.low, entry.high, marks=letters or "")
                averages = float(both.pooled), float(both.mean)
                row += [cell, *averages, scores.n_undefined[name], self.signatures[name]]
            rows.append(row)
        notes = [self.describe(), *self.notes]
        if self.can_differ and any(entry.letters for entry in self.entries):
            notes.append("Chunkers that share a letter do not differ significantly.")
        return Table(shown, rows, footnotes=notes, warnings=self.warnings)

    def measures_table(self, **drawn: Any) -> Table:
        """A row per chunker and measure: both averages with their intervals."""
        own = self.settings
        drawn |= {"level": own.level, "n_resamples": own.n_resamples, "rng": own.seed}
        return super().measures_table(cluster=self.cluster, **drawn)

    def pairs_table(self) -> Table:
        """A row per pair of chunkers and measure: the difference, its interval and p."""
        shares = all(measure.perfect is not None for measure in self._measures.values())
        shown = system_pair_columns(shares, "measure", "questions", "Questions.")
        return Table.of(self.pairs, shown, [self.describe(), *self.notes], warnings=self.warnings)


# ---- from what is given ----


class EvidenceKeywords(TypedDict, total=False):
    """The keywords of `ss.chunks.evidence`."""

    convention: Convention
    tokens: chunk_inputs.Tokens | None
    missing: chunk_inputs.Missing
    text_encoding: str | None
    large: bool


def _scorer(
    chunks: Any, questions: Any, texts: Any, options: "EvidenceKeywords"
) -> tuple[list[str], Callable[[str, Any, Depth], evidence_scores.EvidenceScores]]:
    """The names of chunkers, and a function that gives the measures of each; documents without a
    text or chunks are left out if `missing` says so."""
    convention, missing = options.get("convention", "segscore"), options.get("missing", "error")
    tokens, encoding = options.get("tokens"), options.get("text_encoding")
    large = options.get("large", False)
    check_choice(convention, "convention", get_args(Convention))
    known, chunkers, whole = chunk_inputs.chunks_in_texts(
        chunks, texts, tokens=tokens, missing=missing, text_encoding=encoding, large=large
    )
    alone = next(iter(known)) if len(known) == 1 else None
    every = as_questions(questions, alone, large=large, encoding=encoding)
    absent = [question for question in every if question.document not in known]
    if absent and missing == "error":
        raise SegmentationError(
            f"{absent[0].where}: there is no text of document {absent[0].document!r}"
            f"{nearest(absent[0].document, known)} (questions without a text: {len(absent)} of "
            f'{len(every)}); missing="skip" leaves them out'
        )
    kept = [question for question in every if question.document in whole]
    unchunked = [each for each in every if each.document in known.keys() - whole.keys()]
    left_out = tuple(
        f"left out: {number_of(len(left), 'question')} about "
        f"{number_of(len(documents), 'document')} without {what} ({named(documents)})"
        for what, left in (("a text", absent), ("chunks", unchunked))
        if (documents := list(dict.fromkeys(question.document for question in left)))
    )
    if not kept:
        raise SegmentationError(
            f"no question is left: {'; '.join(left_out)}: expected texts and chunks of the "
            "documents that questions are about"
        )
    spans = place_evidence(kept, whole, trim=convention == "segscore")
    asked = Asked(whole, kept, *spans, tokens, convention, left_out)

    def scores(name: str, retrieved: Any, k: Depth) -> evidence_scores.EvidenceScores:
        chunker, lists = chunkers[name], None
        if retrieved is not None:
            documents = {document: chunker.documents[document] for document in whole}
            with about(f"chunker {name!r}"):
                lists = fetched_chunks(retrieved, every, kept, documents, large=large)
        depth = _checked_depth(k, retrieved)
        return evidence_scores.EvidenceScores(name, asked, chunker, lists, depth)

    return list(chunkers), scores


def _checked_depth(k: Any, retrieved: Any) -> Depth:
    """The value of k, if it gives a number of chunks."""
    if k is None or (k == "touched" and retrieved is not None):
        return k  # type: ignore[no-any-return]
    if retrieved is None:
        raise SegmentationError("k is given without retrieved: expected what was fetched, too")
    return whole_number(k, "k", 1)


def evidence(
    chunks: Any,
    questions: Any,
    texts: chunk_inputs.Texts,
    retrieved: Retrievals | None = None,
    k: Depth = None,
    *,
    convention: Convention = "segscore",
    tokens: chunk_inputs.Tokens | None = None,
    missing: chunk_inputs.Missing = "error",
    text_encoding: str | None = None,
    large: bool = False,
) -> evidence_scores.EvidenceScores:
    """Measure whether chunks keep the evidence for answers together, and what it costs to fetch it.

    Everything counts characters of the texts; chunks may overlap, leave gaps and cut words.

    Parameters
    ----------
    chunks
        The chunks of a chunker, in any form: texts, pairs (start, end), objects of LangChain,
        LlamaIndex or Chonkie, by document if there are several; or a file of chunks.
    questions
        Questions with their evidence: a file (JSON Lines, CSV, TSV, Parquet), a frame, or a list of
        mappings with `question`, `document` and `evidence`, a list of spans
        `{"start": …, "end": …}`, or of texts.
    texts
        A text, a mapping from documents to texts, or the Path of a file or a folder.
    retrieved
        What a system fetched for each question, best first: a list of lists, a list of mappings
        with `question` and `retrieved`, a mapping from questions, a function of the question, or a
        file. Chunks are given by id, by position, or by a pair of document and position.
    k
        How many fetched chunks count: None means all, "touched" as many as hold evidence for the
        question.
    convention
        "segscore" does not count white space at the ends of a span as evidence. "program" counts
        like the published program (Smith & Troynikov 2024): it takes spans as given, counts chunks
        that only meet an end of a span as touched, and counts evidence in no chunk as fetched.
    tokens
        A function from a text to the offsets of its tokens, as pairs (start, end), or to the tokens
        in order; sizes then count tokens. None: characters.
    missing
        What to do about questions whose document has no text, or no chunks: "error", or "skip",
        which leaves them out and says how many.
    text_encoding
        The encoding of files of text and of questions as CSV or TSV that are not UTF-8.
    large
        Lift the limits on memory and growth for trusted files.

    >>> text = "Cats purr. Dogs bark. It rains."
    >>> asked = [{"question": "Who barks?", "document": "text", "evidence": ["Dogs bark."]},
    ...          {"question": "And the weather?", "document": "text", "evidence": ["It rains."]}]
    >>> scores = evidence([(0, 16), (16, 31)], asked, text)
    >>> scores.values["whole"].pooled, scores.parts["whole"]
    (0.5, {'whole_spans': 1.0, 'spans': 2.0})
    >>> [(span.text, span.cuts) for span in scores.cut]
    [('Dogs bark.', (16,))]
    """
    options: EvidenceKeywords = {"convention": convention, "tokens": tokens, "missing": missing}
    options |= {"text_encoding": text_encoding, "large": large}
    names, scores = _scorer(chunks, questions, texts, options)
    if len(names) > 1:
        raise SegmentationError(
            f"there are {len(names)} chunkers, {named(names)}: expected one; ss.chunks.compare "
            "takes several"
        )
    return scores(names[0], retrieved, k)


def compare_evidence(
    chunkers: Any,
    questions: Any,
    texts: chunk_inputs.Texts,
    retrieved: Mapping[str, Retrievals] | None = None,
    k: Depth = None,
    *,
    average: Literal["pooled", "mean"] = "pooled",
    cluster: evidence_scores.Cluster = "document",
    test: Test = "randomisation",
    correction: Correction = "holm",
    level: float = 0.95,
    n_resamples: int = N_RESAMPLES,
    rng: Seed = 0,
    threads: int | None = None,
    **options: Unpack[EvidenceKeywords],
) -> EvidenceComparison:
    """Compare chunkers on the same questions, with intervals and paired tests.

    Parameters
    ----------
    chunkers
        A mapping from names to chunks, each as `ss.chunks.evidence` takes them; or files of chunks.
    questions, texts, k, convention, tokens, missing, text_encoding, large
        As in `ss.chunks.evidence`.
    retrieved
        A mapping from names of chunkers to what was fetched from their chunks.
    average
        The average for intervals and tests: "pooled", over spans or characters, or the "mean" over
        questions. Both averages are always computed.
    cluster
        What is drawn and swapped: a "document" with all its questions, because questions about the
        same text are alike; or a "question", which says nothing about other texts.
    test, correction, level, n_resamples, rng, threads
        As in `ss.compare`; with documents as clusters, test is "randomisation" or "bootstrap".

    >>> text = "Cats purr. Dogs bark. It rains."
    >>> asked = [{"question": "Who barks?", "evidence": ["Dogs bark."]},
    ...          {"question": "And the weather?", "evidence": ["It rains."]}]
    >>> halves, sentences = [(0, 16), (16, 31)], [(0, 10), (11, 21), (22, 31)]
    >>> compared = compare_evidence({"halves": halves, "sentences": sentences}, asked, text)
    >>> [(name, compared[name, "whole"].value) for name in compared.chunkers]
    [('halves', 0.5), ('sentences', 1.0)]
    """
    check_choice(average, "average", evidence_scores.AVERAGES)
    check_choice(cluster, "cluster", evidence_scores.CLUSTERS)
    check_keywords(compare_evidence, options, EvidenceKeywords.__optional_keys__)
    names, scores = _scorer(chunkers, questions, texts, options)
    kind: Average = "micro" if average == "pooled" else "macro"
    settings = ComparisonSettings(kind, test, correction, level, n_resamples, seed_of(rng))
    settings = settings.checked(len(names))
    if cluster == "document":
        settings.check_drawn("questions in clusters, one for each document")
    given = dict.fromkeys(names) if retrieved is None else retrieved
    if not isinstance(given, Mapping) or set(given) != set(names):
        what = named(given) if isinstance(given, Mapping) else shown(given)
        raise SegmentationError(
            f"retrieved has {what}: expected what was fetched for each of {named(names)}, by the "
            "name of the chunker"
        )
    found = {name: scores(name, given[name], k) for name in names}
    return EvidenceComparison(found, settings, cluster, threads)
