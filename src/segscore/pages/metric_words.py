"""What a metric is called in full, for readers who do not know its short name."""

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
