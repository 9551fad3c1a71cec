"""Evidence against chunks: `evidence` for one chunker, `compare_evidence` for several."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from segscore.basics.arguments import check_choice, is_whole, shown, whole_number
from segscore.comparison.advice import Test
from segscore.comparison.comparison_entries import ComparisonSettings, Correction
from segscore.errors import SegmentationError, about, named
from segscore.retrieval.chunk_offsets import ChunkOffsets, DocumentOffsets
from segscore.retrieval.chunkers import chunkers_of
from segscore.retrieval.evidence_comparison import EvidenceComparison
from segscore.retrieval.evidence_measures import Convention, Depth
from segscore.retrieval.evidence_scores import AVERAGES, CLUSTERS, Cluster, EvidenceScores
from segscore.retrieval.evidence_spans import EvidenceSpans, place_evidence
from segscore.retrieval.evidence_statistics import EvidenceCounts, FetchedCounts
from segscore.retrieval.questions import as_questions
from segscore.retrieval.retrievals import Retrievals, fetched_chunks
from segscore.retrieval.source_texts import Texts, source_texts
from segscore.retrieval.text_line import TextLine
from segscore.retrieval.token_functions import Tokens
from segscore.significance.resampling import N_RESAMPLES


def evidence(
    chunks: Any,
    questions: Any,
    texts: Texts,
    retrieved: Retrievals | None = None,
    k: Depth = None,
    *,
    convention: Convention = "segscore",
    tokens: Tokens | None = None,
    large: bool = False,
) -> EvidenceScores:
    """Measure whether the evidence of answers is in one chunk, and what it costs to fetch it.

    Everything counts characters of the texts; chunks may overlap, leave gaps and cut words.

    Parameters
    ----------
    chunks
        The chunks of one chunker, in any form: texts, pairs (start, end), objects of LangChain,
        LlamaIndex or Chonkie, by document where there are several; or a file of them.
    questions
        Questions with their evidence: a file (JSON Lines, CSV, TSV, Parquet), a frame, or a list of
        mappings with `question`, `document` and `evidence`, a list of spans
        `{"start": …, "end": …}`, or of texts.
    texts
        A text, a mapping from documents to texts, or the Path of a file or a folder.
    retrieved
        What a system fetched for each question, best first: a list of lists, a mapping from
        questions, a function of the question, or a file. Chunks are called by id, by position, or
        by a pair of document and position.
    k
        How many fetched chunks count: None takes all, "touched" as many as hold evidence of the
        question.
    convention
        "program" counts as the published program does (Smith & Troynikov 2024): chunks that only
        meet an end of a span are touched, too, and evidence in no chunk counts as fetched.
    tokens
        A function that gives where the tokens of a text stand, as pairs (start, end), or the
        tokens in order; sizes then count tokens. None: characters.
    large
        Lift the limits on memory and growth of files that one trusts.

    >>> text = "Cats purr. Dogs bark. It rains."
    >>> asked = [{"question": "Who barks?", "document": "text", "evidence": ["Dogs bark."]},
    ...          {"question": "And the weather?", "document": "text", "evidence": ["It rains."]}]
    >>> scores = evidence([(0, 16), (16, 31)], asked, text)
    >>> scores.values["whole"].pooled, scores.parts["whole"]
    (0.5, {'whole_spans': 1.0, 'spans': 2.0})
    >>> [(one.text, one.cuts) for one in scores.cut]
    [('Dogs bark.', (16,))]
    """
    found = AskedEvidence.of(questions, texts, convention, tokens, large)
    chunkers = chunkers_of(chunks, texts, found.line.texts, large=large)
    if len(chunkers) > 1:
        raise SegmentationError(
            f"there are {len(chunkers)} chunkers, {named(chunkers)}: expected one; "
            "ss.compare_evidence takes several"
        )
    (one,) = chunkers.values()
    return found.scores(one, retrieved, k)


def compare_evidence(
    chunkers: Any,
    questions: Any,
    texts: Texts,
    retrieved: Mapping[str, Retrievals] | None = None,
    k: Depth = None,
    *,
    convention: Convention = "segscore",
    tokens: Tokens | None = None,
    average: Literal["pooled", "mean"] = "pooled",
    cluster: Cluster = "document",
    test: Test = "randomisation",
    correction: Correction = "holm",
    level: float = 0.95,
    n_resamples: int = N_RESAMPLES,
    seed: int = 0,
    threads: int | None = None,
    large: bool = False,
) -> EvidenceComparison:
    """Compare chunkers on the same questions, with intervals and paired tests.

    Parameters
    ----------
    chunkers
        A mapping from names to chunks, each as `ss.evidence` takes them; or files of chunks.
    questions, texts, k, convention, tokens, large
        As in `ss.evidence`.
    retrieved
        A mapping from names of chunkers to what was fetched of their chunks.
    average
        What intervals and tests are about: "pooled", over spans or characters, or the "mean" over
        questions. Both are always computed.
    cluster
        What is drawn and swapped: a "document" with all its questions, for questions about one
        text are alike; or a "question", which says nothing about other texts.
    test, correction, level, n_resamples, seed, threads
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
    found = AskedEvidence.of(questions, texts, convention, tokens, large)
    given = chunkers_of(chunkers, texts, found.line.texts, large=large)
    settings = ComparisonSettings(
        "micro" if average == "pooled" else "macro", test, correction, level, n_resamples,
        whole_number(seed, "seed", 0),
    ).checked(len(given))  # fmt: skip
    if cluster == "document":
        settings.check_drawn("questions in clusters, one for each document")
    fetched = _by_chunker(retrieved, given)
    scores = {name: found.scores(one, fetched[name], k) for name, one in given.items()}
    return EvidenceComparison(scores, settings, cluster, threads)


def _by_chunker(retrieved: Any, chunkers: Mapping[str, ChunkOffsets]) -> dict[str, Any]:
    """What was fetched of the chunks of each chunker: of all of them, or of none."""
    if retrieved is None:
        return dict.fromkeys(chunkers)
    if not isinstance(retrieved, Mapping) or set(retrieved) != set(chunkers):
        names = named(retrieved) if isinstance(retrieved, Mapping) else shown(retrieved)
        raise SegmentationError(
            f"retrieved has {names}: expected what was fetched for each of {named(chunkers)}, by "
            "the name of the chunker"
        )
    return dict(retrieved)


@dataclass(frozen=True, eq=False)
class AskedEvidence:
    """Questions with their evidence, ready for any chunker."""

    spans: EvidenceSpans
    line: TextLine
    convention: Convention
    large: bool = False

    @classmethod
    def of(
        cls,
        questions: Any,
        texts: Any,
        convention: Convention,
        tokens: Tokens | None,
        large: bool = False,
    ) -> "AskedEvidence":
        check_choice(convention, "convention", get_args(Convention))
        if tokens is not None and not callable(tokens):
            raise SegmentationError(
                f"tokens is {shown(tokens)}: expected a function of a text, or None"
            )
        known = source_texts(texts, large=large)
        alone = next(iter(known)) if len(known) == 1 else None
        spans = place_evidence(as_questions(questions, alone, large=large), known)
        return cls(spans, TextLine(known, tokens), convention, large)

    def scores(self, chunks: ChunkOffsets, retrieved: Any, k: Depth) -> EvidenceScores:
        """The measures of one chunker."""
        starts, ends = self.line.spans(self.spans)
        counts = EvidenceCounts(
            self.line.chunks(chunks), self.spans.question_of, starts, ends,
            len(self.spans.questions), self.convention,
        )  # fmt: skip
        fetched = None
        if retrieved is not None:
            with about(f"chunker {chunks.name!r}"):
                found = fetched_chunks(
                    retrieved, self.spans.questions, _finder(chunks), large=self.large
                )
            fetched = FetchedCounts(counts, found, _checked_depth(k))
        elif k is not None:
            raise SegmentationError("k is given without retrieved: expected what was fetched, too")
        return EvidenceScores(chunks.name, self.spans, self.line, counts, fetched, chunks.remarks)


def _checked_depth(k: Any) -> Depth:
    """k, if it says how many chunks count."""
    if k is None:
        return None
    if isinstance(k, str) and k == "touched":
        return "touched"
    if not is_whole(k):
        raise SegmentationError(f"k is {shown(k)}: expected a whole number, None, or 'touched'")
    return whole_number(k, "k", 1)


def _finder(chunks: ChunkOffsets) -> Callable[[Any], int | None]:
    """The number of the chunk, over all documents, that is called so."""
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
    """A pair of document and position; (None, 0) if it is none."""
    pair = called if isinstance(called, Sequence) and len(called) == 2 else (None, 0)
    fits = isinstance(pair[0], str) and is_whole(pair[1])
    return (pair[0], int(pair[1])) if fits else (None, 0)


def _n_chunks(own: DocumentOffsets) -> int:
    return len(own.starts)
