"""The corpus of Kazantseva & Szpakowicz (2012), what people agree on, and table 2.

Chapter 20 with the paragraph that the data does not have: only so are there 53.85 paragraphs per
chapter, as printed. Fig. 3 shows the share of people who support each marked position, exactly or
within half a window, or a window; cells are what the text says about it.
"""

from collections.abc import Iterator
from functools import partial

import numpy as np

from segscore.basics.arguments import Floats
from segscore.coders.support import support
from segscore.metrics import MultiWindowDiff
from segscore.papers.corpora import moonstone, moonstone_corpus, moonstone_repaired
from segscore.papers.published import (
    COUNT,
    PublishedNumber,
    Run,
    Tolerance,
    printed,
    unavailable,
)

NEEDS = ("moonstone",)


# ---- people, paragraphs, segments ----


def n_chapters(run: Run) -> float:
    """How many chapters were coded."""
    return len(run.shared(moonstone))


def group_sizes(run: Run) -> list[int]:
    """People in each group, most first: as many as coded the chapter that most of it coded."""
    corpus = moonstone_corpus(run.shared(moonstone))
    sizes = (max(len(corpus[name]) for name in names) for names in corpus.groups.values())
    return sorted(sizes, reverse=True)


def n_annotators(run: Run) -> float:
    """How many people coded."""
    return sum(group_sizes(run))


def paragraphs(run: Run) -> Floats:
    """Paragraphs of each chapter."""
    chapters = run.shared(moonstone_repaired).values()
    return np.array([next(iter(codings.values())).n_units for codings in chapters])


def segment_lengths(run: Run) -> Floats:
    """Paragraphs of each segment of each person."""
    chapters = run.shared(moonstone_repaired).values()
    return np.concatenate([one.masses for codings in chapters for one in codings.values()])


def episodes(run: Run) -> Floats:
    """Segments of each coding."""
    chapters = run.shared(moonstone_repaired).values()
    return np.array([one.n_segments for codings in chapters for one in codings.values()])


def _sd(values: Floats) -> float:
    return float(values.std(ddof=1))


def segments_of_annotator(number: int, run: Run) -> float:
    """Segments of a person in chapter 1 (fig. 2)."""
    return list(run.shared(moonstone)[1].values())[number - 1].n_segments


# ---- support ----


def supports(run: Run) -> dict[str, Floats]:
    """The share of people who support each marked position, by how near they have to be."""
    shares: dict[str, list[float]] = {"exact": [], "half a window": [], "a window": []}
    for codings in run.shared(moonstone_repaired).values():
        k = MultiWindowDiff().window_size(list(codings.values()))
        for name, within in zip(shares, (0, k // 2, k), strict=True):
            shares[name] += dict(support(codings.values(), within=within)).values()
    return {name: np.array(found) for name, found in shares.items()}


def quantile(near: str, share: float, run: Run) -> float:
    """A quantile of support over positions, in per cent."""
    return float(100 * np.quantile(run.shared(supports)[near], share))


def supported_by_half(run: Run) -> float:
    """Positions that at least half of the people support, near ones included, in per cent."""
    return float(100 * (run.shared(supports)["half a window"] >= 0.5).mean())


def supported_exactly_by_half(run: Run) -> float:
    """The same share, of all marks, near ones not included."""
    shares: list[float] = []
    for codings in run.shared(moonstone_repaired).values():
        found = dict(support(codings.values()))
        shares += [found[int(at)] for one in codings.values() for at in one.boundaries]
    return float(100 * (np.array(shares) >= 0.5).mean())


def below_thirty(run: Run) -> float:
    """Positions that less than 30 % support within half a window, in per cent."""
    return float(100 * (run.shared(supports)["half a window"] < 0.3).mean())


def holds(near: str, share: float, least: float, most: float, run: Run) -> float:
    """1 if a quantile of support lies between two percentages, 0 if not."""
    return float(least <= quantile(near, share, run) <= most)


# ---- table 2: the outputs are not available ----

PRINTED_IN_TABLE_2 = {  # APS, BayesSeg, MinCutSeg, Random
    "WD, at least 50 %": (0.60, 0.66, 0.73, 0.73),
    "WD, at least 30 %": (0.61, 0.52, 0.69, 0.61),
    "WD, union": (0.6, 0.53, 0.63, 0.65),
    "WD, annotator 1": (0.66, 0.57, 0.74, 0.76),
    "WD, annotator 4": (0.62, 0.7, 0.69, 0.74),
    "WD, annotator 2": (0.61, 0.6, 0.66, 0.69),
    "multWinDiff": (0.23, 0.28, 0.31, 0.41),
}
SYSTEMS = ("APS", "BayesSeg", "MinCutSeg", "Random")
OUTPUTS = "the outputs of the segmenters (what ours do stands below)"


def _cell(
    item: str, published: float, compute: object, tolerance: Tolerance, note: str = "",
    comes_out: bool = True,
) -> PublishedNumber:  # fmt: skip
    assert callable(compute)  # noqa: S101
    return PublishedNumber(item, published, compute, tolerance, note, NEEDS, holds=comes_out)


def _statistics() -> Iterator[PublishedNumber]:
    two = printed(2)
    yield _cell("abstract, chapters", 20, n_chapters, COUNT)
    yield _cell("abstract, annotators", 27, n_annotators, COUNT)
    for number, size in enumerate((6, 6, 6, 5, 4)):
        yield _cell(
            f"text, people in group {number + 1} by size",
            size,
            lambda run, number=number: group_sizes(run)[number],
            COUNT,
        )
    yield _cell(
        "text, paragraphs per chapter, mean", 53.85, lambda r: float(paragraphs(r).mean()), two
    )
    yield _cell("text, paragraphs per chapter, sd", 29.31, lambda r: _sd(paragraphs(r)), two)
    yield _cell(
        "text, paragraphs per segment, mean", 9.25, lambda r: float(segment_lengths(r).mean()), two,
        ".02 more: 5821 paragraphs in 628 segments", comes_out=False,
    )  # fmt: skip
    yield _cell("text, paragraphs per segment, sd", 9.77, lambda r: _sd(segment_lengths(r)), two)
    yield _cell(
        "text, episodes per chapter, mean", 5.80, lambda r: float(episodes(r).mean()), two,
        ".01 more: 628 segments in 108 codings", comes_out=False,
    )  # fmt: skip
    yield _cell(
        "text, episodes per chapter, sd", 2.45, lambda r: _sd(episodes(r)), two,
        "over codings; over the means of 27 people it is 2.43", comes_out=False,
    )  # fmt: skip
    for number, segments in enumerate((2, 5, 2, 4), 1):
        yield _cell(
            f"fig. 2, segments of annotator {number}", segments,
            partial(segments_of_annotator, number), COUNT,
        )  # fmt: skip


def _support() -> Iterator[PublishedNumber]:
    whole, one = printed(0), "1: it holds"
    yield _cell(
        "intro, shifts that half of the annotators support, per cent", 50, supported_by_half, whole,
        "within half a window; exactly the same place: half of all marks, of positions a quarter",
        comes_out=False,
    )  # fmt: skip
    for item, near, share, least, most in (
        ("exact, half of the boundaries by at most 25 %", "exact", 0.5, 0, 25),
        ("exact, at most a quarter by more than 50 %", "exact", 0.75, 0, 50),
        ("a window, half of the boundaries by more than 70 %", "a window", 0.5, 70, 100),
    ):
        yield _cell(f"fig. 3, {item}", 1, partial(holds, near, share, least, most), COUNT, one)
    near = "six or fewer people, so that support comes in steps of 17 % and more"
    yield _cell(
        "fig. 3, half a window, first quartile", 35, partial(quantile, "half a window", 0.25),
        whole, near, comes_out=False,
    )  # fmt: skip
    yield _cell(
        "fig. 3, half a window, third quartile", 80, partial(quantile, "half a window", 0.75),
        whole, near, comes_out=False,
    )  # fmt: skip
    yield _cell(
        "fig. 3, half a window, boundaries below 30 %, per cent", 25, below_thirty, whole, near,
        comes_out=False,
    )  # fmt: skip


def _no_data() -> Iterator[PublishedNumber]:
    times = "the times that the annotators took"
    yield unavailable("text, minutes per annotator, mean", 137.9, times)
    yield unavailable("text, minutes per annotator, sd", 98.32, times)
    yield unavailable("text, people hired", 30, "the study's own records")
    yield unavailable("text, dollars", 50, "the study's own records")
    for row, values in PRINTED_IN_TABLE_2.items():
        for system, value in zip(SYSTEMS, values, strict=True):
            yield unavailable(f"table 2, {row}, {system}", value, OUTPUTS)


CELLS = [*_statistics(), *_support(), *_no_data()]
