"""`report` writes the file: one HTML page with its script, style sheet and data inside."""

import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from string import Template
from typing import Any, NamedTuple

from segscore.basics.arguments import shown
from segscore.coding.segment_labels import label_sets
from segscore.coding.segmentation import Segmentation
from segscore.comparison import Comparison
from segscore.corpus.record import in_order
from segscore.errors import SegmentationError
from segscore.metrics.edit_distance import boundary_edits
from segscore.metrics.full_names import metric_words
from segscore.metrics.window import Pk, WindowDiff
from segscore.metrics.window_runs import windows
from segscore.pages.chunk_sections import retrieval_sections, retrieval_subject
from segscore.pages.feedback_page import feedback_places
from segscore.pages.html_markup import name, plain
from segscore.pages.methods import methods
from segscore.pages.overview import overview
from segscore.pages.page_frame import asset, data_json, framed_page, write_page
from segscore.pages.people import people
from segscore.pages.pictures import pictures
from segscore.pages.subject import (
    OF_CONSENSUS,
    ShownCoding,
    ShownDocument,
    Subject,
    anonymous,
    chosen,
    subject_of,
)

NEAR = 2  # a near miss is at most one unit off, unless a metric says more


def documents_data(subject: Subject) -> list[dict[str, Any]]:
    """All documents, in order."""
    n_t = nearness(subject)
    values = _values(subject)
    return [
        _document(document, n_t) | {key: column[document.name] for key, column in values.items()}
        for document in subject.documents
    ]


def nearness(subject: Subject) -> int:
    """What counts as near, by the first metric that has a rule for it."""
    if subject.feedback is not None:
        return subject.feedback.n_t
    comparison, agreement = subject.comparison, subject.agreement
    metrics = [comparison.metric(metric) for metric in comparison.metrics] if comparison else []
    metrics += [agreement.metric] if agreement else []
    found = (getattr(metric, "n_t", None) for metric in metrics)
    return next((int(n_t) for n_t in found if n_t is not None), NEAR)


def _document(document: ShownDocument, n_t: int) -> dict[str, Any]:
    data: dict[str, Any] = {
        "name": document.name,
        "units": document.n_units,
        "codings": [_coding(coding) for coding in document.codings],
    }
    if document.units is not None:
        data["text"] = list(document.units)
    if document.group is not None:
        data["group"] = document.group
    if document.reference is not None:
        data["reference"] = document.reference
    near = _all_edits(document.codings, n_t)
    return data | ({"edits": near} if near else {})


def _coding(given: ShownCoding) -> dict[str, Any]:
    coding = given.segmentation
    data: dict[str, Any] = {
        "coder": given.coder,
        "kind": given.kind,
        "masses": coding.masses.tolist(),
    }
    if coding.types is not None:
        data["types"] = [in_order(kinds) for kinds in coding.types]
    if coding.ranks is not None:
        data["ranks"] = coding.ranks.tolist()
    if coding.segment_labels is not None:
        data["labels"] = [in_order(labels) for labels in label_sets(coding.segment_labels)]
    return data


def _all_edits(codings: Sequence[ShownCoding], n_t: int) -> list[list[Any]]:
    """The near misses, and boundaries of other types, between each reference and the others.

    [i, j, [[p, q, type] …], [[p, type of i, type of j] …]]: rows i < j, p in i, q in j.
    """
    found = []
    for i, coding in enumerate(codings):
        for j in range(i + 1, len(codings)):
            if coding.kind == "system" and codings[j].kind == "system":
                continue
            if {coding.kind, codings[j].kind} == {OF_CONSENSUS}:
                continue
            near, swapped = _edits(coding.segmentation, codings[j].segmentation, n_t)
            if near or swapped:
                found.append([i, j, near, swapped])
    return found


def _edits(a: Segmentation, b: Segmentation, n_t: int) -> tuple[list[Any], list[Any]]:
    if a.types is None or b.types is None:  # a consensus has no types: only positions count then
        if not _may_be_near(a, b, n_t):
            return [], []
        a, b = (Segmentation.from_boundaries(side.boundaries, side.n_units) for side in (a, b))
    edits = boundary_edits(a, b, n_t, substitution="unit")
    near = [
        [
            transposition.a,
            transposition.b,
            *([] if transposition.type is None else [transposition.type]),
        ]
        for transposition in edits.transpositions
    ]
    return near, [list(substitution) for substitution in edits.substitutions]


def _may_be_near(a: Segmentation, b: Segmentation, n_t: int) -> bool:
    """Whether a boundary that only one side has is near a boundary that only the other has. That is
    rare, and this check is cheaper than finding the edits."""
    left, right = set(a.boundaries.tolist()), set(b.boundaries.tolist())
    alone, others = left - right, right - left
    if not alone or not others:
        return False
    if n_t > len(others):
        return any(abs(p - q) < n_t for p in alone for q in others)
    return any(p + d in others or p - d in others for p in alone for d in range(1, n_t))


def _values(subject: Subject) -> Mapping[str, Mapping[str, Any]]:
    """The values of each system under each metric, or the agreement, by document."""
    found: dict[str, dict[str, Any]] = {}
    comparison, agreement = subject.comparison, subject.agreement
    if comparison is not None:
        tables = [comparison.values(metric) for metric in comparison.metrics]
        found["values"] = {
            name: [[plain(table[system][i]) for system in comparison.systems] for table in tables]
            for i, name in enumerate(comparison.documents)
        }
        explained = penalised_windows(subject)
        if explained:
            found["windows"] = explained
    if agreement is not None:
        known = agreement.documents
        found["agreement"] = {
            document.name: plain(known[document.name].observed) if document.name in known else None
            for document in subject.documents
        }
    return found


# ---- windows that explain a value ----

MOST_PAIRS = 20_000  # about a second; more would be felt


def penalised_windows(subject: Subject) -> dict[str, list[Any]]:
    """[k, windows, penalised windows of each system], or None, by document and metric.

    None means that a value is not the share of windows of one pair: other metrics, several
    references, several runs. The result is empty if there are too many pairs.
    """
    comparison = subject.comparison
    if comparison is None:
        return {}
    window = [
        isinstance(comparison.metric(metric), Pk | WindowDiff) for metric in comparison.metrics
    ]
    pairs = sum(window) * len(comparison.systems) * len(subject.documents)
    if not 0 < pairs <= MOST_PAIRS:
        return {}
    places = {name: i for i, name in enumerate(comparison.documents)}
    tables = [comparison.values(metric) for metric in comparison.metrics]
    return {
        document.name: [
            _of_metric(comparison, metric, document, [table[s][place] for s in comparison.systems])
            if window[m]
            else None
            for m, (metric, table) in enumerate(zip(comparison.metrics, tables, strict=True))
        ]
        for document in subject.documents
        if (place := places.get(document.name)) is not None
    }


def _of_metric(
    comparison: Comparison, metric: str, document: ShownDocument, values: list[float]
) -> list[Any] | None:
    rows = {coding.coder: coding.segmentation for coding in document.codings}
    ref = rows.get(document.reference or "")
    if ref is None or len(comparison.background[document.name].coders) != 1:
        return None  # a mean over references
    found: list[int | None] = []
    size = None
    for system, value in zip(comparison.systems, values, strict=True):
        several = comparison.n_runs(system) > 1
        if several or system not in rows or math.isnan(value):
            found.append(None)
            continue
        seen = windows(ref, rows[system], comparison.metric(metric))
        if not math.isclose(seen.penalty / seen.n_windows, value, rel_tol=1e-9, abs_tol=1e-12):
            found.append(None)  # a value that is no share of windows
            continue
        size = [seen.k, seen.n_windows]
        found.append(sum(run.n_windows for run in seen.penalised))
    return None if size is None else [*size, found]


_NO_DOCUMENTS = data_json(
    {"near": 2, "systems": [], "metrics": [], "rows": [], "seconds": None, "observed": None,
     "documents": []}
)  # fmt: skip


def page(subject: Subject, title: str, command: str | None) -> str:
    """The whole page."""
    return framed(title, _sections(subject, command), _data(subject))


def framed(title: str, sections: Sequence[tuple[str, str, str]], data: str) -> str:
    """A page of these sections: the id, the heading and the HTML of each."""
    links = "".join(f'<li><a href="#{key}">{label}</a></li>' for key, label, _ in sections)
    bodies = "".join(
        f'<section id="{key}" aria-labelledby="{key}-heading">\n'
        f'<h2 id="{key}-heading">{label}</h2>\n{inside}</section>\n'
        for key, label, inside in sections
    )
    body = Template(asset("report.html")).substitute(
        heading=name(title, 200), links=links, sections=bodies
    )
    return framed_page(title, body, data, entry="report.js", styles=("page.css", "report.css"))


class _Section(NamedTuple):
    key: str
    label: str
    inside: str


def _sections(subject: Subject, command: str | None) -> list[_Section]:
    """The sections in their order; on a page about people, agreement comes before pictures and
    documents."""
    found = [_Section("overview", "Overview", overview(subject))]
    documents = [
        _Section("documents", "Documents", _without_text(subject) + asset("report_documents.html"))
    ][: len(subject.documents)]
    if subject.feedback is not None:
        held = {document.name for document in subject.documents}
        places = feedback_places(subject.feedback, held)
        found += [_Section("places", "What differs", places), *documents]
    elif subject.agreement is None:
        found += [_drawn(subject), *documents]
    else:
        agreed = people(subject) + asset("report_consensus.html")
        section = _Section("agreement", "Agreement", agreed)
        if subject.comparison is None:
            found += [section, _drawn(subject), *documents]
        else:
            found += [_drawn(subject), *documents, section]
    found.append(_Section("methods", "How this was computed", methods(subject, command)))
    return [section for section in found if section.inside]


def _drawn(subject: Subject) -> _Section:
    return _Section("pictures", "Pictures", pictures(subject))


def _unit_seconds(subject: Subject) -> float | None:
    """The length of a unit in seconds, if units have a duration."""
    found = subject.comparison or subject.agreement
    length = found.provenance.unit_length if found is not None else None
    return None if length is None else length / 1_000_000


def _without_text(subject: Subject) -> str:
    """Why units are numbers, and how to show their text, if no document has a text."""
    if _unit_seconds(subject) or any(document.units for document in subject.documents):
        return ""
    why = "Texts are left out of this page, as names are." if subject.anonymous else _HOW_TO_ADD
    return f'<p class="no-text">{why}</p>\n'


def _data(subject: Subject) -> str:
    """Everything the script needs, as JSON; large data are compressed."""
    comparison = subject.comparison
    data: dict[str, Any] = {
        "near": nearness(subject),
        "systems": comparison.systems if comparison else [],
        "metrics": [
            {
                "name": metric, "higher": comparison.higher_is_better[metric],
                "words": metric_words(metric),
            }
            for metric in comparison.metrics
        ] if comparison else [],
        "rows": [{"name": key, "kind": kind} for key, kind in subject.names.items()],
        "seconds": _unit_seconds(subject),
        "observed": subject.agreement.metric.name if subject.agreement else None,
        "documents": documents_data(subject),
    }  # fmt: skip
    return data_json(data)


_HOW_TO_ADD = """\
The codings came without texts, so units are shown as numbers. To see the text here, put a file for
each document beside the codings, called like it and with a unit per line (<code>ch1.txt</code>),
and run <code>segscore report FOLDER</code>; <code>--units paragraphs</code> and
<code>--text FOLDER</code> say what a unit is, and where texts are. In Python:
<code>corpus.with_details(units={"name of a document": ["text of unit 1", …]})</code>."""


def report(
    result: Any,
    path: str | os.PathLike[str],
    *,
    title: str | None = None,
    documents: int | Sequence[str] | None = None,
    anonymise: bool = False,
    command: str | None = None,
) -> Path:
    """Write one HTML page that shows who cut where, and why the numbers are what they are.

    The page can be mailed, opened without a network, printed and archived. It has the table with
    intervals, pictures (if matplotlib is installed), each document with everyone's boundaries and
    its text, agreement among people with a live consensus, and how everything was computed.

    result: the result of `segscore.compare`, `segscore.agreement` or `segscore.coders.feedback`, a
        benchmark, or a corpus (systems are compared if it names any; otherwise agreement is
        computed). If several people coded the documents of a comparison, the page also has their
        agreement. For chunks: the result of `segscore.chunks.evidence`, `.compare` or
        `.describe`, or a list of evidence and a description.
    title: the heading of the page.
    documents: how many documents the page holds, starting with the worst, or their names. None:
        all, or 200 where there are more than 10,000 or more than 20 million characters of text.
    anonymise: number people and documents, and leave texts, labels and groups out. Systems keep
        their names.
    command: the command line that reproduces the page; the page shows it.

    Returns the path.

    >>> import segscore as ss
    >>> from segscore.simulate.sample_codings import STARGAZER
    >>> people = {name: ss.Segmentation.from_masses(masses) for name, masses in STARGAZER.items()}
    >>> found = ss.agreement(ss.Corpus.from_dict({"Stargazers": people}))
    >>> folder = getfixture("tmp_path")
    >>> ss.report(found, folder / "report.html").name
    'report.html'
    """
    chunks = retrieval_subject(result, anonymise)
    if chunks is not None:
        _refuse_documents(documents)
        whole = framed(title or chunks.title, retrieval_sections(chunks, command), _NO_DOCUMENTS)
        return write_page(path, whole)
    subject = subject_of(result)
    subject = chosen(subject, documents)
    if anonymise:
        subject = anonymous(subject)
        command = None  # file names may name people
    whole = page(subject, title or _title(subject), command)
    return write_page(path, whole)


def _refuse_documents(documents: Any) -> None:
    """Refuse a choice of documents, because a page about chunks has no list of documents."""
    if documents is not None:
        raise SegmentationError(
            f"documents is {shown(documents)}: a page about chunks shows no documents one by one; "
            "leave it out"
        )


def _title(subject: Subject) -> str:
    if subject.feedback is not None:
        return f"Feedback for {subject.feedback.coder}"
    if subject.comparison is not None:
        systems = subject.comparison.systems
        return f"Systems compared: {', '.join(systems[:4])}{' …' if len(systems) > 4 else ''}"
    return "Agreement among coders"
