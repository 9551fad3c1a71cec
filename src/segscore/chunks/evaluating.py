"""Evidence in chunks: `evidence` for one chunker, `compare_evidence` for several."""

from collections.abc import Iterable, Mapping
from typing import Any, Literal, Unpack

from segscore.basics.arguments import Seed, check_choice, seed_of, shown
from segscore.chunks.asked_evidence import AskedEvidence, AskedHow, EvidenceKeywords
from segscore.chunks.chunk_offsets import Missing
from segscore.chunks.evidence_comparison import EvidenceComparison
from segscore.chunks.evidence_measures import Convention, Depth
from segscore.chunks.evidence_scores import AVERAGES, CLUSTERS, Cluster, EvidenceScores
from segscore.chunks.retrievals import Retrievals
from segscore.chunks.source_texts import Texts
from segscore.chunks.token_functions import Tokens
from segscore.comparison.advice import Test
from segscore.comparison.comparison_entries import ComparisonSettings, Correction
from segscore.errors import SegmentationError, check_keywords, named
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
