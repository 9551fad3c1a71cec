"""Find chunks in the text that they were cut from, in any form that splitters return.

Known forms: texts; pairs (start, end) of offsets; pairs (start, text), as in
semantic-text-splitter; starts alone, where each chunk extends to the next; a list of texts and a
list of as many pairs, as in semchunk; objects and mappings with `text` or `page_content`
(LangChain, LlamaIndex, Chonkie) and, if they have it, `start_index` and `end_index`, which
LangChain keeps in `metadata`. Offsets count code points from 0, half-open, as Python does.

Chunks without offsets are in the order of the text. They may overlap, text between them may be left
out, and programs may have changed white space, quote marks and dashes (`segscore.text.folding`);
any other change, and text that is not there, is an error. A repeated text is located by all chunks
together, not one by one: the chosen places leave out the least of the text, then change the least
in it, then have the most even overlaps. So chunks without overlap that hold the whole text have a
single place each, whatever is repeated. A chunk that also fits elsewhere counts as `ambiguous`;
only offsets can settle that.
"""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

import numpy as np

from segscore.basics.arguments import array_inside, is_whole, shown
from segscore.errors import SegmentationError
from segscore.text.folding import Folded, is_quote, is_white
from segscore.text.markdown_blocks import Stretch

_TEXTS = ("page_content", "text", "content")
_STARTS = ("start_index", "start_char_idx", "start")
_ENDS = ("end_index", "end_char_idx", "end")
_EXPECTED = (
    "texts, pairs of offsets (start, end) or (start, text), starts, or objects with a text "
    "(page_content, text) and, perhaps, start_index"
)
OFFSETS_COUNT = (
    "offsets count characters (code points) of the text as Python reads it, not bytes: a line end "
    "is one character, and a byte order mark is none"
)
_ALONE = "; if something was put in front of chunks, give offsets alone"
_FAR = 10_000  # characters after the last chunk in which the next is looked for first
_MOST = 1000  # places of one chunk that are considered
_MOST_STEPS = 30_000_000  # from a place of one chunk to a place of the next: some 20 s
# What a character left out costs, and a chunk that was changed; all overlaps together cost less.
_LEFT_OUT, _CHANGED = 10**30, 10**20


# ---- forms ----


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
    is_list = isinstance(given, Iterable) and not isinstance(given, str | bytes | Mapping | Set)
    listed = list(given) if is_list else []
    if not listed:
        raise SegmentationError(f"chunks is {shown(given)}: expected a list of {_EXPECTED}")
    if len(listed) == 2 and all(isinstance(column, list) and column for column in listed):
        texts, offsets = listed
        if len(texts) == len(offsets) and all(isinstance(text, str) for text in texts):
            pairs = (edge if isinstance(edge, Sequence) else [edge] for edge in offsets)
            names = ("text", "start", "end")
            listed = [
                dict(zip(names, (text, *pair), strict=False))
                for text, pair in zip(texts, pairs, strict=True)
            ]
    return [_as_chunk(entry, f"chunks[{index}]") for index, entry in enumerate(listed)]


def _as_chunk(given: Any, what: str) -> Chunk:
    given = array_inside(given, what, _EXPECTED)
    given = given.tolist() if isinstance(given, np.ndarray) else given
    match given:
        case str():
            chunk = Chunk(given)
        case [start, str(text)] if is_whole(start):
            chunk = Chunk(text, int(start), int(start) + len(text))
        case [start, end] if is_whole(start) and is_whole(end):
            chunk = Chunk(None, int(start), int(end))
        case _:
            chunk = Chunk(None, int(given)) if is_whole(given) else _from_object(given, what)
    if chunk.text == "":
        raise SegmentationError(f"{what} is empty: expected some text in each chunk")
    first, last = chunk.start, chunk.end
    if first is not None and (first < 0 or (last is not None and last <= first)):
        raise SegmentationError(
            f"{what} goes from {shown(first)} to {shown(last)}: expected a start of at least 0, "
            "and an end after the start"
        )
    return chunk


def _from_object(given: Any, what: str) -> Chunk:
    """A chunk from an object or a mapping with a text, offsets, or both."""
    text = first_field(given, _TEXTS)
    metadata = first_field(given, ("metadata",))
    owners = (given, metadata)
    starts, ends = ([first_field(owner, names) for owner in owners] for names in (_STARTS, _ENDS))
    start, end = (next((int(at) for at in found if is_whole(at)), None) for found in (starts, ends))
    if not isinstance(text, str) and (text is not None or start is None):
        raise SegmentationError(f"{what} is {shown(given)}: expected {_EXPECTED}")
    if start is not None and text is not None:
        if start < 0:  # LangChain's way to say that it was not found
            return Chunk(text)
        end = start + len(text) if end is None else end
    return Chunk(text, start, end)


def first_field(source: Any, names: tuple[str, ...]) -> Any:
    """The first of some fields of an object or a mapping that is not None."""
    for name in names:
        value = source.get(name) if isinstance(source, Mapping) else getattr(source, name, None)
        if value is not None:
            return value
    return None


# ---- places ----


@dataclass(frozen=True)
class Found:
    """The stretches of the text, one per chunk; the number of places where the chunks differ from
    it in white space or marks; the number of chunks that also fit elsewhere; the number with wrong
    offsets."""

    stretches: list[Stretch]
    changed: int = 0
    ambiguous: int = 0
    wrong_offsets: int = 0


def find_chunks(text: str, chunks: Sequence[Chunk], *, in_order: bool = True) -> Found:
    """The place of each chunk; text outside all chunks is left to the caller.

    in_order: whether chunks are in the order of the text. If not, offsets stand as they are, and
    texts that are in another order must each occur once.

    >>> find_chunks("So it is. So it is. Yes.", [Chunk("So it is."), Chunk("So it is.  Yes.")])
    Found(stretches=[(0, 9), (10, 24)], changed=1, ambiguous=0, wrong_offsets=0)
    """
    texts = [chunk.text for chunk in chunks if chunk.text is not None]
    if all(chunk.start is not None for chunk in chunks):
        if not in_order or len(texts) < len(chunks):
            found = _by_offsets(text, chunks, in_order)
            ordered = all(a <= b for (a, _), (b, _) in pairwise(found.stretches))
            if len(texts) < len(chunks) or not ordered:
                return found
        return _by_both(text, chunks, texts)
    if len(texts) < len(chunks):
        raise SegmentationError(
            "some chunks have a text and no offset, some an offset and no text: expected one or "
            "the other of all of them"
        )
    try:
        return _in_order(text, texts)
    except SegmentationError:
        alone = None if in_order else _each_alone(text, texts)
        if alone is None:
            raise
        return alone


def _each_alone(text: str, texts: list[str]) -> Found | None:
    """The place of each chunk at the only occurrence of its text; None if a chunk has none."""
    whole, pieces = Folded(text), [Folded(chunk) for chunk in texts]
    places = [_occurrences(whole.text, piece.text, 0, len(whole)) for piece in pieces]
    if not all(map(len, pieces)) or any(len(found) != 1 for found in places):
        return None
    edges = ((at, at + len(piece) - 1) for (at,), piece in zip(places, pieces, strict=True))
    return Found([(int(whole.at[first]), int(whole.at[last]) + 1) for first, last in edges])


def _by_both(text: str, chunks: Sequence[Chunk], texts: list[str]) -> Found:
    """By offsets, unless these are out of order or leave out text that is in the chunks: LangChain
    takes the first place where a text is found, which may be the place of another chunk."""
    found: Found | None = None
    wrong: SegmentationError | None = None
    try:
        found = _by_offsets(text, chunks, in_order=True)
    except SegmentationError as error:
        wrong = error
    if found is None or not _covers(text, found.stretches):
        with suppress(SegmentationError):
            better = _in_order(text, texts)
            if found is None or _covers(text, better.stretches):
                starts = [at for at, _ in better.stretches]
                moved = sum(chunk.start != at for chunk, at in zip(chunks, starts, strict=True))
                return replace(better, wrong_offsets=moved)
    if found is None:
        raise wrong or AssertionError
    return found


def _covers(text: str, stretches: list[Stretch]) -> bool:
    """Whether all text, without white space, is in some stretch."""
    reached = 0
    for start, end in stretches:
        if start > reached and not is_white(text[reached:start]):
            return False
        reached = max(reached, end)
    return is_white(text[reached:])


def _in_order(text: str, texts: list[str]) -> Found:
    if "".join(texts) == text:
        return Found(list(pairwise(accumulate(map(len, texts), initial=0))))
    try:
        return _by_texts(Folded(text), [Folded(chunk) for chunk in texts], is_bare=False)
    except SegmentationError as error:
        bare = Folded(text, bare=True)
        if len(bare) == len(Folded(text)) and not any(map(is_quote, "".join(texts))):
            raise
        try:
            return _by_texts(bare, [Folded(chunk, bare=True) for chunk in texts], is_bare=True)
        except SegmentationError:
            raise error from None


def _by_offsets(text: str, chunks: Sequence[Chunk], in_order: bool) -> Found:
    """The places that offsets say; a chunk without an end extends to the next."""
    starts = [chunk.start or 0 for chunk in chunks]
    stretches: list[Stretch] = []
    changed = 0
    for index, (chunk, start, following) in enumerate(
        zip(chunks, starts, [*starts[1:], len(text)], strict=True)
    ):
        end = following if chunk.end is None else chunk.end
        if end > len(text) or start >= end:
            raise SegmentationError(
                f"chunks[{index}] goes from {shown(start)} to {shown(end)}, and the text has "
                f"{len(text)} characters: expected a start before an end inside of the text; "
                f"{OFFSETS_COUNT}{_ALONE}"
            )
        if in_order and stretches and start < stretches[-1][0]:
            raise SegmentationError(
                f"chunks[{index}] starts at {start}, before the one before it "
                f"({stretches[-1][0]}): expected chunks in the order of the text"
            )
        if chunk.text is not None and chunk.text != text[start:end]:
            there, given = Folded(text[start:end]), Folded(chunk.text)
            if there.text != given.text:
                raise SegmentationError(
                    f"chunks[{index}] is {shown(chunk.text)}, and the text at its offsets {start} "
                    f"… {end} is {shown(text[start:end])}: expected the same; {OFFSETS_COUNT}"
                    f"{_ALONE}"
                )
            changed += _changes(there, 0, given)
        stretches.append((start, end))
    return Found(stretches, changed)


def _by_texts(whole: Folded, chunks: list[Folded], *, is_bare: bool) -> Found:
    """The places of chunks by their texts; a chunk of white space is where the chunk before it
    ends."""
    pieces = [chunk for chunk in chunks if len(chunk)]
    if not pieces:
        raise SegmentationError("the chunks hold nothing but white space: expected text")
    edges = list(accumulate(map(len, pieces), initial=0))
    places, ambiguous = edges[:-1], 0  # the only way, if they hold the whole text without overlap
    if edges[-1] != len(whole) or "".join(piece.text for piece in pieces) != whole.text:
        candidates = _candidates(whole, pieces)
        places = _cheapest(whole, pieces, candidates)
        ambiguous = _ambiguous(whole, pieces, candidates, places)
    changed = sum(
        _changes(whole, place, piece) for place, piece in zip(places, pieces, strict=True)
    )
    stretches: list[Stretch] = []
    following = iter(places)
    for chunk in chunks:
        if len(chunk):
            stretches.append(_stretch(whole, next(following), chunk, is_bare))
        else:
            start = stretches[-1][1] if stretches else 0
            same = whole.original.startswith(chunk.original, start)
            stretches.append((start, start + (len(chunk.original) if same else 0)))
    return Found(stretches, changed, ambiguous)


def _candidates(whole: Folded, pieces: list[Folded]) -> list[list[int]]:
    """The possible places of each chunk: not before the first place of the chunk before it."""
    found: list[list[int]] = []
    first, reach, steps = 0, 0, 0
    for index, piece in enumerate(pieces):
        near = reach + len(piece) + _FAR
        places = _occurrences(whole.text, piece.text, first, near)
        places = places or _occurrences(whole.text, piece.text, first, len(whole))
        if not places:
            raise _not_found(whole, piece, index, first)
        steps += len(found[-1]) * len(places) if found else 0
        _check_steps(steps, piece, index, len(places))
        found.append(places)
        first, reach = places[0], places[-1] + len(piece)
    return found


def _occurrences(text: str, piece: str, first: int, last: int) -> list[int]:
    places: list[int] = []
    at = text.find(piece, first, last)
    while at >= 0 and len(places) < _MOST:
        places.append(at)
        at = text.find(piece, at + 1, last)
    return places


def _not_found(whole: Folded, piece: Folded, index: int, first: int) -> SegmentationError:
    """Raise an error that says what is wrong: chunks out of order, or the first character that is
    not in the text."""
    what = f"chunks[{index}] is {shown(piece.original)}"
    if piece.text in whole.text:
        return SegmentationError(
            f"{what}, which is before the previous chunk: expected chunks in the order of the text"
        )
    # the longest beginning that is there
    there = bisect_left(
        range(len(piece)), True, key=lambda n: whole.text.find(piece.text[: n + 1], first) < 0
    )
    at = int(piece.at[there])
    return SegmentationError(
        f"{what}, which is not in the text: after its first {at} characters it has "
        f"{shown(piece.original[at : at + 30])}: expected chunks of the text, in its order, with "
        f"no other change than in white space, quote marks and dashes{_ALONE}"
    )


State = tuple[int, int]  # where a chunk stands, and how far the text is covered up to its end


def _cheapest(whole: Folded, pieces: list[Folded], candidates: list[list[int]]) -> list[int]:
    """The cheapest places: a place per chunk, none before the place of the previous chunk."""
    layers: list[dict[State, tuple[int, State]]] = [{(0, 0): (0, (0, 0))}]
    steps = 0
    for index, (piece, places) in enumerate(zip(pieces, candidates, strict=True)):
        steps += len(layers[-1]) * len(places)
        _check_steps(steps, piece, index, len(places))
        changed = [_CHANGED * (not _verbatim(whole, place, piece)) for place in places]
        found: dict[State, tuple[int, State]] = {}
        for state, (cost, _) in layers[-1].items():
            before, reach = state
            for place, more in zip(places, changed, strict=True):
                if place < before:
                    continue
                end = place + len(piece)
                twice = (min(end, reach) - place) ** 2  # the square of what is covered twice
                total = cost + more + (_LEFT_OUT * (place - reach) if place > reach else twice)
                key = (place, max(reach, end))
                if key not in found or total < found[key][0]:
                    found[key] = (total, state)
        layers.append(found)
    last = layers[-1]
    state = min(last, key=lambda end: last[end][0] + _LEFT_OUT * (len(whole) - end[1]))
    chosen: list[int] = []
    for layer in reversed(layers[1:]):
        chosen.append(state[0])
        state = layer[state][1]
    return chosen[::-1]


def _check_steps(steps: int, piece: Folded, index: int, n_places: int) -> None:
    """Raise for chunks that repeat so often that finding their places would take too long."""
    if steps > _MOST_STEPS:
        raise SegmentationError(
            f"chunks[{index}] is {shown(piece.original)}, which stands in {n_places} places or "
            "more, like those before it: there are too many ways to place them all; expected "
            "offsets (start_index) beside texts that come so often"
        )


def _verbatim(whole: Folded, place: int, piece: Folded) -> bool:
    return whole.original.startswith(piece.original.strip(), int(whole.at[place]))


def _ambiguous(
    whole: Folded, pieces: list[Folded], candidates: list[list[int]], places: list[int]
) -> int:
    """How many chunks could be moved, the others staying, without leaving out more text."""
    ends = [place + len(piece) for place, piece in zip(places, pieces, strict=True)]
    reached = list(accumulate(ends, max, initial=0))  # before each chunk, and at the end
    count = 0
    for index, (place, piece) in enumerate(zip(places, pieces, strict=True)):
        first = places[index - 1] if index else 0
        last = places[index + 1] if index + 1 < len(places) else len(whole)
        verbatim = _verbatim(whole, place, piece)
        count += any(
            first <= other <= last
            and _verbatim(whole, other, piece) >= verbatim
            and _more_left_out(index, other, len(whole), places, ends, reached) <= 0
            for other in candidates[index]
            if other != place
        )
    return count


def _more_left_out(
    moved: int, to: int, length: int, places: list[int], ends: list[int], reached: list[int]
) -> int:
    """The number of additional characters in no chunk if a chunk is placed elsewhere. Only the
    chunks up to the point where coverage is the same again are checked."""
    reach = reached[moved]
    more = max(to - reach, 0) - max(places[moved] - reach, 0)
    reach = max(reach, to + ends[moved] - places[moved])
    for index in range(moved + 1, len(places)):
        if reach == reached[index]:
            return more
        more += max(places[index] - reach, 0) - max(places[index] - reached[index], 0)
        reach = max(reach, ends[index])
    return more + max(length - reach, 0) - max(length - reached[-1], 0)


def _changes(whole: Folded, place: int, piece: Folded) -> int:
    """The number of places inside a chunk where it differs from the text; white space at its edges
    does not count."""
    first, last = int(whole.at[place]), int(whole.at[place + len(piece) - 1]) + 1
    if whole.original[first:last] == piece.original[int(piece.at[0]) : int(piece.at[-1]) + 1]:
        return 0
    changes = (whole.between(place + i) != piece.between(i) for i in range(len(piece) - 1))
    return sum(changes) + (whole.original[last - 1] != piece.original[int(piece.at[-1])])


def _stretch(whole: Folded, place: int, piece: Folded, is_bare: bool) -> Stretch:
    """The stretch of the text that a chunk is, with the white space that it brings along."""
    text, chunk = whole.original, piece.original
    start, end = int(whole.at[place]), int(whole.at[place + len(piece) - 1]) + 1
    if is_bare:  # quote marks that touch the first and the last character belong to them
        while start and is_quote(text[start - 1]):
            start -= 1
        while end < len(text) and is_quote(text[end]):
            end += 1
        return start, end
    lead, tail = chunk[: int(piece.at[0])], chunk[int(piece.at[-1]) + 1 :]
    while lead and start and text[start - 1] == lead[-1]:
        start, lead = start - 1, lead[:-1]
    while tail and end < len(text) and text[end] == tail[0]:
        end, tail = end + 1, tail[1:]
    return start, end
