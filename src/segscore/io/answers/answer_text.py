"""What a model says around its answer: thoughts, blocks of code, words before and after.

The answer is the last JSON value after the thoughts; where there is none, the text of the only
block of code, or all of the text. An unfinished thought, block or value, two values that differ,
and a value that is taken back are failures.
"""

import json
import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from segscore.errors import SegmentationError, shortened, visible
from segscore.io.safe_parsing import no_constant, unique_keys

_THOUGHT = re.compile(r"<(/?)(think|thinking|thought|thoughts|reasoning|scratchpad)>", re.I)
# what begins like JSON, and would not in prose
_OPENING = re.compile(
    r'[\[{]\s{0,40}+(?:[\[{]\s{0,40}+){0,3}+(?:"|-?[0-9][0-9.]*+\s*+[,\]]|true|false|null|[\]}])'
)
_TAKEN_BACK = re.compile(
    r"\b(?:wait|actually|alternatively|scratch that|on (?:second thought|reflection)|sorry|hmm|no"
    r"|incorrect|wrong|mistaken?|corrections?|corrected|revised|rather|better)\b",
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
_REFUSAL = re.compile(
    r"\b(?:i(?:'m| am) (?:sorry|unable|not able)"
    r"|i (?:can(?:'|no)?t|won't|will not|must decline)"
    r"|as an ai|unable to (?:help|assist|process|comply)|can(?:'|no)?t (?:help|assist))\b",
    re.I,
)
_AROUND = " \t\r`.;,"


class AnswerError(Exception):
    """An answer without a segmentation; the message is the reason, for users."""

    def __init__(self, reason: str) -> None:
        super().__init__(shortened(visible(reason)))


def after_thoughts(text: str) -> str:
    """The answer after the thoughts of a model, which must have ended."""
    end, depth = 0, 0
    for tag in _THOUGHT.finditer(text):
        depth = 0 if tag[1] else depth + 1
        end = tag.end()
    if depth:
        raise AnswerError("cut off in the middle: the thoughts do not end")
    if end and not text[end:].strip():
        raise AnswerError("nothing comes after the thoughts")
    return text[end:]


def without_fences(text: str) -> tuple[str, str]:
    """The answer without the lines that begin and end blocks of code; and the only block, or, if
    there is none, the answer."""
    kept: list[str] = []
    blocks: list[list[str]] = []
    is_open = False
    for line in text.split("\n"):
        if line.lstrip().startswith("```"):
            is_open = not is_open
            blocks += [[]] if is_open else []
        else:
            kept.append(line)
            if is_open:
                blocks[-1].append(line)
    if is_open:
        raise AnswerError("cut off in the middle: a block of code does not end")
    if any(other != blocks[0] for other in blocks):
        raise AnswerError("two different answers: blocks of code that differ")
    whole = "\n".join(kept)
    return whole, "\n".join(blocks[0]) if blocks else whole


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
    _check_last(text[end:])
    values = [other for *_, other in found]
    between = [text[one[1] : two[0]] for one, two in pairwise(found)]
    flat = all(map(_is_row_object, values)) and not "".join(between).strip(" \t\r\n,")
    listed = rows and all(map(_is_row, values)) and all(map(_ROW.fullmatch, between))
    if len(values) > 1 and (flat or listed):
        start, value = first, values
    elif any(other != value for other in values):
        raise AnswerError("two different answers in JSON: expected one")
    intro = _line_before(text[max(0, start - 400) : start])
    if _EXAMPLE.search(intro):
        raise AnswerError("the JSON is called an example")
    rest = text[end : end + 400]
    about = _THESE.match(rest)
    return value, f"{intro}\n{rest.partition(chr(10))[0] if about is None else about[0]}"


def _values(text: str) -> list[tuple[int, int, Any]]:
    """The lists and objects in a text, with their places. Numbers in brackets inside a line, such
    as [12], are no values."""
    decoder = json.JSONDecoder(object_pairs_hook=unique_keys, parse_constant=no_constant)
    found: list[tuple[int, int, Any]] = []
    at = 0
    while (opening := _OPENING.search(text, at)) is not None:
        start = opening.start()
        try:
            value, at = decoder.raw_decode(text, start)
        except json.JSONDecodeError as error:
            ends = error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated")
            what = (
                "cut off in the middle: the JSON does not end" if ends else f"not JSON: {error.msg}"
            )
            raise AnswerError(what) from None
        except SegmentationError as error:
            raise AnswerError(str(error)) from None
        except RecursionError:
            raise AnswerError("the JSON is nested too deeply") from None
        except ValueError:
            raise AnswerError("a number is too long") from None
        if not _is_citation(value) or _alone(text, start, at):
            found.append((start, at, value))
    return found


def _is_citation(value: Any) -> bool:
    """Whether a value may be the number of a unit that words mention."""
    return (
        isinstance(value, list)
        and len(value) < 2
        and not isinstance(value and value[0], str | list | dict)
    )


def _alone(text: str, start: int, end: int) -> bool:
    """Whether there is nothing else in the lines of a passage."""
    before = text[max(0, start - 100) : start].rpartition("\n")[2]
    after = text[end : end + 100].partition("\n")[0]
    return not before.strip(_AROUND) and not after.strip(_AROUND)


def _is_row_object(value: Any) -> bool:
    """Whether a value is an object that may describe one of several segments."""
    return isinstance(value, Mapping) and not any(
        isinstance(x, list | dict) for x in value.values()
    )


def _is_row(value: Any) -> bool:
    """Whether a value is a list that may hold one of several segments."""
    return isinstance(value, list) and all(type(x) is int for x in value)


def _check_last(rest: str) -> None:
    """Raise if the words after an answer take it back, or give another."""
    if _TAKEN_BACK.search(rest):
        raise AnswerError("the words after the JSON take it back, or give another answer")
    for line in rest.splitlines():
        if _ENDS_IN_NUMBERS.search(line.rstrip()[-40:]):
            raise AnswerError("two different answers: numbers come after the JSON")


def _line_before(text: str) -> str:
    """The words in the line that a passage follows."""
    lines = [line for line in text.split("\n") if line.strip(_AROUND)]
    return lines[-1] if lines else ""


def is_refusal(text: str) -> bool:
    """Whether an answer begins with a refusal."""
    return _REFUSAL.search(text[:300].replace("’", "'")) is not None


def beginning(text: str) -> str:
    """The first words of a text, in quotes."""
    line = " ".join(text[:200].split())
    return repr(line if len(line) <= 80 else line[:79] + "…")


def title_of(text: str | None) -> str | None:
    """A title without the marks around it; None if nothing is left."""
    return (text or "").strip(" \t:.|–—-\"'*()[]") or None
