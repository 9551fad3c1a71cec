"""The boundaries of all coders in a document (after Kazantseva & Szpakowicz 2012, fig. 2)."""

from collections.abc import Mapping

from matplotlib.axes import Axes

from segscore.basics.arguments import shown
from segscore.coders.boundary_support import consensus
from segscore.coders.coder_pairs import people_in
from segscore.coding.segmentation import Segmentation
from segscore.corpus.corpus import Document
from segscore.errors import SegmentationError
from segscore.plot import _canvas as canvas
from segscore.plot._canvas import BLACK, BLUE, LIGHT, VERMILION


def boundaries(
    document: Document | Mapping[str, Segmentation],
    *,
    majority: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw the boundaries of each coder over the units, a row each, and below them those of the
    majority.

    The last row, `segscore.consensus(document, "majority")`, is left out for a single coder. The
    rows of systems and of a consensus have other colours, and their names say so; a consensus does
    not count among the coders.

    majority: whether to draw the row of the majority.

    >>> import segscore as ss
    >>> cut = ss.Segmentation.from_masses
    >>> ax = boundaries({"ann": cut([2, 3, 6]), "bob": cut([5, 6])})
    >>> [text.get_text() for text in ax.get_yticklabels()]
    ['ann', 'bob', 'majority']
    """
    if not isinstance(document, Mapping):
        raise SegmentationError(
            f"document is {shown(document)}: expected a document, or a mapping from coder to "
            "Segmentation"
        )
    canvas.drawable(len(document), "a document with one coding or more")
    people = people_in(document) or dict(document)
    marked = consensus(people.values(), "majority")  # refuses what does not fit together
    kinds = document.kinds if isinstance(document, Document) else {}
    styles = {"system": (" (system)", VERMILION), "consensus": (" (consensus)", BLACK)}
    looks = [styles.get(kinds.get(coder, ""), ("", BLUE)) for coder in document]
    names = [f"{coder}{words}" for coder, (words, _) in zip(document, looks, strict=True)]
    colours = [colour for _, colour in looks]
    codings = list(document.values())
    if majority and len(people) > 1:
        names, colours, codings = [*names, "majority"], [*colours, BLACK], [*codings, marked]
    ax = canvas.axes(ax, canvas.height_of(len(names)))
    bins = canvas.Bins.of(marked.n_units - 1)
    ax.hlines(range(len(names)), 0, marked.n_units, color=LIGHT, linewidth=0.8, zorder=1)
    for row, (coding, colour) in enumerate(zip(codings, colours, strict=True)):
        x = bins.marks(coding.boundaries)
        ax.vlines(x, row - 0.38, row + 0.38, color=colour, linewidth=bins.line, zorder=2)
    if len(names) > len(document):
        ax.axhline(len(document) - 0.5, color=BLACK, linewidth=0.8)
    canvas.row_names(ax, names, "coder")
    canvas.positions_axis(ax, marked.n_units, bins, "a mark is one boundary or more")
    if isinstance(document, Document):
        ax.set_title(canvas.label(document.name, 70), loc="left")
    canvas.without_frame(ax, "top", "right", "left")
    return ax
