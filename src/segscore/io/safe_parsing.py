"""JSON and XML of tools, parsed as untrusted input.

XML with a DTD or entities is refused (defusedxml), so that no entity can grow or fetch anything;
JSON that is nested too deeply, holds a key twice or NaN is refused as in our own format.
"""

import json
import re
from collections.abc import Iterator, Set
from typing import TYPE_CHECKING, Any, NoReturn

from segscore.basics.arguments import first_twice, shown
from segscore.errors import SegmentationError, needing
from segscore.io.files import Source, byte_lines
from segscore.io.parsed_size import SMALL, XML_PRICES, parsed_size

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object; raise if a key occurs twice."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise SegmentationError(
            f"{shown(first_twice([key for key, _ in pairs]))} is given twice: expected each key "
            "once"
        )
    return found


def no_constant(name: str) -> NoReturn:
    """Raise for NaN and Infinity, which Python reads and JSON does not have."""
    raise SegmentationError(f"{name} is not JSON: expected whole numbers")


def json_lines(source: Source, expected: str) -> Iterator[tuple[int, Any]]:
    """The value on each line of a file, with its line number; blank lines are left out."""
    for number, line in byte_lines(source):
        if line.strip(b" \t"):
            try:
                text = line.decode()
            except UnicodeDecodeError:
                raise source.fail("not UTF-8: expected JSON in UTF-8", number) from None
            yield number, json_value(source, text, expected, number)


def json_value(
    source: Source,
    text: str,
    expected: str,
    line: int | None = None,
    *,
    nested: str = "",
    too_long: str = "",
) -> Any:
    """The value of a JSON text; `line` is its line number if it is one of several.

    nested, too_long: what messages expect instead of deep lists and long numbers, if not the
        default.
    """
    try:
        return json.loads(text, object_pairs_hook=unique_keys, parse_constant=no_constant)
    except json.JSONDecodeError as error:
        what = f"not JSON ({error.msg} at column {error.colno}): expected {expected}"
        raise source.fail(what, line or error.lineno) from None
    except RecursionError:
        raise source.fail(f"lists nested too deeply: expected {nested or expected}", line) from None
    except SegmentationError as error:
        raise source.fail(str(error), line) from None
    except ValueError:
        raise source.fail(f"a number is too long: expected {too_long or expected}", line) from None


def xml_root(source: Source, expected: str) -> "Element":
    """The root element of an XML file."""
    with needing("readers", f"{source.at()}: XML"):
        from defusedxml import ElementTree
        from defusedxml.common import DefusedXmlException
    data = source.read_bytes()
    if len(data) > SMALL:
        source.afford(parsed_size(data, XML_PRICES))
    try:
        return ElementTree.fromstring(data, forbid_dtd=True)  # type: ignore[no-any-return]
    except DefusedXmlException:
        raise source.fail(f"a DTD or an entity: expected {expected}, which has none") from None
    except ElementTree.ParseError as error:
        raise source.fail(f"not XML ({error}): expected {expected}") from None
    except (LookupError, ValueError) as error:
        raise source.fail(f"not XML ({error}): expected {expected}") from None


# ---- what the first lines of a file hold ----

_LISTED_CODINGS = ("masses", "boundaries", "gaps", "segment_ids", "spans")
_LABEL_KEYS = ("labels", "label", "boundary", "is_boundary", "segment_id", "segment")
_KEY = re.compile(r'(?<!\\)"([^"\\]*)"\s*:')
_OTHERS = frozenset(
    (*_LISTED_CODINGS, "levels", "units", "labels", "entities", "data", "annotations", "segments",
     "words", "results")
)  # fmt: skip
_OF_CHUNKS = frozenset(("metadata", "start_index", "end_index", "start_char_idx", "token_count"))
_NOT_OF_CHUNKS = _OTHERS | {"label"}
_NOT_OF_CHAPTERS = _OTHERS | {"text", "word", "punctuated_word", "content", "alternatives"}

_OF_SENTENCES = frozenset(
    ("levels", "titles_mask", "section_topic_labels", "sentence_topic_labels")
)


def holds_labels(text: str) -> bool:
    """Whether the object at the start of a text (perhaps cut off) has labels of units, and no
    coding in the form of our JSON Lines."""
    if not any(f'"{key}"' in text for key in _LABEL_KEYS):
        return False
    try:
        fields, _ = json.JSONDecoder().raw_decode(text.lstrip(" \t\r\n["))
    except (ValueError, RecursionError):
        return False
    if not isinstance(fields, dict) or any(key in fields for key in _LISTED_CODINGS):
        return False
    if are_labelled_sentences(fields.keys()):
        return False
    return any(_are_labels(fields.get(key)) for key in _LABEL_KEYS)


def first_keys(text: str) -> frozenset[str]:
    """The keys of the object at the start of a text, or of a list there. If the object is cut off,
    they include keys of objects inside it.

    >>> sorted(first_keys('[{"text": "a", "metadata": {"source": "b"}}, {"c": 1}]'))
    ['metadata', 'text']
    """
    try:
        fields, _ = json.JSONDecoder().raw_decode(text.lstrip(" \t\r\n["))
    except (ValueError, RecursionError):
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


def _are_labels(value: Any) -> bool:
    if isinstance(value, str):
        return re.fullmatch("[01]{2,}", value) is not None
    return isinstance(value, list) and bool(value) and isinstance(value[0], int | str)
