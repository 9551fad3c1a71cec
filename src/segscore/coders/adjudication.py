"""Adjudication: a decision per place (`places`), and the gold that follows from the decisions.

A rule decides the clear places: if enough coders mark the same position, it is accepted; if too few
coders mark the place, it is dropped. A person decides all others by choosing a position or dropping
the place, and may also overrule the rule or add a boundary that nobody marked.

Gold keeps the ranks of boundaries if all people of a document gave some: the median rank of the
people who mark the position (the more prominent of two in the middle); a boundary that nobody
marked gets the least prominent rank that anybody used in the document. A person may give a boundary
of gold another rank, which pages and sheets call its level. Types of boundaries and labels of
segments are not adjudicated: gold has none, because other segments need other labels.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Literal, NamedTuple

import numpy as np

from segscore.basics.arguments import probability, whole_number
from segscore.coders.coder_pairs import as_corpus
from segscore.coders.places import WITHIN, Place, places_of
from segscore.coding.segmentation import Segmentation
from segscore.corpus.annotation import Annotation, Comment
from segscore.corpus.corpus import Corpus, Document
from segscore.corpus.gold_decisions import Decider, GoldDecisions, LevelDecision, PlaceDecision
from segscore.corpus.record import KINDS, Record
from segscore.corpus.text_checks import check_name
from segscore.corpus.unit_hash import unit_hash
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

    def at(self, position: int) -> int:
        """The rank of a gold boundary."""
        return self.by_position.get(position, self.least)


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
        found += sum(
            any(
                len(
                    {levels[coder].get(alternative.position) for coder in alternative.coders}
                    - {None}
                )
                > 1
                for alternative in place.alternatives
            )
            for place in case.places
        )
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
    cases = []
    for document in voters.values():
        places = places_of(document, rule.within)
        cases.append(
            AdjudicationCase(document, places, [rule.ruling(place) for place in places], rule)
        )
    return cases


# ---- decisions, and the gold that follows ----


@dataclass
class DocumentDecisions:
    """The decisions on a document: the choice of each place, by its first position; boundaries that
    nobody marked; comments, by the first position of the place or by the boundary; levels that are
    not those of the rule, by boundary."""

    choices: dict[int, Choice] = field(default_factory=dict)
    added: list[int] = field(default_factory=list)
    comments: dict[int, str] = field(default_factory=dict)
    levels: dict[int, int] = field(default_factory=dict)


def undecided(case: AdjudicationCase, decisions: DocumentDecisions) -> list[Place]:
    """The places without a decision."""
    return [place for place in case.places if place.first not in decisions.choices]


def gold_coding(case: AdjudicationCase, decisions: DocumentDecisions) -> Segmentation:
    """The boundaries that were chosen and added."""
    positions = gold_positions(decisions)
    ranks = gold_ranks(case.document)
    return Segmentation.from_boundaries(
        positions,
        case.document.n_units,
        ranks=None
        if ranks is None
        else [decisions.levels.get(position, ranks.at(position)) for position in positions],
    )


def gold_positions(decisions: DocumentDecisions) -> list[int]:
    """The positions that were chosen and added."""
    chosen = [choice for choice in decisions.choices.values() if choice != DROP]
    return sorted([*chosen, *decisions.added])


def gold_corpus(
    cases: Sequence[AdjudicationCase],
    decided: Mapping[str, DocumentDecisions],
    coder: str = GOLD,
) -> Corpus:
    """The gold of all documents: a single coder of the kind `consensus`, with the texts and groups
    of the documents; `annotation` holds the rule and every decision. The rule decides places
    without a person's decision; a document is unfinished while places wait.

    >>> cut = Segmentation.from_masses
    >>> people = {"ann": cut([2, 4, 4]), "bob": cut([3, 3, 4]), "cyd": cut([6, 4])}
    >>> cases = adjudication_cases(Corpus.from_dict({"d": people}), AdjudicationRule())
    >>> gold = gold_corpus(cases, {"d": DocumentDecisions({2: 3, 6: 6})})
    >>> gold["d"]["gold"].boundaries, gold["d"].kinds["gold"]
    (array([3, 6]), 'consensus')
    """
    check_gold_name(coder, cases)
    now = datetime.now(UTC).isoformat(timespec="seconds")
    records = []
    for case in cases:
        document = case.document
        given = _with_rulings(case, decided.get(document.name) or DocumentDecisions())
        annotation = Annotation(
            finished=not undecided(case, given),
            comments=tuple(Comment(p, text) for p, text in sorted(given.comments.items())),
            exported=now,
            units=None if document.units is None else unit_hash(document.units),
            adjudication=_told(case, given),
        )
        records.append(
            Record(
                document.name, coder, gold_coding(case, given), document.units, kind="consensus",
                group=document.group, annotation=annotation,
            )
        )  # fmt: skip
    return Corpus.from_rows(records, provenance=cases[0].document.provenance)


def _with_rulings(case: AdjudicationCase, given: DocumentDecisions) -> DocumentDecisions:
    """A person's decisions, and the rule's decisions on all other places."""
    ruled = {
        place.first: ruling
        for place, ruling in zip(case.places, case.rulings, strict=True)
        if ruling is not None
    }
    return replace(given, choices=ruled | given.choices)


def _told(case: AdjudicationCase, given: DocumentDecisions) -> GoldDecisions:
    decisions = []
    for place, ruling in zip(case.places, case.rulings, strict=True):
        choice = given.choices.get(place.first)
        by: Decider | None = (
            None if choice is None else "rule" if choice == ruling else "adjudicator"
        )
        positions = tuple(alternative.position for alternative in place.alternatives)
        decisions.append(PlaceDecision(positions, choice, by))
    rule = case.rule
    levels = [
        LevelDecision(position, given.levels[position])
        for position in gold_positions(given)
        if position in given.levels and gold_ranks(case.document) is not None
    ]
    return GoldDecisions(
        rule.within,
        rule.accept,
        rule.reject,
        tuple(decisions),
        tuple(sorted(given.added)),
        tuple(levels),
    )


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
