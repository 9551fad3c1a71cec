"""Questions with their evidence, ready for any chunker; and questions left out because a text or
chunks are missing."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict, get_args

import numpy as np

from segscore.basics.arguments import check_choice, is_whole, shown, whole_number
from segscore.chunks.chunk_offsets import ChunkOffsets, DocumentOffsets, Missing
from segscore.chunks.chunkers import chunked_by_all, chunkers_of
from segscore.chunks.evidence_measures import Convention, Depth
from segscore.chunks.evidence_scores import EvidenceScores
from segscore.chunks.evidence_spans import EvidenceSpans, check_have_texts, place_evidence
from segscore.chunks.evidence_statistics import EvidenceCounts, FetchedCounts
from segscore.chunks.questions import Question, as_questions
from segscore.chunks.retrievals import fetched_chunks
from segscore.chunks.source_texts import SourceTexts, source_texts
from segscore.chunks.text_line import TextLine
from segscore.chunks.token_functions import Tokens
from segscore.errors import SegmentationError, about, named, number_of


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
