"""The verdict at the top of a page about people: who lowers agreement, how much is contested."""

from segscore.coders.habits import boundaries_per_coder
from segscore.coders.leaving_out import Competitor
from segscore.coders.places import ContestedPlaces
from segscore.errors import SegmentationError
from segscore.pages.html_markup import interval, name, names, number
from segscore.pages.subject import Subject

MOST_NAMED = 6


def verdict(subject: Subject) -> str:
    """One line as HTML; it names only people whose interval lies above 0."""
    if subject.people is None:
        return ""
    places = subject.contested
    parts = _who_lowers(subject), _who_stands_out(subject), f"contested: {_how_many(places)}"
    said = "; ".join(filter(None, parts))
    return f'<p class="verdict-line">{said[0].upper()}{said[1:]}.</p>\n'


def _who_lowers(subject: Subject) -> str:
    """Those who lower agreement, the strongest first; "" where nobody can be left out."""
    try:
        found = subject.deviation.coders
    except SegmentationError:  # local names, two people: the section on agreement says why
        return ""
    lower = [one for one in found if one.ci.low > 0]
    if not lower:
        return "nobody clearly lowers agreement"
    listed = names([one.name for one in lower[:MOST_NAMED]])
    more = f" and {len(lower) - MOST_NAMED} more" if len(lower) > MOST_NAMED else ""
    verb = "lowers" if len(lower) == 1 else "lower"
    return f"{listed}{more} {verb} agreement ({_by(lower)})"


def _who_stands_out(subject: Subject) -> str:
    """Those who mark far more or far fewer boundaries than the others."""
    corpus = subject.people
    if corpus is None or (corpus.coder_scope == "local" and len(corpus) > 1):
        return ""
    found = boundaries_per_coder(corpus).outliers[:MOST_NAMED]
    said = (f"{name(one.coder)} marks {one.ratio:.1f} times as many boundaries" for one in found)
    return ", ".join(said) + " as the others" if found else ""


def _by(lower: list[Competitor]) -> str:
    """By how much: of one with its interval, of several each."""
    if len(lower) == 1:
        one = lower[0]
        return f"by {number(one.drop)} {interval(*one.ci[:2])}"
    return f"by {', '.join(number(one.drop) for one in lower[:MOST_NAMED])}"


def _how_many(places: ContestedPlaces) -> str:
    if not places.n_all:
        return "nothing"
    words = f"{places.n_all:,} place{'' if places.n_all == 1 else 's'}"
    return (
        f"{words}, {places.n_alone:,} of them marked by one coder alone"
        if places.n_alone
        else words
    )
