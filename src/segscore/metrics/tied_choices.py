"""Any metric averaged over tied choices: all of them where they are few, a seeded draw where not.

A level asks the hypothesis for its n most prominent boundaries. Whole ranks are taken; of the next
rank, `wanted` out of its `tied` boundaries are chosen, each set of them equally likely. The levels
and their choices become the rows of one `Pairs`, which the metric scores as it scores any other.
"""

import math
import zlib
from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from segscore.arguments import Floats, Int64Array
from segscore.metrics.base import Metric
from segscore.metrics.rank_columns import Ranked
from segscore.pairs import Lists, Pairs

_BATCH = 1 << 20  # boundaries of hypotheses that are held at once


class TiedChoices(NamedTuple):
    """One level: the reference, the hypotheses (one per choice, ascending), and whether drawn."""

    n_units: int
    ref: Int64Array
    hyps: NDArray[np.int64]  # choices × boundaries
    drawn: bool


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
    means: list[float] = []
    squared_errors: list[float] = []
    batch: list[TiedChoices] = []

    def score_batch() -> None:
        for level, values in zip(batch, _values(metric, batch, threads), strict=True):
            means.append(float(values.mean()))
            squared_errors.append(values.var(ddof=1) / len(values) if level.drawn else 0.0)
        batch.clear()

    held = 0
    for level in _all_choices(pairs, levels, candidates, samples, seed):
        batch.append(level)
        held += level.hyps.size
        if held > _BATCH:
            score_batch()
            held = 0
    score_batch()
    return np.array(means), np.array(squared_errors)


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
        # Each document has a stream of its own: its score is the same wherever it stands.
        content = zlib.crc32(hyp.tobytes(), zlib.crc32(ref.tobytes(), n_units & 0xFFFFFFFF))
        draw = np.random.default_rng([seed, content])
        sizes = hyps.sizes[slice(*hyps.offsets[row : row + 2])]
        for level in range(int(refs.offsets[row]), int(refs.offsets[row + 1])):
            wanted = int(refs.sizes[level])
            whole = int(np.searchsorted(sizes, wanted, side="right"))
            if whole:
                wanted -= int(sizes[whole - 1])
            taken = hyp[hyps.ranks[h] <= whole]
            tied: Tied
            if whole < len(sizes):
                tied = Listed(hyp[hyps.ranks[h] == whole + 1])
            else:
                tied = _unmarked(n_units, hyp, [_row(one, row) for one in candidates])
            chosen, drawn = _choose(draw, tied.n, min(wanted, tied.n), samples)
            both = [np.broadcast_to(taken, (len(chosen), len(taken))), tied.at(chosen)]
            yield TiedChoices(
                n_units,
                ref[refs.ranks[r] <= level - refs.offsets[row] + 1],
                np.sort(np.concatenate(both, axis=1), axis=1),
                drawn,
            )


class Listed(NamedTuple):
    """Tied places that are listed."""

    positions: Int64Array

    @property
    def n(self) -> int:
        """How many there are."""
        return len(self.positions)

    def at(self, indices: Int64Array) -> Int64Array:
        """Their positions, by index."""
        return self.positions[indices]


class Complement(NamedTuple):
    """All places of a document but the marked ones; never listed, there may be billions."""

    n_units: int
    marked: Int64Array

    @property
    def n(self) -> int:
        """How many there are."""
        return self.n_units - 1 - len(self.marked)

    def at(self, indices: Int64Array) -> Int64Array:
        """Their positions, by index: as many further on as marked places stand before."""
        free_before = self.marked - 1 - np.arange(len(self.marked))
        return indices + 1 + np.searchsorted(free_before, indices, side="right")


Tied = Listed | Complement


def _unmarked(n_units: int, hyp: Int64Array, listed: list[Int64Array]) -> Tied:
    """The candidates (hyp's, else ref's, else all) that the hypothesis did not mark."""
    ref_candidates, hyp_candidates = listed
    if not ref_candidates.size and not hyp_candidates.size:
        return Complement(n_units, hyp)
    places = hyp_candidates if hyp_candidates.size else ref_candidates
    return Listed(np.setdiff1d(places, hyp, assume_unique=True))


def _row(lists: Lists, row: int) -> Int64Array:
    return lists.values[lists.offsets[row] : lists.offsets[row + 1]]


def _choose(
    draw: "np.random.Generator", n: int, wanted: int, samples: int
) -> tuple[NDArray[np.int64], bool]:
    """Sets of `wanted` out of n, a row each: all sets if at most `samples`, or so many drawn."""
    if _at_most(n, wanted, samples):
        every = np.array(list(combinations(range(n), wanted)), np.int64)
        return every.reshape(math.comb(n, wanted), wanted), False
    # Floyd's way to draw a set, for all samples at once: work and memory do not depend on n.
    chosen = np.empty((samples, wanted), np.int64)
    for column, last in enumerate(range(n - wanted, n)):
        fresh = draw.integers(0, last + 1, samples)
        taken = (chosen[:, :column] == fresh[:, np.newaxis]).any(axis=1)
        chosen[:, column] = np.where(taken, last, fresh)
    return chosen, True


def _at_most(n: int, wanted: int, limit: int) -> bool:
    """Whether there are at most `limit` ways to choose; the number itself may be astronomic."""
    fewer = min(wanted, n - wanted)
    if fewer > 64:
        return False  # at least 2^64
    return math.comb(n, fewer) <= limit
