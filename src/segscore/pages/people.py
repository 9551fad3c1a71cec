"""The section on agreement: coefficients, coder by coder, who deviates, contested places."""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from segscore.coders.agreement_choices import SYMBOLS
from segscore.coders.coder_labels import MOST_LABELS, LabelReliability, label_reliability
from segscore.coders.coefficients import READING, Agreement
from segscore.coders.decisions import fleiss_kappa, krippendorff_alpha, percentage_agreement
from segscore.coders.habits import boundaries_per_coder
from segscore.coders.pairwise_values import pairwise
from segscore.coders.segment_granularity import granularity
from segscore.corpus.corpus import Corpus
from segscore.errors import SegmentationError, number_of
from segscore.pages.html_markup import (
    NOTHING,
    UNTICKED,
    BodyCell,
    HeadCell,
    bar,
    cell_with_interval,
    interval,
    more,
    name,
    notes,
    number,
    scale_over,
    table,
)
from segscore.pages.place_list import contested_section, remark_section
from segscore.pages.subject import Subject
from segscore.significance.resampling import Interval


def label_section(subject: Subject, corpus: Corpus) -> str:
    """The section as HTML; empty if no document has labels by two people."""
    if not any(len(document.labels) > 1 for document in corpus.values()):
        return ""
    seed = subject.agreement.seed if subject.agreement is not None else 0
    found = label_reliability(corpus, rng=seed)
    return (
        "<h3>Labels</h3>\n"
        f"<p>{_words(found)}</p>\n"
        + notes(found.warnings, "warnings")
        + _use(found, subject)
        + more("Which labels two people give to the same segments", _confusion(found))
    )


def _words(found: LabelReliability) -> str:
    whole = found.whole
    if not whole.n_segments:
        return "No two people gave labels to a segment with the same start and end."
    ends = interval(*found.ci[:2])
    value = f"{number(found.alpha)} {ends}".strip()
    return (
        f"People agree on {number_of(whole.n_segments, 'segment')} (same start and end). There, "
        f"Krippendorff’s α of their labels is <b>{value}</b>: 0 is chance, 1 is complete "
        f"agreement. {whole.n_same:,} of {whole.n_pairs:,} pairs of labels are the same."
    )


def _use(found: LabelReliability, subject: Subject) -> str:
    coders = list(found.use)
    headings = [
        HeadCell("label"),
        *(HeadCell(name(coder, 16), True, "descending", subject.about(coder)) for coder in coders),
    ]
    rows = [
        [
            BodyCell(name(label, 40), label),
            *(BodyCell(f"{used:,}", used, "", subject.about(coder))
              for coder, used in ((coder, found.use[coder][label]) for coder in coders)),
        ]
        for label in found.labels[: 4 * MOST_LABELS]
    ]  # fmt: skip
    left = len(found.labels) - len(rows)
    rest = notes([f"{left} rarer labels: the table label-use has them"]) if left else ""
    return table("Segments by label and coder", headings, rows) + rest


def _confusion(found: LabelReliability) -> str:
    labels = found.labels[:MOST_LABELS]
    headings = [HeadCell("label"), *(HeadCell(name(label, 16), True) for label in labels)]
    counts = [
        [found.confusion[min(label, other), max(label, other)] for other in labels]
        for label in labels
    ]
    most = max((count for row in counts for count in row), default=0) or 1
    rows = [
        [
            BodyCell(name(label, 40), label),
            *(BodyCell(f"{count:,}", count, f"shade-{round(5 * count / most)}") for count in row),
        ]
        for label, row in zip(labels, counts, strict=True)
    ]
    left = len(found.labels) - len(labels)
    rest = notes([f"{left} rarer labels are left out"]) if left else ""
    return table("Pairs of people by the labels they gave", headings, rows, "matrix", False) + rest


MOST_CODERS = 40  # in a matrix


def people(subject: Subject) -> str:
    """The section as HTML; a sentence replaces what cannot be computed."""
    found, corpus = subject.agreement, subject.people
    assert found is not None and corpus is not None  # noqa: S101, PT018
    numbers = [
        _coefficients(found, corpus),
        notes([*_aside(subject, corpus), *_same_people(corpus), *found.notes]),
        f"<p>{name(_granularity(found, corpus), 1000)}</p>",
        more("How to read these numbers", f"<p>{name(READING, 5000)}</p>"),
        _groups(found),
    ]
    parts = [
        "".join(numbers),
        _said("Coder by coder", lambda: _matrix(corpus, found, subject)) + UNTICKED,
        _said("Who deviates", lambda: _deviation(corpus, subject)),
        contested_section(subject, corpus),
        remark_section(subject, corpus),
        label_section(subject, corpus),
    ]
    columns = "".join(f"<div>{part}</div>\n" for part in parts if part)
    return f'<div class="columns">{columns}</div>\n'


def _aside(subject: Subject, corpus: Corpus) -> list[str]:
    """What agreement leaves out, if a comparison has documents with a single person's coding."""
    documents = subject.comparison.n_documents if subject.comparison is not None else len(corpus)
    alone = documents - len(corpus)
    if not alone:
        return []
    return [f"{number_of(alone, 'document')} that one person coded alone: left aside here"]


def _same_people(corpus: Corpus) -> list[str]:
    """What names are assumed to mean, if they occur in several documents."""
    if corpus.coder_scope == "local" or corpus.n_codings == len(corpus.coders):
        return []
    return [
        "the same name is taken to be the same person in all documents; if it is not, make the "
        'page with --coders local (in Python: coders="local")'
    ]


def _said(heading: str, make: Callable[[], str]) -> str:
    """A section, or why there is none: coder names may be local, or coders too few."""
    try:
        inside = make()
    except SegmentationError as error:
        inside = f'<p class="small">{name(error, 1000)}.</p>'
    return f"<h3>{heading}</h3>\n{inside}"


def _granularity(found: Agreement, corpus: Corpus) -> str:
    """Whether people differ in how finely they cut, or in where."""
    n_t = getattr(found.metric, "n_t", 2)
    return granularity(corpus, n_t, draws=found.draws or None, rng=found.seed).reading


# ---- coefficients ----


def _coefficients(found: Agreement, corpus: Corpus) -> str:
    by, seed = found.metric.name, found.seed
    listed: dict[str, tuple[float, Interval]] = {
        f"corrected, by {by}": (found.corrected, found.corrected_ci),
        **_over_coders(found),
        f"π*, by {by}": (found.pi, found.ci),
        f"κ*, by {by}": (found.kappa, found.kappa_ci),
    }
    for label, coefficient in (
        ("Fleiss’s κ of decisions", fleiss_kappa(corpus, rng=seed)),
        ("Krippendorff’s α of decisions", krippendorff_alpha(corpus, rng=seed)),
        ("decisions with the majority", percentage_agreement(corpus, rng=seed)),
    ):
        listed[label] = (coefficient.value, coefficient.ci)
    scale = scale_over([0.0, 1.0, *(end for _, ci in listed.values() for end in ci[:2])])
    rows = [
        [
            BodyCell(name(label), label),
            BodyCell(
                f'<span class="value">{number(value)}</span>'
                f"{bar(scale, value, *ci[:2], 'system')}"
                f'<span class="interval">{interval(*ci[:2])}</span>',
                value,
            ),
        ]
        for label, (value, ci) in listed.items()
    ]
    chance = ""
    if not math.isnan(found.chance):
        chance = (
            f"; coders who place as many boundaries at random would reach {number(found.chance)}"
        )
    headings = [HeadCell("coefficient"), HeadCell("value", True)]
    return (
        f"<p>Observed agreement, {name(by)} over all pairs of coders and documents together "
        f"(micro-average): {number(found.observed)}{chance}.</p>"
        + table("Agreement among people", headings, rows, "coefficients", sortable=False)
        + notes(_about_intervals({label: ci for label, (_, ci) in listed.items()}))
    )


def _over_coders(found: Agreement) -> dict[str, tuple[float, Interval]]:
    """Corrected agreement again, with its interval over coders, if the other interval is over
    documents."""
    other = found.over_coders
    if math.isnan(other.low) or other[:2] == found.corrected_ci[:2]:
        return {}
    return {f"corrected, for other coders, by {found.metric.name}": (found.corrected, other)}


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


def _groups(found: Agreement) -> str:
    if not found.groups:
        return ""
    rows = [
        [
            BodyCell(name(group), group),
            BodyCell(number(agreement.observed), agreement.observed),
            cell_with_interval(agreement.corrected, *agreement.corrected_ci[:2]),
            BodyCell(str(agreement.basis.n_documents), agreement.basis.n_documents),
        ]
        for group, agreement in found.groups.items()
    ]
    headings = [
        HeadCell("group"), HeadCell("observed", True), HeadCell("corrected", True),
        HeadCell("documents", True),
    ]  # fmt: skip
    return "<h3>Groups of documents</h3>" + table("Agreement by group", headings, rows)


# ---- coders ----


def _matrix(corpus: Corpus, found: Agreement, subject: Subject) -> str:
    _needs_one_name(corpus, "there is no table of them across documents")
    result = pairwise(corpus, found.metric, on_undefined="nan")
    cells = result.by_coders()
    coders = result.coders
    if len(coders) > MOST_CODERS:
        raise SegmentationError(
            f"{len(coders)} coders are too many for a matrix on a page: expected at most "
            f"{MOST_CODERS}; the table matrix of segscore agree has them all"
        )
    if len(coders) < 3:
        raise SegmentationError("two coders are one pair: see the observed agreement above")
    known = [float(cell) for cell in cells.ravel() if not math.isnan(cell)]
    low, high = min(known, default=0.0), max(known, default=1.0)
    rows = [
        [
            BodyCell(name(coder, 24), coder, about=subject.about(coder)),
            *(
                _shade(float(cell), low, high)._replace(about=subject.about(other))
                for cell, other in zip(cells[i], coders, strict=True)
            ),
        ]
        for i, coder in enumerate(coders)
    ]
    headings = [
        HeadCell("coder"),
        *(HeadCell(name(coder, 12), True, about=subject.about(coder)) for coder in coders),
    ]
    metric = name(found.metric.name)
    words = (
        f'<p class="small">Mean {metric} of each pair of coders, in which each document counts the '
        "same (macro-average); the stronger the colour, the more alike.</p>"
    )
    return words + table(
        "Agreement of each pair of coders", headings, rows, "matrix", sortable=False
    )


def _shade(value: float, low: float, high: float) -> BodyCell:
    if math.isnan(value):
        return BodyCell(NOTHING)
    share = (value - low) / (high - low) if high > low else 0.5
    return BodyCell(number(value, 2), value, f"shade-{round(5 * share)}")


def _needs_one_name(corpus: Corpus, why: str) -> None:
    if corpus.coder_scope == "local" and len(corpus) > 1:
        raise SegmentationError(f"Coder names are local to each document, so {why}")


def _deviation(corpus: Corpus, subject: Subject) -> str:
    deviation = subject.deviation
    symbol = SYMBOLS[deviation.coefficient]
    placed = boundaries_per_coder(corpus)
    habits = {coder.coder: coder for coder in placed.coders}
    rows = [
        [
            BodyCell(name(coder.name), coder.name, about=subject.about(coder.name)),
            BodyCell(number(coder.without), coder.without),
            cell_with_interval(coder.drop, coder.ci.low, coder.ci.high),
            *_habit(habits.get(coder.name)),
        ]
        for coder in deviation.coders
    ]
    headings = [
        HeadCell("coder"), HeadCell(f"{symbol} without them", True),
        HeadCell("drop because of them", True), HeadCell("documents", True),
        HeadCell("boundaries", True, "descending"),
    ]  # fmt: skip
    words = (
        '<p class="small">Each person left out in turn. Listed first: whoever lowers agreement '
        "most. "
        "The drop is how much agreement loses because of them; below 0 they raise it; an interval "
        "that includes 0 shows no difference. "
        "Boundaries, and in brackets per possible position, in the documents that they coded. "
        f"{name(placed.reading, 1000)}</p>"
    )
    return words + table("Each person left out", headings, rows)


def _habit(habit: Any) -> Iterator[BodyCell]:
    if habit is None:
        return iter([BodyCell(NOTHING)] * 2)
    return iter(
        [
            BodyCell(f"{habit.n_documents:,}", habit.n_documents),
            BodyCell(
                f"{habit.n_boundaries:,} <small>({number(habit.density)})</small>", habit.density
            ),
        ]
    )
