"""Answers in JSON: by itself, in a fence, or after words.

Known forms are lists of numbers, of pairs of numbers, of lists of numbers, of texts, and of objects
with one or two numbers or a text, and perhaps a title; objects around such a list whose key says
what it holds; and objects from title to start, or from start to title.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from segscore.basics.arguments import shown
from segscore.errors import SegmentationError, named
from segscore.io.answers.claims import NAMES, AnswerError, Claim, Kind, name_of, title_of
from segscore.io.safe_parsing import no_constant, unique_keys

# what begins like JSON, and would not in prose
_OPENING = re.compile(
    r'[\[{]\s{0,40}+(?:[\[{]\s{0,40}+){0,3}+(?:"|-?[0-9][0-9.]*+\s*+[,\]]|true|false|null|[\]}])'
)
_AROUND = ("segments", "chapters", "topics", "sections", "segmentation", "spans", "groups",
           "answer", "result", "results", "output", "response", "data")  # fmt: skip
_START = ("start", "start_index", "start_sentence", "start_unit", "start_line", "start_id",
          "start_utterance", "begin", "from", "first_sentence", "starting_sentence")  # fmt: skip
_END = ("end", "end_index", "end_sentence", "end_unit", "end_line", "end_id", "end_utterance",
        "stop", "to", "last_sentence")  # fmt: skip
_TITLE = ("title", "topic", "heading", "label", "name", "summary", "chapter")
_TITLES = ("titles", "labels", "names")
_TEXT = ("text", "content", "quote", "segment")
_UNITS = ("sentences", "units", "lines", "utterances", "turns", "indices", "ids")
# numbers beside an answer that say nothing about where segments are
_ASIDE = ("confidence", "score", "scores", "count", "index", "id", "number", "segment", "total",
          "segment_id", "n_segments", "num_segments", "number_of_segments", "n_units")  # fmt: skip
_KNOWN = frozenset(
    (*NAMES, *_AROUND, *_START, *_END, *_TITLE, *_TITLES, *_TEXT, *_UNITS, *_ASIDE, "length",
     "lengths", "size", "sizes", "base")
)  # fmt: skip
AMONG_WORDS = (
    "a list among words, and nothing but the words says what it holds: expected the list alone, or "
    'a name in JSON, such as {"starts": [0, …]}'
)


def json_claim(text: str, document: str) -> Claim | None:
    """The claim of the JSON in an answer; None if there is no JSON. document: its text, which may
    have JSON of its own: then the answer must be nothing else."""
    alone = _OPENING.search(document) is not None
    if alone and _OPENING.match(text.lstrip(" \t\r\n`")) is None:
        return None
    found = list(_values(text))
    if not found:
        return None
    first, (_, end, value) = found[0], found[-1]
    words = (text[: first[0]] + text[end:]).strip(" \t\r\n`.;,")
    if alone and words:
        return None
    if re.search("[0-9]", text[end:]):
        raise AnswerError("numbers come after the JSON: expected it to end the answer")
    if all(other == value for *_, other in found):
        claim = claim_of(value)
        if claim.kind == "numbers" and words and isinstance(value, list):
            raise AnswerError(AMONG_WORDS)
        return claim
    between = "".join(text[one[1] : two[0]] for one, two in pairwise(found))
    if between.strip(" \t\r\n,") or not all(_is_segment(other) for *_, other in found):
        raise AnswerError("different answers in JSON: expected one")
    return _of_objects([other for *_, other in found])


def _values(text: str) -> Iterator[tuple[int, int, Any]]:
    """The lists and objects in a text, with their places. Numbers in brackets inside a line, such
    as [12], are something else."""
    decoder = json.JSONDecoder(object_pairs_hook=unique_keys, parse_constant=no_constant)
    at = 0
    while (opening := _OPENING.search(text, at)) is not None:
        start = opening.start()
        try:
            value, at = decoder.raw_decode(text, start)
        except json.JSONDecodeError as error:
            raise AnswerError(_why(text[start:], error)) from None
        except SegmentationError as error:
            raise AnswerError(str(error)) from None
        except ValueError:
            raise AnswerError("a number is too long") from None
        flat = isinstance(value, list) and not any(isinstance(x, str | list | dict) for x in value)
        if not flat or _has_line(text, start, at):
            yield start, at, value


def _has_line(text: str, start: int, end: int) -> bool:
    """Whether there is nothing else in the lines of a passage."""
    before = text[max(0, start - 100) : start].rpartition("\n")[2]
    after = text[end : end + 100].partition("\n")[0]
    return not before.strip(" \t\r`") and not after.strip(" \t\r`.;,")


def _why(text: str, error: json.JSONDecodeError) -> str:
    """What is wrong with JSON: it does not end, or a mistake."""
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
    if quoted or depth > 0:
        return "cut off in the middle: the JSON does not end"
    return f"not JSON: {error.msg} at line {error.lineno}, column {error.colno}"


# ---- from values to claims ----


def claim_of(value: Any) -> Claim:
    """The claim of a JSON value."""
    if isinstance(value, list):
        return _of_list(value, "")
    if not isinstance(value, Mapping) or not value:
        raise AnswerError(f"{shown(value)}: expected a list of segments")
    fields = {name_of(key): inner for key, inner in value.items()}
    if len(fields) < len(value):
        raise AnswerError(f"an object with {named(value)}: expected each key once")
    lists = {key: inner for key, inner in fields.items() if isinstance(inner, list | dict)}
    if any(key in NAMES or key in _AROUND for key in lists):
        return _of_named_list(fields, lists)
    if _is_segment(value):
        claim = _of_objects([value])
        if claim.kind != "spans":  # the others may be missing
            raise AnswerError(f"a single segment, {shown(value)}: expected a list of segments")
        return claim
    return _of_titles(value, fields)


def _is_segment(value: Any) -> bool:
    """Whether an object describes one of several segments."""
    names = {name_of(key) for key in value} if isinstance(value, dict) else set()
    return bool(names & {*_START, *_END, *_TEXT, *_UNITS})


def _of_named_list(fields: Mapping[str, Any], lists: dict[str, Any]) -> Claim:
    """The claim of an object with a list of segments, and perhaps a list of their titles."""
    titles_of = next((key for key in lists if key in _TITLES), None) if len(lists) == 2 else None
    titles = lists.pop(titles_of) if titles_of is not None else None
    if len(lists) != 1:
        raise AnswerError(f"an object with {named(fields)}: expected one list of segments")
    ((key, inner),) = lists.items()
    _check_others(fields, (key, titles_of or key))
    claim = claim_of(inner) if isinstance(inner, dict) else _of_list(inner, key)
    if titles is None:
        return claim
    if claim.titles is not None or not all(isinstance(title, str) for title in titles):
        raise AnswerError(f"{titles_of!r} is {shown(titles)}: expected the titles of segments")
    return Claim(f"{claim.form} with titles", claim.kind, claim.values, titles, claim.beside)


def _check_others(fields: Mapping[str, Any], used: Sequence[str]) -> None:
    """Raise for a field that is not understood, and may change what the others mean."""
    for key, value in fields.items():
        if key not in (*used, *_ASIDE) and not isinstance(value, str | bool | None):
            raise AnswerError(f"{key!r} is {shown(value)}: not a name that is known")


def _of_titles(value: Mapping[str, Any], fields: Mapping[str, Any]) -> Claim:
    """The claim of an object from titles to numbers or lists, or from numbers to titles."""
    known = [key for key in fields if key in _KNOWN]
    if known or len(value) < 2:
        raise AnswerError(f"an object with {named(value)}: expected a list of segments")
    if all(map(_is_number, value)) and all(isinstance(x, str | int) for x in value.values()):
        labels = [str(label).strip() for label in value.values()]
        return Claim("JSON, titles with starts", "numbers", [int(key) for key in value], labels)
    titles = [title_of(key) for key in value]
    if all(map(_is_number, value.values())):
        numbers = [int(number) for number in value.values()]
        return Claim("JSON, titles with starts", "numbers", numbers, titles)
    if all(isinstance(inner, list) and inner for inner in value.values()):
        found = of_numbers("JSON, titles with", list(value.values()), titles)
        if found is not None:
            return found
    raise AnswerError(f"an object with {named(value)}: not names that are known")


def _of_list(given: list[Any], name: str) -> Claim:
    """The claim of a list; name: its key, empty if it has none."""
    kind = NAMES.get(name)
    if not name and len(given) == 1 and isinstance(given[0], list) and len(given[0]) != 2:
        raise AnswerError("a list in a list: expected a list of segments")
    if not given:
        if kind in ("positions", "after"):
            return Claim("JSON, no boundary", "positions", [])
        raise AnswerError("an empty list: expected a list of segments")
    if kind == "labels" and all(isinstance(entry, str | int) for entry in given):
        return Claim("JSON, labels", "labels", [str(label).strip() for label in given])
    if all(_is_number(entry) for entry in given):
        form = "JSON, starts" if kind is None else f"JSON, {name}"
        return Claim(form, kind or "numbers", [int(number) for number in given])
    if all(isinstance(entry, str) for entry in given) and kind in (None, "starts"):
        return Claim("JSON, quotations", "quotes" if kind else "texts", given)
    if kind is None and all(isinstance(entry, dict) for entry in given):
        return _of_objects(given)
    if kind is None and all(isinstance(entry, list) for entry in given):
        found = of_numbers("JSON,", given, None) or _of_rows(given)
        if found is not None:
            return found
    raise AnswerError(f"a list that holds {shown(given[0])}: expected whole numbers or texts")


def of_numbers(
    form: str, given: Sequence[Sequence[Any]], titles: Sequence[str | None] | None
) -> Claim | None:
    """The claim of pairs of numbers, or of all numbers of each segment; None for anything else."""
    if not all(row and all(map(_is_number, row)) for row in given):
        return None
    numbers = [[int(value) for value in row] for row in given]
    if all(len(row) == 2 for row in numbers):
        return Claim(f"{form} (start, end) pairs", "spans", numbers, titles)
    return Claim(f"{form} numbers of all units", "groups", numbers, titles)


def _of_rows(given: list[list[Any]]) -> Claim | None:
    """The claim of rows with a title and one or two numbers."""
    numbers = [[int(value) for value in row if _is_number(value)] for row in given]
    others = [[value for value in row if not _is_number(value)] for row in given]
    widths = {(len(row), len(other)) for row, other in zip(numbers, others, strict=True)}
    if not all(isinstance(value, str) for row in others for value in row):
        return None
    titles = [title_of(row[0]) for row in others if row]
    if widths == {(1, 1)}:
        starts = [row[0] for row in numbers]
        return Claim("JSON, titles with starts", "numbers", starts, titles)
    if widths == {(2, 1)}:
        return Claim("JSON, titles with (start, end) pairs", "spans", numbers, titles)
    return None


def _of_objects(given: Sequence[Mapping[str, Any]]) -> Claim:
    """The claim of objects, one for each segment: numbers, or a text."""
    rows = [{name_of(key): value for key, value in fields.items()} for fields in given]
    used = (*_START, *_END, *_TEXT, *_TITLE, *_UNITS)
    for row, fields in zip(rows, given, strict=True):
        _check_others(row, used)
        if len(row) < len(fields):
            raise AnswerError(f"an object with {named(fields)}: expected each key once")
    starts, ends, units = (_column(rows, keys) for keys in (_START, _END, _UNITS))
    texts = _column([{k: v for k, v in row.items() if isinstance(v, str)} for row in rows], _TEXT)
    names = [next((row[k] for k in _TITLE if isinstance(row.get(k), str)), None) for row in rows]
    titles = [title_of(name) for name in names] if any(names) else None
    form = "JSON, titles with" if titles else "JSON,"
    if units is not None and starts is None and ends is None:
        if all(isinstance(unit, list) and unit for unit in units):
            found = _of_units(form, units, titles)
            if found is not None:
                return found
    elif starts is not None and all(map(_is_number, starts)):
        return _of_starts(form, [*map(int, starts)], ends, titles, texts)
    elif starts is None and ends is not None and all(map(_is_number, ends)):
        return Claim(f"{form} ends", "ends", [*map(int, ends)], titles)
    elif ends is None and units is None and (starts is None) != (texts is None):
        quotes = starts if texts is None else texts
        if quotes is not None and all(isinstance(quote, str) for quote in quotes):
            kind: Kind = "texts" if starts is None else "quotes"
            return Claim(f"{form} quotations", kind, quotes, titles)
    raise AnswerError(f"objects such as {shown(given[0])}: expected a start, or a text, in each")


def _of_starts(
    form: str, starts: list[int], ends: list[Any] | None, titles: list[str | None] | None,
    texts: list[str] | None,
) -> Claim:  # fmt: skip
    """The claim of objects with a number as their start, and perhaps with an end."""
    if ends is None:
        return Claim(f"{form} starts", "starts", starts, titles, texts)
    if not all(map(_is_number, ends)):
        raise AnswerError(f"an end is {shown(ends[0])}: expected a number")
    spans = [[start, int(end)] for start, end in zip(starts, ends, strict=True)]
    return Claim(f"{form} (start, end) pairs", "spans", spans, titles, texts)


def _of_units(form: str, units: list[list[Any]], titles: list[str | None] | None) -> Claim | None:
    """The claim of objects that list their units, by number or by text."""
    if all(isinstance(x, str) and not _is_number(x) for unit in units for x in unit):
        return Claim(f"{form} text copied", "copy", [*map("\n".join, units)], titles)
    if not all(_is_number(x) for unit in units for x in unit):
        return None
    groups = [[int(x) for x in unit] for unit in units]
    return Claim(f"{form} numbers of all units", "groups", groups, titles)


def _column(rows: Sequence[Mapping[str, Any]], names: Sequence[str]) -> list[Any] | None:
    """The values of the one field of these names that all objects have; None if none has any."""
    found = {name for row in rows for name in names if row.get(name) is not None}
    if not found:
        return None
    if len(found) > 1 or any(row.get(name) is None for row in rows for name in found):
        raise AnswerError(f"segments have {named(sorted(found))}, not all of them: expected one")
    (name,) = found
    return [row[name] for row in rows]


def _is_number(value: Any) -> bool:
    if isinstance(value, str):
        return value.strip().isdecimal() and len(value) < 20
    return isinstance(value, int) and not isinstance(value, bool)
