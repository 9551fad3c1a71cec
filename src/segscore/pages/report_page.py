"""`report` writes the file: one HTML page with its script, style sheet and data inside.

The sections are templates (`report_sections`). The documents are drawn by the
script, from the data that are put together here.
"""

import os
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from segscore.basics.arguments import shown
from segscore.coding.constructor_checks import label_sets
from segscore.coding.segmentation import Segmentation
from segscore.corpus.record import ascending_names
from segscore.errors import SegmentationError
from segscore.metrics.edit_distance import judged
from segscore.metrics.names import metric_title
from segscore.pages import subject as subjects
from segscore.pages.page_frame import plain, write_page
from segscore.pages.report_sections import chunk_results, chunk_sections, report_sections

NEAR = 2  # a near miss is at most one unit off, unless a metric says more


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
    chunks = chunk_results(result)
    if chunks is None:
        subject = subjects.chosen(subjects.subject_of(result), documents)
        if anonymise:
            subject = subjects.anonymous(subject)
        found = report_sections(subject)
    else:
        if documents is not None:
            raise SegmentationError(
                f"documents is {shown(documents)}: a page about chunks shows no documents one by "
                "one; leave it out"
            )
        subject = subjects.Subject(None, None, None, ())
        found = chunk_sections(*chunks, anonymise)
    found |= {name: getattr(subject, name) for name in ("comparison", "agreement", "feedback")}
    found["title"] = title or found["title"]
    command = None if anonymise else command  # file names may name people
    return write_page(
        path, "report.html", _data(subject), subject=subject, command=command, **found
    )


# ---- what the script shows ----


def _data(subject: subjects.Subject) -> dict[str, Any]:
    """Everything the script needs."""
    comparison = subject.comparison
    higher = comparison.higher_is_better if comparison else {}
    n_t = nearness(subject)
    columns = _values(subject)
    return {
        "near": n_t,
        "systems": comparison.systems if comparison else [],
        "metrics": [
            {"name": metric, "higher": higher[metric], "words": metric_title(metric)}
            for metric in (comparison.metrics if comparison else ())
        ],
        "rows": [{"name": key, "kind": kind} for key, kind in subject.names.items()],
        "seconds": subject.seconds,
        "observed": subject.agreement.metric.name if subject.agreement else None,
        "documents": [
            _document(document, n_t)
            | {key: column[document.name] for key, column in columns.items()}
            for document in subject.documents
        ],
    }


def nearness(subject: subjects.Subject) -> int:
    """What counts as near, by the first metric that has a rule for it."""
    if subject.feedback is not None:
        return subject.feedback.n_t
    comparison, agreement = subject.comparison, subject.agreement
    metrics = [comparison.metric(metric) for metric in comparison.metrics] if comparison else []
    metrics += [agreement.metric] if agreement else []
    found = (getattr(metric, "n_t", None) for metric in metrics)
    return next((int(n_t) for n_t in found if n_t is not None), NEAR)


def _document(document: subjects.ShownDocument, n_t: int) -> dict[str, Any]:
    found = {
        "name": document.name,
        "units": document.n_units,
        "codings": [_coding(coding) for coding in document.codings],
        "text": None if document.units is None else list(document.units),
        "group": document.group,
        "reference": document.reference,
        "edits": _all_edits(document.codings, n_t) or None,
    }
    return {key: value for key, value in found.items() if value is not None}


def _coding(given: subjects.ShownCoding) -> dict[str, Any]:
    coding = given.segmentation
    data = {"coder": given.coder, "kind": given.kind, "masses": coding.masses.tolist()}
    if coding.types is not None:
        data["types"] = [ascending_names(kinds) for kinds in coding.types]
    if coding.ranks is not None:
        data["ranks"] = coding.ranks.tolist()
    if coding.segment_labels is not None:
        data["labels"] = [ascending_names(labels) for labels in label_sets(coding.segment_labels)]
    return data


def _all_edits(codings: Sequence[subjects.ShownCoding], n_t: int) -> list[list[Any]]:
    """The near misses, and boundaries of other types, of each row against each reference.

    [i, j, [[p, q, type] …], [[p, type of i, type of j] …]]: i is the row of a reference, p in i,
    q in j.
    """
    found = []
    for (i, a), (j, b) in combinations(enumerate(codings), 2):
        if a.kind == b.kind and a.kind in ("system", subjects.OF_CONSENSUS):
            continue
        near, differs = _edits(a.segmentation, b.segmentation, n_t)
        if (near or differs) and a.kind != "system":
            found.append([i, j, near, differs])
        if (near or differs) and b.kind != "system":
            near = [[q, p, *kinds] for p, q, *kinds in near]
            found.append([j, i, near, [[p, other, own] for p, own, other in differs]])
    return found


def _edits(a: Segmentation, b: Segmentation, n_t: int) -> tuple[list[list[Any]], list[list[Any]]]:
    typed = a.types is not None and b.types is not None  # a consensus has none: only positions
    if not typed:
        left, right = set(a.boundaries.tolist()), set(b.boundaries.tolist())
        alone, others = left - right, right - left
        reach = range(1, min(n_t, a.n_units) if alone and others else 0)
        if not any(p + d in others or p - d in others for p in alone for d in reach):
            return [], []  # near misses are rare, and this is cheaper than finding the edits
    near, differs = [], []
    for verdict, p, q, *kinds in judged(a, b, n_t, types=typed):
        if verdict == "near":
            near.append([p, q, *(kind for kind in kinds[:1] if kind is not None)])
        elif verdict == "substituted":
            differs.append([p, *kinds])
    return near, differs


def _values(subject: subjects.Subject) -> dict[str, dict[str, Any]]:
    """The values of each system under each metric, the agreement of people and where it is
    contested, by document."""
    found: dict[str, dict[str, Any]] = {}
    comparison, agreement = subject.comparison, subject.agreement
    if comparison is not None:
        tables = [comparison.values(metric) for metric in comparison.metrics]
        found["values"] = {
            name: [[plain(table[system][i]) for system in comparison.systems] for table in tables]
            for i, name in enumerate(comparison.documents)
        }
    if agreement is not None:
        known = agreement.documents
        found["agreement"] = {
            name: plain(known[name].observed) if name in known else None for name in subject.held
        }
        found["contested"] = {name: [] for name in subject.held}
        for place in subject.contested:
            if place.document in subject.held:
                found["contested"][place.document].append(place.position)
    return found
