"""Contested places on the page: how many, which first, who marks what, and the text around."""

from collections.abc import Iterable, Iterator
from itertools import groupby, pairwise, takewhile
from operator import itemgetter

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


# ---- what coders said while they coded ----

Remark = tuple[str, str | None]  # the coder, and the comment; None: they were unsure


def _remarks(corpus: Corpus | None) -> dict[tuple[str, int], list[Remark]]:
    """Comments and doubts of coders, by document and position, in order."""
    found: dict[tuple[str, int], list[Remark]] = {}
    for document in corpus.values() if corpus is not None else ():
        said = [
            (position, coder, text)
            for coder, annotation in document.annotations.items()
            for position, text in (*((p, None) for p in annotation.unsure), *annotation.comments)
        ]
        for position, coder, text in sorted(said, key=itemgetter(0)):
            found.setdefault((document.name, position), []).append((coder, text))
    return found


def remark_counts(subject: Subject) -> str:
    """A sentence on how many comments and doubts there are; "" if there are none."""
    remarks = [said for several in _remarks(subject.people).values() for _, said in several]
    unsure = remarks.count(None)
    parts = [f"left {number_of(len(remarks) - unsure, 'comment')}"] * (len(remarks) > unsure)
    parts += [f"marked {number_of(unsure, 'place')} as unsure"] * bool(unsure)
    return f" Coders {' and '.join(parts)} (listed below)." if parts else ""


def remark_section(subject: Subject, corpus: Corpus) -> str:
    """All that coders said, in the order of the documents, with the text."""
    remarks = _remarks(corpus)
    if not remarks:
        return ""
    held = {document.name for document in subject.documents}
    inside = []
    for (document, position), several in remarks.items():
        label = f"{name(document, 40)}, after unit {position:,}"
        where = link(document, label, at=position) if document in held else label
        said = "".join(
            f'<span class="remark"><b>{name(coder, 24)}</b> {" ".join(_said(own))}</span>'
            for coder, own in groupby(several, key=itemgetter(0))
        )
        inside.append(f"{where}{said}{_around(corpus[document].units, [position])}")
    return f"<h3>Comments and doubts of coders</h3>\n{_folded(inside, len(remarks))}"


def _said(remarks: Iterable[Remark]) -> Iterator[str]:
    for _, one in remarks:
        yield "<i>unsure</i>" if one is None else f'<span dir="auto">{name(one, len(one))}</span>'


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
    held = {document.name for document in subject.documents}
    return _folded([_item(place, corpus, held) for place in places[:MOST_PLACES]], len(places))


def _folded(inside: list[str], n_all: int) -> str:
    """A numbered list; a long list is folded, and what is not listed is counted."""
    items = [f"<li>{item}</li>\n" for item in inside]
    first, rest = items[:AT_ONCE], items[AT_ONCE:]
    shown = f'<ol class="places">{"".join(first)}</ol>\n' if first else ""
    if not rest:
        return shown
    left = f" ({len(items)} of {n_all:,} are listed)" if n_all > len(items) else ""
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
    cuts = [alternative.position for alternative in place.alternatives]
    marked_by = "; ".join(
        (f"{alternative.position:,}: " if len(place.alternatives) > 1 else "")
        + ", ".join(name(coder, 24) for coder in alternative.coders)
        for alternative in place.alternatives
    )
    return (
        f'{where} <span class="votes">{place.n_marks} of {place.n_coders}</span> '
        f'<span class="who">{marked_by}</span>{_around(corpus[place.document].units, cuts)}'
    )


def _around(units: Units | None, cuts: list[int]) -> str:
    """The units beside and between positions, with a sign at each."""
    if units is None:
        return ""
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
