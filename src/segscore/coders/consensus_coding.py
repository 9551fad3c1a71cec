"""Consensus: a segmentation of the boundaries that enough coders mark.

Kazantseva & Szpakowicz (2012), table 2.
"""

from collections.abc import Iterable
from typing import overload

from segscore.basics.arguments import whole_number
from segscore.coders.support import codings_of, support
from segscore.coding.segmentation import Segmentation
from segscore.corpus.corpus import Corpus, Document
from segscore.pairing.consensus_rule import (
    AtLeast,
    agreed_codings,
    merged_boundaries,
    votes_needed,
)


@overload
def consensus(document: Corpus, at_least: AtLeast = 0.5, within: int = 0) -> Corpus: ...


@overload
def consensus(
    document: Document | Iterable[Segmentation], at_least: AtLeast = 0.5, within: int = 0
) -> Segmentation: ...


def consensus(
    document: Corpus | Document | Iterable[Segmentation],
    at_least: AtLeast = 0.5,
    within: int = 0,
) -> Segmentation | Corpus:
    """The boundaries that at least this share of coders mark, in a document or in each of a corpus.

    A corpus gives a corpus with one coder, `consensus`, that keeps the text and the groups of its
    documents; coders who are known to be systems have no vote there.

    `at_least` is a share above 0 and up to 1, "majority" (more than half) or "union" (anyone).
    With `within`, boundaries of different coders that lie at most so far from a position count for
    it, one per coder: the best supported position comes first (then the one that more coders mark
    exactly, then the leftmost), takes each coder's nearest boundary, and these are gone.

    >>> codings = [Segmentation.from_masses(m) for m in ([4, 8], [5, 7], [4, 5, 3])]
    >>> consensus(codings).boundaries, consensus(codings, "union").boundaries
    (array([4]), array([4, 5, 9]))
    >>> consensus(codings, at_least=1, within=1).boundaries
    array([4])
    """
    within = whole_number(within, "within", 0)
    if isinstance(document, Corpus):
        agreed = agreed_codings(document.columns, at_least, within)
        return Corpus.from_columns(agreed, provenance=document.provenance)
    codings = codings_of(document)
    needed = votes_needed(at_least, len(codings))
    if within:
        kept = merged_boundaries(codings, needed, within)
    else:
        found = support(codings)
        kept = found.positions[found.counts >= needed].tolist()
    return Segmentation.from_boundaries(kept, codings[0].n_units)
