"""The mean of any metric over tied choices: over all of them if they are few, else over a random
sample.

A level needs the n most prominent boundaries of the hypothesis. Whole ranks are taken; of the next
rank, `wanted` out of its `tied` boundaries are chosen, each set of them equally likely. The levels
and their choices become the rows of one `Pairs`, which the metric scores as it scores any other.
"""

import math
import zlib
from collections.abc import Callable, Iterator
from itertools import combinations, islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from segscore.basics.arguments import Floats, Int64Array
from segscore.corpus.lists import Lists
from segscore.metrics.base import Metric
from segscore.metrics.rank_columns import Ranked
from segscore.pairing.pairs import Pairs

_BATCH = 1 << 20  # boundaries of hypotheses that are scored at once
_ROWS = 1000  # choices of one level that are held at once, if they have no more boundaries than
_CELLS = 1 << 24  # in all


class TiedChoices(NamedTuple):
    """Choices at one level (all, or some of them): the reference, and a hypothesis per choice."""

    level: int
    n_units: int
    ref: Int64Array
    hyps: NDArray[np.int64]  # choices × boundaries, ascending
    drawn: bool  # choices are a draw, not all that there are


def choice_values(
    metric: Metric,
    pairs: Pairs,
    levels: tuple[Ranked, Ranked],
    candidates: tuple[Lists, Lists],
    samples: int,
    seed: int,
    threads: int | None,
) -> tuple[Floats, Floats]:
    """The mean of the metric at each level of ref, and the squared standard error of that mean."""
    n_levels = len(levels[0].sizes)
    found: list[list[Floats]] = [[] for _ in range(n_levels)]
    squared_errors = np.zeros(n_levels)
    means = np.full(n_levels, np.nan)
    batch: list[TiedChoices] = []

    def score_batch() -> None:
        for choices, values in zip(batch, _values(metric, batch, threads), strict=True):
            found[choices.level].append(values)
        batch.clear()

    held = 0
    drawn = np.zeros(n_levels, np.bool_)
    for choices in _all_choices(pairs, levels, candidates, samples, seed):
        batch.append(choices)
        drawn[choices.level] = choices.drawn
        held += choices.hyps.size
        if held > _BATCH:
            score_batch()
            held = 0
    score_batch()
    for level, parts in enumerate(found):
        values = np.concatenate(parts)
        means[level] = values.mean()
        if drawn[level]:
            squared_errors[level] = values.var(ddof=1) / len(values)
    return means, squared_errors


def _values(metric: Metric, batch: list[TiedChoices], threads: int | None) -> list[Floats]:
    """Score all choices of some levels as one batch; a list per level."""
    if not batch:
        return []
    counts = np.array([len(level.hyps) for level in batch])
    ref_sizes = np.repeat([len(level.ref) for level in batch], counts)
    hyp_sizes = np.repeat([level.hyps.shape[1] for level in batch], counts)
    pairs = Pairs(
        np.repeat([level.n_units for level in batch], counts),
        np.concatenate(([0], np.cumsum(ref_sizes))),
        np.concatenate([np.tile(level.ref, len(level.hyps)) for level in batch]),
        np.concatenate(([0], np.cumsum(hyp_sizes))),
        np.concatenate([level.hyps.ravel() for level in batch]),
    )
    return np.split(metric.values(metric.rows(pairs, threads)), np.cumsum(counts)[:-1])


def _all_choices(
    pairs: Pairs,
    levels: tuple[Ranked, Ranked],
    candidates: tuple[Lists, Lists],
    samples: int,
    seed: int,
) -> Iterator[TiedChoices]:
    """The choices at each level of ref, document after document."""
    refs, hyps = levels
    for row in np.unique(refs.rows).tolist():
        n_units = int(pairs.n_units[row])
        r, h = slice(*pairs.ref_offsets[row : row + 2]), slice(*pairs.hyp_offsets[row : row + 2])
        ref, hyp = pairs.ref_positions[r].astype(np.int64), pairs.hyp_positions[h].astype(np.int64)
        # Each document has its own random numbers: its score does not depend on its place.
        content = zlib.crc32(hyp.tobytes(), zlib.crc32(ref.tobytes(), n_units & 0xFFFFFFFF))
        draw = np.random.default_rng([seed, content])
        sizes = hyps.sizes[slice(*hyps.offsets[row : row + 2])]
        for level in range(int(refs.offsets[row]), int(refs.offsets[row + 1])):
            wanted = int(refs.sizes[level])
            whole = int(np.searchsorted(sizes, wanted, side="right"))
            if whole:
                wanted -= int(sizes[whole - 1])
            taken = hyp[hyps.ranks[h] <= whole]
            if whole < len(sizes):
                n_tied, place_of = _listed(hyp[hyps.ranks[h] == whole + 1])
            else:
                n_tied, place_of = _unmarked(
                    n_units, hyp, [_row(candidate, row) for candidate in candidates]
                )
            kept = ref[refs.ranks[r] <= level - refs.offsets[row] + 1]
            wanted = min(wanted, n_tied)
            drawn = not _at_most(n_tied, wanted, samples)
            for chosen in _chosen(draw if drawn else None, n_tied, wanted, samples):
                both = [np.broadcast_to(taken, (len(chosen), len(taken))), place_of(chosen)]
                every = np.sort(np.concatenate(both, axis=1), axis=1)
                yield TiedChoices(level, n_units, kept, every, drawn)


# Places of one rank: how many there are, and their positions by index.
TiedPlaces = tuple[int, Callable[[Int64Array], Int64Array]]


def _listed(positions: Int64Array) -> TiedPlaces:
    """The listed positions."""
    return len(positions), positions.__getitem__


def _all_but(n_units: int, marked: Int64Array) -> TiedPlaces:
    """All positions of a document except the marked ones, without listing them: there may be
    billions."""
    free_before = marked - 1 - np.arange(len(marked))

    def at(indices: Int64Array) -> Int64Array:  # the index plus the number of marked places before
        return indices + 1 + np.searchsorted(free_before, indices, side="right")

    return n_units - 1 - len(marked), at


def _unmarked(n_units: int, hyp: Int64Array, listed: list[Int64Array]) -> TiedPlaces:
    """The candidates (of hyp, else of ref, else all positions) that the hypothesis did not mark."""
    ref_candidates, hyp_candidates = listed
    if not ref_candidates.size and not hyp_candidates.size:
        return _all_but(n_units, hyp)
    places = hyp_candidates if hyp_candidates.size else ref_candidates
    return _listed(np.setdiff1d(places, hyp, assume_unique=True))


def _row(lists: Lists, row: int) -> Int64Array:
    return lists.values[lists.offsets[row] : lists.offsets[row + 1]]


def _chosen(
    draw: "np.random.Generator | None", n: int, wanted: int, samples: int
) -> Iterator[NDArray[np.int64]]:
    """Sets of `wanted` out of n, a row each, in blocks of rows: `samples` random sets, or all."""
    rows = max(1, min(_ROWS, _CELLS // max(1, wanted)))
    if draw is not None:
        for done in range(0, samples, rows):
            yield _drawn(draw, n, wanted, min(rows, samples - done))
        return
    # If no place is wanted there is one choice, for any number of places.
    sets = combinations(range(n if wanted else 0), wanted)
    while block := list(islice(sets, rows)):
        yield np.array(block, np.int64).reshape(len(block), wanted)


def _drawn(draw: "np.random.Generator", n: int, wanted: int, samples: int) -> NDArray[np.int64]:
    """Floyd's method to draw a set, all samples at once: work and memory do not depend on n."""
    chosen = np.empty((samples, wanted), np.int64)
    for column, last in enumerate(range(n - wanted, n)):
        fresh = draw.integers(0, last + 1, samples)
        taken = (chosen[:, :column] == fresh[:, np.newaxis]).any(axis=1)
        chosen[:, column] = np.where(taken, last, fresh)
    return chosen


def _at_most(n: int, wanted: int, limit: int) -> bool:
    """Whether there are at most `limit` choices, without computing huge numbers."""
    fewer = min(wanted, n - wanted)
    if fewer > 64:
        return False  # at least 2^64
    return math.comb(n, fewer) <= limit
