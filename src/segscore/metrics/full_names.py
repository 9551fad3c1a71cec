"""Full names of metrics, for readers who do not know them by their short ones."""

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
    "titles": "similarity of titles",
    "misplaced-units": "units in the wrong segment",
    "r-fn": "Pk error from missed boundaries",
    "r-fp": "Pk error from extra boundaries",
    "l-measure": "L-measure of levels",
    "t-measure": "T-measure of levels",
    "v-measure": "V-measure of labels",
    "f1@10": "F1 of segments that overlap by 10 %",
    "f1@25": "F1 of segments that overlap by 25 %",
    "f1@50": "F1 of segments that overlap by 50 %",
    "mapped-mof": "share of units with the right label, labels mapped first",
    "count-mae": "difference in the number of segments",
}
_ZERO = "0 is perfect, lower is better"
_ONE = "1 is perfect, higher is better"
READINGS = {
    "pk": f"the share of windows in which one side has a boundary and the other none; {_ZERO}",
    "pk-prime": f"Pk in which a window with an extra boundary counts twice; {_ZERO}",
    "windowdiff": f"the share of windows in which both sides have not the same number of "
    f"boundaries; {_ZERO}",
    "winpr": f"precision and recall of boundaries, counted in windows, so that a near miss counts "
    f"in part; {_ONE}",
    "f1": f"precision and recall of boundaries at the same position; a near miss counts as missed "
    f"and extra, unless a tolerance is given; {_ONE}",
    "s": f"one minus the edits per possible position, where positions without a boundary count as "
    f"agreement, so that values are high; {_ONE}",
    "b": f"the share of boundaries of either side that match; a near miss counts as half (n_t 2), "
    f"a missed or an extra boundary as 0; {_ONE}",
    "cseg": f"the expected cost of misses and false alarms; {_ZERO}",
    "pd": f"how often two units share a segment on one side only; {_ZERO}",
    "ghd": f"the least cost of turning the hypothesis into the reference; {_ZERO}",
    "rand": f"the share of pairs of units on which both sides agree, together or apart; {_ONE}",
    "ari": f"corrected so that 0 is chance; {_ONE}",
    "covering": f"how well the best segment of the hypothesis covers each of the reference; {_ONE}",
    "deviation": f"the median distance in units, both ways; {_ZERO}",
    "hausdorff": f"the largest distance from a boundary to the nearest one of the other side; "
    f"{_ZERO}",
    "multwindowdiff": f"between the best and the worst value that all references allow; {_ZERO}",
    "multf1": f"precision by all references together, recall by each; {_ONE}",
    "segment-f1": f"segments that overlap enough count as found; {_ONE}",
    "purity-coverage": f"purity falls with missed boundaries, coverage with extra ones; {_ONE}",
    "count-mae": f"the mean difference in the number of segments, wherever they are; {_ZERO}",
}
"""How to read a metric: what is counted, what a near miss counts, what is best."""
HIERARCHICAL = "e-"


def metric_words(metric: str) -> str:
    """The full name of a metric, whatever its parameters; "" if it is not known.

    >>> metric_words("b(n_t=3)"), metric_words("e-pk"), metric_words("none")
    ('boundary similarity B', 'Pk error over all levels', '')
    """
    short = metric.split("(", 1)[0].strip().casefold()
    if short.startswith(HIERARCHICAL):
        inner = WORDS.get(short.removeprefix(HIERARCHICAL), "")
        return f"{inner} over all levels" if inner else ""
    return WORDS.get(short, "")


def metric_meaning(name: str) -> str:
    """The full name of a metric, or of a part of it, and how to read it; "" for any other name.

    >>> metric_meaning("ari(adjusted=yes)")
    'adjusted Rand index: corrected so that 0 is chance; 1 is perfect, higher is better'
    >>> metric_meaning("b.recall"), metric_meaning("document")
    ('recall, a part of boundary similarity B', '')
    """
    whole = metric_words(name)
    if whole and ")." not in name and "." not in name.partition("(")[0]:
        short = name.partition("(")[0].strip().casefold()
        reading = READINGS.get({"wd": "windowdiff"}.get(short, short), "")
        return f"{whole}: {reading}" if reading else whole
    metric, _, part = name.rpartition(".")
    words = metric_words(metric)
    return f"{part}, a part of {words}" if words else ""
