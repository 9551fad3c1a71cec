"""Section 4 of Carroll (2010): articles of Wikipedia. Neither the 66 articles nor the outputs of
the systems are available, so that none of these numbers can be computed."""

from collections.abc import Iterator

from segscore.papers.published import PublishedNumber, unavailable

PRINTED_IN_FIGURE_3 = {  # E_WD, wrap: hierarchical, linear reference, linear hypothesis; mean, ±
    "HC99": ((45.1, 1.4), (42.5, 1.7), (49.0, 0.4)),
    "HCWM": ((43.9, 1.5), (42.1, 1.8), (49.0, 0.5)),
    "HBT": ((41.0, 1.5), (41.9, 1.5), (42.3, 1.3)),
    "GBEM": ((40.6, 1.1), (38.4, 1.5), (41.2, 1.0)),
    "BIN": ((51.4, 0.9), (50.0, 1.0), (50.0, 0.3)),
    "NONE": ((49.8, 0.3), (50.0, 0.5), (49.9, 0.3)),
}
KINDS = ("hierarchical", "linear reference", "linear hypothesis")
ARTICLES = "the 66 articles of Wikipedia"
OUTPUTS = f"{ARTICLES}, and the systems' outputs on them"
IN_THE_TEXT = {
    "articles": (66, ARTICLES),
    "depth of headings": (4, ARTICLES),
    "boundaries inside a text, reference": (22, ARTICLES),
    "boundaries inside a text, HBT": (13, OUTPUTS),
    "boundaries inside a text, GBEM": (22, OUTPUTS),
    "boundaries inside a text, HC99 and HCWM": (54, OUTPUTS),
    "p of HBT, hierarchical against linear reference": (0.1, OUTPUTS),
    "p of lexical systems against 50 %, below": (0.0001, OUTPUTS),
    "p of HC99, HCWM and GBEM, hierarchical against linear reference, below": (0.0001, OUTPUTS),
    "p of all four, hierarchical against linear hypothesis, below": (0.0001, OUTPUTS),
}


def _figure_3() -> Iterator[PublishedNumber]:
    for system, columns in PRINTED_IN_FIGURE_3.items():
        needed = ARTICLES if system in ("BIN", "NONE") else OUTPUTS
        for kind, (mean, half) in zip(KINDS, columns, strict=True):
            yield unavailable(f"fig. 3, {system}, {kind}", mean, needed)
            yield unavailable(f"fig. 3, {system}, {kind}, ±", half, needed)


CELLS = [
    *_figure_3(),
    *(
        unavailable(f"section 4, {what}", value, need)
        for what, (value, need) in IN_THE_TEXT.items()
    ),
]
