"""Edits for people: what each boundary is against a reference (`judged_edits` alone decides it);
edits drawn as text, as a table, and as HTML.

The drawing has the two segmentations above each other, the operation under each boundary (after
Fournier 2013, fig. 1). A dot is a unit, a bar a boundary (with its types in brackets, if it has
any). Below it is M for a match, T for each end of a transposition, S for a substitution, A for an
addition. If a is a reference that b is held against, `JUDGED` has the words and signs for it: N for
a near miss, - for a missed boundary and + for an extra one. What does not fit in a line is
shortened: only boundaries that differ are drawn, with their positions above; between them are the
numbers of units and of matches that are left out. In HTML both segmentations are strips, the
operations in colours.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from segscore.coding.segmentation import BoundaryType, Segmentation
from segscore.tables import Column, Table
from segscore.tables.markup import StripMark, sheet
from segscore.tables.tabular import MOST_ROWS

if TYPE_CHECKING:
    from segscore.metrics.edit_distance import BoundaryEdits

WIDTH = 78  # columns of a line, without the name of the side
_FEW_UNITS = 6  # drawn as dots even if the drawing is folded


# One piece of the drawing, from top to bottom: position, side a, side b, operation.
Piece = tuple[str, str, str, str]


Verdict = Literal["match", "near", "substituted", "missed", "extra"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)


class Judged(NamedTuple):
    """A boundary of a reference, of a hypothesis or of both: its position and type on each side;
    None where that side has no boundary, or no type."""

    verdict: Verdict
    reference: int | None
    hypothesis: int | None
    ref_type: BoundaryType | None
    hyp_type: BoundaryType | None


def judged_edits(edits: "BoundaryEdits") -> Iterator[Judged]:
    """What the edits between a reference (a) and a hypothesis (b) say of each boundary."""
    names: dict[str, Verdict] = {
        "match": "match",
        "transposition": "near",
        "substitution": "substituted",
    }
    for operation, a, b, *kinds in edits.listed():
        yield Judged(names.get(operation, "extra" if a is None else "missed"), a, b, *kinds)


Words = dict[Verdict, tuple[str, str]]  # for what boundaries are in a drawing: a sign and a word

EDITS: Words = {
    "match": ("M", "match"),
    "near": ("T", "transposition"),
    "substituted": ("S", "substitution"),
    "missed": ("A", "addition"),
    "extra": ("A", "addition"),
}
JUDGED: Words = {
    **EDITS,
    "near": ("N", "near miss"),
    "missed": ("-", "missed"),
    "extra": ("+", "extra"),
}


def _width(piece: Piece) -> int:
    """The width of a piece in the drawing."""
    return max(map(len, piece))


def draw(edits: "BoundaryEdits", most: int | None = None, words: Words = EDITS) -> str:
    """Draw both segmentations, the operations, and a line that counts them; at most `most` lines of
    the drawing."""
    folded = edits.a.n_units > WIDTH  # do not even try to draw a dot for each unit
    columns = list(_columns(edits, folded, words))
    if sum(map(_width, columns)) > WIDTH and not folded:
        columns = list(_columns(edits, True, words))
    sides = ("ref", "hyp") if words is JUDGED else ("a", "b")
    room = len(sides[0]) + 2
    lines: list[str] = []
    rows = list(_wrapped(columns))
    for row in rows[:most]:
        for name, cells in zip(("", *sides, ""), zip(*row, strict=True), strict=True):
            drawn = "".join(
                cell.ljust(_width(column)) for cell, column in zip(cells, row, strict=True)
            )
            lines.append(f"{name:<{room}}{drawn}".rstrip())
    if most is not None and len(rows) > most:
        lines.append(f"… {len(rows) - most} more lines; print shows all")
    return "\n".join([*(line for line in lines if line), counts(edits, words)])


def counts(edits: "BoundaryEdits", words: Words = EDITS) -> str:
    """The number of operations of each kind."""
    numbers = Counter(words[boundary.verdict][1] for boundary in judged_edits(edits))
    kinds = {word: numbers[word] for _, word in words.values()}
    if words is JUDGED and not kinds["substitution"]:
        del kinds["substitution"]
    plurals = {"match": "es", "near miss": "es", "missed": "", "extra": ""}
    return ", ".join(
        f"{number} {kind}{'' if number == 1 else plurals.get(kind, 's')}"
        for kind, number in kinds.items()
    )


def _columns(edits: "BoundaryEdits", folded: bool, words: Words) -> Iterator[Piece]:
    """The stretches of units and the boundaries between them; folded, only the boundaries that
    differ."""
    letters = _operations(edits, words)
    labels_a, labels_b = _labels(edits.a), _labels(edits.b)
    previous = matches = 0
    for position in sorted(letters):
        if folded and letters[position] == "M":
            matches += 1
            continue
        yield _stretch(position - previous, matches, folded)
        above = f"{position} " if folded else ""
        yield above, labels_a.get(position, ""), labels_b.get(position, ""), letters[position]
        previous, matches = position, 0
    yield _stretch(edits.a.n_units - previous, matches, folded)


def _stretch(n_units: int, n_matches: int, folded: bool) -> Piece:
    """Units without a boundary to draw."""
    short = not folded or (n_units <= _FEW_UNITS and not n_matches)
    text = "·" * n_units if short else f"·{n_units}·"
    return "", text, text, f"{n_matches}M" if n_matches else ""


def _operations(edits: "BoundaryEdits", words: Words) -> dict[int, str]:
    """The signs of the operations at each position that has a boundary."""
    letters: defaultdict[int, list[str]] = defaultdict(list)
    for boundary in sorted(judged_edits(edits), key=lambda each: VERDICTS.index(each.verdict)):
        for position in {boundary.reference, boundary.hypothesis}:
            if position is not None:
                letters[position].append(words[boundary.verdict][0])
    return {position: "".join(dict.fromkeys(signs)) for position, signs in letters.items()}


def _labels(side: Segmentation) -> dict[int, str]:
    """The drawing of each boundary of a side."""
    positions = side.boundaries.tolist()
    if side.types is None:
        return dict.fromkeys(positions, "|")
    from segscore.errors import visible  # types come from files: no control characters

    names = (f"[{visible('+'.join(sorted(map(str, kinds))))}]" for kinds in side.types)
    return dict(zip(positions, names, strict=True))


def _wrapped(columns: Iterable[Piece]) -> Iterator[list[Piece]]:
    """Break the drawing into lines of at most WIDTH columns."""
    line: list[Piece] = []
    width = 0
    for column in columns:
        if line and width + _width(column) > WIDTH:
            yield line
            line, width = [], 0
        line.append(column)
        width += _width(column)
    if line:
        yield line


_COLOURS = {
    "match": "rgba(128,128,128,.7)",
    "transposition": "#e69f00",
    "substitution": "#0072b2",
    "addition": "#d55e00",
}


def edits_table(edits: "BoundaryEdits") -> Table:
    """A row per match and edit; the cell of a side without a boundary is empty."""
    rows = [
        (*row[:3], *(None if kind is None else str(kind) for kind in row[3:]))
        for row in sorted(edits.listed(), key=lambda row: min(p for p in row[1:3] if p is not None))
    ]
    audience: Any = "all" if edits.types else "machines"
    columns = [
        Column("operation"),
        Column("a"),
        Column("b"),
        Column("type of a", key="type_a", audience=audience),
        Column("type of b", key="type_b", audience=audience),
    ]
    return Table(columns, rows, [counts(edits)])


def edits_html(edits: "BoundaryEdits") -> str:
    """Two strips, and a list of edits that can be opened."""
    rows = list(edits.listed())
    strips = [((name,), _marks(rows, side)) for side, name in enumerate("ab")]
    drawn = sheet(counts(edits), (), strips, edits.a.n_units)
    table = edits_table(edits).folded(MOST_ROWS, "html")
    return f"{drawn}<details><summary>all edits</summary>\n{table}</details>\n"


def _marks(rows: list[tuple[str, Any, Any, Any, Any]], side: int) -> Iterator[StripMark]:
    """The boundaries of a side; edits are drawn taller than matches."""
    for operation, *both in sorted(rows, key=lambda row: row[1 + side] or 0):
        position, kind = both[side], both[2 + side]
        if position is not None:
            title = f"{operation} {position}" + (f", {kind}" if kind is not None else "")
            height = 0.6 if operation == "match" else 1.0
            yield position, title, height, _COLOURS[operation]
