"""`report` writes the file: one HTML page with its script, style sheet and data inside."""

import os
from collections.abc import Sequence
from pathlib import Path
from string import Template
from typing import Any, NamedTuple

from segscore.basics.arguments import shown
from segscore.errors import SegmentationError
from segscore.metrics.full_names import metric_words
from segscore.pages.chunk_sections import retrieval_sections, retrieval_subject
from segscore.pages.document_data import documents_data, nearness
from segscore.pages.feedback_page import feedback_places
from segscore.pages.html_markup import name
from segscore.pages.methods import methods
from segscore.pages.overview import overview
from segscore.pages.page_frame import asset, data_json, framed_page, write_page
from segscore.pages.people import people
from segscore.pages.pictures import pictures
from segscore.pages.subject import Subject, anonymous, chosen, subject_of

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
