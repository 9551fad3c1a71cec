"""What a page about chunks shows: evidence that is whole or cut, sizes, breaks, cohesion.

The page shows the tables of the results, each number with its interval and its note.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from segscore.chunks.chunk_description import ChunkDescription
from segscore.chunks.evidence_comparison import EvidenceComparison
from segscore.chunks.evidence_scores import EvidenceScores
from segscore.errors import SegmentationError
from segscore.pages.methods import versions
from segscore.tables import Table
from segscore.tables.view import View

Evidence = EvidenceComparison | EvidenceScores
_MOST_ROWS = 1000  # of a table of questions, cuts or places
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


class ResultTable(NamedTuple):
    """A table of a section: its caption, what is shown, and what a reader clicks to open it."""

    caption: str
    view: View
    summary: str = ""


class ChunkSection(NamedTuple):
    """A section, with the counts at its start and its tables."""

    key: str
    label: str
    tables: list[ResultTable]
    counts: list[tuple[int, str]]


def chunk_results(given: Any) -> tuple[Evidence | None, ChunkDescription | None] | None:
    """What a page about chunks shows: evidence, a description, or both; None for other results."""
    listed = list(given) if isinstance(given, list | tuple) else [given]
    evidence = [result for result in listed if isinstance(result, Evidence)]
    described = [result for result in listed if isinstance(result, ChunkDescription)]
    if not evidence and not described:
        return None
    if len(evidence) > 1 or len(described) > 1 or len(evidence) + len(described) < len(listed):
        raise SegmentationError(
            f"a report of {', '.join(type(result).__name__ for result in listed)}: expected one "
            "result of segscore.chunks.evidence or segscore.chunks.compare, one of "
            "segscore.chunks.describe, or both"
        )
    return next(iter(evidence), None), next(iter(described), None)


def chunk_page(
    evidence: Evidence | None,
    description: ChunkDescription | None,
    anonymise: bool,
    command: str | None,
) -> dict[str, Any]:
    """What the template of a report needs; an anonymous page has no texts and no names of
    documents."""
    scores = _each(evidence)
    sections: list[ChunkSection] = []
    if evidence is not None:
        sections += _of_evidence(evidence, anonymise)
    if description is not None:
        sections += _of_description(description, anonymise)
    first, *others = sections
    sections = [first._replace(key="overview"), *others]
    chunkers = [each.chunker for each in scores] or [each.name for each in description or ()]
    signatures: dict[str, str] = {}
    if isinstance(evidence, EvidenceComparison):
        signatures = dict(evidence.signatures)
    elif evidence is not None:
        signatures = {key: measure.signature() for key, measure in evidence.measures.items()}
    return {
        "title": f"Chunks: {', '.join(chunkers[:4])}{' …' if len(chunkers) > 4 else ''}",
        "sections": [
            *((each.key, each.label, "chunks.html") for each in sections),
            ("methods", "How this was computed", "methods.html"),
        ],
        "counts": {each.key: each.counts for each in sections},
        "tables": {each.key: each.tables for each in sections},
        "hurry": scores,
        "most_rows": _MOST_ROWS,
        "remarks": _remarks,
        "signatures": signatures,
        "settings": {"versions": versions()},
        "command": None if anonymise else command,
        "n_t": None,
        "papers": [],
    }


def _each(found: Evidence | None) -> list[EvidenceScores]:
    """The scores of each chunker."""
    if isinstance(found, EvidenceComparison):
        return list(found.scores.values())
    return [] if found is None else [found]


def _of_evidence(found: Evidence, anonymous: bool) -> Iterator[ChunkSection]:
    every = _each(found)
    first = every[0]

    def shown(caption: str, made: Table, summary: str = "") -> ResultTable:
        """A table whose notes name documents; on an anonymous page, without the names."""
        notes = [
            note.partition(" (")[0] if anonymous and note in first.left_out else note
            for note in made.footnotes
        ]
        return ResultTable(caption, replace(made, footnotes=notes).view, summary)

    tables = [shown("Is the evidence in one chunk?", found.to_table())]
    if isinstance(found, EvidenceComparison):
        if found.pairs:
            tested = found.pairs_table()
            tables.append(shown("Pairs of chunkers", tested, "Each pair of chunkers, tested"))
        both = found.measures_table()
        tables.append(shown("Both averages", both, "Both averages of each measure"))
    n_documents, n_spans = len(set(first.documents)), len(first.spans)
    counts = [(n_documents, "document"), (len(first), "question"), (n_spans, "span")]
    yield ChunkSection("evidence", "Evidence", tables, [*counts, (len(every), "chunker")])
    if all(scores.curve for scores in every):
        curve = shown("At k = 1, 2 …", found.curve_table())
        yield ChunkSection("curve", "What was fetched", [curve], [])
    if not anonymous:
        cut = shown("Spans that no chunk has as a whole", found.cut_table())
        yield ChunkSection("cut", "Evidence that was cut", [cut], [])
        asked = shown("Question by question", found.questions_table(), "Question by question")
        yield ChunkSection("questions", "Questions", [asked], [])


def _of_description(found: ChunkDescription, anonymous: bool) -> Iterator[ChunkSection]:
    main = found.to_table()
    documents = {row.document for chunker in found for row in chunker.rows}
    tables = {
        "Chunkers": replace(main, warnings=()) if anonymous else main,
        "Sizes": found.sizes_table(),
    }
    if any(chunker.cohesion is not None for chunker in found):
        tables["Cohesion"] = found.cohesion_table()
    tables["Headings over chunks"] = found.context_table()
    counts = [(len(documents), "document"), (len(found.chunkers), "chunker")]
    shown = [ResultTable(caption, made.view) for caption, made in tables.items()]
    yield ChunkSection("chunks", "Chunks", shown, counts)
    if not anonymous:
        places, first = found.places_table().view, "The first places of each kind"
        broken = ResultTable("What cuts are inside of", found.breaks_table().view)
        yield ChunkSection("breaks", "Breaks", [broken, ResultTable(first, places, first)], [])


def _remarks(view: View) -> list[str]:
    """The notes of a table, and what it leaves out."""
    found = [f"{mark.translate(_RAISED)} {note}".strip() for mark, note in view.notes]
    n_rows = len(view.rows)
    if n_rows > _MOST_ROWS:
        found.append(f"the first {_MOST_ROWS:,} of {n_rows:,} rows; the command line gives all")
    return found if n_rows else ["there is nothing to show", *found]
