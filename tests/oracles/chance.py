"""What random coders reach, drawn coder by coder and pair by pair with NumPy."""

from collections.abc import Iterator
from itertools import combinations

import numpy as np

import segscore as ss

Codings = dict[str, dict[str, ss.Segmentation]]  # by document and coder


def drawn(coding: ss.Segmentation, null: str, rng: np.random.Generator) -> ss.Segmentation:
    """A coding with the same number of boundaries, or the same segments in another order."""
    places = np.arange(1, coding.n_units) if coding.candidates is None else coding.candidates
    if null == "positions":
        chosen = np.sort(rng.choice(places, len(coding.boundaries), replace=False))
    else:
        ends = np.searchsorted(places, coding.boundaries) + 1
        lengths = np.diff([0, *ends, len(places) + 1])
        chosen = places[np.cumsum(rng.permutation(lengths))[:-1] - 1]
    types = None
    if coding.types is not None:
        types = [coding.types[i] for i in rng.permutation(len(coding.types))]
    return ss.Segmentation.from_boundaries(
        chosen, coding.n_units, types=types, candidates=coding.candidates
    )


def _statistics(codings: Codings, metric: ss.Metric) -> np.ndarray:
    """The sum over all pairs of coders of all documents."""
    rows = [
        np.asarray(metric.score_pair(a, b)[0])
        for document in codings.values()
        for a, b in combinations(document.values(), 2)
    ]
    return np.sum(rows, axis=0)


def _random_coders(codings: Codings, null: str, draws: int, seed: int) -> Iterator[Codings]:
    rng = np.random.default_rng(seed)
    for _ in range(draws):
        yield {
            name: {coder: drawn(coding, null, rng) for coder, coding in document.items()}
            for name, document in codings.items()
        }


def expected(
    codings: Codings, metric: ss.Metric, null: str, draws: int = 200, seed: int = 0
) -> float:
    """The value of the mean statistics of random coders."""
    statistics = [_statistics(draw, metric) for draw in _random_coders(codings, null, draws, seed)]
    return float(metric.values(np.mean(statistics, axis=0)[np.newaxis])[0])
