"""JSON of no known format: described in words, with the most similar formats."""

import json
import re
from typing import Any

from segscore.io.files import Source

_SHOWN = 6  # keys of an object that are named


def refuse_unknown_json(source: Source, head: str) -> None:
    """Raise if a file is JSON (all of it is read): the error says what it looks like, and which
    formats could be meant. Other files are left to other checks."""
    if source.suffix in (".jsonl", ".ndjson"):
        if _is_lines(head, 1):
            value = json.loads(head.strip().split("\n", maxsplit=1)[0])
            raise source.fail(_explained(value, "each line is "))
        return
    if not re.match(r"\s*[\[{]", head) and source.suffix != ".json":
        return
    text = source.read_text()
    if not text.strip():
        raise source.fail("the file is empty: expected JSON")
    try:
        value = json.loads(text)
    except RecursionError:
        raise source.fail("lists nested too deeply: expected codings in JSON") from None
    except json.JSONDecodeError as error:
        if _is_lines(text):
            value = json.loads(text.strip().split("\n", maxsplit=1)[0])
            raise source.fail(_explained(value, "each line is ")) from None
        what = f"not JSON ({error.msg} at column {error.colno})"
        raise source.fail(f"{what}: expected codings in JSON", error.lineno) from None
    except ValueError:
        raise source.fail("a number is too long: expected codings in JSON") from None
    raise source.fail(_explained(value, "it is "))


def _is_lines(text: str, least: int = 2) -> bool:
    lines = text.strip().split("\n", maxsplit=2)
    try:
        return len(lines) >= least and all(isinstance(json.loads(line), dict) for line in lines[:2])
    except (ValueError, RecursionError):
        return False


def _explained(value: Any, start: str) -> str:
    looks = looks_like(value)
    could = candidates(value)
    these = "this name" if len(could) == 1 else "one of these names"
    return (
        f"the format of this JSON is not known: {start}{looks}. It could be "
        f"{'; or '.join(could)}: expected format= with {these}, or another form of the "
        "file (docs/readers.md)"
    )


def looks_like(value: Any, depth: int = 0) -> str:
    """A JSON value in words.

    >>> looks_like({"ch1": [2, 3]})
    "an object with the key 'ch1', which holds a list of 2 numbers"
    """
    if isinstance(value, dict):
        if not value:
            return "an empty object"
        keys = [repr(key if len(key) <= 40 else key[:39] + "…") for key in list(value)[:_SHOWN]]
        more = f" and {len(value) - _SHOWN} more" if len(value) > _SHOWN else ""
        word = "key" if len(value) == 1 else "keys"
        inside = next(iter(value.values()))
        holds = f", which holds {looks_like(inside, depth + 1)}" if len(value) == 1 else (
            f"; the first holds {looks_like(inside, depth + 1)}")  # fmt: skip
        return f"an object with the {word} {', '.join(keys)}{more}" + (holds if depth < 2 else "")
    if isinstance(value, list):
        return _list(value, depth)
    words = {str: "a text", bool: "true or false", int: "a number", float: "a number"}
    return words.get(type(value), "null")


def _list(value: list[Any], depth: int) -> str:
    if not value:
        return "an empty list"
    kinds = {type(entry) for entry in value}
    if kinds <= {int, bool} and all(entry in (0, 1) for entry in value):
        return f"a list of {len(value)} zeros and ones"
    if kinds <= {int, float}:
        return f"a list of {len(value)} numbers"
    if kinds == {str}:
        return f"a list of {len(value)} texts"
    first = f", the first {looks_like(value[0], depth + 1)}" if depth < 2 else ""
    return f"a list of {len(value)}{first}"


_LABELS = "labels (0 or 1, or a segment, per unit: {document: {coder: [0, 1, …]}}, with marks=)"
_SEGEVAL = 'segeval-json ({"segmentation_type": "linear", "items": {document: {coder: masses}}})'
_JSONL = 'jsonl (a line per coding: {"document": …, "coder": …, "masses": [2, 3]})'
_STUDIO = 'label-studio (a list of tasks with "data" and "annotations", or JSON-MIN)'
_DOCCANO = 'doccano (a line per text: {"text": …, "label": [[0, 9, "TOPIC"]]})'
_WORDS = 'transcript (Whisper, WhisperX, AWS or Deepgram: segments or words with "start" and "end")'
_CHAPTERS = 'chapters ([{"start": 0, "end": 70, "title": …}, …], or an object with "chapters")'
_CHUNKS = 'chunks ({"document": …, "text": …} each; format="chunks")'
_LLM = 'llm (raw answers of a language model: {document: answer}, or "document" and "output")'
_OUTPUTS = ("output", "answer", "response", "completion", "prediction", "custom_id", "resps")


def candidates(value: Any) -> list[str]:
    """The two or three most similar formats."""
    first = value[0] if isinstance(value, list) and value else value
    if isinstance(first, dict) and first:
        if any(name in first for name in _OUTPUTS):
            return [_LLM, _JSONL]
        texts = all(isinstance(inner, str) for inner in first.values())
        if first is value and texts and "text" not in first:
            return [_LLM, _SEGEVAL]
    text = json.dumps(value)[:20_000]
    if '"start' in text and ('"end' in text or '"duration"' in text):
        return [_WORDS, _CHAPTERS, _STUDIO]
    if '"text"' in text or '"content"' in text:
        return [_CHUNKS, _DOCCANO, _STUDIO]
    if '"data"' in text:
        return [_DOCCANO, _STUDIO, _LABELS]
    if isinstance(value, list):
        return [_LABELS, _STUDIO]
    return [_LABELS, _SEGEVAL, _JSONL]
