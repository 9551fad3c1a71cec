"""How a segmentation, a document and a corpus look in a notebook.

A segmentation is a strip with a mark at each boundary (the more prominent the taller), a document
has a strip per coder, a corpus a table of its documents. Long strips and tables are folded.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from segscore.tables import Column, Table
from segscore.tables.markup import StripMark, sheet
from segscore.tables.tabular import MOST_ROWS

if TYPE_CHECKING:  # they import this module, to show themselves
    from segscore.coding.segmentation import Segmentation
    from segscore.corpus.corpus import Corpus, Document


def segmentation_html(coding: "Segmentation") -> str:
    """The text form of a segmentation, with its strip below."""
    return sheet(repr(coding), (), [((), _marks(coding))], coding.n_units)


def document_html(document: "Document") -> str:
    """A strip per coder, with the number of segments."""
    strips = [
        ((coder, str(coding.n_segments)), _marks(coding)) for coder, coding in document.items()
    ]
    return sheet(repr(document), ("coder", "segments"), strips, document.n_units)


def corpus_html(corpus: "Corpus") -> str:
    """A row per document: its units, its coders, and how many segments they make."""
    rows = []
    for document in corpus.values():
        counts = sorted({coding.n_segments for coding in document.values()})
        segments = " … ".join(map(str, dict.fromkeys(counts[:1] + counts[-1:])))
        rows.append([document.name, document.group, document.n_units, len(document), segments])
    group = Column("group", audience="all" if corpus.groups else "machines")
    table = Table.of(rows, ["document", group, "units coders segments"], title=repr(corpus))
    return table.folded(MOST_ROWS, "html")


def _marks(coding: "Segmentation") -> Iterator[StripMark]:
    """The boundaries, with what is known about each as its title."""
    ranked, typed = coding.ranks is not None, coding.types or ()
    ranks = coding.ranks.tolist() if coding.ranks is not None else [1] * len(coding.boundaries)
    lowest = max(ranks, default=1)
    for index, (position, rank) in enumerate(zip(coding.boundaries.tolist(), ranks, strict=True)):
        title = f"boundary {position}"
        if typed:
            title += f", {' + '.join(sorted(map(str, typed[index])))}"
        if ranked:
            title += f", rank {rank}"
        yield position, title, 1 - 0.7 * (rank - 1) / lowest, "currentColor"
