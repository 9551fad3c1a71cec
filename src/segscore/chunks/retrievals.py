"""The chunks that a system fetched for each question, in order, by id or by position.

They are given as a list in the order of the questions, as a mapping from the questions' ids (or
from their words, if no two are the same), as a function of the question's words, or as objects with
`question` (the id or the words) and `retrieved`, in a list or in JSON Lines. A chunk is given by
its id (a str), by its position in the list of chunks (a whole number, from 0) or, if there are
several documents, by a pair of its document and the position there.
"""

import os
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from segscore.basics.arguments import Int64Array, is_whole, shown
from segscore.basics.cached import cached_property
from segscore.basics.series import first_twice
from segscore.basics.user_functions import calling
from segscore.chunks.questions import Question
from segscore.chunks.source_texts import stored_source
from segscore.errors import SegmentationError, about, named
from segscore.io.files import READABLE, as_path, naming_file
from segscore.io.formats.chunks import stored_objects

if TYPE_CHECKING:
    from segscore.chunks.evidence_statistics import EvidenceCounts

Retrievals = (
    Mapping[str, Sequence[Any]]
    | Sequence[Sequence[Any]]
    | Sequence[Mapping[str, Any]]
    | Callable[[str], Sequence[Any]]
    | str
    | os.PathLike[str]
)
_EXPECTED = 'an object as {"question": "q1", "retrieved": [4, 0]}'
_FETCHED = ("retrieved", "chunks", "results")
_CALLED = ("question", "id", "question_id", "qid")
_NOT_YET = np.iinfo(np.int64).max


class FetchedGains(NamedTuple):
    """What each fetched chunk adds: how much of E it holds that no better chunk does, with
    overlapping spans counted once, or each by itself; how much text it holds; and whether it holds
    a span of its question completely, 1 or 0."""

    evidence: Int64Array
    span_evidence: Int64Array
    text: Int64Array
    hits: Int64Array


@dataclass(frozen=True, eq=False)
class Fetched:
    """The fetched chunks: those of question i are `chunks[offsets[i]:offsets[i+1]]`, numbers of
    chunks on the line, best first."""

    offsets: Int64Array
    chunks: Int64Array

    @cached_property
    def n_fetched(self) -> Int64Array:
        """The number of chunks fetched for each question."""
        return np.diff(self.offsets)

    @cached_property
    def question_of(self) -> Int64Array:
        """The question of each fetched chunk."""
        return np.repeat(np.arange(len(self.offsets) - 1), self.n_fetched)

    def sum_of_first(self, values: Int64Array, n_first: Int64Array) -> Int64Array:
        """The sum of what fetched chunks add, over the first `n_first` of each question."""
        before = np.append(0, np.cumsum(values))
        firsts = self.offsets[:-1]
        return np.asarray(before[firsts + n_first] - before[firsts])

    def gains(self, counts: "EvidenceCounts") -> FetchedGains:
        """What each fetched chunk adds to its question."""
        line = counts.line
        texts = line.weigh(line.ends[self.chunks]) - line.weigh(line.starts[self.chunks])
        return FetchedGains(*self._evidence(counts), texts, self._holds_span(counts))

    def _wide(self, counts: "EvidenceCounts") -> int:
        """A width above that of the line, so that each question can have a line of its own."""
        return int(max(counts.ends.max(), counts.line.ends.max())) + 2

    def _holds_span(self, counts: "EvidenceCounts") -> Int64Array:
        """Whether a span ends in the chunk, among spans that do not start before it; the first of
        their ends decides."""
        wide, line = self._wide(counts), counts.line
        starts = counts.question_of * wide + counts.starts
        first_end = np.minimum.accumulate((counts.question_of * wide + counts.ends)[::-1])[::-1]
        own = self.question_of * wide
        after = np.searchsorted(starts, own + line.starts[self.chunks])
        found = np.append(first_end, _NOT_YET)[after] <= own + line.ends[self.chunks]
        return found.astype(np.int64)

    def _evidence(self, counts: "EvidenceCounts") -> tuple[Int64Array, Int64Array]:
        """Cut the line of each question at all ends of chunks and spans; each cell belongs to the
        best chunk that has it, which has the lowest number."""
        wide, line = self._wide(counts), counts.line
        own, spans = self.question_of * wide, counts.question_of * wide
        lefts, rights = own + line.starts[self.chunks], own + line.ends[self.chunks]
        opens, closes = spans + counts.starts, np.sort(spans + counts.ends)
        places = np.unique(np.concatenate([lefts, rights, opens, closes]))
        best = _least_over(
            np.searchsorted(places, lefts), np.searchsorted(places, rights), len(places)
        )
        times = np.searchsorted(opens, places, "right") - np.searchsorted(closes, places, "right")
        cells = np.flatnonzero((best < _NOT_YET) & (times > 0))
        weights = line.weigh(places[cells + 1] % wide) - line.weigh(places[cells] % wide)
        once, each = np.zeros((2, len(self.chunks)), np.int64)
        np.add.at(once, best[cells], weights)
        np.add.at(each, best[cells], weights * times[cells])
        return once, each


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


# ---- input ----


def read_retrievals(
    path: str | os.PathLike[str], *, large: bool = False
) -> dict[str, Sequence[Any]]:
    """What was fetched for each question, from JSON, JSON Lines or Parquet."""
    place = as_path(path)
    source = stored_source(place, large)
    with naming_file(place, READABLE):
        stored = list(stored_objects(source, _EXPECTED))
    return _by_question((source.at(line), fields) for line, fields in stored)


def _by_question(objects: Iterable[tuple[str, Any]]) -> dict[str, Sequence[Any]]:
    """What was fetched for each question, from objects that name it, each with its place."""
    found: dict[str, Sequence[Any]] = {}
    for where, fields in objects:
        if not isinstance(fields, Mapping):
            raise SegmentationError(f"{where}: {shown(fields)}: expected {_EXPECTED}")
        name = next((fields[key] for key in _CALLED if key in fields), None)
        fetched = next((fields[key] for key in _FETCHED if key in fields), None)
        if not (isinstance(name, str) or is_whole(name)) or not isinstance(fetched, list | tuple):
            raise SegmentationError(f"{where}: {shown(fields)}: expected {_EXPECTED}")
        if str(name) in found:
            raise SegmentationError(
                f"{where}: question {str(name)!r} is there twice: expected it once"
            )
        found[str(name)] = fetched
    return found


def fetched_chunks(
    given: Any,
    questions: Sequence[Question],
    find: Callable[[Any], int | None],
    *,
    large: bool = False,
    kept: Container[str] | None = None,
) -> Fetched:
    """The fetched chunks, as numbers of chunks.

    questions: all questions. find: returns the number of the chunk with a given name, or None.
    large: whether a file may take more memory than usual. kept: the ids of the questions that
    count, if some do not.
    """
    if isinstance(given, str | os.PathLike):
        read = read_retrievals(given, large=large)
        with about(str(given)):
            return _fetched(read, questions, find, kept)
    return _fetched(given, questions, find, kept)


def _fetched(
    given: Any,
    questions: Sequence[Question],
    find: Callable[[Any], int | None],
    kept: Container[str] | None,
) -> Fetched:
    counting = [question for question in questions if kept is None or question.id in kept]
    lists = _per_question(given, questions, counting)
    numbers: list[int] = []
    for question, listed in zip(counting, lists, strict=True):
        with about(f"question {question.id!r} ({question.question!r})"):
            if isinstance(listed, str | bytes) or not isinstance(listed, Iterable):
                raise SegmentationError(
                    f"what was fetched is {shown(listed)}: expected a list of chunks"
                )
            numbers += _numbers(list(listed), find)
        numbers.append(-1)  # marks the end of a list
    flat = np.array(numbers, np.int64)
    ends = np.flatnonzero(flat < 0)
    offsets = np.append(0, ends - np.arange(len(ends)))
    return Fetched(offsets, flat[flat >= 0])


def _numbers(listed: list[Any], find: Callable[[Any], int | None]) -> list[int]:
    found: dict[int, Any] = {}
    for place, name in enumerate(listed):
        number = find(name)
        if number is None:
            raise SegmentationError(
                f"retrieved[{place}] is {shown(name)}, and no chunk has that name: expected the id "
                "of a chunk, its position from 0, or [document, position]"
            )
        if number in found:
            raise SegmentationError(f"chunk {shown(name)} was fetched twice: expected each once")
        found[number] = name
    return list(found)


def _per_question(
    given: Any, questions: Sequence[Question], counting: Sequence[Question]
) -> list[Any]:
    """The list of each question that counts."""
    if callable(given):
        return [_called(given, question) for question in counting]
    if isinstance(given, Mapping):
        return _by_name(given, questions, counting)
    if isinstance(given, Sequence) and not isinstance(given, bytes):
        if given and all(isinstance(fields, Mapping) for fields in given):
            objects = ((f"retrieved[{place}]", fields) for place, fields in enumerate(given))
            return _by_name(_by_question(objects), questions, counting)
        if len(given) != len(questions):
            raise SegmentationError(
                f"retrieved has {len(given)} lists, and there are {len(questions)} questions: "
                "expected a list per question"
            )
        counts = {question.id for question in counting}
        return [fetched for fetched, of in zip(given, questions, strict=True) if of.id in counts]
    raise SegmentationError(
        f"retrieved is {shown(given)}: expected a list of chunks per question, a mapping from "
        "questions to such lists, a function, or a file"
    )


def _called(function: Callable[[str], Any], question: Question) -> Any:
    """What a function fetches for a question, as a list."""
    with calling(function, f"retrieved for question {question.id!r} ({question.question!r})"):
        fetched = function(question.question)
        return list(fetched) if isinstance(fetched, Iterator) else fetched


def _by_name(
    given: Mapping[Any, Any], questions: Sequence[Question], counting: Sequence[Question]
) -> list[Any]:
    """What was fetched, by id or by words, whichever names all questions."""
    keys = {str(key): value for key, value in given.items()}
    call = _how_called(keys, counting)
    names = [call(question) for question in counting]
    every = {call(question) for question in questions}
    unknown = [key for key in keys if key not in every]
    if unknown:
        raise SegmentationError(
            f"retrieved names {named(unknown)}, and there are no such questions: expected ids or "
            "words of the questions that were given"
        )
    return [keys[name] for name in names]


def _how_called(keys: Container[str], counting: Sequence[Question]) -> Callable[[Question], str]:
    """The function that gives the name of a question: its id, or its words if these name all."""
    if all(question.id in keys for question in counting):
        return lambda question: question.id
    if all(question.question in keys for question in counting):
        words = [question.question for question in counting]
        if len(set(words)) < len(words):
            raise SegmentationError(
                f"two questions are {first_twice(words)!r}: expected what was fetched by the "
                "questions' ids"
            )
        return lambda question: question.question
    nowhere = (
        question
        for question in counting
        if question.id not in keys and question.question not in keys
    )
    first = next(nowhere, counting[0])
    raise SegmentationError(
        f"nothing says what was fetched for question {first.id!r} ({first.question!r}): expected a "
        "list of chunks for each question, an empty list if there are none"
    )
