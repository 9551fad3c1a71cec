"""Answers of language models that were asked for segments in a stated shape: from raw text to a
segmentation, or to the reason why there is none.

- starts: the numbers of the units that start a segment; the first unit is one of them.
- ends: the numbers of the units that end a segment; the last unit is one of them.
- segments: the first and last unit of each segment, or all its units; together they are all units.
- labels: a label of each unit: B starts a segment and I does not, or the number of the segment.
- quotations: how the first unit of each segment begins, in its words.
- copy: all of the text, cut into segments.

Nothing is guessed. The caller names the shape and, for numbers of units, the first of them
(`base`). The answer is the last JSON value after the thoughts; where there is none, the text of the
only block of code, or all of the text. An unfinished thought, block or value, two values that
differ, and a value that is taken back are failures; so is what is of another shape, says something
else by its keys, or does not fit the document. The first start, the last end, or all units must be
there: so numbers that count from another base are failures, too.

`segscore.io.quotations` finds quoted and copied text in the document. Files of answers are read by
`segscore.io.formats.chunks`; `segscore.answers` is what users call.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

from segscore.basics.arguments import check_choice, probability, shown
from segscore.coding.segmentation import Segmentation
from segscore.errors import MissingExtraError, about, named
from segscore.io import quotations
from segscore.io.answer_values import after_thoughts, has_json, json_in, without_fences
from segscore.io.files import expect
from segscore.io.quotations import AnswerError, beginning, fail_if, title_of
from segscore.io.read_options import SHAPES, SIMILARITY, Shape

_REFUSAL = re.compile(
    r"\b(?:i(?:'m| am) (?:sorry|unable|not able)"
    r"|i (?:can(?:'|no)?t|won't|will not|must decline)"
    r"|as an ai|unable to (?:help|assist|process|comply)|can(?:'|no)?t (?:help|assist))\b",
    re.I,
)
_OF_TEXTS = ("quotations", "copy")
_SPARE = 100_000  # characters that an answer may have beyond some times the text
_TIMES = 10
_LONGEST = 400  # characters of a line with numbers

# ---- names ----

_UNIT = "sentences?|units?|lines?|utterances?|turns?"


def _names(listed: str) -> frozenset[str]:
    """Names; # stands for the name of a unit, or what is said instead."""
    each = [name.replace("#", unit) for name in listed.split() for unit in _WHAT]
    return frozenset(name.replace("indexs", "indices") for name in each)


_WHAT = ("sentence", "unit", "line", "utterance", "turn", "index", "id", "number", "position")
_AROUND = _names("segments chapters topics sections parts answer result results output response")
_LISTS: dict[Shape, frozenset[str]] = {  # what the list of an answer may be called
    "starts": _names("starts start segment_starts topic_starts start_#s starting_#s first_#s"),
    "ends": _names("ends end segment_ends topic_ends end_#s ending_#s last_#s"),
    "segments": _names("spans ranges groups pairs intervals"),
    "labels": _names("labels tags unit_labels topic_ids segment_ids segment_numbers"),
    "quotations": _names("quotations quotes starts segment_starts starting_#s first_#s"),
    "copy": _names("texts paragraphs chunks"),
}
_START = _names("start begin from first start_# first_# starting_#")
_END = _names("end stop to last end_# last_#")
_UNITS = _names("#s") - {"numbers", "positions"}
_TEXT = _names("text content quote quotation segment")
_TITLE = ("title", "topic", "heading", "label", "name", "summary", "chapter")
_TITLES = _names("titles headings names")
_COMMENTS = _names("reasoning explanation rationale analysis thoughts notes")
# numbers beside an answer that say nothing about where segments are
_ASIDE = _names("confidence score count total index id number segment segment_id n_segments")
_ROWS: dict[Shape, tuple[frozenset[str], ...]] = {  # what an object says about a segment, or a unit
    "starts": (_START,),
    "ends": (_END,),
    "segments": (_START, _END, _UNITS),
    "labels": (_names("label tag segment_id segment topic_id topic"), _names("# #_id")),
    "quotations": (_TEXT | _START,),
    "copy": (_TEXT | _UNITS,),
}
_KNOWN = frozenset().union(*_LISTS.values(), _START, _END, _UNITS, _TEXT, _AROUND)
# words before a list, which has no name, that say it is something else
_NEVER = (
    r"not|lengths?|sizes?|scores?|confidences?|number of (?:segments|topics|sections|chapters)"
    r"|char\w*|tokens?|words?|seconds?|minutes?|offsets?|times?|timestamps?"
    r"|unlikely|incorrect|wrong|invalid"
    rf"|(?:before|after)(?: (?:(?:the|these|those|each) )?(?:{_UNIT})|:)"
)
_NO_STARTS = re.compile(rf"\b(?:ends?|ending|last|boundar\w+|{_NEVER})(?!\w)", re.I)
_NO_ENDS = re.compile(rf"\b(?:starts?|starting|begins?|beginning|first|{_NEVER})(?!\w)", re.I)
_OTHER = {"starts": _NO_STARTS, "ends": _NO_ENDS, "quotations": _NO_STARTS}
_ASSIGNED = re.compile(r"""([\w -]{1,40})(?:['"]\s?:|['"]?\s?=)\s?$""", re.M)

# ---- plain text ----

_N = r"(?:0|[1-9][0-9]{0,14})"
_NUMBERS = re.compile(
    rf"(?:([^\W\d][\w -]{{0,40}}):)?\s?\(?({_N}(?:(?:[\s,;]{{1,3}}|,? and ){_N})*)\)?\.?", re.I
)
_OF_UNIT = rf"(?:(?:{_UNIT})\s{{0,2}}#?\s{{0,2}})?"
_SPAN = re.compile(
    rf"(?<![\w:.,-])[\[(]?{_OF_UNIT}\[?({_N})\]?\s{{0,2}}(?:-|–|—|to|through)\s{{0,2}}{_OF_UNIT}"
    rf"\[?({_N})(?![\w:.,-]*[0-9])[\])]*",
    re.I,
)
_COUNTED = re.compile(
    r"^\W{0,3}(?:[0-9]{1,6}[.):]\s|(?:segment|topic|section|part)\s#?[0-9]{1,6}\*{0,2}"
    r"(?:\s?[:.)]|\s(?=[(\[])|\s[-–—]\s))",
    re.I,
)
_BULLET = re.compile(r"^(?:[-*•·]\s{1,9}|[0-9]{1,6}[.):]\s{1,9})")
_LABELLED = re.compile(
    r"(?:[-*•]\s)?(?:(?:sentence|unit|line|utterance|turn|u)\s?#?\s?)?[\[(]?([0-9]{1,9})[\])]?"
    r"(?:\s?(?:[:.)|=–—-]|->|→)){0,2}\s?(?<=[\s\]):.|=→>-])(\S.{0,59})",
    re.I,
)
_TAG = re.compile(r"(b|i|begin|inside)(?:-(.+))?")
_NUMBERED = re.compile(r"(?!-)(.*?)([0-9]{1,9}|(?<![^\W\d_])[a-z])")
_MARKS = frozenset(("0", "1", "yes", "no", "true", "false", "y", "n"))


@dataclass(frozen=True)
class AnswerRules:
    """How answers are read: their shape, the number of the first unit (0 or 1), the least
    similarity of changed text, and what separates the segments of a copy."""

    shape: Shape
    base: int | None = None
    similarity: float = SIMILARITY
    separator: str | None = None

    def __post_init__(self) -> None:
        expect(self.shape is not None, f"shape is missing: expected one of {', '.join(SHAPES)}")
        check_choice(self.shape, "shape", SHAPES)
        known = self.base in (None, 0, 1) and not isinstance(self.base, bool)
        expect(known, "base is %s: expected 0 or 1, the first unit", self.base)
        counted = self.shape not in ("starts", "segments", "ends") or self.base is not None
        what = f"base is missing: {self.shape} are numbers, and expected base=0 or base=1"
        expect(counted, f"{what}, the number of the first unit")
        probability(self.similarity, "similarity")
        fits = isinstance(self.separator, str | None) and self.separator != ""
        expect(fits, "separator is %s: expected a text", self.separator)


class Answer(NamedTuple):
    """The result of reading an answer: its form and its segmentation, or a reason."""

    form: str | None
    segmentation: Segmentation | None
    reason: str | None = None


class Claim(NamedTuple):
    """What an answer says of each segment, or of each unit: numbers, labels or texts. form: where
    it was found. titles: those of segments. beside: texts of the units that start segments."""

    form: str
    values: Sequence[Any]
    titles: Sequence[str | None] | None = None
    beside: Sequence[str] | None = None


def answer_of(
    document: str, text: str | None, units: Sequence[str] | int, rules: AnswerRules
) -> Answer:
    """Read an answer; units: their texts, or their number, if only that is known."""
    with about(f"document {document!r}"):
        known = rules.shape not in _OF_TEXTS or not isinstance(units, int)
        what = f"{rules.shape} is text, and only the number of units is known"
        expect(known, f"{what}: expected units with their texts")
        try:
            return _read(text or "", units, rules)
        except RecursionError:  # objects in objects
            return Answer(None, None, "the JSON is nested too deeply")
        except AnswerError as error:
            words = (text or "").replace("’", "'")
            refused = _REFUSAL.search(words[:300]) is not None and not has_json(words)
            return Answer(None, None, f"a refusal: {beginning(words)}" if refused else str(error))


def _read(text: str, units: Sequence[str] | int, rules: AnswerRules) -> Answer:
    n_units, texts = (units, ()) if isinstance(units, int) else (len(units), units)
    known = sum(map(len, texts)) or 20 * n_units
    fail_if(not text.strip(), "the output is empty")
    if len(text) > _SPARE + _TIMES * known:
        raise AnswerError(f"the output has {len(text)} characters, many times the document's")
    shape = rules.shape
    whole, block = without_fences(after_thoughts(text))
    if shape in _OF_TEXTS:
        return _of_texts(whole, block, texts, rules)
    said = json_in(whole, rows=shape == "segments")
    if said is None:
        claim, words = _PLAIN[shape](block, shape), whole.replace(block, "", 1)
    else:
        claim, words = claim_of(said[0], shape), said[1] if isinstance(said[0], list) else ""
    _check_words(words, shape)
    boundaries = _BOUNDARIES[shape](claim.values, n_units, rules.base or 0)
    if claim.beside is not None and texts:
        quotations.check_beside([0, *boundaries], claim.beside, texts)
    return _answer(claim, boundaries, n_units)


def _answer(claim: Claim, boundaries: list[int], n_units: int) -> Answer:
    titles = claim.titles
    if titles is None:
        return Answer(claim.form, Segmentation.from_boundaries(boundaries, n_units))
    if any("\ud800" <= sign <= "\udfff" for title in titles for sign in title or ""):
        raise AnswerError("a title holds half a surrogate pair: expected Unicode text")
    if len(titles) != len(boundaries) + 1:
        raise AnswerError(f"{len(titles)} titles, and {len(boundaries) + 1} segments")
    made = Segmentation.from_boundaries(boundaries, n_units, segment_labels=[*titles])
    return Answer(f"{claim.form} with titles", made)


def _check_words(words: str, shape: Shape) -> None:
    """Raise if the words beside numbers without a name say something else."""
    other = _OTHER[shape].search(words) if shape in _OTHER else None
    name = _ASSIGNED.search(words)
    if name is not None and other is None:  # it may stand after other words
        (given,) = _fields({name[1]: None})
        known = any(f"_{given}".endswith(f"_{known}") for known in _LISTS[shape] | _AROUND)
        other = None if known else name
    said = None if other is None else other[other.re.groups]
    fail_if(other, f"{said!r} before the list says something else than {shape}")


# ---- JSON ----


def claim_of(value: Any, shape: Shape) -> Claim:
    """The claim of a JSON value."""
    if isinstance(value, Mapping):
        return _of_object(value, shape)
    if not isinstance(value, list) or not value:
        what = "an empty list" if value == [] else shown(value)
        raise AnswerError(f"{what}: expected a list that is not empty")
    if all(isinstance(row, Mapping) for row in value):
        return _of_rows(value, shape)
    return Claim("JSON", value)


def _fields(given: Mapping[str, Any]) -> dict[str, Any]:
    """The values of an object by their names as they are compared: `Start indices` is
    `start_indices`."""
    found = {re.sub("[ -]", "_", key.strip().casefold()): each for key, each in given.items()}
    fail_if(len(found) < len(given), f"an object with {named(given)}: expected each key once")
    return found


def _of_object(given: Mapping[str, Any], shape: Shape) -> Claim:
    """The claim of an object around a list; of one with a name for each segment, or the number of
    each unit."""
    fields = _fields(given)
    lists = {key: each for key, each in fields.items() if isinstance(each, list | dict)}
    inner = {key: each for key, each in lists.items() if key not in _COMMENTS}
    titles = next((inner.pop(key) for key in _TITLES & inner.keys()), None)
    expected = _LISTS[shape] | _AROUND
    if len(inner) == 1 and inner.keys() <= expected:
        ((name, value),) = inner.items()
        for key in fields.keys() - {name} - _TITLES:
            _check_aside(key, fields[key], shape)
        claim = claim_of(value, shape)
        return claim if titles is None else claim._replace(titles=_texts(titles, "titles"))
    if shape == "labels" and len(fields) == len(given) > 1 and all(map(_is_number, fields)):
        _check_numbered([int(key) for key in fields])
        return Claim("JSON", [*fields.values()])
    if shape == "segments" and not fields.keys() & _KNOWN and len(inner) == len(fields) > 1:
        return Claim("JSON", [*inner.values()], [title_of(key) for key in given])
    if shape == "segments" and not inner.keys() - _UNITS and fields.keys() & (_START | _UNITS):
        return _of_rows([given], shape)  # it must have all units, so that no other is missing
    other = sorted(inner.keys() - expected) or [*fields]
    raise AnswerError(f"an object with {named(other)}: expected a list of {shape}")


def _of_rows(given: Sequence[Mapping[str, Any]], shape: Shape) -> Claim:
    """The claim of objects, one for each segment or each unit."""
    rows = [_fields(row) for row in given]
    texts = [{k: v for k, v in row.items() if not isinstance(v, int | float)} for row in rows]
    used = [_column(texts if shape in _OF_TEXTS else rows, names) for names in _ROWS[shape]]
    taken = {key for key, _ in used}
    for key, value in (field for row in rows for field in row.items()):
        if key not in taken and (key not in _TEXT or not isinstance(value, str)):
            _check_aside(key, value, shape)
    values = _of_columns([column for _, column in used], shape)
    if values is None:
        raise AnswerError(f"objects such as {shown(given[0])}: expected {shape} in each")
    names = [key for key in _TITLE if key not in taken and shape != "labels"]
    titles = [next((row[k] for k in names if isinstance(row.get(k), str)), None) for row in rows]
    beside = _column(texts, _TEXT)[1] if shape in ("starts", "segments") else None
    return Claim("JSON", values, [*map(title_of, titles)] if any(titles) else None, beside)


def _of_columns(columns: Sequence[list[Any] | None], shape: Shape) -> list[Any] | None:
    """What the columns of `_ROWS` say of each segment or unit; None if too few or too many do."""
    first, *others = columns
    if shape == "segments":
        ends, units = others
        if first is None or ends is None or units is not None:
            return units if first is None and ends is None else None
        return [*map(list, zip(first, ends, strict=True))]
    if shape == "labels" and others[0] is not None:
        _check_numbered(_whole(others[0]))
    return first


def _column(
    rows: Sequence[Mapping[str, Any]], names: frozenset[str]
) -> tuple[str, list[Any] | None]:
    """The one field of these names that all objects have, and its values; None if none has any."""
    found = {name for row in rows for name in names & row.keys() if row[name] is not None}
    if not found:
        return "", None
    if len(found) > 1 or any(row.get(name) is None for row in rows for name in found):
        raise AnswerError(f"segments have {named(sorted(found))}, not all of them: expected one")
    (name,) = found
    return name, [row[name] for row in rows]


def _check_aside(key: str, value: Any, shape: Shape) -> None:
    """Raise for a field that says something else than the shape, or is not known and not words."""
    if key in _ASIDE or key in _COMMENTS:
        return
    if key in _KNOWN or not isinstance(value, str | bool | None):
        raise AnswerError(f"{key!r} is {shown(value)}, which says something else than {shape}")


def _texts(given: Any, what: str) -> list[str]:
    if not isinstance(given, list) or not all(isinstance(text, str) for text in given):
        raise AnswerError(f"{what} are {shown(given)}: expected texts")
    return given


def _is_number(value: Any) -> bool:
    if isinstance(value, str):
        return re.fullmatch(_N, value.strip()) is not None
    return isinstance(value, int) and not isinstance(value, bool)


def _whole(values: Iterable[Any]) -> list[int]:
    """Whole numbers, which may be in quotes."""
    found: list[int] = []
    for value in values:
        fail_if(not _is_number(value), f"a list that holds {shown(value)}: expected whole numbers")
        found.append(int(value))
    return found


# ---- plain text ----


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _plain_numbers(text: str, shape: Shape) -> Claim:
    """Numbers and nothing else, perhaps after a name that says what they are."""
    lines = [line.removeprefix("- ").removeprefix("* ") for line in _lines(text)]
    found = _NUMBERS.fullmatch(" ".join(lines))
    if found is None:
        raise AnswerError(f"no {shape}: {beginning(text)}")
    if found[1] is not None:
        _check_words(f"{found[1]} =", shape)
    return Claim("numbers", re.findall("[0-9]+", found[2]))


def _plain_segments(text: str, shape: Shape) -> Claim:
    """Lines with the first and last unit of a segment, perhaps between words without numbers."""
    rows: list[list[str]] = []
    titles: list[str | None] = []
    lines = _lines(text)
    places = [at for at, line in enumerate(lines) if re.search("[0-9]", line)]
    for line in lines[places[0] : places[-1] + 1] if places else ():
        plain = _COUNTED.sub("", line[: _LONGEST + 1], count=1)
        found = list(_SPAN.finditer(plain))
        rest = _SPAN.sub("", plain) if found else plain
        if len(plain) > _LONGEST or not found or re.search("[0-9]", rest):
            raise AnswerError(f"no {shape}: {beginning(line)}")
        if len(found) > 1 and rest.strip(" ,;.()[]"):
            raise AnswerError(f"several segments in a line with words: {beginning(line)}")
        rows += [[span[1], span[2]] for span in found]
        titles += [title_of(rest)] * len(found)
    fail_if(not rows, f"no {shape}: {beginning(text)}")
    return Claim("lines", rows, titles if any(titles) else None)


def _plain_labels(text: str, shape: Shape) -> Claim:
    """A label in each line, perhaps after the number of its unit; or labels and nothing else."""
    lines = _lines(text)
    if len(lines) == 1:
        words = [word.strip("\"'") for word in re.split(r"[\s,;]+", lines[0].strip(" .,;[]"))]
        compact = len(words) == 1 and re.fullmatch("[BI]+", words[0]) is not None
        return Claim("labels", [*words[0]] if compact else words)
    found = [_LABELLED.fullmatch(line[:100]) for line in lines]
    rows = [row for row in found if row is not None]
    if rows and len(rows) < len(lines):
        raise AnswerError(f"no {shape}: some lines have the number of a unit, and some do not")
    if rows:
        _check_numbered([int(row[1]) for row in rows])
        return Claim("lines", [row[2].strip(" \t\"'`*.") for row in rows])
    return Claim("lines", [line.strip("\"'`*.,") for line in lines])


_PLAIN: dict[Shape, Callable[[str, Shape], Claim]] = {
    "starts": _plain_numbers, "ends": _plain_numbers, "segments": _plain_segments,
    "labels": _plain_labels,
}  # fmt: skip


# ---- from claims to boundaries ----


def boundaries_of_starts(values: Sequence[Any], n_units: int, base: int) -> list[int]:
    """The boundaries before units that start a segment.

    >>> boundaries_of_starts([0, 3, 5], 8, 0)
    [3, 5]
    """
    starts = _in_order(values, n_units, base)
    _check_edge(starts[0], 0, base, "first", "starts")
    return starts[1:]


def boundaries_of_ends(values: Sequence[Any], n_units: int, base: int) -> list[int]:
    """The boundaries after units that end a segment.

    >>> boundaries_of_ends([3, 8], 8, 1)
    [3]
    """
    ends = _in_order(values, n_units, base)
    _check_edge(ends[-1], n_units - 1, base, "last", "ends")
    return [end + 1 for end in ends[:-1]]


def boundaries_of_segments(values: Sequence[Any], n_units: int, base: int) -> list[int]:
    """The boundaries between segments that have all units: pairs (start, end), whose ends are
    included or equal the next start, or lists of all units.

    >>> boundaries_of_segments([[1, 3], [4, 8]], 8, 1)
    [3]
    """
    spans = _spans(values)
    (first, _), (_, last) = spans[0], spans[-1]
    fail_if(first != base, f"the first segment starts at {first}: expected {base}, the first unit")
    shared = all(end == later for (_, end), (later, _) in pairwise(spans))
    excluded = shared and last == n_units + base and not _lists_units(values)
    for (_, end), (later, _) in pairwise(spans):
        if later - end != (not excluded):
            what = "units between them are in none" if later > end else "they overlap"
            raise AnswerError(f"one segment ends at {end} and the next starts at {later}: {what}")
    _check_edge(last - base - excluded, n_units - 1, base, "last", "ends")
    return [start - base for start, _ in spans[1:]]


def _check_edge(number: int, expected: int, base: int, which: str, verb: str) -> None:
    """Raise unless the first unit starts a segment, or the last unit ends one."""
    fail_if(
        number != expected,
        f"{number + base} is the {which} number, and {expected + base}, the {which} unit, {verb} a "
        "segment, too: something else, cut off, or counted from another number",
    )


def _spans(values: Sequence[Any]) -> list[tuple[int, int]]:
    """The first and last number of each segment."""
    found: list[tuple[int, int]] = []
    lists = _lists_units(values)
    for value in values:
        span = _SPAN.fullmatch(value[:100]) if isinstance(value, str) else None
        row = _whole(value if isinstance(value, list) else span.groups() if span else [[value]])
        fail_if(not row, "a segment has no unit")
        found.append((row[0], row[-1]))
        fail_if(row[-1] < row[0], f"a segment ends before it starts: {row[0]} … {row[-1]}")
        if lists and row != [*range(row[0], row[0] + len(row))]:
            raise AnswerError(f"a segment has the units {shown(row)}: expected all in a row")
    return found


def _lists_units(values: Sequence[Any]) -> bool:
    """Whether segments list all their units."""
    return any(isinstance(value, list) and len(value) != 2 for value in values)


def _in_order(values: Sequence[Any], n_units: int, base: int) -> list[int]:
    """Numbers of units, ascending and in range, counted from 0."""
    numbers = _whole(values)
    for each in numbers:
        if not base <= each < n_units + base:
            last = n_units - 1 + base
            raise AnswerError(f"{each} is out of range: expected numbers {base} … {last}")
    for each, later in pairwise(numbers):
        fail_if(later <= each, f"{later} comes after {each}: expected ascending numbers, each once")
    return [each - base for each in numbers]


def _check_numbered(numbers: Sequence[int]) -> None:
    """Raise unless units are numbered one by one, from 0 or 1."""
    if numbers[0] not in (0, 1) or [*numbers] != [*range(numbers[0], numbers[0] + len(numbers))]:
        raise AnswerError("labels are not those of all units in their order")


def boundaries_of_labels(values: Sequence[Any], n_units: int, base: int = 0) -> list[int]:
    """The boundaries where B stands, or where the number of the segment changes.

    >>> boundaries_of_labels("B I I B I".split(), 5), boundaries_of_labels("A A B B C".split(), 5)
    ([3], [2, 4])
    """
    del base  # units are counted, whatever their numbers
    if not all(isinstance(value, str | int) for value in values):
        raise AnswerError("labels that are neither texts nor whole numbers")
    labels = [str(value).strip().casefold() for value in values]
    fail_if(len(labels) != n_units, f"{len(labels)} labels, and the document has {n_units} units")
    tags = [_TAG.fullmatch(label) for label in labels]
    if labels[0][:1] == "b" and None not in tags:
        return _of_tags([(tag[1], tag[2]) for tag in tags if tag is not None])
    fail_if(_MARKS.issuperset(labels), "labels 0 and 1: marks of starts or ends, or segments")
    if len(set(labels)) == n_units > 1:
        raise AnswerError("each unit has a label of its own: labels may only number the units")
    counters = [_counter(label) for label in labels]
    if counters[0][1] not in (0, 1) or any(
        later[0] != each[0] or later[1] - each[1] not in (0, 1)
        for each, later in pairwise(counters)
    ):
        distinct = ", ".join(map(repr, dict.fromkeys(labels[:100])))
        what = "expected B and I, or the number of each unit's segment"
        raise AnswerError(f"labels {distinct}: {what}")
    return [at for at, (before, after) in enumerate(pairwise(labels), 1) if before != after]


def _of_tags(tags: Sequence[tuple[str, str | None]]) -> list[int]:
    """The boundaries before tags B; an I is about the same as the B before it."""
    found: list[int] = []
    of_segment: str | None = None
    for at, (tag, name) in enumerate(tags):
        if tag[0] == "b":
            found += [at] if at else []
            of_segment = name
        elif name is not None and name != of_segment:
            raise AnswerError(f"unit {at + 1} is inside {name!r}, in segment {of_segment!r}")
    return found


def _counter(label: str) -> tuple[str, int]:
    """The words of a label, whose last one is a number or a letter, and that number, where a is 1;
    -9 if it has none."""
    found = _NUMBERED.fullmatch(label[:100])
    if found is None:
        return label, -9
    counts = found[2].isdecimal()
    return f"{found[1]}{counts}", int(found[2]) if counts else ord(found[2]) - ord("a") + 1


_BOUNDARIES: dict[Shape, Callable[[Sequence[Any], int, int], list[int]]] = {
    "starts": boundaries_of_starts, "ends": boundaries_of_ends, "segments": boundaries_of_segments,
    "labels": boundaries_of_labels,
}  # fmt: skip


# ---- texts ----


def _of_texts(whole: str, block: str, units: Sequence[str], rules: AnswerRules) -> Answer:
    """The answer in quotations or copied text: in JSON, in lines, or with marks between them."""
    alone = block.strip()[:1] in ("[", "{") and has_json(block)
    said = None
    if rules.separator is None and (alone or not has_json("\n".join(units))):
        said = json_in(block if alone else whole)
    if said is not None:
        claim = claim_of(said[0], rules.shape)
        _check_words(said[1] if isinstance(said[0], list) else "", rules.shape)
        values = [*claim.values]
        if rules.shape == "copy":
            values = ["\n".join(_texts(x, "units")) if isinstance(x, list) else x for x in values]
        claim, marked = claim._replace(values=_texts(values, rules.shape)), False
    elif rules.shape == "copy":
        pieces, titles, marked = quotations.pieces_of_copy(block, units, rules.separator)
        claim = Claim("text", pieces, titles)
    else:
        claim, marked = Claim("lines", [_BULLET.sub("", line) for line in _lines(block)]), False
    try:
        found, changed = (
            quotations.boundaries_of_copy(claim.values, units, rules.similarity, marked=marked)
            if rules.shape == "copy"
            else quotations.boundaries_of_quotations(claim.values, units, rules.similarity)
        )
    except MissingExtraError as error:  # a failure of this answer: the others are read
        raise AnswerError(f"not text of the document as it stands; {error}") from None
    form = claim.form + ", with changes" * changed
    return _answer(claim._replace(form=form), found, len(units))
