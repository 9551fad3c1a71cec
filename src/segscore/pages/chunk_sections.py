"""What a page about chunks shows: evidence that is whole or cut, sizes, breaks, cohesion.

The page shows the tables of the results, each number with its interval and its note.
"""

from dataclasses import replace
from typing import Any

from segscore.chunks.describing import ChunkDescription
from segscore.chunks.evaluating import EvidenceComparison
from segscore.chunks.evidence_scores import EvidenceScores
from segscore.errors import SegmentationError
from segscore.pages.report_sections import versions
from segscore.tables import Table
from segscore.tables.view import View

Evidence = EvidenceComparison | EvidenceScores
# a caption, a table, and what a reader clicks to open it
ShownTable = tuple[str, View] | tuple[str, View, str]
_LABELS = {
    "evidence": "Evidence", "curve": "What was fetched", "cut": "Evidence that was cut",
    "questions": "Questions", "chunks": "Chunks", "breaks": "Breaks",
}  # fmt: skip
_MOST_ROWS = 1000  # of a table of questions, cuts or places
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


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


def chunk_sections(
    evidence: Evidence | None, description: ChunkDescription | None, anonymise: bool
) -> dict[str, Any]:
    """What the template of a report needs; an anonymous page has no texts and no names of
    documents."""
    scores: list[EvidenceScores] = []
    if isinstance(evidence, EvidenceComparison):
        scores = list(evidence.scores.values())
    elif evidence is not None:
        scores = [evidence]
    tables: dict[str, list[ShownTable]] = {}
    counts: dict[str, list[tuple[int, str]]] = {}
    signatures: dict[str, str] = {}
    if evidence is not None:
        tables |= _evidence_tables(evidence, scores, anonymise)
        first = scores[0]
        counts["evidence"] = [
            (len(set(first.documents)), "document"), (len(first), "question"),
            (first.n_spans, "span"), (len(scores), "chunker"),
        ]  # fmt: skip
        if isinstance(evidence, EvidenceComparison):
            signatures = dict(evidence.signatures)
        else:
            signatures = {key: measure.signature() for key, measure in first.measures.items()}
    if description is not None:
        tables |= _description_tables(description, anonymise)
        documents = {row.document for chunker in description for row in chunker.rows}
        counts["chunks"] = [
            (len(documents), "document"), (len(description.chunkers), "chunker"),
        ]  # fmt: skip
    chunkers = [each.chunker for each in scores] or [each.name for each in description or ()]
    keys = {key: "overview" if i == 0 else key for i, key in enumerate(tables)}
    return {
        "title": f"Chunks: {', '.join(chunkers[:4])}{' …' if len(chunkers) > 4 else ''}",
        "sections": [(keys[key], _LABELS[key], "chunks.html") for key in tables],
        "counts": {keys[key]: listed for key, listed in counts.items()},
        "tables": {keys[key]: listed for key, listed in tables.items()},
        "hurry": scores,
        "most_rows": _MOST_ROWS,
        "remarks": _remarks,
        "signatures": signatures,
        "versions": versions(),
        "papers": [],
    }


def _evidence_tables(
    found: Evidence, scores: list[EvidenceScores], anonymous: bool
) -> dict[str, list[ShownTable]]:
    def nameless(made: Table) -> View:
        """A table whose notes name documents; on an anonymous page, without the names."""
        notes = [
            note.partition(" (")[0] if anonymous and note in scores[0].left_out else note
            for note in made.footnotes
        ]
        return replace(made, footnotes=notes).view

    main: list[ShownTable] = [("Is the evidence in one chunk?", nameless(found.to_table()))]
    if isinstance(found, EvidenceComparison):
        if found.pairs:
            tested = nameless(found.pairs_table())
            main.append(("Pairs of chunkers", tested, "Each pair of chunkers, tested"))
        both = nameless(found.measures_table())
        main.append(("Both averages", both, "Both averages of each measure"))
    tables = {"evidence": main}
    if all(each.curve for each in scores):
        tables["curve"] = [("At k = 1, 2 …", nameless(found.curve_table()))]
    if not anonymous:
        title = "Question by question"
        tables["cut"] = [("Spans that no chunk has as a whole", found.cut_table().view)]
        tables["questions"] = [(title, found.questions_table().view, title)]
    return tables


def _description_tables(found: ChunkDescription, anonymous: bool) -> dict[str, list[ShownTable]]:
    main = found.to_table()
    cohesion = any(chunker.cohesion is not None for chunker in found)
    tables: dict[str, list[ShownTable]] = {
        "chunks": [
            ("Chunkers", (replace(main, warnings=()) if anonymous else main).view),
            ("Sizes", found.sizes_table().view),
            *([("Cohesion", found.cohesion_table().view)] if cohesion else []),
            ("Headings over chunks", found.context_table().view),
        ]
    }
    if not anonymous:
        title = "The first places of each kind"
        broken = ("What cuts are inside of", found.breaks_table().view)
        tables["breaks"] = [broken, (title, found.places_table().view, title)]
    return tables


def _remarks(view: View) -> list[str]:
    """The notes of a table, and what it leaves out."""
    found = [f"{mark.translate(_RAISED)} {note}".strip() for mark, note in view.notes]
    n_rows = len(view.rows)
    if n_rows > _MOST_ROWS:
        found.append(f"the first {_MOST_ROWS:,} of {n_rows:,} rows; the command line gives all")
    return found if n_rows else ["there is nothing to show", *found]
