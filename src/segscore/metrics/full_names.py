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
HIERARCHICAL = "e-"


def metric_words(metric: str) -> str:
    """The full name of a metric, whatever its parameters; "" if it is not known.

    >>> metric_words("b(n_t=3)"), metric_words("e-pk"), metric_words("none")
    ('boundary similarity B', 'Pk error over all levels', '')
    """
    short = metric.split("(", 1)[0].strip()
    if short.startswith(HIERARCHICAL):
        inner = WORDS.get(short.removeprefix(HIERARCHICAL), "")
        return f"{inner} over all levels" if inner else ""
    return WORDS.get(short, "")


def metric_meaning(name: str) -> str:
    """The full name of a metric or of a part of one; "" for what is none.

    >>> metric_meaning("f1(tolerance=1)"), metric_meaning("b.recall"), metric_meaning("document")
    ('F1 of boundaries', 'recall, a part of boundary similarity B', '')
    """
    whole = metric_words(name)
    if whole and ")." not in name and "." not in name.partition("(")[0]:
        return whole
    metric, _, part = name.rpartition(".")
    words = metric_words(metric)
    return f"{part}, a part of {words}" if words else ""
