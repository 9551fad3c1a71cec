"""The first section: what was compared, the table with its intervals, what the numbers allow."""

from collections.abc import Iterator

from segscore.comparison import Comparison
from segscore.comparison.comparison_entries import Entry as Standing
from segscore.pages import summary_sentences as sentences
from segscore.pages.html_markup import (
    NOTHING,
    UNTICKED,
    Bar,
    BodyCell,
    HeadCell,
    cell_with_interval,
    count,
    interval,
    more,
    name,
    notes,
    number,
    table,
)
from segscore.pages.people import contested_sentences
from segscore.pages.subject import Subject

_BESIDE = {"baseline": "baselines", "human": "people"}


def overview(subject: Subject) -> str:
    """The section as HTML."""
    parts = [_facts(subject), _hurry(subject)]
    comparison = subject.comparison
    if comparison is not None:
        parts += [_systems(comparison, subject), UNTICKED, _letters(comparison)]
        if comparison.warnings:
            parts.append(f"<h3>Please note</h3>{notes(comparison.warnings, 'warnings')}")
        if comparison.pairs:
            parts.append(
                more("Each pair of systems, tested", _pairs(comparison, subject), printed=True)
            )
    return "".join(parts)


def _facts(subject: Subject) -> str:
    """What there is, in numbers; and what is left out."""
    items = "".join(
        f"<li><b>{value:,}</b> {what}{'' if value == 1 else 's'}</li>"
        for value, what in _counts(subject)
    )
    left = ""
    if subject.left_out:
        left = (
            f'<p class="left-out">This page holds {subject.why_these}; '
            f"{count(subject.left_out, 'document')} are left out. All numbers of this section and "
            "all pictures are about all of them; units are counted in those that are here.</p>"
        )
    return f'<ul class="facts">{items}</ul>{left}\n'


def _counts(subject: Subject) -> Iterator[tuple[int, str]]:
    """How many documents, units, people and systems there are."""
    known = subject.comparison.n_documents if subject.comparison else 0
    documents = known or len(subject.documents) + subject.left_out
    yield documents, "document"
    if subject.documents:
        yield sum(one.n_units for one in subject.documents), "unit"
    people = sum(kind == "person" for kind in subject.names.values())
    systems = len(subject.comparison.systems) if subject.comparison else 0
    if subject.people is not None and subject.people.coder_scope == "local":
        yield subject.people.n_codings, "coding"  # who is who is not known across documents
    elif people:
        yield people, "reference" if systems and people == 1 else "coder"
    if systems:
        yield systems, "system"


def _hurry(subject: Subject) -> str:
    said = []
    if subject.comparison:
        about = sentences.about_systems(subject.comparison)
        there = (sentences.differing(subject, metric) for metric in subject.comparison.metrics)
        said = [one + where for one, where in zip(about, there, strict=True)]
    if subject.agreement:
        said.append(sentences.about_people(subject.agreement) + contested_sentences(subject))
    return "".join(f'<p class="hurry">{one}</p>\n' for one in said)


# ---- the table ----


def _systems(comparison: Comparison, subject: Subject) -> str:
    headings = [HeadCell("system")]
    scales = {}
    for metric in comparison.metrics:
        better = comparison.higher_is_better[metric]
        arrow = "higher is better" if better else "lower is better"
        words = sentences.metric_words(metric)
        headings.append(
            HeadCell(
                f"{name(metric)} <small>{words}{', ' if words else ''}"
                f"{'↑' if better else '↓'} {arrow}</small>",
                True,
                "ascending" if better else "descending",
            )
        )
        found = [comparison[one, metric] for one in comparison.rows]
        scales[metric] = Bar.over(
            value for one in found for value in (one.value, one.low, one.high)
        )
    rows = (_row(comparison, one, scales, subject) for one in comparison.rows)
    return table(f"Systems{_scale(comparison)}", headings, rows, "systems")


def _scale(comparison: Comparison) -> str:
    """What stands beside the systems, in words."""
    kinds = {one.kind for one in comparison.entries}
    beside = [word for kind, word in _BESIDE.items() if kind in kinds]
    return f", with {' and '.join(beside)} as the scale" if beside else ""


def _row(
    comparison: Comparison, who: str, scales: dict[str, Bar], subject: Subject
) -> list[BodyCell]:
    found = [comparison[who, metric] for metric in comparison.metrics]
    kind = found[0].kind
    tag = "" if kind == "system" else f' <small class="kind">{kind}</small>'
    runs = (
        f" <small>{found[0].n_runs} runs</small>"
        if kind == "system" and found[0].n_runs > 1
        else ""
    )
    rows = subject.about(who) if kind == "system" else ""
    first = BodyCell(name(who) + tag + runs, who, kind, rows)
    return [first, *(_value(one, scales) for one in found)]


def _value(one: Standing, scales: dict[str, Bar]) -> BodyCell:
    letters = f"<sup>{one.letters}</sup>" if one.letters else ""
    ends = interval(one.low, one.high)
    bar = scales[one.metric].draw(one.value, one.low, one.high, one.kind)
    spread = (
        f" <small>± {number(one.sd)} over runs</small>"
        if one.sd is not None and one.kind == "system"
        else ""
    )
    best = "best" if one.rank == 1 and one.kind == "system" else ""
    return BodyCell(
        f'<span class="value">{number(one.value)}{letters}</span>{bar}'
        f'<span class="interval">{ends}</span>{spread}',
        one.value,
        " ".join(filter(None, (best, one.kind))),
    )


def _letters(comparison: Comparison) -> str:
    tested = any(one.letters for one in comparison.entries)
    letters = "Systems that share a letter do not differ significantly. " if tested else ""
    return f'<p class="small">{letters}{name(comparison.describe(), 1000)}</p>\n'


def _pairs(comparison: Comparison, subject: Subject) -> str:
    headings = [
        HeadCell("metric"), HeadCell("systems"), HeadCell("difference", True, "descending"),
        HeadCell("p, corrected", True), HeadCell("significant"),
        HeadCell("wins, ties, losses", True, "descending"),
    ]  # fmt: skip
    rows = [
        [
            BodyCell(name(one.metric), one.metric, "", subject.about(one.a, one.b)),
            BodyCell(f"{name(one.a)} − {name(one.b)}", f"{one.a} {one.b}"),
            cell_with_interval(one.difference, one.low, one.high)._replace(
                value=abs(one.difference)
            ),
            BodyCell(_p(one.p_corrected), one.p_corrected),
            BodyCell("yes" if one.significant else "no", str(one.significant)),
            BodyCell(
                NOTHING if one.wins is None else f"{one.wins}, {one.ties}, {one.losses}",
                float(one.wins or 0),
            ),
        ]
        for one in comparison.pairs
    ]
    return table("Pairs of systems", headings, rows)


def _p(value: float) -> str:
    return "&lt; 0.001" if value < 0.001 else number(value)
