"""Questions, and the spans of a text that answer them: as objects, JSON Lines, tables or frames.

A question has `question`, `document` and `evidence`, a list of spans: `{"start": …, "end": …}`, the
`text` of the span beside them or in their place, pairs [start, end], or texts alone. Offsets are
characters (code points) of the document's text, half-open. Other common names are read as well:
`corpus_id` for the document, `references` for the evidence, `start_index`, `end_index` and
`content` for its parts (Smith & Troynikov 2024). In CSV and TSV the evidence is JSON in its cell.

Nothing is guessed: a question without evidence, an unknown field of a span, or offsets that are not
numbers are errors that name the place. `evidence_spans` checks whether spans fit the text.
"""

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from segscore.basics.arguments import is_whole, shown
from segscore.chunks.source_texts import stored_source
from segscore.errors import SegmentationError
from segscore.io.files import READABLE, Source, as_path, naming_file
from segscore.io.formats.chunks import stored_objects
from segscore.io.safe_parsing import json_value
from segscore.io.table_files import check_names, check_width, column_of, rows

QUESTION = ("question", "query")
DOCUMENT = ("document", "corpus_id", "doc_id")
EVIDENCE = ("evidence", "references")
ID = ("id", "question_id", "qid")
START = ("start", "start_index")
END = ("end", "end_index")
TEXT = ("text", "content")
_TABLES = (".csv", ".tsv", ".xlsx", ".xlsm", ".parquet", ".pq", ".feather", ".arrow", ".ipc")
_TEXTS = (".csv", ".tsv")
_CELL = 'a list of spans, as JSON: [{"start": 0, "end": 9}]; in CSV "[{""start"": 0, ""end"": 9}]"'
_EXPECTED = (
    'an object with question, document and evidence, as in {"question": "Who?", "document": "d", '
    '"evidence": [{"start": 0, "end": 9}]}'
)


class EvidenceSpan(NamedTuple):
    """A span as given: offsets, or a text, or both."""

    start: int | None
    end: int | None
    text: str | None


class Question(NamedTuple):
    """A question: its id, its words, its document, and the spans of its answer.

    where: its name in messages.
    """

    id: str
    question: str
    document: str
    evidence: tuple[EvidenceSpan, ...]
    where: str


def as_questions(
    given: Any, alone: str | None = None, *, large: bool = False, encoding: str | None = None
) -> list[Question]:
    """The questions of a file, or of a sequence of mappings; at least one, each with a distinct id.

    alone: the only document, which questions do not have to name. large: whether files may take
    more memory than usual. encoding: the encoding of CSV and TSV files that are not UTF-8.

    >>> asked = as_questions([{"question": "Who?", "document": "d", "evidence": [[0, 9]]}])
    >>> asked[0].id, asked[0].evidence
    ('1', (EvidenceSpan(start=0, end=9, text=None),))
    """
    found = _given(given, alone, large, encoding)
    if not found:
        where = f"{given}: " if isinstance(given, str | os.PathLike) else ""
        raise SegmentationError(f"{where}there is no question: expected at least one")
    known: dict[str, Question] = {}
    for question in found:
        if question.id in known:
            raise SegmentationError(
                f"{question.where} has the id {question.id!r}, which "
                f"{known[question.id].where} has: expected another id"
            )
        known[question.id] = question
    return found


def _given(given: Any, alone: str | None, large: bool, encoding: str | None) -> list[Question]:
    """Questions of a file (JSON Lines, or a table by its suffix), or of objects."""
    if not isinstance(given, str | os.PathLike):
        return _from_objects(given, alone)
    place = as_path(given)
    source = stored_source(place, large)
    with naming_file(place, READABLE):
        if source.suffix in _TABLES:
            if encoding is not None and source.suffix in _TEXTS and not _is_utf8(source):
                source = stored_source(place, large, encoding)
            return list(_table_questions(source, alone))
        stored = enumerate(stored_objects(source, _EXPECTED), 1)
        return [
            _question(fields, number, source.at(line), alone) for number, (line, fields) in stored
        ]


def _is_utf8(source: Source) -> bool:
    """Whether a file is UTF-8, as most are; the given encoding is for others."""
    try:
        source.read_bytes().decode()
    except UnicodeDecodeError:
        return False
    return True


def _table_questions(source: Source, alone: str | None) -> Iterator[Question]:
    table = rows(source)
    _, header = next(table)
    with source.locating(1):
        check_names(header)
        for names in (QUESTION, EVIDENCE) if alone else (QUESTION, DOCUMENT, EVIDENCE):
            if column_of(header, names) is None:
                raise SegmentationError(
                    f"no column {names[0]}: expected question, document (or corpus_id) and "
                    "evidence (or references)"
                )
    keys = [name.strip().lower() for name in header]
    for number, (line, cells) in enumerate(table, 1):
        with source.locating(line):
            check_width(cells, header)
        fields: dict[str, Any] = dict(zip(keys, cells, strict=True))
        for name in EVIDENCE:
            if name in fields:
                fields[name] = json_value(source, fields[name], _CELL, line)
        for name in ID:
            if not fields.get(name):
                fields.pop(name, None)
        yield _question(fields, number, source.at(line), alone)


def _from_objects(given: Any, alone: str | None) -> list[Question]:
    given = _rows_of_frame(given)
    if isinstance(given, Mapping) or not isinstance(given, Iterable):
        raise SegmentationError(
            f"questions is {shown(given)}: expected a file, or a list of questions, each "
            f"{_EXPECTED}"
        )
    return [
        question
        if isinstance(question, Question)
        else _question(question, number, f"questions[{number - 1}]", alone)
        for number, question in enumerate(given, 1)
    ]


def _rows_of_frame(given: Any) -> Any:
    """The rows of a frame of pandas or Polars, with evidence parsed if it is JSON, and as lists if
    it is arrays, as pandas reads Parquet; or the input itself."""
    if hasattr(given, "to_dicts"):
        rows = given.to_dicts()
    elif hasattr(given, "to_dict") and hasattr(given, "columns"):
        rows = given.to_dict("records")
    else:
        return given
    for row in rows:
        for name in EVIDENCE:
            if isinstance(row.get(name), np.ndarray):
                row[name] = _listed(row[name])
            elif isinstance(row.get(name), str):
                try:
                    row[name] = json.loads(row[name])
                except (ValueError, RecursionError):
                    continue  # refused below, as what it is
    return rows


def _listed(spans: NDArray[Any]) -> list[Any]:
    """Spans as a list; pairs in it may be arrays, too."""
    return [span.tolist() if isinstance(span, np.ndarray) else span for span in spans.tolist()]


def _question(fields: Any, number: int, where: str, alone: str | None) -> Question:
    if not isinstance(fields, Mapping):
        raise SegmentationError(f"{where} is {shown(fields)}: expected {_EXPECTED}")
    question, document = _text(fields, QUESTION, where), alone
    if document is None or _first(fields, DOCUMENT) is not None:
        document = _text(fields, DOCUMENT, where)
    name = _first(fields, ID)
    if name is None:
        name = str(number)
    elif not isinstance(name, str) and not is_whole(name):
        raise SegmentationError(f"{where}: id is {shown(name)}: expected a text or a whole number")
    spans = _first(fields, EVIDENCE)
    where = f"{where}, question {question!r}"
    if spans is None:
        raise SegmentationError(
            f"{where} has no evidence: expected evidence or references, a list of spans"
        )
    if not isinstance(spans, Sequence) or isinstance(spans, str | bytes):
        raise SegmentationError(f"{where}: evidence is {shown(spans)}: expected a list of spans")
    if not spans:
        raise SegmentationError(
            f"{where} has no evidence: expected at least one span; leave the question out if no "
            "text answers it"
        )
    listed = [_span(span, f"{where}: evidence[{i}]") for i, span in enumerate(spans)]
    return Question(str(name), question, document, tuple(listed), where)


def _span(given: Any, where: str) -> EvidenceSpan:
    """A span of any known form: an object, a pair, or a text."""
    if isinstance(given, str):
        given = {"text": given}
    elif isinstance(given, Sequence) and len(given) == 2:
        given = {"start": given[0], "end": given[1]}
    if not isinstance(given, Mapping):
        raise SegmentationError(
            f"{where} is {shown(given)}: expected a span with start and end, a pair of them, or a "
            "text"
        )
    start, end, text = (_first(given, names) for names in (START, END, TEXT))
    if text is not None and not isinstance(text, str):
        raise SegmentationError(f"{where}: text is {shown(text)}: expected a str")
    if start is None and end is None and text is not None:
        return EvidenceSpan(None, None, text)
    for name, value in (("start", start), ("end", end)):
        if not is_whole(value):
            raise SegmentationError(f"{where}: {name} is {shown(value)}: expected a whole number")
    return EvidenceSpan(int(start), int(end), text)


def _first(fields: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    return next((fields[name] for name in names if fields.get(name) is not None), None)


def _text(fields: Mapping[str, Any], names: tuple[str, ...], where: str) -> str:
    value = _first(fields, names)
    if value is None:
        known = " or ".join(names)
        raise SegmentationError(f"{where} has no {names[0]}: expected {known}, a text")
    if not isinstance(value, str) or not value:
        raise SegmentationError(f"{where}: {names[0]} is {shown(value)}: expected a text")
    return value
