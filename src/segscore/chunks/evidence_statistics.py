"""The counts of each question behind the measures: columns of numbers that add up.

E is the evidence of a question as a set of characters, spans that overlap counted once; or, if text
is counted in tokens, the tokens that start there. What is lost of it is always counted in
characters that are not white space, which splitters strip. See `docs/evidence.md` for the
definitions.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from segscore.basics.arguments import Floats, Int64Array
from segscore.basics.cached import cached_property
from segscore.chunks.chunk_line import ChunkLine, Weigh
from segscore.chunks.evidence_measures import DEFINITIONS, Convention, Depth
from segscore.chunks.retrievals import Fetched, FetchedGains


@dataclass(frozen=True, eq=False)
class EvidenceCounts:
    """The spans of questions and the chunks, all on one line.

    line: the chunks. question_of: the question of each span, ascending; starts, ends: the offsets
    of the span on the line, ascending within a question. n_questions: the number of questions, each
    with at least one span. visible: the number of characters before each place of the line that are
    not white space.
    """

    line: ChunkLine
    question_of: Int64Array
    starts: Int64Array
    ends: Int64Array
    n_questions: int
    visible: Weigh
    convention: Convention = "segscore"

    @property
    def _closed(self) -> bool:
        return self.convention == "program"

    def _per_question(self, values: Int64Array, owners: Int64Array) -> Int64Array:
        found = np.zeros(self.n_questions, np.int64)
        np.add.at(found, owners, values)
        return found

    # ---- spans ----

    @cached_property
    def whole(self) -> Int64Array:
        """Whether a chunk holds each span completely: 1 or 0."""
        return self.line.holds_whole(self.starts, self.ends)

    @cached_property
    def pieces(self) -> Int64Array:
        """The fewest chunks that together hold as much of each span as possible; 0 if none holds
        any."""
        return self.line.pieces(self.starts, self.ends)

    # ---- evidence as a set: spans that overlap or meet are one part ----

    @cached_property
    def _parts(self) -> tuple[Int64Array, Int64Array, Int64Array]:
        """The question, start and end of each part of E, in order."""
        wide = int(self.ends.max()) + 2
        reach = np.maximum.accumulate(self.question_of * wide + self.ends)
        opens = np.append(True, self.question_of[1:] * wide + self.starts[1:] > reach[:-1])
        closes = np.append(opens[1:], True)
        owners = self.question_of[opens]
        return owners, self.starts[opens], reach[closes] - owners * wide

    @cached_property
    def _reached(self) -> tuple[Int64Array, Int64Array, Int64Array]:
        _, starts, ends = self._parts
        return self.line.reach(starts, ends, closed=self._closed)

    @cached_property
    def evidence(self) -> Int64Array:
        """The size |E| of each question's evidence."""
        return self._size_and_held(self.line)[0]

    @cached_property
    def held(self) -> Int64Array:
        """The amount of E that is in some chunk."""
        return self._size_and_held(self.line)[1]

    def _size_and_held(self, line: ChunkLine) -> tuple[Int64Array, Int64Array]:
        """The size of each question's evidence, and how much of it is in some chunk."""
        owners, starts, ends = self._parts
        covered = line.covered_before(ends) - line.covered_before(starts)
        size = line.weigh(ends) - line.weigh(starts)
        return self._per_question(size, owners), self._per_question(covered, owners)

    @cached_property
    def touched_text(self) -> Int64Array:
        """The amount of text in the chunks that touch E, with overlaps counted once."""
        owners, *_ = self._parts
        lefts, rights, _ = self._reached
        same = np.append(False, owners[1:] == owners[:-1])
        before = np.append(0, rights[:-1])
        starts = np.where(same, np.maximum(lefts, before), lefts)
        covered = self.line.covered_before(rights) - self.line.covered_before(starts)
        return self._per_question(covered, owners)

    @cached_property
    def touched_chunks(self) -> Int64Array:
        """The number of chunks that touch E: those of each part, without those of the part before
        it. (A chunk that touches a part and some earlier part touches the part before it.)"""
        owners, starts, ends = self._parts
        *_, counts = self._reached
        found = self._per_question(counts, owners)
        again = np.flatnonzero(owners[1:] == owners[:-1])
        both = self.line.touch_both(ends[again], starts[again + 1], closed=self._closed)
        return found - self._per_question(both, owners[again])

    @cached_property
    def span_lengths(self) -> Int64Array:
        """The sum of the lengths of each question's spans; overlaps count twice."""
        lengths = self.line.weigh(self.ends) - self.line.weigh(self.starts)
        return self._per_question(lengths, self.question_of)

    # ---- columns ----

    def of_chunks(self) -> dict[str, Int64Array]:
        """The counts that depend on chunks alone, by name."""
        n_spans = np.bincount(self.question_of, minlength=self.n_questions)
        whole = self._per_question(self.whole, self.question_of)
        touched = (self.touched_chunks > 0).astype(np.int64)
        seen, held = self._size_and_held(replace(self.line, weigh=self.visible))
        # "needed": the program adds evidence in no chunk to what its perfect retriever fetches
        needed = self.touched_text + (self.evidence - self.held if self._closed else 0)
        return {
            "whole_spans": whole,
            "spans": n_spans,
            "whole_questions": (whole == n_spans).astype(np.int64),
            "questions": np.ones(self.n_questions, np.int64),
            "chunks": self._per_question(self.pieces, self.question_of),
            "held_spans": self._per_question((self.pieces > 0).astype(np.int64), self.question_of),
            "held": self.held,
            "needed": needed,
            "touched": self.touched_text,
            "touched_questions": touched,
            "lost": seen - held,
            "evidence": seen,
        }


@dataclass(frozen=True, eq=False)
class FetchedCounts:
    """What was fetched for each question, compared with its evidence; k: how many chunks count."""

    counts: EvidenceCounts
    fetched: Fetched
    k: Depth

    @cached_property
    def _gains(self) -> FetchedGains:
        return self.fetched.gains(self.counts)

    @property
    def most(self) -> int:
        """The largest k: the given k, but no more than were fetched."""
        return min(self.k, self.n_most) if isinstance(self.k, int) else self.n_most

    @property
    def n_most(self) -> int:
        """The largest number of chunks fetched for a question."""
        return int(self.fetched.n_fetched.max())

    @property
    def beyond(self) -> bool:
        """Whether k exceeds the number of chunks fetched for every question."""
        return isinstance(self.k, int) and self.k > self.n_most

    def columns(self) -> dict[str, Int64Array]:
        """The counts at the given k."""
        if self.k == "touched":
            return self._at(np.minimum(self.counts.touched_chunks, self.fetched.n_fetched))
        return self.columns_at(self.most)

    def columns_at(self, k: int) -> dict[str, Int64Array]:
        """The counts of the first k chunks of each question."""
        return self._at(np.minimum(k, self.fetched.n_fetched))

    def _at(self, n_first: Int64Array) -> dict[str, Int64Array]:
        by_span = self.counts.convention == "program"  # even where spans overlap
        once, each, text, hits = (self.fetched.sum_of_first(gain, n_first) for gain in self._gains)
        evidence = self.counts.span_lengths if by_span else self.counts.evidence
        missed = evidence - (each if by_span else once)
        return {
            "fetched_evidence": once,
            "evidence": evidence,
            "fetched": text,
            "fetched_or_evidence": np.where(n_first > 0, text + missed, 0),
            "hit_questions": (hits > 0).astype(np.int64),
            "questions": np.ones(len(n_first), np.int64),
        }


def rows_of(measure: str, columns: Mapping[str, Int64Array]) -> Floats:
    """The two counts of a measure, a row per question; zeros if it has no value."""
    known = DEFINITIONS[measure]
    return np.stack([columns[known.above], columns[known.below]], axis=1).astype(np.float64)
