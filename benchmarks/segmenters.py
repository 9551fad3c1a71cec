"""Segmenters: seconds at N = 500 units, and how they grow; Choi's documents in one call."""

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

import segscore as ss
from benchmarks.timing import best_of, print_table, times
from segscore.segmenters import (
    APS,
    C99,
    BayesSeg,
    EmbeddingSegmenter,
    GreedyBayes,
    HierBayes,
    MinCutSeg,
    TextTiling,
    UtiyamaIsahara,
)
from segscore.segmenters.workers import segment_all

CHOI_LIMIT = 30.0  # seconds for the 700 documents, on two cores
LIMITS = {  # seconds for 500 units
    "C99": 0.3,
    "BayesSeg": 1.5,
    "MinCutSeg, 50 segments": 1.0,
    "APS": 3.0,
}
LECTURES_LIMIT = 60.0  # seconds for the 19 AI lectures by BayesSeg, MinCutSeg and APS
HIER_BAYES_LIMIT = 120.0  # seconds for 300 units and 3 levels


def document(n_units: int, seed: int = 0) -> list[str]:
    """Sentences of twenty invented words; each ten sentences prefer words of their own."""
    rng = np.random.default_rng(seed)
    letters = np.array(list("bcdfglmnprstvz"))
    words = ["".join(rng.choice(letters, 3)) + "a" for _ in range(3000)]
    units = []
    for index in range(n_units):
        topic = (index // 10 * 37) % 2800
        common, own = rng.integers(0, 3000, 14), topic + rng.integers(0, 60, 6)
        units.append(" ".join(words[i] for i in (*common, *own)))
    return units


def growth() -> None:
    """One document, and one of twice its length."""
    rng = np.random.default_rng(0)
    vectors = rng.normal(size=(1000, 384))

    def encode(units: list[str]) -> object:
        return vectors[: len(units)]

    segmenters: dict[str, Callable[..., ss.Segmentation]] = {
        "C99": C99(),
        "TextTiling": TextTiling(),
        "Utiyama-Isahara": UtiyamaIsahara(),
        "embeddings, dp": EmbeddingSegmenter(encode),
        "BayesSeg": BayesSeg(),
        "BayesSeg, 50 segments": partial(BayesSeg(), n_segments=50),
        "BayesSeg, learned prior": BayesSeg(learn=True),
        "GreedyBayes": GreedyBayes(),
        "MinCutSeg, 50 segments": partial(MinCutSeg(), n_segments=50),
        "APS": APS(),
        "APS, 50 segments": partial(APS(), n_segments=50),
    }
    short, long = document(500), document(1000)
    rows = []
    for name, segmenter in segmenters.items():
        segmenter(long)  # stems are cached, as in any corpus
        once, twice = best_of(3, partial(segmenter, short), partial(segmenter, long))
        rows.append([name, f"{once:.3f} s", times(twice / once)])
        if name in LIMITS:
            assert once < LIMITS[name], f"{name} took {once:.3f} s for 500 units"
    print_table("One document of 500 units", ["segmenter", "time", "of 1000 units"], rows)


def levels() -> None:
    """Segments within segments: the time of HierBayes, and its estimate."""
    rows = []
    for n_units in (150, 300, 600):
        units, segmenter = document(n_units), HierBayes()
        start = time.perf_counter()
        segmenter(units)
        seconds = time.perf_counter() - start
        expected = segmenter.expected_seconds(units)
        rows.append([f"{n_units} units", f"{seconds:.1f} s", f"{expected:.1f} s"])
        if n_units == 300:
            assert seconds < HIER_BAYES_LIMIT, f"HierBayes took {seconds:.0f} s for 300 units"
    print_table("HierBayes, 3 levels", ["document", "time", "estimate"], rows)


def corpus_folder(name: str) -> Path | None:
    """Where a corpus is on this machine; says how to get it if it is not here."""
    try:
        return ss.datasets.find(name)
    except ss.SegmentationError as error:
        print(f"\n{error}")
        return None


def choi() -> None:
    """All documents of Choi (2000), if they are on this machine."""
    folder = corpus_folder("choi")
    if folder is None:
        return
    tasks = [
        (
            f"{part.parent.name}/{part.name}/{name}",
            document.units,
            document["reference"].n_segments,
        )
        for part in sorted(folder.glob("*/*/"))
        for name, document in ss.read(part, format="choi").items()
        if document.units is not None
    ]
    rows = []
    for workers in (1, 2):
        start = time.perf_counter()
        done = list(segment_all(C99(), tasks, workers))
        seconds = time.perf_counter() - start
        rows.append([f"{len(done)} documents, {workers} processes", f"{seconds:.1f} s"])
    print_table("C99 on Choi's documents", ["what", "time"], rows)
    assert seconds < CHOI_LIMIT, f"two processes took {seconds:.1f} s"


def lectures() -> None:
    """The 19 AI lectures of Malioutov & Barzilay (2006), if they are on this machine; one core."""
    folder = corpus_folder("lectures_ai")
    if folder is None:
        return
    corpus = ss.read(folder / "manual", format="choi")
    documents = [
        (list(document.units or ()), document["reference"].n_segments)
        for document in corpus.values()
    ]
    segmenters: dict[str, Callable[..., ss.Segmentation]] = {
        "BayesSeg": BayesSeg(),
        "MinCutSeg": MinCutSeg(),
        "APS": lambda units, n_segments: APS()(units),  # noqa: ARG005  it finds the number
    }
    rows, total = [], 0.0
    for name, segmenter in segmenters.items():
        start = time.perf_counter()
        for units, n_segments in documents:
            segmenter(units, n_segments)
        seconds = time.perf_counter() - start
        total += seconds
        rows.append([name, f"{seconds:.1f} s"])
    print_table(f"{len(documents)} AI lectures", ["segmenter", "time"], rows)
    assert total < LECTURES_LIMIT, f"the lectures took {total:.0f} s"


def run() -> None:
    """All cases."""
    growth()
    levels()
    choi()
    lectures()
