"""Chunks of texts, as they are stored for retrieval: JSON Lines, or a list in JSON.

    {"document": "guide", "chunks": ["First chunk …", "Second chunk …"]}
    {"document": "guide", "offsets": [[0, 812], [700, 1544]]}
    {"page_content": "First chunk …", "metadata": {"source": "guide.md", "start_index": 0}}

An object holds all chunks of a document (`chunks`: texts or objects; `offsets`: pairs of start and
end, or starts), or one chunk each, as LangChain (`page_content`), LlamaIndex and Chonkie (`text`,
`start_index`) have it. The document is that of `document`, or of `source`, `file_path` or
`file_name` in the metadata; if nothing names one and there is one text, it is that.

The text that they were cut from is in the object (`text` beside `chunks`), in the file that text=
(--text) names, or in the reference that the chunks are scored against. `segscore.chunks.place` says
how chunks are placed; misfits are reported. For Markdown and plain text, the text is the file
itself; for other formats, it is the units put together. Headings then stay in it, because they are
in the chunks, and units are sentences on both sides unless the caller says otherwise.

Raw answers of a language model: what `segscore.answers.read` reads, from files.

    {"document": "ch1", "output": "[0, 12, 31]"}
    {"ch1": "[0, 12, 31]", "ch2": "…"}
    answers/ch1.txt, answers/ch2.txt …

An object names its document by `document`, `doc_id`, `id` or `custom_id`, and holds the answer as
`output`, `answer`, `response`, `completion`, `prediction`, `content` or `text`. An answer that is
null is empty; a list or an object is read as JSON. Results of batches are known: OpenAI's
(`response.body.choices`), Anthropic's (`result.message.content`) and those of lm-eval (`resps`).

The units are those of the reference that the answers are scored against, or of the file that text=
(--text) names. A document whose answer gives no segmentation has none, and the reason is kept. A
file of our own codings in JSON Lines, such as a baseline's, is read as codings, so that a single
command can compare both.
"""

import json
import os
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from math import isnan
from pathlib import PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING, Any

from segscore.basics.arguments import check_name, shown
from segscore.corpus.record import Record, whereabouts
from segscore.errors import SegmentationError, about, named, number_of
from segscore.io.files import TABLES, Source, expect, unpacked
from segscore.io.formats import jsonl
from segscore.io.read_options import DEFAULT_RULE
from segscore.io.safe_parsing import LINES, field, full_list, json_objects, message_text, name_in
from segscore.text.chunk_finding import first_field
from segscore.text.chunk_placing import Placement, name_headings, place_chunks
from segscore.text.located_units import SourceText
from segscore.text.unit_splitting import chunk_units

if TYPE_CHECKING:
    from segscore.io.answers import Answer

_NAMES = ("source", "file_path", "file_name", "document")
_EXPECTED = "an object with chunks, offsets or page_content"


def read_chunks(source: Source) -> Iterator[Record]:
    """A record per document."""
    placed: list[Placement] = []
    for line, name, coder, chunks, own in chunked_documents(source):
        document, text = _text_of(source, name, own, line)
        with source.locating(line):
            with about(whereabouts(document, coder)):
                placement = _placed(source, text, chunks)
            placed.append(placement)
            yield Record(
                document, coder, placement.segmentation, text.units.texts, place=source.at(line)
            )
    source.expect(placed, f"the file is empty: expected {_EXPECTED}")
    counted = source.choices.notes.placed
    far = max(placement.farthest for placement in placed)
    counted["moved"] += sum(len(placement.moved) for placement in placed)
    counted["inside"] += sum(len(placement.inside) for placement in placed)
    counted["farthest"] = max(far, counted["farthest"])
    source.remark(_summary(placed, far))


Chunked = tuple[int | None, str | None, str, Any, str | None]  # line, document, coder, chunks, text


def chunked_documents(source: Source) -> Iterator[Chunked]:
    """The chunks of each document; chunks in separate objects are collected."""
    collected: dict[tuple[str | None, str], list[Any]] = {}
    for line, entry in stored_objects(source, _EXPECTED):
        source.expect(isinstance(entry, dict), f"%s: expected {_EXPECTED}", entry, line=line)
        lists = [key for key in ("chunks", "offsets") if entry.get(key) is not None]
        with source.locating(line):
            coder, name = entry.get("coder", source.coder), document_of(entry)
            check_name(coder, "coder")
            if name is not None:
                check_name(name, "document")
            expect(len(lists) < 2, "chunks and offsets are given: expected one of them")
            own = field({"text": None, **entry}, "text", str, type(None)) if lists else None
        if lists:
            yield line, name, coder, entry[lists[0]], own
        else:
            collected.setdefault((name, coder), []).append(entry)
    for (name, coder), chunks in collected.items():
        yield None, name, coder, chunks, None


def stored_objects(source: Source, expected: str) -> Iterator[tuple[int | None, Any]]:
    """Each object of a file of JSON or JSON Lines, or row of a table in Parquet or Excel, with its
    line; empty cells are left out.

    expected: what the file should hold, for messages.
    """
    if source.suffix in TABLES:
        from segscore.io.table_files import table_rows

        rows = table_rows(source)
        _, header = next(rows)
        names = [str(cell) for cell in header]
        for number, cells in rows:
            pairs = zip(names, map(_cell, cells), strict=True)
            yield number, {name: cell for name, cell in pairs if cell is not None}
        return
    yield from ((line, value) for (line, _), value in json_objects(source, expected))


def _cell(value: Any) -> Any:
    """A cell as in JSON: a column of offsets with holes holds floats, and NaN."""
    if isinstance(value, dict):
        return {name: _cell(inner) for name, inner in value.items()}
    if not isinstance(value, float):
        return value
    return None if isnan(value) else int(value) if value.is_integer() else value


def document_of(chunk: Any) -> Any:
    """The document that a chunk says it was cut from; None if it names none.

    >>> document_of({"text": "So it is.", "metadata": {"source": "guide.md"}})
    'guide.md'
    """
    name = first_field(chunk, ("document",))
    return first_field(first_field(chunk, ("metadata",)), _NAMES) if name is None else name


def _text_of(
    source: Source, name: str | None, own: str | None, line: int | None
) -> tuple[str, SourceText]:
    """The name of a document and its text."""
    texts = source.choices.text
    if own is not None:
        units = chunk_units(own, source.choices.units or DEFAULT_RULE, source.choices.snap)
        return name or source.document, SourceText(own, units, exact=True)
    if not isinstance(texts, Mapping):
        what = "the file does not hold the text that the chunks were cut from: expected it in text="
        raise source.fail(f'{what}, as the reference, or as "text" beside "chunks"', line)
    if name is None and len(texts) == 1:
        return next(iter(texts.items()))
    known = document_called(name or source.document, texts)
    if known is not None:
        return known, texts[known]
    what = "no document is named" if name is None else f"document {name!r} has no text"
    raise source.fail(f'{what}: expected "document" in each object, one of {named(texts)}', line)


def document_called(name: str, documents: Container[str]) -> str | None:
    """The document with this name: its own name, without a suffix, or the name of a file in a
    folder.

    >>> document_called("docs/guide.md", ["faq", "guide"])
    'guide'
    """
    path = PureWindowsPath(name) if "\\" in name else PurePosixPath(name)
    spellings = [name, path.with_suffix("").as_posix() if path.name else name, path.name, path.stem]
    return next((spelling for spelling in spellings if spelling in documents), None)


def _placed(source: Source, text: SourceText, chunks: Any) -> Placement:
    choices = source.choices
    if not text.exact and isinstance(chunks, list):  # its offsets are those of another text
        fits = all(isinstance(chunk, str | dict) for chunk in chunks)
        what = "chunks are given as offsets, and the text is known by its units only"
        expect(fits, f"{what}: expected the text itself in text=")
        texts = [first_field(chunk, ("page_content", "text", "content")) for chunk in chunks]
        pairs = zip(texts, chunks, strict=True)
        chunks = [chunk if words is None else words for words, chunk in pairs]
    rules = {name: getattr(choices, name) for name in ("overlap", "allow_gaps", "gaps", "snap")}
    return place_chunks(text.text, chunks, text.units, **rules)


def _summary(placed: list[Placement], far: int) -> str:
    """What was changed in all documents; cuts inside sentences and words are always reported."""
    total: Counter[str] = Counter()
    for placement in placed:
        total.update(placement.counts())
    chunks = sum(placement.n_chunks for placement in placed)
    parts = [
        f"{chunks} chunks of {number_of(len(placed), 'document')}",
        f"cuts inside sentences: {total['inside_sentences']}",
        f"inside words: {total['inside_words']}",
    ]
    headings = dict.fromkeys(name for placement in placed for name in placement.lost_headings)
    lost = f"{min(each.coverage for each in placed):.3f}{name_headings(list(headings), '; ')}"
    more = {
        "moved": f"cuts inside units: %s, moved by up to {far} characters",
        "inside": "cuts too far inside units to move, which are extra boundaries: %s",
        "merged": "cuts without a boundary of their own: %s",
        "uncovered": f"characters in no chunk: %s (lowest coverage {lost})",
        "doubled": "characters in several chunks: %s",
        "changed": "changes of white space or marks: %s",
        "ambiguous": "chunks that fit elsewhere, too: %s",
        "wrong_offsets": "offsets that were wrong: %s",
    }
    parts += [text.replace("%s", str(total[key])) for key, text in more.items() if total[key]]
    return "; ".join(parts)


# ---- answers of language models ----

_CODED = {"masses", "boundaries", "gaps", "segment_ids", "spans", "levels", "failure"}
_ANSWERED = ("document", "doc_id", "custom_id", "id")
_ANSWERS = ("output", "answer", "response", "completion", "prediction", "content", "text")
_OUTPUTS = 'an object with "document" and "output"'

RawAnswer = tuple[int | None, str, str | None]  # line, document, answer


def read_llm(source: Source) -> Iterator[Record]:
    """A record per answer."""
    # what answers need is imported where there are any
    from segscore.io.answers import AnswerRules, answer_of

    choices = source.choices
    if _holds_codings(source):
        yield from jsonl.read_jsonl(source)
        source.remark("codings, not answers of a model: read as jsonl")
        return
    texts = choices.text
    if not isinstance(texts, Mapping):
        raise source.fail("answers hold no document: expected its units in text=, or a reference")
    shape: Any = choices.shape  # None is refused
    rules = AnswerRules(shape, choices.base, choices.similarity, choices.separator)
    forms: Counter[str] = Counter()
    for line, name, answer in raw_answers(source):
        if name not in texts:
            what = f"document {name!r} has no units: expected one of {named(texts)}"
            raise source.fail(what, line)
        units = texts[name].units
        known = units.texts if any(units.texts or ()) else None
        with source.locating(line):
            found = answer_of(name, answer, units.n if known is None else known, rules)
            record = record_of(name, source.coder, found, known, source.at(line))
        if choices.notes.receipt == "answers":
            coding = found.segmentation
            listed = "" if coding is None else ", ".join(map(str, coding.boundaries)) or "none"
            said = found.reason or f"{shape} ({found.form}): boundaries {listed}"
            source.remark(f"document {name!r}: {said}", line)
        forms[found.form if found.reason is None and found.form else "no segmentation"] += 1
        yield record
    counts = ", ".join(f"{form} {count}" for form, count in forms.items())
    source.remark(f"{forms.total()} output{'s' * (forms.total() != 1)}: {counts}")


def _holds_codings(source: Source) -> bool:
    """Whether a file of JSON Lines plainly holds our codings."""
    if source.suffix not in LINES:
        return False
    fields: Any = next((value for _, value in json_objects(source, _OUTPUTS)), None)
    coded = isinstance(fields, dict) and bool(_CODED & fields.keys())
    return coded and "document" in fields and not fields.keys() & {*_ANSWERS}


def record_of(
    name: str, coder: str, answer: "Answer", texts: Sequence[str] | None, place: str = ""
) -> Record:
    """An answer as a record, with its coding or the reason why it gives none."""
    if answer.segmentation is None:
        return Record(name, failure=answer.reason, place=place)
    units = None if texts is None else tuple(texts)
    return Record(name, coder, answer.segmentation, units, place=place)


# ---- files ----


def raw_answers(source: Source) -> Iterator[RawAnswer]:
    """The answers in a file."""
    if source.suffix == ".txt":
        yield None, source.document, source.read_text()
        return
    for place, entry in json_objects(source, _OUTPUTS):
        if place == (None, "") and isinstance(entry, dict) and not entry.keys() & {*_ANSWERS}:
            yield from ((None, name, answer_text(answer)) for name, answer in entry.items())
        else:
            yield _of_object(source, entry, place[0])


def _of_object(source: Source, entry: Any, line: int | None) -> RawAnswer:
    with source.locating(line):
        expect(isinstance(entry, dict), f"%s: expected {_OUTPUTS}, or outputs by document", entry)
        name = name_in(entry, _ANSWERED, source.document)
        with about(f"document {name!r}"):
            if _is_batch(entry):
                return line, name, _batch_answer(entry)
            key = next((key for key in _ANSWERS if key in entry), None)
            expect(key is not None, f"no output: expected {_OUTPUTS}")
            return line, name, answer_text(entry[key])


def answer_text(answer: Any) -> str | None:
    """An answer as text; lists and objects as their JSON."""
    if answer is None or isinstance(answer, str):
        return answer
    try:
        return json.dumps(answer, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        what = f"{shown(answer)}: expected a text, or what JSON can hold"
        raise SegmentationError(what) from None


def answers_in(path: str | os.PathLike[str]) -> dict[str, str | None]:
    """The answers of a file, or of a folder of texts, by document."""
    from segscore.io.reading import sources

    found: dict[str, str | None] = {}
    with unpacked(path) as top:
        for source, _ in sources(top, "llm", called=path):
            for line, name, answer in raw_answers(source):
                what = f"document {name!r} is listed twice: expected each once"
                source.expect(name not in found, what, line=line)
                found[name] = answer
    return found


# ---- results of batches ----


def _is_batch(entry: Mapping[str, Any]) -> bool:
    """Whether an object is a result of a batch."""
    response, result = entry.get("response"), entry.get("result")
    return (
        (isinstance(response, dict) and ("body" in response or "choices" in response))
        or ("custom_id" in entry and isinstance(result, dict))
        or ("custom_id" in entry and response is None and entry.get("error") is not None)
        or isinstance(entry.get("resps"), list)
    )


def _batch_answer(entry: Mapping[str, Any]) -> str | None:
    """The text of an answer; None if the request failed."""
    given, result, response = (entry.get(name) for name in ("resps", "result", "response"))
    if given is not None:
        while isinstance(given, list) and len(given) == 1:
            (given,) = given
        fits = given is None or isinstance(given, str)
        expect(fits, "resps is %s: expected one text per document", given)
        return None if given is None else str(given)
    if isinstance(result, dict):
        message = result.get("message")
        return message_text(message.get("content")) if isinstance(message, dict) else None
    body = response.get("body", response) if isinstance(response, dict) else None
    if not isinstance(body, dict) or body.get("error") is not None:
        return None
    (choice,) = full_list(body, "choices", 1)
    return message_text(field(choice, "message", dict).get("content"))
