"""Chunks as text splitters return them, in any known form.

Known forms: texts; pairs (start, end) of offsets; pairs (start, text), as in
semantic-text-splitter; starts alone, where each chunk extends to the next; a list of texts and a
list of as many pairs, as in semchunk; objects and mappings with `text` or `page_content`
(LangChain, LlamaIndex, Chonkie) and, if they have it, `start_index` and `end_index`, which
LangChain keeps in `metadata`. Offsets count code points from 0, half-open, as Python does.
"""

from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any, NamedTuple

import numpy as np

from segscore.basics.arguments import array_inside, is_whole, shown
from segscore.errors import SegmentationError

_TEXTS = ("page_content", "text", "content")
_STARTS = ("start_index", "start_char_idx", "start")
_ENDS = ("end_index", "end_char_idx", "end")
_EXPECTED = (
    "texts, pairs of offsets (start, end) or (start, text), starts, or objects with a text "
    "(page_content, text) and, perhaps, start_index"
)


class Chunk(NamedTuple):
    """A chunk as a splitter returned it; unknown fields are None."""

    text: str | None
    start: int | None = None
    end: int | None = None


def as_chunks(given: Any) -> list[Chunk]:
    """The chunks, at least one, from any known form.

    >>> as_chunks(["One.", {"page_content": "Two.", "metadata": {"start_index": 5}}])
    [Chunk(text='One.', start=None, end=None), Chunk(text='Two.', start=5, end=9)]
    >>> as_chunks([0, 5])
    [Chunk(text=None, start=0, end=None), Chunk(text=None, start=5, end=None)]
    """
    given = array_inside(given, "chunks", f"a list of {_EXPECTED}")
    if isinstance(given, str | bytes | Mapping | Set) or not isinstance(given, Iterable):
        raise SegmentationError(f"chunks is {shown(given)}: expected a list of {_EXPECTED}")
    listed = _unzipped(list(given))
    chunks = [_as_chunk(entry, f"chunks[{index}]") for index, entry in enumerate(listed)]
    if not chunks:
        raise SegmentationError("chunks is empty: expected at least one chunk of the text")
    return chunks


def _unzipped(given: list[Any]) -> list[Any]:
    """A mapping per chunk, if a list of texts and a list of as many offsets are given."""
    if len(given) != 2 or not all(isinstance(column, list) and column for column in given):
        return given
    texts, offsets = given
    if len(texts) != len(offsets) or not all(isinstance(text, str) for text in texts):
        return given
    pairs = (list(offset) if isinstance(offset, Sequence) else [offset] for offset in offsets)
    return [
        dict(zip(("text", "start", "end"), (text, *pair), strict=False))
        for text, pair in zip(texts, pairs, strict=True)
    ]


def _as_chunk(given: Any, what: str) -> Chunk:
    given = array_inside(given, what, _EXPECTED)
    given = given.tolist() if isinstance(given, np.ndarray) else given
    if isinstance(given, str):
        chunk = Chunk(given)
    elif is_whole(given):
        chunk = Chunk(None, int(given))
    elif isinstance(given, Sequence) and not isinstance(given, bytes):
        chunk = _from_pair(given, what)
    else:
        chunk = _from_object(given, what)
    return _checked(chunk, what)


def _from_pair(pair: Sequence[Any], what: str) -> Chunk:
    """A chunk from its start and its end, or its text."""
    fine = len(pair) == 2 and is_whole(pair[0])
    if not fine or not (is_whole(pair[1]) or isinstance(pair[1], str)):
        raise SegmentationError(
            f"{what} is {shown(pair)}: expected a pair (start, end) or (start, text)"
        )
    start, second = int(pair[0]), pair[1]
    if isinstance(second, str):
        return Chunk(second, start, start + len(second))
    return Chunk(None, start, int(second))


def _from_object(given: Any, what: str) -> Chunk:
    """A chunk from an object or a mapping with a text, offsets, or both."""
    text = first_of(given, _TEXTS)
    about = first_of(given, ("metadata",))
    start, end = (
        _whole(first_of(given, names), first_of(about, names)) for names in (_STARTS, _ENDS)
    )
    if text is not None and not isinstance(text, str):
        raise SegmentationError(f"{what} has the text {shown(text)}: expected a str")
    if text is None and start is None:
        raise SegmentationError(f"{what} is {shown(given)}: expected {_EXPECTED}")
    if start is not None and start < 0:  # LangChain's way to say that it was not found
        start = end = None
    if start is not None and text is not None:
        end = start + len(text) if end is None else end
    return Chunk(text, start, end)


def first_of(source: Any, names: tuple[str, ...]) -> Any:
    """The first of some fields of an object or a mapping that is not None."""
    for name in names:
        value = source.get(name) if isinstance(source, Mapping) else getattr(source, name, None)
        if value is not None:
            return value
    return None


def _whole(*values: Any) -> int | None:
    return next((int(value) for value in values if is_whole(value)), None)


def _checked(chunk: Chunk, what: str) -> Chunk:
    if chunk.text == "":
        raise SegmentationError(f"{what} is empty: expected some text in each chunk")
    if (chunk.start is None and chunk.text is None) or (chunk.start or 0) < 0:
        raise SegmentationError(
            f"{what} starts at {shown(chunk.start)}: expected an offset of at least 0"
        )
    if chunk.end is not None and chunk.start is not None and chunk.end <= chunk.start:
        raise SegmentationError(
            f"{what} goes from {shown(chunk.start)} to {shown(chunk.end)}: expected an end after "
            "the start"
        )
    return chunk
