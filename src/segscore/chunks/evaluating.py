"""Evidence in chunks: `evidence` for one chunker, `compare_evidence` for several."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypedDict, Unpack, get_args

import numpy as np

from segscore.basics.arguments import Seed, check_choice, is_whole, seed_of, shown, whole_number
from segscore.chunks.chunk_offsets import ChunkOffsets, DocumentOffsets, Missing
from segscore.chunks.chunkers import chunked_by_all, chunkers_of
from segscore.chunks.evidence_comparison import EvidenceComparison
from segscore.chunks.evidence_measures import Convention, Depth
from segscore.chunks.evidence_scores import AVERAGES, CLUSTERS, Cluster, EvidenceScores
from segscore.chunks.evidence_spans import EvidenceSpans, check_have_texts, place_evidence
from segscore.chunks.evidence_statistics import EvidenceCounts, FetchedCounts
from segscore.chunks.questions import Question, as_questions
from segscore.chunks.retrievals import Retrievals, fetched_chunks
from segscore.chunks.source_texts import SourceTexts, Texts, source_texts
from segscore.chunks.text_line import TextLine
from segscore.chunks.token_functions import Tokens
from segscore.comparison.advice import Test
from segscore.comparison.comparison_entries import ComparisonSettings, Correction
from segscore.errors import SegmentationError, about, check_keywords, named, number_of
from segscore.significance.resampling import N_RESAMPLES


class EvidenceKeywords(TypedDict, total=False):
    """The keywords of `ss.chunks.evidence`."""

    convention: Convention
    tokens: Tokens | None
    missing: Missing
    text_encoding: str | None
    large: bool


@dataclass(frozen=True)
class AskedHow:
    """How questions are read and counted; the settings of `ss.chunks.evidence`."""

    convention: Convention = "segscore"
    tokens: Tokens | None = None
    missing: Missing = "error"
    text_encoding: str | None = None
    large: bool = False

    def __post_init__(self) -> None:
        check_choice(self.convention, "convention", get_args(Convention))
        check_choice(self.missing, "missing", get_args(Missing))
        if self.tokens is not None and not callable(self.tokens):
            raise SegmentationError(
                f"tokens is {shown(self.tokens)}: expected a function of a text, or None"
            )


@dataclass(frozen=True, eq=False)
class AskedEvidence:
    """Questions with their evidence, and the chunkers to evaluate.

    asked: all given questions. left_out: what was left out, a sentence each.
    """

    spans: EvidenceSpans
    line: TextLine
    chunkers: Mapping[str, ChunkOffsets]
    asked: Sequence[Question]
    left_out: tuple[str, ...]
    how: AskedHow

    @classmethod
    def of(cls, chunks: Any, questions: Any, texts: Any, options: AskedHow) -> "AskedEvidence":
        """Check the input; documents without a text or chunks are left out if `options` say so."""
        known = source_texts(texts, options.large, options.text_encoding)
        alone = next(iter(known)) if len(known) == 1 else None
        asked = as_questions(questions, alone, large=options.large, encoding=options.text_encoding)
        if options.missing == "error":
            check_have_texts(asked, known)
        chunkers = chunkers_of(chunks, texts, known, options.large, options.missing)
        whole = known.only(chunked_by_all(known, chunkers))
        kept, left_out = _with_both(asked, known, whole)
        spans = place_evidence(kept, whole, trim=options.convention == "segscore")
        chunkers = {name: chunker.only(whole) for name, chunker in chunkers.items()}
        return cls(spans, TextLine(whole, options.tokens), chunkers, asked, left_out, options)

    def scores(self, name: str, retrieved: Any, k: Depth) -> EvidenceScores:
        """The measures of a chunker."""
        chunks = self.chunkers[name]
        starts, ends = self.line.spans(self.spans)
        counts = EvidenceCounts(
            self.line.chunks(chunks), self.spans.question_of, starts, ends,
            len(self.spans.questions), self.line.visible, self.how.convention,
        )  # fmt: skip
        fetched = None
        if retrieved is not None:
            with about(f"chunker {name!r}"):
                found = fetched_chunks(
                    retrieved, self.asked, _finder(chunks), large=self.how.large,
                    kept={question.id for question in self.spans.questions},
                )  # fmt: skip
            fetched = FetchedCounts(counts, found, _checked_depth(k))
        elif k is not None:
            raise SegmentationError("k is given without retrieved: expected what was fetched, too")
        return EvidenceScores(
            name, self.spans, self.line, counts, fetched, chunks.remarks, self.left_out
        )


def _with_both(
    asked: Sequence[Question], texts: SourceTexts, chunked: SourceTexts
) -> tuple[list[Question], tuple[str, ...]]:
    """The questions about documents that have a text and chunks of each chunker, and a note on the
    others."""
    without_text = [question for question in asked if question.document not in texts]
    without_chunks = [
        question
        for question in asked
        if question.document in texts and question.document not in chunked
    ]
    kept = [question for question in asked if question.document in chunked]
    left = [
        _left(what, questions)
        for what, questions in (
            ("without a text", without_text),
            ("without chunks", without_chunks),
        )
        if questions
    ]
    if not kept:
        raise SegmentationError(
            f"no question is left: {'; '.join(left)}: expected texts and chunks of the documents "
            "that questions are about"
        )
    return kept, tuple(left)


def _left(what: str, questions: Iterable[Question]) -> str:
    names = [question.document for question in questions]
    documents = list(dict.fromkeys(names))
    return (
        f"left out: {number_of(len(names), 'question')} about "
        f"{number_of(len(documents), 'document')} {what} "
        f"({named(documents)})"
    )


def _checked_depth(k: Any) -> Depth:
    """The value of k, if it gives a number of chunks."""
    if k is None:
        return None
    if isinstance(k, str) and k == "touched":
        return "touched"
    if not is_whole(k):
        raise SegmentationError(f"k is {shown(k)}: expected a whole number, None, or 'touched'")
    return whole_number(k, "k", 1)


def _finder(chunks: ChunkOffsets) -> Callable[[Any], int | None]:
    """A function that finds the number of the chunk with a given name, over all documents."""
    bases = dict(zip(chunks, np.cumsum([0, *map(_n_chunks, chunks.values())]), strict=False))
    by_id: dict[str, int | None] = {}
    for document, own in chunks.items():
        for number, name in enumerate(own.ids or ()):
            # an id that two documents have tells nothing
            by_id[name] = None if name in by_id else int(bases[document]) + number
    alone = next(iter(chunks)) if len(chunks) == 1 else None

    def find(called: Any) -> int | None:
        if isinstance(called, str):
            return by_id.get(called)
        document, place = (alone, called) if is_whole(called) else _document_and_place(called)
        if (
            document is None
            or document not in chunks
            or not 0 <= place < _n_chunks(chunks[document])
        ):
            return None
        return int(bases[document]) + int(place)

    return find


def _document_and_place(called: Any) -> tuple[str | None, int]:
    """The document and position in a pair; (None, 0) if it is not a pair."""
    pair = called if isinstance(called, Sequence) and len(called) == 2 else (None, 0)
    fits = isinstance(pair[0], str) and is_whole(pair[1])
    return (pair[0], int(pair[1])) if fits else (None, 0)


def _n_chunks(own: DocumentOffsets) -> int:
    return len(own.starts)


def evidence(
    chunks: Any,
    questions: Any,
    texts: Texts,
    retrieved: Retrievals | None = None,
    k: Depth = None,
    *,
    convention: Convention = "segscore",
    tokens: Tokens | None = None,
    missing: Missing = "error",
    text_encoding: str | None = None,
    large: bool = False,
) -> EvidenceScores:
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
    options = AskedHow(convention, tokens, missing, text_encoding, large)
    found = AskedEvidence.of(chunks, questions, texts, options)
    if len(found.chunkers) > 1:
        raise SegmentationError(
            f"there are {len(found.chunkers)} chunkers, {named(found.chunkers)}: expected one; "
            "ss.chunks.compare takes several"
        )
    (name,) = found.chunkers
    return found.scores(name, retrieved, k)


def compare_evidence(
    chunkers: Any,
    questions: Any,
    texts: Texts,
    retrieved: Mapping[str, Retrievals] | None = None,
    k: Depth = None,
    *,
    average: Literal["pooled", "mean"] = "pooled",
    cluster: Cluster = "document",
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
    check_choice(average, "average", AVERAGES)
    check_choice(cluster, "cluster", CLUSTERS)
    check_keywords(compare_evidence, options, EvidenceKeywords.__optional_keys__)
    found = AskedEvidence.of(chunkers, questions, texts, AskedHow(**options))
    settings = ComparisonSettings(
        "micro" if average == "pooled" else "macro", test, correction, level, n_resamples,
        seed_of(rng),
    ).checked(len(found.chunkers))  # fmt: skip
    if cluster == "document":
        settings.check_drawn("questions in clusters, one for each document")
    fetched = _by_chunker(retrieved, found.chunkers)
    scores = {name: found.scores(name, fetched[name], k) for name in found.chunkers}
    return EvidenceComparison(scores, settings, cluster, threads)


def _by_chunker(retrieved: Any, chunkers: Iterable[str]) -> dict[str, Any]:
    """What was fetched from the chunks of each chunker: for all of them, or for none."""
    if retrieved is None:
        return dict.fromkeys(chunkers)
    if not isinstance(retrieved, Mapping) or set(retrieved) != set(chunkers):
        names = named(retrieved) if isinstance(retrieved, Mapping) else shown(retrieved)
        raise SegmentationError(
            f"retrieved has {names}: expected what was fetched for each of {named(chunkers)}, by "
            "the name of the chunker"
        )
    return dict(retrieved)
