"""All chunks of all documents on a single line of characters, with questions about them answered at
once.

Each document has its stretch of the line, with a gap before the next, so that no chunk reaches into
another document. Chunks are half-open, [start, end); they may overlap, leave gaps and be nested.
Every answer comes from arrays that are sorted once, by binary search for all spans together,
without a loop over pairs of a span and a chunk.

With n chunks and m spans the time is that of sorting, and memory that of the input. Only `pieces`
takes more, a table of jumps: log2 of the most chunks that one span meets, times n.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from segscore.basics.arguments import Int64Array
from segscore.basics.cached import cached_property

Weigh = Callable[[Int64Array], Int64Array]
"""How much text stands before each place of the line: characters, or tokens that start there."""

_NOWHERE = np.iinfo(np.int64).max


@dataclass(frozen=True, eq=False)
class ChunkLine:
    """The chunks [starts[i], ends[i]), at least one, in any order."""

    starts: Int64Array
    ends: Int64Array
    weigh: Weigh

    # ---- what is sorted once ----

    @cached_property
    def _order(self) -> Int64Array:
        return np.argsort(self.starts, kind="stable")

    @cached_property
    def sorted_starts(self) -> Int64Array:
        """The starts of chunks, in order."""
        return self.starts[self._order]

    @cached_property
    def furthest(self) -> Int64Array:
        """How far the chunks reach that start no later than each of `sorted_starts`."""
        return np.maximum.accumulate(self.ends[self._order])

    @cached_property
    def _by_end(self) -> tuple[Int64Array, Int64Array]:
        """The ends of chunks, in order; and the first start among chunks that end no earlier."""
        order = np.argsort(self.ends, kind="stable")
        return self.ends[order], np.minimum.accumulate(self.starts[order][::-1])[::-1]

    @cached_property
    def _covered(self) -> tuple[Int64Array, Int64Array, Int64Array]:
        """The stretches of text in some chunk: starts, ends, and the weight before each."""
        opens = np.append(True, self.sorted_starts[1:] > self.furthest[:-1])
        starts, ends = self.sorted_starts[opens], self.furthest[np.append(opens[1:], True)]
        weights = self.weigh(ends) - self.weigh(starts)
        return starts, ends, np.cumsum(weights) - weights

    # ---- what is asked ----

    def covered_before(self, places: Int64Array) -> Int64Array:
        """The amount of text in chunks before each place."""
        starts, ends, before = self._covered
        last = np.searchsorted(starts, places) - 1  # the stretch that starts before it
        there = np.maximum(last, 0)
        upto = np.minimum(places, ends[there])
        return np.where(last < 0, 0, before[there] + self.weigh(upto) - self.weigh(starts[there]))

    def holds_whole(self, starts: Int64Array, ends: Int64Array) -> Int64Array:
        """Whether a chunk holds each span completely: 1 or 0."""
        last = np.searchsorted(self.sorted_starts, starts, "right") - 1
        reach = np.where(last < 0, 0, self.furthest[np.maximum(last, 0)])
        return (reach >= ends).astype(np.int64)

    def reach(
        self, starts: Int64Array, ends: Int64Array, *, closed: bool
    ) -> tuple[Int64Array, Int64Array, Int64Array]:
        """How far the chunks that touch each span reach to the left and to the right of it, and how
        many they are. Together they hold all text in chunks between these two places.

        closed: whether a chunk that only meets an end of the span touches it, too.
        """
        by_end, leftmost = self._by_end
        begun = np.searchsorted(self.sorted_starts, ends, "right" if closed else "left")
        over = np.searchsorted(by_end, starts, "left" if closed else "right")
        first = np.append(leftmost, _NOWHERE)[over]
        last = np.append(-1, self.furthest)[begun]
        return np.minimum(starts, first), np.maximum(ends, last), begun - over

    def touch_both(
        self, left_ends: Int64Array, right_starts: Int64Array, *, closed: bool
    ) -> Int64Array:
        """The number of chunks that touch two spans: a span that ends at `left_ends` and a later
        one that starts at `right_starts`."""
        begun = np.searchsorted(self.sorted_starts, left_ends, "right" if closed else "left")
        ends = self.ends[self._order]
        least = right_starts if closed else right_starts + 1
        return begun - _count_below(ends, begun, least)

    def pieces(self, starts: Int64Array, ends: Int64Array) -> Int64Array:
        """The fewest chunks that together hold what chunks hold of each span; 0 if they hold none.

        From the first place of the span that is in a chunk, the chunk that reaches furthest is
        taken, and so on from where it ends. The places where this can lead are the same for all
        spans, so that it is done in jumps of 1, 2, 4 … chunks.
        """
        place = self._in_chunk(starts)
        found = (place < ends).astype(np.int64)
        active = np.flatnonzero(found)
        if not len(active):
            return found
        at, end = self._index(place[active]), ends[active]
        most = np.searchsorted(self.sorted_starts, end) - at  # no more than start in there
        jumps = self._jumps(int(most.max()))
        count = np.ones(len(active), np.int64)
        for level in reversed(range(len(jumps))):
            lands, index = jumps[level]
            goes = lands[at] < end
            count[goes] += 1 << level
            at = np.where(goes, index[at], at)
        found[active] = count
        return found

    def _jumps(self, most: int) -> list[tuple[Int64Array, Int64Array]]:
        """From each chunk, in order of starts: the place where 2^level further pieces lead, and
        the chunk there, for levels up to `most` pieces."""
        lands = self._in_chunk(self.furthest)
        jumps = [(lands, self._index(lands))]
        while 1 << len(jumps) < most:
            lands, index = jumps[-1]
            jumps.append((lands[index], index[index]))
        return jumps

    def _index(self, places: Int64Array) -> Int64Array:
        """The last chunk, in order of starts, that starts no later than each place."""
        return np.searchsorted(self.sorted_starts, places, "right") - 1

    def _in_chunk(self, places: Int64Array) -> Int64Array:
        """The first place that is in a chunk, from each of these on; none is far away."""
        after = np.searchsorted(self.sorted_starts, places, "right")
        held = np.append(-1, self.furthest)[after] > places
        return np.where(held, places, np.append(self.sorted_starts, _NOWHERE)[after])

    def cuts(self, start: int, end: int) -> tuple[list[int], list[tuple[int, int]]]:
        """Where a span passes from one chunk to the next, and its stretches in no chunk."""
        cuts: list[int] = []
        lost: list[tuple[int, int]] = []
        place, n_chunks = start, len(self.starts)
        while place < end:
            after = int(np.searchsorted(self.sorted_starts, place, "right"))
            reach = int(self.furthest[after - 1]) if after else place
            if reach <= place:  # in no chunk, up to the next one
                following = int(self.sorted_starts[after]) if after < n_chunks else end
                lost.append((place, min(following, end)))
                place = following
                continue
            place = reach
            if place < end:
                cuts.append(place)
        return cuts, lost


def _count_below(values: Int64Array, first: Int64Array, least: Int64Array) -> Int64Array:
    """For each question (n, x), the number of values below x among the first n.

    The first n values are cut into blocks of 1, 2, 4 … values, as n is a sum of powers of two; the
    blocks of one size are sorted at once, for all questions.
    """
    found = np.zeros(len(first), np.int64)
    size = 1
    highest = int(max(values.max(initial=0), least.max(initial=0))) + 2
    while size <= len(values):
        asks = np.flatnonzero(first & size)
        if len(asks):
            n_blocks = len(values) // size
            blocks = np.sort(values[: n_blocks * size].reshape(n_blocks, size), axis=1)
            keys = (blocks + highest * np.arange(n_blocks)[:, np.newaxis]).ravel()
            block = (first[asks] & ~(2 * size - 1)) // size
            below = np.searchsorted(keys, least[asks] + highest * block)
            found[asks] += below - block * size
        size *= 2
    return found
