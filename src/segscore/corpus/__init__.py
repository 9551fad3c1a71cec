"""Many codings: a table of them in columns, and its public face, `Corpus` and `Document`."""

from typing import TYPE_CHECKING

from segscore.basics.on_demand import names_on_demand

# ruff: noqa: F403
if TYPE_CHECKING:  # imported when used
    from segscore.coding.levels import outline as outline
    from segscore.coding.levels import rank_bars as rank_bars
    from segscore.coding.word_alignment import Alignment as Alignment
    from segscore.coding.word_alignment import align as align
    from segscore.corpus.codings import *
    from segscore.corpus.corpus import Corpus as Corpus
    from segscore.corpus.corpus import Document as Document
    from segscore.corpus.lists import *
    from segscore.corpus.provenance import PLAIN as PLAIN
    from segscore.corpus.provenance import Provenance as Provenance
    from segscore.corpus.provenance import provenance_in as provenance_in
    from segscore.corpus.record import KINDS as KINDS
    from segscore.corpus.record import Kind as Kind
    from segscore.corpus.record import Record as Record
    from segscore.corpus.record import whereabouts as whereabouts
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
_INSIDE = {  # for other rooms
    "Codings": "codings",
    "CodingsBuilder": "codings",
    "KINDS": "record",
    "Kind": "record",
    "Lists": "lists",
    "PLAIN": "provenance",
    "Record": "record",
    "Units": "lists",
    "provenance_in": "provenance",
    "spread_rows": "lists",
    "starts_of": "lists",
    "whereabouts": "record",
}
__all__ = list(_HOMES)

__getattr__ = names_on_demand(__name__, {**_HOMES, **_INSIDE})
