"""What text splitters return, in one form: the text of each chunk, where it stands, or both.

Known: texts; pairs (start, end) of offsets; starts alone, where each chunk goes on to the next;
objects and mappings with `text` or `page_content` (LangChain, LlamaIndex, Chonkie) and, where they
have it, `start_index` and `end_index`, which LangChain keeps in `metadata`. Offsets count code
points from 0, half-open, as Python does.
"""

from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any, NamedTuple

import numpy as np

from segscore.basics.arguments import is_whole, shown
from segscore.errors import SegmentationError

_TEXTS = ("page_content", "text", "content")
_STARTS = ("start_index", "start_char_idx", "start")
_ENDS = ("end_index", "end_char_idx", "end")
_EXPECTED = (
    "texts, pairs of offsets (start, end), starts, or objects with a text (page_content, text) "
    "and, perhaps, start_index"
)


class Chunk(NamedTuple):
    """One chunk as a splitter gave it; what is not known is None."""

    text: str | None
    start: int | None = None
    end: int | None = None


def as_chunks(given: Any) -> list[Chunk]:
    """Chunks in any known form; at least one.

    >>> as_chunks(["One.", {"page_content": "Two.", "metadata": {"start_index": 5}}])
    [Chunk(text='One.', start=None, end=None), Chunk(text='Two.', start=5, end=9)]
    >>> as_chunks([0, 5])
    [Chunk(text=None, start=0, end=None), Chunk(text=None, start=5, end=None)]
    """
    if isinstance(given, str | bytes | Mapping | Set) or not isinstance(given, Iterable):
        raise SegmentationError(f"chunks is {shown(given)}: expected a list of {_EXPECTED}")
    chunks = [_as_chunk(one, f"chunks[{index}]") for index, one in enumerate(given)]
    if not chunks:
        raise SegmentationError("chunks is empty: expected at least one chunk of the text")
    return chunks


def _as_chunk(one: Any, what: str) -> Chunk:
    if isinstance(one, str):
        return _checked(Chunk(one), what)
    one = one.tolist() if isinstance(one, np.ndarray) else one
    if is_whole(one):
        return _checked(Chunk(None, int(one)), what)
    if isinstance(one, Sequence) and not isinstance(one, bytes):
        if len(one) != 2 or not all(map(is_whole, one)):
            raise SegmentationError(f"{what} is {shown(one)}: expected a pair (start, end)")
        return _checked(Chunk(None, int(one[0]), int(one[1])), what)
    text = _first(one, _TEXTS)
    about = _first(one, ("metadata",))
    start, end = (_whole(_first(one, names), _first(about, names)) for names in (_STARTS, _ENDS))
    if text is not None and not isinstance(text, str):
        raise SegmentationError(f"{what} has the text {shown(text)}: expected a str")
    if text is None and start is None:
        raise SegmentationError(f"{what} is {shown(one)}: expected {_EXPECTED}")
    if start is not None and start < 0:  # LangChain's way to say that it was not found
        start = end = None
    if start is not None and text is not None:
        end = start + len(text) if end is None else end
    return _checked(Chunk(text, start, end), what)


def _first(one: Any, names: tuple[str, ...]) -> Any:
    for name in names:
        value = one.get(name) if isinstance(one, Mapping) else getattr(one, name, None)
        if value is not None:
            return value
    return None


def _whole(*values: Any) -> int | None:
    return next((int(one) for one in values if is_whole(one)), None)


def _checked(chunk: Chunk, what: str) -> Chunk:
    if chunk.text == "":
        raise SegmentationError(f"{what} is empty: expected some text in each chunk")
    if chunk.text is None and (chunk.start is None or chunk.start < 0):
        raise SegmentationError(f"{what} starts at {chunk.start}: expected an offset of at least 0")
    if chunk.end is not None and chunk.start is not None and chunk.end <= chunk.start:
        raise SegmentationError(
            f"{what} goes from {chunk.start} to {chunk.end}: expected an end after the start"
        )
    return chunk
