"""Answers in JSON: in a fence, or by itself at the start of a line.

Known forms are lists of numbers, of pairs of numbers, of lists of numbers, of texts, and of objects
with one or two numbers or a text, and perhaps a title; objects around such a list; and objects from
title to start, or from start to title.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from segscore.basics.arguments import shown
from segscore.errors import named
from segscore.io.answers.claims import AnswerError, Claim
from segscore.io.answers.list_names import may_be_empty, numbers_announced, numbers_called
from segscore.io.safe_parsing import no_constant, unique_keys

_FENCE = re.compile(r"^[ \t]*```+[ \t]*([\w-]*)[^\n]*\n(.*?)(?:^[ \t]*```+[ \t]*$|\Z)", re.M | re.S)
_OPENING = re.compile(r"^[ \t]*([\[{])", re.M)
_REST = re.compile(r"[ \t]*[.;,]?[ \t]*(?:\n|`|\Z)")
_JSON = ("", "json", "jsonc", "jsonl", "ndjson")
_MOST_TRIES = 50  # of places at which JSON may begin
_ANSWER = re.compile(r"\b(?:answer|result|output)(?: is)?[\s:*`$=]*(?:\\boxed\{)?[\s`]*\Z", re.I)
_BEFORE = re.compile(r"([^\n]{1,80}):[*\s]*(?:```\w*\s*)?\[")  # words that announce a list
_DIGIT = re.compile("[0-9]")
_DEEPEST = 6  # objects around a list

_START = ("start", "start_index", "start_sentence", "start_unit", "start_line", "start_id",
          "start_utterance", "begin", "from", "first", "index", "sentence", "line", "unit",
          "utterance", "turn", "id")  # fmt: skip
_END = ("end", "end_index", "end_sentence", "end_unit", "end_line", "end_id", "end_utterance",
        "stop", "to", "last", "last_sentence", "last_utterance")  # fmt: skip
_TITLE = ("title", "topic", "heading", "label", "name", "summary", "chapter")
_TITLES = ("titles", "labels", "names")
_TEXT = ("text", "content", "first_sentence", "starting_sentence", "quote", "segment")
_UNITS = ("sentences", "units", "lines", "utterances", "turns", "indices", "ids")
_LIST_NAME = re.compile(
    "start|bound|segment|chapter|topic|section|break|ind|position|sentence|answer|output|result|cut"
    "|split|list|(?:^|_)ends?$",
    re.I,
)


def fenced(text: str) -> list[tuple[str, str]]:
    """The blocks of code in an answer: (language, content)."""
    return [(found[1].casefold(), found[2]) for found in _FENCE.finditer(text)]


def json_claim(text: str) -> Claim | None:
    """The claim of the JSON in an answer; None if there is no JSON."""
    blocks = [content for language, content in fenced(text) if language in _JSON]
    found = [value for block in blocks for value in _values(block)] or _values(text)
    distinct = [value for i, value in enumerate(found) if value not in found[:i]]
    if not distinct:
        return None
    where = "JSON in a fence" if any(_values(block) for block in blocks) else "JSON"
    if len(distinct) > 1 and all(map(_is_segment, found)):
        claim = claim_of(found)
        where += ", an object in each line"
    elif len(distinct) > 1:
        raise AnswerError(f"{len(distinct)} different answers in JSON: expected one")
    else:
        before = _BEFORE.search(text)
        claim = _announced(distinct[0], before[1] if before is not None else "")
    return Claim(**{**vars(claim), "form": f"{where}, {claim.form}"})


def _is_segment(value: Any) -> bool:
    """Whether an object describes one of several segments."""
    names = {str(key).casefold() for key in value} if isinstance(value, dict) else set()
    return bool(names & {*_START, *_END, *_TEXT}) and not any(
        isinstance(inner, list | dict) for inner in value.values()
    )


def json_inside_a_line(text: str, document: str) -> Claim | None:
    """The claim of JSON between words, if there is a single value that the document does not have,
    or the last follows the word "answer"; None otherwise."""
    found = [passage for passage in _inside(text) if text[passage[0] : passage[1]] not in document]
    if not found:
        return None
    start, end, last = found[-1]
    named_so = _ANSWER.search(text, max(0, start - 80), start) is not None
    rest = text[:start] + text[end:]
    alone = all(value == last for *_, value in found) and len(last) > 1 - isinstance(last, dict)
    if not named_so and not (alone and ("\n" not in text.strip() or not _DIGIT.search(rest))):
        return None
    claim = _announced(last, text[max(0, start - 80) : start].rpartition("\n")[2])
    return Claim(**{**vars(claim), "form": f"JSON between words, {claim.form}"})


def _announced(value: Any, words: str) -> Claim:
    """The claim of a value after some words, which may say what a list of numbers means."""
    if isinstance(value, list) and value and all(map(_is_number, value)):
        found = numbers_announced(words, [_number(number) for number in value])
        if found is not None:
            return found
    return claim_of(value)


def _inside(text: str) -> list[tuple[int, int, Any]]:
    """Lists and objects anywhere in a text, with their places."""
    decoder = json.JSONDecoder(object_pairs_hook=unique_keys, parse_constant=no_constant)
    found: list[tuple[int, int, Any]] = []
    reached = 0
    for tries, opening in enumerate(re.finditer(r"[\[{]", text)):
        if tries >= _MOST_TRIES:
            return []
        if opening.start() < reached:
            continue
        try:
            value, reached = decoder.raw_decode(text, opening.start())
        except (ValueError, RecursionError):
            continue
        if value:
            found.append((opening.start(), reached, value))
    return found


def why_no_json(text: str) -> str | None:
    """What is wrong with an answer that begins like JSON; None if it does not."""
    blocks = [content for language, content in fenced(text) if language == "json"]
    body = (blocks[0] if blocks else text).strip()
    if not body.startswith(("[", "{")):
        return None
    try:
        json.loads(body)
    except RecursionError:
        return "the JSON is nested too deeply"
    except json.JSONDecodeError as error:
        if error.msg.startswith("Extra data") and not blocks:
            return None
        if _is_open(body):
            return "cut off in the middle: the JSON does not end"
        return f"not JSON: {error.msg} at line {error.lineno}, column {error.colno}"
    except ValueError:
        return "a number is too long"
    return None


def _is_open(text: str) -> bool:
    """Whether brackets, or a text, are still open at the end."""
    depth, quoted, escaped = 0, False, False
    for sign in text:
        if quoted:
            quoted, escaped = escaped or sign != '"', not escaped and sign == "\\"
        elif sign == '"':
            quoted = True
        elif sign in "[{":
            depth += 1
        elif sign in "]}":
            depth -= 1
    return quoted or depth > 0


def _values(text: str) -> list[Any]:
    """The lists and objects that begin a line."""
    decoder = json.JSONDecoder(object_pairs_hook=unique_keys, parse_constant=no_constant)
    found: list[Any] = []
    reached = tries = 0
    for opening in _OPENING.finditer(text):
        if opening.start(1) < reached:
            continue
        tries += 1
        if tries > _MOST_TRIES:
            break
        try:
            value, end = decoder.raw_decode(text, opening.start(1))
        except (ValueError, RecursionError):  # a SegmentationError is a ValueError
            continue
        if not _REST.match(text, end):  # a line such as "[12] Results" is something else
            continue
        found.append(value)
        reached = end
    return found


# ---- from values to claims ----


def claim_of(value: Any) -> Claim:
    """The claim of a JSON value."""
    name = ""
    for _ in range(_DEEPEST):
        if isinstance(value, Mapping) and len(value) == 1:
            ((key, inner),) = value.items()
            if isinstance(inner, Mapping | list):
                _check_name(key, inner)
                name, value = key, inner
                continue
        break
    if isinstance(value, Mapping):
        return _of_mapping(value)
    if not isinstance(value, list):
        raise AnswerError(f"{shown(value)}: expected a list of segments")
    return _of_list(value, name)


def _is_pair(value: Any) -> bool:
    return (
        isinstance(value, list) and len(value) == 2 and all(_is_number(number) for number in value)
    )


def _check_name(key: str, inner: Any) -> None:
    if _is_pair(inner) and not _LIST_NAME.search(key):
        raise AnswerError(f"{key!r} may be a title with a pair, or the name of a list of starts")


def _of_mapping(value: Mapping[str, Any]) -> Claim:
    return _of_titles(value) or _of_named_lists(value)


def _of_titles(value: Mapping[str, Any]) -> Claim | None:
    """The claim of an object from titles to numbers or pairs, or from numbers to titles."""
    if not value:
        return None
    if all(map(_is_number, value.values())):
        numbers = [_number(number) for number in value.values()]
        return Claim("titles with starts", numbers, titles=list(value))
    if all(map(_is_pair, value.values())):
        starts, ends = zip(*(map(_number, pair) for pair in value.values()), strict=True)
        return Claim("titles with (start, end) pairs", starts, ends, titles=list(value))
    if all(_is_number(key) and isinstance(title, str) for key, title in value.items()):
        titles = [_title(title) for title in value.values()]
        return Claim("titles with starts", [_number(key) for key in value], titles=titles)
    return None


def _of_named_lists(value: Mapping[str, Any]) -> Claim:
    """The claim of an object with a list of segments, and perhaps a list of their titles."""
    lists = {key: inner for key, inner in value.items() if isinstance(inner, list)}
    titles_of = next((key for key in lists if key.casefold() in _TITLES), None)
    given = lists.pop(titles_of) if titles_of is not None and len(lists) == 2 else None
    if len(lists) != 1:
        raise AnswerError(f"an object with {named(value)}: expected one list of segments")
    ((key, inner),) = lists.items()
    _check_name(key, inner)
    claim = _of_list(inner, key)
    if given is None:
        return claim
    if not all(isinstance(title, str) for title in given):
        raise AnswerError(f"{titles_of!r} holds {shown(given[0])}: expected texts")
    return Claim(**{**vars(claim), "titles": given, "form": f"{claim.form} with titles"})


def _of_list(given: list[Any], name: str) -> Claim:
    """The claim of a list; name: its key, empty if it has none."""
    if not given and may_be_empty(name):
        return Claim("no boundary", positions=[])
    if not given:
        called = f"{name!r} is empty" if name else "an empty list"
        raise AnswerError(f"{called}: expected a list of segments")
    if all(_is_number(entry) for entry in given):
        numbers = [_number(number) for number in given]
        return numbers_called(name, numbers) or Claim("starts", numbers)
    if all(isinstance(entry, str) for entry in given):
        return Claim("quotations", quotes=given)
    if all(isinstance(entry, dict) for entry in given):
        return _of_objects(given)
    if all(isinstance(entry, list) for entry in given):
        return _of_lists(given)
    kinds = list({type(entry): entry for entry in given}.values())
    held = " and ".join(map(shown, kinds[:2]))
    raise AnswerError(f"a list that holds {held}: expected whole numbers, texts or objects")


def _of_lists(given: list[list[Any]]) -> Claim:
    """The claim of pairs of numbers, of all numbers of each segment, or of numbers with titles."""
    if all(all(_is_number(value) for value in row) for row in given):
        numbers = [[_number(value) for value in row] for row in given]
        if all(len(number) == 2 for number in numbers):
            starts, ends = zip(*numbers, strict=True)
            return Claim("(start, end) pairs", starts, ends)
        return Claim("numbers of all units", groups=numbers)
    rows = [_number_and_title(row) for row in given]
    widths = {len(numbers) for numbers, _ in rows}
    titles = [title for _, title in rows]
    if widths == {1}:
        return Claim("titles with starts", [numbers[0] for numbers, _ in rows], titles=titles)
    if widths == {2}:
        starts, ends = zip(*(numbers for numbers, _ in rows), strict=True)
        return Claim("titles with (start, end) pairs", starts, ends, titles=titles)
    raise AnswerError(
        f"a list of {shown(given[0])}: expected numbers or pairs, or titles with them"
    )


def _number_and_title(row: list[Any]) -> tuple[list[int], str | None]:
    numbers = [_number(value) for value in row if _is_number(value)]
    others = [value for value in row if not _is_number(value)]
    if len(others) != 1 or not isinstance(others[0], str):
        raise AnswerError(f"{shown(row)}: expected a number and a title")
    return numbers, _title(others[0])


def _of_objects(given: Sequence[Mapping[str, Any]]) -> Claim:
    """The claim of objects with the same keys: numbers, or a text."""
    plain = [
        {str(key).casefold().replace(" ", "_"): value for key, value in fields.items()}
        for fields in given
    ]
    titles = _titles_of(plain)
    units = [_first(fields, _UNITS) for fields in plain]
    if all(isinstance(unit, list) and unit for unit in units):
        return _of_units(units, titles)
    starts = [_first(fields, _START) for fields in plain]
    ends = [_first(fields, _END) for fields in plain]
    if all(map(_is_number, starts)):
        return _of_starts(starts, ends, titles)
    if all(map(_is_number, ends)) and not any(starts):
        numbers = [_number(end) for end in ends]
        return Claim(f"{_with(titles)}ends", ends=numbers, titles=titles)
    texts = [_first(fields, (*_TEXT, *_START)) for fields in plain]
    if all(isinstance(text, str) and text.strip() for text in texts):
        return Claim(f"{_with(titles)}quotations", quotes=texts, titles=titles)
    raise AnswerError(f"objects such as {shown(given[0])}: expected a start, or a text, in each")


def _titles_of(plain: Sequence[Mapping[str, Any]]) -> list[str | None] | None:
    """The titles of objects; None if no object has a title."""
    titles = [_first(fields, _TITLE) for fields in plain]
    texts = [title if isinstance(title, str) else "" for title in titles]
    return [_title(text) for text in texts] if any(texts) else None


def _of_starts(
    starts: Sequence[Any], ends: Sequence[Any], titles: Sequence[str | None] | None
) -> Claim:
    """The claim of objects with a start, and an end in all of them or in none."""
    numbers = [_number(start) for start in starts]
    if all(map(_is_number, ends)):
        last = [_number(end) for end in ends]
        return Claim(f"{_with(titles)}(start, end) pairs", numbers, last, titles=titles)
    if all(end is None for end in ends):
        return Claim(f"{_with(titles)}starts", numbers, titles=titles)
    raise AnswerError("some segments have an end and some have none")


def _with(titles: object) -> str:
    return "titles with " if titles else ""


def _of_units(units: Sequence[Any], titles: Sequence[str | None] | None) -> Claim:
    """The claim of objects that list their units, by number or by text."""
    if all(_is_number(x) for unit in units for x in unit):
        groups = [[_number(x) for x in unit] for unit in units]
        return Claim(f"{_with(titles)}numbers of all units", groups=groups, titles=titles)
    if all(isinstance(x, str) for unit in units for x in unit):
        quotes = ["\n".join(unit) for unit in units]
        return Claim(f"{_with(titles)}text copied", quotes=quotes, titles=titles, copied=True)
    raise AnswerError("a segment lists numbers and texts: expected one kind")


def _first(fields: Mapping[str, Any], names: Sequence[str]) -> Any:
    return next((fields[name] for name in names if fields.get(name) is not None), None)


def _is_number(value: Any) -> bool:
    if isinstance(value, str):
        return value.strip().isdecimal() and len(value) < 20
    return isinstance(value, int) and not isinstance(value, bool)


def _number(value: Any) -> int:
    return int(value)


def _title(text: str) -> str | None:
    return text.strip() or None
