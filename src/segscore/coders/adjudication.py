"""Adjudication: the places to decide (`places`), and the rule that decides the clear ones.

A rule decides the clear places: if enough coders mark the same position, it is accepted; if too few
coders mark the place, it is dropped. A person decides all others by choosing a position or dropping
the place, and may also overrule the rule or add a boundary that nobody marked.

Gold keeps the ranks of boundaries if all people of a document gave some: the median rank of the
people who mark the position (the more prominent of two in the middle); a boundary that nobody
marked gets the least prominent rank that anybody used in the document. A person may give a boundary
of gold another rank, which pages call its level. Types of boundaries and labels of
segments are not adjudicated: gold has none, because other segments need other labels.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from segscore.basics.arguments import check_name, probability, whole_number
from segscore.coders.coder_pairs import as_corpus
from segscore.coders.places import WITHIN, Place, places_by_document
from segscore.coding.segmentation import Segmentation
from segscore.corpus.corpus import Corpus, Document
from segscore.corpus.record import KINDS
from segscore.errors import SegmentationError, named
from segscore.pairing.consensus_rule import votes_needed

GOLD = "gold"  # who decided, if nobody says another name
DROP: Literal["drop"] = "drop"
LEVELS_BY_DEFAULT = (
    "a boundary of gold gets the median level of those who mark it (of two in the middle the more "
    "prominent one); one that nobody marked gets the least prominent level of its document"
)
_ROUNDING = 1e-9  # 0.3 of 10 coders is 3, whatever floats say

Choice = int | Literal["drop"]  # a position of the place, or none of them


@dataclass(frozen=True)
class AdjudicationRule:
    """The rule that decides places without a person.

    within: how far apart neighbouring positions of a place may be, in units.
    accept: the share of coders that must mark the same position, more than any other of its place,
        to become gold without a person's decision.
    reject: a place that less than this share of coders mark, at any of its positions, is dropped.

    >>> from segscore.coders.places import Alternative
    >>> place = Place("d", (Alternative(4, ("ann", "bob")), Alternative(5, ("cyd",))), 4)
    >>> AdjudicationRule().ruling(place), AdjudicationRule(accept=0.5).ruling(place)
    (None, 4)
    >>> AdjudicationRule(reject=0.8).ruling(place)
    'drop'
    """

    within: int = WITHIN
    accept: float = 1.0
    reject: float = 0.0

    def __post_init__(self) -> None:
        for name, value in (
            ("within", whole_number(self.within, "within", 0)),
            ("accept", probability(self.accept, "accept")),
            ("reject", probability(self.reject, "reject")),
        ):
            object.__setattr__(self, name, value)
        if not self.accept:
            raise SegmentationError("accept is 0: expected a share above 0 and up to 1")
        if self.reject > self.accept:
            raise SegmentationError(
                f"reject is {self.reject} and accept {self.accept}: expected a reject that is not "
                "larger, or places would be accepted and dropped at once"
            )

    def __str__(self) -> str:
        accept, reject = (repr(share).removesuffix(".0") for share in (self.accept, self.reject))
        return f"within {self.within}, accept {accept}, reject {reject}"

    def ruling(self, place: Place) -> Choice | None:
        """The rule's decision; None: a person decides."""
        votes = sorted(
            (len(alternative.coders) for alternative in place.alternatives), reverse=True
        )
        if votes[0] >= votes_needed(self.accept, place.n_coders) and votes[0] not in votes[1:]:
            return place.position
        if place.n_marks < self.reject * place.n_coders - _ROUNDING:
            return DROP
        return None


class AdjudicationCase(NamedTuple):
    """A document to decide: its people, its places, and the rule's decision on each."""

    document: Document
    places: Sequence[Place]
    rulings: Sequence[Choice | None]
    rule: AdjudicationRule

    @property
    def n_open(self) -> int:
        """The number of places that wait for a person."""
        return sum(ruling is None for ruling in self.rulings)


class GoldRanks(NamedTuple):
    """The rank of each position that people mark, and the rank of boundaries that nobody marked."""

    by_position: dict[int, int]
    least: int


def gold_ranks(document: Document) -> GoldRanks | None:
    """The ranks of gold boundaries, if all people gave ranks.

    >>> mark = Segmentation.from_boundaries
    >>> people = {"ann": mark([2, 4], 9, ranks=[1, 3]), "bob": mark([2], 9, ranks=[2])}
    >>> gold_ranks(Corpus.from_dict({"d": people})["d"])
    GoldRanks(by_position={2: 1, 4: 3}, least=3)
    """
    given: dict[int, list[int]] = {}
    for coding in document.values():
        if coding.ranks is None:
            return None
        for position, rank in zip(coding.boundaries.tolist(), coding.ranks.tolist(), strict=True):
            given.setdefault(position, []).append(rank)
    medians = {position: sorted(ranks)[(len(ranks) - 1) // 2] for position, ranks in given.items()}
    return GoldRanks(medians, max(map(max, given.values()), default=1))


def with_levels(cases: Iterable[AdjudicationCase]) -> bool:
    """Whether gold has levels in some document."""
    return any(gold_ranks(case.document) is not None for case in cases)


def places_of_different_levels(cases: Iterable[AdjudicationCase]) -> int:
    """The number of places at which coders mark the same unit with different levels.

    >>> mark = Segmentation.from_boundaries
    >>> people = {"ann": mark([2, 4], 9, ranks=[1, 3]), "bob": mark([2, 4], 9, ranks=[2, 3])}
    >>> places_of_different_levels(
    ...     adjudication_cases(Corpus.from_dict({"d": people}), AdjudicationRule())
    ... )
    1
    """
    found = 0
    for case in cases:
        levels = {coder: levels_of(coding) for coder, coding in case.document.items()}
        for place in case.places:
            given = (
                {levels[c].get(one.position) for c in one.coders} for one in place.alternatives
            )
            found += any(len(ranks - {None}) > 1 for ranks in given)
    return found


def levels_of(coding: Segmentation) -> dict[int, int]:
    """The level of each boundary, by position; empty if the coder gave none."""
    if coding.ranks is None:
        return {}
    return dict(zip(coding.boundaries.tolist(), coding.ranks.tolist(), strict=True))


def adjudication_cases(corpus: Corpus, rule: AdjudicationRule) -> list[AdjudicationCase]:
    """The documents that people coded. Systems and any earlier consensus have no vote; documents
    that only these coded are left out.

    >>> cut = Segmentation.from_masses
    >>> people = {"ann": cut([2, 4, 4]), "bob": cut([3, 3, 4]), "cyd": cut([6, 4])}
    >>> case, = adjudication_cases(Corpus.from_dict({"d": people}), AdjudicationRule())
    >>> [(place.marks, ruling) for place, ruling in zip(case.places, case.rulings)]
    [('2: ann; 3: bob', None), ('6: ann, bob, cyd', 6)]
    """
    columns = as_corpus(corpus).columns
    people = np.flatnonzero((columns.kinds < 0) | (columns.kinds == KINDS.index("person")))
    if not len(people):
        raise SegmentationError("the corpus has no coding by a person: expected one or more")
    voters = Corpus.from_columns(columns.part(people), corpus.coder_scope, corpus.provenance)
    found = places_by_document(voters, rule.within)
    return [
        AdjudicationCase(document, found[name], list(map(rule.ruling, found[name])), rule)
        for name, document in voters.items()
    ]


def check_gold_name(name: str, cases: Iterable[AdjudicationCase]) -> str:
    """Raise if the name of the adjudicator is that of a coder, because files of both are read
    together."""
    check_name(name, "coder")
    for case in cases:
        if name in case.document:
            raise SegmentationError(
                f"coder is {name!r}, who coded document {case.document.name!r}: expected another "
                "name for gold (coder=)"
            )
    return name


def not_adjudicated(cases: Iterable[AdjudicationCase]) -> list[str]:
    """What gold does not keep, in words."""
    found: Mapping[str, list[str]] = {"types of boundaries": [], "labels of segments": []}
    mixed = []
    for case in cases:
        codings = case.document.values()
        if any(coding.types is not None for coding in codings):
            found["types of boundaries"].append(case.document.name)
        if any(coding.segment_labels is not None for coding in codings):
            found["labels of segments"].append(case.document.name)
        if {coding.ranks is None for coding in codings} == {True, False}:
            mixed.append(case.document.name)
    notes = [
        f"gold has no {what}, which are not adjudicated; people gave some in {named(documents)}"
        for what, documents in found.items()
        if documents
    ]
    if mixed:
        notes.append(f"gold has no ranks in {named(mixed)}: not everyone who coded it gave ranks")
    return notes
