"""Consensus: a segmentation of the boundaries that enough coders mark.

Kazantseva & Szpakowicz (2012), table 2.
"""

import math
from collections.abc import Iterable
from typing import Any, Literal, overload

import numpy as np

from segscore.basics.arguments import shown, whole_number
from segscore.coders.support import codings_of, support
from segscore.coding.segmentation import Segmentation
from segscore.corpus.corpus import Corpus, Document
from segscore.corpus.record import Record
from segscore.errors import SegmentationError

CODER = "consensus"  # who made the codings of a corpus of consensus
AtLeast = float | Literal["majority", "union"]
_ROUNDING = 1e-9  # 0.3 of 10 coders is 3, whatever floats say


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
    if isinstance(document, Corpus):
        return _of_corpus(document, at_least, within)
    codings = codings_of(document)
    within = whole_number(within, "within", 0)
    needed = _votes_needed(at_least, len(codings))
    if within:
        kept = _merged(codings, needed, within)
    else:
        found = support(codings)
        kept = found.positions[found.counts >= needed].tolist()
    return Segmentation.from_boundaries(kept, codings[0].n_units)


def _of_corpus(corpus: Corpus, at_least: AtLeast, within: int) -> Corpus:
    records = []
    for one in corpus.values():
        people = {
            coder: coding for coder, coding in one.items() if one.kinds.get(coder) != "system"
        }
        if not people:
            raise SegmentationError(
                f"document {one.name!r} has no coding by a person: expected one or more"
            )
        agreed = consensus(people.values(), at_least, within)
        records.append(Record(one.name, CODER, agreed, units=one.units, group=one.group))
    if not records:
        raise SegmentationError("the corpus has no documents: expected one or more")
    return Corpus.from_rows(records, provenance=corpus.provenance)


def consensus_rule(text: str) -> tuple[AtLeast, int] | None:
    """What `consensus:0.5` or `consensus:majority:1` says: the share, and within how many units.

    None for any other text, which is the name of a coder.

    >>> consensus_rule("consensus:0.5"), consensus_rule("consensus:union:2"), consensus_rule("ann")
    ((0.5, 0), ('union', 2), None)
    """
    name, mark, rest = text.partition(":")
    if name != CODER or not mark:
        return None
    share, _, near = rest.partition(":")
    try:
        at_least: Any = share if share in ("majority", "union") else float(share)
        within = int(near or 0)
    except ValueError:
        raise SegmentationError(
            f"reference is {text!r}: expected consensus:SHARE or consensus:SHARE:WITHIN, as in "
            "consensus:0.5 or consensus:majority:1"
        ) from None
    _votes_needed(at_least, 1)  # refuses what is no share
    return at_least, whole_number(within, "within", 0)


def _votes_needed(at_least: Any, n_coders: int) -> int:
    if at_least == "majority":
        return n_coders // 2 + 1
    if at_least == "union":
        return 1
    number = isinstance(at_least, int | float) and not isinstance(at_least, bool)
    if not number or not 0 < at_least <= 1:
        raise SegmentationError(
            f"at_least is {shown(at_least)}: expected a share above 0 and up to 1, 'majority' or "
            "'union'"
        )
    return max(1, math.ceil(float(at_least) * n_coders - _ROUNDING))


def _merged(codings: list[Segmentation], needed: int, within: int) -> list[int]:
    """Positions that enough coders support, each boundary counting once."""
    left = [set(one.boundaries.tolist()) for one in codings]
    kept: list[int] = []
    while True:
        near: dict[int, int] = {}
        exact: dict[int, int] = {}
        marked = sorted(set().union(*left))
        for places in left:
            ordered = np.array(sorted(places), np.int64)
            for position in marked:
                reach = np.searchsorted(ordered, [position - within, position + within + 1])
                near[position] = near.get(position, 0) + int(reach[1] > reach[0])
                exact[position] = exact.get(position, 0) + (position in places)
        best = max(marked, key=lambda p: (near[p], exact[p], -p), default=None)
        if best is None or near[best] < needed:
            return sorted(kept)
        kept.append(best)
        for places in left:
            reachable = [p for p in places if abs(p - best) <= within]
            if reachable:
                places.remove(min(reachable, key=lambda p: (abs(p - best), p)))
