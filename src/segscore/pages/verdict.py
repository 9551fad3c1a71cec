"""The verdict at the top of a page about people: who lowers agreement, how much is contested."""

from segscore.coders.agreement_verdict import how_many_contested, who_lowers, who_stands_out
from segscore.coders.habits import boundaries_per_coder
from segscore.errors import SegmentationError
from segscore.pages.html_markup import IN_HTML
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
