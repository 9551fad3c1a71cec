"""The page for one person: totals, habit, each document, and what differs, place by place."""

from itertools import groupby

from segscore.coders.person_feedback import VERDICTS, Feedback, JudgedPlace
from segscore.errors import number_of
from segscore.pages.html_markup import (
    BodyCell,
    HeadCell,
    link,
    more,
    name,
    notes,
    number,
    strong,
    table,
)

MOST_PLACES = 500
AT_ONCE = 3  # documents whose places are open
_AROUND = 110  # characters of a unit beside a boundary
_NEAR = {"earlier": "too early", "later": "too late"}
_CUT = '<b class="cut" aria-hidden="true">¦</b>'


def feedback_overview(found: Feedback, held: set[str]) -> str:
    """Totals in words, and a table by document; documents that the page holds are links."""
    sentences = [
        f"{strong(found.coder)}, compared with {name(found.reference)}. {name(found.totals, 1000)}"
    ]
    if found.habit:
        sentences.append(f"Habit: <b>{name(found.habit, 300)}</b>.")
    return (
        "".join(f'<p class="hurry">{sentence}</p>\n' for sentence in sentences)
        + _documents(found, held)
        + notes(found.notes)
    )


def _documents(found: Feedback, held: set[str]) -> str:
    headings = [
        HeadCell("document"), HeadCell("reference", True, "descending"),
        HeadCell("marked", True, "descending"),
        *(HeadCell(verdict, True, "descending") for verdict in VERDICTS),
        HeadCell("matched", True),
    ]  # fmt: skip
    rows = []
    for document in found.documents:
        sizes = len(document.reference.boundaries), len(document.marked.boundaries)
        label = name(document.name)
        first = BodyCell(
            link(document.name, label) if document.name in held else label, document.name
        )
        rows.append([first, *_cells(*sizes, [document.count(verdict) for verdict in VERDICTS])])
    return table("By document", headings, rows, "feedback")


def _cells(reference: int, marked: int, counts: list[int]) -> list[BodyCell]:
    share = counts[0] / reference if reference else float("nan")
    numbers = [BodyCell(f"{count:,}", count) for count in (reference, marked, *counts)]
    return [*numbers, BodyCell(number(share, 2), share)]


def feedback_places(found: Feedback, held: set[str]) -> str:
    """Near misses, missed and extra boundaries, document by document, with the text around."""
    places = [place for place in found.places if place.verdict != "match"]
    if not places:
        return "<p>Nothing differs.</p>\n"
    listed = places[:MOST_PLACES]
    parts = []
    for i, (document, group) in enumerate(groupby(listed, key=lambda place: place.document)):
        judged = list(group)
        items = "".join(f"<li>{_place(place, held)}</li>\n" for place in judged)
        inside = f'<ul class="places">{items}</ul>\n'
        heading = f"{name(document)}: {number_of(len(judged), 'place')}"
        parts.append(f"<h3>{heading}</h3>\n{inside}" if i < AT_ONCE else more(heading, inside))
    left = len(places) - len(listed)
    if left:
        parts.append(
            f'<p class="small">{number_of(left, "place")} more: the table places has '
            "them all.</p>\n"
        )
    return "".join(parts)


def _place(place: JudgedPlace, held: set[str]) -> str:
    label = f"after unit {place.position:,}"
    where = link(place.document, label, at=place.position) if place.document in held else label
    verdict = _NEAR.get(place.verdict, place.verdict)
    beside = f" (marked after unit {place.marked:,})" if place.distance else ""
    look = "near" if place.verdict in _NEAR else place.verdict
    return f'<span class="verdict {look}">{verdict}</span> {where}{beside}{_text(place)}'


def _text(place: JudgedPlace) -> str:
    if place.before is None or place.after is None:
        return ""
    before, after = (" ".join(text.split()) for text in (place.before, place.after))
    before = f"…{before[-_AROUND:]}" if len(before) > _AROUND else before
    after = f"{after[:_AROUND]}…" if len(after) > _AROUND else after
    return (
        f'<span class="around"><span dir="auto">{name(before, 500)}</span>{_CUT}'
        f'<span dir="auto">{name(after, 500)}</span></span>'
    )
