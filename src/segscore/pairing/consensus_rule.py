"""Consensus: what enough coders mark, written as a reference: `consensus:0.5`.

Kazantseva & Szpakowicz (2012), table 2.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from segscore.basics.arguments import Int64Array, shown, whole_number
from segscore.coding.segmentation import Segmentation
from segscore.corpus.codings import Codings
from segscore.corpus.lists import starts_of
from segscore.corpus.record import KINDS
from segscore.errors import SegmentationError

CODER = "consensus"  # who made the codings of a table of consensus
AtLeast = float | Literal["majority", "union"]
_ROUNDING = 1e-9  # 0.3 of 10 coders is 3, whatever floats say


def consensus_rule(text: Any) -> tuple[AtLeast, int] | None:
    """The share and the reach in units that `consensus:0.5` or `consensus:majority:1` give.

    None for anything else, which is then the name of a coder, or a list of names.

    >>> consensus_rule("consensus:0.5"), consensus_rule("consensus:union:2"), consensus_rule("ann")
    ((0.5, 0), ('union', 2), None)
    """
    name, mark, rest = text.partition(":") if isinstance(text, str) else ("", "", "")
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
    votes_needed(at_least, 1)  # refuses what is no share
    return at_least, whole_number(within, "within", 0)


def votes_needed(at_least: Any, n_coders: int) -> int:
    """How many of these coders must mark a boundary."""
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


def agreed_codings(codings: Codings, at_least: AtLeast, within: int = 0) -> Codings:
    """The consensus of each document: a table with a single coder, of the kind `consensus`. Coders
    known to be systems, and an earlier consensus, have no vote."""
    rows = np.flatnonzero((codings.kinds < 0) | (codings.kinds == KINDS.index("person")))
    owners = codings.document_of_rows[rows]
    votes = np.bincount(owners, minlength=len(codings.documents))
    if not len(votes):
        raise SegmentationError("the corpus has no documents: expected one or more")
    if votes.min() < 1:
        name = codings.documents[int(votes.argmin())]
        raise SegmentationError(
            f"document {name!r} has no coding by a person: expected one or more"
        )
    needed = np.array([votes_needed(at_least, n) for n in range(1, votes.max() + 1)])[votes - 1]
    n_units = codings.n_units[rows[np.searchsorted(owners, np.arange(len(votes)))]]
    boundaries = _near(codings, rows, needed, within) if within else _exact(codings, rows, needed)
    return Codings.plain(
        codings.documents, CODER, (n_units, *boundaries), groups=codings.groups,
        group_names=codings.group_names, texts=codings.texts, source=codings.source,
        provenance=codings.provenance,
        kinds=np.full(len(votes), KINDS.index("consensus"), np.int8),
    )  # fmt: skip


def _exact(codings: Codings, rows: Int64Array, needed: Int64Array) -> tuple[Int64Array, Int64Array]:
    """(offsets, positions) of the positions that enough coders mark exactly."""
    offsets, positions = codings.boundaries(rows)
    owners = np.repeat(codings.document_of_rows[rows], np.diff(offsets))
    order = np.lexsort((positions, owners))
    owners, positions = owners[order], positions[order]
    new = np.ones(len(owners), np.bool_)
    new[1:] = (owners[1:] != owners[:-1]) | (positions[1:] != positions[:-1])
    first = np.flatnonzero(new)
    kept = first[np.diff(np.append(first, len(owners))) >= needed[owners[first]]]
    return starts_of(np.bincount(owners[kept], minlength=len(needed))), positions[kept]


def _near(
    codings: Codings, rows: Int64Array, needed: Int64Array, within: int
) -> tuple[Int64Array, Int64Array]:
    """(offsets, positions) of the positions that enough coders mark within `within` units."""
    ends = np.searchsorted(codings.document_of_rows[rows], np.arange(len(needed) + 1))
    found = [
        merged_boundaries(
            [codings.segmentation(row) for row in rows[start:end].tolist()], int(votes), within
        )
        for start, end, votes in zip(ends[:-1], ends[1:], needed, strict=True)
    ]
    places = [place for boundaries in found for place in boundaries]
    return starts_of([len(boundaries) for boundaries in found]), np.array(places, np.int64)


def merged_boundaries(codings: Sequence[Segmentation], needed: int, within: int) -> list[int]:
    """The positions that enough coders support; each boundary counts once."""
    left = [set(coding.boundaries.tolist()) for coding in codings]
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


def with_consensus(codings: Codings, reference: Any) -> tuple[Codings, Any]:
    """The table of references and the coder to use; `consensus:…` makes another table."""
    rule = consensus_rule(reference)
    if rule is None:
        return codings, reference
    return replace(agreed_codings(codings, *rule), scope="global"), CODER
