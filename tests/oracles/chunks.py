"""Every way in which chunks can stand in a text: slow and literal."""

from collections.abc import Sequence

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
