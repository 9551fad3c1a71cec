# mypy: disable-error-code="no-untyped-call, import-untyped"
"""Segmenters and their peers in one run, on documents of 1,000, 5,000 and 20,000 sentences.

- from text: TextTiling here and in NLTK, C99;
- from vectors: the best 50 segments by the cosine to their mean, here (`dp`) and in ruptures
  (KernelCPD with the cosine kernel finds the same optimum); Binseg of ruptures on the same cost,
  which is greedy; blocks compared as TextTiling does;
- scikit-learn's cosine of all pairs, what anything quadratic costs at least.
What would take more than a minute is not run; its time is estimated from the size before it.
"""

import time
from collections.abc import Callable, Sequence
from importlib.metadata import version
from typing import Any

import numpy as np
import ruptures
from nltk.tokenize.texttiling import TextTilingTokenizer
from sklearn.metrics.pairwise import cosine_similarity

from benchmarks.segmenters import document
from benchmarks.timing import print_table, times
from segscore.segmenters import C99, EmbeddingSegmenter, TextTiling
from segscore.segmenters.preprocessing import ENGLISH

SIZES = (1_000, 5_000, 20_000)
SEGMENTS = 50
LIMIT = 60.0  # seconds that one call may take
NLTK_SIZES = (100, 250, 500)
NLTK_TIMES = 20.0  # how many times faster we must be


def vectors(n_units: int, width: int = 64) -> np.ndarray:
    """A direction per ten units, and noise."""
    rng = np.random.default_rng(0)
    topics = rng.normal(size=(n_units // 10, width))
    return np.repeat(topics, 10, axis=0) + 0.8 * rng.normal(size=(n_units, width))


def seconds(task: Callable[[], Any]) -> float:
    """Seconds of one call; the best of three if it is short."""
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        task()
        best = min(best, time.perf_counter() - start)
        if best > 1:
            break
    return best


def curve(
    make: Callable[[int], Callable[[], Any]], sizes: Sequence[int]
) -> list[tuple[float, bool]]:
    """Seconds for each size, and whether they are estimated: cost grows at most with the square,
    or as it grew last."""
    found: list[tuple[float, bool]] = []
    for index, size in enumerate(sizes):
        if found:
            last, step = found[-1][0], size / sizes[index - 1]
            power = 2.0
            if index > 1:
                power = np.log(last / found[-2][0]) / np.log(sizes[index - 1] / sizes[index - 2])
            expected = last * step ** max(power, 2.0)
            if expected > LIMIT or found[-1][1]:
                found.append((expected, True))
                continue
        found.append((seconds(make(size)), False))
    return found


def shown(entry: tuple[float, bool]) -> str:
    """A time; in brackets if it is estimated."""
    value = f"{entry[0]:.3f} s" if entry[0] < 10 else f"{entry[0]:,.0f} s"
    return f"({value})" if entry[1] else value


def from_text(segmenter: Callable[[list[str]], Any]) -> Callable[[int], Callable[[], Any]]:
    """A segmenter of ours, over invented sentences; stems are cached, as in any corpus."""

    def make(size: int) -> Callable[[], Any]:
        units = document(size)
        segmenter(units[:500])
        return lambda: segmenter(units)

    return make


def from_vectors(cut: Callable[[np.ndarray], Any]) -> Callable[[int], Callable[[], Any]]:
    """Anything that takes vectors."""

    def make(size: int) -> Callable[[], Any]:
        given = vectors(size)
        return lambda: cut(given)

    return make


def embedding(given: np.ndarray, method: Any, n_segments: int | None) -> Any:
    """Our segmenter, with an encoder that costs nothing."""
    segmenter = EmbeddingSegmenter(lambda _: given, method=method)
    return segmenter([""] * len(given), n_segments=n_segments)


def nltk_texttiling(units: list[str]) -> Any:
    """NLTK's, with a paragraph per sentence; w and k are its defaults and ours."""
    text = "\n\n".join(" ".join(unit.split()) + "." for unit in units)
    return TextTilingTokenizer(stopwords=sorted(ENGLISH)).tokenize(text)


def against_nltk() -> None:
    """TextTiling, as far as NLTK's can be waited for."""
    ours, theirs = (
        curve(from_text(TextTiling()), NLTK_SIZES),
        curve(from_text(nltk_texttiling), NLTK_SIZES),
    )
    rows = [
        [f"{size:,} sentences", shown(own), shown(other), times(other[0] / own[0])]
        for size, own, other in zip(NLTK_SIZES, ours, theirs, strict=True)
    ]
    columns = ["document", "segscore", f"NLTK {version('nltk')}", "NLTK / segscore"]
    print_table("TextTiling", columns, rows)
    ratio = theirs[-1][0] / ours[-1][0]
    assert ratio > NLTK_TIMES, f"TextTiling is only {ratio:.1f} times as fast as NLTK's"


def curves() -> None:
    """Every method at every size."""
    cost = f"ruptures {version('ruptures')}"
    cases: dict[str, Callable[[int], Callable[[], Any]]] = {
        "TextTiling, from text": from_text(TextTiling()),
        "C99, from text": from_text(C99()),
        "blocks of vectors": from_vectors(lambda given: embedding(given, "tiling", None)),
        "best 50 segments of vectors": from_vectors(lambda given: embedding(given, "dp", SEGMENTS)),
        f"{cost}, KernelCPD, the same": from_vectors(
            lambda given: (
                ruptures.KernelCPD(kernel="cosine", min_size=1)
                .fit(given)
                .predict(n_bkps=SEGMENTS - 1)
            )
        ),
        f"{cost}, Binseg, every fifth place": from_vectors(
            lambda given: (
                ruptures.Binseg(model="cosine", min_size=1, jump=5)
                .fit(given)
                .predict(n_bkps=SEGMENTS - 1)
            )
        ),
        f"scikit-learn {version('scikit-learn')}, cosine of all pairs": from_vectors(
            lambda given: cosine_similarity(given.astype(np.float32))
        ),
    }
    rows = [[name, *map(shown, curve(make, SIZES))] for name, make in cases.items()]
    columns = ["method", *(f"{size:,} sentences" for size in SIZES)]
    print_table("Segmenters by the length of the document", columns, rows)


def run() -> None:
    """All cases."""
    against_nltk()
    curves()
