"""Many codings: a table of them in columns, and its public face, `Corpus` and `Document`."""

from typing import TYPE_CHECKING

from segscore.basics.on_demand import names_on_demand

if TYPE_CHECKING:
    from segscore.coding.levels import outline as outline
    from segscore.coding.levels import rank_bars as rank_bars
    from segscore.coding.word_alignment import Alignment as Alignment
    from segscore.coding.word_alignment import align as align
    from segscore.corpus.corpus import Corpus as Corpus
    from segscore.corpus.corpus import Document as Document
    from segscore.corpus.provenance import Provenance as Provenance
    from segscore.pairing.masks import cut_out as cut_out

_HOMES = {
    "Alignment": "segscore.coding.word_alignment:Alignment",
    "Corpus": "corpus",
    "Document": "corpus",
    "Provenance": "provenance",
    "align": "segscore.coding.word_alignment:align",
    "cut_out": "segscore.pairing.masks:cut_out",
    "outline": "segscore.coding.levels:outline",
    "rank_bars": "segscore.coding.levels:rank_bars",
}
__all__ = list(_HOMES)

__getattr__ = names_on_demand(__name__, _HOMES)
