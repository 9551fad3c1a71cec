"""Questions, the places of the evidence that answers them, and the chunks fetched for them.

A question has `question`, `document` and `evidence`, a list of spans: `{"start": …, "end": …}`, the
`text` of the span beside them or in their place, pairs [start, end], or texts alone. Offsets are
characters (code points) of the document's text, half-open. Other common names are read as well:
`corpus_id` for the document, `references` for the evidence, `start_index`, `end_index` and
`content` for its parts (Smith & Troynikov 2024). In tables the evidence may be JSON in its cell.

A span with offsets must lie in the text, and its text, if it is given, must be the text there
(white space, quote marks and dashes may differ, as in chunks). A span without offsets is searched
for; if it occurs in several places, offsets are needed, and the error names the places. White space
at the ends of a span is not evidence: splitters strip it from their chunks, and it is not missed.

What was fetched is given as a list in the order of the questions, as a mapping from the questions'
ids (or from their words, if no two are the same), as a function of the question's words, or as
objects with `question` (the id or the words) and `retrieved`, in a list or in JSON Lines. A chunk
is given by its id (a str), by its position in the list of chunks (a whole number, from 0) or, if
there are several documents, by a pair of its document and the position there.
"""

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from segscore.basics.arguments import Int64Array, first_twice, is_whole, shown
from segscore.basics.user_functions import calling
from segscore.chunks.chunk_inputs import DocumentOffsets, stored_source
from segscore.errors import SegmentationError, about, named
from segscore.io.files import READABLE, as_path, naming_file
from segscore.io.formats.chunks import stored_objects
from segscore.io.table_files import check_names, check_width, rows
from segscore.text.chunk_finding import OFFSETS_COUNT
from segscore.text.folding import Folded, is_white

_QUESTION = ("question", "query")
_DOCUMENT = ("document", "corpus_id", "doc_id")
_EVIDENCE = ("evidence", "references")
_ID = ("id", "question_id", "qid")
_START = ("start", "start_index")
_END = ("end", "end_index")
_TEXT = ("text", "content")
_EXPECTED = (
    'an object with question, document and evidence, as in {"question": "Who?", "document": "d", '
    '"evidence": [{"start": 0, "end": 9}]}'
)
_SPANS = 'a list of spans, [{"start": 0, "end": 9}]; in CSV "[{""start"": 0, ""end"": 9}]"'
_CALLED = ("question", "id", "question_id", "qid")
_FETCHED = ("retrieved", "chunks", "results")
_FETCHED_ROW = 'an object as {"question": "q1", "retrieved": [4, 0]}'
_NAMED = 5  # places that a message lists
_NEAR = 20  # characters of text around a place in a message

Retrievals = (
    Mapping[str, Sequence[Any]]
    | Sequence[Sequence[Any]]
    | Sequence[Mapping[str, Any]]
    | Callable[[str], Sequence[Any]]
    | str
    | os.PathLike[str]
)


Span = tuple[int | None, int | None, str | None]
"""A span as given: its offsets, or its text, or both."""


class Question(NamedTuple):
    """A question: its id, its words, its document, and the spans of its answer.

    where: its name in messages.
    """

    id: str
    question: str
    document: str
    evidence: tuple[Span, ...]
    where: str


# ---- questions ----


def as_questions(
    given: Any, alone: str | None = None, *, large: bool = False, encoding: str | None = None
) -> list[Question]:
    """The questions of a file, a frame or a list of mappings; at least one, each with its own id.

    alone: the only document, which questions do not have to name. large: whether files may take
    more memory than usual. encoding: the encoding of CSV and TSV files that are not UTF-8.

    >>> asked = as_questions([{"question": "Who?", "document": "d", "evidence": [[0, 9]]}])
    >>> asked[0].id, asked[0].evidence
    ('1', ((0, 9, None),))
    """
    in_file = ""
    if isinstance(given, str | os.PathLike):
        path, in_file = as_path(given), f"{given}: "
        with naming_file(path, READABLE):
            listed = list(_rows_of(path, _EXPECTED, large, encoding))
    else:
        if hasattr(given, "to_dicts"):  # Polars
            given = given.to_dicts()
        elif hasattr(given, "to_dict") and hasattr(given, "columns"):  # pandas
            given = given.to_dict("records")
        if isinstance(given, Mapping) or not isinstance(given, Iterable):
            raise SegmentationError(
                f"questions is {shown(given)}: expected a file, or a list of questions, each "
                f"{_EXPECTED}"
            )
        listed = [(f"questions[{index}]", fields) for index, fields in enumerate(given)]
    known: dict[str, Question] = {}
    for number, (where, fields) in enumerate(listed, 1):
        question = _question(fields, number, where, alone)
        other = known.setdefault(question.id, question)
        if other is not question:
            raise SegmentationError(
                f"{question.where} has the id {question.id!r}, which {other.where} has: expected "
                "another id"
            )
    if not known:
        raise SegmentationError(f"{in_file}there is no question: expected at least one")
    return list(known.values())


def _rows_of(
    path: Path, expected: str, large: bool, encoding: str | None = None
) -> Iterator[tuple[str, Any]]:
    """The place and the fields of each object or row of a file."""
    source = stored_source(path, large)
    if source.suffix not in (".csv", ".tsv"):
        yield from ((source.at(line), fields) for line, fields in stored_objects(source, expected))
        return
    if encoding is not None:
        try:
            source.read_bytes().decode()  # most files are UTF-8, the encoding is for others
        except UnicodeDecodeError:
            source = stored_source(path, large, encoding)
    table = rows(source)
    _, header = next(table)
    with source.locating(1):
        check_names(header)
    for line, cells in table:
        with source.locating(line):
            check_width(cells, header)
        names = (name.strip().lower() for name in header)
        yield source.at(line), dict(zip(names, (cell or None for cell in cells), strict=True))


def _question(fields: Any, number: int, where: str, alone: str | None) -> Question:
    if isinstance(fields, Question):
        return fields
    if not isinstance(fields, Mapping):
        raise SegmentationError(f"{where} is {shown(fields)}: expected {_EXPECTED}")
    question = _field(fields, _QUESTION, where)
    document = alone
    if alone is None or _first(fields, _DOCUMENT) is not None:
        document = _field(fields, _DOCUMENT, where)
    name: Any = number
    if _first(fields, _ID) is not None:
        name = _field(fields, _ID, where, "a text or a whole number")
    where = f"{where}, question {question!r}"
    spans = given = _first(fields, _EVIDENCE)
    if isinstance(given, str):
        try:
            spans = json.loads(given)
        except (ValueError, RecursionError):
            spans = None
    elif isinstance(given, np.ndarray):  # as pandas reads Parquet
        spans = [each.tolist() if isinstance(each, np.ndarray) else each for each in given.tolist()]
    if given is None or (isinstance(spans, Sequence) and not spans):
        raise SegmentationError(
            f"{where} has no evidence: expected at least one span under evidence or references; "
            "leave the question out if no text answers it"
        )
    if not isinstance(spans, Sequence) or isinstance(spans, str | bytes):
        raise SegmentationError(f"{where}: evidence is {shown(given)}: expected {_SPANS}")
    listed = tuple(_span(span, f"{where}: evidence[{i}]") for i, span in enumerate(spans))
    return Question(str(name), question, str(document), listed, where)


def _span(given: Any, where: str) -> Span:
    """A span of any known form: an object, a pair, or a text."""
    fields = given
    if isinstance(given, str):
        fields = {"text": given}
    elif isinstance(given, Sequence) and len(given) == 2:
        fields = {"start": given[0], "end": given[1]}
    if not isinstance(fields, Mapping):
        raise SegmentationError(
            f"{where} is {shown(given)}: expected a span with start and end, a pair of them, or a "
            "text"
        )
    start, end, text = (_first(fields, names) for names in (_START, _END, _TEXT))
    words = None if text is None else _field(fields, _TEXT, where)
    if start is None and end is None and words is not None:
        return None, None, words
    start, end = (int(_field(fields, each, where, "a whole number")) for each in (_START, _END))
    return start, end, words


def _first(fields: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    return next((fields[name] for name in names if fields.get(name) is not None), None)


_FITS: dict[str, Callable[[Any], bool]] = {
    "a text": lambda value: isinstance(value, str) and value != "",
    "a text or a whole number": lambda value: isinstance(value, str) or is_whole(value),
    "a whole number": is_whole,
}


def _field(
    fields: Mapping[str, Any], names: tuple[str, ...], where: str, kind: str = "a text"
) -> Any:
    """The field with one of these names, which must be there and be of this kind."""
    value = _first(fields, names)
    if not _FITS[kind](value):
        what = f" has no {names[0]}" if value is None else f": {names[0]} is {shown(value)}"
        raise SegmentationError(f"{where}{what}: expected {' or '.join(names)}, {kind}")
    return value


# ---- where their evidence is ----


def place_evidence(
    questions: Sequence[Question], texts: Mapping[str, str], *, trim: bool = True
) -> tuple[Int64Array, Int64Array, Int64Array, int]:
    """The spans of all questions in these texts, ordered by question and start: the question of
    each, its start and end, and how many lost white space; raise for one that does not fit.

    trim: whether to trim white space at the ends of spans.
    """
    folded = cache(lambda document: Folded(texts[document]))
    found: list[tuple[int, int, int, int]] = []
    n_trimmed = 0
    for number, question in enumerate(questions):
        text = texts[question.document]
        for index, span in enumerate(question.evidence):
            with about(f"{question.where}: evidence[{index}]"):
                start, end = _place(span, question.document, text, folded)
                piece = text[start:end]
                if trim and is_white(piece):
                    raise SegmentationError(f"it is white space ({start} … {end}): expected text")
                if trim:
                    n_trimmed += piece != piece.strip()
                    start += len(piece) - len(piece.lstrip())
                    end -= len(piece) - len(piece.rstrip())
            found.append((number, start, end, index))
    table = np.array(sorted(found), np.int64).reshape(-1, 4)
    question_of, starts, ends = (np.ascontiguousarray(column) for column in table.T[:3])
    return question_of, starts, ends, n_trimmed


def _place(
    span: Span, document: str, text: str, folded: Callable[[str], Folded]
) -> tuple[int, int]:
    """The offsets of a span, which must be in the text, and hold the span's text; or those of the
    only place of its text."""
    start, end, words = span
    if start is None or end is None:
        return _place_of_text(words or "", document, text, folded)
    if not 0 <= start < end <= len(text):
        raise SegmentationError(
            f"it goes from {shown(start)} to {shown(end)}: expected a start before the end, within "
            f"0 … {len(text)}, the length of document {document!r}; {OFFSETS_COUNT}"
        )
    if words is not None and Folded(words).text != Folded(text[start:end]).text:
        raise SegmentationError(
            f"{shown(words)}, and document {document!r} has {shown(text[start:end])} at {start} … "
            f"{end}: expected the same; {OFFSETS_COUNT}"
        )
    return start, end


def _place_of_text(
    words: str, document: str, text: str, folded: Callable[[str], Folded]
) -> tuple[int, int]:
    """The only place of a text in a document."""
    if is_white(words):
        raise SegmentationError(f"{shown(words)}: expected text")
    found = [(at, at + len(words)) for at in _occurrences(text, words)]
    if not found:
        whole, piece = folded(document), Folded(words)
        found = [
            (int(whole.at[at]), int(whole.at[at + len(piece) - 1]) + 1)
            for at in _occurrences(whole.text, piece.text)
        ]
    if not found:
        raise SegmentationError(
            f"{shown(words)}, which is not in document {document!r}: expected text of it, with "
            "no other change than in white space, quote marks and dashes"
        )
    if len(found) > 1:
        listed = ", ".join(
            f"{start} … {end} (after {text[max(0, start - _NEAR) : start]!r})"
            for start, end in found[:_NAMED]
        )
        more = f" and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
        raise SegmentationError(
            f"it stands in document {document!r} at {listed}{more}: expected its start and end"
        )
    return found[0]


def _occurrences(text: str, piece: str) -> list[int]:
    """All places where a piece occurs, including overlapping ones; beyond the number that a message
    lists, they are not searched one by one."""
    places: list[int] = []
    at = text.find(piece)
    while at >= 0 and len(places) < 1000:
        places.append(at)
        at = text.find(piece, at + 1)
    return places


# ---- what was fetched for them ----


def fetched_chunks(
    given: Any,
    questions: Sequence[Question],
    counting: Sequence[Question],
    chunks: Mapping[str, DocumentOffsets],
    *,
    large: bool = False,
) -> list[list[int]]:
    """The numbers of the chunks fetched for each question that counts, over all documents.

    questions: all questions, also those that are left out.
    """
    is_file = isinstance(given, str | os.PathLike)
    if is_file:
        path = as_path(given)
        with naming_file(path, READABLE):
            objects = list(_rows_of(path, _FETCHED_ROW, large))
        given = _by_question(objects)
    elif isinstance(given, Sequence) and given and all(isinstance(each, Mapping) for each in given):
        given = _by_question((f"retrieved[{i}]", fields) for i, fields in enumerate(given))
    with about(str(path) if is_file else "what was fetched"):
        lists = _lists_of(given, questions, counting)
        return _numbers(lists, counting, chunks)


def _by_question(objects: Iterable[tuple[str, Any]]) -> dict[str, Sequence[Any]]:
    """What was fetched for each question, from objects that name it, each with its place."""
    found: dict[str, Sequence[Any]] = {}
    for where, fields in objects:
        known = fields if isinstance(fields, Mapping) else {}
        name, fetched = _first(known, _CALLED), _first(known, _FETCHED)
        if not (isinstance(name, str) or is_whole(name)) or not isinstance(fetched, list | tuple):
            raise SegmentationError(f"{where}: {shown(fields)}: expected {_FETCHED_ROW}")
        if str(name) in found:
            raise SegmentationError(
                f"{where}: question {str(name)!r} is there twice: expected once"
            )
        found[str(name)] = fetched
    return found


def _lists_of(given: Any, questions: Sequence[Question], counting: Sequence[Question]) -> list[Any]:
    """What was fetched for each question that counts."""
    if callable(given):
        fetched = []
        for each in counting:
            with calling(given, f"retrieved for question {each.id!r} ({each.question!r})"):
                own = given(each.question)
                fetched.append(list(own) if isinstance(own, Iterator) else own)
        return fetched
    if isinstance(given, Mapping):
        return _by_name({str(name): own for name, own in given.items()}, questions, counting)
    if not isinstance(given, Sequence) or isinstance(given, str | bytes):
        raise SegmentationError(
            f"retrieved is {shown(given)}: expected a list of chunks per question, a mapping from "
            "questions to such lists, a function, or a file"
        )
    if len(given) != len(questions):
        raise SegmentationError(
            f"retrieved has {len(given)} lists, and there are {len(questions)} questions: expected "
            "a list per question"
        )
    counts = {question.id for question in counting}
    return [fetched for fetched, of in zip(given, questions, strict=True) if of.id in counts]


def _by_name(
    lists: Mapping[str, Any], questions: Sequence[Question], counting: Sequence[Question]
) -> list[Any]:
    """What was fetched for each question that counts, named by ids, or by words if more fit."""
    by_words = sum(q.question in lists for q in counting) > sum(q.id in lists for q in counting)
    names = {each.id: each.question if by_words else each.id for each in questions}
    asked = [names[question.id] for question in counting]
    for question, name in zip(counting, asked, strict=True):
        if name not in lists:
            raise SegmentationError(
                f"nothing says what was fetched for question {question.id!r} "
                f"({question.question!r}): expected a list of chunks for each question, an empty "
                "list if there are none"
            )
    unknown = lists.keys() - set(names.values())
    if unknown or len(set(asked)) < len(asked):
        what = f"names {named(sorted(unknown))}, and there are no such questions"
        if not unknown:
            what = f"names questions by their words, and two are {shown(first_twice(asked))}"
        raise SegmentationError(f"retrieved {what}: expected ids, or words of one question each")
    return [lists[name] for name in asked]


def _numbers(
    lists: Sequence[Any], questions: Sequence[Question], chunks: Mapping[str, DocumentOffsets]
) -> list[list[int]]:
    """The number of each fetched chunk, by id, position, or document and position."""
    counts = [len(own.starts) for own in chunks.values()]
    bases = dict(zip(chunks, np.cumsum([0, *counts]).tolist(), strict=False))
    ids = Counter(name for own in chunks.values() for name in own.ids or ())
    by_id = {
        name: bases[document] + place
        for document, own in chunks.items()
        for place, name in enumerate(own.ids or ())
        if ids[name] == 1  # an id that two documents have tells nothing
    }
    alone = next(iter(chunks)) if len(chunks) == 1 else None

    def number_of(chunk: Any) -> int | None:
        if isinstance(chunk, str):
            return by_id.get(chunk)
        pair = (alone, chunk) if is_whole(chunk) else chunk
        if not isinstance(pair, Sequence) or len(pair) != 2 or not is_whole(pair[1]):
            return None
        document, place = pair
        if not isinstance(document, str) or document not in chunks:
            return None
        return bases[document] + int(place) if 0 <= place < len(chunks[document].starts) else None

    found = []
    for question, listed in zip(questions, lists, strict=True):
        with about(f"question {question.id!r} ({question.question!r})"):
            if isinstance(listed, str | bytes) or not isinstance(listed, Iterable):
                raise SegmentationError(f"{shown(listed)} is given: expected a list of chunks")
            numbers: dict[int, Any] = {}
            for place, chunk in enumerate(listed):
                number = number_of(chunk)
                if number is None or number in numbers:
                    what = "no chunk has that name" if number is None else "it was fetched twice"
                    raise SegmentationError(
                        f"retrieved[{place}] is {shown(chunk)}, and {what}: expected the id of a "
                        "chunk, its position from 0, or [document, position], each once"
                    )
                numbers[number] = chunk
            found.append(list(numbers))
    return found
