"""What the sections of a report show: results, asked for what the templates need.

Words are in the templates; here is what takes more than a look at a result.
"""

import math
import platform
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from itertools import groupby, pairwise, takewhile
from operator import attrgetter
from typing import Any

import numpy as np

from segscore._version import __version__
from segscore.chunks import ChunkDescription, EvidenceScores
from segscore.coders import agreement_summary as verdicts
from segscore.coders import boundaries_per_coder, estimators, granularity, nominal, person_feedback
from segscore.coders.coefficients import READING, Agreement
from segscore.coders.pairwise_values import pairwise as values_of_pairs
from segscore.coders.places import Place
from segscore.comparison import Comparison
from segscore.comparison.words import best_system
from segscore.corpus.corpus import Corpus
from segscore.errors import SegmentationError
from segscore.metrics.names import metric_title
from segscore.pages.page_frame import asset, scale_over, sentence
from segscore.pages.pictures import pictures
from segscore.pages.subject import Subject
from segscore.significance.resampling import Interval
from segscore.tables import Table
from segscore.tables.view import View

MOST_CODERS = 40  # in a matrix
_MOST_PLACES = 500  # of feedback
_MOST = 3  # documents and places that are named
_AROUND = 110  # characters of a unit beside a boundary
_TOO_FEW = re.compile(r"too few: \[.*?\] says nothing")  # as `significance.resampling` words it


def report_sections(subject: Subject) -> dict[str, Any]:
    """What the templates of the sections need."""
    comparison, agreement, feedback = subject.comparison, subject.agreement, subject.feedback
    found: dict[str, Any] = {
        "held": subject.held,
        "has_text": subject.seconds or any(document.units for document in subject.documents),
        "counts": list(_counts(subject)),
        "claims": [],
        "remarks": list(_remarks(subject.people)),
        "pictures": pictures(subject),
        **_methods(subject),
    }
    sections = [("pictures", "Pictures", "pictures.html")] if found["pictures"] else []
    if subject.documents:
        sections.append(("documents", "Documents", "documents.html"))
    if feedback is not None:
        found |= {"title": f"Feedback for {feedback.coder}", **_feedback(feedback)}
        sections.insert(0, ("places", "What differs", "feedback.html"))
    if agreement is not None and subject.people is not None:
        found |= {"title": "Agreement among coders", **_people(subject, agreement, subject.people)}
        first = 0 if comparison is None else len(sections)  # on a page about people
        sections.insert(first, ("agreement", "Agreement", "agreement.html"))
    if comparison is not None:
        systems = comparison.systems
        listed = f"{', '.join(systems[:4])}{' …' if len(systems) > 4 else ''}"
        found |= {"title": f"Systems compared: {listed}", **_systems(subject, comparison)}
    return found | {"sections": [("overview", "Overview", "overview.html"), *sections]}


def _counts(subject: Subject) -> Iterator[tuple[int, str]]:
    """How many documents, units, people and systems there are."""
    comparison, people = subject.comparison, subject.people
    known = comparison.n_documents if comparison else 0
    n_persons = sum(kind == "person" for kind in subject.names.values())
    n_systems = len(comparison.systems) if comparison else 0
    yield known or len(subject.documents) + subject.left_out, "document"
    if subject.documents:
        yield sum(document.n_units for document in subject.documents), "unit"
    if subject.feedback is not None:
        yield subject.feedback.n_reference, "boundary of the reference"
    elif people is not None and people.coder_scope == "local":
        yield people.n_codings, "coding"  # who is who across documents is not known
    elif n_persons:
        yield n_persons, "reference" if n_systems and n_persons == 1 else "coder"
    if n_systems:
        yield n_systems, "system"


def _systems(subject: Subject, comparison: Comparison) -> dict[str, Any]:
    beside = [row for row in comparison.rows if row not in comparison.systems]
    ratios, alone = comparison.ratios, comparison.systems[:1] * (len(comparison.systems) == 1)
    return {
        "claims": [
            (
                metric,
                sentence(best_system(comparison, [metric]), comparison.systems),
                beside if alone and comparison[alone[0], metric].rank is not None else [],
                differing(subject, metric),
            )
            for metric in comparison.metrics
        ],
        "kinds": {entry.kind for entry in comparison.entries},
        "metric_title": metric_title,
        "ratios": {} if None in ratios.values() else ratios,
        "scales": {
            metric: scale_over(
                value
                for entry in (comparison[row, metric] for row in comparison.rows)
                for value in (entry.value, entry.low, entry.high)
            )
            for metric in comparison.metrics
        },
    }


def differing(subject: Subject, metric: str) -> list[str]:
    """The documents of the page whose values are farthest apart under this metric."""
    comparison = subject.comparison
    if comparison is None or len(subject.documents) < 2:
        return []
    values = [comparison.values(metric)[system] for system in comparison.systems]
    far = np.fmax.reduce(values) - np.fmin.reduce(values)
    spreads = dict(zip(comparison.documents, far.tolist(), strict=True))
    held = [name for name, spread in spreads.items() if spread > 0 and name in subject.held]
    return sorted(held, key=lambda name: -spreads[name])[:_MOST]


def _verdict(subject: Subject) -> str:
    """Who lowers agreement and who stands out, only if that is sure; and how much is contested."""
    parts = []
    with suppress(SegmentationError):  # names are local, or two people: the next section says why
        parts.append(verdicts.who_lowers(subject.deviation.coders))
    if subject.people is not None and not subject.names_are_local:
        parts.append(verdicts.who_stands_out(boundaries_per_coder(subject.people).outliers))
    parts.append(f"contested: {verdicts.how_many_contested(subject.contested)}")
    line = "; ".join(filter(None, parts))
    return sentence(f"{line[0].upper()}{line[1:]}.", subject.names)


# ---- agreement ----


def _people(subject: Subject, found: Agreement, corpus: Corpus) -> dict[str, Any]:
    """What the templates need; a sentence replaces what cannot be computed."""
    first = [place for place in subject.contested[:_MOST] if place.document in subject.held]
    coefficients = _coefficients(found, corpus)
    ends = [end for _, ci in coefficients.values() for end in ci[:2]]
    no_matrix = _why_no_matrix(corpus)
    matrix = None if no_matrix else _matrix(corpus, found)
    deviation, no_deviation = None, ""
    try:
        deviation = subject.deviation
    except SegmentationError as error:  # names are local, or coders too few
        no_deviation = str(error)
    habits = boundaries_per_coder(corpus) if deviation is not None else None
    by_coder = {habit.coder: habit for habit in habits.coders} if habits is not None else {}
    labelled = any(len(document.labels) > 1 for document in corpus.values())
    labels = nominal.label_reliability(corpus, rng=found.seed) if labelled else None
    finely = granularity(
        corpus, getattr(found.metric, "n_t", 2), draws=found.draws or None, rng=found.seed
    )
    return {
        "metric": found.metric.name,
        "coefficients": coefficients,
        "scale": scale_over([0.0, 1.0, *ends]),
        "about_intervals": _about_intervals({key: ci for key, (_, ci) in coefficients.items()}),
        "granularity": finely.footnotes[-1],
        "reading": READING,
        "matrix": matrix,
        "no_matrix": no_matrix,
        "deviation": [(coder, by_coder.get(coder.name)) for coder in deviation.coders]
        if deviation is not None
        else [],
        "no_deviation": no_deviation,
        "symbol": estimators.SYMBOLS[deviation.coefficient] if deviation is not None else "",
        "habits": habits,
        "contested": subject.contested,
        "how_well": verdicts.how_well(found),
        "maybe_chance": verdicts.maybe_chance(found),
        "verdict": _verdict(subject),
        "first_places": first,
        "more_places": len(_equals(subject.contested)) > len(first),
        "equals": _equals,
        "text_around": lambda place: _around(
            corpus[place.document].units, [position for position, _ in place.alternatives]
        ),
        "labels": labels,
        "most_labels": nominal.MOST_LABELS,
        "confusion": {} if labels is None else _shaded_pairs(labels.labels, labels.confusion),
    }


# ---- numbers ----


def _coefficients(found: Agreement, corpus: Corpus) -> dict[str, tuple[float, Interval]]:
    by, seed, other = found.metric.name, found.seed, found.over_coders
    listed = {f"corrected, by {by}": (found.corrected, found.corrected_ci)}
    if not math.isnan(other.low) and other[:2] != found.corrected_ci[:2]:
        listed[f"corrected, for other coders, by {by}"] = (found.corrected, other)
    listed |= {f"π*, by {by}": (found.pi, found.ci), f"κ*, by {by}": (found.kappa, found.kappa_ci)}
    for label, coefficient in (
        ("Fleiss’s κ of decisions", nominal.fleiss_kappa(corpus, rng=seed)),
        ("Krippendorff’s α of decisions", nominal.krippendorff_alpha(corpus, rng=seed)),
        ("decisions with the majority", nominal.percentage_agreement(corpus, rng=seed)),
    ):
        listed[label] = (coefficient.value, coefficient.ci)
    return listed


def _about_intervals(listed: dict[str, Interval]) -> Iterator[str]:
    """How intervals were made, or why there is none, each with the coefficients it is about."""
    methods: dict[str, list[str]] = {}
    for label, ci in listed.items():
        method = _TOO_FEW.sub("no interval: it would be too wide to say anything", ci.method)
        methods.setdefault(method, []).append(label.partition(", by ")[0])
    for method, labels in methods.items():
        about = "all" if len(labels) == len(listed) else ", ".join(labels)
        yield f"{about}: {method}" if method.startswith("no ") else f"interval of {about}: {method}"


def _why_no_matrix(corpus: Corpus) -> str:
    n_coders = len(corpus.coders)
    if corpus.coder_scope == "local" and len(corpus) > 1:
        return "Coder names are local to each document: there is no table of them across documents"
    if n_coders > MOST_CODERS:
        return (
            f"{n_coders} coders are too many for a matrix on a page, of {MOST_CODERS} at most; the "
            "table matrix of segscore agree has them all"
        )
    return "two coders are one pair: see the observed agreement above" if n_coders < 3 else ""


def _matrix(corpus: Corpus, found: Agreement) -> dict[str, list[tuple[str, float, str]]]:
    """The other coders, their values and the shades of these, by coder."""
    result = values_of_pairs(corpus, found.metric, on_undefined="nan")
    coders, cells = result.coders, result.by_coders().tolist()
    known = [cell for row in cells for cell in row if not math.isnan(cell)]
    low, high = min(known, default=0.0), max(known, default=1.0)
    shades = [[_shade(cell, low, high) for cell in row] for row in cells]
    return {
        coder: list(zip(coders, row, shaded, strict=True))
        for coder, row, shaded in zip(coders, cells, shades, strict=True)
    }


def _shaded_pairs(labels: Sequence[str], confusion: Any) -> dict[str, list[tuple[int, str]]]:
    """How often two people gave these labels to the same segment, and the shades of that."""
    listed = labels[: nominal.MOST_LABELS]
    counts = {a: [confusion[min(a, b), max(a, b)] for b in listed] for a in listed}
    most = max((count for row in counts.values() for count in row), default=0) or 1
    return {label: [(n, _shade(n, 0, most)) for n in row] for label, row in counts.items()}


def _shade(value: float, low: float, high: float) -> str:
    if math.isnan(value):
        return ""
    return f"shade-{round(5 * ((value - low) / (high - low) if high > low else 0.5))}"


# ---- places ----


def _equals(places: Sequence[Place]) -> list[Place]:
    """The first place, and those that divide coders as much."""
    return list(takewhile(lambda place: place.concord == places[0].concord, places))


def _around(units: Sequence[str] | None, cuts: Sequence[int]) -> list[str]:
    """The units beside and between positions."""
    if units is None:
        return []
    ends = [cuts[0] - 1, *cuts, cuts[-1] + 1]
    return _shortened([" ".join(units[a:b]) for a, b in pairwise(ends)])


def _shortened(pieces: Sequence[str | None]) -> list[str]:
    """The end of the first piece and the start of the others; nothing if one is not known."""
    known = [" ".join(piece.split()) for piece in pieces if piece is not None]
    if len(known) < len(pieces):
        return []
    first, *others = known
    first = f"…{first[-_AROUND:]}" if len(first) > _AROUND else first
    return [first, *(f"{text[:_AROUND]}…" if len(text) > _AROUND else text for text in others)]


def _remarks(corpus: Corpus | None) -> Iterator[dict[str, Any]]:
    """What coders said of places, comments by coder (None: they were unsure), in the order of the
    documents."""
    for document in corpus.values() if corpus is not None else ():
        said: dict[int, dict[str, list[str | None]]] = {}
        for coder, annotation in document.annotations.items():
            unsure = [(position, None) for position in annotation.unsure]
            for position, comment in (*unsure, *annotation.comments):
                said.setdefault(position, {}).setdefault(coder, []).append(comment)
        for position, by_coder in sorted(said.items()):
            comments = [comment for each in by_coder.values() for comment in each]
            yield {
                "document": document.name,
                "position": position,
                "said": by_coder.items(),
                "text": _around(document.units, [position]),
                "n_unsure": comments.count(None),
                "n_comments": len(comments) - comments.count(None),
            }


# ---- feedback, methods ----


def _feedback(feedback: person_feedback.Feedback) -> dict[str, Any]:
    """Near misses, missed and extra boundaries, document by document."""
    places = [place for place in feedback.places if place.verdict != "match"]
    by_document = groupby(places[:_MOST_PLACES], attrgetter("document"))
    return {
        "verdicts": person_feedback.VERDICTS,
        "places": [(document, list(group)) for document, group in by_document],
        "places_left": max(0, len(places) - _MOST_PLACES),
        "shortened": _shortened,
    }


AGREEMENT = ("fournier2012", "artstein2008", "fleiss1971", "krippendorff2004", "kazantseva2012")
TESTING = ("efron1993", "noreen1989", "holm1979")


def _methods(subject: Subject) -> dict[str, Any]:
    """What the template needs."""
    comparison, agreement = subject.comparison, subject.agreement
    signatures: dict[str, str] = {}
    papers: list[str] = []
    if comparison is not None:
        chance = {f"{key}, chance": value for key, value in comparison.chance_signatures.items()}
        signatures = {**comparison.signatures, **chance}
        papers += [key for name in comparison.metrics for key in comparison.metric(name).papers]
    if agreement is not None:
        signatures["agreement"] = agreement.signature
        papers += [*agreement.metric.papers, *AGREEMENT]
    if comparison is not None and comparison.n_documents > 1:
        papers += TESTING
    known = bibtex_entries()
    found = "\n\n".join(known[key] for key in dict.fromkeys(papers)).splitlines()
    return {"signatures": signatures, "papers": found, "versions": versions()}


def versions() -> str:
    """The versions of segscore, Python and the packages behind the numbers."""
    found = [f"segscore {__version__}", f"Python {platform.python_version()}"]
    for package in ("numpy", "scipy", "matplotlib"):
        with suppress(PackageNotFoundError):  # an extra that is not installed
            found.append(f"{package} {version(package)}")
    return ", ".join(found)


def bibtex_entries() -> dict[str, str]:
    """The BibTeX entries of `literature.bib`, by key: author and year."""
    listed = asset("literature.bib").strip()
    return {re.findall(r"{([a-z]+[0-9]{4})", part)[0]: part for part in listed.split("\n\n")}


# ---- chunks: the tables of the results, each number with its interval and its note ----

Evidence = Comparison | EvidenceScores
# a caption, a table, and what a reader clicks to open it
ShownTable = tuple[str, View] | tuple[str, View, str]
_LABELS = {
    "evidence": "Evidence",
    "curve": "What was fetched",
    "cut": "Evidence that was cut",
    "questions": "Questions",
    "chunks": "Chunks",
    "breaks": "Breaks",
}
_COUNTED = ("document", "question", "span", "chunker")
_MOST_ROWS = 1000  # of a table of questions, cuts or places
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def chunk_results(given: Any) -> tuple[Evidence | None, ChunkDescription | None] | None:
    """What a page about chunks shows: evidence, a description, or both; None for other results."""
    listed = list(given) if isinstance(given, list | tuple) else [given]
    evidence = [result for result in listed if isinstance(result, Evidence) and result.scores]
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
    scores = list(evidence.scores.values()) if evidence is not None else []
    tables: dict[str, list[ShownTable]] = {}
    counts: dict[str, list[tuple[int, str]]] = {}
    signatures: dict[str, str] = {}
    if evidence is not None:
        tables |= _evidence_tables(evidence, scores, anonymise)
        first = scores[0]
        numbers = len({*first.documents}), len(first), first.n_spans, len(scores)
        counts["evidence"] = [*zip(numbers, _COUNTED, strict=True)]
        signatures = dict(evidence.signatures)
    if description is not None:
        tables |= _description_tables(description, anonymise)
        n_documents = len({row.document for chunker in description for row in chunker.rows})
        counts["chunks"] = [(n_documents, "document"), (len(description.chunkers), "chunker")]
    chunkers = [each.chunker for each in scores] or [each.name for each in description or ()]
    keys = {key: "overview" if i == 0 else key for i, key in enumerate(tables)}
    return {
        "title": f"Chunks: {', '.join(chunkers[:4])}{' …' if len(chunkers) > 4 else ''}",
        "sections": [(keys[key], _LABELS[key], "chunks.html") for key in tables],
        "counts": {keys[key]: listed for key, listed in counts.items()},
        "tables": {keys[key]: listed for key, listed in tables.items()},
        "hurry": scores,
        "most_rows": _MOST_ROWS,
        "remarks": _table_remarks,
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
    first, *others = scores
    if isinstance(found, Comparison):
        if found.pairs:
            tested = nameless(found.pairs_table())
            main.append(("Pairs of chunkers", tested, "Each pair of chunkers, tested"))
        both = nameless(first.measures_table(*others))
        main.append(("Both averages", both, "Both averages of each measure"))
    tables = {"evidence": main}
    if all(each.curve for each in scores):
        tables["curve"] = [("At k = 1, 2 …", nameless(first.curve_table(*others)))]
    if not anonymous:
        title = "Question by question"
        tables["cut"] = [("Spans that no chunk has as a whole", first.cut_table(*others).view)]
        tables["questions"] = [(title, first.questions_table(*others).view, title)]
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


def _table_remarks(view: View) -> list[str]:
    """The notes of a table, and what it leaves out."""
    found = [f"{mark.translate(_RAISED)} {note}".strip() for mark, note in view.notes]
    n_rows = len(view.rows)
    if n_rows > _MOST_ROWS:
        found.append(f"the first {_MOST_ROWS:,} of {n_rows:,} rows; the command line gives all")
    return found if n_rows else ["there is nothing to show", *found]
