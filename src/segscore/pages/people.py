"""What the section on agreement shows: coefficients, coder by coder, who deviates, contested
places, comments of coders, labels."""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby, pairwise, takewhile
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar

from segscore.coders.agreement_choices import SYMBOLS
from segscore.coders.coder_labels import MOST_LABELS, label_reliability
from segscore.coders.coefficients import READING, Agreement
from segscore.coders.decisions import fleiss_kappa, krippendorff_alpha, percentage_agreement
from segscore.coders.habits import boundaries_per_coder
from segscore.coders.pairwise_values import pairwise as values_of_pairs
from segscore.coders.places import Place
from segscore.coders.segment_granularity import granularity
from segscore.corpus.corpus import Corpus
from segscore.errors import SegmentationError, number_of
from segscore.pages.html_markup import scale_over
from segscore.pages.subject import Subject
from segscore.significance.resampling import Interval

MOST_CODERS = 40  # in a matrix
_AROUND = 110  # characters of a unit beside a boundary
T = TypeVar("T")


def people(subject: Subject, found: Agreement, corpus: Corpus) -> dict[str, Any]:
    """What the template needs; a sentence replaces what cannot be computed."""
    coefficients = _coefficients(found, corpus)
    ends = [end for _, ci in coefficients.values() for end in ci[:2]]
    matrix, no_matrix = _or_why_not(lambda: _matrix(corpus, found))
    deviation, no_deviation = _or_why_not(lambda: subject.deviation)
    habits = boundaries_per_coder(corpus) if deviation is not None else None
    by_coder = {habit.coder: habit for habit in habits.coders} if habits is not None else {}
    labelled = any(len(document.labels) > 1 for document in corpus.values())
    labels = label_reliability(corpus, rng=found.seed) if labelled else None
    finely = granularity(
        corpus, getattr(found.metric, "n_t", 2), draws=found.draws or None, rng=found.seed
    )
    return {
        "metric": found.metric.name,
        "coefficients": coefficients,
        "scale": scale_over([0.0, 1.0, *ends]),
        "about_intervals": list(
            _about_intervals({key: ci for key, (_, ci) in coefficients.items()})
        ),
        "notes": [*_left_aside(subject, corpus), *found.notes],
        "granularity": finely.reading,
        "reading": READING,
        "matrix": matrix,
        "no_matrix": no_matrix,
        "deviation": [(coder, by_coder.get(coder.name)) for coder in deviation.coders]
        if deviation is not None
        else [],
        "no_deviation": no_deviation,
        "symbol": SYMBOLS[deviation.coefficient] if deviation is not None else "",
        "habits": habits,
        "contested": subject.contested,
        "most_divided": most_divided,
        "text_around": lambda place: around(
            corpus[place.document].units, [each.position for each in place.alternatives]
        ),
        "remarks": list(remarks_of(corpus)),
        "labels": labels,
        "most_labels": MOST_LABELS,
        "confusion": {} if labels is None else _shaded_pairs(labels.labels, labels.confusion),
    }


def _or_why_not(make: Callable[[], T]) -> tuple[T | None, str]:
    """What is made, or why it cannot be: names of coders may be local, or coders too few."""
    try:
        return make(), ""
    except SegmentationError as error:
        return None, str(error)


def _left_aside(subject: Subject, corpus: Corpus) -> Iterator[str]:
    """What agreement leaves out, and what names are assumed to mean."""
    if subject.comparison is not None and subject.comparison.n_documents > len(corpus):
        alone = number_of(subject.comparison.n_documents - len(corpus), "document")
        yield f"{alone} that one person coded alone: left aside here"
    if corpus.coder_scope != "local" and corpus.n_codings > len(corpus.coders):
        yield (
            "the same name is taken to be the same person in all documents; if it is not, make the "
            'page with --coders local (in Python: coders="local")'
        )


# ---- numbers ----


def _coefficients(found: Agreement, corpus: Corpus) -> dict[str, tuple[float, Interval]]:
    by, seed, other = found.metric.name, found.seed, found.over_coders
    listed = {f"corrected, by {by}": (found.corrected, found.corrected_ci)}
    if not math.isnan(other.low) and other[:2] != found.corrected_ci[:2]:
        listed[f"corrected, for other coders, by {by}"] = (found.corrected, other)
    listed |= {f"π*, by {by}": (found.pi, found.ci), f"κ*, by {by}": (found.kappa, found.kappa_ci)}
    for label, coefficient in (
        ("Fleiss’s κ of decisions", fleiss_kappa(corpus, rng=seed)),
        ("Krippendorff’s α of decisions", krippendorff_alpha(corpus, rng=seed)),
        ("decisions with the majority", percentage_agreement(corpus, rng=seed)),
    ):
        listed[label] = (coefficient.value, coefficient.ci)
    return listed


def _about_intervals(listed: dict[str, Interval]) -> Iterator[str]:
    """How intervals were made, or why there is none, each with the coefficients it is about."""
    methods = dict.fromkeys(ci.method for ci in listed.values())
    pieces = Counter(piece for method in methods for piece in _pieces(method))
    shared = [piece for piece, number in pieces.items() if number > 1]  # is said once
    for method in methods:
        labels = [label for label, ci in listed.items() if ci.method == method]
        short = [label.partition(", by ")[0] for label in labels]
        about = "all" if len(labels) == len(listed) else ", ".join(short)
        words = "; ".join(piece for piece in _pieces(method) if piece not in shared)
        yield f"{about}: {words}" if method.startswith("no ") else f"interval of {about}: {words}"
    if shared:
        yield f"intervals: {'; '.join(shared)}"


def _pieces(method: str) -> list[str]:
    """The parts of the description of a method; the reason for a missing interval is one part."""
    return [method] if method.startswith("no ") else re.split("; |: ", method)


def _matrix(corpus: Corpus, found: Agreement) -> dict[str, list[tuple[str, float, str]]]:
    """The other coders, their values and the shades of these, by coder."""
    if corpus.coder_scope == "local" and len(corpus) > 1:
        raise SegmentationError(
            "Coder names are local to each document, so there is no table of them across documents"
        )
    result = values_of_pairs(corpus, found.metric, on_undefined="nan")
    coders, cells = result.coders, result.by_coders().tolist()
    if len(coders) > MOST_CODERS:
        raise SegmentationError(
            f"{len(coders)} coders are too many for a matrix on a page: expected at most "
            f"{MOST_CODERS}; the table matrix of segscore agree has them all"
        )
    if len(coders) < 3:
        raise SegmentationError("two coders are one pair: see the observed agreement above")
    known = [cell for row in cells for cell in row if not math.isnan(cell)]
    low, high = min(known, default=0.0), max(known, default=1.0)
    return {
        coder: [
            (other, cell, _shade(cell, low, high)) for other, cell in zip(coders, row, strict=True)
        ]
        for coder, row in zip(coders, cells, strict=True)
    }


def _shaded_pairs(labels: Sequence[str], confusion: Any) -> dict[str, list[tuple[int, str]]]:
    """How often two people gave these labels to the same segment, and the shades of that."""
    listed = labels[:MOST_LABELS]
    counts = {a: [confusion[min(a, b), max(a, b)] for b in listed] for a in listed}
    most = max((count for row in counts.values() for count in row), default=0) or 1
    return {label: [(n, _shade(n, 0, most)) for n in row] for label, row in counts.items()}


def _shade(value: float, low: float, high: float) -> str:
    if math.isnan(value):
        return ""
    return f"shade-{round(5 * ((value - low) / (high - low) if high > low else 0.5))}"


# ---- places ----


def equals(places: Sequence[Place]) -> list[Place]:
    """The first place, and those that divide coders as much."""
    return list(takewhile(lambda place: place.concord == places[0].concord, places))


def most_divided(places: Sequence[Place]) -> str:
    """How many places divide coders most."""
    if not places:
        return ""
    equal = len(equals(places))
    if places[0].concord * 2 == 1 and len(places[0].alternatives) == 1:
        places_are = "One place is" if equal == 1 else f"{equal:,} places are"
        return f"{places_are} split exactly in half. "
    if equal == 1:
        return "One place divides coders most. "
    return f"{equal:,} places divide coders as much as any place does. "


def units_of(place: Place) -> str:
    """After which units a place is."""
    if place.first == place.last:
        return f"unit {place.first:,}"
    return f"units {place.first:,}–{place.last:,}"


def around(units: Sequence[str] | None, cuts: Sequence[int]) -> list[str]:
    """The units beside and between positions."""
    if units is None:
        return []
    ends = [cuts[0] - 1, *cuts, cuts[-1] + 1]
    return shortened([" ".join(units[a:b]) for a, b in pairwise(ends)])


def shortened(pieces: Sequence[str | None]) -> list[str]:
    """The end of the first piece and the start of the others; nothing if one is not known."""
    known = [" ".join(piece.split()) for piece in pieces if piece is not None]
    if len(known) < len(pieces):
        return []
    first, *others = known
    first = f"…{first[-_AROUND:]}" if len(first) > _AROUND else first
    return [first, *(f"{text[:_AROUND]}…" if len(text) > _AROUND else text for text in others)]


class PlaceRemarks(NamedTuple):
    """What coders said about a place: comments by coder (None: they were unsure)."""

    document: str
    position: int
    said: list[tuple[str, list[str | None]]]
    text: list[str]


def remarks_of(corpus: Corpus) -> Iterator[PlaceRemarks]:
    """Comments and doubts of coders, in the order of the documents."""
    for document in corpus.values():
        said = [
            (position, coder, comment)
            for coder, annotation in document.annotations.items()
            for position, comment in (
                *((p, None) for p in annotation.unsure), *annotation.comments
            )
        ]  # fmt: skip
        for position, here in groupby(sorted(said, key=itemgetter(0)), itemgetter(0)):
            by_coder = [
                (coder, [comment for *_, comment in own])
                for coder, own in groupby(here, itemgetter(1))
            ]
            yield PlaceRemarks(
                document.name, position, by_coder, around(document.units, [position])
            )


def remark_counts(remarks: Sequence[PlaceRemarks]) -> list[str]:
    """How many comments and doubts there are, as clauses."""
    comments = [comment for each in remarks for _, own in each.said for comment in own]
    unsure = comments.count(None)
    found = {
        f"left {number_of(len(comments) - unsure, 'comment')}": len(comments) - unsure,
        f"marked {number_of(unsure, 'place')} as unsure": unsure,
    }
    return [clause for clause, number in found.items() if number]
