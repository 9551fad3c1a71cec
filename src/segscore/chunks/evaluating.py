"""Evidence in chunks: `evidence` for one chunker, `compare_evidence` for several, side by side.

A case is a question. Documents with all their questions are drawn and swapped, because questions
about the same text are alike; or single questions. Estimates, intervals and tests are those of
`ss.compare`.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal, TypedDict, Unpack, get_args

import numpy as np

from segscore.basics.arguments import Seed, check_choice, seed_of, shown, whole_number
from segscore.chunks import chunk_inputs, evidence_scores
from segscore.chunks.evidence_counts import Asked, Convention, Depth
from segscore.chunks.questions import Retrievals, as_questions, fetched_chunks, place_evidence
from segscore.comparison import Comparison
from segscore.comparison.estimates import ComparisonSettings, Correction, Test, standings
from segscore.comparison.measuring import Measured
from segscore.errors import SegmentationError, about, check_keywords, named, nearest, number_of
from segscore.metrics import Average
from segscore.significance.resampling import FEW_DOCUMENTS, N_RESAMPLES, value_of


class EvidenceKeywords(TypedDict, total=False):
    """The keywords of `ss.chunks.evidence`."""

    convention: Convention
    tokens: chunk_inputs.Tokens | None
    missing: chunk_inputs.Missing
    text_encoding: str | None
    large: bool


def _scorer(
    chunks: Any,
    questions: Any,
    texts: Any,
    convention: Convention = "segscore",
    tokens: chunk_inputs.Tokens | None = None,
    missing: chunk_inputs.Missing = "error",
    text_encoding: str | None = None,
    large: bool = False,
) -> tuple[list[str], Callable[[str, Any, Depth], evidence_scores.EvidenceScores]]:
    """The names of chunkers, and a function that gives the measures of each; documents without a
    text or chunks are left out if `missing` says so."""
    check_choice(convention, "convention", get_args(Convention))
    known, chunkers, whole = chunk_inputs.chunks_in_texts(
        chunks, texts, tokens=tokens, missing=missing, text_encoding=text_encoding, large=large
    )
    alone = next(iter(known)) if len(known) == 1 else None
    every = as_questions(questions, alone, large=large, encoding=text_encoding)
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
            documents = {document: chunker[0][document] for document in whole}
            with about(f"chunker {name!r}"):
                lists = fetched_chunks(retrieved, every, kept, documents, large=large)
        elif k is not None:
            raise SegmentationError("k is given without retrieved: expected what was fetched, too")
        depth = k if k is None or k == "touched" else whole_number(k, "k", 1)
        return evidence_scores.EvidenceScores(name, asked, chunker, lists, depth)

    return list(chunkers), scores


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
    how = convention, tokens, missing, text_encoding, large
    names, scores = _scorer(chunks, questions, texts, *how)
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
) -> Comparison:
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
    >>> [(name, compared[name, "whole"].value) for name in compared.rows]
    [('halves', 0.5), ('sentences', 1.0)]
    """
    check_choice(average, "average", evidence_scores.AVERAGES)
    check_choice(cluster, "cluster", evidence_scores.CLUSTERS)
    check_keywords(compare_evidence, options, EvidenceKeywords.__optional_keys__)
    names, scores = _scorer(chunkers, questions, texts, **options)
    kind: Average = "micro" if average == "pooled" else "macro"
    settings = ComparisonSettings(kind, test, correction, level, n_resamples, seed_of(rng))
    lots = "questions in clusters, one for each document"
    settings.check(len(names), lots if cluster == "document" else "")
    given = dict.fromkeys(names) if retrieved is None else retrieved
    if not isinstance(given, Mapping) or set(given) != set(names):
        what = named(given) if isinstance(given, Mapping) else shown(given)
        raise SegmentationError(
            f"retrieved has {what}: expected what was fetched for each of {named(names)}, by the "
            "name of the chunker"
        )
    results = {name: scores(name, given[name], k) for name in names}
    for each in results.values():
        each.drawn |= {"cluster": cluster, "level": level, "n_resamples": n_resamples}
        each.drawn["rng"] = settings.seed
    return _compared(results, settings, cluster, threads)


_TERMS = {
    "system": "chunker",
    "metric": "measure",
    "document": "question",
    "n_documents": "questions",
    "micro": "pooled",
    "macro": "mean",
}


def _compared(
    results: dict[str, evidence_scores.EvidenceScores],
    settings: ComparisonSettings,
    cluster: evidence_scores.Cluster,
    threads: int | None,
) -> Comparison:
    """The comparison of chunkers: each is a system, each question a document."""
    first, measured = next(iter(results.values())), list[Measured]()
    lots, average = first.lots(cluster), _TERMS[settings.average]
    for name, measure in first.measures.items():
        rows = np.stack([each.rows[name] for each in results.values()], axis=1)
        measured.append((measure, lots.sums(rows), value_of(measure.values, rows), None))
    everywhere = np.ones((len(first), len(results)), np.bool_)
    found = standings(measured, everywhere, dict.fromkeys(results, 1), settings, lots, threads)
    said = [f"{each.chunker}: {remark}" for each in results.values() for remark in each.remarks]
    if cluster == "document" and len(lots) < FEW_DOCUMENTS:
        hint = (
            "Questions about one text are alike, so that documents are drawn. With "
            'cluster="question" intervals and tests hold for new questions about these texts, and '
            "say nothing about other texts."
        )
        said.insert(0, hint)
    beside = {
        (chunker, name): {
            "average": average,
            "pooled": float(averages.pooled),
            "mean": float(averages.mean),
            "undefined": scores.n_undefined[name],
            "higher_is_better": first.measures[name].higher_is_better,
        }
        for chunker, scores in results.items()
        for name, averages in scores.values.items()
    }
    questions = number_of(len(first), "question")
    documents = number_of(len(set(first.documents)), "document")
    return Comparison(
        dict(zip(first.measures, found, strict=True)),
        dict.fromkeys(results, ("system", 1)),
        settings,
        [question.id for question in first.questions],
        drawn=f"{len(lots)} {lots.words}" if lots.in_buckets else lots.words,
        said=said,
        notes=list(dict.fromkeys(note for each in results.values() for note in each.notes)),
        scores=results,
        beside=beside,
        terms={**_TERMS, "more": f"{cluster}s"},
        counted=f"{questions} about {documents}, {average} average",
        threads=threads,
    )
