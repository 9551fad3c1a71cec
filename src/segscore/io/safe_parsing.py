"""JSON and XML of tools, parsed as untrusted input, and the objects of JSON files.

XML with a DTD or entities is refused (defusedxml), so that no entity can grow or fetch anything;
JSON that is nested too deeply, holds a key twice or NaN is refused as in our own format.

Objects stand one per line, in a list, alone, or by name. Checks raise plain errors about a key;
`JsonEntry.locating` adds the file, the line or the place in a list, the document and the coder.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence, Set
from contextlib import contextmanager, nullcontext
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from segscore.basics.arguments import first_twice, shown
from segscore.coding.segmentation import Segmentation
from segscore.corpus.record import Record
from segscore.errors import SegmentationError, about, needing
from segscore.io import files
from segscore.io.files import Source, expect

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object; raise if a key occurs twice."""
    found = dict(pairs)
    if len(found) != len(pairs):
        twice = shown(first_twice([key for key, _ in pairs]))
        raise SegmentationError(f"{twice} is given twice: expected each key once")
    return found


def no_constant(name: str) -> NoReturn:
    """Raise for NaN and Infinity, which Python reads and JSON does not have."""
    raise SegmentationError(f"{name} is not JSON: expected whole numbers")


# reads JSON as the standard has it
DECODER = json.JSONDecoder(object_pairs_hook=unique_keys, parse_constant=no_constant)


def json_value(source: Source, text: str, expected: str, line: int | None = None) -> Any:
    """The value of a JSON text; `line` is its line number if it is one of several."""
    try:
        return DECODER.decode(text)
    except json.JSONDecodeError as error:
        what = f"not JSON ({error.msg} at column {error.colno}): expected {expected}"
        raise source.fail(what, line or error.lineno) from None
    except RecursionError:
        raise source.fail(f"lists nested too deeply: expected {expected}", line) from None
    except SegmentationError as error:
        raise source.fail(str(error), line) from None
    except ValueError:
        what = f"a number is too long: expected {expected}, and numbers up to 2**53"
        raise source.fail(what, line) from None


def xml_root(source: Source, expected: str) -> "Element":
    """The root element of an XML file."""
    with needing("readers", f"{source.at()}: XML"):
        from defusedxml import ElementTree
        from defusedxml.common import DefusedXmlException
    data = source.read_bytes()
    if len(data) > files.SMALL:
        source.afford(files.parsed_size(data, files.XML_PRICES))
    try:
        return ElementTree.fromstring(data, forbid_dtd=True)  # type: ignore[no-any-return]
    except DefusedXmlException:
        raise source.fail(f"a DTD or an entity: expected {expected}, which has none") from None
    except (ElementTree.ParseError, LookupError, ValueError) as error:
        raise source.fail(f"not XML ({error}): expected {expected}") from None


# ---- what the first lines of a file hold ----

_LISTED_CODINGS = ("masses", "boundaries", "gaps", "segment_ids", "spans")
_LABEL_KEYS = ("labels", "label", "boundary", "is_boundary", "segment_id", "segment")
_KEY = re.compile(r'(?<!\\)"([^"\\]*)"\s*:')
_OTHERS = {*_LISTED_CODINGS, "levels", "units", "labels", "entities", "data", "annotations"}
_OTHERS |= {"segments", "words", "results"}
_OF_CHUNKS = {"metadata", "start_index", "end_index", "start_char_idx", "token_count"}
_NOT_OF_CHUNKS = _OTHERS | {"label"}
_NOT_OF_CHAPTERS = _OTHERS | {"text", "word", "punctuated_word", "content", "alternatives"}
_OF_SENTENCES = {"levels", "titles_mask", "section_topic_labels", "sentence_topic_labels"}


@lru_cache(maxsize=4)  # every format looks at the first lines of a file
def _first_object(text: str) -> Any:
    """The value at the start of a text, or of a list there; None if it is cut off, or no JSON."""
    try:
        return json.JSONDecoder().raw_decode(text.lstrip(" \t\r\n["))[0]
    except (ValueError, RecursionError):
        return None


def holds_labels(text: str) -> bool:
    """Whether the object at the start of a text (perhaps cut off) has labels of units, and no
    coding in the form of our JSON Lines."""
    fields = _first_object(text) if any(f'"{key}"' in text for key in _LABEL_KEYS) else None
    if not isinstance(fields, dict) or fields.keys() & {*_LISTED_CODINGS}:
        return False
    if are_labelled_sentences(fields.keys()):
        return False
    values = [fields[key] for key in _LABEL_KEYS if key in fields]
    lists = [value for value in values if isinstance(value, list) and value]
    symbols = (re.fullmatch("[01]{2,}", value) for value in values if isinstance(value, str))
    return any(isinstance(value[0], int | str) for value in lists) or any(symbols)


def first_keys(text: str) -> frozenset[str]:
    """The keys of the object at the start of a text, or of a list there. If the object is cut off,
    they include keys of objects inside it.

    >>> sorted(first_keys('[{"text": "a", "metadata": {"source": "b"}}, {"c": 1}]'))
    ['metadata', 'text']
    """
    fields = _first_object(text)
    if fields is None:
        return frozenset(_KEY.findall(text))
    return frozenset(fields) if isinstance(fields, dict) else frozenset()


def opening_keys(lines: list[str]) -> frozenset[str]:
    """The keys of the object at the start of a file's first lines; none if it does not begin like
    JSON."""
    text = "\n".join(lines)
    return first_keys(text) if text.lstrip()[:1] in ("{", "[") else frozenset()


def is_chunk(keys: Set[str]) -> bool:
    """Whether an object with these keys is a chunk of a text, or holds chunks."""
    if keys & {"chunks", "offsets", "page_content"}:
        return True
    if "text" not in keys or keys & _NOT_OF_CHUNKS:
        return False
    # words of transcripts have a text, a start and an end, too, and name no document
    return "document" in keys or (bool(keys & _OF_CHUNKS) and not keys & {"start", "end"})


def is_chapter(keys: Set[str]) -> bool:
    """Whether an object with these keys is a stretch of time without words."""
    timed = "startTime" in keys or ("start" in keys and bool(keys & {"end", "title", "label"}))
    return timed and not keys & _NOT_OF_CHAPTERS


def are_labelled_sentences(keys: Set[str]) -> bool:
    """Whether an object with these keys has sentences with labels known to mark ends."""
    return {"sentences", "labels"} <= keys and bool(keys & _OF_SENTENCES)


def are_two_sides(keys: Set[str]) -> bool:
    """Whether an object with these keys is a sample of chunkseg."""
    return {"hypothesis", "reference", "duration"} <= keys


# ---- objects with their places ----

LINES = (".jsonl", ".ndjson")
_CALLED: dict[type, str] = {dict: "an object {…}", list: "a list", str: "a text"}
_CALLED |= {int: "a whole number", float: "a number"}

Place = tuple[int | None, str]  # a line, or what stands where in a list


def json_objects(source: Source, expected: str) -> Iterator[tuple[Place, Any]]:
    """Each value of the file with its place."""
    if source.suffix in LINES:
        for number, raw in files.byte_lines(source):
            if raw.strip(b" \t"):
                try:
                    text = raw.decode()
                except UnicodeDecodeError:
                    raise source.fail("not UTF-8: expected JSON in UTF-8", number) from None
                yield (number, ""), json_value(source, text, expected, number)
        return
    text = source.read_text()
    filled = [line for line in text.split("\n", maxsplit=50)[:50] if line.strip()]
    opened = len(filled) > 1 and all(line.lstrip().startswith("{") for line in filled[:2])
    try:  # whether each line is an object of its own, whatever the name of the file
        is_lines = opened and isinstance(json.loads(filled[0]), dict)
    except (ValueError, RecursionError):
        is_lines = False
    if is_lines:
        for number, line in enumerate(files.with_line_ends(text).split("\n"), start=1):
            if line.strip():
                yield (number, ""), json_value(source, line, expected, number)
        return
    data = json_value(source, text, expected)
    if isinstance(data, list):
        yield from (((None, f"[{index}]"), value) for index, value in enumerate(data))
    else:
        yield (None, ""), data


@contextmanager
def placed(source: Source, line: int | None, where: str) -> Iterator[None]:
    """Add the place to an error."""
    with source.locating(line), about(where) if where else nullcontext():
        yield


# ---- a document in each object ----


class JsonEntry(NamedTuple):
    """An object of a file: the document that it is about, its fields and its place."""

    source: Source  # which has the name of the document
    fields: Any
    place: Place = (None, "")

    @contextmanager
    def locating(self, coder: str | None = None) -> Iterator[None]:
        """Add the place, the document and the coder to an error."""
        source = self.source
        with placed(source, *self.place), about(source.of(coder=coder).where):
            yield

    def record(
        self, coding: Segmentation, units: tuple[str, ...], group: str | None = None
    ) -> Record:
        """The coding of the document, by the coder of the file."""
        place = self.source.at(self.place[0])
        names = self.source.document, self.source.coder
        with placed(self.source, *self.place):
            return Record(*names, coding, units, group=group, place=place)


def entries(
    source: Source,
    expected: str,
    names: Sequence[str],
    objects: Iterable[tuple[Place, Any]] | None = None,
) -> Iterator[JsonEntry]:
    """Each object of a file. names: the keys that may name the document; by default it is
    numbered."""
    number = 0
    for number, (place, fields) in enumerate(objects or json_objects(source, expected), start=1):
        with placed(source, *place):
            expect(isinstance(fields, dict), f"%s: expected {expected}", fields)
            document = document_named(source, fields) or name_in(fields, names, str(number))
        yield JsonEntry(source.of(document), fields, place)
    source.expect(number, f"the file is empty: expected {expected}")


def entries_by_name(source: Source, expected: str, kind: type) -> Iterator[JsonEntry]:
    """The values of the single object of a file, by the names of their documents."""
    data = json_value(source, source.read_text(), expected)
    source.expect(data and isinstance(data, dict), f"%s: expected {expected}", data)
    for document, value in data.items():
        entry = JsonEntry(source.of(document), value)
        with entry.locating():
            fits = value and isinstance(value, kind)
            expect(fits, f"%s: expected {_CALLED[kind]} of {expected}", value)
        yield entry


def field(owner: Any, key: str, *kinds: type) -> Any:
    """The value of a key, which must have one of these types."""
    expect(isinstance(owner, dict), f"%s: expected an object with {key!r}", owner)
    value = owner.get(key)
    if not isinstance(value, kinds) or isinstance(value, bool):
        wanted = " or ".join(_CALLED[kind] for kind in kinds if kind in _CALLED)
        raise SegmentationError(f"{key} is {shown(value)}: expected {wanted}")
    return value


def dialogue_turns(owner: Any, key: str, name: str) -> tuple[list[Any], list[Any]]:
    """The objects in a list, and what each of them has by one name."""
    turns = full_list(owner, key)
    for index, turn in enumerate(turns):
        fits = isinstance(turn, dict) and name in turn
        expect(fits, f"{key}[{index}] is %s: expected an object with {name!r}", turn)
    return turns, [turn[name] for turn in turns]


def full_list(owner: Any, key: str, n: int | None = None) -> list[Any]:
    """A list that is not empty, or that has n values."""
    found: list[Any] = field(owner, key, list)
    fits = found and n in (None, len(found))
    expect(fits, f"{key} has {len(found)} values: expected {n or 'some'}")
    return found


def texts_in(owner: Any, key: str) -> tuple[str, ...]:
    """A list of texts, one per unit."""
    return all_texts(full_list(owner, key), key)


def all_texts(values: Sequence[Any], what: str) -> tuple[str, ...]:
    """The values, which must be texts."""
    for index, text in enumerate(values):
        if not isinstance(text, str):
            raise SegmentationError(f"{what}[{index}] is {shown(text)}: expected a text")
    return tuple(values)


def message_text(content: Any) -> str | None:
    """The text in the content of a chat's message: a text, or parts of which some are texts; None
    if there is no content, because it calls a tool instead."""
    if content is None or isinstance(content, str):
        return content
    listed = content if isinstance(content, list) else [{"text": content}]
    parts = [part["text"] for part in listed if isinstance(part, dict) and "text" in part]
    return "".join(all_texts(parts, "content"))


def name_in(owner: dict[str, Any], keys: Sequence[str], default: str) -> str:
    """The name by the first of the given keys; a number is a name, too."""
    key = next((key for key in keys if owner.get(key) is not None), None)
    return default if key is None else as_name(owner[key], key)


def as_name(value: Any, what: str) -> str:
    """A text or a number as a name."""
    fits = isinstance(value, str | int) and not isinstance(value, bool) and value != ""
    expect(fits, f"{what} is %s: expected a name", value)
    return str(value)


def whole_in(owner: Any, key: str) -> int:
    """A whole number from 0, perhaps as a text."""
    value = owner.get(key) if isinstance(owner, dict) else None
    digits = isinstance(value, str) and re.fullmatch("[0-9]{1,15}", value)
    fits = digits or (type(value) is int and value >= 0)
    expect(fits, f"{key} is %s: expected a whole number, from 0", value)
    return int(value)  # type: ignore[arg-type]


def document_named(source: Source, owner: Any) -> str | None:
    """The document's name at the path that the caller gives (`data.doc_id`), if any."""
    path = source.choices.document_name
    if path is None:
        return None
    parts = path.split(".")
    if parts[0] == "data" and isinstance(owner, dict) and "data" not in owner:
        parts = parts[1:]  # where a tool writes the data without a name around it
    value = owner
    for part in parts:
        value = value.get(part) if isinstance(value, dict) else None
    return as_name(value, f"document_name: {path}")
