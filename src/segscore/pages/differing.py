"""Where systems differ most: the documents to look at first."""

import math

from segscore.pages.html_markup import link, name
from segscore.pages.subject import Subject

MOST = 3  # documents that are named


def differing(subject: Subject, metric: str) -> str:
    """A sentence with links to the documents whose values lie farthest apart; "" for none.

    A link opens the document and sorts the list by the spread under this metric.
    """
    comparison = subject.comparison
    if comparison is None or len(comparison.systems) < 2 or len(subject.documents) < 2:
        return ""
    values = comparison.values(metric)
    columns = zip(*(values[one] for one in comparison.systems), strict=True)
    spreads = dict(zip(comparison.documents, map(_spread, columns), strict=True))
    held = [one.name for one in subject.documents if spreads.get(one.name, 0) > 0]
    worst = sorted(held, key=lambda one: -spreads[one])[:MOST]
    links = [link(one, name(one, 40), metric=metric, sort="-spread") for one in worst]
    if not links:
        return ""
    most = f"{', '.join(links[:-1])} and {links[-1]}" if links[1:] else links[0]
    return f" Systems differ most in {'documents' if links[1:] else 'document'} {most}."


def _spread(values: tuple[float, ...]) -> float:
    known = [float(one) for one in values if not math.isnan(one)]
    return max(known) - min(known) if len(known) > 1 else 0.0
