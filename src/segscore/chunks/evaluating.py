"""Evidence in chunks: `evidence` for one chunker, `compare_evidence` for several."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, TypedDict, Unpack, get_args

from segscore.basics.arguments import Seed, check_choice, is_whole, seed_of, shown, whole_number
from segscore.chunks.chunk_inputs import (
    Missing,
    Texts,
    chunked_by_all,
    chunkers_of,
    source_texts,
)
from segscore.chunks.evidence_comparison import EvidenceComparison
from segscore.chunks.evidence_counts import Asked, Convention, Depth
from segscore.chunks.evidence_scores import AVERAGES, CLUSTERS, Cluster, EvidenceScores
from segscore.chunks.questions import (
    Question,
    Retrievals,
    as_questions,
    check_have_texts,
    fetched_chunks,
    place_evidence,
)
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


def _scorer(
    chunks: Any,
    questions: Any,
    texts: Any,
    *,
    convention: Convention = "segscore",
    tokens: Tokens | None = None,
    missing: Missing = "error",
    text_encoding: str | None = None,
    large: bool = False,
) -> tuple[list[str], Callable[[str, Any, Depth], EvidenceScores]]:
    """The names of chunkers, and a function that gives the measures of each; documents without a
    text or chunks are left out if `missing` says so."""
    check_choice(convention, "convention", get_args(Convention))
    check_choice(missing, "missing", get_args(Missing))
    if tokens is not None and not callable(tokens):
        raise SegmentationError(
            f"tokens is {shown(tokens)}: expected a function of a text, or None"
        )
    known = source_texts(texts, large, text_encoding)
    alone = next(iter(known)) if len(known) == 1 else None
    every = as_questions(questions, alone, large=large, encoding=text_encoding)
    if missing == "error":
        check_have_texts(every, known)
    chunkers = chunkers_of(chunks, texts, known, large, missing)
    whole = chunked_by_all(known, chunkers)
    kept = [question for question in every if question.document in whole]
    without_chunks = [each for each in every if each.document in known.keys() - whole.keys()]
    left_out = (
        *_left_out("without a text", [each for each in every if each.document not in known]),
        *_left_out("without chunks", without_chunks),
    )
    if not kept:
        raise SegmentationError(
            f"no question is left: {'; '.join(left_out)}: expected texts and chunks of the "
            "documents that questions are about"
        )
    spans = place_evidence(kept, whole, trim=convention == "segscore")
    asked = Asked(whole, spans, tokens, convention, left_out)

    def scores(name: str, retrieved: Any, k: Depth) -> EvidenceScores:
        chunker, lists = chunkers[name], None
        if retrieved is not None:
            documents = {document: chunker.documents[document] for document in whole}
            with about(f"chunker {name!r}"):
                lists = fetched_chunks(retrieved, every, kept, documents, large=large)
        return EvidenceScores(name, asked, chunker, lists, _checked_depth(k, retrieved))

    return list(chunkers), scores


def _left_out(what: str, questions: Iterable[Question]) -> list[str]:
    names = [question.document for question in questions]
    documents = list(dict.fromkeys(names))
    if not names:
        return []
    return [
        f"left out: {number_of(len(names), 'question')} about "
        f"{number_of(len(documents), 'document')} {what} ({named(documents)})"
    ]


def _checked_depth(k: Any, retrieved: Any) -> Depth:
    """The value of k, if it gives a number of chunks."""
    if k is None or (k == "touched" and retrieved is not None):
        return k  # type: ignore[no-any-return]
    if retrieved is None:
        raise SegmentationError("k is given without retrieved: expected what was fetched, too")
    if not is_whole(k):
        raise SegmentationError(f"k is {shown(k)}: expected a whole number, None, or 'touched'")
    return whole_number(k, "k", 1)


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
    names, scores = _scorer(
        chunks, questions, texts, convention=convention, tokens=tokens, missing=missing,
        text_encoding=text_encoding, large=large,
    )  # fmt: skip
    if len(names) > 1:
        raise SegmentationError(
            f"there are {len(names)} chunkers, {named(names)}: expected one; ss.chunks.compare "
            "takes several"
        )
    return scores(names[0], retrieved, k)


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
    names, scores = _scorer(chunkers, questions, texts, **options)
    settings = ComparisonSettings(
        "micro" if average == "pooled" else "macro", test, correction, level, n_resamples,
        seed_of(rng),
    ).checked(len(names))  # fmt: skip
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
