"""What the first section shows: the counts, what follows from the numbers, where to look first, and
the table of systems with its intervals."""

import math
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from segscore.coders.agreement_verdict import (
    how_many_contested,
    how_well,
    maybe_chance,
    who_lowers,
    who_stands_out,
)
from segscore.coders.coefficients import Agreement
from segscore.coders.habits import boundaries_per_coder
from segscore.comparison import Comparison
from segscore.comparison.comparison_claims import claims, sentence
from segscore.errors import SegmentationError, number_of
from segscore.metrics.full_names import metric_words
from segscore.pages.html_markup import IN_HTML, escaped, name, scale_over
from segscore.pages.people import equals, remark_counts, remarks_of, units_of
from segscore.pages.subject import Subject

_MOST = 3  # documents that are named


def overview(subject: Subject) -> dict[str, Any]:
    """What the template needs."""
    shown: dict[str, Any] = {"counts": list(_counts(subject)), "claims": []}
    comparison, agreement = subject.comparison, subject.agreement
    if comparison is not None:
        shown |= _systems(comparison, subject)
    if agreement is not None:
        shown |= _agreement(agreement, subject, beside=comparison is not None)
    return shown


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


# ---- systems ----


def _systems(comparison: Comparison, subject: Subject) -> dict[str, Any]:
    beside = [row for row in comparison.rows if row not in comparison.systems]
    ratios = comparison.ratios
    return {
        "claims": [
            (
                claim.metric,
                escaped(sentence([claim], IN_HTML)),
                beside if claim.n_systems == 1 and claim.best is not None else [],
                differing(subject, claim.metric),
            )
            for claim in claims(comparison)
        ],
        "kinds": {entry.kind for entry in comparison.entries},
        "metric_words": metric_words,
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
    values = comparison.values(metric)
    columns = zip(*(values[system] for system in comparison.systems), strict=True)
    spreads = dict(zip(comparison.documents, map(_spread, columns), strict=True))
    held = [document.name for document in subject.documents if spreads.get(document.name, 0) > 0]
    return sorted(held, key=lambda document: -spreads[document])[:_MOST]


def _spread(values: tuple[float, ...]) -> float:
    known = [float(value) for value in values if not math.isnan(value)]
    return max(known) - min(known) if len(known) > 1 else 0.0


# ---- people ----


def _agreement(found: Agreement, subject: Subject, beside: bool) -> dict[str, Any]:
    """How well people agree; who lowers agreement, and what is contested most."""
    basis, contested = found.basis, subject.contested
    local = found.corpus is not None and found.corpus.coder_scope == "local"
    coders = number_of(basis.n_codings, "coding") if local else number_of(basis.n_coders, "coder")
    finding = how_well(found, IN_HTML)
    metric = found.metric.name
    first_places = [place for place in contested[:_MOST] if place.document in subject.held]
    known = {"b": "boundary similarity", "s": "segmentation similarity"}
    in_full = known.get(metric.partition("(")[0])
    return {
        "size": f"{coders}, {number_of(basis.n_documents, 'document')}",
        "metric_in_full": escaped(name(metric)) + (f" ({in_full})" if in_full else ""),
        "how_well": escaped(f"{finding[0].lower()}{finding[1:]}" if beside else finding),
        "maybe_chance": maybe_chance(found),
        "verdict": _verdict(subject),
        "first_places": first_places,
        "more_places": len(equals(contested)) > len(first_places),
        "units_of": units_of,
        "remark_counts": remark_counts(list(remarks_of(subject.people))) if subject.people else [],
    }


def _verdict(subject: Subject) -> str:
    """Who lowers agreement and who stands out, only if that is sure; and how much is contested."""
    parts = []
    corpus = subject.people
    with suppress(SegmentationError):  # names are local, or two people: the next section says why
        parts.append(who_lowers(subject.deviation.coders, IN_HTML))
    if corpus is not None and not subject.names_are_local:
        parts.append(who_stands_out(boundaries_per_coder(corpus).outliers, IN_HTML))
    parts.append(f"contested: {how_many_contested(subject.contested)}")
    line = "; ".join(filter(None, parts))
    return escaped(f"{line[0].upper()}{line[1:]}.")
