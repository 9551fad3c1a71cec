"""Every way in which chunks can stand in a text: slow and literal."""

from collections.abc import Sequence
from itertools import pairwise

Places = tuple[int, ...]


def placements(text: str, chunks: Sequence[str]) -> list[Places]:
    """All starts of the chunks, each where its text stands, none before that of the one before."""
    found: list[Places] = [()]
    for chunk in chunks:
        found = [
            (*before, start)
            for before in found
            for start in range(before[-1] if before else 0, len(text) - len(chunk) + 1)
            if text[start : start + len(chunk)] == chunk
        ]
    return found


def left_out(text: str, chunks: Sequence[str], places: Places) -> int:
    """How many characters, white space aside, are in no chunk."""
    covered = set()
    for start, chunk in zip(places, chunks, strict=True):
        covered |= set(range(start, start + len(chunk)))
    return sum(i not in covered and not text[i].isspace() for i in range(len(text)))


def best(text: str, chunks: Sequence[str]) -> list[Places]:
    """The placements that leave out the least."""
    found = placements(text, chunks)
    least = min(left_out(text, chunks, placement) for placement in found)
    return [placement for placement in found if left_out(text, chunks, placement) == least]


# ---- cuts on units ----

Unit = tuple[int, int]


def moved_to(cut: int, units: Sequence[Unit], snap: int) -> int | None:
    """The offset of the end of a unit to which a cut goes, the cut itself if it is in no unit; None
    if it is further inside a unit than it may move."""
    for start, end in units:
        if start < cut < end:
            near = min(cut - start, end - cut)
            if near > snap:
                return None
            return start if cut - start == near else end
    return cut


def hits(cuts: Sequence[int], units: Sequence[Unit], reference: set[int], snap: int) -> int:
    """How many units of the reference, each the first of a segment, start where a cut goes: at the
    unit, or in the white space before it."""
    before = {start: end for (_, end), (start, _) in pairwise(units)}
    goes = [at for at in (moved_to(cut, units, snap) for cut in cuts) if at is not None]
    return sum(any(before[start] <= at <= start for at in goes) for start in reference)
