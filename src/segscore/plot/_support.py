"""Where coders mark boundaries, a row per document (after Fournier & Inkpen 2012, fig. 11)."""

import numpy as np
from matplotlib.axes import Axes

from segscore.basics.arguments import shown
from segscore.coders.coder_pairs import people_of
from segscore.coders.support import support as support_of
from segscore.corpus.corpus import Corpus, Document
from segscore.errors import SegmentationError
from segscore.plot import _canvas as canvas

MOST_DOCUMENTS = 5_000


def support(corpus: Corpus | Document, within: int = 0, *, ax: Axes | None = None) -> Axes:
    """Draw a heat map of the share of coders per position, a row per document.

    Beyond the end of shorter documents the map is hatched. In long documents a cell covers several
    positions and shows the highest share among them, and the axis says so. Documents without
    codings, or of one unit, are left out.

    within: how many positions away a boundary still counts.

    >>> import segscore as ss
    >>> cut = ss.Segmentation.from_masses
    >>> ax = support(ss.Corpus.from_dict({"d": {"ann": cut([2, 3, 6]), "bob": cut([5, 6])}}))
    >>> [text.get_text() for text in ax.get_yticklabels()], ax.get_xlabel()
    (['d'], 'position')
    """
    if not isinstance(corpus, Corpus | Document):
        raise SegmentationError(
            f"corpus is {shown(corpus)}: expected a Corpus, or one of its documents"
        )
    documents = [coded for coded in people_of(corpus).values() if coded and coded.n_units > 1]
    canvas.drawable(len(documents), "a document with codings, of two units or more")
    if len(documents) > MOST_DOCUMENTS:
        raise SegmentationError(
            f"{len(documents)} documents are more than a heat map can show: expected at most "
            f"{MOST_DOCUMENTS}; corpus.select(documents=…) chooses some"
        )
    bins = canvas.Bins.of(max(document.n_units for document in documents) - 1)
    cells = np.full((len(documents), bins.n_bins), np.nan)
    for row, document in zip(cells, documents, strict=True):
        found = support_of(document, within)
        row[: -(-(document.n_units - 1) // bins.width)] = 0.0
        np.maximum.at(row, bins.of_positions(found.positions), found.shares)
    ax = canvas.axes(ax, canvas.height_of(len(documents)))
    near = f" within {within}" if within else ""
    extent = (0.5, bins.n_bins * bins.width + 0.5)
    canvas.heat(ax, cells, extent, f"share of coders{near}", vmin=0, vmax=1)
    canvas.row_names(ax, [document.name for document in documents], "document")
    ax.set_xlim(0.5, bins.n + 0.5)
    ax.set_xlabel("position" + bins.note("the highest share in each"))
    return ax
