"""Find chunks in the text that they were cut from (`segscore.text.chunk_forms` has their forms).

Chunks are in the order of the text. They may overlap, text between them may be left out, and
programs may have changed white space, quote marks and dashes (`segscore.text.folding`); any other
change, and text that is not there, is an error. A repeated text is located by all chunks together,
not one by one: the chosen places leave out the least of the text, then change the least in it, then
have the most even overlaps. So chunks without overlap that hold the whole text have a single place
each, whatever is repeated. A chunk that also fits elsewhere counts as `ambiguous`; only offsets can
settle that.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise

from segscore.basics.arguments import shown
from segscore.errors import SegmentationError
from segscore.text.chunk_forms import Chunk
from segscore.text.folding import Folded, is_blank, is_quote
from segscore.text.markdown_blocks import Stretch

_FAR = 10_000  # characters after the last chunk in which the next is looked for first
_MOST = 1000  # places of one chunk that are considered
_MOST_STEPS = 30_000_000  # from a place of one chunk to a place of the next: some 20 s
# What a character left out costs, and a chunk that was changed; all overlaps together cost less.
_LEFT_OUT, _CHANGED = 10**30, 10**20


@dataclass(frozen=True)
class Found:
    """The stretches of the text, one per chunk; the number of places where the chunks differ from
    it in white space or marks; the number of chunks that also fit elsewhere; the number with wrong
    offsets."""

    stretches: list[Stretch]
    changed: int = 0
    ambiguous: int = 0
    wrong_offsets: int = 0


def find_chunks(text: str, chunks: Sequence[Chunk]) -> Found:
    """The place of each chunk; text outside all chunks is left to the caller.

    >>> find_chunks("So it is. So it is. Yes.", [Chunk("So it is."), Chunk("So it is.  Yes.")])
    Found(stretches=[(0, 9), (10, 24)], changed=1, ambiguous=0, wrong_offsets=0)
    """
    texts = [chunk.text for chunk in chunks if chunk.text is not None]
    if all(chunk.start is not None for chunk in chunks):
        both = len(texts) == len(chunks)
        return _by_both(text, chunks, texts) if both else _by_offsets(text, chunks)
    if len(texts) < len(chunks):
        raise SegmentationError(
            "some chunks have a text and no offset, some an offset and no text: expected one or "
            "the other of all of them"
        )
    return _in_order(text, texts)


def _by_both(text: str, chunks: Sequence[Chunk], texts: list[str]) -> Found:
    """By offsets, unless these are out of order or leave out text that is in the chunks: LangChain
    takes the first place where a text is found, which may be the place of another chunk."""
    try:
        found = _by_offsets(text, chunks)
    except SegmentationError as error:
        found, trouble = None, error
    if found is not None and _covers(text, found.stretches):
        return found
    try:
        better = _in_order(text, texts)
    except SegmentationError:
        better = None
    if better is None or (found is not None and not _covers(text, better.stretches)):
        if found is None:
            raise trouble
        return found
    wrong = sum(
        chunk.start != start for chunk, (start, _) in zip(chunks, better.stretches, strict=True)
    )
    return replace(better, wrong_offsets=wrong)


def _covers(text: str, stretches: list[Stretch]) -> bool:
    """Whether all text, without white space, is in some stretch."""
    reached = 0
    for start, end in stretches:
        if start > reached and not is_blank(text[reached:start]):
            return False
        reached = max(reached, end)
    return is_blank(text[reached:])


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


def _by_offsets(text: str, chunks: Sequence[Chunk]) -> Found:
    stretches = given_stretches(text, chunks)
    changed = before = 0
    for index, (chunk, (start, end)) in enumerate(zip(chunks, stretches, strict=True)):
        if end > len(text) or start >= end:
            raise SegmentationError(
                f"chunks[{index}] goes from {shown(start)} to {shown(end)}: expected offsets in "
                f"order, up to {len(text)}, the length of the text"
            )
        if start < before:
            raise SegmentationError(
                f"chunks[{index}] starts at {start}, before the one before it "
                f"({before}): expected chunks in the order of the text"
            )
        if chunk.text is not None and chunk.text != text[start:end]:
            changed += changes_at(text, start, end, chunk.text, f"chunks[{index}]")
        before = start
    return Found(stretches, changed)


def given_stretches(text: str, chunks: Sequence[Chunk]) -> list[Stretch]:
    """The stretches of chunks with offsets; a chunk without an end extends to the next."""
    starts = [chunk.start or 0 for chunk in chunks]
    following = [*starts[1:], len(text)]
    ends = (
        after if chunk.end is None else chunk.end
        for chunk, after in zip(chunks, following, strict=True)
    )
    return list(zip(starts, ends, strict=True))


def changes_at(text: str, start: int, end: int, chunk: str, what: str) -> int:
    """The number of differences between a chunk and the text at its offsets; raise if it is other
    text."""
    there, given = Folded(text[start:end]), Folded(chunk)
    if there.text != given.text:
        raise SegmentationError(
            f"{what} is {shown(chunk)}, and the text at its offsets {start} … {end} is "
            f"{shown(text[start:end])}: expected the same; offsets count characters (code points), "
            "not bytes, from the start of the text"
        )
    return _changes(there, 0, given)


def _by_texts(whole: Folded, chunks: list[Folded], *, is_bare: bool) -> Found:
    """The places of chunks by their texts; a chunk of white space is where the chunk before it
    ends."""
    solid = [index for index, chunk in enumerate(chunks) if len(chunk)]
    if not solid:
        raise SegmentationError("the chunks hold nothing but white space: expected text")
    pieces = [chunks[index] for index in solid]
    places, ambiguous = _contiguous(whole, pieces), 0
    if places is None:
        candidates = _candidates(whole, pieces)
        places = _cheapest(whole, pieces, candidates)
        ambiguous = _ambiguous(whole, pieces, candidates, places)
    changed = sum(
        _changes(whole, place, piece) for place, piece in zip(places, pieces, strict=True)
    )
    place_of = dict(zip(solid, places, strict=True))
    stretches: list[Stretch] = []
    for index, chunk in enumerate(chunks):
        if index in place_of:
            stretches.append(_stretch(whole, place_of[index], chunk, is_bare))
        else:
            start = stretches[-1][1] if stretches else 0
            same = whole.original.startswith(chunk.original, start)
            stretches.append((start, start + (len(chunk.original) if same else 0)))
    return Found(stretches, changed, ambiguous)


def _contiguous(whole: Folded, pieces: list[Folded]) -> list[int] | None:
    """The places of chunks that hold the whole text without overlap: there is only one way."""
    edges = list(accumulate(map(len, pieces), initial=0))
    if edges[-1] != len(whole) or "".join(piece.text for piece in pieces) != whole.text:
        return None
    return edges[:-1]


def _candidates(whole: Folded, pieces: list[Folded]) -> list[list[int]]:
    """The possible places of each chunk: not before the first place of the chunk before it."""
    found: list[list[int]] = []
    first, reach, steps = 0, 0, 0
    for index, piece in enumerate(pieces):
        near = reach + len(piece) + _FAR
        places = _occurrences(whole.text, piece.text, first, near)
        if not places:
            places = _occurrences(whole.text, piece.text, first, len(whole))
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
    low, high = 0, len(piece)  # the longest beginning that is there
    while low < high:
        middle = (low + high + 1) // 2
        if whole.text.find(piece.text[:middle], first) >= 0:
            low = middle
        else:
            high = middle - 1
    at = int(piece.at[low])
    return SegmentationError(
        f"{what}, which is not in the text: after its first {at} characters it has "
        f"{shown(piece.original[at : at + 30])}: expected chunks of the text, in its order, with "
        "no other change than in white space, quote marks and dashes"
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
                total = cost + more + _step(place, end, reach)
                key = (place, max(reach, end))
                if key not in found or total < found[key][0]:
                    found[key] = (total, state)
        layers.append(found)
    last = layers[-1]
    state = min(
        last, key=lambda end_state: last[end_state][0] + _LEFT_OUT * (len(whole) - end_state[1])
    )
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


def _step(place: int, end: int, reach: int) -> int:
    """The cost of a place if the text is covered up to `reach`: text left out, or the square of
    what is covered twice."""
    return _LEFT_OUT * (place - reach) if place > reach else (min(end, reach) - place) ** 2


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
    count = int(whole.original[last - 1] != piece.original[int(piece.at[-1])])
    for index in range(len(piece) - 1):
        count += whole.between(place + index) != piece.between(index)
    return count


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
