"""The counts of each question behind the measures: columns of numbers that add up.

Text is counted in characters, or in tokens: a token belongs to the place where it starts, so that
tokens of stretches that do not overlap add up, and a token that is cut is counted once.

E is the evidence of a question as a set of characters, spans that overlap counted once; or, if text
is counted in tokens, the tokens that start there. What is lost of it is always counted in
characters that are not white space, which splitters strip. See `docs/guides/chunkers.md` for the
definitions.

Chunks are half-open, [start, end); they may overlap, leave gaps and be nested. They are sorted once
for each document; a question looks at the chunks near its spans only. All edges of these chunks and
spans cut the text into cells, each of which is in E or not, and in a chunk or not.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from segscore.basics.arguments import Int64Array, cached_property
from segscore.basics.user_functions import function_name
from segscore.chunks.chunk_inputs import DocumentOffsets, Tokens, token_starts
from segscore.chunks.questions import Question
from segscore.text.folding import Folded

Convention = Literal["segscore", "program"]
Depth = int | Literal["touched"] | None
"""How many fetched chunks count: a number, as many as a question's evidence touches, or all."""
Counts = dict[str, Int64Array]
"""Columns by name, with a row per question."""


@dataclass(frozen=True, eq=False)
class Asked:
    """Questions with their evidence.

    question_of, starts, ends: the question of each span, and its offsets, ordered by question and
    start. n_trimmed: how many spans lost white space. tokens: finds the tokens of a text; None
    counts characters. left_out: what was left out, a sentence each.
    """

    texts: Mapping[str, str]
    questions: Sequence[Question]
    question_of: Int64Array
    starts: Int64Array
    ends: Int64Array
    n_trimmed: int
    tokens: Tokens | None = None
    convention: Convention = "segscore"
    left_out: tuple[str, ...] = ()

    @cached_property
    def amount_before(self) -> dict[str, Callable[[Int64Array], Int64Array]]:
        """For each document: how much text stands before places of it."""
        if self.tokens is None:
            return dict.fromkeys(self.texts, lambda places: places)
        return {
            name: token_starts(self.tokens, text, name).searchsorted
            for name, text in self.texts.items()
        }

    @property
    def size(self) -> str:
        """The unit in which text is counted, for signatures."""
        return "characters" if self.tokens is None else function_name(self.tokens)

    def by_question(self) -> Iterator[tuple[str, Int64Array, Int64Array]]:
        """The document of each question, the starts of its spans in order, and their ends."""
        edges = np.searchsorted(self.question_of, np.arange(len(self.questions) + 1))
        for number, question in enumerate(self.questions):
            own = slice(edges[number], edges[number + 1])
            yield question.document, self.starts[own], self.ends[own]


SpanPieces = tuple[int, tuple[int, ...], tuple[tuple[int, int], ...]]
"""A span in the chunks of its document: the fewest that together hold as much of it as possible;
where it passes from one chunk to the next, if these are taken; and its stretches in no chunk."""


def is_whole_in(span: SpanPieces) -> bool:
    """Whether a chunk holds the span completely."""
    return span == (1, (), ())


class _Chunks:
    """The chunks of a document, in order of their starts."""

    def __init__(self, chunks: DocumentOffsets) -> None:
        order = np.argsort(chunks.starts, kind="stable")
        self.starts, self.ends = chunks.starts[order], chunks.ends[order]
        self._reach = np.maximum.accumulate(self.ends)  # how far the chunks so far reach

    def touching(self, start: int, end: int, *, closed: bool) -> Int64Array:
        """The chunks that share a character with a span, or, if `closed`, meet an end of it."""
        if closed:
            start, end = start - 1, end + 1
        first = np.searchsorted(self._reach, start, "right")
        near = np.arange(first, np.searchsorted(self.starts, end, "left"))
        return near[self.ends[near] > start]

    def beside(self, start: int, end: int) -> SpanPieces:
        """A span in these chunks: from where it starts to be in a chunk, the chunk that reaches
        furthest is taken, and so on from where it ends."""
        near = self.touching(start, end, closed=False)
        starts, ends = self.starts[near].tolist(), self.ends[near].tolist()
        cuts: list[int] = []
        lost: list[tuple[int, int]] = []
        place, reach, following, pieces = start, start, 0, 0
        while place < end:
            while following < len(starts) and starts[following] <= place:
                reach = max(reach, ends[following])
                following += 1
            if reach > place:
                pieces, place = pieces + 1, reach
                if place < end:
                    cuts.append(place)
            else:  # in no chunk, up to the next one
                reach = starts[following] if following < len(starts) else end
                lost.append((place, reach))
                place = reach
        return pieces, tuple(cuts), tuple(lost)


def _depth(places: Int64Array, starts: Int64Array, ends: Int64Array) -> Int64Array:
    """In how many of these stretches the character after each place is.

    >>> _depth(np.array([0, 2, 5]), np.array([0, 1]), np.array([3, 5])).tolist()
    [1, 2, 0]
    """
    begun = np.searchsorted(np.sort(starts), places, "right")
    return begun - np.searchsorted(np.sort(ends), places, "right")


def chunk_counts(
    asked: Asked, chunks: Mapping[str, DocumentOffsets]
) -> tuple[list[SpanPieces], Int64Array, Counts]:
    """The chunks of a chunker beside the evidence of each question: each span in them, the number
    of chunks that touch E of each question, and the counts that depend on chunks alone."""
    sorted_chunks = {name: _Chunks(chunks[name]) for name in asked.texts}
    visible_at = {name: Folded(text).at for name, text in asked.texts.items()}  # no white space
    by_program = asked.convention == "program"
    spans: list[SpanPieces] = []
    rows, n_touching = [], []
    for name, starts, ends in asked.by_question():
        own = sorted_chunks[name]
        edges = list(zip(starts.tolist(), ends.tolist(), strict=True))
        pieces = [own.beside(*span) for span in edges]
        spans += pieces
        near = [own.touching(*span, closed=by_program) for span in edges]
        touching = np.unique(np.concatenate(near))
        n_touching.append(len(touching))
        opens, closes = own.starts[touching], own.ends[touching]
        places = np.unique(np.concatenate([starts, ends, opens, closes]))
        amounts = np.diff(asked.amount_before[name](places))
        visible = np.diff(np.searchsorted(visible_at[name], places))
        in_evidence = _depth(places[:-1], starts, ends) > 0
        in_chunk = _depth(places[:-1], opens, closes) > 0
        evidence, held = amounts[in_evidence].sum(), amounts[in_evidence & in_chunk].sum()
        touched = amounts[in_chunk].sum()
        n_whole = sum(map(is_whole_in, pieces))
        row = {
            "whole_spans": n_whole,
            "spans": len(edges),
            "whole_questions": n_whole == len(edges),
            "questions": 1,
            "chunks": sum(n for n, _, _ in pieces),
            "held_spans": sum(n > 0 for n, _, _ in pieces),
            "held": held,
            # the program adds evidence in no chunk to what its perfect retriever fetches
            "needed": touched + (evidence - held if by_program else 0),
            "touched": touched,
            "touched_questions": len(touching) > 0,
            "lost": visible[in_evidence & ~in_chunk].sum(),
            "evidence": visible[in_evidence].sum(),
        }
        rows.append(row)
    columns = {name: np.array([row[name] for row in rows], np.int64) for name in rows[0]}
    return spans, np.array(n_touching, np.int64), columns


def fetched_counts(
    asked: Asked,
    chunks: Mapping[str, DocumentOffsets],
    lists: Sequence[Sequence[int]],
    touched: Int64Array,
) -> Callable[[Depth], Counts]:
    """The counts of the first k chunks fetched for each question, as a function of k.

    lists: the numbers of the chunks fetched for each question, best first, over all documents.
    touched: the number of chunks that touch the evidence of each question.
    """
    by_program = asked.convention == "program"
    own = [chunks[name] for name in asked.texts]
    every = [np.concatenate([each[side] for each in own]) for side in (0, 1)]
    document_of = np.repeat(np.arange(len(own)), [len(each.starts) for each in own])
    numbered = {name: number for number, name in enumerate(asked.texts)}
    amounts = [
        asked.amount_before[name](each.ends) - asked.amount_before[name](each.starts)
        for name, each in zip(asked.texts, own, strict=True)
    ]
    sizes = np.concatenate(amounts)
    evidence, gains = [], [np.zeros((0, 4), np.int64)]
    for (name, starts, ends), listed in zip(asked.by_question(), lists, strict=True):
        numbers = np.array(listed, np.int64)
        # a chunk of another document holds nothing of this one
        inside = document_of[numbers] == numbered[name]
        opens, closes = (np.where(inside, side[numbers], 0) for side in every)
        places = np.unique(np.concatenate([starts, ends, opens, closes]))
        cells = np.diff(asked.amount_before[name](places))
        times = _depth(places[:-1], starts, ends)  # spans that overlap
        holds = (opens[:, None] <= places[:-1]) & (closes[:, None] > places[:-1])
        new = holds & (np.cumsum(holds, axis=0) == 1)  # in no better chunk
        hits = (opens[:, None] <= starts) & (closes[:, None] >= ends)
        once, each = (new * cells * many for many in (times > 0, times))
        counted = each if by_program else once
        gain = once.sum(axis=1), counted.sum(axis=1), sizes[numbers], hits.any(axis=1)
        gains.append(np.stack(gain, axis=1))
        evidence.append((cells * (times if by_program else times > 0)).sum())
    all_evidence = np.array(evidence, np.int64)
    gained = np.concatenate(gains)
    before = np.append(np.zeros((1, 4), np.int64), np.cumsum(gained, axis=0), axis=0)
    n_fetched = np.array([len(listed) for listed in lists], np.int64)
    firsts = np.cumsum(n_fetched) - n_fetched

    def of_first(k: Depth) -> Counts:
        n_first = n_fetched
        if k is not None:
            n_first = np.minimum(touched if k == "touched" else k, n_fetched)
        once, counted, text, hits = (before[firsts + n_first] - before[firsts]).T
        return {
            "fetched_evidence": once,
            "evidence": all_evidence,
            "fetched": text,
            "fetched_or_evidence": np.where(n_first > 0, text + all_evidence - counted, 0),
            "hit_questions": (hits > 0).astype(np.int64),
            "questions": np.ones(len(n_first), np.int64),
        }

    return of_first
