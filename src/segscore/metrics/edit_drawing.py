"""Edits drawn as text: the two segmentations above each other, the operation under each boundary.

A dot is a unit, a bar a boundary (with its types in brackets, if it has any). Below it is M for a
match, T for each end of a transposition, S for a substitution, A for an addition. What does not fit
in a line is shortened: only boundaries that differ are drawn, with their positions above; between
them are the numbers of units and of matches that are left out. (After Fournier 2013, fig. 1.)
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from segscore.coding.segmentation import Segmentation

if TYPE_CHECKING:  # edit_distance imports this module to print
    from segscore.metrics.edit_distance import BoundaryEdits

WIDTH = 78  # columns of a line, without the name of the side
_FEW_UNITS = 6  # drawn as dots even if the drawing is folded


class DrawnPiece(NamedTuple):
    """One piece of the drawing, from top to bottom."""

    position: str
    a: str
    b: str
    operation: str

    @property
    def width(self) -> int:
        """How wide the drawing of this piece is."""
        return max(map(len, self))


def draw(edits: "BoundaryEdits", most: int | None = None) -> str:
    """Both segmentations, the operations, and a line that counts them; at most `most` lines of
    the drawing."""
    folded = edits.a.n_units > WIDTH  # do not even try to draw a dot for each unit
    columns = list(_columns(edits, folded))
    if sum(column.width for column in columns) > WIDTH and not folded:
        columns = list(_columns(edits, folded=True))
    lines: list[str] = []
    rows = list(_wrapped(columns))
    for row in rows[:most]:
        names = ("", "a", "b", "")
        texts = zip(*row, strict=True)
        for name, cells in zip(names, texts, strict=True):
            drawn = "".join(
                cell.ljust(column.width) for cell, column in zip(cells, row, strict=True)
            )
            lines.append(f"{name:<3}{drawn}".rstrip())
    if most is not None and len(rows) > most:
        lines.append(f"… {len(rows) - most} more lines; print shows all")
    return "\n".join([*(line for line in lines if line), counts(edits)])


def counts(edits: "BoundaryEdits") -> str:
    """How many operations of each kind there are."""
    kinds = ("match", "transposition", "substitution", "addition")
    listed = (edits.matches, edits.transpositions, edits.substitutions, edits.additions)
    return ", ".join(_counted(len(ones), kind) for kind, ones in zip(kinds, listed, strict=True))


def _counted(count: int, kind: str) -> str:
    plural = "" if count == 1 else ("es" if kind.endswith("ch") else "s")
    return f"{count} {kind}{plural}"


def _columns(edits: "BoundaryEdits", folded: bool) -> Iterator[DrawnPiece]:
    """Stretches of units and the boundaries between them; folded, only those that differ."""
    letters = _operations(edits)
    labels_a, labels_b = _labels(edits.a), _labels(edits.b)
    previous = matches = 0
    for position in sorted(letters):
        if folded and letters[position] == "M":
            matches += 1
            continue
        yield _stretch(position - previous, matches, folded)
        yield DrawnPiece(
            f"{position} " if folded else "",
            labels_a.get(position, ""),
            labels_b.get(position, ""),
            letters[position],
        )
        previous, matches = position, 0
    yield _stretch(edits.a.n_units - previous, matches, folded)


def _stretch(n_units: int, n_matches: int, folded: bool) -> DrawnPiece:
    """Units without a boundary worth drawing."""
    short = not folded or (n_units <= _FEW_UNITS and not n_matches)
    text = "·" * n_units if short else f"·{n_units}·"
    return DrawnPiece("", text, text, f"{n_matches}M" if n_matches else "")


def _operations(edits: "BoundaryEdits") -> dict[int, str]:
    """The letters of the operations at each position that holds a boundary."""
    found: defaultdict[int, set[str]] = defaultdict(set)
    for match in edits.matches:
        found[match.position].add("M")
    for near in edits.transpositions:
        found[near.a].add("T")
        found[near.b].add("T")
    for swapped in edits.substitutions:
        found[swapped.position].add("S")
    for added in edits.additions:
        found[added.position].add("A")
    return {
        position: "".join(sorted(letters, key="MTSA".index)) for position, letters in found.items()
    }


def _labels(side: Segmentation) -> dict[int, str]:
    """How each boundary of a side is drawn."""
    positions = side.boundaries.tolist()
    if side.types is None:
        return dict.fromkeys(positions, "|")
    from segscore.errors import visible  # types come from files: no control characters

    names = (f"[{visible('+'.join(sorted(map(str, kinds))))}]" for kinds in side.types)
    return dict(zip(positions, names, strict=True))


def _wrapped(columns: Iterable[DrawnPiece]) -> Iterator[list[DrawnPiece]]:
    """Break the drawing into lines of at most WIDTH columns."""
    line: list[DrawnPiece] = []
    width = 0
    for column in columns:
        if line and width + column.width > WIDTH:
            yield line
            line, width = [], 0
        line.append(column)
        width += column.width
    if line:
        yield line
