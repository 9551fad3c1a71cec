"""Honest corpora of many shapes, by seed: what `ss.check` must not complain about.

`python tests/honest_corpora.py 4000` prints how often each kind of finding is a false alarm. Equal
sides are left out of it: a hypothesis without an error is told on purpose.
"""

import sys
from collections import Counter
from typing import Any

import numpy as np

import segscore as ss
from segscore.checking import check_coders, check_scores, quick_check

Places = list[np.ndarray[Any, Any]]
SHAPES = ("geometric", "uniform", "lognormal", "jittered", "short", "fixed windows", "one text")


def masses(rng: np.random.Generator, shape: str, mean: float, n: int) -> np.ndarray[Any, Any]:
    """The lengths of n segments."""
    if shape == "geometric":
        found = rng.geometric(1 / mean, n)
    elif shape == "lognormal":
        found = mean * rng.lognormal(-0.4, 0.9, n)
    elif shape == "jittered":
        found = mean * rng.uniform(0.8, 1.2, n)
    elif shape == "short":
        found = rng.integers(1, 5, n)
    else:
        found = rng.integers(2, max(3, int(2 * mean)), n)
    return np.maximum(1, found.astype(int))


def references(rng: np.random.Generator, shape: str) -> tuple[Places, list[int]]:
    """Boundaries of each document, and its number of units."""
    n_documents = int(rng.choice([1, 2, 3, 5, 8, 12, 20, 40, 120]))
    mean = float(rng.uniform(2.5, 30))
    segments = float(rng.uniform(1.5, 25))
    window = int(rng.integers(20, 200))
    places, units = [], []
    for _ in range(n_documents):
        ends = np.cumsum(masses(rng, shape, mean, 1 + rng.poisson(segments)))
        n_units = window if shape == "fixed windows" else int(ends[-1])
        places.append(np.unique(ends[ends < n_units]))
        units.append(max(2, n_units))
    return places, units


def errs(rng: np.random.Generator, refs: Places, units: list[int], chunks: bool = True) -> Places:
    """The output of a system: misses, near misses to both sides, boundaries of its own; or, with
    `chunks`, pieces of one size, which people do not make."""
    kind = rng.choice(["errs", "chance", "chunks", "blurred"], p=[0.6, 0.15, 0.1, 0.15])
    kind = "errs" if kind == "chunks" and not chunks else kind
    missed, near, extra = rng.uniform(0, [0.7, 0.5, 0.8])
    size = int(rng.integers(2, 30))
    found = []
    for ref, n_units in zip(refs, units, strict=True):
        if kind == "chunks":
            found.append(np.arange(size, n_units, size))
            continue
        own = rng.integers(1, n_units, rng.poisson(extra * len(ref)))
        kept = ref[rng.random(len(ref)) >= missed]
        if kind == "chance":
            kept, own = kept[:0], rng.integers(1, n_units, rng.poisson(len(ref) + 0.3))
        width = 3 if kind == "blurred" else 1
        moves = rng.integers(-width, width + 1, len(kept)) * (rng.random(len(kept)) < near)
        moved = np.concatenate([kept + moves, own])
        found.append(np.unique(moved[(moved >= 1) & (moved < n_units)]).astype(int))
    return found


def honest(seed: int) -> tuple[list[ss.Segmentation], list[ss.Segmentation]]:
    """References and hypotheses with which nothing is wrong."""
    rng = np.random.default_rng(seed)
    shape = SHAPES[seed % len(SHAPES)]
    refs, units = references(rng, shape)
    hyps = errs(rng, refs, units)
    if shape == "one text":  # by several people, each of them against each other one
        coders = [refs[0], *(errs(rng, refs[:1], units[:1])[0] for _ in range(4))]
        pairs = [(a, b) for a in range(5) for b in range(5) if a != b]
        refs, hyps = [coders[a] for a, _ in pairs], [coders[b] for _, b in pairs]
        units = [units[0]] * len(pairs)
    return made(refs, units), made(hyps, units)


def made(places: Places, units: list[int]) -> list[ss.Segmentation]:
    """Segmentations."""
    return [
        ss.Segmentation.from_boundaries(boundaries, n)
        for boundaries, n in zip(places, units, strict=True)
    ]


def corpus(seed: int, documents: int, segments: int = 8, mean: int = 8) -> tuple[Places, list[int]]:
    """Boundaries of documents with segments of 2 to 2·mean − 2 units, and their units."""
    rng = np.random.default_rng(seed)
    ends = [
        np.cumsum(rng.integers(2, 2 * mean - 1, segments + rng.integers(-2, 3)))
        for _ in range(documents)
    ]
    return [places[:-1] for places in ends], [int(places[-1]) for places in ends]


def system(refs: Places, units: list[int], seed: int = 1, found: float = 0.6) -> Places:
    """Hypotheses that find this share of the boundaries, and have as many of their own as they
    miss."""
    rng = np.random.default_rng(seed)
    made_up = []
    for ref, n_units in zip(refs, units, strict=True):
        kept = ref[rng.random(len(ref)) < found]
        own = rng.integers(1, n_units, len(ref) - len(kept))
        made_up.append(np.union1d(kept, own).astype(int))
    return made_up


def honest_scores(seed: int) -> tuple[list[ss.Segmentation], list[ss.ScoredBoundaries]]:
    """References, and scores that are noise, smooth noise, or more or less right."""
    rng = np.random.default_rng(seed)
    refs, units = references(rng, SHAPES[seed % 6])
    signal = float(rng.choice([0, 0, 0.2, 1.0, 3.0]))
    smooth = float(rng.choice([0, 0.5, 0.9]))
    scores = []
    for ref, n_units in zip(refs, units, strict=True):
        noise = rng.normal(size=n_units - 1)
        for i in range(1, len(noise)):
            noise[i] += smooth * noise[i - 1]
        peak = np.zeros(n_units - 1)
        peak[ref - 1] = 1
        if rng.random() < 0.5:  # a blurred peak
            peak = peak + 0.7 * (np.roll(peak, 1) + np.roll(peak, -1))
        scores.append(ss.ScoredBoundaries(noise + signal * peak))
    return made(refs, units), scores


def honest_coders(seed: int) -> ss.Corpus:
    """People who agree more or less, with habits of their own."""
    rng = np.random.default_rng(seed)
    refs, units = references(rng, SHAPES[seed % 6])
    people = [errs(rng, refs, units, chunks=False) for _ in range(int(rng.integers(2, 6)))]
    return ss.Corpus.from_dict(
        {
            f"d{i}": {f"p{number}": ss.Segmentation.from_boundaries(places[i], n)
                      for number, places in enumerate(people)}
            for i, n in enumerate(units)
        }
    )  # fmt: skip


def false_alarms(n: int, first: int = 0) -> dict[str, float]:
    """The share of honest corpora in which each kind is found."""
    found: Counter[str] = Counter()
    for seed in range(first, first + n):
        refs, hyps = honest(seed)
        kinds = {finding.kind for finding in ss.check(refs, hyps)}
        kinds |= {finding.kind for finding in quick_check(ss.Pairs.from_segmentations(refs, hyps))}
        kinds |= {finding.kind for finding in check_coders(honest_coders(seed))}
        scored = honest_scores(seed)
        names = [str(i) for i in range(len(scored[0]))]
        kinds |= {finding.kind for finding in check_scores(list(zip(*scored, strict=True)), names)}
        if "equal-sides" in kinds and all(a == b for a, b in zip(refs, hyps, strict=True)):
            kinds.discard("equal-sides")
        found.update(kinds)
    return {kind: count / n for kind, count in found.most_common()}


if __name__ == "__main__":
    for name, rate in false_alarms(*map(int, sys.argv[1:])).items():
        sys.stdout.write(f"{rate:8.2%} {name}\n")
