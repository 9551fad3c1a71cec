"""What random coders reach, drawn coder by coder and pair by pair with NumPy."""

from collections.abc import Iterator
from itertools import combinations

import numpy as np

import segscore as ss

Codings = dict[str, dict[str, ss.Segmentation]]  # by document and coder


def drawn(one: ss.Segmentation, null: str, rng: np.random.Generator) -> ss.Segmentation:
    """A coding with the same number of boundaries, or the same segments in another order."""
    places = np.arange(1, one.n_units) if one.candidates is None else one.candidates
    if null == "positions":
        chosen = np.sort(rng.choice(places, len(one.boundaries), replace=False))
    else:
        ends = np.searchsorted(places, one.boundaries) + 1
        lengths = np.diff([0, *ends, len(places) + 1])
        chosen = places[np.cumsum(rng.permutation(lengths))[:-1] - 1]
    types = None
    if one.types is not None:
        types = [one.types[i] for i in rng.permutation(len(one.types))]
    return ss.Segmentation.from_boundaries(
        chosen, one.n_units, types=types, candidates=one.candidates
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
            name: {coder: drawn(one, null, rng) for coder, one in document.items()}
            for name, document in codings.items()
        }


def observed(codings: Codings, metric: ss.Metric) -> float:
    return float(metric.values(_statistics(codings, metric)[np.newaxis])[0])


def expected(
    codings: Codings, metric: ss.Metric, null: str, draws: int = 200, seed: int = 0
) -> float:
    """The value of the mean statistics of random coders."""
    statistics = [_statistics(one, metric) for one in _random_coders(codings, null, draws, seed)]
    return float(metric.values(np.mean(statistics, axis=0)[np.newaxis])[0])


def corrected(observed: float, expected: float) -> float:
    return (observed - expected) / (1 - expected)
