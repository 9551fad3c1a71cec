"""The sections of a page about chunks: evidence that is whole or cut, sizes, breaks, cohesion.

The page shows the tables of the results, each number with its interval and its note; names and
texts of documents are escaped like all that comes from data.
"""

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from segscore.chunks.describing import ChunkDescription
from segscore.chunks.evaluating import EvidenceComparison
from segscore.chunks.evidence_scores import EvidenceScores
from segscore.errors import SegmentationError, number_of
from segscore.pages.html_markup import (
    BodyCell,
    HeadCell,
    more,
    name,
    notes,
    number,
    strong,
    table,
    text,
)
from segscore.pages.methods import again, versions
from segscore.tables import Table
from segscore.tables.view import ShownCell

Section = tuple[str, str, str]  # its id, its heading, its HTML
RESULTS = (EvidenceScores, EvidenceComparison, ChunkDescription)
_MOST_ROWS = 1000  # of a table of questions, cuts or places
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_LONG = 30  # characters of a text that needs room, also on a narrow screen
_LONGEST_TEXT = 400  # characters of a cell


@dataclass(frozen=True)
class RetrievalSubject:
    """What a page about chunks shows: evidence, a description, or both.

    anonymous: whether names of documents and all texts are left out.
    """

    evidence: EvidenceComparison | EvidenceScores | None = None
    description: ChunkDescription | None = None
    anonymous: bool = False

    @property
    def chunkers(self) -> list[str]:
        """The names of the chunkers."""
        if isinstance(self.evidence, EvidenceComparison):
            return list(self.evidence.chunkers)
        if self.evidence is not None:
            return [self.evidence.chunker]
        return [chunker.name for chunker in self.description or ()]

    @property
    def title(self) -> str:
        """The default title of the page."""
        shown = self.chunkers
        return f"Chunks: {', '.join(shown[:4])}{' …' if len(shown) > 4 else ''}"


def retrieval_subject(given: Any, anonymous: bool) -> RetrievalSubject | None:
    """The subject of a page about chunks: a result, or one of each kind; None for other results."""
    listed = list(given) if isinstance(given, list | tuple) else [given]
    if not listed or not any(isinstance(result, RESULTS) for result in listed):
        return None
    evidence = [
        result for result in listed if isinstance(result, EvidenceScores | EvidenceComparison)
    ]
    described = [result for result in listed if isinstance(result, ChunkDescription)]
    if len(evidence) > 1 or len(described) > 1 or len(evidence) + len(described) < len(listed):
        raise SegmentationError(
            f"a report of {', '.join(type(result).__name__ for result in listed)}: expected one "
            "result of segscore.chunks.evidence or segscore.chunks.compare, one of "
            "segscore.chunks.describe, or both"
        )
    return RetrievalSubject(next(iter(evidence), None), next(iter(described), None), anonymous)


def retrieval_sections(subject: RetrievalSubject, command: str | None) -> list[Section]:
    """The sections of the page."""
    sections: list[Section] = []
    if subject.evidence is not None:
        sections += _of_evidence(subject.evidence, subject.anonymous)
    if subject.description is not None:
        sections += _of_description(subject.description, subject.anonymous)
    first, *others = sections
    methods = _methods(subject, None if subject.anonymous else command)
    return [("overview", *first[1:]), *others, ("methods", "How this was computed", methods)]


# ---- evidence ----


def _of_evidence(found: EvidenceComparison | EvidenceScores, anonymous: bool) -> Iterator[Section]:
    every = found.each
    first = every[0]
    hidden = frozenset(first.left_out) if anonymous else frozenset()
    facts = {
        "document": len(set(first.documents)), "question": len(first), "span": first.n_spans,
        "chunker": len(every),
    }  # fmt: skip
    parts = [
        _facts(facts),
        *map(_hurry, every),
        html_table(_nameless(found.to_table(), hidden), "Is the evidence in one chunk?"),
    ]
    if isinstance(found, EvidenceComparison):
        if found.pairs:
            tested = html_table(_nameless(found.pairs_table(), hidden), "Pairs of chunkers")
            parts.append(more("Each pair of chunkers, tested", tested))
        both = html_table(_nameless(found.measures_table(), hidden), "Both averages")
        parts.append(more("Both averages of each measure", both))
    yield "evidence", "Evidence", "".join(parts)
    if all(scores.curve for scores in every):
        curve = _nameless(found.curve_table(), hidden)
        yield "curve", "What was fetched", html_table(curve, "At k = 1, 2 …")
    if anonymous:
        return
    yield (
        "cut",
        "Evidence that was cut",
        html_table(found.cut_table(), "Spans that no chunk has as a whole"),
    )
    asked = html_table(found.questions_table(), "Question by question")
    yield "questions", "Questions", more("Question by question", asked)


def _nameless(made: Table, hidden: Container[str]) -> Table:
    """A table with notes that name documents; if documents are hidden, without the names."""
    notes = [
        footnote.partition(" (")[0] if footnote in hidden else footnote
        for footnote in made.footnotes
    ]
    return replace(made, footnotes=notes)


def _hurry(scores: EvidenceScores) -> str:
    whole = scores.parts["whole"]
    spans, kept = int(whole["spans"]), int(whole["whole_spans"])
    return (
        f'<p class="hurry">{strong(scores.chunker)} keeps {kept:,} of {number_of(spans, "span")} '
        f"of evidence in one chunk ({number(float(scores.values['whole'].pooled))}).</p>\n"
    )


# ---- descriptions ----


def _of_description(found: ChunkDescription, anonymous: bool) -> Iterator[Section]:
    documents = {row.document for chunker in found for row in chunker.rows}
    facts = {"document": len(documents), "chunker": len(found.chunkers)}
    main = found.to_table()
    parts = [
        _facts(facts),
        html_table(replace(main, warnings=()) if anonymous else main, "Chunkers"),
        html_table(found.sizes_table(), "Sizes"),
        html_table(found.context_table(), "Headings over chunks"),
    ]
    if any(chunker.cohesion is not None for chunker in found):
        parts.insert(3, html_table(found.cohesion_table(), "Cohesion"))
    yield "chunks", "Chunks", "".join(parts)
    if not anonymous:
        broken = html_table(found.breaks_table(), "What cuts are inside of")
        places = html_table(found.places_table(), "The first places of each kind")
        yield "breaks", "Breaks", broken + more("The first places of each kind", places)


# ---- pieces ----


def _facts(facts: dict[str, int]) -> str:
    items = "".join(
        f"<li><b>{value:,}</b> {what}{'' if value == 1 else 's'}</li>"
        for what, value in facts.items()
    )
    return f'<ul class="facts">{items}</ul>\n'


def html_table(made: Table, caption: str) -> str:
    """A table of a result as HTML: sortable, with its notes below. Long tables are cut, with a
    note."""
    view = made.view
    rows = view.rows
    headings = [
        HeadCell(_shown(heading), numeric)
        for heading, numeric in zip(view.header, view.numeric, strict=True)
    ]
    body = [
        [_body(cell, numeric) for cell, numeric in zip(row, view.numeric, strict=True)]
        for row in rows[:_MOST_ROWS]
    ]
    remarks = [f"{mark.translate(_RAISED)} {note}".strip() for mark, note in view.notes]
    if len(rows) > _MOST_ROWS:
        remarks.append(
            f"the first {_MOST_ROWS:,} of {len(rows):,} rows; the command line gives all"
        )
    if not rows:
        remarks.insert(0, "there is nothing to show")
    return table(caption, headings, body) + notes(remarks) + notes(view.warnings, "warnings")


def _shown(cell: ShownCell) -> str:
    above = ",".join(filter(None, (text(cell.marks), cell.notes)))
    ends = f' <span class="interval">{text(cell.extra.strip())}</span>' if cell.extra else ""
    value = name(cell.text, _LONGEST_TEXT)
    value = f'<span class="value">{value}</span>' if cell.best else value
    return value + (f"<sup>{above}</sup>" if above else "") + ends


def _body(cell: ShownCell, numeric: bool) -> BodyCell:
    value = _number(cell.text) if numeric else cell.text
    look = "excerpt" if len(cell.text) > _LONG and not numeric else ""
    return BodyCell(_shown(cell), value, "best" if cell.best else look)


def _number(shown: str) -> float:
    try:
        return float(shown)
    except ValueError:  # a dash, or nothing
        return float("nan")


def _methods(subject: RetrievalSubject, command: str | None) -> str:
    rows: Sequence[Sequence[BodyCell]] = [
        [BodyCell(name(key)), BodyCell(f"<code>{text(signature)}</code>")]
        for key, signature in _signatures(subject.evidence).items()
    ]
    headings = [HeadCell("measure"), HeadCell("signature")]
    cited = "<p>A signature says how a number was computed. Cite it with the number.</p>"
    found = (
        cited + table("Signatures", headings, rows, "signatures", sortable=False) if rows else ""
    )
    settings = f'<dl class="settings"><dt>versions</dt><dd>{name(versions(), 2000)}</dd></dl>\n'
    return found + settings + again(command)


def _signatures(found: EvidenceComparison | EvidenceScores | None) -> dict[str, str]:
    if found is None:
        return {}
    if isinstance(found, EvidenceComparison):
        return dict(found.signatures)
    return {key: measure.signature() for key, measure in found.measures.items()}
