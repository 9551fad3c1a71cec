"""The first section: what was compared, the table with its intervals, and what follows from the
numbers.

Its sentences explain the numbers, where to look first, and what a metric means.
"""

import math
from collections.abc import Iterator

from segscore.coders.agreement_summary import (
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
from segscore.comparison.comparison_entries import Entry
from segscore.errors import SegmentationError, number_of
from segscore.metrics.full_names import metric_words
from segscore.pages.feedback_page import feedback_overview
from segscore.pages.html_markup import (
    IN_HTML,
    NOTHING,
    UNTICKED,
    BodyCell,
    HeadCell,
    bar,
    cell_with_interval,
    interval,
    link,
    more,
    name,
    notes,
    number,
    scale_over,
    table,
)
from segscore.pages.place_list import contested_sentences, remark_counts
from segscore.pages.subject import Subject


def verdict(subject: Subject) -> str:
    """The verdict as a line of HTML; it names only people whose interval lies above 0."""
    if subject.people is None:
        return ""
    contested = f"contested: {how_many_contested(subject.contested)}"
    sentence = "; ".join(filter(None, (_who_lowers(subject), _who_stands_out(subject), contested)))
    return f'<p class="verdict-line">{sentence[0].upper()}{sentence[1:]}.</p>\n'


def _who_lowers(subject: Subject) -> str:
    """The people who lower agreement; "" if no person can be left out."""
    try:
        return who_lowers(subject.deviation.coders, IN_HTML)
    except SegmentationError:  # local names, two people: the section on agreement says why
        return ""


def _who_stands_out(subject: Subject) -> str:
    corpus = subject.people
    if corpus is None or (corpus.coder_scope == "local" and len(corpus) > 1):
        return ""
    return who_stands_out(boundaries_per_coder(corpus).outliers, IN_HTML)


_PLURALS = {"boundary of the reference": "boundaries of the reference"}
_BESIDE = {"baseline": "baselines", "human": "people"}


def overview(subject: Subject) -> str:
    """The section as HTML."""
    if subject.feedback is not None:
        held = {document.name for document in subject.documents}
        return _facts(subject) + feedback_overview(subject.feedback, held)
    comparison = subject.comparison
    if comparison is None:
        parts = [_answer(subject), verdict(subject), _hurry(subject), _facts(subject)]
    else:
        parts = [_facts(subject), _hurry(subject)]
        parts += [_systems(comparison, subject), UNTICKED, _letters(comparison)]
        if comparison.warnings:
            parts.append(f"<h3>Please note</h3>{notes(comparison.warnings, 'warnings')}")
        parts += _failed(comparison)
        if comparison.pairs:
            parts.append(more("Each pair of systems, tested", _pairs(comparison, subject)))
    return "".join(parts)


def _failed(comparison: Comparison) -> Iterator[str]:
    """All documents without a segmentation, with their reasons, for each system."""
    for system, failures in comparison.failures.items():
        reasons = [f"{document}: {why}" for document, why in failures.reasons.items()]
        if reasons:
            what = f"{number_of(len(reasons), 'document')} without a segmentation"
            yield more(f"{name(system)}: {what}", notes(reasons))


def _facts(subject: Subject) -> str:
    """The numbers of documents, people and systems, and what is left out."""
    items = "".join(
        f"<li><b>{value:,}</b> {what if value == 1 else _PLURALS.get(what, f'{what}s')}</li>"
        for value, what in _counts(subject)
    )
    left = ""
    if subject.left_out:
        left = (
            f'<p class="left-out">This page holds {subject.why_these}; '
            f"{number_of(subject.left_out, 'document')} are left out. All numbers of this section "
            "and all pictures are about all of them; units are counted in those that are here.</p>"
        )
    return f'<ul class="facts">{items}</ul>{left}\n'


def _counts(subject: Subject) -> Iterator[tuple[int, str]]:
    """How many documents, units, people and systems there are."""
    known = subject.comparison.n_documents if subject.comparison else 0
    documents = known or len(subject.documents) + subject.left_out
    yield documents, "document"
    if subject.documents:
        yield sum(document.n_units for document in subject.documents), "unit"
    if subject.feedback is not None:
        yield subject.feedback.n_reference, "boundary of the reference"
        return
    people = sum(kind == "person" for kind in subject.names.values())
    systems = len(subject.comparison.systems) if subject.comparison else 0
    if subject.people is not None and subject.people.coder_scope == "local":
        yield subject.people.n_codings, "coding"  # who is who is not known across documents
    elif people:
        yield people, "reference" if systems and people == 1 else "coder"
    if systems:
        yield systems, "system"


def _answer(subject: Subject) -> str:
    """How well people agree, with the interval, in large letters, and what the number is."""
    found = subject.agreement
    if found is None:
        return ""
    known = not math.isnan(found.corrected)
    value, what = (found.corrected, "Corrected") if known else (found.observed, "Observed")
    ends = interval(*found.corrected_ci[:2]) if known else ""
    both = ", without an interval" if known else ""  # why stands among the coefficients
    if ends:
        both = f", with its {100 * found.corrected_ci.level:g} % interval"
    scale = f"0 = chance, 1 = complete.{maybe_chance(found)}" if known else how_well(found, IN_HTML)
    return (
        f'<p class="answer"><b>{number(value)}</b> <span>{ends}</span></p>\n'
        f'<p class="hurry">{what} agreement by {_metric(found)}{both}: {scale}</p>\n'
    )


def _hurry(subject: Subject) -> str:
    paragraphs = []
    if subject.comparison:
        about = about_systems(subject.comparison)
        there = (differing(subject, metric) for metric in subject.comparison.metrics)
        paragraphs = [paragraph + where for paragraph, where in zip(about, there, strict=True)]
    if subject.agreement:
        people = about_people(subject.agreement) if subject.comparison else ""
        paragraphs.append((people + contested_sentences(subject) + remark_counts(subject)).strip())
    return "".join(f'<p class="hurry">{paragraph}</p>\n' for paragraph in paragraphs if paragraph)


# ---- the table ----


def _systems(comparison: Comparison, subject: Subject) -> str:
    headings = [HeadCell("system")]
    scales = {}
    for metric in comparison.metrics:
        better = comparison.higher_is_better[metric]
        arrow = "higher is better" if better else "lower is better"
        words = metric_words(metric)
        headings.append(
            HeadCell(
                f"{name(metric)} <small>{words}{', ' if words else ''}"
                f"{'↑' if better else '↓'} {arrow}</small>",
                True,
                "ascending" if better else "descending",
            )
        )
        found = [comparison[row, metric] for row in comparison.rows]
        scales[metric] = scale_over(
            value for entry in found for value in (entry.value, entry.low, entry.high)
        )
    headings += _about_numbers(comparison)
    rows = (_row(comparison, row, scales, subject) for row in comparison.rows)
    return table(f"Systems{_scale(comparison)}", headings, rows, "systems")


def _scale(comparison: Comparison) -> str:
    """The baselines and people beside the systems, in words."""
    kinds = {entry.kind for entry in comparison.entries}
    beside = [word for kind, word in _BESIDE.items() if kind in kinds]
    return f", with {' and '.join(beside)} as the scale" if beside else ""


def _row(
    comparison: Comparison, row: str, scales: dict[str, tuple[float, float]], subject: Subject
) -> list[BodyCell]:
    found = [comparison[row, metric] for metric in comparison.metrics]
    kind = found[0].kind
    tag = "" if kind == "system" else f' <small class="kind">{kind}</small>'
    runs = (
        f" <small>{found[0].n_runs} runs</small>"
        if kind == "system" and found[0].n_runs > 1
        else ""
    )
    rows = subject.about(row) if kind == "system" else ""
    first = BodyCell(name(row) + tag + runs, row, kind, rows)
    values = [_value(entry, scales) for entry in found]
    return [first, *values, *_numbers_of(comparison, found[0])]


def _about_numbers(comparison: Comparison) -> list[HeadCell]:
    """Columns with the basis of the numbers: boundaries, where they are known, and missing
    outputs."""
    cells = []
    if all(ratio is not None for ratio in comparison.ratios.values()):
        words = "boundaries for each of the references"
        cells.append(HeadCell(f"ratio <small>{words}</small>", True))
    if comparison.failures:
        cells.append(HeadCell("failed <small>documents without a segmentation</small>", True))
    return cells


def _numbers_of(comparison: Comparison, entry: Entry) -> list[BodyCell]:
    cells = []
    ratio = comparison.ratios[entry.system]
    if all(ratio is not None for ratio in comparison.ratios.values()):
        shown = "–" if ratio is None or math.isnan(ratio) else f"{ratio:.2f}"
        cells.append(BodyCell(shown, ratio, entry.kind))
    if comparison.failures:
        share = entry.n_failed / comparison.n_asked
        failed = f"{entry.n_failed} <small>{100 * share:.3g} %</small>"
        is_system = entry.kind == "system"
        cells.append(BodyCell(failed if is_system else "", entry.n_failed, entry.kind))
    return cells


def _value(entry: Entry, scales: dict[str, tuple[float, float]]) -> BodyCell:
    letters = f"<sup>{entry.letters}</sup>" if entry.letters else ""
    ends = interval(entry.low, entry.high)
    drawn = bar(scales[entry.metric], entry.value, entry.low, entry.high, entry.kind)
    spread = (
        f" <small>± {number(entry.sd)} over runs</small>"
        if entry.sd is not None and entry.kind == "system"
        else ""
    )
    best = "best" if entry.rank == 1 and entry.kind == "system" else ""
    return BodyCell(
        f'<span class="value">{number(entry.value)}{letters}</span>{drawn}'
        f'<span class="interval">{ends}</span>{spread}',
        entry.value,
        " ".join(filter(None, (best, entry.kind))),
    )


def _letters(comparison: Comparison) -> str:
    tested = any(entry.letters for entry in comparison.entries)
    letters = "Systems that share a letter do not differ significantly. " if tested else ""
    words = " ".join([comparison.describe(), *comparison.placing_note])
    return f'<p class="small">{letters}{name(words, 1000)}</p>\n'


def _pairs(comparison: Comparison, subject: Subject) -> str:
    headings = [
        HeadCell("metric"), HeadCell("systems"), HeadCell("difference", True, "descending"),
        HeadCell("p, corrected", True), HeadCell("significant"),
        HeadCell("wins, ties, losses", True, "descending"),
    ]  # fmt: skip
    rows = [
        [
            BodyCell(name(pair.metric), pair.metric, "", subject.about(pair.a, pair.b)),
            BodyCell(f"{name(pair.a)} − {name(pair.b)}", f"{pair.a} {pair.b}"),
            cell_with_interval(pair.difference, pair.low, pair.high)._replace(
                value=abs(pair.difference)
            ),
            BodyCell(_p(pair.p_corrected), pair.p_corrected),
            BodyCell("yes" if pair.significant else "no", str(pair.significant)),
            BodyCell(
                NOTHING if pair.wins is None else f"{pair.wins}, {pair.ties}, {pair.losses}",
                float(pair.wins or 0),
            ),
        ]
        for pair in comparison.pairs
    ]
    return table("Pairs of systems", headings, rows)


def _p(value: float) -> str:
    return "&lt; 0.001" if value < 0.001 else number(value)


# ---- words for people in a hurry ----


def about_systems(comparison: Comparison) -> Iterator[str]:
    """The conclusion under each metric, as HTML."""
    for claim in claims(comparison):
        alone = claim.best if claim.n_systems == 1 else None
        beside = _beside_scale(comparison, alone) if alone is not None else ""
        yield sentence([claim], IN_HTML) + beside


def _beside_scale(comparison: Comparison, entry: Entry) -> str:
    """The values of baselines and people, beside a single system."""
    others = [row for row in comparison.rows if row not in comparison.systems]
    if not others:
        return ""
    listed = [f"{name(row)} {number(comparison[row, entry.metric].value)}" for row in others]
    return f" For comparison: {', '.join(listed)}; these are not tested."


def about_people(found: Agreement) -> str:
    """How well people agree."""
    basis = found.basis
    local = found.corpus is not None and found.corpus.coder_scope == "local"
    coders = number_of(basis.n_codings, "coding") if local else number_of(basis.n_coders, "coder")
    counts = f"{coders}, {number_of(basis.n_documents, 'document')}"
    finding = how_well(found, IN_HTML)
    return f"People ({counts}), by {_metric(found)}: {finding[0].lower()}{finding[1:]}"


def _metric(found: Agreement) -> str:
    """The metric, explained if its name does not explain it."""
    known = {"b": "boundary similarity", "s": "segmentation similarity"}
    short = found.metric.name
    full = known.get(short.partition("(")[0])
    return f"{name(short)} ({full})" if full else name(short)


# ---- the documents to look at first ----

MOST = 3  # documents that are named


def differing(subject: Subject, metric: str) -> str:
    """A sentence with links to the documents whose values are farthest apart; "" if there are none.

    A link opens the document and sorts the list by the spread under this metric.
    """
    comparison = subject.comparison
    if comparison is None or len(comparison.systems) < 2 or len(subject.documents) < 2:
        return ""
    values = comparison.values(metric)
    columns = zip(*(values[system] for system in comparison.systems), strict=True)
    spreads = dict(zip(comparison.documents, map(_spread, columns), strict=True))
    held = [document.name for document in subject.documents if spreads.get(document.name, 0) > 0]
    worst = sorted(held, key=lambda document: -spreads[document])[:MOST]
    links = [
        link(document, name(document, 40), metric=metric, sort="-spread") for document in worst
    ]
    if not links:
        return ""
    most = f"{', '.join(links[:-1])} and {links[-1]}" if links[1:] else links[0]
    return f" Systems differ most in {'documents' if links[1:] else 'document'} {most}."


def _spread(values: tuple[float, ...]) -> float:
    known = [float(value) for value in values if not math.isnan(value)]
    return max(known) - min(known) if len(known) > 1 else 0.0
