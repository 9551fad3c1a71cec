"""Raw answers of a language model: what `segscore.answers.read` reads, from files.

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
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from segscore.basics.arguments import shown
from segscore.corpus.record import Record
from segscore.errors import SegmentationError, about, named
from segscore.io.files import Source, byte_lines, expect, unpacked
from segscore.io.formats import jsonl
from segscore.io.safe_parsing import json_lines, json_value, name_in

if TYPE_CHECKING:
    from segscore.io.answers import Answer

_CODED = {"masses", "boundaries", "gaps", "segment_ids", "spans", "levels", "failure"}
_NAMES = ("document", "doc_id", "custom_id", "id")
_ANSWERS = ("output", "answer", "response", "completion", "prediction", "content", "text")
_EXPECTED = 'an object with "document" and "output"'

RawAnswer = tuple[int | None, str, str | None]  # line, document, answer


def read_llm(source: Source) -> Iterator[Record]:
    """A record per answer."""
    # what answers need is imported where there are any
    from segscore.io.answers import AnswerRules, answer_of

    choices = source.choices
    if _holds_codings(source):
        yield from jsonl.read_jsonl(source)
        choices.remark(f"{source.at()}: codings, not answers of a model: read as jsonl")
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
            choices.remark(f"{source.at(line)}: document {name!r}: {said}")
        forms[found.form if found.reason is None and found.form else "no segmentation"] += 1
        yield record
    counts = ", ".join(f"{form} {count}" for form, count in forms.items())
    choices.remark(f"{source.at()}: {forms.total()} output{'s' * (forms.total() != 1)}: {counts}")


def _holds_codings(source: Source) -> bool:
    """Whether a file of JSON Lines plainly holds our codings."""
    if source.suffix not in (".jsonl", ".ndjson"):
        return False
    for _, line in byte_lines(source):
        if line.strip():
            try:
                found = json.loads(line)
            except (ValueError, RecursionError):
                return False
            coded = isinstance(found, dict) and bool(_CODED & found.keys())
            return coded and "document" in found and not found.keys() & {*_ANSWERS}
    return False


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
    if source.suffix != ".json":
        for number, entry in json_lines(source, _EXPECTED):
            yield _of_object(source, entry, number)
        return
    data = json_value(source, source.read_text(), _EXPECTED)
    if isinstance(data, dict) and not any(key in data for key in _ANSWERS):
        yield from ((None, name, answer_text(answer)) for name, answer in data.items())
    else:
        for entry in data if isinstance(data, list) else [data]:
            yield _of_object(source, entry, None)


def _of_object(source: Source, entry: Any, line: int | None) -> RawAnswer:
    with source.locating(line):
        expect(isinstance(entry, dict), f"%s: expected {_EXPECTED}, or outputs by document", entry)
        name = name_in(entry, _NAMES, source.document)
        with about(f"document {name!r}"):
            if is_batch(entry):
                return line, name, batch_answer(entry)
            key = next((key for key in _ANSWERS if key in entry), None)
            expect(key is not None, f"no output: expected {_EXPECTED}")
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


def is_batch(entry: Mapping[str, Any]) -> bool:
    """Whether an object is a result of a batch."""
    response, result = entry.get("response"), entry.get("result")
    return (
        (isinstance(response, dict) and ("body" in response or "choices" in response))
        or ("custom_id" in entry and isinstance(result, dict))
        or ("custom_id" in entry and response is None and entry.get("error") is not None)
        or isinstance(entry.get("resps"), list)
    )


def batch_answer(entry: Mapping[str, Any]) -> str | None:
    """The text of an answer; None if the request failed."""
    if "resps" in entry:
        given = entry["resps"]
        while isinstance(given, list) and len(given) == 1:
            (given,) = given
        if given is None or isinstance(given, str):
            return given
        raise SegmentationError(f"resps is {shown(given)}: expected one text per document")
    if isinstance(entry.get("result"), dict):
        result = entry["result"]
        return _text(result["message"]) if isinstance(result.get("message"), dict) else None
    response = entry.get("response")
    if not isinstance(response, dict):
        return None
    body = response.get("body", response)
    if not isinstance(body, dict) or body.get("error") is not None:
        return None
    choices = body.get("choices")
    several = choices if isinstance(choices, list) else []
    messages: list[Any] = [each.get("message") for each in several if isinstance(each, dict)]
    fits = len(several) == 1 and [*map(type, messages)] == [dict]
    what = f"response.body.choices has {len(several)} choices"
    expect(fits, f"{what}: expected one message per document")
    return _text(messages[0])


def _text(message: Mapping[str, Any]) -> str | None:
    """The content of a message: a text, or parts of which some are texts."""
    content = message.get("content")
    if content is None or isinstance(content, str):
        return content
    listed = content if isinstance(content, list) else [{"text": content}]
    parts = [part["text"] for part in listed if isinstance(part, dict) and "text" in part]
    fits = all(isinstance(part, str) for part in parts)
    expect(fits, "content is %s: expected texts", content)
    return "".join(parts)
