"""Contested places on the page: how many, which first, who marks what, and the text around."""

from itertools import pairwise, takewhile

from segscore.coders.places import ContestedPlaces, Place
from segscore.corpus.corpus import Corpus
from segscore.corpus.unit_texts import Units
from segscore.errors import number_of
from segscore.pages.html_markup import link, more, name
from segscore.pages.subject import Subject

MOST_PLACES = 50
AT_ONCE = 10  # places; the rest is there for those who open it
IN_A_HURRY = 3
_AROUND = 110  # characters of a unit beside a contested place
_CUT = '<b class="cut" aria-hidden="true">¦</b>'


def contested_section(subject: Subject, corpus: Corpus) -> str:
    """The listed places as HTML: those that several coders mark, then those that only one coder
    marks. Places that are not listed are counted."""
    places = subject.contested
    if not places:
        return "<h3>Contested places</h3><p>No places are contested.</p>"
    several = places[: places.n_all - places.n_alone]
    order = (
        "The places that divide coders most come first, and among equals those with more coders, "
        "then in the order of the documents."
    )
    return (
        "<h3>Contested places</h3>\n"
        f'<p class="small">{_most_divided(several)}{order}</p>\n'
        f"{_listed(several, corpus, subject)}{_alone(places, corpus, subject)}"
    )


def contested_sentences(subject: Subject) -> str:
    """Sentences with links to the first places."""
    if subject.people is None:
        return ""
    places = subject.contested
    held = {document.name for document in subject.documents}
    links = [
        link(place.document, _called(place), at=place.position)
        for place in places[:IN_A_HURRY]
        if place.document in held
    ]
    if not links:
        return ""
    which = "First in the list of places" if len(_equals(places)) > len(links) else "Most contested"
    return f" {which}: {'; '.join(links)}."


def _equals(places: list[Place]) -> list[Place]:
    """The first place, and those that divide coders as much."""
    return list(takewhile(lambda place: place.concord == places[0].concord, places))


def _most_divided(places: list[Place]) -> str:
    if not places:
        return ""
    equal = len(_equals(places))
    if places[0].concord * 2 == 1 and len(places[0].alternatives) == 1:
        places_are = "One place is" if equal == 1 else f"{equal:,} places are"
        return f"{places_are} split exactly in half. "
    if equal == 1:
        return "One place divides coders most. "
    return f"{equal:,} places divide coders as much as any place does. "


def _listed(places: list[Place], corpus: Corpus, subject: Subject) -> str:
    """A numbered list; a long list is folded."""
    held = {document.name for document in subject.documents}
    items = [f"<li>{_item(place, corpus, held)}</li>\n" for place in places[:MOST_PLACES]]
    first, rest = items[:AT_ONCE], items[AT_ONCE:]
    shown = f'<ol class="places">{"".join(first)}</ol>\n' if first else ""
    if not rest:
        return shown
    left = f" ({len(items)} of {len(places):,} are listed)" if len(places) > len(items) else ""
    later = f'<ol class="places" start="{AT_ONCE + 1}">{"".join(rest)}</ol>'
    return shown + more(f"{len(rest)} more{left}", later)


def _alone(places: ContestedPlaces, corpus: Corpus, subject: Subject) -> str:
    """The places that only one of several coders marks: the number for each coder, and the list."""
    if not places.n_alone:
        return ""
    whose = ", ".join(f"{name(coder)} {number:,}" for coder, number in places.alone.items())
    by = f'<p class="small">By coder: {whose}.</p>\n' if whose else ""
    inside = by + _listed(places[places.n_all - places.n_alone :], corpus, subject)
    return more(f"{number_of(places.n_alone, 'place')} that one coder marks alone", inside)


def _called(place: Place) -> str:
    """The document, and after which units the place is."""
    units = (
        f"unit {place.first:,}"
        if place.first == place.last
        else f"units {place.first:,}–{place.last:,}"
    )
    return f"{name(place.document, 40)}, after {units}"


def _item(place: Place, corpus: Corpus, held: set[str]) -> str:
    """The position of a place, how many coders mark it, who marks what, and the text."""
    label = _called(place)
    where = link(place.document, label, at=place.position) if place.document in held else label
    marked_by = "; ".join(
        (f"{alternative.position:,}: " if len(place.alternatives) > 1 else "")
        + ", ".join(name(coder, 24) for coder in alternative.coders)
        for alternative in place.alternatives
    )
    return (
        f'{where} <span class="votes">{place.n_marks} of {place.n_coders}</span> '
        f'<span class="who">{marked_by}</span>{_text_around(place, corpus[place.document].units)}'
    )


def _text_around(place: Place, units: Units | None) -> str:
    """The units beside and between the alternatives, with a sign at each."""
    if units is None:
        return ""
    cuts = [alternative.position for alternative in place.alternatives]
    ends = [cuts[0] - 1, *cuts, cuts[-1] + 1]
    pieces = [" ".join(" ".join(units[a:b]).split()) for a, b in pairwise(ends)]
    shown = (
        f'<span dir="auto">{name(_piece(piece, i == 0), 500)}</span>'
        for i, piece in enumerate(pieces)
    )
    return f'<span class="around">{_CUT.join(shown)}</span>'


def _piece(text: str, first: bool) -> str:
    """The end of the first piece, the start of the others."""
    if len(text) <= _AROUND:
        return text
    return f"…{text[-_AROUND:]}" if first else f"{text[:_AROUND]}…"
