"""The headings above each chunk, and whether the chunk has them.

The path of a chunk, `# A > ## B`, consists of the headings above its first text, including those at
the start of the chunk. It is covered if the chunk holds all of them: then the chunk itself says
what it is about.
"""

from typing import NamedTuple

import numpy as np

from segscore.basics.arguments import Int64Array
from segscore.chunks.text_map import TextMap


class HeadingPath(NamedTuple):
    """The headings above a chunk, outermost first, and which of them it holds."""

    titles: tuple[str, ...] = ()
    held: tuple[bool, ...] = ()

    def __str__(self) -> str:
        return " > ".join(self.titles)

    @property
    def covered(self) -> bool | None:
        """Whether the chunk holds all headings; None if there are none."""
        return all(self.held) if self.titles else None

    @property
    def nearest_covered(self) -> bool | None:
        """Whether the chunk holds the innermost heading; None if there are none."""
        return self.held[-1] if self.titles else None


def heading_paths(text: TextMap, starts: Int64Array, ends: Int64Array) -> list[HeadingPath]:
    r"""The path of each chunk of a document.

    >>> text = TextMap("# A\n\n## B\nText. More.")
    >>> paths = heading_paths(text, np.array([0, 16]), np.array([16, 21]))
    >>> [(str(path), path.held) for path in paths]
    [('# A > ## B', (True, True)), ('# A > ## B', (False, False))]
    """
    over = _paths(text)
    found = text.heading_places
    firsts, lasts = text.places(starts), text.places(ends)
    titles = [f"{'#' * heading.rank} {heading.title}" for heading in text.headings]
    paths: list[HeadingPath] = []
    for first, last in zip(firsts.tolist(), lasts.tolist(), strict=True):
        index = _heading_over(found.starts, found.ends, first, last)
        path = over[index] if index >= 0 else ()
        held = (
            bool(first <= found.starts[heading] and found.ends[heading] <= last) for heading in path
        )
        paths.append(HeadingPath(tuple(titles[heading] for heading in path), tuple(held)))
    return paths


def _paths(text: TextMap) -> list[tuple[int, ...]]:
    """The path of each heading: the headings above it, and itself."""
    found: list[tuple[int, ...]] = []
    open_ones: list[int] = []
    for index, heading in enumerate(text.headings):
        while open_ones and text.headings[open_ones[-1]].rank >= heading.rank:
            open_ones.pop()
        open_ones.append(index)
        found.append(tuple(open_ones))
    return found


def _heading_over(starts: Int64Array, ends: Int64Array, first: int, last: int) -> int:
    """The last heading before the first text of a chunk, ignoring headings at its start; -1 for
    none."""
    index = int(np.searchsorted(starts, first, "right")) - 1
    place = first
    while index >= 0 and starts[index] <= place < ends[index]:
        place = int(ends[index])
        if place >= last or index + 1 >= len(starts) or starts[index + 1] > place:
            break
        index += 1
    return index
