"""The counts of each question behind the measures: columns of numbers that add up.

All texts stand one after the other on a line of characters, with a gap between two, so that they
never touch. Text is counted in characters, or in tokens: a token belongs to the place where it
starts, so that tokens of stretches that do not overlap add up, and a token that is cut is counted
once.

E is the evidence of a question as a set of characters, spans that overlap counted once; or, if text
is counted in tokens, the tokens that start there. What is lost of it is always counted in
characters that are not white space, which splitters strip. See `docs/guides/chunkers.md` for the
definitions.

Chunks are half-open, [start, end); they may overlap, leave gaps and be nested. Every answer comes
from arrays that are sorted once, by binary search for all spans together, without a loop over pairs
of a span and a chunk. With n chunks and m spans the time is that of sorting, and memory that of the
input. Only `pieces` takes more, a table of jumps: log2 of the most chunks that one span meets,
times n.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from segscore.basics.arguments import Int64Array
from segscore.basics.on_demand import cached_property
from segscore.basics.user_functions import function_name
from segscore.chunks.chunk_inputs import DocumentOffsets
from segscore.chunks.questions import EvidenceSpans
from segscore.chunks.token_functions import Tokens, token_starts
from segscore.text.folding import Folded

Convention = Literal["segscore", "program"]
Depth = int | Literal["touched"] | None
"""How many fetched chunks count: a number, as many as a question's evidence touches, or all."""
Counts = dict[str, Int64Array]
"""Columns by name, with a row per question."""

_GAP = 2
_NOT_YET = np.iinfo(np.int64).max
Weigh = Callable[[Int64Array], Int64Array]
"""How much text stands before each place of the line: characters, or tokens that start there."""


# ---- chunks on a line ----


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
        first = np.append(leftmost, _NOT_YET)[over]
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
        return np.where(held, places, np.append(self.sorted_starts, _NOT_YET)[after])

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


# ---- questions on it ----


@dataclass(frozen=True, eq=False)
class Asked:
    """Questions with their evidence, on the line of all texts; `tokens` finds the tokens of a text,
    None counts characters. left_out: what was left out, a sentence each."""

    texts: Mapping[str, str]
    spans: EvidenceSpans
    tokens: Tokens | None = None
    convention: Convention = "segscore"
    left_out: tuple[str, ...] = ()

    @cached_property
    def bases(self) -> dict[str, int]:
        """Where each text starts on the line."""
        starts = np.cumsum([0, *(len(text) + _GAP for text in self.texts.values())]).tolist()
        return dict(zip(self.texts, starts, strict=False))

    @cached_property
    def _span_bases(self) -> Int64Array:
        bases = [self.bases[question.document] for question in self.spans.questions]
        return np.array(bases, np.int64)[self.spans.question_of]

    @property
    def starts(self) -> Int64Array:
        """The starts of spans on the line, ascending within a question."""
        return self.spans.starts + self._span_bases

    @property
    def ends(self) -> Int64Array:
        """The ends of spans on the line."""
        return self.spans.ends + self._span_bases

    @cached_property
    def weigh(self) -> Weigh:
        """The amount of text before each place of the line."""
        if self.tokens is None:
            return lambda places: places
        tokens = self.tokens
        return self._counting({n: token_starts(tokens, text, n) for n, text in self.texts.items()})

    @cached_property
    def visible(self) -> Weigh:
        """The number of characters before each place of the line that are not white space."""
        return self._counting({name: Folded(text).at for name, text in self.texts.items()})

    def _counting(self, places: Mapping[str, Int64Array]) -> Weigh:
        every = np.concatenate([self.bases[name] + own for name, own in places.items()])
        return lambda places: np.searchsorted(every, places)

    @property
    def size(self) -> str:
        """The unit in which text is counted, for signatures."""
        return "characters" if self.tokens is None else function_name(self.tokens)

    def line(self, chunks: Mapping[str, DocumentOffsets]) -> ChunkLine:
        """The chunks of all documents on the line, in the order of the texts."""
        starts = [base + chunks[name].starts for name, base in self.bases.items()]
        ends = [base + chunks[name].ends for name, base in self.bases.items()]
        return ChunkLine(np.concatenate(starts), np.concatenate(ends), self.weigh)


class EvidenceCounts:
    """The chunks of a chunker beside the evidence of each question."""

    def __init__(self, asked: Asked, line: ChunkLine) -> None:
        self.asked, self.line = asked, line
        self.question_of, self.starts, self.ends = asked.spans.question_of, asked.starts, asked.ends
        self.n_questions = len(asked.spans.questions)
        self.by_program = asked.convention == "program"

    def per_question(self, values: Int64Array, owners: Int64Array) -> Int64Array:
        """The sums of values over what each question owns."""
        found = np.zeros(self.n_questions, np.int64)
        np.add.at(found, owners, values)
        return found

    @cached_property
    def whole(self) -> Int64Array:
        """Whether a chunk holds each span completely: 1 or 0."""
        return self.line.holds_whole(self.starts, self.ends)

    @cached_property
    def pieces(self) -> Int64Array:
        """The fewest chunks that together hold as much of each span as possible; 0 if none holds
        any."""
        return self.line.pieces(self.starts, self.ends)

    @cached_property
    def parts(self) -> tuple[Int64Array, Int64Array, Int64Array]:
        """The question, start and end of each part of E, in order: spans that overlap or meet are
        one part."""
        wide = int(self.ends.max()) + 2
        reach = np.maximum.accumulate(self.question_of * wide + self.ends)
        opens = np.append(True, self.question_of[1:] * wide + self.starts[1:] > reach[:-1])
        closes = np.append(opens[1:], True)
        owners = self.question_of[opens]
        return owners, self.starts[opens], reach[closes] - owners * wide

    @cached_property
    def _reached(self) -> tuple[Int64Array, Int64Array, Int64Array]:
        _, starts, ends = self.parts
        return self.line.reach(starts, ends, closed=self.by_program)

    def size_and_held(self, line: ChunkLine) -> tuple[Int64Array, Int64Array]:
        """The size of each question's evidence, and how much of it is in some chunk."""
        owners, starts, ends = self.parts
        covered = line.covered_before(ends) - line.covered_before(starts)
        size = line.weigh(ends) - line.weigh(starts)
        return self.per_question(size, owners), self.per_question(covered, owners)

    @cached_property
    def touched_chunks(self) -> Int64Array:
        """The number of chunks that touch E: those of each part, without those of the part before
        it. (A chunk that touches a part and some earlier part touches the part before it.)"""
        owners, starts, ends = self.parts
        *_, counts = self._reached
        again = np.flatnonzero(owners[1:] == owners[:-1])
        both = self.line.touch_both(ends[again], starts[again + 1], closed=self.by_program)
        return self.per_question(counts, owners) - self.per_question(both, owners[again])

    def _touched_text(self) -> Int64Array:
        """The amount of text in the chunks that touch E, with overlaps counted once."""
        owners, *_ = self.parts
        lefts, rights, _ = self._reached
        same = np.append(False, owners[1:] == owners[:-1])
        starts = np.where(same, np.maximum(lefts, np.append(0, rights[:-1])), lefts)
        covered = self.line.covered_before(rights) - self.line.covered_before(starts)
        return self.per_question(covered, owners)

    def columns(self) -> Counts:
        """The counts that depend on chunks alone."""
        n_spans = np.bincount(self.question_of, minlength=self.n_questions)
        whole = self.per_question(self.whole, self.question_of)
        evidence, held = self.size_and_held(self.line)
        visible, seen = self.size_and_held(replace(self.line, weigh=self.asked.visible))
        touched = self._touched_text()
        return {
            "whole_spans": whole,
            "spans": n_spans,
            "whole_questions": (whole == n_spans).astype(np.int64),
            "questions": np.ones(self.n_questions, np.int64),
            "chunks": self.per_question(self.pieces, self.question_of),
            "held_spans": self.per_question((self.pieces > 0).astype(np.int64), self.question_of),
            "held": held,
            # the program adds evidence in no chunk to what its perfect retriever fetches
            "needed": touched + (evidence - held if self.by_program else 0),
            "touched": touched,
            "touched_questions": (self.touched_chunks > 0).astype(np.int64),
            "lost": visible - seen,
            "evidence": visible,
        }


class FetchedCounts:
    """What was fetched for each question, compared with its evidence.

    lists: the numbers of the chunks fetched for each question, best first.
    """

    def __init__(self, counts: EvidenceCounts, lists: Sequence[Sequence[int]]) -> None:
        self.counts = counts
        self.n_fetched = np.array([len(listed) for listed in lists], np.int64)
        self.chunks = np.array([chunk for listed in lists for chunk in listed], np.int64)
        self._question_of = np.repeat(np.arange(len(lists)), self.n_fetched)
        # a width above that of the line, so that each question can have a line of its own
        self._wide = int(max(counts.ends.max(), counts.line.ends.max())) + 2

    def columns(self, k: Depth) -> Counts:
        """The counts of the first k chunks of each question."""
        n_first = self.n_fetched
        if k is not None:
            most = self.counts.touched_chunks if k == "touched" else k
            n_first = np.minimum(most, n_first)
        firsts = np.cumsum(self.n_fetched) - self.n_fetched
        before = [np.append(0, np.cumsum(gain)) for gain in self._gains]
        once, each, text, hits = (sums[firsts + n_first] - sums[firsts] for sums in before)
        by_span = self.counts.by_program  # even where spans overlap
        evidence = self._span_lengths if by_span else self._evidence
        missed = evidence - (each if by_span else once)
        return {
            "fetched_evidence": once,
            "evidence": evidence,
            "fetched": text,
            "fetched_or_evidence": np.where(n_first > 0, text + missed, 0),
            "hit_questions": (hits > 0).astype(np.int64),
            "questions": np.ones(len(n_first), np.int64),
        }

    @cached_property
    def _evidence(self) -> Int64Array:
        return self.counts.size_and_held(self.counts.line)[0]

    @cached_property
    def _span_lengths(self) -> Int64Array:
        """The sum of the lengths of each question's spans; overlaps count twice."""
        weigh = self.counts.line.weigh
        lengths = weigh(self.counts.ends) - weigh(self.counts.starts)
        return self.counts.per_question(lengths, self.counts.question_of)

    @cached_property
    def _gains(self) -> tuple[Int64Array, ...]:
        """What each fetched chunk adds: how much of E it holds that no better chunk does, with
        overlapping spans counted once, or each by itself; how much text it holds; and whether it
        holds a span of its question completely, 1 or 0."""
        line = self.counts.line
        lefts, rights = line.starts[self.chunks], line.ends[self.chunks]
        text = line.weigh(rights) - line.weigh(lefts)
        own = self._question_of * self._wide
        spans = self.counts.question_of * self._wide
        opens, closes = spans + self.counts.starts, spans + self.counts.ends
        return (
            *self._evidence_gains(own + lefts, own + rights, opens, closes),
            text,
            _holds(own + lefts, own + rights, opens, closes),
        )

    def _evidence_gains(
        self, lefts: Int64Array, rights: Int64Array, opens: Int64Array, closes: Int64Array
    ) -> tuple[Int64Array, Int64Array]:
        """Cut the line of each question at all ends of chunks and spans; each cell belongs to the
        best chunk that has it, which has the lowest number."""
        closes = np.sort(closes)
        places = np.unique(np.concatenate([lefts, rights, opens, closes]))
        best = _least_over(
            np.searchsorted(places, lefts), np.searchsorted(places, rights), len(places)
        )
        times = np.searchsorted(opens, places, "right") - np.searchsorted(closes, places, "right")
        cells = np.flatnonzero((best < _NOT_YET) & (times > 0))
        weigh, wide = self.counts.line.weigh, self._wide
        weights = weigh(places[cells + 1] % wide) - weigh(places[cells] % wide)
        once, each = np.zeros((2, len(self.chunks)), np.int64)
        np.add.at(once, best[cells], weights)
        np.add.at(each, best[cells], weights * times[cells])
        return once, each


def _holds(
    lefts: Int64Array, rights: Int64Array, opens: Int64Array, closes: Int64Array
) -> Int64Array:
    """Whether a span ends in each chunk, among spans that do not start before it; the first of
    their ends decides."""
    first_end = np.minimum.accumulate(closes[::-1])[::-1]
    after = np.searchsorted(opens, lefts)
    return (np.append(first_end, _NOT_YET)[after] <= rights).astype(np.int64)


def _least_over(lefts: Int64Array, rights: Int64Array, n_cells: int) -> Int64Array:
    """For each cell, the first of the intervals [left, right) that hold it.

    Each interval is two blocks of 2^level cells, which may overlap; from the largest blocks down,
    what holds for a block holds for both of its halves.
    """
    level_of = np.frexp((rights - lefts).astype(np.float64))[1] - 1
    highest = int(level_of.max(initial=0))
    found = np.full(n_cells, _NOT_YET)
    for level in range(highest, -1, -1):
        size = 1 << level
        if level < highest:  # blocks of twice the size become two of this
            found[size:] = np.minimum(found[size:], found[:-size])
        at = np.flatnonzero(level_of == level)
        np.minimum.at(found, lefts[at], at)
        np.minimum.at(found, rights[at] - size, at)
    return found
