"""Contested places: how many there are, and the most contested ones, each with its text."""

from itertools import takewhile

from segscore.basics.arguments import LARGEST
from segscore.coders.differences import ContestedPlace, contested
from segscore.corpus.corpus import Corpus
from segscore.pages.html_markup import link, more, name
from segscore.pages.subject import Subject

MOST_PLACES = 50
AT_ONCE = 10  # places; the rest is there for those who open it
IN_A_HURRY = 3
_AROUND = 110  # characters of text beside a contested place


def contested_section(subject: Subject, corpus: Corpus) -> str:
    """All that are listed, as HTML; what is not listed is counted."""
    places = contested(corpus, LARGEST)
    if not places:
        return "<h3>Contested places</h3><p>Nobody contradicts anybody: there are none.</p>"
    held = {one.name for one in subject.documents}
    listed = places[:MOST_PLACES]
    items = [f"<li>{_place(one, one.document in held)}</li>\n" for one in listed]
    first, rest = items[:AT_ONCE], items[AT_ONCE:]
    later = f'<ol class="places" start="{AT_ONCE + 1}">{"".join(rest)}</ol>'
    shown = f"{len(listed)} of {len(places):,} are listed" if len(places) > len(listed) else ""
    return (
        "<h3>Contested places</h3>\n"
        f'<p class="small">{_how_many(places)} {_split_alike(places)} The most even splits come '
        "first; of equal ones, those with more coders, then in the order of the documents.</p>\n"
        f'<ol class="places">{"".join(first)}</ol>\n'
        + (more(f"{len(rest)} more{f' ({shown})' if shown else ''}", later) if rest else "")
    )


def contested_sentences(subject: Subject) -> str:
    """How many there are, with links to the first."""
    places = contested(subject.people, LARGEST) if subject.people is not None else []
    held = {one.name for one in subject.documents}
    links = [
        link(
            one.document, f"{name(one.document, 40)}, after unit {one.position:,}", at=one.position
        )
        for one in places[:IN_A_HURRY]
        if one.document in held
    ]
    if not links:
        return ""
    which = "First in the list" if len(_equals(places)) > len(links) else "Most contested"
    return f" {_how_many(places)} {_split_alike(places)} {which}: {'; '.join(links)}."


def _how_many(places: list[ContestedPlace]) -> str:
    one = len(places) == 1
    return (
        f"{len(places):,} {'place is' if one else 'places are'} contested: some coders mark "
        f"{'it' if one else 'them'}, some do not."
    )


def _equals(places: list[ContestedPlace]) -> list[ContestedPlace]:
    """The first and those that are split as evenly."""
    return list(takewhile(lambda one: one.imbalance == places[0].imbalance, places))


def _split_alike(places: list[ContestedPlace]) -> str:
    equal = len(_equals(places))
    is_ = "is" if equal == 1 else "are"
    if places[0].imbalance == 0:
        return f"{equal:,} {is_} split exactly in half."
    most = f"{places[0].n_marks} of {places[0].n_coders}"
    return f"None is split exactly in half; {equal:,} {is_} as near to it as {most}."


def _place(one: ContestedPlace, held: bool) -> str:
    label = f"{name(one.document)}, after unit {one.position:,}"
    where = link(one.document, label, at=one.position) if held else label
    votes = f'<span class="votes">{one.n_marks} of {one.n_coders} mark it</span>'
    if one.before is None or one.after is None:
        return f"{where} {votes}"
    before, after = " ".join(one.before.split()), " ".join(one.after.split())
    before = f"…{before[-_AROUND:]}" if len(before) > _AROUND else before
    after = f"{after[:_AROUND]}…" if len(after) > _AROUND else after
    return (
        f'{where} {votes}<span class="around"><span dir="auto">{name(before, 500)}</span>'
        '<b class="cut" aria-hidden="true">¦</b>'
        f'<span dir="auto">{name(after, 500)}</span></span>'
    )
