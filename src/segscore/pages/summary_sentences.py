"""Words for people in a hurry: what the numbers say, where to look first, what a metric is called.

No sentence claims more than the tests allow.
"""

import math
from collections.abc import Iterator

from segscore.coders.coefficients import Agreement
from segscore.comparison import Comparison
from segscore.comparison.comparison_entries import Entry
from segscore.pages.html_markup import count, interval, link, name, names, number, strong
from segscore.pages.subject import Subject


def about_systems(comparison: Comparison) -> Iterator[str]:
    """One sentence per metric, as HTML."""
    for metric in comparison.metrics:
        entries = [comparison[one, metric] for one in comparison.systems]
        yield _about_metric(comparison, metric, entries)


def _about_metric(comparison: Comparison, metric: str, entries: list[Entry]) -> str:
    ranked = sorted((one for one in entries if one.rank is not None), key=lambda one: one.rank or 0)
    by = f"By {name(metric)}"
    if not ranked:
        return f"{by} no system has a value."
    best = ranked[0]
    value = f"{number(best.value)} {interval(best.low, best.high)}".strip()
    if len(entries) == 1:
        return f"{by}, {strong(best.system)} reaches {value}.{_beside_scale(comparison, best)}"
    if all(one.letters is None for one in entries):
        return (
            f"{by}, {strong(best.system)} has the best value, {value}. Nothing could be tested, so "
            "this says nothing about other documents."
        )
    beaten, open_ = _against_best(comparison, metric, best.system)
    if not beaten:
        return (
            f"{by}, {strong(best.system)} has the best value, {value}, but {names(open_)} "
            f"{'does' if len(open_) == 1 else 'do'} not differ from it significantly."
        )
    said = (
        f"{by}, {strong(best.system)} is best, {value}: significantly better than {names(beaten)}"
    )
    return said + (f"; from {names(open_)} it does not differ significantly." if open_ else ".")


def _against_best(comparison: Comparison, metric: str, best: str) -> tuple[list[str], list[str]]:
    """The other systems: those that differ significantly from the best, and those that do not."""
    beaten: list[str] = []
    open_: list[str] = []
    for pair in comparison.pairs:
        if pair.metric == metric and best in (pair.a, pair.b):
            other = pair.b if pair.a == best else pair.a
            (beaten if pair.significant else open_).append(other)
    return beaten, open_


def _beside_scale(comparison: Comparison, entry: Entry) -> str:
    """The values of baselines and people, beside a system that stands alone."""
    others = [one for one in comparison.rows if one not in comparison.systems]
    if not others:
        return ""
    listed = [f"{name(one)} {number(comparison[one, entry.metric].value)}" for one in others]
    return f" For comparison: {', '.join(listed)}; these are not tested."


def about_people(found: Agreement) -> str:
    """How far people agree, from chance to completely."""
    basis = found.basis
    local = found.corpus is not None and found.corpus.coder_scope == "local"
    coders = count(basis.n_codings, "coding") if local else count(basis.n_coders, "coder")
    who = f"{coders}, {count(basis.n_documents, 'document')}"
    if math.isnan(found.corrected):
        return f"People ({who}): observed agreement {number(found.observed)}; " + (
            "what chance would give was not computed."
            if not found.draws
            else "there is no value corrected for chance."
        )
    low, high = found.corrected_ci[:2]
    ends = f" {interval(low, high)}" if interval(low, high) else ""
    said = (
        f"People ({who}) agree <b>{number(found.corrected)}</b>{ends} of the way from chance (0) "
        f"to complete agreement (1): the corrected agreement, by {_metric(found)}."
    )
    if found.corrected <= 0:
        said += " That is no more than chance."
    elif not math.isnan(low) and low <= 0:
        said += " The interval includes 0: this may be no more than chance."
    return said


def _metric(found: Agreement) -> str:
    """The metric, with what it is if its name does not tell."""
    known = {"b": "boundary similarity", "s": "segmentation similarity"}
    short = found.metric.name
    full = known.get(short.partition("(")[0])
    return f"{name(short)} ({full})" if full else name(short)


# ---- the documents to look at first ----

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


# ---- full names of metrics ----

WORDS = {
    "pk": "Pk error",
    "pk-prime": "Pk′ error, extra boundaries count twice",
    "windowdiff": "WindowDiff error",
    "wd": "WindowDiff error",
    "winpr": "WinPR F-measure",
    "f1": "F1 of boundaries",
    "s": "segmentation similarity S",
    "b": "boundary similarity B",
    "cseg": "segmentation cost",
    "pd": "probability of disagreement",
    "ghd": "generalized Hamming distance",
    "rand": "Rand index",
    "ari": "adjusted Rand index",
    "covering": "covering of segments",
    "deviation": "distance to the nearest boundary",
    "hausdorff": "Hausdorff distance",
    "multwindowdiff": "WindowDiff error against all references",
    "multf1": "F1 of boundaries against all references",
    "segment-f1": "F1 of segments",
    "purity-coverage": "F-measure of purity and coverage",
    "pairwise-f": "F-measure of pairs of units with one label",
    "nce": "normalised conditional entropy",
    "mof": "share of units with the right label",
    "label-edit": "edit distance of labels",
}
HIERARCHICAL = "e-"


def metric_words(metric: str) -> str:
    """The full name of a metric, whatever its parameters; "" where its name says it all.

    >>> metric_words("b(n_t=3)"), metric_words("e-pk"), metric_words("v-measure")
    ('boundary similarity B', 'Pk error over all levels', '')
    """
    short = metric.split("(", 1)[0].strip()
    if short.startswith(HIERARCHICAL):
        inner = WORDS.get(short.removeprefix(HIERARCHICAL), "")
        return f"{inner} over all levels" if inner else ""
    return WORDS.get(short, "")
