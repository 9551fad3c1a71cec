"""The answer in the output of a language model: what comes after its thoughts, the only block of
code, and the last JSON value, if nothing beside it takes it back or says another.
"""

import json
import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from segscore.io.quotations import AnswerError, fail_if
from segscore.io.safe_parsing import DECODER

_THOUGHT = re.compile(r"<(/?)(think|thinking|thought|thoughts|reasoning|scratchpad)>", re.I)
_FENCE = re.compile(r"^[^\S\n]*```.*\n?", re.M)
# what begins like JSON, and would not in prose
_OPENING = re.compile(
    r'[\[{]\s{0,40}+(?:[\[{]\s{0,40}+){0,3}+(?:"|-?[0-9][0-9.]*+\s*+[,\]]|true|false|null|[\]}])'
)
_TAKEN_BACK = re.compile(
    r"\b(?:wait|actually|alternatively|scratch that|on (?:second thought|reflection)|sorry|hmm|no"
    r"|incorrect|wrong|mistaken?|corrections?|corrected|revised|rather|better|instead"
    r"|i(?:'d| would| might)|should (?:be|have been))\b",
    re.I,
)
_THESE = re.compile(r"\s*(?:these|those|they|the numbers|each number)\b[^\n]*", re.I)
_ENDS_IN_NUMBERS = re.compile(r"[0-9]\s?(?:[,;]|and)\s?(?:and\s)?[0-9]+[\])]{0,2}[.!]?$")
_EXAMPLE = re.compile(r"\b(?:for example|for instance|an example|e\.g\.)", re.I)
_ROW = re.compile(  # between the lists of two segments: perhaps the number of the second
    r"[\s,;.]{0,9}(?:[-*•]\s)?(?:\W{0,3}(?:segment|topic|section|part|chapter)\s#?[0-9]{1,6}"
    r"\W{1,4})?",
    re.I,
)
_EDGES = " \t\r`.;,"


def after_thoughts(text: str) -> str:
    """The answer after the thoughts of a model, which must have ended."""
    end, depth = 0, 0
    for tag in _THOUGHT.finditer(text):
        depth = 0 if tag[1] else depth + 1
        end = tag.end()
    fail_if(depth, "cut off in the middle: the thoughts do not end")
    fail_if(end and not text[end:].strip(), "nothing comes after the thoughts")
    return text[end:]


def without_fences(text: str) -> tuple[str, str]:
    """The answer without the lines that begin and end blocks of code; and the only block, or, if
    there is none, the answer."""
    parts = _FENCE.split(text)
    fail_if(len(parts) % 2 == 0, "cut off in the middle: a block of code does not end")
    blocks = [block.removesuffix("\n") for block in parts[1::2]]
    fail_if(len({*blocks}) > 1, "two different answers: blocks of code that differ")
    whole = "".join(parts)
    return whole, blocks[0] if blocks else whole


def has_json(text: str) -> bool:
    """Whether something in a text begins like JSON."""
    return _OPENING.search(text) is not None


def json_in(text: str, *, rows: bool = False) -> tuple[Any, str] | None:
    """The JSON value in an answer, and the words about it, in the lines where it begins and ends;
    None if there is none. Objects in a row are one list; with rows, so are lists in a row."""
    found = _values(text)
    if not found:
        return None
    (first, _, _), (start, end, value) = found[0], found[-1]
    fail_if(_TAKEN_BACK.search(text[end:]), "the words after the JSON take it back")
    if any(_ENDS_IN_NUMBERS.search(line.rstrip()[-40:]) for line in text[end:].splitlines()):
        raise AnswerError("two different answers: numbers come after the JSON")
    values = [other for *_, other in found]
    if len(values) > 1 and len({*map(type, values)}) == 1 and all(map(_is_row, values)):
        between = [text[one[1] : two[0]] for one, two in pairwise(found)]
        if isinstance(value, Mapping):
            several = not "".join(between).strip(" \t\r\n,")
        else:
            several = rows and all(map(_ROW.fullmatch, between))
        start, value = (first, values) if several else (start, value)
    if value is not values and any(other != value for other in values):
        raise AnswerError("two different answers in JSON: expected one")
    lines = [line for line in text[max(0, start - 400) : start].split("\n") if line.strip(_EDGES)]
    intro = "".join(lines[-1:])
    fail_if(_EXAMPLE.search(intro), "the JSON is called an example")
    rest = text[end : end + 400]
    about = _THESE.match(rest)
    return value, f"{intro}\n{rest.partition(chr(10))[0] if about is None else about[0]}"


def _values(text: str) -> list[tuple[int, int, Any]]:
    """The lists and objects in a text, with their places. Numbers in brackets inside a line, such
    as [12], are no values."""
    found: list[tuple[int, int, Any]] = []
    at = 0
    while (opening := _OPENING.search(text, at)) is not None:
        start = opening.start()
        try:
            value, at = DECODER.raw_decode(text, start)
        except (ValueError, RecursionError) as error:  # a number of thousands of digits, too
            is_cut = isinstance(error, json.JSONDecodeError) and (
                error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated")
            )
            what = getattr(error, "msg", str(error)).partition(";")[0]
            cut = "cut off in the middle: the JSON does not end"
            raise AnswerError(cut if is_cut else f"not JSON: {what}") from None
        edges = text[max(0, start - 100) : start].rpartition("\n")[2], text[at : at + 100]
        alone = not (edges[0] + edges[1].partition("\n")[0]).strip(_EDGES)
        cited = isinstance(value, list) and len(value) < 2  # as words cite the number of a unit
        if alone or not cited or isinstance(value and value[0], str | list | dict):
            found.append((start, at, value))
    return found


def _is_row(value: Any) -> bool:
    """Whether a value may describe one of several segments."""
    if isinstance(value, Mapping):
        return not any(isinstance(inner, list | dict) for inner in value.values())
    return all(type(number) is int for number in value)
