"""Codings placed at random: the same coders, with boundaries at random positions.

A null model says what a coder keeps of a coding and what is drawn:

- `positions`: the number of boundaries stays; each choice of places is equally likely (among the
  candidates, where the coding lists any);
- `lengths`: the segments stay as long as they are; each order of them is equally likely. Lengths
  count units, or what lies between candidates. Stricter, because people avoid tiny segments.

Types and ranks stay with the coding and are shuffled over its drawn boundaries. The drawing itself
is a kernel; here codings become its columns, and draws become batches to score.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from segscore._kernels import random_places
from segscore.basics.arguments import Floats, Int64Array, check_choice, whole_number
from segscore.coding.segmentation import Segmentation
from segscore.corpus.codings import Codings, details_of
from segscore.corpus.lists import Lists, picked_places, starts_of
from segscore.pairing.pairs import Pairs

Null = Literal["positions", "lengths"]
NULLS: tuple[Null, ...] = get_args(Null)

MOST_DRAWS = 1000
FEWEST_DRAWS = 20
_SCORED = 2_000_000  # pairs that are scored, unless draws are asked for
_CELLS = 4_000_000  # numbers in memory at a time, whatever the number of draws


def usual_draws(n_pairs: int) -> int:
    """The number of draws if none is given.

    >>> usual_draws(21), usual_draws(10_000), usual_draws(10**6)
    (1000, 200, 20)
    """
    return min(MOST_DRAWS, max(FEWEST_DRAWS, _SCORED // max(1, n_pairs)))


def checked_draws(draws: int | None, n_pairs: int) -> int:
    """The number of draws: as given, or the usual number; 0 means no draws."""
    if draws is None:
        return usual_draws(n_pairs)
    number = whole_number(draws, "draws", 0)
    return number if number == 0 else whole_number(draws, "draws", 2)


class RandomCodings:
    """Codings with boundaries that can be drawn again; the same seed and number give the same draw.

    rows: the rows of the table to draw; a row may occur several times. Default: all rows.
    order: the order in which they are drawn.
    """

    def __init__(
        self,
        codings: Codings,
        null: Null,
        seed: int,
        rows: Int64Array | None = None,
        order: Int64Array | None = None,
    ) -> None:
        check_choice(null, "null", NULLS)
        seed = whole_number(seed, "seed", 0)
        self.null = null
        self._key = int(np.random.SeedSequence(seed).generate_state(1, np.uint64)[0])
        rows = np.arange(len(codings)) if rows is None else rows
        order = np.arange(len(rows)) if order is None else order
        self._place = np.argsort(order)  # of each coding, among those in order
        rows = rows[order]
        n_units, details = codings.n_units[rows], details_of(codings.details, rows)
        self.offsets, self._places = codings.boundaries(rows)
        self._n = len(n_units)
        self._n_places = n_units - 1
        self._candidates = self._counted_in_candidates(details)
        self.can_move: NDArray[np.bool_] = self._places_can_move()
        detailed = {
            row: detail
            for row, detail in details.items()
            if detail.types or detail.ranks is not None
        }
        self._shuffled = bool(detailed)
        for row, detail in detailed.items():
            self.can_move[row] |= len(_held(detail)) > 1
        self.can_move = self.can_move[self._place]

    def columns_of(self, codings: Int64Array) -> Int64Array:
        """The columns of the boundaries of these codings, in what is drawn."""
        return picked_places(self.offsets, self._place[codings])

    def _counted_in_candidates(self, details: Mapping[int, Segmentation]) -> Lists:
        """The candidates of all codings; positions of codings with candidates are counted in
        these."""
        listed = {
            row: detail.candidates
            for row, detail in details.items()
            if detail.candidates is not None
        }
        sizes = np.zeros(self._n, np.int64)
        if listed:
            self._places = self._places.copy()
        for row, candidates in listed.items():
            own = slice(self.offsets[row], self.offsets[row + 1])
            self._places[own] = np.searchsorted(candidates, self._places[own]) + 1
            self._n_places[row] = sizes[row] = len(candidates)
        values = [listed[row] for row in sorted(listed)]
        return Lists(starts_of(sizes), np.concatenate([np.empty(0, np.int64), *values]))

    def _places_can_move(self) -> NDArray[np.bool_]:
        """Whether another choice of positions, or another order of segments, is possible."""
        marked = np.diff(self.offsets)
        if self.null == "positions":
            return (marked > 0) & (marked < self._n_places)
        ends = np.insert(self._places, self.offsets[1:], self._n_places + 1)
        starts = np.insert(self._places, self.offsets[:-1], 0)
        coding = np.repeat(np.arange(self._n), marked + 1)
        lengths = ends - starts
        first = lengths[self.offsets[:-1] + np.arange(self._n)]
        return np.bincount(coding[lengths != first[coding]], minlength=self._n) > 0

    def drawn(self, first: int, count: int) -> tuple[Int64Array, Int64Array]:
        """The draws from number `first` on: positions, and the boundaries whose types and ranks are
        there.

        Both have a row per draw, with the boundaries of all codings side by side. The second names
        the column of a boundary as it was coded; it is empty if no boundary has a type or rank.
        """
        drawn = np.empty((count, len(self._places)), np.int64)
        order = np.empty(drawn.shape if self._shuffled else (0, 0), np.int64)
        random_places.draw(
            0, self._n, self._n_places, self.offsets, self._places, *self._candidates,
            self.null == "lengths", self._key, first, self._shuffled, drawn, order,
        )  # fmt: skip
        return drawn, order


class RandomPairs:
    """A batch of pairs in which one side, or both, are drawn at random.

    `base` holds the pairs as coded; row i of its hypotheses is the coding `hyp[i]`, and, where the
    references are drawn, too, row i of its references is the coding `ref[i]`. A coding that occurs
    in several pairs is the same in all of them, in each draw.
    """

    def __init__(
        self, base: Pairs, codings: RandomCodings, hyp: Int64Array, ref: Int64Array | None = None
    ) -> None:
        self.base = base
        self.codings = codings
        self._hyp = codings.columns_of(hyp)
        self._ref = None if ref is None else codings.columns_of(ref)

    def batches(self, draws: int) -> Iterator[tuple[int, int, Pairs]]:
        """All draws, in batches: the number of the first draw, how many draws, and their pairs.

        The pairs of one draw are adjacent, in the order of the base.
        """
        base = self.base
        listed = (
            base.ref_candidates, base.hyp_candidates, base.ref_types, base.hyp_types,
            base.ref_labels, base.hyp_labels,
        )  # fmt: skip
        cells = 8 * len(base) + len(base.ref_positions) + len(base.hyp_positions)
        cells += sum(len(lists.values) for lists in listed if lists is not None)
        step = max(1, _CELLS // max(1, cells))
        for first in range(0, draws, step):
            count = min(step, draws - first)
            yield first, count, self._batch(self.codings.drawn(first, count), count)

    def expected(self, rows: Callable[[Pairs], Floats], draws: int) -> Floats:
        """The rows of each pair of the base, averaged over draws."""
        total: Any = 0
        for _, count, batch in self.batches(draws):
            found = rows(batch)
            total = total + found.reshape(count, -1, found.shape[1]).sum(axis=0)
        return np.asarray(total / draws, np.float64)

    def _batch(self, drawn: tuple[Int64Array, Int64Array], count: int) -> Pairs:
        base = self.base
        if self._ref is not None:
            ref_positions, ref_types = _moved(drawn, self._ref, base.ref_types)
            ref_ranks = _moved_ranks(drawn, self._ref, base.ref_ranks)
        else:  # as they are, once per draw
            ref_positions = np.tile(base.ref_positions, count)
            ref_types = _tiled(base.ref_types, count)
            ref_ranks = None if base.ref_ranks is None else np.tile(base.ref_ranks, count)
        hyp_positions, hyp_types = _moved(drawn, self._hyp, base.hyp_types)
        return Pairs(
            np.tile(base.n_units, count),
            _tiled_offsets(base.ref_offsets, count),
            ref_positions,
            _tiled_offsets(base.hyp_offsets, count),
            hyp_positions,
            groups=None if base.groups is None else _tiled_offsets(base.groups, count),
            ref_types=ref_types,
            hyp_types=hyp_types,
            type_names=base.type_names,
            ref_ranks=ref_ranks,
            hyp_ranks=_moved_ranks(drawn, self._hyp, base.hyp_ranks),
            ref_candidates=_tiled(base.ref_candidates, count),
            hyp_candidates=_tiled(base.hyp_candidates, count),
            # as many segments as before: labels stay in their order, and boundaries move
            ref_labels=_tiled(base.ref_labels, count),
            hyp_labels=_tiled(base.hyp_labels, count),
            label_names=base.label_names,
            provenance=base.provenance,
        )


# ---- columns ----


def _held(coding: Segmentation) -> set[Any]:
    """The different types and ranks of the boundaries of a coding."""
    kinds = coding.types or [None] * len(coding.boundaries)
    ranks = [None] * len(kinds) if coding.ranks is None else coding.ranks.tolist()
    return set(zip(kinds, ranks, strict=True))


def _moved(
    drawn: tuple[Int64Array, Int64Array], columns: Int64Array, types: Lists | None
) -> tuple[Int64Array, Any]:
    """The positions and types of one side in all draws."""
    positions = np.take(drawn[0], columns, axis=1).reshape(-1)
    return positions, None if types is None else types.picked(_source(drawn, columns))


def _moved_ranks(
    drawn: tuple[Int64Array, Int64Array], columns: Int64Array, ranks: Int64Array | None
) -> Int64Array | None:
    """The ranks of one side in all draws."""
    return None if ranks is None else ranks[_source(drawn, columns)]


def _source(drawn: tuple[Int64Array, Int64Array], columns: Int64Array) -> Int64Array:
    """The boundaries of the base whose types and ranks are at the drawn positions: a boundary of a
    coding is as far behind its column in the base, for each pair it is in."""
    source = np.take(drawn[1], columns, axis=1) + (np.arange(len(columns)) - columns)
    return np.asarray(source.reshape(-1))


def _tiled(lists: Lists | None, count: int) -> Lists | None:
    if lists is None:
        return None
    return Lists(_tiled_offsets(lists.offsets, count), np.tile(lists.values, count))


def _tiled_offsets(offsets: Int64Array, count: int) -> Int64Array:
    later = np.arange(count, dtype=np.int64)[:, np.newaxis] * offsets[-1] + offsets[1:]
    return np.concatenate([[0], later.reshape(-1)]).astype(np.int64)
